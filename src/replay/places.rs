//! The folders of the builds and of the runs in what a run shows: where they lie is ours, and no difference between the versions.

use crate::model::{End, Outcome, Seen};
use std::cell::Cell;
use std::path::Path;

/// What folders of this run are called in reports, which are to be the same each time.
const OURS: &str = "/shadow-ci/";

/// The outcome as it would be if the classes lay in the other folder. Sets and maps that go by hash codes are sorted where they
/// hold a name in it, as their order comes from the name. What else the program has made of the name, such as a part of it, stays.
pub fn moved(mut outcome: Outcome, from: &Path, to: &Path) -> Outcome {
    if from.as_os_str().is_empty() {
        return outcome;
    }
    let names = Names {
        from: &units(&from.to_string_lossy()),
        to: &units(&to.to_string_lossy()),
    };
    let mut value = |value: &mut Seen| names.value(value);
    each(&mut outcome, &mut value, &mut |text| names.text(text));
    outcome
}

/// Gives the folders of this run, whose paths begin with `begin`, names that are the same in each run.
pub fn name_folders(outcome: &mut Outcome, begin: &Path) {
    let begin = units(&begin.to_string_lossy());
    let mut value = |value: &mut Seen| texts(value, &mut |text| rename(text, &begin));
    each(outcome, &mut value, &mut |text| rename(text, &begin));
}

/// Whether a prediction agrees with what was observed but for names of this run's folders: each process has a folder of its own, which
/// programs meet as `java.io.tmpdir`.
pub fn agrees_but_for_folders(predicted: &Outcome, observed: &Outcome, begin: &Path) -> bool {
    let named = |outcome: &Outcome| {
        let mut outcome = outcome.clone();
        name_folders(&mut outcome, begin);
        outcome
    };
    named(predicted).agrees_with(&named(observed))
}

/// Whether the end of a run, whose folders have their names in reports, names the folder that a version's classes lie in.
pub fn names_builds(outcome: &Outcome) -> bool {
    let builds = units(&format!("{OURS}builds/"));
    let is_named = Cell::new(false);
    let look = |text: &mut Vec<u16>| {
        is_named.set(is_named.get() || position(text, &builds).is_some());
    };
    let mut end = Outcome::of(outcome.end.clone());
    each(&mut end, &mut |value| texts(value, &mut &look), &mut &look);
    is_named.get()
}

/// Gives every value and every text of an outcome to one of the two.
fn each(
    outcome: &mut Outcome,
    value: &mut dyn FnMut(&mut Seen),
    text: &mut dyn FnMut(&mut Vec<u16>),
) {
    match &mut outcome.end {
        End::Returned(result) => value(result),
        End::Threw { message, held, .. } => {
            message.iter_mut().for_each(&mut *text);
            held.iter_mut().for_each(|(_, held)| value(held));
        }
        _ => {}
    }
    let objects = outcome.receiver.iter_mut().chain(&mut outcome.args);
    objects.for_each(value);
    text(&mut outcome.printed);
}

/// Changes each text in a value.
fn texts(value: &mut Seen, change: &mut dyn FnMut(&mut Vec<u16>)) {
    match value {
        Seen::Str(text)
        | Seen::Throwable {
            message: Some(text),
            ..
        } => change(text),
        Seen::Boxed(value) => texts(value, change),
        Seen::Array { values, .. } | Seen::Content { values, .. } => {
            values.iter_mut().for_each(|v| texts(v, change));
        }
        Seen::Object { fields, .. } => fields.iter_mut().for_each(|f| texts(&mut f.1, change)),
        _ => {}
    }
}

/// `/tmp/shadow-ci-Ab12Cd-run-Ef34Gh/work` is `/shadow-ci/run/work`, where `begin` ends before `run`.
fn rename(text: &mut Vec<u16>, begin: &[u16]) {
    let mut at = 0;
    while let Some(found) = position(&text[at..], begin) {
        let (first, kind) = (at + found, at + found + begin.len());
        let is_part =
            |unit: &u16| u8::try_from(*unit).is_ok_and(|b| b.is_ascii_alphanumeric() || b == b'-');
        let len = text[kind..].iter().take_while(|u| is_part(u)).count();
        let name: Vec<u16> = text[kind..kind + len].to_vec();
        let dash = name.iter().rposition(|u| *u == u16::from(b'-'));
        let name = [units(OURS), name[..dash.unwrap_or(name.len())].to_vec()].concat();
        at = first + name.len();
        text.splice(first..kind + len, name);
    }
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn position(text: &[u16], part: &[u16]) -> Option<usize> {
    text.windows(part.len()).position(|w| w == part)
}

/// Whether the order of a container comes from hash codes, and how many values stand together in it.
fn hashed(class: &str) -> Option<usize> {
    let is_ordered = ["Linked", "Tree", "Skip", "Sorted", "Navigable", "Enum"]
        .iter()
        .any(|word| class.contains(word));
    let is_map = class.ends_with("Map") || class.ends_with(".Hashtable");
    let is_set = class.ends_with("Set") || class.ends_with("Values");
    match (is_ordered, is_map, is_set) {
        (true, ..) | (_, false, false) => None,
        (_, is_map, _) => Some(if is_map { 2 } else { 1 }),
    }
}

struct Names<'a> {
    from: &'a [u16],
    to: &'a [u16],
}

