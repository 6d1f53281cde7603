//! Replay of predicted inputs on the real JVM in both versions and comparison with the prediction.

use crate::jvm::{ReplayRequest, Worker, WorkerError};
use crate::verdict::{Inputs, MethodId, Outcome, Version};
use std::path::PathBuf;
use std::time::Duration;

/// What both builds need to run.
#[derive(Clone, Debug)]
pub struct Builds {
    /// Class path of the old version, its own classes first.
    pub old: Vec<PathBuf>,
    /// Class path of the new version.
    pub new: Vec<PathBuf>,
    /// Limit of one run.
    pub limit: Duration,
}

/// What the JVM did on one input.
#[derive(Clone, Debug)]
pub struct Observed {
    /// In the old version.
    pub old: Outcome,
    /// In the new version.
    pub new: Outcome,
}

/// Runs an input in both versions, each in a class loader of its own.
pub fn observe(
    worker: &mut Worker,
    builds: &Builds,
    entry: &MethodId,
    is_static: bool,
    inputs: &Inputs,
) -> Result<Observed, WorkerError> {
    let mut run = |version: Version| {
        let class_path = if version == Version::Old {
            &builds.old
        } else {
            &builds.new
        };
        worker.replay(&ReplayRequest {
            class_path,
            entry,
            is_static,
            inputs,
            limit: builds.limit,
        })
    };
    Ok(Observed {
        old: run(Version::Old)?,
        new: run(Version::New)?,
    })
}

/// The first difference between a prediction and what was observed; `None` when they agree.
pub fn mismatch(predicted: &Outcome, observed: &Outcome) -> Option<String> {
    if predicted.agrees_with(observed) {
        return None;
    }
    let ends = Outcome {
        end: predicted.end.clone(),
        ..observed.clone()
    };
    let part = if !ends.agrees_with(observed) {
        (
            "end",
            format!("{:?}", predicted.end),
            format!("{:?}", observed.end),
        )
    } else if predicted.receiver != observed.receiver {
        (
            "receiver",
            format!("{:?}", predicted.receiver),
            format!("{:?}", observed.receiver),
        )
    } else if predicted.args != observed.args {
        (
            "arguments",
            format!("{:?}", predicted.args),
            format!("{:?}", observed.args),
        )
    } else {
        (
            "printed",
            format!("{:?}", predicted.printed),
            format!("{:?}", observed.printed),
        )
    };
    Some(format!(
        "{}: predicted {}, observed {}",
        part.0, part.1, part.2
    ))
}
