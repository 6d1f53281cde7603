//! The JVM around the program: `System`, `Runtime`, `Thread`, `VM`, reflection's caller, properties.
//!
//! Runs are those of a JVM in English (United States) with UTF-8; replays are started so. What differs from machine to machine
//! gives up by name.

use super::super::effect::{Effect, Step, Stop};
use super::super::heap::Body;
use super::super::memory::identical;
use super::super::state::{Singleton, State};
use super::super::text::Text;
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::{Model, made, mirror, object, text};
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
        ("java/lang/System", "nanoTime" | "currentTimeMillis") => time,
        ("java/lang/System", "identityHashCode") | ("java/lang/Object", "hashCode") => {
            |_, _, _| Err(Stop::unsupported("identity-hash", "differs from run to run").into())
        }
        ("java/lang/System", "getenv") => {
            |_, _, _| Err(Stop::unsupported("environment", "System.getenv").into())
        }
        ("java/lang/Runtime", "availableProcessors") => processors,
        ("java/lang/Runtime", "freeMemory" | "totalMemory" | "maxMemory") => {
            |_, _, _| Err(Stop::unsupported("environment", "the machine's memory").into())
        }
        ("java/lang/Runtime", "gc") | ("java/lang/System", "gc") => |_, _, _| Ok(None),
        ("java/lang/Thread", "currentThread") => |vm, state, _| thread(vm, state),
        ("java/lang/Thread", "holdsLock") => {
            |_, _, _| Err(Stop::unsupported("threads", "Thread.holdsLock").into())
        }
        ("java/lang/Thread", "start" | "start0" | "sleep" | "yield" | "sleep0" | "yield0") => {
            |_, _, _| Err(Stop::unsupported("threads", "java.lang.Thread").into())
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
        // Only what is modelled here looks up anything with it.
        ("java/lang/invoke/MethodHandles", "lookup") => {
            |_, state, _| match asking(state).as_deref() {
                Some("jdk/internal/access/SharedSecrets") => Ok(Some(Value::NULL)),
                _ => Err(Effect::OwnCode),
            }
        }
        // Only decides from which length on threads share a sort.
        ("java/util/concurrent/ForkJoinPool", "getCommonPoolParallelism") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(1))))
        }
        ("java/lang/ref/Reference", "refersTo0") => |vm, state, args| {
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
        _ if name.starts_with("jdk.util.") || name.starts_with("jdk.map.") => None,
        _ if DIFFERS.iter().any(|prefix| name.starts_with(prefix)) => return None,
        _ => None,
    })
}

fn property(vm: &mut Vm, state: &mut State, args: &[Value], n: usize) -> Step<Option<Value>> {
    let Some(units) = text(vm, state, args, n)?.units(&vm.pool) else {
        return Err(Stop::unsupported("environment", "a symbolic system property").into());
    };
    let name = String::from_utf16_lossy(&units);
    if name.is_empty() {
        return Err(Effect::OwnCode);
    }
    match known(&name) {
        Some(Some(value)) => {
            let units: Vec<u16> = value.encode_utf16().collect();
            let text = Text::constant(&mut vm.pool, &units);
            made(vm, state, text)
        }
        Some(None) => Ok(Some(Value::NULL)),
        None => Err(Stop::unsupported("environment", format!("system property {name}")).into()),
    }
}

/// `Properties.getProperty` on the system's own properties.
fn of_properties(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    if state.singletons.get(&PROPERTIES) != Some(&id) {
        return Err(Effect::OwnCode);
    }
    match (property(vm, state, args, 1)?, args.get(2)) {
        (Some(Value::Ref(Ref::Null)), Some(default)) => Ok(Some(*default)),
        (found, _) => Ok(found),
    }
}

/// The class of the method that asks.
fn asking(state: &State) -> Option<Arc<str>> {
    state.frame().map(|f| f.method.class_name.clone())
}

/// Time is the environment's; only the seed of the iteration order of `Set.of`, which gives up where it is used, gets a zero.
fn time(vm: &mut Vm, state: &mut State, _: &[Value]) -> Step<Option<Value>> {
    match asking(state).as_deref() {
        Some("java/util/ImmutableCollections") => Ok(Some(Value::Prim(vm.pool.long(0)))),
        _ => Err(Stop::unsupported("environment", "the time").into()),
    }
}

/// The collections only decide by it how threads share work.
fn processors(vm: &mut Vm, state: &mut State, _: &[Value]) -> Step<Option<Value>> {
    match asking(state).as_deref() {
        Some("java/util/concurrent/ConcurrentHashMap" | "java/util/concurrent/Exchanger") => {
            Ok(Some(Value::Prim(vm.pool.int(1))))
        }
        _ => Err(Stop::unsupported("environment", "the number of processors").into()),
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
        None => Err(Stop::unsupported("unsupported-native", "caller outside the program").into()),
    }
}

/// A static field whose value differs from run to run: the iteration order of `Set.of` and `Map.of`.
pub(in super::super) fn differs_by_run(class: &str, field: &str) -> bool {
    class == "java/util/ImmutableCollections" && matches!(field, "SALT32L" | "REVERSE" | "SALT")
}
