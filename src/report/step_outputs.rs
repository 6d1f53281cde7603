//! Outputs for later steps of a workflow, as `NAME=VALUE` lines: names and numbers only, no text of the code under test.

use super::document::Document;
use super::terminal::verdict;
use crate::model::DivergenceClass;

/// The lines. The patch's verdict is that of its worst method, `none` where there was no method to compare; with a lost shard nothing
/// better than `incomplete` is known.
pub fn of(document: &Document) -> String {
    let found = document.verdict();
    let mut out = format!("verdict={}\n", found.map_or("none", |v| verdict(v).0));
    for (name, value) in [
        (
            "regressions",
            document.findings(DivergenceClass::Regression),
        ),
        ("changed", document.findings(DivergenceClass::Changed)),
        ("fixes", document.findings(DivergenceClass::Fix)),
        ("methods", document.methods.len() as u64),
    ] {
        out.push_str(&format!("{name}={value}\n"));
    }
    out
}
