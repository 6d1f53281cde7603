//! Front doors of changed code: public methods that take texts and numbers alone, else other objects than it takes itself, and come to it
//! through any number of calls.

use super::callers::{accessible, declarations_above, id};
use crate::bytecode::access::{PUBLIC, STATIC};
use crate::bytecode::class_file::{ClassFile, Const, Insn, Method};
use crate::bytecode::{is_numbered, parameter_descriptors};
use crate::model::{ClassName, MethodRef, Spelling};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Calls between a front door and what changed.
const CALLS: usize = 12;

/// Methods that are looked at for one changed method.
const MOST_METHODS: usize = 4_000;

/// Parameters of a front door.
const MOST_PARAMETERS: usize = 4;

/// The package of the JDK's functional interfaces.
const FUNCTIONS: &str = "java/util/function/";

/// What holds characters or bytes.
const TEXTS: [&str; 6] = [
    "Ljava/lang/String;",
    "Ljava/lang/CharSequence;",
    "Ljava/io/Reader;",
    "Ljava/io/InputStream;",
    "[C",
    "[B",
];

/// A method by the places of its class and of itself.
type Place = (usize, usize);

/// Who calls what in the classes of a build.
pub struct FrontDoors {
    classes: Vec<Arc<ClassFile>>,
    callers: FxHashMap<MethodRef, Vec<Place>>,
    /// Who makes objects of anonymous and local classes: whatever these implement may be called then.
    makers: FxHashMap<Arc<str>, Vec<Place>>,
}

impl FrontDoors {
    /// Notes the calls between these classes.
    pub fn of(classes: Vec<Arc<ClassFile>>) -> Self {
        let names: BTreeSet<&str> = classes.iter().map(|c| &*c.name).collect();
        let mut callers: FxHashMap<MethodRef, Vec<Place>> = FxHashMap::default();
        let mut makers: FxHashMap<Arc<str>, Vec<Place>> = FxHashMap::default();
        for (i, class) in classes.iter().enumerate() {
            for (j, method) in class.methods.iter().enumerate() {
                let code = method.code.as_ref();
                for insn in code.into_iter().flat_map(|c| &c.insns) {
                    let is_noted =
                        |m: &(&str, &str, &str)| names.contains(m.0) || m.0.starts_with(FUNCTIONS);
                    for callee in callees(insn).filter(is_noted) {
                        callers.entry(named(callee)).or_default().push((i, j));
                    }
                    if let Insn::New(c) = insn
                        && is_numbered(c)
                    {
                        makers.entry(c.clone()).or_default().push((i, j));
                    }
                }
            }
        }
        FrontDoors {
            classes,
            callers,
            makers,
        }
    }

    /// Up to `most` of the wanted front doors of a method: the nearest that take texts, then the nearest that take other objects than
    /// the method itself.
    pub fn to(
        &self,
        changed: &MethodRef,
        is_wanted: impl Fn(&MethodRef) -> bool,
        most: usize,
    ) -> Vec<MethodRef> {
        let mut layer = vec![changed.clone()];
        layer.extend(self.stored(changed));
        let mut seen: BTreeSet<MethodRef> = layer.iter().cloned().collect();
        let hard = hard_types(changed);
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for calls in 0..CALLS {
            let (mut next, mut doors) = (Vec::new(), Vec::new());
            for (i, j) in layer.iter().flat_map(|m| self.direct(m)) {
                let class = &self.classes[i];
                let caller = id(class, &class.methods[j]);
                if !seen.insert(caller.clone()) {
                    continue;
                }
                let method = &class.methods[j];
                if is_door(class, method) && is_wanted(&caller) {
                    doors.push(caller.clone());
                } else if let Some(objects) = objects_of_door(class, method, &hard)
                    && is_wanted(&caller)
                {
                    others.push((calls, objects, caller.clone()));
                }
                next.push(caller);
            }
            doors.sort_by_key(|d| (parameter_descriptors(&d.descriptor).len(), d.clone()));
            found.extend(doors);
            if found.len() >= most || next.is_empty() || seen.len() > MOST_METHODS {
                break;
            }
            layer = next;
        }
        others.sort();
        found.extend(others.into_iter().map(|(_, _, door)| door));
        found.truncate(most);
        found
    }

