//! The work between instructions: joins of regions, returns, exception handlers, ends of versions.

use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::class::ClassId;
use crate::symex::state::heap::Slot;
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::state::{Ended, Frame, JoinAt, Mode, OnReturn, Pending, Region, State, Thread};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{Ref, Value};
use crate::symex::vm::Vm;
use crate::symex::vm::exit;
use std::sync::Arc;

/// What a state is to do next.
#[derive(Debug)]
pub(in crate::symex) enum Turn {
    /// Run the instruction it stands at.
    Instruction,
    /// Look again.
    Again,
    /// The running version (or both) ended the entry method.
    Ended,
    /// An exception escaped while the input was being built.
    NoInput,
}

/// Does whatever is pending, and says what comes next.
pub(in crate::symex) fn next_turn(vm: &mut Vm, state: &mut State) -> Step<Turn> {
    if let Mode::Only(version, region) = &state.mode {
        let (version, region) = (*version, region.clone());
        match standing(&state.thread, &region) {
            Standing::Inside => {}
            Standing::Joined => {
                join(state, version, region);
                return Ok(Turn::Again);
            }
            Standing::Left => {
                part_for_good(state, version, region);
                return Ok(Turn::Again);
            }
        }
    }
    match state.thread.pending.clone() {
        Pending::None if state.thread.end.is_some() => Ok(Turn::Ended),
        Pending::None => Ok(Turn::Instruction),
        Pending::Returned(value) => {
            deliver(state, value);
            Ok(Turn::Again)
        }
        Pending::Throw(exception) => unwind(vm, state, exception),
    }
}

enum Standing {
    Inside,
    Joined,
    Left,
}

fn standing(thread: &Thread, region: &Region) -> Standing {
    let depth = thread.frames.len();
    if depth < region.depth {
        return Standing::Left;
    }
    if depth > region.depth {
        return Standing::Inside;
    }
    match (&thread.pending, region.at) {
        (Pending::Returned(_), JoinAt::Return) => Standing::Joined,
        (Pending::Returned(_), JoinAt::Pc(_)) => Standing::Left,
        (Pending::None, JoinAt::Pc(pc))
            if thread
                .frames
                .last()
                .is_some_and(|f| f.pc == pc && f.passed == 0) =>
        {
            Standing::Joined
        }
        _ => Standing::Inside,
    }
}

/// The running version is at the join: the new one follows, or both go on together.
fn join(state: &mut State, version: Version, region: Region) {
    let at_join = std::mem::replace(&mut state.thread, (*region.other).clone());
    if version == Version::Old {
        state.mode = Mode::Only(
            Version::New,
            Region {
                other: Arc::new(at_join),
                ..region
            },
        );
        return;
    }
    state.mode = Mode::Both;
    let old = &state.thread;
    let merged = merge_threads(old, at_join);
    state.thread = merged;
    // Whatever the region wrote may differ now; looking closer is not worth it.
    state.split_seen = true;
}

fn merge_threads(old: &Thread, mut new: Thread) -> Thread {
    // Frames below differ only where a version put an object of its own in place of a common one (`view::own_string`).
    for (a, b) in old.frames.iter().zip(&mut new.frames) {
        if !Arc::ptr_eq(a, b) {
            let b = Arc::make_mut(b);
            merge_slots(&a.locals, &mut b.locals);
            merge_slots(&a.stack, &mut b.stack);
        }
    }
    if let (Some(a), Some(b)) = (old.frames.last(), new.frames.last_mut()) {
        let b = Arc::make_mut(b);
        for turn in &a.turns {
            match b.turns.iter_mut().find(|t| t.0 == turn.0) {
                Some(t) => t.1 = t.1.max(turn.1),
                None => b.turns.push(*turn),
            }
        }
    }
    if let (Pending::Returned(Some(a)), Pending::Returned(Some(b))) = (&old.pending, &new.pending) {
        let value = Shadow::join(a.get(Version::Old), b.get(Version::New));
        new.pending = Pending::Returned(Some(value));
    }
    new
}

fn merge_slots(old: &[Slot], new: &mut [Slot]) {
    for (a, b) in old.iter().zip(new) {
        *b = Shadow::join(a.get(Version::Old), b.get(Version::New));
    }
}

/// The running version left its region another way: from here on the versions run apart, the new one first.
fn part_for_good(state: &mut State, version: Version, region: Region) {
    match version {
        Version::Old => {
            let old = std::mem::replace(&mut state.thread, (*region.other).clone());
            state.parked = Some(Arc::new(old));
        }
        Version::New => state.parked = Some(region.other),
    }
    state.mode = Mode::Diverged(Version::New);
}

