//! The calls of which an input consists.

use crate::model::{Input, Inputs, MethodRef};

/// A method and the arguments that it gets.
pub(super) type InputCall<'a> = (&'a MethodRef, &'a [Input]);

/// The calls with arguments that make an input and enter the method with it, without those of the JDK's classes.
pub(super) fn of<'a>(entry: &'a MethodRef, inputs: &'a Inputs) -> Vec<InputCall<'a>> {
    let mut all = calls(entry, inputs);
    // A field that is set is no call, and a method may have its name.
    all.retain(|(method, args)| {
        !args.is_empty() && !method.class.starts_with("java") && !method.is_field()
    });
    all
}

/// The calls that put `null` into a map of the JDK as a key.
pub(super) fn null_keys<'a>(entry: &'a MethodRef, inputs: &'a Inputs) -> Vec<InputCall<'a>> {
    let mut all = calls(entry, inputs);
    all.retain(|(method, args)| {
        let is_map = method.class.starts_with("java.util.") && args.first() == Some(&Input::Null);
        is_map && matches!(&*method.name, "put" | "putIfAbsent" | "singletonMap")
    });
    all
}

fn calls<'a>(entry: &'a MethodRef, inputs: &'a Inputs) -> Vec<InputCall<'a>> {
    let mut all: Vec<InputCall> = vec![(entry, &inputs.args)];
    let parts = inputs.receiver.iter().chain(&inputs.args);
    parts.for_each(|part| add(part, &mut all));
    all
}

fn add<'a>(input: &'a Input, all: &mut Vec<InputCall<'a>>) {
    let (method, args, calls) = match input {
        Input::Object {
            method,
            args,
            calls,
        } => (method, args, calls),
        Input::Result {
            receiver,
            method,
            args,
            calls,
        } => {
            add(receiver, all);
            (method, args, calls)
        }
        other => return other.parts().for_each(|part| add(part, all)),
    };
    let before = calls.iter().map(|(method, args)| (method, args));
    for (method, args) in before.chain([(method, args)]) {
        all.push((method, args));
        args.iter().for_each(|arg| add(arg, all));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_calls_of_an_object_are_seen_those_of_its_arguments_too() {
        let method = |class: &str, name: &str| MethodRef {
            class: class.into(),
            name: name.into(),
            descriptor: "(I)V".into(),
        };
        let object = |class: &str, args: Vec<Input>| Input::Object {
            method: method(class, "<init>"),
            args,
            calls: vec![(method(class, "set"), vec![Input::Int(1)])],
        };
        let inner = object("b.Inner", vec![Input::Null]);
        let outer = object("b.Outer", vec![inner]);
        let mut all = Vec::new();
        add(&outer, &mut all);
        let names = all.iter().map(|(m, _)| format!("{}#{}", m.class, m.name));
        let names: Vec<String> = names.collect();
        assert_eq!(
            names,
            [
                "b.Outer#set",
                "b.Outer#<init>",
                "b.Inner#set",
                "b.Inner#<init>"
            ]
        );
    }
}
