//! Local proofs of the changed methods, before any of them is explored.

use super::Analysis;
use super::cut_code::CutParts;
use super::elsewhere::{is_plain, uncompiled};
use crate::bytecode::class_file::{ClassFile, Code, Insn};
use crate::check::changed_method::ChangedMethod;
use crate::check::patch::{Patch, is_test};
use crate::check::workspace::Workspace;
use crate::error::Error;
use crate::jvm::{CallKind, ReplayRequest, Worker};
use crate::local::{self, FixedCall, ProofRequest, fixed_calls};
use crate::model::{
    ClassName, End, Inputs, MethodRef, MethodResult, Outcome, Proof, Spelling, Verdict, Version,
};
use crate::options::{Arithmetic, Switch};
use crate::util::deep_stack::on_a_deep_stack;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Calls of factories with constants that are looked at.
const MOST_FIXED: usize = 64;

impl Analysis<'_> {
    /// Tries to prove the methods that would be explored.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn prove(
        &mut self,
        methods: &[ChangedMethod],
        patch: &Patch,
        workspace: &Workspace,
        worker: &mut Worker,
    ) -> Result<(), Error> {
        // Proofs are about the JVM's integers, and an exploration from given inputs is not what they replace.
        let is_off = self.options.exploration.proofs == Switch::Off
            || self.options.bounds.arith == Arithmetic::Unbounded
            || self.seeds.is_some()
            || self.deadline.is_over();
        if !is_off && let Some(mut question) = self.question(methods, patch, workspace)? {
            question.fixed = self.fixed(methods, worker)?;
            self.proofs = on_a_deep_stack(|| Ok(local::prove(&question)))?;
            self.but_for = self.proved_but_for(methods);
        }
        Ok(())
    }

    /// Methods whose proofs hold but for what others do, and those others, where each is explored for itself.
    fn proved_but_for(&self, methods: &[ChangedMethod]) -> BTreeMap<MethodRef, Vec<MethodRef>> {
        let explored = methods.iter().filter(|m| m.is_analysed());
        let explored: BTreeSet<&MethodRef> = explored.map(|m| &m.id).collect();
        let rests = |id: &MethodRef| self.proofs.get(id).map_or(&[][..], |p| &p.rests_on[..]);
        let conditional = methods
            .iter()
            .map(|m| &m.id)
            .filter(|id| !rests(id).is_empty());
        let roots = conditional.filter_map(|id| {
            let (mut seen, mut todo) = (BTreeSet::from([id]), vec![id]);
            let mut roots = BTreeSet::new();
            while let Some(next) = todo.pop() {
                match rests(next) {
                    [] => {
                        roots.insert(next);
                    }
                    others => todo.extend(others.iter().filter(|other| seen.insert(other))),
                }
            }
            let told = !roots.is_empty() && roots.iter().all(|root| explored.contains(root));
            told.then(|| (id.clone(), roots.into_iter().cloned().collect()))
        });
        roots.collect()
    }

    /// The methods but for whose differences a method is proved; `None` where it is not so, or they are not all explored.
    pub fn but_for(&self, id: &MethodRef) -> Option<&[MethodRef]> {
        self.but_for.get(id).map(Vec::as_slice)
    }

    /// What is to be proved of a patch; none where no method would be explored.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn question(
        &self,
        methods: &[ChangedMethod],
        patch: &Patch,
        workspace: &Workspace,
    ) -> Result<Option<ProofRequest>, Error> {
        let explored = methods
            .iter()
            .filter(|m| m.one_sided.is_none() && !m.same_code && m.uncompiled.is_none())
            .filter(|m| m.redispatched.is_none());
        let wanted: Vec<MethodRef> = explored.map(|m| m.id.clone()).collect();
        if wanted.is_empty() {
            return Ok(None);
        }
        let (mut old, mut new) = (self.old.dir_classes()?, self.new.dir_classes()?);
        for classes in [&mut old, &mut new] {
            // A stand-in is one implementation of its type for inputs: others do something else.
            classes.retain(|c| !self.builds.stand_ins.contains_key(&c.name.dotted()));
        }
        let mut texts = texts_outside(workspace, Version::Old, &old);
        texts.extend(texts_outside(workspace, Version::New, &new));
        texts.sort();
        texts.dedup();
        let both = [&old, &new];
        let cut = CutParts::of(&self.builds.uncompiled, patch);
        let outside = uncompiled(&texts, cut, |name| {
            let told = both.map(|classes| is_harmless(classes, name));
            told.into_iter().flatten().reduce(|a, b| a && b)
        });
        Ok(Some(ProofRequest {
            old,
            new,
            library: self.library.clone(),
            wanted,
            outside,
            fixed: Vec::new(),
            deadline: self.deadline,
        }))
    }

    /// The calls of the JDK's factories with constants, in classes of changed methods, that end with a value on the JVM.
    fn fixed(
        &self,
        methods: &[ChangedMethod],
        worker: &mut Worker,
    ) -> Result<Vec<FixedCall>, Error> {
        let names: BTreeSet<String> = methods.iter().map(|m| m.id.class.internal()).collect();
        let mut calls: Vec<FixedCall> = Vec::new();
        for name in &names {
            for build in [&self.old, &self.new] {
                let class = build.find(name)?;
                let found = class.iter().flat_map(|c| fixed_calls(c));
                let fresh: Vec<FixedCall> = found.filter(|c| !calls.contains(c)).collect();
                calls.extend(fresh);
            }
        }
        calls.truncate(MOST_FIXED);
        let inputs: Vec<Inputs> = calls
            .iter()
            .map(|call| Inputs {
                receiver: None,
                args: call.args.clone(),
            })
            .collect();
        let requests: Vec<ReplayRequest> = calls
            .iter()
            .zip(&inputs)
            .map(|(call, inputs)| ReplayRequest {
                class_path: &self.replay.new,
                entry: &call.method,
                call: CallKind::Static,
                inputs,
                limit: self.replay.limit,
            })
            .collect();
        let outcomes = worker.replay_all(&requests)?;
        let ends = |o: &Outcome| matches!(o.end, End::Returned(_));
        let both = calls.into_iter().zip(outcomes);
        Ok(both.filter(|b| ends(&b.1)).map(|b| b.0).collect())
    }

    /// Whether a method is proved.
    pub(crate) fn is_proved(&self, id: &MethodRef) -> bool {
        self.proofs.get(id).is_some_and(|p| p.proved)
    }

    /// The classes of the new version that were compiled.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn compiled(&self) -> Result<Vec<Arc<ClassFile>>, Error> {
        Ok(self.new.dir_classes()?)
    }

    fn new_code(&self, of: &MethodRef) -> Option<Arc<Code>> {
        let class = self.new.find(&of.class.internal()).ok().flatten()?;
        class.method(&of.name, &of.descriptor)?.code.clone()
    }

    /// Whether the new version of a method itself throws assertion errors: these fail a build, so what others show is not enough.
    pub fn asserts(&self, id: &MethodRef) -> bool {
        let code = self.new_code(id);
        let mut insns = code.iter().flat_map(|code| &code.insns);
        insns.any(|i| matches!(i, Insn::New(class) if &**class == "java/lang/AssertionError"))
    }

    /// Methods of the new build whose calls the code of a method names, each once.
    pub fn calls(&self, of: &MethodRef) -> Vec<MethodRef> {
        let code = self.new_code(of);
        let mut called = BTreeSet::new();
        for insn in code.iter().flat_map(|code| &code.insns) {
            let Insn::Invoke(_, m) = insn else { continue };
            if self.new.find(&m.class).ok().flatten().is_some() {
                called.insert(MethodRef {
                    class: ClassName::of_internal(&m.class),
                    name: m.name.to_string(),
                    descriptor: m.descriptor.to_string(),
                });
            }
        }
        called.into_iter().collect()
    }

    /// What came of a method's proof.
    pub fn proof(&self, id: &MethodRef) -> Option<&local::Outcome> {
        self.proofs.get(id)
    }
}

