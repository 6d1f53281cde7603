//! Conditions over few values, decided by trying them all: what is hard for Z3 (products, remainders, floats) is easy to evaluate.

use super::constraints::Constraints;
use super::z3::Answer;
use crate::expr::{Arith, Node, Pool, Sort, Term, Value, VarId, apply};
use rustc_hash::{FxHashMap, FxHashSet};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Assignments.
    assignments: usize,
    /// Nodes evaluated over all of them, at most.
    nodes: usize,
}

impl Effort {
    /// Cheaper than one question to Z3.
    pub(super) const LITTLE: Effort = Effort {
        assignments: 1 << 10,
        nodes: 200_000,
    };
    /// About as much as Z3's limit on one question.
    pub(super) const MUCH: Effort = Effort {
        assignments: 1 << 18,
        nodes: 40_000_000,
    };
}

/// Tries all values of the variables of `slice`, within what `c` knows of each; `None` where that is more than the effort.
pub(super) fn enumerate(
    pool: &Pool,
    c: &Constraints,
    slice: &[Term],
    effort: Effort,
) -> Option<Answer> {
    if pool.arith() == Arith::Unbounded {
        return None;
    }
    let mut vars: Vec<VarId> = slice
        .iter()
        .flat_map(|t| pool.vars_of(*t).to_vec())
        .collect();
    vars.sort_unstable();
    vars.dedup();
    let mut assignments = 1usize;
    for var in &vars {
        assignments = assignments.checked_mul(size(pool, c, *var)?)?;
        if assignments > effort.assignments {
            return None;
        }
    }
    let tape = Tape::of(pool, slice);
    if assignments.checked_mul(tape.len())? > effort.nodes {
        return None;
    }
    let domains: Vec<Vec<Value>> = vars.iter().map(|v| domain(pool, c, *v)).collect();
    Some(search(pool, &vars, &domains, &tape))
}

/// How many values a variable may have; `None` for floats.
fn size(pool: &Pool, c: &Constraints, var: VarId) -> Option<usize> {
    match pool.var_sort(var) {
        Sort::Bool => Some(2),
        Sort::Bv(width) => {
            let (low, high) = whole(c.domain(pool, var), width);
            usize::try_from(high.checked_sub(low)?.checked_add(1)?.max(0)).ok()
        }
        _ => None,
    }
}

/// The interval, cut to what so many bits hold, signed.
fn whole((low, high): (i64, i64), width: u8) -> (i64, i64) {
    let most = i64::MAX >> (64 - u32::from(width));
    (low.max(-most - 1), high.min(most))
}

/// The values of a variable, those nearest to zero first: they read best.
fn domain(pool: &Pool, c: &Constraints, var: VarId) -> Vec<Value> {
    match pool.var_sort(var) {
        Sort::Bv(width) => {
            let (low, high) = whole(c.domain(pool, var), width);
            let mut all: Vec<i64> = (low..=high).collect();
            all.sort_by_key(|n| (n.unsigned_abs(), *n < 0));
            all.into_iter().map(|n| Value::Bv(width, n)).collect()
        }
        _ => vec![Value::Bool(false), Value::Bool(true)],
    }
}

/// The nodes of all conditions, operands first; each condition's own follow those of the ones before.
struct Tape(Vec<(Term, Vec<(Term, Node)>)>);

impl Tape {
    fn of(pool: &Pool, conditions: &[Term]) -> Tape {
        let mut known: FxHashSet<Term> = FxHashSet::default();
        let part = |condition: &Term| {
            let (mut todo, mut part) = (vec![*condition], Vec::new());
            while let Some(&term) = todo.last() {
                let node = pool.node(term);
                let before = todo.len();
                if !known.contains(&term) {
                    todo.extend(node.children().filter(|c| !known.contains(c)));
                }
                if todo.len() > before {
                    continue;
                }
                todo.pop();
                if known.insert(term) {
                    part.push((term, node));
                }
            }
            (*condition, part)
        };
        Tape(conditions.iter().map(part).collect())
    }

    fn len(&self) -> usize {
        self.0.iter().map(|(_, part)| part.len()).sum()
    }

    /// Whether all conditions hold; `values` has those of the variables.
    fn holds(&self, pool: &Pool, values: &mut FxHashMap<Term, Value>) -> bool {
        for (condition, part) in &self.0 {
            for (term, node) in part {
                if !matches!(node, Node::Var(_)) {
                    let value = apply(node, pool.arith(), |t| values.get(&t).copied());
                    values.insert(*term, value.unwrap_or(Value::zero(pool.sort(*term))));
                }
            }
            if values.get(condition) != Some(&Value::Bool(true)) {
                return false;
            }
        }
        true
    }
}

fn search(pool: &Pool, vars: &[VarId], domains: &[Vec<Value>], tape: &Tape) -> Answer {
    if domains.iter().any(Vec::is_empty) {
        return Answer::Unsat;
    }
    let mut at = vec![0usize; vars.len()];
    let mut values = FxHashMap::default();
    loop {
        let chosen = || {
            vars.iter()
                .zip(domains)
                .zip(&at)
                .map(|((v, d), i)| (*v, d[*i]))
        };
        values.extend(chosen().map(|(var, value)| (pool.var_term(var), value)));
        if tape.holds(pool, &mut values) {
            return Answer::Sat(chosen().collect());
        }
        let Some(next) = (0..at.len()).rev().find(|i| at[*i] + 1 < domains[*i].len()) else {
            return Answer::Unsat;
        };
        at[next] += 1;
        at[next + 1..].fill(0);
    }
}
