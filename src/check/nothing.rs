//! Explanation of a run that has no method to compare.

use crate::check::annotations::ABOUT;
use crate::check::patch::{NO_CODE, Patch, UNBUILT};
use crate::report::{Report, TEST};
use crate::util::counted::counted;

/// The reason why no method of the patch was compared, best for the end of a sentence; `None` where some was.
/// `asked` holds the patterns of `--method`.
pub fn why(patch: &Patch, report: &Report, asked: &[String]) -> Option<String> {
    if !report.methods.is_empty() {
        return None;
    }
    if !asked.is_empty() {
        let patterns: Vec<String> = asked.iter().map(|p| format!("'{p}'")).collect();
        let patterns = patterns.join(", ");
        return Some(format!("--method {patterns} matches no changed method"));
    }
    let (added, removed) = (report.added.len(), report.removed.len());
    let some = |n: usize, word: &str| {
        (n > 0).then(|| format!("{} {word}", counted(n, "method was", "methods were")))
    };
    let moved: Vec<String> = [some(added, "added"), some(removed, "removed")]
        .into_iter()
        .flatten()
        .collect();
    if !moved.is_empty() {
        return Some(format!("{}, none changed", moved.join(", ")));
    }
    if report.skipped.iter().any(|s| s.0.starts_with(ABOUT)) {
        return Some("no method changed; annotations did, which are not compared".into());
    }
    if !patch.files.is_empty() {
        let why = "in the changed Java files only layout, comments or declarations differ";
        return Some(why.into());
    }
    let said = |word: &str| patch.skipped.iter().any(|s| s.1.starts_with(word));
    let why = match () {
        () if said("not asked for") => "--path and --exclude leave no changed Java file",
        () if said(NO_CODE) => "in the changed Java files nothing differs that javac makes code of",
        () if said(UNBUILT) => "the build compiles none of the Java files that changed",
        () if said(TEST) => "the Java files that changed are tests",
        () if said("no methods") => "the Java files that changed have no methods",
        () if said("only Java") => "no Java file changed, and other languages are not analysed",
        () => "no Java file changed",
    };
    Some(why.into())
}
