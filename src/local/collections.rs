//! `size()` and `isEmpty()` of collections of the JDK, which ask the same.

use super::executor::Executor;
use super::state::{State, Unproved};
use crate::bytecode::class_file::{Insn, MemberRef};
use crate::expr::{CmpOp, Term};

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

/// The assumption about collections.
const CONTRACT: &str = "a collection is empty when its size is 0";

impl Executor<'_> {
    /// Whether a call is `isEmpty()` or `size()` of a collection, and the project implements no collections of its own.
    pub(super) fn is_size_query(&self, member: &MemberRef) -> bool {
        let collection = COLLECTIONS.contains(&&*member.class);
        let of =
            |class: &str| self.version.is_subclass(class, "java/util/Collection") == Some(true);
        let asked = matches!(
            (&*member.name, &*member.descriptor),
            ("isEmpty", "()Z") | ("size", "()I")
        );
        asked
            && (collection || member.class.starts_with("java/util/") && of(&member.class))
            && [self.version, self.other]
                .iter()
                .all(|v| !v.has_collections())
    }

    /// Both calls become the same event, as the contract of `Collection` allows.
    pub(super) fn size_query(
        &mut self,
        state: State,
        insn: &Insn,
        member: &MemberRef,
        args: Vec<Term>,
    ) -> Result<(), Unproved> {
        self.context.assumed.insert(CONTRACT);
        self.rely_on(insn);
        let Some((state, Some(size))) = self.event(state, ("size", args), "I", true)? else {
            return Ok(());
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
        // No collection has a negative size.
        let negative = pool.cmp(CmpOp::Slt, size, zero);
        let (_, some) = self.fork(state, negative)?;
        match some {
            Some(state) => self.complete(state, Some(value)),
            None => Ok(()),
        }
    }
}
