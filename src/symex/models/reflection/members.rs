//! Fields, methods, constructors and record components as objects (JVMS §4.5, §4.6, §4.7.30).

use super::super::super::class::{access, split_descriptor};
use super::super::super::state::State;
use super::super::super::value::{ObjId, Value};
use super::super::super::vm::{Vm, per_version};
use super::super::mirror::{mirrored, prim_named};
use super::super::object;
use super::super::prim;
use super::{bytes, class_named, declaration, field, name, name_or_null, unsupported};
use crate::bytecode::class_file::{Field, Method};
use crate::bytecode::is_numbered;
use crate::bytecode::reflected::Component;
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::vm::Model;
use crate::symex::vm::array::filled;
use std::sync::Arc;

const CLASS: &str = "Ljava/lang/Class;";
const METHOD: &str = "java/lang/reflect/Method";

/// Natives of `Class`, and the public methods above them, which run once per version where the versions declare different
/// members.
pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    Some(match name {
        "getDeclaredMethods0" => methods,
        "getDeclaredConstructors0" => constructors,
        "getDeclaredFields0" => fields,
        "getRecordComponents0" => components,
        "getMethods" | "getDeclaredMethods" | "getConstructors" | "getDeclaredConstructors" => {
            several
        }
        "newInstance" if descriptor != "()Ljava/lang/Object;" => return None,
        _ if shows_members(name) => once_per_version,
        _ => return None,
    })
}

/// Whether a method of `Class` of that name shows what a class declares.
pub(in super::super::super) fn shows_members(name: &str) -> bool {
    matches!(
        name,
        "getMethods"
            | "getDeclaredMethods"
            | "getConstructors"
            | "getDeclaredConstructors"
            | "getMethod"
            | "getDeclaredMethod"
            | "getConstructor"
            | "getDeclaredConstructor"
            | "getField"
            | "getFields"
            | "getDeclaredField"
            | "getDeclaredFields"
            | "getRecordComponents"
            | "getInterfaces"
            | "getGenericInterfaces"
            | "getGenericSuperclass"
            | "getTypeParameters"
            | "getDeclaredClasses"
            | "getClasses"
            | "getAnnotation"
            | "getAnnotations"
            | "getDeclaredAnnotation"
            | "getDeclaredAnnotations"
            | "getAnnotationsByType"
            | "getDeclaredAnnotationsByType"
            | "isAnnotationPresent"
            | "getModifiers"
            | "newInstance"
    )
}

/// Natives of `Executable`.
pub(super) fn of_executable(name: &str) -> Option<Model> {
    Some(match name {
        "getParameters0" => |vm, state, args| {
            let executable = object(vm, args, 0)?;
            let class = field(vm, state, executable, "clazz")?;
            let slot = match field(vm, state, executable, "slot")? {
                Value::Prim(slot) => vm.pool.as_i64(slot).unwrap_or(-1),
                _ => -1,
            };
            let file = declaration(vm, state, &[class], 0)?;
            match file.as_ref().and_then(|f| f.methods.get(slot as usize)) {
                Some(method) if !method.reflected.names_parameters => Ok(Some(Value::NULL)),
                _ => Err(unsupported("the attribute MethodParameters")),
            }
        },
        _ => return None,
    })
}

/// Leaves the call to the JDK's own code, which runs in one version at a time where the members differ.
fn once_per_version(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let class = mirrored(vm, state, args, 0)?;
    let asks_itself = state
        .frame()
        .is_some_and(|f| &*f.method.class_name == "java/lang/Class");
    if asks_itself || state.version().is_some() || prim_named(&class).is_some() {
        return Err(Interruption::OwnCode);
    }
    // What the JDK sets up for all classes is the same for both versions.
    let shared = vm.library("java/lang/reflect/AccessibleObject")?;
    vm.initialise(state, shared)?;
    let element = class.trim_start_matches('[');
    if element == &*class && !vm.linker.declares_the_same(&class)? {
        return Err(per_version(state));
    }
    Err(Interruption::OwnCode)
}

