//! The class loader of the program under test, and the resources on its class path.

use super::super::state::{Singleton, State};
use super::super::value::{Ref, Value};
use super::super::vm::{Vm, per_version};
use super::mirror;
use super::reflection::jdk_module;
use super::text;
use crate::bytecode::is_jdk;
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;
use crate::symex::vm::array::allocate;
use std::sync::Arc;

/// What a program asks of its class loader; its other methods run as they are.
pub(super) fn find(name: &str) -> Option<Model> {
    Some(match name {
        "registerNatives" => |_, _, _| Ok(None),
        "getResourceAsStream" => |vm, state, args| {
            let name = constant(vm, state, args, 1)?;
            resource(vm, state, &name)
        },
        "loadClass" => |vm, state, args| {
            let name = constant(vm, state, args, 1)?;
            let class = named(vm, state, &name)?;
            vm.mirror(state, &class).map(Some)
        },
        "getSystemClassLoader"
        | "getPlatformClassLoader"
        | "getSystemResource"
        | "getSystemResources"
        | "getSystemResourceAsStream"
        | "getResource"
        | "getResources"
        | "resources"
        | "findResource"
        | "findResources"
        | "findClass"
        | "getURLs"
        | "getParent"
        | "getName"
        | "getUnnamedModule"
        | "definePackage"
        | "getDefinedPackage"
        | "getDefinedPackages" => unknown,
        _ => return None,
    })
}

/// What no model tells of a class loader.
pub(super) fn unknown(_: &mut Vm, _: &mut State, _: &[Value]) -> Step<Option<Value>> {
    Err(Stop::unsupported(Reason::Reflection, "java.lang.ClassLoader").into())
}

/// The loader of a class: of an array, that of its elements.
pub(super) fn of(vm: &mut Vm, state: &mut State, name: &str) -> Step<Option<Value>> {
    match mirror::element_class(name) {
        None => Ok(Some(Value::NULL)),
        Some(class) if mirror::is_of_base(class) => Ok(Some(Value::NULL)),
        Some(class) if is_jdk(class) => of_module(vm, state, jdk_module(vm, class)?),
        Some(_) => loader(vm, state),
    }
}

/// The loader of a module of the JDK: none for those that the JVM loads itself (JDK 9 and later, `make/conf/module-loader-map.conf`).
fn of_module(vm: &mut Vm, state: &mut State, module: &str) -> Step<Option<Value>> {
    const BY_JVM: [&str; 16] = [
        "java.base",
        "java.datatransfer",
        "java.desktop",
        "java.instrument",
        "java.logging",
        "java.management",
        "java.management.rmi",
        "java.naming",
        "java.prefs",
        "java.rmi",
        "java.security.sasl",
        "java.xml",
        "jdk.jfr",
        "jdk.management",
        "jdk.net",
        "jdk.unsupported",
    ];
    const BY_PLATFORM: [&str; 6] = [
        "java.compiler",
        "java.net.http",
        "java.scripting",
        "java.sql",
        "java.sql.rowset",
        "java.transaction.xa",
    ];
    match module {
        _ if BY_JVM.contains(&module) => Ok(Some(Value::NULL)),
        _ if BY_PLATFORM.contains(&module) => {
            let class = "jdk/internal/loader/ClassLoaders$PlatformClassLoader";
            one(vm, state, Singleton::Named("platform class loader"), class)
        }
        _ => Err(Stop::unsupported(Reason::Reflection, "Class.getClassLoader").into()),
    }
}

/// The one loader of the classes under test.
pub(super) fn loader(vm: &mut Vm, state: &mut State) -> Step<Option<Value>> {
    let loader = Singleton::Named("class loader");
    one(vm, state, loader, "java/net/URLClassLoader")
}

fn one(vm: &mut Vm, state: &mut State, loader: Singleton, class: &str) -> Step<Option<Value>> {
    if let Some(id) = state.singletons.get(&loader) {
        return Ok(Some(Value::obj(*id)));
    }
    let class = vm.library(class)?;
    let id = vm.instantiate(state, class);
    state.singletons.insert_mut(loader, id);
    Ok(Some(Value::obj(id)))
}

