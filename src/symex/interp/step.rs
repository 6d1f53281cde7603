//! The effect of one instruction on a state (JVMS §6.5). Nothing here asks for feasibility or picks a path.

use crate::bytecode::class_file::{Cmp, Code, Insn};
use crate::bytecode::{restack, restacked};
use crate::expr::Term;
use crate::model::Version;
use crate::model::reason::Reason;
use crate::semantics::{condition, float_condition, three_way};
use crate::symex::interp::tabulate::tabulate;
use crate::symex::interp::{dynamic, invoke};
use crate::symex::state::heap::Slot;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::state::strategy::Annotations;
use crate::symex::state::{Pending, State};
use crate::symex::state::{decision, passed};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{Ref, Value};
use crate::symex::vm::arithmetic::terms;
use crate::symex::vm::{Vm, arithmetic, memory, statics, type_test};
use std::sync::Arc;

/// Runs the instruction the state stands at. Tables are made here, and an initialiser is entered as if it were called: so neither
/// `Tabulate` nor `Initialising` comes out of it.
pub(in crate::symex) fn step(vm: &mut Vm, state: &mut State) -> Step<()> {
    loop {
        match attempt(vm, state) {
            Err(Interruption::Tabulate(call)) => tabulate(vm, state, &call)?,
            Err(Interruption::Initialising) => return Ok(()),
            done => return done,
        }
    }
}

/// Executes the instruction once; a second time for comparison, where that is asked for.
fn attempt(vm: &mut Vm, state: &mut State) -> Step<()> {
    if !vm.strategy.check_reruns {
        return execute(vm, state);
    }
    let before = state.clone();
    let first = execute(vm, state);
    if let Err(interruption) = &first
        && interruption.is_retried()
    {
        match interruption {
            // Behind the initialiser, the same instruction finds the class initialised.
            Interruption::Initialising => {
                let mut below = state.clone();
                below.thread.frames.pop();
                vm.reruns.note((&before, &below), None);
            }
            _ => {
                let again = execute(vm, &mut state.clone());
                vm.reruns
                    .note((&before, state), Some((interruption, &again)));
            }
        }
    }
    first
}

fn execute(vm: &mut Vm, state: &mut State) -> Step<()> {
    let Some(frame) = state.frame() else {
        return Ok(());
    };
    let Some(code) = &frame.method.code else {
        return Err(Stop::unsupported(Reason::UnsupportedNative, frame.method.display()).into());
    };
    let code = match vm.running.take() {
        Some(running) if Arc::ptr_eq(&running, code) => running,
        _ => code.clone(),
    };
    let done = execute_of(vm, state, &code);
    vm.running = Some(code);
    done
}

/// Executes the instruction, which is one of this code.
fn execute_of(vm: &mut Vm, state: &mut State, code: &Code) -> Step<()> {
    let Some(frame) = state.frame() else {
        return Ok(());
    };
    let pc = frame.pc;
    let Some(insn) = code.insns.get(pc as usize) else {
        return Err(Stop::unsupported(Reason::MalformedCode, frame.method.display()).into());
    };
    match insn {
        Insn::Nop => state.advance(),
        Insn::AconstNull => push(state, Value::NULL),
        Insn::Const(constant) => {
            let value = vm.constant(state, constant)?;
            push(state, value);
        }
        Insn::Load(_, slot) => {
            let value = frame
                .locals
                .get(*slot as usize)
                .copied()
                .unwrap_or(Shadow::Same(Value::Undef));
            let value = state.view(&value);
            state.push(value);
            state.advance();
        }
        Insn::Store(_, slot) => store(vm, state, *slot as usize),
        Insn::Iinc(slot, by) => increment(vm, state, *slot as usize, *by),
        Insn::Pop
        | Insn::Pop2
        | Insn::Dup
        | Insn::DupX1
        | Insn::DupX2
        | Insn::Dup2
        | Insn::Dup2X1
        | Insn::Dup2X2
        | Insn::Swap => shuffle(vm, state, insn),
        Insn::Bin(op, prim) => arithmetic::binary(vm, state, *op, *prim)?,
        Insn::Neg(prim) => arithmetic::negate(vm, state, *prim),
        Insn::Convert(from, to) => arithmetic::convert(vm, state, *from, *to),
        Insn::Lcmp => compare(vm, state, None, code.insns.get(pc as usize + 1))?,
        Insn::Fcmp(_, nan) => compare(vm, state, Some(*nan), code.insns.get(pc as usize + 1))?,
        Insn::If(..) | Insn::IfIcmp(..) | Insn::IfNull(..) | Insn::IfAcmp(..) => {
            conditional(vm, state, insn, pc + 1)?;
        }
        Insn::Goto(target) => state.goto(*target),
        Insn::Switch(default, cases) => switch(vm, state, *default, cases)?,
        Insn::Return(kind) => {
            let value = kind.map(|_| state.pop());
            state.thread.pending = Pending::Returned(value);
        }
        Insn::Athrow => {
            let exception = memory::definite(vm, state, 0, "java/lang/NullPointerException")?;
            let _ = exception;
            let value = state.pop();
            state.thread.pending = Pending::Throw(value);
        }
        Insn::GetStatic(field) => statics::get_static(vm, state, field)?,
        Insn::PutStatic(field) => statics::put_static(vm, state, field)?,
        Insn::GetField(field) => memory::get_field(vm, state, field)?,
        Insn::PutField(field) => memory::put_field(vm, state, field)?,
        Insn::ArrayLoad(_) => memory::array_load(vm, state)?,
        Insn::ArrayStore(prim) => memory::array_store(vm, state, *prim)?,
        Insn::ArrayLength => memory::array_length(vm, state)?,
        Insn::New(class) => memory::new_object(vm, state, class)?,
        Insn::NewArray(prim) => {
            memory::new_array(vm, state, &Arc::from(memory::descriptor(*prim)))?
        }
        Insn::ANewArray(class) => memory::new_array(vm, state, &memory::element_descriptor(class))?,
        Insn::MultiANewArray(array, dimensions) => {
            memory::new_multi_array(vm, state, array, *dimensions)?
        }
        Insn::CheckCast(class) => type_test::check_cast(vm, state, class)?,
        Insn::InstanceOf(class) => type_test::instance_of(vm, state, class)?,
        Insn::MonitorEnter | Insn::MonitorExit => {
            memory::definite(vm, state, 0, "java/lang/NullPointerException")?;
            state.pop();
            state.advance();
        }
        Insn::Invoke(kind, method) => invoke::invoke(vm, state, *kind, method)?,
        Insn::InvokeDynamic(site) => dynamic::dynamic(vm, state, site)?,
        Insn::Jsr(_) | Insn::Ret(_) => {
            return Err(Stop::unsupported(Reason::UnsupportedInstruction, "jsr/ret").into());
        }
    }
    Ok(())
}

