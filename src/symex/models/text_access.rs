//! Models of length, units, parts and code points of strings and builders.

use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::prim;
use super::string;
use super::truth;
use super::units;
use crate::expr::{BvOp, CmpOp, Term};
use crate::symex::state::interruption::Step;
use crate::symex::value::shadow::Shadow;
use crate::symex::value::units::{Units, within};
use crate::symex::vm::Model;
use crate::symex::vm::arithmetic::{check, check_index};

pub(super) const STRING_BOUNDS: &str = "java/lang/StringIndexOutOfBoundsException";
pub(super) const BOUNDS: &str = "java/lang/IndexOutOfBoundsException";

/// Models of methods that strings and builders share, by name and parameters.
pub(super) fn find(name: &str, parameters: &str) -> Option<Model> {
    Some(match (name, parameters) {
        ("length", "(") => |vm, state, args| Ok(Some(Value::Prim(units(vm, state, args, 0)?.len))),
        ("isEmpty", "(") => |vm, state, args| {
            let (len, zero) = (units(vm, state, args, 0)?.len, vm.pool.int(0));
            let empty = vm.pool.eq(len, zero);
            truth(vm, empty)
        },
        ("charAt", "(I") => char_at,
        ("substring", "(I") => |vm, state, args| {
            let text = units(vm, state, args, 0)?;
            let begin = prim(vm, args, 1);
            substring(vm, state, &text, begin, text.len)
        },
        ("substring" | "subSequence", "(II") => |vm, state, args| {
            let text = units(vm, state, args, 0)?;
            let (begin, end) = (prim(vm, args, 1), prim(vm, args, 2));
            substring(vm, state, &text, begin, end)
        },
        ("codePointAt", "(I") => code_point_at,
        ("codePointBefore", "(I") => code_point_before,
        ("codePointCount", "(II") => code_point_count,
        _ => return None,
    })
}

/// Goes on when `0 <= begin <= end <= len`.
pub(super) fn check_range(
    vm: &mut Vm,
    state: &State,
    level: u8,
    (begin, end, len): (Term, Term, Term),
    exception: &'static str,
) -> Step<()> {
    let zero = vm.pool.int(0);
    let parts = [
        vm.pool.cmp(CmpOp::Sle, zero, begin),
        vm.pool.cmp(CmpOp::Sle, begin, end),
        vm.pool.cmp(CmpOp::Sle, end, len),
    ];
    let inside = vm.pool.and_all(parts);
    check(vm, state, level, Shadow::Same(inside), exception)
}

/// Goes on when `offset`, `count` and `offset + count` lie within `len` (`Preconditions.checkFromIndexSize`); the sum can't wrap.
pub(super) fn check_count(
    vm: &mut Vm,
    state: &State,
    level: u8,
    (offset, count, len): (Term, Term, Term),
    exception: &'static str,
) -> Step<()> {
    let (zero, room) = (vm.pool.int(0), vm.pool.bin(BvOp::Sub, len, count));
    let parts = [
        vm.pool.cmp(CmpOp::Sle, zero, offset),
        vm.pool.cmp(CmpOp::Sle, zero, count),
        vm.pool.cmp(CmpOp::Sle, offset, room),
    ];
    let inside = vm.pool.and_all(parts);
    check(vm, state, level, Shadow::Same(inside), exception)
}

fn char_at(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let index = prim(vm, args, 1);
    check_index(vm, state, index, text.len, STRING_BOUNDS)?;
    let unit = text.at(&mut vm.pool, index);
    Ok(Some(Value::Prim(vm.pool.zext(32, unit))))
}

fn substring(
    vm: &mut Vm,
    state: &mut State,
    text: &Units,
    begin: Term,
    end: Term,
) -> Step<Option<Value>> {
    check_range(vm, state, 1, (begin, end, text.len), STRING_BOUNDS)?;
    let cut = text.slice(&mut vm.pool, begin, end);
    string(vm, state, cut.text())
}

fn code_point_at(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let index = prim(vm, args, 1);
    check_index(vm, state, index, text.len, STRING_BOUNDS)?;
    let found = text.code_point(&mut vm.pool, index, text.len);
    Ok(Some(Value::Prim(found)))
}

fn code_point_before(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let (index, one, zero) = (prim(vm, args, 1), vm.pool.int(1), vm.pool.int(0));
    let last = vm.pool.bin(BvOp::Sub, index, one);
    check_index(vm, state, last, text.len, STRING_BOUNDS)?;
    let found = text.code_point_before(&mut vm.pool, index, zero);
    Ok(Some(Value::Prim(found)))
}

fn code_point_count(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let (begin, end) = (prim(vm, args, 1), prim(vm, args, 2));
    check_range(vm, state, 1, (begin, end, text.len), BOUNDS)?;
    let count = text.code_points(&mut vm.pool, begin, end);
    Ok(Some(Value::Prim(count)))
}

/// Whether a code point is one (`Character.isValidCodePoint`).
pub(super) fn check_code_point(
    vm: &mut Vm,
    state: &State,
    level: u8,
    code_point: Term,
) -> Step<()> {
    let valid = within(&mut vm.pool, code_point, 0, 0x10_ffff);
    check(
        vm,
        state,
        level,
        Shadow::Same(valid),
        "java/lang/IllegalArgumentException",
    )
}
