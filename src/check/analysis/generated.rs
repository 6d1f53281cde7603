//! Methods of classes that an annotation processor or a plugin writes: of many in one class some are explored, and one tells what they
//! show alike.

use super::Analysis;
use crate::bytecode::ClassPath;
use crate::check::changed_method::{Changed, ChangedMethod};
use crate::check::workspace::Workspace;
use crate::error::Error;
use crate::model::reason::Reason;
use crate::model::{End, Finding, MethodResult, Spelling, Version};
use std::collections::{BTreeMap, BTreeSet};

/// Methods explored of one generated top-level class: a field more changes most of them alike.
const MOST: usize = 4;

/// Passes over all but some of the open methods of each generated top-level class: first come those that a test can call, and among them
/// those that are no constructors.
///
/// # Errors
/// A class file can't be read.
pub fn pass_over(
    workspace: &Workspace,
    analysis: &Analysis,
    changed: &mut Changed,
) -> Result<(), Error> {
    if analysis.options.budgets.exhaustive {
        return Ok(());
    }
    let is_open = |m: &ChangedMethod| m.is_analysed() && !analysis.is_proved(&m.id);
    let mut classes: BTreeMap<String, Vec<&mut ChangedMethod>> = BTreeMap::new();
    for method in changed.methods.iter_mut() {
        if method.file.is_empty()
            && is_open(method)
            && is_generated(workspace, &analysis.new, method)?
        {
            let top = method.id.class.outermost().to_string();
            classes.entry(top).or_default().push(method);
        }
    }
    for (class, mut methods) in classes {
        let all = methods.len();
        methods.sort_by_key(|m| (!m.is_its_own_entry(), m.id.name.starts_with('<')));
        for method in methods.into_iter().skip(MOST) {
            let why = format!("{class} is generated; {MOST} of its {all} methods were explored");
            method.passed_over = Some(why);
        }
    }
    Ok(())
}

/// Whether the new version has no source for the class of a method.
fn is_generated(
    workspace: &Workspace,
    new: &ClassPath,
    method: &ChangedMethod,
) -> Result<bool, Error> {
    let class = method.id.class.internal();
    let file = new.find(&class)?.and_then(|c| c.source_file.clone());
    let folder = class.rsplit_once('/').map_or("", |(folder, _)| folder);
    Ok(file.is_some_and(|file| {
        let path = format!("{folder}/{file}");
        !workspace.has_source(Version::New, path.trim_start_matches('/'))
    }))
}

/// Leaves differences of one kind in a class some of whose methods are passed over to the first method that shows them.
pub fn fold(methods: &mut [MethodResult]) {
    let top = |m: &MethodResult| m.method.class.outermost().to_string();
    let is_passed_over =
        |m: &&MethodResult| m.limits.iter().any(|l| l.reason == Reason::GeneratedCode);
    let classes: BTreeSet<String> = methods.iter().filter(is_passed_over).map(top).collect();
    let mut tellers = BTreeMap::new();
    for relevant in [true, false] {
        for m in methods.iter_mut().filter(|m| classes.contains(&top(m))) {
            let class = top(m);
            let findings = m.findings.iter_mut();
            for finding in findings.filter(|f| f.is_told() && f.is_relevant() == relevant) {
                let key = (class.clone(), kind(finding));
                let teller = tellers.entry(key).or_insert_with(|| m.method.clone());
                if *teller != m.method {
                    finding.telling.told_by = Some(teller.clone());
                }
            }
        }
    }
}

/// What a reader would do about it: its class, and how each version ends.
fn kind(finding: &Finding) -> String {
    let end = |end: &End| match end {
        End::Threw { class, .. } => class.clone(),
        End::Returned(_) => "returned".to_string(),
        other => format!("{other:?}"),
    };
    let [old, new] = [&finding.old, &finding.new].map(|o| end(&o.end));
    format!("{:?} {old} {new}", finding.class)
}
