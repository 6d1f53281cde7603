//! Runs besides the complete exploration: along concrete inputs, of one version, and on the JVM.

use super::Analysis;
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::{ClassPath, ClassPathError, never_null_by_first};
use crate::call::Classes;
use crate::check::changed_method::Changed;
use crate::check::concolic::ConcreteInputs;
use crate::check::effort::Allowance;
use crate::check::outside::{self, Question};
use crate::check::{annotations, signatures};
use crate::error::Error;
use crate::expr::Arith;
use crate::impact::{Flow, Impact};
use crate::jvm::Worker;
use crate::model::reason::Reason;
use crate::model::{Finding, Inputs, Label, MethodRef, Outcome, Shown, Spelling};
use crate::options::{Arithmetic, NullArguments};
use crate::replay::{self, observe};
use crate::solver::SolverOptions;
use crate::symex::{
    Bounds, ExploreMode, Explorer, FinishedPath, Order, PathEnd, Program, Prune, Stop, Strategy,
};
use crate::util::deadline::Deadline;
use crate::util::temporary;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The part of a method's effort that following one input may take.
const PART_OF_ONE_INPUT: u64 = 10;

impl Analysis<'_> {
    /// Makes it a concolic one, along these inputs.
    pub fn follow(&mut self, seeds: ConcreteInputs) {
        self.seeds = Some(seeds);
    }

    /// What calls can name: both versions' classes and those they use.
    pub fn callable(&self) -> Classes {
        Classes::new(vec![
            self.new.clone(),
            self.old.clone(),
            self.library.clone(),
        ])
    }

    /// The classes of both builds, the new ones first.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn both(&self) -> Result<Vec<Arc<ClassFile>>, Error> {
        Ok([self.new.dir_classes()?, self.old.dir_classes()?].concat())
    }

    /// Methods whose parameters changed, and how they are compared.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn other_parameters(&self, changed: &Changed) -> Result<Vec<(String, String)>, Error> {
        let (old, new) = (self.old.dir_classes()?, self.new.dir_classes()?);
        Ok(signatures::told(changed, (&old, &new)))
    }

    /// Annotations that the patch changes, and that they are not compared.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn other_annotations(&self) -> Result<Option<(String, String)>, Error> {
        let (old, new) = (self.old.dir_classes()?, self.new.dir_classes()?);
        Ok(annotations::told(&old, &new))
    }

    /// What the patch impacts (paper 004, §4.1), where the options ask for it.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn impact(&self) -> Result<Option<Impact>, Error> {
        if !self.options.outputs.impacted_lines {
            return Ok(None);
        }
        let (old, new) = (self.old.dir_classes()?, self.new.dir_classes()?);
        Ok(Some(crate::impact::analyse(old, new, Flow::Paths)))
    }

    /// A strategy that cuts nothing: along one input there is little to cut, and every path of a selection counts.
    fn all_paths(&self) -> Strategy {
        Strategy {
            prune: Prune::None,
            ..self.strategy()
        }
    }

    /// A concolic run. Behind a divergence the papers explore breadth first (paper 003 §3.2).
    pub(super) fn along(
        &self,
        entry: &MethodRef,
        inputs: &Inputs,
        allowance: &Allowance,
    ) -> Result<Explorer, Stop> {
        let plain = self.all_paths();
        let strategy = Strategy {
            order: match plain.order {
                Order::Dfs => Order::Bfs,
                order => order,
            },
            mode: ExploreMode::Along(inputs.clone()),
            ..plain
        };
        self.within(entry, strategy, self.bounds(allowance))
    }

    /// Both versions on one input.
    pub(crate) fn just(&self, entry: &MethodRef, inputs: &Inputs) -> Result<Explorer, Stop> {
        let strategy = Strategy {
            mode: ExploreMode::Just(inputs.clone()),
            ..self.all_paths()
        };
        let allowance = self.allowance();
        let bounds = self.bounds(&allowance);
        let steps = allowance.steps() / PART_OF_ONE_INPUT;
        self.within(entry, strategy, bounds.with_effort(steps))
    }

    /// The path that an input takes, where the engine can follow it to its end.
    pub(super) fn path_of(&self, entry: &MethodRef, inputs: &Inputs) -> Option<Box<FinishedPath>> {
        self.just(entry, inputs).ok()?.find_map(|end| match end {
            PathEnd::Finished(path) if path.inputs == *inputs => Some(path),
            _ => None,
        })
    }

    /// Inputs that take other branches than this one: those nearest to the change first, and before them one on which the versions
    /// differ along the same path. `steps` is what it may take.
    pub(super) fn turned(&self, entry: &MethodRef, inputs: &Inputs, steps: u64) -> Vec<Inputs> {
        let strategy = Strategy {
            mode: ExploreMode::Turn(inputs.clone()),
            ..self.all_paths()
        };
        let bounds = self.bounds(&self.allowance()).with_effort(steps);
        let Ok(mut explorer) = self.within(entry, strategy, bounds) else {
            return Vec::new();
        };
        let ends = explorer.by_ref().filter_map(|end| match end {
            PathEnd::Finished(path) if path.differs == Some(true) => Some(path.inputs),
            _ => None,
        });
        let mut found: Vec<Inputs> = ends.collect();
        found.extend(explorer.turned());
        found
    }

    /// The exploration of an entry method.
    pub(crate) fn explorer(&self, entry: &MethodRef, strategy: Strategy) -> Result<Explorer, Stop> {
        self.within(entry, strategy, self.bounds(&self.allowance()))
    }

    /// The exploration of an entry method within these bounds.
    pub(super) fn within(
        &self,
        entry: &MethodRef,
        strategy: Strategy,
        bounds: Bounds,
    ) -> Result<Explorer, Stop> {
        // To see how inputs are made may take seconds already.
        if Deadline::at(bounds.deadline).is_over() {
            let detail = "the time limit came before the exploration";
            return Err(Stop::unsupported(Reason::MethodTimeout, detail));
        }
        self.explorer_of(self.program(), entry, strategy, bounds)
    }

    fn explorer_of(
        &self,
        program: Program,
        entry: &MethodRef,
        strategy: Strategy,
        bounds: Bounds,
    ) -> Result<Explorer, Stop> {
        let strategy = Strategy {
            never_null: self.never_null(entry).map_err(unreadable)?,
            heeds_nullness: self.heeds_nullness(),
            ..strategy
        };
        let arith = match self.options.bounds.arith {
            Arithmetic::Java => Arith::Java,
            Arithmetic::Unbounded => Arith::Unbounded,
        };
        let solver = SolverOptions::default();
        Explorer::new(Arc::new(program), entry, bounds, arith, &solver, strategy)
    }

    /// Whether annotations keep null from inputs.
    pub(super) fn heeds_nullness(&self) -> bool {
        self.options.bounds.null_arguments != NullArguments::Always
    }

    /// Which parameters of the entry get no null, by the newest version that has it.
    pub(super) fn never_null(&self, entry: &MethodRef) -> Result<Vec<bool>, ClassPathError> {
        if !self.heeds_nullness() {
            return Ok(Vec::new());
        }
        let paths = [&*self.new, &*self.old];
        let method = (&*entry.name, &*entry.descriptor);
        never_null_by_first(paths, &entry.class.internal(), method)
    }

    /// The exploration of all paths, also those that come to the same.
    pub(crate) fn unpruned(&self, entry: &MethodRef) -> Result<Explorer, Stop> {
        self.explorer(entry, self.all_paths())
    }

    /// The exploration of the old version alone.
    pub(crate) fn old_alone(&self, entry: &MethodRef) -> Result<Explorer, Stop> {
        let program = Program {
            old: self.old.clone(),
            new: self.old.clone(),
            unified: Arc::new(ClassPath::empty()),
            library: self.library.clone(),
            levels: BTreeMap::new(),
            machine: self.machine.clone(),
            sources: self.builds.sources.clone(),
        };
        let strategy = Strategy {
            mode: ExploreMode::NewOnly,
            ..self.all_paths()
        };
        self.explorer_of(program, entry, strategy, self.bounds(&self.allowance()))
    }

    /// What of it further runs on the JVM show again.
    pub(super) fn steady(
        &self,
        worker: &mut Worker,
        entry: &MethodRef,
        is_static: bool,
        inputs: &Inputs,
        seen: &replay::Observed,
    ) -> Result<Option<replay::Observed>, Error> {
        let steady = replay::steady(worker, &self.replay, entry, is_static, inputs, seen)?;
        Ok(steady)
    }

    /// What both versions do with an input on the JVM; `None` where arithmetic is not Java's.
    pub(crate) fn observe(
        &self,
        worker: &mut Worker,
        entry: &MethodRef,
        is_static: bool,
        inputs: &Inputs,
    ) -> Result<Option<replay::Observed>, Error> {
        if self.options.bounds.arith == Arithmetic::Unbounded {
            return Ok(None);
        }
        Ok(Some(observe(
            worker,
            &self.replay,
            entry,
            is_static,
            inputs,
        )?))
    }
}

