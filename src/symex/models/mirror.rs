//! `java.lang.Class` and `java.lang.reflect.Array`: type information at run time.

use super::super::class::access;
use super::super::state::State;
use super::super::value::{Ref, Value};
use super::super::vm::{Vm, per_version};
use super::class_loader;
use super::object;
use super::reflection;
use crate::bytecode::class_file::Prim;
use crate::model::reason::Reason;
use crate::model::{Spelling, Version, class_in};
use crate::symex::class::linker::class_name_of;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::value::primitive::primitive_name;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;
use std::sync::Arc;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    Some(match (name, descriptor) {
        ("registerNatives", _) => |_, _, _| Ok(None),
        ("desiredAssertionStatus", _) => |vm, state, args| {
            let class = class_of(vm, state, args, 0)?;
            let on = class.is_some_and(|c| vm.linker.class(c).project);
            truth(vm, on)
        },
        ("getPrimitiveClass", _) => |vm, state, args| {
            let name = super::text(vm, state, args, 0)?.units(&vm.pool);
            let name = String::from_utf16_lossy(&name.unwrap_or_default());
            vm.mirror(state, &Arc::from(name)).map(Some)
        },
        ("getName" | "initClassName", _) => |vm, state, args| {
            let name = mirrored(vm, state, args, 0)?.dotted();
            constant(vm, state, &name)
        },
        ("getSimpleName", _) => |vm, state, args| {
            let name = mirrored(vm, state, args, 0)?;
            let name = simple_name(vm, &name)?;
            constant(vm, state, &name)
        },
        ("getCanonicalName", _) => |vm, state, args| {
            let name = mirrored(vm, state, args, 0)?;
            match canonical_name(vm, &name)? {
                Some(name) => constant(vm, state, &name),
                None => Ok(Some(Value::NULL)),
            }
        },
        ("getPackageName", _) => |vm, state, args| {
            let name = mirrored(vm, state, args, 0)?;
            let element = class_in(name.trim_start_matches('['));
            let package = match element.rsplit_once('/') {
                Some((package, _)) => package.dotted(),
                None if is_of_primitives(&name) => "java.lang".into(),
                None => String::new(),
            };
            constant(vm, state, &package)
        },
        ("isArray", _) => |vm, state, args| {
            let is_array = mirrored(vm, state, args, 0)?.starts_with('[');
            truth(vm, is_array)
        },
        ("isPrimitive", _) => |vm, state, args| {
            let is_primitive = prim_named(&mirrored(vm, state, args, 0)?).is_some();
            truth(vm, is_primitive)
        },
        ("isHidden", _) => |vm, _, _| truth(vm, false),
        ("isInterface", _) => |vm, state, args| {
            let class = class_of(vm, state, args, 0)?;
            let is_interface = class.is_some_and(|c| vm.linker.class(c).is_interface());
            truth(vm, is_interface)
        },
        ("isInstance", _) => is_instance,
        ("isAssignableFrom", _) => is_assignable_from,
        ("getModifiers", _) => modifiers,
        ("getSuperclass", _) => superclass,
        ("isRecord" | "isRecord0", _) => |vm, state, args| {
            let class = class_of(vm, state, args, 0)?;
            let parent = class.and_then(|c| vm.linker.class(c).superclass.get(Version::New));
            let is_record = parent.is_some_and(|p| &*vm.linker.class(p).name == "java/lang/Record");
            truth(vm, is_record)
        },
        ("getComponentType" | "componentType" | "elementType", _) => component,
        ("cast", _) => |vm, state, args| {
            if !matches!(args.get(1), Some(Value::Ref(Ref::Null))) && !instance(vm, state, args)? {
                return Err(Interruption::Raise("java/lang/ClassCastException"));
            }
            Ok(args.get(1).copied())
        },
        ("getClassLoader" | "getClassLoader0", _) => |vm, state, args| {
            let name = mirrored(vm, state, args, 0)?;
            class_loader::of(vm, state, &name)
        },
        ("getResourceAsStream", _) => class_loader::of_class,
        ("forName", "(Ljava/lang/String;)Ljava/lang/Class;")
        | ("forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;")
        | ("forName0", _) => for_name,
        _ => return None,
    })
}

