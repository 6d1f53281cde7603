//! Access rules of members (JLS §6.6, and modules: JLS §7.7.4); the remaining rules are the JDK's own code.

use super::super::super::class::{Method, access};
use super::super::super::state::State;
use super::super::super::value::{Ref, Value};
use super::super::super::vm::{Vm, per_version};
use super::super::class_loader;
use super::super::mirror::mirrored;
use super::super::object;
use super::super::prim;
use super::accessors::called;
use super::{declaration, field, unsupported};
use crate::bytecode::class_file::{Const, Insn, Prim};
use crate::bytecode::is_jdk;
use crate::model::{Spelling, class_in};
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::{Model, synthetic};
use std::sync::Arc;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    Some(match (name, descriptor) {
        ("getClassAccessFlags", _) => |vm, state, args| {
            let flags = match declaration(vm, state, args, 0)? {
                Some(file) => file.access,
                None => access::PUBLIC | access::FINAL | access::ABSTRACT,
            };
            Ok(Some(Value::Prim(vm.pool.int(i32::from(flags)))))
        },
        ("areNestMates", _) => |vm, state, args| {
            let (a, b) = (host(vm, state, args, 0)?, host(vm, state, args, 1)?);
            Ok(Some(Value::Prim(vm.pool.int(i32::from(a == b)))))
        },
        ("verifyModuleAccess", "(Ljava/lang/Module;Ljava/lang/Class;)Z") => |vm, state, args| {
            let class = mirrored(vm, state, args, 1)?;
            match exported(vm, &class) {
                Some(is) => Ok(Some(Value::Prim(vm.pool.int(i32::from(is))))),
                None => Err(unsupported("whether a package of the JDK is exported")),
            }
        },
        ("isCallerSensitive", _) => |vm, state, args| {
            let member = object(vm, args, 0)?;
            let (file, at) = called(vm, state, member)?;
            let is = file
                .methods
                .get(at)
                .is_some_and(|m| m.reflected.caller_sensitive);
            Ok(Some(Value::Prim(vm.pool.int(i32::from(is)))))
        },
        // The classes that ask for it are among those below.
        ("registerFieldsToFilter" | "registerMethodsToFilter", _) => |_, _, _| Ok(None),
        ("filterFields" | "filterMethods", _) => |vm, state, args| {
            let class = mirrored(vm, state, args, 0)?;
            if HIDES_FIELDS.contains(&&*class) {
                return Err(unsupported("members that the JDK hides"));
            }
            Ok(args.get(1).copied())
        },
        _ => return None,
    })
}

/// Classes of whose fields reflection shows none, or not all.
const HIDES_FIELDS: [&str; 12] = [
    "jdk/internal/reflect/ConstantPool",
    "jdk/internal/reflect/UnsafeStaticFieldAccessorImpl",
    "java/lang/invoke/MethodHandles$Lookup",
    "jdk/internal/reflect/Reflection",
    "java/lang/reflect/AccessibleObject",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Field",
    "java/lang/reflect/Method",
    "java/lang/Module",
    "java/lang/System",
];

