//! The parts of a class file that only reflection reads.

use std::sync::Arc;

/// Of a class.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OfClass {
    /// The class whose nest it is in (JVMS §4.7.28); `None` where it is its own.
    pub nest_host: Option<Arc<str>>,
    /// Of a local or anonymous class, what encloses it (JVMS §4.7.7).
    pub enclosing: Option<Enclosing>,
    /// Of a record, its components (JVMS §4.7.30).
    pub components: Option<Vec<Component>>,
    /// Of a sealed class, what may extend it (JVMS §4.7.31).
    pub permitted: Option<Vec<Arc<str>>>,
    /// Its annotations.
    pub annotations: Raw,
    /// What the raw annotations of the class and its members point into. Index 0 is never used.
    pub pool: Vec<Item>,
}

/// The class around a class, and the method it is in: name and descriptor.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosing {
    /// The class.
    pub class: Arc<str>,
    /// The method, where it is in one.
    pub method: Option<(Arc<str>, Arc<str>)>,
}

/// Of a field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OfField {
    /// Generic signature (JVMS §4.7.9.1).
    pub signature: Option<Arc<str>>,
    /// Its annotations.
    pub annotations: Raw,
}

/// Of a method.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OfMethod {
    /// The exceptions it declares (JVMS §4.7.5).
    pub exceptions: Vec<Arc<str>>,
    /// Its annotations.
    pub annotations: Raw,
    /// Those of its parameters.
    pub parameter_annotations: Raw,
    /// Whether it asks who calls it, by the JDK's own annotation.
    pub caller_sensitive: bool,
    /// Whether the class file has an attribute with its parameters' names (JVMS §4.7.24).
    pub names_parameters: bool,
    /// Of an annotation's element, the default value.
    pub default: Raw,
}

/// A component of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Signature and annotations.
    pub of: OfField,
}

/// The content of an attribute in its own format (JVMS §4.7.16 and after), pointing into `OfClass::pool`; `None` where there is none.
pub type Raw = Option<Arc<[u8]>>;

/// What an annotation points at.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Item {
    Unused,
    Utf8(Arc<str>),
    Int(i32),
    Long(i64),
    Float(u32),
    Double(u64),
}
