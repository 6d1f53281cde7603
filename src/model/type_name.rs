//! Type descriptors in the spelling of Java source.

/// The keyword and the descriptor of each primitive type, and of `void` (JVMS §4.3.2, §4.3.3).
const KEYWORDS: [(&str, &str); 9] = [
    ("boolean", "Z"),
    ("byte", "B"),
    ("char", "C"),
    ("short", "S"),
    ("int", "I"),
    ("long", "J"),
    ("float", "F"),
    ("double", "D"),
    ("void", "V"),
];

/// The descriptor of a primitive type, or of `void`, that has this keyword.
pub fn primitive_descriptor(keyword: &str) -> Option<&'static str> {
    let row = KEYWORDS.iter().find(|row| row.0 == keyword);
    row.map(|row| row.1)
}

/// The least and greatest value of an integral type, or of `boolean` as the JVM has it, by its descriptor (JVMS §2.3).
pub fn integral_range(descriptor: &str) -> Option<(i64, i64)> {
    Some(match descriptor {
        "Z" => (0, 1),
        "B" => (i64::from(i8::MIN), i64::from(i8::MAX)),
        "S" => (i64::from(i16::MIN), i64::from(i16::MAX)),
        "C" => (0, i64::from(u16::MAX)),
        "I" => (i64::from(i32::MIN), i64::from(i32::MAX)),
        "J" => (i64::MIN, i64::MAX),
        _ => return None,
    })
}

/// The keyword of a primitive type, or of `void`, that has this descriptor.
pub fn primitive_keyword(descriptor: &str) -> Option<&'static str> {
    let row = KEYWORDS.iter().find(|row| row.1 == descriptor);
    row.map(|row| row.0)
}

/// Whether a name is the keyword of a primitive type, or `void`.
pub fn is_primitive(name: &str) -> bool {
    primitive_descriptor(name).is_some()
}

/// The internal name of the class that a descriptor names (JVMS §4.3.2); any other text as it is.
pub fn class_in(descriptor: &str) -> &str {
    let inside = descriptor
        .strip_prefix('L')
        .and_then(|d| d.strip_suffix(';'));
    inside.unwrap_or(descriptor)
}

/// Java source of the type of a descriptor.
pub fn type_name(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = match primitive_keyword(element) {
        Some(keyword) => keyword.to_string(),
        None => class_in(element).replace(['/', '$'], "."),
    };
    format!("{name}{}", "[]".repeat(dimensions))
}
