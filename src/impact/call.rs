//! The methods that an instruction calls, and unknown code that it may call.

use super::hierarchy::Hierarchy;
use crate::bytecode::class_file::{Insn, InvokeKind, MemberRef};
use crate::bytecode::logger_call;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What an instruction calls.
#[derive(Default)]
pub(super) struct Call {
    /// Methods among the known classes.
    pub known: Vec<u32>,
    /// Whether code outside them may run.
    pub unknown: bool,
    /// Whether that may be anything.
    pub anything: bool,
}

impl Call {
    pub(super) fn of(hierarchy: &Hierarchy, insn: &Insn) -> Call {
        let targets = hierarchy.targets(insn);
        // Loggers are silent, unless the program has its own.
        let logs = targets.known.is_empty()
            && matches!(insn, Insn::Invoke(_, m) if logger_call(m).is_some());
        let unknown = targets.unknown && !logs;
        Call {
            known: targets.known,
            unknown,
            anything: unknown && may_call_anything(hierarchy, insn),
        }
    }
}

/// What instructions that call the same have in common.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Method(InvokeKind, Arc<MemberRef>),
    Field(Arc<MemberRef>),
    Class(Arc<str>),
}

/// The calls of many instructions, each looked up once: a program calls few methods from many places.
pub(super) struct Calls<'a> {
    hierarchy: &'a Hierarchy,
    nothing: Rc<Call>,
    known: FxHashMap<Key, Rc<Call>>,
}

impl<'a> Calls<'a> {
    pub fn new(hierarchy: &'a Hierarchy) -> Self {
        Calls {
            hierarchy,
            nothing: Rc::default(),
            known: FxHashMap::default(),
        }
    }

    /// What an instruction calls.
    pub fn of(&mut self, insn: &Insn) -> Rc<Call> {
        let key = match insn {
            Insn::Invoke(kind, method) => Key::Method(*kind, method.clone()),
            Insn::GetStatic(field) | Insn::PutStatic(field) => Key::Field(field.clone()),
            Insn::New(class) => Key::Class(class.clone()),
            Insn::InvokeDynamic(_) | Insn::Const(_) => {
                return Rc::new(Call::of(self.hierarchy, insn));
            }
            _ => return self.nothing.clone(),
        };
        let look_up = || Rc::new(Call::of(self.hierarchy, insn));
        self.known.entry(key).or_insert_with(look_up).clone()
    }
}

/// The JDK's packages, whose code calls nothing but what it is given, and those that are an exception to this.
const JDK: [&str; 7] = [
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "org/w3c/dom/",
    "org/xml/sax/",
];
const REFLECTIVE: [&str; 11] = [
    "jdk/internal/reflect/",
    "sun/reflect/",
    "java/lang/reflect/",
    "java/lang/invoke/",
    "java/lang/ClassLoader",
    "java/beans/",
    "java/io/Object",
    "java/rmi/",
    "java/util/ServiceLoader",
    "java/util/ResourceBundle",
    "javax/",
];
/// The runtime of unified programs.
const RUNTIME: &str = "com/shadowci/";

/// Whether an instruction may run code outside the known classes that finds what it calls by itself.
fn may_call_anything(hierarchy: &Hierarchy, insn: &Insn) -> bool {
    let owner = match insn {
        Insn::Invoke(_, m) => {
            let by_name = &*m.class == "java/lang/Class"
                && matches!(&*m.name, "forName" | "newInstance" | "getEnumConstants");
            if by_name || hierarchy.is_native(m) {
                return true;
            }
            &m.class
        }
        Insn::GetStatic(f) | Insn::PutStatic(f) => &f.class,
        Insn::New(class) => class,
        // Strings are joined, records compared, patterns matched: by calling what overrides a library method.
        Insn::InvokeDynamic(site) => &site.bootstrap.class,
        _ => return false,
    };
    let starts = |name: &str, prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    let bootstraps = matches!(insn, Insn::InvokeDynamic(_)) && owner.starts_with("java/lang/");
    let finds = |name: &Arc<str>| !starts(name, &JDK) || starts(name, &REFLECTIVE);
    !bootstraps
        && !owner.starts_with('[')
        && !owner.starts_with(RUNTIME)
        && hierarchy.outside(owner).iter().any(finds)
}