/// `if<cond>`, `if_icmp<cond>`, `ifnull`, `if_acmp<cond>` and their negations; `next` is the instruction behind it.
fn conditional(vm: &mut Vm, state: &mut State, insn: &Insn, next: u32) -> Step<()> {
    let (cond, pops, target) = match insn {
        Insn::If(cmp, target) => {
            let zero = vm.pool.int(0);
            let a = terms(&mut vm.pool, &state.peek(0));
            (
                a.map(|a| condition(&mut vm.pool, *cmp, *a, zero)),
                1,
                target,
            )
        }
        Insn::IfIcmp(cmp, target) => {
            let (b, a) = (
                terms(&mut vm.pool, &state.peek(0)),
                terms(&mut vm.pool, &state.peek(1)),
            );
            let cond = a.zip(&b, |a, b| condition(&mut vm.pool, *cmp, *a, *b));
            (cond, 2, target)
        }
        Insn::IfNull(cmp, target) => {
            let null = is_null(vm, &state.peek(0));
            (negated_unless_eq(vm, *cmp, null), 1, target)
        }
        Insn::IfAcmp(cmp, target) => {
            let same = memory::same_object(vm, state)?;
            (negated_unless_eq(vm, *cmp, same), 2, target)
        }
        _ => return Ok(()),
    };
    let known = Version::BOTH.map(|v| vm.pool.as_bool(cond.get(v)));
    if let [Some(old), Some(new)] = known {
        passed::compared(state, insn, [old, new]);
    }
    branch(vm, state, cond, pops, *target, next)
}

fn negated_unless_eq(vm: &mut Vm, cmp: Cmp, cond: Shadow<Term>) -> Shadow<Term> {
    match cmp {
        Cmp::Eq => cond,
        _ => cond.map(|c| vm.pool.not(*c)),
    }
}

fn push(state: &mut State, value: Value) {
    state.push_same(value);
    state.advance();
}

fn store(vm: &Vm, state: &mut State, slot: usize) {
    let value = state.pop();
    let wide = value.same().is_some_and(|v| vm.is_wide(v))
        || matches!(value, Shadow::Split { old, .. } if vm.is_wide(&old));
    let locals = &mut state.top().locals;
    if let Some(local) = locals.get_mut(slot) {
        *local = value;
    }
    if wide && let Some(next) = locals.get_mut(slot + 1) {
        *next = Shadow::Same(Value::Undef);
    }
    state.advance();
}

fn increment(vm: &mut Vm, state: &mut State, slot: usize, by: i32) {
    let by = vm.pool.int(by);
    let before = state
        .frame()
        .and_then(|f| f.locals.get(slot).copied())
        .unwrap_or(Shadow::Same(Value::Undef));
    let after = terms(&mut vm.pool, &state.view(&before))
        .map(|t| Value::Prim(vm.pool.bin(crate::expr::BvOp::Add, *t, by)));
    if let Some(local) = state.top().locals.get_mut(slot) {
        *local = after;
    }
    state.advance();
}