/// The host of a class's nest (JVMS §5.4.4).
fn host(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Arc<str>> {
    match declaration(vm, state, args, n)? {
        Some(file) => Ok(file
            .reflected
            .nest_host
            .clone()
            .unwrap_or(file.name.clone())),
        None => mirrored(vm, state, args, n),
    }
}

/// Whether the program may use a type's public members; `None` where that is not known.
fn exported(vm: &Vm, class: &str) -> Option<bool> {
    let element = class_in(class.trim_start_matches('['));
    if !is_jdk(element) || element.starts_with("java/") || element.starts_with("javax/") {
        return Some(true);
    }
    if package_of(element).is_some_and(|p| OPEN.contains(&p) || vm.linker.machine().exports(p)) {
        return Some(true);
    }
    let inside = ["jdk/internal/", "sun/"]
        .iter()
        .any(|p| element.starts_with(p));
    inside.then_some(false)
}

/// The packages that are open to all programs: those of the module `jdk.unsupported`.
const OPEN: [&str; 2] = ["sun/misc", "sun/reflect"];

/// Whether a class of the JDK lies in a package that is open to the program, to all or by an option.
fn is_opened(vm: &Vm, class: &str) -> bool {
    package_of(class).is_some_and(|p| OPEN.contains(&p) || vm.linker.machine().opens(p))
}

fn package_of(class: &str) -> Option<&str> {
    class.rsplit_once('/').map(|c| c.0)
}

/// `Module.isExported` of a package, to all or to the unnamed module.
pub(super) fn is_exported(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let module = object(vm, args, 0)?;
    let package = class_loader::constant(vm, state, args, 1)?;
    let package = format!("{}/", package.internal());
    let is = match field(vm, state, module, "name")? {
        Value::Ref(Ref::Null) => Some(true),
        _ => exported(vm, &package),
    };
    // What is not exported to all may be to a module of the JDK.
    let asks = args.get(2).is_some() && {
        let asking = object(vm, args, 2)?;
        field(vm, state, asking, "name")? != Value::NULL
    };
    let is = is.filter(|is| *is || !asks);
    match is {
        Some(is) => Ok(Some(Value::Prim(vm.pool.int(i32::from(is))))),
        None => Err(unsupported("whether a package of the JDK is exported")),
    }
}

/// `AccessibleObject.checkCanSetAccessible`: whether the caller, the third operand, may switch off the checks of a member of the
/// second; else, where the first says so, an exception. Of the JDK's packages only those of `jdk.unsupported` are open to the program, and
/// those that options open.
pub(super) fn can_set_accessible(
    vm: &mut Vm,
    state: &State,
    method: &Arc<Method>,
) -> Step<Arc<Method>> {
    let mut args = [Value::NULL; 4];
    for (i, arg) in args.iter_mut().enumerate() {
        *arg = match state.peek(3 - i) {
            Shadow::Same(value) => value,
            Shadow::Split { .. } => return Err(per_version(state)),
        };
    }
    let may = may_set_accessible(vm, state, &args)?;
    let wants = prim(vm, &args, 3);
    if !may && vm.pool.as_i64(wants) != Some(0) {
        return Err(Interruption::Raise(
            "java/lang/reflect/InaccessibleObjectException",
        ));
    }
    let insns = vec![
        Insn::Const(Const::Int(i32::from(may))),
        Insn::Return(Some(Some(Prim::Int))),
    ];
    Ok(synthetic::instead(method, 4, insns))
}

fn may_set_accessible(vm: &mut Vm, state: &State, args: &[Value]) -> Step<bool> {
    let (caller, class) = (mirrored(vm, state, args, 1)?, mirrored(vm, state, args, 2)?);
    if !is_jdk(&class) || is_jdk(&caller) || is_opened(vm, &class) {
        return Ok(true);
    }
    let member = object(vm, args, 0)?;
    let shown = declaration(vm, state, args, 2)?;
    let is_public = shown.is_none_or(|f| declared_access(&f) & access::PUBLIC != 0);
    let modifiers = match field(vm, state, member, "modifiers")? {
        Value::Prim(flags) => vm.pool.as_i64(flags).unwrap_or(0),
        _ => 0,
    };
    let has = |flag: u16| modifiers & i64::from(flag) != 0;
    let exported =
        exported(vm, &class).ok_or_else(|| unsupported("whether a package of the JDK is open"))?;
    // Of a protected static member, only subclasses may ask.
    if has(access::PROTECTED) && has(access::STATIC) && is_public && exported {
        return Err(unsupported(
            "setAccessible of a protected member of the JDK",
        ));
    }
    Ok(exported && is_public && has(access::PUBLIC))
}

/// The modifiers that the source gave a class (JVMS §4.7.6).
pub(in crate::symex) fn declared_access(file: &crate::bytecode::class_file::ClassFile) -> u16 {
    let row = file.inner_classes.iter().find(|row| row.0 == file.name);
    row.map_or(file.access, |row| row.3) & !access::SUPER
}
