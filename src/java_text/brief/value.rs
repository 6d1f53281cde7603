//! A value within a line: the part that differs from another, cut around the first difference.

use super::cut;
use crate::java_text::{CLASS, content, escaped, float, seen, simple_name, throwable, type_name};
use crate::model::{HIDDEN, Seen};

/// The longest text of a value inside a value.
pub(super) const PART: usize = 60;

/// Elements and fields shown of each.
const MOST: usize = 4;

/// The longest text of a part's place in a value; its end is shown.
const PLACE: usize = 50;

/// Units shown of a string on each side of the first difference.
const AROUND: usize = 16;

/// A value by what differs from the other's.
pub(super) fn value(this: &Seen, other: Option<&Seen>, max: usize) -> String {
    let text = match (this, other) {
        (Seen::Str(a), Some(Seen::Str(b))) => string(a, Some(b)),
        (Seen::Str(a), _) => string(a, None),
        (Seen::Boxed(a), Some(Seen::Boxed(b))) => value(a, Some(b), max),
        // The same number in two widths, or as an object, looks the same otherwise.
        (Seen::Boxed(a), Some(_)) => format!("{} {}", box_name(a), seen(a)),
        (Seen::Array { element, values }, other) => {
            let others = match other {
                Some(Seen::Array { values, .. }) => Some(values.as_slice()),
                _ => None,
            };
            let n = values.len();
            // The length stands in the first brackets.
            let component = element.trim_start_matches('[');
            let name = simple_name(&type_name(component));
            let dimensions = "[]".repeat(element.len() - component.len());
            format!("{name}[{n}]{dimensions} {{{}}}", elements(values, others))
        }
        (Seen::Object { class, fields }, other) => object(class, fields, other),
        (Seen::Content { class, values }, other) => container(class, values, other),
        (Seen::Float(b), _) => float(*b),
        (Seen::Enum { class, constant }, _) if class == CLASS => {
            format!("{}.class", simple_name(constant))
        }
        (Seen::Enum { class, constant }, _) => format!("{}.{constant}", simple_name(class)),
        (Seen::Opaque { class }, _) if class == HIDDEN => "a lambda".into(),
        (Seen::Throwable { class, message }, _) => throwable(simple_name(class), message),
        (Seen::Opaque { class }, _) => simple_name(class),
        _ => seen(this),
    };
    cut(&text, max)
}

/// The same; where both values read alike so, the first part that differs, by its place.
pub(super) fn apart(this: &Seen, other: Option<&Seen>, max: usize) -> String {
    let text = value(this, other, max);
    let Some(other) = other.filter(|o| *o != this && value(o, Some(this), max) == text) else {
        return text;
    };
    let Some((path, part, twin)) = first_difference(this, other) else {
        return text;
    };
    let whole = match this {
        Seen::Object { class, .. } | Seen::Content { class, .. } => simple_name(class),
        Seen::Array { element, .. } => format!("{}[]", simple_name(&type_name(element))),
        _ => return text,
    };
    let hidden = path.chars().count().saturating_sub(PLACE);
    let place: String = path.chars().skip(hidden).collect();
    let dots = if hidden > 0 { "…" } else { "" };
    let part = value(part, Some(twin), PART);
    cut(&format!("{whole}{{{dots}{place}={part}, …}}"), max)
}

