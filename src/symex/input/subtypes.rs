//! Classes below a type with type arguments, as they are declared (JLS §4.10.2).

use super::typed::{Typed, supertype};
use crate::bytecode::class_file::ClassFile;
use std::sync::Arc;

/// Type parameters of a class below that are told apart.
const MOST: usize = 6;
/// What stands for the type parameter of that number: no descriptor is written so.
const PARAMETER: char = '?';
const OBJECT: &str = "java/lang/Object";

/// Gives the class file of that internal name, where it is known.
type Find<'a, E> = dyn FnMut(&str) -> Result<Option<Arc<ClassFile>>, E> + 'a;

/// The class of that internal name as one of a type above it: `Same` below `Function<Text, Text>` is `Same<Text>` if it is declared so.
/// `None` where its arguments for the type are others, as those of `class Sizes implements Function<Text, Integer>` are. What `find`
/// does not know may be anything.
///
/// # Errors
/// Those of `find`.
pub fn as_below<E>(name: &str, of: &Typed, find: &mut Find<E>) -> Result<Option<Typed>, E> {
    let raw = Typed::raw(&descriptor_of(name));
    if of.arguments.is_empty() {
        return Ok(Some(raw));
    }
    let parameters = (0..MOST).map(|i| Typed::raw(&format!("{PARAMETER}{i}")));
    let own = Typed {
        arguments: parameters.collect(),
        ..raw.clone()
    };
    let Some(found) = line_to(own, of, find)? else {
        return Ok(Some(raw));
    };
    let mut arguments: Vec<Option<Typed>> = Vec::new();
    for (own, wanted) in found.arguments.iter().zip(&of.arguments) {
        let number = own.descriptor.strip_prefix(PARAMETER);
        match number.and_then(|n| n.parse::<usize>().ok()) {
            Some(n) => {
                arguments.resize(arguments.len().max(n + 1), None);
                arguments[n] = Some(wanted.clone());
            }
            None if are_related(own, wanted, find)? => {}
            None => return Ok(None),
        }
    }
    let arguments: Option<Vec<Typed>> = arguments.into_iter().collect();
    Ok(Some(Typed {
        arguments: arguments.unwrap_or_default(),
        ..raw
    }))
}

fn descriptor_of(class: &str) -> String {
    format!("L{class};")
}

/// The type as one above it is declared to be; `None` where nothing says so.
fn line_to<E>(from: Typed, above: &Typed, find: &mut Find<E>) -> Result<Option<Typed>, E> {
    let (mut next, mut seen) = (vec![from], Vec::new());
    while let Some(typed) = next.pop() {
        let class = class_of(&typed).unwrap_or_default().to_string();
        if seen.contains(&class) {
            continue;
        }
        if let Some(file) = find(&class)? {
            for parent in file.parents() {
                let parent = descriptor_of(parent);
                match supertype(&typed, file.signature.as_deref(), &parent) {
                    Some(found) if found.descriptor == above.descriptor => return Ok(Some(found)),
                    Some(found) => next.push(found),
                    None => next.push(Typed::raw(&parent)),
                }
            }
        }
        seen.push(class);
    }
    Ok(None)
}

fn class_of(typed: &Typed) -> Option<&str> {
    typed.descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// Whether one of two type arguments may be the other: wildcards and variables stand for their bounds.
fn are_related<E>(one: &Typed, other: &Typed, find: &mut Find<E>) -> Result<bool, E> {
    let (Some(a), Some(b)) = (class_of(one), class_of(other)) else {
        return Ok(true);
    };
    if a == b || [a, b].contains(&OBJECT) {
        return Ok(true);
    }
    let (Some(first), Some(second)) = (find(a)?, find(b)?) else {
        return Ok(true);
    };
    Ok(first.above(&mut *find)?.contains(b) || second.above(&mut *find)?.contains(a))
}
