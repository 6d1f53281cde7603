//! Z3 behind the other layers: only this file and its folder know it.

mod float;
mod translate;

use super::layered::SolverOptions;
use crate::expr::{Arith, Model, Pool, Sort, Term, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};
use translate::{Translator, Tree};
use z3::{Params, SatResult, Solver, StatisticsValue, Tactic};

/// Z3's answer.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Sat(Vec<(VarId, Value)>),
    Unsat,
    Unknown(String),
}

/// A Z3 solver whose assertions follow the path condition by push and pop, and the trees of terms.
pub(super) struct Z3 {
    solver: Solver,
    params: Params,
    rlimit: u32,
    timeout: Duration,
    deadline: Option<Instant>,
    /// Resource units of the last question.
    units: u64,
    /// The context's count of resource units so far.
    count: u64,
    asserted: Vec<Term>,
    translator: Translator,
    /// How many nodes conditions have, each node counted once.
    sizes: FxHashMap<Term, usize>,
}

/// The most nodes of one condition, and of all of a question: Z3 simplifies what it is told before it looks at any limit, and with products
/// that may take minutes.
const MOST_NODES: usize = 100_000;
const MOST_NODES_TOGETHER: usize = 1_000_000;

/// Terms asserted between two looks at what they took.
const GLANCE: usize = 8;

impl Z3 {
    /// A solver for the calling thread, of which no question takes longer than to the deadline.
    pub(super) fn new(options: &SolverOptions, deadline: Option<Instant>) -> Z3 {
        // Measured 1.5 to 2 times faster than the default solver on path-shaped queries; see docs/performance.md.
        let solver = Solver::new();
        let mut params = Params::new();
        params.set_u32("rlimit", options.rlimit);
        params.set_u32("timeout", millis(options.timeout));
        params.set_u32("random_seed", 0);
        // A long chain of conjunctions is else written anew for each of its links, with no regard for limits.
        params.set_bool("flat_and_or", false);
        solver.set_params(&params);
        // The solvers of a thread share their context, so its count goes on.
        let count = worked(&solver).unwrap_or(0);
        Z3 {
            solver,
            params,
            rlimit: options.rlimit,
            timeout: options.timeout,
            deadline,
            units: 0,
            count,
            asserted: Vec::new(),
            translator: Translator::default(),
            sizes: FxHashMap::default(),
        }
    }

    /// Resource units that the last question took.
    pub(super) fn units(&self) -> u64 {
        self.units
    }

    /// Gives the next questions so many units.
    pub(super) fn limit(&mut self, units: u32) {
        if units != self.rlimit {
            self.rlimit = units;
            self.params.set_u32("rlimit", units);
            self.solver.set_params(&self.params);
        }
    }

    /// Cuts the time of the next question where the deadline is nearer than its timeout.
    fn hurry(&mut self) {
        let Some(deadline) = self.deadline else {
            return;
        };
        let left = deadline.saturating_duration_since(Instant::now());
        if left < self.timeout {
            // Zero would be no limit.
            self.params.set_u32("timeout", millis(left).max(1));
            self.solver.set_params(&self.params);
        }
    }

    /// Takes down how much the context has worked so far. The count is Z3's own, of 32 bits: it may begin again.
    fn count(&mut self, worked: Option<u64>) {
        if let Some(all) = worked {
            self.units = self.since(all);
            self.count = all;
        }
    }

    /// What of this count was added since it was taken down.
    fn since(&self, all: u64) -> u64 {
        all.checked_sub(self.count).unwrap_or(all)
    }

    /// Whether all `terms` can hold together.
    pub(super) fn check(&mut self, pool: &Pool, terms: &[Term]) -> Answer {
        self.units = 0;
        self.hurry();
        if self.is_too_large(pool, terms) {
            return Answer::Unknown("the condition is too large".into());
        }
        if terms.iter().any(|t| pool.has_floats(*t)) {
            return self.check_floats(pool, terms);
        }
        let common = self
            .asserted
            .iter()
            .zip(terms)
            .take_while(|(a, b)| a == b)
            .count();
        let surplus = (self.asserted.len() - common) as u32;
        if surplus > 0 {
            self.solver.pop(surplus);
            self.asserted.truncate(common);
        }
        for term in &terms[common..] {
            let tree = match self.condition(pool, *term) {
                Ok(tree) => tree,
                Err(why) => return Answer::Unknown(why.into()),
            };
            // To assert takes no account of limits: what was asserted before is simplified and taken in with each level.
            if let Some(why) = self.over() {
                self.count(worked(&self.solver));
                return Answer::Unknown(why.into());
            }
            self.solver.push();
            self.solver.assert(&tree);
            self.asserted.push(*term);
        }
        tracing::trace!(target: "shadow_ci::solver", "{}(check-sat)", self.solver);
        let result = self.solver.check();
        self.count(worked(&self.solver));
        match result {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => Answer::Unknown(reason(&self.solver)),
            SatResult::Sat => self.model(&self.solver, pool, terms),
        }
    }

