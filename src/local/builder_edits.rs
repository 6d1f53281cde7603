//! Edits of string builders at a position.

use super::executor::Executor;
use super::heap::HeapMap;
use super::state::{State, Unproved};
use super::symbols::{REF, Symbols};
use super::texts::concatenation;
use crate::expr::{BvOp, CmpOp, Sort, Term};

/// The text before a position of another one.
const PREFIX: &str = "builder prefix";

/// The length of a builder's text.
pub(super) fn length_of(s: &mut Symbols, text: Term) -> Term {
    match s.parts(text) {
        Some((PREFIX, [_, length])) => *length,
        Some(("+", _)) => s.pool.int(0),
        _ => s.app_in("length", &[text], REF, Some((0, i64::from(i32::MAX)))),
    }
}

/// The text before a position that lies in it.
fn prefix(s: &mut Symbols, text: Term, length: Term) -> Term {
    match s.parts(text) {
        _ if s.pool.as_i64(length) == Some(0) => concatenation(s, &[]),
        Some((PREFIX, [whole, _])) => {
            let whole = *whole;
            s.value(PREFIX, &[whole, length], "Ljava/lang/String;")
        }
        _ => s.value(PREFIX, &[text, length], "Ljava/lang/String;"),
    }
}

impl Executor<'_> {
    /// What takes a position or a length: a function of the text and these, which refuses those outside of the text
    /// (`java.lang.StringBuilder`).
    pub(super) fn edit(
        &mut self,
        state: State,
        name: &str,
        descriptor: &str,
        args: Vec<Term>,
    ) -> Result<(), Unproved> {
        let s = &mut self.context.symbols;
        let zero = s.pool.int(0);
        let builder = args[0];
        let before = state.heap.read(s, &HeapMap::Text, builder, zero);
        s.set_anonymous(before);
        let mut of = args;
        of[0] = before;
        let key = format!(
            "builder {name}{}",
            descriptor.split(')').next().unwrap_or_default()
        );
        let Some(mut state) = self.unless_refused(state, (name, &key), &of)? else {
            return Ok(());
        };
        if name == "charAt" {
            let unit = self.context.symbols.value(&key, &of, "C");
            return self.complete(state, Some(unit));
        }
        let rest = self.kept_before(&state, name, &of)?;
        let s = &mut self.context.symbols;
        let after = match rest {
            Some(length) => prefix(s, before, length),
            None => s.value(&key, &of, "Ljava/lang/String;"),
        };
        s.set_anonymous(after);
        state.heap.write(HeapMap::Text, builder, zero, after);
        let gives = !descriptor.ends_with('V');
        self.complete(state, gives.then_some(builder))
    }

    /// Goes on where an edit takes its position. Another edit may refuse the same one with another message: so each refuses by itself,
    /// unless nothing here is refused.
    fn unless_refused(
        &mut self,
        state: State,
        (name, key): (&str, &str),
        of: &[Term],
    ) -> Result<Option<State>, Unproved> {
        let s = &mut self.context.symbols;
        let Some(outside) = outside(s, name, of) else {
            return Ok(Some(state));
        };
        let refuses = s.app(&format!("{key} throws"), of, Sort::Bool);
        if self.context.assume(&state.condition, outside)?.is_none() {
            return Ok(Some(state));
        }
        self.unless(state, refuses, "java/lang/StringIndexOutOfBoundsException")
    }

    /// The position up to which an edit keeps the text, if it drops all behind it.
    fn kept_before(
        &mut self,
        state: &State,
        name: &str,
        of: &[Term],
    ) -> Result<Option<Term>, Unproved> {
        let s = &mut self.context.symbols;
        let length = length_of(s, of[0]);
        let one = s.pool.int(1);
        let (position, goes_on) = match (name, of) {
            ("setLength", [_, n]) => (*n, s.pool.cmp(CmpOp::Slt, length, *n)),
            ("deleteCharAt", [_, at]) => {
                let last = s.pool.bin(BvOp::Sub, length, one);
                let is_last = s.pool.eq(*at, last);
                (*at, s.pool.not(is_last))
            }
            ("delete", [_, start, end]) => (*start, s.pool.cmp(CmpOp::Slt, *end, length)),
            _ => return Ok(None),
        };
        let is_last = self.context.assume(&state.condition, goes_on)?.is_none();
        Ok(is_last.then_some(position))
    }
}

/// The condition under which an edit refuses its position or length; `None` if it takes none.
fn outside(s: &mut Symbols, name: &str, of: &[Term]) -> Option<Term> {
    let zero = s.pool.int(0);
    let length = length_of(s, of[0]);
    let position = *of.get(1)?;
    let negative = s.pool.cmp(CmpOp::Slt, position, zero);
    let above = match (name, of) {
        ("setLength", _) => return Some(negative),
        ("insert", _) => s.pool.cmp(CmpOp::Slt, length, position),
        ("delete", [_, start, end]) => {
            let ends = s.pool.cmp(CmpOp::Slt, *end, *start);
            let starts = s.pool.cmp(CmpOp::Slt, length, *start);
            s.pool.or(ends, starts)
        }
        _ => s.pool.cmp(CmpOp::Sle, length, position),
    };
    Some(s.pool.or(negative, above))
}
