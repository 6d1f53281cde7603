//! Questions to collections of the JDK: `size()` and `isEmpty()`, which ask the same, as do `length()` and `isEmpty()` of sequences of
//! characters; elements, entries, and what they have for a key.

use super::executor::Executor;
use super::footprints::Footprint;
use super::readers::Reading;
use super::state::{State, Unproved};
use super::symbols::sort_of;
use super::version::Version;
use crate::bytecode::access::INTERFACE;
use crate::bytecode::class_file::{ClassFile, Insn, MemberRef};
use crate::bytecode::is_jdk;
use crate::expr::{CmpOp, Sort, Term};

/// Interfaces of which `isEmpty()` is `size() == 0`.
const COLLECTIONS: [&str; 8] = [
    "java/util/Collection",
    "java/util/List",
    "java/util/Set",
    "java/util/Map",
    "java/util/SortedMap",
    "java/util/SortedSet",
    "java/util/Queue",
    "java/util/Deque",
];

/// Classes of the JDK in which `isEmpty()` is `size() == 0`, whatever a subclass makes of `size()`.
const BY_SIZE: [&str; 6] = [
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
    "java/util/AbstractSequentialList",
    "java/util/AbstractSet",
];

/// The assumption about collections.
const CONTRACT: &str = "a collection is empty when its size is 0";

/// The assumption about collections that were there before.
const PURE: &str = "asking a collection for its size, an element, or what it has for a text or number, changes nothing";

/// The type that is looked up in, and what it consists of.
const MAP: &str = "java/util/Map";
const ENTRY: &str = "java/util/Map$Entry";

/// Types of keys whose `equals` and `hashCode` are the JDK's.
const PLAIN_KEYS: [&str; 6] = [
    "java/lang/Boolean",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/String",
];

/// The assumption about sequences of characters.
const OF_TEXTS: &str = "a sequence of characters is empty when its length is 0";

/// What is asked for a number of elements.
pub(super) struct SizeQuery {
    /// The name of the event.
    event: &'static str,
    assumption: &'static str,
    /// Whether the number can't be negative.
    is_natural: bool,
}

impl Executor<'_> {
    /// Whether a call asks for the size of a collection or for the length of a text, or whether that is 0, and the project has no
    /// such type that decides this in a way of its own.
    pub(super) fn size_query(&self, member: &MemberRef) -> Option<SizeQuery> {
        let of = |class: &str, above: &str| self.version.is_subclass(class, above) == Some(true);
        let versions = [self.version, self.other];
        let class = &*member.class;
        match (&*member.name, &*member.descriptor) {
            ("isEmpty", "()Z") | ("length", "()I") if class == "java/lang/CharSequence" => {
                let none = versions.iter().all(|v| !v.has_texts());
                none.then_some(SizeQuery {
                    event: "Call #length()I",
                    assumption: OF_TEXTS,
                    is_natural: true,
                })
            }
            ("isEmpty", "()Z") | ("size", "()I") => {
                let jdk = class.starts_with("java/util/") && of(class, "java/util/Collection");
                let fits = COLLECTIONS.contains(&class) || jdk;
                let plain = versions.iter().all(|v| v.collections_count_by_size());
                (fits && plain).then_some(SizeQuery {
                    event: "size",
                    assumption: CONTRACT,
                    is_natural: versions.iter().all(|v| !v.has_collections()),
                })
            }
            _ => None,
        }
    }

    /// Both calls become the same event, as the contract of `Collection` allows.
    pub(super) fn answer_size(
        &mut self,
        state: State,
        insn: &Insn,
        member: &MemberRef,
        (query, args): (SizeQuery, Vec<Term>),
    ) -> Result<(), Unproved> {
        self.context.assumed.insert(query.assumption);
        self.rely_on(insn);
        let (state, size) = match self.read_size(&state, &query, &args) {
            Some(size) => (state, size),
            None => match self.event(state, (query.event, args), "I", true)? {
                Some((state, Some(size))) => (state, size),
                _ => return Ok(()),
            },
        };
        let pool = &mut self.context.symbols.pool;
        let (zero, one) = (pool.int(0), pool.int(1));
        let value = match &*member.name {
            "isEmpty" => {
                let empty = pool.eq(size, zero);
                pool.ite(empty, one, zero)
            }
            _ => size,
        };
        if !query.is_natural {
            return self.complete(state, Some(value));
        }
        // No collection has a negative size, and no text a negative length.
        let negative = pool.cmp(CmpOp::Slt, size, zero);
        let (_, some) = self.fork(state, negative)?;
        match some {
            Some(state) => self.complete(state, Some(value)),
            None => Ok(()),
        }
    }

    /// The size of a collection that was there before, which depends on what code outside has done since; `None` where the call is an event.
    fn read_size(&mut self, state: &State, query: &SizeQuery, args: &[Term]) -> Option<Term> {
        let is_fit = query.assumption == CONTRACT && query.is_natural && self.was_there(args[0]);
        if !is_fit || !self.reads() {
            return None;
        }
        self.context.assumed.insert(PURE);
        let name = format!("size @{}", state.heap.times(|_| false));
        let range = Some((0, i64::from(i32::MAX)));
        let s = &mut self.context.symbols;
        Some(s.app_in(&name, args, sort_of("I"), range))
    }

    /// What a collection that was there before is asked for, likewise: an element, the value of a key, or whether it holds one.
    pub(super) fn read_element(
        &mut self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) -> Option<Reading> {
        let (above, takes_any) = asked(member)?;
        let jdk = member.class.starts_with("java/util/");
        let is_one = jdk && self.version.is_subclass(&member.class, above) == Some(true);
        let versions = [self.version, self.other];
        let plain = versions
            .iter()
            .all(|v| !v.has_collections() && !v.has_entries());
        // Keys of other types run the project's code.
        let is_known = !takes_any || self.is_plain_key(args[1]);
        if !is_one || !plain || !is_known {
            return None;
        }
        // A list may be a view of an array, which the program writes without a call.
        let footprint = Footprint {
            elements: vec![None],
            may_throw: true,
            ..Footprint::default()
        };
        // A map takes and refuses the same keys whatever it is asked about them.
        let what = if above == MAP {
            "look up"
        } else {
            &*member.name
        };
        let reading = self.reading(state, &footprint, what, args)?;
        self.context.assumed.insert(PURE);
        Some(reading)
    }

    /// What a look-up in a map gives, by the contract of `Map`: nothing where it does not have the key.
    pub(super) fn looked_up(&mut self, member: &MemberRef, reading: &Reading) -> Option<Term> {
        let (above, _) = asked(member)?;
        if above != MAP {
            return None;
        }
        let s = &mut self.context.symbols;
        let has = s.app(&format!("{} has", reading.name), &reading.of, Sort::Bool);
        let (yes, no) = match &*member.name {
            "get" => (
                s.value(&reading.name, &reading.of, "Ljava/lang/Object;"),
                s.null(),
            ),
            _ => (s.pool.int(1), s.pool.int(0)),
        };
        Some(s.pool.ite(has, yes, no))
    }

    /// Whether a reference is to a text or a box, or `null`.
    fn is_plain_key(&self, key: Term) -> bool {
        let s = &self.context.symbols;
        s.choices(key).into_iter().all(|t| {
            let class = s.class_of(t).or_else(|| s.type_of(t));
            class.is_some_and(|c| PLAIN_KEYS.contains(&&**c)) || s.pool.as_i64(t) == Some(0)
        })
    }
}

