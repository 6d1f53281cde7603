//! Gradle: not asked yet.

use super::Wish;
use super::model::Model;
use std::path::Path;

/// The model of a Gradle build.
pub fn model(_: &Path, _: &Path, _: &Wish) -> Model {
    Model {
        tool: "gradle".into(),
        modules: Vec::new(),
        notes: vec!["gradle: not asked yet; give dependencies with --classpath".into()],
    }
}
