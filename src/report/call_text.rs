//! A finding's input as one Java-like call that `shadow-ci replay` reads back exactly.
//!
//! Where a literal does not show its parameter's type, a cast does, so that overloads stay apart: `f((java.lang.Object) null)`.
//! Classes have their binary names, and calls made on an object before it is used follow it behind `after`.

use super::java_text;
use crate::bytecode::parameter_descriptors;
use crate::verdict::{Finding, Input, Inputs, MethodId};

/// The call of a finding.
pub fn call_text(f: &Finding) -> String {
    call(&f.entry, &f.inputs)
}

/// The call, e.g. `(new demo.Counter(0) after add(3)).get()`.
pub fn call(entry: &MethodId, inputs: &Inputs) -> String {
    let args = list(&inputs.args, &entry.descriptor);
    match (&inputs.receiver, entry.name.as_str()) {
        (_, "<init>") => format!("new {}({args})", entry.class),
        (Some(receiver), name) => {
            let called_first = matches!(receiver, Input::Object { calls, .. } if !calls.is_empty());
            let receiver = expression(receiver);
            if called_first {
                format!("({receiver}).{name}({args})")
            } else {
                format!("{receiver}.{name}({args})")
            }
        }
        (None, name) => format!("{}.{name}({args})", entry.class),
    }
}

fn list(args: &[Input], descriptor: &str) -> String {
    let parameters = parameter_descriptors(descriptor);
    let typed = args.iter().enumerate().map(|(i, value)| {
        let text = expression(value);
        match parameters.get(i) {
            Some(p) if own_type(value).as_ref() != Some(p) => format!("({}) {text}", type_text(p)),
            _ => text,
        }
    });
    typed.collect::<Vec<_>>().join(", ")
}

/// The value alone.
fn expression(value: &Input) -> String {
    match value {
        Input::Float(bits) if f32::from_bits(*bits).is_nan() && *bits != 0x7fc0_0000 => {
            format!("Float.intBitsToFloat({})", *bits as i32)
        }
        Input::Double(bits) if f64::from_bits(*bits).is_nan() && *bits != 0x7ff8_0000_0000_0000 => {
            format!("Double.longBitsToDouble({}L)", *bits as i64)
        }
        Input::Boxed(inner) => format!(
            "{}.valueOf({})",
            java_text::box_of(inner),
            expression(inner)
        ),
        Input::Array { element, values } => {
            let values: Vec<String> = values.iter().map(expression).collect();
            format!("new {}[] {{{}}}", type_text(element), values.join(", "))
        }
        Input::Enum { class, constant } => format!("{class}.{constant}"),
        Input::Object {
            method,
            args,
            calls,
        } => {
            let mut out = made_by(method, args);
            for (call, args) in calls {
                let args = list(args, &call.descriptor);
                out.push_str(&format!(" after {}({args})", call.name));
            }
            out
        }
        Input::Result {
            receiver,
            method,
            args,
        } => {
            let args = list(args, &method.descriptor);
            let receiver = java_text::called_on(receiver, expression);
            format!("{receiver}.{}({args})", method.name)
        }
        Input::Field { class, field } => format!("{class}.{field}"),
        Input::Class(name) => format!("{name}.class"),
        Input::Lambda { method, result } => {
            let parameters = java_text::lambda_parameters(method);
            let body = java_text::lambda_body(result, expression);
            format!("{parameters} -> {body}")
        }
        plain => java_text::input(plain),
    }
}

fn made_by(method: &MethodId, args: &[Input]) -> String {
    let args = list(args, &method.descriptor);
    match method.name.as_str() {
        "<init>" => format!("new {}({args})", method.class),
        name => format!("{}.{name}({args})", method.class),
    }
}

/// The descriptor of the type the value's text has by itself.
fn own_type(value: &Input) -> Option<String> {
    Some(match value {
        // Of a static field only the class that declares it is known.
        Input::Null | Input::Lambda { .. } | Input::Field { .. } => return None,
        Input::Boolean(_) => "Z".into(),
        Input::Byte(_) => "B".into(),
        Input::Short(_) => "S".into(),
        Input::Char(_) => "C".into(),
        Input::Int(_) => "I".into(),
        Input::Long(_) => "J".into(),
        Input::Float(_) => "F".into(),
        Input::Double(_) => "D".into(),
        Input::Str(_) => "Ljava/lang/String;".into(),
        Input::Boxed(inner) => format!("Ljava/lang/{};", java_text::box_of(inner)),
        Input::Class(_) => "Ljava/lang/Class;".into(),
        Input::Array { element, .. } => format!("[{element}"),
        Input::Enum { class, .. } => format!("L{};", class.replace('.', "/")),
        Input::Object { method, .. } if method.name == "<init>" => {
            format!("L{};", method.class.replace('.', "/"))
        }
        Input::Object { method, .. } | Input::Result { method, .. } => {
            method.descriptor.rsplit(')').next()?.to_string()
        }
    })
}

/// A type with its binary name, `demo.Outer$Inner[]`.
fn type_text(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let name = match element.strip_prefix('L') {
        Some(class) => class.trim_end_matches(';').replace('/', "."),
        None => java_text::type_name(element),
    };
    format!("{name}{}", "[]".repeat(descriptor.len() - element.len()))
}

/// A word as a POSIX shell takes it.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%^~".contains(c);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('~') {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
