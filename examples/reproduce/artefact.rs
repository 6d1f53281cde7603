//! Known artefacts of the tool of paper 000, and the paths that each of them is about.

use shadow_ci::explore::Exploration;
use shadow_ci::symex::FinishedPath;
use shadow_ci::verdict::End;

/// Why the paper's number of diff paths is another than that of an exploration without pruning, and the paths concerned.
pub fn explain(subject: &str, paper: u64, all: &Exploration) -> Option<(String, Vec<String>)> {
    let zero: Vec<&FinishedPath> = all
        .finished
        .iter()
        .filter(|p| !p.control && divides_by_zero(p))
        .collect();
    let counted = all.paths.diff + zero.len() as u64;
    let shown = |paths: &[&FinishedPath]| {
        paths
            .iter()
            .map(|p| p.condition.clone())
            .collect::<Vec<_>>()
    };
    if counted == paper && !zero.is_empty() {
        let why = format!(
            "it counts paths on which both versions divide by zero ({})",
            zero.len()
        );
        return Some((why, shown(&zero)));
    }
    let (_, right, why) = ARTEFACTS.iter().find(|a| a.0 == subject)?;
    (counted == *right).then(|| (why.to_string(), shown(&zero)))
}

/// Subject, the count without the artefact, what it is.
const ARTEFACTS: [(&str, u64, &str); 5] = [
    (
        "WBS.launch_9",
        9408,
        "a mis-classified `if` corrupts its stack; 9408 with the classification corrected",
    ),
    (
        "Rational.simplify_7",
        3,
        "it counts the path of a = 0, b = 0 twice: when gcd returns, and when the division behind it throws",
    ),
    (
        "Rational.simplify_8",
        3,
        "it counts the path of a = 0, b = 0 twice: when gcd returns, and when the division behind it throws",
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
