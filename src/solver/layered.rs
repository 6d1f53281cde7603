//! The solver chain: folding, known conjuncts, intervals, the state's model, repaired models, independent slices, cache, enumeration, Z3.

use super::constraints::Constraints;
use super::enumerate::enumerate;
use super::repair::repair;
use super::z3::{Answer, Z3};
use super::{Feasible, Solver};
use crate::expr::{CmpOp, Node, Pool, Sort, Term, Value, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Budgets of one query.
#[derive(Clone, Debug)]
pub struct SolverOptions {
    /// Z3's deterministic resource limit.
    pub rlimit: u32,
    /// Safety net.
    pub timeout: Duration,
    /// Ask Z3 for everything that folding leaves open: to measure what the other layers save.
    pub z3_only: bool,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions {
            rlimit: 4_000_000,
            timeout: Duration::from_secs(60),
            z3_only: false,
        }
    }
}

/// What the layers did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Questions asked.
    pub asked: u64,
    /// Answered by folding, conjuncts or intervals.
    pub folded: u64,
    /// Answered by the state's model or a repaired one.
    pub modelled: u64,
    /// Answered by the cache.
    pub cached: u64,
    /// Answered by trying all values.
    pub enumerated: u64,
    /// Questions that reached Z3.
    pub queries: u64,
    /// Questions that Z3 did not answer.
    pub unknown: u64,
    /// Z3's resource units: the same for the same questions on every machine.
    pub units: u64,
    /// Nodes of conditions evaluated by trying values.
    pub nodes: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.asked += other.asked;
        self.folded += other.folded;
        self.modelled += other.modelled;
        self.cached += other.cached;
        self.enumerated += other.enumerated;
        self.queries += other.queries;
        self.unknown += other.unknown;
        self.units += other.units;
        self.nodes += other.nodes;
    }
}

/// The chain.
pub struct LayeredSolver {
    options: SolverOptions,
    deadline: Option<Instant>,
    /// Units of the question at hand, where they are fewer than of others.
    units: Option<u32>,
    /// Begun when it is first asked: its context takes some 15 MB.
    z3: Option<Z3>,
    cache: FxHashMap<Vec<Term>, Answer>,
    stats: Stats,
}

impl LayeredSolver {
    /// A chain with these budgets. It belongs to the thread that makes it.
    pub fn new(options: &SolverOptions) -> LayeredSolver {
        LayeredSolver {
            options: options.clone(),
            deadline: None,
            units: None,
            z3: None,
            cache: FxHashMap::default(),
            stats: Stats::default(),
        }
    }

    /// The budgets of its questions.
    pub fn options(&self) -> &SolverOptions {
        &self.options
    }

    /// Lets no question to Z3 take longer than to this moment.
    pub fn end_at(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// All values where they are few, else Z3.
    fn decide(&mut self, pool: &Pool, c: &Constraints, slice: &[Term]) -> Answer {
        if !self.options.z3_only
            && let Some((answer, nodes)) = enumerate(pool, c, slice)
        {
            self.stats.nodes += nodes;
            self.stats.enumerated += 1;
            return answer;
        }
        self.stats.queries += 1;
        let options = &self.options;
        let z3 = self
            .z3
            .get_or_insert_with(|| Z3::new(options, self.deadline));
        z3.limit(self.units.unwrap_or(options.rlimit));
        let answer = z3.check(pool, slice);
        self.stats.units += z3.units();
        self.stats.unknown += u64::from(matches!(answer, Answer::Unknown(_)));
        answer
    }
}

impl Solver for LayeredSolver {
    fn assume(&mut self, pool: &mut Pool, c: &Constraints, cond: Term) -> Feasible {
        self.stats.asked += 1;
        let more = match open_conjuncts(pool, c, cond) {
            Some(more) => more,
            None => {
                self.stats.folded += 1;
                return Feasible::No;
            }
        };
        if more.is_empty() {
            self.stats.folded += 1;
            return Feasible::Yes(c.clone());
        }
        if !self.options.z3_only && more.iter().all(|t| pool.holds(*t, c.model())) {
            self.stats.modelled += 1;
            return Feasible::Yes(c.extended(pool, &more, c.model().clone()));
        }
        if let Some(model) = (!self.options.z3_only)
            .then(|| repair(pool, c, &more))
            .flatten()
        {
            self.stats.modelled += 1;
            return Feasible::Yes(c.extended(pool, &more, model));
        }
        let slice = slice(pool, c, &more);
        let answer = match self.cache.get(&slice) {
            Some(answer) if !self.options.z3_only => {
                self.stats.cached += 1;
                answer.clone()
            }
            _ => {
                let answer = self.decide(pool, c, &slice);
                let is_open = self.units.is_some() && matches!(answer, Answer::Unknown(_));
                if !is_open {
                    self.cache.insert(slice, answer.clone());
                }
                answer
            }
        };
        match answer {
            Answer::Unsat => Feasible::No,
            Answer::Unknown(why) => Feasible::Unknown(why),
            Answer::Sat(values) => {
                Feasible::Yes(c.extended(pool, &more, c.model().overlaid(values)))
            }
        }
    }

