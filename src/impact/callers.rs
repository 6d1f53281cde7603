//! Callers of a method: direct references in bytecode, followed backwards to methods that a test can call.

use super::mentions::Mentions;
use super::static_values::StaticValues;
use super::touched::Touched;
use crate::bytecode::access::{ENUM, PRIVATE, PUBLIC, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Const, Insn, Method};
use crate::bytecode::{Giver, givers, is_numbered, parameter_descriptors, users_of_made};
use crate::model::{ClassName, MethodRef, Spelling};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Calls between a method and a public one that shows what it does.
const CALLS: usize = 3;

/// The method's public name.
pub fn id(class: &ClassFile, method: &Method) -> MethodRef {
    MethodRef {
        class: ClassName::of_internal(&class.name),
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
    }
}

/// Whether a test in the method's package can call it.
pub fn accessible(class: &ClassFile, method: &Method) -> bool {
    method.access & (PRIVATE | SYNTHETIC) == 0
        && &*method.name != "<clinit>"
        && !is_numbered(&class.name)
        && method.code.is_some()
}

/// Up to `most` accessible methods through which `changed` is entered, nearest first, and of those equally near the ones that may
/// pass on what the change is about; `changed` itself when it is accessible. What `is_one_sided` can't be called in both versions:
/// its own callers are tried. A method of a private class comes after code outside of such classes that enters it, save `changed`, which
/// comes first: with it alone, all that such code could do is known.
pub fn entries(
    mentions: &Mentions,
    changed: &MethodRef,
    is_one_sided: impl Fn(&MethodRef) -> bool,
    most: usize,
) -> Vec<MethodRef> {
    let classes = mentions.classes();
    let mut queue = VecDeque::from([changed.clone()]);
    let mut seen: BTreeSet<MethodRef> = queue.iter().cloned().collect();
    let touched = Touched::of(classes, changed);
    let (mut found, mut inside) = (Vec::new(), Vec::new());
    while let Some(method) = queue.pop_front() {
        let givers = open_givers(classes, &method);
        let is_open = !givers.is_empty() || is_accessible(classes, &method);
        let is_open = is_open && !is_one_sided(&method);
        if is_open && givers.is_empty() && is_private(classes, &method) {
            match method == *changed {
                true => found.push(method.clone()),
                false => inside.push(method.clone()),
            }
        } else if is_open {
            found.push(method.clone());
            if found.len() >= most {
                break;
            }
            // A method that gives objects may need what can't be made; a field holds its object.
            let is_made = |g: &Giver| matches!(g, Giver::Method(..));
            if givers.is_empty() || !givers.iter().all(is_made) {
                continue;
            }
        }
        let mut called = vec![method.clone()];
        if is_numbered(&method.class) {
            called.extend(declarations_above(classes, &method));
        }
        let mut callers = mentions.callers(&called);
        callers.sort_by_key(|(_, caller)| !touched.is_taken_by(caller));
        let is_method = !method.name.starts_with('<');
        if is_method {
            callers.extend(users_of_made(classes, &method.class.internal()));
        }
        // Who only makes such an object comes last.
        let makes = |i: &Insn| matches!(i, Insn::New(class) if **class == *method.class.internal());
        let calls_it = |m: &Method| called.iter().any(|c| has(m, |i| calls(i, c)));
        callers.sort_by_key(|(_, m)| (!calls_it(m), has(m, makes)));
        if method.name == "<clinit>" {
            let values = StaticValues::of(classes, &method);
            let (readers, others): (Vec<_>, Vec<_>) = callers
                .into_iter()
                .partition(|(_, m)| values.are_read_by(m));
            // What is made to show a field shows no other.
            let shows_all = readers
                .iter()
                .any(|(class, m)| id(class, m).read_class().is_none());
            callers = if shows_all {
                readers
            } else {
                [readers, others].concat()
            };
            // An enum's `values()`, or another method that only tells what static fields hold, shows more than who uses a part of it.
            let own = method.class.internal();
            let arity = |m: &Method| parameter_descriptors(&m.descriptor).len();
            callers
                .sort_by_key(|(class, m)| (*class.name != *own, m.access & STATIC == 0, arity(m)));
            // Methods that take the same mostly show the same: those that take something else come before the second of them.
            let mut taken = BTreeSet::new();
            let (first, more): (Vec<_>, Vec<_>) = callers
                .into_iter()
                .partition(|(_, m)| taken.insert(m.descriptor.split(')').next()));
            callers = [first, more].concat();
            callers.sort_by_key(|(class, _)| *class.name != *own);
            let takes_none = callers.iter().take_while(|(_, m)| arity(m) == 0).count();
            callers.splice(takes_none..takes_none, constant_getters(classes, &own));
        }
        let callers = callers.into_iter().map(|(class, caller)| id(class, caller));
        queue.extend(callers.filter(|caller| seen.insert(caller.clone())));
    }
    if found.first() != Some(changed) {
        found.extend(inside);
        found.truncate(most);
    }
    found
}

