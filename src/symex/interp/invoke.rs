//! Method invocation: resolution per version, models, lambdas and frames (JVMS §5.4.3.3, §6.5).

use crate::bytecode::class_file::{InvokeKind, MemberRef};
use crate::expr::Valuation;
use crate::impact::PostDominators;
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::class::{ClassId, Key, Method, Origin, access, arity};
use crate::symex::interp::{annotation, dynamic, proxy};
use crate::symex::models;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::state::shape::assignment;
use crate::symex::state::strategy::{Annotations, ExploreMode};
use crate::symex::state::{Frame, JoinAt, State};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::arithmetic::terms;
use crate::symex::vm::assemble::{assemble, is_assembly, is_open, settled};
use crate::symex::vm::memory::{definite, null_or_object};
use crate::symex::vm::synthetic::ILLEGAL_ARGUMENT;
use crate::symex::vm::{Model, Target, Vm, per_version, view};
use std::sync::Arc;

const NULL_POINTER: &str = "java/lang/NullPointerException";

/// Runs an `invoke*` instruction.
pub(in crate::symex) fn invoke(
    vm: &mut Vm,
    state: &mut State,
    kind: InvokeKind,
    target: &MemberRef,
) -> Step<()> {
    if is_assembly(&target.class) {
        return assemble(vm, state);
    }
    if &*target.class == ILLEGAL_ARGUMENT {
        return Err(Interruption::Raise("java/lang/IllegalArgumentException"));
    }
    let (params, result) = arity(&target.descriptor);
    let project = || vm.linker.is_project(&target.class);
    if annotation::is_annotation(vm.strategy.annotations, target, project) {
        return annotation::annotate(vm, state, kind, target);
    }
    if vm.strategy.annotations == Annotations::Declared
        && &*target.class == "gov/nasa/jpf/vm/Verify"
        && &*target.name == "ignoreIf"
    {
        return ignore_if(vm, state);
    }
    if target.class.starts_with('[') && &*target.name == "clone" {
        return clone_array(vm, state);
    }
    if &*target.class == "java/lang/invoke/VarHandle"
        && let Some(model) = models::var_handle::find_access(&target.name)
    {
        return run_model(vm, state, model, params + 1, result);
    }
    if &*target.class == "java/lang/invoke/MethodHandle" && &*target.name == "invokeExact" {
        return run_model(vm, state, models::by_handle, params + 1, result);
    }
    let key: Key = (target.name.clone(), target.descriptor.clone());
    let receiver = match kind {
        InvokeKind::Static => None,
        _ => Some(definite(vm, state, params, NULL_POINTER)?),
    };
    if let Some(id) = receiver
        && implements(&state.heap.get(id).body, &target.name)
        && is_abstract(vm, state, target)?
    {
        return dynamic::call_lambda(vm, state, id, &key);
    }
    if let Some(id) = receiver
        && kind != InvokeKind::Special
        && proxy::call(vm, state, id, &key)?
    {
        return Ok(());
    }
    let method = select(vm, state, kind, target, &key, receiver)?;
    if method.is_static() {
        vm.initialise(state, method.class)?;
    }
    let count = params + usize::from(receiver.is_some());
    let model = model_of(vm, &method);
    if let Some(model) = model
        && models::applies(vm, state, &method, count)
    {
        match run_model(vm, state, model, count, result) {
            Err(Interruption::OwnCode) => {}
            // With constant texts the library's own code decides it, and raises its own message.
            Err(Interruption::Raise(_) | Interruption::Choose(_) | Interruption::Tabulate(_))
                if method.code.is_some() && view::plain(vm, state, count) => {}
            done => return done,
        }
    }
    match models::substitute(vm, state, &method, count)? {
        Some(body) => call(vm, state, &body, count),
        None => call(vm, state, &method, count),
    }
}

/// What replaces a method's body.
fn model_of(vm: &mut Vm, method: &Arc<Method>) -> Option<Model> {
    if let Some(known) = vm.models.get(method) {
        return *known;
    }
    let found = models::find(method);
    vm.models.insert(method, found);
    found
}

fn is_abstract(vm: &mut Vm, state: &State, target: &MemberRef) -> Step<bool> {
    let class = vm.resolve(state, &target.class)?;
    let key = (target.name.clone(), target.descriptor.clone());
    let method = vm
        .linker
        .select(class, &key, state.version().unwrap_or(Version::New));
    Ok(method.is_none_or(|m| m.code.is_none()))
}