    /// The interfaces' methods that lambdas of a method implement: where these are called, its code may run, though nobody calls it.
    fn stored(&self, method: &MethodRef) -> Vec<MethodRef> {
        let name = method.class.internal();
        let class = self.classes.iter().find(|c| *c.name == *name);
        let found = class.and_then(|c| c.method(&method.name, &method.descriptor));
        let code = found.and_then(|m| m.code.as_ref());
        let insns = code.into_iter().flat_map(|c| &c.insns);
        insns.filter_map(|insn| implemented(insn, &name)).collect()
    }

    /// The methods that call one, by its own name or by one above it.
    fn direct(&self, method: &MethodRef) -> Vec<Place> {
        let above = declarations_above(&self.classes, method);
        let names = std::iter::once(method).chain(&above);
        let calling = names.flat_map(|name| self.callers.get(name).into_iter().flatten());
        let making = self.makers.get(&*method.class.internal());
        calling
            .chain(making.into_iter().flatten())
            .copied()
            .collect()
    }
}

/// The methods that an instruction calls, or makes lambdas of, as class, name and descriptor.
fn callees(insn: &Insn) -> impl Iterator<Item = (&str, &str, &str)> {
    let (called, args) = match insn {
        Insn::Invoke(_, m) => (Some((&*m.class, &*m.name, &*m.descriptor)), &[][..]),
        Insn::InvokeDynamic(site) => (None, &site.args[..]),
        _ => (None, &[][..]),
    };
    let handles = args.iter().filter_map(|arg| match arg {
        Const::MethodHandle(h) => Some((&*h.class, &*h.name, &*h.descriptor)),
        _ => None,
    });
    called.into_iter().chain(handles)
}

/// The interface's method that a lambda implements whose body is in that class.
fn implemented(insn: &Insn, class: &str) -> Option<MethodRef> {
    let Insn::InvokeDynamic(site) = insn else {
        return None;
    };
    let [Const::MethodType(erased), Const::MethodHandle(body), ..] = &site.args[..] else {
        return None;
    };
    let made = site.descriptor.rsplit_once(')')?.1;
    let interface = made.strip_prefix('L')?.strip_suffix(';')?;
    let is_own = *body.class == *class && body.name.starts_with("lambda$");
    is_own.then(|| named((interface, &site.name, erased)))
}

fn named((class, name, descriptor): (&str, &str, &str)) -> MethodRef {
    MethodRef {
        class: ClassName::of_internal(class),
        name: name.to_string(),
        descriptor: descriptor.to_string(),
    }
}

fn is_text(parameter: &str) -> bool {
    TEXTS.contains(&parameter)
}

/// Whether a parameter takes a text, a number or a class.
fn is_plain(parameter: &str) -> bool {
    parameter.len() == 1 || is_text(parameter) || parameter == "Ljava/lang/Class;"
}

/// The parameters of a method that anyone can call, where they are few.
fn open_parameters(class: &ClassFile, method: &Method) -> Option<Vec<String>> {
    let parameters = parameter_descriptors(&method.descriptor);
    let is_open = accessible(class, method)
        && class.access & method.access & PUBLIC != 0
        && &*method.name != "<init>"
        && parameters.len() <= MOST_PARAMETERS;
    is_open.then_some(parameters)
}

/// Whether anyone can call a method with texts, and numbers and classes beside them.
fn is_door(class: &ClassFile, method: &Method) -> bool {
    open_parameters(class, method).is_some_and(|parameters| {
        parameters.iter().any(|p| is_text(p)) && parameters.iter().all(|p| is_plain(p))
    })
}

/// The types of receiver and objects with which a method can't be reached, or only seldom: what takes them is no better.
fn hard_types(changed: &MethodRef) -> BTreeSet<String> {
    let parameters = parameter_descriptors(&changed.descriptor).into_iter();
    let own = format!("L{};", changed.class.internal());
    parameters.filter(|p| !is_plain(p)).chain([own]).collect()
}

