//! Tests of the targets of calls in a small class hierarchy.

use super::super::testing::{call, class, code, member, method};
use super::{Hierarchy, Targets};
use crate::bytecode::class_file::{Insn, InvokeKind};

fn body() -> Option<crate::bytecode::class_file::Code> {
    Some(code(vec![Insn::Return(None)]))
}

fn hierarchy() -> Hierarchy {
    let m = |name: &str| method(name, "()V", false, body());
    Hierarchy::of(vec![
        class("A", "java/lang/Object", &[], vec![m("f"), m("g")]),
        class("B", "A", &[], vec![m("f")]),
        class("C", "lib/Base", &["I"], vec![m("f"), m("h")]),
        class(
            "I",
            "java/lang/Object",
            &[],
            vec![method("h", "()V", false, None)],
        ),
    ])
}

fn known(known: &[u32]) -> Targets {
    Targets {
        known: known.to_vec(),
        unknown: false,
    }
}

#[test]
fn a_virtual_call_comes_to_the_class_and_its_subclasses() {
    let h = hierarchy();
    let f = |kind, class| h.targets(&call(kind, class, "f", "()V"));
    assert_eq!(f(InvokeKind::Virtual, "A"), known(&[0, 2]));
    assert_eq!(f(InvokeKind::Special, "A"), known(&[0]));
    assert_eq!(f(InvokeKind::Virtual, "B"), known(&[2]));
}

#[test]
fn an_inherited_body_is_found_above() {
    let h = hierarchy();
    let g = h.targets(&call(InvokeKind::Virtual, "B", "g", "()V"));
    assert_eq!(g, known(&[1]));
}

#[test]
fn an_interface_call_comes_to_its_implementations() {
    let h = hierarchy();
    let i = h.targets(&call(InvokeKind::Interface, "I", "h", "()V"));
    assert_eq!(i, known(&[4]));
}

#[test]
fn a_call_on_an_unknown_type_may_come_to_whatever_extends_unknown_types() {
    let h = hierarchy();
    let f = h.targets(&call(InvokeKind::Interface, "lib/Task", "f", "()V"));
    assert_eq!(f.known, [3]);
    assert!(f.unknown);
}

#[test]
fn reading_a_static_field_may_initialise_its_class() {
    let h = Hierarchy::of(vec![class(
        "A",
        "java/lang/Object",
        &[],
        vec![method("<clinit>", "()V", true, body())],
    )]);
    assert_eq!(
        h.targets(&Insn::GetStatic(member("A", "x", "I"))),
        known(&[0])
    );
    assert!(h.targets(&Insn::GetStatic(member("Z", "x", "I"))).unknown);
}

#[test]
fn a_plain_object_runs_nothing() {
    let insn = call(InvokeKind::Special, "java/lang/Object", "<init>", "()V");
    assert_eq!(hierarchy().targets(&insn), known(&[]));
}
