//! Annotations in the class file's own format, which the JDK's parser reads (JVMS §4.7.16).

use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::super::vm::Vm;
use super::super::prim;
use super::{bytes, declaration, name, unsupported};
use crate::bytecode::reflected::Item;
use crate::symex::state::interruption::Step;
use crate::symex::vm::Model;

pub(super) fn of_class(name: &str) -> Option<Model> {
    Some(match name {
        "getRawAnnotations" => |vm, state, args| {
            let file = declaration(vm, state, args, 0)?;
            let raw = file.and_then(|f| f.reflected.annotations.clone());
            bytes(vm, state, raw.as_deref()).map(Some)
        },
        "getConstantPool" => |vm, state, args| {
            let kind = vm.library("jdk/internal/reflect/ConstantPool")?;
            let pool = vm.instantiate(state, kind);
            let class = args.first().copied().unwrap_or(Value::NULL);
            vm.set_field(state, pool, "constantPoolOop", class);
            Ok(Some(Value::obj(pool)))
        },
        _ => return None,
    })
}

/// Natives of `ConstantPool`, which get the class whose pool it is.
pub(super) fn of_pool(name: &str) -> Option<Model> {
    Some(match name {
        "registerNatives" => |_, _, _| Ok(None),
        "getUTF8At0" | "getIntAt0" | "getLongAt0" | "getFloatAt0" | "getDoubleAt0" => item,
        _ => return None,
    })
}

fn item(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let file = declaration(vm, state, args, 1)?;
    let at = prim(vm, args, 2);
    let at = vm.pool.as_i64(at).and_then(|at| usize::try_from(at).ok());
    let item = file
        .zip(at)
        .and_then(|(f, at)| f.reflected.pool.get(at).cloned());
    Ok(Some(match item {
        Some(Item::Utf8(text)) => name(vm, state, &text)?,
        Some(Item::Int(value)) => Value::Prim(vm.pool.int(value)),
        Some(Item::Long(value)) => Value::Prim(vm.pool.long(value)),
        Some(Item::Float(bits)) => Value::Prim(vm.pool.f32(bits)),
        Some(Item::Double(bits)) => Value::Prim(vm.pool.f64(bits)),
        Some(Item::Unused) | None => return Err(unsupported("an item of the constant pool")),
    }))
}
