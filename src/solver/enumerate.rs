//! Conditions over few values, decided by trying them all: what is hard for Z3 (products, remainders, floats) is easy to evaluate.

use super::constraints::Constraints;
use super::z3::Answer;
use crate::expr::{Arith, Pool, Sort, Tape, Term, Value, VarId};

/// Assignments that are tried.
const MOST_ASSIGNMENTS: usize = 1 << 18;
/// Nodes evaluated over all of them: cheaper than one question to Z3.
const FEW_NODES: usize = 200_000;
/// The same where Z3 would work hard: less than what one question may take.
const MANY_NODES: usize = 40_000_000;

/// Tries all values of the variables of `slice`, within what `c` knows of each: the answer, and how many nodes that evaluated;
/// `None` where Z3 is likely to be faster.
pub(super) fn enumerate(pool: &Pool, c: &Constraints, slice: &[Term]) -> Option<(Answer, u64)> {
    if pool.arith() == Arith::Unbounded {
        return None;
    }
    let vars = pool.vars_of_all(slice);
    let mut assignments = 1usize;
    for var in &vars {
        assignments = assignments.checked_mul(size(pool, c, *var)?)?;
        if assignments > MOST_ASSIGNMENTS {
            return None;
        }
    }
    let mut tape = Tape::new(pool, slice);
    let most = if tape.is_hard(pool) {
        MANY_NODES
    } else {
        FEW_NODES
    };
    if assignments.checked_mul(tape.len())? > most {
        return None;
    }
    let domains: Vec<Vec<Value>> = vars.iter().map(|v| domain(pool, c, *v)).collect();
    let (answer, tried) = search(pool, &vars, &domains, &mut tape);
    Some((answer, tried * tape.len() as u64))
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

/// The answer, and how many assignments were tried.
fn search(pool: &Pool, vars: &[VarId], domains: &[Vec<Value>], tape: &mut Tape) -> (Answer, u64) {
    let mut tried = 0;
    if domains.iter().any(Vec::is_empty) {
        return (Answer::Unsat, tried);
    }
    let mut at = vec![0usize; vars.len()];
    loop {
        let chosen = || {
            let each = vars.iter().zip(domains).zip(&at);
            each.map(|((var, values), i)| (*var, values[*i]))
        };
        tried += 1;
        if tape.holds(pool, chosen()) {
            return (Answer::Sat(chosen().collect()), tried);
        }
        let Some(next) = (0..at.len()).rev().find(|i| at[*i] + 1 < domains[*i].len()) else {
            return (Answer::Unsat, tried);
        };
        at[next] += 1;
        at[next + 1..].fill(0);
    }
}
