//! Calls of dynamic proxies (`java.lang.reflect.Proxy`): each goes to the invocation handler, with its method as an object.

use crate::bytecode::BOXES;
use crate::bytecode::class_file::{Const, Handler, Insn, InvokeKind};
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{Key, Origin, access, split_descriptor};
use crate::symex::interp::invoke::frame;
use crate::symex::models::method_object;
use crate::symex::state::State;
use crate::symex::state::heap::{Body, Proxy, Slot};
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::declared::declared;
use crate::symex::vm::proxy_types::PROXY;
use crate::symex::vm::synthetic::{invoke, kind, size};
use crate::symex::vm::{Vm, synthetic};
use std::sync::Arc;

/// Runs a call of a proxy's method, whose operands are on the stack; false where the method is not the proxy's to answer.
pub(in crate::symex) fn call(vm: &mut Vm, state: &mut State, id: ObjId, key: &Key) -> Step<bool> {
    let Body::Proxy(proxy) = state.heap.get(id).body.clone() else {
        return Ok(false);
    };
    let Some((owner, thrown)) = declaring(vm, state, &proxy, key)? else {
        return Ok(false);
    };
    let method = method_object(vm, state, &owner, key)?;
    let (params, result) = split_descriptor(&key.1);
    let (locals, insns, handlers) = body(&params, &result, &thrown);
    let (class, origin) = (vm.library(PROXY)?, Origin::Library);
    let body = synthetic::guarded(
        &key.0,
        (class, Arc::from(PROXY)),
        origin,
        (locals, insns, handlers),
    );
    let mut args: Vec<Slot> = params.iter().map(|_| state.pop()).collect();
    state.pop();
    args.reverse();
    let own = [proxy.handler, id, method].map(|o| Shadow::Same(Value::obj(o)));
    let all: Vec<Slot> = own.into_iter().chain(args).collect();
    let frame = frame(vm, body, usize::from(locals), &all);
    state.thread.frames.push(Arc::new(frame));
    Ok(true)
}

const HANDLER: &str = "java/lang/reflect/InvocationHandler";
const UNDECLARED: &str = "java/lang/reflect/UndeclaredThrowableException";

/// An interface (or `Object`), and the exceptions that its method declares.
type Declaring = (Arc<str>, Vec<Arc<str>>);

/// Whose method it is: of several interfaces the first one's.
fn declaring(vm: &mut Vm, state: &State, proxy: &Proxy, key: &Key) -> Step<Option<Declaring>> {
    if matches!(
        (&*key.0, &*key.1),
        ("hashCode", "()I")
            | ("equals", "(Ljava/lang/Object;)Z")
            | ("toString", "()Ljava/lang/String;")
    ) {
        return Ok(Some((Arc::from("java/lang/Object"), Vec::new())));
    }
    let mut found: Option<Declaring> = None;
    for interface in &proxy.interfaces {
        let mut todo = vec![interface.clone()];
        while let Some(name) = todo.pop() {
            let file = declared(vm, state, &name)?;
            let method = file.method(&key.0, &key.1);
            let Some(method) = method.filter(|m| m.access & access::STATIC == 0) else {
                todo.extend(file.interfaces.iter().rev().cloned());
                continue;
            };
            let thrown = method.reflected.exceptions.clone();
            match &found {
                None => found = Some((name, thrown)),
                Some((first, other)) if *first != name && *other != thrown => {
                    let what = "a proxy's method that two interfaces declare";
                    return Err(Stop::unsupported(Reason::Reflection, what).into());
                }
                Some(_) => {}
            }
        }
    }
    Ok(found)
}

type ProxyCode = (u16, Vec<Insn>, Vec<Handler>);

/// The method of a proxy class. Locals: the handler, the proxy, the method as an object, and the arguments.
fn body(params: &[Arc<str>], result: &str, thrown: &[Arc<str>]) -> ProxyCode {
    let mut insns = vec![
        Insn::Load(None, 0),
        Insn::Load(None, 1),
        Insn::Load(None, 2),
    ];
    let mut slot = 3;
    if params.is_empty() {
        insns.push(Insn::AconstNull);
    } else {
        insns.push(Insn::Const(Const::Int(params.len() as i32)));
        insns.push(Insn::ANewArray(Arc::from("java/lang/Object")));
    }
    for (i, param) in params.iter().enumerate() {
        insns.extend([
            Insn::Dup,
            Insn::Const(Const::Int(i as i32)),
            Insn::Load(kind(param), slot),
        ]);
        slot += size(param);
        if let Some((prim, class, _)) = BOXES.iter().find(|b| b.0 == &**param) {
            let descriptor = format!("({prim})L{class};");
            insns.push(invoke(InvokeKind::Static, class, "valueOf", &descriptor));
        }
        insns.push(Insn::ArrayStore(None));
    }
    let descriptor =
        "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;";
    insns.push(invoke(InvokeKind::Interface, HANDLER, "invoke", descriptor));
    match BOXES.iter().find(|b| b.0 == result) {
        Some((prim, class, value)) => {
            insns.push(Insn::CheckCast(Arc::from(*class)));
            let descriptor = format!("(){prim}");
            insns.push(invoke(InvokeKind::Virtual, class, value, &descriptor));
            insns.push(Insn::Return(Some(kind(result))));
        }
        None if result == "V" => insns.extend([Insn::Pop, Insn::Return(None)]),
        None => {
            let class = class_name_of(result).unwrap_or_default();
            insns.push(Insn::CheckCast(Arc::from(class)));
            insns.push(Insn::Return(Some(None)));
        }
    }
    let handlers = failures(&mut insns, slot, thrown);
    (slot + 1, insns, handlers)
}

/// Unchecked and declared exceptions pass, others are wrapped.
fn failures(insns: &mut Vec<Insn>, local: u16, thrown: &[Arc<str>]) -> Vec<Handler> {
    let end = insns.len() as u32;
    insns.push(Insn::Athrow);
    let wrapped = insns.len() as u32;
    insns.extend([
        Insn::Store(None, local),
        Insn::New(Arc::from(UNDECLARED)),
        Insn::Dup,
        Insn::Load(None, local),
        invoke(
            InvokeKind::Special,
            UNDECLARED,
            "<init>",
            "(Ljava/lang/Throwable;)V",
        ),
        Insn::Athrow,
    ]);
    let unchecked = ["java/lang/RuntimeException", "java/lang/Error"].map(Arc::from);
    let passed = unchecked
        .iter()
        .chain(thrown)
        .map(|class: &Arc<str>| (Some(class.clone()), end));
    passed
        .chain([(None, wrapped)])
        .map(|(catch, target)| Handler {
            start: 0,
            end,
            target,
            catch,
        })
        .collect()
}
