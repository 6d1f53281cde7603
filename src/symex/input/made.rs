//! Objects made by constructors, factories and builders; each way is tried first, then inputs combine them.

use super::Built;
use super::makers::{factories_of, makers, mutators, private_makers};
use super::spec::{PriorCall, Spec};
use super::trial::Verdict;
use super::ways::{EXACT, MAX_CLASSES, MAX_DEPTH, MAX_MAKERS, MAX_TRIED, NONE, SHAPES, SOME, Ways};
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::class::{Class, Method};
use std::sync::Arc;

impl Ways<'_> {
    /// Objects of the project's and its libraries' classes, found once.
    pub(super) fn known_or_own(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let key = (class.id, depth);
        if let Some((found, missing)) = self.known.get(&key) {
            self.missing.extend(missing.iter().cloned());
            return Ok(found.clone());
        }
        let before = std::mem::take(&mut self.missing);
        let failed = std::mem::take(&mut self.failed);
        let found = match depth {
            MAX_DEPTH => self.bare(class),
            _ => self.own(class, depth),
        };
        let failed = std::mem::replace(&mut self.failed, failed);
        let missing = std::mem::replace(&mut self.missing, before);
        let mut found = found?;
        if found.is_empty() && depth == 0 {
            found.extend(failed.into_iter().take(MAX_MAKERS));
        }
        self.missing.extend(missing.iter().cloned());
        self.known.insert(key, (found.clone(), missing));
        Ok(found)
    }

    /// One object that is made of nothing else.
    fn bare(&mut self, class: &Class) -> Built<Vec<Spec>> {
        let mut classes = vec![self.vm.linker.class(class.id).clone()];
        if class.is_abstract() {
            let below = self.implementations.below(self.vm, &class.name)?;
            let below = below.into_iter().take(MAX_TRIED);
            classes.extend(below.map(|id| self.vm.linker.class(id).clone()));
        }
        for class in classes {
            let mut makers = makers(&class);
            makers.retain(|m| m.params.is_empty());
            let mut found = self.made(&class, makers, MAX_DEPTH)?;
            found.extend(self.implementations.held_constants(self.vm, &class));
            if !found.is_empty() {
                self.note(SOME, class.name.dotted());
                found.truncate(1);
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Objects of the project's and its libraries' classes.
    fn own(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let mut found = self.made(class, makers(class), depth)?;
        if found.is_empty() {
            found = self.made_outside(class, depth)?;
        }
        if found.is_empty() {
            found = self.built(class, depth)?;
        }
        let mut exact = !class.is_abstract();
        if found.is_empty() {
            let held = self.implementations.held_constants(self.vm, class);
            exact &= held.is_empty();
            found.extend(held.into_iter().take(MAX_CLASSES));
        }
        if found.is_empty() && self.implementations.is_private(self.vm, &class.name) {
            found = self.made(class, private_makers(class), depth)?;
        }
        if found.is_empty() && class.is_abstract() {
            found = self.implemented(class, depth)?;
        }
        if !found.is_empty() {
            self.note(if exact { EXACT } else { SOME }, class.name.dotted());
        }
        Ok(found)
    }

    /// Objects of a nested class that factories of the class around it make, such as builders.
    fn made_outside(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let Some((outer, _)) = class.name.rsplit_once('$') else {
            return Ok(Vec::new());
        };
        let outer = self.vm.linker.resolve_for(outer, Version::New)?;
        let outer = self.vm.linker.class(outer).clone();
        self.made(class, factories_of(&outer, &class.name), depth)
    }

    /// One object of each of some classes below an abstract one.
    pub(super) fn implemented(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let mut found = Vec::new();
        let below = self.implementations.below(self.vm, &class.name)?;
        for id in below.into_iter().take(MAX_TRIED) {
            let class = self.vm.linker.class(id).clone();
            let made = self.made(&class, makers(&class), depth)?;
            found.extend(made.into_iter().take(1));
            if found.len() == MAX_CLASSES {
                break;
            }
        }
        Ok(found)
    }

    /// Objects that these constructors or factories of the class make.
    pub(super) fn made(
        &mut self,
        class: &Class,
        makers: Vec<Arc<Method>>,
        depth: u32,
    ) -> Built<Vec<Spec>> {
        let (mut found, mut slow, mut used) = (Vec::new(), Vec::new(), 0);
        for (i, maker) in makers.into_iter().enumerate() {
            if used == MAX_MAKERS || i == MAX_TRIED {
                let detail = format!("constructors of {}", class.name.dotted());
                self.note(SHAPES, detail);
                break;
            }
            if !self.vm.linker.is_common(&maker) {
                self.note(SHAPES, format!("{} in one version only", maker.display()));
                continue;
            }
            let before = found.len();
            for args in self.arguments(&maker, depth + 1)? {
                let spec = call(maker.clone(), args, Vec::new());
                match self.tried(&spec) {
                    Verdict::Possible => found.push(spec),
                    Verdict::Slow => {
                        // So it is with other arguments.
                        slow.push(spec);
                        break;
                    }
                    Verdict::Impossible(_) => self.failed.push(spec),
                }
            }
            used += usize::from(found.len() > before);
        }
        // What takes long to make is left out where there are others.
        if found.is_empty() {
            slow.truncate(MAX_MAKERS);
            return Ok(slow);
        }
        if !slow.is_empty() {
            self.note(SHAPES, format!("constructors of {}", class.name.dotted()));
        }
        Ok(found)
    }

    /// Ways that come to nothing, where there are no others.
    pub(super) fn take_failed(&mut self) -> Vec<Spec> {
        let mut failed = std::mem::take(&mut self.failed);
        failed.truncate(MAX_MAKERS);
        failed
    }

    /// Whether anything comes of it; without trials it is taken to.
    fn tried(&mut self, spec: &Spec) -> Verdict {
        let trial = self.trial.as_mut();
        let verdict = trial.map_or(Verdict::Possible, |t| t.of(self.vm, spec));
        if let Verdict::Impossible(Some(stop)) = &verdict {
            self.note(
                Reason::InputMaking,
                format!("{}: {}", stop.reason, stop.detail),
            );
        }
        verdict
    }

    /// Objects that a builder builds, after at most one call on it.
    fn built(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let mut found = Vec::new();
        let mut builds = self.implementations.builds(self.vm, &class.name)?;
        builds.retain(|maker| self.vm.linker.is_common(maker));
        let is_built = !builds.is_empty();
        for maker in builds {
            let owner = self.vm.linker.class(maker.class).clone();
            let mut builders = self.made(&owner, makers(&owner), depth + 1)?;
            if builders.is_empty() {
                builders = self.made_outside(&owner, depth + 1)?;
            }
            builders.truncate(1);
            let changed = self.after_calls(&owner, &builders, depth + 1)?;
            builders.extend(changed);
            for builder in builders {
                let spec = call(maker.clone(), vec![builder], Vec::new());
                match self.tried(&spec) {
                    Verdict::Impossible(_) => self.failed.push(spec),
                    _ => found.push(spec),
                }
            }
        }
        // After more calls there may be one.
        if is_built && found.is_empty() {
            self.note(NONE, class.name.dotted());
        }
        Ok(found)
    }

    /// Objects after one call of one of their mutating methods; what those calls leave out is not noted.
    pub(super) fn after_calls(
        &mut self,
        class: &Class,
        objects: &[Spec],
        depth: u32,
    ) -> Built<Vec<Spec>> {
        let mut mutators = mutators(class);
        mutators.retain(|method| self.vm.linker.is_common(method));
        let mut found = Vec::new();
        for spec in objects {
            let Spec::Call { maker, args, .. } = spec else {
                continue;
            };
            let mut used = 0;
            for method in mutators.iter().take(MAX_TRIED) {
                let shapes = self.noting(|ways| ways.arguments(method, depth), |_| false)?;
                let calls = shapes.into_iter().next().map(|s| vec![(method.clone(), s)]);
                let spec = calls.map(|c| call(maker.clone(), args.clone(), c));
                let possible = |ways: &mut Self, s: &Spec| ways.tried(s) == Verdict::Possible;
                let spec = spec.filter(|s| self.noting(|ways| possible(ways, s), |_| false));
                used += usize::from(spec.is_some());
                found.extend(spec);
                if used == MAX_MAKERS {
                    break;
                }
            }
        }
        Ok(found)
    }
}

/// A constructor or method call.
fn call(maker: Arc<Method>, args: Vec<Spec>, calls: Vec<PriorCall>) -> Spec {
    Spec::Call { maker, args, calls }
}
