//! Symbolic execution of one version along a segment: from one state to every return, exception or cut point.

use super::body::Body;
use super::context::ProofContext;
use super::heap::Epoch;
use super::lookups::looks_up;
use super::state::{End, Event, Frame, SegmentPath, State, Target, Unproved};
use super::symbols::{REF, Symbols};
use super::version::Version;
use crate::bytecode::access::FINAL;
use crate::bytecode::class_file::Insn;
use crate::expr::{Sort, Term};
use std::rc::Rc;
use std::sync::Arc;

/// What every event takes for granted.
const SHARED_CODE: &str = "code that both versions share does the same in the same state";

/// A state after an instruction.
pub enum Successor {
    /// Execution continues.
    On(State),
    /// Execution left the method.
    Ended(State, End),
}

/// The symbolic execution of one version.
pub struct Executor<'a> {
    /// The version that is executed.
    pub version: &'a Version,
    /// The other version.
    pub other: &'a Version,
    /// The attempt's data.
    pub context: &'a mut ProofContext,
    pub(super) successors: Vec<Successor>,
    /// The method that the next event runs, where there is only one.
    pub(super) callee: Option<Target>,
    /// Values that the text of an exception which the JVM makes at this instruction depends on.
    pub(super) about: Vec<Term>,
    /// Whether it is the old version that runs.
    pub(super) is_old: bool,
}

impl<'a> Executor<'a> {
    /// An execution of one of two versions.
    pub fn new(
        [old, new]: [&'a Version; 2],
        is_old: bool,
        context: &'a mut ProofContext,
    ) -> Executor<'a> {
        Executor {
            version: if is_old { old } else { new },
            other: if is_old { new } else { old },
            is_old,
            context,
            successors: Vec::new(),
            callee: None,
            about: Vec::new(),
        }
    }

    /// All paths from a state to the end of the segment.
    ///
    /// # Errors
    /// Something is not supported, or too much.
    pub fn run(&mut self, start: State) -> Result<Vec<SegmentPath>, Unproved> {
        let mut todo = vec![start];
        let mut done = Vec::new();
        while let Some(mut state) = todo.pop() {
            if state.moved && self.context.cuts.is_cut(&state) && self.unrolls(&state) {
                state.unrolled += 1;
            } else if state.moved && self.context.cuts.is_cut(&state) {
                done.push(SegmentPath {
                    state,
                    end: End::Cut,
                });
                self.context.budget.path()?;
                continue;
            }
            self.context.budget.step()?;
            state.moved = true;
            self.step(state)?;
            for next in std::mem::take(&mut self.successors).into_iter().rev() {
                match next {
                    Successor::On(state) => todo.push(state),
                    Successor::Ended(state, end) => {
                        done.push(SegmentPath { state, end });
                        self.context.budget.path()?;
                    }
                }
            }
        }
        Ok(done)
    }

    fn step(&mut self, state: State) -> Result<(), Unproved> {
        let frame = state.frames.last();
        let insn = frame.and_then(|f| f.body.code.insns.get(f.pc as usize).cloned());
        match insn {
            Some(insn) => {
                let changes = &self.context.changes;
                self.context.relies_on.extend(changes.told_by(&insn));
                self.about.clear();
                self.execute(state, &insn)
            }
            None => Err(Unproved::Unsupported("code without end".into())),
        }
    }

    /// Adds a state from which execution continues.
    pub fn continue_with(&mut self, state: State) {
        self.successors.push(Successor::On(state));
    }

