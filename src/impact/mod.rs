//! Control-flow graphs and post-dominators: where versions that part meet again.

mod callers;
mod cfg;
mod post_dominators;
mod projection;

pub use callers::{entries, id};
pub use cfg::successors;
pub use post_dominators::PostDominators;
pub use projection::{Mismatch, check_projection};
