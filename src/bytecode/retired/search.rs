//! A search for members that old code names: as the JVM resolves them, in supertypes too, but by static binding alone.

use super::{ClassesOfFile, Retired, RetiredMember, Wider};
use crate::bytecode::access::{INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC, STRICT, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Const, Insn, MemberRef, Method};
use crate::bytecode::{ClassPath, ClassPathError, parameter_descriptors};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The classes of the files, each with its file's path.
pub(super) fn classes_of(
    build: &ClassPath,
    files: &[ClassesOfFile],
) -> Result<Vec<(String, Arc<ClassFile>)>, ClassPathError> {
    let mut all = Vec::new();
    let tops: BTreeMap<&str, &String> = files
        .iter()
        .flat_map(|(path, tops)| tops.iter().map(move |t| (t.as_str(), path)))
        .collect();
    for name in build.list_dirs() {
        // A `$` may be part of a name: all that stands in front of one may be the top-level class.
        let cuts = name.match_indices('$').map(|(i, _)| &name[..i]);
        let path = cuts.chain([name.as_str()]).find_map(|top| tops.get(top));
        if let (Some(path), Some(file)) = (path, build.find(&name)?) {
            all.push(((*path).clone(), file));
        }
    }
    Ok(all)
}

/// A search of both builds for what old code names.
pub(super) struct Search<'a> {
    /// The old and the new one.
    pub builds: [&'a ClassPath; 2],
    /// The new classes of the changed files.
    pub near: &'a [Arc<ClassFile>],
    /// The old classes of the changed files.
    pub gone: BTreeSet<Arc<str>>,
}

/// A call in the old version.
pub(super) enum Call {
    /// Whether it is of a method that gets another name.
    Known(bool),
    /// Of a method with that descriptor of a class that the new version lacks: it has the name of what it overrides.
    Gone(Arc<str>),
}