/// How many objects beside texts, numbers and classes anyone can call a method with, if none of them is of such a type, nor is the receiver.
fn objects_of_door(class: &ClassFile, method: &Method, hard: &BTreeSet<String>) -> Option<usize> {
    let parameters = open_parameters(class, method)?;
    let receiver = format!("L{};", class.name);
    let is_hard = |p: &String| hard.contains(p.trim_start_matches('['));
    let has_any = !parameters.is_empty() || method.access & STATIC == 0;
    let is_free = !parameters.iter().any(is_hard)
        && (method.access & STATIC != 0 || !hard.contains(&receiver));
    (has_any && is_free).then(|| parameters.iter().filter(|p| !is_plain(p)).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytecode::class_file::InvokeKind;
    use crate::impact::testing::{call, class, code, method};

    /// A static method that calls another of its class.
    fn caller(name: &str, descriptor: &str, callee: &str) -> Method {
        let calls = call(InvokeKind::Static, "p/A", callee, "(Lp/Node;)V");
        method(
            name,
            descriptor,
            true,
            Some(code(vec![calls, Insn::Return(None)])),
        )
    }

    #[test]
    fn the_nearest_methods_that_take_texts_come_first() {
        let deep = "(Lp/Node;)V";
        let methods = vec![
            method("changed", deep, true, Some(code(vec![Insn::Return(None)]))),
            caller("one", deep, "changed"),
            caller("two", deep, "one"),
            caller("parse", "(Ljava/lang/String;Ljava/lang/String;)V", "two"),
            caller("read", "(Ljava/io/Reader;I)V", "one"),
            caller("bind", "(Ljava/lang/String;Lp/Node;)V", "changed"),
            caller("count", "(I)V", "changed"),
        ];
        let classes = [class("p/A", "java/lang/Object", &[], methods)];
        let of = |name: &str| {
            let found = classes[0].methods.iter().find(|m| *m.name == *name);
            id(&classes[0], found.unwrap())
        };
        let doors = FrontDoors::of(classes.to_vec());
        let to = |gone: &str, most| doors.to(&of("changed"), |m| m.name != gone, most);
        assert_eq!(to("", 2), [of("read"), of("parse")]);
        // What takes numbers alone comes last, as what takes objects does.
        assert_eq!(to("read", 2), [of("parse"), of("count")]);
        assert_eq!(to("", 1), [of("read")]);
    }

    #[test]
    fn methods_that_take_other_objects_come_behind_those_that_take_texts() {
        let methods = vec![
            method(
                "changed",
                "(Lp/Node;)V",
                true,
                Some(code(vec![Insn::Return(None)])),
            ),
            caller("pair", "(Lp/Tree;Lp/Leaf;)V", "changed"),
            caller("draw", "(Lp/Tree;)V", "changed"),
            // What the changed method takes is as hard to make for these.
            caller("bind", "(Ljava/lang/String;Lp/Node;)V", "changed"),
            caller("all", "([Lp/Node;)V", "changed"),
            caller("far", "(Lp/Tree;)V", "draw"),
            caller("parse", "(Ljava/lang/String;)V", "far"),
        ];
        let mut classes = [class("p/A", "java/lang/Object", &[], methods)];
        let far = call(InvokeKind::Static, "p/A", "far", "(Lp/Tree;)V");
        let draw = call(InvokeKind::Static, "p/A", "draw", "(Lp/Tree;)V");
        let a = Arc::make_mut(&mut classes[0]);
        for (name, insn) in [("far", draw), ("parse", far)] {
            let found = a.methods.iter_mut().find(|m| &*m.name == name).unwrap();
            found.code = Some(code(vec![insn, Insn::Return(None)]).into());
        }
        let of = |name: &str| {
            let found = classes[0].methods.iter().find(|m| *m.name == *name);
            id(&classes[0], found.unwrap())
        };
        let doors = FrontDoors::of(classes.to_vec());
        let all = doors.to(&of("changed"), |_| true, 9);
        assert_eq!(all, ["parse", "draw", "pair", "far"].map(of));
        assert_eq!(doors.to(&of("changed"), |_| true, 1), [of("parse")]);
    }
}
