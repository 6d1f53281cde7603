//! Static fields that the versions may leave with different values: outcomes and replays do not hold these.

use super::Walk;
use crate::expr::Term;
use crate::model::{Spelling, Version};
use crate::symex::state::State;
use crate::symex::state::heap::Body;
use crate::symex::value::Value;
use crate::symex::vm::Vm;
use rustc_hash::FxHashMap;

/// Names of the project's static fields whose values, or the objects that they hold, may differ between the versions, each with the
/// condition for that; `None` as a condition where it can't be told.
pub(in crate::symex) fn static_differences(
    vm: &mut Vm,
    state: &State,
) -> Vec<(String, Option<Term>)> {
    let mut found = Vec::new();
    if !state.split_seen && !matches!(state.mode, crate::symex::state::Mode::Diverged(_)) {
        return found;
    }
    let holders = state.statics.iter().map(|(class, s)| (*class, s.object));
    let mut holders: Vec<_> = holders.collect();
    holders.sort();
    for (class, object) in holders {
        let linked = vm.linker.class(class).clone();
        let Body::Fields(slots) = &state.heap.get(object).body else {
            continue;
        };
        if !linked.project {
            continue;
        }
        for (index, (field, slot)) in linked.statics.iter().zip(slots).enumerate() {
            let (a, b) = (slot.get(Version::Old), slot.get(Version::New));
            // What initialisers set is theirs to answer for; but objects may have changed since.
            let is_object = matches!((&a, &b), (Value::Ref(a), Value::Ref(b)) if a == b);
            if !is_object && !vm.written_statics.contains(&(class, index)) {
                continue;
            }
            let mut walk = Walk {
                vm,
                state,
                pairs: FxHashMap::default(),
                back: FxHashMap::default(),
            };
            let differs = walk.values(&a, &b).ok();
            if differs.and_then(|d| vm.pool.as_bool(d)) != Some(false) {
                let name = format!("{}.{}", linked.name.dotted(), field.name);
                found.push((name, differs));
            }
        }
    }
    found
}
