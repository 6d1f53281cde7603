//! Whether a changed instruction can still be reached from a program point: what pruning by `reach` asks (DESIGN §5).

use super::cfg::edges;
use super::hierarchy::Hierarchy;
use crate::bytecode::class_file::{ClassFile, Insn, MemberRef};
use crate::verdict::MethodId;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Changed instructions by method.
pub type ChangedInstructions = BTreeMap<MethodId, BTreeSet<u32>>;

/// Conservative answers: `false` only where no changed instruction can be executed from there on, in this method or by calls
/// (class-hierarchy analysis; exceptional edges included). The callers on the stack are program points of their own.
pub struct Reach {
    hierarchy: Hierarchy,
    /// Per method, per instruction.
    from: Vec<Vec<bool>>,
}

impl Reach {
    /// `harmless` names code outside these classes that is known to call nothing back: a method, the `<clinit>` of a class,
    /// the bootstrap method of a dynamic call. Everything else that is not known, be it native, in a library or called by
    /// reflection, may come to a change.
    pub fn new(
        classes: Vec<Arc<ClassFile>>,
        changed: &ChangedInstructions,
        harmless: &dyn Fn(&MemberRef) -> bool,
    ) -> Reach {
        let hierarchy = Hierarchy::of(classes);
        let graphs: Vec<Graph> = (0..hierarchy.len())
            .map(|m| Graph::of(&hierarchy, m, changed, harmless))
            .collect();
        let mut callers: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); graphs.len()];
        for (caller, graph) in graphs.iter().enumerate() {
            for callee in graph.calls.iter().flatten() {
                callers[*callee as usize].insert(caller as u32);
            }
        }
        let mut enters = vec![false; graphs.len()];
        let mut from: Vec<Vec<bool>> = vec![Vec::new(); graphs.len()];
        let mut work: BTreeSet<u32> = (0..hierarchy.len()).collect();
        while let Some(method) = work.pop_first() {
            let at = method as usize;
            from[at] = graphs[at].reaching(&enters);
            if from[at].first() == Some(&true) && !enters[at] {
                enters[at] = true;
                work.extend(&callers[at]);
            }
        }
        Reach { hierarchy, from }
    }

    /// Whether a changed instruction can be reached from `pc` of a method, that instruction included. `true` for what is not known.
    pub fn reaches(&self, method: &MethodId, pc: u32) -> bool {
        self.hierarchy
            .number(method)
            .and_then(|m| self.from.get(m as usize)?.get(pc as usize))
            .copied()
            .unwrap_or(true)
    }
}

/// The member that runs unknown code: the method called, the initialiser of a class, the bootstrap method of a dynamic call.
fn asked(insn: &Insn) -> Option<Cow<'_, MemberRef>> {
    let initialiser = |class: &Arc<str>| {
        Some(Cow::Owned(MemberRef {
            class: class.clone(),
            name: "<clinit>".into(),
            descriptor: "()V".into(),
        }))
    };
    match insn {
        Insn::Invoke(_, member) => Some(Cow::Borrowed(member)),
        Insn::GetStatic(field) | Insn::PutStatic(field) => initialiser(&field.class),
        Insn::New(class) => initialiser(class),
        Insn::InvokeDynamic(site) => Some(Cow::Owned(MemberRef {
            class: site.bootstrap.class.clone(),
            name: site.bootstrap.name.clone(),
            descriptor: site.bootstrap.descriptor.clone(),
        })),
        _ => None,
    }
}

/// A method's edges, and where it is changed or left.
struct Graph {
    edges: Vec<Vec<u32>>,
    direct: Vec<bool>,
    calls: Vec<Vec<u32>>,
}

impl Graph {
    fn of(
        hierarchy: &Hierarchy,
        method: u32,
        changed: &ChangedInstructions,
        harmless: &dyn Fn(&MemberRef) -> bool,
    ) -> Graph {
        let mut out = Graph {
            edges: Vec::new(),
            direct: Vec::new(),
            calls: Vec::new(),
        };
        let Some((class, method)) = hierarchy.method(method) else {
            return out;
        };
        let Some(code) = &method.code else { return out };
        let here = changed.get(&super::id(class, method));
        out.edges = edges(code);
        for (pc, insn) in code.insns.iter().enumerate() {
            let targets = hierarchy.targets(insn);
            let excused = || asked(insn).is_some_and(|m| harmless(&m));
            let is_changed = here.is_some_and(|c| c.contains(&(pc as u32)));
            out.direct
                .push(is_changed || (targets.unknown && !excused()));
            out.calls.push(targets.known);
        }
        out
    }

    /// From which instructions a change is reached, given the methods at whose entry it is.
    fn reaching(&self, enters: &[bool]) -> Vec<bool> {
        let calls_it = |pc: usize| self.calls[pc].iter().any(|m| enters[*m as usize]);
        let mut reached = vec![false; self.edges.len()];
        let mut work: Vec<u32> = (0..self.edges.len() as u32)
            .filter(|pc| self.direct[*pc as usize] || calls_it(*pc as usize))
            .collect();
        let before = super::control::reversed(&self.edges);
        while let Some(pc) = work.pop() {
            if !std::mem::replace(&mut reached[pc as usize], true) {
                work.extend(&before[pc as usize]);
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{call, class, code, guarded, member, method};
    use super::{ChangedInstructions, Reach};
    use crate::bytecode::class_file::{Cmp, Code, Insn, InvokeKind, Prim};
    use crate::verdict::MethodId;

    fn id(class: &str, name: &str) -> MethodId {
        MethodId {
            class: class.into(),
            name: name.into(),
            descriptor: "()V".into(),
        }
    }

    fn changed(class: &str, name: &str, pc: u32) -> ChangedInstructions {
        [(id(class, name), [pc].into())].into()
    }

    /// A class with static methods.
    fn reach(methods: Vec<(&str, Code)>, changed: &ChangedInstructions) -> Reach {
        let methods = methods
            .into_iter()
            .map(|(n, c)| method(n, "()V", true, Some(c)))
            .collect();
        let classes = vec![class("A", "java/lang/Object", &[], methods)];
        Reach::new(classes, changed, &|_| false)
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

    #[test]
    fn unknown_code_may_come_to_a_change_unless_it_is_named_harmless() {
        let library = |name: &str| {
            code(vec![
                call(InvokeKind::Static, "lib/Math", name, "()V"),
                Insn::Return(None),
            ])
        };
        let methods = vec![
            method("f", "()V", true, Some(library("abs"))),
            method("g", "()V", true, Some(library("run"))),
        ];
        let classes = vec![class("A", "java/lang/Object", &[], methods)];
        let r = Reach::new(classes, &changed("A", "x", 0), &|m| &*m.name == "abs");
        assert!(!r.reaches(&id("A", "f"), 0));
        assert!(r.reaches(&id("A", "g"), 0));
        assert!(r.reaches(&id("B", "f"), 0), "an unknown method");
        assert!(r.reaches(&id("A", "f"), 99), "an unknown instruction");
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
        let r = Reach::new(classes, &changed("B", "f", 0), &|_| false);
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
        let r = Reach::new(classes, &changed("A", "<clinit>", 0), &|_| false);
        assert!(r.reaches(&id("A", "f"), 0));
    }
}
