//! Types of descriptors as Java source has them.

/// Whether a name is the keyword of a primitive type, or `void`.
pub fn is_primitive(name: &str) -> bool {
    ["Z", "B", "C", "S", "I", "J", "F", "D", "V"]
        .iter()
        .any(|descriptor| type_name(descriptor) == name)
}

/// Java source of the type of a descriptor (JVMS §4.3.2).
pub fn type_name(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = match element {
        "Z" => "boolean".into(),
        "B" => "byte".into(),
        "C" => "char".into(),
        "S" => "short".into(),
        "I" => "int".into(),
        "J" => "long".into(),
        "F" => "float".into(),
        "D" => "double".into(),
        "V" => "void".into(),
        class => class
            .trim_start_matches('L')
            .trim_end_matches(';')
            .replace(['/', '$'], "."),
    };
    format!("{name}{}", "[]".repeat(dimensions))
}
