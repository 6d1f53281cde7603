//! Control-flow graphs and post-dominators: where versions that part meet again.

mod cfg;
mod post_dominators;

pub use cfg::successors;
pub use post_dominators::PostDominators;