/// The same for members whose order HotSpot leaves to chance. The parser of annotations puts them into tables.
fn several(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let orders = state.frame().is_none_or(|f| {
        let class = &f.method.class_name;
        &**class != "java/lang/Class" && !class.starts_with("sun/reflect/annotation/")
    });
    if orders && declaration(vm, state, args, 0)?.is_none_or(|f| f.methods.len() > 2) {
        vm.by_chance(state, Reason::MemberOrder);
    }
    once_per_version(vm, state, args)
}

fn wants(vm: &mut Vm, args: &[Value], access: u16) -> bool {
    let public_only = prim(vm, args, 1);
    vm.pool.as_i64(public_only) == Some(0) || access & access::PUBLIC != 0
}

fn methods(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let is_method = |name: &str| !name.starts_with('<');
    let all = executables(vm, state, args, is_method, method_object)?;
    filled(vm, state, "Ljava/lang/reflect/Method;", &all).map(Some)
}

fn constructors(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let is_constructor = |name: &str| name == "<init>";
    let all = executables(
        vm,
        state,
        args,
        is_constructor,
        |vm, state, class, declared| {
            executable(vm, state, "java/lang/reflect/Constructor", class, declared)
        },
    )?;
    filled(vm, state, "Ljava/lang/reflect/Constructor;", &all).map(Some)
}

/// The objects that `made` makes of the methods by those names.
fn executables(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    is: impl Fn(&str) -> bool,
    made: impl Fn(&mut Vm, &mut State, Value, (usize, &Method)) -> Step<ObjId>,
) -> Step<Vec<Value>> {
    let file = declared(vm, state, args)?;
    let mut all = Vec::new();
    for (slot, method) in file.iter().flat_map(|f| f.methods.iter().enumerate()) {
        if is(&method.name) && wants(vm, args, method.access) {
            all.push(Value::obj(made(vm, state, args[0], (slot, method))?));
        }
    }
    Ok(all)
}

fn fields(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let file = declared(vm, state, args)?;
    let mut all = Vec::new();
    for (slot, field) in file.iter().flat_map(|f| f.fields.iter().enumerate()) {
        if wants(vm, args, field.access) {
            all.push(Value::obj(field_object(vm, state, args[0], (slot, field))?));
        }
    }
    filled(vm, state, "Ljava/lang/reflect/Field;", &all).map(Some)
}

fn components(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let Some(file) = declared(vm, state, args)? else {
        return Ok(Some(Value::NULL));
    };
    let mut all = Vec::new();
    for component in file.reflected.components.iter().flatten() {
        let getter = format!("(){}", component.descriptor);
        let is_getter =
            |m: &&(usize, &Method)| m.1.name == component.name && *m.1.descriptor == getter;
        let accessor = match file.methods.iter().enumerate().find(|m| is_getter(&m)) {
            Some(method) => Value::obj(method_object(vm, state, args[0], method)?),
            None => Value::NULL,
        };
        all.push(Value::obj(component_object(
            vm, state, args[0], component, accessor,
        )?));
    }
    filled(vm, state, "Ljava/lang/reflect/RecordComponent;", &all).map(Some)
}

/// The declaration whose members are shown. Anonymous and local classes are numbered otherwise in the unified build.
fn declared(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
) -> Step<Option<Arc<crate::bytecode::class_file::ClassFile>>> {
    let file = declaration(vm, state, args, 0)?;
    if let Some(file) = &file
        && is_numbered(&file.name)
        && vm.linker.is_project(&file.name)
    {
        return Err(unsupported("members of an anonymous or local class"));
    }
    Ok(file)
}

/// A `Method`.
pub(super) fn method_object(
    vm: &mut Vm,
    state: &mut State,
    class: Value,
    (slot, method): (usize, &Method),
) -> Step<ObjId> {
    let made = executable(vm, state, METHOD, class, (slot, method))?;
    let (_, result) = split_descriptor(&method.descriptor);
    let result = class_named(vm, state, &result)?;
    let called = name(vm, state, &method.name)?;
    let default = bytes(vm, state, method.reflected.default.as_deref())?;
    vm.set_field(state, made, "returnType", result);
    vm.set_field(state, made, "name", called);
    vm.set_field(state, made, "annotationDefault", default);
    Ok(made)
}

