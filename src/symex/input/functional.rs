//! Lambdas for functional interfaces.

use super::spec::Spec;
use super::typed::{self, Typed};
use super::ways::Ways;
use super::{Built, STRING};
use crate::model::Version;
use crate::symex::class::{Class, Key, Method};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// A lambda further inside of others gives null where it gives an object.
const DEEPEST: u32 = 4;

impl Ways<'_> {
    /// A lambda for an interface with one abstract method.
    pub(super) fn lambda(&mut self, class: &Class, of: &Typed, depth: u32) -> Built<Option<Spec>> {
        // No lambda is a generic method (JLS 15.27.3).
        let is_generic =
            |m: &Arc<Method>| m.signature.as_deref().is_some_and(|s| s.starts_with('<'));
        let Some(method) = single_method(self.vm, class).filter(|m| !is_generic(m)) else {
            return Ok(None);
        };
        if &*method.result == "V" {
            return Ok(Some(Spec::Lambda {
                class: class.name.clone(),
                method,
                result: None,
            }));
        }
        let declared = self.vm.linker.class(method.class).clone();
        let of = match declared.id == class.id {
            true => Some(of.clone()),
            false => {
                let above = format!("L{};", declared.name);
                typed::supertype(of, class.signature.as_deref(), &above)
            }
        };
        let given = of.map(|of| {
            let class = declared.signature.as_deref();
            typed::result(&of, class, method.signature.as_deref())
        });
        let result = match given.flatten() {
            Some(typed) if &*typed.descriptor != "Ljava/lang/Object;" => typed,
            _ if &*method.result == "Ljava/lang/Object;" => Typed::raw(STRING),
            _ => Typed::raw(&method.result),
        };
        // Results may be lambdas of the same type again.
        let spec = match depth >= DEEPEST && result.descriptor.len() > 1 {
            true => Spec::Null,
            false => self.element(&result, depth + 1)?,
        };
        Ok(Some(Spec::Lambda {
            class: class.name.clone(),
            method,
            result: Some(Box::new(spec)),
        }))
    }
}

/// The one abstract method of a functional interface (JLS §9.8): `Object`'s own do not count.
fn single_method(vm: &Vm, class: &Class) -> Option<Arc<Method>> {
    if !class.is_interface() {
        return None;
    }
    let mut found: Option<Arc<Method>> = None;
    let mut todo = vec![class.id];
    while let Some(id) = todo.pop() {
        let at = vm.linker.class(id);
        todo.extend(at.interfaces.get(Version::New));
        let methods = at.methods.values().filter_map(|m| m.get(Version::New));
        for method in methods.filter(|m| m.code.is_none() && !m.is_static()) {
            let key: Key = (method.name.clone(), method.descriptor.clone());
            let of_object = matches!(
                (&*key.0, &*key.1),
                ("equals", "(Ljava/lang/Object;)Z")
                    | ("hashCode", "()I")
                    | ("toString", "()Ljava/lang/String;")
            );
            let implemented = vm
                .linker
                .select(class.id, &key, Version::New)
                .is_some_and(|m| m.code.is_some());
            if of_object || implemented {
                continue;
            }
            match &found {
                Some(known)
                    if known.name == method.name && known.descriptor == method.descriptor => {}
                Some(_) => return None,
                None => found = Some(method),
            }
        }
    }
    found
}
