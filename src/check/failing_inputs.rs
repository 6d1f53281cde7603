//! Findings on which something that the input was told to fail is called by one version only.

use super::patch::stem;
use super::workspace::stand_ins::{HAS_FAILED, is_one};
use crate::model::{End, Finding, Label, MethodResult, Outcome};

/// Labels them: any patch that calls another method shows one.
pub(super) fn label(methods: &mut [MethodResult]) {
    for f in methods.iter_mut().flat_map(|m| &mut m.findings) {
        if is_of_one_version(f) {
            f.telling.labels.push(Label::FailingCall);
        }
    }
}

/// Whether a version throws what the input was told to, and the other one does not come to that.
pub(super) fn is_of_one_version(f: &Finding) -> bool {
    let is = |fails: &Outcome, other: &Outcome| is_told_to(&fails.end) && !comes_to_one(other);
    is(&f.old, &f.new) || is(&f.new, &f.old)
}

/// Whether it is an exception of a stand-in.
pub(super) fn is_told_to(end: &End) -> bool {
    let End::Threw { at: Some(at), .. } = end else {
        return false;
    };
    is_one(stem(at.split_once(':').map_or(at, |at| at.0)))
}

/// Whether a stand-in said that it fails.
fn comes_to_one(outcome: &Outcome) -> bool {
    let printed = String::from_utf16_lossy(&outcome.printed);
    printed.lines().any(|line| line.ends_with(HAS_FAILED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_of_stand_ins_are_told_by_their_file() {
        let at = |at: &str| End::Threw {
            class: "java.io.IOException".into(),
            message: None,
            jvm_made: false,
            at: Some(at.into()),
            held: Vec::new(),
        };
        assert!(is_told_to(&at("StandInForReader.java:8")));
        assert!(!is_told_to(&at("Reader.java:8")));
    }

    #[test]
    fn what_comes_to_a_failure_says_so() {
        let printed = |text: &str| Outcome {
            printed: text.encode_utf16().collect(),
            ..Outcome::of(End::Returned(crate::model::Seen::Null))
        };
        assert!(comes_to_one(&printed("begin()\ncommit fails\nend()\n")));
        assert!(!comes_to_one(&printed("commit()\n")));
    }
}
