//! Small changes of a known model that may satisfy one more condition: boundary values of what is compared.

use super::constraints::Constraints;
use crate::expr::{Model, Node, Pool, Sort, Term, Value, VarId};

/// Variables, and values for each, that are tried.
const MAX_VARS: usize = 3;
const MAX_VALUES: usize = 10;

/// A model of `c` and `more`, close to `c`'s, if one of a few guesses is one.
pub(super) fn repair(pool: &Pool, c: &Constraints, more: &[Term]) -> Option<Model> {
    let wanted = more.iter().copied().find(|t| !pool.holds(*t, c.model()))?;
    let vars: Vec<VarId> = pool
        .vars_of(wanted)
        .iter()
        .copied()
        .take(MAX_VARS)
        .collect();
    for var in vars {
        for value in candidates(pool, wanted, c.model(), var) {
            let model = c.model().with(var, value);
            let fits =
                |t: &Term| pool.vars_of(*t).binary_search(&var).is_err() || pool.holds(*t, &model);
            if in_range(pool, var, value)
                && more.iter().all(|t| pool.holds(*t, &model))
                && c.terms().iter().all(fits)
            {
                return Some(model);
            }
        }
    }
    None
}

/// Whether a value lies in the variable's known range.
pub(super) fn in_range(pool: &Pool, var: VarId, value: Value) -> bool {
    match (pool.var_range(var), value.as_i64()) {
        (Some((lo, hi)), Some(n)) => (lo..=hi).contains(&n),
        _ => true,
    }
}

fn candidates(pool: &Pool, wanted: Term, model: &Model, var: VarId) -> Vec<Value> {
    let Sort::Bv(width) = pool.var_sort(var) else {
        return if pool.var_sort(var) == Sort::Bool {
            vec![Value::Bool(true), Value::Bool(false)]
        } else {
            Vec::new()
        };
    };
    let mut numbers = Vec::new();
    collect(pool, wanted, model, &mut numbers, 0);
    let mut values = Vec::new();
    for n in numbers
        .into_iter()
        .flat_map(|n| [n, n.wrapping_add(1), n.wrapping_sub(1)])
        .chain([0, 1, -1])
    {
        let shift = 64 - u32::from(width);
        let fits = n.wrapping_shl(shift).wrapping_shr(shift) == n;
        if fits && !values.contains(&Value::Bv(width, n)) {
            values.push(Value::Bv(width, n));
        }
    }
    values.truncate(MAX_VALUES);
    values
}

/// Values of the operands compared in a condition.
fn collect(pool: &Pool, term: Term, model: &Model, out: &mut Vec<i64>, depth: u32) {
    match pool.node(term) {
        Node::Eq(a, b) | Node::Cmp(_, a, b) => {
            for t in [b, a] {
                out.extend(pool.eval(t, model).as_i64());
            }
        }
        node if depth < 3 => node
            .children()
            .for_each(|c| collect(pool, c, model, out, depth + 1)),
        _ => {}
    }
}
