//! The change sets of both versions: which statements differ, and which correspond (paper 004, §4.1.3).

use super::alignment::{Fate, align};
use super::dependence_graph::{DependenceGraph, Node, NodeKind};
use super::stack::slots;
use crate::bytecode::access::STATIC;
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{parameter_descriptors, same_code};
use std::collections::{BTreeMap, BTreeSet};

/// Changed statements, and the map from unchanged old statements to new ones.
#[derive(Debug, Default)]
pub struct ChangeSet {
    /// Statements of the old version that were changed or removed.
    pub removed: BTreeSet<Node>,
    /// Statements of the new version that were changed or added.
    pub added: BTreeSet<Node>,
    /// Old statements that the new version has unchanged.
    pub map: BTreeMap<Node, Node>,
}

/// Compares all methods of two versions.
pub fn compare(old: &DependenceGraph, new: &DependenceGraph) -> ChangeSet {
    let mut out = ChangeSet::default();
    for number in 0..old.hierarchy().len() {
        if twin(old, number, new).is_none() {
            out.removed.extend(statements(old, number));
        }
    }
    for number in 0..new.hierarchy().len() {
        match twin(new, number, old) {
            None => out.added.extend(statements(new, number)),
            Some(before) => pair(old, before, new, number, &mut out),
        }
    }
    out
}

/// The method of the same class, name and descriptor in the other version.
fn twin(program: &DependenceGraph, number: u32, other: &DependenceGraph) -> Option<u32> {
    let (class, method) = program.hierarchy().method(number)?;
    other.hierarchy().number(&super::id(class, method))
}

fn node(method: u32, statement: u32) -> Node {
    Node {
        method,
        place: NodeKind::Statement(statement),
    }
}

fn statements(program: &DependenceGraph, method: u32) -> impl Iterator<Item = Node> {
    let count = program
        .body(method)
        .map_or(0, |b| b.statements.len() as u32);
    (0..count).map(move |s| node(method, s))
}

fn unchanged(a: Option<(&ClassFile, &Method)>, b: Option<(&ClassFile, &Method)>) -> bool {
    matches!((a, b), (Some((_, a)), Some((_, b))) if same_code(a, b))
}

/// Slots that the receiver and the parameters of a method take.
fn parameter_slots(program: &DependenceGraph, method: u32) -> u16 {
    program.hierarchy().method(method).map_or(0, |(_, m)| {
        let receiver = u16::from(m.access & STATIC == 0);
        let all = parameter_descriptors(&m.descriptor);
        all.iter()
            .fold(receiver, |sum, d| sum.saturating_add(slots(d) as u16))
    })
}

fn pair(
    old: &DependenceGraph,
    before: u32,
    new: &DependenceGraph,
    after: u32,
    out: &mut ChangeSet,
) {
    if unchanged(
        old.hierarchy().method(before),
        new.hierarchy().method(after),
    ) {
        // The bodies are only read where something reaches them.
        return;
    }
    let (Some(a), Some(b)) = (old.body(before), new.body(after)) else {
        out.removed.extend(statements(old, before));
        out.added.extend(statements(new, after));
        return;
    };
    let fates = align(a, b, parameter_slots(new, after));
    for s in 0..b.statements.len() as u32 {
        let range = b.instructions(s);
        let first = fates.new.get(range.start as usize);
        let partner = match first {
            Some(Fate::Same(pc)) => a.statement_of(*pc),
            _ => None,
        };
        // A statement is the same if all of it is, and nothing else was part of it.
        let whole = |p: &u32| {
            let there = a.instructions(*p);
            there.len() == range.len()
                && range
                    .clone()
                    .zip(there)
                    .all(|(n, o)| fates.new.get(n as usize) == Some(&Fate::Same(o)))
        };
        match partner.filter(whole) {
            Some(p) => {
                out.map.insert(node(before, p), node(after, s));
            }
            None => {
                out.added.insert(node(after, s));
            }
        }
    }
    let kept = |n: &Node| out.map.contains_key(n);
    let gone: Vec<Node> = statements(old, before).filter(|n| !kept(n)).collect();
    out.removed.extend(gone);
}

/// The new statement that an old one corresponds to.
pub fn map(
    old: &DependenceGraph,
    new: &DependenceGraph,
    changes: &ChangeSet,
    of: Node,
) -> Option<Node> {
    if changes.removed.contains(&of) {
        return None;
    }
    if let Some(mapped) = changes.map.get(&of) {
        return Some(*mapped);
    }
    // A method without changes has the same statements.
    let method = twin(old, of.method, new)?;
    let NodeKind::Statement(statement) = of.place else {
        return None;
    };
    let exists = new.body(method)?.statements.len() as u32 > statement;
    exists.then_some(node(method, statement))
}
