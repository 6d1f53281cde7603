//! Sources that are read for their texts: a changed class's own, and those of the old version's tests that are named after it, else those
//! that use it, or what uses it.

use super::Analysis;
use crate::check::changed_method::ChangedMethod;
use crate::check::from_tests::choice::choose;
use crate::check::patch::{is_test, stem};
use crate::check::workspace::Workspace;
use crate::model::{MethodRef, Version};
use std::collections::BTreeMap;

/// Test files read for one class.
const MOST_TESTS: usize = 6;
/// Longest file that is read, in bytes.
const LONGEST: usize = 400_000;

/// Source texts, by the simple name of the class that they are about.
#[derive(Debug, Default)]
pub(super) struct Readings(BTreeMap<String, Vec<String>>);

impl Readings {
    /// What was read about a method's class.
    pub fn of(&self, method: &MethodRef) -> &[String] {
        self.0.get(simple(method)).map_or(&[], Vec::as_slice)
    }
}

/// The simple name of the outermost class.
fn simple(method: &MethodRef) -> &str {
    method.class.simple_names().next().unwrap_or_default()
}

impl Analysis<'_> {
    /// Reads what sources say of the methods' classes. Tests are the old version's: those of the patch are judged, not asked.
    pub fn read(&mut self, methods: &[ChangedMethod], workspace: &Workspace) {
        if self.options.budgets.search_runs == 0 {
            return;
        }
        let (own, read_own) = workspace.sources(Version::New);
        let (tests, read_test) = workspace.sources(Version::Old);
        let mut alone: Vec<&MethodRef> = Vec::new();
        for method in methods {
            let name = simple(&method.id);
            if self.readings.0.contains_key(name) {
                continue;
            }
            let about = |path: &&String| is_test(path) && stem(path).contains(name);
            let mut about: Vec<&String> = tests.iter().filter(about).collect();
            about.sort_by_key(|path| (stem(path).len(), *path));
            if about.is_empty() {
                alone.push(&method.id);
            }
            let own = own.iter().filter(|p| !is_test(p) && stem(p) == name);
            let mut texts: Vec<String> = own.filter_map(|p| read_own(p)).collect();
            texts.extend(
                about
                    .into_iter()
                    .take(MOST_TESTS)
                    .filter_map(|p| read_test(p)),
            );
            self.readings.0.insert(name.to_string(), texts);
        }
        if !alone.is_empty() {
            let users = choose(tests, &read_test, &alone, &[]);
            let texts = users
                .files
                .iter()
                .take(MOST_TESTS)
                .filter_map(|p| read_test(p));
            let texts: Vec<String> = texts.collect();
            for method in alone {
                let read = self.readings.0.entry(simple(method).to_string());
                read.or_default().extend(texts.iter().cloned());
            }
        }
        for texts in self.readings.0.values_mut() {
            texts.retain(|t| t.len() <= LONGEST);
        }
    }
}
