//! Methods that took each other's place: a call of one counts as a call of the other, if their bodies are proved to do the same.

use super::body::Body;
use super::obligation::{Obligation, parameters};
use crate::bytecode::access::STATIC;
use std::sync::Arc;

/// Two methods, and which of their arguments are the same.
#[derive(Clone)]
pub(super) struct Pairing {
    /// The bodies: old, new.
    bodies: [Body; 2],
    /// Positions of arguments that both take: old, new. A receiver is at 0.
    places: Vec<[usize; 2]>,
}

/// Pairs of methods, each method in one of them at most.
#[derive(Clone, Default)]
pub(super) struct Pairings(Vec<Pairing>);

impl Pairing {
    /// The pair of two methods of one name and of the same parameters, one of which may have become static.
    pub(super) fn of_namesakes(old: &Body, new: &Body) -> Pairing {
        let count = |b: &Body| parameters(b).len();
        let first = |b: &Body| usize::from(b.method.access & STATIC == 0);
        let (a, b) = (first(old), first(new));
        let common = (count(old) - a).min(count(new) - b);
        let mut places: Vec<[usize; 2]> = (0..common).map(|i| [a + i, b + i]).collect();
        if (a, b) == (1, 1) {
            places.insert(0, [0, 0]);
        }
        Pairing {
            bodies: [old.clone(), new.clone()],
            places,
        }
    }

    /// What has to be proved: that both do the same if these arguments are the same, whatever the others are.
    pub(super) fn obligation(&self) -> Obligation {
        let [old, new] = self.bodies.each_ref().map(|b| parameters(b).len());
        let number = |at: usize| {
            let mut places = self.places.iter();
            let place = places.find(|p| p[1] == at);
            place.map_or(old + at, |p| p[0])
        };
        Obligation {
            bodies: self.bodies.clone(),
            numbers: [(0..old).collect(), (0..new).map(number).collect()],
            is_of_methods: true,
        }
    }

    /// The arguments of a call of the old or the new method that the other takes too.
    pub(super) fn common<T: Copy>(&self, is_old: bool, args: &[T]) -> Vec<T> {
        let side = usize::from(!is_old);
        let places = self.places.iter().map(|p| p[side]);
        places.filter_map(|at| args.get(at).copied()).collect()
    }

    /// The name of a call of either.
    pub(super) fn call_name(&self) -> String {
        let [_, new] = &self.bodies;
        let method = &new.method;
        format!(
            "Paired {}#{}{}",
            new.class.name, method.name, method.descriptor
        )
    }
}

impl Pairings {
    /// The pair of two methods, with the positions of the arguments that both take.
    pub(super) fn of_two(bodies: [Body; 2], places: Vec<[usize; 2]>) -> Pairings {
        Pairings(vec![Pairing { bodies, places }])
    }

    /// The pair of an old or a new method.
    pub(super) fn of(&self, is_old: bool, body: &Body) -> Option<&Pairing> {
        let side = usize::from(!is_old);
        let is_it = |p: &&Pairing| Arc::ptr_eq(&p.bodies[side].code, &body.code);
        self.0.iter().find(is_it)
    }

    /// Adds pairs of methods that are in none yet. Returns whether there were some.
    pub(super) fn extend(&mut self, more: Pairings) -> bool {
        let before = self.0.len();
        for pairing in more.0 {
            let [old, new] = &pairing.bodies;
            if self.of(true, old).is_none() && self.of(false, new).is_none() {
                self.0.push(pairing);
            }
        }
        self.0.len() > before
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
