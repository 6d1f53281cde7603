//! A path condition with a model that satisfies it, and what is known of single variables.

use crate::expr::{CmpOp, Model, Node, Pool, Term, Value, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A path condition; cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    terms: Arc<Vec<Term>>,
    domains: Arc<BTreeMap<VarId, (i64, i64)>>,
    model: Model,
}

impl Constraints {
    /// No condition but the known ranges of the pool's variables.
    pub fn initial(pool: &Pool) -> Constraints {
        let outside_zero = (0..pool.vars()).map(|i| VarId(i as u32)).filter_map(|v| {
            let (lo, hi) = pool.var_range(v)?;
            let nearest = 0.clamp(lo, hi);
            let value = match Value::zero(pool.var_sort(v)) {
                Value::Bv(w, _) => Value::Bv(w, nearest),
                other => other,
            };
            (nearest != 0).then_some((v, value))
        });
        Constraints {
            model: Model::default().overlaid(outside_zero),
            ..Constraints::default()
        }
    }

    /// No condition but the known ranges of the pool's variables, in which the model's values have to be.
    pub fn with_model(model: Model) -> Constraints {
        Constraints {
            model,
            ..Constraints::default()
        }
    }

    /// The conjuncts, oldest first.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// A model of the path condition.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// With further conjuncts, satisfied by `model`.
    pub(super) fn extended(&self, pool: &Pool, more: &[Term], model: Model) -> Constraints {
        let mut terms = (*self.terms).clone();
        let mut domains = self.domains.clone();
        for term in more {
            terms.push(*term);
            if let Some((var, lo, hi)) = bound(pool, *term) {
                // A conjunct before this one may have narrowed it already.
                let before = domains.get(&var).copied();
                let before = before.unwrap_or_else(|| self.domain(pool, var));
                Arc::make_mut(&mut domains).insert(var, (before.0.max(lo), before.1.min(hi)));
            }
        }
        Constraints {
            terms: Arc::new(terms),
            domains,
            model,
        }
    }

    /// The interval a variable is known to lie in.
    pub(super) fn domain(&self, pool: &Pool, var: VarId) -> (i64, i64) {
        self.domains
            .get(&var)
            .copied()
            .or(pool.var_range(var))
            .unwrap_or((i64::MIN, i64::MAX))
    }

    /// What the intervals alone say of a condition.
    pub(super) fn decide(&self, pool: &Pool, term: Term) -> Option<bool> {
        if let Some((var, lo, hi)) = bound(pool, term) {
            let (a, b) = self.domain(pool, var);
            if a.max(lo) > b.min(hi) {
                return Some(false);
            }
            if lo <= a && b <= hi {
                return Some(true);
            }
        }
        None
    }
}

/// The interval that a comparison of a variable with a constant stands for.
fn bound(pool: &Pool, term: Term) -> Option<(VarId, i64, i64)> {
    let var = |t: Term| match pool.node(t) {
        Node::Var(v) => Some(v),
        _ => None,
    };
    let (min, max) = (i64::MIN, i64::MAX);
    match pool.node(term) {
        Node::Eq(a, b) => {
            let n = pool.as_i64(b)?;
            Some((var(a)?, n, n))
        }
        Node::Cmp(op @ (CmpOp::Slt | CmpOp::Sle), a, b) => {
            let strict = i64::from(op == CmpOp::Slt);
            match (pool.as_i64(a), pool.as_i64(b)) {
                (Some(n), None) => Some((var(b)?, n.checked_add(strict)?, max)),
                (None, Some(n)) => Some((var(a)?, min, n.checked_sub(strict)?)),
                _ => None,
            }
        }
        _ => None,
    }
}
