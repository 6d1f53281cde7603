//! The name of a method in source: class, name and parameter types as written.

use crate::bytecode::access::SYNTHETIC;
use crate::bytecode::class_file::Method;
use crate::bytecode::parameter_descriptors;
use crate::java::{Method as SourceMethod, Type, erased};
use crate::model::{ClassName, class_in, primitive_descriptor};
use serde::{Deserialize, Serialize};

/// A method by its source signature.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodKey {
    /// Its class.
    pub class: ClassName,
    /// Name; `<init>` for constructors.
    pub name: String,
    /// Erased parameter types.
    pub params: Vec<String>,
    /// Parameters that javac puts in front of these.
    pub hidden: usize,
}

impl MethodKey {
    /// The signature of a method of a class.
    pub fn of(class: &Type, method: &SourceMethod) -> MethodKey {
        let constructor = method.name == "<init>";
        MethodKey {
            class: class.name.as_str().into(),
            name: method.name.clone(),
            params: method.erased.clone(),
            hidden: if constructor {
                class.hidden_parameters
            } else {
                0
            },
        }
    }

    /// Whether the class-file method has this signature, as far as source alone tells: packages are not looked at.
    pub fn matches(&self, method: &Method) -> bool {
        method.access & SYNTHETIC == 0 && self.names(&method.name, &method.descriptor)
    }

    /// Whether a method of that name and descriptor has this signature, as far as source alone tells.
    pub fn names(&self, name: &str, descriptor: &str) -> bool {
        if *name != *self.name {
            return false;
        }
        let descriptors = parameter_descriptors(descriptor);
        if descriptors.len() != self.params.len() + self.hidden {
            return false;
        }
        self.params
            .iter()
            .zip(&descriptors[self.hidden..])
            .all(|(p, d)| type_matches(p, d))
    }
}

fn type_matches(written: &str, descriptor: &str) -> bool {
    let bare = erased(written);
    let dimensions = bare.matches("[]").count() + bare.matches("...").count();
    let bare = bare.replace("[]", "").replace("...", "");
    if descriptor.chars().take_while(|c| *c == '[').count() != dimensions {
        return false;
    }
    let element = descriptor.trim_start_matches('[');
    let primitive = primitive_descriptor(&bare).unwrap_or_default();
    if !primitive.is_empty() || element.len() == 1 {
        return element == primitive;
    }
    let simple = |s: &str| {
        s.rsplit(['/', '.', '$'])
            .next()
            .unwrap_or_default()
            .to_string()
    };
    simple(class_in(element)) == simple(&bare)
}
