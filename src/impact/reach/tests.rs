//! Tests of reachability: branches, calls, callbacks, loops and handlers.

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
fn calling(class_name: &str, b: std::sync::Arc<crate::bytecode::class_file::ClassFile>) -> Reach {
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
