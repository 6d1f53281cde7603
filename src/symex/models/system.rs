//! The environment of the program: `System`, `Runtime`, `Thread`, `VM`, reflection's caller.
//!
//! Runs are those of a JVM in English (United States) with UTF-8; replays are started so. What differs from machine to machine
//! gives up by name.

use super::super::state::{Singleton, State};
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::class_loader;
use super::mirror;
use super::object;
use super::properties;
use super::text;
use crate::model::reason::Reason;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::vm::Model;
use crate::symex::vm::memory::identical;
use std::sync::Arc;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    properties::find(class, name, descriptor)
        .or_else(|| start_up(class, name))
        .or_else(|| reference(class, name))
        .or_else(|| environment(class, name))
}

/// What the JDK asks while it starts: everything is started, and there is no archive of class data, so everything is made as the
/// JDK's own code makes it.
fn start_up(class: &str, name: &str) -> Option<Model> {
    Some(match (class, name) {
        (_, "registerNatives" | "initIDs") => |_, _, _| Ok(None),
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
        // Libraries ask for `Unsafe` in vain first: their classes have the loader of the program under test.
        ("jdk/internal/misc/VM", "isSystemDomainLoader") => |vm, _, args| {
            let is_system = args[0] == Value::NULL;
            if !is_system {
                object(vm, args, 0)?;
            }
            Ok(Some(Value::Prim(vm.pool.int(i32::from(is_system)))))
        },
        _ => return None,
    })
}

/// References of `java.lang.ref`: no collector runs, so they keep what they refer to.
fn reference(class: &str, name: &str) -> Option<Model> {
    if !matches!(
        class,
        "java/lang/ref/Reference" | "java/lang/ref/PhantomReference"
    ) {
        return None;
    }
    Some(match name {
        "clear0" | "clearImpl0" => |vm, state, args| {
            let id = object(vm, args, 0)?;
            vm.write_field(state, id, "referent", Value::NULL);
            Ok(None)
        },
        "refersTo0" => refers_to,
        _ => return None,
    })
}

fn refers_to(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
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

/// Threads, time, memory and the rest of `System` and `Runtime`.
fn environment(class: &str, name: &str) -> Option<Model> {
    Some(match (class, name) {
        // Replays run without a security manager, as programs do today.
        ("java/lang/System", "getSecurityManager") => |_, _, _| Ok(Some(Value::NULL)),
        ("java/lang/System", "allowSecurityManager") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0))))
        }
        ("java/lang/System", "nanoTime") => |vm, state, _| time(vm, state, 1_000_000_000),
        ("java/lang/System", "currentTimeMillis") => |vm, state, _| time(vm, state, 1_000),
        ("jdk/internal/misc/VM", "getNanoTimeAdjustment") => nano_time_adjustment,
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
        // It belongs to the group of the thread that makes it, which the engine has not.
        (
            "java/lang/Thread",
            "<init>" | "start" | "start0" | "sleep" | "yield" | "sleep0" | "yield0",
        ) => |_, _, _| Err(Stop::unsupported(Reason::Threads, "java.lang.Thread").into()),
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
        _ => return None,
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

/// The class of the method that asks.
pub(super) fn asking(state: &State) -> Option<Arc<str>> {
    state.frame().map(|f| f.method.class_name.clone())
}

/// The second in which symbolic runs take place, a day in 2026.
const NOW: i64 = 1_767_268_800;

/// The time, in nanoseconds or milliseconds; the seed of the iteration order of `Set.of` has a reason of its own where it is used.
fn time(vm: &mut Vm, state: &mut State, unit: i64) -> Step<Option<Value>> {
    if asking(state).as_deref() == Some("java/util/ImmutableCollections") {
        return Ok(Some(Value::Prim(vm.pool.long(0))));
    }
    take_time(vm, state)?;
    Ok(Some(Value::Prim(vm.pool.long(NOW * unit))))
}

/// Notes that a run depends on the time.
fn take_time(vm: &mut Vm, state: &mut State) -> Step<()> {
    // What is made of the time is another input in every run.
    if state.makes_input() {
        return Err(Stop::unsupported(Reason::Environment, "the time").into());
    }
    vm.by_chance(state, Reason::Environment);
    Ok(())
}

/// The nanoseconds from a second on until now, by which clocks make instants: -1 where they are too far from one another.
fn nano_time_adjustment(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    const FARTHEST: u64 = 1 << 32;
    let offset = match args.first() {
        Some(Value::Prim(offset)) => vm.pool.as_i64(*offset),
        _ => None,
    };
    let Some(offset) = offset else {
        return Err(Stop::unsupported(Reason::Environment, "the time").into());
    };
    take_time(vm, state)?;
    let adjustment = match NOW.abs_diff(offset) {
        ..FARTHEST => (NOW - offset) * 1_000_000_000,
        _ => -1,
    };
    Ok(Some(Value::Prim(vm.pool.long(adjustment))))
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

/// Weeks begin on Sunday, and with the first of January, in the locale of replays; others run the JDK's own code.
pub(super) fn week_data(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let locale = object(vm, args, 0)?;
    let Some(Value::Ref(Ref::Obj(base))) = vm.shared_field(state, locale, "baseLocale") else {
        return Err(Interruption::OwnCode);
    };
    let mut has_part = |name: &str, wanted: &str| {
        let part = vm.shared_field(state, base, name).unwrap_or(Value::NULL);
        let units = text(vm, state, &[part], 0)
            .ok()
            .and_then(|t| t.units(&vm.pool));
        units.is_some_and(|units| String::from_utf16_lossy(&units) == wanted)
    };
    if has_part("language", "en") && has_part("region", "US") && has_part("variant", "") {
        return Ok(Some(Value::Prim(vm.pool.int(1))));
    }
    Err(Interruption::OwnCode)
}
