//! Inputs as Java expressions and calls, in a form for people and in one that is read back exactly.
//!
//! Calls made on an object before it is used follow it behind `after`: `new demo.Counter(0) after add(3)`.

use super::operation::operation;
use super::{simple_name, source_name, type_name};
use crate::bytecode::parameter_descriptors;
use crate::model::{Input, Inputs, MethodRef, PriorCall, Spelling};

/// How an input is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a line of text: as source that imports all classes.
    Short,
    /// As short as source code may be that imports none.
    Readable,
    /// With the bits of every NaN and the binary names of classes. Where a literal does not show its parameter's type, a cast
    /// does, so that overloads stay apart: `f((java.lang.Object) null)`.
    Exact,
}

impl Form {
    /// A call of the entry, whose class is written as given.
    pub fn call(self, class: &str, entry: &MethodRef, inputs: &Inputs) -> String {
        if let Some(class) = entry.read_class() {
            return format!("{}.{}", self.class(&class), entry.name);
        }
        let args = self.arguments(&inputs.args, entry);
        match (&inputs.receiver, entry.name.as_str()) {
            (_, "<init>") => format!("new {class}({args})"),
            (Some(receiver), name) => {
                format!("{}.{name}({args})", self.receiver(receiver, &entry.class))
            }
            (None, name) => format!("{class}.{name}({args})"),
        }
    }

    /// The value alone.
    pub fn expression(self, value: &Input) -> String {
        match value {
            Input::Null => "null".into(),
            Input::Boolean(b) => b.to_string(),
            Input::Byte(b) => format!("(byte) {b}"),
            Input::Short(s) => format!("(short) {s}"),
            Input::Char(c) => super::char_literal(*c),
            Input::Int(i) => i.to_string(),
            Input::Long(l) => format!("{l}L"),
            Input::Float(bits) => self.float(*bits),
            Input::Double(bits) => self.double(*bits),
            Input::Str(units) => format!("\"{}\"", super::escaped(units)),
            Input::Boxed(inner) if self == Form::Exact => self.boxed(inner),
            Input::Boxed(inner) => self.expression(inner),
            Input::Array { element, values } => {
                let values: Vec<String> = values.iter().map(|v| self.expression(v)).collect();
                format!(
                    "new {}[] {{{}}}",
                    self.type_text(element),
                    values.join(", ")
                )
            }
            Input::Enum { class, constant } => format!("{}.{constant}", self.class(class)),
            Input::Object {
                method,
                args,
                calls,
            } => self.made_by(method, args) + &self.after(calls),
            Input::Result {
                receiver,
                method,
                args,
                calls,
            } => {
                let args = self.arguments(args, method);
                let receiver = self.receiver(receiver, &method.class);
                format!("{receiver}.{}({args}){}", method.name, self.after(calls))
            }
            Input::Field { class, field } => format!("{}.{field}", self.class(class)),
            Input::Class(name) if name.starts_with('[') => {
                format!("{}.class", self.type_text(&name.internal()))
            }
            Input::Class(name) => format!("{}.class", self.class(name)),
            Input::Shared { number, value } => {
                format!("{} = {}", shared_name(*number), self.expression(value))
            }
            Input::Same(number) => shared_name(*number),
            Input::StandIn { class, answers } => {
                let answer = |(method, value): &PriorCall| {
                    let body = value.first().map(|v| self.expression(v));
                    let body = body.unwrap_or("{}".into());
                    format!("{}{} -> {body}", method.name, self.parameters(method))
                };
                let answers: Vec<String> = answers.iter().map(answer).collect();
                format!("new {}() {{{}}}", self.class(class), answers.join("; "))
            }
            Input::Argument(number) => format!("a{}", number + 1),
            Input::Operation { operator, operands } => {
                operation(*operator, operands, |operand| self.expression(operand))
            }
            Input::Lambda { method, result } => {
                let body = result.as_ref().map(|r| self.expression(r));
                let body = body.unwrap_or("{}".into());
                format!("{} -> {body}", lambda_parameters(method))
            }
        }
    }

    /// A box of the primitive, in an expression that has its type by itself.
    pub fn boxed(self, primitive: &Input) -> String {
        let value = self.expression(primitive);
        format!("{}.valueOf({value})", box_of(primitive))
    }

    /// Parameters of a method that is implemented; their types tell overloads apart.
    fn parameters(self, method: &MethodRef) -> String {
        if self != Form::Exact {
            return lambda_parameters(method);
        }
        let types = parameter_descriptors(&method.descriptor);
        let types = types.iter().enumerate();
        let all = types.map(|(i, p)| format!("{} a{}", self.type_text(p), i + 1));
        format!("({})", all.collect::<Vec<_>>().join(", "))
    }

    /// Calls on an object before it is used, and fields that are set.
    fn after(self, calls: &[PriorCall]) -> String {
        let call = |(m, args): &PriorCall| match args.as_slice() {
            [value] if m.is_field() => format!(" after {} = {}", m.name, self.assigned(value, m)),
            _ => format!(" after {}({})", m.name, self.arguments(args, m)),
        };
        calls.iter().map(call).collect()
    }

