//! Classes that the new version has under another name: anonymous and local ones get another number when one is put before them, and
//! others are renamed. The old build is read with the new names.
//!
//! To give a class a name that nothing else has changes nothing that a program does, other than by asking for names; so which
//! classes are taken for the same is a matter of success, not of soundness.

use super::renames::alike;
use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::access::{ANNOTATION, ENUM, INTERFACE, PUBLIC};
use crate::bytecode::class_file::{
    ClassFile, Code, Const, DynamicRef, Insn, MemberRef, Method, MethodHandle,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

/// What is taken for granted where classes were renamed.
pub(super) const NAMES: &str = "the names of renamed and renumbered classes do not matter";

/// Least share of code, in hundredths, that two classes must have in common to be one that was renamed.
const LEAST_ALIKE: usize = 50;

/// New names by the old version's class.
#[derive(Default)]
pub struct ClassRenames {
    pub(super) names: FxHashMap<Arc<str>, Arc<str>>,
}

/// Classes by name.
pub(super) type Named<'a> = BTreeMap<Arc<str>, &'a Arc<ClassFile>>;

impl ClassRenames {
    /// Finds renamed classes, except those that literals may name. `quoted` are words of literals outside the builds; code there that
    /// names a class compiles only with the version that has it.
    pub fn between(
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        quoted: &Identifiers,
    ) -> ClassRenames {
        let (a, b) = (named(old), named(new));
        let mut out = ClassRenames::default();
        out.renamed((&a, &b), quoted);
        out.moved((&a, &b), quoted);
        out.named((&a, &b), quoted);
        out.renumbered((&a, &b));
        out.names.retain(|from, to| from != to);
        out
    }

    /// Whether no class was renamed.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// New names.
    pub(super) fn new_names(&self) -> BTreeSet<Arc<str>> {
        self.names.values().cloned().collect()
    }

    /// The old build, with the new names.
    pub fn apply(&self, old: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        match self.is_empty() {
            true => old.to_vec(),
            false => old.iter().map(|c| Arc::new(self.class(c))).collect(),
        }
    }

    /// Classes that have another name in the same package or outer class, by what they hold. One that is not public and that alone
    /// has another name there may hold anything.
    fn renamed(&mut self, (a, b): (&Named, &Named), quoted: &Identifiers) {
        let lone = |mine: &Named, theirs: &Named| -> BTreeMap<String, Vec<Arc<str>>> {
            let mut out: BTreeMap<String, Vec<Arc<str>>> = BTreeMap::new();
            for name in mine.keys() {
                if number(name).is_none() && !theirs.contains_key(name) {
                    out.entry(around(name).to_string())
                        .or_default()
                        .push(name.clone());
                }
            }
            out
        };
        let said = |n: &Arc<str>| {
            let name = simple_name(n);
            let mut both = a.values().chain(b.values());
            quoted.contains(name) || both.any(|c| says(c, name))
        };
        let (mine, theirs) = (lone(a, b), lone(b, a));
        for (place, names) in &mine {
            let Some(others) = theirs.get(place) else {
                continue;
            };
            let is_hidden = |c: &ClassFile| c.access & PUBLIC == 0;
            let hidden =
                |names: &[Arc<str>], of: &Named| names.iter().filter(|n| is_hidden(of[*n])).count();
            let alone = [hidden(names, a), hidden(others, b)] == [1, 1];
            let mut pairs = Vec::new();
            for (from, to) in names
                .iter()
                .flat_map(|x| others.iter().map(move |y| (x, y)))
            {
                let (x, y) = (a[from], b[to]);
                let fits = alone && is_hidden(x) && is_hidden(y);
                let score = likeness(x, y);
                let is_it = fits || score >= LEAST_ALIKE && same_parents(x, y);
                if is_it && kind(x) == kind(y) {
                    pairs.push((std::cmp::Reverse(score), from.clone(), to.clone()));
                }
            }
            pairs.sort();
            let mut taken: BTreeSet<Arc<str>> = BTreeSet::new();
            for (_, from, to) in pairs {
                if taken.contains(&from) || taken.contains(&to) || said(&from) || said(&to) {
                    continue;
                }
                taken.extend([from.clone(), to.clone()]);
                self.names.insert(from, to);
            }
        }
    }

    /// Anonymous and local classes, by what they are and hold, outer ones first.
    fn renumbered(&mut self, (a, b): (&Named, &Named)) {
        let mut groups: BTreeMap<usize, BTreeMap<Arc<str>, Vec<&Arc<ClassFile>>>> = BTreeMap::new();
        for (name, class) in a.iter().filter(|(n, _)| n.contains('$')) {
            let depth = name.matches('$').count();
            let group = groups.entry(depth).or_default();
            group
                .entry(Arc::from(around(name)))
                .or_default()
                .push(class);
        }
        for (outer, classes) in groups.into_values().flatten() {
            let now = self.names.get(&outer).unwrap_or(&outer).clone();
            self.group((&outer, &now), &classes, (a, b));
        }
    }

    fn group(
        &mut self,
        (outer, now): (&str, &str),
        classes: &[&Arc<ClassFile>],
        (a, b): (&Named, &Named),
    ) {
        let moved = |name: &str| format!("{now}{}", &name[outer.len()..]);
        let is_numbered = |c: &&&Arc<ClassFile>| number(&c.name).is_some();
        let numbered: Vec<_> = classes.iter().filter(is_numbered).collect();
        for class in classes.iter().filter(|c| !is_numbered(c)) {
            let name = class.name.clone();
            let to = self.names.get(&name).cloned();
            let to = to.unwrap_or_else(|| Arc::from(moved(&name)));
            self.names.insert(name, to);
        }
        let inside = |n: &&Arc<str>| around(n) == now && number(n).is_some();
        let candidates: Vec<&Arc<ClassFile>> = b.keys().filter(inside).map(|n| b[n]).collect();
        let mut pairs = Vec::new();
        for x in &numbered {
            for y in &candidates {
                if let Some(exact) = self.likeness_above((x, a), (y, b)) {
                    let same = usize::from(moved(&x.name) == *y.name);
                    let score = (exact, 2 * likeness(x, y) + same);
                    pairs.push((std::cmp::Reverse(score), x.name.clone(), y.name.clone()));
                }
            }
        }
        pairs.sort();
        let mut taken: BTreeSet<Arc<str>> = self.names.values().cloned().collect();
        for (_, from, to) in pairs {
            if !self.names.contains_key(&from) && taken.insert(to.clone()) {
                self.names.insert(from, to);
            }
        }
        for class in numbered {
            let name = moved(&class.name);
            let name = match b.contains_key(&*name) {
                true => format!("{name}$old"),
                false => name,
            };
            self.names
                .entry(class.name.clone())
                .or_insert(Arc::from(name));
        }
    }

    /// Whether two numbered classes have the same supertypes, where they may be one by local name, kind and supertypes: one may have
    /// got another type between itself and those of the other.
    fn likeness_above(
        &self,
        (x, a): (&ClassFile, &Named),
        (y, b): (&ClassFile, &Named),
    ) -> Option<bool> {
        if number(&x.name) != number(&y.name) || kind(x) != kind(y) {
            return None;
        }
        let mine: Vec<Arc<str>> = x.parents().map(|n| self.name(n)).collect();
        if mine.iter().eq(y.parents()) {
            return Some(true);
        }
        let over_mine: BTreeSet<Arc<str>> = above(x, a).iter().map(|n| self.name(n)).collect();
        let over_other = above(y, b);
        let is_within = mine.iter().all(|n| over_other.contains(n));
        let holds = y.parents().all(|n| over_mine.contains(n));
        (is_within || holds).then_some(false)
    }

    pub(super) fn name(&self, name: &Arc<str>) -> Arc<str> {
        match name.starts_with('[') {
            true => self.descriptor(name),
            false => self.names.get(name).unwrap_or(name).clone(),
        }
    }

    fn descriptor(&self, descriptor: &Arc<str>) -> Arc<str> {
        if !descriptor.contains('L') {
            return descriptor.clone();
        }
        let (mut out, mut rest) = (String::new(), &**descriptor);
        while let Some((before, behind)) = rest.split_once('L') {
            let (class, after) = behind.split_once(';').unwrap_or((behind, ""));
            let name = self.names.get(class).map_or(class, |n| n);
            out.push_str(&format!("{before}L{name};"));
            rest = after;
        }
        out.push_str(rest);
        Arc::from(out)
    }

    fn class(&self, class: &ClassFile) -> ClassFile {
        let mut class = class.clone();
        class.name = self.name(&class.name);
        class.super_name = class.super_name.map(|n| self.name(&n));
        class.interfaces.iter_mut().for_each(|i| *i = self.name(i));
        for row in &mut class.inner_classes {
            row.0 = self.name(&row.0);
            row.1 = row.1.as_ref().map(|n| self.name(n));
        }
        for field in &mut class.fields {
            field.descriptor = self.descriptor(&field.descriptor);
        }
        for method in &mut class.methods {
            method.descriptor = self.descriptor(&method.descriptor);
            if let Some(code) = &method.code {
                method.code = Some(Arc::new(self.code(code)));
            }
        }
        class
    }

    fn code(&self, code: &Code) -> Code {
        let mut code = code.clone();
        for insn in &mut code.insns {
            if let Some(other) = self.insn(insn) {
                *insn = other;
            }
        }
        for handler in &mut code.handlers {
            handler.catch = handler.catch.as_ref().map(|c| self.name(c));
        }
        for local in &mut code.locals {
            local.descriptor = self.descriptor(&local.descriptor);
        }
        code
    }

    fn insn(&self, insn: &Insn) -> Option<Insn> {
        Some(match insn {
            Insn::GetField(m) => Insn::GetField(self.member(m)),
            Insn::PutField(m) => Insn::PutField(self.member(m)),
            Insn::GetStatic(m) => Insn::GetStatic(self.member(m)),
            Insn::PutStatic(m) => Insn::PutStatic(self.member(m)),
            Insn::Invoke(kind, m) => Insn::Invoke(*kind, self.member(m)),
            Insn::InvokeDynamic(site) => Insn::InvokeDynamic(Arc::new(self.dynamic(site))),
            Insn::New(c) => Insn::New(self.name(c)),
            Insn::ANewArray(c) => Insn::ANewArray(self.name(c)),
            Insn::MultiANewArray(c, n) => Insn::MultiANewArray(self.name(c), *n),
            Insn::CheckCast(c) => Insn::CheckCast(self.name(c)),
            Insn::InstanceOf(c) => Insn::InstanceOf(self.name(c)),
            Insn::Const(c) => Insn::Const(self.constant(c)),
            _ => return None,
        })
    }

    fn member(&self, member: &MemberRef) -> Arc<MemberRef> {
        Arc::new(MemberRef {
            class: self.name(&member.class),
            name: member.name.clone(),
            descriptor: self.descriptor(&member.descriptor),
        })
    }

    fn handle(&self, handle: &MethodHandle) -> MethodHandle {
        MethodHandle {
            class: self.name(&handle.class),
            descriptor: self.descriptor(&handle.descriptor),
            ..handle.clone()
        }
    }

    fn constant(&self, constant: &Const) -> Const {
        match constant {
            Const::Class(c) => Const::Class(self.name(c)),
            Const::MethodType(d) => Const::MethodType(self.descriptor(d)),
            Const::MethodHandle(h) => Const::MethodHandle(self.handle(h)),
            Const::Dynamic(d) => Const::Dynamic(Arc::new(self.dynamic(d))),
            other => other.clone(),
        }
    }

    fn dynamic(&self, site: &DynamicRef) -> DynamicRef {
        DynamicRef {
            bootstrap: self.handle(&site.bootstrap),
            args: site.args.iter().map(|a| self.constant(a)).collect(),
            name: site.name.clone(),
            descriptor: self.descriptor(&site.descriptor),
        }
    }
}

fn named(classes: &[Arc<ClassFile>]) -> Named<'_> {
    classes.iter().map(|c| (c.name.clone(), c)).collect()
}

