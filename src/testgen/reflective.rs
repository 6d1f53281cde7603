//! The body of a test whose input needs reflection.

use super::expected;
use crate::bytecode::parameter_descriptors;
use crate::java_text::input::Form;
use crate::java_text::operation::operation;
use crate::java_text::{self, type_name};
use crate::model::{Finding, Input, MethodRef, Outcome, PriorCall, Spelling, is_primitive};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Writes the body.
pub(super) fn body(out: &mut String, f: &Finding, wanted: &Outcome) {
    let params = parameter_descriptors(&f.entry.descriptor);
    let mut vars = Variables::default();
    let receiver = f
        .inputs
        .receiver
        .as_ref()
        .map(|r| value(out, r, "Ljava/lang/Object;", &mut vars));
    let args: Vec<String> = f
        .inputs
        .args
        .iter()
        .zip(&params)
        .map(|(a, p)| value(out, a, p, &mut vars))
        .collect();
    let call = reflective(&f.entry, receiver.as_deref().unwrap_or("null"), &args);
    out.push_str(&expected::assertion(
        f,
        wanted,
        &call,
        receiver.as_deref(),
        &args,
    ));
    if !expected::identity_matters(f) {
        expected::states(out, f, wanted, receiver.as_deref(), &args);
    }
}

/// A local variable that holds the input; returns its name.
fn value(out: &mut String, input: &Input, descriptor: &str, vars: &mut Variables) -> String {
    let own = match input {
        Input::Shared { number, .. } => Some(*number),
        _ => None,
    };
    let input = input.unshared();
    let expression = match input {
        Input::Same(number) if vars.shared.contains_key(number) => {
            return vars.shared[number].clone();
        }
        Input::Object {
            method,
            args,
            calls,
        } => {
            let args = values(out, method, args, vars);
            let made = fresh(vars);
            let _ = writeln!(
                out,
                "        Object {made} = {};",
                reflective(method, "null", &args)
            );
            vars.holds(own, &made);
            called(out, &made, calls, vars);
            return made;
        }
        Input::Result {
            receiver,
            method,
            args,
            calls,
        } => {
            let receiver = value(out, receiver, "Ljava/lang/Object;", vars);
            let args = values(out, method, args, vars);
            let made = fresh(vars);
            let result = reflective(method, &receiver, &args);
            let _ = writeln!(out, "        Object {made} = {result};");
            vars.holds(own, &made);
            called(out, &made, calls, vars);
            return made;
        }
        Input::Array { element, values } if !is_literal(input) => {
            let array = fresh(vars);
            let _ = writeln!(
                out,
                "        Object {array} = java.lang.reflect.Array.newInstance({}, {});",
                class_literal(element),
                values.len()
            );
            for (i, v) in values.iter().enumerate() {
                let v = value(out, v, element, vars);
                let _ = writeln!(
                    out,
                    "        java.lang.reflect.Array.set({array}, {i}, {v});"
                );
            }
            vars.holds(own, &array);
            return array;
        }
        Input::Class(name) if is_primitive(name) => format!("{name}.class"),
        Input::Class(name) => format!("Class.forName(\"{name}\")"),
        Input::Field { class, field } => {
            format!("field(Class.forName(\"{class}\"), \"{field}\")")
        }
        Input::Lambda {
            method,
            result: Some(result),
        } if result.has_arguments() => {
            let types = parameter_descriptors(&method.descriptor);
            let body = answer(out, result, &types, vars);
            format!(
                "answering(Class.forName(\"{}\"), (m, a) -> {body})",
                method.class
            )
        }
        Input::StandIn { class, answers } => {
            let mut bodies = String::new();
            for (method, value) in answers {
                let types = parameter_descriptors(&method.descriptor);
                if let Some(value) = value.first() {
                    let body = answer(out, value, &types, vars);
                    let key = format!("{}{}", method.name, method.descriptor);
                    let _ = write!(bodies, "m.equals(\"{key}\") ? (Object) ({body}) : ");
                }
            }
            format!("answering(Class.forName(\"{class}\"), (m, a) -> {bodies}null)")
        }
        Input::Lambda { method, result } => {
            let result = match result {
                Some(r) => value(out, r, "Ljava/lang/Object;", vars),
                None => "null".into(),
            };
            format!("lambda(Class.forName(\"{}\"), {result})", method.class)
        }
        Input::Enum { class, constant } => format!(
            "java.util.Arrays.stream({}).filter(c -> ((Enum<?>) c).name().equals(\"{constant}\")).findFirst().get()",
            constants(class)
        ),
        Input::Boxed(inner) => Form::Readable.boxed(inner),
        other => java_text::input(other),
    };
    let name = fresh(vars);
    // What is made by reflection has no other static type, and its own may be hidden.
    let ty = if is_literal(input) && *input != Input::Null {
        type_name(descriptor)
    } else {
        "Object".into()
    };
    let _ = writeln!(out, "        {ty} {name} = {expression};");
    vars.holds(own, &name);
    name
}