    /// The value of a field. What follows it is no part of it: a value to which more could belong stands in parentheses.
    fn assigned(self, value: &Input, field: &MethodRef) -> String {
        let mut text = self.expression(value);
        if matches!(
            value,
            Input::Object { .. }
                | Input::Result { .. }
                | Input::Shared { .. }
                | Input::Lambda { .. }
        ) {
            text = format!("({text})");
        }
        match self.needs_cast(value, &field.descriptor) {
            true => format!("({}) {text}", self.type_text(&field.descriptor)),
            false => text,
        }
    }

    /// An object on which a method of the class is called: in parentheses where something was called on it before, or where only a
    /// cast says what it is.
    fn receiver(self, value: &Input, class: &str) -> String {
        let text = self.expression(value);
        let given = given_type(value).is_some_and(|d| d != format!("L{};", class.internal()));
        match value {
            Input::Lambda { .. } | Input::Argument(_) => {
                format!("(({}) {text})", self.class(class))
            }
            Input::Shared { value, .. } => {
                let is_cast =
                    self == Form::Exact && (given || matches!(**value, Input::Lambda { .. }));
                match is_cast {
                    true => format!("(({}) ({text}))", self.class(class)),
                    false => format!("({text})"),
                }
            }
            Input::Same(_) if self == Form::Exact => format!("(({}) {text})", self.class(class)),
            _ if given && self == Form::Exact => format!("(({}) {text})", self.class(class)),
            Input::Object { calls, .. } | Input::Result { calls, .. } if !calls.is_empty() => {
                format!("({text})")
            }
            _ => text,
        }
    }

    fn made_by(self, method: &MethodRef, args: &[Input]) -> String {
        let (class, args) = (self.class(&method.class), self.arguments(args, method));
        match method.name.as_str() {
            "<init>" => format!("new {class}({args})"),
            name => format!("{class}.{name}({args})"),
        }
    }

    fn arguments(self, args: &[Input], method: &MethodRef) -> String {
        let parameters = parameter_descriptors(&method.descriptor);
        let typed = args.iter().enumerate().map(|(i, value)| {
            let text = self.expression(value);
            match parameters.get(i) {
                Some(p) if self.needs_cast(value, p) => match value {
                    Input::Shared { .. } => format!("({}) ({text})", self.type_text(p)),
                    _ => format!("({}) {text}", self.type_text(p)),
                },
                _ => text,
            }
        });
        typed.collect::<Vec<_>>().join(", ")
    }

    fn needs_cast(self, value: &Input, parameter: &str) -> bool {
        self == Form::Exact && own_type(value).as_deref() != Some(parameter)
    }

    fn float(self, bits: u32) -> String {
        let canonical = bits == 0x7fc0_0000;
        match self {
            Form::Exact if f32::from_bits(bits).is_nan() && !canonical => {
                format!("Float.intBitsToFloat({})", bits as i32)
            }
            _ => super::float(bits),
        }
    }

    fn double(self, bits: u64) -> String {
        let canonical = bits == 0x7ff8_0000_0000_0000;
        match self {
            Form::Exact if f64::from_bits(bits).is_nan() && !canonical => {
                format!("Double.longBitsToDouble({}L)", bits as i64)
            }
            _ => super::double(bits),
        }
    }

    fn class(self, binary: &str) -> String {
        match self {
            Form::Short => simple_name(binary),
            Form::Readable => source_name(binary),
            Form::Exact => binary.to_string(),
        }
    }

    /// A type, `demo.Outer.Inner[]` or with its binary name.
    fn type_text(self, descriptor: &str) -> String {
        let element = descriptor.trim_start_matches('[');
        match element.strip_prefix('L') {
            Some(class) if self == Form::Exact => {
                let name = class.trim_end_matches(';').dotted();
                format!("{name}{}", "[]".repeat(descriptor.len() - element.len()))
            }
            Some(class) if self == Form::Short => {
                let name = simple_name(
                    class
                        .trim_end_matches(';')
                        .rsplit('/')
                        .next()
                        .unwrap_or(class),
                );
                format!("{name}{}", "[]".repeat(descriptor.len() - element.len()))
            }
            _ => type_name(descriptor),
        }
    }
}