/// The instructions that only move operands.
fn shuffle(vm: &Vm, state: &mut State, insn: &Insn) {
    let slots = |slot: &Slot| {
        let (Shadow::Same(value) | Shadow::Split { old: value, .. }) = slot;
        1 + usize::from(vm.is_wide(value))
    };
    // As with any pop, what is moved becomes what the running version sees of it.
    let seen = [3, 2, 1, 0].map(|depth| state.peek(depth));
    let moved = restacked(insn, &seen, slots);
    let stack = &mut state.top().stack;
    for (old, new) in stack.iter_mut().rev().zip(seen.iter().rev()).take(moved) {
        *old = *new;
    }
    restack(insn, &mut state.top().stack, slots);
    state.advance();
}

fn compare(vm: &mut Vm, state: &mut State, nan: Option<i32>, next: Option<&Insn>) -> Step<()> {
    let (b, a) = (
        terms(&mut vm.pool, &state.peek(0)),
        terms(&mut vm.pool, &state.peek(1)),
    );
    // A comparison that feeds a branch is one condition: no detour over -1, 0 and 1.
    if let Some(Insn::If(cmp, target)) = next {
        let cond = a.zip(&b, |a, b| match nan {
            None => condition(&mut vm.pool, *cmp, *a, *b),
            Some(nan) => float_condition(&mut vm.pool, *cmp, nan, *a, *b),
        });
        let pc = state.frame().map_or(0, |f| f.pc);
        return branch(vm, state, cond, 2, *target, pc + 2);
    }
    let result = a.zip(&b, |a, b| Value::Prim(three_way(&mut vm.pool, nan, *a, *b)));
    state.pop();
    state.pop();
    state.push(result);
    state.advance();
    Ok(())
}

/// Whether each side is null, as a condition.
pub(in crate::symex) fn is_null(vm: &mut Vm, slot: &Slot) -> Shadow<Term> {
    slot.map(|v| match v {
        Value::Ref(Ref::Obj(_)) => vm.pool.bool(false),
        Value::Ref(Ref::Maybe { null, .. }) => *null,
        _ => vm.pool.bool(true),
    })
}

fn branch(
    vm: &mut Vm,
    state: &mut State,
    cond: Shadow<Term>,
    pops: usize,
    yes: u32,
    no: u32,
) -> Step<()> {
    for _ in 0..pops {
        state.pop();
    }
    let constant = cond.map(|c| vm.pool.as_bool(*c));
    let target = |c: bool| if c { yes } else { no };
    match constant {
        Shadow::Same(Some(c)) => {
            decision::follow(state, c);
            state.goto(target(c));
        }
        // The versions part whatever the input is (`execute`): a region, not a divergence.
        Shadow::Split {
            old: Some(old),
            new: Some(new),
        } if vm.strategy.annotations == Annotations::Unified => {
            decision::parted(state, [old, new]);
            return Err(part(state, target(old), target(new)));
        }
        _ => {
            let not = cond.map(|c| vm.pool.not(*c));
            return Err(Interruption::Choose(vec![
                (cond, Act::Jump(yes)),
                (not, Act::Jump(no)),
            ]));
        }
    }
    Ok(())
}

/// A region that begins at the branch the state stands at.
fn part(state: &State, old: u32, new: u32) -> Interruption {
    let at = state
        .frame()
        .map_or(crate::symex::state::JoinAt::Return, |f| {
            invoke::join_of(&Arc::clone(&f.method), f.pc)
        });
    Interruption::Region { old, new, at }
}

fn switch(vm: &mut Vm, state: &mut State, default: u32, cases: &[(i32, u32)]) -> Step<()> {
    let key = terms(&mut vm.pool, &state.pop());
    let constant = key.map(|k| vm.pool.as_i64(*k));
    let target = |k: i64| {
        cases
            .iter()
            .find(|(c, _)| i64::from(*c) == k)
            .map_or(default, |c| c.1)
    };
    match constant {
        Shadow::Same(Some(k)) => {
            passed::switched(state);
            decision::follow_switch(state, target(k));
            state.goto(target(k));
            return Ok(());
        }
        Shadow::Split {
            old: Some(old),
            new: Some(new),
        } => {
            let (old, new) = (target(old), target(new));
            if old == new {
                state.goto(old);
                return Ok(());
            }
            return Err(part(state, old, new));
        }
        _ => {}
    }
    let mut targets: Vec<u32> = Vec::new();
    for (_, t) in cases {
        if *t != default && !targets.contains(t) {
            targets.push(*t);
        }
    }
    let mut choices = Vec::new();
    let mut rest = key.map(|_| vm.pool.bool(true));
    for t in targets {
        let keys: Vec<i32> = cases.iter().filter(|c| c.1 == t).map(|c| c.0).collect();
        let cond = key.map(|k| {
            let any: Vec<Term> = keys
                .iter()
                .map(|c| {
                    let c = vm.pool.int(*c);
                    vm.pool.eq(*k, c)
                })
                .collect();
            vm.pool.or_all(any)
        });
        rest = rest.zip(&cond, |r, c| {
            let not = vm.pool.not(*c);
            vm.pool.and(*r, not)
        });
        choices.push((cond, Act::Jump(t)));
    }
    choices.push((rest, Act::Jump(default)));
    Err(Interruption::Choose(choices))
}
