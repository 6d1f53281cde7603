//! Class files of the builds, of jars and of the JDK's runtime image, decoded into our own instructions.

pub mod class_file;
mod class_path;
mod decode;
pub mod probe;
mod projected;
mod same_code;

pub use class_path::{ClassPath, ClassPathError, RETIRED};
pub use decode::{DecodeError, decode};
pub use projected::{Projected, SHADOW, Side};
pub use same_code::same_code;

/// The parameter descriptors of a method descriptor (JVMS §4.3.3).
pub fn parameter_descriptors(descriptor: &str) -> Vec<String> {
    let inside = descriptor
        .trim_start_matches('(')
        .split(')')
        .next()
        .unwrap_or_default();
    let (mut all, mut current, mut in_class) = (Vec::new(), String::new(), false);
    for c in inside.chars() {
        current.push(c);
        in_class = if in_class { c != ';' } else { c == 'L' };
        if !in_class && c != '[' {
            all.push(std::mem::take(&mut current));
        }
    }
    all
}
