//! The log of an array's stores at symbolic indices, on top of its elements.

use crate::expr::Term;
use crate::model::Version;
use crate::symex::state::heap::Slot;
use crate::symex::value::shadow::Shadow;
use std::sync::Arc;

/// An array that was written at symbolic indices.
#[derive(Clone, Debug)]
pub struct SymbolicWrites {
    /// Descriptor of the element type.
    pub element: Arc<str>,
    /// Length.
    pub len: Term,
    /// The elements before the first of these stores.
    pub(in crate::symex) base: Arc<[Slot]>,
    /// The stores, the latest last.
    pub(in crate::symex) log: Vec<Store>,
}

/// A store at a symbolic index.
#[derive(Clone, Debug)]
pub(in crate::symex) struct Store {
    pub(in crate::symex) index: Term,
    pub(in crate::symex) value: Slot,
    /// The version that stored it; `None` for both.
    pub(in crate::symex) by: Option<Version>,
}

impl SymbolicWrites {
    /// How many elements there are.
    pub fn capacity(&self) -> usize {
        self.base.len()
    }

    /// Whether any of it differs between the versions.
    pub fn is_split(&self) -> bool {
        let store = |s: &Store| s.by.is_some() || s.value.is_split();
        self.log.iter().any(store) || self.base.iter().any(Shadow::is_split)
    }
}
