//! String contents: UTF-16 units with a length that may be symbolic, and numbers whose digits are not computed yet.

use crate::expr::{BvOp, CmpOp, Pool, Term};
use std::sync::Arc;

/// A run of a string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextRun {
    /// The first `len` (32 bits, at most `chars.len()`) of `chars` (16 bits each).
    Chars {
        /// Length.
        len: Term,
        /// Units; those from `len` on mean nothing.
        chars: Arc<[Term]>,
    },
    /// The decimal digits of an int or long that is not constant.
    Decimal(Term),
}

/// The content of a `String` or a builder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text(Arc<[TextRun]>);

impl Text {
    /// The constant string `units`.
    pub fn constant(pool: &mut Pool, units: &[u16]) -> Text {
        let chars: Arc<[Term]> = units
            .iter()
            .map(|u| pool.bv(16, i64::from(*u as i16)))
            .collect();
        let len = pool.int(units.len() as i32);
        Text(Arc::from([TextRun::Chars { len, chars }]))
    }

    /// A string of `len` units out of `chars`.
    pub fn of(len: Term, chars: Arc<[Term]>) -> Text {
        Text(Arc::from([TextRun::Chars { len, chars }]))
    }

    /// A number's decimal text; digits at once when it is constant.
    pub fn decimal(pool: &mut Pool, number: Term) -> Text {
        match pool.as_i64(number) {
            Some(n) => Text::constant(pool, &n.to_string().encode_utf16().collect::<Vec<_>>()),
            None => Text(Arc::from([TextRun::Decimal(number)])),
        }
    }

    /// The pieces.
    pub fn pieces(&self) -> &[TextRun] {
        &self.0
    }

    /// Length and units, unless a number's digits are open.
    pub fn chars(&self) -> Option<(Term, &Arc<[Term]>)> {
        match &*self.0 {
            [TextRun::Chars { len, chars }] => Some((*len, chars)),
            _ => None,
        }
    }

    /// The units when all are constant.
    pub fn units(&self, pool: &Pool) -> Option<Vec<u16>> {
        let (len, chars) = self.chars()?;
        let len = pool.as_i64(len)? as usize;
        chars
            .get(..len)?
            .iter()
            .map(|c| pool.as_i64(*c).map(|v| v as u16))
            .collect()
    }

    /// `self` followed by `other`; neighbouring character runs become one.
    pub fn concat(&self, pool: &mut Pool, other: &Text) -> Text {
        let mut pieces: Vec<TextRun> = self.0.to_vec();
        for piece in other.0.iter() {
            match (pieces.pop(), piece) {
                (
                    Some(TextRun::Chars { len: a, chars: x }),
                    TextRun::Chars { len: b, chars: y },
                ) => {
                    pieces.push(append(pool, a, &x, *b, y));
                }
                (Some(last), piece) => pieces.extend([last, piece.clone()]),
                (None, piece) => pieces.push(piece.clone()),
            }
        }
        // An empty run beside a number says nothing.
        if pieces.len() > 1 {
            pieces.retain(
                |p| !matches!(p, TextRun::Chars { len, .. } if pool.as_i64(*len) == Some(0)),
            );
        }
        Text(pieces.into())
    }

    /// Equality as a condition; `None` where the digits of a number would decide.
    pub fn equals(&self, pool: &mut Pool, other: &Text) -> Option<Term> {
        if self == other {
            return Some(pool.bool(true));
        }
        if let (Some((a, x)), Some((b, y))) = (self.chars(), other.chars()) {
            return Some(equal_chars(pool, a, x, b, y));
        }
        self.equal_pieces(pool, other)
            .or_else(|| crate::symex::value::digits::equal_spelled(pool, self, other))
    }

