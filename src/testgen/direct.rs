//! The body of a test whose values can all be named: plain calls, literals and JUnit's own assertions.

use super::source::{JUnit, reflective_free_end, with_message};
use super::{expected, wrapped};
use crate::bytecode::parameter_descriptors;
use crate::java_text::input::{Form, box_of, lambda_parameters};
use crate::java_text::operation::operation;
use crate::java_text::{self, type_name};
use crate::model::{End, Finding, HIDDEN, Input, MethodRef, Outcome, PriorCall, Seen, Spelling};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A call with what has to stand before it.
pub(super) struct Prepared {
    /// Declarations, and calls on what they declare.
    pub(super) lines: Vec<String>,
    /// The call; where a later one shows the difference, it stands among the lines.
    pub(super) call: String,
    /// The object whose state a later call shows.
    pub(super) object: Option<String>,
}

/// Writes what a finding's call needs, for tests without reflection.
pub(super) fn prepare(f: &Finding) -> Prepared {
    let mut out = String::new();
    let Declared { receiver, args, .. } = declare(&mut out, f);
    let call = call(&f.entry, receiver.as_deref(), &args);
    let mut lines: Vec<String> = out.lines().map(|l| l.trim().to_string()).collect();
    let class = java_text::source_name(&f.entry.class);
    let result = type_name(f.entry.descriptor.rsplit(')').next().unwrap_or_default());
    let object = f.telling.shown.as_ref().and_then(|_| {
        if let End::Threw { class, .. } = &f.old.end {
            // Both versions throw it, and leave another state.
            let receiver = receiver?;
            lines.push("try {".to_string());
            lines.push(format!("    {call};"));
            let class = java_text::source_name(class);
            lines.push(format!("}} catch ({class} expected) {{"));
            lines.push(
                "    // Both versions throw this; what the object says afterwards differs.".into(),
            );
            lines.push("}".to_string());
            Some(receiver)
        } else if f.entry.name == "<init>" {
            lines.push(format!("{class} made = {call};"));
            Some("made".to_string())
        } else if f.old.receiver != f.new.receiver {
            lines.push(format!("{call};"));
            receiver
        } else {
            lines.push(format!("{result} result = {call};"));
            Some("result".to_string())
        }
    });
    Prepared {
        lines,
        call,
        object,
    }
}

/// Receiver and arguments as a test has them: names, or what stands for them.
struct Declared {
    receiver: Option<String>,
    args: Vec<String>,
    /// Names of arguments that pass on what is written to them, and of where it goes.
    written: BTreeMap<String, String>,
}

/// Declares receiver and arguments.
fn declare(out: &mut String, f: &Finding) -> Declared {
    let params = parameter_descriptors(&f.entry.descriptor);
    let mut locals = Locals::of(out);
    let receiver = f.inputs.receiver.as_ref().map(|r| {
        locals.declare("receiver", &java_text::source_name(&f.entry.class), r);
        "receiver".to_string()
    });
    let (mut args, mut written) = (Vec::new(), BTreeMap::new());
    for (i, (input, descriptor)) in f.inputs.args.iter().zip(&params).enumerate() {
        let name = f
            .parameter_names
            .get(i)
            .filter(|n| *n != "receiver")
            .cloned()
            .unwrap_or_else(|| format!("arg{i}"));
        let number = FIRST_WRAPPED + i as u32;
        match wrapped::with_own_name(input, number) {
            Some(input) => {
                let inner = match written.len() {
                    0 => "written".to_string(),
                    n => format!("written{}", n + 1),
                };
                written.insert(name.clone(), inner.clone());
                locals.named.insert(number, inner);
                args.push(locals.argument(&name, descriptor, &input));
            }
            None => args.push(locals.argument(&name, descriptor, input)),
        }
    }
    Declared {
        receiver,
        args,
        written,
    }
}

