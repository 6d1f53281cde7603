//! `Method.invoke` and `Constructor.newInstance`: the call behind an accessor, as generated code.
//!
//! The checks before it are the JDK's (`AccessibleObject`) or, as in HotSpot's `Reflection::invoke`, part of this code.

use super::super::super::class::{Method, Origin, access, split_descriptor};
use super::super::super::state::State;
use super::super::super::value::{ObjId, Ref, Value};
use super::super::super::vm::{Vm, per_version};
use super::super::mirror::mirrored;
use super::super::object;
use super::{declaration, field, unsupported};
use crate::bytecode::class_file::{
    ClassFile, Cmp, Const, Handler, Insn, InvokeKind, Method as Declared,
};
use crate::bytecode::{BOXES, widens};
use crate::model::Spelling;
use crate::symex::class::linker::class_name_of;
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::synthetic::{ILLEGAL_ARGUMENT, invoke, kind, size};
use crate::symex::vm::{Model, synthetic};
use std::sync::Arc;

/// The JDK's accessors that end in a native call, by release, and the field that holds what they call.
const OF_METHOD: [(&str, &str); 2] = [
    ("jdk/internal/reflect/NativeMethodAccessorImpl", "method"),
    (
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor",
        "method",
    ),
];
const OF_CONSTRUCTOR: [(&str, &str); 2] = [
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", "c"),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        "ctor",
    ),
];

/// Accessors are made where they are asked for.
pub(super) fn find(name: &str) -> Option<Model> {
    Some(match name {
        "acquireMethodAccessor" => |vm, state, args| accessor(vm, state, args, OF_METHOD),
        "acquireConstructorAccessor" => |vm, state, args| {
            let constructor = object(vm, args, 0)?;
            let class = field(vm, state, constructor, "clazz")?;
            let file = declaration(vm, state, &[class], 0)?;
            if file.is_some_and(|f| f.access & access::ABSTRACT != 0) {
                // The JDK's accessor for it says so.
                return Err(Interruption::OwnCode);
            }
            accessor(vm, state, args, OF_CONSTRUCTOR)
        },
        _ => return None,
    })
}

fn accessor(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    kinds: [(&str, &str); 2],
) -> Step<Option<Value>> {
    let member = object(vm, args, 0)?;
    for (name, of) in kinds {
        if let Ok(class) = vm.library(name) {
            let made = vm.instantiate(state, class);
            vm.set_field(state, made, of, Value::obj(member));
            return Ok(Some(Value::obj(made)));
        }
    }
    Err(unsupported("an accessor of this JDK"))
}

/// The body that runs instead of an accessor's `invoke` or `newInstance`, whose `count` arguments are on the stack.
pub(super) fn body(
    vm: &mut Vm,
    state: &State,
    method: &Arc<Method>,
    count: usize,
) -> Step<Option<Arc<Method>>> {
    let all = OF_METHOD.iter().chain(&OF_CONSTRUCTOR);
    let Some((_, held)) = all.into_iter().find(|k| *k.0 == *method.class_name) else {
        return Ok(None);
    };
    if !matches!(&*method.name, "invoke" | "newInstance") {
        return Ok(None);
    }
    let Shadow::Same(Value::Ref(Ref::Obj(accessor))) = state.peek(count - 1) else {
        return Err(per_version(state));
    };
    let Value::Ref(Ref::Obj(member)) = field(vm, state, accessor, held)? else {
        return Ok(None);
    };
    let (file, at) = called(vm, state, member)?;
    let Some(called) = file.methods.get(at) else {
        return Err(unsupported("a member without a declaration"));
    };
    if called.reflected.caller_sensitive {
        return Err(unsupported("a method that asks who calls it"));
    }
    let mut code = Body {
        // Accessor, receiver, arguments, and the caller where that is handed on.
        locals: count as u16,
        ..Body::default()
    };
    code.write(&file, called);
    let class = (method.class, method.class_name.clone());
    let (locals, insns) = (code.locals, code.insns);
    let handlers = code.handlers;
    let body = synthetic::guarded(
        &called.name,
        class,
        Origin::Library,
        (locals, insns, handlers),
    );
    Ok(Some(body))
}

