//! The difference of the two versions' outcomes, as a condition (docs/architecture.md).

mod objects;
mod static_state;

pub(in crate::symex) use static_state::static_differences;

use crate::expr::Term;
use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::class::{Class, FieldSlot};
use crate::symex::state::files::Node;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::Stop;
use crate::symex::state::{Ended, State};
use crate::symex::value::text::Text;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::Vm;
use crate::symex::vm::exception::message;
use crate::symex::vm::exit;
use rustc_hash::FxHashMap;

/// The condition under which a caller sees different outcomes. `Err` where that can't be told.
pub(in crate::symex) fn difference(
    vm: &mut Vm,
    state: &State,
    old: &Ended,
    new: &Ended,
) -> Result<Term, Stop> {
    let mut walk = Walk {
        vm,
        state,
        pairs: FxHashMap::default(),
        back: FxHashMap::default(),
    };
    let printed = walk.texts(
        &state.printed.get(Version::Old),
        &state.printed.get(Version::New),
    )?;
    let files = walk.files();
    let printed = walk.vm.pool.or(printed, files);
    if let Some(differs) = walk.exits(old, new)? {
        return Ok(walk.vm.pool.or(differs, printed));
    }
    let mut differs = walk.ends(old, new)?;
    let locals = state
        .shape
        .receiver_local
        .iter()
        .chain(&state.shape.arg_locals);
    for local in locals {
        let a = old
            .locals
            .get(*local)
            .map(|s| s.get(Version::Old))
            .unwrap_or(Value::Undef);
        let b = new
            .locals
            .get(*local)
            .map(|s| s.get(Version::New))
            .unwrap_or(Value::Undef);
        // A primitive argument has no final state that a caller could see.
        if matches!(a, Value::Ref(_)) {
            let more = walk.values(&a, &b)?;
            differs = walk.vm.pool.or(differs, more);
        }
    }
    Ok(walk.vm.pool.or(differs, printed))
}

struct Walk<'a> {
    vm: &'a mut Vm,
    state: &'a State,
    pairs: FxHashMap<ObjId, ObjId>,
    back: FxHashMap<ObjId, ObjId>,
}

