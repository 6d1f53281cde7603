//! A table of facts about methods, each computed once.

use crate::symex::class::Method;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One value per method. The methods are kept, so that an address means one method for as long as the table lives.
#[derive(Clone)]
pub struct SideTable<T>(FxHashMap<usize, (Arc<Method>, T)>);

impl<T> Default for SideTable<T> {
    fn default() -> SideTable<T> {
        SideTable(FxHashMap::default())
    }
}

impl<T> SideTable<T> {
    /// The method's value, if it has one.
    pub fn get(&self, method: &Arc<Method>) -> Option<&T> {
        let found = self.0.get(&address(method))?;
        Some(&found.1)
    }

    /// Gives the method its value.
    pub fn insert(&mut self, method: &Arc<Method>, value: T) {
        self.0.insert(address(method), (method.clone(), value));
    }
}

fn address(method: &Arc<Method>) -> usize {
    Arc::as_ptr(method) as usize
}
