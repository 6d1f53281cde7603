//! The content of the JDK's own containers as a caller sees it: texts, elements, keys and values, read from their fields.

use crate::expr::{Model, Term};
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::class::FieldSlot;
use crate::symex::state::State;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::Stop;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::Vm;
use std::sync::Arc;

/// The first `len` of some values, each with its descriptor.
pub(in crate::symex) struct Content {
    /// How many there are.
    pub len: Term,
    /// The values; those from `len` on mean nothing.
    pub values: Vec<(Value, Arc<str>)>,
}

/// Deeper chains of nodes are not followed.
const MAX_NODES: usize = 10_000;

/// The content of an object as `version` sees it, under a model if one is given; `None` where its class has none that a caller
/// sees. `Err` where it is open how the object is built.
pub(in crate::symex) fn content(
    vm: &mut Vm,
    state: &State,
    id: ObjId,
    version: Version,
    model: Option<&Model>,
) -> Result<Option<Content>, Stop> {
    let class = vm.linker.class(state.heap.get(id).class).name.clone();
    let mut reader = Reader {
        vm,
        state,
        version,
        model,
        out: Vec::new(),
    };
    let found = reader.read(id, &class);
    let out = reader.out;
    match found {
        None => Err(Stop::unsupported(Reason::OpaqueOutcome, class.dotted())),
        Some(Kind::Other) => Ok(None),
        Some(Kind::Values) => {
            let len = vm.pool.int(out.len() as i32);
            Ok(Some(Content { len, values: out }))
        }
        Some(Kind::Unless(empty)) => {
            let (none, one) = (vm.pool.int(0), vm.pool.int(1));
            let len = vm.pool.ite(empty, none, one);
            Ok(Some(Content { len, values: out }))
        }
        Some(Kind::First(len)) => Ok(Some(Content { len, values: out })),
    }
}

enum Kind {
    /// No container.
    Other,
    /// All that was read.
    Values,
    /// The first so many of what was read.
    First(Term),
    /// The one value that was read, unless that holds.
    Unless(Term),
}

struct Reader<'a> {
    vm: &'a Vm,
    state: &'a State,
    version: Version,
    model: Option<&'a Model>,
    out: Vec<(Value, Arc<str>)>,
}

