//! Linked classes: one class for both versions if they can share it, otherwise one per version.

pub(in crate::symex) mod change_site;
pub(in crate::symex) mod layout;
pub(in crate::symex) mod linker;
pub(in crate::symex) mod machine;
mod merged;
pub(in crate::symex) mod subtypes;

pub use crate::bytecode::access;
use crate::bytecode::class_file::{ClassFile, Code, Const, Method as MethodFile};
use crate::model::{Spelling, Version, captured_name};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::OnceLock;

use crate::symex::value::shadow::Shadow;

/// Index of a linked class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// Which build a piece of code or a class comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The old version's build.
    Old,
    /// The new version's build.
    New,
    /// The build of the unified program.
    Unified,
    /// A jar or the JDK.
    Library,
}

/// Name and descriptor of a method.
pub type Key = (Arc<str>, Arc<str>);

/// A method of a linked class, in one version.
#[derive(Debug)]
pub struct Method {
    /// The class that declares it.
    pub class: ClassId,
    /// Internal name of that class.
    pub class_name: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: u16,
    /// Body.
    pub code: Option<Arc<Code>>,
    /// Where the body comes from.
    pub origin: Origin,
    /// Descriptors of the parameters.
    pub params: Vec<Arc<str>>,
    /// Descriptor of the result.
    pub result: Arc<str>,
    /// Generic signature, where the class file has one.
    pub signature: Option<Arc<str>>,
    /// Source file of the class.
    pub source_file: Option<Arc<str>>,
    /// Whether the class belongs to the project.
    pub project: bool,
    /// Post-dominators, computed when first asked for.
    pub post_dominators: OnceLock<crate::impact::PostDominators>,
}

impl Method {
    pub(in crate::symex) fn of(class: &Identity, file: &MethodFile, origin: Origin) -> Arc<Method> {
        let (params, result) = split_descriptor(&file.descriptor);
        Arc::new(Method {
            class: class.id,
            class_name: class.name.clone(),
            name: file.name.clone(),
            descriptor: file.descriptor.clone(),
            access: file.access,
            code: file.code.clone(),
            origin,
            params,
            result,
            signature: file.signature.clone(),
            source_file: class.source_file.clone(),
            project: class.project,
            post_dominators: OnceLock::new(),
        })
    }

    /// Whether it is static.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// `a/b/C.name(desc)` with dots, for reasons and messages.
    pub fn display(&self) -> String {
        format!(
            "{}.{}{}",
            self.class_name.dotted(),
            self.name,
            self.descriptor
        )
    }
}

/// What the methods of a class need to know of it.
#[derive(Debug, Clone)]
pub(in crate::symex) struct Identity {
    pub id: ClassId,
    pub name: Arc<str>,
    pub source_file: Option<Arc<str>>,
    pub project: bool,
}

/// An instance field in the layout of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSlot {
    /// Internal name of the declaring class.
    pub class: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: u16,
    /// Which version has it; `None` when both do.
    pub only: Option<Version>,
}

impl FieldSlot {
    /// Whether both are one declaration's.
    pub fn is_same(&self, other: &FieldSlot) -> bool {
        self.name == other.name && self.descriptor == other.descriptor && self.class == other.class
    }
}

/// A static field.
#[derive(Clone, Debug)]
pub struct StaticSlot {
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Whether it never changes once its class is initialised.
    pub is_final: bool,
    /// `ConstantValue` attribute, per version.
    pub constant: Shadow<Option<Const>>,
}

/// A linked class.
#[derive(Debug)]
pub struct Class {
    /// Its id.
    pub id: ClassId,
    /// Internal name, or descriptor of an array class.
    pub name: Arc<str>,
    /// `Some` when it exists for one version only.
    pub version: Option<Version>,
    /// Superclass, per version.
    pub superclass: Shadow<Option<ClassId>>,
    /// Direct superinterfaces.
    pub interfaces: Shadow<Vec<ClassId>>,
    /// Access flags.
    pub access: u16,
    /// Whether it is the project's own (assertions on, fields visible in outcomes).
    pub project: bool,
    /// Instance fields, the superclass's first (where each version has another superclass, those of both).
    pub layout: Vec<FieldSlot>,
    /// Static fields of this class alone.
    pub statics: Vec<StaticSlot>,
    /// Declared methods, per version.
    pub methods: FxHashMap<Key, Shadow<Option<Arc<Method>>>>,
    /// All methods of the unified build's class, for its own synthetic members.
    pub unified: FxHashMap<Key, Arc<Method>>,
    /// Generic signature, where the class file has one.
    pub signature: Option<Arc<str>>,
    /// Enum constants' names in order.
    pub constants: Vec<Arc<str>>,
    /// Of a nested class: its simple name (empty for an anonymous one).
    pub simple_name: Option<Arc<str>>,
    /// Of a member class: the internal name of the class around it.
    pub outer: Option<Arc<str>>,
}

impl Class {
    /// The name by which a version's outcomes tell of the field at that place of the layout; `None` of what they don't tell: the object
    /// around an inner one, and one of several captured variables of that type, which a renaming would mix up.
    pub fn told_name(&self, at: usize, version: Version) -> Option<Cow<'_, str>> {
        let field = self.layout.get(at)?;
        if field.access & access::SYNTHETIC == 0 {
            return Some(Cow::Borrowed(&field.name));
        }
        let name = captured_name(&field.name, &field.descriptor)?;
        let is_alike = |f: &&FieldSlot| {
            f.access & access::SYNTHETIC != 0
                && f.class == field.class
                && f.only.is_none_or(|v| v == version)
                && captured_name(&f.name, &f.descriptor).as_ref() == Some(&name)
        };
        let is_only = self.layout.iter().filter(is_alike).count() == 1;
        is_only.then_some(Cow::Owned(name))
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Whether it can't be instantiated.
    pub fn is_abstract(&self) -> bool {
        self.access & (access::ABSTRACT | access::INTERFACE) != 0
    }

