//! The representation of values: what differs between objects that show the same to a caller, such as the class of a list.

use crate::model::{CAPTURED, End, HIDDEN, Outcome, Seen};
use std::collections::BTreeMap;

/// What says nothing of the values of two versions.
pub(super) struct Representation<'a> {
    /// Whether a class of that name, which others can't name, is one that only one of the versions has.
    pub is_own: &'a dyn Fn(&str) -> bool,
}

impl Representation<'_> {
    /// Whether nothing that a caller sees differs but the classes of objects whose class says nothing.
    pub(super) fn alone_differs(&self, old: &Outcome, new: &Outcome) -> bool {
        let ends = match (&old.end, &new.end) {
            (End::Returned(a), End::Returned(b)) => self.shows_the_same(a, b),
            (a, b) => a.same_as(b),
        };
        let receivers = match (&old.receiver, &new.receiver) {
            (Some(a), Some(b)) => self.shows_the_same(a, b),
            (a, b) => a == b,
        };
        let exact = old.receiver == new.receiver && old.args == new.args;
        ends && receivers
            && self.all_show_the_same(&old.args, &new.args)
            && old.printed == new.printed
            && old.files == new.files
            && !(exact && old.end.same_as(&new.end))
    }

    /// Whether two values differ in nothing but such classes: lists of the same elements, objects of the JDK's inner classes, lambdas and
    /// objects of anonymous classes.
    fn shows_the_same(&self, a: &Seen, b: &Seen) -> bool {
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
            ) => (c == d || are_equal_by_content(c, d)) && self.all_show_the_same(v, w),
            (
                Seen::Array {
                    element: c,
                    values: v,
                },
                Seen::Array {
                    element: d,
                    values: w,
                },
            ) => c == d && self.all_show_the_same(v, w),
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
                let is_moved = is_moved(c, d) || self.is_replaced(c, d);
                (c == d || is_unnamed(c) && is_unnamed(d) || is_moved)
                    && self.have_the_same_fields(v, w, is_moved)
            }
            // What a lambda has captured is not seen, nor whether it is one object or several (JLS 15.27.4).
            (Seen::Object { class: a, .. }, Seen::Opaque { class: b })
            | (Seen::Opaque { class: b }, Seen::Object { class: a, .. }) => {
                is_unnamed(a) && is_unnamed(b)
            }
            (Seen::Ref(_), Seen::Object { class, .. } | Seen::Opaque { class })
            | (Seen::Object { class, .. } | Seen::Opaque { class }, Seen::Ref(_)) => {
                is_unnamed(class)
            }
            (a, b) => a == b,
        }
    }

    /// Whether fields of the same names show the same. Of a class that `moved`, one may have another name.
    fn have_the_same_fields(
        &self,
        a: &[(String, Seen)],
        b: &[(String, Seen)],
        moved: bool,
    ) -> bool {
        let (mut of_a, mut of_b) = (by_name(a), by_name(b));
        let named: Vec<(&str, usize)> = of_a
            .keys()
            .filter(|n| of_b.contains_key(*n))
            .copied()
            .collect();
        for name in named {
            let pair = of_a.remove(&name).zip(of_b.remove(&name));
            let same = |(a, b)| self.shows_the_same(a, b) || is_same_number(a, b);
            if !pair.is_some_and(same) {
                return false;
            }
        }
        let (a, b): (Vec<&Seen>, Vec<&Seen>) =
            (of_a.into_values().collect(), of_b.into_values().collect());
        match (&a[..], &b[..]) {
            ([], []) => true,
            ([a], [b]) => moved && self.shows_the_same(a, b),
            _ => false,
        }
    }

    fn all_show_the_same(&self, a: &[Seen], b: &[Seen]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.shows_the_same(a, b))
    }

    /// Whether a class that nobody can name stands in the place of one without a name.
    fn is_replaced(&self, a: &str, b: &str) -> bool {
        is_unnamed(a) && (self.is_own)(b) || is_unnamed(b) && (self.is_own)(a)
    }
}

