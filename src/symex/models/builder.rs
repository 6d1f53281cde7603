//! `StringBuilder` and `StringBuffer`: construction and appending.

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::Vm;
use super::content;
use super::edit;
use super::get_chars;
use super::index_of;
use super::made;
use super::object;
use super::prim;
use super::primitive_text;
use super::sequence::write;
use super::text_access;
use super::text_access::{BOUNDS, check_code_point, check_range};
use super::units;
use super::{array_part, array_units, elements};
use crate::expr::{BvOp, CmpOp, Term};
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::surrogates::units_of;
use crate::symex::value::text::Text;
use crate::symex::value::units::Units;
use crate::symex::vm::Model;
use crate::symex::vm::arithmetic::check;
use crate::symex::vm::array::MAX_LENGTH;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    let parameters = descriptor.split(')').next().unwrap_or_default();
    let own: Model = match (name, parameters) {
        ("<init>", "(") => |_, _, _| Ok(None),
        ("<init>", "(I") => |vm, state, args| {
            let (capacity, zero) = (prim(vm, args, 1), vm.pool.int(0));
            let fine = vm.pool.cmp(CmpOp::Sle, zero, capacity);
            const NEGATIVE: &str = "java/lang/NegativeArraySizeException";
            check(vm, state, 1, Shadow::Same(fine), NEGATIVE)?;
            room(vm, state, capacity).map(|()| None)
        },
        ("<init>", "(Ljava/lang/String;" | "(Ljava/lang/CharSequence;") => |vm, state, args| {
            let text = super::text(vm, state, args, 1)?;
            append(vm, state, args, &text).map(|_| None)
        },
        (
            "append",
            "(Ljava/lang/String;"
            | "(Ljava/lang/CharSequence;"
            | "(Ljava/lang/StringBuffer;"
            | "(Ljava/lang/AbstractStringBuilder;",
        ) => append_text,
        ("append", "(Ljava/lang/CharSequence;II") => append_part,
        ("append", "([C") => |vm, state, args| {
            let text = array_units(vm, state, args, 1)?.text();
            append(vm, state, args, &text)
        },
        ("append", "([CII") => append_part_of_array,
        ("append", "(C") => |vm, state, args| append_primitive(vm, state, args, "C"),
        ("append", "(Z") => |vm, state, args| append_primitive(vm, state, args, "Z"),
        ("append", "(I") => |vm, state, args| append_primitive(vm, state, args, "I"),
        ("append", "(J") => |vm, state, args| append_primitive(vm, state, args, "J"),
        ("append", "(F" | "(D") => |vm, state, args| append_primitive(vm, state, args, "D"),
        ("appendCodePoint", "(I") => |vm, state, args| {
            let code_point = prim(vm, args, 1);
            check_code_point(vm, state, 1, code_point)?;
            let text = units_of(&mut vm.pool, code_point).text();
            append(vm, state, args, &text)
        },
        ("toString", "(") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let text = content(vm, state, id)?;
            made(vm, state, text)
        },
        ("compareTo", "(Ljava/lang/StringBuilder;" | "(Ljava/lang/StringBuffer;") => {
            |vm, state, args| {
                let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
                Ok(Some(Value::Prim(a.compare(&mut vm.pool, &b))))
            }
        }
        ("getChars", "(II[CI") => |vm, state, args| get_chars(vm, state, args, BOUNDS),
        // Room is not part of what a builder holds.
        ("ensureCapacity", "(I") => |vm, state, args| {
            let capacity = prim(vm, args, 1);
            room(vm, state, capacity).map(|()| None)
        },
        ("trimToSize", "(") => |_, _, _| Ok(None),
        ("capacity", "(") => {
            |_, _, _| Err(Stop::unsupported(Reason::UnsupportedNative, "room of a builder").into())
        }
        _ => {
            return edit::find(name, parameters)
                .or_else(|| text_access::find(name, parameters))
                .or_else(|| index_of::find(name, parameters));
        }
    };
    Some(own)
}

/// Goes on where a builder of that capacity is no longer than the longest array that is made.
fn room(vm: &mut Vm, state: &State, capacity: Term) -> Step<()> {
    let most = vm.pool.int(MAX_LENGTH as i32);
    let fits = vm.pool.cmp(CmpOp::Sle, capacity, most);
    let stop = Stop::bound(
        Reason::ArrayLength,
        format!("more than {MAX_LENGTH} elements"),
    );
    if state.frame().is_some_and(|f| f.passed >= 2) {
        return Ok(());
    }
    match vm.pool.as_bool(fits) {
        Some(true) => return Ok(()),
        Some(false) => return Err(stop.into()),
        None => {}
    }
    let longer = vm.pool.not(fits);
    Err(Interruption::Choose(vec![
        (Shadow::Same(fits), Act::Pass(2)),
        (Shadow::Same(longer), Act::GiveUp(stop)),
    ]))
}

fn append_text(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = nullable(vm, state, args, 1)?;
    append(vm, state, args, &text)
}

/// The `n`th argument's content; `"null"` for null.
pub(super) fn nullable(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Text> {
    match args.get(n) {
        Some(Value::Ref(Ref::Null)) | None => Ok(Units::constant(&mut vm.pool, "null").text()),
        _ => super::text(vm, state, args, n),
    }
}

/// The units of `nullable`, where no digits of symbolic numbers are among them.
pub(super) fn nullable_units(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Units> {
    let text = nullable(vm, state, args, n)?;
    super::spelled(vm, &text)
}

fn append_part(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let whole = nullable_units(vm, state, args, 1)?;
    let (begin, end) = (prim(vm, args, 2), prim(vm, args, 3));
    check_range(vm, state, 1, (begin, end, whole.len), BOUNDS)?;
    let part = whole.slice(&mut vm.pool, begin, end);
    append(vm, state, args, &part.text())
}

fn append_part_of_array(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let len = elements(vm, state, args, 1)?.0;
    let (begin, count) = (prim(vm, args, 2), prim(vm, args, 3));
    let end = vm.pool.bin(BvOp::Add, begin, count);
    check_range(vm, state, 1, (begin, end, len), BOUNDS)?;
    let part = array_part(vm, state, (args, 1), (begin, end))?;
    append(vm, state, args, &part.text())
}

fn append_primitive(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    descriptor: &str,
) -> Step<Option<Value>> {
    let term = prim(vm, args, 1);
    let text = primitive_text(vm, descriptor, term)?;
    append(vm, state, args, &text)
}

fn append(vm: &mut Vm, state: &mut State, args: &[Value], text: &Text) -> Step<Option<Value>> {
    let id: ObjId = object(vm, args, 0)?;
    let before = content(vm, state, id)?;
    let after = before.concat(&mut vm.pool, text);
    if after
        .chars()
        .is_some_and(|(_, units)| units.len() > LONGEST)
    {
        return Err(Stop::bound(Reason::MaxString, "a very long builder").into());
    }
    write(vm, state, id, after)
}

/// Longest content that is built as one formula per unit.
const LONGEST: usize = 1 << 20;
