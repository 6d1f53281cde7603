//! Properties of the system (`System.getProperty` and its kin), as the JVM that replays has them.

use super::system::asking;
use super::{made, text};
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::state::{Singleton, State};
use crate::symex::value::text::Text;
use crate::symex::value::{Ref, Value};
use crate::symex::vm::{Model, Vm};
use std::sync::Arc;

const PROPERTIES: Singleton = Singleton::Named("system properties");

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        ("jdk/internal/misc/VM", "getSavedProperty") => {
            |vm, state, args| property(vm, state, args, 0)
        }
        ("java/lang/System", "getProperty") if descriptor.starts_with("(Ljava/lang/String;)") => {
            |vm, state, args| property(vm, state, args, 0)
        }
        ("java/lang/System", "getProperty") => |vm, state, args| {
            let default = args.get(1).copied();
            match property(vm, state, args, 0)? {
                Some(Value::Ref(Ref::Null)) => Ok(default),
                found => Ok(found),
            }
        },
        ("java/lang/System", "getProperties") => |vm, state, _| {
            if let Some(id) = state.singletons.get(&PROPERTIES) {
                return Ok(Some(Value::obj(*id)));
            }
            let class = vm.library("java/util/Properties")?;
            let id = vm.instantiate(state, class);
            state.singletons.insert_mut(PROPERTIES, id);
            Ok(Some(Value::obj(id)))
        },
        ("java/util/Properties", "getProperty") => of_properties,
        ("java/util/Properties", "setProperty") => set_property,
        // Its other methods would read a table that there is none of.
        ("java/util/Properties", _) => |_, state, args| match is_of_system(state, args) {
            true => Err(Stop::unsupported(Reason::Environment, "all system properties").into()),
            false => Err(Interruption::OwnCode),
        },
        ("java/lang/System", "lineSeparator") => |vm, state, _| {
            let end = if cfg!(windows) { "\r\n" } else { "\n" };
            let units: Vec<u16> = end.encode_utf16().collect();
            vm.literal(state, &Arc::from(units)).map(Some)
        },
        _ => return None,
    })
}

/// Properties that every replay has alike; `None` for those that differ, by JDK, machine or user.
fn known(name: &str) -> Option<Option<&'static str>> {
    const DIFFERS: [&str; 6] = ["java.", "os.", "user.", "sun.", "jdk.", "native."];
    Some(match name {
        "user.language" => Some("en"),
        "user.country" => Some("US"),
        "user.script" | "user.variant" | "user.region" => None,
        "user.language.display" | "user.language.format" => None,
        "user.country.display" | "user.country.format" => None,
        "user.script.display" | "user.script.format" => None,
        "user.variant.display" | "user.variant.format" => None,
        "user.extensions" | "user.extensions.display" | "user.extensions.format" => None,
        "user.timezone" => Some("UTC"),
        "file.encoding" | "sun.jnu.encoding" => Some("UTF-8"),
        "line.separator" => Some(if cfg!(windows) { "\r\n" } else { "\n" }),
        "file.separator" => Some(if cfg!(windows) { "\\" } else { "/" }),
        "path.separator" => Some(if cfg!(windows) { ";" } else { ":" }),
        // Tuning that no replay sets.
        "java.lang.Integer.IntegerCache.high" => None,
        _ if name.starts_with("java.util.") || name.starts_with("java.locale.") => None,
        _ if name.starts_with("sun.nio.cs.") => None,
        "jdk.disableSerialConstructorChecks" => None,
        _ if name.starts_with("sun.reflect.") || name.starts_with("jdk.reflect.") => None,
        _ if name.starts_with("jdk.util.") || name.starts_with("jdk.map.") => None,
        _ if DIFFERS.iter().any(|prefix| name.starts_with(prefix)) => return None,
        _ => None,
    })
}

fn property(vm: &mut Vm, state: &mut State, args: &[Value], n: usize) -> Step<Option<Value>> {
    let Some(units) = text(vm, state, args, n)?.units(&vm.pool) else {
        return Err(Stop::unsupported(Reason::Environment, "a symbolic system property").into());
    };
    let name = String::from_utf16_lossy(&units);
    if name.is_empty() {
        return Err(Interruption::OwnCode);
    }
    match known(&name) {
        Some(Some(value)) => {
            let units: Vec<u16> = value.encode_utf16().collect();
            let text = Text::constant(&mut vm.pool, &units);
            made(vm, state, text)
        }
        Some(None) => Ok(Some(Value::NULL)),
        None => of_machine(vm, state, &name),
    }
}

/// A property as the JVM that replays has it.
fn of_machine(vm: &mut Vm, state: &mut State, name: &str) -> Step<Option<Value>> {
    let machine = vm.linker.machine().clone();
    let what = format!("system property {name}");
    let Some(value) = machine.property(name) else {
        return Err(Stop::unsupported(Reason::Environment, what).into());
    };
    // The JDK keeps them, and shows the working folder where it is asked for (`files::names`).
    const KEEPERS: [&str; 3] = [
        "jdk/internal/util/StaticProperty",
        "java/io/UnixFileSystem",
        "sun/nio/fs/LinuxFileSystem",
    ];
    let mut asking = state.thread.frames.iter().rev();
    let asking = asking.find(|f| !f.method.class_name.starts_with("sun/security/action/"));
    if !asking.is_some_and(|f| KEEPERS.contains(&&*f.method.class_name)) {
        vm.touched
            .insert((Reason::ThisMachine, "system properties".into()));
    }
    match value {
        Some(value) => {
            let units: Vec<u16> = value.encode_utf16().collect();
            let text = Text::constant(&mut vm.pool, &units);
            made(vm, state, text)
        }
        None => Ok(Some(Value::NULL)),
    }
}

/// `Properties.getProperty` on the system's own properties.
fn of_properties(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    if !is_of_system(state, args) {
        return Err(Interruption::OwnCode);
    }
    match (property(vm, state, args, 1)?, args.get(2)) {
        (Some(Value::Ref(Ref::Null)), Some(default)) => Ok(Some(*default)),
        (found, _) => Ok(found),
    }
}

fn is_of_system(state: &State, args: &[Value]) -> bool {
    let system = state.singletons.get(&PROPERTIES).copied();
    system.is_some_and(|id| args.first() == Some(&Value::obj(id)))
}

/// `Properties.setProperty`: of the system's own only the default time zone is noted, which is as it was.
fn set_property(_: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    match (is_of_system(state, args), asking(state).as_deref()) {
        (false, _) => Err(Interruption::OwnCode),
        (true, Some("java/util/TimeZone")) => Ok(Some(Value::NULL)),
        _ => Err(Stop::unsupported(Reason::Environment, "a system property that is set").into()),
    }
}