/// Whether a literal of a class holds a name: it may be looked up by it.
pub(super) fn says(class: &ClassFile, name: &str) -> bool {
    let codes = class.methods.iter().filter_map(|m| m.code.as_ref());
    let mut insns = codes.flat_map(|c| &c.insns);
    let holds = |constant: &Const| match constant {
        Const::Str(units) => may_name(&String::from_utf16_lossy(units), name),
        _ => false,
    };
    insns.any(|i| match i {
        Insn::Const(constant) => holds(constant),
        // The fixed parts of a text that is put together.
        Insn::InvokeDynamic(site) => site.args.iter().any(holds),
        _ => false,
    })
}

/// Whether a text may be, or be part of, what a class is looked up by: it has its simple name as a whole word. What has spaces is a sentence.
fn may_name(text: &str, name: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    let is_word = |at: usize| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_inside) && !after.starts_with(is_inside)
    };
    let mut places = text.match_indices(name).map(|m| m.0);
    !text.contains(char::is_whitespace) && places.any(is_word)
}

/// The class or package around a class, by its name.
fn around(name: &str) -> &str {
    name.rfind(['$', '/']).map_or("", |at| &name[..at])
}

/// What follows the number in the last part of an anonymous or local class's name; `None` for others.
pub(super) fn number(name: &str) -> Option<&str> {
    let (_, last) = name.rsplit_once('$')?;
    let rest = last.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < last.len()).then_some(rest)
}

