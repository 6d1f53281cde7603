//! Formulas over runs of UTF-16 units: search, comparison, cutting and splicing without a case for every unit.

use super::text::{Text, select};
use crate::expr::{BvOp, CmpOp, Node, Pool, Sort, Term};
use std::rc::Rc;

/// The first `len` (32 bits, between 0 and `units.len()`) of `units` (16 bits each).
#[derive(Clone, Debug)]
pub(super) struct Units {
    /// Length.
    pub len: Term,
    /// Units; those from `len` on mean nothing.
    pub units: Rc<[Term]>,
}

/// A unit as an int: surrogates and others compare as in Java's `char` arithmetic.
pub(super) fn widened(pool: &mut Pool, unit: Term) -> Term {
    pool.zext(32, unit)
}

/// `lo <= t <= hi` on ints.
pub(super) fn within(pool: &mut Pool, t: Term, lo: i32, hi: i32) -> Term {
    let (lo, hi) = (pool.int(lo), pool.int(hi));
    let (a, b) = (pool.cmp(CmpOp::Sle, lo, t), pool.cmp(CmpOp::Sle, t, hi));
    pool.and(a, b)
}

/// The 16-bit unit behind an int that can't be anything else.
pub(super) fn as_unit(pool: &mut Pool, int: Term) -> Option<Term> {
    match pool.node(int) {
        Node::Zext(_, x) if pool.sort(x) == Sort::Bv(16) => Some(x),
        Node::Zext(_, x) if matches!(pool.sort(x), Sort::Bv(8)) => Some(pool.zext(16, x)),
        _ => match pool.as_i64(int)? {
            n @ 0..=0xffff => Some(pool.bv(16, n)),
            _ => None,
        },
    }
}

fn min(pool: &mut Pool, a: Term, b: Term) -> Term {
    let less = pool.cmp(CmpOp::Sle, a, b);
    pool.ite(less, a, b)
}

fn max(pool: &mut Pool, a: Term, b: Term) -> Term {
    let less = pool.cmp(CmpOp::Sle, a, b);
    pool.ite(less, b, a)
}

impl Units {
    /// The units of constant text.
    pub fn constant(pool: &mut Pool, text: &str) -> Units {
        let units: Rc<[Term]> = text
            .encode_utf16()
            .map(|u| pool.bv(16, i64::from(u)))
            .collect();
        Units::all(pool, units)
    }

    /// All of `units`.
    pub fn all(pool: &mut Pool, units: Rc<[Term]>) -> Units {
        let len = pool.int(units.len() as i32);
        Units { len, units }
    }

    /// As the content of a string.
    pub fn text(self) -> Text {
        Text::of(self.len, self.units)
    }

    /// `i < len`.
    pub fn has(&self, pool: &mut Pool, i: usize) -> Term {
        let i = pool.int(i as i32);
        pool.cmp(CmpOp::Slt, i, self.len)
    }

    /// The unit at an index that is known to be inside.
    pub fn at(&self, pool: &mut Pool, index: Term) -> Term {
        select(pool, &self.units, index)
    }

    /// Each unit's image.
    pub fn map(&self, pool: &mut Pool, mut f: impl FnMut(&mut Pool, usize, Term) -> Term) -> Units {
        let units = self.units.iter().enumerate();
        Units {
            len: self.len,
            units: units.map(|(i, u)| f(pool, i, *u)).collect(),
        }
    }

    /// Whether every unit is so.
    pub fn every(
        &self,
        pool: &mut Pool,
        mut is: impl FnMut(&mut Pool, usize, Term) -> Term,
    ) -> Term {
        let mut all = pool.bool(true);
        for (i, unit) in self.units.iter().enumerate() {
            let inside = self.has(pool, i);
            let outside = pool.not(inside);
            let is = is(pool, i, *unit);
            let fine = pool.or(outside, is);
            all = pool.and(all, fine);
        }
        all
    }

    /// Smallest index in `from..` that is a hit, else -1.
    pub fn first(
        &self,
        pool: &mut Pool,
        from: Term,
        mut hit: impl FnMut(&mut Pool, usize) -> Term,
    ) -> Term {
        let mut result = pool.int(-1);
        for i in (0..=self.units.len()).rev() {
            let at = pool.int(i as i32);
            let reached = pool.cmp(CmpOp::Sle, from, at);
            let hit = hit(pool, i);
            let here = pool.and(reached, hit);
            result = pool.ite(here, at, result);
        }
        result
    }

