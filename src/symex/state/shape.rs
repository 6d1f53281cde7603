//! The shape of a state's input: the driver's locals that hold it, and its terms.

use crate::expr::{Model, Pool, Value as Constant, VarId};
use crate::model::{Inputs, MethodRef};
use crate::symex::state::assembly::Assembly;
use crate::symex::state::symbolic::{Symbolic, vars};
use std::ops::Range;

/// What a state's input looks like.
#[derive(Clone, Debug)]
pub struct InputShape {
    /// The entry method.
    pub entry: MethodRef,
    /// Index of the driver's instruction that enters it.
    pub entry_pc: u32,
    /// The receiver.
    pub receiver: Option<Symbolic>,
    /// The arguments.
    pub args: Vec<Symbolic>,
    /// The driver's local that holds the receiver (of a constructor entry: the new object is the driver's result).
    pub receiver_local: Option<usize>,
    /// The driver's locals that hold the arguments.
    pub arg_locals: Vec<usize>,
    /// Whether the entry is a constructor.
    pub constructor: bool,
    /// The objects of the heap that are symbolic inputs, by their numbers.
    pub objects: Range<u32>,
    /// What the driver puts together from parts it has built.
    pub(in crate::symex) assemblies: Vec<Assembly>,
}

impl InputShape {
    /// The shape of no input at all.
    pub(in crate::symex) fn nothing() -> InputShape {
        InputShape {
            entry: MethodRef {
                class: "".into(),
                name: String::new(),
                descriptor: "()V".into(),
            },
            entry_pc: 0,
            receiver: None,
            args: Vec::new(),
            receiver_local: None,
            arg_locals: Vec::new(),
            constructor: false,
            objects: 0..0,
            assemblies: Vec::new(),
        }
    }

    /// The concrete input under a model.
    pub fn concrete(&self, pool: &Pool, model: &Model) -> Inputs {
        Inputs {
            receiver: self.receiver.as_ref().map(|r| r.concrete(pool, model)),
            args: self.args.iter().map(|a| a.concrete(pool, model)).collect(),
        }
    }

    /// The variables of the input, in reading order.
    pub fn vars(&self, pool: &Pool) -> Vec<VarId> {
        vars(self.receiver.iter().chain(&self.args), pool)
    }

    /// Those of the arguments.
    pub fn arg_vars(&self, pool: &Pool) -> Vec<VarId> {
        vars(self.args.iter(), pool)
    }
}

/// Concrete whole-number arguments as a model.
pub(in crate::symex) fn assignment(pool: &Pool, vars: &[VarId], values: &[i64]) -> Model {
    let constant = |(var, n): (&VarId, &i64)| match Constant::zero(pool.var_sort(*var)) {
        Constant::Bv(width, _) => (*var, Constant::Bv(width, *n)),
        other => (*var, other),
    };
    Model::default().overlaid(vars.iter().zip(values).map(constant))
}
