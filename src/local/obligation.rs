//! A proof obligation: two bodies that are taken to do the same for the same arguments.

use super::body::Body;
use crate::bytecode::access::STATIC;
use crate::bytecode::parameter_descriptors;
use std::collections::BTreeMap;

/// Two bodies that a proof assumes to do the same.
#[derive(Clone)]
pub struct Obligation {
    /// The bodies: old, new.
    pub bodies: [Body; 2],
    /// Which arguments are the same: those of one number, by version.
    pub numbers: [Vec<usize>; 2],
    /// Whether they are those of methods, not of lambdas.
    pub is_of_methods: bool,
}

impl Obligation {
    /// A text that identifies the obligation.
    pub fn key(&self) -> String {
        let text = |b: &Body| {
            format!(
                "{} {} {:?}",
                b.class.name, b.method.descriptor, b.code.insns
            )
        };
        let [a, b] = &self.bodies;
        format!("{} | {} | {:?}", text(a), text(b), self.numbers)
    }
}

/// Obligations by their text.
pub type Obligations = BTreeMap<String, Obligation>;

/// Descriptors of a body's receiver, if any, and parameters.
pub fn parameters(body: &Body) -> Vec<String> {
    let mut all = parameter_descriptors(&body.method.descriptor);
    if body.method.access & STATIC == 0 {
        all.insert(0, format!("L{};", body.class.name));
    }
    all
}
