//! A value within a line: the part that differs from another, cut around the first difference.

use super::cut;
use crate::java_text::{
    CLASS, content, escaped, field_name, float, seen, simple_name, throwable, type_name,
};
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
        (Seen::Object { class, fields }, other) => {
            let way = other.map(|o| descend(this, o, only_difference));
            match way.filter(|way| way.steps > 1) {
                Some(way) => at_place(&simple_name(class), &way.path, &way),
                None => object(class, fields, other),
            }
        }
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
    let whole = match this {
        Seen::Object { class, .. } | Seen::Content { class, .. } => simple_name(class),
        Seen::Array { element, .. } => format!("{}[]", simple_name(&type_name(element))),
        _ => return text,
    };
    let first = |a, b| differing_parts(a, b).into_iter().next();
    let way = descend(this, other, first);
    if way.steps == 0 {
        return text;
    }
    let hidden = way.path.chars().count().saturating_sub(PLACE);
    let place: String = way.path.chars().skip(hidden).collect();
    let dots = if hidden > 0 { "…" } else { "" };
    cut(&at_place(&whole, &format!("{dots}{place}"), &way), max)
}

/// A part of a value, by its place.
fn at_place(whole: &str, place: &str, way: &Way) -> String {
    let part = value(way.this, Some(way.other), PART);
    format!("{whole}{{{place}={part}, …}}")
}

/// A part of two values, and the step that leads to it: the name of a field, or `[i]`.
type Part<'a> = (String, &'a Seen, &'a Seen);

/// The way to a part of two values.
struct Way<'a> {
    path: String,
    steps: usize,
    this: &'a Seen,
    other: &'a Seen,
}

/// Goes from two values to a part of them, and on to a part of that, as long as there is a next one.
fn descend<'a>(
    this: &'a Seen,
    other: &'a Seen,
    next: impl Fn(&'a Seen, &'a Seen) -> Option<Part<'a>>,
) -> Way<'a> {
    let mut way = Way {
        path: String::new(),
        steps: 0,
        this,
        other,
    };
    while let Some((step, this, other)) = next(way.this, way.other) {
        if way.steps > 0 && !step.starts_with('[') {
            way.path.push('.');
        }
        way.path.push_str(&step);
        way.steps += 1;
        (way.this, way.other) = (this, other);
    }
    way
}

/// The parts in which two values of one kind differ, in order, up to a field that only one has.
fn differing_parts<'a>(this: &'a Seen, other: &'a Seen) -> Vec<Part<'a>> {
    match (this, other) {
        (
            Seen::Object { class, fields },
            Seen::Object {
                class: c,
                fields: others,
            },
        ) if c == class => {
            let pairs = fields.iter().zip(others).filter(|(a, b)| a != b);
            let pairs = pairs.take_while(|(a, b)| a.0 == b.0);
            let simple = |name: &str| field_name(name).to_string();
            pairs.map(|(a, b)| (simple(&a.0), &a.1, &b.1)).collect()
        }
        (Seen::Array { values, .. }, Seen::Array { values: others, .. })
        | (Seen::Content { values, .. }, Seen::Content { values: others, .. }) => {
            let pairs = values.iter().zip(others).enumerate();
            let pairs = pairs.filter(|(_, (a, b))| a != b);
            pairs.map(|(i, (a, b))| (format!("[{i}]"), a, b)).collect()
        }
        _ => Vec::new(),
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
    let twin = |name: &str| others?.iter().find(|(n, _)| n == name).map(|(_, v)| v);
    let differs = |(name, v): &&(String, Seen)| others.is_none() || twin(name) != Some(v);
    let mut shown: Vec<&(String, Seen)> = fields.iter().filter(differs).collect();
    // Fields that both versions have tell more than those that one has.
    shown.sort_by_key(|(name, _)| others.is_some() && twin(name).is_none());
    let mut parts: Vec<String> = shown
        .iter()
        .take(MOST)
        .map(|(name, v)| {
            let simple = field_name(name);
            format!("{simple}={}", value(v, twin(name), PART))
        })
        .collect();
    if shown.len() > MOST || (others.is_some() && shown.len() < fields.len()) {
        parts.push("…".into());
    }
    format!("{}{{{}}}", simple_name(class), parts.join(", "))
}

/// The one part in which two values with the same parts differ.
fn only_difference<'a>(this: &'a Seen, other: &'a Seen) -> Option<Part<'a>> {
    let is_alike = match (this, other) {
        (Seen::Object { fields, .. }, Seen::Object { fields: others, .. }) => {
            let mut names = fields.iter().zip(others);
            fields.len() == others.len() && names.all(|(a, b)| a.0 == b.0)
        }
        (Seen::Array { values, .. }, Seen::Array { values: others, .. }) => {
            values.len() == others.len()
        }
        _ => false,
    };
    let mut parts = differing_parts(this, other).into_iter();
    parts.next().filter(|_| is_alike && parts.next().is_none())
}

fn container(class: &str, values: &[Seen], other: Option<&Seen>) -> String {
    if let (true, Some(Seen::Content { values: others, .. })) = (class == HIDDEN, other) {
        let calls = values.chunks(2).zip(others.chunks(2));
        if let Some((call, _)) = calls.into_iter().find(|(call, other)| call != other) {
            return content(class, call, |v| value(v, None, PART));
        }
    }
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