/// Writes the body.
pub(super) fn body(out: &mut String, f: &Finding, wanted: &Outcome, junit: JUnit) {
    let Declared {
        receiver,
        args,
        written,
    } = declare(out, f);
    let call = call(&f.entry, receiver.as_deref(), &args);
    let receiver = receiver.as_deref();
    if let Some(lines) = of_function(f, wanted, &call, junit) {
        out.push_str(&lines);
        return;
    }
    if expected::identity_matters(f) {
        out.push_str(&expected::assertion(
            f,
            wanted,
            &run(f, &call),
            receiver,
            &args,
        ));
        return;
    }
    let line = assertion(f, wanted, &call, junit);
    out.push_str(
        &line.unwrap_or_else(|| expected::assertion(f, wanted, &run(f, &call), None, &[])),
    );
    for (name, _) in written.iter().filter(|w| args.contains(w.0)) {
        let _ = writeln!(out, "        {name}.flush();");
    }
    let shown = |name: &String| written.get(name).unwrap_or(name).clone();
    let args: Vec<String> = args.iter().map(shown).collect();
    expected::states(out, f, wanted, receiver, &args);
}

/// The number under which the first argument's inner writer or stream has a name of its own.
const FIRST_WRAPPED: u32 = 900;

/// Declarations in front of the call.
struct Locals<'a> {
    out: &'a mut String,
    made: usize,
    /// Lambdas around the value.
    lambdas: usize,
    /// Objects that are used again: the variable of each, and its type.
    shared: BTreeMap<u32, (String, String)>,
    /// Names of such objects that have one of their own.
    named: BTreeMap<u32, String>,
}

