//! Surrogate pairs: code points in runs of units (JLS §3.1).

use crate::expr::{BvOp, CmpOp, Pool, Term};
use crate::symex::value::units::{Units, as_unit, widened, within};
use std::sync::Arc;

impl Units {
    /// Whether the code point `wanted` (any int) begins at `i`.
    pub fn code_point_stands(&self, pool: &mut Pool, wanted: Term, i: usize) -> Term {
        let Some(unit) = self.units.get(i).copied() else {
            return pool.bool(false);
        };
        let inside = self.has(pool, i);
        if let Some(wanted) = as_unit(pool, wanted) {
            let same = pool.eq(unit, wanted);
            return pool.and(inside, same);
        }
        let int = widened(pool, unit);
        let same = pool.eq(int, wanted);
        let single = pool.and(inside, same);
        let Some(next) = self.units.get(i + 1).copied() else {
            return single;
        };
        let supplementary = within(pool, wanted, 0x1_0000, 0x10_ffff);
        let (high, low) = surrogates(pool, wanted);
        let parts = [
            self.has(pool, i + 1),
            pool.eq(unit, high),
            pool.eq(next, low),
            supplementary,
        ];
        let pair = pool.and_all(parts);
        pool.or(single, pair)
    }

    /// `StringBuilder.reverse`: surrogate pairs keep their order.
    pub fn reversed(&self, pool: &mut Pool) -> Units {
        let one = pool.int(1);
        let last = pool.bin(BvOp::Sub, self.len, one);
        let turned: Vec<Term> = (0..self.units.len())
            .map(|i| {
                let i = pool.int(i as i32);
                let at = pool.bin(BvOp::Sub, last, i);
                self.at(pool, at)
            })
            .collect();
        let swapped: Vec<Term> = (0..turned.len())
            .map(|i| match turned.get(i + 1) {
                Some(next) => {
                    let (first, next) = (widened(pool, turned[i]), widened(pool, *next));
                    let parts = [
                        self.has(pool, i + 1),
                        within(pool, first, 0xdc00, 0xdfff),
                        within(pool, next, 0xd800, 0xdbff),
                    ];
                    pool.and_all(parts)
                }
                None => pool.bool(false),
            })
            .collect();
        let units = (0..turned.len())
            .map(|i| {
                let mut unit = turned[i];
                if let Some(next) = turned.get(i + 1) {
                    unit = pool.ite(swapped[i], *next, unit);
                }
                match i.checked_sub(1) {
                    Some(before) => pool.ite(swapped[before], turned[before], unit),
                    None => unit,
                }
            })
            .collect();
        Units {
            len: self.len,
            units,
        }
    }

    /// The code point that begins at `index` and ends before `end` (JLS §3.1): a surrogate pair is one.
    pub fn code_point(&self, pool: &mut Pool, index: Term, end: Term) -> Term {
        let one = pool.int(1);
        let next = pool.bin(BvOp::Add, index, one);
        let has_next = pool.cmp(CmpOp::Slt, next, end);
        let (first, second) = (self.at(pool, index), self.at(pool, next));
        let (first, second) = (widened(pool, first), widened(pool, second));
        let pair = is_pair(pool, first, second);
        let pair = pool.and(has_next, pair);
        let both = supplementary(pool, first, second);
        pool.ite(pair, both, first)
    }

    /// The code point that ends before `index`, and begins at `begin` or later.
    pub fn code_point_before(&self, pool: &mut Pool, index: Term, begin: Term) -> Term {
        let (one, two) = (pool.int(1), pool.int(2));
        let (last, first) = (
            pool.bin(BvOp::Sub, index, one),
            pool.bin(BvOp::Sub, index, two),
        );
        let has_first = pool.cmp(CmpOp::Sle, begin, first);
        let (first, last) = (self.at(pool, first), self.at(pool, last));
        let (first, last) = (widened(pool, first), widened(pool, last));
        let pair = is_pair(pool, first, last);
        let pair = pool.and(has_first, pair);
        let both = supplementary(pool, first, last);
        pool.ite(pair, both, last)
    }

    /// `codePointCount(begin, end)`.
    pub fn code_points(&self, pool: &mut Pool, begin: Term, end: Term) -> Term {
        let one = pool.int(1);
        let mut count = pool.bin(BvOp::Sub, end, begin);
        for i in 1..self.units.len() {
            let (first, at) = (pool.int(i as i32 - 1), pool.int(i as i32));
            let low = pool.cmp(CmpOp::Sle, begin, first);
            let high = pool.cmp(CmpOp::Slt, at, end);
            let (a, b) = (
                widened(pool, self.units[i - 1]),
                widened(pool, self.units[i]),
            );
            let pair = is_pair(pool, a, b);
            let here = pool.and_all([low, high, pair]);
            let less = pool.bin(BvOp::Sub, count, one);
            count = pool.ite(here, less, count);
        }
        count
    }
}

/// Whether two units, as ints, are a surrogate pair.
fn is_pair(pool: &mut Pool, first: Term, second: Term) -> Term {
    let (high, low) = (
        within(pool, first, 0xd800, 0xdbff),
        within(pool, second, 0xdc00, 0xdfff),
    );
    pool.and(high, low)
}

/// The code point of a surrogate pair.
fn supplementary(pool: &mut Pool, high: Term, low: Term) -> Term {
    let (ten, offset) = (pool.int(10), pool.int(0x1_0000 - (0xd800 << 10) - 0xdc00));
    let shifted = pool.shift(BvOp::Shl, high, ten);
    let sum = pool.bin(BvOp::Add, shifted, low);
    pool.bin(BvOp::Add, sum, offset)
}

/// The surrogate pair of a supplementary code point.
fn surrogates(pool: &mut Pool, code_point: Term) -> (Term, Term) {
    let (ten, mask) = (pool.int(10), pool.int(0x3ff));
    let (high_base, low_base) = (pool.int(0xd800 - (0x1_0000 >> 10)), pool.int(0xdc00));
    let top = pool.shift(BvOp::Ushr, code_point, ten);
    let high = pool.bin(BvOp::Add, top, high_base);
    let rest = pool.bin(BvOp::And, code_point, mask);
    let low = pool.bin(BvOp::Add, rest, low_base);
    (pool.trunc(16, high), pool.trunc(16, low))
}

/// A code point's units, one or two; it is known to be valid.
pub(in crate::symex) fn units_of(pool: &mut Pool, code_point: Term) -> Units {
    if let Some(unit) = as_unit(pool, code_point) {
        return Units::all(pool, Arc::from([unit]));
    }
    let basic = within(pool, code_point, 0, 0xffff);
    let single = pool.trunc(16, code_point);
    let (high, low) = surrogates(pool, code_point);
    let (one, two) = (pool.int(1), pool.int(2));
    let len = pool.ite(basic, one, two);
    let first = pool.ite(basic, single, high);
    Units {
        len,
        units: Arc::from([first, low]),
    }
}
