//! The difference of two objects: contents of arrays, texts and lambdas, and fields, pair by pair.

use super::{Walk, is_enum};
use crate::expr::{CmpOp, Term};
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::class::{Class, FieldSlot};
use crate::symex::interp::annotation::has_changes;
use crate::symex::state::heap::{Body, Lambda, Slot};
use crate::symex::state::interruption::Stop;
use crate::symex::value::primitive::box_prim;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::content::{content, is_cache};
use crate::symex::vm::view::builder_text;

impl Walk<'_> {
    /// Open choices are compared case by case; of what two choices may be, only what they can be together matters.
    pub(super) fn objects(&mut self, a: ObjId, b: ObjId) -> Result<Term, Stop> {
        let cases = |id: ObjId| match self.state.heap.chosen(id) {
            Ok(id) => (vec![(None, id)], id),
            Err(open) => {
                let each = open.of.iter().map(|(c, o)| (Some(*c), *o));
                (each.collect(), id)
            }
        };
        let ((left, a), (right, b)) = (cases(a), cases(b));
        let mut differs = self.vm.pool.bool(false);
        for (c, x) in &left {
            for (d, y) in right.iter().filter(|r| a != b || r.1 == *x) {
                let both = c.iter().chain(d).copied().collect::<Vec<_>>();
                let both = self.vm.pool.and_all(both);
                if self.vm.pool.as_bool(both) == Some(false) {
                    continue;
                }
                let known = (self.pairs.clone(), self.back.clone());
                let here = self.settled_objects(*x, *y)?;
                if left.len().max(right.len()) > 1 {
                    // The cases exclude each other: what one pairs says nothing in the next.
                    (self.pairs, self.back) = known;
                }
                let here = self.vm.pool.and(both, here);
                differs = self.vm.pool.or(differs, here);
            }
        }
        Ok(differs)
    }

    fn settled_objects(&mut self, a: ObjId, b: ObjId) -> Result<Term, Stop> {
        let (x, y) = (self.state.heap.get(a), self.state.heap.get(b));
        if let (Body::Str(s), Body::Str(t)) = (&x.body, &y.body) {
            return self.texts(s, t);
        }
        let (class, other) = (
            self.vm.linker.class(x.class).clone(),
            self.vm.linker.class(y.class).clone(),
        );
        if class.name != other.name {
            return Ok(self.vm.pool.bool(true));
        }
        let numbered = box_prim(&class.name).is_none() && !is_enum(self.vm, &class);
        if numbered && let Some(differ) = self.paired_before(a, b) {
            return Ok(self.vm.pool.bool(differ));
        }
        let texts = (
            builder_text(self.vm, self.state, a, Version::Old),
            builder_text(self.vm, self.state, b, Version::New),
        );
        if let (Some(s), Some(t)) = texts {
            return self.texts(&s, &t);
        }
        if let (Body::Fields(_), Body::Fields(_), false) = (&x.body, &y.body, class.project) {
            let p = content(self.vm, self.state, a, Version::Old, None)?;
            let q = content(self.vm, self.state, b, Version::New, None)?;
            if let (Some(p), Some(q)) = (p, q) {
                self.settings(a, b)?;
                let pairs = p.values.iter().zip(&q.values);
                let pairs: Vec<(Value, Value)> = pairs.map(|(p, q)| (p.0, q.0)).collect();
                return self.arrays(p.len, q.len, &pairs);
            }
        }
        self.bodies((a, &class), (b, &other))
    }

    /// Fails where two containers may differ in what their content does not show, but later calls do: the order of accesses, a comparator.
    fn settings(&mut self, a: ObjId, b: ObjId) -> Result<(), Stop> {
        let name = self.class_name(a);
        let (a, b, field) = match &*name {
            "java/util/LinkedHashMap" => (a, b, "accessOrder"),
            "java/util/TreeMap" => (a, b, "comparator"),
            "java/util/TreeSet" => {
                let map = |this: &Self, set, version| match this.held(set, "m", version) {
                    Some(Value::Ref(Ref::Obj(map))) => Some(map),
                    _ => None,
                };
                match (map(self, a, Version::Old), map(self, b, Version::New)) {
                    (Some(p), Some(q)) => (p, q, "comparator"),
                    _ => return Err(opaque(&name)),
                }
            }
            _ => return Ok(()),
        };
        let old = self.held(a, field, Version::Old);
        let (Some(old), Some(new)) = (old, self.held(b, field, Version::New)) else {
            return Err(opaque(&name));
        };
        let differ = self.values(&old, &new)?;
        match self.vm.pool.as_bool(differ) {
            Some(false) => Ok(()),
            _ => Err(opaque(&name)),
        }
    }

    /// What a field of an object holds in a version.
    fn held(&self, id: ObjId, field: &str, version: Version) -> Option<Value> {
        let object = self.state.heap.get(id);
        let layout = &self.vm.linker.class(object.class).layout;
        let at = layout.iter().rposition(|f| &*f.name == field)?;
        match &object.body {
            Body::Fields(slots) => Some(slots.get(at)?.get(version)),
            _ => None,
        }
    }

    /// What two numbered objects that were met before come to: who shares an object with whom is part of an outcome. `None` where
    /// both are met for the first time; they belong together from now on.
    fn paired_before(&mut self, a: ObjId, b: ObjId) -> Option<bool> {
        match (self.pairs.get(&a), self.back.get(&b)) {
            (Some(p), Some(q)) if *p == b && *q == a => return Some(false),
            (None, None) => {}
            _ => return Some(true),
        }
        self.pairs.insert(a, b);
        self.back.insert(b, a);
        None
    }

    /// Whether two objects of classes of one name differ in what they hold.
    fn bodies(
        &mut self,
        (a, class): (ObjId, &Class),
        (b, other): (ObjId, &Class),
    ) -> Result<Term, Stop> {
        let (x, y) = (self.state.heap.get(a), self.state.heap.get(b));
        match (&x.body, &y.body) {
            (
                Body::Array {
                    len: m, values: p, ..
                },
                Body::Array {
                    len: n, values: q, ..
                },
            ) => {
                let (m, n) = (*m, *n);
                let sides = |(a, b): (&Slot, &Slot)| (a.get(Version::Old), b.get(Version::New));
                let pairs: Vec<(Value, Value)> = p.iter().zip(q).map(sides).collect();
                self.arrays(m, n, &pairs)
            }
            (Body::Fields(p), Body::Fields(q)) => {
                if self.is_throwable(class)? {
                    return self.messages(a, b);
                }
                if is_enum(self.vm, class) {
                    return self.named(class, other, p, q, "name");
                }
                let all = self.fields(class, other, p, q)?;
                if class.project
                    || box_prim(&class.name).is_some()
                    || self.vm.pool.as_bool(all) == Some(false)
                {
                    return Ok(all);
                }
                Err(opaque(&class.name))
            }
            (Body::Constantly { .. }, Body::Constantly { .. }) if a == b => {
                Ok(self.vm.pool.bool(false))
            }
            (Body::Proxy(p), Body::Proxy(_)) if a == b => {
                let handler = p.handler;
                let differs = self.objects(handler, handler)?;
                match self.vm.pool.as_bool(differs) {
                    Some(false) => Ok(differs),
                    _ => Err(Stop::unsupported(
                        Reason::OpaqueOutcome,
                        "a dynamic proxy in the outcome",
                    )),
                }
            }
            (Body::Proxy(_), Body::Proxy(_)) => Err(Stop::unsupported(
                Reason::OpaqueOutcome,
                "a dynamic proxy in the outcome",
            )),
            (Body::Mirror(p), Body::Mirror(q)) => Ok(self.vm.pool.bool(p != q)),
            (Body::Stream, Body::Stream) => Ok(self.vm.pool.bool(false)),
            // One of them has bytes that can't be read.
            (Body::Builder(_), _) | (_, Body::Builder(_)) => Err(opaque(&class.name)),
            (Body::Lambda(p), Body::Lambda(q)) => {
                let is_same = match a == b {
                    true => self.does_the_same(&p.clone())?,
                    false => is_same_lambda(p, q),
                };
                if is_same {
                    return Ok(self.vm.pool.bool(false));
                }
                let what = "a lambda in the outcome";
                Err(Stop::unsupported(Reason::OpaqueOutcome, what))
            }
            _ => Ok(self.vm.pool.bool(true)),
        }
    }

    /// Whether a lambda that both versions made does the same in both: it holds the same, and its body is no changed code. What a
    /// changed method that it calls does otherwise is told of that method.
    fn does_the_same(&mut self, lambda: &Lambda) -> Result<bool, Stop> {
        for held in &lambda.captured {
            let (old, new) = (held.get(Version::Old), held.get(Version::New));
            let differs = self.values(&old, &new)?;
            if self.vm.pool.as_bool(differs) != Some(false) {
                return Ok(false);
            }
        }
        Ok(!has_changes(self.vm, &lambda.target))
    }

    fn is_throwable(&mut self, class: &Class) -> Result<bool, Stop> {
        let throwable = self
            .vm
            .linker
            .resolve_for("java/lang/Throwable", Version::New);
        let found = throwable.and_then(|t| self.vm.linker.is_subclass(class.id, t, Version::New));
        found.map_err(|e| Stop::unsupported(Reason::ClassNotFound, e.class.dotted()))
    }

    fn arrays(&mut self, m: Term, n: Term, pairs: &[(Value, Value)]) -> Result<Term, Stop> {
        let mut differs = self.vm.pool.ne(m, n);
        for (i, (a, b)) in pairs.iter().enumerate() {
            let element = self.values(a, b)?;
            if self.vm.pool.as_bool(element) == Some(false) {
                continue;
            }
            let i = self.vm.pool.int(i as i32);
            let inside = self.vm.pool.cmp(CmpOp::Slt, i, m);
            let here = self.vm.pool.and(inside, element);
            differs = self.vm.pool.or(differs, here);
        }
        Ok(differs)
    }

    fn fields(
        &mut self,
        class: &Class,
        other: &Class,
        p: &[Slot],
        q: &[Slot],
    ) -> Result<Term, Stop> {
        let mut differs = self.vm.pool.bool(false);
        for (i, field) in class.layout.iter().enumerate() {
            if is_cache(&class.name, &field.name) {
                continue;
            }
            let twin = other.layout.iter().position(|f| {
                f.class == field.class && f.name == field.name && f.only == field.only
            });
            let twin = match (field.only, twin) {
                (Some(Version::New), _) => None,
                (Some(Version::Old), _) | (None, None) => moved(class, field, other),
                (None, twin) => twin,
            };
            if field.only.is_some() && twin.is_none() {
                self.retyped(field, other);
            }
            let (Some(a), Some((j, b))) = (p.get(i), twin.and_then(|j| Some((j, q.get(j)?))))
            else {
                continue;
            };
            let (a, b) = (a.get(Version::Old), b.get(Version::New));
            let here = self.values(&a, &b)?;
            // The object around an inner one nobody sees, but its methods use it.
            let is_told = class.told_name(i, Version::Old).is_some()
                && other.told_name(j, Version::New).is_some();
            if is_told {
                differs = self.vm.pool.or(differs, here);
            } else if self.vm.pool.as_bool(here) != Some(false) {
                return Err(opaque(&class.name));
            }
        }
        Ok(differs)
    }

    /// A field of one version alone can't be compared; one that changed its type would have to be.
    fn retyped(&mut self, field: &crate::symex::class::FieldSlot, other: &Class) {
        let twin = |f: &crate::symex::class::FieldSlot| {
            f.class == field.class && f.name == field.name && f.descriptor != field.descriptor
        };
        if other.layout.iter().any(twin) {
            let name = format!("{}.{}", field.class.dotted(), field.name);
            self.vm.touched.insert((Reason::FieldTypeChanged, name));
        }
    }

    fn named(
        &mut self,
        class: &Class,
        other: &Class,
        p: &[Slot],
        q: &[Slot],
        name: &str,
    ) -> Result<Term, Stop> {
        let at = |c: &Class| c.layout.iter().position(|f| &*f.name == name);
        match (
            at(class).and_then(|i| p.get(i)),
            at(other).and_then(|i| q.get(i)),
        ) {
            (Some(a), Some(b)) => {
                let (a, b) = (a.get(Version::Old), b.get(Version::New));
                self.values(&a, &b)
            }
            _ => Ok(self.vm.pool.bool(false)),
        }
    }
}

