//! Number literals, and the constants of the wrapper classes.

use super::CallError;
use super::expression::{Expression, TypeText};

type Parsed<T> = Result<T, CallError>;

/// The wrapper classes, for `Integer.valueOf(3)` and `Integer.MAX_VALUE`.
const BOXES: [&str; 8] = [
    "Boolean",
    "Byte",
    "Short",
    "Character",
    "Integer",
    "Long",
    "Float",
    "Double",
];

/// The class and member of a path into a wrapper class.
fn boxed_member(path: &[String]) -> Option<(&str, &str)> {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    match names[..] {
        [class, member] | ["java", "lang", class, member] if BOXES.contains(&class) => {
            Some((class, member))
        }
        _ => None,
    }
}

/// The constant of a wrapper class that a path names.
pub(super) fn constant(path: &[String]) -> Option<Expression> {
    Some(match boxed_member(path)? {
        ("Integer", "MIN_VALUE") => Expression::Int(i32::MIN),
        ("Integer", "MAX_VALUE") => Expression::Int(i32::MAX),
        ("Long", "MIN_VALUE") => Expression::Long(i64::MIN),
        ("Long", "MAX_VALUE") => Expression::Long(i64::MAX),
        ("Float", name) => Expression::Float(match name {
            "NaN" => 0x7fc0_0000,
            "POSITIVE_INFINITY" => f32::INFINITY.to_bits(),
            "NEGATIVE_INFINITY" => f32::NEG_INFINITY.to_bits(),
            "MAX_VALUE" => f32::MAX.to_bits(),
            "MIN_VALUE" => 1,
            _ => return None,
        }),
        ("Double", name) => Expression::Double(match name {
            "NaN" => 0x7ff8_0000_0000_0000,
            "POSITIVE_INFINITY" => f64::INFINITY.to_bits(),
            "NEGATIVE_INFINITY" => f64::NEG_INFINITY.to_bits(),
            "MAX_VALUE" => f64::MAX.to_bits(),
            "MIN_VALUE" => 1,
            _ => return None,
        }),
        _ => return None,
    })
}

/// `Integer.valueOf(3)`, `Float.intBitsToFloat(1)`.
pub(super) fn library_call(path: &[String], value: &Expression) -> Parsed<Option<Expression>> {
    let Some((class, member)) = boxed_member(path) else {
        return Ok(None);
    };
    Ok(match (class, member, value) {
        ("Byte", "valueOf", Expression::Int(n)) if i8::try_from(*n).is_err() => {
            return Err(CallError::new(format!("{n} is out of range for a byte")));
        }
        ("Short", "valueOf", Expression::Int(n)) if i16::try_from(*n).is_err() => {
            return Err(CallError::new(format!("{n} is out of range for a short")));
        }
        (_, "valueOf", _) => {
            let value = match (class, value) {
                ("Byte" | "Short", Expression::Int(_)) => Expression::Cast(
                    TypeText {
                        name: class.to_lowercase(),
                        dimensions: 0,
                    },
                    Box::new(value.clone()),
                ),
                ("Long", Expression::Int(n)) => Expression::Long(i64::from(*n)),
                _ => value.clone(),
            };
            Some(Expression::Boxed(Box::new(value)))
        }
        ("Float", "intBitsToFloat", Expression::Int(bits)) => Some(Expression::Float(*bits as u32)),
        ("Double", "longBitsToDouble", Expression::Long(bits)) => {
            Some(Expression::Double(*bits as u64))
        }
        _ => None,
    })
}

/// An integer or floating-point literal.
pub(super) fn number(text: &str) -> Parsed<Expression> {
    let bad = || CallError::new(format!("{text} is not a Java number, or is out of range"));
    let plain = text.replace('_', "");
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.as_str()),
    };
    let (digits, long) = match digits.strip_suffix(['l', 'L']) {
        Some(rest) => (rest, true),
        None => (digits, false),
    };
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        let bits = u64::from_str_radix(hex, 16).map_err(|_| bad())?;
        let negate = !sign.is_empty();
        return if long {
            let n = bits as i64;
            Ok(Expression::Long(if negate { n.wrapping_neg() } else { n }))
        } else {
            let n = u32::try_from(bits).map_err(|_| bad())? as i32;
            Ok(Expression::Int(if negate { n.wrapping_neg() } else { n }))
        };
    }
    let signed = format!("{sign}{digits}");
    if long {
        return signed.parse().map(Expression::Long).map_err(|_| bad());
    }
    if digits.chars().all(|c| c.is_ascii_digit()) {
        let n: i64 = signed.parse().map_err(|_| bad())?;
        return i32::try_from(n).map(Expression::Int).map_err(|_| {
            CallError::new(format!(
                "{text} is out of int's range; write {text}L for a long"
            ))
        });
    }
    match signed.strip_suffix(['f', 'F']) {
        Some(float) => {
            let f: f32 = float.parse().map_err(|_| bad())?;
            Ok(Expression::Float(f.to_bits()))
        }
        None => {
            let d: f64 = signed
                .trim_end_matches(['d', 'D'])
                .parse()
                .map_err(|_| bad())?;
            Ok(Expression::Double(d.to_bits()))
        }
    }
}
