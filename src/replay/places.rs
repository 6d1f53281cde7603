//! The folders of the builds in what a run shows: where a version's classes lie is ours, and no difference between the versions.

use crate::model::{End, Outcome, Seen};
use std::path::Path;

/// The outcome as it would be if the classes lay in the other folder. What the program has made of the name, such as its hash or a
/// part of it, stays.
pub fn moved(mut outcome: Outcome, from: &Path, to: &Path) -> Outcome {
    if from == to || from.as_os_str().is_empty() {
        return outcome;
    }
    let units = |path: &Path| -> Vec<u16> { path.to_string_lossy().encode_utf16().collect() };
    let (from, to) = (units(from), units(to));
    let names = Names {
        from: &from,
        to: &to,
    };
    match &mut outcome.end {
        End::Returned(value) => names.value(value),
        End::Threw {
            message: Some(text),
            ..
        } => names.text(text),
        _ => {}
    }
    let objects = outcome.receiver.iter_mut().chain(&mut outcome.args);
    objects.for_each(|value| names.value(value));
    names.text(&mut outcome.printed);
    outcome
}

struct Names<'a> {
    from: &'a [u16],
    to: &'a [u16],
}

impl Names<'_> {
    fn value(&self, value: &mut Seen) {
        match value {
            Seen::Str(text) => self.text(text),
            Seen::Boxed(value) => self.value(value),
            Seen::Array { values, .. } | Seen::Content { values, .. } => {
                values.iter_mut().for_each(|v| self.value(v));
            }
            Seen::Object { fields, .. } => fields.iter_mut().for_each(|f| self.value(&mut f.1)),
            _ => {}
        }
    }

    fn text(&self, text: &mut Vec<u16>) {
        let mut at = 0;
        while let Some(next) = self.position(&text[at..]) {
            let begin = at + next;
            text.splice(begin..begin + self.from.len(), self.to.iter().copied());
            at = begin + self.to.len();
        }
    }

    fn position(&self, text: &[u16]) -> Option<usize> {
        text.windows(self.from.len())
            .position(|part| part == self.from)
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
            })
        };
        let (old, new) = ("/tmp/w/old-classes", "/tmp/w/new-classes");
        assert_eq!(moved(run(old), old.as_ref(), new.as_ref()), run(new));
        assert_eq!(
            moved(run("/tmp/other"), old.as_ref(), new.as_ref()),
            run("/tmp/other")
        );
    }
}
