//! Calls of code that only reads: such a call is no event, but a function of its arguments and of what it may read.

use super::body::Body;
use super::call::{NOT_OVERRIDDEN, OWN, is_implementable_outside};
use super::executor::Executor;
use super::heap::{Heap, HeapMap};
use super::state::{State, Unproved};
use super::summary::keeps_its_arguments;
use super::symbols::{REF, element_descriptor};
use super::version::Version;
use crate::bytecode::access::{STATIC, SYNCHRONIZED, VOLATILE};
use crate::bytecode::class_file::{BinOp, Code, Const, Insn, InvokeKind, MemberRef, Prim};
use crate::bytecode::{BOXES, is_jdk, parameter_descriptors};
use crate::expr::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Most bodies that a call may come to.
const MOST: usize = 60;

/// What code reads that changes nothing.
#[derive(Default)]
pub(super) struct Footprint {
    /// Fields, by owner and name.
    fields: BTreeSet<String>,
    /// Elements of arrays, by descriptor.
    elements: BTreeSet<&'static str>,
    /// Whether a class outside of the project could override a method on the way.
    may_be_overridden: bool,
    /// Whether an exception may leave it.
    may_throw: bool,
}

/// Footprints of calls, as far as they were asked for.
pub(super) type Footprints = FxHashMap<(InvokeKind, Arc<MemberRef>), Option<Rc<Footprint>>>;

impl Footprint {
    fn holds(&self, map: &HeapMap) -> bool {
        match map {
            HeapMap::Field(name, _) | HeapMap::Final(name, _) => self.fields.contains(&**name),
            HeapMap::Elements(of) => self.elements.contains(of),
            HeapMap::Text => false,
        }
    }
}

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
        let caught = state.frames.iter().any(|f| {
            let mut handlers = f.body.code.handlers.iter();
            handlers.any(|h| h.start <= f.pc && f.pc < h.end)
        });
        let s = &self.context.symbols;
        let is_old = |t: &Term| {
            let all = s.choices(*t);
            all.iter()
                .all(|t| s.class_of(*t).is_none() && !s.is_anonymous(*t))
        };
        let written = written_in(&state.heap, &footprint);
        let mut values = written.iter().map(|w| &w.1[2]).chain(args);
        if caught || !values.all(is_old) {
            return None;
        }
        if !self.context.reads {
            self.context.met_reader = true;
            return None;
        }
        if footprint.may_be_overridden {
            self.context.assumed.insert(NOT_OVERRIDDEN);
        }
        let layout: Vec<&str> = written.iter().map(|w| &*w.0).collect();
        let epoch = state.heap.epoch;
        let what = self.call_name(kind, member);
        let name = format!(
            "{what} {} @{}.{}",
            layout.join(","),
            epoch.segment,
            epoch.event
        );
        let places = written.iter().flat_map(|w| w.1);
        let of = args.iter().copied().chain(places).collect();
        let may_throw = footprint.may_throw;
        Some(Reading {
            name,
            of,
            may_throw,
        })
    }

    /// Goes on behind such a call: with its result, and with its exception.
    pub(super) fn apply_reading(
        &mut self,
        state: State,
        insn: &Insn,
        member: &MemberRef,
        Reading {
            name,
            of,
            may_throw,
        }: Reading,
    ) -> Result<(), Unproved> {
        self.rely_on_at(&state, insn);
        let mut state = state;
        if may_throw {
            match self.unless_reading_throws(state, &name, &of)? {
                Some(next) => state = next,
                None => return Ok(()),
            }
        }
        let result = member.descriptor.rsplit(')').next().unwrap_or("V");
        let s = &mut self.context.symbols;
        let value = (result != "V").then(|| s.value(&name, &of, result));
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
    name: String,
    /// Its arguments, and what was written since in what it may read.
    of: Vec<Term>,
    may_throw: bool,
}

