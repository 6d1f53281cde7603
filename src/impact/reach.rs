//! Reachability from a program point, which pruning asks for (docs/architecture.md; paper 004, definition 4.2, and §6.1 between methods).

use super::call::Call;
use super::cfg::edges;
use super::control::reversed;
use super::hierarchy::Hierarchy;
use crate::bytecode::class_file::{ClassFile, Code, Insn, Method};
use crate::model::MethodRef;
use bit_set::BitSet;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
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
    hierarchy: Hierarchy,
    bodies: FxHashMap<*const Code, u32>,
    /// Per method, per instruction: what is reached from there on in the method and in what it calls.
    from: Vec<Vec<BitSet>>,
    /// What code that is not known comes to.
    called_back: BitSet,
    all: BitSet,
}

impl Reach {
    /// Of these classes; any method of theirs may override one of a class that is not known.
    pub fn new(classes: Vec<Arc<ClassFile>>, marks: &Marks) -> Reach {
        Reach::knowing(classes, marks, |_, _| true)
    }

    /// Of these classes, where it can be told whether one that is not among them, or one above that, has a method.
    pub fn knowing(
        classes: Vec<Arc<ClassFile>>,
        marks: &Marks,
        has: impl Fn(&str, &Method) -> bool,
    ) -> Reach {
        let hierarchy = Hierarchy::of(classes);
        let methods = || (0..hierarchy.len()).filter_map(|m| Some((m, hierarchy.method(m)?)));
        let codes = methods().filter_map(|(n, (_, m))| Some((Arc::as_ptr(m.code.as_ref()?), n)));
        let mut reach = Reach {
            bodies: codes.collect(),
            from: vec![Vec::new(); hierarchy.len() as usize],
            called_back: BitSet::new(),
            all: marks.values().flat_map(|m| m.values()).copied().collect(),
            hierarchy,
        };
        reach.solve(marks, has);
        reach
    }

    fn solve(&mut self, marks: &Marks, has: impl Fn(&str, &Method) -> bool) {
        let graphs: Vec<Graph> = (0..self.hierarchy.len())
            .map(|m| Graph::of(&self.hierarchy, m, marks))
            .collect();
        let escaping: Vec<bool> = (0..self.hierarchy.len())
            .map(|m| self.hierarchy.may_be_called_back(m, &has))
            .collect();
        let mut callers: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); graphs.len()];
        for (caller, graph) in graphs.iter().enumerate() {
            for callee in graph.calls.iter().flat_map(|c| &c.known) {
                callers[*callee as usize].insert(caller as u32);
            }
        }
        let calls_unknown = |g: &Graph| g.calls.iter().any(|c| c.unknown);
        let mut work: BTreeSet<u32> = (0..self.hierarchy.len()).collect();
        while let Some(method) = work.pop_first() {
            let at = method as usize;
            let solved = self.backwards(&graphs[at]);
            let grew = solved.first() != self.from[at].first();
            self.from[at] = solved;
            if !grew {
                continue;
            }
            work.extend(&callers[at]);
            let entry = self.from[at].first().cloned().unwrap_or_default();
            if escaping[at] && !entry.is_subset(&self.called_back) {
                self.called_back.union_with(&entry);
                let unknown =
                    (0..self.hierarchy.len()).filter(|m| calls_unknown(&graphs[*m as usize]));
                work.extend(unknown);
            }
        }
    }

    /// What is reached from each instruction, as far as the callees are known.
    fn backwards(&self, graph: &Graph) -> Vec<BitSet> {
        let mut sets: Vec<BitSet> = graph.calls.iter().map(|c| self.called(c)).collect();
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
        match self.bodies.get(&Arc::as_ptr(code)) {
            Some(method) => self.from[*method as usize].clone(),
            None => self.backwards(&Graph::unmarked(&self.hierarchy, code)),
        }
    }
}

/// A method's edges, calls and marks.
#[derive(Default)]
struct Graph {
    edges: Vec<Vec<u32>>,
    calls: Vec<Call>,
    marks: BTreeMap<u32, usize>,
}

