//! Fields that only one version declares final: both builds are read as if both did, if the other writes them once, as final ones are
//! written.
//!
//! That a field is declared final changes nothing that a program does, other than by looking up fields at run time.

use super::uncompiled::UncompiledSources;
use super::version::simple_name;
use crate::bytecode::access::{FINAL, STATIC, VOLATILE};
use crate::bytecode::class_file::{ClassFile, Code, Field, Insn, MemberRef, Method};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// These fields, by class and name.
#[derive(Default)]
pub(super) struct FinalFields(BTreeSet<(Arc<str>, Arc<str>)>);

impl FinalFields {
    /// Finds them, except those that code outside the builds may name.
    pub(super) fn between(
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        outside: &UncompiledSources,
    ) -> FinalFields {
        let by_name: BTreeMap<&str, &Arc<ClassFile>> = new.iter().map(|c| (&*c.name, c)).collect();
        let mut out = FinalFields::default();
        for class in old {
            let Some(twin) = by_name.get(&*class.name) else {
                continue;
            };
            for field in &class.fields {
                let same = |f: &&Field| f.name == field.name && f.descriptor == field.descriptor;
                let Some(other) = twin.fields.iter().find(same) else {
                    continue;
                };
                let flags = field.access ^ other.access;
                let open = match field.access & FINAL {
                    0 => (old, class),
                    _ => (new, *twin),
                };
                let volatile = (field.access | other.access) & VOLATILE != 0;
                let below = || {
                    let extended = outside.extended.iter().map(|name| &**name);
                    extended.chain([simple_name(&class.name)])
                };
                if flags & FINAL == 0 || flags & STATIC != 0 || volatile {
                    continue;
                }
                let named = [field, other].map(|f| outside.may_name_field(f, below()));
                if named == [false, false] && is_set_once(open.0, open.1, field) {
                    out.0.insert((class.name.clone(), field.name.clone()));
                }
            }
        }
        out
    }

    /// Names of these fields.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.0.iter().map(|key| key.1.to_string()).collect()
    }

    /// These fields, by class and name in one text.
    pub(super) fn keys(&self) -> BTreeSet<String> {
        let all = self.0.iter();
        all.map(|(owner, name)| format!("{owner}.{name}")).collect()
    }

    /// A build in which they are final.
    pub(super) fn apply(&self, build: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        let class = |class: &Arc<ClassFile>| {
            if !self.0.iter().any(|(owner, _)| *owner == class.name) {
                return class.clone();
            }
            let mut class = (**class).clone();
            for field in &mut class.fields {
                let key = (class.name.clone(), field.name.clone());
                if self.0.contains(&key) {
                    field.access |= FINAL;
                }
            }
            Arc::new(class)
        };
        build.iter().map(class).collect()
    }
}

/// Whether only the constructors or the initialiser of a class write a field, each at most once.
fn is_set_once(build: &[Arc<ClassFile>], class: &ClassFile, field: &Field) -> bool {
    let maker = match field.access & STATIC {
        0 => "<init>",
        _ => "<clinit>",
    };
    let by_name: BTreeMap<&str, &Arc<ClassFile>> = build.iter().map(|c| (&*c.name, c)).collect();
    let named = |m: &MemberRef| {
        m.name == field.name && m.descriptor == field.descriptor && is_below(&by_name, m, class)
    };
    let writes = |insn: &Insn| matches!(insn, Insn::PutField(m) | Insn::PutStatic(m) if named(m));
    let fits = |owner: &ClassFile, method: &Method| {
        let Some(code) = &method.code else {
            return true;
        };
        let mut places = (0..code.insns.len()).filter(|at| writes(&code.insns[*at]));
        match (places.next(), places.next()) {
            (None, _) => true,
            (Some(at), None) => {
                owner.name == class.name && *method.name == *maker && !is_repeated(code, at)
            }
            _ => false,
        }
    };
    // What no code sets may be set by reflection.
    let is_set = |method: &Method| {
        let code = method.code.as_ref();
        code.is_some_and(|c| c.insns.iter().any(writes))
    };
    class.methods.iter().any(is_set)
        && build
            .iter()
            .all(|owner| owner.methods.iter().all(|m| fits(owner, m)))
}

/// Whether a reference names a member of a class, or of one below it.
fn is_below(
    build: &BTreeMap<&str, &Arc<ClassFile>>,
    member: &MemberRef,
    class: &ClassFile,
) -> bool {
    let mut at = Some(&member.class);
    while let Some(name) = at {
        if *name == class.name {
            return true;
        }
        at = build.get(&**name).and_then(|c| c.super_name.as_ref());
    }
    false
}

/// Whether an instruction may run again: one behind it jumps back.
fn is_repeated(code: &Code, at: usize) -> bool {
    let back = |to: &u32| *to as usize <= at;
    let jumps = |insn: &Insn| matches!(insn, Insn::Ret(_)) || insn.targets().any(|to| back(&to));
    let behind = code.insns.iter().skip(at);
    let mut handlers = code.handlers.iter();
    behind.into_iter().any(jumps) || handlers.any(|h| h.end as usize > at && back(&h.target))
}
