//! Terms as Z3's trees: truth values, bit-vectors, and integers under unbounded arithmetic.

use super::float::{Conversions, named};
use crate::expr::{Arith, BvOp, CmpOp, Node, Pool, Sort, Term, Value};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV, Bool, Float, Int};

/// A translated term.
#[derive(Clone)]
pub(super) enum Tree {
    Bool(Bool),
    Bv(BV),
    Int(Int),
    Float(Float),
}

/// What is said where operands are not what a node wants: no term that the engine builds is like that.
const MISFIT: &str = "term of another sort";

/// Translates terms, each once.
#[derive(Default)]
pub(super) struct Translator {
    trees: FxHashMap<Term, Tree>,
    pub(super) conversions: Conversions,
}

impl Translator {
    /// The tree of a term that was translated.
    pub(super) fn get(&self, t: Term) -> Option<&Tree> {
        self.trees.get(&t)
    }

    pub(super) fn translate(&mut self, pool: &Pool, term: Term) -> Result<Tree, &'static str> {
        let mut todo = vec![term];
        while let Some(&t) = todo.last() {
            if self.trees.contains_key(&t) {
                todo.pop();
                continue;
            }
            let node = pool.node(t);
            let before = todo.len();
            todo.extend(node.children().filter(|c| !self.trees.contains_key(c)));
            if todo.len() > before {
                continue;
            }
            let tree = if let Some(tree) = self.common(pool, t, &node)? {
                tree
            } else if let Some(tree) = self.floats(pool, t, &node)? {
                tree
            } else {
                match pool.arith() {
                    Arith::Java => self.java(pool, t, node)?,
                    Arith::Unbounded => self.unbounded(pool, t, node)?,
                }
            };
            self.trees.insert(t, tree);
            todo.pop();
        }
        self.trees
            .get(&term)
            .cloned()
            .ok_or("term was not translated")
    }

    pub(super) fn truth(&self, t: Term) -> Result<&Bool, &'static str> {
        match self.trees.get(&t) {
            Some(Tree::Bool(b)) => Ok(b),
            _ => Err(MISFIT),
        }
    }

    pub(super) fn bits(&self, t: Term) -> Result<&BV, &'static str> {
        match self.trees.get(&t) {
            Some(Tree::Bv(b)) => Ok(b),
            _ => Err(MISFIT),
        }
    }

    pub(super) fn float(&self, t: Term) -> Result<&Float, &'static str> {
        match self.trees.get(&t) {
            Some(Tree::Float(f)) => Ok(f),
            _ => Err(MISFIT),
        }
    }

    fn int(&self, t: Term) -> Result<&Int, &'static str> {
        match self.trees.get(&t) {
            Some(Tree::Int(i)) => Ok(i),
            _ => Err(MISFIT),
        }
    }

    /// Nodes that mean the same under both arithmetics.
    fn common(&self, pool: &Pool, t: Term, node: &Node) -> Result<Option<Tree>, &'static str> {
        Ok(Some(match *node {
            Node::Const(Value::Bool(b)) => Tree::Bool(Bool::from_bool(b)),
            Node::Var(id) if pool.sort(t) == Sort::Bool => Tree::Bool(Bool::new_const(named(id))),
            Node::Not(a) => Tree::Bool(self.truth(a)?.not()),
            Node::And(a, b) => Tree::Bool(Bool::and(&[self.truth(a)?, self.truth(b)?])),
            Node::Or(a, b) => Tree::Bool(Bool::or(&[self.truth(a)?, self.truth(b)?])),
            Node::Eq(a, b) => match (self.trees.get(&a), self.trees.get(&b)) {
                (Some(Tree::Bool(x)), Some(Tree::Bool(y))) => Tree::Bool(Ast::eq(x, y)),
                (Some(Tree::Bv(x)), Some(Tree::Bv(y))) => Tree::Bool(Ast::eq(x, y)),
                (Some(Tree::Int(x)), Some(Tree::Int(y))) => Tree::Bool(Ast::eq(x, y)),
                // SMT-LIB's `=` on floats: one NaN, equal to itself, and two zeros.
                (Some(Tree::Float(x)), Some(Tree::Float(y))) => Tree::Bool(Ast::eq(x, y)),
                _ => return Err(MISFIT),
            },
            Node::Ite(c, a, b) => {
                let c = self.truth(c)?;
                match (self.trees.get(&a), self.trees.get(&b)) {
                    (Some(Tree::Bool(x)), Some(Tree::Bool(y))) => Tree::Bool(c.ite(x, y)),
                    (Some(Tree::Bv(x)), Some(Tree::Bv(y))) => Tree::Bv(c.ite(x, y)),
                    (Some(Tree::Int(x)), Some(Tree::Int(y))) => Tree::Int(c.ite(x, y)),
                    (Some(Tree::Float(x)), Some(Tree::Float(y))) => Tree::Float(c.ite(x, y)),
                    _ => return Err(MISFIT),
                }
            }
            _ => return Ok(None),
        }))
    }

    fn java(&self, pool: &Pool, t: Term, node: Node) -> Result<Tree, &'static str> {
        Ok(match node {
            Node::Const(Value::Bv(w, n)) => Tree::Bv(BV::from_i64(n, u32::from(w))),
            Node::Var(id) => match pool.sort(t) {
                Sort::Bv(w) => Tree::Bv(BV::new_const(named(id), u32::from(w))),
                _ => return Err(MISFIT),
            },
            Node::Bin(op, a, b) => {
                let (a, b) = (self.bits(a)?, self.bits(b)?);
                Tree::Bv(match op {
                    BvOp::Add => a.bvadd(b),
                    BvOp::Sub => a.bvsub(b),
                    BvOp::Mul => a.bvmul(b),
                    BvOp::Div => a.bvsdiv(b),
                    BvOp::Rem => a.bvsrem(b),
                    BvOp::Shl => a.bvshl(b),
                    BvOp::Shr => a.bvashr(b),
                    BvOp::Ushr => a.bvlshr(b),
                    BvOp::And => a.bvand(b),
                    BvOp::Or => a.bvor(b),
                    BvOp::Xor => a.bvxor(b),
                })
            }
            Node::Cmp(op, a, b) => {
                let (a, b) = (self.bits(a)?, self.bits(b)?);
                Tree::Bool(match op {
                    CmpOp::Slt => a.bvslt(b),
                    CmpOp::Sle => a.bvsle(b),
                    CmpOp::Ult => a.bvult(b),
                    CmpOp::Ule => a.bvule(b),
                })
            }
            Node::Neg(a) => Tree::Bv(self.bits(a)?.bvneg()),
            Node::Sext(w, a) => {
                let a = self.bits(a)?;
                Tree::Bv(a.sign_ext(u32::from(w) - a.get_size()))
            }
            Node::Zext(w, a) => {
                let a = self.bits(a)?;
                Tree::Bv(a.zero_ext(u32::from(w) - a.get_size()))
            }
            Node::Trunc(w, a) => Tree::Bv(self.bits(a)?.extract(u32::from(w) - 1, 0)),
            _ => return Err(MISFIT),
        })
    }

    fn unbounded(&self, pool: &Pool, t: Term, node: Node) -> Result<Tree, &'static str> {
        Ok(match node {
            Node::Const(Value::Bv(_, n)) => Tree::Int(Int::from_i64(n)),
            Node::Var(id) if matches!(pool.sort(t), Sort::Bv(_)) => {
                Tree::Int(Int::new_const(named(id)))
            }
            Node::Bin(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                Tree::Int(match op {
                    BvOp::Add => Int::add(&[a, b]),
                    BvOp::Sub => Int::sub(&[a, b]),
                    BvOp::Mul => Int::mul(&[a, b]),
                    BvOp::Div => a.div(b),
                    BvOp::Rem => a.modulo(b),
                    _ => return Err("bitwise operation on unbounded integers"),
                })
            }
            Node::Cmp(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                Tree::Bool(match op {
                    CmpOp::Slt => a.lt(b),
                    CmpOp::Sle => a.le(b),
                    CmpOp::Ult | CmpOp::Ule => {
                        return Err("unsigned comparison of unbounded integers");
                    }
                })
            }
            Node::Neg(a) => Tree::Int(self.int(a)?.unary_minus()),
            Node::Sext(_, a) | Node::Zext(_, a) | Node::Trunc(_, a) => {
                Tree::Int(self.int(a)?.clone())
            }
            _ => return Err(MISFIT),
        })
    }
}