/// Marks the result of a method that was proved: nothing of it was explored.
pub(super) fn set_proved(result: &mut MethodResult, outcome: &local::Outcome) {
    result.verdict = Verdict::Equivalent;
    result.proof = Some(Proof::Local);
    result.assumed = outcome.assumed.clone();
    result.limits.clear();
}

/// Texts of the source files that were not compiled.
fn texts_outside(
    workspace: &Workspace,
    version: Version,
    classes: &[Arc<ClassFile>],
) -> Vec<String> {
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
    let left = |path: &&str| path.ends_with(".java") && !is_test(path) && !is_compiled(path);
    let files = files.iter().map(|path| &**path).filter(left);
    files.map(|path| read(path).unwrap_or_default()).collect()
}

/// Whether neither compiled classes of a simple name nor what is above them is a type of a library whose methods that calls.
fn is_harmless(classes: &[Arc<ClassFile>], name: &str) -> Option<bool> {
    let find = |name: &str| classes.iter().find(|c| *c.name == *name);
    let has_name = |c: &&Arc<ClassFile>| c.name.rsplit(['/', '$']).next() == Some(name);
    let mut todo: Vec<&Arc<ClassFile>> = classes.iter().filter(has_name).collect();
    if todo.is_empty() {
        return None;
    }
    let mut seen = BTreeSet::new();
    while let Some(class) = todo.pop() {
        if !seen.insert(&class.name) {
            continue;
        }
        for parent in class.super_name.iter().chain(&class.interfaces) {
            match find(parent) {
                Some(own) => todo.push(own),
                None if is_plain(parent) => {}
                None => return Some(false),
            }
        }
    }
    Some(true)
}