fn select(
    vm: &mut Vm,
    state: &State,
    kind: InvokeKind,
    target: &MemberRef,
    key: &Key,
    receiver: Option<ObjId>,
) -> Step<Arc<Method>> {
    let named = match of_super(vm, state, kind, target, receiver)? {
        Some(parent) => parent,
        None => vm.resolve(state, &target.class)?,
    };
    let unified = state
        .frame()
        .is_some_and(|f| f.method.origin == Origin::Unified);
    if unified
        && let Some(own) = vm.linker.class(named).unified.get(key)
        && own.access & access::SYNTHETIC != 0
    {
        return Ok(own.clone());
    }
    let private = |m: Shadow<Option<Arc<Method>>>| matches!(m, Shadow::Same(Some(m)) if m.access & access::PRIVATE != 0);
    let class = match (kind, receiver) {
        (InvokeKind::Virtual | InvokeKind::Interface, Some(id))
            if !private(vm.linker.class(named).declared(key)) =>
        {
            state.heap.get(id).class
        }
        _ => named,
    };
    let found = match (vm.linker.select_both(class, key), state.version()) {
        (Shadow::Same(m), _) => m,
        (split, Some(v)) => split.get(v),
        _ => return Err(per_version(state)),
    };
    let name = || {
        format!(
            "{}.{}{}",
            target.class.dotted(),
            target.name,
            target.descriptor
        )
    };
    let found: Step<Arc<Method>> =
        found.ok_or_else(|| Stop::unsupported(Reason::MethodNotFound, name()).into());
    let found = found?;
    let lambda = receiver.is_some_and(|id| {
        let body = &state.heap.get(id).body;
        matches!(body, Body::Lambda(_) | Body::Constantly { .. })
    });
    if lambda && found.access & access::ABSTRACT != 0 {
        // What an interface declares anew of `Object`'s methods, a lambda has from there (JLS §9.8).
        let object = vm.library("java/lang/Object")?;
        return Ok(vm.linker.select(object, key, Version::New).unwrap_or(found));
    }
    Ok(found)
}

/// What `super` means to the running version where unified code names the new version's superclass.
fn of_super(
    vm: &Vm,
    state: &State,
    kind: InvokeKind,
    target: &MemberRef,
    receiver: Option<ObjId>,
) -> Step<Option<ClassId>> {
    let Some(frame) = state.frame().filter(|f| f.method.origin == Origin::Unified) else {
        return Ok(None);
    };
    let Shadow::Split { old, new } = vm.linker.class(frame.method.class).superclass else {
        return Ok(None);
    };
    let names_parent = new.is_some_and(|n| vm.linker.class(n).name == target.class);
    let this = frame.locals.first().and_then(|s| s.same().copied());
    let on_this = matches!((this, receiver), (Some(Value::Ref(Ref::Obj(a))), Some(b)) if a == b);
    if kind != InvokeKind::Special || !names_parent || !on_this {
        return Ok(None);
    }
    match state.version() {
        Some(Version::Old) => Ok(old),
        Some(Version::New) => Ok(new),
        None => Err(per_version(state)),
    }
}

fn run_model(vm: &mut Vm, state: &mut State, model: Model, count: usize, result: &str) -> Step<()> {
    let mut args = Vec::with_capacity(count);
    for i in 0..count {
        match state.peek(count - 1 - i) {
            // Models look at objects themselves: what they are is decided before.
            Shadow::Same(Value::Ref(Ref::Obj(id))) => {
                args.push(Value::obj(settled(vm, state, id)?));
            }
            Shadow::Same(Value::Ref(Ref::Maybe { null, obj })) if is_open(state, obj) => {
                let depth = count - 1 - i;
                return Err(null_or_object(&mut vm.pool, depth, null, obj));
            }
            Shadow::Same(value) => args.push(value),
            Shadow::Split { .. } => return Err(per_version(state)),
        }
    }
    view::freeze_all(vm, state, &args)?;
    let value = model(vm, state, &args)?;
    for _ in 0..count {
        state.pop();
    }
    if result != "V" {
        state.push_same(value.unwrap_or(Value::NULL));
    }
    state.advance();
    Ok(())
}

