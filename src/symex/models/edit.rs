//! Models of methods that change a `StringBuilder`: insertion, deletion, replacement, reversal.

use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::array_units;
use super::builder::nullable_units;
use super::object;
use super::prim;
use super::sequence::{indexed, write};
use super::text_access::{BOUNDS, STRING_BOUNDS, check_range};
use super::units;
use crate::expr::{BvOp, CmpOp, Term};
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::units::Units;
use crate::symex::vm::Model;
use crate::symex::vm::arithmetic::check;
use std::sync::Arc;

pub(super) fn find(name: &str, parameters: &str) -> Option<Model> {
    Some(match (name, parameters) {
        ("insert", "(ILjava/lang/String;" | "(ILjava/lang/CharSequence;") => |vm, state, args| {
            let text = nullable_units(vm, state, args, 2)?;
            insert(vm, state, args, &text)
        },
        ("insert", "(ILjava/lang/CharSequence;II") => |vm, state, args| {
            let whole = nullable_units(vm, state, args, 2)?;
            insert_part(vm, state, args, &whole, false)
        },
        ("insert", "(I[C") => |vm, state, args| {
            let text = array_units(vm, state, args, 2)?;
            insert(vm, state, args, &text)
        },
        ("insert", "(I[CII") => |vm, state, args| {
            let whole = array_units(vm, state, args, 2)?;
            insert_part(vm, state, args, &whole, true)
        },
        ("insert", "(IC") => |vm, state, args| {
            let unit = prim(vm, args, 2);
            let unit = vm.pool.trunc(16, unit);
            let text = Units::all(&mut vm.pool, Arc::from([unit]));
            insert(vm, state, args, &text)
        },
        ("delete", "(II") => |vm, state, args| {
            let nothing = Units::constant(&mut vm.pool, "");
            replace(vm, state, args, &nothing)
        },
        ("replace", "(IILjava/lang/String;") => |vm, state, args| {
            let by = units(vm, state, args, 3)?;
            replace(vm, state, args, &by)
        },
        ("deleteCharAt", "(I") => |vm, state, args| {
            let (id, before, index) = indexed(vm, state, args)?;
            let one = vm.pool.int(1);
            let end = vm.pool.bin(BvOp::Add, index, one);
            let nothing = Units::constant(&mut vm.pool, "");
            let after = before.splice(&mut vm.pool, index, end, &nothing);
            write(vm, state, id, after.text())
        },
        ("setCharAt", "(IC") => |vm, state, args| {
            let (id, before, index) = indexed(vm, state, args)?;
            let unit = prim(vm, args, 2);
            let unit = vm.pool.trunc(16, unit);
            let after = before.map(&mut vm.pool, |pool, i, old| {
                let i = pool.int(i as i32);
                let here = pool.eq(index, i);
                pool.ite(here, unit, old)
            });
            write(vm, state, id, after.text())
        },
        ("setLength", "(I") => set_length,
        ("reverse", "(") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let after = units(vm, state, args, 0)?.reversed(&mut vm.pool);
            write(vm, state, id, after.text())
        },
        _ => return None,
    })
}

fn insert(vm: &mut Vm, state: &mut State, args: &[Value], text: &Units) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let before = units(vm, state, args, 0)?;
    let at = prim(vm, args, 1);
    check_range(vm, state, 1, (at, before.len, before.len), STRING_BOUNDS)?;
    let after = before.splice(&mut vm.pool, at, at, text);
    write(vm, state, id, after.text())
}

/// `insert` of part of a sequence (`start`, `end`) or of an array (`offset`, `len`).
fn insert_part(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    whole: &Units,
    array: bool,
) -> Step<Option<Value>> {
    let length = units(vm, state, args, 0)?.len;
    let (at, begin, last) = (prim(vm, args, 1), prim(vm, args, 3), prim(vm, args, 4));
    check_range(vm, state, 1, (at, length, length), STRING_BOUNDS)?;
    let (end, outside) = if array {
        (vm.pool.bin(BvOp::Add, begin, last), STRING_BOUNDS)
    } else {
        (last, BOUNDS)
    };
    check_range(vm, state, 2, (begin, end, whole.len), outside)?;
    let part = whole.slice(&mut vm.pool, begin, end);
    insert(vm, state, args, &part)
}

/// `delete` and `replace`: an end behind the content means its end.
fn replace(vm: &mut Vm, state: &mut State, args: &[Value], by: &Units) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let before = units(vm, state, args, 0)?;
    let (begin, end) = (prim(vm, args, 1), prim(vm, args, 2));
    let behind = vm.pool.cmp(CmpOp::Slt, before.len, end);
    let end = vm.pool.ite(behind, before.len, end);
    check_range(vm, state, 1, (begin, end, before.len), STRING_BOUNDS)?;
    let after = before.splice(&mut vm.pool, begin, end, by);
    write(vm, state, id, after.text())
}

/// `setLength`: cut, or filled with `'\0'`.
fn set_length(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let before = units(vm, state, args, 0)?;
    let (len, zero) = (prim(vm, args, 1), vm.pool.int(0));
    let fine = vm.pool.cmp(CmpOp::Sle, zero, len);
    check(vm, state, 1, Shadow::Same(fine), STRING_BOUNDS)?;
    let most = match vm.pool.as_i64(len) {
        Some(n) if n <= LONGEST_FILL => n as usize,
        Some(_) => return Err(Stop::bound(Reason::MaxString, "setLength").into()),
        None => fits(vm, state, len, before.units.len())?,
    };
    let fill = vm.pool.bv(16, 0);
    let filled = (0..most)
        .map(|i| match before.units.get(i) {
            Some(unit) => {
                let inside = before.has(&mut vm.pool, i);
                vm.pool.ite(inside, *unit, fill)
            }
            None => fill,
        })
        .collect();
    let after = Units { len, units: filled };
    write(vm, state, id, after.text()).map(|_| None)
}

const LONGEST_FILL: i64 = 1 << 20;

/// An open length is followed as far as the content is long.
fn fits(vm: &mut Vm, state: &State, len: Term, most: usize) -> Step<usize> {
    use crate::symex::state::interruption::Act;
    use crate::symex::state::interruption::Interruption;
    if state.frame().is_some_and(|f| f.passed >= 2) {
        return Ok(most);
    }
    let limit = vm.pool.int(most as i32);
    let fits = vm.pool.cmp(CmpOp::Sle, len, limit);
    if vm.pool.as_bool(fits) == Some(true) {
        return Ok(most);
    }
    let longer = vm.pool.not(fits);
    let stop = Stop::bound(Reason::MaxString, "setLength behind the end");
    Err(Interruption::Choose(vec![
        (Shadow::Same(fits), Act::Pass(2)),
        (Shadow::Same(longer), Act::GiveUp(stop)),
    ]))
}
