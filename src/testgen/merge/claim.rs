//! The assertion of a test about a call, independent of the assertion library.

use crate::java_text::{self, source_name, type_name};
use crate::model::{End, Finding, MethodRef, Outcome, Seen, Version};
use crate::testgen::direct::Prepared;
use crate::testgen::source::with_message;

/// A claim. Calls and values are Java text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The call gives that value; floats are written as boxes, of which equality is exact.
    Equals {
        /// What is expected.
        expected: String,
        /// The call.
        call: String,
    },
    /// The call gives an array of these.
    Array {
        /// What is expected.
        expected: String,
        /// The call.
        call: String,
    },
    /// The call gives that boolean.
    Is(bool, String),
    /// The call gives `null`.
    Null(String),
    /// The call throws.
    Throws {
        /// The exception's class as source has it.
        class: String,
        /// Its message, where that is the program's: `null` for none.
        message: Option<String>,
        /// The call.
        call: String,
    },
    /// The call returns.
    Returns(String),
}

impl Claim {
    /// What one version does and the other does not, said in public terms.
    pub(super) fn of(f: &Finding, pins: Version, prepared: &Prepared) -> Option<Claim> {
        if f.old.printed != f.new.printed {
            return None;
        }
        let of = |old, new| if pins == Version::Old { old } else { new };
        if let Some(shown) = &f.telling.shown {
            let args = shown.args.iter().map(java_text::input);
            let args: Vec<String> = args.collect();
            let object = prepared.object.as_ref()?;
            let call = format!("{object}.{}({})", shown.method.name, args.join(", "));
            return claim(of(&shown.old, &shown.new), &shown.method, &call);
        }
        if f.old.end == f.new.end {
            return None;
        }
        claim(of(&f.old, &f.new), &f.entry, &prepared.call)
    }
}

fn claim(wanted: &Outcome, called: &MethodRef, call: &str) -> Option<Claim> {
    let call = call.to_string();
    let value = match &wanted.end {
        End::Returned(value) => value,
        End::Threw { class, message, .. } => {
            let own = with_message(wanted).then(|| match message {
                Some(m) => format!("\"{}\"", java_text::escaped(m)),
                None => "null".to_string(),
            });
            return Some(Claim::Throws {
                class: source_name(class),
                message: own,
                call,
            });
        }
        _ => return None,
    };
    let result = called.descriptor.rsplit(')').next().unwrap_or_default();
    let equals = |expected: String, call: String| Some(Claim::Equals { expected, call });
    match value {
        Seen::Void => Some(Claim::Returns(call)),
        Seen::Null => Some(Claim::Null(call)),
        Seen::Boolean(b) => Some(Claim::Is(*b, call)),
        Seen::Byte(n) => equals(format!("(byte) {n}"), call),
        Seen::Short(n) => equals(format!("(short) {n}"), call),
        Seen::Int(_) | Seen::Long(_) | Seen::Char(_) | Seen::Str(_) => {
            equals(java_text::seen(value), call)
        }
        Seen::Float(_) => boxed("Float", value, &call),
        Seen::Double(_) => boxed("Double", value, &call),
        Seen::Enum { class, constant } if &**class != "java.lang.Class" => {
            equals(format!("{}.{constant}", source_name(class)), call)
        }
        Seen::Array { element, values } if result == format!("[{element}") => {
            let simple = element.len() == 1 || element == "Ljava/lang/String;";
            let is_real = ["F", "D"].contains(&element.as_str());
            let values: Vec<String> = values.iter().map(java_text::seen).collect();
            let expected = format!("new {}[] {{{}}}", type_name(element), values.join(", "));
            (simple && !is_real).then_some(Claim::Array { expected, call })
        }
        _ => None,
    }
}

fn boxed(class: &str, value: &Seen, call: &str) -> Option<Claim> {
    Some(Claim::Equals {
        expected: format!("{class}.valueOf({})", java_text::seen(value)),
        call: format!("{class}.valueOf({call})"),
    })
}