/// Enters `method` with the `count` topmost operands.
pub(in crate::symex) fn call(
    vm: &mut Vm,
    state: &mut State,
    method: &Arc<Method>,
    count: usize,
) -> Step<()> {
    let Some(code) = &method.code else {
        let reason = if method.access & access::NATIVE != 0 {
            Reason::UnsupportedNative
        } else {
            Reason::AbstractMethod
        };
        return Err(Stop::unsupported(reason, method.display()).into());
    };
    if is_too_deep(state, vm.bounds.max_depth) {
        return Err(Stop::bound(Reason::RecursionBound, method.display()).into());
    }
    let mut args: Vec<Slot> = (0..count).map(|_| state.pop()).collect();
    args.reverse();
    if let Some(target) = vm.target.clone().filter(|t| t.method == *method) {
        give_symbolic(vm, state, &target, &mut args);
    }
    let frame = frame(vm, method.clone(), usize::from(code.max_locals), &args);
    state.thread.frames.push(Arc::new(frame));
    Ok(())
}

/// Calls in which the input decided something make a path each when they return; others cost no more than their frames.
fn is_too_deep(state: &State, most: usize) -> bool {
    let frames = &state.thread.frames;
    let decided = || frames.iter().filter(|f| !f.turns.is_empty()).count();
    frames.len() >= most && (frames.len() >= 10 * most || decided() >= most)
}

/// The first call of the method that is explored from a concrete caller: its arguments are the input.
fn give_symbolic(vm: &mut Vm, state: &mut State, target: &Target, args: &mut [Slot]) {
    if std::mem::replace(&mut state.entered, true) {
        return;
    }
    let skip = args.len() - target.args.len().min(args.len());
    if vm.strategy.mode == ExploreMode::Concolic(Vec::new()) {
        // The concrete input of the run is what the caller passes.
        let number = |slot: &Slot| match slot.same() {
            Some(Value::Prim(t)) => vm.pool.as_i64(*t),
            _ => None,
        };
        let passed: Vec<i64> = args.iter().skip(skip).filter_map(number).collect();
        let vars = state.shape.arg_vars(&vm.pool);
        vm.seed = Some(Valuation::new(assignment(&vm.pool, &vars, &passed)));
        state.concrete = true;
    }
    for (slot, arg) in args.iter_mut().skip(skip).zip(&target.args) {
        if let Some(value) = arg {
            *slot = Shadow::Same(*value);
        }
    }
}

/// `Verify.ignoreIf(condition)` of Java PathFinder, which the research subjects state assumptions with.
fn ignore_if(vm: &mut Vm, state: &mut State) -> Step<()> {
    let zero = vm.pool.int(0);
    let is = terms(&mut vm.pool, &state.peek(0)).map(|t| vm.pool.ne(*t, zero));
    let goes_on = is.map(|t| vm.pool.not(*t));
    state.pop();
    let pc = state.frame().map_or(0, |f| f.pc);
    Err(Interruption::Choose(vec![
        (goes_on, Act::Jump(pc + 1)),
        (is, Act::Ignore),
    ]))
}

pub(in crate::symex) fn frame(
    vm: &Vm,
    method: Arc<Method>,
    max_locals: usize,
    args: &[Slot],
) -> Frame {
    let mut locals = Vec::with_capacity(max_locals);
    for arg in args {
        locals.push(*arg);
        if vm.is_wide(&arg.get(Version::New)) {
            locals.push(Shadow::Same(Value::Undef));
        }
    }
    locals.resize(max_locals.max(locals.len()), Shadow::Same(Value::Undef));
    Frame::new(method, locals)
}

fn clone_array(vm: &mut Vm, state: &mut State) -> Step<()> {
    let id = definite(vm, state, 0, NULL_POINTER)?;
    let obj = state.heap.get(id).clone();
    let copy = state.heap.push(obj);
    state.pop();
    state.push_same(Value::obj(copy));
    state.advance();
    Ok(())
}

/// Whether the method of that name is what a lambda stands for.
fn implements(body: &Body, name: &str) -> bool {
    match body {
        Body::Lambda(lambda) => &*lambda.method == name,
        Body::Constantly { method, .. } => &**method == name,
        _ => false,
    }
}

/// Where versions that part at `pc` meet again: the immediate post-dominator, or the method's return.
pub(in crate::symex) fn join_of(method: &Arc<Method>, pc: u32) -> JoinAt {
    let Some(code) = &method.code else {
        return JoinAt::Return;
    };
    let dominators = method
        .post_dominators
        .get_or_init(|| PostDominators::of(code));
    dominators.ipdom(pc).map_or(JoinAt::Return, JoinAt::Pc)
}
