//! Inputs and outcomes as Java source or readable text, with nothing in it that a terminal or a compiler would obey.

pub mod brief;
pub mod call;
pub mod input;
pub mod operation;

use crate::model::{CAPTURED, End, HIDDEN, Input, Seen};
use input::Form;

pub use crate::model::type_name;

/// A string's or char's units, escaped for a Java literal.
pub fn escaped(units: &[u16]) -> String {
    let mut out = String::new();
    for &unit in units {
        match unit {
            0x22 => out.push_str("\\\""),
            0x5c => out.push_str("\\\\"),
            0x0a => out.push_str("\\n"),
            0x0d => out.push_str("\\r"),
            0x09 => out.push_str("\\t"),
            0x20..=0x7e => out.push(unit as u8 as char),
            _ => out.push_str(&format!("\\u{unit:04x}")),
        }
    }
    out
}

/// A char literal.
pub fn char_literal(unit: u16) -> String {
    match unit {
        0x27 => "'\\''".into(),
        0x22 => "'\"'".into(),
        _ => format!("'{}'", escaped(&[unit])),
    }
}

pub(super) fn double(bits: u64) -> String {
    let d = f64::from_bits(bits);
    if d.is_nan() {
        "Double.NaN".into()
    } else if d.is_infinite() {
        if d > 0.0 {
            "Double.POSITIVE_INFINITY".into()
        } else {
            "Double.NEGATIVE_INFINITY".into()
        }
    } else {
        format!("{d:?}").replace('e', "E")
    }
}

pub(super) fn float(bits: u32) -> String {
    let f = f32::from_bits(bits);
    if f.is_nan() {
        "Float.NaN".into()
    } else if f.is_infinite() {
        if f > 0.0 {
            "Float.POSITIVE_INFINITY".into()
        } else {
            "Float.NEGATIVE_INFINITY".into()
        }
    } else {
        format!("{f:?}f").replace('e', "E")
    }
}

/// A class name as source has it.
pub fn source_name(class: &str) -> String {
    class.replace('$', ".")
}

/// A class name as source has it that imports the class: `Outer.Inner`.
pub fn simple_name(class: &str) -> String {
    source_name(class.rsplit('.').next().unwrap_or(class))
}

/// An input as a Java expression, for people.
pub fn input(value: &Input) -> String {
    Form::Readable.expression(value)
}

/// Classes are seen as constants of this class, by their names.
const CLASS: &str = "java.lang.Class";

/// Maps whose names don't say so.
const MAPS: [&str; 2] = ["java.util.Hashtable", "java.util.Properties"];

/// A container's content: a builder's, an atomic's or a file's name by itself, a map's as `{key=value}`, others' as `[element]`.
pub fn content(class: &str, values: &[Seen], text: impl Fn(&Seen) -> String) -> String {
    if class == HIDDEN {
        let given: Vec<String> = values.chunks(2).map(|call| given(call, &text)).collect();
        return format!("a lambda, {}", given.join(", "));
    }
    let all: Vec<String> = values.iter().map(text).collect();
    if class.starts_with("java.lang.reflect.") {
        return all.join(" ");
    }
    let named = matches!(class, "java.io.File" | "sun.nio.fs.UnixPath");
    if class.starts_with("java.lang.") || class.contains(".atomic.") || named {
        return all.concat();
    }
    let is_map = class.ends_with("Map")
        || MAPS.contains(&class)
        || class.starts_with("java.util.ImmutableCollections$Map");
    if !is_map {
        return format!("[{}]", all.join(", "));
    }
    let entries: Vec<String> = all.chunks(2).map(|entry| entry.join("=")).collect();
    format!("{{{}}}", entries.join(", "))
}

