//! The classes that box primitive values (JLS §5.1.7).

/// Descriptor of the primitive type, class of its box, and the box's method that gives the value.
pub const BOXES: [(&str, &str, &str); 8] = [
    ("Z", "java/lang/Boolean", "booleanValue"),
    ("B", "java/lang/Byte", "byteValue"),
    ("C", "java/lang/Character", "charValue"),
    ("S", "java/lang/Short", "shortValue"),
    ("I", "java/lang/Integer", "intValue"),
    ("J", "java/lang/Long", "longValue"),
    ("F", "java/lang/Float", "floatValue"),
    ("D", "java/lang/Double", "doubleValue"),
];