impl Walk<'_> {
    /// Whether the working folders differ: in what is there, or in what a file holds.
    fn files(&mut self) -> Term {
        let old = self.state.files.get(Version::Old);
        let new = self.state.files.get(Version::New);
        let mut differs = self
            .vm
            .pool
            .bool(!old.all().map(|f| f.0).eq(new.all().map(|f| f.0)));
        for ((_, a), (_, b)) in old.all().zip(new.all()) {
            let here = match (a, b) {
                (Node::Folder, Node::Folder) => continue,
                (Node::File(a), Node::File(b)) if a.len() == b.len() => {
                    let pairs = a.iter().zip(b);
                    let each: Vec<Term> = pairs.map(|(a, b)| self.vm.pool.ne(*a, *b)).collect();
                    let none = self.vm.pool.bool(false);
                    each.into_iter()
                        .fold(none, |all, one| self.vm.pool.or(all, one))
                }
                _ => self.vm.pool.bool(true),
            };
            differs = self.vm.pool.or(differs, here);
        }
        differs
    }

    fn ends(&mut self, old: &Ended, new: &Ended) -> Result<Term, Stop> {
        if old.threw != new.threw {
            return Ok(self.vm.pool.bool(true));
        }
        let (a, b) = match (&old.value, &new.value) {
            (Some(a), Some(b)) => (a.get(Version::Old), b.get(Version::New)),
            (None, None) => return Ok(self.vm.pool.bool(false)),
            _ => return Ok(self.vm.pool.bool(true)),
        };
        if old.threw {
            self.exceptions(&a, &b)
        } else {
            self.values(&a, &b)
        }
    }

    /// Where a version exits, nobody is left to see objects: the codes count.
    fn exits(&mut self, old: &Ended, new: &Ended) -> Result<Option<Term>, Stop> {
        let code = |end: &Ended, version| match end.value.map(|s| s.get(version)) {
            Some(Value::Ref(Ref::Obj(id))) if end.threw => {
                let code = exit::code(self.vm, self.state, id);
                code.map(|slot| slot.get(version))
            }
            _ => None,
        };
        match (code(old, Version::Old), code(new, Version::New)) {
            (None, None) => Ok(None),
            (Some(a), Some(b)) => self.values(&a, &b).map(Some),
            _ => Ok(Some(self.vm.pool.bool(true))),
        }
    }

    fn exceptions(&mut self, a: &Value, b: &Value) -> Result<Term, Stop> {
        let (Value::Ref(Ref::Obj(a)), Value::Ref(Ref::Obj(b))) = (a, b) else {
            return Ok(self.vm.pool.bool(true));
        };
        if self.class_name(*a) != self.class_name(*b) {
            return Ok(self.vm.pool.bool(true));
        }
        let differ = self.messages(*a, *b)?;
        if self.vm.pool.as_bool(differ) != Some(true) && !self.hold_the_same(*a, *b)? {
            let what = "what an exception holds: its cause, or what the program gave it";
            return Err(Stop::unsupported(Reason::OpaqueOutcome, what));
        }
        Ok(differ)
    }

    /// Whether two exceptions of one class are sure to hold the same as cause and in the fields that the program gave them: who catches them
    /// can ask.
    fn hold_the_same(&mut self, a: ObjId, b: ObjId) -> Result<bool, Stop> {
        let is_own = |field: &FieldSlot| {
            let is_cause = &*field.class == "java/lang/Throwable" && &*field.name == "cause";
            is_cause || !crate::bytecode::is_jdk(&field.class)
        };
        let differ = self.fields_differ((a, b), is_own)?;
        Ok(self.vm.pool.as_bool(differ) == Some(false))
    }

    /// The condition under which two objects of one class differ in some of the fields that count; never where they have none.
    fn fields_differ(
        &mut self,
        (a, b): (ObjId, ObjId),
        counts: impl Fn(&FieldSlot) -> bool,
    ) -> Result<Term, Stop> {
        let mut differ = self.vm.pool.bool(false);
        let (x, y) = (self.state.heap.get(a), self.state.heap.get(b));
        let (Body::Fields(p), Body::Fields(q)) = (x.body.clone(), y.body.clone()) else {
            return Ok(differ);
        };
        let class = self.vm.linker.class(x.class).clone();
        let all = class.layout.iter().zip(p.iter().zip(&q));
        for (_, (m, n)) in all.filter(|(field, _)| counts(field)) {
            let differs = self.values(&m.get(Version::Old), &n.get(Version::New))?;
            differ = self.vm.pool.or(differ, differs);
        }
        Ok(differ)
    }

    /// The condition under which two exceptions of one class have other messages.
    fn messages(&mut self, a: ObjId, b: ObjId) -> Result<Term, Stop> {
        let (x, y) = (self.state.heap.get(a), self.state.heap.get(b));
        match (x.jvm_made, y.jvm_made) {
            // The JVM's own texts are not part of an outcome.
            (true, true) => return Ok(self.vm.pool.bool(false)),
            (false, false) => {}
            _ => {
                return Err(Stop::unsupported(
                    Reason::JvmMadeMessage,
                    "one of two messages is the JVM's own",
                ));
            }
        }
        let (m, n) = (
            message(self.vm, self.state, a, Version::Old),
            message(self.vm, self.state, b, Version::New),
        );
        match (m, n) {
            (Some(m), Some(n)) => self.values(&m, &n),
            _ => self.worded(a, b),
        }
    }

    /// The same of exceptions whose class words their messages: of what these are made must not differ.
    fn worded(&mut self, a: ObjId, b: ObjId) -> Result<Term, Stop> {
        let is_trace = |field: &FieldSlot| {
            &*field.class == "java/lang/Throwable"
                && !matches!(&*field.name, "detailMessage" | "cause")
        };
        let differ = self.fields_differ((a, b), |field| !is_trace(field))?;
        match self.vm.pool.as_bool(differ) {
            Some(false) => Ok(differ),
            _ => Err(Stop::unsupported(
                Reason::OpaqueOutcome,
                "an exception words its message of what differs",
            )),
        }
    }

    fn class_name(&self, id: ObjId) -> std::sync::Arc<str> {
        self.vm
            .linker
            .class(self.state.heap.get(id).class)
            .name
            .clone()
    }

    fn values(&mut self, a: &Value, b: &Value) -> Result<Term, Stop> {
        match (a, b) {
            (Value::Prim(a), Value::Prim(b)) if self.vm.pool.sort(*a) == self.vm.pool.sort(*b) => {
                Ok(self.vm.pool.ne(*a, *b))
            }
            (Value::Ref(a), Value::Ref(b)) => self.refs(a, b),
            (Value::Undef, Value::Undef) => Ok(self.vm.pool.bool(false)),
            _ => Ok(self.vm.pool.bool(true)),
        }
    }

    fn refs(&mut self, a: &Ref, b: &Ref) -> Result<Term, Stop> {
        let parts = |vm: &mut Vm, r: &Ref| match r {
            Ref::Null => (vm.pool.bool(true), None),
            Ref::Obj(id) => (vm.pool.bool(false), Some(*id)),
            Ref::Maybe { null, obj } => (*null, Some(*obj)),
        };
        let ((a_null, a), (b_null, b)) = (parts(self.vm, a), parts(self.vm, b));
        let nulls_agree = self.vm.pool.eq(a_null, b_null);
        let nulls_differ = self.vm.pool.not(nulls_agree);
        let (Some(a), Some(b)) = (a, b) else {
            return Ok(nulls_differ);
        };
        let inside = self.objects(a, b)?;
        let both = self.vm.pool.or(a_null, b_null);
        let neither = self.vm.pool.not(both);
        let inside = self.vm.pool.and(neither, inside);
        Ok(self.vm.pool.or(nulls_differ, inside))
    }

    fn texts(&mut self, a: &Text, b: &Text) -> Result<Term, Stop> {
        match a.equals(&mut self.vm.pool, b) {
            Some(equal) => Ok(self.vm.pool.not(equal)),
            None => Err(Stop::unsupported(
                Reason::SymbolicNumberText,
                "texts of symbolic numbers compared",
            )),
        }
    }
}

/// Whether the class is an enum, or the body class of an enum constant.
pub(in crate::symex) fn is_enum(vm: &Vm, class: &Class) -> bool {
    class.is_enum()
        || class
            .superclass
            .get(Version::New)
            .is_some_and(|s| vm.linker.class(s).is_enum())
}
