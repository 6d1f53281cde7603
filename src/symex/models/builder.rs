//! `StringBuilder` and `StringBuffer`.

use super::super::arithmetic::{check, check_index};
use super::super::effect::Step;
use super::super::heap::Body;
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::text::{Text, select};
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::Vm;
use super::{Model, chars, content, made, object, prim, primitive_text};
use crate::expr::CmpOp;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    let parameters = descriptor.split(')').next().unwrap_or_default();
    Some(match (name, parameters) {
        ("<init>", "(") => |_, _, _| Ok(None),
        ("<init>", "(I") => |vm, state, args| {
            let (capacity, zero) = (prim(vm, args, 1), vm.pool.int(0));
            let ok = vm.pool.cmp(CmpOp::Sle, zero, capacity);
            let exception = "java/lang/NegativeArraySizeException";
            check(vm, state, 1, Shadow::Same(ok), exception).map(|()| None)
        },
        ("<init>", "(Ljava/lang/String;") => |vm, state, args| {
            let text = super::text(vm, state, args, 1)?;
            append(vm, state, args, &text).map(|_| None)
        },
        ("append", "(Ljava/lang/String;") => append_string,
        ("append", "(C") => |vm, state, args| append_primitive(vm, state, args, "C"),
        ("append", "(Z") => |vm, state, args| append_primitive(vm, state, args, "Z"),
        ("append", "(I") => |vm, state, args| append_primitive(vm, state, args, "I"),
        ("append", "(J") => |vm, state, args| append_primitive(vm, state, args, "J"),
        ("append", "(F" | "(D") => |vm, state, args| append_primitive(vm, state, args, "D"),
        ("toString", "(") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let text = content(vm, state, id)?;
            made(vm, state, text)
        },
        ("length", "(") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let text = content(vm, state, id)?;
            Ok(Some(Value::Prim(chars(&text)?.0)))
        },
        ("charAt", "(I") => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let text = content(vm, state, id)?;
            let (len, units) = chars(&text)?;
            let index = prim(vm, args, 1);
            check_index(
                vm,
                state,
                index,
                len,
                "java/lang/StringIndexOutOfBoundsException",
            )?;
            let unit = select(&mut vm.pool, &units, index);
            Ok(Some(Value::Prim(vm.pool.zext(32, unit))))
        },
        _ => return None,
    })
}

fn append_string(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = match args.get(1) {
        Some(Value::Ref(Ref::Null)) | None => {
            Text::constant(&mut vm.pool, &"null".encode_utf16().collect::<Vec<_>>())
        }
        _ => super::text(vm, state, args, 1)?,
    };
    append(vm, state, args, &text)
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
    let version = state.version();
    if let Body::Builder(slot) = &mut state.heap.get_mut(id).body {
        *slot = match version {
            Some(v) => slot.with(v, after),
            None => Shadow::Same(after),
        };
    }
    Ok(Some(Value::obj(id)))
}
