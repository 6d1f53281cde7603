//! The symbolic heap of one version: at the start of an epoch unknown but equal in both versions, then updated by writes.

use super::symbols::Symbols;
use crate::expr::{Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A time at which nothing is known of the heap but that it is equal in both versions: the start of a segment (event 0), or the
/// end of the segment's n-th event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch {
    /// Segment; 0 is the method's entry.
    pub segment: u32,
    /// Events of it before.
    pub event: u32,
}

/// One of the maps that make up the heap: from an object (and, in arrays, an index) to a value. Two fields are two maps, so a
/// write to one never changes the other (Burstall, 1972; Bornat, 2000).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeapMap {
    /// A field, by `Owner.name` and descriptor. A static field is a field of the null reference.
    Field(Arc<str>, Arc<str>),
    /// A final field: it never changes once its object is constructed.
    Final(Arc<str>, Arc<str>),
    /// The elements of all arrays whose elements have this descriptor.
    Elements(&'static str),
    /// The text that a string builder holds.
    Text,
}

impl HeapMap {
    /// Field descriptor of what is stored.
    pub fn descriptor(&self) -> &str {
        match self {
            HeapMap::Field(_, d) | HeapMap::Final(_, d) => d,
            HeapMap::Elements(d) => d,
            HeapMap::Text => "Ljava/lang/String;",
        }
    }

    fn name(&self) -> String {
        match self {
            HeapMap::Field(name, _) | HeapMap::Final(name, _) => name.to_string(),
            HeapMap::Elements(d) => format!("elements {d}"),
            HeapMap::Text => "builder".into(),
        }
    }
}

/// One write: object, index (0 but in arrays), value.
type Write = (Term, Term, Term);

/// The heap as one version has it.
#[derive(Clone, Debug)]
pub struct Heap {
    /// Since when writes are kept.
    pub epoch: Epoch,
    writes: Rc<BTreeMap<HeapMap, Vec<Write>>>,
    /// Objects that this version made, and when.
    allocated: Rc<BTreeMap<Term, Epoch>>,
    lengths: Rc<BTreeMap<Term, Term>>,
    /// What is being constructed, and by the constructor of which class: when that begins, its fields are zero.
    constructed: Option<(Term, Arc<str>)>,
}

impl Heap {
    /// A heap of which nothing is known.
    pub fn unknown(epoch: Epoch) -> Heap {
        Heap {
            epoch,
            writes: Rc::default(),
            allocated: Rc::default(),
            lengths: Rc::default(),
            constructed: None,
        }
    }

    /// Unknown, but for the fields of an object whose constructor begins.
    pub fn constructing(mut self, object: Term, class: &Arc<str>) -> Heap {
        self.constructed = Some((object, class.clone()));
        self
    }

    /// Forgets all writes (havoc): other code may have overwritten them.
    pub fn havoc(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        self.writes = Rc::default();
    }

    /// Forgets all writes but those to final fields, which no other code can overwrite.
    pub fn havoc_mutable(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        if !self.writes.is_empty() {
            let writes = Rc::make_mut(&mut self.writes);
            writes.retain(|map, _| matches!(map, HeapMap::Final(..)));
        }
    }

    /// Adds an object whose fields or elements are zero; an array has a length.
    pub fn allocate(&mut self, object: Term, length: Option<Term>) {
        Rc::make_mut(&mut self.allocated).insert(object, self.epoch);
        if let Some(length) = length {
            Rc::make_mut(&mut self.lengths).insert(object, length);
        }
    }

    /// Length of an array that this version made.
    pub fn length(&self, array: Term) -> Option<Term> {
        self.lengths.get(&array).copied()
    }

    /// Whether this version made the object.
    pub fn is_allocated(&self, object: Term) -> bool {
        self.allocated.contains_key(&object)
    }

    /// The value that a map holds now for an object and index.
    pub fn read(&self, s: &mut Symbols, map: &HeapMap, object: Term, index: Term) -> Term {
        let mut newer: Vec<(Term, Term)> = Vec::new();
        let mut value = None;
        for (o, i, v) in self.writes.get(map).into_iter().flatten().rev() {
            let object = s.same(*o, object);
            let index = s.pool.eq(*i, index);
            let hit = s.pool.and(object, index);
            match s.pool.as_bool(hit) {
                Some(true) => {
                    value = Some(*v);
                    break;
                }
                Some(false) => {}
                None => newer.push((hit, *v)),
            }
        }
        let mut value = value.unwrap_or_else(|| self.base(s, map, object, index));
        for (hit, v) in newer.into_iter().rev() {
            value = s.pool.ite(hit, v, value);
        }
        value
    }

