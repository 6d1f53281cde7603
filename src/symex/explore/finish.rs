//! The end of a path: the other version follows, or the outcomes are compared and the path is reported.

use crate::expr::Term;
use crate::model::reason::Reason;
use crate::model::tree::Leaf;
use crate::model::{DivergenceClass, Version};
use crate::solver::{Constraints, Feasible, Solver, minimise};
use crate::symex::explore::difference::{difference, static_differences};
use crate::symex::explore::predict::predict;
use crate::symex::explore::{Explorer, FinishedPath, PathEnd, PathTerms, stop_of};
use crate::symex::interp::annotation::is_off_input;
use crate::symex::interp::fork::is_behind;
use crate::symex::state::decision;
use crate::symex::state::interruption::Stop;
use crate::symex::state::{Ended, Mode, State, strategy};
use crate::symex::vm::logged_array::flatten_all;
use crate::symex::vm::view::freeze_heap;
use std::sync::Arc;

/// Paths of an exploration whose conditions are reduced by the solver: behind them, few are told.
const REDUCED: u64 = 64;

impl Explorer {
    /// The running version ended: the parked one follows, or the path is finished.
    pub(in crate::symex) fn end(&mut self, mut state: State) -> Option<State> {
        if let Some(callee) = &self.vm.strategy.symbolic_call
            && !state.entered
        {
            let stop = Stop::unsupported(
                Reason::NotCalled,
                format!("{}#{}", callee.class, callee.name),
            );
            self.give_up(&state, stop);
            return None;
        }
        if is_off_input(&self.vm, &state) && !is_behind(&self.vm, &state) {
            self.ready.push_back(PathEnd::NoInput);
            return None;
        }
        freeze_heap(&mut self.vm, &mut state);
        let old_waits =
            state.parked.is_some() && matches!(state.mode, Mode::Diverged(Version::New));
        if (!old_waits || self.vm.strategy.new_oracle)
            && let Err(interruption) = flatten_all(&mut self.vm, &mut state)
        {
            self.give_up(&state, stop_of(interruption));
            return None;
        }
        if let (Mode::Diverged(Version::New), Some(parked)) = (&state.mode, state.parked.clone()) {
            if self.vm.strategy.new_oracle {
                self.finish_new(&state);
                return None;
            }
            let new = std::mem::replace(&mut state.thread, (*parked).clone());
            state.parked = Some(Arc::new(new));
            state.mode = Mode::Diverged(Version::Old);
            return Some(state);
        }
        if self.vm.strategy.mode == strategy::ExploreMode::NewOnly {
            self.finish_new(&state);
            return None;
        }
        let (old, new) = match (&state.mode, &state.parked) {
            (Mode::Diverged(_), Some(new)) => (state.thread.end.clone(), new.end.clone()),
            _ => (state.thread.end.clone(), state.thread.end.clone()),
        };
        if let (Some(old), Some(new)) = (old, new) {
            self.finish(&state, &old, &new);
        }
        None
    }

    /// The new version ended, and the old one is not asked.
    fn finish_new(&mut self, state: &State) {
        let Some(new) = state.thread.end.clone() else {
            return;
        };
        let diff = self.vm.strategy.mode != strategy::ExploreMode::NewOnly;
        self.ready_path(state, &state.constraints, (None, &new), None, diff);
    }

    fn finish(&mut self, state: &State, old: &Ended, new: &Ended) {
        let difference = match difference(&mut self.vm, state, old, new) {
            Ok(term) => term,
            Err(stop) => return self.give_up(state, stop),
        };
        let (constraints, differs) =
            match self
                .solver
                .assume(&mut self.vm.pool, &state.constraints, difference)
            {
                Feasible::Yes(constraints) => (constraints, true),
                Feasible::No => (state.constraints.clone(), false),
                Feasible::Unknown(why) => {
                    self.give_up(state, Stop::unsupported(Reason::SolverUnknown, why));
                    return;
                }
            };
        if !differs {
            self.compare_static_state(state);
        }
        let vars = state.shape.vars(&self.vm.pool);
        // One input was asked for: its path condition is not known.
        let one = self.vm.strategy.mode.single_input().is_some();
        let small = if differs && !one {
            minimise(&mut self.solver, &mut self.vm.pool, &constraints, &vars)
        } else {
            constraints
        };
        let control = matches!(state.mode, Mode::Diverged(_));
        let differs = Some((differs, difference));
        self.ready_path(state, &small, (Some(old), new), differs, control);
    }

    /// Names the static fields that may differ where the outcomes are the same: a caller can read them.
    fn compare_static_state(&mut self, state: &State) {
        for (field, differs) in static_differences(&mut self.vm, state) {
            let limit = (Reason::StaticStateDiffers, field);
            if self.vm.touched.contains(&limit) {
                continue;
            }
            let is_same = differs.is_some_and(|differs| {
                let answer = self
                    .solver
                    .assume(&mut self.vm.pool, &state.constraints, differs);
                matches!(answer, Feasible::No)
            });
            if !is_same {
                self.vm.touched.insert(limit);
            }
        }
    }

    fn ready_path(
        &mut self,
        state: &State,
        small: &Constraints,
        ends: (Option<&Ended>, &Ended),
        differs: Option<(bool, Term)>,
        control: bool,
    ) {
        let model = small.model();
        let condition: Vec<String> = state
            .constraints
            .terms()
            .iter()
            .map(|t| self.conjunct(*t))
            .collect();
        let decisions = match differs {
            Some((false, _)) => Vec::new(),
            _ => {
                let (pool, solver) = (&mut self.vm.pool, &mut self.solver);
                let reduced = self.finished_before + self.finished < REDUCED;
                decision::nearest(
                    pool,
                    solver,
                    &state.constraints,
                    (&state.decisions, reduced),
                )
            }
        };
        let path = FinishedPath {
            inputs: state.shape.concrete(&self.vm.pool, model),
            old: ends
                .0
                .map(|old| predict(&mut self.vm, state, old, Version::Old, model)),
            new: predict(&mut self.vm, state, ends.1, Version::New, model),
            differs: differs.map(|d| d.0),
            control,
            diverged_at: state.diverged_at.clone(),
            condition: condition.join(" && "),
            decisions,
            terms: PathTerms::new(
                state.constraints.terms(),
                differs.map(|d| d.1),
                state.shape.arg_vars(&self.vm.pool),
                self.number_of(&state.shape),
            ),
            affected: control || state.split_seen,
            chance: state.chance,
        };
        self.samples.finished(path.terms.shape, path.inputs.clone());
        self.finished += 1;
        self.tree.add(&self.vm.pool, state, leaf(&path));
        if let Some(dise) = &mut self.dise {
            dise.finish();
        }
        self.ready.push_back(PathEnd::Finished(Box::new(path)));
    }

    fn conjunct(&self, term: crate::expr::Term) -> String {
        let text = self.vm.pool.show(term);
        if matches!(self.vm.pool.node(term), crate::expr::Node::Or(..)) {
            format!("({text})")
        } else {
            text
        }
    }
}

fn leaf(path: &FinishedPath) -> Leaf {
    let old = path.old.as_ref().map(|o| o.end.clone());
    let differs = old.is_some() && path.differs == Some(true);
    let class = DivergenceClass::of(
        differs,
        old.as_ref().unwrap_or(&path.new.end),
        &path.new.end,
    );
    Leaf::Finished {
        class: Some(class).filter(|_| differs || path.control),
        new: path.new.end.clone(),
        old,
    }
}
