//! Floating-point nodes in Z3's theory of IEEE 754 numbers.

use super::translate::{Translator, Tree};
use crate::expr::{Arith, FCmp, FOp, Node, Pool, Sort, Term, Value, VarId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use z3::{FuncDecl, Model, Solver};

/// Z3's name of a variable.
pub(super) fn named(id: VarId) -> String {
    format!("v{}", id.0)
}

/// Exponent and significand bits, as SMT-LIB counts them.
fn format_of(sort: Sort) -> (u32, u32) {
    match sort {
        Sort::F32 => (8, 24),
        _ => (11, 53),
    }
}

fn z3_sort(sort: Sort) -> z3::Sort {
    let (exponent, significand) = format_of(sort);
    z3::Sort::float(exponent, significand)
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

/// A number that both formats hold exactly.
fn number(sort: Sort, value: f64) -> Float {
    match sort {
        Sort::F32 => Float::from_f32(value as f32),
        _ => Float::from_f64(value),
    }
}

/// What converts from bit-vectors. The `z3` crate has no call for that, but its SMT-LIB reader knows the functions.
#[derive(Default)]
pub(super) struct Conversions(FxHashMap<(bool, Sort, u32), FuncDecl>);

impl Conversions {
    /// `to_fp` of raw bits, or of a signed integer (`rounds`).
    fn apply(&mut self, rounds: bool, to: Sort, from: &BV) -> Option<Float> {
        let function = match self.0.entry((rounds, to, from.get_size())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(declared(rounds, to, from.get_size())?),
        };
        let tree = if rounds {
            function.apply(&[&nearest(), from])
        } else {
            function.apply(&[from])
        };
        tree.as_float()
    }
}

fn declared(rounds: bool, to: Sort, width: u32) -> Option<FuncDecl> {
    let (exponent, significand) = format_of(to);
    let mode = if rounds { "RNE" } else { "" };
    let scratch = Solver::new();
    scratch.from_string(format!(
        "(declare-const b (_ BitVec {width}))
         (declare-const f (_ FloatingPoint {exponent} {significand}))
         (assert (= f ((_ to_fp {exponent} {significand}) {mode} b)))"
    ));
    let equation = scratch.get_assertions().into_iter().next()?;
    equation.nth_child(1)?.safe_decl().ok()
}

impl Translator {
    /// A floating-point node; `None` for others.
    pub(super) fn floats(
        &mut self,
        pool: &Pool,
        t: Term,
        node: &Node,
    ) -> Result<Option<Tree>, &'static str> {
        let sort = pool.sort(t);
        Ok(Some(match *node {
            Node::Const(Value::F32(b)) => Tree::Float(number(sort, f64::from(f32::from_bits(b)))),
            Node::Const(Value::F64(b)) => Tree::Float(number(sort, f64::from_bits(b))),
            Node::Var(id) if matches!(sort, Sort::F32 | Sort::F64) => {
                let (exponent, significand) = format_of(sort);
                Tree::Float(Float::new_const(named(id), exponent, significand))
            }
            Node::FBin(op, a, b) => Tree::Float(self.arithmetic(pool, op, a, b)?),
            Node::FCmp(op, a, b) => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                Tree::Bool(match op {
                    FCmp::Eq => a.eq_fpa(b),
                    FCmp::Lt => a.lt(b),
                    FCmp::Le => a.le(b),
                })
            }
            Node::FNeg(a) => Tree::Float(self.float(a)?.unary_neg()),
            Node::FAbs(a) => Tree::Float(self.float(a)?.unary_abs()),
            Node::FSqrt(a) => Tree::Float(self.float(a)?.sqrt()),
            Node::FToF(to, a) => Tree::Float(
                self.float(a)?
                    .to_fp_with_rounding_mode(&nearest(), &z3_sort(to)),
            ),
            Node::IToF(to, a) => Tree::Float(self.convert(true, to, a)?),
            Node::BitsF(to, a) => Tree::Float(self.convert(false, to, a)?),
            Node::FToI(..) | Node::FBits(_) if pool.arith() == Arith::Unbounded => {
                return Err(UNBOUNDED);
            }
            Node::FToI(width, a) => {
                Tree::Bv(saturated(self.float(a)?, pool.sort(a), u32::from(width)))
            }
            Node::FBits(a) => {
                let (f, canonical) = match pool.sort(a) {
                    Sort::F32 => (self.float(a)?, BV::from_u64(0x7fc0_0000, 32)),
                    _ => (self.float(a)?, BV::from_u64(0x7ff8_0000_0000_0000, 64)),
                };
                // SMT-LIB leaves the bits of NaN open.
                Tree::Bv(f.is_nan().ite(&canonical, &f.to_ieee_bv()))
            }
            _ => return Ok(None),
        }))
    }

    fn arithmetic(&self, pool: &Pool, op: FOp, a: Term, b: Term) -> Result<Float, &'static str> {
        let (x, y) = (self.float(a)?, self.float(b)?);
        Ok(match op {
            FOp::Add => nearest().add(x, y.clone()),
            FOp::Sub => nearest().sub(x, y.clone()),
            FOp::Mul => nearest().mul(x, y.clone()),
            FOp::Div => nearest().div(x, y.clone()),
            // Z3 has only IEEE's remainder, which rounds the quotient where Java's `%` truncates it.
            FOp::Rem => match pool.value(b) {
                Some(Value::F32(c)) if f32::from_bits(c).abs() == 1.0 => fraction(x),
                Some(Value::F64(c)) if f64::from_bits(c).abs() == 1.0 => fraction(x),
                _ => return Err("floating-point remainder"),
            },
        })
    }

    fn convert(&mut self, rounds: bool, to: Sort, a: Term) -> Result<Float, &'static str> {
        let bits = match self.get(a) {
            Some(Tree::Int(_)) => return Err(UNBOUNDED),
            _ => self.bits(a)?.clone(),
        };
        self.conversions
            .apply(rounds, to, &bits)
            .ok_or("conversion to floating-point")
    }
}

