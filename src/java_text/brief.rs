//! Outcomes on one line: only the differing part, cut around the first difference.

mod value;

use super::{escaped, simple_name, source_name};
use crate::model::{End, Finding, Left, LeftContent, Outcome, Seen, Shown};
use value::{PART, apart, string, value, window};

/// The longest text of an outcome, in characters.
pub const LINE: usize = 200;

/// The longest text of one value in it.
const VALUE: usize = 120;

/// A longer result that both versions have takes the room of what differs.
const SHORT: usize = 24;

/// The end, and what else differs from the other version's outcome, at most [`LINE`] characters.
pub fn outcome(o: &Outcome, other: &Outcome) -> String {
    let (args, others) = (o.arguments_beside(other), other.arguments_beside(o));
    let (o, other) = (&o.arguments_first(), &other.arguments_first());
    let more = o.receiver != other.receiver
        || args != others
        || o.printed != other.printed
        || o.files != other.files;
    // Of an end that both have, little is said where something else differs, which needs the room.
    let mut text = match more && o.end.same_as(&other.end) {
        true => short_end(&o.end),
        false => end(&o.end, &other.end),
    };
    if matches!(other.end, End::TimedOut | End::Failed(_)) {
        // What the other would have left is not known.
        return cut(&text, LINE);
    }
    let has_ended = !matches!(other.end, End::Exited(_));
    if has_ended
        && o.receiver != other.receiver
        // Beside another end, what became of the receiver is for the full report.
        && o.end.same_as(&other.end)
        && let Some(receiver) = &o.receiver
    {
        let receiver = apart(receiver, other.receiver.as_ref(), VALUE);
        text.push_str(&format!(", receiver {receiver}"));
    }
    for (i, a) in args.iter().enumerate() {
        let b = others.get(i);
        if has_ended && Some(a) != b {
            let told = match a {
                // Its content stands where it came first: in the result, or at another argument.
                Seen::Ref(_) => "is shared".to_string(),
                _ => apart(a, b, VALUE),
            };
            text.push_str(&format!(", argument {} {told}", i + 1));
        }
    }
    if o.printed != other.printed {
        let printed = string(&o.printed, Some(&other.printed));
        text.push_str(&format!(", printed {printed}"));
    }
    text.push_str(&files(&o.files, &other.files));
    cut(&text, LINE)
}

/// Files and folders that the other version does not leave, or leaves otherwise, and those that only it leaves.
fn files(these: &[Left], others: &[Left]) -> String {
    let of = |all: &'_ [Left], path: &str| all.iter().find(|l| l.path == path).cloned();
    let mut told: Vec<String> = Vec::new();
    for left in these.iter().filter(|l| !others.contains(l)) {
        told.push(match &left.content {
            None => format!("{}/", left.path),
            Some(content) => {
                let units = |c: &LeftContent| -> Vec<u16> {
                    String::from_utf8_lossy(&c.bytes).encode_utf16().collect()
                };
                let other = of(others, &left.path).and_then(|l| l.content);
                let text = string(&units(content), other.as_ref().map(units).as_deref());
                format!("{} {text}", left.path)
            }
        });
    }
    for gone in others.iter().filter(|l| of(these, &l.path).is_none()) {
        told.push(format!("no {}", gone.path));
    }
    match told.is_empty() {
        true => String::new(),
        false => format!(", files: {}", told.join(", ")),
    }
}

/// Both versions' outcomes, the old one's first; where nothing but private state differs, what the call that shows it did.
pub fn sides(f: &Finding) -> (String, String) {
    let both = |a: &Outcome, b: &Outcome| (outcome(a, b), outcome(b, a));
    match &f.telling.shown {
        None => both(&f.old, &f.new),
        Some(shown) => {
            let call = question(shown);
            let then = |text: String| cut(&format!("then {call} {text}"), LINE);
            let (old, new) = both(&shown.old, &shown.new);
            (then(old), then(new))
        }
    }
}

/// The call that shows what differs, without the object.
pub fn question(shown: &Shown) -> String {
    let args: Vec<String> = shown.args.iter().map(super::input).collect();
    format!("{}({})", shown.method.name, args.join(", "))
}

/// At most so many characters, with an ellipsis where there were more.
pub fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some(_) => {
            let kept: String = text.chars().take(max.saturating_sub(1)).collect();
            format!("{kept}…")
        }
        None => text.to_string(),
    }
}

fn short_end(end: &End) -> String {
    match end {
        End::Returned(value) if *value != Seen::Void => {
            let text = self::value(value, None, PART);
            match text.chars().count() <= SHORT {
                true => format!("returned {text}"),
                false => "returned the same".into(),
            }
        }
        End::Threw { class, .. } => format!("threw {}", simple_name(class)),
        end => self::end(end, end),
    }
}

