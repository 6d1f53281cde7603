//! Enum constants: what the final methods of `Enum` give, and which case of a switch a constant is.

use super::executor::Executor;
use super::state::{State, Unproved};
use super::summary::Summary;
use super::version::Version;
use crate::bytecode::class_file::{Insn, MemberRef};
use crate::expr::{Sort, Term};
use std::sync::Arc;

/// How the functions are named that stand for a table and for its elements.
const CASES: &str = "cases of ";
const CASE: &str = "case of ";

/// Most cases of a switch whose constants are said to differ from each other.
const MOST_DISTINCT: usize = 12;

impl Version {
    /// Whether a call is of a method of `Enum` that is final and a function of the constant.
    pub(super) fn is_enum_function(&self, member: &MemberRef) -> bool {
        let known = matches!(
            (&*member.name, &*member.descriptor),
            ("ordinal", "()I")
                | ("name", "()Ljava/lang/String;")
                | ("equals", "(Ljava/lang/Object;)Z")
        );
        known
            && self
                .declaration(member)
                .is_some_and(|(class, _)| &*class.name == "java/lang/Enum")
    }
}

impl Executor<'_> {
    /// What such a method gives; `None` where the object that it is compared with may be a computed one.
    pub(super) fn enum_function(&mut self, name: &str, args: &[Term]) -> Option<Summary> {
        let s = &mut self.context.symbols;
        let (from, to) = (i64::from(name == "name"), i64::from(i32::MAX));
        let mut of_constant =
            |function: &str| s.app_in(function, &args[..1], Sort::Bv(32), Some((from, to)));
        Some(Summary::Value(match name {
            "ordinal" => of_constant("ordinal"),
            "name" => {
                of_constant("enum name");
                // Its range is known by now.
                s.value("enum name", &args[..1], "Ljava/lang/String;")
            }
            _ => {
                if s.may_be_anonymous(args[0]) || s.may_be_anonymous(args[1]) {
                    return None;
                }
                let same = s.same(args[0], args[1]);
                let (one, zero) = (s.pool.int(1), s.pool.int(0));
                s.pool.ite(same, one, zero)
            }
        }))
    }

    /// Reads the table of an enum's cases. The class that holds it asks the enum for its constants, so the enum is initialised.
    ///
    /// # Errors
    /// As `fork`.
    pub(super) fn case_table(
        &mut self,
        state: State,
        insn: &Insn,
        of: &Arc<str>,
    ) -> Result<(), Unproved> {
        let s = &mut self.context.symbols;
        let table = s.preexisting(&format!("{CASES}{of}"), "[I", false);
        if !self.version.needs_initialising(of) || self.version.is_inert(of) {
            return self.complete(state, Some(table));
        }
        self.rely_on(insn);
        // It is no mere initialisation: while the enum is being initialised it fails.
        let what = format!("{CASES}{of}");
        match self.event(state, (&what, Vec::new()), "V", true)? {
            Some((state, _)) => self.complete(state, Some(table)),
            None => Ok(()),
        }
    }

    /// The element of such a table for a constant; `None` for other arrays.
    ///
    /// # Errors
    /// It is read otherwise.
    pub(super) fn case_in_table(
        &mut self,
        array: Term,
        index: Term,
    ) -> Result<Option<Term>, Unproved> {
        let s = &mut self.context.symbols;
        let Some(of) = s.parts(array).and_then(|p| p.0.strip_prefix(CASES)) else {
            return Ok(None);
        };
        let name = format!("{CASE}{of}");
        let object = match s.parts(index) {
            Some(("ordinal", [object])) => *object,
            _ => return Err(Unproved::Unsupported("a switch over an enum".into())),
        };
        let range = Some((0, i64::from(i32::MAX)));
        Ok(Some(s.app_in(&name, &[object], Sort::Bv(32), range)))
    }

    /// What a switch over an enum compares for each of its cases: its constant, and the case's; nothing for other switches.
    ///
    /// # Errors
    /// A constant is not there.
    pub(super) fn constants_of(
        &mut self,
        state: &State,
        key: Term,
        cases: &[(i32, u32)],
    ) -> Result<Vec<(Term, Term)>, Unproved> {
        let s = &self.context.symbols;
        let (of, object) = match s.parts(key) {
            Some((name, [object])) => match name.strip_prefix(CASE) {
                Some(of) => (Arc::<str>::from(of), *object),
                None => return Ok(Vec::new()),
            },
            _ => return Ok(Vec::new()),
        };
        let mut out = Vec::new();
        for (number, _) in cases {
            let at = usize::try_from(*number - 1).ok();
            let name = at.and_then(|at| self.context.changes.case_names.get(at).cloned());
            let name = name.ok_or_else(|| Unproved::Unsupported("a case of an enum".into()))?;
            let field = MemberRef {
                class: of.clone(),
                name,
                descriptor: Arc::from(format!("L{of};")),
            };
            let (map, _) = self.heap_map(&field)?;
            let owner = format!("{of}.{}", field.name);
            if let Some(writers) = self.context.changes.writers.get(&owner) {
                self.context.relies_on.union_with(writers);
            }
            let s = &mut self.context.symbols;
            let (null, zero) = (s.null(), s.pool.int(0));
            out.push((object, state.heap.read(s, &map, null, zero)));
        }
        Ok(out)
    }

    /// Goes on with what is so wherever the table could be made: the constants are there, and differ.
    ///
    /// # Errors
    /// The solver gives up.
    pub(super) fn with_distinct(
        &mut self,
        mut state: State,
        constants: &[(Term, Term)],
    ) -> Result<Option<State>, Unproved> {
        let s = &mut self.context.symbols;
        let mut all = s.pool.bool(true);
        for (at, (_, constant)) in constants.iter().enumerate().take(MOST_DISTINCT) {
            let mut equal = vec![s.is_null(*constant)];
            for (_, other) in &constants[..at] {
                equal.push(s.same(*constant, *other));
            }
            for same in equal {
                let not = s.pool.not(same);
                all = s.pool.and(all, not);
            }
        }
        let known = state.condition.terms().contains(&all);
        if known || self.context.symbols.pool.as_bool(all) == Some(true) {
            return Ok(Some(state));
        }
        let condition = self.context.assume(&state.condition, all)?;
        Ok(condition.map(|condition| {
            state.condition = condition;
            state
        }))
    }
}
