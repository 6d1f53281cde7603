//! Classification of a test by its inputs: the affected paths that they take, and why some are unknown.

use super::{ClassifiedTest, Reason, Test, TestInput};
use crate::check::changed_method::Changed;
use crate::error::Error;
use crate::java_text::call::call;
use crate::jvm::recording::{Recorded, RecordedTest, TestEnd};
use crate::model::{Inputs, MethodRef, Spelling};
use crate::symex::{Explorer, FinishedPath};

/// The recorded tests. `skipped` names the files of the patch that are no sources of the project, tests among them.
pub(super) fn recorded(
    recorded: &Recorded,
    changed: &Changed,
    skipped: &[(String, String)],
) -> Vec<Test> {
    let initialiser = changed
        .methods
        .iter()
        .find(|m| m.id.name == "<clinit>" && !m.same_code);
    let of = |test: &RecordedTest| {
        let file = test.class.outermost();
        let file = format!("/{}.java", file.internal());
        let own = skipped
            .iter()
            .any(|(path, _)| format!("/{path}").ends_with(&file));
        let anyway = match (test.end, initialiser) {
            _ if own => Some("its own source is changed by the patch".to_string()),
            (TestEnd::Hung, _) => Some("it did not end in time".into()),
            (TestEnd::Died, _) => Some("it ended the process".into()),
            (TestEnd::Failed, _) => Some("it failed in the old version".into()),
            (TestEnd::Skipped, _) => Some("it was skipped in the old version".into()),
            // It runs once in a process, be it on behalf of one test or of another.
            (_, Some(m)) => Some(format!("the static initialiser of {} changed", m.id.class)),
            _ => None,
        };
        Test {
            name: format!("{}#{}", test.class, test.name),
            touched: test.touched.clone(),
            inputs: test.inputs.iter().map(input).collect(),
            anyway,
        }
    };
    recorded.tests.iter().map(of).collect()
}

fn input(input: &crate::jvm::recording::RecordedInput) -> TestInput {
    TestInput {
        entry: input.entry.clone(),
        inputs: input.inputs.clone(),
        exact: input.exact,
    }
}

/// What is known before any path: tests run again whatever they call, and calls of methods that have no paths.
pub(super) fn begin(test: Test, changed: &Changed) -> ClassifiedTest {
    let mut reasons: Vec<Reason> = test
        .anyway
        .clone()
        .map(Reason::Unknown)
        .into_iter()
        .collect();
    for touched in &test.touched {
        let name = format!("{}#{}", touched.class, touched.name);
        let Some(method) = changed.methods.iter().find(|m| m.id == *touched) else {
            reasons.push(Reason::Unknown(format!("calls {name}, which is gone")));
            continue;
        };
        let entered = |e: &MethodRef| test.inputs.iter().any(|i| i.entry == *e);
        if !method.is_analysed() {
            let why = format!("calls {name}, which could not be analysed");
            reasons.push(Reason::Unknown(why));
        } else if method.has_more_entries() || !method.entries().iter().any(entered) {
            let why = format!("comes to {name} by another way than those analysed");
            reasons.push(Reason::Unknown(why));
        }
    }
    ClassifiedTest { test, reasons }
}

/// A path that an input takes: its number, when it is affected.
pub(super) type Taken = Option<usize>;

/// Classifies a test by its inputs of an entry and the entry's paths, of which the affected ones have numbers; returns the numbers of
/// those that the test covers. `along` finds the path of an input that is on none of these.
pub(super) fn classify_inputs(
    classified: &mut ClassifiedTest,
    entry: &MethodRef,
    explorer: &Explorer,
    paths: &[(FinishedPath, Taken)],
    along: &mut dyn FnMut(&Inputs) -> Result<Option<Taken>, Error>,
) -> Result<Vec<usize>, Error> {
    let mut covered = Vec::new();
    for input in classified.test.inputs.iter().filter(|i| i.entry == *entry) {
        let inputs = match &input.inputs {
            Ok(inputs) => inputs,
            Err(what) => {
                let name = format!("{}#{}", entry.class, entry.name);
                let why = format!("calls {name} with {what}, which is not recorded");
                classified.reasons.push(Reason::Unknown(why));
                continue;
            }
        };
        let call = call(entry, inputs);
        if !input.exact {
            let why = format!("calls {call} on objects that may have changed since");
            classified.reasons.push(Reason::Unknown(why));
        }
        let taken = paths.iter().filter(|(p, _)| explorer.takes(p, inputs));
        let mut taken: Vec<Taken> = taken.map(|(_, number)| *number).collect();
        if taken.is_empty() {
            taken.extend(along(inputs)?);
        }
        if taken.is_empty() {
            let why = format!("calls {call}, which could not be followed to its end");
            classified.reasons.push(Reason::Unknown(why));
        }
        for path in taken.into_iter().flatten() {
            let call = call.clone();
            classified.reasons.push(Reason::Covers { call, path });
            if input.exact {
                covered.push(path);
            }
        }
    }
    classified.reasons.dedup();
    covered.sort_unstable();
    covered.dedup();
    Ok(covered)
}

#[cfg(test)]
mod tests {
    use super::recorded;
    use crate::check::changed_method::Changed;
    use crate::jvm::recording::{Recorded, RecordedTest, TestEnd};

    fn reason(end: TestEnd) -> Option<String> {
        let test = RecordedTest {
            class: "demo.FooTest".into(),
            name: "f".into(),
            end,
            reached: Vec::new(),
            touched: Vec::new(),
            inputs: Vec::new(),
            calls: Vec::new(),
            failure: None,
        };
        let run = Recorded {
            tests: vec![test],
            ..Recorded::default()
        };
        recorded(&run, &Changed::default(), &[]).remove(0).anyway
    }

    #[test]
    fn a_test_that_did_not_pass_is_run_again_whatever_it_called() {
        assert_eq!(reason(TestEnd::Passed), None);
        for end in [
            TestEnd::Failed,
            TestEnd::Skipped,
            TestEnd::Hung,
            TestEnd::Died,
        ] {
            assert!(reason(end).is_some(), "{end:?}");
        }
    }
}
