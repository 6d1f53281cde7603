//! Capacities that collections and buffers of the JDK begin with, which nothing shows.

use super::executor::Executor;
use super::state::{State, Unproved};
use crate::bytecode::class_file::{InvokeKind, MemberRef};
use crate::expr::{CmpOp, Term};

/// Classes of which no method shows it, and whose order is not one of hashes; each with the least capacity that it takes.
const UNSEEN: [(&str, i64); 7] = [
    ("java/io/ByteArrayOutputStream", 0),
    ("java/io/CharArrayWriter", 0),
    ("java/util/ArrayDeque", i32::MIN as i64),
    ("java/util/ArrayList", 0),
    ("java/util/LinkedHashMap", 0),
    ("java/util/LinkedHashSet", 0),
    ("java/util/PriorityQueue", 1),
];

/// Classes whose order depends on the size of their table: the next power of two.
const HASHED: [&str; 2] = ["java/util/HashMap", "java/util/HashSet"];

/// The largest table of those.
const LARGEST_TABLE: i64 = 1 << 30;

/// The largest constant capacity that is no question of memory.
const SMALL: i64 = 1 << 20;

/// The assumption about capacities.
const CONTRACT: &str = "nothing shows the capacity that a collection begins with";

impl Executor<'_> {
    /// A constructor that takes a capacity as the one that takes none, or the size of the table that comes of it. The state in which that is
    /// called, if any: a capacity that is too small is refused.
    ///
    /// # Errors
    /// As `fork`.
    pub(super) fn without_capacity(
        &mut self,
        state: State,
        (kind, member): (InvokeKind, &MemberRef),
        args: &mut Vec<Term>,
    ) -> Result<Option<(State, Option<MemberRef>)>, Unproved> {
        let takes_one = kind == InvokeKind::Special
            && &*member.name == "<init>"
            && &*member.descriptor == "(I)V";
        // A subclass may see the buffer of the class above it.
        let made = |object: Term| self.context.symbols.class_of(object);
        if !takes_one || made(args[0]) != Some(&member.class) || !self.is_moderate(args[1]) {
            return Ok(Some((state, None)));
        }
        let pool = &mut self.context.symbols.pool;
        if HASHED.contains(&&*member.class) {
            if let Some(capacity) = pool.as_i64(args[1])
                && let Some(size) = table(capacity)
            {
                args[1] = pool.bv(32, size);
                self.context.assumed.insert(CONTRACT);
            }
            return Ok(Some((state, None)));
        }
        let Some((_, least)) = UNSEEN.iter().find(|(class, _)| *class == &*member.class) else {
            return Ok(Some((state, None)));
        };
        let least = pool.bv(32, *least);
        let refused = pool.cmp(CmpOp::Slt, args[1], least);
        self.context.assumed.insert(CONTRACT);
        args.truncate(1);
        let plain = MemberRef {
            descriptor: "()V".into(),
            ..member.clone()
        };
        let state = self.unless(state, refused, "java/lang/IllegalArgumentException")?;
        Ok(state.map(|state| (state, Some(plain))))
    }

    /// Whether a capacity is a small number, or comes of numbers of elements that are there: others may be more than the memory holds.
    fn is_moderate(&self, capacity: Term) -> bool {
        let s = &self.context.symbols;
        if let Some(n) = s.pool.as_i64(capacity) {
            return n <= SMALL;
        }
        let is_number = |term: Term| {
            let function = s.parts(term).map(|(name, _)| name);
            function.is_some_and(|name| name.starts_with("size ") || name.starts_with("length"))
        };
        let mut vars = s.pool.vars_of(capacity).iter();
        vars.all(|var| is_number(s.pool.var_term(*var)))
    }
}

/// The size of the table that a capacity asks for (`HashMap.tableSizeFor`); `None` for one that is refused.
fn table(capacity: i64) -> Option<i64> {
    let capacity = u64::try_from(capacity).ok()?;
    let size = i64::try_from(capacity.max(1).next_power_of_two()).ok()?;
    Some(size.min(LARGEST_TABLE))
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn tables_have_the_next_power_of_two() {
        let sizes = [0, 1, 2, 3, 16, 17, i64::from(i32::MAX)].map(table);
        let powers = [1, 1, 2, 4, 16, 32, 1 << 30].map(Some);
        assert_eq!(sizes, powers);
        assert_eq!(table(-1), None);
    }
}
