//! A model: values of variables.

use super::term::{Value, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Values of some variables; those left out are zero. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model(Arc<BTreeMap<VarId, Value>>);

impl Model {
    /// The value of a variable, if the model says one.
    pub fn get(&self, var: VarId) -> Option<Value> {
        self.0.get(&var).copied()
    }

    /// This model with one value changed.
    pub fn with(&self, var: VarId, value: Value) -> Model {
        let mut map = (*self.0).clone();
        map.insert(var, value);
        Model(Arc::new(map))
    }

    /// This model overlaid by other values.
    pub fn overlaid(&self, values: impl IntoIterator<Item = (VarId, Value)>) -> Model {
        let mut map = (*self.0).clone();
        map.extend(values);
        Model(Arc::new(map))
    }
}
