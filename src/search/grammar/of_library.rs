//! Objects of a library's type that its own constructors and factories don't make: those of public classes below it in its library, of
//! static factories and builders there, and of what the project's code calls to get one.

use super::{
    ABSTRACT, ENUM, Grammar, INTERFACE, Lookup, MAX_CLASSES, MAX_PRODUCERS, Maker, STATIC,
    SYNTHETIC, class_of, descriptor_of,
};
use crate::bytecode::access::PUBLIC;
use crate::bytecode::class_file::{ClassFile, Insn, MemberRef, Method};
use crate::bytecode::{is_jdk, is_numbered, parameter_descriptors};
use crate::symex::Typed;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Classes of a library that are looked through, nearest first.
const MOST_LOOKED_AT: usize = 1_500;

impl Grammar<'_> {
    /// Whether a class is neither the project's nor the JDK's.
    pub(super) fn is_of_library(&self, class: &str) -> Lookup<bool> {
        let own =
            self.sources.new.find(class)?.is_some() || self.sources.old.find(class)?.is_some();
        Ok(!own && !is_jdk(class))
    }

    /// The kinds of a library's type by what its library and the project offer.
    pub(super) fn of_library(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Vec<u32>> {
        let mut kinds = Vec::new();
        let beside = self.beside(&file.name)?;
        let mut makers = self.used(file)?;
        makers.extend(self.offered(file, &beside)?);
        if !makers.is_empty() {
            let made = self.made_by(makers, (file, of))?;
            kinds.push(self.put(made, false));
        }
        for name in self.below_in_library(file, &beside) {
            kinds.push(self.kind(&Typed::raw(&descriptor_of(&name)))?);
        }
        Ok(kinds)
    }

    /// Public classes of the library that has the class, in its package and those below, the nearest first.
    fn beside(&self, class: &str) -> Lookup<Vec<Arc<ClassFile>>> {
        let mut names = self.sources.library.beside(class);
        let depth = |name: &String| name.matches('/').count();
        names.sort_by_key(|name| (depth(name), name.clone()));
        names.truncate(MOST_LOOKED_AT);
        let mut found = Vec::new();
        for name in names.iter().filter(|n| !is_numbered(n)) {
            // A class that can't be decoded is none that inputs are made of.
            let file = self.sources.library.find(name).ok().flatten();
            found.extend(file.filter(|f| f.is_open()));
        }
        Ok(found)
    }

    /// Concrete classes below a type, those first that the project's code names.
    fn below_in_library(&self, file: &ClassFile, beside: &[Arc<ClassFile>]) -> Vec<String> {
        let concrete = |c: &&Arc<ClassFile>| {
            c.access & (ABSTRACT | INTERFACE) == 0
                && c.name != file.name
                && (c.access & ENUM != 0 || c.methods.iter().any(|m| makes(c, m)))
        };
        let mut uses: FxHashMap<&str, usize> = FxHashMap::default();
        for (member, n) in self.called() {
            *uses.entry(&member.class).or_default() += n;
        }
        let uses = |class: &str| uses.get(class).copied().unwrap_or(0);
        let mut found: Vec<&Arc<ClassFile>> = beside
            .iter()
            .filter(concrete)
            .filter(|c| self.sources.library.line(&c.name).contains(&file.name))
            .collect();
        found.sort_by_key(|c| {
            let fewest = c.methods.iter().filter(|m| makes(c, m));
            let fewest = fewest.map(|m| parameter_descriptors(&m.descriptor).len());
            (
                std::cmp::Reverse(uses(&c.name)),
                fewest.min().unwrap_or_default(),
                c.name.clone(),
            )
        });
        let names = found.into_iter().map(|c| c.name.to_string());
        names.take(MAX_CLASSES).collect()
    }

    /// How often the project's code calls each member outside of the JDK.
    fn called(&self) -> &FxHashMap<Arc<MemberRef>, usize> {
        self.called.get_or_init(|| {
            let mut counts = FxHashMap::default();
            let methods = self.sources.classes.iter().flat_map(|c| &c.methods);
            let codes = methods.filter_map(|m| m.code.as_ref());
            for insn in codes.flat_map(|c| &c.insns) {
                if let Insn::Invoke(_, member) = insn
                    && !is_jdk(&member.class)
                {
                    *counts.entry(member.clone()).or_default() += 1;
                }
            }
            counts
        })
    }

    /// Methods of other classes of a library that the project's code calls to get such an object, the most used first.
    fn used(&mut self, file: &ClassFile) -> Lookup<Vec<Maker>> {
        let is_one = |m: &MemberRef| gives(&m.descriptor, &file.name) && !m.name.starts_with('<');
        let called = self.called().iter().filter(|(m, _)| is_one(m));
        let mut called: Vec<(Arc<MemberRef>, usize)> =
            called.map(|(m, n)| (m.clone(), *n)).collect();
        called.sort_by_cached_key(|(m, n)| {
            let name = (m.class.clone(), m.name.clone(), m.descriptor.clone());
            (std::cmp::Reverse(*n), name)
        });
        let mut makers = Vec::new();
        for (member, _) in called {
            // What gives one of its own kind needs one first.
            let is_own = self
                .sources
                .library
                .line(&member.class)
                .contains(&file.name);
            if is_own || makers.len() >= MAX_PRODUCERS || !self.is_of_library(&member.class)? {
                continue;
            }
            let Some(owner) = self.find(&member.class)? else {
                continue;
            };
            if let Some(method) = owner.method(&member.name, &member.descriptor)
                && method.access & PUBLIC != 0
                && owner.is_open()
            {
                makers.extend(self.producer(&owner, method)?);
            }
        }
        Ok(makers)
    }

    /// Static factories of values and texts elsewhere in the library, and what its builders give.
    fn offered(&mut self, file: &ClassFile, beside: &[Arc<ClassFile>]) -> Lookup<Vec<Maker>> {
        let mut found: Vec<(&Arc<ClassFile>, &Method)> = Vec::new();
        for class in beside.iter().filter(|c| c.name != file.name) {
            let builds = class.name.ends_with("Builder");
            let fits = |m: &&Method| {
                let parameters = parameter_descriptors(&m.descriptor);
                let plain = |p: &String| p.len() == 1 || p == super::STRING;
                let is_static = m.access & STATIC != 0;
                m.access & (PUBLIC | SYNTHETIC | ABSTRACT) == PUBLIC
                    && gives(&m.descriptor, &file.name)
                    && match is_static {
                        true => !parameters.is_empty() && parameters.iter().all(plain),
                        false => builds && parameters.is_empty(),
                    }
            };
            found.extend(class.methods.iter().filter(fits).map(|m| (class, m)));
        }
        found.truncate(MAX_PRODUCERS);
        let mut makers = Vec::new();
        for (class, method) in found {
            makers.extend(self.producer(class, method)?);
        }
        Ok(makers)
    }
}

/// Whether a method's result is of that class.
fn gives(descriptor: &str, class: &str) -> bool {
    descriptor.rsplit(')').next().and_then(class_of) == Some(class)
}

/// Whether a method is a public constructor of a class, or a static factory of its own.
fn makes(file: &ClassFile, method: &Method) -> bool {
    let open = method.access & (PUBLIC | SYNTHETIC) == PUBLIC;
    let factory = method.access & STATIC != 0 && gives(&method.descriptor, &file.name);
    open && (&*method.name == "<init>" || factory)
}