    /// The value that a map held when the epoch began.
    fn base(&self, s: &mut Symbols, map: &HeapMap, object: Term, index: Term) -> Term {
        let descriptor = map.descriptor();
        if self.allocated.get(&object) == Some(&self.epoch) {
            let sort = super::symbols::sort_of(descriptor);
            return zero(s, sort);
        }
        let Epoch { segment, event } = self.epoch;
        if (segment, event) == (0, 0)
            && let (Some((of, class)), HeapMap::Field(name, _)) = (&self.constructed, map)
            && *of == object
            && name
                .strip_prefix(&**class)
                .is_some_and(|n| n.starts_with('.'))
        {
            let sort = super::symbols::sort_of(descriptor);
            return zero(s, sort);
        }
        if matches!(map, HeapMap::Final(..)) {
            return s.value(&map.name(), &[object], descriptor);
        }
        let name = format!("{} @{segment}.{event}", map.name());
        if segment == 0 && event == 0 {
            return s.preexisting_value(&name, &[object, index], descriptor);
        }
        s.value(&name, &[object, index], descriptor)
    }

    /// Updates a map for an object and index.
    pub fn write(&mut self, map: HeapMap, object: Term, index: Term, value: Term) {
        let writes = Rc::make_mut(&mut self.writes).entry(map).or_default();
        writes.retain(|(o, i, _)| (*o, *i) != (object, index));
        writes.push((object, index, value));
    }

    /// Where this heap and another may differ: places that either wrote, with both values. Objects that only one version made
    /// are left out: what both versions have does not know them, else it differs itself. So are fields that one version alone
    /// has, by class and name.
    pub fn differences(
        &self,
        other: &Heap,
        s: &mut Symbols,
        lone: &BTreeSet<String>,
    ) -> Vec<(Term, Term)> {
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        let maps: BTreeSet<&HeapMap> = self.writes.keys().chain(other.writes.keys()).collect();
        let is_one_sided = |map: &HeapMap| match map {
            HeapMap::Field(name, _) | HeapMap::Final(name, _) => lone.contains(&**name),
            _ => false,
        };
        for map in maps.into_iter().filter(|p| !is_one_sided(p)) {
            let written: BTreeSet<(Term, Term)> = [self, other]
                .iter()
                .flat_map(|h| h.writes.get(map).into_iter().flatten())
                .map(|(o, i, _)| (*o, *i))
                .collect();
            for (object, index) in written {
                if self.is_allocated(object) != other.is_allocated(object) {
                    continue;
                }
                let a = self.read(s, map, object, index);
                let b = other.read(s, map, object, index);
                if a != b {
                    pairs.push((a, b));
                }
            }
        }
        for (array, length) in self.lengths.iter() {
            if let Some(twin) = other.lengths.get(array).filter(|t| *t != length) {
                pairs.push((*length, *twin));
            }
        }
        pairs
    }

    /// What was written, map by map in order: object, index and value.
    pub fn written(&self) -> impl Iterator<Item = (&HeapMap, [Term; 3])> {
        let maps = self.writes.iter();
        maps.flat_map(|(map, all)| all.iter().map(move |w| (map, [w.0, w.1, w.2])))
    }

    /// Objects that this version alone has made and written. An event makes both versions forget what is written, so if the other
    /// version makes such an object afterwards, nothing is known of what the two hold.
    pub fn written_alone<'a>(&'a self, other: &'a Heap) -> impl Iterator<Item = Term> + 'a {
        let writes = self.writes.iter();
        let lasting = writes.filter(|(map, _)| !matches!(map, HeapMap::Final(..)));
        let objects = lasting.flat_map(|(_, w)| w).map(|w| w.0);
        objects.filter(|o| self.is_allocated(*o) && !other.is_allocated(*o))
    }

    /// Whether nothing was written between: the same heap, as far as one version is concerned.
    pub fn is_same(&self, other: &Heap) -> bool {
        self.epoch == other.epoch && self.writes == other.writes
    }

    /// All values that were written, texts of builders left aside: those have no identity.
    pub fn values(&self) -> impl Iterator<Item = Term> {
        let writes = self.writes.iter().filter(|(map, _)| **map != HeapMap::Text);
        let all: Vec<Term> = writes.flat_map(|(_, w)| w).map(|w| w.2).collect();
        all.into_iter()
    }
}

/// Zero, false or null.
pub fn zero(s: &mut Symbols, sort: Sort) -> Term {
    s.pool.constant(Value::zero(sort))
}