/// What was written of a footprint, in objects that were there before: the map's name; object, index and value.
fn written_in(heap: &Heap, footprint: &Footprint) -> Vec<(String, [Term; 3])> {
    let all = heap.written().filter(|(map, _)| footprint.holds(map));
    let old = all.filter(|(_, w)| !heap.is_allocated(w[0]));
    old.map(|(map, w)| (format!("{map:?}"), w)).collect()
}

impl Version {
    /// What a call reads, if all code that it may run is known, and changes nothing that other code can see.
    fn footprint(&self, kind: InvokeKind, member: &MemberRef) -> Option<Rc<Footprint>> {
        let key = (kind, Arc::new(member.clone()));
        if let Some(known) = self.footprints.borrow().get(&key) {
            return known.clone();
        }
        let found = self.read_by(kind, member).map(Rc::new);
        self.footprints.borrow_mut().insert(key, found.clone());
        found
    }

    fn read_by(&self, kind: InvokeKind, member: &MemberRef) -> Option<Footprint> {
        let mut out = Footprint::default();
        let gives_reference = member
            .descriptor
            .rsplit(')')
            .next()?
            .starts_with(['L', '[']);
        let mut seen: FxHashSet<*const Code> = FxHashSet::default();
        let mut todo = self.run_by(kind, member, &mut out)?;
        while let Some(body) = todo.pop() {
            if !seen.insert(Arc::as_ptr(&body.code)) {
                continue;
            }
            if seen.len() > MOST || body.method.access & SYNCHRONIZED != 0 {
                return None;
            }
            for (pc, insn) in body.code.insns.iter().enumerate() {
                out.may_throw |= may_throw(&body, pc, insn);
                todo.extend(self.read_step(&body, insn, gives_reference, &mut out)?);
            }
        }
        Some(out)
    }

    /// The bodies that a call of the project's code may run; `None` if there may be others.
    fn run_by(
        &self,
        kind: InvokeKind,
        member: &MemberRef,
        out: &mut Footprint,
    ) -> Option<Vec<Body>> {
        let (class, access) = self.declaration(member)?;
        let is_substitute = member.class.starts_with(OWN);
        if is_substitute || !self.is_own(&member.class) || is_implementable_outside(&class, access)
        {
            return None;
        }
        out.may_be_overridden |= matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        let all = self.targets(kind, member)?;
        (!all.is_empty()).then_some(all)
    }

    /// What one instruction runs besides; `None` if it may change anything, or make an object that is given out.
    fn read_step(
        &self,
        body: &Body,
        insn: &Insn,
        gives_reference: bool,
        out: &mut Footprint,
    ) -> Option<Vec<Body>> {
        let none = Some(Vec::new());
        match insn {
            Insn::PutField(_)
            | Insn::PutStatic(_)
            | Insn::ArrayStore(_)
            | Insn::NewArray(_)
            | Insn::ANewArray(_)
            | Insn::MultiANewArray(..)
            | Insn::MonitorEnter
            | Insn::MonitorExit
            | Insn::Jsr(_)
            | Insn::Ret(_)
            | Insn::Const(Const::Dynamic(_)) => None,
            Insn::New(class) => {
                let thrown =
                    is_jdk(class) && self.is_subclass(class, "java/lang/Throwable") == Some(true);
                (thrown && !gives_reference).then(Vec::new)
            }
            Insn::InvokeDynamic(site) => {
                let plain = parameter_descriptors(&site.descriptor);
                let joins = &*site.bootstrap.class == "java/lang/invoke/StringConcatFactory";
                let plain = plain.iter().all(|p| is_value(p));
                (joins && plain && !gives_reference).then(Vec::new)
            }
            Insn::GetField(field) | Insn::GetStatic(field) => {
                let found = self.field(field)?;
                let of_jdk = is_jdk(&found.owner);
                if found.access & VOLATILE != 0 || of_jdk && matches!(insn, Insn::GetStatic(_)) {
                    return None;
                }
                if matches!(insn, Insn::GetStatic(_)) && !self.is_begun(body, &found.owner) {
                    return None;
                }
                out.fields.insert(format!("{}.{}", found.owner, field.name));
                none
            }
            Insn::ArrayLoad(kind) => {
                out.elements.insert(element_descriptor(*kind));
                none
            }
            Insn::Invoke(kind, member) if is_function(*kind, member, gives_reference) => none,
            Insn::Invoke(kind, member) => {
                let owner = self.declaration(member)?.0;
                if *kind == InvokeKind::Static && !self.is_begun(body, &owner.name) {
                    return None;
                }
                self.run_by(*kind, member, out)
            }
            _ => none,
        }
    }