    /// Which limit was reached while conditions were asserted since the last question.
    fn over(&self) -> Option<&'static str> {
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some("the time is over");
        }
        // To ask for the count takes some time itself.
        let is_glance = self.asserted.len().is_multiple_of(GLANCE);
        let all = is_glance.then(|| worked(&self.solver)).flatten()?;
        (self.since(all) > u64::from(self.rlimit)).then_some("resource limit")
    }

    fn is_too_large(&mut self, pool: &Pool, terms: &[Term]) -> bool {
        let mut all = 0;
        terms.iter().any(|term| {
            let size = *self.sizes.entry(*term).or_insert_with(|| size(pool, *term));
            all += size;
            size > MOST_NODES || all > MOST_NODES_TOGETHER
        })
    }

    /// Floating-point goes to a fresh solver of its own tactic: measured 3 to 10 times faster than the incremental one, whose
    /// floating-point theory is lazy, on sums and products of doubles.
    fn check_floats(&mut self, pool: &Pool, terms: &[Term]) -> Answer {
        let solver = match pool.arith() {
            Arith::Java => Tactic::new("qffpbv").solver(),
            Arith::Unbounded => Solver::new(),
        };
        solver.set_params(&self.params);
        for term in terms {
            match self.condition(pool, *term) {
                Ok(tree) => solver.assert(&tree),
                Err(why) => return Answer::Unknown(why.into()),
            }
        }
        tracing::trace!(target: "shadow_ci::solver", "{solver}(check-sat)");
        let result = solver.check();
        self.count(worked(&solver));
        match result {
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => {
                Answer::Unknown(format!("symbolic floating-point: {}", reason(&solver)))
            }
            SatResult::Sat => match self.model(&solver, pool, terms) {
                Answer::Sat(values) if !satisfies(pool, terms, &values) => {
                    Answer::Unknown("symbolic floating-point: Z3's model does not hold".into())
                }
                answer => answer,
            },
        }
    }

    fn condition(&mut self, pool: &Pool, term: Term) -> Result<z3::ast::Bool, &'static str> {
        match self.translator.translate(pool, term)? {
            Tree::Bool(tree) => Ok(tree),
            _ => Err("condition is not a truth value"),
        }
    }

    fn model(&self, solver: &Solver, pool: &Pool, terms: &[Term]) -> Answer {
        let Some(model) = solver.get_model() else {
            return Answer::Unknown("no model".into());
        };
        let mut values = Vec::new();
        for var in pool.vars_of_all(terms) {
            let value = match (self.translator.get(pool.var_term(var)), pool.var_sort(var)) {
                (Some(Tree::Bool(b)), _) => model
                    .eval(b, true)
                    .and_then(|b| b.as_bool())
                    .map(Value::Bool),
                (Some(Tree::Bv(b)), Sort::Bv(w)) => {
                    // `as_u64`: the signed reading refuses values with the top bit set.
                    let bits = model.eval(b, true).and_then(|b| b.as_u64());
                    bits.map(|n| {
                        Value::Bv(w, (n << (64 - u32::from(w))) as i64 >> (64 - u32::from(w)))
                    })
                }
                (Some(Tree::Int(i)), Sort::Bv(w)) => model
                    .eval(i, true)
                    .and_then(|i| i.as_i64())
                    .map(|n| Value::Bv(w, n)),
                (Some(Tree::Float(f)), sort) => float::bits_in(&model, f, sort),
                _ => None,
            };
            match value {
                Some(value) => values.push((var, value)),
                None => return Answer::Unknown("value of a variable does not fit".into()),
            }
        }
        Answer::Sat(values)
    }
}

/// How many nodes a term has, counted as far as matters.
fn size(pool: &Pool, term: Term) -> usize {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![term]);
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            todo.extend(pool.node(term).children());
        }
        if seen.len() > MOST_NODES {
            break;
        }
    }
    seen.len()
}

/// The resource units that a solver's context has used so far.
fn worked(solver: &Solver) -> Option<u64> {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(all)) => Some(u64::from(all)),
        _ => None,
    }
}

fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

fn reason(solver: &Solver) -> String {
    match solver.get_reason_unknown() {
        // The tactics' ways to say that `rlimit` (or, as the safety net, the timeout) is used up.
        Some(why) if why == "canceled" || why.contains("resource limit") => {
            "resource or time limit".into()
        }
        Some(why) => why,
        None => "no reason given".into(),
    }
}

/// Z3's floating-point has had wrong models before: this one is believed only as far as our own evaluation agrees.
fn satisfies(pool: &Pool, terms: &[Term], values: &[(VarId, Value)]) -> bool {
    let model = Model::default().overlaid(values.iter().copied());
    pool.arith() == Arith::Unbounded || terms.iter().all(|t| pool.holds(*t, &model))
}
