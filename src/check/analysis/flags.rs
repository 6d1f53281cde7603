//! Flags of a method that decide what calls of it do, where its code is the same in both versions.

use crate::bytecode::access::{PRIVATE, PROTECTED, PUBLIC, STATIC, SYNCHRONIZED};
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Methods that serialization looks up by name and descriptor (`java.io.Serializable`). Whether they are found, and in which classes,
/// depends on their access.
const BY_SERIALIZATION: [(&str, &str); 5] = [
    ("readResolve", "()Ljava/lang/Object;"),
    ("writeReplace", "()Ljava/lang/Object;"),
    ("readObject", "(Ljava/io/ObjectInputStream;)V"),
    ("writeObject", "(Ljava/io/ObjectOutputStream;)V"),
    ("readObjectNoData", "()V"),
];

/// Who may override a method (JVMS §5.4.5).
#[derive(PartialEq, Eq)]
enum Reach {
    Nobody,
    Package,
    All,
}

fn reach(method: &Method) -> Reach {
    match method.access & (PRIVATE | PROTECTED | PUBLIC) {
        PRIVATE => Reach::Nobody,
        0 => Reach::Package,
        _ => Reach::All,
    }
}

/// Why calls of a method may do something else, though its code is the same; `classes` are those of both versions.
pub(super) fn redispatched(
    class: &ClassFile,
    (old, new): (&Method, &Method),
    classes: &[Arc<ClassFile>],
) -> Option<String> {
    if (old.access ^ new.access) & SYNCHRONIZED != 0 && asks_for_lock(class, new) {
        return Some("it is synchronized in one version, and waits or notifies".into());
    }
    if reach(old) == reach(new) || new.name.starts_with('<') || new.access & STATIC != 0 {
        return None;
    }
    let is = |(name, descriptor): &(&str, &str)| new.is_named(name, descriptor);
    if BY_SERIALIZATION.iter().any(is) {
        return Some("its access changed, by which serialization finds it".into());
    }
    let below = below(&class.name, classes);
    // Classes of the same package override it in both versions, if it is private in neither.
    let private = reach(old) == Reach::Nobody || reach(new) == Reach::Nobody;
    let is_near = |c: &ClassFile| package(&c.name) == package(&class.name);
    let overrides = |c: &&Arc<ClassFile>| {
        let twin = c.method(&new.name, &new.descriptor);
        below.contains(&c.name)
            && (private || !is_near(c))
            && twin.is_some_and(|m| m.access & (PRIVATE | STATIC) == 0)
    };
    let by = classes.iter().find(overrides)?;
    let name = by.name.replace('/', ".");
    Some(format!(
        "its access changed: in one version only, {name} overrides it"
    ))
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// Whether a method, or one of its class that it calls, calls what only the owner of a lock may call (`Object.wait`, `notify`).
fn asks_for_lock(class: &ClassFile, method: &Method) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![method]);
    while let Some(method) = open.pop() {
        let insns = method.code.iter().flat_map(|code| &code.insns);
        for insn in insns {
            let Insn::Invoke(_, m) = insn else { continue };
            if matches!(&*m.name, "wait" | "notify" | "notifyAll" | "holdsLock") {
                return true;
            }
            let own = class.method(&m.name, &m.descriptor);
            open.extend(own.filter(|o| seen.insert((&o.name, &o.descriptor))));
        }
    }
    false
}

/// Names of the classes and interfaces below one.
fn below(name: &Arc<str>, classes: &[Arc<ClassFile>]) -> BTreeSet<Arc<str>> {
    let mut all = BTreeSet::from([name.clone()]);
    loop {
        let before = all.len();
        for class in classes {
            let mut above = class.super_name.iter().chain(&class.interfaces);
            if above.any(|a| all.contains(a)) {
                all.insert(class.name.clone());
            }
        }
        if all.len() == before {
            all.remove(name);
            return all;
        }
    }
}