/// The place of the first part in which two values differ, and the part in both.
fn first_difference<'a>(
    mut this: &'a Seen,
    mut other: &'a Seen,
) -> Option<(String, &'a Seen, &'a Seen)> {
    let mut path = String::new();
    loop {
        let next = match (this, other) {
            (
                Seen::Object { class, fields },
                Seen::Object {
                    class: c,
                    fields: others,
                },
            ) if c == class => {
                let mut pairs = fields.iter().zip(others);
                let differing = pairs.find(|(a, b)| a != b);
                differing.filter(|(a, b)| a.0 == b.0).map(|(a, b)| {
                    let dot = if path.is_empty() { "" } else { "." };
                    let name = a.0.rsplit('.').next().unwrap_or(&a.0);
                    path.push_str(&format!("{dot}{name}"));
                    (&a.1, &b.1)
                })
            }
            (Seen::Array { values, .. }, Seen::Array { values: others, .. })
            | (Seen::Content { values, .. }, Seen::Content { values: others, .. }) => {
                let mut pairs = values.iter().zip(others).enumerate();
                pairs.find(|(_, (a, b))| a != b).map(|(i, (a, b))| {
                    path.push_str(&format!("[{i}]"));
                    (a, b)
                })
            }
            _ => None,
        };
        match next {
            Some(parts) => (this, other) = parts,
            None => return (!path.is_empty()).then_some((path, this, other)),
        }
    }
}

fn box_name(value: &Seen) -> &'static str {
    match value {
        Seen::Boolean(_) => "Boolean",
        Seen::Byte(_) => "Byte",
        Seen::Short(_) => "Short",
        Seen::Char(_) => "Character",
        Seen::Long(_) => "Long",
        Seen::Float(_) => "Float",
        Seen::Double(_) => "Double",
        _ => "Integer",
    }
}

/// The fields that differ, or the first ones where there is nothing to compare with.
fn object(class: &str, fields: &[(String, Seen)], other: Option<&Seen>) -> String {
    let others = match other {
        Some(Seen::Object { class: c, fields }) if c == class => Some(fields),
        _ => None,
    };
    if let Some((path, this, other)) = other.and_then(|o| only_difference(class, fields, o)) {
        let part = value(this, Some(other), PART);
        return format!("{}{{{path}={part}, …}}", simple_name(class));
    }
    let twin = |name: &str| others?.iter().find(|(n, _)| n == name).map(|(_, v)| v);
    let differs = |(name, v): &&(String, Seen)| others.is_none() || twin(name) != Some(v);
    let mut shown: Vec<&(String, Seen)> = fields.iter().filter(differs).collect();
    // Fields that both versions have tell more than those that one has.
    shown.sort_by_key(|(name, _)| others.is_some() && twin(name).is_none());
    let mut parts: Vec<String> = shown
        .iter()
        .take(MOST)
        .map(|(name, v)| {
            let simple = name.rsplit('.').next().unwrap_or(name);
            format!("{simple}={}", value(v, twin(name), PART))
        })
        .collect();
    if shown.len() > MOST || (others.is_some() && shown.len() < fields.len()) {
        parts.push("…".into());
    }
    format!("{}{{{}}}", simple_name(class), parts.join(", "))
}

/// The path to the one part in which an object differs from another one, where that is further inside than a field of its own, and
/// the part in both.
fn only_difference<'a>(
    class: &str,
    fields: &'a [(String, Seen)],
    other: &'a Seen,
) -> Option<(String, &'a Seen, &'a Seen)> {
    let mut path = String::new();
    let (mut this, mut other) = match other {
        Seen::Object {
            class: c,
            fields: o,
        } if c == class => only_field(fields, o, &mut path)?,
        _ => return None,
    };
    let own = path.len();
    loop {
        let before = path.len();
        let next = match (this, other) {
            (
                Seen::Object { class, fields },
                Seen::Object {
                    class: c,
                    fields: others,
                },
            ) if c == class => {
                path.push('.');
                only_field(fields, others, &mut path)
            }
            (Seen::Array { values, .. }, Seen::Array { values: others, .. })
                if values.len() == others.len() =>
            {
                let mut at = (0..values.len()).filter(|i| values[*i] != others[*i]);
                let only = at.next().filter(|_| at.next().is_none());
                only.map(|i| {
                    path.push_str(&format!("[{i}]"));
                    (&values[i], &others[i])
                })
            }
            _ => None,
        };
        let Some(next) = next else {
            path.truncate(before);
            return (path.len() > own).then_some((path, this, other));
        };
        (this, other) = next;
    }
}

