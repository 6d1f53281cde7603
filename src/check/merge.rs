//! Merging the results of all shards of a patch into the result of one whole run.

use super::shard::Shard;
use super::{cluster, through};
use crate::report::Report;
use std::collections::BTreeMap;

/// Why results don't go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Not one was given.
    #[error("there are no reports")]
    None,
    /// `1/2` beside `1/3`.
    #[error("the reports are shards of different plans")]
    Plans,
    /// One shard, two results.
    #[error("there are two reports of shard {0}")]
    Twice(Shard),
    /// Two patches.
    #[error("the reports are of different commits")]
    Commits,
}

/// One result of those of the shards, in any order. Those that are missing are named in it.
///
/// # Errors
/// They are not of one plan for one patch.
pub fn merge(parts: Vec<(Shard, Report)>) -> Result<Report, MergeError> {
    let of = parts.first().ok_or(MergeError::None)?.0.of;
    let mut shards: BTreeMap<usize, Report> = BTreeMap::new();
    for (shard, report) in parts {
        if shard.of != of {
            return Err(MergeError::Plans);
        }
        if shards.insert(shard.index, report).is_some() {
            return Err(MergeError::Twice(shard));
        }
    }
    let lost: Vec<usize> = (1..=of).filter(|i| !shards.contains_key(i)).collect();
    let mut shards = shards.into_values();
    let mut one = shards.next().ok_or(MergeError::None)?;
    for other in shards {
        if (&one.old, &one.new) != (&other.old, &other.new) {
            return Err(MergeError::Commits);
        }
        add(&mut one, other);
    }
    if !one.methods.is_empty() {
        one.nothing = None;
    }
    sort(&mut one);
    tell_anew(&mut one);
    for index in &lost {
        let what = Shard { index: *index, of };
        let why = "its report is missing: its methods were not judged";
        one.skipped.push((format!("shard {what}"), why.into()));
    }
    one.lost_shards = lost;
    Ok(one)
}

/// Adds a shard behind what is there; the seconds are those of the slowest, as they ran side by side.
fn add(one: &mut Report, other: Report) {
    let offset = one.methods.len();
    let moved = |at: (usize, usize)| (at.0 + offset, at.1);
    one.methods.extend(other.methods);
    one.sources
        .extend(other.sources.into_iter().map(|(i, s)| (i + offset, s)));
    one.failed_tests
        .extend(other.failed_tests.into_iter().map(|(at, w)| (moved(at), w)));
    add_new(&mut one.added, other.added);
    add_new(&mut one.removed, other.removed);
    add_new(&mut one.skipped, other.skipped);
    add_new(&mut one.stale, other.stale);
    one.seconds = one.seconds.max(other.seconds);
}

/// Adds what is not there yet.
fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// Brings the methods into the order of a run of the whole, and what is known by their numbers with them.
fn sort(one: &mut Report) {
    let methods = std::mem::take(&mut one.methods);
    let mut order: Vec<_> = methods.into_iter().enumerate().collect();
    order.sort_by(|a, b| a.1.method.cmp(&b.1.method));
    let place: BTreeMap<usize, usize> = order.iter().enumerate().map(|(i, m)| (m.0, i)).collect();
    let moved = |at: &usize| place.get(at).copied().unwrap_or(*at);
    one.methods = order.into_iter().map(|m| m.1).collect();
    let sources = std::mem::take(&mut one.sources).into_iter();
    one.sources = sources.map(|(i, s)| (moved(&i), s)).collect();
    let failed = std::mem::take(&mut one.failed_tests).into_iter();
    one.failed_tests = failed.map(|((i, j), w)| ((moved(&i), j), w)).collect();
    // What is told of tests goes by the methods, behind all else.
    let told = one.told_of_tests();
    one.skipped.retain(|s| !told.contains(s));
    one.skipped.extend(told);
    one.stale.sort();
}

/// A difference that methods of several shards show is told once.
fn tell_anew(one: &mut Report) {
    for m in &mut one.methods {
        for f in &mut m.findings {
            if f.telling.told_by.as_ref().is_some_and(|by| *by != m.method) {
                f.telling.told_by = None;
            }
        }
    }
    cluster::fold(&mut one.methods);
    through::fold(&mut one.methods);
}