/// The class that declares a method or constructor, and its place among the methods.
pub(super) fn called(vm: &mut Vm, state: &State, member: ObjId) -> Step<(Arc<ClassFile>, usize)> {
    let class = field(vm, state, member, "clazz")?;
    let slot = match field(vm, state, member, "slot")? {
        Value::Prim(slot) => vm.pool.as_i64(slot),
        _ => None,
    };
    let file = declaration(vm, state, &[class], 0)?;
    match (file, slot.and_then(|s| usize::try_from(s).ok())) {
        (Some(file), Some(slot)) => Ok((file, slot)),
        _ => {
            let name = mirrored(vm, state, &[class], 0)?;
            Err(unsupported(format!("a member of {}", name.dotted())))
        }
    }
}

#[derive(Default)]
struct Body {
    insns: Vec<Insn>,
    locals: u16,
    handlers: Vec<Handler>,
    /// Jumps to the place where the arguments do not fit.
    misfits: Vec<usize>,
}

const THROWABLE: &str = "java/lang/Throwable";
const TARGET: &str = "java/lang/reflect/InvocationTargetException";

impl Body {
    fn write(&mut self, file: &ClassFile, called: &Declared) {
        let (params, result) = split_descriptor(&called.descriptor);
        let constructs = &*called.name == "<init>";
        let is_static = called.access & access::STATIC != 0;
        let args = if constructs { 1 } else { 2 };
        self.initialise(file);
        if !constructs && !is_static {
            self.receiver(file);
        }
        self.count(args, params.len());
        let first = self.locals;
        for (i, param) in params.iter().enumerate() {
            self.argument(args, i, param);
        }
        let start = self.insns.len() as u32;
        if constructs {
            self.insns.extend([Insn::New(file.name.clone()), Insn::Dup]);
        } else if !is_static {
            self.insns.push(Insn::Load(None, 1));
            self.insns.push(Insn::CheckCast(file.name.clone()));
        }
        let mut slot = first;
        for param in &params {
            self.insns.push(Insn::Load(kind(param), slot));
            slot += size(param);
        }
        let interface = file.access & access::INTERFACE != 0;
        let how = match called.access {
            _ if is_static => InvokeKind::Static,
            flags if constructs || flags & access::PRIVATE != 0 => InvokeKind::Special,
            _ if interface => InvokeKind::Interface,
            _ => InvokeKind::Virtual,
        };
        self.insns
            .push(invoke(how, &file.name, &called.name, &called.descriptor));
        let end = self.insns.len() as u32;
        self.give_back(&result, constructs);
        self.failures(start..end);
    }

    /// A class is initialised before the call, so that what its initialiser throws is not wrapped.
    fn initialise(&mut self, file: &ClassFile) {
        self.insns
            .push(Insn::Const(Const::Class(file.name.clone())));
        let secrets = "jdk/internal/access/SharedSecrets";
        let descriptor = "(Ljava/lang/Class;)V";
        self.insns.push(invoke(
            InvokeKind::Static,
            secrets,
            "ensureClassInitialized",
            descriptor,
        ));
    }

    fn receiver(&mut self, file: &ClassFile) {
        let class = "()Ljava/lang/Class;";
        self.insns.extend([
            Insn::Load(None, 1),
            invoke(InvokeKind::Virtual, "java/lang/Object", "getClass", class),
            Insn::Pop,
            Insn::Load(None, 1),
            Insn::InstanceOf(file.name.clone()),
        ]);
        self.misfit(Cmp::Eq);
    }

    /// A missing array is one without elements.
    fn count(&mut self, args: u16, wanted: usize) {
        self.insns.push(Insn::Load(None, args));
        let at = self.insns.len() as u32;
        if wanted == 0 {
            self.insns.push(Insn::IfNull(Cmp::Eq, at + 4));
        } else {
            self.misfits.push(self.insns.len());
            self.insns.push(Insn::IfNull(Cmp::Eq, 0));
        }
        self.insns
            .extend([Insn::Load(None, args), Insn::ArrayLength]);
        if wanted == 0 {
            self.misfit(Cmp::Ne);
        } else {
            self.insns.push(Insn::Const(Const::Int(wanted as i32)));
            self.misfits.push(self.insns.len());
            self.insns.push(Insn::IfIcmp(Cmp::Ne, 0));
        }
    }

