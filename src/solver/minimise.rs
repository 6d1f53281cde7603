//! Small readable values: the same path, told with 0, 1, -1 or 'a' where that is possible.

use super::constraints::Constraints;
use super::floats;
use super::repair::satisfies;
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
        let slow = best
            .terms()
            .iter()
            .any(|t| pool.has_floats(*t) && pool.vars_of(*t).binary_search(var).is_ok());
        for value in values {
            if !super::repair::in_range(pool, *var, value) {
                continue;
            }
            let constant = pool.constant(value);
            let fixed = pool.eq(term, constant);
            if slow || matches!(value, Value::F32(_) | Value::F64(_)) {
                // Z3 may take seconds to refuse a float; a value that alone can't change is not worth that.
                let model = best.model().with(*var, value);
                if satisfies(pool, &best, &[], &[*var], &model) {
                    best = best.extended(pool, &[fixed], model);
                    break;
                }
                continue;
            }
            if let Feasible::Yes(with) = solver.assume(pool, &best, fixed) {
                best = with;
                break;
            }
        }
    }
    best
}
