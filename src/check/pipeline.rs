//! The stages of the check in order: git, parse, align, unify, compile, explore, replay, report.

use crate::align::old_lines;
use crate::check::accepted;
use crate::check::analysis::{
    Analysis, all_shown, analyse, changed_methods, generated, name_uncompiled, search_first,
};
use crate::check::both_fail;
use crate::check::call_sites;
use crate::check::changed_method::Changed;
use crate::check::cluster;
use crate::check::collector::Collector;
use crate::check::concolic::{CheckMode, ConcreteInputs};
use crate::check::failing_inputs;
use crate::check::from_tests::{self, FromTests};
use crate::check::further_parameters;
use crate::check::identity;
use crate::check::made_nulls;
use crate::check::nothing;
use crate::check::overloads;
use crate::check::patch::Patch;
use crate::check::private_class;
use crate::check::progress::Progress;
use crate::check::record::record;
use crate::check::resolved_calls::ResolvedCalls;
use crate::check::results;
use crate::check::session::Session;
use crate::check::sources::{mark_impacted, method_texts};
use crate::check::test_trial;
use crate::check::through;
use crate::check::when;
use crate::check::workspace::{Builds, Workspace};
use crate::error::Error;
use crate::git::Repo;
use crate::jvm::Worker;
use crate::model::{MethodRef, Verdict, Version};
use crate::options::{Arithmetic, Options, Revisions};
use crate::replay::ClassPaths;
use crate::report::Report;
use crate::testgen::JUnit;
use crate::util::deadline::Deadline;
use crate::util::needless::Needless;
use crate::util::parallel::both;
use std::collections::BTreeMap;
use std::path::Path;

