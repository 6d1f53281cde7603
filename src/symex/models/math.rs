//! `Math` and `StrictMath` where they are native, or where the JVM's own code (an *intrinsic*) may differ from the library's.

use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::prim;
use crate::expr::{Term, Value as Constant};
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::vm::Model;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        (_, "sqrt") => |vm, _, args| {
            let x = prim(vm, args, 0);
            Ok(Some(Value::Prim(vm.pool.fsqrt(x))))
        },
        ("java/lang/Math", "abs") if descriptor == "(D)D" || descriptor == "(F)F" => {
            |vm, _, args| {
                let x = prim(vm, args, 0);
                Ok(Some(Value::Prim(vm.pool.fabs(x))))
            }
        }
        // HotSpot has code of its own for these, which rounds some results otherwise than the library (it may, by 1 ulp).
        ("java/lang/Math", "sin") => {
            |vm, state, args| specified(vm, state, args, |x| (x == 0.0).then_some(x), libm::sin)
        }
        ("java/lang/Math", "tan") => {
            |vm, state, args| specified(vm, state, args, |x| (x == 0.0).then_some(x), libm::tan)
        }
        ("java/lang/Math", "cos") => {
            |vm, state, args| specified(vm, state, args, |x| (x == 0.0).then_some(1.0), libm::cos)
        }
        ("java/lang/Math", "exp") => |vm, state, args| {
            let exact = |x: f64| match x {
                0.0 => Some(1.0),
                f64::INFINITY => Some(x),
                f64::NEG_INFINITY => Some(0.0),
                _ => None,
            };
            specified(vm, state, args, exact, libm::exp)
        },
        ("java/lang/Math", "log") => |vm, state, args| {
            // The tables of big integers are estimates; any rounding serves them.
            let asks = state.frame().map(|f| f.method.class_name.clone());
            if asks.is_some_and(|class| class.starts_with("java/math/")) {
                return fdlibm(vm, args, libm::log);
            }
            let exact = |x: f64| match x {
                1.0 => Some(0.0),
                _ => logarithm(x),
            };
            specified(vm, state, args, exact, libm::log)
        },
        ("java/lang/Math", "log10") => |vm, state, args| {
            let exact = |x: f64| {
                let power = (0..23).find(|n| 10f64.powi(*n) == x);
                power.map(f64::from).or_else(|| logarithm(x))
            };
            specified(vm, state, args, exact, libm::log10)
        },
        ("java/lang/Math", "pow") => pow,
        ("java/lang/Math" | "java/lang/StrictMath", "getExponent") => exponent,
        ("java/lang/StrictMath", "tan") => |vm, _, args| fdlibm(vm, args, libm::tan),
        ("java/lang/StrictMath", "asin") => |vm, _, args| fdlibm(vm, args, libm::asin),
        ("java/lang/StrictMath", "acos") => |vm, _, args| fdlibm(vm, args, libm::acos),
        ("java/lang/StrictMath", "atan") => |vm, _, args| fdlibm(vm, args, libm::atan),
        ("java/lang/StrictMath", "log") => |vm, _, args| fdlibm(vm, args, libm::log),
        ("java/lang/StrictMath", "log10") => |vm, _, args| fdlibm(vm, args, log10),
        ("java/lang/StrictMath", "log1p") => |vm, _, args| fdlibm(vm, args, libm::log1p),
        ("java/lang/StrictMath", "expm1") => |vm, _, args| fdlibm(vm, args, libm::expm1),
        ("java/lang/StrictMath", "sinh") => |vm, _, args| fdlibm(vm, args, libm::sinh),
        ("java/lang/StrictMath", "cosh") => |vm, _, args| fdlibm(vm, args, libm::cosh),
        ("java/lang/StrictMath", "tanh") => |vm, _, args| fdlibm(vm, args, tanh),
        ("java/lang/StrictMath", "atan2") => |vm, _, args| fdlibm2(vm, args, atan2),
        ("java/lang/StrictMath", "IEEEremainder") => {
            |vm, _, args| fdlibm2(vm, args, libm::remainder)
        }
        _ => return None,
    })
}

