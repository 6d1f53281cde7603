//! Fields that only one version declares final, or none: both builds are read as if both did, if the others write them once, as final ones
//! are written.
//!
//! That a field is declared final changes nothing that a program does, other than by looking up fields at run time.

use super::set_once::{each_constructor_sets, may_be_set_once, writes_by_reflection};
use super::uncompiled::UncompiledSources;
use super::version::simple_name;
use crate::bytecode::access::{FINAL, STATIC, VOLATILE};
use crate::bytecode::class_file::{
    ClassFile, Code, Const, Field, Insn, InvokeKind, MemberRef, Method,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// These fields, by class and name.
#[derive(Default)]
pub(super) struct FinalFields {
    /// All of them.
    all: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Names of those that one version declares so.
    names: BTreeSet<String>,
}

impl FinalFields {
    /// Finds them, except those that code outside the builds may name.
    pub(super) fn between(
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        outside: &UncompiledSources,
    ) -> FinalFields {
        let (of_old, of_new) = (Writes::of(old), Writes::of(new));
        let mut out = FinalFields::default();
        let may_be_open = !writes_by_reflection([old, new], outside);
        for class in old {
            let Some(twin) = of_new.classes.get(&*class.name) else {
                continue;
            };
            for field in &class.fields {
                let same = |f: &&Field| f.name == field.name && f.descriptor == field.descriptor;
                let Some(other) = twin.fields.iter().find(same) else {
                    continue;
                };
                let sides = [(&of_old, class, field), (&of_new, *twin, other)];
                let sides = sides.map(|(writes, class, field)| Side {
                    writes,
                    class,
                    field,
                });
                let below = || {
                    let extended = outside.extended.iter().map(|name| &**name);
                    extended.chain([simple_name(&class.name)])
                };
                let is_named = |f: &Field| outside.may_name_field(f, below());
                if !counts_as_final(&sides, may_be_open) || is_named(field) || is_named(other) {
                    continue;
                }
                out.all.insert((class.name.clone(), field.name.clone()));
                if sides.iter().any(Side::is_final) {
                    out.names.insert(field.name.to_string());
                }
            }
        }
        out
    }

    /// Names of the fields that one version declares final.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.names.clone()
    }

    /// These fields, by class and name in one text.
    pub(super) fn keys(&self) -> BTreeSet<String> {
        let all = self.all.iter();
        all.map(|(owner, name)| format!("{owner}.{name}")).collect()
    }

    /// A build in which they are final.
    pub(super) fn apply(&self, build: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        let class = |class: &Arc<ClassFile>| {
            if !self.all.iter().any(|(owner, _)| *owner == class.name) {
                return class.clone();
            }
            let mut class = (**class).clone();
            for field in &mut class.fields {
                let key = (class.name.clone(), field.name.clone());
                if self.all.contains(&key) {
                    field.access |= FINAL;
                }
            }
            Arc::new(class)
        };
        build.iter().map(class).collect()
    }
}

/// A field in one version.
struct Side<'a> {
    writes: &'a Writes<'a>,
    class: &'a ClassFile,
    field: &'a Field,
}

impl Side<'_> {
    fn is_final(&self) -> bool {
        self.field.access & FINAL != 0
    }

    fn is_set_once(&self) -> bool {
        let writes = self.writes.of_field(self.class, self.field);
        are_once(self.class, self.field, &writes)
    }

    /// The same, where an initialiser that gives the field its default does not count: nothing was written before.
    fn is_set_once_to_something(&self) -> bool {
        let mut writes = self.writes.of_field(self.class, self.field);
        let mut begun: BTreeSet<&str> = BTreeSet::new();
        writes.retain(|w| !(begun.insert(&w.method.descriptor) && gives_default(w)));
        are_once(self.class, self.field, &writes)
    }

    /// Whether it is written as a final one without any version that declares it so.
    fn is_set_by_each_constructor(&self) -> bool {
        may_be_set_once(self.class, self.field)
            && self.is_set_once()
            && each_constructor_sets(self.class, self.field)
    }
}

/// Whether a field counts as final that at least one version does not declare so.
fn counts_as_final(sides: &[Side; 2], may_be_open: bool) -> bool {
    let [a, b] = sides;
    let flags = [a.field.access, b.field.access];
    if (flags[0] ^ flags[1]) & STATIC != 0 || (flags[0] | flags[1]) & VOLATILE != 0 {
        return false;
    }
    match [a.is_final(), b.is_final()] {
        [true, true] => false,
        [true, false] => b.is_set_once_to_something(),
        [false, true] => a.is_set_once_to_something(),
        [false, false] => may_be_open && sides.iter().all(Side::is_set_by_each_constructor),
    }
}

