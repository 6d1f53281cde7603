//! Caches of a `Class` object, which the JDK keeps in fields of the object.

use crate::symex::state::{Singleton, State};
use std::sync::Arc;

/// Where the running version keeps what a `Class` caches of itself.
pub(in crate::symex) fn cache(state: &State, class: &Arc<str>, field: &str) -> Option<Singleton> {
    let field = match field {
        "reflectionData" => "reflectionData",
        "annotationData" => "annotationData",
        "annotationType" => "annotationType",
        "genericInfo" => "genericInfo",
        _ => return None,
    };
    Some(Singleton::OfClass(class.clone(), field, state.version()))
}