/// Whether a method's class is private, or in a private one.
fn is_private(classes: &[Arc<ClassFile>], method: &MethodRef) -> bool {
    let name = method.class.internal();
    let mut same = classes.iter().filter(|c| *c.name == *name);
    same.any(|c| c.is_private())
}

/// Methods that an enum's constants have and that tell what these hold: the set-up gives them their fields, and no static field shows those.
/// Those that read fields come first, and of these the ones that take nothing.
fn constant_getters<'a>(
    classes: &'a [Arc<ClassFile>],
    class: &str,
) -> Vec<(&'a ClassFile, &'a Method)> {
    let is_it = |c: &&Arc<ClassFile>| *c.name == *class && c.access & ENUM != 0;
    let Some(file) = classes.iter().find(is_it) else {
        return Vec::new();
    };
    let takes = |m: &Method| parameter_descriptors(&m.descriptor).len();
    let reads = |m: &Method| has(m, |i| matches!(i, Insn::GetField(f) if *f.class == *class));
    let tells = |m: &&Method| {
        m.access & STATIC == 0
            && !m.name.starts_with('<')
            && !m.descriptor.ends_with('V')
            && (takes(m) == 0 || reads(m))
            && accessible(file, m)
    };
    let mut getters: Vec<&Method> = file.methods.iter().filter(tells).collect();
    getters.sort_by_key(|m| (!reads(m), takes(m)));
    getters.into_iter().map(|m| (&**file, m)).collect()
}

/// Up to `most` public methods of public classes that come to an accessible method by a few calls, nearest first: what it is for
/// shows where others call it.
pub fn public_callers(
    mentions: &Mentions,
    changed: &MethodRef,
    is_one_sided: impl Fn(&MethodRef) -> bool,
    most: usize,
) -> Vec<MethodRef> {
    let classes = mentions.classes();
    let is_public = |class: &ClassFile, method: &Method| {
        accessible(class, method) && class.access & method.access & PUBLIC != 0
    };
    let mut layer = vec![changed.clone()];
    let mut seen: BTreeSet<MethodRef> = layer.iter().cloned().collect();
    let touched = Touched::of(classes, changed);
    let mut found = Vec::new();
    for _ in 0..CALLS {
        let mut next = Vec::new();
        // Calls that name what is above a method are of any object below it.
        let above: Vec<MethodRef> = layer
            .iter()
            .flat_map(|m| declarations_above(classes, m))
            .collect();
        let mut callers = mentions.callers(&layer);
        callers.extend(mentions.callers(&above));
        callers.sort_by_key(|(_, caller)| !touched.is_taken_by(caller));
        for (class, caller) in callers {
            let name = id(class, caller);
            if seen.insert(name.clone()) {
                let is_entry = is_public(class, caller) && !is_one_sided(&name);
                if is_entry && found.len() < most {
                    found.push(name.clone());
                }
                next.push(name);
            }
        }
        if found.len() >= most || next.is_empty() {
            break;
        }
        layer = next;
    }
    found
}

