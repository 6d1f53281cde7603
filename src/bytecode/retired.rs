//! Members that the old version's code names and the new classes lack: the unified program gets them without a body.

use super::class_file::{ClassFile, Const, Insn, MemberRef, Method};
use super::{ClassPath, ClassPathError, parameter_descriptors};
use crate::bytecode::access::{INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNTHETIC};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A member of the old version alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetiredMember {
    /// Its name in the old version.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// The class that declares it in the old version.
    pub from: Arc<str>,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether a member of the new version could be taken for it: then it needs another name.
    pub clashes: bool,
}

/// The members that old code names and the new version lacks.
#[derive(Clone, Debug, Default)]
pub struct Retired {
    methods: BTreeMap<Arc<str>, BTreeSet<RetiredMember>>,
    fields: BTreeMap<Arc<str>, BTreeSet<RetiredMember>>,
    /// Interfaces that changed classes no longer have.
    interfaces: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Members that code of fewer classes may name now.
    wider: BTreeMap<Arc<str>, BTreeSet<Wider>>,
    /// For each source file, line and name of a call in the old version: whether each such call, in the order of the code,
    /// is of a method that gets another name.
    calls: BTreeMap<Place, Vec<bool>>,
}

/// A method that the old version's code names and that the new version hides from it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wider {
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// Source file, line and name.
type Place = (String, u32, Arc<str>);

/// A changed source file and its top-level classes, internal names.
pub type ClassesOfFile = (String, Vec<String>);

impl Retired {
    /// What the old classes of the files name in vain in the new build. A member is looked for as the JVM does, in supertypes too
    /// (JVMS §5.4.3), but by static binding alone.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn of(
        old: &ClassPath,
        new: &ClassPath,
        files: &[ClassesOfFile],
    ) -> Result<Retired, ClassPathError> {
        let mut found = Retired::default();
        let (olds, news) = (classes_of(old, files)?, classes_of(new, files)?);
        let near: Vec<Arc<ClassFile>> = news.into_iter().map(|c| c.1).collect();
        let search = Search {
            builds: [old, new],
            near: &near,
            gone: olds.iter().map(|c| c.1.name.clone()).collect(),
        };
        let mut calls: Vec<(Place, Call)> = Vec::new();
        for (path, class) in &olds {
            search.interfaces(class, &mut found)?;
            search.constants(class, &mut found)?;
            for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
                for (insn, line) in code.insns.iter().zip(&code.lines) {
                    let place = |name: &Arc<str>| (path.clone(), *line, name.clone());
                    for (name, call) in search.instruction(insn, &mut found)? {
                        calls.push((place(&name), call));
                    }
                }
            }
        }
        for class in &near {
            search.shared(class, &mut found)?;
        }
        let other_names = found.other_names();
        for (place, call) in calls {
            let renamed = match call {
                Call::Known(renamed) => renamed,
                Call::Gone(descriptor) => other_names.contains(&(place.2.clone(), descriptor)),
            };
            found.calls.entry(place).or_default().push(renamed);
        }
        Ok(found)
    }

    /// The methods that a class lacks, by internal name.
    pub fn methods_of(&self, class: &str) -> impl Iterator<Item = &RetiredMember> {
        self.methods.get(class).into_iter().flatten()
    }

    /// Names and descriptors of methods that get another name: those of nested classes that are gone get it too, they may override.
    pub fn other_names(&self) -> BTreeSet<(Arc<str>, Arc<str>)> {
        let all = self.methods.values().flatten().filter(|m| m.clashes);
        all.map(|m| (m.name.clone(), m.descriptor.clone()))
            .collect()
    }

    /// The methods of an old class that the new version lacks, by internal name.
    pub fn declared_in(&self, class: &str) -> impl Iterator<Item = &RetiredMember> {
        let all = self.methods.values().flatten();
        all.filter(move |m| *m.from == *class)
    }

    /// The fields that a class lacks, by internal name.
    pub fn fields_of(&self, class: &str) -> impl Iterator<Item = &RetiredMember> {
        self.fields.get(class).into_iter().flatten()
    }

    /// The interfaces that a class no longer has, by internal name.
    pub fn interfaces_of(&self, class: &str) -> impl Iterator<Item = &Arc<str>> {
        self.interfaces.get(class).into_iter().flatten()
    }

    /// The methods of a class that old code could name, by internal name.
    pub fn wider_in(&self, class: &str) -> impl Iterator<Item = &Wider> {
        self.wider.get(class).into_iter().flatten()
    }

    /// Whether a class stopped to implement that interface.
    pub fn is_given_up(&self, interface: &str) -> bool {
        self.interfaces
            .values()
            .flatten()
            .any(|i| **i == *interface)
    }

    /// Names of fields that need another name.
    pub fn renamed_fields(&self) -> BTreeSet<String> {
        let all = self.fields.values().flatten().filter(|f| f.clashes);
        all.map(|f| f.name.to_string()).collect()
    }

    /// Internal names of the classes that lack something.
    pub fn classes(&self) -> BTreeSet<Arc<str>> {
        let lacking = self.methods.keys().chain(self.fields.keys());
        let given_up = self.interfaces.values().flatten();
        lacking
            .chain(self.wider.keys())
            .chain(self.interfaces.keys())
            .chain(given_up)
            .cloned()
            .collect()
    }

    /// Whether each call of that name on that line, in the order in which they run, is of a method that gets another name.
    pub fn calls(&self, path: &str, line: u32, name: &str) -> &[bool] {
        let key = (path.to_string(), line, Arc::from(name));
        self.calls.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// The classes of the files, each with its file's path.
fn classes_of(
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

struct Search<'a> {
    builds: [&'a ClassPath; 2],
    /// The new classes of the changed files.
    near: &'a [Arc<ClassFile>],
    /// The old classes of the changed files.
    gone: BTreeSet<Arc<str>>,
}

/// A call in the old version.
enum Call {
    /// Whether it is of a method that gets another name.
    Known(bool),
    /// Of a method with that descriptor of a class that the new version lacks: it has the name of what it overrides.
    Gone(Arc<str>),
}

impl Search<'_> {
    /// Notes what the instruction names in vain; gives the names of the methods it calls or refers to.
    fn instruction(
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
        let made_by_javac = access & SYNTHETIC != 0;
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
    fn shared(&self, class: &ClassFile, found: &mut Retired) -> Result<(), ClassPathError> {
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
    fn constants(&self, class: &ClassFile, found: &mut Retired) -> Result<(), ClassPathError> {
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
    fn interfaces(&self, class: &ClassFile, found: &mut Retired) -> Result<(), ClassPathError> {
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