/// `Class.getResourceAsStream`: names are relative to the package.
pub(super) fn of_class(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let name = constant(vm, state, args, 1)?;
    let class = mirror::mirrored(vm, state, args, 0)?;
    let path = match (name.strip_prefix('/'), class.rsplit_once('/')) {
        (Some(absolute), _) => absolute.to_string(),
        (None, Some((package, _))) => format!("{package}/{name}"),
        (None, None) => name,
    };
    resource(vm, state, &path)
}

/// The internal name of a class that a program names at run time; one that is not there raises `ClassNotFoundException`.
pub(super) fn named(vm: &mut Vm, state: &State, name: &str) -> Step<Arc<str>> {
    // Of the JDK's modules not all are searched.
    const JDK: [&str; 6] = ["java.", "javax.", "jdk.", "sun.", "com.sun.", "org."];
    let internal: Arc<str> = Arc::from(name.internal());
    let unknown = || Stop::unsupported(Reason::UnsupportedNative, format!("Class.forName: {name}"));
    if name.contains('/') || name.starts_with('[') && vm.resolve(state, &internal).is_err() {
        return Err(unknown().into());
    }
    match vm.resolve(state, &internal) {
        Ok(_) => match (vm.linker.only_version(&internal), state.version()) {
            (Some(only), Some(version)) if only != version => {
                Err(Interruption::Raise("java/lang/ClassNotFoundException"))
            }
            (Some(_), None) => Err(per_version(state)),
            _ => Ok(internal),
        },
        Err(Interruption::Region { old, new, at }) => Err(Interruption::Region { old, new, at }),
        Err(_)
            if JDK.iter().any(|prefix| name.starts_with(prefix))
                && vm.linker.jdk_has_package_of(&internal) =>
        {
            Err(unknown().into())
        }
        // Without the build's class path only what the patch needs is compiled.
        Err(_) if vm.linker.is_uncompiled(&internal) => Err(unknown().into()),
        Err(_) => Err(Interruption::Raise("java/lang/ClassNotFoundException")),
    }
}

/// The `n`th argument as a constant text.
pub(super) fn constant(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<String> {
    match args.get(n) {
        Some(Value::Ref(Ref::Null)) | None => {
            Err(Interruption::Raise("java/lang/NullPointerException"))
        }
        Some(_) => match text(vm, state, args, n)?.units(&vm.pool) {
            Some(units) => Ok(String::from_utf16_lossy(&units)),
            None => {
                Err(Stop::unsupported(Reason::Reflection, "a name that is not constant").into())
            }
        },
    }
}

/// A resource's bytes as a stream, null where there is none.
fn resource(vm: &mut Vm, state: &mut State, name: &str) -> Step<Option<Value>> {
    let side = |vm: &Vm, version| {
        let found = vm.linker.resource(name, version);
        found.map_err(|why| Interruption::from(Stop::unsupported(Reason::Environment, why)))
    };
    let bytes = match state.version() {
        Some(version) => side(vm, version)?,
        None => {
            let (old, new) = (side(vm, Version::Old)?, side(vm, Version::New)?);
            if old != new {
                return Err(per_version(state));
            }
            new
        }
    };
    // The class path is searched, the JDK's modules are not.
    let Some(bytes) = bytes else {
        if crate::bytecode::is_jdk(name) {
            return Err(Stop::unsupported(Reason::Environment, "a resource of the JDK").into());
        }
        return Ok(Some(Value::NULL));
    };
    let array = allocate(vm, state, &Arc::from("B"), bytes.len() as i64)?;
    let each: Vec<Slot> = bytes
        .iter()
        .map(|b| Shadow::Same(Value::Prim(vm.pool.int(i32::from(*b as i8)))))
        .collect();
    if let Body::Array { values, .. } = &mut state.heap.get_mut(array).body {
        *values = each;
    }
    let class = vm.library("java/io/ByteArrayInputStream")?;
    let stream = vm.instantiate(state, class);
    let count = Value::Prim(vm.pool.int(bytes.len() as i32));
    vm.set_field(state, stream, "buf", Value::obj(array));
    vm.set_field(state, stream, "count", count);
    Ok(Some(Value::obj(stream)))
}