const UNBOUNDED: &str = "floating-point conversion of unbounded integers";

/// Java's cast to an integer: towards zero, saturating, 0 for NaN.
fn saturated(f: &Float, sort: Sort, width: u32) -> BV {
    let limit = (1u64 << (width - 1)) as f64;
    let (min, max) = (-1i64 << (width - 1), !(-1i64 << (width - 1)));
    let int = |n: i64| BV::from_i64(n, width);
    let inside = f.to_sbv_with_rounding_mode(&RoundingMode::round_towards_zero(), width);
    let from_below = f.le(number(sort, -limit)).ite(&int(min), &inside);
    let saturated = f.ge(number(sort, limit)).ite(&int(max), &from_below);
    f.is_nan().ite(&int(0), &saturated)
}

/// `f % 1`: what truncation takes away, which is exact; a zero has the sign of `f`.
fn fraction(f: &Float) -> Float {
    let whole = f.round_to_integral_with_rounding_mode(&RoundingMode::round_towards_zero());
    let rest = nearest().sub(f, whole);
    Bool::and(&[rest.is_zero(), f.is_negative()]).ite(&rest.unary_neg(), &rest)
}

/// The exact bits of a float in a model; every NaN is the canonical one.
pub(super) fn bits_in(model: &Model, f: &Float, sort: Sort) -> Option<Value> {
    let nan = model.eval(&f.is_nan(), true)?.as_bool()?;
    Some(match (sort, nan) {
        (Sort::F32, true) => Value::F32(f32::NAN.to_bits()),
        (Sort::F32, false) => {
            Value::F32(u32::try_from(model.eval(&f.to_ieee_bv(), true)?.as_u64()?).ok()?)
        }
        (_, true) => Value::F64(f64::NAN.to_bits()),
        (_, false) => Value::F64(model.eval(&f.to_ieee_bv(), true)?.as_u64()?),
    })
}
