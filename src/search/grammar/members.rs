//! Constructors, factories and methods that make objects of the program's own classes.

use super::fields::Fields;
use super::type_arguments::passed;
use super::{
    ABSTRACT, Generator, Grammar, INTERFACE, Lookup, MAX_CALLS, MAX_COPYING, MAX_MAKERS,
    MAX_PRODUCERS, Maker, PRIVATE, STATIC, SYNTHETIC, Sources, class_of, descriptor_of, id,
    parameter_types,
};
use crate::bytecode::access::PUBLIC;
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::{ClassPath, is_jdk, is_numbered, never_null};
use crate::symex::{Typed, typed_supertype};
use std::sync::Arc;

impl Grammar<'_> {
    /// Objects of exactly that class, by its constructors, else its factories, and by builders.
    pub(super) fn own(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Option<Generator>> {
        let own = descriptor_of(&file.name);
        let concrete = file.access & (ABSTRACT | INTERFACE) == 0;
        let constructs = |m: &&Method| &*m.name == "<init>" && concrete;
        let produces =
            |m: &&Method| m.access & STATIC != 0 && m.descriptor.ends_with(&format!("){own}"));
        // Those of a private nested class are its neighbours' to call (JLS §6.6.1).
        let private = file
            .inner_classes
            .iter()
            .any(|r| r.0 == file.name && r.3 & PRIVATE != 0);
        let closed = if private {
            SYNTHETIC
        } else {
            SYNTHETIC | PRIVATE
        };
        // Those of a library that are not public are its own package's.
        let needed = match self.is_of_library(&file.name)? {
            true => PUBLIC,
            false => 0,
        };
        let mut found: Vec<&Method> = Vec::new();
        for wanted in [&constructs as &dyn Fn(&&Method) -> bool, &produces] {
            let open = |m: &&Method| m.access & closed == 0 && m.access & needed == needed;
            found.extend(file.methods.iter().filter(open).filter(wanted));
        }
        found.retain(|m| !is_of_inner(file, m));
        found.sort_by_key(|m| (&*m.name != "<init>", parameter_types(m).len()));
        let mut makers = Vec::new();
        for method in found.into_iter().take(MAX_MAKERS) {
            makers.extend(self.maker((file, of), method)?);
        }
        makers.extend(self.around(file)?);
        makers.extend(self.builders(&own)?);
        makers.extend(self.copying(file)?);
        makers.extend(self.producers(file)?);
        if makers.is_empty() {
            return Ok(None);
        }
        self.made_by(makers, (file, of)).map(Some)
    }

    /// Factories without parameters of the class around a nested one, such as those of builders.
    fn around(&mut self, file: &ClassFile) -> Lookup<Vec<Maker>> {
        let outer = file.name.rsplit_once('$').map(|o| o.0);
        let Some(outer) = outer.map(|o| self.find(o)).transpose()?.flatten() else {
            return Ok(Vec::new());
        };
        let result = format!("(){}", descriptor_of(&file.name));
        let gives = |m: &&Method| {
            m.access & STATIC != 0
                && m.access & (PRIVATE | SYNTHETIC) == 0
                && *m.descriptor == *result
        };
        let mut makers = Vec::new();
        for method in outer.methods.iter().filter(gives).take(MAX_MAKERS) {
            makers.extend(self.maker((&outer, &raw(&outer)), method)?);
        }
        Ok(makers)
    }

    /// A constructor, factory or call on an object of that type, where both versions have it.
    fn maker(
        &mut self,
        (file, of): (&ClassFile, &Typed),
        method: &Method,
    ) -> Lookup<Option<Maker>> {
        let has = |f: &ClassFile| f.method(&method.name, &method.descriptor).is_some();
        if !self.is_in_both(&file.name, has)? {
            return Ok(None);
        }
        let never_null = match self.sources.heeds_nullness {
            true => never_null(self.path_of(file)?, file, method)?,
            false => Vec::new(),
        };
        let declared = parameter_types(method);
        let typed = passed((file, of), declared, method.signature.as_deref());
        let mut args = Vec::new();
        for (at, typed) in typed.iter().enumerate() {
            let kind = self.kind(typed)?;
            args.push(match never_null.get(at) {
                Some(true) => self.not_null(kind),
                _ => kind,
            });
        }
        Ok(Some(Maker {
            receiver: None,
            method: id(&file.name, method),
            args,
        }))
    }

    /// Whether both builds, or what they stand on, have the class with that member.
    pub(super) fn is_in_both(&self, class: &str, has: impl Fn(&ClassFile) -> bool) -> Lookup<bool> {
        let Sources {
            old, new, library, ..
        } = self.sources;
        ClassPath::is_in_both([old, new], library, class, has)
    }

    /// Methods without parameters of builder classes that give such an object.
    fn builders(&mut self, own: &str) -> Lookup<Vec<Maker>> {
        let result = format!("(){own}");
        let closed = PRIVATE | STATIC | SYNTHETIC | ABSTRACT;
        let classes = self.sources.classes;
        let builders = classes
            .iter()
            .filter(|f| f.name.ends_with("Builder") && descriptor_of(&f.name) != own);
        let mut makers = Vec::new();
        for file in builders {
            let builds = |m: &&Method| *m.descriptor == *result && m.access & closed == 0;
            for method in file.methods.iter().filter(builds).take(1) {
                let kind = self.kind(&raw(file))?;
                makers.push(Maker {
                    receiver: Some(self.not_null(kind)),
                    method: id(&file.name, method),
                    args: Vec::new(),
                });
            }
        }
        Ok(makers)
    }

    /// Methods that give another object of their own class, as those of immutable classes do: `DEFAULT.withHeader("a")`.
    fn copying(&mut self, file: &ClassFile) -> Lookup<Vec<Maker>> {
        let own = descriptor_of(&file.name);
        let closed = PRIVATE | SYNTHETIC | STATIC | ABSTRACT;
        let copies = |m: &&Method| {
            m.access & closed == 0
                && m.descriptor.ends_with(&format!("){own}"))
                && !m.descriptor.starts_with("()")
                && !gives_itself(m)
        };
        let mut found: Vec<&Method> = file.methods.iter().filter(copies).collect();
        found.sort_by_key(|m| (m.name.clone(), m.descriptor.clone()));
        let mut makers = Vec::new();
        for method in found.into_iter().take(MAX_COPYING) {
            makers.extend(self.producer(file, method)?);
        }
        Ok(makers)
    }

    /// Methods of other classes that give such an object and take something to make it of: static ones first.
    fn producers(&mut self, file: &ClassFile) -> Lookup<Vec<Maker>> {
        let result = format!("){}", descriptor_of(&file.name));
        let closed = PRIVATE | SYNTHETIC | ABSTRACT;
        let mut found: Vec<(bool, &ClassFile, &Method)> = Vec::new();
        for class in self.sources.classes {
            let gives = |m: &&Method| {
                m.descriptor.ends_with(&result)
                    && m.descriptor.len() > result.len() + 1
                    && m.access & closed == 0
            };
            let open = class.name != file.name
                && class.access & INTERFACE == 0
                && !class.name.ends_with("Builder")
                && !is_numbered(&class.name);
            let methods = class.methods.iter().filter(|_| open).filter(gives);
            found.extend(methods.map(|m| (m.access & STATIC == 0, &**class, m)));
        }
        found.sort_by_key(|(on_object, class, m)| {
            (
                *on_object,
                parameter_types(m).len(),
                class.name.clone(),
                m.name.clone(),
                m.descriptor.clone(),
            )
        });
        let mut makers = Vec::new();
        for (_, class, method) in found.into_iter().take(MAX_PRODUCERS) {
            makers.extend(self.producer(class, method)?);
        }
        Ok(makers)
    }

    /// A method of another class that gives an object.
    pub(super) fn producer(&mut self, class: &ClassFile, method: &Method) -> Lookup<Option<Maker>> {
        let Some(maker) = self.maker((class, &raw(class)), method)? else {
            return Ok(None);
        };
        let mut receiver = None;
        if method.access & STATIC == 0 {
            let kind = self.kind(&raw(class))?;
            receiver = Some(self.not_null(kind));
        }
        Ok(Some(Maker { receiver, ..maker }))
    }

    /// Methods of the class and those above that change an object, and fields that others set.
    pub(super) fn calls(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Vec<Maker>> {
        let mut calls: Vec<Maker> = Vec::new();
        let mut fields = Fields::default();
        let mut above = vec![(Arc::new(file.clone()), of.clone())];
        while let Some((file, of)) = above.pop() {
            let mut found: Vec<&Method> =
                file.methods.iter().filter(|m| changes(&file, m)).collect();
            found.sort_by_key(|m| {
                (
                    parameter_types(m).len(),
                    m.name.clone(),
                    m.descriptor.clone(),
                )
            });
            for method in found {
                let known = |c: &Maker| {
                    *c.method.name == *method.name && *c.method.descriptor == *method.descriptor
                };
                if calls.len() < MAX_CALLS && !calls.iter().any(known) {
                    calls.extend(self.maker((&file, &of), method)?);
                }
            }
            self.fields((&file, &of), &mut fields)?;
            // What a class inherits of interfaces it has itself, or leaves to classes below it.
            let parents = match file.access & INTERFACE {
                0 => file.super_name.as_slice(),
                _ => &file.interfaces,
            };
            for name in parents.iter().filter(|p| !is_jdk(p)) {
                let parent = descriptor_of(name);
                let typed = typed_supertype(&of, file.signature.as_deref(), &parent);
                let typed = typed.unwrap_or_else(|| Typed::raw(&parent));
                above.extend(self.find(name)?.map(|file| (file, typed)));
            }
        }
        calls.extend(fields.set);
        Ok(calls)
    }
}

/// A class without type arguments.
fn raw(class: &ClassFile) -> Typed {
    Typed::raw(&descriptor_of(&class.name))
}

/// Whether a method returns nothing but `this`: such calls change their object.
fn gives_itself(method: &Method) -> bool {
    let Some(code) = &method.code else {
        return false;
    };
    let returns = |i: usize| matches!(code.insns[i], Insn::Return(Some(_)));
    let this = |i: usize| i > 0 && matches!(code.insns[i - 1], Insn::Load(None, 0));
    (0..code.insns.len()).filter(|i| returns(*i)).all(this)
}

/// Whether a constructor takes an outer object, which is made another way.
fn is_of_inner(file: &ClassFile, method: &Method) -> bool {
    let outer = file.name.rsplit_once('$').map(|o| o.0);
    let numbered = is_numbered(&file.name);
    let synthetic_outer = file.fields.iter().any(|f| f.name.starts_with("this$"));
    numbered && synthetic_outer && outer.is_some() && &*method.name == "<init>"
}

/// Whether a method seems to change its object: it writes, returns nothing, or is called so and calls others.
fn changes(file: &ClassFile, method: &Method) -> bool {
    const NAMES: [&str; 16] = [
        "add", "put", "set", "append", "with", "push", "insert", "remove", "clear", "register",
        "next", "read", "write", "init", "offer", "pop",
    ];
    let usable = method.access & (PRIVATE | SYNTHETIC | STATIC) == 0;
    let ends = [
        "close",
        "finalize",
        "notify",
        "notifyAll",
        "wait",
        "run",
        "main",
    ];
    if !usable || method.name.starts_with('<') || ends.contains(&&*method.name) {
        return false;
    }
    let result = method.descriptor.rsplit(')').next().unwrap_or_default();
    let fluent = class_of(result).is_some_and(|c| *c == *file.name);
    let writes = |i: &Insn| matches!(i, Insn::PutField(_) | Insn::ArrayStore(_));
    result == "V"
        || fluent
        || NAMES.iter().any(|n| method.name.starts_with(n))
        || method.code.iter().flat_map(|c| &c.insns).any(writes)
}
