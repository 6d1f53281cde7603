//! Reachability from a program point, which pruning asks for (docs/architecture.md; paper 004, definition 4.2, and §6.1 between methods).

use super::call::{Call, Calls};
use super::cfg::edges;
use super::control::reversed;
use super::hierarchy::Hierarchy;
use crate::bytecode::class_file::{ClassFile, Code, Insn, Method};
use crate::model::MethodRef;
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

/// Numbers of the instructions that are looked for, by method. Several may share a number.
pub type Marks = BTreeMap<MethodRef, BTreeMap<u32, usize>>;

/// Nothing that is looked for can be reached.
pub const NEVER: u32 = u32::MAX;

/// Conservative answers: a mark is missing only where none of its instructions can be executed from there on, in this method or
/// by calls (class-hierarchy analysis; exceptional edges included). The callers on the stack are program points of their own.
///
/// Code outside the known classes comes to what it can call back: overrides of its methods, lambdas, initialisers. Reflection,
/// and libraries that aren't the JDK, may come to anything.
pub struct Reach {
    hierarchy: Arc<Hierarchy>,
    /// Bodies by their addresses, which the classes keep alive.
    bodies: FxHashMap<usize, u32>,
    /// Per method, per instruction: what is reached from there on in the method and in what it calls.
    from: Vec<Vec<BitSet>>,
    /// What code that is not known comes to.
    called_back: BitSet,
    all: BitSet,
}

impl Reach {
    /// Of these classes; any method of theirs may override one of a class that is not known.
    pub fn new(classes: Vec<Arc<ClassFile>>, marks: &Marks) -> Reach {
        Reach::knowing(classes, marks, |_, _| true, |_| false)
    }

    /// Of these classes, where it can be told whether one that is not among them, or one above that, has a method; and whether a
    /// mark at a method's first instruction stands for all that the method calls.
    pub fn knowing(
        classes: Vec<Arc<ClassFile>>,
        marks: &Marks,
        has: impl Fn(&str, &Method) -> bool,
        covers: impl Fn(usize) -> bool,
    ) -> Reach {
        let hierarchy = Arc::new(Hierarchy::of(classes));
        let methods = || (0..hierarchy.len()).filter_map(|m| Some((m, hierarchy.method(m)?)));
        let codes =
            methods().filter_map(|(n, (_, m))| Some((Arc::as_ptr(m.code.as_ref()?) as usize, n)));
        let mut reach = Reach {
            bodies: codes.collect(),
            from: vec![Vec::new(); hierarchy.len() as usize],
            called_back: BitSet::new(),
            all: marks.values().flat_map(|m| m.values()).copied().collect(),
            hierarchy,
        };
        reach.solve(marks, has, covers);
        reach
    }

    /// The classes it is about.
    pub fn hierarchy(&self) -> Arc<Hierarchy> {
        self.hierarchy.clone()
    }

    fn solve(
        &mut self,
        marks: &Marks,
        has: impl Fn(&str, &Method) -> bool,
        covers: impl Fn(usize) -> bool,
    ) {
        let mut calls = Calls::new(&self.hierarchy);
        let mut graphs: Vec<Graph> = (0..self.hierarchy.len())
            .map(|m| Graph::of(&self.hierarchy, &mut calls, m, marks))
            .collect();
        for graph in &mut graphs {
            if graph.marks.get(&0).is_some_and(|mark| covers(*mark)) {
                graph.calls.fill(Rc::default());
            }
        }
        let escaping = self.hierarchy.called_back(&has);
        let mut sites = Sites::of(&graphs, &self.all);
        let mut work: BTreeSet<u32> = (0..self.hierarchy.len()).collect();
        while let Some(method) = work.pop_first() {
            let at = method as usize;
            let solved = backwards(&graphs[at], |call| sites.reached(call).clone());
            let grew = solved.first() != self.from[at].first();
            self.from[at] = solved;
            let Some(entry) = self.from[at].first().filter(|_| grew) else {
                continue;
            };
            sites.grow(method, entry, &mut work);
            if escaping[at] && !entry.is_subset(&self.called_back) {
                self.called_back.union_with(entry);
                sites.grow_unknown(&self.called_back, &mut work);
            }
        }
    }