/// What a lambda gives: of one with parameters the arguments, as a text, and the result, or the class of what it throws.
fn given(call: &[Seen], text: &impl Fn(&Seen) -> String) -> String {
    let end = |value: &Seen| match value.class_constant() {
        Some(class) => format!("throws {}", simple_name(class)),
        None => text(value),
    };
    match call {
        [Seen::Str(arguments), result] => {
            format!(
                "({}) -> {}",
                String::from_utf16_lossy(arguments),
                end(result)
            )
        }
        _ => format!("() -> {}", call.iter().map(end).collect::<String>()),
    }
}

/// A seen value as readable text.
pub fn seen(value: &Seen) -> String {
    match value {
        Seen::Void => "nothing".into(),
        Seen::Null => "null".into(),
        Seen::Boolean(b) => b.to_string(),
        Seen::Byte(b) => b.to_string(),
        Seen::Short(s) => s.to_string(),
        Seen::Char(c) => char_literal(*c),
        Seen::Int(i) => i.to_string(),
        Seen::Long(l) => format!("{l}L"),
        Seen::Float(b) => float(*b),
        Seen::Double(b) => double(*b),
        Seen::Str(units) => format!("\"{}\"", escaped(units)),
        Seen::Boxed(inner) => seen(inner),
        Seen::Enum { class, constant } if class == CLASS => {
            format!("{}.class", source_name(constant))
        }
        Seen::Enum { class, constant } => format!("{}.{constant}", source_name(class)),
        Seen::Array { element, values } => {
            let values: Vec<String> = values.iter().map(seen).collect();
            format!("{}[] {{{}}}", type_name(element), values.join(", "))
        }
        Seen::Object { class, fields } => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(n, v)| format!("{}={}", field_name(n), seen(v)))
                .collect();
            format!("{}{{{}}}", source_name(class), fields.join(", "))
        }
        Seen::Content { class, values } => content(class, values, seen),
        Seen::Throwable { class, message } => throwable(source_name(class), message),
        Seen::Opaque { class } => source_name(class),
        Seen::Ref(n) => format!("#{n}"),
    }
}

/// A field's own name, of one with its class's; a variable's where a class has captured that.
pub(in crate::java_text) fn field_name(field: &str) -> &str {
    let name = field.rsplit('.').next().unwrap_or(field);
    name.strip_prefix(CAPTURED).unwrap_or(name)
}

/// An exception as a value: the name of its class, and its message as a literal.
pub(in crate::java_text) fn throwable(class: String, message: &Option<Vec<u16>>) -> String {
    match message {
        Some(units) => format!("{class}(\"{}\")", escaped(units)),
        None => class,
    }
}

/// What an exception holds beside its message: ` {code=5}`, or nothing.
pub fn held<'a>(fields: impl Iterator<Item = &'a (String, Seen)>) -> String {
    let field = |(name, value): &(String, Seen)| format!("{}={}", field_name(name), seen(value));
    let all: Vec<String> = fields.map(field).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" {{{}}}", all.join(", ")),
    }
}

/// The end of a run in words.
pub fn end(end: &End) -> String {
    match end {
        End::Returned(Seen::Void) => "returned".into(),
        End::Returned(value) => format!("returned {}", seen(value)),
        End::Threw {
            class,
            message,
            at,
            jvm_made: _,
            held,
        } => {
            let message = message
                .as_ref()
                .map(|m| format!(": {}", escaped(m)))
                .unwrap_or_default();
            let at = at.as_ref().map(|a| format!(" at {a}")).unwrap_or_default();
            let held = self::held(held.iter());
            format!("threw {}{message}{held}{at}", source_name(class))
        }
        End::Exited(code) => format!("exited with code {code}"),
        End::TimedOut => "did not end in time".into(),
        End::Failed(why) => format!(
            "failed: {}",
            escaped(&why.encode_utf16().collect::<Vec<_>>())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_surrogates_are_escaped() {
        let units: Vec<u16> = "a\"\u{1b}[".encode_utf16().chain([0xd800]).collect();
        assert_eq!(input(&Input::Str(units)), "\"a\\\"\\u001b[\\ud800\"");
    }
}
