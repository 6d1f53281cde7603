//! The decimal digits of symbolic ints, as formulas: spelled out only where something reads them.

use crate::expr::{BvOp, CmpOp, Node, Pool, Sort, Term};
use crate::symex::value::text::{Text, TextRun};
use crate::symex::value::units::Units;
use std::sync::Arc;

impl Text {
    /// Length and units with all numbers spelled out; `None` for longs that are no ints.
    pub(in crate::symex) fn spelled(&self, pool: &mut Pool) -> Option<Units> {
        let parts: Option<Vec<Units>> = self
            .pieces()
            .iter()
            .map(|piece| match piece {
                TextRun::Chars { len, chars } => Some(Units {
                    len: *len,
                    units: chars.clone(),
                }),
                TextRun::Decimal(number) => digits(pool, *number),
            })
            .collect();
        match parts.as_deref() {
            Some([one]) => Some(one.clone()),
            _ => parts.map(|parts| Units::join(pool, parts)),
        }
    }
}

/// An int's digits, with a minus sign before them when it is negative.
fn digits(pool: &mut Pool, number: Term) -> Option<Units> {
    let (number, most) = narrowest(pool, number)?;
    let zero = pool.int(0);
    let negative = pool.cmp(CmpOp::Slt, number, zero);
    // `reaches[k]`: it has more than `k` digits.
    let reaches: Vec<Term> = (0..most)
        .map(|k| match k {
            0 => pool.bool(true),
            _ => {
                let (up, down) = (pool.int(10i32.pow(k)), pool.int(-(10i32.pow(k))));
                let (a, b) = (
                    pool.cmp(CmpOp::Sle, up, number),
                    pool.cmp(CmpOp::Sle, number, down),
                );
                pool.or(a, b)
            }
        })
        .collect();
    let places = places(pool, number, negative, most);
    let mut len = zero;
    for (k, reached) in reaches.iter().enumerate() {
        let count = pool.int(k as i32 + 1);
        len = pool.ite(*reached, count, len);
    }
    let one = pool.int(1);
    let longer = pool.bin(BvOp::Add, len, one);
    let len = pool.ite(negative, longer, len);
    let units = (0..=most as usize)
        .map(|i| unit(pool, i, &places, &reaches, negative))
        .collect();
    Some(Units { len, units })
}

/// The same number in its own width, and how many digits it has at most.
fn narrowest(pool: &Pool, number: Term) -> Option<(Term, u32)> {
    match (pool.node(number), pool.sort(number)) {
        (Node::Sext(_, x), Sort::Bv(64)) if pool.sort(x) == Sort::Bv(32) => narrowest(pool, x),
        (Node::Sext(_, x) | Node::Zext(_, x), Sort::Bv(32)) => match pool.sort(x) {
            Sort::Bv(8) => Some((number, 3)),
            _ => Some((number, 5)),
        },
        (_, Sort::Bv(32)) => Some((number, 10)),
        _ => None,
    }
}

/// The digits' units, lowest place first. The first division keeps the sign, for the least int has no positive twin.
fn places(pool: &mut Pool, number: Term, negative: Term, most: u32) -> Vec<Term> {
    let (ten, nought) = (pool.int(10), pool.int(i32::from(b'0')));
    let mut rest = number;
    let mut places = Vec::new();
    for place in 0..most {
        let quotient = pool.bin(BvOp::Div, rest, ten);
        let whole = pool.bin(BvOp::Mul, quotient, ten);
        let mut digit = pool.bin(BvOp::Sub, rest, whole);
        rest = quotient;
        if place == 0 {
            let (minus, back) = (pool.neg(digit), pool.neg(quotient));
            digit = pool.ite(negative, minus, digit);
            rest = pool.ite(negative, back, quotient);
        }
        let unit = pool.bin(BvOp::Add, digit, nought);
        places.push(pool.trunc(16, unit));
    }
    places
}

/// The unit at `i`: counted from the left, behind the sign.
fn unit(pool: &mut Pool, i: usize, places: &[Term], reaches: &[Term], negative: Term) -> Term {
    let nothing = pool.bv(16, 0);
    let place = |count: usize, i: usize| {
        count
            .checked_sub(i + 1)
            .and_then(|p| places.get(p).copied())
            .unwrap_or(nothing)
    };
    let minus = pool.bv(16, i64::from(b'-'));
    let mut value = nothing;
    for (k, reached) in reaches.iter().enumerate() {
        let count = k + 1;
        let plain = place(count, i);
        let shifted = i.checked_sub(1).map_or(minus, |i| place(count, i));
        let here = pool.ite(negative, shifted, plain);
        value = pool.ite(*reached, here, value);
    }
    value
}

/// Whether two texts are equal, with numbers spelled out.
pub(in crate::symex) fn equal_spelled(pool: &mut Pool, a: &Text, b: &Text) -> Option<Term> {
    let (a, b) = (a.spelled(pool)?, b.spelled(pool)?);
    let (a, b): (Text, Text) = (
        Text::of(a.len, Arc::clone(&a.units)),
        Text::of(b.len, Arc::clone(&b.units)),
    );
    a.equals(pool, &b)
}

#[cfg(test)]
mod tests {
    use super::digits;
    use crate::expr::{Arith, Model, Pool, Sort, Value};

    #[test]
    fn digits_are_those_of_the_number() {
        let mut pool = Pool::new(Arith::Java);
        let n = pool.var("n", Sort::Bv(32), None);
        let spelled = digits(&mut pool, n).unwrap();
        let id = pool.vars_of(n)[0];
        for value in [
            0,
            7,
            -7,
            10,
            99,
            -100,
            123_456,
            i32::MAX,
            i32::MIN,
            i32::MIN + 1,
        ] {
            let model = Model::default().overlaid([(id, Value::Bv(32, i64::from(value)))]);
            let len = pool.eval(spelled.len, &model).as_i64().unwrap() as usize;
            let units = spelled.units[..len].iter();
            let text: String = units
                .map(|u| char::from(pool.eval(*u, &model).as_i64().unwrap() as u8))
                .collect();
            assert_eq!(text, value.to_string());
        }
    }
}