fn truth(vm: &mut Vm, is: bool) -> Step<Option<Value>> {
    Ok(Some(Value::Prim(vm.pool.int(i32::from(is)))))
}

fn constant(vm: &mut Vm, state: &mut State, text: &str) -> Step<Option<Value>> {
    let units: Vec<u16> = text.encode_utf16().collect();
    vm.literal(state, &Arc::from(units)).map(Some)
}

/// The internal name (array descriptor, keyword) of the `Class` that is the `n`th argument.
pub(super) fn mirrored(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Arc<str>> {
    let id = object(vm, args, n)?;
    match &state.heap.get(id).body {
        Body::Mirror(name) => Ok(name.clone()),
        _ => Err(Stop::unsupported(Reason::UnsupportedNative, "java.lang.Class").into()),
    }
}

/// The primitive type of that keyword (`void` too, as a type that has no values).
pub(super) fn prim_named(name: &str) -> Option<Option<Prim>> {
    Some(match name {
        "boolean" => Some(Prim::Boolean),
        "byte" => Some(Prim::Byte),
        "char" => Some(Prim::Char),
        "short" => Some(Prim::Short),
        "int" => Some(Prim::Int),
        "long" => Some(Prim::Long),
        "float" => Some(Prim::Float),
        "double" => Some(Prim::Double),
        "void" => None,
        _ => return None,
    })
}

/// The class that a `Class` is of, or whose objects its array holds; `None` of primitives and arrays of them.
pub(super) fn element_class(name: &str) -> Option<&str> {
    match name.starts_with('[') {
        true => name
            .trim_start_matches('[')
            .strip_prefix('L')?
            .strip_suffix(';'),
        false => Some(name).filter(|n| prim_named(n).is_none()),
    }
}

/// Whether a class is in a package of which the JVM itself loads the classes.
pub(super) fn is_of_base(name: &str) -> bool {
    const PACKAGES: [&str; 9] = [
        "java/lang/",
        "java/util/",
        "java/io/",
        "java/nio/",
        "java/math/",
        "java/time/",
        "java/text/",
        "jdk/internal/",
        "sun/nio/",
    ];
    PACKAGES.iter().any(|package| name.starts_with(package))
}

type ClassId = super::super::class::ClassId;

/// The linked class of a mirror; `None` for primitives.
pub(super) fn class_of(
    vm: &mut Vm,
    state: &State,
    args: &[Value],
    n: usize,
) -> Step<Option<ClassId>> {
    let name = mirrored(vm, state, args, n)?;
    if prim_named(&name).is_some() {
        return Ok(None);
    }
    vm.resolve(state, &name).map(Some)
}

fn simple_name(vm: &mut Vm, name: &str) -> Step<String> {
    if let Some(element) = name.strip_prefix('[') {
        let element = match class_name_of(element) {
            Some(class) => simple_name(vm, &class)?,
            None => primitive_name(element).to_string(),
        };
        return Ok(format!("{element}[]"));
    }
    if prim_named(name).is_some() {
        return Ok(name.to_string());
    }
    let class = vm.library(name)?;
    let inner = vm.linker.class(class).simple_name.clone();
    Ok(match inner {
        Some(simple) => simple.to_string(),
        None => name.rsplit('/').next().unwrap_or(name).to_string(),
    })
}

/// JLS §6.7; `None` for local and anonymous classes.
fn canonical_name(vm: &mut Vm, name: &str) -> Step<Option<String>> {
    if let Some(element) = name.strip_prefix('[') {
        let element = match class_name_of(element) {
            Some(class) => canonical_name(vm, &class)?,
            None => Some(primitive_name(element).to_string()),
        };
        return Ok(element.map(|e| format!("{e}[]")));
    }
    if prim_named(name).is_some() {
        return Ok(Some(name.to_string()));
    }
    let class = vm.library(name)?;
    let class = vm.linker.class(class);
    match (class.simple_name.clone(), class.outer.clone()) {
        (None, _) => Ok(Some(name.dotted())),
        (Some(simple), Some(outer)) => {
            let outer = canonical_name(vm, &outer)?;
            Ok(outer.map(|o| format!("{o}.{simple}")))
        }
        (Some(_), None) => Ok(None),
    }
}

fn instance(vm: &mut Vm, state: &State, args: &[Value]) -> Step<bool> {
    let Some(target) = class_of(vm, state, args, 0)? else {
        return Ok(false);
    };
    let id = object(vm, args, 1)?;
    crate::symex::vm::type_test::is_instance(vm, state, id, target)
}

fn is_instance(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let null = matches!(args.get(1), Some(Value::Ref(Ref::Null)));
    let is_instance = !null && instance(vm, state, args)?;
    truth(vm, is_instance)
}

fn is_assignable_from(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (to, from) = (mirrored(vm, state, args, 0)?, mirrored(vm, state, args, 1)?);
    let classes = (class_of(vm, state, args, 0)?, class_of(vm, state, args, 1)?);
    let is = match classes {
        (Some(to), Some(from)) => {
            let version = state.version().unwrap_or(Version::New);
            vm.linker.is_subclass(from, to, version)?
        }
        _ => to == from,
    };
    truth(vm, is)
}

fn modifiers(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    const ARRAY: u16 = access::PUBLIC | access::FINAL | access::ABSTRACT;
    let name = mirrored(vm, state, args, 0)?;
    if name.starts_with('[') && !name.ends_with(';') {
        return Ok(Some(Value::Prim(vm.pool.int(i32::from(ARRAY)))));
    }
    let flags = match reflection::declaration(vm, state, args, 0)? {
        Some(file) => reflection::declared_access(&file),
        None if name.starts_with('[') => {
            return Err(Stop::unsupported(
                Reason::UnsupportedNative,
                "modifiers of an array class",
            )
            .into());
        }
        None => ARRAY,
    };
    Ok(Some(Value::Prim(vm.pool.int(i32::from(flags)))))
}

fn superclass(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let class = class_of(vm, state, args, 0)?;
    let class = class.filter(|c| !vm.linker.class(*c).is_interface());
    let parent = match (
        class.map(|c| vm.linker.class(c).superclass),
        state.version(),
    ) {
        (None, _) => None,
        (Some(Shadow::Same(parent)), _) => parent,
        (Some(split), Some(version)) => split.get(version),
        (Some(_), None) => return Err(per_version(state)),
    };
    match parent {
        Some(parent) => {
            let name = vm.linker.class(parent).name.clone();
            vm.mirror(state, &name).map(Some)
        }
        None => Ok(Some(Value::NULL)),
    }
}

fn component(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let name = mirrored(vm, state, args, 0)?;
    let Some(element) = name.strip_prefix('[') else {
        return Ok(Some(Value::NULL));
    };
    let element = class_name_of(element).unwrap_or_else(|| primitive_name(element).to_string());
    vm.mirror(state, &Arc::from(element)).map(Some)
}

fn for_name(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let name = class_loader::constant(vm, state, args, 0)?;
    let internal = class_loader::named(vm, state, &name)?;
    let class = vm.resolve(state, &internal)?;
    let wanted = match args.get(1) {
        Some(Value::Prim(t)) => vm.pool.as_i64(*t) != Some(0),
        _ => true,
    };
    if wanted {
        vm.initialise(state, class)?;
    }
    vm.mirror(state, &internal).map(Some)
}

/// Whether a class is a primitive's, or an array of primitives.
fn is_of_primitives(name: &str) -> bool {
    prim_named(name).is_some() || name.starts_with('[') && !name.ends_with(';')
}
