//! The way in which a finding was found, in words.

use crate::model::{DivergenceClass, FoundBy, Situation};
use crate::util::counted::counted;

/// On how many of the explored paths, by the search, or in which test: of a finding of that class, seen on so many paths of all.
pub fn found_by(
    (by, class): (FoundBy, DivergenceClass),
    situation: Option<&Situation>,
    (shown, all): (u64, u64),
) -> String {
    match by {
        FoundBy::Search if shown <= 1 => "found by the search".to_string(),
        FoundBy::Exploration | FoundBy::Search => on_paths(shown, all),
        FoundBy::Tests => by_test(class, situation),
    }
}

fn on_paths(shown: u64, all: u64) -> String {
    if shown == 0 || all == 0 || shown > all {
        return match shown {
            0 | 1 => String::new(),
            n => format!("on {}", counted(n, "path", "paths")),
        };
    }
    format!("on {shown} of {}", counted(all, "path", "paths"))
}

/// The test that shows it, as far as the call does not say it.
fn by_test(class: DivergenceClass, situation: Option<&Situation>) -> String {
    let Some(situation) = situation else {
        return "a call that can't be written down".into();
    };
    let test = match situation.is_of_patch {
        true => "a test of this patch",
        false => "a test",
    };
    match (situation.is_written, situation.call, situation.is_of_patch) {
        (true, _, true) => format!("as {}, {test}, calls it", situation.test),
        (true, _, false) => format!("as {} calls it", situation.test),
        (false, Some(_), true) => format!("a call in {test}"),
        (false, Some(_), false) => "a call that can't be written down".into(),
        (false, None, _) => match class {
            DivergenceClass::Fix => format!("{test} that fails in the old version only"),
            _ => format!("{test} that fails in the new version only"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_of_findings_has_its_words() {
        let found = |by, paths| found_by((by, DivergenceClass::Changed), None, paths);
        assert_eq!(found(FoundBy::Exploration, (2, 8)), "on 2 of 8 paths");
        assert_eq!(found(FoundBy::Exploration, (3, 0)), "on 3 paths");
        assert_eq!(found(FoundBy::Search, (1, 8)), "found by the search");
        let test = Situation {
            test: "demo.FooTest#bar".into(),
            call: Some(1),
            is_written: true,
            is_of_patch: false,
        };
        let class = DivergenceClass::Changed;
        let told = |test| found_by((FoundBy::Tests, class), Some(&test), (1, 8));
        let of_patch = Situation {
            is_of_patch: true,
            ..test.clone()
        };
        let fails = Situation {
            call: None,
            is_written: false,
            ..of_patch.clone()
        };
        assert_eq!(told(test), "as demo.FooTest#bar calls it");
        assert_eq!(
            told(of_patch),
            "as demo.FooTest#bar, a test of this patch, calls it"
        );
        assert_eq!(
            told(fails),
            "a test of this patch that fails in the new version only"
        );
    }
}
