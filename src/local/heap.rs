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
    /// Maps that were forgotten later than the others: since when their writes are kept, and how many times any were forgotten
    /// before.
    forgotten: Rc<BTreeMap<HeapMap, (Epoch, u32)>>,
    /// How often some maps were forgotten, and not all.
    losses: u32,
    /// Objects that this version made, and when.
    allocated: Rc<BTreeMap<Term, (Epoch, u32)>>,
    lengths: Rc<BTreeMap<Term, Term>>,
    /// What is being constructed, and by the constructor of which class: when that begins, its fields are zero.
    constructed: Option<(Term, Arc<str>, Epoch)>,
    /// Objects that only locals and operands refer to: no other code knows them.
    private: Rc<BTreeSet<Term>>,
}

impl Heap {
    /// A heap of which nothing is known.
    pub fn unknown(epoch: Epoch) -> Heap {
        Heap {
            epoch,
            writes: Rc::default(),
            forgotten: Rc::default(),
            losses: 0,
            allocated: Rc::default(),
            lengths: Rc::default(),
            constructed: None,
            private: Rc::default(),
        }
    }

    /// Unknown, but for the fields of an object whose constructor begins.
    pub fn constructing(mut self, object: Term, class: &Arc<str>) -> Heap {
        self.constructed = Some((object, class.clone(), self.epoch));
        self.private = Rc::new(BTreeSet::from([object]));
        self
    }

    /// Forgets all writes (havoc): other code may have overwritten them.
    pub fn havoc(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        self.forgotten = Rc::default();
        self.writes = Rc::default();
    }

    /// Forgets all writes but those to final fields and to objects that no other code knows: it can't overwrite these.
    pub fn havoc_mutable(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        self.forgotten = Rc::default();
        let private = self.private.clone();
        if !self.writes.is_empty() {
            let writes = Rc::make_mut(&mut self.writes);
            for (_, all) in writes
                .iter_mut()
                .filter(|w| !matches!(w.0, HeapMap::Final(..)))
            {
                all.retain(|(object, _, _)| private.contains(object));
            }
            writes.retain(|_, all| !all.is_empty());
        }
        for object in private.iter() {
            if self.allocated.contains_key(object) {
                let now = (epoch, self.losses);
                Rc::make_mut(&mut self.allocated).insert(*object, now);
            }
        }
        if let Some((object, _, since)) = &mut self.constructed
            && private.contains(object)
        {
            *since = epoch;
        }
    }

    /// Whether no other code knows an object.
    pub fn is_private(&self, object: Term) -> bool {
        self.private.contains(&object)
    }

    /// Whether an object is the one whose constructor runs.
    pub fn is_constructed(&self, object: Term) -> bool {
        let of = self.constructed.as_ref();
        of.is_some_and(|(this, _, _)| *this == object)
    }

    /// Other code may know these objects from now on.
    pub fn publish(&mut self, objects: impl IntoIterator<Item = Term>) {
        for object in objects {
            if self.private.contains(&object) {
                Rc::make_mut(&mut self.private).remove(&object);
            }
        }
    }

    /// Other code may know any object from now on.
    pub fn publish_all(&mut self) {
        self.private = Rc::default();
    }

    /// Forgets what some maps hold: a loop writes them, and no others.
    pub fn forget(&mut self, maps: &BTreeSet<HeapMap>, epoch: Epoch) {
        if maps.is_empty() {
            return;
        }
        self.losses += 1;
        let (writes, forgotten) = (
            Rc::make_mut(&mut self.writes),
            Rc::make_mut(&mut self.forgotten),
        );
        for map in maps {
            writes.remove(map);
            forgotten.insert(map.clone(), (epoch, self.losses));
        }
    }

    /// Adds an object whose fields or elements are zero; an array has a length.
    pub fn allocate(&mut self, object: Term, length: Option<Term>) {
        let now = (self.epoch, self.losses);
        Rc::make_mut(&mut self.allocated).insert(object, now);
        Rc::make_mut(&mut self.private).insert(object);
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
        let (epoch, lost) = match self.forgotten.get(map) {
            Some((epoch, lost)) => (*epoch, *lost),
            None => (self.epoch, 0),
        };
        let made = self.allocated.get(&object);
        if made.is_some_and(|(when, losses)| *when == self.epoch && *losses >= lost) {
            let sort = super::symbols::sort_of(descriptor);
            return zero(s, sort);
        }
        let Epoch { segment, event } = epoch;
        if let (Some((of, class, since)), HeapMap::Field(name, _)) = (&self.constructed, map)
            && *since == epoch
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
    /// has, by class and name, and some objects.
    pub fn differences(
        &self,
        other: &Heap,
        s: &mut Symbols,
        lone: &BTreeSet<String>,
        left_out: impl Fn(Term) -> bool,
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
                if self.is_allocated(object) != other.is_allocated(object) || left_out(object) {
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

    /// Objects that this version alone has made and written, and that other code knows. An event makes both versions forget what is
    /// written there, so if the other version makes such an object afterwards, nothing is known of what the two hold.
    pub fn written_alone<'a>(&'a self, other: &'a Heap) -> impl Iterator<Item = Term> + 'a {
        let writes = self.writes.iter();
        let lasting = writes.filter(|(map, _)| !matches!(map, HeapMap::Final(..)));
        let objects = lasting.flat_map(|(_, w)| w).map(|w| w.0);
        objects.filter(|o| self.is_allocated(*o) && !other.is_allocated(*o) && !self.is_private(*o))
    }

    /// Since when the writes of some maps are kept, as text.
    pub fn times(&self, of: impl Fn(&HeapMap) -> bool) -> String {
        let Epoch { segment, event } = self.epoch;
        let mut out = format!("{segment}.{event}");
        for (map, (epoch, _)) in self.forgotten.iter().filter(|(map, _)| of(map)) {
            out += &format!(" {map:?}@{}.{}", epoch.segment, epoch.event);
        }
        out
    }

    /// The maps that were written or forgotten between this heap and a later one of the same version; `None` if other code may have
    /// written any.
    pub fn changed_maps(&self, later: &Heap) -> Option<BTreeSet<HeapMap>> {
        if self.epoch != later.epoch {
            return None;
        }
        let epochs = |heap: &Heap, map: &HeapMap| heap.forgotten.get(map).map(|f| f.0);
        let same = |map: &HeapMap| {
            self.writes.get(map) == later.writes.get(map) && epochs(self, map) == epochs(later, map)
        };
        let all = [self, later].into_iter();
        let maps = all.flat_map(|h| h.writes.keys().chain(h.forgotten.keys()));
        Some(maps.filter(|map| !same(map)).cloned().collect())
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