    /// Whether nothing runs that could be seen when code uses a class.
    fn is_begun(&self, body: &Body, class: &str) -> bool {
        *body.class.name == *class || !self.needs_initialising(class) || self.is_inert(class)
    }
}

/// Whether an instruction that only reads may throw, what it calls left aside.
fn may_throw(body: &Body, pc: usize, insn: &Insn) -> bool {
    match insn {
        Insn::GetField(_) => !is_on_this(body, pc),
        Insn::Invoke(InvokeKind::Static, m) => is_jdk(&m.class),
        Insn::Invoke(_, m) => {
            is_jdk(&m.class) || !m.descriptor.starts_with("()") || !is_on_this(body, pc)
        }
        Insn::ArrayLoad(_) | Insn::ArrayLength | Insn::CheckCast(_) | Insn::Athrow => true,
        Insn::Bin(BinOp::Div | BinOp::Rem, of) => !matches!(of, Prim::Float | Prim::Double),
        _ => false,
    }
}

/// Whether the operand of an instruction is the object whose method it is in.
fn is_on_this(body: &Body, pc: usize) -> bool {
    let insns = &body.code.insns;
    let jumps_here = |insn: &Insn| match insn {
        Insn::Goto(to)
        | Insn::If(_, to)
        | Insn::IfIcmp(_, to)
        | Insn::IfAcmp(_, to)
        | Insn::IfNull(_, to) => *to as usize == pc,
        Insn::Switch(default, cases) => {
            let mut all = cases.iter().map(|c| c.1).chain([*default]);
            all.any(|to| to as usize == pc)
        }
        Insn::Store(None, 0) => true,
        _ => false,
    };
    let before = pc.checked_sub(1).and_then(|at| insns.get(at));
    body.method.access & STATIC == 0
        && matches!(before, Some(Insn::Load(None, 0)))
        && !insns.iter().any(jumps_here)
}

fn is_value(descriptor: &str) -> bool {
    descriptor.len() == 1 || descriptor == "Ljava/lang/String;"
}

/// Whether a method of the JDK depends on its arguments alone and changes nothing; what makes an object counts only where that is
/// not given out.
fn is_function(kind: InvokeKind, member: &MemberRef, gives_reference: bool) -> bool {
    let (class, name) = (&*member.class, &*member.name);
    let result = member.descriptor.rsplit(')').next().unwrap_or("V");
    let parameters = parameter_descriptors(&member.descriptor);
    let plain = parameters.iter().all(|p| is_value(p));
    let makes = result.starts_with(['L', '[']);
    if kind == InvokeKind::Special {
        return keeps_its_arguments(member) && plain && !gives_reference;
    }
    let known = match class {
        "java/lang/String" => {
            plain && !matches!(name, "getBytes" | "getChars" | "format" | "formatted")
                || name == "equals"
        }
        "java/lang/Math" | "java/lang/StrictMath" => name != "random",
        "java/lang/Object" => name == "getClass",
        _ => {
            let of_system = matches!(name, "getInteger" | "getLong" | "getBoolean");
            BOXES.iter().any(|b| b.1 == class) && plain && !of_system
        }
    };
    known && (!makes || !gives_reference || name == "getClass")
}
