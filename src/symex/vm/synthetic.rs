//! Small methods the VM writes itself: what `invokedynamic` stands for, and the driver that builds an input and enters the method.

use crate::bytecode::BOXES;
use crate::bytecode::class_file::{
    Code, Const, DynamicRef, Handler, Insn, InvokeKind, MemberRef, Prim,
};
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{ClassId, Method, Origin, access, split_descriptor};
use crate::symex::state::State;
use crate::symex::state::heap::Lambda;
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::vm::Vm;
use crate::symex::vm::memory::element_descriptor;
use std::sync::Arc;
use std::sync::OnceLock;

/// A static method of `class` with the given instructions.
pub(in crate::symex) fn method(
    name: &str,
    class: (ClassId, Arc<str>),
    origin: Origin,
    max_locals: u16,
    insns: Vec<Insn>,
) -> Arc<Method> {
    guarded(name, class, origin, (max_locals, insns, Vec::new()))
}

/// A static method of the JDK that runs instead of one of its class's.
pub(in crate::symex) fn instead(of: &Method, max_locals: u16, insns: Vec<Insn>) -> Arc<Method> {
    let class = (of.class, of.class_name.clone());
    method(&of.name, class, Origin::Library, max_locals, insns)
}

/// A method with exception handlers.
pub(in crate::symex) fn guarded(
    name: &str,
    class: (ClassId, Arc<str>),
    origin: Origin,
    (max_locals, insns, handlers): (u16, Vec<Insn>, Vec<Handler>),
) -> Arc<Method> {
    let lines = vec![0; insns.len()];
    let code = Code {
        max_locals,
        insns,
        lines,
        handlers,
        locals: Vec::new(),
    };
    Arc::new(Method {
        class: class.0,
        class_name: class.1,
        name: Arc::from(name),
        descriptor: Arc::from("()V"),
        access: access::STATIC | access::SYNTHETIC,
        code: Some(Arc::new(code)),
        origin,
        params: Vec::new(),
        result: Arc::from("V"),
        signature: None,
        source_file: None,
        project: false,
        post_dominators: OnceLock::new(),
    })
}

/// The class of our own instruction that raises an `IllegalArgumentException` of the JVM's, which no class file can name.
pub(in crate::symex) const ILLEGAL_ARGUMENT: &str = "<illegal argument>";

/// A call instruction.
pub(in crate::symex) fn invoke(
    kind: InvokeKind,
    class: &str,
    name: &str,
    descriptor: &str,
) -> Insn {
    let target = MemberRef {
        class: Arc::from(class),
        name: Arc::from(name),
        descriptor: Arc::from(descriptor),
    };
    Insn::Invoke(kind, Arc::new(target))
}

/// Local-variable kind of a descriptor: `None` for references.
pub(in crate::symex) fn kind(descriptor: &str) -> Option<Prim> {
    match descriptor.as_bytes().first() {
        Some(b'J') => Some(Prim::Long),
        Some(b'F') => Some(Prim::Float),
        Some(b'D') => Some(Prim::Double),
        Some(b'L' | b'[') => None,
        _ => Some(Prim::Int),
    }
}

/// Slots a value of that descriptor takes.
pub(in crate::symex) fn size(descriptor: &str) -> u16 {
    if matches!(descriptor, "J" | "D") {
        2
    } else {
        1
    }
}

/// The class of the running code, for code that is written in its place.
pub(in crate::symex) fn caller(vm: &mut Vm, state: &State) -> Step<((ClassId, Arc<str>), Origin)> {
    match state.frame() {
        Some(f) => Ok((
            (f.method.class, f.method.class_name.clone()),
            f.method.origin,
        )),
        None => Ok((
            (
                vm.library("java/lang/Object")?,
                Arc::from("java/lang/Object"),
            ),
            Origin::Library,
        )),
    }
}

/// `StringConcatFactory` call sites as a chain of `StringBuilder.append` (JLS §15.18.1).
pub(in crate::symex) fn concat(site: &DynamicRef, params: &[Arc<str>]) -> Step<(u16, Vec<Insn>)> {
    const BUILDER: &str = "java/lang/StringBuilder";
    let recipe: Vec<u16> = match site.args.first() {
        Some(Const::Str(recipe)) => recipe.to_vec(),
        _ => vec![1; params.len()],
    };
    let mut insns = vec![
        Insn::New(Arc::from(BUILDER)),
        Insn::Dup,
        invoke(InvokeKind::Special, BUILDER, "<init>", "()V"),
    ];
    let append = |descriptor: &str| {
        invoke(
            InvokeKind::Virtual,
            BUILDER,
            "append",
            &format!("({descriptor})Ljava/lang/StringBuilder;"),
        )
    };
    let (mut slot, mut next, mut constants) = (0u16, params.iter(), site.args.iter().skip(1));
    for part in recipe.split_inclusive(|u| *u == 1 || *u == 2) {
        let (literal, mark) = match part.split_last() {
            Some((mark @ (1 | 2), rest)) => (rest, Some(*mark)),
            _ => (part, None),
        };
        if !literal.is_empty() {
            insns.push(Insn::Const(Const::Str(Arc::from(literal))));
            insns.push(append("Ljava/lang/String;"));
        }
        match mark {
            Some(1) => {
                let Some(param) = next.next() else { break };
                insns.push(Insn::Load(kind(param), slot));
                slot += size(param);
                insns.push(append(appended(param)));
            }
            Some(_) => {
                let Some(Const::Str(s)) = constants.next() else {
                    return Err(Stop::unsupported(
                        Reason::UnsupportedInvokedynamic,
                        "concatenation constant",
                    )
                    .into());
                };
                insns.push(Insn::Const(Const::Str(s.clone())));
                insns.push(append("Ljava/lang/String;"));
            }
            None => {}
        }
    }
    insns.push(invoke(
        InvokeKind::Virtual,
        BUILDER,
        "toString",
        "()Ljava/lang/String;",
    ));
    insns.push(Insn::Return(Some(None)));
    Ok((slot, insns))
}

