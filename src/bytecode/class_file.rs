//! Class files as the rest of the program sees them: every constant-pool reference resolved, branch targets as instruction indices.

use super::access::{PRIVATE, PUBLIC};
use super::names::is_within;
use super::reflected;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A parsed class file. Names are JVM internal (`java/lang/String`).
#[derive(Debug, Clone)]
pub struct ClassFile {
    /// This class.
    pub name: Arc<str>,
    /// Superclass; `None` only for `java/lang/Object`.
    pub super_name: Option<Arc<str>>,
    /// Direct superinterfaces.
    pub interfaces: Vec<Arc<str>>,
    /// Access flags (JVMS table 4.1-B).
    pub access: u16,
    /// Fields in declaration order.
    pub fields: Vec<Field>,
    /// Methods in declaration order.
    pub methods: Vec<Method>,
    /// Generic signature (JVMS §4.7.9.1), of classes that have one.
    pub signature: Option<Arc<str>>,
    /// `SourceFile`.
    pub source_file: Option<Arc<str>>,
    /// `(inner, outer, simple name, access)` rows of `InnerClasses`; outer and name are `None` for local and anonymous ones.
    pub inner_classes: Vec<InnerClass>,
    /// What reflection shows besides.
    pub reflected: reflected::OfClass,
    /// Its annotations, those that class files retain.
    pub annotations: Vec<Annotation>,
}

impl ClassFile {
    /// The method that this class itself declares under that name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Method> {
        self.methods.iter().find(|m| m.is_named(name, descriptor))
    }

    /// The class and interfaces that this class itself extends and implements, but for `Object`.
    pub fn parents(&self) -> impl Iterator<Item = &Arc<str>> {
        let all = self.super_name.iter().chain(&self.interfaces);
        all.filter(|name| &***name != "java/lang/Object")
    }

    /// The names of all classes and interfaces above this one, but for `Object`; of those that are not found, only their own.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn above<E>(
        &self,
        mut find: impl FnMut(&str) -> Result<Option<Arc<ClassFile>>, E>,
    ) -> Result<BTreeSet<Arc<str>>, E> {
        let mut all = BTreeSet::new();
        let mut next: Vec<Arc<str>> = self.parents().cloned().collect();
        while let Some(name) = next.pop() {
            if all.insert(name.clone()) {
                let found = find(&name)?;
                next.extend(found.iter().flat_map(|c| c.parents()).cloned());
            }
        }
        Ok(all)
    }

    /// The field that this class itself declares under that name and descriptor.
    pub fn field(&self, name: &str, descriptor: &str) -> Option<&Field> {
        let has_name = |f: &&Field| *f.name == *name && *f.descriptor == *descriptor;
        self.fields.iter().find(has_name)
    }

    /// The flags with which nested classes are declared (JVMS §4.7.6): of the class itself and of those around it; none of a top-level one.
    pub fn nested_flags(&self) -> impl Iterator<Item = u16> {
        let rows = self.inner_classes.iter();
        let around = rows.filter(|row| is_within(&self.name, &row.0));
        around.map(|row| row.3)
    }

    /// Whether the class or one around it is private: only code of the same top-level class may name it (JLS §6.6.1).
    pub fn is_private(&self) -> bool {
        self.nested_flags().any(|flags| flags & PRIVATE != 0)
    }

    /// Whether all code may name the class: it is public, and so are all classes around it.
    pub fn is_open(&self) -> bool {
        let mut flags = self.nested_flags();
        self.access & PUBLIC != 0 && flags.all(|f| f & PUBLIC != 0)
    }
}

impl Method {
    /// Whether the method has that name and descriptor, which together tell it from all others of its class (JVMS §4.6).
    pub fn is_named(&self, name: &str, descriptor: &str) -> bool {
        *self.name == *name && *self.descriptor == *descriptor
    }

    /// Whether it has type parameters of its own (JVMS §4.7.9.1): no lambda stands for such a method (JLS §15.27.3).
    pub fn is_generic(&self) -> bool {
        self.signature
            .as_deref()
            .is_some_and(|s| s.starts_with('<'))
    }
}

/// An annotation, as far as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Simple name of its type.
    pub name: Arc<str>,
    /// Enum constants that its elements list; `None` where no element is given.
    pub constants: Option<Vec<Arc<str>>>,
}

/// A row of `InnerClasses`: inner, outer, simple name, access.
pub type InnerClass = (Arc<str>, Option<Arc<str>>, Option<Arc<str>>, u16);

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: u16,
    /// `ConstantValue`.
    pub constant: Option<Const>,
    /// What reflection shows besides.
    pub reflected: reflected::OfField,
}

/// A method.
#[derive(Debug, Clone)]
pub struct Method {
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: u16,
    /// Body; `None` for abstract and native methods.
    pub code: Option<Arc<Code>>,
    /// Generic signature (JVMS §4.7.9.1), of methods that have one.
    pub signature: Option<Arc<str>>,
    /// Parameter names, from `MethodParameters` or the local variable table; empty when unknown.
    pub parameter_names: Vec<Arc<str>>,
    /// What reflection shows besides.
    pub reflected: reflected::OfMethod,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Those of each parameter and of its type; empty where there are none.
    pub parameter_annotations: Vec<Vec<Annotation>>,
}

/// A method body.
#[derive(Debug, Clone)]
pub struct Code {
    /// Size of the local variable array, long and double counting two.
    pub max_locals: u16,
    /// Instructions.
    pub insns: Vec<Insn>,
    /// Source line of each instruction, 0 where unknown; as long as `insns`.
    pub lines: Vec<u32>,
    /// Exception table in order.
    pub handlers: Vec<Handler>,
    /// Named locals.
    pub locals: Vec<LocalVar>,
}

