//! Fields of objects by name, as models of library code read and write them.

use crate::symex::state::State;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::Vm;

impl Vm {
    /// What the running versions see in a field; `None` if the object has no field of that name.
    pub fn field(&self, state: &State, id: ObjId, name: &str) -> Option<Slot> {
        let object = state.heap.get(id);
        let class = self.linker.class(object.class);
        let at = class.layout.iter().position(|f| &*f.name == name)?;
        match &object.body {
            Body::Fields(slots) => Some(state.view(slots.get(at)?)),
            _ => None,
        }
    }

    /// The value of a field in which the running versions agree.
    pub fn shared_field(&self, state: &State, id: ObjId, name: &str) -> Option<Value> {
        self.field(state, id, name)?.same().copied()
    }

    /// Gives a field of a new object its value.
    pub fn set_field(&mut self, state: &mut State, id: ObjId, name: &str, value: Value) {
        let class = self.linker.class(state.heap.get(id).class);
        let index = class.layout.iter().position(|f| &*f.name == name);
        if let (Some(index), Body::Fields(slots)) = (index, &mut state.heap.get_mut(id).body) {
            slots[index] = Shadow::Same(value);
        }
    }

    /// Writes a field in the running version.
    pub fn write_field(&mut self, state: &mut State, id: ObjId, name: &str, value: Value) {
        let class = self.linker.class(state.heap.get(id).class);
        let index = class.layout.iter().position(|f| &*f.name == name);
        let before = match (&state.heap.get(id).body, index) {
            (Body::Fields(slots), Some(index)) => slots.get(index).copied(),
            _ => None,
        };
        let (Some(index), Some(before)) = (index, before) else {
            return;
        };
        let merged = state.merge(&before, Shadow::Same(value));
        state.split_seen |= merged.is_split();
        if let Body::Fields(slots) = &mut state.heap.get_mut(id).body {
            slots[index] = merged;
        }
    }
}