/// The parameter of `StringBuilder.append` that takes a value of that descriptor.
pub(in crate::symex) fn appended(param: &str) -> &str {
    match param {
        "B" | "S" => "I",
        "Ljava/lang/String;" => param,
        p if p.len() > 1 => "Ljava/lang/Object;",
        p => p,
    }
}

/// The body of a lambda's interface method: captured values and arguments, adapted, handed to the target.
pub(in crate::symex) fn adapter(
    lambda: &Lambda,
    params: &[Arc<str>],
    result: &str,
) -> Step<(u16, Vec<Insn>)> {
    let target = &lambda.target;
    let (mut wanted, mut returned) = split_descriptor(&target.descriptor);
    let (kind_of_call, constructs) = match target.kind {
        5 => (InvokeKind::Virtual, false),
        6 => (InvokeKind::Static, false),
        7 => (InvokeKind::Special, false),
        8 => (InvokeKind::Special, true),
        9 => (InvokeKind::Interface, false),
        _ => {
            let what = "field method handle";
            return Err(Stop::unsupported(Reason::UnsupportedInvokedynamic, what).into());
        }
    };
    let owner = element_descriptor(&target.class);
    if matches!(target.kind, 5 | 7 | 9) {
        wanted.insert(0, owner.clone());
    }
    let mut insns = Vec::new();
    if constructs {
        returned = owner;
        insns.extend([Insn::New(target.class.clone()), Insn::Dup]);
    }
    // Captured values have the target's own types; arguments come as the interface says, and are what the type arguments say.
    let (instantiated, instantiated_result) = split_descriptor(&lambda.instantiated);
    let captured = lambda.captured.len();
    let given = wanted.iter().take(captured).map(|d| (d, d));
    let given = given.chain(params.iter().zip(&instantiated));
    let mut slot = 0;
    for ((from, via), to) in given.zip(&wanted) {
        insns.push(Insn::Load(kind(from), slot));
        slot += size(from);
        adapt(&mut insns, from, via);
        adapt(&mut insns, via, to);
    }
    let name = if constructs { "<init>" } else { &target.name };
    insns.push(invoke(
        kind_of_call,
        &target.class,
        name,
        &target.descriptor,
    ));
    if result == "V" {
        match (&*returned, size(&returned)) {
            ("V", _) => {}
            (_, 1) => insns.push(Insn::Pop),
            _ => insns.push(Insn::Pop2),
        }
        insns.push(Insn::Return(None));
    } else {
        adapt(&mut insns, &returned, &instantiated_result);
        insns.push(Insn::Return(Some(kind(result))));
    }
    Ok((slot, insns))
}

/// Boxing, unboxing, widening and casts between what is given and what is wanted (`LambdaMetafactory`'s adaptations).
fn adapt(insns: &mut Vec<Insn>, from: &str, to: &str) {
    if from == to {
        return;
    }
    let primitive = |d: &str| BOXES.iter().find(|b| b.0 == d).copied();
    match (primitive(from), primitive(to)) {
        (Some((prim, class, _)), None) => {
            let descriptor = format!("({prim})L{class};");
            insns.push(invoke(InvokeKind::Static, class, "valueOf", &descriptor));
        }
        (None, Some(wanted)) => {
            let is_box = |b: &&(&str, &str, &str)| class_name_of(from).as_deref() == Some(b.1);
            let (prim, class, value) = BOXES.iter().find(is_box).copied().unwrap_or(wanted);
            insns.push(Insn::CheckCast(Arc::from(class)));
            let descriptor = format!("(){prim}");
            insns.push(invoke(InvokeKind::Virtual, class, value, &descriptor));
            adapt(insns, prim, to);
        }
        (None, None) => {
            let class = class_name_of(to).filter(|c| c != "java/lang/Object");
            insns.extend(class.map(|class| Insn::CheckCast(Arc::from(class))));
        }
        (Some(_), Some(_)) => match (kind(from), kind(to)) {
            (Some(x), Some(y)) if x != y => insns.push(Insn::Convert(x, y)),
            _ => {}
        },
    }
}
