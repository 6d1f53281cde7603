//! Constants that tests have in their own code (JLS 13.1), though the version that they run with has other ones.

use crate::bytecode::access::{PRIVATE, STATIC};
use crate::bytecode::{ClassPath, ClassPathError};
use std::collections::BTreeSet;
use std::path::Path;

/// The names of constants of classes compiled to `own` that those compiled to `other` have otherwise, or not at all.
///
/// # Errors
/// A class file can't be read.
pub(super) fn stale_constants(
    own: &Path,
    other: &Path,
) -> Result<BTreeSet<String>, ClassPathError> {
    let [own, other] = [own, other].map(|folder| ClassPath::of(&[folder.to_path_buf()]));
    let (own, other) = (own?, other?);
    let mut names = BTreeSet::new();
    for class in own.dir_classes()? {
        let twin = other.find(&class.name)?;
        for field in &class.fields {
            let is_open = field.access & (STATIC | PRIVATE) == STATIC;
            if !is_open || field.constant.is_none() {
                continue;
            }
            let other = twin
                .as_ref()
                .and_then(|class| class.field(&field.name, &field.descriptor));
            if other.is_none_or(|other| other.constant != field.constant) {
                names.insert(field.name.to_string());
            }
        }
    }
    Ok(names)
}

/// Whether a text names one of them.
pub(super) fn names_one(text: &str, names: &BTreeSet<String>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.split(|c| !is_part(c)).any(|word| names.contains(word))
}
