//! The plan that divides a patch's methods among shards, without exploring any.

use super::analysis::{Analysis, changed_methods, name_uncompiled};
use super::overloads;
use super::progress::Progress;
use super::session::Session;
use super::shard::{Shard, share_out, useful};
use crate::error::Error;
use crate::model::MethodRef;
use crate::options::{Options, Revisions};

/// A shard and what it takes.
#[derive(Debug)]
pub struct ShardPlan {
    /// Which.
    pub shard: Shard,
    /// Its methods.
    pub methods: Vec<MethodRef>,
    /// What they are likely to cost, in instructions of their code.
    pub cost: u64,
}

/// Shares the changed methods out among at most so many shards.
///
/// # Errors
/// As of the check: revisions, JDK, compilation.
pub fn plan(
    options: &Options,
    revisions: &Revisions,
    of: usize,
    progress: &dyn Progress,
) -> Result<Vec<ShardPlan>, Error> {
    progress.stage("reading the patch");
    let mut session = Session::start(options, revisions)?;
    if session.patch.files.is_empty() {
        return Ok(parts(&[], of));
    }
    let workspace = session.workspace(options)?;
    let mut worker = session.worker(options)?;
    progress.stage("compiling both versions");
    let builds = overloads::build_with(&session.repo, &mut session.patch, &workspace, |patch| {
        workspace.build(&mut worker, patch)
    })?;
    let Session { jdk, patch, .. } = &session;
    if let Some(folder) = &options.builds.handed_over {
        workspace.hand_over(&builds, patch, jdk, folder)?;
    }
    let analysis = Analysis::new(jdk, options, &builds)?;
    let mut changed = changed_methods(&analysis, &patch.files, &options.selection)?;
    name_uncompiled(&analysis, patch, &builds.uncompiled, &mut changed)?;
    Ok(parts(&analysis.costs(&changed)?, of))
}

fn parts(methods: &[(MethodRef, u64)], of: usize) -> Vec<ShardPlan> {
    let of = useful(methods, of);
    let shards = share_out(methods, of);
    let part = |index: usize| {
        let mine = || methods.iter().zip(&shards).filter(move |m| *m.1 == index);
        ShardPlan {
            shard: Shard { index, of },
            methods: mine().map(|((id, _), _)| id.clone()).collect(),
            cost: mine().map(|((_, cost), _)| cost).sum(),
        }
    };
    (1..=of).map(part).collect()
}
