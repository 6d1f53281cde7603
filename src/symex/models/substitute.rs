//! Replacement bodies for methods that the JVM sets up before the program, or that the JDK runs by reflection.

use super::super::class::{Method, Origin};
use super::super::state::State;
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::exact::multiply_by_constant;
use super::reflection;
use crate::bytecode::class_file::{Cmp, Const, Insn, InvokeKind, MemberRef};
use crate::model::Version;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::Step;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::exit;
use crate::symex::vm::synthetic;
use crate::symex::vm::synthetic::invoke;
use crate::symex::vm::view::plain;
use std::sync::Arc;

/// The body that runs instead of `method`, whose `count` arguments are on the stack.
pub(in crate::symex) fn substitute(
    vm: &mut Vm,
    state: &State,
    method: &Arc<Method>,
    count: usize,
) -> Step<Option<Arc<Method>>> {
    if method.origin != Origin::Library {
        return Ok(None);
    }
    if let Some(body) = reflection::body(vm, state, method, count)? {
        return Ok(Some(body));
    }
    let own = match super::files::body(vm, state, method, count)? {
        Some(insns) => Some(insns),
        None => super::encode::body(vm, state, method, count),
    };
    if let Some(insns) = own {
        return Ok(Some(synthetic::instead(
            method,
            2 * count as u16 + 4,
            insns,
        )));
    }
    let insns = match (&*method.class_name, &*method.name) {
        ("jdk/internal/access/SharedSecrets", "getJavaLangAccess") => java_lang_access(),
        ("jdk/internal/access/SharedSecrets", "getJavaUtilCollectionAccess") => collection_access(),
        // The bytes behind an open text can't be streamed, its characters can.
        ("java/lang/String", "chars" | "codePoints") if !plain(vm, state, count) => vec![
            Insn::Load(None, 0),
            invoke(
                InvokeKind::Special,
                "java/lang/CharSequence",
                &method.name,
                &method.descriptor,
            ),
            Insn::Return(Some(None)),
        ],
        ("java/lang/System", "exit") => exit::body(0),
        ("java/lang/Runtime", "exit" | "halt") => exit::body(1),
        // Its initialiser would have made one.
        ("java/lang/Class", "getReflectionFactory") => vec![
            Insn::GetStatic(Arc::new(MemberRef {
                class: Arc::from("java/lang/reflect/AccessibleObject"),
                name: Arc::from("reflectionFactory"),
                descriptor: Arc::from("Ljdk/internal/reflect/ReflectionFactory;"),
            })),
            Insn::Return(Some(None)),
        ],
        ("java/lang/Class", "getEnumConstantsShared") => match state.peek(count - 1) {
            Shadow::Same(Value::Ref(Ref::Obj(id))) => match &state.heap.get(id).body {
                Body::Mirror(name) => enum_constants(vm, &name.clone())?,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        },
        // Without what the JDK's files say of all other zones.
        ("sun/util/calendar/ZoneInfo", "getTimeZone") if count == 1 && is_utc(vm, state) => utc(),
        ("java/lang/Math", "multiplyExact") if &*method.descriptor == "(JJ)J" => {
            match multiply_by_constant(vm, state) {
                Some(insns) => insns,
                None => return Ok(None),
            }
        }
        ("java/io/PrintStream", name) => match super::print::by_text(name, &method.descriptor) {
            Some(insns) => insns,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let class = (method.class, method.class_name.clone());
    let body = synthetic::method(
        &method.name,
        class,
        Origin::Library,
        2 * count as u16,
        insns,
    );
    Ok(Some(body))
}

const SECRETS: &str = "jdk/internal/access/SharedSecrets";

/// `System.initPhase1` would have called `setJavaLangAccess`.
fn java_lang_access() -> Vec<Insn> {
    let set = [invoke(
        InvokeKind::Static,
        "java/lang/System",
        "setJavaLangAccess",
        "()V",
    )];
    secret("JavaLangAccess", &set)
}

/// The class that would be loaded by its name sets it when it is initialised.
fn collection_access() -> Vec<Insn> {
    let class = Arc::from("java/util/ImmutableCollections$Access");
    let descriptor = "(Ljava/lang/Class;)V";
    let initialise = invoke(
        InvokeKind::Static,
        SECRETS,
        "ensureClassInitialized",
        descriptor,
    );
    let set = [Insn::Const(Const::Class(class)), initialise];
    secret("JavaUtilCollectionAccess", &set)
}

/// What a field of that type holds, which `set` fills where it is empty.
fn secret(access: &str, set: &[Insn]) -> Vec<Insn> {
    let (initial, rest) = access.split_at(1);
    let field = Arc::new(MemberRef {
        class: Arc::from(SECRETS),
        name: Arc::from(initial.to_lowercase() + rest),
        descriptor: Arc::from(format!("Ljdk/internal/access/{access};")),
    });
    let mut insns = vec![Insn::GetStatic(field.clone())];
    insns.push(Insn::IfNull(Cmp::Ne, set.len() as u32 + 2));
    insns.extend_from_slice(set);
    insns.extend([Insn::GetStatic(field), Insn::Return(Some(None))]);
    insns
}

/// Whether the text on top names the zone without offset.
fn is_utc(vm: &Vm, state: &State) -> bool {
    let Shadow::Same(Value::Ref(Ref::Obj(id))) = state.peek(0) else {
        return false;
    };
    match &state.heap.get(id).body {
        Body::Str(text) => text
            .units(&vm.pool)
            .is_some_and(|units| matches!(&*String::from_utf16_lossy(&units), "UTC" | "GMT")),
        _ => false,
    }
}

/// A zone of that name, as the JDK's files have it too.
fn utc() -> Vec<Insn> {
    let class = "sun/util/calendar/ZoneInfo";
    vec![
        Insn::New(Arc::from(class)),
        Insn::Dup,
        Insn::Load(None, 0),
        Insn::Const(Const::Int(0)),
        invoke(
            InvokeKind::Special,
            class,
            "<init>",
            "(Ljava/lang/String;I)V",
        ),
        Insn::Return(Some(None)),
    ]
}

/// What reflection on `values()` gives; null for a class that is no enum.
fn enum_constants(vm: &mut Vm, name: &Arc<str>) -> Step<Vec<Insn>> {
    let is_enum = {
        let class = match name.as_bytes().first() {
            Some(b'[') => None,
            _ => vm.library(name).ok(),
        };
        let parent = class.and_then(|c| vm.linker.class(c).superclass.get(Version::New));
        parent.is_some_and(|p| &*vm.linker.class(p).name == "java/lang/Enum")
    };
    let value = if is_enum {
        invoke(InvokeKind::Static, name, "values", &format!("()[L{name};"))
    } else {
        Insn::AconstNull
    };
    Ok(vec![value, Insn::Return(Some(None))])
}
