//! Names of classes in the spelling of class files.

/// Whether a class is anonymous or local, by the number in its name (JLS §13.1).
pub fn is_numbered(class: &str) -> bool {
    let simple = class.rsplit('/').next().unwrap_or_default();
    let digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    simple.split('$').skip(1).any(digit)
}

/// Whether a class is another one or, by its name, inside it (JLS §13.1); both in one spelling.
pub fn is_within(class: &str, outer: &str) -> bool {
    let inside = class.strip_prefix(outer);
    inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}
