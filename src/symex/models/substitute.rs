//! Methods that run as small bodies of our own: what the JVM sets up before the program, or does by reflection.

use super::super::class::{Method, Origin};
use super::super::effect::Step;
use super::super::heap::Body;
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::synthetic::{self, invoke};
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use crate::bytecode::class_file::{Cmp, Insn, InvokeKind, MemberRef};
use crate::verdict::Version;
use std::rc::Rc;
use std::sync::Arc;

/// The body that runs instead of `method`, whose `count` arguments are on the stack.
pub(in super::super) fn substitute(
    vm: &mut Vm,
    state: &State,
    method: &Rc<Method>,
    count: usize,
) -> Step<Option<Rc<Method>>> {
    if method.origin != Origin::Library {
        return Ok(None);
    }
    let insns = match (&*method.class_name, &*method.name) {
        ("jdk/internal/access/SharedSecrets", "getJavaLangAccess") => java_lang_access(),
        ("java/lang/Class", "getEnumConstantsShared") => match state.peek(count - 1) {
            Shadow::Same(Value::Ref(Ref::Obj(id))) => match &state.heap.get(id).body {
                Body::Mirror(name) => enum_constants(vm, &name.clone())?,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        },
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
        count as u16 + 1,
        insns,
    );
    Ok(Some(body))
}

/// `System.initPhase1` would have called `setJavaLangAccess`.
fn java_lang_access() -> Vec<Insn> {
    let field = Arc::new(MemberRef {
        class: Arc::from("jdk/internal/access/SharedSecrets"),
        name: Arc::from("javaLangAccess"),
        descriptor: Arc::from("Ljdk/internal/access/JavaLangAccess;"),
    });
    vec![
        Insn::GetStatic(field.clone()),
        Insn::IfNull(Cmp::Ne, 3),
        invoke(
            InvokeKind::Static,
            "java/lang/System",
            "setJavaLangAccess",
            "()V",
        ),
        Insn::GetStatic(field),
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
