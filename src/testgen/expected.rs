//! The texts that a generated test expects of outcomes and of single values.

use super::source::with_message;
use crate::java_text::{self, escaped};
use crate::model::{CHANGING, End, Finding, Outcome, Seen};

/// The assertion on all of what a call does; `run` is what its lambda evaluates.
pub(super) fn assertion(
    f: &Finding,
    o: &Outcome,
    run: &str,
    receiver: Option<&str>,
    args: &[String],
) -> String {
    let given = receiver.into_iter().chain(args.iter().map(String::as_str));
    let given: String = match identity_matters(f) {
        // An array alone would be taken for all of them.
        true => given.map(|name| format!(", {}", as_object(name))).collect(),
        false => String::new(),
    };
    let (expected, message) = (outcome(f, o), with_message(o));
    let actual = format!("outcome(() -> {run}, {message}{given})");
    equal(&expected, &actual)
}

/// The assertion that two texts are the same, but for what the expected one says is another each time.
fn equal(expected: &str, actual: &str) -> String {
    match expected.contains(CHANGING) {
        true => format!("        assertAlike({expected}, {actual});\n"),
        false => format!("        assertEquals({expected}, {actual});\n"),
    }
}

/// The expression as an argument of type `Object`. A minus behind the cast would take it for a subtraction (JLS §15.16).
pub(super) fn as_object(expression: &str) -> String {
    match expression.starts_with('-') {
        true => format!("(Object) ({expression})"),
        false => format!("(Object) {expression}"),
    }
}

/// What the helper `outcome` gives, as a literal: for a constructor that returned, the new object is the value.
fn outcome(f: &Finding, o: &Outcome) -> String {
    let constructor = f.entry.name == "<init>";
    let mut end = match &o.end {
        End::Threw { class, message, .. } if with_message(o) => {
            let message = message.as_ref().map_or("null".into(), |m| escaped(m));
            format!("threw {}: {message}", plain(class))
        }
        End::Threw { class, .. } => format!("threw {}", plain(class)),
        End::Returned(_) if constructor => {
            format!(
                "returned {}",
                o.receiver.as_ref().map(|r| text(r, 0)).unwrap_or_default()
            )
        }
        End::Returned(value) => format!("returned {}", text(value, 0)),
        other => plain(&java_text::end(other)),
    };
    if identity_matters(f) {
        let given = o.receiver.iter().filter(|_| !constructor).chain(&o.args);
        given.for_each(|seen| end += &format!(", then {}", text(seen, 0)));
    }
    if !o.printed.is_empty() {
        end += &format!(", printed {}", escaped(&o.printed));
    }
    format!("\"{end}\"")
}

/// Whether one version's value, receiver or arguments share an object.
pub(super) fn identity_matters(f: &Finding) -> bool {
    [&f.old, &f.new].into_iter().any(|outcome| {
        let mut first = 0;
        roots(outcome).any(|root| {
            let shared = refers_before(root, first);
            first += numbered(root);
            shared
        })
    })
}

/// The assertions on receiver and arguments whose final states differ between the versions, and on a new object's.
pub(super) fn states(
    out: &mut String,
    f: &Finding,
    o: &Outcome,
    receiver: Option<&str>,
    args: &[String],
) {
    let constructor = f.entry.name == "<init>";
    let mut first = match &o.end {
        End::Returned(value) => numbered(value),
        _ => 0,
    };
    let mut assert = |name: &str, seen: &Seen, differs: bool| {
        if differs {
            let text = format!("\"{}\"", text(seen, first));
            out.push_str(&equal(&text, &format!("text({name})")));
        }
        first += numbered(seen);
    };
    if let Some(seen) = &o.receiver {
        let differs = f.old.receiver != f.new.receiver && !constructor;
        assert(
            receiver.unwrap_or_default(),
            seen,
            differs && receiver.is_some(),
        );
    }
    for (i, (name, seen)) in args.iter().zip(&o.args).enumerate() {
        assert(name, seen, f.old.args.get(i) != f.new.args.get(i));
    }
}

/// Everything that is numbered, in the order of the numbers.
fn roots(o: &Outcome) -> impl Iterator<Item = &Seen> {
    let value = match &o.end {
        End::Returned(value) => Some(value),
        _ => None,
    };
    value.into_iter().chain(&o.receiver).chain(&o.args)
}

/// What the value contains.
fn parts(seen: &Seen) -> Vec<&Seen> {
    match seen {
        Seen::Array { values, .. } | Seen::Content { values, .. } => values.iter().collect(),
        Seen::Object { fields, .. } => fields.iter().map(|f| &f.1).collect(),
        _ => Vec::new(),
    }
}

/// How many objects are numbered in it.
fn numbered(seen: &Seen) -> u32 {
    let own = matches!(
        seen,
        Seen::Array { .. }
            | Seen::Content { .. }
            | Seen::Object { .. }
            | Seen::Throwable { .. }
            | Seen::Opaque { .. }
    );
    u32::from(own) + parts(seen).into_iter().map(numbered).sum::<u32>()
}

fn refers_before(seen: &Seen, first: u32) -> bool {
    match seen {
        Seen::Ref(n) => *n < first,
        _ => parts(seen).into_iter().any(|p| refers_before(p, first)),
    }
}

/// A text for the inside of a literal.
fn plain(text: &str) -> String {
    escaped(&text.encode_utf16().collect::<Vec<_>>())
}

/// Whether Java's text of a double has no exponent and is a literal.
fn is_plain(d: f64) -> bool {
    d == 0.0 || d.is_finite() && (1e-3..1e7).contains(&d.abs())
}

/// A seen value as the helper `text` writes it, where the number `first` is its 0, for the inside of a literal: a lone half of a
/// character is no text of Rust's.
fn text(seen: &Seen, first: u32) -> String {
    let inner = |seen: &Seen| text(seen, first);
    match seen {
        Seen::Void | Seen::Null => "null".into(),
        Seen::Char(c) => escaped(&[*c]),
        Seen::Long(l) => l.to_string(),
        // In quotes: an empty string in a list is not an empty list.
        Seen::Str(units) => format!("\\\"{}\\\"", escaped(units)),
        // Java writes these otherwise than as a literal.
        Seen::Float(_) => format!("\" + {} + \"", java_text::seen(seen)),
        Seen::Double(bits) if !is_plain(f64::from_bits(*bits)) => {
            format!("\" + {} + \"", java_text::seen(seen))
        }
        Seen::Boxed(value) => inner(value),
        Seen::Enum { constant, .. } => plain(constant),
        Seen::Array { values, .. } => {
            format!(
                "[{}]",
                values.iter().map(inner).collect::<Vec<_>>().join(", ")
            )
        }
        Seen::Content { class, values } => java_text::content(class, values, inner),
        Seen::Object { class, fields } => {
            let simple = |name: &str| name.rsplit('.').next().unwrap_or_default().to_string();
            let fields = fields
                .iter()
                .map(|(n, v)| format!("{}={};", plain(&simple(n)), inner(v)));
            format!("{}{{{}}}", plain(class), fields.collect::<String>())
        }
        Seen::Throwable {
            class,
            message: Some(units),
        } => format!("{}(\\\"{}\\\")", plain(class), escaped(units)),
        Seen::Throwable { class, .. } | Seen::Opaque { class } => plain(class),
        Seen::Ref(n) => format!("#{}", n.saturating_sub(first)),
        other => plain(&java_text::seen(other)),
    }
}
