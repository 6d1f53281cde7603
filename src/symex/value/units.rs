//! Formulas over runs of UTF-16 units: search, comparison, cutting and splicing without a case for every unit.

use crate::expr::{BvOp, CmpOp, Node, Pool, Sort, Term};
use crate::symex::value::text::{Text, select};
use std::sync::Arc;

/// The first `len` (32 bits, between 0 and `units.len()`) of `units` (16 bits each).
#[derive(Clone, Debug)]
pub(in crate::symex) struct Units {
    /// Length.
    pub len: Term,
    /// Units; those from `len` on mean nothing.
    pub units: Arc<[Term]>,
}

/// A unit as an int: surrogates and others compare as in Java's `char` arithmetic.
pub(in crate::symex) fn widened(pool: &mut Pool, unit: Term) -> Term {
    pool.zext(32, unit)
}

/// `lo <= t <= hi` on ints.
pub(in crate::symex) fn within(pool: &mut Pool, t: Term, lo: i32, hi: i32) -> Term {
    let (lo, hi) = (pool.int(lo), pool.int(hi));
    let (a, b) = (pool.cmp(CmpOp::Sle, lo, t), pool.cmp(CmpOp::Sle, t, hi));
    pool.and(a, b)
}

/// The 16-bit unit behind an int that can't be anything else.
pub(in crate::symex) fn as_unit(pool: &mut Pool, int: Term) -> Option<Term> {
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
        let units: Arc<[Term]> = text
            .encode_utf16()
            .map(|u| pool.bv(16, i64::from(u)))
            .collect();
        Units::all(pool, units)
    }

    /// All of `units`.
    pub fn all(pool: &mut Pool, units: Arc<[Term]>) -> Units {
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
            parts.push(Units::all(pool, Arc::from([unit])).only_if(pool, kept));
            let less = pool.bin(BvOp::Sub, covered, one);
            covered = pool.ite(hit, rest, less);
        }
        Units::join(pool, parts)
    }
}
