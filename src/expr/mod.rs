//! Hash-consed terms over bit-vectors, booleans and IEEE floats, simplified when built.

mod eval;
mod float;
mod float_rules;
mod float_zero;
mod model;
mod pool;
mod show;
mod simplify;
mod tape;
mod term;
mod var_set;

pub use eval::Valuation;
pub use model::Model;
pub use pool::Pool;
pub use tape::Tape;
pub use term::{Arith, BvOp, CmpOp, FCmp, FOp, Node, Sort, Term, Value, VarId};