/// The only field in which objects of one class differ, whose name ends the path.
fn only_field<'a>(
    fields: &'a [(String, Seen)],
    others: &'a [(String, Seen)],
    path: &mut String,
) -> Option<(&'a Seen, &'a Seen)> {
    let is_alike =
        fields.len() == others.len() && fields.iter().zip(others).all(|(a, b)| a.0 == b.0);
    let mut differing = fields.iter().zip(others).filter(|(a, b)| a.1 != b.1);
    let (this, other) = differing.next().filter(|_| is_alike)?;
    if differing.next().is_some() {
        return None;
    }
    path.push_str(this.0.rsplit('.').next().unwrap_or(&this.0));
    Some((&this.1, &other.1))
}

fn container(class: &str, values: &[Seen], other: Option<&Seen>) -> String {
    let is_list = !class.starts_with("java.lang.") && !class.contains(".atomic.");
    let (kind, others) = match other {
        Some(Seen::Content { class, values }) => (Some(class), Some(values.as_slice())),
        _ => (None, None),
    };
    let text = if is_list && values.len() > 2 * MOST {
        format!("[{}]", elements(values, others))
    } else {
        let twin = |v: &Seen| {
            let at = values.iter().position(|w| std::ptr::eq(w, v))?;
            others?.get(at)
        };
        content(class, values, |v| value(v, twin(v), PART))
    };
    // Where only the class differs, it is what there is to say.
    if others == Some(values) && kind.is_some_and(|k| k != class) {
        return format!("{} {text}", simple_name(class));
    }
    text
}

/// The elements around the first one that differs: all of a few short ones.
fn elements(values: &[Seen], others: Option<&[Seen]>) -> String {
    let first = others.map_or(0, |o| {
        values.iter().zip(o).take_while(|(a, b)| a == b).count()
    });
    let twin = |i: usize| others.and_then(|o| o.get(i));
    let texts = |from: usize, to: usize| -> Vec<String> {
        let text = |i: usize| match (&values[i], &values[0]) {
            // Among constants of one enum the first says which.
            (Seen::Enum { class, constant }, Seen::Enum { class: of, .. })
                if i > from && class == of && class != CLASS =>
            {
                constant.clone()
            }
            _ => value(&values[i], twin(i), PART),
        };
        (from..to).map(text).collect()
    };
    if values.len() <= 2 * MOST {
        let all = texts(0, values.len()).join(", ");
        if first == 0 || all.chars().count() <= PART {
            return all;
        }
    }
    let from = first.saturating_sub(1).min(values.len());
    let shown = if from == 0 { 2 * MOST } else { MOST };
    let to = (from + shown).min(values.len());
    let mut parts: Vec<String> = Vec::new();
    if from > 0 {
        parts.push(format!("… {from} more"));
    }
    parts.extend(texts(from, to));
    if to < values.len() {
        parts.push(format!("… {} more", values.len() - to));
    }
    parts.join(", ")
}

pub(super) fn string(this: &[u16], other: Option<&[u16]>) -> String {
    let (from, to) = window(this, other, PART);
    let mut text = format!("\"{}\"", escaped(&this[from..to]));
    if from > 0 {
        text.insert(0, '…');
    }
    if to < this.len() {
        text.push_str(&format!("… ({} chars)", this.len()));
    }
    text
}

/// What is shown of units: all of a few, else those around the first difference.
pub(super) fn window(this: &[u16], other: Option<&[u16]>, most: usize) -> (usize, usize) {
    if this.len() <= most {
        return (0, this.len());
    }
    let others = other.filter(|o| *o != this);
    let same = others.map_or(0, |o| {
        this.iter().zip(o).take_while(|(a, b)| a == b).count()
    });
    let from = same.saturating_sub(AROUND);
    let from = from.min(this.len() - AROUND);
    (from, (from + most).min(this.len()))
}
