//! Findings of calls into private classes, in states to which the code around these may never come.

use super::both_fail::is_of_checks;
use crate::model::{Finding, Label, MethodRef, MethodResult};

/// Labels findings whose entry is a private class's, where another finding of the method is of code outside of such classes, or a check of
/// the JVM fails on an object in a version: how the code outside makes such objects, and in which order it calls them, is not known there.
pub(super) fn label(is_private: impl Fn(&MethodRef) -> bool, methods: &mut [MethodResult]) {
    for m in methods {
        let is_inside =
            |f: &Finding| f.telling.labels.contains(&Label::PackagePrivate) && is_private(&f.entry);
        let is_shown_outside = m.findings.iter().any(|f| f.is_open() && !is_inside(f));
        for f in &mut m.findings {
            if f.is_told()
                && is_inside(f)
                && (is_shown_outside || !f.entry_static && fails_a_check(f))
            {
                f.telling.labels.push(Label::PrivateClass);
            }
        }
    }
}

/// Whether a version ends as a check of the JVM fails.
fn fails_a_check(f: &Finding) -> bool {
    let ends = [&f.old.end, &f.new.end];
    ends.iter().filter_map(|end| end.thrown()).any(is_of_checks)
}
