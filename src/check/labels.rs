//! Labels of findings that matter to few callers, as far as the finding itself shows it.

use crate::bytecode::access::{PROTECTED, PUBLIC};
use crate::model::{End, Finding, Input, Label, Seen};
use crate::replay::same_end;

/// The labels; `access` are the flags of the method called, where they are known.
pub(super) fn labels(f: &Finding, access: Option<u16>) -> Vec<Label> {
    let mut all = Vec::new();
    match access {
        Some(flags) if flags & PROTECTED != 0 => all.push(Label::Protected),
        Some(flags) if flags & PUBLIC == 0 => all.push(Label::PackagePrivate),
        _ => {}
    }
    if f.inputs.args.contains(&Input::Null) {
        all.push(Label::NullArgument);
    }
    let around =
        f.old.args == f.new.args && f.old.printed == f.new.printed && f.old.files == f.new.files;
    let receiver = f.old.receiver == f.new.receiver;
    let end = same_end(&f.old.end, &f.new.end);
    if around && receiver {
        match (&f.old.end, &f.new.end) {
            (End::Threw { class: a, .. }, End::Threw { class: b, .. }) if a == b => {
                all.push(Label::Message);
            }
            (End::Returned(a), End::Returned(b)) if is_same_content(a, b) => {
                all.push(Label::Representation);
            }
            _ => {}
        }
    }
    if around && end && !receiver {
        all.push(Label::ReceiverState);
    }
    all
}

/// Whether a class is one inside a class of the JDK, such as an iterator's: which one it is matters to nobody.
pub(super) fn is_inner(class: &str) -> bool {
    class.starts_with("java.") && class.contains('$')
}

/// Whether only the classes of two containers differ, or of two objects of which no more can be seen.
fn is_same_content(a: &Seen, b: &Seen) -> bool {
    if let (Seen::Opaque { class: a }, Seen::Opaque { class: b }) = (a, b) {
        return is_inner(a) && is_inner(b);
    }
    matches!(        (a, b),
        (Seen::Content { class: c, values: v }, Seen::Content { class: d, values: w }) if c != d && v == w && is_list(c) && is_list(d)
    )
}

/// Lists equal each other by their elements, whatever their classes are (`java.util.List.equals`).
fn is_list(class: &str) -> bool {
    class.starts_with("java.util.") && class.contains("List")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_the_same_elements_are_the_same_content() {
        let list = |class: &str, n: i32| Seen::Content {
            class: class.into(),
            values: vec![Seen::Int(n)],
        };
        let (a, b) = (
            "java.util.ArrayList",
            "java.util.ImmutableCollections$ListN",
        );
        assert!(is_same_content(&list(a, 1), &list(b, 1)));
        assert!(!is_same_content(&list(a, 1), &list(b, 2)));
        assert!(!is_same_content(&list(a, 1), &list("java.util.HashSet", 1)));
        let opaque = |class: &str| Seen::Opaque {
            class: class.into(),
        };
        let iterator = opaque("java.util.HashMap$KeyIterator");
        assert!(is_same_content(
            &opaque("java.util.HashMap$ValueIterator"),
            &iterator
        ));
        assert!(!is_same_content(&opaque("java.io.File"), &iterator));
    }
}
