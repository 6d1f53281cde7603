//! Constants that hold a lambda or method reference, where only one version has a name for it.

use super::executor::Executor;
use super::state::{Frame, State};
use crate::bytecode::access::{FINAL, PRIVATE, STATIC};
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn, MemberRef};
use crate::bytecode::is_jdk;
use std::sync::Arc;

impl Executor<'_> {
    /// The instruction that makes the value of a private constant which only this version has, if that is a lambda or method
    /// reference without captured values, and no code can read the constant before.
    pub(super) fn constant_function(&self, state: &State, field: &MemberRef) -> Option<Insn> {
        let constant = PRIVATE | STATIC | FINAL;
        let declared = self.version.field(field)?;
        let twin = self.other.class(&field.class)?;
        let is_one = twin.field(&field.name, &field.descriptor).is_none()
            && declared.owner == field.class
            && declared.access & constant == constant;
        if !is_one {
            return None;
        }
        let (code, at) = self.setting_of(state, &field.class, &field.name)?;
        let made = code.insns.get(at.checked_sub(1)?)?;
        let first = &code.insns[..at];
        let quiet = first.iter().all(|i| runs_nothing(i, &field.class));
        (quiet && makes_function(made)).then(|| made.clone())
    }

    /// The initialiser of a class, and its first instruction that sets a static field; `None` while an initialiser runs, and where one
    /// above the class runs before.
    pub(super) fn setting_of(
        &self,
        state: &State,
        class: &str,
        field: &str,
    ) -> Option<(Arc<Code>, usize)> {
        let initialises = |f: &Frame| &*f.body.method.name == "<clinit>";
        if state.frames.iter().any(initialises) || self.version.lost_initialiser(class) {
            return None;
        }
        let (all, whole) = self.version.ancestors(class);
        let runs = |c: &ClassFile| c.method("<clinit>", "()V").is_some();
        let mut above = all.iter().filter(|c| !is_jdk(&c.name) && *c.name != *class);
        if !whole || above.any(|c| runs(c)) {
            return None;
        }
        let code = self.version.class(class)?;
        let code = code.method("<clinit>", "()V")?.code.clone()?;
        let at = code.insns.iter().position(|i| sets(i, class, field))?;
        Some((code, at))
    }
}

/// Whether an instruction sets that static field of a class.
pub(super) fn sets(insn: &Insn, class: &str, field: &str) -> bool {
    matches!(insn, Insn::PutStatic(m) if *m.class == *class && *m.name == *field)
}

fn makes_function(insn: &Insn) -> bool {
    matches!(insn, Insn::InvokeDynamic(site)
        if &*site.bootstrap.class == "java/lang/invoke/LambdaMetafactory" && site.descriptor.starts_with("()"))
}

/// Whether an instruction of a class's initialiser runs no other code, and goes on to the next.
fn runs_nothing(insn: &Insn, class: &str) -> bool {
    match insn {
        Insn::Const(constant) => !matches!(constant, Const::Dynamic(_)),
        Insn::PutStatic(m) => *m.class == *class,
        Insn::AconstNull => true,
        other => makes_function(other),
    }
}