    /// The states in which a condition holds and does not.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn fork(
        &mut self,
        state: State,
        condition: Term,
    ) -> Result<(Option<State>, Option<State>), Unproved> {
        let condition = self.context.decidable(&state.condition, condition);
        let s = &mut self.context.symbols;
        match s.pool.as_bool(condition) {
            Some(true) => return Ok((Some(state), None)),
            Some(false) => return Ok((None, Some(state))),
            None => {}
        }
        let not = s.pool.not(condition);
        // What stands in the path condition needs no question: a switch asks for each of its keys again.
        let known = |term: Term| state.condition.terms().contains(&term);
        if known(condition) {
            return Ok((Some(state), None));
        }
        if known(not) {
            return Ok((None, Some(state)));
        }
        let yes = self.context.assume(&state.condition, condition)?;
        let no = self.context.assume(&state.condition, not)?;
        let with = |c| State {
            condition: c,
            ..state.clone()
        };
        Ok((yes.map(with), no.map(with)))
    }

    /// Records an event, such as a call of code outside. It may change the heap, so afterwards nothing is known of the heap but
    /// that it is equal in both versions. Returns the state after a normal end, with the result; states in which the event threw
    /// continue at their handlers.
    ///
    /// # Errors
    /// As `fork`.
    pub fn event(
        &mut self,
        mut state: State,
        (what, args): (&str, Vec<Term>),
        result: &str,
        throws: bool,
    ) -> Result<Option<(State, Option<Term>)>, Unproved> {
        self.context.assumed.insert(SHARED_CODE);
        let number = state.events.len() as u32;
        self.publish(&mut state, &args);
        let heap = state.heap.clone();
        Rc::make_mut(&mut state.events).push(Event {
            what: Arc::from(what),
            args,
            heap,
            callee: self.callee.take(),
        });
        let segment = self.context.segment;
        state.heap.havoc_mutable(Epoch {
            segment,
            event: number + 1,
        });
        let named = what.split('(').next().unwrap_or(what);
        let short = named.rsplit(['/', ' ']).next().unwrap_or(named);
        let short = short.replace('#', ".");
        let at = format!("{short} #{segment}.{number}");
        let s = &mut self.context.symbols;
        let mut normal = state;
        if throws {
            let thrown = s.app(&format!("{at} throws"), &[], Sort::Bool);
            let range = Some((1, i64::from(i32::MAX)));
            let exception = s.app_in(&format!("exception of {at}"), &[], REF, range);
            let (yes, no) = self.fork(normal, thrown)?;
            if let Some(state) = yes {
                self.throw(state, exception, None)?;
            }
            match no {
                Some(state) => normal = state,
                None => return Ok(None),
            }
        }
        let s = &mut self.context.symbols;
        let value = (result != "V").then(|| s.value(&at, &[], result));
        Ok(Some((normal, value)))
    }

    /// Throws an object, of that class where it is known.
    ///
    /// # Errors
    /// As `fork`.
    pub fn throw(
        &mut self,
        mut state: State,
        exception: Term,
        class: Option<&str>,
    ) -> Result<(), Unproved> {
        loop {
            let Some(frame) = state.frames.last() else {
                return Err(Unproved::Unsupported("no frame".into()));
            };
            let (pc, code) = (frame.pc, frame.body.code.clone());
            for handler in code.handlers.iter().filter(|h| h.start <= pc && pc < h.end) {
                let caught = match &handler.catch {
                    None => self.context.symbols.pool.bool(true),
                    Some(wanted) => {
                        let told = self.context.changes.told_by_handler(wanted);
                        self.context.relies_on.extend(told);
                        self.is_instance(exception, class, wanted)
                    }
                };
                let (yes, no) = self.fork(state, caught)?;
                if let Some(mut state) = yes {
                    if let Some(raised) = Rc::make_mut(&mut state.raised).get_mut(&exception) {
                        raised.1 = true;
                    }
                    if let Some(frame) = state.frame() {
                        frame.stack = vec![exception];
                        frame.pc = handler.target;
                    }
                    self.continue_with(state);
                }
                match no {
                    Some(rest) => state = rest,
                    None => return Ok(()),
                }
            }
            if state.frames.len() == 1 {
                self.successors
                    .push(Successor::Ended(state, End::Threw(exception)));
                return Ok(());
            }
            state.frames.pop();
        }
    }

    /// Throws a new exception that the JVM makes.
    ///
    /// # Errors
    /// As `fork`.
    pub fn raise(&mut self, mut state: State, class: &str) -> Result<(), Unproved> {
        let object = self.allocate(&mut state, class, None);
        let innermost = state.frames.last();
        let insn = innermost.and_then(|f| f.body.code.insns.get(f.pc as usize));
        let at = match insn {
            Some(Insn::Invoke(_, m)) => format!("call of {}{}", m.name, m.descriptor),
            Some(Insn::GetField(m) | Insn::PutField(m)) => format!("field {}", m.name),
            insn => format!("{insn:?}"),
        };
        let about = std::mem::take(&mut self.about);
        let text = format!("text of {class} by {at}");
        let text = self.context.symbols.app(&text, &about, Sort::Bv(32));
        Rc::make_mut(&mut state.raised).insert(object, (text, false));
        self.throw(state, object, Some(class))
    }

    /// Notes that other code may know these objects from now on, or that they are stored where it may find them.
    pub(super) fn publish(&self, state: &mut State, objects: &[Term]) {
        let s = &self.context.symbols;
        objects.iter().for_each(|o| self.notice_buffer(*o));
        let all = objects.iter().flat_map(|o| s.choices(*o));
        state.heap.publish(all);
    }

    /// A new object.
    pub fn allocate(&mut self, state: &mut State, class: &str, length: Option<Term>) -> Term {
        let number = Rc::make_mut(&mut state.allocated)
            .entry(Arc::from(class))
            .or_default();
        let object = self
            .context
            .symbols
            .object(class, self.context.segment, *number);
        *number += 1;
        state.heap.allocate(object, length);
        // What is no longer in use may come back.
        if self.version.has_finalizers() || self.other.has_finalizers() {
            state.heap.publish_all();
        }
        object
    }

    /// Whether a reference that is not null is to an instance of a class.
    pub fn is_instance(&mut self, object: Term, class: Option<&str>, wanted: &str) -> Term {
        self.notice_buffer(object);
        let s = &mut self.context.symbols;
        let exact = class.map(Arc::from).or_else(|| s.class_of(object).cloned());
        let known = match (exact, s.type_of(object).cloned()) {
            (Some(exact), _) => self.version.is_subclass(&exact, wanted),
            (None, Some(of)) => match &*of == wanted {
                true => Some(true),
                // Below its static type, it may be an instance or not.
                false => self.version.is_subclass(&of, wanted).filter(|is| *is),
            },
            (None, None) => (wanted == "java/lang/Object").then_some(true),
        };
        match known {
            Some(known) => self.context.symbols.pool.bool(known),
            None => self.type_test(object, wanted),
        }
    }

    /// Whether two class literals are the same class: one name is one class in a program.
    pub(super) fn class_literals(&mut self, a: Term, b: Term) -> Option<Term> {
        let s = &mut self.context.symbols;
        let is_literal = |t| {
            s.parts(t)
                .is_some_and(|p| p.0.ends_with(".class") && p.1.is_empty())
        };
        let both = is_literal(a) && is_literal(b);
        both.then(|| s.pool.bool(a == b))
    }

    /// Whether an object is of a class that has no subclasses, if that is what a comparison of two classes asks: of its class with a
    /// literal, or with the class of another object.
    pub(super) fn class_test(&mut self, class: Term, other: Term) -> Option<Term> {
        let (of, objects) = self.context.symbols.parts(class)?;
        let object = *objects.first().filter(|_| of == "class of")?;
        let s = &self.context.symbols;
        let (literal, others) = s.parts(other)?;
        let name = match (literal.strip_suffix(".class"), others.first()) {
            (Some(name), _) => name.to_string(),
            (None, Some(twin)) if literal == "class of" => {
                s.class_of(*twin).or_else(|| s.type_of(*twin))?.to_string()
            }
            _ => return None,
        };
        let wanted = self.version.class(&name)?;
        (wanted.access & FINAL != 0).then(|| self.is_instance(object, None, &name))
    }

    /// Goes on where a reference is not null, and throws where it is.
    ///
    /// # Errors
    /// As `fork`.
    pub fn not_null(&mut self, state: State, object: Term) -> Result<Option<State>, Unproved> {
        let null = self.context.symbols.is_null(object);
        self.unless(state, null, "java/lang/NullPointerException")
    }

    /// Goes on where a condition does not hold, and throws where it does.
    ///
    /// # Errors
    /// As `fork`.
    pub fn unless(
        &mut self,
        state: State,
        condition: Term,
        exception: &str,
    ) -> Result<Option<State>, Unproved> {
        let (yes, no) = self.fork(state, condition)?;
        if let Some(state) = yes {
            self.raise(state, exception)?;
        }
        Ok(no)
    }

    /// Notes which changed methods an instruction may come to.
    pub fn rely_on(&mut self, insn: &Insn) {
        let more = self.version.reachable_changes(insn);
        self.context.relies_on.union_with(&more);
    }

    /// The same of an instruction that runs, which may itself look up members.
    pub fn rely_on_at(&mut self, state: &State, insn: &Insn) {
        self.rely_on(insn);
        let numbers = self.context.changes.clone();
        let Some(frame) = state
            .frames
            .last()
            .filter(|_| !numbers.members.names.is_empty())
        else {
            return;
        };
        if looks_up(&frame.body.code.insns, frame.pc as usize, &numbers.members)
            && let Some(number) = numbers.reflection()
        {
            self.context.relies_on.insert(number);
        }
    }

    /// Enters a method.
    pub fn enter(&mut self, mut state: State, body: Body, args: Vec<Term>) -> State {
        state.frames.push(frame(&self.context.symbols, body, args));
        state
    }
}

/// A call at its begin.
pub fn frame(symbols: &Symbols, body: Body, args: Vec<Term>) -> Frame {
    let mut locals = Vec::with_capacity(usize::from(body.code.max_locals));
    for arg in args {
        locals.push(Some(arg));
        if super::state::is_wide(symbols.pool.sort(arg)) {
            locals.push(None);
        }
    }
    locals.resize(usize::from(body.code.max_locals).max(locals.len()), None);
    Frame {
        body,
        pc: 0,
        locals,
        stack: Vec::new(),
    }
}
