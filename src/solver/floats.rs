//! Special float values: evaluating a condition under them is cheap, asking Z3 is not.

use crate::expr::{Model, Node, Pool, Sort, Term, Value};

/// Zeros and NaN first: where comparisons and their negations part.
const SPECIAL: [f64; 11] = [
    0.0,
    f64::NAN,
    -0.0,
    1.0,
    -1.0,
    0.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e10,
    -1e10,
    1e-10,
];
/// Small numbers that read well; then what is special.
const READABLE: [f64; 16] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    -0.5,
    3.0,
    10.0,
    100.0,
    0.001,
    1e-10,
    1e10,
    -1e10,
    -0.0,
    f64::NAN,
    f64::INFINITY,
];

/// A float of that sort.
fn value(sort: Sort, number: f64) -> Value {
    match sort {
        Sort::F32 => Value::F32((number as f32).to_bits()),
        _ => Value::F64(number.to_bits()),
    }
}

/// What a float variable of a finding is told as, if it can be: small numbers, or its value with fewer digits.
pub(super) fn readable(sort: Sort, now: Value) -> Vec<Value> {
    let number = match now {
        Value::F32(b) => f64::from(f32::from_bits(b)),
        Value::F64(b) => f64::from_bits(b),
        _ => 0.0,
    };
    let shorter = (0..6).filter_map(|digits| format!("{number:.digits$e}").parse().ok());
    READABLE
        .into_iter()
        .chain(shorter)
        .map(|n| value(sort, n))
        .collect()
}

/// Values to try for a float variable of a condition: what it is compared with and their neighbours, and special ones.
pub(super) fn candidates(pool: &Pool, wanted: Term, model: &Model, sort: Sort) -> Vec<Value> {
    let mut numbers = Vec::new();
    collect(pool, wanted, model, &mut numbers, 0);
    let mut values: Vec<Value> = Vec::new();
    let near = |n: f64| -> [Value; 3] {
        match sort {
            Sort::F32 => {
                let n = n as f32;
                [n, n.next_up(), n.next_down()].map(|n| Value::F32(n.to_bits()))
            }
            _ => [n, n.next_up(), n.next_down()].map(|n| Value::F64(n.to_bits())),
        }
    };
    let halves = numbers.iter().map(|n| value(sort, n / 2.0));
    let ends = match sort {
        Sort::F32 => [f32::MIN_POSITIVE, f32::MAX, f32::from_bits(1)].map(f64::from),
        _ => [f64::MIN_POSITIVE, f64::MAX, f64::from_bits(1)],
    };
    let special = SPECIAL.iter().chain(&ends).map(|n| value(sort, *n));
    for candidate in numbers
        .iter()
        .flat_map(|n| near(*n))
        .chain(special)
        .chain(halves)
    {
        if !values.contains(&candidate) {
            values.push(candidate);
        }
    }
    values
}

/// Values of what a condition compares, and its constants.
fn collect(pool: &Pool, term: Term, model: &Model, out: &mut Vec<f64>, depth: u32) {
    let node = pool.node(term);
    let compared = matches!(node, Node::Eq(..) | Node::FCmp(..) | Node::Cmp(..));
    for child in node.children() {
        if compared || pool.is_const(child) {
            push(pool.eval(child, model), out);
        }
        if depth < 6 {
            collect(pool, child, model, out, depth + 1);
        }
    }
}

fn push(value: Value, out: &mut Vec<f64>) {
    let number = match value {
        Value::F32(b) => f64::from(f32::from_bits(b)),
        Value::F64(b) => f64::from_bits(b),
        Value::Bv(_, n) => n as f64,
        Value::Bool(_) => return,
    };
    // Few, because pairs of variables try them all.
    if !number.is_nan() && out.len() < MAX_COLLECTED && !out.contains(&number) {
        out.push(number);
    }
}

const MAX_COLLECTED: usize = 5;
