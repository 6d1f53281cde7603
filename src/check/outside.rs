//! Differences in state that is not public, as seen from outside: the answers of the object's public methods in both versions.

mod classes;

pub(super) use classes::Classes;

use crate::bytecode::parameter_descriptors;
use crate::check::representation::is_inner;
use crate::model::{End, Finding, Input, Inputs, MethodRef, Outcome, PriorCall, Seen};

/// Questions asked of one object.
const MOST: usize = 48;

/// A call on an object, by which a caller may tell two versions apart.
pub(super) struct Question {
    pub(super) method: MethodRef,
    pub(super) inputs: Inputs,
}

/// Whether nothing but the fields of objects differs, private or not: what is told of it depends on what shows them.
pub(super) fn is_of_state(f: &Finding) -> bool {
    state_but(f, &|_: &str| true)
}

/// What to ask where nothing but fields that are not public differs: nothing where the object can't be had again. `None` where a
/// caller sees the difference as it is.
pub(super) fn questions(classes: &Classes, f: &Finding) -> Option<Vec<Question>> {
    let inner = |field: &str| !classes.is_public(field);
    if !state_but(f, &inner) || !f.is_written() {
        return None;
    }
    let Some((class, object)) = object(f) else {
        return Some(Vec::new());
    };
    let mut all: Vec<Question> = Vec::new();
    for method in classes.shared_methods(&class) {
        for args in arguments(&parameter_descriptors(&method.descriptor)) {
            all.push(Question {
                method: method.clone(),
                inputs: Inputs {
                    receiver: Some(object.clone()),
                    args,
                },
            });
        }
    }
    all.truncate(MOST);
    Some(all)
}

/// Whether nothing but private fields differs, also in what the result shares with the arguments.
pub(super) fn is_private(classes: &Classes, f: &Finding) -> bool {
    let private = |field: &str| classes.is_private(field);
    let (old, new) = (f.old.arguments_first(), f.new.arguments_first());
    state_but(f, &private) && same_but(&old.args, &new.args, &private)
}

/// Whether nothing differs but fields that only one version has and not every caller may read, in objects that are no other ones.
pub(super) fn is_of_one_version(classes: &Classes, f: &Finding) -> bool {
    state_but(f, &|field: &str| classes.is_of_one_version(field))
}

/// Whether nothing differs but fields that `may` names.
fn state_but(f: &Finding, may: &dyn Fn(&str) -> bool) -> bool {
    let (old, new) = (f.old.arguments_first(), f.new.arguments_first());
    old.printed == new.printed
        && old.files == new.files
        && same_but(
            &f.old.arguments_beside(&f.new),
            &f.new.arguments_beside(&f.old),
            may,
        )
        && ends_but(&old, &new, may)
}

/// Whether what no answer told may be left to those who ask for all: only private fields differ, or protected ones that only one version
/// has, and these are other ones in the two versions (renamed, added, removed, of another type), or some took the place of others, or
/// there was nothing else to ask. A field of another value may show in what was not asked.
pub(super) fn is_minor(classes: &Classes, f: &Finding) -> bool {
    let (old, new) = (f.old.arguments_first(), f.new.arguments_first());
    let is_same_but = |may: &dyn Fn(&str) -> bool| {
        ends_but(&old, &new, may) && same_but(&old.args, &new.args, may)
    };
    let private = |field: &str| classes.is_private(field) || classes.is_of_one_version(field);
    let other = |field: &str| private(field) && classes.is_another(field);
    let but = |path| move |field: &str| classes.is_private(field) && classes.has(path, field);
    let is_replaced = || !is_same_but(&but(classes.old)) && !is_same_but(&but(classes.new));
    let is_all_asked = || {
        same_but(&old.args, &new.args, &|_| false)
            && object(f).is_some_and(|(class, _)| classes.is_all_asked(&class, &f.entry))
    };
    is_same_but(&private) && (is_same_but(&other) || is_replaced() || is_all_asked())
}

