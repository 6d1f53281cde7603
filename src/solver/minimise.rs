//! Small readable values: a model of the same path with 0, 1, -1 or 'a' if possible.

use super::constraints::Constraints;
use super::floats;
use super::repair::{in_range, satisfies};
use super::{Feasible, Solver};
use crate::expr::{Pool, Sort, Value, VarId};

const NUMBERS: [i64; 10] = [0, 1, -1, 2, 3, 5, 10, -2, 100, -10];
const UNITS: [i64; 4] = [b'a' as i64, b'b' as i64, b' ' as i64, b'0' as i64];

/// `c` with each variable in turn fixed to the first readable value that is feasible. Deterministic.
pub fn minimise(
    solver: &mut dyn Solver,
    pool: &mut Pool,
    c: &Constraints,
    vars: &[VarId],
) -> Constraints {
    let mut best = c.clone();
    for var in vars {
        let term = pool.var_term(*var);
        let values: Vec<Value> = match pool.var_sort(*var) {
            Sort::Bool => vec![Value::Bool(false)],
            Sort::Bv(16) => UNITS.iter().map(|n| Value::Bv(16, *n)).collect(),
            Sort::Bv(width) => NUMBERS.iter().map(|n| Value::Bv(width, *n)).collect(),
            sort => floats::readable(sort, pool.eval(term, best.model())),
        };
        let mut fixes = false;
        let slow = best
            .terms()
            .iter()
            .any(|t| pool.has_floats(*t) && pool.vars_of(*t).binary_search(var).is_ok());
        for value in values {
            if !in_range(pool, *var, value) {
                continue;
            }
            let constant = pool.constant(value);
            let fixed = pool.eq(term, constant);
            if slow || matches!(value, Value::F32(_) | Value::F64(_)) {
                // Z3 may take seconds to refuse a float; a value that alone can't change is not worth that.
                let model = best.model().with(*var, value);
                if satisfies(pool, &best, &[], &[*var], &model) {
                    best = best.extended(pool, &[fixed], model);
                    fixes = true;
                    break;
                }
                continue;
            }
            if let Feasible::Yes(with) = solver.assume(pool, &best, fixed) {
                best = with;
                fixes = true;
                break;
            }
        }
        if !fixes && !slow {
            best = nearest(pool, best, *var);
        }
    }
    best
}

/// Where no readable value will do: the smallest of some that people know or conditions name, a printable character. Values
/// are only tried, for Z3 takes long to prove that there is no smaller one.
fn nearest(pool: &mut Pool, best: Constraints, var: VarId) -> Constraints {
    let (term, Sort::Bv(width)) = (pool.var_term(var), pool.var_sort(var)) else {
        return best;
    };
    let size = |n: i64| (n.unsigned_abs(), n < 0);
    let now = pool.eval(term, best.model()).as_i64().unwrap_or(0);
    let mut values = if width == 16 {
        (b'a'..=b'z').chain(b'!'..=b'~').map(i64::from).collect()
    } else {
        let (lo, hi) = best.domain(pool, var);
        let mut all = known(width);
        all.push(0.clamp(lo, hi));
        all.retain(|n| size(*n) < size(now));
        all.sort_by_key(|n| size(*n));
        all
    };
    values.dedup();
    for value in values {
        let value = Value::Bv(width, value);
        let model = best.model().with(var, value);
        if in_range(pool, var, value) && satisfies(pool, &best, &[], &[var], &model) {
            let constant = pool.constant(value);
            let fixed = pool.eq(term, constant);
            return best.extended(pool, &[fixed], model);
        }
    }
    best
}

/// Numbers up to a hundred, then round ones, powers of two and where squares overflow, each with its neighbours, in both signs.
fn known(width: u8) -> Vec<i64> {
    let most = i64::MAX >> (64 - u32::from(width));
    let round = (2..=18).flat_map(|n| [1, 2, 5].map(|first: i64| first * 10_i64.pow(n)));
    let powers = (0..63).flat_map(|n| [(1 << n) - 1, 1 << n, (1 << n) + 1]);
    let squares = [46_340, 46_341, 3_037_000_499, 3_037_000_500];
    let all = (0..=100).chain(round).chain(powers).chain(squares);
    all.filter(|n: &i64| (0..=most).contains(n))
        .flat_map(|n| [n, -n])
        .chain([-most - 1])
        .collect()
}
