//! Fields that nobody declares final and that are written as final ones are: once, by each constructor of their class.

use super::uncompiled::UncompiledSources;
use crate::bytecode::access::{FINAL, PROTECTED, PUBLIC, STATIC, SYNTHETIC, VOLATILE};
use crate::bytecode::class_file::{ClassFile, Code, Field, Insn, InvokeKind, MemberRef};
use crate::impact::{OperandStack, edges};
use std::sync::Arc;

/// Classes of the JDK by which code writes fields that it does not name, and words of their methods that do.
const REFLECTING: [(&str, &str); 5] = [
    ("java/lang/reflect/Field", "set"),
    ("java/lang/invoke/MethodHandles$Lookup", "find"),
    ("java/lang/invoke/MethodHandles$Lookup", "unreflect"),
    ("sun/misc/Unsafe", ""),
    ("java/util/concurrent/atomic/Atomic", "newUpdater"),
];

/// Words for the same in sources that were not compiled.
const WORDS: [&str; 6] = [
    "setAccessible",
    "findVarHandle",
    "findSetter",
    "unreflectSetter",
    "Unsafe",
    "newUpdater",
];

/// Whether code may write fields that it does not name.
pub(super) fn writes_by_reflection(
    builds: [&[Arc<ClassFile>]; 2],
    outside: &UncompiledSources,
) -> bool {
    let reflects = |m: &MemberRef| {
        let mut known = REFLECTING.iter();
        known.any(|(class, word)| m.class.starts_with(class) && m.name.starts_with(word))
    };
    let methods = builds.into_iter().flatten().flat_map(|c| &c.methods);
    let codes = methods.filter_map(|m| m.code.as_ref());
    let mut insns = codes.flat_map(|c| &c.insns);
    insns.any(|i| matches!(i, Insn::Invoke(_, m) if reflects(m)))
        || WORDS.iter().any(|word| outside.names.contains(*word))
}

/// Whether a field may be one: an object's, known to its class or package alone, and shown to no library by an annotation.
pub(super) fn may_be_set_once(class: &ClassFile, field: &Field) -> bool {
    let others = STATIC | FINAL | VOLATILE | SYNTHETIC | PUBLIC | PROTECTED;
    field.access & others == 0
        && field.reflected.annotations.is_none()
        && class.reflected.annotations.is_none()
}

/// Whether each constructor of a class surely writes a field of its own object, or leaves that to another constructor. That nothing else
/// writes it, and no constructor twice, is known.
pub(super) fn each_constructor_sets(class: &ClassFile, field: &Field) -> bool {
    let mut constructors = class.methods.iter().filter(|m| &*m.name == "<init>");
    constructors.all(|m| m.code.as_ref().is_some_and(|c| sets(class, field, c)))
}

fn sets(class: &ClassFile, field: &Field, code: &Code) -> bool {
    let makes = |of: &str| {
        let is_one = |i: &Insn| matches!(i, Insn::Invoke(InvokeKind::Special, m) if &*m.name == "<init>" && &*m.class == of);
        code.insns.iter().any(is_one)
    };
    let writes = |i: &Insn| matches!(i, Insn::PutField(m) if m.name == field.name && m.descriptor == field.descriptor && m.class == class.name);
    let above = class.super_name.as_deref().unwrap_or_default();
    match code.insns.iter().position(writes) {
        None => makes(&class.name) && !makes(above),
        Some(at) => !makes(&class.name) && is_always_run(code, at) && is_of_this(code, at),
    }
}

/// Whether no way leads past an instruction.
fn is_always_run(code: &Code, at: usize) -> bool {
    let passes = |insn: &Insn| {
        let is_end = matches!(insn, Insn::Return(_) | Insn::Jsr(_) | Insn::Ret(_));
        is_end || insn.targets().any(|to| to as usize > at)
    };
    let mut handlers = code.handlers.iter();
    !code.insns[..at].iter().any(passes)
        && !handlers.any(|h| h.start as usize <= at && h.target as usize > at)
}

/// Whether the object that an instruction writes to is surely the constructor's own.
fn is_of_this(code: &Code, at: usize) -> bool {
    let stack = OperandStack::of(code, &edges(code));
    let object = stack.consumed(at as u32).first();
    let is_this = |pc: &u32| matches!(code.insns[*pc as usize], Insn::Load(None, 0));
    let is_kept = !code.insns.iter().any(|i| matches!(i, Insn::Store(None, 0)));
    is_kept
        && object.is_some_and(|producers| !producers.is_empty() && producers.iter().all(is_this))
}
