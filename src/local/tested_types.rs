//! Types that tests on the way here found: which method a call then runs.

use super::body::Body;
use super::executor::Executor;
use super::footprints::is_implementable_outside;
use super::state::{State, Unproved};
use super::version::Version;
use crate::bytecode::access::INTERFACE;
use crate::bytecode::class_file::{InvokeKind, MemberRef};
use crate::expr::{Sort, Term};
use std::sync::Arc;

impl Executor<'_> {
    /// Whether an object is an instance of a class, if only its dynamic type tells. It is one of all that is above a class of which it is
    /// one; and a class extends one other class only (JLS §8.1.4), so it is none of those beside.
    pub(super) fn type_test(&mut self, object: Term, wanted: &str) -> Term {
        let s = &mut self.context.symbols;
        let known = s.tested.entry(object).or_default().clone();
        if let Some((_, test)) = known.iter().find(|(class, _)| **class == *wanted) {
            return *test;
        }
        let mut test = s.app(&format!("instanceof {wanted}"), &[object], Sort::Bool);
        for (class, is_one) in &known {
            let needed = if self.is_below(wanted, class) {
                *is_one
            } else if self.are_apart(wanted, class) {
                self.context.symbols.pool.not(*is_one)
            } else {
                continue;
            };
            test = self.context.symbols.pool.and(test, needed);
        }
        for (class, is_one) in &known {
            if self.is_below(class, wanted) {
                test = self.context.symbols.pool.or(test, *is_one);
            }
        }
        let tested = self.context.symbols.tested.entry(object).or_default();
        tested.push((Arc::from(wanted), test));
        test
    }

    /// Whether one class extends or implements another one in both versions.
    fn is_below(&self, class: &str, of: &str) -> bool {
        let mut versions = [self.version, self.other].into_iter();
        versions.all(|v| v.is_subclass(class, of) == Some(true))
    }

    /// Whether no object is of both classes, in either version.
    fn are_apart(&self, a: &str, b: &str) -> bool {
        let is_class =
            |v: &Version, name: &str| v.class(name).is_some_and(|c| c.access & INTERFACE == 0);
        let mut versions = [self.version, self.other].into_iter();
        versions.all(|v| {
            let unrelated = |a, b| v.is_subclass(a, b) == Some(false);
            is_class(v, a) && is_class(v, b) && unrelated(a, b) && unrelated(b, a)
        })
    }

    /// The only method that a call runs on an object which is of a type of the project, as a test on the way here found.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn target_by_test(
        &mut self,
        state: &State,
        (kind, member): (InvokeKind, &MemberRef),
        object: Term,
    ) -> Result<Option<Body>, Unproved> {
        let package = match self.is_open(kind, member) {
            true => None,
            false => match self.package_of(kind, member) {
                None => return Ok(None),
                package => package,
            },
        };
        let tests = self.context.symbols.tested.get(&object).cloned();
        for (class, test) in tests.unwrap_or_default() {
            let Some(body) = self.target_in(&class, member, &package) else {
                continue;
            };
            let not = self.context.symbols.pool.not(test);
            if self.context.assume(&state.condition, not)?.is_none() {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// The only method that objects of a class run, where all that override it belong to a package, or may belong to any.
    fn target_in(
        &self,
        class: &Arc<str>,
        member: &MemberRef,
        package: &Option<String>,
    ) -> Option<Body> {
        let found = self.version.class(class)?;
        if !self.version.is_own(class) {
            return None;
        }
        let member = MemberRef {
            class: class.clone(),
            ..member.clone()
        };
        let (declares, access) = self.version.declaration(&member)?;
        let kind = match found.access & INTERFACE {
            0 => InvokeKind::Virtual,
            _ => InvokeKind::Interface,
        };
        if package.is_some() && self.package_of(kind, &member) != *package {
            return None;
        }
        let only = self.version.only_target(kind, &member);
        only.filter(|_| !is_implementable_outside(&declares, access))
    }
}