/// What a function gives, of arguments in an array.
fn answer(out: &mut String, input: &Input, types: &[String], vars: &mut Variables) -> String {
    match input {
        Input::Argument(number) => {
            let at = *number as usize;
            let ty = types.get(at).map_or("Ljava/lang/Object;", String::as_str);
            match ty.len() {
                1 => format!("(({}) a[{at}])", type_name(ty)),
                _ => format!("a[{at}]"),
            }
        }
        Input::Operation { operator, operands } => {
            operation(*operator, operands, |o| answer(out, o, types, vars))
        }
        Input::Result {
            receiver,
            method,
            args,
            ..
        } if input.has_arguments() => {
            let on = answer(out, receiver, types, vars);
            let mut each = |a: &Input| answer(out, a, types, vars);
            let args: Vec<String> = args.iter().map(&mut each).collect();
            reflective(method, &on, &args)
        }
        constant if is_literal(constant) => match constant {
            Input::Boxed(inner) => Form::Readable.boxed(inner),
            other => java_text::input(other),
        },
        made => value(out, made, "Ljava/lang/Object;", vars),
    }
}

/// What is called on an object before it is used.
fn called(out: &mut String, on: &str, calls: &[PriorCall], vars: &mut Variables) {
    for (call, args) in calls {
        let args = values(out, call, args, vars);
        let _ = match (call.is_field(), args.as_slice()) {
            (true, [value]) => writeln!(
                out,
                "        set(Class.forName(\"{}\"), \"{}\", {on}, {value});",
                call.class, call.name
            ),
            _ => writeln!(out, "        {};", reflective(call, on, &args)),
        };
    }
}

/// Local variables that hold a method's arguments.
fn values(
    out: &mut String,
    method: &MethodRef,
    args: &[Input],
    vars: &mut Variables,
) -> Vec<String> {
    let params = parameter_descriptors(&method.descriptor);
    args.iter()
        .zip(&params)
        .map(|(a, p)| value(out, a, p, vars))
        .collect()
}

/// Whether the value has a literal form.
fn is_literal(input: &Input) -> bool {
    match input {
        Input::Enum { .. }
        | Input::Object { .. }
        | Input::Result { .. }
        | Input::Field { .. }
        | Input::Class(_)
        | Input::Same(_)
        | Input::Argument(_)
        | Input::StandIn { .. }
        | Input::Operation { .. }
        | Input::Lambda { .. } => false,
        Input::Shared { value, .. } => is_literal(value),
        Input::Array { element, values } => {
            let innermost = element.trim_start_matches('[');
            let platform = innermost.len() == 1 || innermost.starts_with("Ljava/lang/");
            platform && values.iter().all(is_literal)
        }
        _ => true,
    }
}

fn constants(class: &str) -> String {
    format!("Class.forName(\"{class}\").getEnumConstants()")
}

fn fresh(vars: &mut Variables) -> String {
    vars.count += 1;
    format!("value{}", vars.count)
}

/// The local variables of a test.
#[derive(Default)]
struct Variables {
    count: usize,
    /// Those of objects that are used again, by the objects' numbers.
    shared: BTreeMap<u32, String>,
}

impl Variables {
    /// Notes the variable of an object that has a number: before anything is called on it.
    fn holds(&mut self, number: Option<u32>, name: &str) {
        if let Some(number) = number {
            self.shared.insert(number, name.to_string());
        }
    }
}

fn reflective(method: &MethodRef, receiver: &str, args: &[String]) -> String {
    let types: Vec<String> = parameter_descriptors(&method.descriptor)
        .iter()
        .map(|p| class_literal(p))
        .collect();
    let args: Vec<String> = args
        .iter()
        .map(|a| format!(", {}", expected::as_object(a)))
        .collect();
    format!(
        "call(Class.forName(\"{}\"), \"{}\", new Class<?>[] {{{}}}, {receiver}{})",
        method.class,
        method.name,
        types.join(", "),
        args.concat()
    )
}

fn class_literal(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let platform = element.starts_with("Ljava/");
    if element.len() == 1 || platform {
        return format!("{}.class", type_name(descriptor));
    }
    match descriptor.strip_prefix('L') {
        Some(class) => format!(
            "Class.forName(\"{}\")",
            class.trim_end_matches(';').dotted()
        ),
        None => format!("Class.forName(\"{}\")", descriptor.dotted()),
    }
}
