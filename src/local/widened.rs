//! Fields that got a wider type, as when a list is declared by its interface: the old build is read with the new type.
//!
//! Every state of the old version is one of the new version too, and code that only reads and writes references does not depend on the
//! type by which a field is declared. So nothing that a program does changes, other than by looking up fields at run time.

use super::changes::{Changes, Classes, is_above};
use super::state::Unproved;
use super::uncompiled::UncompiledSources;
use super::version::simple_name;
use crate::bytecode::ClassPath;
use crate::bytecode::access::{FINAL, STATIC, SYNTHETIC, VOLATILE};
use crate::bytecode::class_file::{ClassFile, Code, Field, Insn, MemberRef};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Name of the type that all references have.
const ANY: &str = "java/lang/Object";

/// A field's class, name and descriptor.
type Key = (Arc<str>, Arc<str>, Arc<str>);

/// New descriptors by class, name and old descriptor; a field is known by its class and all below that.
#[derive(Default)]
pub(super) struct WidenedFields(BTreeMap<Key, Arc<str>>);

/// Both builds, and what both run with.
struct Builds<'a> {
    old: BTreeMap<&'a str, &'a Arc<ClassFile>>,
    new: BTreeMap<&'a str, &'a Arc<ClassFile>>,
    library: &'a ClassPath,
}

impl WidenedFields {
    /// Finds them, except those that code outside the builds may name.
    pub(super) fn between(
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        library: &ClassPath,
        outside: &UncompiledSources,
    ) -> WidenedFields {
        let builds = Builds {
            old: old.iter().map(|c| (&*c.name, c)).collect(),
            new: new.iter().map(|c| (&*c.name, c)).collect(),
            library,
        };
        let mut out = WidenedFields::default();
        for class in old {
            let Some(twin) = builds.new.get(&*class.name) else {
                continue;
            };
            for field in &class.fields {
                let Some(wide) = builds.widened(class, twin, field) else {
                    continue;
                };
                let users = builds.users(class);
                let mut names = users.iter().map(|c| simple_name(c));
                let extended = names.any(|name| outside.extended.contains(name));
                let below = || users.iter().map(|c| &**c).filter(|_| extended);
                // Another version's field may be known to more code.
                let mut both = [field].into_iter().chain(&twin.fields);
                if both.any(|f| f.name == field.name && outside.may_name_field(f, below())) {
                    continue;
                }
                for user in &users {
                    let key = (user.clone(), field.name.clone(), field.descriptor.clone());
                    out.0.insert(key, wide.clone());
                }
            }
        }
        out
    }

    /// Names of these fields.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.0.keys().map(|key| key.1.to_string()).collect()
    }

    /// The old build, with the new types.
    pub(super) fn apply(&self, old: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        match self.0.is_empty() {
            true => old.to_vec(),
            false => old.iter().map(|c| Arc::new(self.class(c))).collect(),
        }
    }

    fn class(&self, class: &ClassFile) -> ClassFile {
        let mut class = class.clone();
        for field in &mut class.fields {
            let key = (
                class.name.clone(),
                field.name.clone(),
                field.descriptor.clone(),
            );
            if let Some(wide) = self.0.get(&key) {
                field.descriptor = wide.clone();
            }
        }
        for method in &mut class.methods {
            let Some(code) = &method.code else { continue };
            if code.insns.iter().any(|i| self.insn(i).is_some()) {
                let mut code: Code = (**code).clone();
                for insn in &mut code.insns {
                    if let Some(other) = self.insn(insn) {
                        *insn = other;
                    }
                }
                method.code = Some(Arc::new(code));
            }
        }
        class
    }

    /// An instruction with the new type of its field, if that has one.
    fn insn(&self, insn: &Insn) -> Option<Insn> {
        Some(match insn {
            Insn::GetField(m) => Insn::GetField(self.member(m)?),
            Insn::PutField(m) => Insn::PutField(self.member(m)?),
            Insn::GetStatic(m) => Insn::GetStatic(self.member(m)?),
            Insn::PutStatic(m) => Insn::PutStatic(self.member(m)?),
            _ => return None,
        })
    }

    fn member(&self, member: &MemberRef) -> Option<Arc<MemberRef>> {
        let key = (
            member.class.clone(),
            member.name.clone(),
            member.descriptor.clone(),
        );
        let descriptor = self.0.get(&key)?.clone();
        Some(Arc::new(MemberRef {
            descriptor,
            ..member.clone()
        }))
    }
}