fn opaque(class: &str) -> Stop {
    Stop::unsupported(Reason::OpaqueOutcome, class.dotted())
}

/// Where the new version has a field of the old one that went to a superclass, or came from there.
fn moved(class: &Class, field: &FieldSlot, other: &Class) -> Option<usize> {
    let same = |a: &FieldSlot, b: &FieldSlot| a.class == b.class && a.name == b.name;
    let alike = |f: &FieldSlot| f.name == field.name && f.descriptor == field.descriptor;
    let of_old = |f: &&FieldSlot| f.only != Some(Version::New);
    let of_new = |f: &&FieldSlot| f.only != Some(Version::Old);
    let is_gone = |f: &&FieldSlot| !other.layout.iter().filter(of_new).any(|n| same(n, f));
    let is_there = |f: &&FieldSlot| !class.layout.iter().filter(of_old).any(|o| same(o, f));
    let gone = class.layout.iter().filter(of_old).filter(|f| alike(f));
    let there = other.layout.iter().filter(of_new).filter(|f| alike(f));
    let (gone, there): (Vec<_>, Vec<_>) = (
        gone.filter(is_gone).collect(),
        there.filter(is_there).collect(),
    );
    match (&gone[..], &there[..]) {
        ([only], [place]) if same(only, field) => {
            other.layout.iter().position(|f| f.is_same(place))
        }
        _ => None,
    }
}

/// Whether two lambdas run the same code on the same values.
fn is_same_lambda(p: &Lambda, q: &Lambda) -> bool {
    let (c, d) = (&p.captured, &q.captured);
    let mut both = c.iter().zip(d);
    let captured_alike =
        c.len() == d.len() && both.all(|(c, d)| c.get(Version::Old) == d.get(Version::New));
    // Numbered names may stand for other code in the other build.
    let numbered = p.target.name.starts_with("lambda$");
    p.target == q.target && captured_alike && !numbered
}
