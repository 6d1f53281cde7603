//! Code that was cut out of compiled files because it does not compile: what stands for it, and which instructions may come to it.

use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn, InvokeKind};
use crate::impact;
use crate::model::MethodRef;
use bit_set::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The class whose method is called in place of code that does not compile.
const NOT_COMPILED: &str = "com/shadowci/NotCompiled";

/// Name of the pseudo-method that stands for such code that may differ: nothing is proved of it.
pub(super) const DIFFERING_CUT: &str = "code that does not compile";

/// Numbers, among those of changed methods, about code that was cut out.
pub(super) struct CutNumbers {
    /// The one that marks instructions which come to such code.
    pub(super) met: usize,
    /// Those of all that it may come to.
    pub(super) comes_to: BitSet,
    /// The one that stands for such code that may differ, if there is some.
    pub(super) differing: Option<usize>,
}

/// What is known of code that was cut out of files that were compiled.
#[derive(Clone, Debug, Default)]
pub struct CutCode {
    /// Whether code of which the builds know nothing may differ between the versions: types, members, or lambdas in bodies.
    pub differs: bool,
    /// Bodies that are the same text in both versions.
    pub same: Vec<SameBody>,
    /// Words of all else that is the same in both.
    pub words: Identifiers,
    /// Names of declarations and imports that are gone: what names one may mean another in the builds.
    pub names: Identifiers,
    /// Classes (internal names) that lost initialisers of static fields, and whether these may differ.
    pub initialisers: BTreeMap<String, bool>,
    /// Whether code may be missing that an annotation processor writes into classes.
    pub generated: bool,
}

/// A body that does not compile, and is the same in both versions.
#[derive(Clone, Debug)]
pub struct SameBody {
    /// The numbers that stand for it in the old and in the new build.
    pub numbers: [i64; 2],
    /// Its words.
    pub words: Identifiers,
}

impl CutCode {
    /// Whether nothing was cut.
    pub(super) fn is_empty(&self) -> bool {
        self.same.is_empty()
            && self.words.is_empty()
            && self.names.is_empty()
            && self.initialisers.is_empty()
            && !self.differs
    }

    /// The classes of the old build with the new build's numbers in bodies that are the same, where no member that differs is
    /// named in them.
    pub(super) fn equated(
        &self,
        old: &[Arc<ClassFile>],
        members: &BTreeSet<String>,
    ) -> Vec<Arc<ClassFile>> {
        let kept = |b: &&SameBody| !b.words.iter().any(|w| members.contains(w));
        let numbers = self
            .same
            .iter()
            .filter(kept)
            .map(|b| (b.numbers[0], b.numbers[1]));
        let numbers: BTreeMap<i64, i64> = numbers.collect();
        let of = |insn: &Insn| match insn {
            Insn::Const(Const::Long(n)) => numbers.get(n).copied(),
            _ => None,
        };
        let class = |class: &Arc<ClassFile>| {
            let codes = class.methods.iter().filter_map(|m| m.code.as_ref());
            if !codes.flat_map(|c| &c.insns).any(|i| of(i).is_some()) {
                return class.clone();
            }
            let mut class = (**class).clone();
            for method in &mut class.methods {
                let Some(code) = method.code.as_ref().filter(|c| calls_cut_code(c)) else {
                    continue;
                };
                let mut code = (**code).clone();
                for insn in &mut code.insns {
                    if let Some(number) = of(insn) {
                        *insn = Insn::Const(Const::Long(number));
                    }
                }
                method.code = Some(Arc::new(code));
            }
            Arc::new(class)
        };
        old.iter().map(class).collect()
    }

    /// Whether an instruction of a class comes to code that was cut out, or may mean such code: by a name that is gone, or by the
    /// initialiser of a class that lost a part of it. `starts` are the classes whose initialisers did.
    pub(super) fn is_met_by(
        &self,
        insn: &Insn,
        own: impl Fn(&str) -> bool,
        starts: impl Fn(&str) -> bool,
    ) -> bool {
        is_cut_call(insn)
            || self.is_ambiguous(insn, own)
            || match insn {
                Insn::New(class) => starts(class),
                Insn::GetStatic(m) | Insn::PutStatic(m) | Insn::Invoke(InvokeKind::Static, m) => {
                    starts(&m.class)
                }
                _ => false,
            }
    }

    /// Whether an instruction names what may be another declaration in the source: one of its name is gone.
    pub(super) fn is_ambiguous(&self, insn: &Insn, own: impl Fn(&str) -> bool) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let lost = |name: &str| self.names.contains(name);
        let of_type = |class: &str| lost(simple_name(class.trim_end_matches(';')));
        let member = |class: &str, name: &str| own(class) && lost(name) || of_type(class);
        match insn {
            Insn::Invoke(_, m)
            | Insn::GetStatic(m)
            | Insn::PutStatic(m)
            | Insn::GetField(m)
            | Insn::PutField(m) => member(&m.class, &m.name),
            Insn::New(class)
            | Insn::CheckCast(class)
            | Insn::InstanceOf(class)
            | Insn::ANewArray(class)
            | Insn::Const(Const::Class(class)) => of_type(class),
            Insn::InvokeDynamic(site) => site.args.iter().any(|a| match a {
                Const::MethodHandle(h) => member(&h.class, &h.name),
                _ => false,
            }),
            _ => false,
        }
    }
}

/// Whether an instruction stands for code that was cut out.
pub(super) fn is_cut_call(insn: &Insn) -> bool {
    matches!(insn, Insn::Invoke(_, m) if &*m.class == NOT_COMPILED)
}

/// Whether a body holds such an instruction.
pub(super) fn calls_cut_code(code: &Code) -> bool {
    code.insns.iter().any(is_cut_call)
}

/// Places of the instructions that come to code that was cut out, or may mean such code.
pub(super) fn met_cut_code(classes: &[Arc<ClassFile>], cut: &CutCode) -> Vec<(MethodRef, u32)> {
    let mut out = Vec::new();
    if cut.is_empty() {
        return out;
    }
    let own: FxHashMap<&str, &Arc<ClassFile>> = classes.iter().map(|c| (&*c.name, c)).collect();
    let starts = |class: &str| {
        let (mut todo, mut seen) = (vec![class], FxHashSet::default());
        while let Some(name) = todo.pop() {
            if cut.initialisers.contains_key(name) {
                return true;
            }
            if let Some(class) = own.get(name).filter(|_| seen.insert(name)) {
                todo.extend(
                    class
                        .interfaces
                        .iter()
                        .chain(&class.super_name)
                        .map(|p| &**p),
                );
            }
        }
        false
    };
    for class in classes {
        for method in &class.methods {
            let insns = method.code.iter().flat_map(|c| &c.insns);
            for (pc, insn) in insns.enumerate() {
                // The initialisation of a method's own class has begun.
                let starts = |name: &str| *name != *class.name && starts(name);
                if cut.is_met_by(insn, |name| own.contains_key(name), starts) {
                    out.push((impact::id(class, method), pc as u32));
                }
            }
        }
    }
    out
}
