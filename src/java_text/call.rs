//! A finding's input as one Java-like call that `shadow-ci replay` reads back exactly, as a word of a command line.

use super::input::Form;
use crate::model::{Finding, Inputs, MethodRef};

/// The call of a finding; where it can't be written, the test that makes it.
pub fn call_text(f: &Finding) -> String {
    in_test(f).unwrap_or_else(|| call(&f.entry, &f.inputs))
}

/// What makes the call of a finding whose input can't be written: `demo.FooTest#bar`, and which of its calls.
pub fn in_test(f: &Finding) -> Option<String> {
    let situation = f.situation.as_ref().filter(|s| !s.is_written)?;
    let test = &situation.test;
    Some(match situation.call {
        Some(n) => {
            let class = super::source_name(&f.entry.class);
            let called = match &*f.entry.name {
                "<init>" => format!("new {class}(…)"),
                name => format!("{class}.{name}(…)"),
            };
            format!("call {n} of {called} in {test}")
        }
        None => test.clone(),
    })
}

/// The call, e.g. `(new demo.Counter(0) after add(3)).get()`.
pub fn call(entry: &MethodRef, inputs: &Inputs) -> String {
    Form::Exact.call(&entry.class, entry, inputs)
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
