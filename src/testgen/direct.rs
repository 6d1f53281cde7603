//! The body of a test where everything it names can be named: plain calls, literals and JUnit's own assertions.

use super::source::{JUnit, expected_text, literal, reflective_free_end, seen_text, with_message};
use crate::bytecode::parameter_descriptors;
use crate::report::java_text::{self, type_name};
use crate::verdict::{End, Finding, Input, MethodId, Outcome, Seen};
use std::fmt::Write;

/// Writes the body.
pub(super) fn body(out: &mut String, f: &Finding, expected: &Outcome, junit: JUnit) {
    let params = parameter_descriptors(&f.entry.descriptor);
    let receiver = f.inputs.receiver.as_ref().map(|r| {
        object(out, "receiver", &java_text::source_name(&f.entry.class), r);
        "receiver".to_string()
    });
    let mut args = Vec::new();
    for (i, (input, descriptor)) in f.inputs.args.iter().zip(&params).enumerate() {
        let name = f
            .parameter_names
            .get(i)
            .filter(|n| *n != "receiver")
            .cloned()
            .unwrap_or_else(|| format!("arg{i}"));
        args.push(argument(out, &name, &type_name(descriptor), input));
    }
    let call = call(&f.entry, receiver.as_deref(), &args);
    assertion(out, f, expected, &call, junit);
    if let (Some(name), Some(seen)) = (&receiver, &expected.receiver)
        && f.old.receiver != f.new.receiver
    {
        let _ = writeln!(
            out,
            "        assertEquals({}, text({name}));",
            literal(&seen_text(seen))
        );
    }
    for (i, arg) in args.iter().enumerate() {
        if let Some(seen) = expected.args.get(i)
            && f.old.args.get(i) != f.new.args.get(i)
        {
            let _ = writeln!(
                out,
                "        assertEquals({}, text({arg}));",
                literal(&seen_text(seen))
            );
        }
    }
}

/// Declares what has a state of its own; the rest is written where it is used.
fn argument(out: &mut String, name: &str, ty: &str, input: &Input) -> String {
    match input {
        Input::Object { .. } | Input::Array { .. } => {
            object(out, name, ty, input);
            name.to_string()
        }
        Input::Null => format!("({ty}) null"),
        Input::Boxed(inner) => format!("({ty}) {}", java_text::input(inner)),
        other => java_text::input(other),
    }
}

fn object(out: &mut String, name: &str, ty: &str, input: &Input) {
    let _ = writeln!(out, "        {ty} {name} = {};", expression(input));
    if let Input::Object { calls, .. } = input {
        for (method, args) in calls {
            let _ = writeln!(
                out,
                "        {name}.{}({});",
                method.name,
                arguments(method, args)
            );
        }
    }
}

fn expression(input: &Input) -> String {
    match input {
        Input::Object { method, args, .. } => {
            let class = java_text::source_name(&method.class);
            let args = arguments(method, args);
            match method.name.as_str() {
                "<init>" => format!("new {class}({args})"),
                name => format!("{class}.{name}({args})"),
            }
        }
        other => java_text::input(other),
    }
}

/// Arguments as expressions, cast where another overload might fit too.
fn arguments(method: &MethodId, args: &[Input]) -> String {
    let params = parameter_descriptors(&method.descriptor);
    let all = args.iter().zip(&params).map(|(input, p)| match input {
        Input::Null => format!("({}) null", type_name(p)),
        Input::Boxed(inner) => format!("({}) {}", type_name(p), java_text::input(inner)),
        other => expression(other),
    });
    all.collect::<Vec<_>>().join(", ")
}

fn call(entry: &MethodId, receiver: Option<&str>, args: &[String]) -> String {
    let class = java_text::source_name(&entry.class);
    match (entry.name.as_str(), receiver) {
        ("<init>", _) => format!("new {class}({})", args.join(", ")),
        (name, Some(receiver)) => format!("{receiver}.{name}({})", args.join(", ")),
        (name, None) => format!("{class}.{name}({})", args.join(", ")),
    }
}

fn assertion(out: &mut String, f: &Finding, expected: &Outcome, call: &str, junit: JUnit) {
    let silent = f.old.printed.is_empty() && f.new.printed.is_empty();
    let line = match &expected.end {
        End::Returned(value) if silent => plain(value, call, &f.entry, junit),
        End::Threw { class, message, .. } if silent && junit == JUnit::Five => {
            let thrown = format!(
                "assertThrows({}.class, () -> {call})",
                java_text::source_name(class)
            );
            match message {
                Some(m) if with_message(expected) => Some(format!(
                    "assertEquals(\"{}\", {thrown}.getMessage());",
                    java_text::escaped(m)
                )),
                None if with_message(expected) => {
                    Some(format!("assertNull({thrown}.getMessage());"))
                }
                _ => Some(format!("{thrown};")),
            }
        }
        _ => None,
    };
    if silent && expected.end == End::Returned(Seen::Void) {
        let _ = writeln!(out, "        {call};");
        return;
    }
    let void = f.entry.descriptor.ends_with(")V") && f.entry.name != "<init>";
    let line = line.unwrap_or_else(|| {
        let run = if void {
            format!("{{ {call}; return null; }}")
        } else {
            call.to_string()
        };
        format!(
            "assertEquals({}, outcome(() -> {run}, {}));",
            expected_text(f, expected),
            with_message(expected)
        )
    });
    let _ = writeln!(out, "        {line}");
}

/// JUnit's own assertion for a value that has a literal; `None` for those that have not.
fn plain(value: &Seen, call: &str, entry: &MethodId, junit: JUnit) -> Option<String> {
    let result = entry.descriptor.rsplit(')').next().unwrap_or_default();
    match value {
        Seen::Array { element, values } if result == format!("[{element}") => {
            return array(element, values, call, junit);
        }
        _ if !reflective_free_end(entry) => return None,
        _ => {}
    }
    Some(match value {
        Seen::Boolean(true) => format!("assertTrue({call});"),
        Seen::Boolean(false) => format!("assertFalse({call});"),
        Seen::Null => format!("assertNull({call});"),
        // With boxes equality is exact in both JUnits: -0.0 is not 0.0, NaN is NaN.
        Seen::Float(_) => format!(
            "assertEquals(Float.valueOf({}), Float.valueOf({call}));",
            java_text::seen(value)
        ),
        Seen::Double(_) => format!(
            "assertEquals(Double.valueOf({}), Double.valueOf({call}));",
            java_text::seen(value)
        ),
        Seen::Byte(_)
        | Seen::Short(_)
        | Seen::Int(_)
        | Seen::Long(_)
        | Seen::Char(_)
        | Seen::Str(_) => {
            format!("assertEquals({}, {call});", number(value))
        }
        _ => return None,
    })
}

/// The assertion for an array of primitives or strings. JUnit 4 compares those of floats only up to a delta.
fn array(element: &str, values: &[Seen], call: &str, junit: JUnit) -> Option<String> {
    let simple = element.len() == 1 || element == "Ljava/lang/String;";
    if !simple || junit == JUnit::Four && ["F", "D"].contains(&element) {
        return None;
    }
    let values: Vec<String> = values.iter().map(java_text::seen).collect();
    Some(format!(
        "assertArrayEquals(new {}[] {{{}}}, {call});",
        type_name(element),
        values.join(", ")
    ))
}

fn number(value: &Seen) -> String {
    match value {
        Seen::Byte(b) => format!("(byte) {b}"),
        Seen::Short(s) => format!("(short) {s}"),
        other => java_text::seen(other),
    }
}