/// Begins a region in which the versions run one after the other.
pub(in crate::symex) fn enter_region(state: &mut State, old: u32, new: u32, at: JoinAt) {
    let mut other = state.thread.clone();
    goto(&mut other, new);
    goto(&mut state.thread, old);
    let depth = state.thread.frames.len();
    state.mode = Mode::Only(
        Version::Old,
        Region {
            depth,
            at,
            other: Arc::new(other),
        },
    );
}

fn goto(thread: &mut Thread, pc: u32) {
    if let Some(frame) = thread.frames.last_mut() {
        let frame = Arc::make_mut(frame);
        frame.pc = pc;
        frame.passed = 0;
    }
}

fn deliver(state: &mut State, value: Option<Slot>) {
    state.thread.pending = Pending::None;
    let Some(frame) = state.thread.frames.pop() else {
        return;
    };
    if state.thread.frames.is_empty() {
        state.thread.end = Some(Ended {
            threw: false,
            value,
            locals: frame.locals.clone(),
        });
        return;
    }
    if frame.on_return == OnReturn::Push {
        if let Some(value) = value {
            state.push(value);
        }
        state.advance();
    }
}

fn unwind(vm: &mut Vm, state: &mut State, exception: Slot) -> Step<Turn> {
    let exception = match state.view(&exception) {
        Shadow::Same(value) => value,
        // Two different exceptions: each version looks for its own handler.
        Shadow::Split { .. } => {
            state.parked = Some(Arc::new(state.thread.clone()));
            state.mode = Mode::Diverged(Version::New);
            return Ok(Turn::Again);
        }
    };
    let Value::Ref(Ref::Obj(id)) = exception else {
        return Err(
            Stop::unsupported(Reason::MalformedCode, "thrown value is not an object").into(),
        );
    };
    let class = state.heap.get(id).class;
    let Some(frame) = state.frame() else {
        return Ok(Turn::Again);
    };
    let (method, pc) = (frame.method.clone(), frame.pc);
    let exits = exit::code(vm, state, id).is_some();
    if let Some(code) = method.code.as_ref().filter(|_| !exits) {
        for handler in code
            .handlers
            .iter()
            .filter(|h| (h.start..h.end).contains(&pc))
        {
            let caught = match &handler.catch {
                None => true,
                Some(name) => {
                    let target = vm.linker.resolve(name, method.origin)?;
                    let version = state.version().unwrap_or(Version::New);
                    vm.linker.is_subclass(class, target.get(version), version)?
                }
            };
            if caught {
                state.goto(handler.target);
                state.top().stack = vec![Shadow::Same(exception)];
                state.thread.pending = Pending::None;
                return Ok(Turn::Again);
            }
        }
    }
    leave(vm, state, exception)
}

/// The exception escapes the running frame.
fn leave(vm: &mut Vm, state: &mut State, exception: Value) -> Step<Turn> {
    let Some(frame) = state.thread.frames.pop() else {
        return Ok(Turn::Again);
    };
    if let OnReturn::Initialised(class) = frame.on_return {
        failed_initialiser(vm, state, class, exception)?;
        return Ok(Turn::Again);
    }
    if state.thread.frames.is_empty() {
        if frame.pc < state.shape.entry_pc {
            return Ok(Turn::NoInput);
        }
        state.thread.pending = Pending::None;
        let value = Some(Shadow::Same(exception));
        state.thread.end = Some(Ended {
            threw: true,
            value,
            locals: frame.locals.clone(),
        });
    }
    Ok(Turn::Again)
}

/// The class can't be used any more; who needed it gets the error, or one that wraps the exception (JVMS §5.5, steps 10 and 11).
fn failed_initialiser(
    vm: &mut Vm,
    state: &mut State,
    class: ClassId,
    exception: Value,
) -> Step<()> {
    if let Some(mut statics) = state.statics.get(&class).copied() {
        statics.failed = match state.version() {
            Some(v) => statics.failed.with(v, true),
            None => Shadow::Same(true),
        };
        state.statics.insert_mut(class, statics);
    }
    let Value::Ref(Ref::Obj(id)) = exception else {
        return Ok(());
    };
    let error = vm.library("java/lang/Error")?;
    let version = state.version().unwrap_or(Version::New);
    let thrown = state.heap.get(id).class;
    if !vm.linker.is_subclass(thrown, error, version)? {
        let wrapper = vm.raise(state, "java/lang/ExceptionInInitializerError")?;
        if let Shadow::Same(Value::Ref(Ref::Obj(wrapper))) = wrapper {
            vm.set_field(state, wrapper, "cause", exception);
            // It has no message.
            state.heap.get_mut(wrapper).jvm_made = false;
        }
        state.thread.pending = Pending::Throw(wrapper);
    }
    Ok(())
}

/// The frame of a driver; its method is no unified one.
pub(in crate::symex) fn driver_frame(
    method: Arc<crate::symex::class::Method>,
    locals: Vec<Slot>,
) -> Frame {
    Frame::new(method, locals)
}