impl<'a> Locals<'a> {
    fn of(out: &'a mut String) -> Locals<'a> {
        Locals {
            out,
            made: 0,
            lambdas: 0,
            shared: BTreeMap::new(),
            named: BTreeMap::new(),
        }
    }

    /// Declares what has a state of its own; the rest is written where it is used.
    fn argument(&mut self, name: &str, descriptor: &str, input: &Input) -> String {
        match input {
            Input::Object { .. }
            | Input::Result { .. }
            | Input::Array { .. }
            | Input::StandIn { .. }
            | Input::Shared { .. } => {
                self.declare(name, &type_name(descriptor), input);
                name.to_string()
            }
            other => self.typed(descriptor, other),
        }
    }

    fn declare(&mut self, name: &str, ty: &str, input: &Input) {
        if let Input::Shared { number, value } = input {
            self.shared
                .insert(*number, (name.to_string(), ty.to_string()));
            return self.declare(name, ty, value);
        }
        if let Some((method, calls)) = made(input)
            && made_type(method) == ty
        {
            return self.made(name, input, method, calls);
        }
        let cast = match java_text::input::given_type(input) {
            Some(given) if type_name(given) != ty => format!("({ty}) "),
            _ => String::new(),
        };
        let value = self.expression(input);
        let _ = writeln!(self.out, "        {ty} {name} = {cast}{value};");
    }

    /// The value as an expression; what is called on an object first stands before it.
    fn expression(&mut self, input: &Input) -> String {
        match input {
            Input::Shared { number, value } => {
                let name = match self.named.get(number) {
                    Some(name) => name.clone(),
                    None => java_text::input::shared_name(*number),
                };
                self.declare(&name, &declared_type(value), input);
                return name;
            }
            Input::Same(number) => {
                let known = self.shared.get(number);
                return known.map_or_else(|| java_text::input(input), |k| k.0.clone());
            }
            _ => {}
        }
        if let Some((method, calls)) = made(input)
            && !calls.is_empty()
        {
            self.made += 1;
            let name = format!("made{}", self.made);
            self.made(&name, input, method, calls);
            return name;
        }
        match input {
            Input::Object { .. } | Input::Result { .. } => self.made_by(input),
            Input::Array { element, values } => {
                let values: Vec<String> = values.iter().map(|v| self.expression(v)).collect();
                format!("new {}[] {{{}}}", type_name(element), values.join(", "))
            }
            Input::StandIn { class, answers } => {
                self.lambdas += 1;
                let all: Vec<String> = answers.iter().map(|a| self.answer(a)).collect();
                self.lambdas -= 1;
                let class = java_text::source_name(class);
                format!("new {class}() {{{} }}", all.concat())
            }
            Input::Argument(number) => {
                format!("{}{}", "a".repeat(self.lambdas), number + 1)
            }
            Input::Operation { operator, operands } => {
                operation(*operator, operands, |operand| self.expression(operand))
            }
            Input::Lambda { method, result } => {
                // A lambda's parameters may not have the names of those around it (JLS 6.4).
                let letters = "a".repeat(self.lambdas + 1);
                let parameters = lambda_parameters(method).replace('a', &letters);
                self.lambdas += 1;
                let body = result.as_ref().map(|r| self.answered(method, r));
                self.lambdas -= 1;
                let ty = java_text::source_name(&method.class);
                format!("({ty}) {parameters} -> {}", body.unwrap_or("{}".into()))
            }
            other => java_text::input(other),
        }
    }

    /// What a lambda gives. A generic method would infer its type from the result's type arguments, which the value need not fit.
    fn answered(&mut self, method: &MethodRef, value: &Input) -> String {
        let text = self.expression(value);
        let is_inferred = made(value).is_some_and(|(by, _)| by.name != "<init>");
        match method.descriptor.rsplit(')').next() {
            Some(result) if is_inferred && result.len() > 1 && result != "Ljava/lang/Object;" => {
                format!("({}) {text}", type_name(result))
            }
            _ => text,
        }
    }

    /// A method of a stand-in.
    fn answer(&mut self, (method, value): &PriorCall) -> String {
        let letters = "a".repeat(self.lambdas);
        let types = parameter_descriptors(&method.descriptor);
        let types = types.iter().enumerate();
        let params = types.map(|(i, p)| format!("{} {letters}{}", type_name(p), i + 1));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = type_name(method.descriptor.rsplit(')').next().unwrap_or_default());
        let body = match value.first() {
            Some(value) if result == "void" => format!("{};", self.expression(value)),
            Some(value) => format!("return {};", self.expression(value)),
            None => String::new(),
        };
        format!(" public {result} {}({params}) {{ {body} }}", method.name)
    }

    /// Declares an object and calls what is called on it.
    fn made(&mut self, name: &str, input: &Input, method: &MethodRef, calls: &[PriorCall]) {
        let made = self.made_by(input);
        let ty = made_type(method);
        let _ = writeln!(self.out, "        {ty} {name} = {made};");
        for (call, args) in calls {
            let args = self.arguments(call, args);
            let _ = match call.is_field() {
                true => writeln!(self.out, "        {name}.{} = {args};", call.name),
                false => writeln!(self.out, "        {name}.{}({args});", call.name),
            };
        }
    }

    /// The constructor, factory or method of an object that makes it.
    fn made_by(&mut self, input: &Input) -> String {
        match input {
            Input::Object { method, args, .. } => {
                let class = java_text::source_name(&method.class);
                let args = self.arguments(method, args);
                match method.name.as_str() {
                    "<init>" => format!("new {class}({args})"),
                    name => format!("{class}.{name}({args})"),
                }
            }
            Input::Result {
                receiver,
                method,
                args,
                ..
            } => {
                let class = java_text::source_name(&method.class);
                let given = match &**receiver {
                    Input::Same(number) => self.shared.get(number).map(|k| k.1.clone()),
                    made => java_text::input::given_type(made).map(type_name),
                };
                let mut on = self.expression(receiver);
                let is_argument = matches!(**receiver, Input::Argument(_));
                if is_argument || given.is_some_and(|g| g != class) {
                    on = format!("(({class}) {on})");
                }
                let args = self.arguments(method, args);
                format!("{on}.{}({args})", method.name)
            }
            other => self.expression(other),
        }
    }

    fn arguments(&mut self, method: &MethodRef, args: &[Input]) -> String {
        let params = parameter_descriptors(&method.descriptor);
        let all = args.iter().zip(&params);
        // What the platform's members that make inputs take as an object, they take in no other way.
        let plain = |p: &str| method.class.starts_with("java.") && p == "Ljava/lang/Object;";
        let all: Vec<String> = all
            .map(|(input, p)| match input {
                Input::Lambda { .. } => self.typed(p, input),
                _ if plain(p) => self.expression(input),
                _ => self.typed(p, input),
            })
            .collect();
        all.join(", ")
    }

    /// The value for a parameter of that type, cast where another overload might fit better.
    fn typed(&mut self, descriptor: &str, input: &Input) -> String {
        let text = match input {
            // A cast in front of a negative literal is a subtraction.
            Input::Boxed(inner) => Form::Readable.boxed(inner),
            _ => self.expression(input),
        };
        let primitive = descriptor.len() == 1;
        let own = match input {
            Input::Str(_) => descriptor == "Ljava/lang/String;",
            Input::Enum { class, .. } => *descriptor == format!("L{};", class.internal()),
            Input::Class(_) => descriptor == "Ljava/lang/Class;",
            Input::Lambda { method, .. } => {
                java_text::source_name(&method.class) == type_name(descriptor)
            }
            Input::Boxed(inner) => type_name(descriptor) == format!("java.lang.{}", box_of(inner)),
            Input::Null | Input::Field { .. } => false,
            Input::Same(number) => {
                let known = self.shared.get(number);
                known.is_some_and(|k| k.1 == type_name(descriptor))
            }
            Input::Shared { value, .. } => declared_type(value) == type_name(descriptor),
            Input::Object { method, .. } | Input::Result { method, .. } => {
                made_type(method) == type_name(descriptor) && !infers(method)
            }
            Input::Array { element, .. } => *descriptor == format!("[{element}"),
            Input::StandIn { class, .. } => *descriptor == format!("L{};", class.internal()),
            _ => true,
        };
        if own || primitive {
            text
        } else {
            format!("({}) {text}", type_name(descriptor))
        }
    }
}

/// The type of a variable for an object that is used again.
fn declared_type(value: &Input) -> String {
    match value {
        Input::Object { method, .. } | Input::Result { method, .. } => made_type(method),
        Input::Array { element, .. } => format!("{}[]", type_name(element)),
        Input::Lambda { method, .. } => java_text::source_name(&method.class),
        Input::StandIn { class, .. } => java_text::source_name(class),
        Input::Boxed(inner) => format!("java.lang.{}", box_of(inner)),
        Input::Str(_) => "java.lang.String".into(),
        Input::Shared { value, .. } => declared_type(value),
        _ => "java.lang.Object".into(),
    }
}

/// What makes an object, and what is called on it then.
fn made(input: &Input) -> Option<(&MethodRef, &[PriorCall])> {
    match input {
        Input::Object { method, calls, .. } | Input::Result { method, calls, .. } => {
            Some((method, calls))
        }
        _ => None,
    }
}

/// The type a constructor or method gives.
fn made_type(method: &MethodRef) -> String {
    match method.name.as_str() {
        "<init>" => java_text::source_name(&method.class),
        _ => type_name(method.descriptor.rsplit(')').next().unwrap_or_default()),
    }
}

/// Whether the type arguments of what a method gives may come from its arguments (JLS 18.5.2), which need not fit those of a parameter.
fn infers(method: &MethodRef) -> bool {
    let params = parameter_descriptors(&method.descriptor);
    let is_any = |p: &String| p.trim_start_matches('[') == "Ljava/lang/Object;";
    method.name != "<init>" && params.iter().any(is_any)
}

fn call(entry: &MethodRef, receiver: Option<&str>, args: &[String]) -> String {
    if let Some(class) = entry.read_class() {
        return format!("{}.{}", java_text::source_name(&class), entry.name);
    }
    let class = java_text::source_name(&entry.class);
    match (entry.name.as_str(), receiver) {
        ("<init>", _) => format!("new {class}({})", args.join(", ")),
        (name, Some(receiver)) => format!("{receiver}.{name}({})", args.join(", ")),
        (name, None) => format!("{class}.{name}({})", args.join(", ")),
    }
}

/// What a lambda with a result evaluates.
fn run(f: &Finding, call: &str) -> String {
    let void = f.entry.descriptor.ends_with(")V") && f.entry.name != "<init>";
    match void {
        true => format!("{{ {call}; return null; }}"),
        false => call.to_string(),
    }
}

/// A line with the call and JUnit's own assertion on how it ends; `None` where there is none that says it all.
fn assertion(f: &Finding, wanted: &Outcome, call: &str, junit: JUnit) -> Option<String> {
    if !f.old.printed.is_empty() || !f.new.printed.is_empty() {
        return None;
    }
    // What a constructor gives is the new object.
    let made = |o: &Outcome| f.entry.name == "<init>" && o.receiver.is_some();
    let line = match &wanted.end {
        End::Returned(Seen::Void) if made(&f.old) && made(&f.new) => return None,
        End::Returned(Seen::Void) => format!("{call};"),
        End::Returned(value) => plain(value, call, &f.entry, junit)?,
        End::Threw { class, message, .. } if junit == JUnit::Five => {
            let thrown = format!(
                "assertThrows({}.class, () -> {call})",
                java_text::source_name(class)
            );
            match message {
                Some(m) if with_message(wanted) => format!(
                    "assertEquals(\"{}\", {thrown}.getMessage());",
                    java_text::escaped(m)
                ),
                None if with_message(wanted) => format!("assertNull({thrown}.getMessage());"),
                _ => format!("{thrown};"),
            }
        }
        _ => return None,
    };
    Some(format!("        {line}\n"))
}

/// The call of a lambda that the method returns; `None` where it returns none by which the versions are told apart.
fn of_function(f: &Finding, wanted: &Outcome, call: &str, junit: JUnit) -> Option<String> {
    let shown = f.telling.shown.as_ref()?;
    let is_lambda = |o: &Outcome| matches!(&o.end, End::Returned(Seen::Content { class, .. }) if class == HIDDEN);
    if !is_lambda(&f.old) || !is_lambda(&f.new) {
        return None;
    }
    let asked = Finding {
        entry: shown.method.clone(),
        old: shown.old.clone(),
        new: shown.new.clone(),
        ..f.clone()
    };
    let wanted = match *wanted == f.old {
        true => &shown.old,
        false => &shown.new,
    };
    let result = type_name(f.entry.descriptor.rsplit(')').next()?);
    let args: Vec<String> = shown.args.iter().map(java_text::input).collect();
    let then = format!("result.{}({})", shown.method.name, args.join(", "));
    let line = match &wanted.end {
        End::Returned(value @ Seen::Str(_)) => {
            format!(
                "        assertEquals({}, {then});\n",
                java_text::seen(value)
            )
        }
        End::Returned(Seen::Boxed(value)) => {
            format!(
                "        assertEquals((Object) {}, {then});\n",
                java_text::seen(value)
            )
        }
        End::Returned(Seen::Null) => format!("        assertNull({then});\n"),
        _ => assertion(&asked, wanted, &then, junit)?,
    };
    Some(format!("        {result} result = {call};\n{line}"))
}

/// JUnit's own assertion for a value that has a literal; `None` for those that have not.
fn plain(value: &Seen, call: &str, entry: &MethodRef, junit: JUnit) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lambda_that_gives_a_lambda_has_parameters_of_its_own() {
        let lambda = |class: &str, descriptor: &str, result: Input| Input::Lambda {
            method: MethodRef {
                class: class.into(),
                name: "of".into(),
                descriptor: descriptor.into(),
            },
            result: Some(Box::new(result)),
        };
        let inner = lambda("p.Inner", "(II)I", Input::Int(1));
        let outer = lambda("p.Outer", "(I)Lp/Inner;", inner);
        let mut out = String::new();
        let mut locals = Locals::of(&mut out);
        let text = locals.expression(&outer);
        assert_eq!(text, "(p.Outer) (a1) -> (p.Inner) (aa1, aa2) -> 1");
        assert_eq!(locals.expression(&outer), text);
    }

    #[test]
    fn what_a_generic_factory_gives_is_passed_without_its_type_arguments() {
        let made = |descriptor: &str, args: Vec<Input>| Input::Object {
            method: MethodRef {
                class: "p.Box".into(),
                name: "of".into(),
                descriptor: descriptor.into(),
            },
            args,
            calls: Vec::new(),
        };
        let mut out = String::new();
        let mut locals = Locals::of(&mut out);
        let mut passed = |input: &Input| locals.typed("Lp/Box;", input);
        let any = made("(Ljava/lang/Object;)Lp/Box;", vec![Input::Int(1)]);
        assert_eq!(passed(&any), "(p.Box) p.Box.of(1)");
        let number = made("(I)Lp/Box;", vec![Input::Int(1)]);
        assert_eq!(passed(&number), "p.Box.of(1)");
    }
}
