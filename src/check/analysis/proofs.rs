//! Local proofs of the changed methods, before any of them is explored.

use super::{Analysis, ChangedMethod, classes};
use crate::bytecode::class_file::ClassFile;
use crate::check::patch::is_test;
use crate::check::workspace::Workspace;
use crate::error::Error;
use crate::local::{self, Names, Outcome, Question};
use crate::model::{MethodRef, MethodResult, Proof, Verdict, Version};
use crate::options::{Arithmetic, Switch};
use crate::util::deep_stack::on_a_deep_stack;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Analysis<'_> {
    /// Tries to prove the methods that would be explored.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn prove(&mut self, methods: &[ChangedMethod], workspace: &Workspace) -> Result<(), Error> {
        // Proofs are about the JVM's integers, and an exploration from given inputs is not what they replace.
        let is_off = self.options.exploration.proofs == Switch::Off
            || self.options.bounds.arith == Arithmetic::Unbounded
            || self.seeds.is_some();
        if !is_off && let Some(question) = self.question(methods, workspace)? {
            self.proofs = on_a_deep_stack(|| Ok(local::prove(&question)))?;
        }
        Ok(())
    }

    /// What is to be proved of a patch; none where no method would be explored.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn question(
        &self,
        methods: &[ChangedMethod],
        workspace: &Workspace,
    ) -> Result<Option<Question>, Error> {
        let explored = methods
            .iter()
            .filter(|m| !m.one_sided && !m.same_code && m.uncompiled.is_none());
        let wanted: Vec<MethodRef> = explored.map(|m| m.id.clone()).collect();
        if wanted.is_empty() {
            return Ok(None);
        }
        let (old, new) = (classes(&self.old)?, classes(&self.new)?);
        let mut outside = names_outside(workspace, Version::Old, &old);
        outside.extend(names_outside(workspace, Version::New, &new));
        Ok(Some(Question {
            old,
            new,
            library: self.library.clone(),
            wanted,
            outside,
        }))
    }

    /// Whether a method is proved.
    pub(crate) fn is_proved(&self, id: &MethodRef) -> bool {
        self.proofs.get(id).is_some_and(|p| p.proved)
    }

    /// What came of a method's proof.
    pub fn proof(&self, id: &MethodRef) -> Option<&Outcome> {
        self.proofs.get(id)
    }
}

/// Marks the result of a method that was proved: nothing of it was explored.
pub(super) fn set_proved(result: &mut MethodResult, outcome: &Outcome) {
    result.verdict = Verdict::Equivalent;
    result.proof = Some(Proof::Local);
    result.assumed = outcome.assumed.clone();
    result.limits.clear();
}

/// All words of the source files that were not compiled: what code there may extend, override or call has its name among them.
fn names_outside(workspace: &Workspace, version: Version, classes: &[Arc<ClassFile>]) -> Names {
    let compiled: BTreeSet<String> = classes
        .iter()
        .filter_map(|c| {
            let file = c.source_file.as_ref()?;
            Some(match c.name.rsplit_once('/') {
                Some((package, _)) => format!("{package}/{file}"),
                None => file.to_string(),
            })
        })
        .collect();
    let is_compiled = |path: &str| {
        let tails = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        std::iter::once(path)
            .chain(tails)
            .any(|tail| compiled.contains(tail))
    };
    let (files, read) = workspace.sources(version);
    let mut names = Names::default();
    for path in files {
        if !path.ends_with(".java") || is_test(path) || is_compiled(path) {
            continue;
        }
        let text = read(path).unwrap_or_default();
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        for word in words.filter(|w| !w.is_empty()) {
            if !names.contains(word) {
                names.insert(word.to_string());
            }
        }
    }
    names
}
