//! Labels of findings that matter to few callers, as far as the finding itself shows it.

use crate::bytecode::access::{PROTECTED, PUBLIC};
use crate::model::{End, Finding, HIDDEN, Input, Label, Outcome, Seen, Spelling};
use crate::replay::names_builds;

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
    if does_not_link(&f.old.end) {
        all.push(Label::Unlinked);
    }
    let fails = [&f.old, &f.new].map(|o| o.end.thrown().is_some());
    if fails[0] != fails[1] && (names_builds(&f.old) || names_builds(&f.new)) {
        all.push(Label::BuildFolder);
    }
    let (old, new) = (f.old.arguments_first(), f.new.arguments_first());
    let around = old.args == new.args && old.printed == new.printed && old.files == new.files;
    let receiver = old.receiver == new.receiver;
    let end = old.end.same_as(&new.end);
    if around
        && receiver
        && let (
            End::Threw {
                class: a, held: h, ..
            },
            End::Threw {
                class: b, held: i, ..
            },
        ) = (&old.end, &new.end)
        && (a, h) == (b, i)
    {
        all.push(Label::Message);
    }
    if is_representation(&old, &new) {
        all.push(Label::Representation);
        return all;
    }
    if around && end && !receiver {
        all.push(Label::ReceiverState);
    }
    if around && receiver && is_hash_code(f) {
        all.push(Label::HashCode);
    }
    if is_added_constant(f) {
        all.push(Label::AddedConstant);
    }
    all
}

/// Whether both versions return a hash code.
fn is_hash_code(f: &Finding) -> bool {
    let returns = |end: &End| matches!(end, End::Returned(Seen::Int(_)));
    (&*f.entry.name, &*f.entry.descriptor) == ("hashCode", "()I")
        && returns(&f.old.end)
        && returns(&f.new.end)
}

/// Whether an enum's own methods (JLS §8.9.3) show further constants, and that none is gone.
fn is_added_constant(f: &Finding) -> bool {
    let class = f.entry.class.internal();
    let is_own = |name: &str, descriptor: String| {
        f.entry_static && f.entry.name == name && f.entry.descriptor == descriptor
    };
    match (&f.old.end, &f.new.end) {
        (
            End::Returned(Seen::Array { values: old, .. }),
            End::Returned(Seen::Array { values: new, .. }),
        ) if is_own("values", format!("()[L{class};")) => {
            let is_constant = |v: &Seen| matches!(v, Seen::Enum { .. });
            new.iter().all(is_constant) && old.iter().all(|v| new.contains(v))
        }
        (End::Threw { class: thrown, .. }, End::Returned(Seen::Enum { .. })) => {
            is_own("valueOf", format!("(Ljava/lang/String;)L{class};"))
                && thrown == "java.lang.IllegalArgumentException"
        }
        _ => false,
    }
}

/// Whether a class or member was missing (JVMS §5.4.3): a library of another version than the code was written for. An initialiser that
/// failed is the program's own matter.
fn does_not_link(end: &End) -> bool {
    let End::Threw { class, message, .. } = end else {
        return false;
    };
    let message = String::from_utf16_lossy(message.as_deref().unwrap_or_default());
    match class.strip_prefix("java.lang.") {
        Some("NoSuchMethodError" | "NoSuchFieldError" | "AbstractMethodError") => true,
        Some("IncompatibleClassChangeError") => true,
        Some("NoClassDefFoundError") => !message.starts_with("Could not initialize"),
        _ => false,
    }
}

/// Whether a class is one inside a class of the JDK, such as an iterator's: which one it is matters to nobody.
pub(super) fn is_inner(class: &str) -> bool {
    class.starts_with("java.") && class.contains('$')
}

/// Whether nothing that a caller sees differs but the classes of objects whose class says nothing.
fn is_representation(old: &Outcome, new: &Outcome) -> bool {
    let ends = match (&old.end, &new.end) {
        (End::Returned(a), End::Returned(b)) => shows_the_same(a, b),
        (a, b) => a.same_as(b),
    };
    let receivers = match (&old.receiver, &new.receiver) {
        (Some(a), Some(b)) => shows_the_same(a, b),
        (a, b) => a == b,
    };
    let exact = old.receiver == new.receiver && old.args == new.args;
    ends && receivers
        && all_show_the_same(&old.args, &new.args)
        && old.printed == new.printed
        && old.files == new.files
        && !(exact && old.end.same_as(&new.end))
}

/// Whether two values differ in nothing but such classes: lists of the same elements, objects of the JDK's inner classes, lambdas and
/// objects of anonymous classes.
fn shows_the_same(a: &Seen, b: &Seen) -> bool {
    match (a, b) {
        (Seen::Opaque { class: a }, Seen::Opaque { class: b }) => {
            a == b || is_inner(a) && is_inner(b) || is_unnamed(a) && is_unnamed(b)
        }
        (
            Seen::Content {
                class: c,
                values: v,
            },
            Seen::Content {
                class: d,
                values: w,
            },
        ) => (c == d || are_equal_by_content(c, d)) && all_show_the_same(v, w),
        (
            Seen::Array {
                element: c,
                values: v,
            },
            Seen::Array {
                element: d,
                values: w,
            },
        ) => c == d && all_show_the_same(v, w),
        (
            Seen::Object {
                class: c,
                fields: v,
            },
            Seen::Object {
                class: d,
                fields: w,
            },
        ) => {
            let of = |all: &[(String, Seen)], name: &str| {
                let simple = |n: &str| n.rsplit('.').next().unwrap_or(n).to_string();
                let found = all.iter().find(|f| simple(&f.0) == simple(name));
                found.map(|f| f.1.clone())
            };
            let same = |f: &(String, Seen)| of(w, &f.0).is_some_and(|o| shows_the_same(&f.1, &o));
            (c == d || is_unnamed(c) && is_unnamed(d) || is_moved(c, d))
                && v.len() == w.len()
                && v.iter().all(same)
        }
        // What a lambda has captured is not seen, nor whether it is one object or several (JLS 15.27.4).
        (Seen::Object { class: a, .. }, Seen::Opaque { class: b })
        | (Seen::Opaque { class: b }, Seen::Object { class: a, .. }) => {
            is_unnamed(a) && is_unnamed(b)
        }
        (Seen::Ref(_), Seen::Object { class, .. } | Seen::Opaque { class })
        | (Seen::Object { class, .. } | Seen::Opaque { class }, Seen::Ref(_)) => is_unnamed(class),
        (a, b) => a == b,
    }
}

