//! The impact of a patch: both versions analysed, the old one's impact set mapped onto the new one (paper 004, §4.1).

use super::change_set::{ChangeSet, compare, map};
use super::dependence_graph::{DependenceGraph, Link, Node, NodeKind};
use super::rules::{Rule, Step, impact};
use super::variable::Flow;
use crate::bytecode::class_file::ClassFile;
use crate::model::MethodRef;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Changed and impacted code of a patch.
#[derive(Debug, Clone, Default)]
pub struct Impact {
    /// Methods of the new version with changed or impacted statements.
    pub methods: Vec<ImpactedMethod>,
    /// Changed and removed statements of the old version, by method.
    pub removed: Vec<ImpactedMethod>,
    /// Methods from which changed ones are called, nearest first.
    pub callers: Vec<Caller>,
}

/// A method with its statements.
#[derive(Debug, Clone)]
pub struct ImpactedMethod {
    /// The method.
    pub id: MethodRef,
    /// All of its statements, unaffected ones too.
    pub statements: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Source line, 0 where unknown.
    pub line: u32,
    /// First instruction.
    pub first: u32,
    /// Statements that may come next.
    pub next: Vec<u32>,
    /// Why it is in the impact set; `None` if it isn't.
    pub status: Option<Status>,
}

/// Membership in the impact set.
#[derive(Debug, Clone)]
pub struct Status {
    /// When it came in, from 0.
    pub step: usize,
    /// What brought it in; `None` for a changed statement.
    pub cause: Option<Cause>,
}

/// What brought a statement into the impact set.
#[derive(Debug, Clone)]
pub struct Cause {
    /// The rule.
    pub rule: Rule,
    /// What carried the impact.
    pub link: Link,
    /// The method of the node that brought it in.
    pub method: MethodRef,
    /// That node.
    pub node: Origin,
    /// Whether this happened in the old version, and the statement was mapped to the new one.
    pub in_old_version: bool,
}

/// A node that brings others in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A statement: its source line and its number in the method.
    Statement {
        /// Source line.
        line: u32,
        /// Number.
        number: u32,
    },
    /// A parameter, by name.
    Parameter(String),
}

/// A method that calls a changed one, directly or through others.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The caller.
    pub id: MethodRef,
    /// The method it calls: a changed one at distance 1, else one that is a caller itself.
    pub calls: MethodRef,
    /// Source line of the call.
    pub line: u32,
    /// Number of calls to the changed method.
    pub distance: u32,
    /// Whether some of its statements are impacted.
    pub impacted: bool,
}

/// Analyses a patch from the class files of both versions.
pub fn analyse(old: Vec<Arc<ClassFile>>, new: Vec<Arc<ClassFile>>, flow: Flow) -> Impact {
    let (old, new) = (
        DependenceGraph::of(old, flow),
        DependenceGraph::of(new, flow),
    );
    let changes = compare(&old, &new);
    let in_old = impact(changes.removed.iter().copied(), &old);
    let in_new = impact(changes.added.iter().copied(), &new);
    let mut states: BTreeMap<Node, Status> = BTreeMap::new();
    let mut step = 0;
    for found in &in_new {
        enter(&new, found, found.node, false, &mut step, &mut states);
    }
    for found in in_old.iter().filter(|s| s.by.is_some()) {
        if let Some(node) = map(&old, &new, &changes, found.node) {
            enter(&old, found, node, true, &mut step, &mut states);
        }
    }
    let gone = changes.removed.iter().enumerate();
    let gone = gone.map(|(step, node)| (*node, Status { step, cause: None }));
    Impact {
        callers: callers(&old, &new, &changes, &states),
        methods: methods(&new, &states),
        removed: methods(&old, &gone.collect()),
    }
}