    /// Greatest index up to `from` that is a hit, else -1.
    pub fn last(
        &self,
        pool: &mut Pool,
        from: Term,
        mut hit: impl FnMut(&mut Pool, usize) -> Term,
    ) -> Term {
        let mut result = pool.int(-1);
        for i in 0..=self.units.len() {
            let at = pool.int(i as i32);
            let reached = pool.cmp(CmpOp::Sle, at, from);
            let hit = hit(pool, i);
            let here = pool.and(reached, hit);
            result = pool.ite(here, at, result);
        }
        result
    }

    /// Whether `other` stands here at `offset`, with room for it.
    pub fn stands(&self, pool: &mut Pool, other: &Units, offset: Term) -> Term {
        let (zero, room) = (pool.int(0), pool.bin(BvOp::Sub, self.len, other.len));
        let low = pool.cmp(CmpOp::Sle, zero, offset);
        let high = pool.cmp(CmpOp::Sle, offset, room);
        let mut all = pool.and(low, high);
        for (i, unit) in other.units.iter().enumerate() {
            let inside = other.has(pool, i);
            let outside = pool.not(inside);
            let shift = pool.int(i as i32);
            let at = pool.bin(BvOp::Add, offset, shift);
            let here = self.at(pool, at);
            let same = pool.eq(here, *unit);
            let fits = pool.or(outside, same);
            all = pool.and(all, fits);
        }
        all
    }

    /// `String.indexOf(String, int)`.
    pub fn index_of(&self, pool: &mut Pool, other: &Units, from: Term) -> Term {
        // Behind the end only the empty string is found, at the end.
        let from = min(pool, from, self.len);
        self.first(pool, from, |pool, i| {
            let at = pool.int(i as i32);
            self.stands(pool, other, at)
        })
    }

    /// `String.lastIndexOf(String, int)`.
    pub fn last_index_of(&self, pool: &mut Pool, other: &Units, from: Term) -> Term {
        self.last(pool, from, |pool, i| {
            let at = pool.int(i as i32);
            self.stands(pool, other, at)
        })
    }

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

    /// The units from `begin` up to `end`, with `0 <= begin <= end <= len`.
    pub fn slice(&self, pool: &mut Pool, begin: Term, end: Term) -> Units {
        let len = pool.bin(BvOp::Sub, end, begin);
        let skipped = pool.as_i64(begin).map_or(0, |b| b.max(0) as usize);
        let most = self.units.len().saturating_sub(skipped);
        let most = pool
            .as_i64(len)
            .map_or(most, |n| most.min(n.max(0) as usize));
        let units = (0..most)
            .map(|i| {
                let i = pool.int(i as i32);
                let at = pool.bin(BvOp::Add, begin, i);
                self.at(pool, at)
            })
            .collect();
        Units { len, units }
    }

    /// With `other` in the place of what stands from `begin` up to `end`.
    pub fn splice(&self, pool: &mut Pool, begin: Term, end: Term, other: &Units) -> Units {
        let gone = pool.bin(BvOp::Sub, end, begin);
        let shift = pool.bin(BvOp::Sub, other.len, gone);
        let behind = pool.bin(BvOp::Add, begin, other.len);
        let len = pool.bin(BvOp::Add, self.len, shift);
        let most = pool
            .as_i64(len)
            .map_or(self.units.len() + other.units.len(), |n| n.max(0) as usize);
        let units = (0..most)
            .map(|i| {
                let i = pool.int(i as i32);
                let before = pool.cmp(CmpOp::Slt, i, begin);
                let inside = pool.cmp(CmpOp::Slt, i, behind);
                let (in_other, in_tail) =
                    (pool.bin(BvOp::Sub, i, begin), pool.bin(BvOp::Sub, i, shift));
                let (head, middle, tail) = (
                    self.at(pool, i),
                    other.at(pool, in_other),
                    self.at(pool, in_tail),
                );
                let rest = pool.ite(inside, middle, tail);
                pool.ite(before, head, rest)
            })
            .collect();
        Units { len, units }
    }

