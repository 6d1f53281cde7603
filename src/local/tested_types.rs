//! Types that tests on the way here found: which method a call then runs.

use super::body::Body;
use super::executor::Executor;
use super::footprints::is_implementable_outside;
use super::state::{State, Unproved};
use crate::bytecode::access::INTERFACE;
use crate::bytecode::class_file::{InvokeKind, MemberRef};
use crate::expr::{Sort, Term};
use std::sync::Arc;

impl Executor<'_> {
    /// Whether an object is an instance of a class, if only its dynamic type tells.
    pub(super) fn type_test(&mut self, object: Term, wanted: &str) -> Term {
        let s = &mut self.context.symbols;
        let test = s.app(&format!("instanceof {wanted}"), &[object], Sort::Bool);
        let known = s.tested.entry(object).or_default();
        if !known.iter().any(|(class, _)| **class == *wanted) {
            known.push((Arc::from(wanted), test));
        }
        test
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
