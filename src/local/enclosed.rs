//! Private methods that only proved methods call: these do the same with all that the private ones do, so nothing shows of it.

use super::method_families::FOUND_BY_NAME;
use super::proof::{Outcome, Proofs};
use crate::bytecode::access::{NATIVE, PRIVATE};
use crate::bytecode::class_file::ClassFile;
use crate::impact::{Mentions, id};
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is taken for granted of such methods.
const CALLED: &str = "private methods are called by the code of their class (not by reflection)";

/// Takes those methods for proved, given what came of all proofs and the classes of both versions.
pub(super) fn settle(all: &mut Proofs, builds: [&[Arc<ClassFile>]; 2]) {
    let is_hidden = |id: &MethodRef| builds.iter().all(|build| is_hidden(build, id));
    let open = all.iter().filter(|(id, o)| !o.proved && is_hidden(id));
    let open: Vec<MethodRef> = open.map(|(id, _)| id.clone()).collect();
    if open.is_empty() {
        return;
    }
    let mentions = builds.map(Mentions::of);
    let callers = |of: &MethodRef| -> BTreeSet<MethodRef> {
        let both = mentions.iter();
        let found = both.flat_map(|m| m.callers(std::slice::from_ref(of)));
        found.map(|(class, method)| id(class, method)).collect()
    };
    let mut enclosed: BTreeMap<MethodRef, BTreeSet<MethodRef>> = open
        .into_iter()
        .map(|id| (id.clone(), callers(&id)))
        .collect();
    let is_proved = |id: &MethodRef| all.get(id).is_some_and(|o| o.proved);
    loop {
        let others: BTreeSet<MethodRef> = enclosed.keys().cloned().collect();
        enclosed.retain(|_, callers| {
            let mut all = callers.iter();
            !callers.is_empty() && all.all(|c| is_proved(c) || others.contains(c))
        });
        if enclosed.len() == others.len() {
            break;
        }
    }
    let assumed = enclosed.values().flatten().filter_map(|c| all.get(c));
    let mut assumed: BTreeSet<String> = assumed.flat_map(|o| o.assumed.clone()).collect();
    assumed.insert(CALLED.to_string());
    for id in enclosed.into_keys() {
        let outcome = Outcome {
            proved: true,
            assumed: assumed.iter().cloned().collect(),
            ..Outcome::default()
        };
        all.insert(id, outcome);
    }
}

/// Whether a build has a method that only code of its class can name, and nobody else has a reason to call.
fn is_hidden(build: &[Arc<ClassFile>], id: &MethodRef) -> bool {
    let class = id.class.internal();
    let mut classes = build.iter();
    let class = classes.find(|c| *c.name == *class);
    let method = class.and_then(|c| c.method(&id.name, &id.descriptor));
    method.is_some_and(|m| {
        m.access & PRIVATE != 0
            && m.access & NATIVE == 0
            && m.annotations.is_empty()
            && !m.name.starts_with('<')
            && !FOUND_BY_NAME.contains(&&*m.name)
    })
}
