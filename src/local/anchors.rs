//! Places of two bodies that correspond: beginnings of statements that both versions have.

use super::body::Body;
use super::state::State;
use crate::bytecode::access::STATIC;
use crate::bytecode::class_file::Code;
use crate::bytecode::parameter_descriptors;
use crate::impact::{self, Fate, successors};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Instructions that correspond in the old and the new body.
pub struct Anchors {
    codes: [Arc<Code>; 2],
    partners: [FxHashMap<u32, u32>; 2],
}

impl Anchors {
    /// The anchors of two bodies with the same signature.
    pub fn between(old: &Body, new: &Body) -> Anchors {
        let body = |b: &Body| impact::Body::of(&b.code, &|m| m.class.clone());
        let (a, b) = (body(old), body(new));
        let parameters = parameter_descriptors(&new.method.descriptor);
        let widths = parameters.iter().map(|p| match p.as_str() {
            "J" | "D" => 2,
            _ => 1,
        });
        let is_static = new.method.access & STATIC != 0;
        let slots: u16 = widths.sum::<u16>() + u16::from(!is_static);
        let alignment = impact::align(&a, &b, slots);
        let is_begin = |body: &impact::Body, pc: u32| {
            body.stack.depth(pc) == Some(0) && body.statements.iter().any(|s| s.start == pc)
        };
        let mut partners = [FxHashMap::default(), FxHashMap::default()];
        let mut ends = Vec::new();
        for statement in &a.statements {
            let fate = |pc: u32| alignment.old.get(pc as usize);
            let Some(Fate::Same(first)) = fate(statement.start) else {
                continue;
            };
            let whole = statement
                .clone()
                .all(|pc| fate(pc) == Some(&Fate::Same(first + pc - statement.start)));
            if whole && is_begin(&a, statement.start) && is_begin(&b, *first) {
                partners[0].insert(statement.start, *first);
                partners[1].insert(*first, statement.start);
                ends.push((statement.end, first + statement.end - statement.start));
            }
        }
        // Behind a statement that both have, what differs begins in both at once: what one version inserts there comes after the
        // cut. A loop's head stays with the other's.
        let is_looped = |body: &Body, pc: u32| {
            let all = pc..body.code.insns.len() as u32;
            all.into_iter()
                .any(|from| successors(&body.code, from).contains(&pc))
        };
        for (p, q) in ends {
            let known = (partners[0].get(&p).copied(), partners[1].get(&q).copied());
            let inserts = match known {
                (None, None) => true,
                (Some(other), None) => other > q && !is_looped(old, p),
                (None, Some(other)) => other > p && !is_looped(new, q),
                _ => false,
            };
            if inserts && is_begin(&a, p) && is_begin(&b, q) {
                if let Some(other) = partners[0].insert(p, q) {
                    partners[1].remove(&other);
                }
                if let Some(other) = partners[1].insert(q, p) {
                    partners[0].remove(&other);
                }
            }
        }
        Anchors {
            codes: [old.code.clone(), new.code.clone()],
            partners,
        }
    }

    /// Whether an instruction of either body is an anchor.
    pub fn has(&self, code: &Arc<Code>, pc: u32) -> bool {
        let both = self.codes.iter().zip(&self.partners);
        both.into_iter()
            .any(|(c, partners)| Arc::ptr_eq(c, code) && partners.contains_key(&pc))
    }

    /// The instruction of the new body that corresponds to one of the old.
    pub fn in_new(&self, pc: u32) -> Option<u32> {
        self.partners[0].get(&pc).copied()
    }

    /// The instruction of the old body that corresponds to one of the new.
    pub fn in_old(&self, pc: u32) -> Option<u32> {
        self.partners[1].get(&pc).copied()
    }

    /// Whether both states are at anchors that correspond.
    pub(super) fn correspond(&self, old: &State, new: &State) -> bool {
        match (&old.frames[..], &new.frames[..]) {
            ([p], [q]) => self.in_new(p.pc) == Some(q.pc),
            _ => false,
        }
    }
}