    fn called(&self, call: &Call) -> BitSet {
        let mut set = BitSet::new();
        for callee in &call.known {
            if let Some(entry) = self.from[*callee as usize].first() {
                set.union_with(entry);
            }
        }
        if call.unknown {
            set.union_with(if call.anything {
                &self.all
            } else {
                &self.called_back
            });
        }
        set
    }

    /// What is reached from each mark in its method and what that calls, and the method's code. The marks are numbered from 0,
    /// each once.
    pub fn within(&self, marks: &Marks) -> Vec<(*const Code, BitSet)> {
        let count = marks.values().map(BTreeMap::len).sum();
        let mut within = vec![(std::ptr::null(), BitSet::new()); count];
        for (id, pcs) in marks {
            let Some(number) = self.hierarchy.number(id) else {
                continue;
            };
            let method = self.hierarchy.method(number);
            let Some(code) = method.and_then(|(_, m)| m.code.as_ref()) else {
                continue;
            };
            for (pc, mark) in pcs {
                let from = self.from[number as usize].get(*pc as usize);
                if let (Some(slot), Some(from)) = (within.get_mut(*mark), from) {
                    *slot = (Arc::as_ptr(code), from.clone());
                }
            }
        }
        within
    }

    /// What the calls of one instruction come to.
    pub fn by_calls(&self, insn: &Insn) -> BitSet {
        self.called(&Call::of(&self.hierarchy, insn))
    }

    /// What is reached from each instruction of a body, its callers left aside.
    pub fn from(&self, code: &Arc<Code>) -> Vec<BitSet> {
        match self.bodies.get(&(Arc::as_ptr(code) as usize)) {
            Some(method) => self.from[*method as usize].clone(),
            None => {
                let mut calls = Calls::new(&self.hierarchy);
                let mut known: FxHashMap<*const Call, BitSet> = FxHashMap::default();
                backwards(&Graph::unmarked(&mut calls, code), |call| {
                    let set = known.entry(Rc::as_ptr(call));
                    set.or_insert_with(|| self.called(call)).clone()
                })
            }
        }
    }

    /// What is reached from the first instruction of a body of the known classes, its callers left aside.
    pub fn from_entry(&self, code: &Arc<Code>) -> Option<&BitSet> {
        let method = self.bodies.get(&(Arc::as_ptr(code) as usize))?;
        self.from[*method as usize].first()
    }
}

/// What is reached from each instruction of a body, as far as it is known of its calls.
fn backwards(graph: &Graph, called: impl FnMut(&Rc<Call>) -> BitSet) -> Vec<BitSet> {
    let mut sets: Vec<BitSet> = graph.calls.iter().map(called).collect();
    for (pc, mark) in &graph.marks {
        sets[*pc as usize].insert(*mark);
    }
    let before = reversed(&graph.edges);
    let mut work: BTreeSet<u32> = (0..sets.len() as u32)
        .filter(|pc| !sets[*pc as usize].is_empty())
        .collect();
    while let Some(pc) = work.pop_last() {
        for p in &before[pc as usize] {
            if *p != pc && !sets[pc as usize].is_subset(&sets[*p as usize]) {
                let more = sets[pc as usize].clone();
                sets[*p as usize].union_with(&more);
                work.insert(*p);
            }
        }
    }
    sets
}

/// The calls of all methods, each kind once: a method of an interface has thousands of callees and of callers in some projects.
struct Sites {
    numbers: FxHashMap<*const Call, usize>,
    /// What each is known to reach.
    reached: Vec<BitSet>,
    /// Methods that make it.
    callers: Vec<Vec<u32>>,
    /// Those that call what is not known, and no code that may do anything.
    unknown: Vec<usize>,
    /// By method, those that may come to it.
    to: Vec<Vec<usize>>,
}

