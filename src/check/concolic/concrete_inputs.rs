//! Concrete inputs by the entry methods they call.

use crate::bytecode::class_file::ClassFile;
use crate::call::{Call, Classes, parse, resolve};
use crate::check::changed_method::ChangedMethod;
use crate::error::Error;
use crate::impact::{self, Mentions};
use crate::jvm::recording::RecordedTest;
use crate::model::{Inputs, MethodRef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Inputs of one entry method that are followed; runs along ever more of them show ever less.
const MOST: usize = 50;

/// Concrete inputs.
#[derive(Clone, Debug, Default)]
pub struct ConcreteInputs {
    inputs: BTreeMap<MethodRef, Vec<Inputs>>,
    /// What in tests' inputs could not be written down, and how often.
    refused: BTreeMap<MethodRef, BTreeMap<String, u64>>,
}

impl ConcreteInputs {
    /// Adds calls from the command line. One of a method that is no entry of a changed method becomes one of those it calls.
    ///
    /// # Errors
    /// A call can't be read, or its method comes to nothing that changed.
    pub fn add_calls(
        &mut self,
        texts: &[String],
        classes: &Classes,
        files: &[Arc<ClassFile>],
        methods: &mut [ChangedMethod],
    ) -> Result<(), Error> {
        let mentions = Mentions::of(files);
        for text in texts {
            let refused = |why: String| Error::Concolic(format!("--input {text}: {why}"));
            let call = parse(text)
                .and_then(|e| resolve(&e, classes))
                .map_err(|e| refused(e.to_string()))?;
            let Call { entry, inputs, .. } = call;
            let known = methods.iter().any(|m| m.entries().contains(&entry));
            if !known {
                let reached = methods
                    .iter_mut()
                    .filter(|m| impact::reaches(&mentions, &entry, &m.id));
                let n = reached.map(|m| m.add_entry(&entry)).count();
                if n == 0 {
                    return Err(refused("it calls no changed method".into()));
                }
            }
            self.add(entry, inputs);
        }
        Ok(())
    }

    /// Adds what tests passed.
    pub fn add_recorded(&mut self, tests: &[RecordedTest]) {
        for input in tests.iter().flat_map(|t| &t.inputs) {
            match &input.inputs {
                Ok(inputs) => self.add(input.entry.clone(), inputs.clone()),
                Err(why) => {
                    let all = self.refused.entry(input.entry.clone()).or_default();
                    *all.entry(why.clone()).or_default() += 1;
                }
            }
        }
    }

    fn add(&mut self, entry: MethodRef, inputs: Inputs) {
        let all = self.inputs.entry(entry).or_default();
        if !all.contains(&inputs) {
            all.push(inputs);
        }
    }

    /// The inputs of an entry that are followed, and how many there are.
    pub fn of(&self, entry: &MethodRef) -> (&[Inputs], usize) {
        let all = self.inputs.get(entry).map_or(&[][..], Vec::as_slice);
        (&all[..all.len().min(MOST)], all.len())
    }

    /// What tests passed to an entry besides, and how often.
    pub fn refused(&self, entry: &MethodRef) -> impl Iterator<Item = (&String, &u64)> {
        self.refused.get(entry).into_iter().flatten()
    }
}
