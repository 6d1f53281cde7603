//! The driver of the main job: takes a patch through the stages and collects what they say of each method.

pub mod accepted;
pub mod analysis;
mod cluster;
mod collector;
pub mod concolic;
pub mod effort;
mod identity;
mod labels;
pub mod ladder;
pub mod limits;
pub mod merge;
pub mod nameable;
pub mod patch;
pub mod pipeline;
pub mod plan;
pub mod progress;
pub mod record;
mod repetition;
mod replays;
pub mod session;
pub mod shard;
pub mod sources;
pub mod test_trial;
mod when;
pub mod workspace;
