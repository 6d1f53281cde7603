//! Requests that two methods count as one in the next attempt at a proof.

use super::body::Body;
use super::obligation::parameters;
use super::pairings::Pairings;
use super::product::Product;
use super::renames::alike;
use super::state::{Event, Target, Unproved};
use crate::bytecode::access::SYNCHRONIZED;
use crate::solver::Constraints;
use std::sync::Arc;

/// Least share of instructions, in hundredths, that two methods must have in common to be compared as one.
const LEAST_ALIKE: usize = 60;

impl Product<'_> {
    /// Requests that the methods which two calls come to count as one in the next attempt, if they are alike. Returns whether
    /// they are.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn request_pairing(
        &mut self,
        condition: &Constraints,
        old: &Event,
        new: &Event,
    ) -> Result<bool, Unproved> {
        let (Some(a), Some(b)) = (&old.callee, &new.callee) else {
            return Ok(false);
        };
        if !may_pair(a, b) {
            return Ok(false);
        }
        let types = [a, b].map(|t| parameters(&t.body));
        let fits = |i: usize, j: usize| match (types[0].get(i), types[1].get(j)) {
            (Some(p), Some(q)) => {
                let is_reference = |d: &String| d.starts_with(['L', '[']);
                p == q || is_reference(p) && is_reference(q)
            }
            _ => false,
        };
        let mut places: Vec<[usize; 2]> = Vec::new();
        for (j, q) in new.args.iter().enumerate() {
            // One of the same type first, in order.
            let mut all: Vec<usize> = (0..old.args.len()).filter(|i| fits(*i, j)).collect();
            all.sort_by_key(|i| {
                let taken = places.iter().any(|p| p[0] == *i);
                (taken, types[0].get(*i) != types[1].get(j))
            });
            for i in all {
                if self.context.are_equal(condition, old.args[i], *q)? {
                    places.push([i, j]);
                    break;
                }
            }
        }
        let constructs = &*b.body.method.name == "<init>";
        if constructs && places.first() != Some(&[0, 0]) {
            return Ok(false);
        }
        let pair = Pairings::of_two([a.body.clone(), b.body.clone()], places);
        Ok(self.context.to_pair.extend(pair))
    }
}

/// Whether two methods may be compared as one: they have results of the same type, and much in common.
fn may_pair(old: &Target, new: &Target) -> bool {
    let (a, b) = (&old.body, &new.body);
    let result = |b: &Body| b.method.descriptor.rsplit(')').next().map(str::to_string);
    let constructs = |b: &Body| (&*b.method.name == "<init>").then(|| b.class.name.clone());
    !Arc::ptr_eq(&a.code, &b.code)
        && (a.method.access | b.method.access) & SYNCHRONIZED == 0
        && result(a) == result(b)
        && constructs(a) == constructs(b)
        && alike(&a.method, &b.method) >= LEAST_ALIKE
}
