//! Bodies of lambdas: the method they stand in, and those that have another number in the new version.
//!
//! javac numbers the lambdas of a class in the order of its source, so one that is added renames all behind it.

use crate::bytecode::class_file::{ClassFile, Const, Insn, Method, MethodHandle};
use crate::bytecode::same_code;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What javac calls the bodies of lambdas.
const PREFIX: &str = "lambda$";

/// Name and descriptor of a method.
type Name = (Arc<str>, Arc<str>);

/// Whether javac made it of a lambda.
pub fn is_lambda(method: &Method) -> bool {
    method.access & crate::bytecode::access::SYNTHETIC != 0 && method.name.starts_with(PREFIX)
}

/// The bodies of lambdas that a method's instructions name, in their order.
fn of_method<'a>(class: &'a ClassFile, method: &'a Method) -> Vec<&'a Method> {
    let insns = method.code.iter().flat_map(|c| &c.insns);
    let sites = insns.filter_map(|i| match i {
        Insn::InvokeDynamic(site) => Some(site),
        _ => None,
    });
    let own = |handle: &MethodHandle| {
        let is_own = handle.class == class.name && handle.name.starts_with(PREFIX);
        is_own.then(|| class.method(&handle.name, &handle.descriptor))?
    };
    let handles = sites.flat_map(|site| &site.args).filter_map(|a| match a {
        Const::MethodHandle(handle) => own(handle),
        _ => None,
    });
    handles.filter(|m| is_lambda(m)).collect()
}

/// The method of the source in which the body of a lambda stands, directly or within other lambdas.
pub fn method_around<'a>(class: &'a ClassFile, lambda: &'a Method) -> Option<&'a Method> {
    let mut inner = lambda;
    // Each is named by one method: more steps than methods are a ring.
    for _ in 0..class.methods.len() {
        let names = |m: &&Method| {
            let bodies = of_method(class, m);
            bodies.iter().any(|body| std::ptr::eq(*body, inner))
        };
        inner = class.methods.iter().find(names)?;
        if !is_lambda(inner) {
            return Some(inner);
        }
    }
    None
}

/// New names of the old version's lambda bodies, by name and descriptor. One that has no counterpart gives up a name that another takes.
pub fn renumbered_lambdas(old: &ClassFile, new: &ClassFile) -> BTreeMap<Name, Arc<str>> {
    let mut pairs = BTreeMap::new();
    for a in old.methods.iter().filter(|m| !is_lambda(m)) {
        if let Some(b) = new.method(&a.name, &a.descriptor) {
            pair((old, a), (new, b), &mut pairs);
        }
    }
    let taken: BTreeSet<Arc<str>> = pairs.values().cloned().collect();
    for lone in old.methods.iter().filter(|m| is_lambda(m)) {
        let key = (lone.name.clone(), lone.descriptor.clone());
        if !pairs.contains_key(&key) && taken.contains(&lone.name) {
            pairs.insert(key, format!("{}$old", lone.name).into());
        }
    }
    pairs.retain(|(from, _), to| from != to);
    pairs
}

/// Pairs the lambdas in two methods, and those in these: all in turn, or where their numbers differ, those with the same code.
fn pair(
    (old, a): (&ClassFile, &Method),
    (new, b): (&ClassFile, &Method),
    pairs: &mut BTreeMap<Name, Arc<str>>,
) {
    let (before, after) = (of_method(old, a), of_method(new, b));
    let in_turn = before.len() == after.len();
    let mut rest = after.iter();
    for x in before {
        let y = match in_turn {
            true => rest.next(),
            false => {
                let mut ahead = rest.clone();
                let found = ahead.find(|y| x.descriptor == y.descriptor && same_code(x, y));
                if found.is_some() {
                    rest = ahead;
                }
                found
            }
        };
        let Some(y) = y.filter(|y| x.descriptor == y.descriptor) else {
            continue;
        };
        let key = (x.name.clone(), x.descriptor.clone());
        if pairs.insert(key, y.name.clone()).is_none() {
            pair((old, x), (new, y), pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{method_around, renumbered_lambdas};
    use crate::bytecode::access::{STATIC, SYNTHETIC};
    use crate::bytecode::class_file::{ClassFile, Const, DynamicRef, Insn, Method, MethodHandle};
    use crate::impact::testing::{class, code, method};
    use std::sync::Arc;

    /// A call site whose function is a method of class `A`.
    fn site(name: &str) -> Insn {
        let handle = |name: &str| MethodHandle {
            kind: 6,
            class: "A".into(),
            name: name.into(),
            descriptor: "()V".into(),
            interface: false,
        };
        Insn::InvokeDynamic(Arc::new(DynamicRef {
            bootstrap: handle("metafactory"),
            args: vec![Const::MethodHandle(handle(name))],
            name: "run".into(),
            descriptor: "()Ljava/lang/Runnable;".into(),
        }))
    }

    fn lambda(name: &str, insns: Vec<Insn>) -> Method {
        let mut method = method(name, "()V", true, Some(code(insns)));
        method.access |= SYNTHETIC | STATIC;
        method
    }

    fn of(methods: Vec<Method>) -> Arc<ClassFile> {
        class("A", "java/lang/Object", &[], methods)
    }

    fn named(name: &str, insns: Vec<Insn>) -> Method {
        method(name, "()V", true, Some(code(insns)))
    }

    #[test]
    fn lambdas_behind_an_added_one_are_the_same_with_another_number() {
        let old = of(vec![
            named("f", vec![site("lambda$f$1")]),
            lambda("lambda$f$1", vec![site("lambda$f$0")]),
            lambda("lambda$f$0", vec![Insn::Nop]),
        ]);
        let new = of(vec![
            named("e", vec![site("lambda$e$0")]),
            lambda("lambda$e$0", vec![Insn::Nop, Insn::Nop]),
            named("f", vec![site("lambda$f$2")]),
            lambda("lambda$f$2", vec![site("lambda$f$1")]),
            lambda("lambda$f$1", vec![Insn::Nop]),
        ]);
        let pairs = renumbered_lambdas(&old, &new);
        let told: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (&*k.0, &**v)).collect();
        assert_eq!(
            told,
            [("lambda$f$0", "lambda$f$1"), ("lambda$f$1", "lambda$f$2")]
        );
    }

    #[test]
    fn a_lambda_that_is_gone_gives_its_name_up() {
        let old = of(vec![
            named("f", vec![site("lambda$f$0"), site("lambda$f$1")]),
            lambda("lambda$f$0", vec![Insn::Nop, Insn::Nop]),
            lambda("lambda$f$1", vec![Insn::Nop]),
        ]);
        let new = of(vec![
            named("f", vec![site("lambda$f$0")]),
            lambda("lambda$f$0", vec![Insn::Nop]),
        ]);
        let pairs = renumbered_lambdas(&old, &new);
        let told: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (&*k.0, &**v)).collect();
        assert_eq!(
            told,
            [
                ("lambda$f$0", "lambda$f$0$old"),
                ("lambda$f$1", "lambda$f$0")
            ]
        );
    }

    #[test]
    fn a_lambda_stands_in_the_method_that_names_it_and_not_in_an_overload() {
        let mut overload = named("f", vec![Insn::Nop]);
        overload.descriptor = "(I)V".into();
        let own = of(vec![
            overload,
            named("f", vec![site("lambda$f$1")]),
            lambda("lambda$f$1", vec![site("lambda$f$0")]),
            lambda("lambda$f$0", vec![Insn::Nop]),
        ]);
        let around = method_around(&own, &own.methods[3]);
        assert_eq!(around.map(|m| &*m.descriptor), Some("()V"));
    }
}
