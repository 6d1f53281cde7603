//! Which ways there are to build a receiver or an argument, and what they leave out (DESIGN §5, *Inputs*).

use super::class::{Class, ClassId, Key, Method, access, split_descriptor};
use super::input::{Built, STRING, Spec, box_prim};
use super::linker::class_name_of;
use super::vm::Vm;
use crate::bytecode::class_file::Insn;
use crate::verdict::{MethodId, Version};
use std::rc::Rc;
use std::sync::Arc;

/// The ways to build values of a type, and what could not be covered.
pub(super) struct Specs {
    pub choices: Vec<Spec>,
    /// Types of which not all values can be built: `(reason, detail)`.
    pub missing: Vec<(&'static str, String)>,
}

/// The ways to build an argument of that descriptor.
pub(super) fn specs(vm: &mut Vm, descriptor: &str, depth: u32) -> Built<Specs> {
    let one = |spec| Specs {
        choices: vec![spec],
        missing: Vec::new(),
    };
    let Some(name) = class_name_of(descriptor) else {
        return Ok(one(Spec::Symbolic(Arc::from(descriptor))));
    };
    if let Some(element) = descriptor.strip_prefix('[') {
        let mut found = one(Spec::Symbolic(Arc::from(descriptor)));
        let innermost = element.trim_start_matches('[');
        if !symbolic_type(innermost) {
            found
                .missing
                .push(("input-type", format!("elements of {}", display(innermost))));
        }
        return Ok(found);
    }
    if symbolic_type(descriptor) {
        let mut found = one(Spec::Symbolic(Arc::from(descriptor)));
        if descriptor == "Ljava/lang/CharSequence;" {
            found
                .missing
                .push(("input-type", "CharSequence other than String".into()));
        }
        return Ok(found);
    }
    let class = vm.linker.resolve_for(&name, Version::New)?;
    let mut found = objects(vm, class, depth)?;
    found.choices.insert(0, Spec::Null);
    Ok(found)
}

pub(super) fn symbolic_type(descriptor: &str) -> bool {
    descriptor.len() == 1
        || descriptor == STRING
        || descriptor == "Ljava/lang/CharSequence;"
        || class_name_of(descriptor).is_some_and(|c| box_prim(&c).is_some())
}

fn display(descriptor: &str) -> String {
    descriptor
        .trim_start_matches('L')
        .trim_end_matches(';')
        .replace('/', ".")
}

/// Constructors tried per class, and shapes of one constructor's arguments.
const MAX_MAKERS: usize = 4;
const MAX_SHAPES: usize = 4;
const MAX_DEPTH: u32 = 2;

/// The ways to build an object of exactly that class.
pub(super) fn objects(vm: &mut Vm, class: ClassId, depth: u32) -> Built<Specs> {
    let linked = vm.linker.class(class).clone();
    let mut found = Specs {
        choices: Vec::new(),
        missing: Vec::new(),
    };
    if linked.is_enum() {
        for name in &linked.constants {
            found.choices.push(Spec::Constant {
                class: linked.name.clone(),
                name: name.clone(),
            });
        }
        return Ok(found);
    }
    if &*linked.name == "java/lang/Object" {
        found.missing.push((
            "input-type",
            "java.lang.Object: only a plain object and a String".into(),
        ));
        found.choices.push(Spec::Symbolic(Arc::from(STRING)));
    }
    if !linked.project && &*linked.name != "java/lang/Object" || depth >= MAX_DEPTH {
        found
            .missing
            .push(("input-type", linked.name.replace('/', ".")));
        return Ok(found);
    }
    let makers = makers(&linked);
    if !makers.is_empty() && linked.project {
        found
            .missing
            .push(("input-objects", linked.name.replace('/', ".")));
    }
    if makers.is_empty() {
        found.missing.push((
            "input-type",
            format!(
                "{} has no accessible constructor",
                linked.name.replace('/', ".")
            ),
        ));
    }
    if makers.len() > MAX_MAKERS {
        found.missing.push((
            "input-shapes",
            format!("constructors of {}", linked.name.replace('/', ".")),
        ));
    }
    for maker in makers.into_iter().take(MAX_MAKERS) {
        let (shapes, missing) = arguments(vm, &maker.params, depth + 1)?;
        found.missing.extend(missing);
        for args in shapes {
            found.choices.push(Spec::Call {
                maker: maker.clone(),
                args,
                calls: Vec::new(),
            });
        }
    }
    Ok(found)
}

/// Accessible constructors, else static factories, in class-file-independent order.
fn makers(class: &Class) -> Vec<Rc<Method>> {
    let mut all: Vec<Rc<Method>> = class
        .methods
        .values()
        .filter_map(|m| m.get(Version::New))
        .collect();
    all.sort_by(|a, b| {
        (a.params.len(), &a.name, &a.descriptor).cmp(&(b.params.len(), &b.name, &b.descriptor))
    });
    let accessible = |m: &&Rc<Method>| m.access & (access::PRIVATE | access::SYNTHETIC) == 0;
    let constructors: Vec<Rc<Method>> = all
        .iter()
        .filter(accessible)
        .filter(|m| &*m.name == "<init>" && !class.is_abstract())
        .cloned()
        .collect();
    if !constructors.is_empty() {
        return constructors;
    }
    let own = format!("L{};", class.name);
    all.iter()
        .filter(accessible)
        .filter(|m| m.is_static() && *m.result == *own)
        .cloned()
        .collect()
}

type Missing = Vec<(&'static str, String)>;

/// Shapes of an argument list: the first choice everywhere varied one argument at a time, and all combinations while few.
fn arguments(vm: &mut Vm, params: &[Arc<str>], depth: u32) -> Built<(Vec<Vec<Spec>>, Missing)> {
    let mut missing = Vec::new();
    let mut shapes: Vec<Vec<Spec>> = vec![Vec::new()];
    for param in params {
        let found = specs(vm, param, depth)?;
        missing.extend(found.missing);
        let mut next = Vec::new();
        // Built objects before null: they show more.
        for spec in found.choices.iter().rev() {
            for shape in &shapes {
                next.push(shape.iter().cloned().chain([spec.clone()]).collect());
            }
        }
        shapes = next;
        if shapes.len() > MAX_SHAPES {
            shapes.truncate(MAX_SHAPES);
            missing.push(("input-shapes", "argument combinations".into()));
        }
    }
    Ok((shapes, missing))
}

/// Most shapes explored for one entry method.
const MAX_ENTRY_SHAPES: usize = 48;

/// One way to call an entry method: receiver and arguments.
pub(super) type EntryShape = (Option<Spec>, Vec<Spec>);

/// All ways to call the entry method on objects of `class`, and what they leave out.
pub(super) fn entry_shapes(
    vm: &mut Vm,
    entry: &Rc<Method>,
    class: ClassId,
) -> Built<(Vec<EntryShape>, Missing)> {
    let mut missing: Missing = Vec::new();
    let receivers: Vec<Option<Spec>> = if entry.is_static() || &*entry.name == "<init>" {
        vec![None]
    } else {
        let found = receivers(vm, class)?;
        missing.extend(found.missing);
        found.choices.into_iter().map(Some).collect()
    };
    let mut shapes: Vec<EntryShape> = receivers.into_iter().map(|r| (r, Vec::new())).collect();
    for param in &entry.params {
        let found = specs(vm, param, 0)?;
        missing.extend(found.missing);
        shapes = found
            .choices
            .iter()
            .flat_map(|spec| {
                shapes.iter().map(|(r, args)| {
                    (
                        r.clone(),
                        args.iter().cloned().chain([spec.clone()]).collect(),
                    )
                })
            })
            .collect();
        if shapes.len() > MAX_ENTRY_SHAPES {
            shapes.truncate(MAX_ENTRY_SHAPES);
            missing.push(("input-shapes", "combinations of arguments".into()));
        }
    }
    missing.sort();
    missing.dedup();
    Ok((shapes, missing))
}

fn receivers(vm: &mut Vm, id: ClassId) -> Built<Specs> {
    let class = vm.linker.class(id).clone();
    let mut found = objects(vm, id, 0)?;
    // Whether it matters how a receiver was made is seen when one of its fields is read.
    found
        .missing
        .retain(|m| *m != ("input-objects", class.name.replace('/', ".")));
    let plain = found.choices.clone();
    if vm.bounds.prior_calls == 0 {
        return Ok(found);
    }
    let mut mutators: Vec<Rc<Method>> = class
        .methods
        .values()
        .filter_map(|m| m.get(Version::New))
        .filter(mutates)
        .collect();
    mutators.sort_by(|a, b| (&a.name, &a.descriptor).cmp(&(&b.name, &b.descriptor)));
    for spec in plain {
        let Spec::Call { maker, args, .. } = spec else {
            continue;
        };
        for method in mutators.iter().take(MAX_MAKERS) {
            let (shapes, _) = arguments(vm, &method.params, 1)?;
            for shape in shapes.into_iter().take(1) {
                let calls = vec![(method.clone(), shape)];
                found.choices.push(Spec::Call {
                    maker: maker.clone(),
                    args: args.clone(),
                    calls,
                });
            }
        }
    }
    Ok(found)
}

fn mutates(method: &Rc<Method>) -> bool {
    let usable = method.access & (access::PRIVATE | access::SYNTHETIC | access::STATIC) == 0;
    let writes = |code: &Arc<crate::bytecode::class_file::Code>| {
        code.insns
            .iter()
            .any(|i| matches!(i, Insn::PutField(_) | Insn::ArrayStore(_)))
    };
    usable && &*method.name != "<init>" && method.code.as_ref().is_some_and(writes)
}

/// The key of a public method name.
pub(super) fn key_of(method: &MethodId) -> Key {
    (
        Arc::from(method.name.as_str()),
        Arc::from(method.descriptor.as_str()),
    )
}

/// Descriptors of the parameters of a public method name.
pub fn parameters(method: &MethodId) -> Vec<Arc<str>> {
    split_descriptor(&method.descriptor).0
}
