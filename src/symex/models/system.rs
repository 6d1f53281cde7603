//! The environment of the program: `System`, `Runtime`, `Thread`, `VM`, reflection's caller, properties.
//!
//! Runs are those of a JVM in English (United States) with UTF-8; replays are started so. What differs from machine to machine
//! gives up by name.

use super::super::state::{Singleton, State};
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::Vm;
use super::class_loader;
use super::made;
use super::mirror;
use super::object;
use super::text;
use crate::model::reason::Reason;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::value::text::Text;
use crate::symex::vm::Model;
use crate::symex::vm::memory::identical;
use std::sync::Arc;

const PROPERTIES: Singleton = Singleton::Named("system properties");

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        (_, "registerNatives" | "initIDs") => |_, _, _| Ok(None),
        // Without an archive of class data, everything is made as the JDK's own code makes it.
        (
            "jdk/internal/misc/CDS",
            "isDumpingClassList0"
            | "isDumpingArchive0"
            | "isSharingEnabled0"
            | "getCDSConfigStatus",
        ) => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
        ("jdk/internal/misc/CDS", "getRandomSeedForDumping") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.long(0))))
        }
        ("jdk/internal/misc/CDS", "initializeFromArchive") => |_, _, _| Ok(None),
        ("jdk/internal/misc/VM", "initialize") => |_, _, _| Ok(None),
        ("jdk/internal/misc/VM", "isBooted" | "isModuleSystemInited") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(1))))
        }
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
        // Replays run without a security manager, as programs do today.
        ("java/lang/System", "getSecurityManager") => |_, _, _| Ok(Some(Value::NULL)),
        ("java/lang/System", "allowSecurityManager") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0))))
        }
        ("java/lang/System", "nanoTime") => |vm, state, _| time(vm, state, 1_000_000_000),
        ("java/lang/System", "currentTimeMillis") => |vm, state, _| time(vm, state, 1_000),
        ("java/lang/System", "identityHashCode") | ("java/lang/Object", "hashCode") => {
            identity_hash
        }
        ("java/lang/System", "getLogger") => super::logger::OF_NAME,
        ("java/lang/System", "getenv") => {
            |_, _, _| Err(Stop::unsupported(Reason::Environment, "System.getenv").into())
        }
        ("java/lang/Runtime", "availableProcessors") => processors,
        ("java/lang/Runtime", "freeMemory" | "totalMemory" | "maxMemory") => {
            |_, _, _| Err(Stop::unsupported(Reason::Environment, "the machine's memory").into())
        }
        ("java/lang/Runtime", "gc") | ("java/lang/System", "gc") => |_, _, _| Ok(None),
        ("java/lang/Thread", "currentThread") => |vm, state, _| thread(vm, state),
        ("java/lang/Thread", "getContextClassLoader") => {
            |vm, state, _| class_loader::loader(vm, state)
        }
        ("java/lang/Thread", "holdsLock") => {
            |_, _, _| Err(Stop::unsupported(Reason::Threads, "Thread.holdsLock").into())
        }
        ("java/lang/Thread", "start" | "start0" | "sleep" | "yield" | "sleep0" | "yield0") => {
            |_, _, _| Err(Stop::unsupported(Reason::Threads, "java.lang.Thread").into())
        }
        ("java/lang/StringUTF16", "isBigEndian") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0))))
        }
        ("java/util/concurrent/atomic/AtomicLong", "VMSupportsCS8") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(1))))
        }
        ("jdk/internal/reflect/Reflection", "getCallerClass") => caller_class,
        ("jdk/internal/access/SharedSecrets", "ensureClassInitialized") => |vm, state, args| {
            if let Some(class) = mirror::class_of(vm, state, args, 0)? {
                vm.initialise(state, class)?;
            }
            Ok(None)
        },
        ("java/security/AccessController", "ensureMaterializedForStackWalk") => |_, _, _| Ok(None),
        (
            "java/security/AccessController",
            "getStackAccessControlContext" | "getInheritedAccessControlContext",
        ) => |_, _, _| Ok(Some(Value::NULL)),
        // Only decides from which length on threads share a sort.
        ("java/util/concurrent/ForkJoinPool", "getCommonPoolParallelism") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(1))))
        }
        ("java/lang/ref/Reference" | "java/lang/ref/PhantomReference", "clear0" | "clearImpl0") => {
            |vm, state, args| {
                let id = object(vm, args, 0)?;
                vm.write_field(state, id, "referent", Value::NULL);
                Ok(None)
            }
        }
        ("java/lang/ref/Reference" | "java/lang/ref/PhantomReference", "refersTo0") => {
            |vm, state, args| {
                let id = object(vm, args, 0)?;
                let class = vm.linker.class(state.heap.get(id).class).clone();
                let index = class.field("referent", "Ljava/lang/Object;");
                let (Body::Fields(slots), Some(index)) = (&state.heap.get(id).body, index) else {
                    return Ok(None);
                };
                let referent = slots
                    .get(index)
                    .map(|s| state.view(s))
                    .and_then(|s| s.same().copied());
                let other = args.get(1).copied().unwrap_or(Value::NULL);
                let same = identical(vm, state, &referent.unwrap_or(Value::NULL), &other)?;
                let (one, zero) = (vm.pool.int(1), vm.pool.int(0));
                Ok(Some(Value::Prim(vm.pool.ite(same, one, zero))))
            }
        }
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

