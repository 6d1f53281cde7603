//! The heap of one version: unknown but the same in both versions at its epoch's begin, and what was written since.

use super::symbols::Symbols;
use crate::expr::{Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A time from which on nothing is known of the heap but that it is the same in both versions: the begin of a segment (0), or
/// the end of its n-th event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch {
    /// Segment; 0 is the method's entry.
    pub segment: u32,
    /// Events of it before.
    pub event: u32,
}

/// What can be written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A field `Owner.name` of objects; of the null reference where it is static. Its descriptor.
    Field(Arc<str>, Arc<str>),
    /// One that never changes once the object is constructed.
    Final(Arc<str>, Arc<str>),
    /// Elements of arrays, by their descriptor.
    Elements(&'static str),
    /// The text in a string builder.
    Text,
}

impl Place {
    /// Field descriptor of what is stored.
    pub fn descriptor(&self) -> &str {
        match self {
            Place::Field(_, d) | Place::Final(_, d) => d,
            Place::Elements(d) => d,
            Place::Text => "Ljava/lang/String;",
        }
    }

    fn name(&self) -> String {
        match self {
            Place::Field(name, _) | Place::Final(name, _) => name.to_string(),
            Place::Elements(d) => format!("elements {d}"),
            Place::Text => "builder".into(),
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
    writes: Rc<BTreeMap<Place, Vec<Write>>>,
    /// Objects that this version made, and when.
    made: Rc<BTreeMap<Term, Epoch>>,
    lengths: Rc<BTreeMap<Term, Term>>,
    /// What is being constructed, and by the constructor of which class: when that begins, its fields are zero.
    constructed: Option<(Term, Arc<str>)>,
}

impl Heap {
    /// Unknown.
    pub fn at(epoch: Epoch) -> Heap {
        Heap {
            epoch,
            writes: Rc::default(),
            made: Rc::default(),
            lengths: Rc::default(),
            constructed: None,
        }
    }

    /// Unknown, but for the fields of an object whose constructor begins.
    pub fn constructing(mut self, object: Term, class: &Arc<str>) -> Heap {
        self.constructed = Some((object, class.clone()));
        self
    }

    /// Unknown again: all that was written may have been overwritten.
    pub fn forget(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        self.writes = Rc::default();
    }

    /// Unknown again behind an event, but for what never changes of the objects that this version made.
    pub fn pass(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        if !self.writes.is_empty() {
            let writes = Rc::make_mut(&mut self.writes);
            writes.retain(|place, _| matches!(place, Place::Final(..)));
        }
    }

    /// A new object, its fields or elements zero.
    pub fn make(&mut self, object: Term, length: Option<Term>) {
        Rc::make_mut(&mut self.made).insert(object, self.epoch);
        if let Some(length) = length {
            Rc::make_mut(&mut self.lengths).insert(object, length);
        }
    }

    /// Length of an array that this version made.
    pub fn length(&self, array: Term) -> Option<Term> {
        self.lengths.get(&array).copied()
    }

    /// Whether this version made the object.
    pub fn has_made(&self, object: Term) -> bool {
        self.made.contains_key(&object)
    }

    /// What is there now.
    pub fn read(&self, s: &mut Symbols, place: &Place, object: Term, index: Term) -> Term {
        let mut newer: Vec<(Term, Term)> = Vec::new();
        let mut value = None;
        for (o, i, v) in self.writes.get(place).into_iter().flatten().rev() {
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
        let mut value = value.unwrap_or_else(|| self.base(s, place, object, index));
        for (hit, v) in newer.into_iter().rev() {
            value = s.pool.ite(hit, v, value);
        }
        value
    }

    /// What was there when the epoch began.
    fn base(&self, s: &mut Symbols, place: &Place, object: Term, index: Term) -> Term {
        let descriptor = place.descriptor();
        if self.made.get(&object) == Some(&self.epoch) {
            let sort = super::symbols::sort_of(descriptor);
            return zero(s, sort);
        }
        let Epoch { segment, event } = self.epoch;
        if (segment, event) == (0, 0)
            && let (Some((of, class)), Place::Field(name, _)) = (&self.constructed, place)
            && *of == object
            && name
                .strip_prefix(&**class)
                .is_some_and(|n| n.starts_with('.'))
        {
            let sort = super::symbols::sort_of(descriptor);
            return zero(s, sort);
        }
        if matches!(place, Place::Final(..)) {
            return s.value(&place.name(), &[object], descriptor);
        }
        let name = format!("{} @{segment}.{event}", place.name());
        if segment == 0 && event == 0 {
            return s.early_value(&name, &[object, index], descriptor);
        }
        s.value(&name, &[object, index], descriptor)
    }

    /// Writes.
    pub fn write(&mut self, place: Place, object: Term, index: Term, value: Term) {
        let writes = Rc::make_mut(&mut self.writes).entry(place).or_default();
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
        let places: BTreeSet<&Place> = self.writes.keys().chain(other.writes.keys()).collect();
        let is_lone = |place: &Place| match place {
            Place::Field(name, _) | Place::Final(name, _) => lone.contains(&**name),
            _ => false,
        };
        for place in places.into_iter().filter(|p| !is_lone(p)) {
            let written: BTreeSet<(Term, Term)> = [self, other]
                .iter()
                .flat_map(|h| h.writes.get(place).into_iter().flatten())
                .map(|(o, i, _)| (*o, *i))
                .collect();
            for (object, index) in written {
                if self.has_made(object) != other.has_made(object) {
                    continue;
                }
                let a = self.read(s, place, object, index);
                let b = other.read(s, place, object, index);
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

    /// Whether nothing was written between: the same heap, as far as one version is concerned.
    pub fn is_same(&self, other: &Heap) -> bool {
        self.epoch == other.epoch && self.writes == other.writes
    }

    /// All values that were written, texts of builders left aside: those have no identity.
    pub fn values(&self) -> impl Iterator<Item = Term> {
        let writes = self
            .writes
            .iter()
            .filter(|(place, _)| **place != Place::Text);
        let all: Vec<Term> = writes.flat_map(|(_, w)| w).map(|w| w.2).collect();
        all.into_iter()
    }
}

/// Zero, false or null.
pub fn zero(s: &mut Symbols, sort: Sort) -> Term {
    s.pool.constant(Value::zero(sort))
}