fn end(this: &End, other: &End) -> String {
    match (this, other) {
        (End::Returned(Seen::Void), _) => "returned".into(),
        (End::Returned(a), End::Returned(b)) => format!("returned {}", apart(a, Some(b), VALUE)),
        (End::Returned(a), _) => format!("returned {}", value(a, None, VALUE)),
        (
            End::Threw {
                class,
                message,
                at,
                jvm_made,
                held,
            },
            _,
        ) => {
            let message = message.as_ref().map(|m| {
                let m = match jvm_made {
                    true => without_modules(m),
                    false => m,
                };
                let other = match other {
                    End::Threw { message, .. } => message.as_deref(),
                    _ => None,
                };
                let (from, to) = window(m, other, VALUE);
                let dots = |is: bool| if is { "…" } else { "" };
                // No quotes stand around it: those in it need no backslash.
                let kept = escaped(&m[from..to]).replace("\\\"", "\"");
                format!(": {}{kept}{}", dots(from > 0), dots(to < m.len()))
            });
            let at = at.as_ref().map(|a| format!(" at {a}"));
            let others: &[(String, Seen)] = match other {
                End::Threw {
                    held,
                    class: theirs,
                    ..
                } if theirs == class => held,
                _ => held,
            };
            let differing = held.iter().filter(|field| !others.contains(field));
            let held = Some(cut(&super::held(differing), VALUE));
            let texts = [message, held, at].into_iter().flatten();
            format!("threw {}{}", source_name(class), texts.collect::<String>())
        }
        _ => super::end(this),
    }
}

