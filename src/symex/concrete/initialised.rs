//! Class initialisation before a run, shared by all ways to call a method.

use crate::bytecode::class_file::Insn;
use crate::symex::class::ClassId;
use crate::symex::concrete::concrete_input::driver;
use crate::symex::explore::Explorer;
use crate::symex::input::Built;
use crate::symex::interp::annotation::at_argument;
use crate::symex::interp::fork::act;
use crate::symex::interp::run::{Turn, driver_frame, next_turn};
use crate::symex::interp::step::step;
use crate::symex::state::interruption::{Act, Interruption};
use crate::symex::state::strategy::Annotations;
use crate::symex::state::{Mode, Pending, State, Thread};
use crate::symex::vm::Vm;

/// The state in which a class is initialised; `None` where its initialiser fails, gives up, would fork or takes too long: then
/// each run tries itself.
pub(in crate::symex) fn initialised(
    vm: &mut Vm,
    mut state: State,
    class: ClassId,
    instructions: &mut u64,
) -> Option<State> {
    let budget = *instructions + vm.bounds.max_instructions;
    loop {
        match vm.initialise(&mut state, class) {
            Ok(_) => return Some(state),
            Err(Interruption::Initialising) => {}
            Err(_) => return None,
        }
        while state.thread.frames.len() > 1 {
            match next_turn(vm, &mut state).ok()? {
                Turn::Again => continue,
                Turn::Instruction if at_argument(vm, &mut state) => continue,
                Turn::Instruction => {}
                Turn::NoInput | Turn::Ended => return None,
            }
            *instructions += 1;
            match step(vm, &mut state) {
                Ok(()) if *instructions < budget => {}
                Err(Interruption::Raise(class)) => {
                    state = act(vm, state, &Act::Raise(class)).ok()?
                }
                _ => return None,
            }
        }
        if state.thread.pending != Pending::None {
            return None;
        }
    }
}

impl Explorer {
    /// The state that every way to call the entry method begins with: its class is initialised where that can't be told from
    /// initialising it later, because no other code of the project runs, nothing is printed and the versions do not differ.
    pub(in crate::symex) fn ground(&mut self, mode: Mode) -> Built<State> {
        let driver = driver(&mut self.vm, vec![Insn::Return(None)], 0)?;
        let thread = Thread::new(driver_frame(driver, Vec::new()));
        let fresh = State::at_start(&mut self.vm.pool, mode, thread);
        let strategy = &self.vm.strategy;
        // The papers' programs count the paths and states of what they run as it is.
        let plain = strategy.annotations == Annotations::Unified;
        if !plain || strategy.symbolic_call.is_some() || self.dise.is_some() {
            return Ok(fresh);
        }
        let (class, mut count) = (self.entry.class, 0);
        match initialised(&mut self.vm, fresh.clone(), class, &mut count) {
            Some(state) if self.is_untold(&fresh, &state) => {
                self.count(count);
                Ok(state)
            }
            _ => Ok(fresh),
        }
    }

    fn is_untold(&self, before: &State, after: &State) -> bool {
        let own = |id: &ClassId| *id == self.entry.class || !self.vm.linker.class(*id).project;
        after.version() == before.version()
            && (after.version().is_some() || !after.split_seen)
            && after.printed == before.printed
            && after.files == before.files
            && after.statics.keys().all(own)
    }
}
