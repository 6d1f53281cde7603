//! Class files of the builds, of jars and of the JDK's runtime image, decoded into our own instructions.

pub mod access;
mod annotation_text;
mod boxes;
pub mod class_file;
mod class_path;
mod constructor_call;
mod cursor;
mod decode;
mod givers;
mod jdk;
mod loggers;
mod names;
mod nullness;
pub mod probe;
mod projected;
pub mod reflected;
mod reflection;
mod restack;
mod retarget;
mod retired;
mod same_code;
mod static_part;
mod union;
mod wider;

pub use annotation_text::annotation_texts;
pub use boxes::BOXES;
pub use class_path::{ClassPath, ClassPathError, RETIRED};
pub use decode::{DecodeError, decode};
pub use givers::{Giver, givers, users_of_made};
pub use jdk::is_jdk;
pub use loggers::{LOGGERS, LoggerCall, gives_mojo_log, is_level, logger_call, logger_method};
pub use names::{is_numbered, is_within};
pub use nullness::{SCOPES, never_null, never_null_by_first, returns_never_null};
pub use projected::{Projected, SHADOW, Side};
pub use restack::{restack, restacked};
pub use retarget::retarget;
pub use retired::{ClassesOfFile, Retired, RetiredMember};
pub use same_code::same_code;
pub use static_part::same_but_for_assertions;
pub use union::with_retired;
pub use wider::{WiderResult, is_marked, result, widens, wider_result, with_wider};

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
