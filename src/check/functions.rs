//! Lambdas that a call returns: the call of one by which a caller tells the versions apart.

use crate::bytecode::access::ABSTRACT;
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::model::{End, Finding, HIDDEN, Input, MethodRef, Outcome, Seen, Shown, Spelling};

/// The first call on which the lambdas that both versions return differ, if nothing else does and a test can write it.
pub fn shown(f: &Finding, classes: &[&ClassPath]) -> Option<Shown> {
    let (End::Returned(old), End::Returned(new)) = (&f.old.end, &f.new.end) else {
        return None;
    };
    let (old, new) = (calls(old)?, calls(new)?);
    let is_alone = f.old.receiver == f.new.receiver && f.old.args == f.new.args;
    if !is_alone || f.old.printed != f.new.printed || f.old.files != f.new.files {
        return None;
    }
    let result = f.entry.descriptor.rsplit(')').next()?;
    let method = function(classes, result.strip_prefix('L')?.strip_suffix(';')?)?;
    let types = parameter_descriptors(&method.descriptor);
    let part = if types.is_empty() { 1 } else { 2 };
    let mut pairs = old.chunks(part).zip(new.chunks(part));
    let (a, b) = pairs.find(|(a, b)| a != b && a[..part - 1] == b[..part - 1])?;
    let args = match a {
        [arguments, _] => told(arguments, &types)?,
        _ => Vec::new(),
    };
    Some(Shown {
        args,
        old: outcome(a.last()?, &method),
        new: outcome(b.last()?, &method),
        method,
    })
}

/// What the lambda gave, with the arguments before each result if it has some.
fn calls(value: &Seen) -> Option<&[Seen]> {
    match value {
        Seen::Content { class, values } if class == HIDDEN => Some(values),
        _ => None,
    }
}

/// The only abstract method of an interface and those above it.
fn function(classes: &[&ClassPath], interface: &str) -> Option<MethodRef> {
    let mut next = vec![interface.to_string()];
    let mut found: Option<MethodRef> = None;
    while let Some(name) = next.pop() {
        let class = classes.iter().find_map(|c| c.find(&name).ok().flatten())?;
        for method in class.methods.iter().filter(|m| m.access & ABSTRACT != 0) {
            if is_of_object(&method.name, &method.descriptor) {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some(MethodRef {
                class: interface.dotted().into(),
                name: method.name.to_string(),
                descriptor: method.descriptor.to_string(),
            });
        }
        next.extend(class.interfaces.iter().map(|i| i.to_string()));
    }
    found
}

fn is_of_object(name: &str, descriptor: &str) -> bool {
    let all = [
        ("equals", "(Ljava/lang/Object;)Z"),
        ("hashCode", "()I"),
        ("toString", "()Ljava/lang/String;"),
    ];
    all.contains(&(name, descriptor))
}

/// The arguments that a text tells; `None` where their types don't say what they are.
fn told(arguments: &Seen, types: &[String]) -> Option<Vec<Input>> {
    let Seen::Str(units) = arguments else {
        return None;
    };
    let text = String::from_utf16(units).ok()?;
    let parts: Vec<&str> = text.split(", ").collect();
    let each = parts.iter().zip(types).map(|(part, of)| {
        let quoted = part.strip_prefix('"').and_then(|p| p.strip_suffix('"'));
        Some(match of.as_str() {
            "I" => Input::Int(part.parse().ok()?),
            "J" => Input::Long(part.parse().ok()?),
            "D" => Input::Double(part.parse::<f64>().ok()?.to_bits()),
            "Z" => Input::Boolean(part.parse().ok()?),
            "C" => Input::Char(part.encode_utf16().next()?),
            _ => Input::Str(quoted?.encode_utf16().collect()),
        })
    });
    let all: Option<Vec<Input>> = each.collect();
    all.filter(|all| all.len() == types.len() && parts.len() == types.len())
}

fn outcome(given: &Seen, method: &MethodRef) -> Outcome {
    let end = match given.class_constant() {
        Some(class) => End::Threw {
            class: class.into(),
            message: None,
            jvm_made: true,
            at: None,
            held: Vec::new(),
        },
        None => End::Returned(match given {
            Seen::Boxed(value) if !method.descriptor.ends_with(';') => (**value).clone(),
            _ => given.clone(),
        }),
    };
    Outcome::of(end)
}
