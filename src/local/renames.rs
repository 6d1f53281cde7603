//! Members that the new version has under another name: the old build is read with the new names.
//!
//! To give a member a name that nothing else has changes nothing that a program does, other than by looking up members by name;
//! so which members are taken for the same is a matter of success, not of soundness.

use super::changes::is_above;
use super::field_pairs::fields_of;
use super::method_families::{Families, Family};
use super::uncompiled::UncompiledSources;
use super::version::simple_name;
use crate::bytecode::access::{PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{
    ClassFile, Code, Const, DynamicRef, Insn, MemberRef, Method, MethodHandle,
};
use crate::bytecode::{ClassPath, same_code};
use crate::impact::renumbered_lambdas;
use crate::model::class_in;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Least share of instructions, in hundredths, for two methods to count as one that was renamed.
const LEAST_ALIKE: usize = 60;

/// A member's class, name and descriptor.
type Key = (Arc<str>, Arc<str>, Arc<str>);

/// New names by the old version's member.
#[derive(Default)]
pub struct Renames {
    fields: BTreeMap<Key, Arc<str>>,
    methods: BTreeMap<Key, Arc<str>>,
    /// Old names of methods by class and new name.
    taken: BTreeMap<(Arc<str>, Arc<str>), Arc<str>>,
}

/// Members that only one version of a class has.
struct OneSided<'a, T> {
    old: Vec<&'a T>,
    new: Vec<&'a T>,
}

impl Renames {
    /// Finds renamed members, except those that code outside the builds may name.
    pub fn between(
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        library: &ClassPath,
        sources: &UncompiledSources,
    ) -> Renames {
        let outside = &sources.names;
        let mut out = Renames::of_numbers(old, new);
        let by_name: BTreeMap<&str, &Arc<ClassFile>> = new.iter().map(|c| (&*c.name, c)).collect();
        let names = |f: &dyn Fn(&ClassFile) -> Vec<Arc<str>>| -> BTreeMap<Arc<str>, usize> {
            let mut count = BTreeMap::new();
            for name in old.iter().chain(new).flat_map(|c| f(c)) {
                *count.entry(name).or_insert(0) += 1;
            }
            count
        };
        let fields = names(&|c| c.fields.iter().map(|f| f.name.clone()).collect());
        let methods = names(&|c| c.methods.iter().map(|m| m.name.clone()).collect());
        let families = Families::of(old);
        for class in old {
            let Some(twin) = by_name.get(&*class.name) else {
                continue;
            };
            let in_old = |name: &str| old.iter().find(|c| *c.name == *name);
            let in_new = |name: &str| by_name.get(name).copied();
            let is_free = |name: &str, count: &BTreeMap<Arc<str>, usize>| {
                count.get(name) == Some(&1) && !outside.contains(name)
            };
            for (a, b) in fields_of(class, twin) {
                let private = a.access & b.access & PRIVATE != 0;
                let has = |c: &ClassFile, name: &str| c.fields.iter().any(|f| *f.name == *name);
                let hides = || is_above(library, in_old, class, &|c| has(c, &b.name));
                // A reference through a subclass names the field too, or, once that is gone, one of its name above.
                let shows = || is_above(library, in_new, twin, &|c| has(c, &a.name));
                let is_it = |c: &ClassFile| c.name == class.name;
                let is_below = |c: &ClassFile| is_it(c) || is_above(library, in_old, c, &is_it);
                let below = || {
                    let fits = |c: &&Arc<ClassFile>| {
                        sources.extended.contains(simple_name(&c.name)) && is_below(c)
                    };
                    old.iter().filter(fits).map(|c| &*c.name)
                };
                let named =
                    || sources.may_name_field(a, below()) || sources.may_name_field(b, below());
                let own = || (private || !shows()) && !named() && !hides();
                if own() || is_free(&a.name, &fields) && is_free(&b.name, &fields) {
                    // Code names it by its class, or by one below that has no field of either name.
                    let reaches = |c: &ClassFile| !has(c, &a.name) && !has(c, &b.name);
                    let users = old.iter().filter(|c| inherits(c, class, in_old, reaches));
                    for user in users.map(|c| &c.name).chain([&class.name]) {
                        let key = (user.clone(), a.name.clone(), a.descriptor.clone());
                        out.fields.insert(key, b.name.clone());
                    }
                }
            }
            for (a, b) in methods_of(class, twin) {
                let private = a.access & b.access & PRIVATE != 0;
                let has = |name: &Arc<str>| {
                    let named = |c: &ClassFile| c.methods.iter().any(|m| m.name == *name);
                    is_above(library, in_old, class, &named)
                };
                let free = || {
                    is_free(&a.name, &methods)
                        && is_free(&b.name, &methods)
                        && !has(&a.name)
                        && !is_mixed(old, class)
                };
                let change = (&*class.name, &*a.name, &*b.name);
                if !has(&b.name) && (private || free()) {
                    if out.takes(&class.name, a, b) {
                        let key = (class.name.clone(), a.name.clone(), a.descriptor.clone());
                        out.methods.insert(key, b.name.clone());
                    }
                } else if !private
                    && let Some(family) = families.renamable(change, library, outside)
                {
                    out.add_family(&family, a, b);
                }
            }
        }
        out
    }