fn constant(vm: &Vm, term: Term) -> Option<f64> {
    match vm.pool.value(term) {
        Some(Constant::F64(bits)) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

fn intrinsic() -> Interruption {
    let what = "a result that Math may round either way";
    Stop::unsupported(Reason::MathIntrinsic, what).into()
}

fn logarithm(x: f64) -> Option<f64> {
    if x < 0.0 {
        Some(f64::NAN)
    } else if x == 0.0 {
        Some(f64::NEG_INFINITY)
    } else {
        (x == f64::INFINITY).then_some(x)
    }
}

/// The one result that the specification of `Math` leaves for some arguments, else the one that JVMs most likely round to.
fn specified(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    exact: impl Fn(f64) -> Option<f64>,
    likely: fn(f64) -> f64,
) -> Step<Option<Value>> {
    let x = prim(vm, args, 0);
    let Some(x) = constant(vm, x) else {
        return Err(intrinsic());
    };
    let specified = if x.is_nan() { Some(x) } else { exact(x) };
    let y = specified.unwrap_or_else(|| {
        vm.by_chance(state, Reason::MathIntrinsic);
        likely(x)
    });
    result(vm, y)
}

/// Where musl's port leaves fdlibm 5.3, which Java names.
fn log10(x: f64) -> f64 {
    const IVLN10: f64 = f64::from_bits(0x3fdb_cb7b_1526_e50e);
    const LOG10_2HI: f64 = f64::from_bits(0x3fd3_4413_509f_6000);
    const LOG10_2LO: f64 = f64::from_bits(0x3d59_fef3_11f1_2b36);
    if x.is_nan() || x <= 0.0 || x.is_infinite() {
        return libm::log10(x);
    }
    let subnormal = x < f64::MIN_POSITIVE;
    let (x, mut k) = if subnormal {
        (x * 18_014_398_509_481_984.0, -54)
    } else {
        (x, 0)
    };
    k += ((x.to_bits() >> 52) as i32) - 1023;
    let i = i32::from(k < 0);
    let scaled = x.to_bits() & 0x000f_ffff_ffff_ffff | ((0x3ff - i) as u64) << 52;
    let y = f64::from(k + i);
    let z = y * LOG10_2LO + IVLN10 * libm::log(f64::from_bits(scaled));
    z + y * LOG10_2HI
}

fn tanh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() {
        return x;
    }
    let z = if a >= 22.0 {
        1.0
    } else if a < f64::from_bits(0x3c80_0000_0000_0000) {
        return x * (1.0 + x);
    } else if a >= 1.0 {
        1.0 - 2.0 / (libm::expm1(2.0 * a) + 2.0)
    } else {
        let t = libm::expm1(-2.0 * a);
        -t / (t + 2.0)
    };
    if x < 0.0 { -z } else { z }
}

fn atan2(y: f64, x: f64) -> f64 {
    const PI: f64 = std::f64::consts::PI;
    const PI_LO: f64 = f64::from_bits(0x3ca1_a626_3314_5c07);
    let high = |v: f64| ((v.to_bits() >> 32) & 0x7fff_ffff) as i32 >> 20;
    let ordinary = |v: f64| v.is_finite() && v != 0.0;
    // A quotient too large for the arc tangent: fdlibm keeps the sign of x.
    if ordinary(x) && ordinary(y) && x < 0.0 && high(y) - high(x) > 60 {
        let z = PI / 2.0 + 0.5 * PI_LO;
        return if y < 0.0 {
            (z - PI_LO) - PI
        } else {
            PI - (z - PI_LO)
        };
    }
    libm::atan2(y, x)
}

/// The exponent, which is the same for every NaN.
fn exponent(vm: &mut Vm, _: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let x = prim(vm, args, 0);
    let exponent = match vm.pool.value(x) {
        Some(Constant::F64(bits)) => ((bits >> 52) & 0x7ff) as i32 - 1023,
        Some(Constant::F32(bits)) => ((bits >> 23) & 0xff) as i32 - 127,
        _ => return Err(Interruption::OwnCode),
    };
    Ok(Some(Value::Prim(vm.pool.int(exponent))))
}

fn result(vm: &mut Vm, y: f64) -> Step<Option<Value>> {
    Ok(Some(Value::Prim(vm.pool.f64(y.to_bits()))))
}

/// A function of fdlibm, which `StrictMath` is defined by.
fn fdlibm(vm: &mut Vm, args: &[Value], f: fn(f64) -> f64) -> Step<Option<Value>> {
    let x = prim(vm, args, 0);
    match constant(vm, x) {
        Some(x) => result(vm, f(x)),
        None => Err(Interruption::OwnCode),
    }
}

fn fdlibm2(vm: &mut Vm, args: &[Value], f: fn(f64, f64) -> f64) -> Step<Option<Value>> {
    let (x, y) = (prim(vm, args, 0), prim(vm, args, 1));
    match (constant(vm, x), constant(vm, y)) {
        (Some(x), Some(y)) => result(vm, f(x, y)),
        _ => Err(Interruption::OwnCode),
    }
}

/// Special values, and whole numbers whose power is a double: exact by the specification.
fn pow(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (x, y) = (prim(vm, args, 0), prim(vm, args, 1));
    let (Some(x), Some(y)) = (constant(vm, x), constant(vm, y)) else {
        return Err(intrinsic());
    };
    let z = power(x, y).unwrap_or_else(|| {
        vm.by_chance(state, Reason::MathIntrinsic);
        libm::pow(x, y)
    });
    result(vm, z)
}

fn power(x: f64, y: f64) -> Option<f64> {
    if y == 0.0 {
        return Some(1.0);
    }
    if y == 1.0 {
        return Some(x);
    }
    if x.is_nan() || y.is_nan() || (y.is_infinite() && x.abs() == 1.0) {
        return Some(f64::NAN);
    }
    if x == 0.0 || x.is_infinite() || y.is_infinite() {
        // C's pow agrees with Java's here (JLS refers to the same cases of IEEE 754).
        return Some(x.powf(y));
    }
    let whole = x.fract() == 0.0 && y.fract() == 0.0 && y > 0.0 && y < 64.0;
    if !whole || x.abs() > 1e15 {
        return None;
    }
    let mut product: i128 = 1;
    for _ in 0..y as u32 {
        product = product.checked_mul(x as i128)?;
    }
    let result = product as f64;
    (result as i128 == product && product.unsigned_abs() <= 1 << 100).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn powers_are_given_only_where_the_specification_fixes_them() {
        assert_eq!(power(2.0, 10.0), Some(1024.0));
        assert_eq!(power(-3.0, 3.0), Some(-27.0));
        assert_eq!(power(10.0, 22.0), Some(1e22));
        assert_eq!(power(10.0, 23.0), None);
        assert_eq!(power(2.5, 2.0), None);
        assert_eq!(power(-0.0, -3.0), Some(f64::NEG_INFINITY));
        assert!(power(1.0, f64::INFINITY).is_some_and(f64::is_nan));
    }
}
