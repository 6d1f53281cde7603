//! Objects to which several parts of a call refer by a name: `(same1 = new demo.Foo(1)).copyFrom(same1)`.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// Names with their numbers and the descriptors of their types.
#[derive(Default)]
pub(super) struct SharedObjects {
    known: RefCell<BTreeMap<String, (u32, String)>>,
}

impl SharedObjects {
    /// Begins another call.
    pub(super) fn clear(&self) {
        self.known.borrow_mut().clear();
    }

    /// Gives an object its name. An overload that is looked at may have done so before.
    pub(super) fn put(&self, name: &str, descriptor: &str) -> u32 {
        let mut known = self.known.borrow_mut();
        let next = known.len() as u32 + 1;
        let number = known.get(name).map_or(next, |k| k.0);
        known.insert(name.to_string(), (number, descriptor.to_string()));
        number
    }

    /// The number and the type's descriptor of a name.
    pub(super) fn get(&self, name: &str) -> Option<(u32, String)> {
        self.known.borrow().get(name).cloned()
    }
}