/// A row of the exception table; all positions are instruction indices, `end` exclusive.
#[derive(Debug, Clone)]
pub struct Handler {
    /// First covered instruction.
    pub start: u32,
    /// First instruction no longer covered (may equal `insns.len()`).
    pub end: u32,
    /// Handler entry.
    pub target: u32,
    /// Caught class; `None` catches everything.
    pub catch: Option<Arc<str>>,
}

/// A row of `LocalVariableTable`, positions as instruction indices.
#[derive(Debug, Clone)]
pub struct LocalVar {
    /// Live from.
    pub start: u32,
    /// Live until, exclusive.
    pub end: u32,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Slot.
    pub slot: u16,
}

/// A loadable constant.
#[derive(Debug, Clone, PartialEq)]
pub enum Const {
    /// int
    Int(i32),
    /// long
    Long(i64),
    /// float, raw bits
    Float(u32),
    /// double, raw bits
    Double(u64),
    /// String, UTF-16 units
    Str(Arc<[u16]>),
    /// Class literal (internal name, or descriptor for arrays)
    Class(Arc<str>),
    /// Method type descriptor
    MethodType(Arc<str>),
    /// Method handle
    MethodHandle(MethodHandle),
    /// Dynamically computed constant
    Dynamic(Arc<DynamicRef>),
}

/// A method handle constant (JVMS §4.4.8).
#[derive(Debug, Clone, PartialEq)]
pub struct MethodHandle {
    /// REF_ kind 1..=9.
    pub kind: u8,
    /// Owner, internal name.
    pub class: Arc<str>,
    /// Member name.
    pub name: Arc<str>,
    /// Member descriptor.
    pub descriptor: Arc<str>,
    /// Owner is an interface.
    pub interface: bool,
}

/// An `invokedynamic` call site or dynamic constant.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicRef {
    /// Bootstrap method.
    pub bootstrap: MethodHandle,
    /// Its static arguments.
    pub args: Vec<Const>,
    /// Call site name.
    pub name: Arc<str>,
    /// Call site descriptor.
    pub descriptor: Arc<str>,
}

/// A field or method reference.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MemberRef {
    /// Owner as written, internal name (or array descriptor).
    pub class: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
}

/// Kind of a primitive computation or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Prim {
    /// boolean (only as array element)
    Boolean,
    /// byte
    Byte,
    /// char
    Char,
    /// short
    Short,
    /// int
    Int,
    /// long
    Long,
    /// float
    Float,
    /// double
    Double,
}

/// Two-operand arithmetic on `Prim::{Int,Long,Float,Double}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    Ushr,
    And,
    Or,
    Xor,
}

/// Comparison of `if*` instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

/// Kind of an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum InvokeKind {
    Virtual,
    Special,
    Static,
    Interface,
}

/// One JVM instruction (JVMS §6.5), wide and shortened forms folded into one; targets are instruction indices.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Insn {
    Nop,
    AconstNull,
    /// bipush, sipush, iconst_*, lconst_*, fconst_*, dconst_*, ldc, ldc_w, ldc2_w
    Const(Const),
    /// iload, lload, … (`None` = aload)
    Load(Option<Prim>, u16),
    /// istore, … (`None` = astore)
    Store(Option<Prim>, u16),
    /// baload is `Byte` (also for boolean arrays); `None` = aaload
    ArrayLoad(Option<Prim>),
    ArrayStore(Option<Prim>),
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
    Bin(BinOp, Prim),
    Neg(Prim),
    Iinc(u16, i32),
    /// i2l, i2b, … : from, to
    Convert(Prim, Prim),
    Lcmp,
    /// fcmpl/fcmpg/dcmpl/dcmpg: type, value pushed for NaN (-1 or 1)
    Fcmp(Prim, i32),
    /// ifeq … against zero
    If(Cmp, u32),
    IfIcmp(Cmp, u32),
    /// only Eq, Ne
    IfAcmp(Cmp, u32),
    /// only Eq (ifnull), Ne (ifnonnull)
    IfNull(Cmp, u32),
    Goto(u32),
    Jsr(u32),
    Ret(u16),
    /// tableswitch and lookupswitch: default, sorted (key, target)
    Switch(u32, Vec<(i32, u32)>),
    /// `None` = return; otherwise the computational kind, `Some(None)` = areturn
    Return(Option<Option<Prim>>),
    GetStatic(Arc<MemberRef>),
    PutStatic(Arc<MemberRef>),
    GetField(Arc<MemberRef>),
    PutField(Arc<MemberRef>),
    Invoke(InvokeKind, Arc<MemberRef>),
    InvokeDynamic(Arc<DynamicRef>),
    New(Arc<str>),
    NewArray(Prim),
    /// anewarray: element class (internal name or array descriptor)
    ANewArray(Arc<str>),
    /// array descriptor, dimensions
    MultiANewArray(Arc<str>, u8),
    ArrayLength,
    Athrow,
    CheckCast(Arc<str>),
    InstanceOf(Arc<str>),
    MonitorEnter,
    MonitorExit,
}

impl Insn {
    /// Where it may jump to, as indices of instructions: none where it only goes on.
    pub fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        let (one, cases): (_, &[(i32, u32)]) = match self {
            Insn::Goto(to)
            | Insn::Jsr(to)
            | Insn::If(_, to)
            | Insn::IfIcmp(_, to)
            | Insn::IfAcmp(_, to)
            | Insn::IfNull(_, to) => (Some(*to), &[]),
            Insn::Switch(default, cases) => (Some(*default), cases),
            _ => (None, &[]),
        };
        one.into_iter().chain(cases.iter().map(|case| case.1))
    }
}
