//! Execution of one instruction, one call, or one fork of a state.

pub(in crate::symex) mod annotation;
pub(in crate::symex) mod bootstraps;
pub(in crate::symex) mod depth;
pub(in crate::symex) mod dynamic;
pub(in crate::symex) mod fork;
pub(in crate::symex) mod invoke;
pub(in crate::symex) mod proxy;
pub(in crate::symex) mod run;
pub(in crate::symex) mod step;
pub(in crate::symex) mod tabulate;