    /// Jumps to the failure where the int on top compares so with zero.
    fn misfit(&mut self, cmp: Cmp) {
        self.misfits.push(self.insns.len());
        self.insns.push(Insn::If(cmp, 0));
    }

    fn element(&mut self, args: u16, i: usize) {
        self.insns.extend([
            Insn::Load(None, args),
            Insn::Const(Const::Int(i as i32)),
            Insn::ArrayLoad(None),
        ]);
    }

    /// Checks the `i`th argument and keeps it, unboxed and widened, in a local of its own.
    fn argument(&mut self, args: u16, i: usize, param: &str) {
        let local = self.locals;
        self.locals += size(param);
        let Some(class) = class_name_of(param) else {
            return self.primitive((args, i), param, local);
        };
        let class: Arc<str> = Arc::from(class);
        self.element(args, i);
        let at = self.insns.len() as u32;
        self.insns.push(Insn::IfNull(Cmp::Eq, at + 6));
        self.element(args, i);
        self.insns.push(Insn::InstanceOf(class.clone()));
        self.misfit(Cmp::Eq);
        self.element(args, i);
        self.insns.push(Insn::CheckCast(class));
        self.insns.push(Insn::Store(None, local));
    }

    /// Tries each box whose content can be widened to the parameter (JLS §5.1.2).
    fn primitive(&mut self, (args, i): (u16, usize), param: &str, local: u16) {
        let mut done = Vec::new();
        for (from, class, value) in BOXES.iter().filter(|b| widens(b.0, param)) {
            self.element(args, i);
            self.insns.push(Insn::InstanceOf(Arc::from(*class)));
            let skip = self.insns.len();
            self.insns.push(Insn::If(Cmp::Eq, 0));
            self.element(args, i);
            self.insns.push(Insn::CheckCast(Arc::from(*class)));
            let unbox = format!("(){from}");
            self.insns
                .push(invoke(InvokeKind::Virtual, class, value, &unbox));
            if let (Some(a), Some(b)) = (kind(from), kind(param))
                && a != b
            {
                self.insns.push(Insn::Convert(a, b));
            }
            self.insns.push(Insn::Store(kind(param), local));
            done.push(self.insns.len());
            self.insns.push(Insn::Goto(0));
            self.insns[skip] = Insn::If(Cmp::Eq, self.insns.len() as u32);
        }
        self.misfits.push(self.insns.len());
        self.insns.push(Insn::Goto(0));
        let end = self.insns.len() as u32;
        for at in done {
            self.insns[at] = Insn::Goto(end);
        }
    }

    fn give_back(&mut self, result: &str, constructs: bool) {
        match BOXES.iter().find(|b| b.0 == result) {
            Some((prim, class, _)) => {
                let descriptor = format!("({prim})L{class};");
                self.insns
                    .push(invoke(InvokeKind::Static, class, "valueOf", &descriptor));
            }
            None if result == "V" && !constructs => self.insns.push(Insn::AconstNull),
            None => {}
        }
        self.insns.push(Insn::Return(Some(None)));
    }

    /// What the method throws is wrapped; what does not fit is refused.
    fn failures(&mut self, covered: std::ops::Range<u32>) {
        let caught = self.locals;
        self.locals += 1;
        self.handlers.push(Handler {
            start: covered.start,
            end: covered.end,
            target: self.insns.len() as u32,
            catch: None,
        });
        let descriptor = format!("(L{THROWABLE};)V");
        self.insns.extend([
            Insn::Store(None, caught),
            Insn::New(Arc::from(TARGET)),
            Insn::Dup,
            Insn::Load(None, caught),
            invoke(InvokeKind::Special, TARGET, "<init>", &descriptor),
            Insn::Athrow,
        ]);
        let refused = self.insns.len() as u32;
        for at in std::mem::take(&mut self.misfits) {
            match &mut self.insns[at] {
                Insn::If(_, to) | Insn::IfIcmp(_, to) | Insn::IfNull(_, to) | Insn::Goto(to) => {
                    *to = refused;
                }
                _ => {}
            }
        }
        self.insns
            .push(invoke(InvokeKind::Static, ILLEGAL_ARGUMENT, "raise", "()V"));
    }
}
