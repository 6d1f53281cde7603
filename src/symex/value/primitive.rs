//! Names of primitives and of their boxes.

use crate::model::primitive_keyword;

/// The primitive that a box class holds.
pub(in crate::symex) fn box_prim(class: &str) -> Option<u8> {
    Some(match class {
        "java/lang/Boolean" => b'Z',
        "java/lang/Byte" => b'B',
        "java/lang/Character" => b'C',
        "java/lang/Short" => b'S',
        "java/lang/Integer" => b'I',
        "java/lang/Long" => b'J',
        "java/lang/Float" => b'F',
        "java/lang/Double" => b'D',
        _ => return None,
    })
}

/// The keyword of a primitive type.
pub(in crate::symex) fn primitive_name(descriptor: &str) -> &'static str {
    primitive_keyword(descriptor).unwrap_or("int")
}
