//! Known artefacts of the tool of paper 000, and the paths that each of them is about.

use shadow_ci::commands::explore::Exploration;
use shadow_ci::model::End;
use shadow_ci::symex::FinishedPath;

/// Why the paper's number of diff paths is another than that of an exploration without pruning, and the paths concerned.
pub fn explain(subject: &str, paper: u64, all: &Exploration) -> Option<(String, Vec<String>)> {
    let dividing = |control: bool| -> Vec<&FinishedPath> {
        let paths = all.finished.iter();
        paths
            .filter(|p| p.control == control && divides_by_zero(p))
            .collect()
    };
    let (zero, twice) = (dividing(false), dividing(true));
    let shown = |paths: &[&FinishedPath]| paths.iter().map(|p| p.condition.clone()).collect();
    let counted = all.paths.diff + zero.len() as u64;
    if counted == paper {
        let why = format!(
            "it counts paths on which both versions divide by zero ({})",
            zero.len()
        );
        return Some((why, shown(&zero)));
    }
    // `simplify` divides by what `gcd` returns.
    if subject.contains("simplify") && counted + twice.len() as u64 == paper {
        let why = format!(
            "it counts diff paths on which gcd returns 0 twice: then, and when the division behind it throws ({})",
            twice.len()
        );
        return Some((why, shown(&twice)));
    }
    let (_, right, why) = ARTEFACTS.iter().find(|a| a.0 == subject)?;
    (counted == *right).then(|| (why.to_string(), shown(&zero)))
}

/// Subject, the count without the artefact, what it is.
const ARTEFACTS: [(&str, u64, &str); 3] = [
    (
        "WBS.launch_9",
        9408,
        "a mis-classified `if` corrupts its stack; 9408 with the classification corrected",
    ),
    (
        "Rational.gcd_21",
        32,
        "its division keeps adding the old version's constraints behind a divergence; 32 without",
    ),
    (
        "Rational.simplify_25",
        33,
        "its division keeps adding the old version's constraints behind a divergence; 33 without",
    ),
];

fn divides_by_zero(path: &FinishedPath) -> bool {
    matches!(&path.new.end, End::Threw { class, .. } if class == "java.lang.ArithmeticException")
}