/// The type of which a method asks a collection for something, if it does, and whether it takes a key of any type.
fn asked(member: &MemberRef) -> Option<(&'static str, bool)> {
    Some(match (&*member.name, &*member.descriptor) {
        ("get", "(I)Ljava/lang/Object;") => ("java/util/List", false),
        ("get", "(Ljava/lang/Object;)Ljava/lang/Object;")
        | ("containsKey", "(Ljava/lang/Object;)Z") => (MAP, true),
        ("contains", "(Ljava/lang/Object;)Z") => ("java/util/Collection", true),
        ("getKey" | "getValue", "()Ljava/lang/Object;") => (ENTRY, false),
        _ => return None,
    })
}

impl Version {
    /// Whether the project has sequences of characters of its own.
    fn has_texts(&self) -> bool {
        *self.texts.get_or_init(|| {
            let is_text =
                |c: &ClassFile| self.is_subclass(&c.name, "java/lang/CharSequence") != Some(false);
            self.own_classes().any(|c| is_text(c))
        })
    }

    /// Whether every collection and map of the project is empty exactly when its `size()` is 0: it inherits both methods from a
    /// class of the JDK, or `isEmpty()` from one that asks `size()`.
    fn collections_count_by_size(&self) -> bool {
        *self
            .counting
            .get_or_init(|| self.own_classes().all(|c| self.counts_by_size(c)))
    }

    fn counts_by_size(&self, class: &ClassFile) -> bool {
        let is_one = ["java/util/Collection", "java/util/Map"]
            .iter()
            .any(|t| self.is_subclass(&class.name, t) != Some(false));
        if !is_one {
            return true;
        }
        let (all, whole) = self.ancestors(&class.name);
        let own: Vec<_> = all.iter().filter(|c| !is_jdk(&c.name)).collect();
        let has = |name: &str, descriptor: &str| {
            own.iter()
                .any(|c| c.method(name, descriptor).is_some_and(|m| m.code.is_some()))
        };
        let nearest = all
            .iter()
            .find(|c| is_jdk(&c.name) && c.access & INTERFACE == 0);
        let by_size = nearest.is_some_and(|c| BY_SIZE.contains(&&*c.name));
        let bridges = own.iter().all(|c| self.is_own(&c.name));
        whole && bridges && !has("isEmpty", "()Z") && (by_size || !has("size", "()I"))
    }
}
