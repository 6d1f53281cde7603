//! Calls of code that only reads: such a call is no event, but a function of its arguments and of what it may read.

use super::call::NOT_OVERRIDDEN;
use super::executor::Executor;
use super::footprints::Footprint;
use super::heap::{Heap, HeapMap};
use super::state::{State, Unproved};
use super::symbols::{REF, element_descriptor};
use crate::bytecode::class_file::{Insn, InvokeKind, MemberRef};
use crate::expr::{Sort, Term};

impl Executor<'_> {
    /// A call of code that only reads, as a function. `None` if it is none here: it would read objects that this version made, or
    /// its exception would be caught, which is another object each time.
    pub(super) fn read_call(
        &mut self,
        state: &State,
        (kind, member): (InvokeKind, &MemberRef),
        args: &[Term],
    ) -> Option<Reading> {
        let footprint = self.version.footprint(kind, member)?;
        let what = self.call_name(kind, member);
        self.reading(state, &footprint, &what, args)
    }

    /// The same of code with that footprint, under that name.
    pub(super) fn reading(
        &mut self,
        state: &State,
        footprint: &Footprint,
        what: &str,
        args: &[Term],
    ) -> Option<Reading> {
        let caught = state.frames.iter().any(|f| {
            let mut handlers = f.body.code.handlers.iter();
            handlers.any(|h| h.start <= f.pc && f.pc < h.end)
        });
        let written = written_in(&state.heap, footprint);
        let mut values = written.iter().map(|w| &w.1[2]).chain(args);
        if caught || !values.all(|t| self.was_there(*t)) {
            return None;
        }
        if !self.reads() {
            return None;
        }
        if footprint.may_be_overridden {
            self.context.assumed.insert(NOT_OVERRIDDEN);
        }
        let layout: Vec<&str> = written.iter().map(|w| &*w.0).collect();
        let times = state.heap.times(|map| holds(footprint, map));
        let name = format!("{what} {} @{times}", layout.join(","));
        let places = written.iter().flat_map(|w| w.1);
        let of = args.iter().copied().chain(places).collect();
        let may_throw = footprint.may_throw;
        Some(Reading {
            name,
            of,
            may_throw,
        })
    }

    /// Whether all that a reference may be was there before: this version has made none of it.
    pub(super) fn was_there(&self, reference: Term) -> bool {
        let s = &self.context.symbols;
        let mut choices = s.choices(reference).into_iter();
        choices.all(|t| s.class_of(t).is_none() && !s.is_anonymous(t))
    }

    /// Whether calls that only read are no events in this attempt; if not, the next one may try it.
    pub(super) fn reads(&mut self) -> bool {
        self.context.met_reader |= !self.context.reads;
        self.context.reads
    }

    /// Goes on behind such a call: with its result, and with its exception.
    pub(super) fn apply_reading(
        &mut self,
        state: State,
        insn: &Insn,
        member: &MemberRef,
        reading: Reading,
    ) -> Result<(), Unproved> {
        self.rely_on_at(&state, insn);
        let mut state = state;
        let Reading { name, of, .. } = &reading;
        // What it gives may be one of these.
        self.publish(&mut state, of);
        if reading.may_throw {
            match self.unless_reading_throws(state, name, of)? {
                Some(next) => state = next,
                None => return Ok(()),
            }
        }
        let result = member.descriptor.rsplit(')').next().unwrap_or("V");
        let value = match self.looked_up(member, &reading) {
            Some(value) => Some(value),
            None => {
                let s = &mut self.context.symbols;
                (result != "V").then(|| s.value(name, of, result))
            }
        };
        self.complete(state, value)
    }

    fn unless_reading_throws(
        &mut self,
        state: State,
        name: &str,
        of: &[Term],
    ) -> Result<Option<State>, Unproved> {
        let s = &mut self.context.symbols;
        let thrown = s.app(&format!("throws {name}"), of, Sort::Bool);
        let range = Some((1, i64::from(i32::MAX)));
        let exception = s.app_in(&format!("exception {name}"), of, REF, range);
        let (yes, no) = self.fork(state, thrown)?;
        if let Some(state) = yes {
            self.throw(state, exception, None)?;
        }
        Ok(no)
    }
}

/// A call that only reads.
pub(super) struct Reading {
    /// Its name, with the time of the heap that it finds.
    pub(super) name: String,
    /// Its arguments, and what was written since in what it may read.
    pub(super) of: Vec<Term>,
    may_throw: bool,
}

/// What was written of a footprint, in objects that were there before: the map's name; object, index and value.
fn written_in(heap: &Heap, footprint: &Footprint) -> Vec<(String, [Term; 3])> {
    let all = heap.written().filter(|(map, _)| holds(footprint, map));
    let old = all.filter(|(_, w)| !heap.is_allocated(w[0]));
    old.map(|(map, w)| (format!("{map:?}"), w)).collect()
}

fn holds(footprint: &Footprint, map: &HeapMap) -> bool {
    match map {
        HeapMap::Field(name, _) | HeapMap::Final(name, _) => footprint.fields.contains(&**name),
        HeapMap::Elements(of) => {
            let mut kinds = footprint.elements.iter();
            kinds.any(|k| element_descriptor(*k) == *of)
        }
        HeapMap::Text => false,
    }
}