/// A number of the object's own, spread like the JVM's.
fn identity_hash(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    if args.first() == Some(&Value::NULL) {
        return Ok(Some(Value::Prim(vm.pool.int(0))));
    }
    let id = object(vm, args, 0)?;
    if !asks_for_its_own_table(state) {
        vm.by_chance(state, Reason::IdentityHash);
    }
    let spread = id.0.wrapping_add(1).wrapping_mul(0x9e37_79b1) >> 1;
    Ok(Some(Value::Prim(vm.pool.int(spread as i32))))
}

/// Whether the library looks its own constants up in its own tables, where any hash will do.
fn asks_for_its_own_table(state: &State) -> bool {
    const TABLES: [&str; 10] = [
        "jdk/internal/util/ArraysSupport",
        "java/util/ImmutableCollections$SetN",
        "java/util/Set",
        "java/util/Arrays",
        "java/lang/Enum",
        "java/lang/Object",
        "java/util/HashMap",
        "java/util/HashSet",
        "java/util/LinkedHashMap",
        "java/util/concurrent/ConcurrentHashMap",
    ];
    const OWNERS: [&str; 10] = [
        "java/lang/PublicMethods",
        "java/lang/reflect/",
        "java/nio/file/",
        "sun/nio/fs/",
        "java/text/",
        "java/time/",
        "jdk/internal/",
        "sun/reflect/",
        "sun/util/",
        "java/lang/Class",
    ];
    let mut asking = state.thread.frames.iter().rev();
    let owner = asking.find(|f| !TABLES.contains(&&*f.method.class_name));
    owner.is_some_and(|f| OWNERS.iter().any(|o| f.method.class_name.starts_with(o)))
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

/// Weeks begin on Sunday, and with the first of January, in the locale of replays; others run the JDK's own code.
pub(super) fn week_data(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let locale = object(vm, args, 0)?;
    let Some(Value::Ref(Ref::Obj(base))) = field(vm, state, locale, "baseLocale") else {
        return Err(Interruption::OwnCode);
    };
    let mut is = |name: &str, wanted: &str| {
        let part = field(vm, state, base, name).unwrap_or(Value::NULL);
        let units = text(vm, state, &[part], 0)
            .ok()
            .and_then(|t| t.units(&vm.pool));
        units.is_some_and(|units| String::from_utf16_lossy(&units) == wanted)
    };
    if is("language", "en") && is("region", "US") && is("variant", "") {
        return Ok(Some(Value::Prim(vm.pool.int(1))));
    }
    Err(Interruption::OwnCode)
}

/// A field of an object where the versions agree on it.
pub(super) fn field(vm: &Vm, state: &State, id: ObjId, name: &str) -> Option<Value> {
    let class = vm.linker.class(state.heap.get(id).class);
    let at = class.layout.iter().position(|f| &*f.name == name)?;
    match &state.heap.get(id).body {
        Body::Fields(slots) => state.view(slots.get(at)?).same().copied(),
        _ => None,
    }
}

/// The class of the method that asks.
fn asking(state: &State) -> Option<Arc<str>> {
    state.frame().map(|f| f.method.class_name.clone())
}

/// The time, in nanoseconds or milliseconds, of runs on a day in 2026; the seed of the iteration order of `Set.of` has a
/// reason of its own where it is used.
fn time(vm: &mut Vm, state: &mut State, unit: i64) -> Step<Option<Value>> {
    const NOW: i64 = 1_767_268_800;
    if asking(state).as_deref() == Some("java/util/ImmutableCollections") {
        return Ok(Some(Value::Prim(vm.pool.long(0))));
    }
    // What is made of the time is another input in every run.
    if state.makes_input() {
        return Err(Stop::unsupported(Reason::Environment, "the time").into());
    }
    vm.by_chance(state, Reason::Environment);
    Ok(Some(Value::Prim(vm.pool.long(NOW * unit))))
}

/// The collections and counters only decide by it how threads share work.
fn processors(vm: &mut Vm, state: &mut State, _: &[Value]) -> Step<Option<Value>> {
    match asking(state).as_deref() {
        Some(
            "java/util/concurrent/ConcurrentHashMap"
            | "java/util/concurrent/Exchanger"
            | "java/util/concurrent/atomic/Striped64",
        ) => Ok(Some(Value::Prim(vm.pool.int(1)))),
        _ => Err(Stop::unsupported(Reason::Environment, "the number of processors").into()),
    }
}

/// The one thread: an object whose fields are as if it had done nothing yet.
fn thread(vm: &mut Vm, state: &mut State) -> Step<Option<Value>> {
    const THREAD: Singleton = Singleton::Named("thread");
    if let Some(id) = state.singletons.get(&THREAD) {
        return Ok(Some(Value::obj(*id)));
    }
    let class = vm.library("java/lang/Thread")?;
    let id = vm.instantiate(state, class);
    state.singletons.insert_mut(THREAD, id);
    Ok(Some(Value::obj(id)))
}

/// The class that called the method that asks (`Reflection.getCallerClass`).
fn caller_class(vm: &mut Vm, state: &mut State, _: &[Value]) -> Step<Option<Value>> {
    let frames = &state.thread.frames;
    let caller = frames.len().checked_sub(2).and_then(|i| frames.get(i));
    match caller.map(|f| f.method.class_name.clone()) {
        Some(name) => vm.mirror(state, &name).map(Some),
        None => {
            Err(Stop::unsupported(Reason::UnsupportedNative, "caller outside the program").into())
        }
    }
}