/// What methods and constructors have in common.
fn executable(
    vm: &mut Vm,
    state: &mut State,
    kind: &str,
    class: Value,
    (slot, method): (usize, &Method),
) -> Step<ObjId> {
    let (params, _) = split_descriptor(&method.descriptor);
    let types = classes(vm, state, params.iter().map(|p| p.to_string()))?;
    let thrown = method.reflected.exceptions.iter();
    let thrown = classes(vm, state, thrown.map(|e| format!("L{e};")))?;
    let signature = name_or_null(vm, state, method.signature.as_ref())?;
    let own = bytes(vm, state, method.reflected.annotations.as_deref())?;
    let of_params = method.reflected.parameter_annotations.as_deref();
    let of_params = bytes(vm, state, of_params)?;
    let made = instantiate(vm, state, kind)?;
    let (slot, flags) = (
        Value::Prim(vm.pool.int(slot as i32)),
        Value::Prim(vm.pool.int(i32::from(method.access))),
    );
    vm.set_field(state, made, "clazz", class);
    vm.set_field(state, made, "slot", slot);
    vm.set_field(state, made, "parameterTypes", types);
    vm.set_field(state, made, "exceptionTypes", thrown);
    vm.set_field(state, made, "modifiers", flags);
    vm.set_field(state, made, "signature", signature);
    vm.set_field(state, made, "annotations", own);
    vm.set_field(state, made, "parameterAnnotations", of_params);
    Ok(made)
}

fn field_object(
    vm: &mut Vm,
    state: &mut State,
    class: Value,
    (slot, field): (usize, &Field),
) -> Step<ObjId> {
    let kind = class_named(vm, state, &field.descriptor)?;
    let called = name(vm, state, &field.name)?;
    let signature = name_or_null(vm, state, field.reflected.signature.as_ref())?;
    let annotations = bytes(vm, state, field.reflected.annotations.as_deref())?;
    let made = instantiate(vm, state, "java/lang/reflect/Field")?;
    let numbers = [slot as i32, i32::from(field.access)].map(|n| Value::Prim(vm.pool.int(n)));
    // What can't be set even by force: constants, and the components of records (JEP 395).
    let is_record = declaration(vm, state, &[class], 0)?
        .is_some_and(|f| f.super_name.as_deref() == Some("java/lang/Record"));
    let has = |flag: u16| field.access & flag != 0;
    let trusted = has(access::FINAL) && (is_record || has(access::STATIC));
    let trusted = Value::Prim(vm.pool.int(i32::from(trusted)));
    vm.set_field(state, made, "clazz", class);
    vm.set_field(state, made, "slot", numbers[0]);
    vm.set_field(state, made, "name", called);
    vm.set_field(state, made, "type", kind);
    vm.set_field(state, made, "modifiers", numbers[1]);
    vm.set_field(state, made, "trustedFinal", trusted);
    vm.set_field(state, made, "signature", signature);
    vm.set_field(state, made, "annotations", annotations);
    Ok(made)
}

fn component_object(
    vm: &mut Vm,
    state: &mut State,
    class: Value,
    component: &Component,
    accessor: Value,
) -> Step<ObjId> {
    let kind = class_named(vm, state, &component.descriptor)?;
    let called = name(vm, state, &component.name)?;
    let signature = name_or_null(vm, state, component.of.signature.as_ref())?;
    let annotations = bytes(vm, state, component.of.annotations.as_deref())?;
    let made = instantiate(vm, state, "java/lang/reflect/RecordComponent")?;
    vm.set_field(state, made, "clazz", class);
    vm.set_field(state, made, "name", called);
    vm.set_field(state, made, "type", kind);
    vm.set_field(state, made, "accessor", accessor);
    vm.set_field(state, made, "signature", signature);
    vm.set_field(state, made, "annotations", annotations);
    Ok(made)
}

fn instantiate(vm: &mut Vm, state: &mut State, class: &str) -> Step<ObjId> {
    let class = vm.library(class)?;
    Ok(vm.instantiate(state, class))
}

fn classes(
    vm: &mut Vm,
    state: &mut State,
    descriptors: impl Iterator<Item = String>,
) -> Step<Value> {
    let mut all = Vec::new();
    for descriptor in descriptors {
        all.push(class_named(vm, state, &descriptor)?);
    }
    filled(vm, state, CLASS, &all)
}