    fn assume_within(
        &mut self,
        units: u32,
        pool: &mut Pool,
        c: &Constraints,
        cond: Term,
    ) -> Feasible {
        self.units = Some(units);
        let answer = self.assume(pool, c, cond);
        self.units = None;
        answer
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

/// `c ∧ cond` where the model of `c` satisfies `cond`: nothing is asked.
pub fn satisfied(pool: &mut Pool, c: &Constraints, cond: Term) -> Feasible {
    match open_conjuncts(pool, c, cond) {
        Some(more) => Feasible::Yes(c.extended(pool, &more, c.model().clone())),
        None => Feasible::No,
    }
}

/// The conjuncts of `cond` that `c` leaves open; `None` when one of them contradicts `c`.
fn open_conjuncts(pool: &mut Pool, c: &Constraints, cond: Term) -> Option<Vec<Term>> {
    let (mut todo, mut open) = (vec![cond], Vec::new());
    while let Some(term) = todo.pop() {
        match pool.node(term) {
            Node::Const(Value::Bool(true)) => {}
            Node::Const(_) => return None,
            Node::And(a, b) => todo.extend([b, a]),
            _ => {
                if c.terms().contains(&term) || open.contains(&term) {
                    continue;
                }
                let not = pool.not(term);
                if c.terms().contains(&not) || open.contains(&not) {
                    return None;
                }
                match c.decide(pool, term) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => open.push(term),
                }
            }
        }
    }
    Some(open)
}

/// What `more` depends on: the conjuncts that share variables with it, directly or not, and the ranges of all these variables.
fn slice(pool: &mut Pool, c: &Constraints, more: &[Term]) -> Vec<Term> {
    let mut vars: BTreeSet<VarId> = more
        .iter()
        .flat_map(|t| pool.vars_of(*t).to_vec())
        .collect();
    let mut taken = vec![false; c.terms().len()];
    loop {
        let mut grew = false;
        for (i, term) in c.terms().iter().enumerate() {
            let of = pool.vars_of(*term);
            if !taken[i] && of.iter().any(|v| vars.contains(v)) {
                taken[i] = true;
                grew = true;
                vars.extend(of);
            }
        }
        if !grew {
            break;
        }
    }
    let mut slice = Vec::new();
    for var in &vars {
        if let (Some((lo, hi)), Sort::Bv(width)) = (pool.var_range(*var), pool.var_sort(*var)) {
            let (term, lo, hi) = (pool.var_term(*var), pool.bv(width, lo), pool.bv(width, hi));
            slice.push(pool.cmp(CmpOp::Sle, lo, term));
            slice.push(pool.cmp(CmpOp::Sle, term, hi));
        }
    }
    slice.extend(
        c.terms()
            .iter()
            .zip(&taken)
            .filter(|(_, t)| **t)
            .map(|(term, _)| *term),
    );
    slice.extend(more);
    slice
}
