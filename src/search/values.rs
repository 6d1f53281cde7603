//! Boundary and random values of the primitives and of strings.

use crate::model::Input;
use crate::util::random::Random;

const INTS: [i64; 22] = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    10,
    31,
    32,
    63,
    64,
    100,
    127,
    128,
    255,
    -128,
    65535,
    i32::MAX as i64,
    i32::MIN as i64,
    i32::MAX as i64 - 1,
    i32::MIN as i64 + 1,
    0x10_ffff,
];

const LONGS: [i64; 8] = [
    i64::MAX,
    i64::MIN,
    i64::MAX - 1,
    i64::MIN + 1,
    1 << 31,
    1 << 32,
    -(1 << 31) - 1,
    1 << 53,
];

const DOUBLES: [f64; 28] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    0.1,
    100.0,
    1e7,
    9_999_999.0,
    1e-3,
    9.99e-4,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    5e-324,
    f64::MIN_POSITIVE,
    f64::MAX,
    -f64::MAX,
    2_147_483_647.0,
    -2_147_483_649.0,
    9.223_372_036_854_776e18,
    std::f64::consts::PI,
    4_503_599_627_370_495.5,
    9_007_199_254_740_993.0,
];

const CHARS: [u16; 18] = [
    0, 9, 10, 32, 48, 57, 65, 90, 97, 122, 0x7f, 0xa0, 0xdf, 0xff, 0x130, 0x3a3, 0xd800, 0xdc00,
];

/// A whole number of up to `bits` bits: a boundary, a small one, or any.
fn integer(random: &mut Random, bits: u32) -> i64 {
    match random.below(4) {
        0 => *random.pick(&INTS),
        1 if bits == 64 => *random.pick(&LONGS),
        1 | 2 => random.below(24) as i64 - 8,
        _ => (random.bits() as i64) >> random.below(bits as usize),
    }
}

fn double(random: &mut Random) -> f64 {
    match random.below(6) {
        0 | 1 => *random.pick(&DOUBLES),
        2 => integer(random, 64) as f64,
        3 => integer(random, 32) as f64 / 8.0,
        4 => (random.bits() as i32 as f64) * 1e-9 * 10f64.powi(random.below(14) as i32),
        _ => {
            let any = f64::from_bits(random.bits());
            // Only one NaN can be written in Java source.
            if any.is_nan() { f64::NAN } else { any }
        }
    }
}

fn single(random: &mut Random) -> f32 {
    match random.below(4) {
        0 => *random.pick(&[
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-45,
            16_777_217.0,
            3.4e38,
            1.1,
            0.3,
            1e10,
        ]),
        1 => {
            let any = f32::from_bits(random.bits() as u32);
            if any.is_nan() { f32::NAN } else { any }
        }
        _ => double(random) as f32,
    }
}

/// A value of a primitive type.
pub fn primitive(random: &mut Random, descriptor: u8) -> Input {
    match descriptor {
        b'Z' => Input::Boolean(random.one_in(2)),
        b'B' => Input::Byte(integer(random, 8) as i8),
        b'S' => Input::Short(integer(random, 16) as i16),
        b'C' => Input::Char(unit(random)),
        b'J' => Input::Long(integer(random, 64)),
        b'F' => {
            let f = single(random);
            Input::Float(if f.is_nan() { 0x7fc0_0000 } else { f.to_bits() })
        }
        b'D' => {
            let d = double(random);
            Input::Double(if d.is_nan() {
                0x7ff8_0000_0000_0000
            } else {
                d.to_bits()
            })
        }
        _ => Input::Int(integer(random, 32) as i32),
    }
}

fn unit(random: &mut Random) -> u16 {
    match random.below(4) {
        0 => *random.pick(&CHARS),
        1 => random.bits() as u16,
        _ => 32 + random.below(95) as u16,
    }
}

const TEXTS: [&str; 44] = [
    "",
    "",
    " ",
    "a",
    "b",
    "ab",
    "abc",
    "aba",
    "ABC",
    "abcabc",
    "Hello World",
    "  ab c\t\n",
    "0",
    "-0",
    "+1",
    "12",
    "-1",
    "007",
    "0x1F",
    "#ff",
    "0b1",
    "2147483647",
    "2147483648",
    "-2147483648",
    "9223372036854775807",
    "-9223372036854775809",
    "1.5",
    "-.5e3",
    "1e400",
    "4.9E-324",
    "1.0f",
    "10L",
    "NaN",
    "Infinity",
    "true",
    "FALSE",
    "yes",
    "off",
    "é",
    "Straße",
    "İı",
    "日本語",
    "a,b,,c",
    "null",
];

/// A string's units: of a list, of few letters (so that searches find something), printable, or any.
pub fn text(random: &mut Random) -> Vec<u16> {
    let len = random.below(9);
    match random.below(8) {
        0..=2 => random.pick(&TEXTS).encode_utf16().collect(),
        3 | 4 => (0..len)
            .map(|_| *random.pick(&[97, 98, 99, 32, 65]))
            .collect(),
        5 => {
            let number = match random.below(3) {
                0 => integer(random, 64).to_string(),
                1 => integer(random, 32).to_string(),
                _ => format!("{:?}", double(random)),
            };
            number.encode_utf16().collect()
        }
        6 => (0..len).map(|_| 32 + random.below(95) as u16).collect(),
        _ => (0..len).flat_map(|_| point(random)).collect(),
    }
}

/// One unit, or now and then a surrogate pair.
fn point(random: &mut Random) -> Vec<u16> {
    if random.one_in(4) {
        vec![0xd83d, 0xde00 + random.below(64) as u16]
    } else {
        vec![unit(random)]
    }
}