/// Runs the check.
///
/// # Errors
/// Bad input or environment: the JDK, the repository, a revision, nothing that compiles.
pub fn run(
    options: &Options,
    revisions: &Revisions,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    let started = std::time::Instant::now();
    progress.stage("reading the patch");
    let mut session = Session::start(options, revisions)?;
    let deadline = session.end;
    let patch = &session.patch;
    let ids = (patch.old.id.as_str(), patch.new.id.as_str());
    let mut report = Report::new(options, revisions, ids);
    if !session.patch.files.is_empty() {
        let mut worker = session.worker(options)?;
        let (workspace, builds) = builds(&mut session, &mut worker, options, progress)?;
        let Session {
            jdk, repo, patch, ..
        } = &session;
        report.skipped.clone_from(&patch.skipped);
        report.skipped.extend(overloads::told(&patch.overloads));
        report.skipped.extend(results::told(&builds.other_results));
        report.skipped.extend(workspace.notes());
        report.stand_ins.clone_from(&builds.stand_ins);
        worker.export(&builds.exports);
        let mut analysis = Analysis::new(jdk, options, &builds)?;
        analysis.end_by(deadline);
        let trial = test_trial::folder()?;
        analysis.lets_read(trial.path());
        let mut changed = changed_methods(&analysis, &patch.files, &options.selection)?;
        overloads::drop_compared(&patch.overloads, &mut changed);
        name_uncompiled(&analysis, patch, &builds.uncompiled, &mut changed)
            .map_err(|e| with_notes(e, &workspace))?;
        report.skipped.extend(analysis.other_parameters(&changed)?);
        report.skipped.extend(analysis.other_annotations()?);
        if options.exploration.concolic.mode == CheckMode::Concolic {
            let sources = (repo, patch, &workspace);
            let seeds = follow(
                options,
                &analysis,
                sources,
                &mut worker,
                &mut changed,
                progress,
            )?;
            report.skipped.extend(seeds.1);
            analysis.follow(seeds.0);
        }
        progress.stage("proving");
        analysis.prove(&changed.methods, patch, &workspace, &mut worker)?;
        generated::pass_over(&workspace, &analysis, &mut changed)?;
        analysis.read(&changed.methods, &workspace);
        analysis.count_open(&changed.methods);
        // A proof may rest on that of a callee which another shard takes.
        if let Some(shard) = options.selection.shard {
            analysis.keep_shard(&mut changed, shard)?;
        }
        analysis.tell(progress);
        analysis.share(&changed.methods);
        progress.stage("searching first, and running the project's tests");
        let sources = (repo, patch, &workspace);
        let methods = &changed.methods;
        let needless = Needless::default();
        let first = || {
            let begun = search_first(&analysis, methods)?;
            if all_shown(&analysis, methods, &begun) {
                needless.tell();
            }
            Ok::<_, Error>(begun)
        };
        let tests = || {
            let wanted = (&**methods, &needless);
            from_tests::gather(options, &analysis, sources, &builds, &mut worker, wanted)
        };
        let (begun, given) = both(options.budgets.threads > 1, first, tests);
        let (begun, mut given) = (begun?, given?);
        if needless.is_told() {
            // Whichever of the two was faster: the report must not depend on that.
            given = FromTests::default();
        }
        report.skipped.extend(given.notes.iter().cloned());
        analysis.take_tests(given);
        explore(&analysis, patch, (changed, begun), progress, &mut report)?;
        analysis.hand_over(&mut worker);
        for (part, time) in analysis.spent().all() {
            progress.spent(part, time);
        }
        let sources = (&workspace, &builds.stand_ins);
        when::tell(&patch.files, sources, &mut report.methods);
        let resolved = ResolvedCalls::of(analysis.compiled()?);
        let is_public = |id: &MethodRef| analysis.is_public(id);
        let both = class_paths(options, &builds);
        let made = made_nulls::of((&mut worker, deadline), &both, &report.methods)?;
        call_sites::label(&workspace, &resolved, &is_public, &made, &mut report);
        let tries = (&mut worker, deadline);
        further_parameters::label(tries, &both, patch, &mut report.methods)?;
        private_class::label(|id| analysis.is_private(id), &mut report.methods);
        both_fail::label(&mut report.methods);
        failing_inputs::label(&mut report.methods);
        cluster::tell_relevant(&mut report.methods);
        identity::give(&mut report, &patch.files);
        cluster::order(&mut report.methods);
        let commits = (&patch.old, &patch.new);
        accepted::mark(&mut report, repo, commits, options.outputs.accepted_from)?;
        if report.methods.iter().any(|m| !m.findings.is_empty()) {
            progress.stage("trying the generated tests");
            try_tests(
                &mut worker,
                (options, deadline),
                (&builds, &workspace),
                (patch, trial.path()),
                &mut report,
            )?;
        }
    } else {
        report.skipped.clone_from(&session.patch.skipped);
    }
    if options.selection.shard.is_none() {
        report.nothing = nothing::why(&session.patch, &report, &options.selection.methods);
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// Both versions and the unified program, compiled here or before.
fn builds(
    session: &mut Session,
    worker: &mut Worker,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(Workspace, Builds), Error> {
    if let Some(folder) = &options.builds.handed_over {
        progress.stage("taking over the builds");
        let (patch, finest) = (&session.patch, options.exploration.finest);
        let taken = Workspace::take_over(folder, patch, finest, &session.jdk)?;
        session.patch.leave_out(taken.0.left_out());
        overloads::take_over(&session.repo, &mut session.patch, &taken.1)?;
        return Ok(taken);
    }
    progress.stage("reading the build");
    let workspace = session.workspace(options)?;
    progress.stage("compiling both versions");
    let builds = overloads::build_with(&session.repo, &mut session.patch, &workspace, |patch| {
        workspace.build(worker, patch)
    })?;
    Ok((workspace, builds))
}

/// What could not be had of the build is often why nothing compiles.
fn with_notes(error: Error, workspace: &Workspace) -> Error {
    match error {
        Error::Compile { version, messages } => {
            let notes = workspace.notes();
            let notes = notes.iter().map(|(what, why)| format!("\n  {what}: {why}"));
            let notes = notes.collect::<String>();
            match workspace.lacks_time() {
                true => Error::NoTime { notes },
                false => Error::Compile {
                    version,
                    messages: messages + &notes,
                },
            }
        }
        other => other,
    }
}

/// What each version runs with.
fn class_paths(options: &Options, builds: &Builds) -> ClassPaths {
    let path = |own: &std::path::PathBuf| [std::slice::from_ref(own), &builds.class_path].concat();
    ClassPaths {
        old: path(&builds.old),
        new: path(&builds.new),
        limit: options.budgets.replay_timeout,
    }
}

/// Tests that don't do what they say are left out and told.
fn try_tests(
    worker: &mut Worker,
    (options, deadline): (&Options, Deadline),
    (builds, workspace): (&Builds, &Workspace),
    (patch, folder): (&Patch, &Path),
    report: &mut Report,
) -> Result<(), Error> {
    // Findings of mathematical integers are not the JVM's.
    if options.bounds.arith == Arithmetic::Unbounded {
        return Ok(());
    }
    let both = class_paths(options, builds);
    let against = test_trial::Against {
        builds: &both,
        looks_the_same: workspace.gives_others_the_same(),
        junit: JUnit::of_repository(&options.repo),
        folder,
    };
    let outside = overloads::only_old(&patch.overloads, &report.methods);
    let tries = (worker, deadline);
    report.failed_tests = test_trial::failing(tries, &against, &report.methods, outside)?;
    report.skipped.extend(report.told_of_tests());
    Ok(())
}

/// The concrete inputs of a concolic check, and what could not be had of them: what, and why.
fn follow(
    options: &Options,
    analysis: &Analysis,
    sources: (&Repo, &Patch, &Workspace),
    worker: &mut Worker,
    changed: &mut Changed,
    progress: &dyn Progress,
) -> Result<(ConcreteInputs, Vec<(String, String)>), Error> {
    let mut seeds = ConcreteInputs::default();
    let mut missing = Vec::new();
    let (calls, classes) = (&options.exploration.concolic.inputs, analysis.both()?);
    seeds.add_calls(calls, &analysis.callable(), &classes, &mut changed.methods)?;
    if options.exploration.concolic.from_tests {
        progress.stage("running the new version's tests");
        let methods = changed.methods.iter().map(|m| (&m.id, m.entries()));
        let methods: Vec<_> = methods.collect();
        let suite = record(options, sources, worker, Version::New, &methods)?;
        seeds.add_recorded(&suite.recorded.tests);
        missing = suite.missing();
    }
    Ok((seeds, missing))
}

fn explore(
    analysis: &Analysis,
    patch: &Patch,
    (changed, begun): (Changed, Vec<Collector>),
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<(), Error> {
    let Changed {
        methods,
        added,
        removed,
    } = changed;
    report.added = added;
    report.removed = removed;
    progress.stage("exploring");
    report.methods = analyse(analysis, &methods, begun, progress)?;
    cluster::fold(&mut report.methods);
    for m in &mut report.methods {
        m.calls = analysis.calls(&m.method);
        m.rests_on = analysis
            .proof(&m.method)
            .map_or(Vec::new(), |p| p.rests_on.clone());
        if m.verdict != Verdict::Equivalent {
            m.proved_but_for = analysis.but_for(&m.method).unwrap_or_default().to_vec();
        }
    }
    through::fold(&mut report.methods);
    generated::fold(&mut report.methods);
    report.sources = method_texts(&patch.files, &report.methods);
    if let Some(impact) = analysis.impact()? {
        mark_impacted(&mut report.sources, &report.methods, &impact);
    }
    let lines = line_maps(patch);
    for finding in report.methods.iter_mut().flat_map(|m| &mut m.findings) {
        if let Some((old, new)) = &mut finding.diverges_at
            && let Some(map) = lines.get(&new.file)
        {
            old.line = map.get(new.line as usize - 1).copied().unwrap_or(new.line);
        }
    }
    Ok(())
}

/// Old lines by new lines, by file name; a name that two changed files share is left out.
fn line_maps(patch: &Patch) -> BTreeMap<String, Vec<u32>> {
    let mut maps: BTreeMap<String, Option<Vec<u32>>> = BTreeMap::new();
    for file in &patch.files {
        let (Some(old), Some(new)) = (&file.old, &file.new) else {
            continue;
        };
        let name = new.path.rsplit('/').next().unwrap_or_default().to_string();
        let map = old_lines(&old.text, &new.text);
        maps.entry(name)
            .and_modify(|m| *m = None)
            .or_insert(Some(map));
    }
    maps.into_iter()
        .filter_map(|(name, map)| Some((name, map?)))
        .collect()
}