/// Whether a class came out of another one of its package, or went into one.
fn is_moved(a: &str, b: &str) -> bool {
    let parts = |class: &str| {
        let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
        let simple = name.rsplit('$').next().unwrap_or(name);
        (package.to_string(), simple.to_string())
    };
    a.contains('$') != b.contains('$') && parts(a) == parts(b)
}

fn all_show_the_same(a: &[Seen], b: &[Seen]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| shows_the_same(a, b))
}

/// Whether the source gives the class no name: a lambda's, or an anonymous one (JLS 13.1: a number behind `$`).
fn is_unnamed(class: &str) -> bool {
    let last = class.rsplit('$').next().unwrap_or_default();
    class == HIDDEN || class.contains('$') && last.bytes().all(|b| b.is_ascii_digit())
}

/// Whether objects of two classes equal each other by what they contain, as lists, sets and maps do (`java.util.List.equals`): all but those
/// that go by identity.
fn are_equal_by_content(a: &str, b: &str) -> bool {
    let is = |class: &str, kind: &str| {
        let own = class.strip_prefix("java.util.").unwrap_or_default();
        own.contains(kind) && !own.contains("Identity") && !own.contains("Weak")
    };
    let mut kinds = ["List", "Set", "Map"].into_iter();
    kinds.any(|kind| is(a, kind) && is(b, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_of_the_same_elements_are_the_same_content() {
        let list = |class: &str, n: i32| Seen::Content {
            class: class.into(),
            values: vec![Seen::Int(n)],
        };
        let (a, b) = (
            "java.util.ArrayList",
            "java.util.ImmutableCollections$ListN",
        );
        assert!(shows_the_same(&list(a, 1), &list(b, 1)));
        assert!(!shows_the_same(&list(a, 1), &list(b, 2)));
        assert!(!shows_the_same(&list(a, 1), &list("java.util.HashSet", 1)));
        let (a, b) = ("java.util.Collections$EmptyMap", "java.util.HashMap");
        assert!(shows_the_same(&list(a, 1), &list(b, 1)));
        assert!(!shows_the_same(
            &list(b, 1),
            &list("java.util.IdentityHashMap", 1)
        ));
        let opaque = |class: &str| Seen::Opaque {
            class: class.into(),
        };
        let iterator = opaque("java.util.HashMap$KeyIterator");
        assert!(shows_the_same(
            &opaque("java.util.HashMap$ValueIterator"),
            &iterator
        ));
        assert!(!shows_the_same(&opaque("java.io.File"), &iterator));
    }

    #[test]
    fn a_missing_member_is_no_failed_initialiser() {
        let threw = |class: &str, message: &str| End::Threw {
            class: class.into(),
            message: Some(message.encode_utf16().collect()),
            jvm_made: true,
            at: None,
            held: Vec::new(),
        };
        assert!(does_not_link(&threw(
            "java.lang.NoSuchMethodError",
            "a.B.f()"
        )));
        let missing = "java.lang.NoClassDefFoundError";
        assert!(does_not_link(&threw(missing, "a/B")));
        assert!(!does_not_link(&threw(
            missing,
            "Could not initialize class a.B"
        )));
        assert!(!does_not_link(&threw("java.lang.LinkageError", "")));
    }

    #[test]
    fn a_lambda_in_place_of_an_anonymous_class_is_no_other_behaviour() {
        let object = |class: &str, field: Option<(&str, i32)>| Seen::Object {
            class: class.into(),
            fields: field
                .into_iter()
                .map(|(n, v)| (n.to_string(), Seen::Int(v)))
                .collect(),
        };
        let lambda = Seen::Opaque {
            class: HIDDEN.into(),
        };
        let returned = |value: &Seen| Outcome::of(End::Returned(value.clone()));
        let anonymous = object("a.B$1", Some(("a.B$1.val$n", 2)));
        assert!(is_representation(&returned(&lambda), &returned(&anonymous)));
        let (named, other) = (object("a.B$C", None), object("a.B$D", None));
        assert!(!is_representation(&returned(&lambda), &returned(&named)));
        assert!(!is_representation(&returned(&named), &returned(&other)));
        let moved = object("a.B$2", Some(("a.B$2.val$n", 2)));
        assert!(is_representation(&returned(&anonymous), &returned(&moved)));
        let (inside, outside) = (object("a.B$C", None), object("a.C", None));
        assert!(is_representation(&returned(&inside), &returned(&outside)));
        let elsewhere = object("b.C", None);
        assert!(!is_representation(
            &returned(&inside),
            &returned(&elsewhere)
        ));
        let more = object("a.B$2", Some(("a.B$2.val$n", 3)));
        assert!(!is_representation(&returned(&anonymous), &returned(&more)));
    }
}