/// A message of the JVM's without the modules and class loaders of the classes that it names: `class A cannot be cast to class B (A is
/// in module …)`.
fn without_modules(message: &[u16]) -> &[u16] {
    let text = String::from_utf16_lossy(message);
    let named = [
        " is in module ",
        " is in unnamed module ",
        " are in module ",
        " are in unnamed module ",
    ];
    let Some(at) = text
        .find(" (")
        .filter(|at| named.iter().any(|n| text[*at..].contains(n)))
    else {
        return message;
    };
    &message[..text[..at].encode_utf16().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn returned(value: Seen) -> Outcome {
        Outcome::of(End::Returned(value))
    }

    fn text(units: &str) -> Seen {
        Seen::Str(units.encode_utf16().collect())
    }

    fn pair(a: Seen, b: Seen) -> (String, String) {
        let (a, b) = (returned(a), returned(b));
        (outcome(&a, &b), outcome(&b, &a))
    }

    #[test]
    fn strings_are_cut_around_the_first_difference() {
        let (a, b) = ("x".repeat(400_000), "x".repeat(300_000) + "y");
        let (a, b) = pair(text(&a), text(&b));
        assert!(b.contains("xy\""), "{b}");
        assert!(a.chars().count() <= LINE && b.chars().count() <= LINE);
        assert!(a.ends_with("… (400000 chars)"), "{a}");
    }

    #[test]
    fn values_that_read_alike_are_told_by_the_place_of_their_first_difference() {
        let object = |name: &str, fields: Vec<(&str, Seen)>| Seen::Object {
            class: format!("demo.{name}"),
            fields: fields
                .into_iter()
                .map(|(f, v)| (format!("demo.{name}.{f}"), v))
                .collect(),
        };
        let deep = |n: i32| {
            let list = Seen::Content {
                class: "java.util.ArrayList".into(),
                values: vec![
                    text(&"y".repeat(50)),
                    object("Middle", vec![("m", Seen::Int(n))]),
                ],
            };
            object("Outer", vec![("list", list)])
        };
        let wide = |n: i32| object("Holder", vec![("outer", deep(n)), ("twice", deep(n))]);
        let (a, b) = pair(wide(1), wide(2));
        assert_eq!(a, "returned Holder{outer.list[1].m=1, …}");
        assert_eq!(b, "returned Holder{outer.list[1].m=2, …}");
        assert!(a.chars().count() <= LINE, "{a}");
    }

    #[test]
    fn contents_of_builders_are_cut_around_the_first_difference() {
        let builder = |text: String| Seen::Content {
            class: "java.lang.StringBuilder".into(),
            values: vec![Seen::Str(text.encode_utf16().collect())],
        };
        let (a, b) = pair(builder("x".repeat(90) + "a"), builder("x".repeat(90) + "b"));
        assert!(a.contains("xa\"") && b.contains("xb\""), "{a} {b}");
    }

    #[test]
    fn an_end_that_both_have_leaves_the_room_to_what_differs() {
        let field = |name: &str, v: Seen| (format!("demo.A.{name}"), v);
        let one = |list: &str, n: i32| Outcome {
            receiver: Some(Seen::Object {
                class: "demo.A".into(),
                fields: vec![field(list, text(&"x".repeat(90))), field("n", Seen::Int(n))],
            }),
            ..Outcome::of(End::Threw {
                class: "java.lang.IllegalStateException".into(),
                message: Some("m".repeat(150).encode_utf16().collect()),
                jvm_made: false,
                at: Some("A.java:3".into()),
                held: Vec::new(),
            })
        };
        let (a, b) = (one("list", 1), one("array", 2));
        let told = outcome(&a, &b);
        assert!(
            told.starts_with("threw IllegalStateException, receiver A{n=1, list="),
            "{told}"
        );
        assert!(outcome(&b, &a).contains("A{n=2, array="));
        let alone = outcome(&a, &a);
        assert!(
            alone.contains("java.lang.IllegalStateException: mmm"),
            "{alone}"
        );
    }

    #[test]
    fn an_argument_that_is_the_result_is_said_to_be_shared() {
        let list = || Seen::Content {
            class: "java.util.ArrayList".into(),
            values: vec![Seen::Int(1)],
        };
        let with = |arg| Outcome {
            args: vec![arg],
            ..returned(list())
        };
        let (kept, copied) = (with(Seen::Ref(0)), with(list()));
        assert_eq!(
            outcome(&kept, &copied),
            "returned [1], argument 1 is shared"
        );
        assert_eq!(outcome(&copied, &kept), "returned [1], argument 1 [1]");
    }

    #[test]
    fn a_message_of_the_jvm_names_no_modules() {
        let threw = |text: &str, jvm_made| {
            let end = End::Threw {
                class: "java.lang.ClassCastException".into(),
                message: Some(text.encode_utf16().collect()),
                jvm_made,
                at: Some("A.java:3".into()),
                held: Vec::new(),
            };
            outcome(&Outcome::of(end), &returned(Seen::Null))
        };
        let long = "class a.B cannot be cast to class a.C (a.B and a.C are in unnamed module of loader 'app')";
        assert_eq!(
            threw(long, true),
            "threw java.lang.ClassCastException: class a.B cannot be cast to class a.C at A.java:3"
        );
        assert!(threw(long, false).contains("loader 'app'"));
    }

    #[test]
    fn beside_a_run_that_does_not_end_only_the_end_is_told() {
        let mut old = returned(Seen::Int(1));
        old.args = vec![text("a")];
        let mut new = returned(Seen::Int(1));
        new.end = End::TimedOut;
        assert_eq!(outcome(&old, &new), "returned 1");
        assert_eq!(outcome(&new, &old), "did not end in time");
    }

    #[test]
    fn objects_are_told_by_the_fields_that_differ() {
        let entry = |children: Seen| Seen::Object {
            class: "a.FileEntry".into(),
            fields: vec![
                ("a.FileEntry.children".into(), children),
                ("a.FileEntry.name".into(), text("n")),
            ],
        };
        let empty = Seen::Array {
            element: "I".into(),
            values: Vec::new(),
        };
        let (old, new) = pair(entry(empty), entry(Seen::Null));
        assert_eq!(old, "returned FileEntry{children=int[0] {}, …}");
        assert_eq!(new, "returned FileEntry{children=null, …}");
    }

    #[test]
    fn the_one_part_that_differs_is_told_by_its_way_from_the_object() {
        let holder = |class: &str, field: &str, value: Seen| Seen::Object {
            class: format!("a.{class}"),
            fields: vec![
                (format!("a.{class}.{field}"), value),
                (format!("a.{class}.size"), Seen::Int(1)),
            ],
        };
        let map = |n: i32| {
            let values = vec![Seen::Int(0), Seen::Int(n)];
            let element = "I".to_string();
            let array = Seen::Array { element, values };
            holder("Map", "table", holder("Table", "values", array))
        };
        let (old, new) = pair(map(1), map(2));
        assert_eq!(old, "returned Map{table.values[1]=1, …}");
        assert_eq!(new, "returned Map{table.values[1]=2, …}");
        // A result that both have leaves the room to the argument.
        let with = |n: i32| Outcome {
            args: vec![map(n)],
            ..returned(holder(
                "Map",
                "table",
                holder("Table", "values", text("long")),
            ))
        };
        assert_eq!(
            outcome(&with(1), &with(2)),
            "returned the same, argument 1 Map{table.values[1]=1, …}"
        );
    }

    #[test]
    fn arrays_are_cut_around_the_first_difference() {
        let numbers = |last: i32| Seen::Array {
            element: "I".into(),
            values: (0..1000)
                .map(|i| Seen::Int(if i == 700 { last } else { i }))
                .collect(),
        };
        let (old, _) = pair(numbers(1), numbers(2));
        assert_eq!(
            old,
            "returned int[1000] {… 699 more, 699, 1, 701, 702, … 297 more}"
        );
    }

    #[test]
    fn a_box_is_told_from_what_is_none() {
        let (old, new) = pair(Seen::Boxed(Box::new(Seen::Int(1))), text("1"));
        assert_eq!(
            (old.as_str(), new.as_str()),
            ("returned Integer 1", "returned \"1\"")
        );
    }
}
