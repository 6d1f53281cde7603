//! Whether a test in the entry method's package can write an input as plain Java, without reflection.

use crate::bytecode::ClassPath;
use crate::verdict::{Input, Inputs, MethodId};

const PRIVATE: u16 = 0x0002;
const STATIC: u16 = 0x0008;

/// Whether the entry and everything in its input can be named.
pub fn nameable(classes: &ClassPath, entry: &MethodId, inputs: &Inputs) -> bool {
    let package = |class: &str| {
        class
            .rsplit_once('.')
            .map_or(String::new(), |p| p.0.to_string())
    };
    let home = package(&entry.class);
    let mut used = vec![entry.class.clone()];
    let mut todo: Vec<&Input> = inputs.receiver.iter().chain(&inputs.args).collect();
    while let Some(input) = todo.pop() {
        match input {
            Input::Enum { class, .. } => used.push(class.clone()),
            Input::Array { values, .. } => todo.extend(values),
            Input::Object {
                method,
                args,
                calls,
            } => {
                used.push(method.class.clone());
                todo.extend(args);
                todo.extend(calls.iter().flat_map(|c| &c.1));
                // Calls on an object need a variable, which only receivers and arguments themselves get.
                let top = inputs
                    .receiver
                    .iter()
                    .chain(&inputs.args)
                    .any(|i| std::ptr::eq(i, input));
                if !calls.is_empty() && !top {
                    return false;
                }
            }
            _ => {}
        }
    }
    used.iter()
        .all(|class| package(class) == home && visible(classes, class))
}

/// A top-level class, or a static one nested in visible ones without being private.
fn visible(classes: &ClassPath, class: &str) -> bool {
    let name = class.replace('.', "/");
    let Some((outer, _)) = class.rsplit_once('$') else {
        return true;
    };
    let Ok(Some(file)) = classes.find(&name) else {
        return false;
    };
    let row = file.inner_classes.iter().find(|row| *row.0 == *name);
    let open =
        row.is_some_and(|row| row.1.is_some() && row.3 & PRIVATE == 0 && row.3 & STATIC != 0);
    open && visible(classes, outer)
}