impl Analysis<'_> {
    /// Where nothing but state that is not public differs, asks the object's public methods of it in both versions; the first that tells, and tells
    /// it again, is noted with the finding.
    pub(crate) fn look_outside(&self, worker: &mut Worker, f: &mut Finding) -> Result<(), Error> {
        if self.options.bounds.arith == Arithmetic::Unbounded {
            return Ok(());
        }
        let classes = self.classes();
        if self.deadline.is_over() {
            // What needs no question is told all the same.
            if outside::is_of_one_version(&classes, f) {
                f.telling.labels.push(Label::HiddenState);
            }
            return Ok(());
        }
        if !f.is_written() {
            // There is no call to ask the object after; the test in which it was seen went on the same.
            let is_internal = f.telling.labels.contains(&Label::PackagePrivate);
            if is_internal && outside::is_private(&classes, f) {
                f.telling.labels.push(Label::HiddenState);
            }
            return Ok(());
        }
        let Some(questions) = outside::questions(&classes, f) else {
            return Ok(());
        };
        for Question { method, inputs } in questions {
            let tells = |seen: &replay::Observed| outside::tells(&classes, &seen.old, &seen.new);
            let asked = (&method, &inputs);
            if let Some(seen) = replay::ask(worker, &self.replay, asked, tells)? {
                let of = |mut outcome| {
                    replay::name_folders(&mut outcome, &temporary::begin());
                    Outcome {
                        receiver: None,
                        args: Vec::new(),
                        ..outcome
                    }
                };
                f.telling.shown = Some(Shown {
                    method,
                    args: inputs.args,
                    old: of(seen.old),
                    new: of(seen.new),
                });
                return Ok(());
            }
        }
        if outside::is_minor(&classes, f) {
            f.telling.labels.push(Label::HiddenState);
        }
        Ok(())
    }

    /// Whether nothing but fields differs that only one version has and not every caller may read.
    pub(crate) fn is_of_one_version(&self, f: &Finding) -> bool {
        outside::is_of_one_version(&self.classes(), f)
    }

    fn classes(&self) -> outside::Classes<'_> {
        outside::Classes {
            old: &self.old,
            new: &self.new,
            library: &self.library,
        }
    }
}

/// The engine meets the class again: it can't be explored.
fn unreadable(error: ClassPathError) -> Stop {
    Stop::unsupported(Reason::ClassFile, error.to_string())
}