/// All that is above a class in its build, as far as that has it.
fn above(class: &ClassFile, build: &Named) -> BTreeSet<Arc<str>> {
    let find = |name: &str| Ok::<_, Infallible>(build.get(name).map(|c| (*c).clone()));
    class.above(find).unwrap_or_default()
}

/// Whether two classes have superclasses and interfaces of the same number.
pub(super) fn same_parents(x: &ClassFile, y: &ClassFile) -> bool {
    let is_plain = |c: &ClassFile| c.super_name.as_deref() == Some("java/lang/Object");
    is_plain(x) == is_plain(y) && x.interfaces.len() == y.interfaces.len()
}

pub(super) fn kind(class: &ClassFile) -> u16 {
    class.access & (INTERFACE | ANNOTATION | ENUM)
}

/// How much code two classes share, in hundredths of the larger one's methods.
pub(super) fn likeness(x: &ClassFile, y: &ClassFile) -> usize {
    let most = x.methods.len().max(y.methods.len()).max(1);
    let alike = |m: &Method| {
        let twins = y.methods.iter().filter(|o| o.name == m.name);
        let scores = twins.map(|o| match (&m.code, &o.code) {
            (None, None) => 100,
            _ => alike(m, o),
        });
        scores.max().unwrap_or_default()
    };
    x.methods.iter().map(alike).sum::<usize>() / most
}