fn enter(
    program: &DependenceGraph,
    found: &Step<Node, Link>,
    node: Node,
    in_old_version: bool,
    step: &mut usize,
    states: &mut BTreeMap<Node, Status>,
) {
    if states.contains_key(&node) || matches!(node.place, NodeKind::Parameter(_)) {
        return;
    }
    let cause = found.by.as_ref().and_then(|(by, rule, link)| {
        Some(Cause {
            rule: *rule,
            link: link.clone(),
            method: id(program, by.method)?,
            node: origin(program, *by),
            in_old_version,
        })
    });
    states.insert(node, Status { step: *step, cause });
    *step += 1;
}

fn id(program: &DependenceGraph, method: u32) -> Option<MethodRef> {
    let (class, method) = program.hierarchy().method(method)?;
    Some(super::id(class, method))
}

fn origin(program: &DependenceGraph, node: Node) -> Origin {
    match node.place {
        NodeKind::Statement(number) => Origin::Statement {
            line: program.body(node.method).map_or(0, |b| b.line(number)),
            number,
        },
        NodeKind::Parameter(slot) => {
            let local = program
                .body(node.method)
                .map(|b| super::Variable::local(&b.code, slot, 0));
            Origin::Parameter(local.map_or_else(String::new, |v| v.to_string()))
        }
    }
}

fn methods(program: &DependenceGraph, states: &BTreeMap<Node, Status>) -> Vec<ImpactedMethod> {
    let numbers: BTreeSet<u32> = states.keys().map(|n| n.method).collect();
    let of = |method: u32| {
        let body = program.body(method)?;
        let statement = |s: u32| {
            let place = NodeKind::Statement(s);
            Statement {
                line: body.line(s),
                first: body.instructions(s).start,
                next: body.next.get(s as usize).cloned().unwrap_or_default(),
                status: states.get(&Node { method, place }).cloned(),
            }
        };
        Some(ImpactedMethod {
            id: id(program, method)?,
            statements: (0..body.statements.len() as u32).map(statement).collect(),
        })
    };
    numbers.into_iter().filter_map(of).collect()
}

/// Backwards along calls from the changed methods, those of the old version too: a removed override is reached by its callers.
fn callers(
    old: &DependenceGraph,
    new: &DependenceGraph,
    changes: &ChangeSet,
    states: &BTreeMap<Node, Status>,
) -> Vec<Caller> {
    let impacted: BTreeSet<u32> = states.keys().map(|n| n.method).collect();
    let mut found: BTreeMap<MethodRef, Caller> = BTreeMap::new();
    for (program, changed) in [(new, &changes.added), (old, &changes.removed)] {
        let changed: BTreeSet<u32> = changed.iter().map(|n| n.method).collect();
        for caller in walk(program, &changed) {
            let number = new.hierarchy().number(&caller.id);
            let mut caller = caller;
            caller.impacted = number.is_some_and(|n| impacted.contains(&n));
            let nearer = |c: &Caller| c.distance <= caller.distance;
            if !found.get(&caller.id).is_some_and(nearer) {
                found.insert(caller.id.clone(), caller);
            }
        }
    }
    let mut all: Vec<Caller> = found.into_values().collect();
    all.sort_by(|a, b| (a.distance, &a.id).cmp(&(b.distance, &b.id)));
    all
}

fn walk(program: &DependenceGraph, changed: &BTreeSet<u32>) -> Vec<Caller> {
    let mut seen = changed.clone();
    let mut queue: VecDeque<(u32, u32)> = changed.iter().map(|m| (*m, 1)).collect();
    let mut out = Vec::new();
    while let Some((callee, distance)) = queue.pop_front() {
        for (caller, pc) in program.callers(callee) {
            if !seen.insert(*caller) {
                continue;
            }
            queue.push_back((*caller, distance + 1));
            let line = program
                .hierarchy()
                .method(*caller)
                .and_then(|(_, m)| m.code.as_ref()?.lines.get(*pc as usize).copied());
            if let (Some(caller), Some(calls)) = (id(program, *caller), id(program, callee)) {
                out.push(Caller {
                    id: caller,
                    calls,
                    line: line.unwrap_or(0),
                    distance,
                    impacted: false,
                });
            }
        }
    }
    out
}
