//! Values that factories of the JDK make of constants, in a proof.

use super::constants::sets;
use super::executor::Executor;
use super::fixed_calls::{FixedCall, call, call_at, is_factory, runs_no_own_code};
use super::state::State;
use super::version::simple_name;
use crate::bytecode::access::{FINAL, STATIC};
use crate::bytecode::class_file::MemberRef;
use crate::bytecode::parameter_descriptors;
use crate::expr::Term;
use crate::model::{Input, Spelling};

impl Executor<'_> {
    /// What a factory makes of constants; `None` where it is none, or is not known to end with a value.
    pub(super) fn fixed_value(&mut self, member: &MemberRef, args: &[Term]) -> Option<Term> {
        if !is_factory(member) {
            return None;
        }
        let types = parameter_descriptors(&member.descriptor);
        let args: Option<Vec<Input>> = args
            .iter()
            .zip(&types)
            .map(|(term, of)| self.constant_input(*term, of))
            .collect();
        self.value_of(&call(member, args?))
    }

    /// Whether a call only compiles a pattern and asks it, and that pattern is made elsewhere too.
    pub(super) fn compiles_pattern(&self, member: &MemberRef, args: &[Term]) -> bool {
        let pattern = match (&*member.class, &*member.name) {
            ("java/lang/String", "matches" | "replaceAll" | "replaceFirst") => args.get(1),
            ("java/util/regex/Pattern", "matches") => args.first(),
            _ => None,
        };
        let units = pattern.and_then(|term| self.context.symbols.units(*term));
        units.is_some_and(|units| {
            let is_it = |call: &FixedCall| {
                &*call.method.name == "compile"
                    && matches!(&call.args[..], [Input::Str(known)] if known[..] == units[..])
            };
            self.context.changes.fixed.iter().any(is_it)
        })
    }

    /// Whether a call gives a matcher of a pattern that a factory made.
    pub(super) fn asks_pattern(&self, member: &MemberRef, args: &[Term]) -> bool {
        let made = args.first().and_then(|t| self.context.symbols.parts(*t));
        let is_made = |name: &str| name.starts_with("Pattern.compile(");
        (&*member.class, &*member.name) == ("java/util/regex/Pattern", "matcher")
            && made.is_some_and(|(name, others)| others.is_empty() && is_made(name))
    }

    fn constant_input(&self, term: Term, of: &str) -> Option<Input> {
        let s = &self.context.symbols;
        if of.starts_with('L') {
            if let Some(units) = s.units(term) {
                return Some(Input::Str(units.to_vec()));
            }
            let (name, others) = s.parts(term)?;
            let class = name.strip_suffix(".class").filter(|_| others.is_empty())?;
            let is_class = !class.starts_with('[');
            return is_class.then(|| Input::Class(class.to_string().dotted()));
        }
        Some(match of {
            "I" => Input::Int(s.pool.as_i64(term)? as i32),
            "J" => Input::Long(s.pool.as_i64(term)?),
            _ => return None,
        })
    }

    fn value_of(&mut self, call: &FixedCall) -> Option<Term> {
        if !self.context.changes.fixed.contains(call) {
            return None;
        }
        let of = call.method.class.internal();
        let args: Vec<String> = call.args.iter().map(text).collect::<Option<_>>()?;
        let name = format!(
            "{}.{}({})",
            simple_name(&of),
            call.method.name,
            args.join(", ")
        );
        let result = call.method.descriptor.rsplit(')').next()?;
        let s = &mut self.context.symbols;
        let term = s.preexisting(&name, result, false);
        s.set_anonymous(term);
        Some(term)
    }

    /// What a static final field holds, if its class's initialiser gives it such a value, and no code can read it before.
    pub(super) fn fixed_constant(&mut self, state: &State, field: &MemberRef) -> Option<Term> {
        let declared = self.version.field(field)?;
        if declared.access & (STATIC | FINAL) != STATIC | FINAL {
            return None;
        }
        let owner = &declared.owner;
        let (code, at) = self.setting_of(state, owner, &field.name)?;
        let mut later = code.insns[at + 1..].iter();
        let is_only = !later.any(|i| sets(i, owner, &field.name));
        let (call, first) = call_at(&code.insns, at.checked_sub(1)?)?;
        let is_quiet = is_only && runs_no_own_code(&code.insns[..first], owner);
        is_quiet.then(|| self.value_of(&call)).flatten()
    }
}

/// A constant as no other one is written: it is a part of the value's name. `None` of texts with half a character.
fn text(input: &Input) -> Option<String> {
    Some(match input {
        Input::Int(n) => n.to_string(),
        Input::Long(n) => format!("{n}L"),
        Input::Double(bits) => f64::from_bits(*bits).to_string(),
        Input::Str(units) => format!("{:?}", String::from_utf16(units).ok()?),
        Input::Class(name) => format!("{name}.class"),
        other => format!("{other:?}"),
    })
}
