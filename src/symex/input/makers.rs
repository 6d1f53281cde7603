//! Constructors and factories that make objects of a class.

use super::spec::Spec;
use crate::bytecode::class_file::Insn;
use crate::model::Version;
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{Class, Method, access};
use crate::symex::input::specs::symbolic_type;
use std::sync::Arc;

/// Enum constants that are tried one by one.
const MAX_CONSTANTS: usize = 6;

/// An enum's constants, one by one while they are few.
pub(super) fn constants(class: &Arc<str>, names: &[Arc<str>], depth: u32) -> Vec<Spec> {
    let descriptor: Arc<str> = Arc::from(format!("L{class};"));
    let each = names.iter().map(|name| Spec::Constant {
        class: class.clone(),
        name: name.clone(),
        descriptor: descriptor.clone(),
    });
    let all: Vec<Spec> = each.collect();
    if all.len() <= 1 || depth == 0 && all.len() <= MAX_CONSTANTS {
        return all;
    }
    vec![Spec::OneOf {
        of: all,
        nullable: false,
        bound: None,
    }]
}

/// Accessible constructors, else static factories, in class-file-independent order: those of floating-point numbers, which the
/// solver is slow on, and of anything at all, which they look at case by case, come last. Where no constructor is public, public
/// factories come first: they are what callers use, and see to it that the constructors get arguments that fit.
pub(super) fn makers(class: &Class) -> Vec<Arc<Method>> {
    makers_that(class, access::PRIVATE | access::SYNTHETIC)
}

/// The same with private constructors: those of a private nested class are its neighbours' to call (JLS §6.6.1).
pub(super) fn private_makers(class: &Class) -> Vec<Arc<Method>> {
    makers_that(class, access::SYNTHETIC)
}

/// Accessible static methods of a class that give an object of exactly that type.
pub(super) fn factories_of(class: &Class, result: &str) -> Vec<Arc<Method>> {
    let descriptor = format!("L{result};");
    let not = access::PRIVATE | access::SYNTHETIC;
    let mut all = in_order(class);
    all.retain(|m| m.is_static() && m.access & not == 0 && *m.result == *descriptor);
    all
}

/// The new version's methods, those that are easy to call first.
fn in_order(class: &Class) -> Vec<Arc<Method>> {
    let mut all: Vec<Arc<Method>> = class
        .methods
        .values()
        .filter_map(|m| m.get(Version::New))
        .collect();
    let heavy = |m: &Method| {
        let heavy = |p: &Arc<str>| matches!(&**p, "F" | "D" | "Ljava/lang/Object;");
        m.params.iter().any(heavy)
    };
    all.sort_by(|a, b| {
        let key = |m: &Method| (heavy(m), m.params.len());
        (key(a), &a.name, &a.descriptor).cmp(&(key(b), &b.name, &b.descriptor))
    });
    all
}

fn makers_that(class: &Class, not: u16) -> Vec<Arc<Method>> {
    let all = in_order(class);
    let accessible = |m: &&Arc<Method>| m.access & not == 0;
    let constructors: Vec<Arc<Method>> = all
        .iter()
        .filter(accessible)
        .filter(|m| &*m.name == "<init>" && !class.is_abstract())
        .cloned()
        .collect();
    let own = format!("L{};", class.name);
    let factories = all.iter().filter(accessible);
    let factories = factories.filter(|m| m.is_static() && *m.result == *own);
    let is_public = |m: &Arc<Method>| m.access & access::PUBLIC != 0;
    if constructors.is_empty() {
        return factories.cloned().collect();
    }
    if constructors.iter().any(is_public) {
        return constructors;
    }
    let public = factories.filter(|m| is_public(m)).cloned();
    public.chain(constructors).collect()
}

/// Methods that change the object they are called on, by name.
pub(super) fn mutators(class: &Class) -> Vec<Arc<Method>> {
    let mut found: Vec<Arc<Method>> = class
        .methods
        .values()
        .filter_map(|m| m.get(Version::New))
        .filter(mutates)
        .collect();
    // What takes objects, or numbers that the solver is slow on, comes last in builders, which have many.
    let builder = class.name.ends_with("Builder");
    let heavy = |m: &Method| builder && m.params.iter().any(|p| !symbolic_type(p) || is_float(p));
    found.sort_by(|a, b| {
        let key = |m: &Method| (heavy(m), m.name.clone(), m.descriptor.clone());
        key(a).cmp(&key(b))
    });
    found
}

fn is_float(descriptor: &str) -> bool {
    matches!(descriptor, "F" | "D")
}

fn mutates(method: &Arc<Method>) -> bool {
    let usable = method.access & (access::PRIVATE | access::SYNTHETIC | access::STATIC) == 0;
    let writes = |code: &Arc<crate::bytecode::class_file::Code>| {
        code.insns
            .iter()
            .any(|i| matches!(i, Insn::PutField(_) | Insn::ArrayStore(_)))
    };
    // Builders are changed by what returns them again.
    let fluent = method.class_name.ends_with("Builder")
        && class_name_of(&method.result).is_some_and(|c| *c == *method.class_name);
    usable && &*method.name != "<init>" && (fluent || method.code.as_ref().is_some_and(writes))
}
