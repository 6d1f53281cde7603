//! Large arrays at symbolic indices: an element as one formula over few cases, and stores kept in a log on top of the elements
//! (the *read over write* axioms of the theory of arrays).

use crate::expr::{CmpOp, Term};
use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::state::State;
use crate::symex::state::heap::{Body, Choice, Slot};
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::state::store_log::{Store, SymbolicWrites};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// Most stores in a log; one more makes elements of them.
const MAX_LOG: usize = 64;
/// Most runs of equal elements that a symbolic index is spelled out over.
const MAX_RUNS: usize = 512;
/// Most objects that an element may be one of.
const MAX_OBJECTS: usize = 16;

impl SymbolicWrites {
    /// What `version` finds at `index`; `None` where too many values are possible.
    fn at(&self, vm: &mut Vm, state: &State, index: Term, version: Version) -> Option<Cases> {
        let mut found = match vm.pool.as_i64(index) {
            Some(i) => Cases::of(vm, state, &self.base.get(i as usize)?.get(version))?,
            None => chosen(vm, state, &self.base, index, version)?,
        };
        for store in &self.log {
            if store.by.is_some_and(|by| by != version) {
                continue;
            }
            let here = vm.pool.eq(store.index, index);
            let value = Cases::of(vm, state, &store.value.get(version))?;
            found = value.or_else(vm, here, found);
        }
        Some(found)
    }
}

/// What a value may be, under conditions that exclude each other.
#[derive(PartialEq)]
enum Cases {
    Prim(Term),
    Ref { null: Term, of: Vec<(Term, ObjId)> },
}

impl Cases {
    fn of(vm: &mut Vm, state: &State, value: &Value) -> Option<Cases> {
        let (null, id) = match value {
            Value::Prim(term) => return Some(Cases::Prim(*term)),
            Value::Ref(Ref::Null) => {
                let (null, of) = (vm.pool.bool(true), Vec::new());
                return Some(Cases::Ref { null, of });
            }
            Value::Ref(Ref::Obj(id)) => (vm.pool.bool(false), *id),
            Value::Ref(Ref::Maybe { null, obj }) => (*null, *obj),
            Value::Undef => return None,
        };
        let some = vm.pool.not(null);
        let of = match state.heap.chosen(id) {
            Ok(id) => vec![(some, id)],
            Err(open) => {
                let each = open.of.iter();
                each.map(|(c, id)| (vm.pool.and(some, *c), *id)).collect()
            }
        };
        Some(Cases::Ref { null, of })
    }

    /// This where `cond` holds, else the other.
    fn or_else(self, vm: &mut Vm, cond: Term, other: Cases) -> Cases {
        match (self, other) {
            (Cases::Prim(a), Cases::Prim(b)) => Cases::Prim(vm.pool.ite(cond, a, b)),
            (
                Cases::Ref { null, of },
                Cases::Ref {
                    null: n,
                    of: others,
                },
            ) => {
                let null = vm.pool.ite(cond, null, n);
                let not = vm.pool.not(cond);
                let mut all: Vec<(Term, ObjId)> = Vec::new();
                let here = of.into_iter().map(|(c, id)| (cond, c, id));
                for (side, c, id) in here.chain(others.into_iter().map(|(c, id)| (not, c, id))) {
                    let c = vm.pool.and(side, c);
                    match all.iter_mut().find(|a| a.1 == id) {
                        Some(known) => known.0 = vm.pool.or(known.0, c),
                        None => all.push((c, id)),
                    }
                }
                all.retain(|a| vm.pool.as_bool(a.0) != Some(false));
                Cases::Ref { null, of: all }
            }
            (own, _) => own,
        }
    }

    fn value(self, vm: &mut Vm, state: &mut State) -> Step<Value> {
        let (null, of) = match self {
            Cases::Prim(term) => return Ok(Value::Prim(term)),
            Cases::Ref { null, of } => (null, of),
        };
        let obj = match of[..] {
            [] => return Ok(Value::NULL),
            [(_, only)] => only,
            _ => {
                let class = vm.library("java/lang/Object")?;
                let choice = Choice { of, bound: None };
                state.heap.alloc(class, Body::Choice(choice))
            }
        };
        Ok(match vm.pool.as_bool(null) {
            Some(true) => Value::NULL,
            Some(false) => Value::obj(obj),
            None => Value::Ref(Ref::Maybe { null, obj }),
        })
    }
}

/// The element at a symbolic index that is known to be inside, over runs of equal elements.
fn chosen(
    vm: &mut Vm,
    state: &State,
    values: &[Slot],
    index: Term,
    version: Version,
) -> Option<Cases> {
    let mut runs: Vec<(usize, Value)> = Vec::new();
    for (i, slot) in values.iter().enumerate() {
        let value = slot.get(version);
        if runs.last().is_none_or(|last| last.1 != value) {
            runs.push((i, value));
        }
    }
    if runs.len() > MAX_RUNS {
        return None;
    }
    let mut objects: Vec<ObjId> = runs.iter().filter_map(|r| r.1.object()).collect();
    objects.sort();
    objects.dedup();
    if objects.len() > MAX_OBJECTS {
        return None;
    }
    search(vm, state, &runs, index)
}