    /// Adds the methods of a family, by every class through which they can be called.
    fn add_family(&mut self, family: &Family, from: &Method, to: &Method) {
        // Two families of one class that take the same name would become one.
        if !family.all.iter().all(|class| self.takes(class, from, to)) {
            return;
        }
        for class in &family.users {
            for descriptor in &family.descriptors {
                let key = (class.clone(), from.name.clone(), descriptor.clone());
                self.methods.insert(key, to.name.clone());
            }
        }
    }

    /// Whether a class gives a new name to methods of one old name only, those of this one included.
    fn takes(&mut self, class: &Arc<str>, from: &Method, to: &Method) -> bool {
        let key = (class.clone(), to.name.clone());
        let first = self.taken.entry(key).or_insert_with(|| from.name.clone());
        *first == from.name
    }

    /// Methods that javac made and that have another number: bodies of lambdas, and accessors. By these, classes of one file reach each
    /// other's private members below Java 11; they are numbered in the order of their first uses. One that only the old version has
    /// gives its name up.
    pub fn of_numbers(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>]) -> Renames {
        let mut out = Renames::default();
        let by_name: BTreeMap<&str, &Arc<ClassFile>> = new.iter().map(|c| (&*c.name, c)).collect();
        for class in old {
            let Some(twin) = by_name.get(&*class.name) else {
                continue;
            };
            for ((name, descriptor), to) in renumbered_lambdas(class, twin) {
                out.methods
                    .insert((class.name.clone(), name, descriptor), to);
            }
            let mut free: Vec<&Method> = twin.methods.iter().filter(|m| is_accessor(m)).collect();
            let taken: BTreeSet<Arc<str>> = free.iter().map(|m| m.name.clone()).collect();
            for a in class.methods.iter().filter(|m| is_accessor(m)) {
                let is_it = |b: &&Method| a.descriptor == b.descriptor && same_code(a, b);
                let own = free.iter().position(|b| b.name == a.name && is_it(b));
                let name = match own.or_else(|| free.iter().position(is_it)) {
                    Some(at) => free.remove(at).name.clone(),
                    None if taken.contains(&a.name) => format!("{}$old", a.name).into(),
                    None => continue,
                };
                if name != a.name {
                    let key = (class.name.clone(), a.name.clone(), a.descriptor.clone());
                    out.methods.insert(key, name);
                }
            }
        }
        out
    }

    /// Names of renamed members, in either version.
    pub fn names(&self) -> BTreeSet<String> {
        let all = self.fields.iter().chain(&self.methods);
        all.flat_map(|(key, name)| [key.1.to_string(), name.to_string()])
            .collect()
    }

    /// The old build, with the new names.
    pub fn apply(&self, old: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        if self.fields.is_empty() && self.methods.is_empty() {
            return old.to_vec();
        }
        old.iter().map(|c| Arc::new(self.class(c))).collect()
    }

    fn class(&self, class: &ClassFile) -> ClassFile {
        let mut class = class.clone();
        let owner = class.name.clone();
        for field in &mut class.fields {
            let key = (owner.clone(), field.name.clone(), field.descriptor.clone());
            if let Some(name) = self.fields.get(&key) {
                field.name = name.clone();
            }
        }
        for method in &mut class.methods {
            let key = (
                owner.clone(),
                method.name.clone(),
                method.descriptor.clone(),
            );
            if let Some(name) = self.methods.get(&key) {
                method.name = name.clone();
            }
            if let Some(code) = &method.code
                && code.insns.iter().any(|i| self.insn(i).is_some())
            {
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

    /// An instruction with the new name of its member, if that was renamed.
    fn insn(&self, insn: &Insn) -> Option<Insn> {
        let field = |m: &MemberRef| member(m, &self.fields).map(Arc::new);
        Some(match insn {
            Insn::GetField(m) => Insn::GetField(field(m)?),
            Insn::PutField(m) => Insn::PutField(field(m)?),
            Insn::GetStatic(m) => Insn::GetStatic(field(m)?),
            Insn::PutStatic(m) => Insn::PutStatic(field(m)?),
            Insn::Invoke(kind, m) => Insn::Invoke(*kind, Arc::new(member(m, &self.methods)?)),
            Insn::InvokeDynamic(site) => {
                let handle = |c: &Const| match c {
                    Const::MethodHandle(h) => self.handle(h).map(Const::MethodHandle),
                    _ => None,
                };
                let function = self.function(site);
                if function.is_none() && !site.args.iter().any(|a| handle(a).is_some()) {
                    return None;
                }
                let mut site = (**site).clone();
                site.name = function.unwrap_or(site.name);
                for arg in &mut site.args {
                    if let Some(other) = handle(arg) {
                        *arg = other;
                    }
                }
                Insn::InvokeDynamic(Arc::new(site))
            }
            _ => return None,
        })
    }

    /// The new name of the method that a lambda implements.
    fn function(&self, site: &DynamicRef) -> Option<Arc<str>> {
        let made = site.descriptor.rsplit(')').next().unwrap_or_default();
        let made = class_in(made);
        let [Const::MethodType(descriptor), ..] = &site.args[..] else {
            return None;
        };
        let key = (Arc::from(made), site.name.clone(), descriptor.clone());
        let of_lambdas = &*site.bootstrap.class == "java/lang/invoke/LambdaMetafactory";
        self.methods.get(&key).filter(|_| of_lambdas).cloned()
    }

    fn handle(&self, handle: &MethodHandle) -> Option<MethodHandle> {
        let of = if handle.kind < 5 {
            &self.fields
        } else {
            &self.methods
        };
        let key = (
            handle.class.clone(),
            handle.name.clone(),
            handle.descriptor.clone(),
        );
        let name = of.get(&key)?.clone();
        Some(MethodHandle {
            name,
            ..handle.clone()
        })
    }
}

/// Whether a class is below another, and all on the way up to it, itself included, let its members through.
fn inherits<'a>(
    class: &ClassFile,
    from: &ClassFile,
    find: impl Fn(&str) -> Option<&'a Arc<ClassFile>>,
    lets_through: impl Fn(&ClassFile) -> bool,
) -> bool {
    let above = |c: &ClassFile| find(c.super_name.as_deref()?);
    let mut below = lets_through(class).then(|| above(class)).flatten();
    while let Some(here) = below.filter(|c| c.name != from.name) {
        below = lets_through(here).then(|| above(here)).flatten();
    }
    below.is_some()
}

/// Whether javac made it for other classes of the file, which read a private member or call it so.
pub fn is_accessor(method: &Method) -> bool {
    let flags = STATIC | SYNTHETIC;
    method.access & flags == flags && method.name.starts_with("access$")
}

fn member(member: &MemberRef, names: &BTreeMap<Key, Arc<str>>) -> Option<MemberRef> {
    let key = (
        member.class.clone(),
        member.name.clone(),
        member.descriptor.clone(),
    );
    let name = names.get(&key)?.clone();
    Some(MemberRef {
        name,
        ..member.clone()
    })
}

/// Pairs of methods that were renamed, by their instructions.
fn methods_of<'a>(old: &'a ClassFile, new: &'a ClassFile) -> Vec<(&'a Method, &'a Method)> {
    let named = |m: &&Method| m.access & SYNTHETIC == 0 && !m.name.starts_with('<');
    let lacks = |m: &Method, c: &ClassFile| {
        let mut methods = c.methods.iter();
        !methods.any(|o| o.name == m.name)
    };
    let lone = OneSided {
        old: (old.methods.iter())
            .filter(|m| named(m) && lacks(m, new))
            .collect(),
        new: (new.methods.iter())
            .filter(|m| named(m) && lacks(m, old))
            .collect(),
    };
    let mut pairs: Vec<(usize, &Method, &Method)> = Vec::new();
    for a in &lone.old {
        for b in &lone.new {
            if a.descriptor == b.descriptor && (a.access ^ b.access) & STATIC == 0 {
                let score = match (&a.code, &b.code) {
                    (None, None) => LEAST_ALIKE,
                    _ => alike(a, b),
                };
                pairs.push((score, a, b));
            }
        }
    }
    pairs.sort_by(|x, y| {
        let key =
            |p: &(usize, &Method, &Method)| (usize::MAX - p.0, p.1.name.clone(), p.2.name.clone());
        key(x).cmp(&key(y))
    });
    let mut taken: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut out = Vec::new();
    for (score, a, b) in pairs {
        // Overloads under a name that is gone must all go to one new name, or to none: one of a name is enough here.
        if score >= LEAST_ALIKE && !taken.contains(&a.name) && !taken.contains(&b.name) {
            taken.extend([a.name.clone(), b.name.clone()]);
            out.push((a, b));
        }
    }
    out
}