impl Builds<'_> {
    /// The descriptor of a field in the new version, if that is the only one of its name in all classes above and below, and has a
    /// wider type there.
    fn widened(&self, class: &ClassFile, twin: &ClassFile, field: &Field) -> Option<Arc<str>> {
        let named = |c: &ClassFile| c.fields.iter().filter(|f| f.name == field.name).count();
        let other = twin.fields.iter().find(|f| f.name == field.name)?;
        let fixed = STATIC | FINAL | VOLATILE | SYNTHETIC;
        if named(class) != 1
            || named(twin) != 1
            || other.descriptor == field.descriptor
            || (field.access ^ other.access) & fixed != 0
            || !self.is_subtype(type_of(field)?, type_of(other)?)
        {
            return None;
        }
        let has = |c: &ClassFile| named(c) > 0;
        for own in [&self.old, &self.new] {
            let get = |name: &str| own.get(name).copied();
            let is_it = |c: &ClassFile| c.name == class.name;
            let mut others = own.values().filter(|c| !is_it(c) && has(c));
            let start = own.get(&*class.name)?;
            if is_above(self.library, get, start, &has)
                || others.any(|c| is_above(self.library, get, c, &is_it))
            {
                return None;
            }
        }
        Some(other.descriptor.clone())
    }

    /// A class of the old build and all below it.
    fn users(&self, class: &ClassFile) -> Vec<Arc<str>> {
        let is_it = |c: &ClassFile| c.name == class.name;
        let get = |name: &str| self.old.get(name).copied();
        let all = self.old.values();
        let below = all.filter(|c| is_it(c) || is_above(self.library, get, c, &is_it));
        below.map(|c| c.name.clone()).collect()
    }

    /// Whether all objects of a type are of another type in both versions, as far as all classes above can be read.
    fn is_subtype(&self, of: &str, wide: &str) -> bool {
        [&self.old, &self.new].into_iter().all(|own| {
            let mut todo: Vec<Arc<str>> = vec![of.into()];
            let mut seen = BTreeSet::new();
            while let Some(name) = todo.pop() {
                if &*name == wide || wide == ANY {
                    return true;
                }
                if !seen.insert(name.clone()) {
                    continue;
                }
                let found = match own.get(&*name) {
                    Some(own) => Some((*own).clone()),
                    None => self.library.find(&name).ok().flatten(),
                };
                if let Some(class) = found {
                    todo.extend(class.interfaces.iter().cloned());
                    todo.extend(class.super_name.clone());
                }
            }
            false
        })
    }
}

/// The class of what a field refers to; `None` if it holds a number or an array.
fn type_of(field: &Field) -> Option<&str> {
    field.descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// Fields of one name in both versions that no type makes the same, by class and name.
pub(super) fn retyped_fields([old, new]: [Classes; 2]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (name, class) in old {
        let Some(twin) = new.get(name) else { continue };
        for field in &class.fields {
            let mut others = twin.fields.iter().filter(|f| f.name == field.name);
            let known = others.clone().next().is_some();
            if known && !others.any(|f| f.descriptor == field.descriptor) {
                out.insert(format!("{name}.{}", field.name));
            }
        }
    }
    out
}

impl Changes {
    /// Whether a field, by class and name, has one type in both versions.
    ///
    /// # Errors
    /// It has not: nothing is proved of what it holds.
    pub(super) fn has_one_type(&self, field: &str) -> Result<(), Unproved> {
        match self.retyped_fields.contains(field) {
            true => Err(Unproved::Unsupported(format!("another type of {field}"))),
            false => Ok(()),
        }
    }
}