impl Sites {
    fn of(graphs: &[Graph], all: &BitSet) -> Sites {
        let mut sites = Sites {
            numbers: FxHashMap::default(),
            reached: Vec::new(),
            callers: Vec::new(),
            unknown: Vec::new(),
            to: vec![Vec::new(); graphs.len()],
        };
        for (caller, graph) in graphs.iter().enumerate() {
            for call in &graph.calls {
                let number = sites.number(call, all);
                // Methods come in order, so one that has it already is the last one.
                if sites.callers[number].last() != Some(&(caller as u32)) {
                    sites.callers[number].push(caller as u32);
                }
            }
        }
        sites
    }

    /// The number of a kind of call.
    fn number(&mut self, call: &Rc<Call>, all: &BitSet) -> usize {
        let next = self.reached.len();
        let number = *self.numbers.entry(Rc::as_ptr(call)).or_insert(next);
        if number == next {
            self.callers.push(Vec::new());
            self.reached.push(match call.unknown && call.anything {
                true => all.clone(),
                false => BitSet::new(),
            });
            if call.unknown && !call.anything {
                self.unknown.push(number);
            }
            for callee in &call.known {
                self.to[*callee as usize].push(number);
            }
        }
        number
    }

    fn reached(&self, call: &Rc<Call>) -> &BitSet {
        &self.reached[self.numbers[&Rc::as_ptr(call)]]
    }

    /// More is reached from a method: so it is from the calls that come to it, and their callers are to be solved again.
    fn grow(&mut self, method: u32, entry: &BitSet, work: &mut BTreeSet<u32>) {
        for site in &self.to[method as usize] {
            if !entry.is_subset(&self.reached[*site]) {
                self.reached[*site].union_with(entry);
                work.extend(&self.callers[*site]);
            }
        }
    }

    /// More is reached from code that is not known.
    fn grow_unknown(&mut self, called_back: &BitSet, work: &mut BTreeSet<u32>) {
        for site in &self.unknown {
            if !called_back.is_subset(&self.reached[*site]) {
                self.reached[*site].union_with(called_back);
                work.extend(&self.callers[*site]);
            }
        }
    }
}

/// A method's edges, calls and marks.
#[derive(Default)]
struct Graph {
    edges: Vec<Vec<u32>>,
    calls: Vec<Rc<Call>>,
    marks: BTreeMap<u32, usize>,
}

impl Graph {
    fn of(hierarchy: &Hierarchy, calls: &mut Calls, method: u32, marks: &Marks) -> Graph {
        let Some((class, method)) = hierarchy.method(method) else {
            return Graph::default();
        };
        let Some(code) = &method.code else {
            return Graph::default();
        };
        let mut graph = Graph::unmarked(calls, code);
        graph.marks = marks
            .get(&super::id(class, method))
            .cloned()
            .unwrap_or_default();
        graph
            .marks
            .retain(|pc, _| (*pc as usize) < code.insns.len());
        graph
    }

    fn unmarked(calls: &mut Calls, code: &Code) -> Graph {
        Graph {
            edges: edges(code),
            calls: code.insns.iter().map(|i| calls.of(i)).collect(),
            marks: BTreeMap::new(),
        }
    }
}

/// Instructions from each one to the nearest that hits, over normal and exceptional edges.
pub fn distances(code: &Code, hits: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut before = reversed(&edges(code));
    let n = code.insns.len() as u32;
    let mut distances = vec![NEVER; n as usize];
    let mut todo: VecDeque<u32> = (0..n).filter(|pc| hits(*pc)).collect();
    for pc in &todo {
        distances[*pc as usize] = 0;
    }
    while let Some(pc) = todo.pop_front() {
        for p in std::mem::take(&mut before[pc as usize]) {
            if distances[p as usize] == NEVER {
                distances[p as usize] = distances[pc as usize] + 1;
                todo.push_back(p);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests;