/// Whether the answers differ, and not again in private state only.
pub(super) fn tells(classes: &Classes, old: &Outcome, new: &Outcome) -> bool {
    let inner = |field: &str| !classes.is_public(field);
    let ends = Outcome {
        receiver: None,
        ..old.clone()
    };
    let other = Outcome {
        receiver: None,
        ..new.clone()
    };
    old.printed != new.printed || old.files != new.files || !ends_but(&ends, &other, &inner)
}

/// The object whose state differs, as an input: the receiver after the call, the new object, or the result.
fn object(f: &Finding) -> Option<(String, Input)> {
    let result = match (&f.old.end, &f.new.end) {
        (End::Returned(old), End::Returned(new)) => Some((old, new)),
        (End::Threw { .. }, End::Threw { .. }) => None,
        _ => return None,
    };
    let (entry, inputs) = (&f.entry, &f.inputs);
    // What differs of a new object may be in fields of a library's class, which nobody is shown.
    if f.old.receiver != f.new.receiver || entry.name == "<init>" {
        let Some(Seen::Object { class, .. }) = &f.old.receiver else {
            return None;
        };
        // Of two objects in question, neither is asked.
        if result.is_some_and(|(old, new)| !alike(old, new, &|_| false)) {
            return None;
        }
        let object = match (&inputs.receiver, entry.name.as_str()) {
            (None, "<init>") => Input::Object {
                method: entry.clone(),
                args: inputs.args.clone(),
                calls: Vec::new(),
            },
            (Some(receiver), _) => after_call(receiver, (entry.clone(), inputs.args.clone()))?,
            _ => return None,
        };
        return Some((class.clone(), object));
    }
    let Some((Seen::Object { class, .. }, _)) = result else {
        return None;
    };
    let object = match &inputs.receiver {
        Some(receiver) => Input::Result {
            receiver: Box::new(receiver.clone()),
            method: entry.clone(),
            args: inputs.args.clone(),
            calls: Vec::new(),
        },
        None => Input::Object {
            method: entry.clone(),
            args: inputs.args.clone(),
            calls: Vec::new(),
        },
    };
    Some((class.clone(), object))
}

/// An object after one more call on it.
fn after_call(receiver: &Input, call: PriorCall) -> Option<Input> {
    match receiver {
        Input::Object {
            method,
            args,
            calls,
        } => {
            let mut calls = calls.clone();
            calls.push(call);
            Some(Input::Object {
                method: method.clone(),
                args: args.clone(),
                calls,
            })
        }
        // The call may be given the object itself.
        Input::Shared { number, value } => Some(Input::Shared {
            number: *number,
            value: Box::new(after_call(value, call)?),
        }),
        _ => None,
    }
}

/// Whether ends and receivers are the same but for fields that `may` names.
fn ends_but(old: &Outcome, new: &Outcome, may: &dyn Fn(&str) -> bool) -> bool {
    let ends = match (&old.end, &new.end) {
        (End::Returned(a), End::Returned(b)) => alike(a, b, may),
        (a, b) => a.same_as(b),
    };
    ends && match (&old.receiver, &new.receiver) {
        (Some(a), Some(b)) => alike(a, b, may),
        (a, b) => a == b,
    }
}

fn same_but(old: &[Seen], new: &[Seen], may: &dyn Fn(&str) -> bool) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| alike(a, b, may))
}

