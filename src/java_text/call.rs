//! A finding's input as one Java-like call that `shadow-ci replay` reads back exactly, as a word of a command line.

use super::input::Form;
use crate::model::{Finding, Inputs, MethodRef};

/// The call of a finding.
pub fn call_text(f: &Finding) -> String {
    call(&f.entry, &f.inputs)
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
