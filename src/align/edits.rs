//! Edits of a source text: names put in the place of others.

use crate::java::SourceFile;

/// A byte range and what stands there instead.
pub(super) type Edit = ((usize, usize), String);

/// The file with the edits made; as it is where that is no Java.
pub(super) fn reparsed(old: &SourceFile, edits: Vec<Edit>) -> SourceFile {
    if edits.is_empty() {
        return old.clone();
    }
    SourceFile::parse(&old.path, replaced(&old.text, edits).as_bytes())
        .unwrap_or_else(|_| old.clone())
}

/// The text with the edits made, the first of those that overlap.
pub(super) fn replaced(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort();
    edits.dedup();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for ((start, end), name) in edits {
        if start >= at {
            out.push_str(&text[at..start]);
            out.push_str(&name);
            at = end;
        }
    }
    out.push_str(&text[at..]);
    out
}
