//! Names of classes in the spelling of class files.

/// Whether a class is anonymous or local, by the number in its name (JLS §13.1).
pub fn is_numbered(class: &str) -> bool {
    let simple = class.rsplit('/').next().unwrap_or_default();
    let digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    simple.split('$').skip(1).any(digit)
}
