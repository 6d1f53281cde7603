//! Models of a `Class`'s interfaces, generic signature and nesting.

use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::super::vm::Vm;
use super::super::mirror::mirrored;
use super::{class_named, declaration, name, name_or_null, unsupported};
use crate::bytecode::is_jdk;
use crate::symex::state::interruption::Step;
use crate::symex::vm::Model;
use crate::symex::vm::array::filled;
use std::sync::Arc;

const CLASS: &str = "Ljava/lang/Class;";

pub(super) fn find(name: &str) -> Option<Model> {
    Some(match name {
        "getInterfaces0" => interfaces,
        "getGenericSignature0" => |vm, state, args| {
            let file = declaration(vm, state, args, 0)?;
            let signature = file.and_then(|f| f.signature.clone());
            name_or_null(vm, state, signature.as_ref()).map(Some)
        },
        "getDeclaringClass0" => |vm, state, args| {
            let outer = row(vm, state, args)?.and_then(|row| row.1);
            class_or_null(vm, state, outer).map(Some)
        },
        "getSimpleBinaryName0" => |vm, state, args| {
            let simple = row(vm, state, args)?.and_then(|row| row.2);
            name_or_null(vm, state, simple.as_ref()).map(Some)
        },
        "getEnclosingMethod0" => enclosing_method,
        "getDeclaredClasses0" => declared_classes,
        "getNestHost0" => |vm, state, args| {
            let host = match declaration(vm, state, args, 0)? {
                Some(file) => file
                    .reflected
                    .nest_host
                    .clone()
                    .unwrap_or(file.name.clone()),
                None => mirrored(vm, state, args, 0)?,
            };
            vm.mirror(state, &host).map(Some)
        },
        "getPermittedSubclasses0" => |vm, state, args| {
            let file = declaration(vm, state, args, 0)?;
            match file.and_then(|f| f.reflected.permitted.clone()) {
                Some(named) => mirrors(vm, state, &named).map(Some),
                None => Ok(Some(Value::NULL)),
            }
        },
        "getModule" => module,
        _ => return None,
    })
}

fn interfaces(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let named: Vec<Arc<str>> = match declaration(vm, state, args, 0)? {
        Some(file) => file.interfaces.clone(),
        None if mirrored(vm, state, args, 0)?.starts_with('[') => {
            ["java/lang/Cloneable", "java/io/Serializable"]
                .map(Arc::from)
                .to_vec()
        }
        None => Vec::new(),
    };
    mirrors(vm, state, &named).map(Some)
}

/// The classes of these names as an array.
fn mirrors(vm: &mut Vm, state: &mut State, named: &[Arc<str>]) -> Step<Value> {
    let mut all = Vec::new();
    for name in named {
        all.push(vm.mirror(state, name)?);
    }
    filled(vm, state, CLASS, &all)
}

/// The row of `InnerClasses` that is about the class itself.
fn row(
    vm: &mut Vm,
    state: &State,
    args: &[Value],
) -> Step<Option<crate::bytecode::class_file::InnerClass>> {
    let file = declaration(vm, state, args, 0)?;
    Ok(file.and_then(|f| f.inner_classes.iter().find(|row| row.0 == f.name).cloned()))
}

fn class_or_null(vm: &mut Vm, state: &mut State, class: Option<Arc<str>>) -> Step<Value> {
    class.map_or(Ok(Value::NULL), |class| vm.mirror(state, &class))
}

fn enclosing_method(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let file = declaration(vm, state, args, 0)?;
    let Some(enclosing) = file.and_then(|f| f.reflected.enclosing.clone()) else {
        return Ok(Some(Value::NULL));
    };
    let class = vm.mirror(state, &enclosing.class)?;
    let (called, descriptor) = match &enclosing.method {
        Some((called, descriptor)) => (name(vm, state, called)?, name(vm, state, descriptor)?),
        None => (Value::NULL, Value::NULL),
    };
    let parts = [class, called, descriptor];
    filled(vm, state, "Ljava/lang/Object;", &parts).map(Some)
}

fn declared_classes(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let file = declaration(vm, state, args, 0)?;
    let mut all = Vec::new();
    for row in file.iter().flat_map(|f| &f.inner_classes) {
        if row.1 == file.as_ref().map(|f| f.name.clone()) {
            all.push(class_named(vm, state, &format!("L{};", row.0))?);
        }
    }
    filled(vm, state, CLASS, &all).map(Some)
}

const BASE: &str = "java.base";

/// The module of a class of the JDK.
pub(in crate::symex) fn jdk_module(vm: &Vm, class: &str) -> Step<&'static str> {
    let found = vm.linker.jdk_module_of(class);
    found.ok_or_else(|| unsupported("the module of a class of the JDK"))
}

/// The modules of the program under test: the unnamed one of its loader, and those of the JDK.
fn module(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    use super::super::super::state::Singleton;
    let class = mirrored(vm, state, args, 0)?;
    let module = match super::super::mirror::element_class(&class) {
        None => Some(BASE),
        Some(class) if is_jdk(class) => Some(jdk_module(vm, class)?),
        Some(_) => None,
    };
    let key = Singleton::Module(module);
    if let Some(id) = state.singletons.get(&key) {
        return Ok(Some(Value::obj(*id)));
    }
    let called = match module {
        Some(module) => name(vm, state, module)?,
        None => Value::NULL,
    };
    let kind = vm.library("java/lang/Module")?;
    let id = vm.instantiate(state, kind);
    vm.set_field(state, id, "name", called);
    state.singletons.insert_mut(key, id);
    Ok(Some(Value::obj(id)))
}
