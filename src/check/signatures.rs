//! Methods whose parameters changed: no call fits both versions, so they are compared through the changed methods that call them.

use crate::bytecode::class_file::ClassFile;
use crate::bytecode::parameter_descriptors;
use crate::check::changed_method::Changed;
use crate::impact::{self, Mentions};
use crate::model::{MethodRef, type_name};
use crate::report::method_name::method_name;
use crate::util::counted::first;
use std::sync::Arc;

/// Callers that are named.
const MOST: usize = 3;

/// What such methods are called, and through which methods they are compared. A name that several methods of a class lost or got tells
/// no pair.
pub(super) fn told(
    changed: &Changed,
    (old, new): (&[Arc<ClassFile>], &[Arc<ClassFile>]),
) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if changed.removed.is_empty() || changed.added.is_empty() {
        return all;
    }
    let (in_old, in_new) = (Mentions::of(old), Mentions::of(new));
    for gone in &changed.removed {
        let alike = |m: &&MethodRef| m.class == gone.class && m.name == gone.name;
        let mut others = changed.removed.iter().filter(alike);
        let mut twins = changed.added.iter().filter(alike);
        let (Some(_), None) = (others.next(), others.next()) else {
            continue;
        };
        let (Some(twin), None) = (twins.next(), twins.next()) else {
            continue;
        };
        let (before, after) = (parameters(gone), parameters(twin));
        if before == after {
            continue;
        }
        let analysed = changed.methods.iter().filter(|m| m.is_compiled());
        let callers = analysed
            .map(|m| &m.id)
            .filter(|id| impact::reaches(&in_old, id, gone) && impact::reaches(&in_new, id, twin));
        let callers: Vec<String> = callers.map(method_name).collect();
        let how = match callers.is_empty() {
            true => "no changed method calls it in both versions, so it is not compared".into(),
            false => format!("compared through {}", first(&callers, MOST, ", ")),
        };
        let why = format!("its parameters are {after} now: {how}");
        all.push((method_name(gone), why));
    }
    all
}

fn parameters(method: &MethodRef) -> String {
    let types = parameter_descriptors(&method.descriptor);
    let types: Vec<String> = types.iter().map(|t| type_name(t)).collect();
    format!("({})", types.join(", "))
}