impl Names<'_> {
    fn value(&self, value: &mut Seen) {
        match value {
            Seen::Str(text)
            | Seen::Throwable {
                message: Some(text),
                ..
            } => self.text(text),
            Seen::Boxed(value) => self.value(value),
            Seen::Array { values, .. } => values.iter_mut().for_each(|v| self.value(v)),
            Seen::Content { class, values } => {
                values.iter_mut().for_each(|v| self.value(v));
                if let Some(together) = hashed(class).filter(|_| self.are_in(values)) {
                    let mut parts: Vec<&[Seen]> = values.chunks(together).collect();
                    parts.sort_by_cached_key(|part| format!("{part:?}"));
                    *values = parts.concat();
                }
            }
            Seen::Object { fields, .. } => fields.iter_mut().for_each(|f| self.value(&mut f.1)),
            _ => {}
        }
    }

    /// Whether one of these values names the folder.
    fn are_in(&self, values: &mut [Seen]) -> bool {
        let mut is_in = false;
        let mut look = |text: &mut Vec<u16>| is_in |= position(text, self.to).is_some();
        values.iter_mut().for_each(|v| texts(v, &mut look));
        is_in
    }

    fn text(&self, text: &mut Vec<u16>) {
        let mut at = 0;
        while let Some(next) = position(&text[at..], self.from) {
            let begin = at + next;
            text.splice(begin..begin + self.from.len(), self.to.iter().copied());
            at = begin + self.to.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_others_wherever_a_text_names_it() {
        let text = |s: &str| s.encode_utf16().collect::<Vec<u16>>();
        let run = |folder: &str| Outcome {
            receiver: Some(Seen::Object {
                class: "a.B".into(),
                fields: vec![("a.B.at".into(), Seen::Str(text(&format!("{folder}/x"))))],
            }),
            args: vec![Seen::Content {
                class: "java.net.URL".into(),
                values: vec![Seen::Str(text(&format!("file:{folder}/y {folder}/z")))],
            }],
            printed: text(folder),
            ..Outcome::of(End::Threw {
                class: "a.E".into(),
                message: Some(text(&format!("not in {folder}"))),
                jvm_made: false,
                at: None,
                held: Vec::new(),
            })
        };
        let (old, new) = ("/tmp/builds/old-classes", "/tmp/builds/new-classes");
        assert_eq!(moved(run(old), old.as_ref(), new.as_ref()), run(new));
        assert_eq!(
            moved(run("/tmp/other"), old.as_ref(), new.as_ref()),
            run("/tmp/other")
        );
    }

    #[test]
    fn only_the_folder_of_the_classes_counts_as_the_builds() {
        let threw = |message: &str| {
            Outcome::of(End::Threw {
                class: "a.E".into(),
                message: Some(units(message)),
                jvm_made: false,
                at: None,
                held: Vec::new(),
            })
        };
        assert!(names_builds(&threw(
            "can't write /shadow-ci/builds/new-classes/x"
        )));
        assert!(!names_builds(&threw("can't write /shadow-ci/run/work/x")));
        let returned = Seen::Throwable {
            class: "a.E".into(),
            message: Some(units("/shadow-ci/builds/new-classes")),
        };
        assert!(names_builds(&Outcome::of(End::Returned(returned))));
    }

    #[test]
    fn a_set_that_goes_by_the_folders_hash_is_the_same_in_any_order() {
        let text = |s: &str| Seen::Str(units(s));
        let set = |class: &str, names: [&str; 2]| {
            Outcome::of(End::Returned(Seen::Content {
                class: class.into(),
                values: names.map(text).to_vec(),
            }))
        };
        let (old, new) = (Path::new("/tmp/builds/old"), Path::new("/tmp/builds/new"));
        let both = |class: &str, a: [&str; 2], b: [&str; 2]| {
            moved(set(class, a), old, new) == moved(set(class, b), new, new)
        };
        let hashed = "java.util.HashSet";
        assert!(both(
            hashed,
            ["/tmp/builds/old", "b"],
            ["b", "/tmp/builds/new"]
        ));
        assert!(!both(
            hashed,
            ["/tmp/builds/old", "b"],
            ["c", "/tmp/builds/new"]
        ));
        assert!(!both(hashed, ["a", "b"], ["b", "a"]));
        let linked = "java.util.LinkedHashSet";
        assert!(!both(
            linked,
            ["/tmp/builds/old", "b"],
            ["b", "/tmp/builds/new"]
        ));
    }

    #[test]
    fn a_prediction_may_name_the_folder_of_another_process() {
        let of = |text: &str| Outcome::of(End::Returned(Seen::Str(units(text))));
        let agree =
            |a: &str, b: &str| agrees_but_for_folders(&of(a), &of(b), Path::new("/t/ours-"));
        assert!(agree("/t/ours-run-Ab12Cd/tmp", "/t/ours-run-x9/tmp"));
        assert!(!agree("/t/ours-run-Ab12Cd/tmp", "/t/ours-run-Ab12Cd/work"));
        assert!(!agree("/t/others-run-Ab12Cd/tmp", "/t/others-run-x9/tmp"));
    }

    #[test]
    fn folders_of_the_run_have_the_same_names_each_time() {
        let mut text = units("not /t/ours-run-Ab12Cd/work, nor /t/ours-builds-x9/new-classes");
        rename(&mut text, &units("/t/ours-"));
        let renamed = String::from_utf16(&text).unwrap();
        assert_eq!(
            renamed,
            "not /shadow-ci/run/work, nor /shadow-ci/builds/new-classes"
        );
    }
}