/// Whether `from` can come to `to` by direct references, itself included.
pub fn reaches(mentions: &Mentions, from: &MethodRef, to: &MethodRef) -> bool {
    let mut todo = vec![to.clone()];
    let mut seen: BTreeSet<MethodRef> = todo.iter().cloned().collect();
    while let Some(method) = todo.pop() {
        if method == *from {
            return true;
        }
        let callers = mentions.callers(std::slice::from_ref(&method)).into_iter();
        let callers = callers.map(|(class, caller)| id(class, caller));
        todo.extend(callers.filter(|caller| seen.insert(caller.clone())));
    }
    false
}

fn is_accessible(classes: &[Arc<ClassFile>], method: &MethodRef) -> bool {
    let name = method.class.internal();
    classes.iter().filter(|c| *c.name == *name).any(|c| {
        let declared = c.method(&method.name, &method.descriptor);
        declared.is_some_and(|m| accessible(c, m))
    })
}

/// What gives a test objects of the method's class, though it can't name the class, if it may call the method on them.
fn open_givers<'a>(classes: &'a [Arc<ClassFile>], method: &MethodRef) -> Vec<Giver<'a>> {
    let is_open = |m: &Method| m.access & (PRIVATE | STATIC | SYNTHETIC) == 0 && m.code.is_some();
    let name = method.class.internal();
    if !is_numbered(&name) || method.name.starts_with('<') {
        return Vec::new();
    }
    match declared(classes, &name, method).is_some_and(is_open) {
        true => givers(classes, &name),
        false => Vec::new(),
    }
}

/// The method as classes and interfaces of the build above its own declare it: calls name it so.
pub(super) fn declarations_above(classes: &[Arc<ClassFile>], method: &MethodRef) -> Vec<MethodRef> {
    let mut todo = vec![method.class.internal()];
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let is_own = |m: &&Method| m.access & (PRIVATE | STATIC) != 0 || m.name.starts_with('<');
    while let Some(name) = todo.pop() {
        let Some(class) = classes.iter().find(|c| *c.name == *name) else {
            continue;
        };
        let here = class.method(&method.name, &method.descriptor);
        if here.filter(is_own).is_some() {
            break;
        }
        if name != method.class.internal() {
            found.extend(here.map(|m| id(class, m)));
        }
        let above = class.super_name.iter().chain(&class.interfaces);
        todo.extend(
            above
                .map(|c| c.to_string())
                .filter(|c| seen.insert(c.clone())),
        );
    }
    found
}

fn declared<'a>(
    classes: &'a [Arc<ClassFile>],
    class: &str,
    method: &MethodRef,
) -> Option<&'a Method> {
    let mut same = classes.iter().filter(|c| *c.name == *class);
    same.find_map(|c| c.method(&method.name, &method.descriptor))
}

/// Whether one of a method's instructions is such a one.
fn has(method: &Method, is_it: impl Fn(&Insn) -> bool) -> bool {
    let code = method.code.as_ref();
    code.is_some_and(|c| c.insns.iter().any(is_it))
}

/// Whether an instruction calls the method, or makes a lambda of it.
fn calls(insn: &Insn, method: &MethodRef) -> bool {
    let class = method.class.internal();
    let names_it =
        |c: &str, n: &str, d: &str| c == class && n == method.name && d == method.descriptor;
    match insn {
        Insn::Invoke(_, m) => names_it(&m.class, &m.name, &m.descriptor),
        Insn::InvokeDynamic(site) => site.args.iter().any(
            |a| matches!(a, Const::MethodHandle(h) if names_it(&h.class, &h.name, &h.descriptor)),
        ),
        _ => false,
    }
}
