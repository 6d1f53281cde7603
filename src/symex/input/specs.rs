//! The ways to call an entry method, and the inputs that they leave out (docs/architecture.md).

use crate::model::MethodRef;
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{ClassId, Key, Method, split_descriptor};
use crate::symex::input::trial::Trial;
use crate::symex::input::ways::{Missing, Ways};
use crate::symex::input::{Built, CHARS, STRING, Spec, typed};
use crate::symex::value::primitive::box_prim;
use crate::symex::vm::Vm;
use std::sync::Arc;

pub(in crate::symex) use crate::symex::input::ways::is_bound;

/// Most shapes explored for one entry method.
const MAX_ENTRY_SHAPES: usize = 48;

/// One way to call an entry method: receiver and arguments.
pub(in crate::symex) type EntryShape = (Option<Spec>, Vec<Spec>);

/// The key of a public method name.
pub(in crate::symex) fn key_of(method: &MethodRef) -> Key {
    (
        Arc::from(method.name.as_str()),
        Arc::from(method.descriptor.as_str()),
    )
}

/// Descriptors of the parameters of a public method name.
pub fn parameters(method: &MethodRef) -> Vec<Arc<str>> {
    split_descriptor(&method.descriptor).0
}

/// Whether values of the type are symbolic themselves.
pub(in crate::symex) fn symbolic_type(descriptor: &str) -> bool {
    descriptor.len() == 1
        || descriptor == STRING
        || descriptor == CHARS
        || class_name_of(descriptor).is_some_and(|c| box_prim(&c).is_some())
}

/// All ways to call the entry method, whose parameters have these names, on objects of `class`, the simplest first, and what they
/// leave out.
pub(in crate::symex) fn entry_shapes(
    vm: &mut Vm,
    entry: &Arc<Method>,
    names: &[String],
    class: ClassId,
    trial: Option<Trial>,
) -> Built<(Vec<EntryShape>, Missing)> {
    let never_null = vm.strategy.never_null.clone();
    let mut ways = Ways::new(vm, trial).testing(&entry.class_name);
    let receivers: Vec<Option<Spec>> = if entry.is_static() || &*entry.name == "<init>" {
        vec![None]
    } else {
        let mut found = ways.receivers(class, entry)?;
        found.sort_by_key(Spec::weight);
        found.into_iter().map(Some).collect()
    };
    let mut each = Vec::new();
    let parameters = typed::parameters(&entry.params, entry.signature.as_deref());
    for (at, (param, name)) in parameters.iter().zip(names).enumerate() {
        let mut values = ways.values(param, 0)?;
        if never_null.get(at) == Some(&true) {
            values = ways.without_null(values, name);
        }
        values.sort_by_key(Spec::weight);
        each.push(values);
    }
    let counts: Vec<usize> = std::iter::once(receivers.len())
        .chain(each.iter().map(Vec::len))
        .collect();
    let mut shapes = Vec::new();
    for picked in ways.combinations(&counts, MAX_ENTRY_SHAPES, "combinations of arguments") {
        let args = picked[1..].iter().zip(&each);
        let args = args.map(|(i, specs)| specs[*i].clone()).collect();
        shapes.push((receivers[picked[0]].clone(), args));
    }
    Ok((shapes, ways.missing()))
}
