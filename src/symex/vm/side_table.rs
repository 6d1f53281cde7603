//! A table of facts about methods, each computed once.

use crate::symex::class::Method;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// One value per method. The methods are kept, so that an address means one method for as long as the table lives.
pub struct SideTable<T>(FxHashMap<*const Method, (Rc<Method>, T)>);

impl<T> Default for SideTable<T> {
    fn default() -> SideTable<T> {
        SideTable(FxHashMap::default())
    }
}

impl<T: Clone> SideTable<T> {
    /// The method's value, if it has one.
    pub fn get(&self, method: &Rc<Method>) -> Option<T> {
        self.0.get(&Rc::as_ptr(method)).map(|found| found.1.clone())
    }

    /// Gives the method its value.
    pub fn insert(&mut self, method: &Rc<Method>, value: T) {
        self.0.insert(Rc::as_ptr(method), (method.clone(), value));
    }
}
