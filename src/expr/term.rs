//! The nodes of terms. A `Term` is an index into the `Pool` that made it.

/// A term of a `Pool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(super) u32);

/// A variable of a `Pool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// Sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Truth value.
    Bool,
    /// Bit-vector of 8, 16, 32 or 64 bits.
    Bv(u8),
    /// IEEE 754 single.
    F32,
    /// IEEE 754 double.
    F64,
}

/// What `int` and `long` arithmetic means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arith {
    /// Java's: it wraps.
    Java,
    /// Mathematical integers, only to reproduce the papers.
    Unbounded,
}

/// Two-operand bit-vector operations (JLS §15.17 to §15.22); `Div` and `Rem` truncate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BvOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
}

/// Bit-vector comparisons: signed or unsigned, less or less-or-equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CmpOp {
    Slt,
    Sle,
    Ult,
    Ule,
}

/// Floating-point operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// IEEE comparisons, false on NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FCmp {
    Eq,
    Lt,
    Le,
}

/// A constant or a variable's value; bit-vectors sign-extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Truth value.
    Bool(bool),
    /// Width and value.
    Bv(u8, i64),
    /// Raw bits.
    F32(u32),
    /// Raw bits.
    F64(u64),
}

impl Value {
    /// Zero, or false.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(w) => Value::Bv(w, 0),
            Sort::F32 => Value::F32(0),
            Sort::F64 => Value::F64(0),
        }
    }

    /// The bit-vector's number.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Bv(_, n) => Some(*n),
            _ => None,
        }
    }
}

/// The shape of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Node {
    Const(Value),
    Var(VarId),
    Not(Term),
    And(Term, Term),
    Or(Term, Term),
    /// On floats: same value, all NaNs equal, zeros told apart (`Double.equals`).
    Eq(Term, Term),
    Ite(Term, Term, Term),
    Bin(BvOp, Term, Term),
    Cmp(CmpOp, Term, Term),
    Neg(Term),
    Sext(u8, Term),
    Zext(u8, Term),
    Trunc(u8, Term),
    FBin(FOp, Term, Term),
    FCmp(FCmp, Term, Term),
    FNeg(Term),
    FAbs(Term),
    FSqrt(Term),
    FToF(Sort, Term),
    IToF(Sort, Term),
    FToI(u8, Term),
    FBits(Term),
    BitsF(Sort, Term),
}

impl Node {
    /// The direct subterms.
    pub fn children(&self) -> impl Iterator<Item = Term> {
        let (a, b, c) = match *self {
            Node::Const(_) | Node::Var(_) => (None, None, None),
            Node::Not(a)
            | Node::Neg(a)
            | Node::Sext(_, a)
            | Node::Zext(_, a)
            | Node::Trunc(_, a)
            | Node::FNeg(a)
            | Node::FAbs(a)
            | Node::FSqrt(a)
            | Node::FToF(_, a)
            | Node::IToF(_, a)
            | Node::FToI(_, a)
            | Node::FBits(a)
            | Node::BitsF(_, a) => (Some(a), None, None),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Eq(a, b)
            | Node::Bin(_, a, b)
            | Node::Cmp(_, a, b)
            | Node::FBin(_, a, b)
            | Node::FCmp(_, a, b) => (Some(a), Some(b), None),
            Node::Ite(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }
}
