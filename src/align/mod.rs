//! Matching of the old and new syntax trees: which methods changed, and what else did.

mod edits;
mod implicit;
mod locals;
mod parameter_lists;
mod retired;
mod scopes;
mod tree_match;

pub use locals::rename_locals;
pub use parameter_lists::{LongerList, longer_lists, with_overloads};
pub use retired::{RetiredNames, rename_retired};
pub use tree_match::Matching;

use crate::java::{Method, SourceFile, Type};

/// How two versions of a file differ, type by type.
#[derive(Clone, Debug, Default)]
pub struct FileDiff {
    /// Methods with another body or head (indices into the types' methods).
    pub changed: Vec<MethodPair>,
    /// Methods only the new version has: `(type, method)`.
    pub added: Vec<(String, usize)>,
    /// Methods only the old version has.
    pub removed: Vec<(String, usize)>,
    /// Methods that only changed their name or place: `(old type, old method, new type, new method)`.
    pub moved: Vec<(String, usize, String, usize)>,
    /// Types whose shape changed, with the reason: they need a class per version.
    pub reshaped: Vec<(String, String)>,
    /// Types whose fields or initialisers changed.
    pub fields: Vec<String>,
    /// Types only one version has.
    pub unpaired: Vec<String>,
}

/// A method in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodPair {
    /// Binary name of the type.
    pub class: String,
    /// Index in the old type's methods.
    pub old: usize,
    /// Index in the new type's methods.
    pub new: usize,
}

/// Compares two versions of a file by syntax: comments, layout and annotations are no change.
pub fn compare(old: &SourceFile, new: &SourceFile) -> FileDiff {
    let mut diff = FileDiff::default();
    for b in &new.types {
        match old.find(&b.name) {
            Some(a) => compare_types(a, b, &mut diff),
            None => diff.unpaired.push(b.name.clone()),
        }
    }
    diff.unpaired.extend(
        old.types
            .iter()
            .filter(|a| new.find(&a.name).is_none())
            .map(|a| a.name.clone()),
    );
    pair_moved(old, new, &mut diff);
    diff
}

fn compare_types(a: &Type, b: &Type, diff: &mut FileDiff) {
    if a.header != b.header {
        diff.reshaped
            .push((b.name.clone(), "the class header changed".into()));
    } else if a.constants != b.constants {
        diff.reshaped
            .push((b.name.clone(), "the enum constants changed".into()));
    }
    let tokens = |t: &Type| {
        t.fields
            .iter()
            .map(|f| f.tokens.clone())
            .collect::<Vec<_>>()
    };
    if tokens(a) != tokens(b) {
        diff.fields.push(b.name.clone());
    }
    for (new, n) in b.methods.iter().enumerate() {
        match a.methods.iter().position(|o| o.same_signature(n)) {
            Some(old) => {
                let o = &a.methods[old];
                let runs = o.body.is_some() || n.body.is_some();
                if runs && (o.tokens != n.tokens || o.head != n.head) {
                    diff.changed.push(MethodPair {
                        class: b.name.clone(),
                        old,
                        new,
                    });
                }
            }
            None => diff.added.push((b.name.clone(), new)),
        }
    }
    for (old, o) in a.methods.iter().enumerate() {
        if !b.methods.iter().any(|n| n.same_signature(o)) {
            diff.removed.push((a.name.clone(), old));
        }
    }
}

/// An added and a removed method with the same parameters and body are one method.
fn pair_moved(old: &SourceFile, new: &SourceFile, diff: &mut FileDiff) {
    let method = |file: &SourceFile, class: &str, i: usize| -> Option<Method> {
        file.find(class).and_then(|t| t.methods.get(i)).cloned()
    };
    let mut rest = Vec::new();
    for (class, index) in std::mem::take(&mut diff.added) {
        let added = method(new, &class, index);
        let twin = diff
            .removed
            .iter()
            .position(|(c, i)| match (&added, method(old, c, *i)) {
                (Some(a), Some(r)) => {
                    a.params == r.params && a.tokens == r.tokens && a.body.is_some()
                }
                _ => false,
            });
        match twin {
            Some(at) => {
                let (from, i) = diff.removed.remove(at);
                diff.moved.push((from, i, class, index));
            }
            None => rest.push((class, index)),
        }
    }
    diff.added = rest;
}

/// The old version's line for each line of the new one (both from 1): the same text where there is one, else the place in
/// the old version where the changed lines stood.
pub fn old_lines(old: &str, new: &str) -> Vec<u32> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut lines = vec![1; b.len()];
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, &a, &b) {
        let (old, new) = (op.old_range(), op.new_range());
        for (i, line) in new.enumerate() {
            let last = old.end.saturating_sub(1).max(old.start);
            lines[line] = (old.start + i).min(last).min(a.len().saturating_sub(1)) as u32 + 1;
        }
    }
    lines
}

/// The old version's line (from 1) of each new line whose text is unchanged.
pub fn same_lines(old: &str, new: &str) -> Vec<Option<u32>> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut lines = vec![None; b.len()];
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, &a, &b) {
        if let similar::DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            for i in 0..len {
                lines[new_index + i] = Some((old_index + i) as u32 + 1);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        SourceFile::parse("A.java", text.as_bytes()).unwrap()
    }

    #[test]
    fn layout_and_comments_are_no_change() {
        let a = file("class A { int f(int x) { return x + 1; } }");
        let b = file(
            "class A {\n  // says\n  @Deprecated int f(int x) {\n /* why */ return x\n + 1; } }",
        );
        let diff = compare(&a, &b);
        assert!(diff.changed.is_empty() && diff.added.is_empty() && diff.removed.is_empty());
    }

    #[test]
    fn a_changed_body_is_found_and_a_renamed_method_is_the_same() {
        let a = file("class A { int f(int x) { return x; } int g() { return 1; } }");
        let b = file("class A { int f(int x) { return -x; } int h() { return 1; } }");
        let diff = compare(&a, &b);
        assert_eq!(
            diff.changed,
            [MethodPair {
                class: "A".into(),
                old: 0,
                new: 0
            }]
        );
        assert_eq!(diff.moved.len(), 1);
    }

    #[test]
    fn lines_behind_an_insertion_keep_their_old_number() {
        assert_eq!(old_lines("a\nb\nc", "a\nx\nb\nc"), [1, 2, 2, 3]);
        assert_eq!(old_lines("a\nb\nc", "a\ny\nc"), [1, 2, 3]);
    }

    #[test]
    fn another_superclass_reshapes_the_class() {
        let diff = compare(&file("class A extends B {}"), &file("class A extends C {}"));
        assert_eq!(diff.reshaped.len(), 1);
    }
}
