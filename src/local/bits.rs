//! Static methods of the boxes that count and place bits, by what the JDK's documentation says they return.

use super::symbols::Symbols;
use crate::expr::{BvOp, CmpOp, Pool, Sort, Term};

/// The result of such a method, where it is one; `parameters` are its descriptors.
pub(super) fn bits_method(
    s: &mut Symbols,
    name: &str,
    parameters: &[String],
    args: &[Term],
) -> Option<Term> {
    let types: Vec<&str> = parameters.iter().map(|p| &**p).collect();
    let pool = &mut s.pool;
    match (name, args, &types[..]) {
        ("numberOfLeadingZeros", [a], ["I" | "J"]) => Some(leading_zeros(pool, *a)),
        ("numberOfTrailingZeros", [a], ["I" | "J"]) => Some(trailing_zeros(pool, *a)),
        ("bitCount", [a], ["I" | "J"]) => Some(bit_count(pool, *a)),
        ("lowestOneBit", [a], ["I" | "J"]) => Some(lowest_bit(pool, *a)),
        ("highestOneBit", [a], ["I" | "J"]) => {
            let zeros = leading_zeros(pool, *a);
            let least = match width(pool, *a) {
                32 => i64::from(i32::MIN),
                _ => i64::MIN,
            };
            let top = constant(pool, *a, least);
            let bit = pool.shift(BvOp::Ushr, top, zeros);
            Some(pool.bin(BvOp::And, *a, bit))
        }
        ("signum", [a], ["I" | "J"]) => {
            let (zero, one) = (constant(pool, *a, 0), pool.int(1));
            let (none, minus) = (pool.int(0), pool.int(-1));
            let (negative, positive) = (
                pool.cmp(CmpOp::Slt, *a, zero),
                pool.cmp(CmpOp::Slt, zero, *a),
            );
            let rest = pool.ite(positive, one, none);
            Some(pool.ite(negative, minus, rest))
        }
        ("toUnsignedInt" | "toUnsignedLong", [a], [of @ ("B" | "S" | "I")]) => {
            let long = name == "toUnsignedLong";
            if *of == "I" {
                return long.then(|| pool.zext(64, *a));
            }
            let mask = pool.int(if *of == "B" { 0xff } else { 0xffff });
            let low = pool.bin(BvOp::And, *a, mask);
            Some(if long { pool.zext(64, low) } else { low })
        }
        ("compareUnsigned", [a, b], ["I", "I"] | ["J", "J"]) => {
            let (zero, one, minus) = (pool.int(0), pool.int(1), pool.int(-1));
            let (before, behind) = (pool.cmp(CmpOp::Ult, *a, *b), pool.cmp(CmpOp::Ult, *b, *a));
            let rest = pool.ite(behind, one, zero);
            Some(pool.ite(before, minus, rest))
        }
        _ => None,
    }
}

/// Bits of a number.
fn width(pool: &Pool, of: Term) -> u8 {
    match pool.sort(of) {
        Sort::Bv(width) => width,
        _ => 64,
    }
}

/// A constant of the same type.
fn constant(pool: &mut Pool, like: Term, value: i64) -> Term {
    let width = width(pool, like);
    pool.bv(width, value)
}

fn lowest_bit(pool: &mut Pool, of: Term) -> Term {
    let minus = pool.neg(of);
    pool.bin(BvOp::And, of, minus)
}

/// By halves: where the upper half is zero, its bits count, and the lower half moves up.
fn leading_zeros(pool: &mut Pool, of: Term) -> Term {
    let width = width(pool, of);
    let (none, zero) = (pool.int(0), constant(pool, of, 0));
    let (mut rest, mut count, mut half) = (of, none, width / 2);
    while half > 0 {
        let (down, bits) = (pool.int(i32::from(width - half)), pool.int(i32::from(half)));
        let top = pool.shift(BvOp::Ushr, rest, down);
        let is_zero = pool.eq(top, zero);
        let more = pool.ite(is_zero, bits, none);
        // Each half is another bit of the count.
        count = pool.bin(BvOp::Or, count, more);
        let moved = pool.shift(BvOp::Shl, rest, bits);
        rest = pool.ite(is_zero, moved, rest);
        half /= 2;
    }
    let all = pool.int(i32::from(width));
    let is_zero = pool.eq(of, zero);
    pool.ite(is_zero, all, count)
}

fn trailing_zeros(pool: &mut Pool, of: Term) -> Term {
    let width = width(pool, of);
    let (all, zero) = (pool.int(i32::from(width)), constant(pool, of, 0));
    let lowest = lowest_bit(pool, of);
    let above = leading_zeros(pool, lowest);
    let last = pool.int(i32::from(width) - 1);
    let count = pool.bin(BvOp::Sub, last, above);
    let is_zero = pool.eq(of, zero);
    pool.ite(is_zero, all, count)
}

/// By sums of neighbours: of 2, 4, 8, 16, 32 and 64 bits.
fn bit_count(pool: &mut Pool, of: Term) -> Term {
    const MASKS: [i64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    let width = width(pool, of);
    let (mut sums, mut by) = (of, 1);
    for mask in MASKS {
        if by >= i32::from(width) {
            break;
        }
        let (mask, shift) = (constant(pool, of, mask), pool.int(by));
        let moved = pool.shift(BvOp::Ushr, sums, shift);
        let (odd, even) = (
            pool.bin(BvOp::And, sums, mask),
            pool.bin(BvOp::And, moved, mask),
        );
        sums = pool.bin(BvOp::Add, odd, even);
        by *= 2;
    }
    pool.trunc(32, sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Value;

    fn number(pool: &Pool, term: Term) -> Option<i64> {
        match pool.value(term) {
            Some(Value::Bv(_, v)) => Some(v),
            _ => None,
        }
    }

    #[test]
    fn bits_are_counted_as_rust_counts_them() {
        let mut samples: Vec<i64> = vec![0, 1, 2, 3, -1, -2, i64::MIN, i64::MAX, 0xff00, -256];
        samples
            .extend((0..64).flat_map(|n| [1_i64 << n, (1_i64 << n).wrapping_sub(1), -1_i64 << n]));
        let mut s = Symbols::new();
        let mut of = |name: &str, kind: &str, arg: i64| {
            let term = match kind {
                "J" => s.pool.long(arg),
                _ => s.pool.int(arg as i32),
            };
            let term = bits_method(&mut s, name, &[kind.to_string()], &[term]).unwrap();
            number(&s.pool, term).unwrap()
        };
        for x in samples {
            let i = x as i32;
            assert_eq!(
                of("numberOfLeadingZeros", "J", x),
                i64::from(x.leading_zeros())
            );
            assert_eq!(
                of("numberOfLeadingZeros", "I", x),
                i64::from(i.leading_zeros())
            );
            assert_eq!(
                of("numberOfTrailingZeros", "J", x),
                i64::from(x.trailing_zeros())
            );
            assert_eq!(
                of("numberOfTrailingZeros", "I", x),
                i64::from(i.trailing_zeros())
            );
            assert_eq!(of("bitCount", "J", x), i64::from(x.count_ones()));
            assert_eq!(of("bitCount", "I", x), i64::from(i.count_ones()));
            assert_eq!(of("lowestOneBit", "J", x), x & x.wrapping_neg());
            let highest = (x as u64).checked_ilog2().map_or(0, |n| 1_i64 << n);
            assert_eq!(of("highestOneBit", "J", x), highest);
            assert_eq!(of("signum", "J", x), x.signum());
            assert_eq!(of("toUnsignedLong", "I", x), i64::from(i as u32));
        }
    }
}
