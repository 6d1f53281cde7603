//! Writers and streams of the JDK that pass on what is written to one in memory: a test asks that one.

use crate::model::Input;

const WRAPPERS: [&str; 8] = [
    "java.io.PrintWriter",
    "java.io.PrintStream",
    "java.io.BufferedWriter",
    "java.io.OutputStreamWriter",
    "java.io.BufferedOutputStream",
    "java.io.DataOutputStream",
    "java.io.FilterOutputStream",
    "java.util.zip.CheckedOutputStream",
];

const IN_MEMORY: [&str; 3] = [
    "java.io.StringWriter",
    "java.io.CharArrayWriter",
    "java.io.ByteArrayOutputStream",
];

/// The wrapper, with the one in memory as an object of that number, which gets a name; `None` for other inputs.
pub(super) fn with_own_name(input: &Input, number: u32) -> Option<Input> {
    let Input::Object {
        method,
        args,
        calls,
    } = input
    else {
        return None;
    };
    let (inner, rest) = args.split_first()?;
    if method.name != "<init>" || WRAPPERS.iter().all(|w| method.class != **w) {
        return None;
    }
    let inner = match inner {
        Input::Object { method, .. }
            if method.name == "<init>" && IN_MEMORY.iter().any(|m| method.class == **m) =>
        {
            Input::Shared {
                number,
                value: Box::new(inner.clone()),
            }
        }
        other => with_own_name(other, number)?,
    };
    Some(Input::Object {
        method: method.clone(),
        args: std::iter::once(inner).chain(rest.iter().cloned()).collect(),
        calls: calls.clone(),
    })
}