/// Whether two values are the same but for fields that `may` names, by their class and name.
fn alike(a: &Seen, b: &Seen, may: &dyn Fn(&str) -> bool) -> bool {
    match (a, b) {
        (
            Seen::Object { class, fields },
            Seen::Object {
                class: other,
                fields: others,
            },
        ) if class == other => {
            let of = |all: &[(String, Seen)], name: &str| {
                let mut found = all.iter().filter(|f| f.0 == name);
                found.next().map(|f| f.1.clone())
            };
            // What one version shares with its caller and the other does not, the caller can tell.
            let shared =
                |a: &Seen, b: &Seen| matches!(a, Seen::Ref(_)) != matches!(b, Seen::Ref(_));
            let known = fields.iter().all(|(name, value)| match of(others, name) {
                Some(v) => alike(value, &v, may) || may(name) && !shared(value, &v),
                None => may(name),
            });
            known
                && others
                    .iter()
                    .all(|f| may(&f.0) || of(fields, &f.0).is_some())
        }
        (
            Seen::Array {
                element, values, ..
            },
            Seen::Array {
                element: of,
                values: others,
            },
        ) if element == of => same_but(values, others, may),
        (
            Seen::Content { class, values },
            Seen::Content {
                class: of,
                values: others,
            },
        ) if class == of => same_but(values, others, may),
        (Seen::Opaque { class }, Seen::Opaque { class: other }) => {
            class == other || is_inner(class) && is_inner(other)
        }
        (a, b) => a == b,
    }
}

/// All combinations of the values tried for each parameter.
fn arguments(parameters: &[String]) -> Vec<Vec<Input>> {
    let mut all = vec![Vec::new()];
    for parameter in parameters {
        let with = |args: &Vec<Input>| {
            let args = args.clone();
            let extended = move |value| [args.clone(), vec![value]].concat();
            values(parameter)
                .into_iter()
                .map(extended)
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// The values tried for a parameter of that type.
fn values(descriptor: &str) -> Vec<Input> {
    let text = |t: &str| Input::Str(t.encode_utf16().collect());
    match descriptor {
        "Z" => vec![Input::Boolean(false), Input::Boolean(true)],
        "B" => vec![Input::Byte(0), Input::Byte(1)],
        "S" => vec![Input::Short(0), Input::Short(1)],
        "C" => vec![Input::Char(u16::from(b'a'))],
        "I" => vec![Input::Int(0), Input::Int(1)],
        "J" => vec![Input::Long(0), Input::Long(1)],
        "F" => vec![Input::Float(1f32.to_bits())],
        "D" => vec![Input::Double(1f64.to_bits())],
        "Ljava/lang/String;" => vec![text("a"), text("")],
        "Ljava/lang/Object;" => vec![text("a")],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(field: &str, value: i32) -> Seen {
        Seen::Object {
            class: "demo.A".into(),
            fields: vec![(field.into(), Seen::Int(value))],
        }
    }

    #[test]
    fn renamed_added_and_changed_fields_are_alike_where_they_may_be() {
        let private = |name: &str| name.starts_with("demo.A.");
        let (a, b) = (object("demo.A.x", 1), object("demo.A.y", 2));
        assert!(alike(&a, &b, &private));
        assert!(!alike(&a, &b, &|_| false));
        assert!(!alike(
            &object("demo.B.x", 1),
            &object("demo.B.x", 2),
            &private
        ));
        let array = |seen: Seen| Seen::Array {
            element: "Ldemo/A;".into(),
            values: vec![seen],
        };
        assert!(alike(&array(a.clone()), &array(b), &private));
        assert!(!alike(&array(a), &array(Seen::Null), &private));
    }

    #[test]
    fn an_exception_from_another_line_hides_no_more_than_a_result() {
        let private = |name: &str| name.starts_with("demo.A.");
        let threw = |line: u32, field: &str| Outcome {
            end: End::Threw {
                class: "java.lang.IllegalStateException".into(),
                message: None,
                jvm_made: false,
                at: Some(format!("A.java:{line}")),
                held: Vec::new(),
            },
            receiver: Some(object(field, 1)),
            args: Vec::new(),
            printed: Vec::new(),
            files: Vec::new(),
        };
        let (a, b) = (threw(3, "demo.A.x"), threw(5, "demo.A.y"));
        assert!(ends_but(&a, &b, &private));
        assert!(!ends_but(&a, &b, &|_| false));
    }

    #[test]
    fn arguments_are_all_combinations() {
        let two = ["Z".to_string(), "I".to_string()];
        assert_eq!(arguments(&two).len(), 4);
        assert_eq!(arguments(&[]), vec![Vec::<Input>::new()]);
    }
}