    /// Piecewise equality, left to right while both texts are known to stand at the same position: exact when every number
    /// ends at the end of the text or before a constant that is no digit.
    fn equal_pieces(&self, pool: &mut Pool, other: &Text) -> Option<Term> {
        let mut all = pool.bool(true);
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            match (left.next(), right.next()) {
                (None, None) => return Some(all),
                (
                    Some(TextRun::Chars { len: l, chars: x }),
                    Some(TextRun::Chars { len: m, chars: y }),
                ) => {
                    let (a, b) = (pool.as_i64(*l)?, pool.as_i64(*m)?);
                    if a != b {
                        // Two constants that differ before the shorter one ends settle it; anything else is open.
                        let differs = x.iter().zip(y.iter()).take(a.min(b) as usize).any(|(c, d)| {
                            matches!((pool.as_i64(*c), pool.as_i64(*d)), (Some(c), Some(d)) if c != d)
                        });
                        return differs.then(|| pool.bool(false));
                    }
                    let equal = equal_chars(pool, *l, x, *m, y);
                    all = pool.and(all, equal);
                }
                (Some(TextRun::Decimal(m)), Some(TextRun::Decimal(n))) => {
                    if !ends_number(pool, left.peek()) || !ends_number(pool, right.peek()) {
                        return None;
                    }
                    let (m, n) = same_width(pool, *m, *n);
                    let equal = pool.eq(m, n);
                    all = pool.and(all, equal);
                }
                _ => return None,
            }
        }
    }
}

fn same_width(pool: &mut Pool, a: Term, b: Term) -> (Term, Term) {
    (pool.sext(64, a), pool.sext(64, b))
}

/// Whether a number ends where this piece begins.
fn ends_number(pool: &Pool, next: Option<&&TextRun>) -> bool {
    match next {
        None => true,
        Some(TextRun::Decimal(_)) => false,
        Some(TextRun::Chars { len, chars }) => {
            let first = chars.first().and_then(|c| pool.as_i64(*c));
            pool.as_i64(*len).is_some_and(|n| n > 0)
                && first.is_some_and(|c| !(i64::from(b'0')..=i64::from(b'9')).contains(&c))
        }
    }
}

fn equal_chars(pool: &mut Pool, a: Term, x: &[Term], b: Term, y: &[Term]) -> Term {
    let mut all = pool.eq(a, b);
    let most = x.len().max(y.len());
    for i in 0..most {
        let index = pool.int(i as i32);
        let outside = pool.cmp(CmpOp::Sle, a, index);
        let same = match (x.get(i), y.get(i)) {
            (Some(c), Some(d)) => pool.eq(*c, *d),
            _ => pool.bool(false),
        };
        let here = pool.or(outside, same);
        all = pool.and(all, here);
    }
    all
}

/// The unit at a (possibly symbolic) index that is known to be in range.
pub fn select(pool: &mut Pool, chars: &[Term], index: Term) -> Term {
    if let Some(i) = pool.as_i64(index) {
        if let Some(c) = usize::try_from(i).ok().and_then(|i| chars.get(i)) {
            return *c;
        }
        return pool.bv(16, 0);
    }
    let mut value = chars.last().copied().unwrap_or_else(|| pool.bv(16, 0));
    for (i, c) in chars.iter().enumerate().rev().skip(1) {
        let i = pool.int(i as i32);
        let here = pool.eq(index, i);
        value = pool.ite(here, *c, value);
    }
    value
}

fn append(pool: &mut Pool, a: Term, x: &Arc<[Term]>, b: Term, y: &Arc<[Term]>) -> TextRun {
    let len = pool.bin(BvOp::Add, a, b);
    if let Some(n) = pool.as_i64(a) {
        let chars: Arc<[Term]> = x.iter().take(n as usize).chain(y.iter()).copied().collect();
        return TextRun::Chars { len, chars };
    }
    if pool.as_i64(b) == Some(0) {
        return TextRun::Chars {
            len: a,
            chars: x.clone(),
        };
    }
    let chars = (0..x.len() + y.len())
        .map(|i| {
            let index = pool.int(i as i32);
            let offset = pool.bin(BvOp::Sub, index, a);
            let second = select(pool, y, offset);
            match x.get(i) {
                Some(c) => {
                    let first = pool.cmp(CmpOp::Slt, index, a);
                    pool.ite(first, *c, second)
                }
                None => second,
            }
        })
        .collect();
    TextRun::Chars { len, chars }
}
