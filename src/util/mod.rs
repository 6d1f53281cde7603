//! Small helpers that know nothing of Java or patches.

pub mod copy;
pub mod counted;
pub mod deadline;
pub mod deep_stack;
pub mod encoding;
pub mod file;
pub mod folder;
pub mod memory;
pub mod needless;
pub mod package;
pub mod pairs;
pub mod parallel;
pub mod permits;
pub mod random;
pub mod run_delay;
pub mod temporary;
#[cfg(test)]
pub mod test_files;
pub mod toml_text;
