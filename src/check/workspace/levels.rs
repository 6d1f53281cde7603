//! The Java level for compiling sources that state none.

use crate::jvm::CompileResult;

/// What messages of sources that are older than the compiler have in common: classes that the library did not have, or no longer
/// has, and words that are keywords now.
const OF_OLD_SOURCES: [&str; 8] = [
    "is ambiguous",
    "javax.",
    "sun.",
    "org.omg.",
    "as of release",
    "restricted identifier",
    "keyword",
    "not exported",
];

/// Further options worth trying after sources of an unknown level did not compile, best first.
pub(super) fn others(result: &CompileResult) -> Vec<Vec<String>> {
    let errors = || result.diagnostics.iter().filter(|d| d.error);
    let is_old = errors().any(|d| OF_OLD_SOURCES.iter().any(|text| d.message.contains(text)));
    let words = |options: &[&str]| options.iter().map(|o| o.to_string()).collect();
    match is_old {
        true => vec![
            words(&["--release", "8"]),
            words(&["-source", "8", "-target", "8"]),
        ],
        false => Vec::new(),
    }
}