impl Graph {
    fn of(hierarchy: &Hierarchy, method: u32, marks: &Marks) -> Graph {
        let Some((class, method)) = hierarchy.method(method) else {
            return Graph::default();
        };
        let Some(code) = &method.code else {
            return Graph::default();
        };
        let mut graph = Graph::unmarked(hierarchy, code);
        graph.marks = marks
            .get(&super::id(class, method))
            .cloned()
            .unwrap_or_default();
        graph
            .marks
            .retain(|pc, _| (*pc as usize) < code.insns.len());
        graph
    }

    fn unmarked(hierarchy: &Hierarchy, code: &Code) -> Graph {
        Graph {
            edges: edges(code),
            calls: code.insns.iter().map(|i| Call::of(hierarchy, i)).collect(),
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
mod tests {
    use super::super::testing::{call, class, code, guarded, member, method};
    use super::{Marks, Reach, distances};
    use crate::bytecode::class_file::{Cmp, Code, Insn, InvokeKind, Prim};
    use crate::model::MethodRef;

    fn id(class: &str, name: &str) -> MethodRef {
        MethodRef {
            class: class.into(),
            name: name.into(),
            descriptor: "()V".into(),
        }
    }

    fn changed(class: &str, name: &str, pc: u32) -> Marks {
        [(id(class, name), [(pc, 0)].into())].into()
    }

    impl Reach {
        fn reaches(&self, id: &MethodRef, pc: u32) -> bool {
            let number = self.hierarchy.number(id).map(|n| n as usize);
            number.is_some_and(|n| self.from[n][pc as usize].contains(0))
        }
    }

    /// A class with static methods.
    fn reach(methods: Vec<(&str, Code)>, changed: &Marks) -> Reach {
        let methods = methods
            .into_iter()
            .map(|(n, c)| method(n, "()V", true, Some(c)))
            .collect();
        let classes = vec![class("A", "java/lang/Object", &[], methods)];
        Reach::new(classes, changed)
    }

    fn calls(name: &str) -> Code {
        code(vec![
            call(InvokeKind::Static, "A", name, "()V"),
            Insn::Return(None),
        ])
    }

    #[test]
    fn one_side_of_a_branch_reaches_the_change_and_the_other_does_not() {
        let body = code(vec![
            Insn::Load(Some(Prim::Int), 0),
            Insn::If(Cmp::Eq, 4),
            Insn::Nop,
            Insn::Return(None),
            Insn::Return(None),
        ]);
        let r = reach(vec![("f", body)], &changed("A", "f", 2));
        let answers: Vec<bool> = (0..5).map(|pc| r.reaches(&id("A", "f"), pc)).collect();
        assert_eq!(answers, [true, true, true, false, false]);
    }

    #[test]
    fn a_change_is_reached_through_calls_also_recursive_ones() {
        let r = reach(
            vec![
                ("f", calls("g")),
                ("g", calls("f")),
                ("h", calls("g")),
                ("i", calls("i")),
            ],
            &changed("A", "f", 1),
        );
        assert!(r.reaches(&id("A", "h"), 0));
        assert!(!r.reaches(&id("A", "h"), 1));
        assert!(!r.reaches(&id("A", "i"), 0));
    }

    #[test]
    fn a_loop_reaches_what_stands_before() {
        let body = code(vec![
            Insn::Nop,
            Insn::Load(Some(Prim::Int), 0),
            Insn::If(Cmp::Eq, 0),
            Insn::Return(None),
        ]);
        let r = reach(vec![("f", body)], &changed("A", "f", 0));
        assert!(r.reaches(&id("A", "f"), 2));
        assert!(!r.reaches(&id("A", "f"), 3));
    }

    #[test]
    fn a_handler_is_reached_from_what_may_throw() {
        let body = guarded(
            vec![
                Insn::Nop,
                Insn::ArrayLength,
                Insn::Nop,
                Insn::Return(None),
                Insn::Athrow,
            ],
            0,
            3,
            4,
        );
        let r = reach(vec![("f", body)], &changed("A", "f", 4));
        assert!(r.reaches(&id("A", "f"), 0));
        assert!(!r.reaches(&id("A", "f"), 2));
    }

    /// `A.f` calls `class.run()`; `B.g` is the change.
    fn calling(
        class_name: &str,
        b: std::sync::Arc<crate::bytecode::class_file::ClassFile>,
    ) -> Reach {
        let body = code(vec![
            call(InvokeKind::Static, class_name, "run", "()V"),
            Insn::Return(None),
        ]);
        let f = method("f", "()V", true, Some(body));
        let a = class("A", "java/lang/Object", &[], vec![f]);
        Reach::new(vec![a, b], &changed("B", "g", 0))
    }

    fn changed_method(
        super_name: &str,
        interfaces: &[&str],
    ) -> std::sync::Arc<crate::bytecode::class_file::ClassFile> {
        let g = method("g", "()V", false, Some(code(vec![Insn::Return(None)])));
        class("B", super_name, interfaces, vec![g])
    }

    #[test]
    fn the_jdk_comes_to_what_it_can_call_back_only() {
        let f = id("A", "f");
        let plain = || changed_method("java/lang/Object", &[]);
        let task = || changed_method("java/lang/Object", &["java/util/Task"]);
        assert!(!calling("java/lang/Math", plain()).reaches(&f, 0));
        assert!(calling("java/lang/Math", task()).reaches(&f, 0));
        assert!(!calling("java/lang/Math", task()).reaches(&f, 1));
    }

    #[test]
    fn a_method_is_called_back_through_a_subclass_that_implements_a_library_type() {
        let g = method("g", "()V", false, Some(code(vec![Insn::Return(None)])));
        let calls = code(vec![
            call(InvokeKind::Static, "java/lang/Math", "run", "()V"),
            Insn::Return(None),
        ]);
        let f = method("f", "()V", true, Some(calls));
        let classes = vec![
            class("B", "java/lang/Object", &[], vec![g]),
            class("C", "B", &["java/util/Task"], vec![f]),
        ];
        assert!(Reach::new(classes, &changed("B", "g", 0)).reaches(&id("C", "f"), 0));
    }

    #[test]
    fn reflection_and_other_libraries_may_come_to_anything() {
        let f = id("A", "f");
        for owner in ["java/lang/reflect/Method", "lib/Container"] {
            let r = calling(owner, changed_method("java/lang/Object", &[]));
            assert!(r.reaches(&f, 0), "{owner}");
        }
    }

    #[test]
    fn marks_are_told_apart_and_distances_count_instructions() {
        let body = || {
            code(vec![
                Insn::Load(Some(Prim::Int), 0),
                Insn::If(Cmp::Eq, 3),
                Insn::Nop,
                Insn::Return(None),
            ])
        };
        let f = method("f", "()V", true, Some(body()));
        let classes = vec![class("A", "java/lang/Object", &[], vec![f])];
        let marks: Marks = [(id("A", "f"), [(2, 5), (3, 9)].into())].into();
        let r = Reach::new(classes, &marks);
        let from: Vec<Vec<usize>> = r.from[0].iter().map(|s| s.iter().collect()).collect();
        assert_eq!(from, [vec![5, 9], vec![5, 9], vec![5, 9], vec![9]]);
        assert_eq!(distances(&body(), |pc| pc == 2), [2, 1, 0, super::NEVER]);
    }

    #[test]
    fn an_override_is_reached_by_a_call_of_the_superclass_method() {
        let f = |body| method("f", "()V", false, body);
        let nothing = || Some(code(vec![Insn::Return(None)]));
        let virtual_call = code(vec![
            call(InvokeKind::Virtual, "A", "f", "()V"),
            Insn::Return(None),
        ]);
        let classes = vec![
            class("A", "java/lang/Object", &[], vec![f(nothing())]),
            class("B", "A", &[], vec![f(nothing())]),
            class(
                "C",
                "java/lang/Object",
                &[],
                vec![method("g", "()V", true, Some(virtual_call))],
            ),
        ];
        let r = Reach::new(classes, &changed("B", "f", 0));
        assert!(r.reaches(&id("C", "g"), 0));
        assert!(!r.reaches(&id("A", "f"), 0));
    }

    #[test]
    fn a_static_initialiser_is_reached_by_the_first_use_of_its_class() {
        let uses = code(vec![
            Insn::GetStatic(member("A", "x", "I")),
            Insn::Return(None),
        ]);
        let init = code(vec![Insn::Return(None)]);
        let methods = vec![
            method("<clinit>", "()V", true, Some(init)),
            method("f", "()V", true, Some(uses)),
        ];
        let classes = vec![class("A", "java/lang/Object", &[], methods)];
        let r = Reach::new(classes, &changed("A", "<clinit>", 0));
        assert!(r.reaches(&id("A", "f"), 0));
    }
}