/// Whether a class is one inside a class of the JDK, such as an iterator's: which one it is matters to nobody.
pub(super) fn is_inner(class: &str) -> bool {
    class.starts_with("java.") && class.contains('$')
}

/// Whether two whole numbers are the same one, of different sizes.
fn is_same_number(a: &Seen, b: &Seen) -> bool {
    let whole = |v: &Seen| match v {
        Seen::Byte(n) => Some(i64::from(*n)),
        Seen::Short(n) => Some(i64::from(*n)),
        Seen::Int(n) => Some(i64::from(*n)),
        Seen::Long(n) => Some(*n),
        _ => None,
    };
    whole(a).is_some() && whole(a) == whole(b)
}

/// Values of fields by their names, and by how many of the same name came before: a class above may have one. What an anonymous class
/// captured has the variable's name.
fn by_name(fields: &[(String, Seen)]) -> BTreeMap<(&str, usize), &Seen> {
    let mut all = BTreeMap::new();
    for (name, value) in fields {
        let last = name.rsplit('.').next().unwrap_or(name);
        let simple = last.strip_prefix(CAPTURED).unwrap_or(last);
        let before = all.keys().filter(|(known, _)| *known == simple).count();
        all.insert((simple, before), value);
    }
    all
}

/// Whether a class came out of another one of its package, or went into one or into a method (JLS 13.1: a number before its name).
fn is_moved(a: &str, b: &str) -> bool {
    let parts = |class: &str| {
        let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
        let last = name.rsplit('$').next().unwrap_or(name);
        let simple = last.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_local = !simple.is_empty() && simple != last;
        ((package.to_string(), simple.to_string()), is_local)
    };
    let ((a_name, a_local), (b_name, b_local)) = (parts(a), parts(b));
    let is_elsewhere = a.contains('$') != b.contains('$') || a_local != b_local;
    is_elsewhere && a_name == b_name
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

    const NONE: Representation<'static> = Representation { is_own: &|_| false };

    fn shows_the_same(a: &Seen, b: &Seen) -> bool {
        NONE.shows_the_same(a, b)
    }

    fn is_representation(old: &Outcome, new: &Outcome) -> bool {
        NONE.alone_differs(old, new)
    }

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
        let local = object("a.B$1C", Some(("a.B$1C.looksLike", 2)));
        let nested = object("a.B$C", Some(("a.B$C.is", 2)));
        assert!(is_representation(&returned(&nested), &returned(&local)));
        let other = object("a.B$1C", Some(("a.B$1C.looksLike", 3)));
        assert!(!is_representation(&returned(&nested), &returned(&other)));
        let own = Representation {
            is_own: &|class| class == "a.B$C",
        };
        let holding = object("a.B$C", Some(("a.B$C.n", 2)));
        assert!(own.alone_differs(&returned(&holding), &returned(&anonymous)));
        assert!(!is_representation(
            &returned(&holding),
            &returned(&anonymous)
        ));
        let wide = |n| Seen::Object {
            class: "a.B$C".into(),
            fields: vec![("a.B$C.is".to_string(), Seen::Long(n))],
        };
        assert!(is_representation(&returned(&nested), &returned(&wide(2))));
        assert!(!is_representation(&returned(&nested), &returned(&wide(3))));
        let both = |above: i32| Seen::Object {
            class: "a.B$1".into(),
            fields: vec![
                ("a.A.n".to_string(), Seen::Int(above)),
                ("a.B$1.n".to_string(), Seen::Int(1)),
            ],
        };
        assert!(!is_representation(&returned(&both(1)), &returned(&both(2))));
        let elsewhere = object("b.C", None);
        assert!(!is_representation(
            &returned(&inside),
            &returned(&elsewhere)
        ));
        let more = object("a.B$2", Some(("a.B$2.val$n", 3)));
        assert!(!is_representation(&returned(&anonymous), &returned(&more)));
    }
}