impl Search<'_> {
    /// Notes what the instruction names in vain; gives the names of the methods it calls or refers to.
    pub(super) fn instruction(
        &self,
        insn: &Insn,
        found: &mut Retired,
    ) -> Result<Vec<(Arc<str>, Call)>, ClassPathError> {
        let mut calls = Vec::new();
        let mut call = |m: &MemberRef| -> Result<(), ClassPathError> {
            let gone = self.gone.contains(&m.class) && self.builds[1].find(&m.class)?.is_none();
            let call = if gone {
                Call::Gone(m.descriptor.clone())
            } else {
                Call::Known(self.method(m, found)?)
            };
            calls.push((m.name.clone(), call));
            Ok(())
        };
        match insn {
            Insn::Invoke(_, m) => call(m)?,
            Insn::InvokeDynamic(site) => {
                for arg in &site.args {
                    if let Const::MethodHandle(h) = arg {
                        call(&MemberRef {
                            class: h.class.clone(),
                            name: h.name.clone(),
                            descriptor: h.descriptor.clone(),
                        })?;
                    }
                }
            }
            Insn::GetField(m) | Insn::PutField(m) | Insn::GetStatic(m) | Insn::PutStatic(m) => {
                self.field(m, found)?;
            }
            _ => {}
        }
        Ok(calls)
    }

    /// Notes a method that the new version lacks; whether it gets another name.
    fn method(&self, m: &MemberRef, found: &mut Retired) -> Result<bool, ClassPathError> {
        let [old, new] = self.builds;
        let of = |c: &ClassFile| c.method(&m.name, &m.descriptor).map(|n| n.access);
        let Some((from, access)) = declared(old, &m.class, &of)? else {
            return Ok(false);
        };
        let made_by_javac = access & (SYNTHETIC | STRICT) == SYNTHETIC;
        if made_by_javac || new.find(&m.class)?.is_none() || of_object(&m.name, &m.descriptor) {
            return Ok(false);
        }
        if let Some((class, now)) = declared(new, &m.class, &of)?
            && (now ^ access) & STATIC == 0
        {
            if openness(now) < openness(access) {
                let (name, descriptor) = (m.name.clone(), m.descriptor.clone());
                let wider = Wider { name, descriptor };
                found.wider.entry(class).or_default().insert(wider);
            }
            return Ok(false);
        }
        let arity = parameter_descriptors(&m.descriptor).len();
        let like = |c: &ClassFile| {
            let alike = |n: &&Method| {
                n.name == m.name && parameter_descriptors(&n.descriptor).len() == arity
            };
            c.methods.iter().find(alike).map(|_| 0)
        };
        let clashes = &*m.name != "<init>"
            && (self.near.iter().any(|c| like(c).is_some())
                || declared(new, &m.class, &like)?.is_some());
        let holder = self.holder(&m.class, &from)?;
        let member = retired(m, (from, access), clashes);
        found.methods.entry(holder).or_default().insert(member);
        Ok(clashes)
    }

    /// Classes that would inherit a method from two interfaces get their own (JLS §8.4.8.4).
    pub(super) fn shared(
        &self,
        class: &ClassFile,
        found: &mut Retired,
    ) -> Result<(), ClassPathError> {
        let mut inherited: BTreeMap<(Arc<str>, Arc<str>), Vec<RetiredMember>> = BTreeMap::new();
        let mut waiting = vec![class.name.clone()];
        let mut seen = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            let Some(file) = self.builds[1].find(&name)? else {
                continue;
            };
            if !seen.insert(name.clone()) {
                continue;
            }
            waiting.extend(file.interfaces.iter().chain(&file.super_name).cloned());
            waiting.extend(found.interfaces_of(&name).cloned());
            if file.access & INTERFACE != 0 && name != class.name {
                for member in found.methods_of(&name) {
                    let key = (member.name.clone(), member.descriptor.clone());
                    inherited.entry(key).or_default().push(member.clone());
                }
            }
        }
        for members in inherited.into_values().filter(|m| m.len() > 1) {
            let Some(member) = members.into_iter().next() else {
                continue;
            };
            let old = self.builds[0].find(&class.name)?;
            let own = old.is_some_and(|c| c.method(&member.name, &member.descriptor).is_some());
            let from = if own { &class.name } else { &member.from }.clone();
            let of = found.methods.entry(class.name.clone()).or_default();
            if !of
                .iter()
                .any(|m| m.name == member.name && m.descriptor == member.descriptor)
            {
                of.insert(RetiredMember { from, ..member });
            }
        }
        Ok(())
    }

    /// Notes constants of the class with another value: javac puts the value wherever a constant is named (JLS §13.1).
    pub(super) fn constants(
        &self,
        class: &ClassFile,
        found: &mut Retired,
    ) -> Result<(), ClassPathError> {
        let Some(new) = self.builds[1].find(&class.name)? else {
            return Ok(());
        };
        for field in class.fields.iter().filter(|f| f.constant.is_some()) {
            let twin = new.field(&field.name, &field.descriptor);
            if twin.is_some_and(|t| t.constant != field.constant) {
                let member = RetiredMember {
                    name: field.name.clone(),
                    descriptor: field.descriptor.clone(),
                    from: class.name.clone(),
                    is_static: field.access & STATIC != 0,
                    clashes: true,
                };
                let of = found.fields.entry(class.name.clone()).or_default();
                of.insert(member);
            }
        }
        Ok(())
    }

    /// Notes the interfaces that the class no longer has.
    pub(super) fn interfaces(
        &self,
        class: &ClassFile,
        found: &mut Retired,
    ) -> Result<(), ClassPathError> {
        let new = self.builds[1];
        if new.find(&class.name)?.is_none() {
            return Ok(());
        }
        for interface in &class.interfaces {
            let has = |c: &ClassFile| {
                let named = c.name == *interface || c.interfaces.contains(interface);
                named.then_some(0)
            };
            if declared(new, &class.name, &has)?.is_none() {
                let lost = found.interfaces.entry(class.name.clone()).or_default();
                lost.insert(interface.clone());
            }
        }
        Ok(())
    }

    fn field(&self, m: &MemberRef, found: &mut Retired) -> Result<(), ClassPathError> {
        let [old, new] = self.builds;
        let of = |c: &ClassFile| c.field(&m.name, &m.descriptor).map(|f| f.access);
        let Some((from, access)) = declared(old, &m.class, &of)? else {
            return Ok(());
        };
        if access & SYNTHETIC != 0
            || new.find(&m.class)?.is_none()
            || declared(new, &m.class, &of)?.is_some_and(|n| (n.1 ^ access) & STATIC == 0)
        {
            return Ok(());
        }
        let like = |c: &ClassFile| c.fields.iter().find(|f| f.name == m.name).map(|_| 0);
        let clashes = declared(new, &m.class, &like)?.is_some();
        let holder = self.holder(&m.class, &from)?;
        let member = retired(m, (from, access), clashes);
        found.fields.entry(holder).or_default().insert(member);
        Ok(())
    }

    /// The class to add the member to: the one that had it, if the new version's class still inherits from it.
    fn holder(&self, named: &Arc<str>, from: &Arc<str>) -> Result<Arc<str>, ClassPathError> {
        let own = |c: &ClassFile| (c.name == *from).then_some(0);
        let inherits = declared(self.builds[1], named, &own)?.is_some();
        Ok(if inherits { from } else { named }.clone())
    }
}

/// How many classes may name a member with these access flags (JVMS §5.4.4).
fn openness(access: u16) -> u8 {
    match access & (PUBLIC | PRIVATE | PROTECTED) {
        PUBLIC => 3,
        PROTECTED => 2,
        PRIVATE => 0,
        _ => 1,
    }
}

fn retired(m: &MemberRef, (from, access): (Arc<str>, u16), clashes: bool) -> RetiredMember {
    RetiredMember {
        name: m.name.clone(),
        descriptor: m.descriptor.clone(),
        from,
        is_static: access & STATIC != 0,
        clashes,
    }
}

/// Methods that every class has.
fn of_object(name: &str, descriptor: &str) -> bool {
    matches!(
        (name, descriptor),
        ("toString", "()Ljava/lang/String;")
            | ("hashCode", "()I")
            | ("equals", "(Ljava/lang/Object;)Z")
            | ("clone", "()Ljava/lang/Object;")
            | ("finalize", "()V")
    )
}

/// The class or supertype of the build for which `has` answers, and the answer.
fn declared(
    build: &ClassPath,
    class: &Arc<str>,
    has: &dyn Fn(&ClassFile) -> Option<u16>,
) -> Result<Option<(Arc<str>, u16)>, ClassPathError> {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![class.clone()];
    while let Some(name) = waiting.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(file) = build.find(&name)? else {
            continue;
        };
        if let Some(answer) = has(&file) {
            return Ok(Some((name, answer)));
        }
        waiting.extend(file.interfaces.iter().cloned());
        waiting.extend(file.super_name.clone());
    }
    Ok(None)
}
