//! Evaluation of a term under a model; constant folding uses it too.

use super::model::Model;
use super::pool::Pool;
use super::term::{Arith, BvOp, CmpOp, FCmp, FOp, Node, Sort, Term, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// `v` cut to `width` bits and sign-extended.
pub(super) fn wrap(width: u8, v: i64) -> i64 {
    let shift = 64 - u32::from(width);
    v.wrapping_shl(shift).wrapping_shr(shift)
}

fn unsigned(width: u8, v: i64) -> u64 {
    if width == 64 {
        v as u64
    } else {
        v as u64 & ((1u64 << width) - 1)
    }
}

impl Pool {
    /// The value of `term`; variables the model leaves out are zero. Under unbounded arithmetic a result that leaves 64 bits,
    /// and division by zero, give zero: the solver judges those.
    pub fn eval(&self, term: Term, model: &Model) -> Value {
        self.eval_with(term, model, &mut FxHashMap::default())
    }

    /// The same; `done` has the values of terms that were evaluated under this model before, and gets those of this one's parts.
    fn eval_with(&self, term: Term, model: &Model, done: &mut FxHashMap<Term, Value>) -> Value {
        let (mut todo, before) = (vec![term], done.len());
        while let Some(&t) = todo.last() {
            if done.contains_key(&t) {
                todo.pop();
                continue;
            }
            let node = self.node(t);
            let waiting = todo.len();
            todo.extend(node.children().filter(|c| !done.contains_key(c)));
            if todo.len() > waiting {
                continue;
            }
            let value = match node {
                Node::Var(id) => model.get(id).unwrap_or(Value::zero(self.var_sort(id))),
                Node::Const(v) => v,
                _ => apply(&node, self.arith(), |c| done.get(&c).copied())
                    .unwrap_or(Value::zero(self.sort(t))),
            };
            done.insert(t, value);
            todo.pop();
        }
        self.worked((done.len() - before) as u64);
        done.get(&term).copied().unwrap_or(Value::Bool(false))
    }

    /// Whether a condition holds under the model.
    pub fn holds(&self, term: Term, model: &Model) -> bool {
        matches!(self.eval(term, model), Value::Bool(true))
    }
}

/// A model, and the values that terms have under it: each is evaluated once. It belongs to one pool.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    model: Model,
    known: RefCell<FxHashMap<Term, Value>>,
}

