//! Control-flow graphs and post-dominators: where versions that part meet again.

mod binding;
mod callers;
mod cfg;
mod post_dominators;

pub use binding::same_bindings;
pub use callers::{entries, id};
pub use cfg::successors;
pub use post_dominators::PostDominators;
