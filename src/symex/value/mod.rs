//! The values of locals, operands, fields and array elements in one version.

pub(in crate::symex) mod digits;
pub(in crate::symex) mod primitive;
pub(in crate::symex) mod shadow;
pub(in crate::symex) mod surrogates;
pub(in crate::symex) mod text;
pub(in crate::symex) mod unit_table;
pub(in crate::symex) mod units;
#[cfg(test)]
pub(in crate::symex) mod units_laws;

use crate::expr::Term;

/// Index of an object in the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjId(pub u32);

/// A reference: null, an object, or an input that is null when a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ref {
    /// `null`.
    Null,
    /// That object.
    Obj(ObjId),
    /// Null when `null` is true, else that object.
    Maybe {
        /// Condition for null.
        null: Term,
        /// The object otherwise.
        obj: ObjId,
    },
}

/// A JVM value of one version. Long and double take one operand-stack entry here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Nothing yet (an unwritten local, or the second slot of a long).
    Undef,
    /// A primitive; boolean, byte, char, short and int are 32 bits wide, as on the JVM's operand stack.
    Prim(Term),
    /// A reference.
    Ref(Ref),
}

impl Value {
    /// `null`.
    pub const NULL: Value = Value::Ref(Ref::Null);

    /// A reference to `id`.
    pub fn obj(id: ObjId) -> Value {
        Value::Ref(Ref::Obj(id))
    }

    /// The object it refers to, null or not.
    pub fn object(&self) -> Option<ObjId> {
        match self {
            Value::Ref(Ref::Obj(id) | Ref::Maybe { obj: id, .. }) => Some(*id),
            _ => None,
        }
    }
}
