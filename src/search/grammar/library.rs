//! Objects of the JDK's types, by the engine's recipes, and lambdas.

use super::{
    ABSTRACT, CALLS_OF_CONTAINER, Generator, Grammar, INTERFACE, Lookup, Maker, OBJECT, STATIC,
    STRING, SYNTHETIC,
};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::is_jdk;
use crate::model::{ClassName, Input, MethodRef, Spelling};
use crate::symex::{Typed, recipe_texts, typed_result};
use std::sync::Arc;

/// A lambda's method: the interface that declares it, and the method.
type Abstract = (Arc<ClassFile>, Method);

impl Grammar<'_> {
    /// The values that recipes make; `None` where there are none for the class. What recipes call once can be called often.
    pub(super) fn by_recipe(&mut self, class: &str, of: &Typed) -> Lookup<Option<Generator>> {
        let texts = recipe_texts(class);
        if texts.is_empty() {
            return Ok(None);
        }
        let (mut constants, mut groups) = (Vec::new(), Vec::<(Maker, Vec<Maker>)>::new());
        for text in texts {
            if let Some((class, field)) = text.split_once('#') {
                constants.push(Input::Field {
                    class: class.dotted(),
                    field: field.to_string(),
                });
                continue;
            }
            let (made, last) = match text.split_once(" > ") {
                Some((made, last)) => (made, Some(last)),
                None => (*text, None),
            };
            let Some((maker, calls)) = self.made(made, of)? else {
                continue;
            };
            match last {
                None => join(&mut groups, maker, calls),
                Some(last) => {
                    let Some((owner, member)) = last.split_once('.') else {
                        continue;
                    };
                    let receiver = self.group((maker, calls));
                    let Some(mut last) = self.member(owner, member, of)? else {
                        continue;
                    };
                    last.receiver = Some(receiver);
                    join(&mut groups, last, Vec::new());
                }
            }
        }
        let mut kinds: Vec<u32> = Vec::new();
        for group in groups {
            kinds.push(self.group(group));
        }
        if !constants.is_empty() {
            kinds.push(self.put(Generator::Constants(constants), false));
        }
        Ok(Some(match kinds[..] {
            [one] => self.kinds[one as usize].generator.clone(),
            _ => Generator::OneOf(kinds),
        }))
    }

    fn group(&mut self, (maker, calls): (Maker, Vec<Maker>)) -> u32 {
        let generator = Generator::Objects {
            makers: vec![maker],
            calls,
            most_calls: CALLS_OF_CONTAINER,
        };
        self.put(generator, false)
    }

    /// A constructor or factory, and the calls on what it makes.
    fn made(&mut self, text: &str, of: &Typed) -> Lookup<Option<(Maker, Vec<Maker>)>> {
        // A descriptor may end in a semicolon itself: the blank behind it tells the separator.
        let mut members = text.split("; ");
        let Some((owner, member)) = members.next().and_then(|m| m.split_once('.')) else {
            return Ok(None);
        };
        let Some(maker) = self.member(owner, member, of)? else {
            return Ok(None);
        };
        let mut calls: Vec<Maker> = Vec::new();
        for member in members {
            if let Some(call) = self.member(owner, member, of)?
                && !calls.contains(&call)
            {
                calls.push(call);
            }
        }
        Ok(Some((maker, calls)))
    }

    /// A recipe's member; a parameter of type `Object` takes the type argument of its place.
    fn member(&mut self, owner: &str, member: &str, of: &Typed) -> Lookup<Option<Maker>> {
        let Some((name, rest)) = member.split_once('(') else {
            return Ok(None);
        };
        let descriptor = format!("({rest}");
        let (mut args, mut n) = (Vec::new(), 0);
        for param in crate::bytecode::parameter_descriptors(&descriptor) {
            args.push(match &*param {
                OBJECT => {
                    n += 1;
                    let element = of.argument(n - 1);
                    if &*element.descriptor == OBJECT {
                        self.kind(&Typed::raw(STRING))?
                    } else {
                        self.kind(&element)?
                    }
                }
                other => {
                    let kind = self.kind(&Typed::raw(other))?;
                    self.not_null(kind)
                }
            });
        }
        Ok(Some(Maker {
            receiver: None,
            method: MethodRef {
                class: ClassName::of_internal(owner),
                name: name.to_string(),
                descriptor,
            },
            args,
        }))
    }

    /// A lambda for an interface with one abstract method.
    pub(super) fn lambda(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Option<Generator>> {
        if file.access & INTERFACE == 0 {
            return Ok(None);
        }
        let mut found = Vec::new();
        self.abstract_methods(file, &mut found, 0)?;
        let [(declares, method)] = &found[..] else {
            return Ok(None);
        };
        let named = MethodRef {
            class: ClassName::of_internal(&file.name),
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
        };
        let result = method.descriptor.rsplit(')').next().unwrap_or_default();
        if result == "V" {
            return Ok(Some(Generator::Lambda(named, None)));
        }
        let given = match declares.name == file.name {
            true => typed_result(of, file.signature.as_deref(), method.signature.as_deref()),
            false => None,
        };
        let result = match given {
            Some(typed) if &*typed.descriptor != OBJECT => typed,
            _ if result == OBJECT => Typed::raw(STRING),
            _ => Typed::raw(result),
        };
        let kind = self.kind(&result)?;
        Ok(Some(Generator::Lambda(named, Some(kind))))
    }

    /// Abstract methods of an interface and those above, but those that `Object` has (JLS §9.8) and those given a body.
    fn abstract_methods(
        &self,
        file: &ClassFile,
        out: &mut Vec<Abstract>,
        depth: u32,
    ) -> Lookup<()> {
        let of_object = ["equals", "hashCode", "toString"];
        for method in &file.methods {
            let is_abstract = method.access & (ABSTRACT | STATIC | SYNTHETIC) == ABSTRACT;
            let known = out.iter().any(|(_, m)| m.name == method.name);
            if is_abstract && !known && !of_object.contains(&&*method.name) {
                out.push((Arc::new(file.clone()), method.clone()));
            }
        }
        for above in file.interfaces.iter().filter(|_| depth < 8) {
            if let Some(above) = self.find(above)? {
                let given = |m: &Method| {
                    let own = file.methods.iter();
                    let mut same = own.filter(|o| o.name == m.name);
                    same.any(|o| o.access & ABSTRACT == 0)
                };
                let mut more = Vec::new();
                self.abstract_methods(&above, &mut more, depth + 1)?;
                more.retain(|(_, m)| !given(m) && !out.iter().any(|(_, o)| o.name == m.name));
                out.extend(more);
            }
        }
        // Interfaces of the JDK that hold resources or run threads are no lambdas of tests.
        if is_jdk(&file.name) && file.name.starts_with("java/lang/AutoCloseable") {
            out.clear();
        }
        Ok(())
    }
}

/// Recipes with the same maker differ in how often they call.
fn join(groups: &mut Vec<(Maker, Vec<Maker>)>, maker: Maker, calls: Vec<Maker>) {
    match groups.iter_mut().find(|g| g.0 == maker) {
        Some(group) => {
            for call in calls {
                if !group.1.contains(&call) {
                    group.1.push(call);
                }
            }
        }
        None => groups.push((maker, calls)),
    }
}