/// The share of common instructions of two methods, in hundredths, without regard to names of members.
pub(super) fn alike(a: &Method, b: &Method) -> usize {
    let kinds = |m: &Method| {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for insn in m.code.iter().flat_map(|c| &c.insns) {
            let text = match insn {
                Insn::Invoke(kind, m) => format!("{kind:?} {}", m.descriptor),
                Insn::GetField(m) | Insn::PutField(m) => format!("field {}", m.descriptor),
                Insn::If(..) | Insn::IfIcmp(..) | Insn::IfNull(..) | Insn::IfAcmp(..) => {
                    "if".into()
                }
                Insn::Goto(_) => "goto".into(),
                Insn::InvokeDynamic(site) => format!("dynamic {}", site.descriptor),
                insn => format!("{insn:?}"),
            };
            *count.entry(text).or_insert(0) += 1;
        }
        count
    };
    let (x, y) = (kinds(a), kinds(b));
    let all = |c: &BTreeMap<String, usize>| c.values().sum::<usize>();
    let shared: usize = x.iter().map(|(k, n)| *n.min(y.get(k).unwrap_or(&0))).sum();
    200 * shared / (all(&x) + all(&y)).max(1)
}

/// Whether a class directly below takes interfaces of a library, which may ask for methods of any name.
fn is_mixed(own: &[Arc<ClassFile>], class: &ClassFile) -> bool {
    let below = own.iter().filter(|c| {
        c.super_name.as_deref() == Some(&*class.name) || c.interfaces.contains(&class.name)
    });
    let mut taken = below.flat_map(|c| &c.interfaces);
    taken.any(|i| !own.iter().any(|o| o.name == *i))
}