impl Reader<'_> {
    /// Reads the object's content; `None` where something is open.
    fn read(&mut self, id: ObjId, class: &str) -> Option<Kind> {
        match class {
            "java/util/ArrayList" => {
                let Value::Prim(size) = self.field(id, "size")? else {
                    return None;
                };
                self.elements(self.field(id, "elementData")?)?;
                return Some(Kind::First(size));
            }
            "java/util/Arrays$ArrayList" => {
                let len = self.elements(self.field(id, "a")?)?;
                return Some(Kind::First(len));
            }
            "java/util/ArrayDeque" => self.deque(id)?,
            "java/util/LinkedList" => self.chain(id, "first", "next", &["item"])?,
            "java/util/HashMap" => self.table(id, &["key", "value"])?,
            "java/util/LinkedHashMap" => self.chain(id, "head", "after", &["key", "value"])?,
            "java/util/TreeMap" => self.tree(id, &["key", "value"])?,
            // Its fields were written to by other code than the models.
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => return None,
            "java/util/HashSet" | "java/util/LinkedHashSet" => {
                let map = self.object(self.field(id, "map")?)??;
                match self.class_of(map) {
                    "java/util/HashMap" => self.table(map, &["key"])?,
                    "java/util/LinkedHashMap" => self.chain(map, "head", "after", &["key"])?,
                    _ => return None,
                }
            }
            "java/util/TreeSet" => {
                let map = self.object(self.field(id, "m")?)??;
                if self.class_of(map) != "java/util/TreeMap" {
                    return None;
                }
                self.tree(map, &["key"])?;
            }
            "java/util/Collections$SingletonList" | "java/util/Collections$SingletonSet" => {
                self.fields(id, &["element"])?;
            }
            "java/util/Collections$SingletonMap" => self.fields(id, &["k", "v"])?,
            "java/util/Collections$EmptyList"
            | "java/util/Collections$EmptySet"
            | "java/util/Collections$EmptyMap" => {}
            "java/util/Optional" => {
                self.fields(id, &["value"])?;
                match self.field(id, "value")? {
                    Value::Ref(Ref::Maybe { null, .. }) => return Some(Kind::Unless(null)),
                    Value::Ref(Ref::Null) => self.out.clear(),
                    _ => {}
                }
            }
            "java/lang/reflect/Method" => {
                self.fields(id, &["clazz", "name", "returnType"])?;
                self.elements(self.field(id, "parameterTypes")?)?;
            }
            "java/lang/reflect/Constructor" => {
                self.fields(id, &["clazz"])?;
                self.elements(self.field(id, "parameterTypes")?)?;
            }
            "java/lang/reflect/Field" => self.fields(id, &["clazz", "name", "type"])?,
            "java/io/File" => self.fields(id, &["path"])?,
            // Bytes of UTF-8.
            "sun/nio/fs/UnixPath" => {
                let len = self.elements(self.field(id, "path")?)?;
                return Some(Kind::First(len));
            }
            "java/io/StringWriter" => self.fields(id, &["buf"])?,
            "java/util/concurrent/atomic/AtomicInteger"
            | "java/util/concurrent/atomic/AtomicLong"
            | "java/util/concurrent/atomic/AtomicReference" => self.fields(id, &["value"])?,
            _ => return Some(Kind::Other),
        }
        Some(Kind::Values)
    }

    fn class_of(&self, id: ObjId) -> &str {
        &self.vm.linker.class(self.state.heap.get(id).class).name
    }

    /// The value of a field, by its name.
    fn field(&self, id: ObjId, name: &str) -> Option<Value> {
        self.slot(id, name).map(|s| s.0)
    }

    fn slot(&self, id: ObjId, name: &str) -> Option<(Value, Arc<str>)> {
        let object = self.state.heap.get(id);
        let layout = &self.vm.linker.class(object.class).layout;
        let has = |f: &FieldSlot| f.only.is_none_or(|only| only == self.version);
        let at = layout.iter().rposition(|f| &*f.name == name && has(f))?;
        let Body::Fields(slots) = &object.body else {
            return None;
        };
        let value = slots.get(at)?.get(self.version);
        Some((value, layout[at].descriptor.clone()))
    }

    fn fields(&mut self, id: ObjId, names: &[&str]) -> Option<()> {
        for name in names {
            let slot = self.slot(id, name)?;
            self.out.push(slot);
        }
        Some(())
    }

    /// The object behind a reference that is not open; `Some(None)` for null.
    fn object(&self, value: Value) -> Option<Option<ObjId>> {
        match value {
            Value::Ref(Ref::Obj(id)) => match self.state.heap.chosen(id) {
                Ok(id) => Some(Some(id)),
                Err(open) => {
                    let holds = |o: &&(Term, ObjId)| self.holds(o.0) == Some(true);
                    open.of.iter().find(holds).map(|o| Some(o.1))
                }
            },
            Value::Ref(Ref::Null) => Some(None),
            Value::Ref(Ref::Maybe { null, obj }) => match self.holds(null)? {
                true => Some(None),
                false => self.object(Value::obj(obj)),
            },
            _ => None,
        }
    }

    fn number(&self, value: Value) -> Option<usize> {
        match value {
            Value::Prim(t) => {
                let known = self.model.map(|m| self.vm.pool.eval(t, m).as_i64());
                usize::try_from(known.unwrap_or_else(|| self.vm.pool.as_i64(t))?).ok()
            }
            _ => None,
        }
    }

    /// Whether a condition holds under the model; `None` without one.
    fn holds(&self, condition: Term) -> Option<bool> {
        self.model.map(|m| self.vm.pool.holds(condition, m))
    }

    /// An array's elements; returns its length.
    fn elements(&mut self, array: Value) -> Option<Term> {
        let id = self.object(array)??;
        let Body::Array {
            element,
            len,
            values,
        } = &self.state.heap.get(id).body
        else {
            return None;
        };
        let each = values
            .iter()
            .map(|v| (v.get(self.version), element.clone()));
        self.out.extend(each);
        Some(*len)
    }

    /// A circular buffer from head to tail.
    fn deque(&mut self, id: ObjId) -> Option<()> {
        let (head, tail) = (
            self.number(self.field(id, "head")?)?,
            self.number(self.field(id, "tail")?)?,
        );
        self.elements(self.field(id, "elements")?)?;
        let all = std::mem::take(&mut self.out);
        let mut at = head;
        while at != tail && self.out.len() < all.len() {
            self.out.push(all.get(at)?.clone());
            at = (at + 1) % all.len();
        }
        Some(())
    }

    /// Nodes that are linked by a field.
    fn chain(&mut self, id: ObjId, first: &str, next: &str, names: &[&str]) -> Option<()> {
        let first = self.field(id, first)?;
        self.follow(first, next, names)
    }

    fn follow(&mut self, first: Value, next: &str, names: &[&str]) -> Option<()> {
        let mut node = self.object(first)?;
        while let Some(id) = node {
            if self.out.len() > MAX_NODES {
                return None;
            }
            self.fields(id, names)?;
            node = self.object(self.field(id, next)?)?;
        }
        Some(())
    }

    /// A hash table's nodes, bucket by bucket, as its iterators go.
    fn table(&mut self, id: ObjId, names: &[&str]) -> Option<()> {
        let Some(table) = self.object(self.field(id, "table")?)? else {
            return Some(());
        };
        let Body::Array { values, .. } = &self.state.heap.get(table).body else {
            return None;
        };
        let buckets: Vec<Value> = values.iter().map(|v| v.get(self.version)).collect();
        for bucket in buckets {
            self.follow(bucket, "next", names)?;
        }
        Some(())
    }

    /// A search tree's nodes in order.
    fn tree(&mut self, id: ObjId, names: &[&str]) -> Option<()> {
        // Which order a comparator stands for can't be compared.
        if self.model.is_none() && self.object(self.field(id, "comparator")?)?.is_some() {
            return None;
        }
        let mut above = Vec::new();
        let mut node = self.object(self.field(id, "root")?)?;
        loop {
            while let Some(id) = node {
                above.push(id);
                node = self.object(self.field(id, "left")?)?;
            }
            let Some(id) = above.pop() else {
                return Some(());
            };
            if self.out.len() > MAX_NODES {
                return None;
            }
            self.fields(id, names)?;
            node = self.object(self.field(id, "right")?)?;
        }
    }
}

/// Whether a field of an immutable number only keeps what was computed from the others.
pub(in crate::symex) fn is_cache(class: &str, field: &str) -> bool {
    match class {
        "java/math/BigInteger" => !matches!(field, "signum" | "mag"),
        "java/math/BigDecimal" => matches!(field, "precision" | "stringCache"),
        _ => false,
    }
}