impl Valuation {
    /// Nothing is evaluated yet.
    pub fn new(model: Model) -> Valuation {
        Valuation {
            model,
            known: RefCell::default(),
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The value of a term.
    pub fn value(&self, pool: &Pool, term: Term) -> Value {
        pool.eval_with(term, &self.model, &mut self.known.borrow_mut())
    }

    /// Whether a condition holds under the model.
    pub fn holds(&self, pool: &Pool, term: Term) -> bool {
        matches!(self.value(pool, term), Value::Bool(true))
    }
}

/// The value of a node whose operands have values; `None` where it has none (division by zero, unbounded overflow).
pub(super) fn apply(
    node: &Node,
    arith: Arith,
    get: impl Fn(Term) -> Option<Value>,
) -> Option<Value> {
    let int = |t: Term| match get(t)? {
        Value::Bv(w, n) => Some((w, n)),
        _ => None,
    };
    let truth = |t: Term| match get(t)? {
        Value::Bool(b) => Some(b),
        _ => None,
    };
    Some(match *node {
        Node::Const(v) => v,
        Node::Var(_) => return None,
        Node::Not(a) => Value::Bool(!truth(a)?),
        Node::And(a, b) => Value::Bool(truth(a)? && truth(b)?),
        Node::Or(a, b) => Value::Bool(truth(a)? || truth(b)?),
        Node::Eq(a, b) => Value::Bool(canonical(get(a)?) == canonical(get(b)?)),
        Node::Ite(c, a, b) => return get(if truth(c)? { a } else { b }),
        Node::Bin(op, a, b) => {
            let ((w, x), (_, y)) = (int(a)?, int(b)?);
            match arith {
                Arith::Java => Value::Bv(w, wrap(w, wrapping(op, w, x, y)?)),
                Arith::Unbounded => Value::Bv(w, unbounded(op, x, y)?),
            }
        }
        Node::Cmp(op, a, b) => {
            let ((w, x), (_, y)) = (int(a)?, int(b)?);
            Value::Bool(match op {
                CmpOp::Slt => x < y,
                CmpOp::Sle => x <= y,
                CmpOp::Ult => unsigned(w, x) < unsigned(w, y),
                CmpOp::Ule => unsigned(w, x) <= unsigned(w, y),
            })
        }
        Node::Neg(a) => {
            let (w, x) = int(a)?;
            Value::Bv(
                w,
                if arith == Arith::Java {
                    wrap(w, x.wrapping_neg())
                } else {
                    x.checked_neg()?
                },
            )
        }
        Node::Sext(w, a) => Value::Bv(w, int(a)?.1),
        Node::Zext(w, a) => {
            let (from, x) = int(a)?;
            Value::Bv(
                w,
                if arith == Arith::Java {
                    unsigned(from, x) as i64
                } else {
                    x
                },
            )
        }
        Node::Trunc(w, a) => Value::Bv(
            w,
            if arith == Arith::Java {
                wrap(w, int(a)?.1)
            } else {
                int(a)?.1
            },
        ),
        _ => return float(node, get),
    })
}

/// Every NaN as the one that `Double.doubleToLongBits` gives.
pub(super) fn canonical(value: Value) -> Value {
    match value {
        Value::F32(b) if f32::from_bits(b).is_nan() => Value::F32(0x7fc0_0000),
        Value::F64(b) if f64::from_bits(b).is_nan() => Value::F64(0x7ff8_0000_0000_0000),
        v => v,
    }
}

fn wrapping(op: BvOp, width: u8, x: i64, y: i64) -> Option<i64> {
    let amount = u32::try_from(y & i64::from(width - 1)).ok()?;
    Some(match op {
        BvOp::Add => x.wrapping_add(y),
        BvOp::Sub => x.wrapping_sub(y),
        BvOp::Mul => x.wrapping_mul(y),
        BvOp::Div if y == 0 => return None,
        BvOp::Rem if y == 0 => return None,
        BvOp::Div => x.wrapping_div(y),
        BvOp::Rem => x.wrapping_rem(y),
        BvOp::Shl => x.wrapping_shl(amount),
        BvOp::Shr => x.wrapping_shr(amount),
        BvOp::Ushr => unsigned(width, x).wrapping_shr(amount) as i64,
        BvOp::And => x & y,
        BvOp::Or => x | y,
        BvOp::Xor => x ^ y,
    })
}

/// Mathematical integers as the papers' solver has them: Euclidean division.
fn unbounded(op: BvOp, x: i64, y: i64) -> Option<i64> {
    match op {
        BvOp::Add => x.checked_add(y),
        BvOp::Sub => x.checked_sub(y),
        BvOp::Mul => x.checked_mul(y),
        BvOp::Div => x.checked_div_euclid(y),
        BvOp::Rem => x.checked_rem_euclid(y),
        BvOp::And => Some(x & y),
        BvOp::Or => Some(x | y),
        BvOp::Xor => Some(x ^ y),
        BvOp::Shl | BvOp::Shr | BvOp::Ushr => None,
    }
}

fn float(node: &Node, get: impl Fn(Term) -> Option<Value>) -> Option<Value> {
    let f32_of = |v: Value| {
        if let Value::F32(b) = v {
            Some(f32::from_bits(b))
        } else {
            None
        }
    };
    let f64_of = |v: Value| match v {
        Value::F64(b) => Some(f64::from_bits(b)),
        Value::F32(b) => Some(f64::from(f32::from_bits(b))),
        _ => None,
    };
    let pack32 = |f: f32| Value::F32(f.to_bits());
    let pack64 = |f: f64| Value::F64(f.to_bits());
    Some(match *node {
        Node::FBin(op, a, b) => match (get(a)?, get(b)?) {
            (Value::F32(x), Value::F32(y)) => {
                let (x, y) = (f32::from_bits(x), f32::from_bits(y));
                pack32(match op {
                    FOp::Add => x + y,
                    FOp::Sub => x - y,
                    FOp::Mul => x * y,
                    FOp::Div => x / y,
                    FOp::Rem => x % y,
                })
            }
            (x, y) => {
                let (x, y) = (f64_of(x)?, f64_of(y)?);
                pack64(match op {
                    FOp::Add => x + y,
                    FOp::Sub => x - y,
                    FOp::Mul => x * y,
                    FOp::Div => x / y,
                    FOp::Rem => x % y,
                })
            }
        },
        Node::FCmp(op, a, b) => {
            let (x, y) = (f64_of(get(a)?)?, f64_of(get(b)?)?);
            Value::Bool(match op {
                FCmp::Eq => x == y,
                FCmp::Lt => x < y,
                FCmp::Le => x <= y,
            })
        }
        Node::FNeg(a) => match get(a)? {
            Value::F32(b) => Value::F32(b ^ 0x8000_0000),
            Value::F64(b) => Value::F64(b ^ (1 << 63)),
            _ => return None,
        },
        Node::FAbs(a) => match get(a)? {
            Value::F32(b) => Value::F32(b & 0x7fff_ffff),
            Value::F64(b) => Value::F64(b & !(1 << 63)),
            _ => return None,
        },
        Node::FSqrt(a) => match get(a)? {
            Value::F32(b) => pack32(f32::from_bits(b).sqrt()),
            v => pack64(f64_of(v)?.sqrt()),
        },
        Node::FToF(Sort::F32, a) => pack32(f64_of(get(a)?)? as f32),
        Node::FToF(_, a) => pack64(f64::from(f32_of(get(a)?)?)),
        Node::IToF(Sort::F32, a) => pack32(get(a)?.as_i64()? as f32),
        Node::IToF(_, a) => pack64(get(a)?.as_i64()? as f64),
        Node::FToI(32, a) => Value::Bv(32, i64::from(f64_of(get(a)?)? as i32)),
        Node::FToI(_, a) => Value::Bv(64, f64_of(get(a)?)? as i64),
        Node::FBits(a) => match canonical(get(a)?) {
            Value::F32(b) => Value::Bv(32, i64::from(b as i32)),
            Value::F64(b) => Value::Bv(64, b as i64),
            _ => return None,
        },
        Node::BitsF(Sort::F32, a) => Value::F32(get(a)?.as_i64()? as u32),
        Node::BitsF(_, a) => Value::F64(get(a)?.as_i64()? as u64),
        _ => return None,
    })
}