    /// All parts, one behind the other.
    pub fn join(pool: &mut Pool, parts: impl IntoIterator<Item = Units>) -> Units {
        let mut all = Text::constant(pool, &[]);
        for part in parts {
            all = all.concat(pool, &part.text());
        }
        match all.chars() {
            Some((len, units)) => Units {
                len,
                units: units.clone(),
            },
            None => Units::constant(pool, ""),
        }
    }

    /// This run where `cond` holds, else nothing.
    pub fn only_if(self, pool: &mut Pool, cond: Term) -> Units {
        let zero = pool.int(0);
        Units {
            len: pool.ite(cond, self.len, zero),
            units: self.units,
        }
    }

    /// Begin and end of what is left without the units at both ends that are `blank`; begin is the length where all are.
    pub fn stripped(
        &self,
        pool: &mut Pool,
        mut blank: impl FnMut(&mut Pool, Term) -> Term,
    ) -> (Term, Term) {
        let solid: Vec<Term> = (0..self.units.len())
            .map(|i| {
                let blank = blank(pool, self.units[i]);
                let solid = pool.not(blank);
                let inside = self.has(pool, i);
                pool.and(inside, solid)
            })
            .collect();
        let (mut begin, mut end) = (self.len, pool.int(0));
        for (i, solid) in solid.iter().enumerate() {
            let behind = pool.int(i as i32 + 1);
            end = pool.ite(*solid, behind, end);
        }
        for (i, solid) in solid.iter().enumerate().rev() {
            let i = pool.int(i as i32);
            begin = pool.ite(*solid, i, begin);
        }
        (begin, max(pool, begin, end))
    }

    /// `String.compareTo`.
    pub fn compare(&self, pool: &mut Pool, other: &Units) -> Term {
        let mut result = pool.bin(BvOp::Sub, self.len, other.len);
        for i in (0..self.units.len().min(other.units.len())).rev() {
            let (a, b) = (self.units[i], other.units[i]);
            let parts = [self.has(pool, i), other.has(pool, i), pool.ne(a, b)];
            let here = pool.and_all(parts);
            let (x, y) = (widened(pool, a), widened(pool, b));
            let difference = pool.bin(BvOp::Sub, x, y);
            result = pool.ite(here, difference, result);
        }
        result
    }

    /// `String.replace(CharSequence, CharSequence)`: left to right, without overlap; an empty target stands between all units.
    pub fn replace(&self, pool: &mut Pool, target: &Units, by: &Units) -> Units {
        let (zero, one) = (pool.int(0), pool.int(1));
        let empty = pool.eq(target.len, zero);
        let rest = pool.bin(BvOp::Sub, target.len, one);
        let mut parts = Vec::with_capacity(2 * self.units.len() + 1);
        // How many of the next units belong to a match already.
        let mut covered = zero;
        for i in 0..=self.units.len() {
            let at = pool.int(i as i32);
            let free = pool.cmp(CmpOp::Sle, covered, zero);
            let stands = self.stands(pool, target, at);
            let hit = pool.and(free, stands);
            parts.push(by.clone().only_if(pool, hit));
            let Some(unit) = self.units.get(i).copied() else {
                break;
            };
            let inside = self.has(pool, i);
            let not_hit = pool.not(hit);
            let stays = pool.or(empty, not_hit);
            let kept = pool.and_all([inside, free, stays]);
            parts.push(Units::all(pool, Rc::from([unit])).only_if(pool, kept));
            let less = pool.bin(BvOp::Sub, covered, one);
            covered = pool.ite(hit, rest, less);
        }
        Units::join(pool, parts)
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
pub(super) fn units_of(pool: &mut Pool, code_point: Term) -> Units {
    if let Some(unit) = as_unit(pool, code_point) {
        return Units::all(pool, Rc::from([unit]));
    }
    let basic = within(pool, code_point, 0, 0xffff);
    let single = pool.trunc(16, code_point);
    let (high, low) = surrogates(pool, code_point);
    let (one, two) = (pool.int(1), pool.int(2));
    let len = pool.ite(basic, one, two);
    let first = pool.ite(basic, single, high);
    Units {
        len,
        units: Rc::from([first, low]),
    }
}