/// The descriptor of the type the value's text has by itself.
fn own_type(value: &Input) -> Option<String> {
    Some(match value {
        // Of a static field only the class that declares it is known.
        Input::Null
        | Input::Lambda { .. }
        | Input::Field { .. }
        | Input::Same(_)
        | Input::Argument(_)
        | Input::Operation { .. } => return None,
        Input::Shared { value, .. } => return own_type(value),
        Input::StandIn { class, .. } => format!("L{};", class.internal()),
        Input::Boolean(_) => "Z".into(),
        Input::Byte(_) => "B".into(),
        Input::Short(_) => "S".into(),
        Input::Char(_) => "C".into(),
        Input::Int(_) => "I".into(),
        Input::Long(_) => "J".into(),
        Input::Float(_) => "F".into(),
        Input::Double(_) => "D".into(),
        Input::Str(_) => "Ljava/lang/String;".into(),
        Input::Boxed(inner) => format!("Ljava/lang/{};", box_of(inner)),
        Input::Class(_) => "Ljava/lang/Class;".into(),
        Input::Array { element, .. } => format!("[{element}"),
        Input::Enum { class, .. } => format!("L{};", class.internal()),
        Input::Object { method, .. } if method.name == "<init>" => {
            format!("L{};", method.class.internal())
        }
        Input::Object { method, .. } | Input::Result { method, .. } => {
            method.descriptor.rsplit(')').next()?.to_string()
        }
    })
}

/// The declared type of what a method gives, as a descriptor: the object may be of a class below it.
pub fn given_type(value: &Input) -> Option<&str> {
    match value.unshared() {
        Input::Object { method, .. } | Input::Result { method, .. } if method.name != "<init>" => {
            method.descriptor.rsplit(')').next()
        }
        _ => None,
    }
}

/// The simple name of the class that holds the primitive.
pub fn box_of(primitive: &Input) -> &'static str {
    match primitive {
        Input::Boolean(_) => "Boolean",
        Input::Byte(_) => "Byte",
        Input::Short(_) => "Short",
        Input::Char(_) => "Character",
        Input::Long(_) => "Long",
        Input::Float(_) => "Float",
        Input::Double(_) => "Double",
        _ => "Integer",
    }
}

/// The name of an object to which several parts of an input refer.
pub fn shared_name(number: u32) -> String {
    format!("same{number}")
}

/// A lambda's parameters, by the method of its interface.
pub fn lambda_parameters(method: &MethodRef) -> String {
    let count = parameter_descriptors(&method.descriptor).len();
    let names: Vec<String> = (1..=count).map(|i| format!("a{i}")).collect();
    format!("({})", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef {
            class: "demo.Outer$Counter".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        }
    }

    #[test]
    fn what_was_called_before_stands_in_parentheses_with_its_object() {
        let receiver = Input::Object {
            method: method("<init>", "()V"),
            args: Vec::new(),
            calls: vec![(method("add", "(I)V"), vec![Input::Int(6)])],
        };
        let inputs = Inputs {
            receiver: Some(receiver),
            args: vec![Input::Null],
        };
        let entry = method("f", "(Ljava/lang/String;)Z");
        assert_eq!(
            Form::Readable.call("Outer.Counter", &entry, &inputs),
            "(new demo.Outer.Counter() after add(6)).f(null)"
        );
        assert_eq!(
            Form::Short.call("Outer.Counter", &entry, &inputs),
            "(new Outer.Counter() after add(6)).f(null)"
        );
        let lambda = Inputs {
            receiver: Some(Input::Lambda {
                method: entry.clone(),
                result: Some(Box::new(Input::Boolean(true))),
            }),
            args: vec![Input::Null],
        };
        assert_eq!(
            Form::Exact.call(&entry.class, &entry, &lambda),
            "((demo.Outer$Counter) (a1) -> true).f((java.lang.String) null)"
        );
        assert_eq!(
            Form::Exact.call(&entry.class, &entry, &inputs),
            "(new demo.Outer$Counter() after add(6)).f((java.lang.String) null)"
        );
    }

    #[test]
    fn an_object_that_is_used_again_has_a_name() {
        let counter = Input::Shared {
            number: 1,
            value: Box::new(Input::Object {
                method: method("<init>", "()V"),
                args: Vec::new(),
                calls: vec![(
                    method("link", "(Ldemo/Outer$Counter;)V"),
                    vec![Input::Same(1)],
                )],
            }),
        };
        let inputs = Inputs {
            receiver: Some(counter),
            args: vec![Input::Same(1)],
        };
        let entry = method("is", "(Ljava/lang/Object;)Z");
        assert_eq!(
            Form::Readable.call("Outer.Counter", &entry, &inputs),
            "(same1 = new demo.Outer.Counter() after link(same1)).is(same1)"
        );
    }

    #[test]
    fn fields_are_set_between_calls() {
        let object = |calls: Vec<PriorCall>| Input::Object {
            method: method("<init>", "()V"),
            args: Vec::new(),
            calls,
        };
        let inner = object(vec![(method("n", "I"), vec![Input::Int(1)])]);
        let outer = object(vec![
            (method("next", "Ldemo/Outer$Counter;"), vec![inner]),
            (method("add", "(I)V"), vec![Input::Int(6)]),
            (method("size", "J"), vec![Input::Long(2)]),
        ]);
        assert_eq!(
            Form::Exact.expression(&outer),
            "new demo.Outer$Counter() after next = (new demo.Outer$Counter() after n = 1) after add(6) after size = 2L"
        );
    }
}
