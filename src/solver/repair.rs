//! Small changes of a known model that may satisfy one more condition: boundary values of what is compared.

use super::constraints::Constraints;
use super::floats;
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
    let tries: Vec<Vec<Value>> = vars
        .iter()
        .map(|var| candidates(pool, wanted, c.model(), *var))
        .collect();
    for (var, values) in vars.iter().zip(&tries) {
        for value in values {
            let model = c.model().with(*var, *value);
            if in_range(pool, *var, *value) && satisfies(pool, c, more, &[*var], &model) {
                return Some(model);
            }
        }
    }
    if pool.has_floats(wanted) {
        pairs(pool, c, more, &vars, &tries)
    } else {
        None
    }
}

/// Two variables changed together: where floats are involved, a few hundred evaluations cost less than one question to Z3.
fn pairs(
    pool: &Pool,
    c: &Constraints,
    more: &[Term],
    vars: &[VarId],
    tries: &[Vec<Value>],
) -> Option<Model> {
    for (i, a) in vars.iter().enumerate() {
        for (j, b) in vars.iter().enumerate().skip(i + 1) {
            for x in tries[i].iter().filter(|x| in_range(pool, *a, **x)) {
                let first = c.model().with(*a, *x);
                for y in tries[j].iter().filter(|y| in_range(pool, *b, **y)) {
                    let model = first.with(*b, *y);
                    if satisfies(pool, c, more, &[*a, *b], &model) {
                        return Some(model);
                    }
                }
            }
        }
    }
    None
}

/// Whether a model that differs from `c`'s in `changed` only satisfies `c` and `more`.
pub(super) fn satisfies(
    pool: &Pool,
    c: &Constraints,
    more: &[Term],
    changed: &[VarId],
    model: &Model,
) -> bool {
    let untouched = |t: &Term| {
        let vars = pool.vars_of(*t);
        changed.iter().all(|v| vars.binary_search(v).is_err())
    };
    more.iter().all(|t| pool.holds(*t, model))
        && c.terms()
            .iter()
            .all(|t| untouched(t) || pool.holds(*t, model))
}

/// Whether a value lies in the variable's known range.
pub(super) fn in_range(pool: &Pool, var: VarId, value: Value) -> bool {
    match (pool.var_range(var), value.as_i64()) {
        (Some((lo, hi)), Some(n)) => (lo..=hi).contains(&n),
        _ => true,
    }
}

fn candidates(pool: &Pool, wanted: Term, model: &Model, var: VarId) -> Vec<Value> {
    let width = match pool.var_sort(var) {
        Sort::Bv(width) => width,
        Sort::Bool => return vec![Value::Bool(true), Value::Bool(false)],
        sort => return floats::candidates(pool, wanted, model, sort),
    };
    // Where Z3 is slow, more guesses pay.
    let more: &[i64] = if pool.has_floats(wanted) {
        &[2, 3, 5, 7, 10, 100, 1000, i32::MAX as i64, i32::MIN as i64]
    } else {
        &[]
    };
    let mut numbers = Vec::new();
    collect(pool, wanted, model, &mut numbers, 0);
    let mut values = Vec::new();
    for n in numbers
        .into_iter()
        .flat_map(|n| [n, n.wrapping_add(1), n.wrapping_sub(1)])
        .chain([0, 1, -1])
        .chain(more.iter().copied())
    {
        let shift = 64 - u32::from(width);
        let fits = n.wrapping_shl(shift).wrapping_shr(shift) == n;
        if fits && !values.contains(&Value::Bv(width, n)) {
            values.push(Value::Bv(width, n));
        }
    }
    values.truncate(MAX_VALUES + more.len());
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
        Node::FCmp(_, a, b) => {
            for t in [b, a] {
                match pool.eval(t, model) {
                    Value::F32(bits) => out.push(f32::from_bits(bits) as i64),
                    Value::F64(bits) => out.push(f64::from_bits(bits) as i64),
                    _ => {}
                }
            }
        }
        node if depth < 3 => node
            .children()
            .for_each(|c| collect(pool, c, model, out, depth + 1)),
        _ => {}
    }
}
