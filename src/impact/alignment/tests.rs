//! Tests of the alignment of two bodies.

use super::super::body::Body;
use super::super::testing::{code, guarded, local};
use super::Fate;
use crate::bytecode::class_file::{BinOp, Cmp, Code, Const, Insn, Prim};
use std::sync::Arc;

/// Aligns plain code.
fn align(old: &Code, new: &Code, parameter_slots: u16) -> super::Alignment {
    let body = |c: &Code| Body::of(&Arc::new(c.clone()), &|f| f.class.clone());
    super::align(&body(old), &body(new), parameter_slots)
}

const INT: Option<Prim> = Some(Prim::Int);

fn condition(cmp: Cmp) -> Code {
    code(vec![
        Insn::Load(INT, 0),
        Insn::If(cmp, 3),
        Insn::Iinc(0, 1),
        Insn::Load(INT, 0),
        Insn::Return(Some(INT)),
    ])
}

fn unchanged(a: &Code, b: &Code) -> bool {
    let fates = align(a, b, 0);
    let same = |f: &Fate| matches!(f, Fate::Same(_));
    fates.old.iter().all(same) && fates.new.iter().all(same)
}

#[test]
fn another_comparison_is_one_changed_instruction() {
    let fates = align(&condition(Cmp::Ne), &condition(Cmp::Gt), 0);
    assert_eq!(fates.old[1], Fate::Changed(1));
    assert_eq!(fates.new[1], Fate::Changed(1));
    let others = [0, 2, 3, 4];
    assert!(
        others
            .iter()
            .all(|i| fates.old[*i] == Fate::Same(*i as u32))
    );
}

#[test]
fn lines_and_slots_do_not_count() {
    let mut moved = code(vec![
        Insn::Load(INT, 5),
        Insn::If(Cmp::Ne, 3),
        Insn::Iinc(5, 1),
        Insn::Load(INT, 5),
        Insn::Return(Some(INT)),
    ]);
    moved.lines = vec![90; 5];
    assert!(unchanged(&condition(Cmp::Ne), &moved));
}

#[test]
fn a_renamed_local_is_no_change_and_another_local_is() {
    let sum = |first: u16, second: u16, names: [&str; 2]| {
        let mut c = code(vec![
            Insn::Load(INT, first),
            Insn::Load(INT, second),
            Insn::Bin(BinOp::Sub, Prim::Int),
            Insn::Return(Some(INT)),
        ]);
        c.locals = vec![local(&c, 0, names[0]), local(&c, 1, names[1])];
        c
    };
    assert!(unchanged(&sum(0, 1, ["a", "b"]), &sum(0, 1, ["a", "c"])));
    assert!(!unchanged(&sum(0, 1, ["a", "b"]), &sum(1, 0, ["a", "b"])));
    assert!(!unchanged(&sum(0, 1, ["a", "b"]), &sum(0, 0, ["a", "b"])));
}

#[test]
fn a_parameter_is_the_one_of_its_place() {
    let first = |slot| code(vec![Insn::Load(INT, slot), Insn::Return(Some(INT))]);
    let fates = align(&first(0), &first(1), 2);
    assert_eq!(fates.new[0], Fate::Changed(0));
    let mut renamed = first(0);
    renamed.locals = vec![local(&renamed, 0, "other")];
    assert_eq!(align(&first(0), &renamed, 2).new[0], Fate::Same(0));
}

#[test]
fn an_added_statement_is_alone_and_jumps_over_it_stay() {
    let mut longer = condition(Cmp::Ne).insns;
    longer[1] = Insn::If(Cmp::Ne, 4);
    longer.insert(3, Insn::Iinc(0, 7));
    let fates = align(&condition(Cmp::Ne), &code(longer), 0);
    assert!(fates.old.iter().enumerate().all(|(i, f)| match f {
        Fate::Same(p) => *p as usize == if i < 3 { i } else { i + 1 },
        _ => false,
    }));
    assert_eq!(fates.new[3], Fate::Alone);
}

#[test]
fn a_removed_statement_is_not_spread_over_its_neighbours() {
    let mut body = vec![
        Insn::Load(INT, 0),
        Insn::Store(INT, 1),
        Insn::Load(INT, 1),
        Insn::Const(Const::Int(1)),
        Insn::Bin(BinOp::Add, Prim::Int),
        Insn::Store(INT, 1),
        Insn::Load(INT, 1),
        Insn::Return(Some(INT)),
    ];
    let longer = code(body.clone());
    body.drain(2..6);
    let fates = align(&longer, &code(body), 1);
    assert_eq!(fates.old[1..3], [Fate::Same(1), Fate::Alone]);
    assert_eq!(fates.old[5..7], [Fate::Alone, Fate::Same(2)]);
}

#[test]
fn a_jump_to_elsewhere_is_a_change() {
    let mut other = condition(Cmp::Ne);
    other.insns[1] = Insn::If(Cmp::Ne, 4);
    assert_eq!(
        align(&condition(Cmp::Ne), &other, 0).new[1],
        Fate::Changed(1)
    );
}

#[test]
fn a_smaller_protected_range_is_a_change_of_the_handler() {
    let body = |end| {
        guarded(
            vec![
                Insn::Const(Const::Int(1)),
                Insn::Store(INT, 0),
                Insn::Return(None),
                Insn::Athrow,
            ],
            0,
            end,
            3,
        )
    };
    assert_eq!(align(&body(2), &body(1), 0).old[3], Fate::Changed(3));
    assert!(unchanged(&body(2), &body(2)));
}