/// Where a build writes fields, by their names.
struct Writes<'a> {
    classes: BTreeMap<&'a str, &'a Arc<ClassFile>>,
    places: BTreeMap<&'a str, Vec<Write<'a>>>,
}

/// One such place.
struct Write<'a> {
    owner: &'a ClassFile,
    method: &'a Method,
    code: &'a Code,
    at: usize,
    field: &'a MemberRef,
}

impl<'a> Writes<'a> {
    fn of(build: &'a [Arc<ClassFile>]) -> Writes<'a> {
        let mut places: BTreeMap<&str, Vec<Write>> = BTreeMap::new();
        for owner in build {
            let with_code = |m: &'a Method| m.code.as_deref().map(|code| (m, code));
            for (method, code) in owner.methods.iter().filter_map(with_code) {
                for (at, insn) in code.insns.iter().enumerate() {
                    if let Insn::PutField(field) | Insn::PutStatic(field) = insn {
                        places.entry(&*field.name).or_default().push(Write {
                            owner,
                            method,
                            code,
                            at,
                            field,
                        });
                    }
                }
            }
        }
        Writes {
            classes: build.iter().map(|c| (&*c.name, c)).collect(),
            places,
        }
    }

    /// All places that write a field, in the order of each method's code.
    fn of_field(&self, class: &ClassFile, field: &Field) -> Vec<&Write<'a>> {
        let named = |w: &&Write| {
            w.field.descriptor == field.descriptor && is_below(&self.classes, w.field, class)
        };
        let all = self.places.get(&*field.name).into_iter().flatten();
        all.filter(named).collect()
    }
}

/// Whether these are writes of the constructors or the initialiser of a class, at most one of each; what no code sets may be set by
/// reflection.
fn are_once(class: &ClassFile, field: &Field, writes: &[&Write]) -> bool {
    let maker = match field.access & STATIC {
        0 => "<init>",
        _ => "<clinit>",
    };
    let makers: BTreeSet<&str> = writes.iter().map(|w| &*w.method.descriptor).collect();
    let fits = |w: &&Write| {
        w.owner.name == class.name
            && *w.method.name == *maker
            && !is_repeated(w.code, w.at)
            && (*w.method.name == *"<clinit>" || !leaves_to_another(class, w.code))
    };
    !writes.is_empty() && writes.iter().all(fits) && makers.len() == writes.len()
}

/// Whether a constructor calls another one of its class for its own object, which may write the same field: one that no `new` is for.
fn leaves_to_another(class: &ClassFile, code: &Code) -> bool {
    let count = |is: &dyn Fn(&Insn) -> bool| code.insns.iter().filter(|i| is(i)).count();
    let calls = count(
        &|i| matches!(i, Insn::Invoke(InvokeKind::Special, m) if &*m.name == "<init>" && m.class == class.name),
    );
    calls > count(&|i| matches!(i, Insn::New(of) if *of == class.name))
}

/// Whether a constructor or initialiser gives a field of its own the value that it has before anything is written (JVMS §2.3, §2.4).
fn gives_default(write: &Write) -> bool {
    let before = |n: usize| write.at.checked_sub(n).map(|at| &write.code.insns[at]);
    let is_default = matches!(
        before(1),
        Some(
            Insn::AconstNull
                | Insn::Const(Const::Int(0) | Const::Long(0) | Const::Float(0) | Const::Double(0))
        )
    );
    let is_own = match &write.code.insns[write.at] {
        Insn::PutStatic(_) => &*write.method.name == "<clinit>",
        _ => &*write.method.name == "<init>" && matches!(before(2), Some(Insn::Load(None, 0))),
    };
    let is_first = !leaves_to_another(write.owner, write.code);
    is_default && is_own && is_first && !is_repeated(write.code, write.at) && is_straight(write)
}

/// Whether all code before a write runs once, in its order, or not at all: no jump leads past the write's operands.
fn is_straight(write: &Write) -> bool {
    let first = write.at.saturating_sub(2) as u32;
    let past = |to: u32| to > first && to <= write.at as u32;
    let mut insns = write.code.insns.iter();
    let mut handlers = write.code.handlers.iter();
    !insns.any(|i| i.targets().any(past)) && !handlers.any(|h| past(h.target))
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