/// Binary search for the run that the index is in, as a formula.
fn search(vm: &mut Vm, state: &State, runs: &[(usize, Value)], index: Term) -> Option<Cases> {
    match runs {
        [] => None,
        [(_, value)] => Cases::of(vm, state, value),
        _ => {
            let (low, high) = runs.split_at(runs.len() / 2);
            let bound = vm.pool.int(high[0].0 as i32);
            let below = vm.pool.cmp(CmpOp::Slt, index, bound);
            let low = search(vm, state, low, index)?;
            let high = search(vm, state, high, index)?;
            Some(low.or_else(vm, below, high))
        }
    }
}

/// The element at an index that is known to be inside, as the running versions see it; `None` where too many values are possible.
pub(in crate::symex) fn load(
    vm: &mut Vm,
    state: &mut State,
    id: ObjId,
    index: Term,
) -> Step<Option<Slot>> {
    let array = match &state.heap.get(id).body {
        Body::Logged(array) => array.clone(),
        Body::Array {
            element,
            len,
            values,
        } => Arc::new(SymbolicWrites {
            element: element.clone(),
            len: *len,
            base: values.as_slice().into(),
            log: Vec::new(),
        }),
        _ => return Ok(None),
    };
    let new = match state.version() {
        None if array.is_split() => {
            let old = array.at(vm, state, index, Version::Old);
            let new = array.at(vm, state, index, Version::New);
            let (Some(old), Some(new)) = (old, new) else {
                return Ok(None);
            };
            if old != new {
                let (old, new) = (old.value(vm, state)?, new.value(vm, state)?);
                return Ok(Some(Shadow::join(old, new)));
            }
            Some(new)
        }
        version => array.at(vm, state, index, version.unwrap_or(Version::New)),
    };
    match new {
        Some(cases) => Ok(Some(Shadow::Same(cases.value(vm, state)?))),
        None => Ok(None),
    }
}

/// Stores at an index that is known to be inside.
pub(in crate::symex) fn store(
    vm: &mut Vm,
    state: &mut State,
    id: ObjId,
    index: Term,
    value: Slot,
) -> Step<()> {
    let full = matches!(&state.heap.get(id).body, Body::Logged(a) if a.log.len() >= MAX_LOG);
    if full {
        flatten(vm, state, id)?;
    }
    let (by, obj) = (state.version(), state.heap.get_mut(id));
    if let Body::Array {
        element,
        len,
        values,
    } = &mut obj.body
    {
        obj.body = Body::Logged(Arc::new(SymbolicWrites {
            element: element.clone(),
            len: *len,
            base: std::mem::take(values).into(),
            log: Vec::new(),
        }));
    }
    if let Body::Logged(array) = &mut obj.body {
        let array = Arc::make_mut(array);
        // Nothing can tell any more what the same index held before.
        array
            .log
            .retain(|s| s.index != index || by.is_some() && s.by != by);
        array.log.push(Store { index, value, by });
    }
    state.split_seen |= by.is_some() || value.is_split();
    Ok(())
}

/// Makes elements of the stores, for whoever looks at the elements one by one.
pub(in crate::symex) fn flatten(vm: &mut Vm, state: &mut State, id: ObjId) -> Step<()> {
    let Body::Logged(array) = &state.heap.get(id).body else {
        return Ok(());
    };
    let array = array.clone();
    let mut values = Vec::with_capacity(array.base.len());
    for i in 0..array.base.len() {
        let index = vm.pool.int(i as i32);
        let side = |vm: &mut Vm, version| {
            let cases = array.at(vm, state, index, version);
            cases.ok_or_else(|| Stop::unsupported(Reason::MalformedCode, "no element"))
        };
        let (old, new) = (side(vm, Version::Old)?, side(vm, Version::New)?);
        values.push(if old == new {
            Shadow::Same(new.value(vm, state)?)
        } else {
            let (old, new) = (old.value(vm, state)?, new.value(vm, state)?);
            Shadow::join(old, new)
        });
    }
    state.heap.get_mut(id).body = Body::Array {
        element: array.element.clone(),
        len: array.len,
        values,
    };
    Ok(())
}

/// The same for every array of the heap.
pub(in crate::symex) fn flatten_all(vm: &mut Vm, state: &mut State) -> Step<()> {
    let is_logged = |id: &ObjId| matches!(state.heap.get(*id).body, Body::Logged(_));
    let all: Vec<ObjId> = (0..state.heap.len()).map(ObjId).filter(is_logged).collect();
    all.into_iter().try_for_each(|id| flatten(vm, state, id))
}