    /// Whether it is an enum type.
    pub fn is_enum(&self) -> bool {
        self.access & access::ENUM != 0
    }

    /// The method declared here under `key`, per version.
    pub fn declared(&self, key: &Key) -> Shadow<Option<Arc<Method>>> {
        match self.methods.get(key) {
            Some(Shadow::Same(m)) => Shadow::Same(m.clone()),
            Some(Shadow::Split { old, new }) => Shadow::Split {
                old: old.clone(),
                new: new.clone(),
            },
            None => Shadow::Same(None),
        }
    }

    /// Slot of the instance field `name` seen from this class, innermost declaration first.
    pub fn field(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.layout
            .iter()
            .rposition(|f| &*f.name == name && &*f.descriptor == descriptor)
    }

    /// `field`, but among those that `version` has, where it has one.
    pub fn field_of(&self, name: &str, descriptor: &str, version: Version) -> Option<usize> {
        let has = |f: &FieldSlot| f.only.is_none_or(|only| only == version);
        let of_version = self
            .layout
            .iter()
            .rposition(|f| &*f.name == name && &*f.descriptor == descriptor && has(f));
        of_version.or_else(|| self.field(name, descriptor))
    }

    /// Where the field that a class above (or this one) has at `index` is in objects of this class. The same index, but
    /// for classes with another superclass in each version.
    pub fn place(&self, index: usize, slot: &FieldSlot) -> Option<usize> {
        match self.layout.get(index) {
            Some(here) if here.is_same(slot) => Some(index),
            _ => self.layout.iter().position(|f| f.is_same(slot)),
        }
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        std::ptr::eq(self, other)
    }
}

/// How many parameters a method descriptor has, and its result's descriptor (JVMS §4.3.3).
pub(in crate::symex) fn arity(descriptor: &str) -> (usize, &str) {
    let (inside, result) = descriptor.split_once(')').unwrap_or((descriptor, "V"));
    let (mut count, mut in_class) = (0, false);
    for byte in inside.bytes().skip(1) {
        match byte {
            b';' => in_class = false,
            b'[' => {}
            _ if in_class => {}
            _ => {
                count += 1;
                in_class = byte == b'L';
            }
        }
    }
    (count, result)
}

/// Splits a method descriptor into parameter descriptors and the result's (JVMS §4.3.3).
pub fn split_descriptor(descriptor: &str) -> (Vec<Arc<str>>, Arc<str>) {
    let (inside, result) = descriptor
        .trim_start_matches('(')
        .split_once(')')
        .unwrap_or(("", "V"));
    let bytes = inside.as_bytes();
    let (mut params, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let mut end = start;
        while bytes.get(end) == Some(&b'[') {
            end += 1;
        }
        end = match bytes.get(end) {
            Some(b'L') => inside[end..].find(';').map_or(bytes.len(), |i| end + i + 1),
            _ => end + 1,
        };
        params.push(Arc::from(inside.get(start..end).unwrap_or_default()));
        start = end.max(start + 1);
    }
    (params, Arc::from(result))
}

/// Whether both versions can share one linked class: the same kind, enum constants and record components.
/// Superclass and interfaces are kept per version, and a field that changed its type is two fields (JVMS §5.4.3.2).
pub fn mergeable(old: &ClassFile, new: &ClassFile) -> bool {
    shape_change(old, new).is_none()
}

/// What keeps two versions of a class from sharing one linked class; `None` when nothing does.
pub fn shape_change(old: &ClassFile, new: &ClassFile) -> Option<&'static str> {
    const SHAPE: u16 = access::INTERFACE | access::ENUM;
    let record = old.super_name.as_deref() == Some("java/lang/Record");
    let checks = [
        (
            old.access & SHAPE != new.access & SHAPE,
            "it became an interface or an enum, or no longer is",
        ),
        (
            enum_constants(old) != enum_constants(new),
            "its enum constants changed",
        ),
        (
            record && components(old) != components(new),
            "its record components changed",
        ),
    ];
    checks.into_iter().find(|c| c.0).map(|c| c.1)
}

pub(in crate::symex) fn enum_constants(file: &ClassFile) -> Vec<Arc<str>> {
    file.fields
        .iter()
        .filter(|f| f.access & access::ENUM != 0)
        .map(|f| f.name.clone())
        .collect()
}

fn components(file: &ClassFile) -> Vec<(Arc<str>, Arc<str>)> {
    file.fields
        .iter()
        .filter(|f| f.access & access::STATIC == 0)
        .map(|f| (f.name.clone(), f.descriptor.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{arity, split_descriptor};

    #[test]
    fn descriptors_split_into_parameters_and_result() {
        let (params, result) = split_descriptor("(I[[JLjava/lang/String;[La/B;D)V");
        let params: Vec<_> = params.iter().map(|p| &**p).collect();
        assert_eq!(params, ["I", "[[J", "Ljava/lang/String;", "[La/B;", "D"]);
        assert_eq!(&*result, "V");
        assert_eq!(arity("(I[[JLjava/lang/String;[La/B;D)V"), (5, "V"));
        assert_eq!(arity("()[J"), (0, "[J"));
    }
}
