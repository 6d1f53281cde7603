//! Exit codes (docs/outputs.md).

use crate::model::{DivergenceClass, MethodResult, Verdict};
use crate::options::FailOn;
use crate::report::Report;

/// Nothing to fail on.
pub const CLEAN: u8 = 0;
/// Findings that `--fail-on` names.
pub const FINDINGS: u8 = 1;
/// Could not run.
pub const ERROR: u8 = 2;

/// The exit code for a report.
pub fn of(report: &Report, fail_on: &[FailOn]) -> u8 {
    let findings = || report.told().filter(|f| f.is_open());
    let fails = fail_on.iter().any(|on| match on {
        FailOn::Never => false,
        FailOn::Assertion => {
            findings().any(|f| f.class == DivergenceClass::Regression && f.new_only_assertion())
        }
        FailOn::Exception => findings().any(|f| f.class == DivergenceClass::Regression),
        FailOn::Changed => findings().next().is_some(),
        FailOn::Incomplete => {
            let gave_up = |m: &MethodResult| {
                m.verdict == Verdict::Incomplete || m.limits.iter().any(|l| !l.bound)
            };
            !report.lost_shards.is_empty() || report.methods.iter().any(gave_up)
        }
    });
    if fails && !fail_on.contains(&FailOn::Never) {
        FINDINGS
    } else {
        CLEAN
    }
}
