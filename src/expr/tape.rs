//! Conditions compiled for evaluation under many models.

use super::eval::apply;
use super::pool::Pool;
use super::term::{BvOp, Node, Term, Value, VarId};
use rustc_hash::FxHashSet;

/// The nodes of conditions, operands first; each condition's own follow those of the ones before.
pub struct Tape {
    parts: Vec<(Term, Vec<(Term, Node)>)>,
    /// Values by term, from the first term of any part on.
    values: Vec<Value>,
    first: u32,
}

impl Tape {
    /// The tape of conditions.
    pub fn new(pool: &Pool, conditions: &[Term]) -> Tape {
        let mut known: FxHashSet<Term> = FxHashSet::default();
        let part = |condition: &Term| (*condition, part(pool, *condition, &mut known));
        let mut parts: Vec<(Term, Vec<(Term, Node)>)> = conditions.iter().map(part).collect();
        let first = known.iter().map(|t| t.0).min().unwrap_or(0);
        let last = known.iter().map(|t| t.0).max().unwrap_or(0);
        let mut values = vec![Value::Bool(false); (last - first) as usize + 1];
        for (term, node) in parts.iter().flat_map(|(_, part)| part) {
            if let Node::Const(value) = node {
                values[(term.0 - first) as usize] = *value;
            }
        }
        for (_, part) in &mut parts {
            part.retain(|(_, node)| !matches!(node, Node::Var(_) | Node::Const(_)));
        }
        Tape {
            parts,
            values,
            first,
        }
    }

    /// How many nodes one evaluation computes at most.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|(_, part)| part.len()).sum()
    }

    /// Whether there is nothing to compute.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it has what solvers find hard: floats, and products and quotients of what is not constant.
    pub fn is_hard(&self, pool: &Pool) -> bool {
        let hard = |(term, node): &(Term, Node)| match node {
            Node::Bin(BvOp::Mul | BvOp::Div | BvOp::Rem, a, b) => {
                !pool.is_const(*a) && !pool.is_const(*b)
            }
            _ => pool.has_floats(*term),
        };
        self.parts.iter().flat_map(|(_, part)| part).any(hard)
    }

    /// Whether all conditions hold under these values of their variables. As in `Pool::eval`, what has no value is zero.
    pub fn holds(&mut self, pool: &Pool, model: impl Iterator<Item = (VarId, Value)>) -> bool {
        let Tape {
            parts,
            values,
            first,
        } = self;
        let at = |term: Term| (term.0 - *first) as usize;
        for (var, value) in model {
            values[at(pool.var_term(var))] = value;
        }
        parts.iter().all(|(condition, part)| {
            for (term, node) in part {
                let value = apply(node, pool.arith(), |t| Some(values[at(t)]));
                values[at(*term)] = value.unwrap_or_else(|| Value::zero(pool.sort(*term)));
            }
            values[at(*condition)] == Value::Bool(true)
        })
    }
}

/// The nodes of a condition that are not yet known, operands first.
fn part(pool: &Pool, condition: Term, known: &mut FxHashSet<Term>) -> Vec<(Term, Node)> {
    let (mut todo, mut part) = (vec![condition], Vec::new());
    while let Some(&term) = todo.last() {
        let node = pool.node(term);
        let before = todo.len();
        if !known.contains(&term) {
            todo.extend(node.children().filter(|c| !known.contains(c)));
        }
        if todo.len() > before {
            continue;
        }
        todo.pop();
        if known.insert(term) {
            part.push((term, node));
        }
    }
    part
}
