//! Tabulation of a library method of one int over every UTF-16 unit, for a model that asks for its table.

use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::class::{Key, Method};
use crate::symex::interp::fork::act;
use crate::symex::interp::run::{Turn, driver_frame, next_turn};
use crate::symex::interp::step::step;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::state::{Mode, State, Thread};
use crate::symex::value::Value;
use crate::symex::value::shadow::Shadow;
use crate::symex::value::unit_table::{Call, Table};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// Makes the table that a model asks for, for `Tables`.
pub(in crate::symex) fn tabulate(vm: &mut Vm, state: &State, call: &Call) -> Step<()> {
    let (class, name, descriptor, second) = call;
    let second = *second;
    let id = vm.library(class)?;
    let key: Key = (name.clone(), descriptor.clone());
    let method = vm.linker.select(id, &key, Version::New);
    let method = method
        .filter(|m| m.code.is_some())
        .ok_or_else(|| Stop::unsupported(Reason::MethodNotFound, format!("{class}.{name}")))?;
    let mut images = Vec::with_capacity(0x1_0000);
    let mut scratch = scratch(state);
    for unit in 0..0x1_0000 {
        images.push(run(vm, &mut scratch, &method, unit, second)?);
    }
    let table = Arc::new(Table::of(&images));
    vm.tables.0.insert(call.clone(), table);
    Ok(())
}

/// A state beside the explored ones, with what they have initialised.
fn scratch(state: &State) -> State {
    let mut scratch = state.clone();
    scratch.mode = Mode::Diverged(Version::New);
    scratch.parked = None;
    scratch
}

/// One concrete call, which neither asks nor raises anything.
fn run(
    vm: &mut Vm,
    state: &mut State,
    method: &Arc<Method>,
    unit: i32,
    second: Option<i32>,
) -> Step<i32> {
    let given = std::iter::once(unit).chain(second);
    let mut locals: Vec<_> = given
        .map(|n| Shadow::Same(Value::Prim(vm.pool.int(n))))
        .collect();
    let most = method.code.as_ref().map_or(0, |c| c.max_locals as usize);
    locals.resize(most.max(locals.len()), Shadow::Same(Value::Undef));
    state.thread = Thread::new(driver_frame(method.clone(), locals));
    loop {
        match next_turn(vm, state)? {
            Turn::Again => {}
            Turn::Ended => break,
            Turn::Instruction => match step(vm, state) {
                Ok(()) => {}
                Err(Interruption::Raise(class)) => {
                    let raised = act(vm, state.clone(), &Act::Raise(class));
                    *state = raised.map_err(|dropped| dropped.1.stop())?;
                }
                Err(Interruption::GiveUp(stop)) => return Err(stop.into()),
                Err(_) => return Err(open(method)),
            },
            Turn::NoInput => return Err(open(method)),
        }
    }
    let result = state.thread.end.as_ref().filter(|e| !e.threw);
    match result.and_then(|e| e.value) {
        Some(Shadow::Same(Value::Prim(t))) => {
            let value = vm.pool.as_i64(t).and_then(|n| i32::try_from(n).ok());
            value.ok_or_else(|| open(method))
        }
        _ => Err(open(method)),
    }
}

fn open(method: &Method) -> Interruption {
    Stop::unsupported(Reason::UnsupportedNative, method.display()).into()
}
