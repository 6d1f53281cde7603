//! Models of `indexOf` and `lastIndexOf`: of a text in strings and builders, of a code point in strings.

use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::prim;
use super::units;
use crate::expr::Term;
use crate::symex::state::interruption::Step;
use crate::symex::vm::Model;

/// The model of a form, by name and parameters.
pub(super) fn find(name: &str, parameters: &str) -> Option<Model> {
    Some(match (name, parameters) {
        ("indexOf", "(Ljava/lang/String;") => |vm, state, args| {
            let from = vm.pool.int(0);
            index_of_text(vm, state, args, from)
        },
        ("indexOf", "(Ljava/lang/String;I") => |vm, state, args| {
            let from = prim(vm, args, 2);
            index_of_text(vm, state, args, from)
        },
        ("lastIndexOf", "(Ljava/lang/String;") => |vm, state, args| {
            let from = units(vm, state, args, 0)?.len;
            last_index_of_text(vm, state, args, from)
        },
        ("lastIndexOf", "(Ljava/lang/String;I") => |vm, state, args| {
            let from = prim(vm, args, 2);
            last_index_of_text(vm, state, args, from)
        },
        ("indexOf", "(I") => |vm, state, args| {
            let from = vm.pool.int(0);
            index_of(vm, state, args, from)
        },
        ("indexOf", "(II") => |vm, state, args| {
            let from = prim(vm, args, 2);
            index_of(vm, state, args, from)
        },
        ("lastIndexOf", "(I") => |vm, state, args| {
            let from = units(vm, state, args, 0)?.len;
            last_index_of(vm, state, args, from)
        },
        ("lastIndexOf", "(II") => |vm, state, args| {
            let from = prim(vm, args, 2);
            last_index_of(vm, state, args, from)
        },
        _ => return None,
    })
}

fn index_of_text(vm: &mut Vm, state: &State, args: &[Value], from: Term) -> Step<Option<Value>> {
    let (text, wanted) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
    let found = text.index_of(&mut vm.pool, &wanted, from);
    Ok(Some(Value::Prim(found)))
}

fn last_index_of_text(
    vm: &mut Vm,
    state: &State,
    args: &[Value],
    from: Term,
) -> Step<Option<Value>> {
    let (text, wanted) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
    let found = text.last_index_of(&mut vm.pool, &wanted, from);
    Ok(Some(Value::Prim(found)))
}

fn index_of(vm: &mut Vm, state: &State, args: &[Value], from: Term) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let wanted = prim(vm, args, 1);
    let found = text.first(&mut vm.pool, from, |pool, i| {
        text.code_point_stands(pool, wanted, i)
    });
    Ok(Some(Value::Prim(found)))
}

fn last_index_of(vm: &mut Vm, state: &State, args: &[Value], from: Term) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let wanted = prim(vm, args, 1);
    let found = text.last(&mut vm.pool, from, |pool, i| {
        text.code_point_stands(pool, wanted, i)
    });
    Ok(Some(Value::Prim(found)))
}
