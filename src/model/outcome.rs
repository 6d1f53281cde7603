//! Outcomes: what a caller can see of one run.

use super::agreement::Agreement;
use serde::{Deserialize, Serialize};

/// A value as a caller can see it in an outcome. Objects are written once; a later meeting of the same object is `Seen`.
///
/// Numbering: objects and arrays are numbered 0, 1, … in the order of a depth-first walk over: the returned value (or
/// exception, which itself gets no number), then the receiver, then the arguments; fields in order of (declaring class from
/// the most general down, field name sorted), elements in order. Strings, boxes and enum constants have no number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// No value (a `void` return).
    Void,
    /// `null`.
    Null,
    /// `boolean`.
    Boolean(bool),
    /// `byte`.
    Byte(i8),
    /// `short`.
    Short(i16),
    /// `char`.
    Char(u16),
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float` raw bits; every NaN is `0x7fc00000`.
    Float(u32),
    /// `double` raw bits; every NaN is `0x7ff8000000000000`.
    Double(u64),
    /// A `String`.
    Str(Vec<u16>),
    /// A boxed primitive; identity is not compared.
    Boxed(Box<Seen>),
    /// An enum constant by class and name, or a class: as a constant of `java.lang.Class`, by its binary name.
    Enum {
        /// Binary class name with dots of the enum (not of the constant's own body class).
        class: String,
        /// Constant name.
        constant: String,
    },
    /// An array, numbered.
    Array {
        /// Element descriptor.
        element: String,
        /// Elements.
        values: Vec<Seen>,
    },
    /// An object of a class of the project, numbered, with its instance fields (`Class.field`, value), synthetic ones left out. What it
    /// holds as the JDK's collection or map that its class extends is a `Content` in one more field (`java.util.ArrayList.elements`).
    Object {
        /// Binary class name with dots.
        class: String,
        /// `(declaring class with dots + "." + field name, value)` in numbering order.
        fields: Vec<(String, Seen)>,
    },
    /// A `Throwable` reached as a value: class and message.
    Throwable {
        /// Binary class name with dots.
        class: String,
        /// `getMessage()`; `None` where there is none, or the JVM or the JDK's index checks worded it.
        message: Option<Vec<u16>>,
    },
    /// A container of the JDK (a list, set, map, builder, `Optional`, atomic value), numbered: its texts, elements, or keys and
    /// values in turn, as its iterators go; primitives boxed. Of the JDK's values (`BigDecimal`, `Date`, `Locale` …) a text. A
    /// prediction may have such an object as `Opaque`.
    Content {
        /// Binary class name with dots.
        class: String,
        /// What it contains.
        values: Vec<Seen>,
    },
    /// An object of another class (the JDK's, a library's, a lambda's), numbered; only its class is visible. The class of a lambda or other hidden class is written `<hidden>`.
    Opaque {
        /// Binary class name with dots.
        class: String,
    },
    /// The object with that number, met before.
    Ref(u32),
}

impl Seen {
    /// The name of the class that it is a constant for, if it is one.
    pub fn class_constant(&self) -> Option<&str> {
        match self {
            Seen::Enum { class, constant } if class == "java.lang.Class" => Some(constant),
            _ => None,
        }
    }
}

/// What is seen of the class of a lambda, a proxy or another hidden object.
pub const HIDDEN: &str = "<hidden>";

/// The class that stands in an outcome for what is another each time.
pub const CHANGING: &str = "<another each time>";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Normal return; `Seen::Void` for `void` and constructors (the new object is the receiver).
    Returned(Seen),
    /// An uncaught exception.
    Threw {
        /// Binary class name with dots.
        class: String,
        /// `getMessage()`; in a prediction `None` also stands for "made by the JVM, not compared" when `jvm_made`.
        message: Option<Vec<u16>>,
        /// Whether the message is worded by the JVM or by the JDK's index checks (null, bounds, …), and so not compared.
        #[serde(default)]
        jvm_made: bool,
        /// `File.java:line` of the top project frame, where known. Never compared.
        #[serde(default)]
        at: Option<String>,
        /// What a caller who catches it can ask it beside its message, as [`Seen::Object`] has fields: simple values of exceptions of the
        /// program. Only observed, never predicted.
        #[serde(default)]
        held: Vec<(String, Seen)>,
    },
    /// The program ended the process, as `System.exit` does, with that code.
    Exited(i32),
    /// The run did not end within the time limit. Only observed, never predicted.
    TimedOut,
    /// The program ended the process or could not be run; the text says what. Only observed, never predicted.
    Failed(String),
}

impl End {
    /// The class of what was thrown; none where nothing was.
    pub fn thrown(&self) -> Option<&str> {
        match self {
            End::Threw { class, .. } => Some(class),
            _ => None,
        }
    }

    /// Whether a caller sees the same of two ends, both observed or both predicted: neither positions count nor messages that the JVM
    /// worded.
    pub fn same_as(&self, other: &End) -> bool {
        match (self, other) {
            (
                End::Threw {
                    class: a,
                    message: m,
                    jvm_made: made,
                    held: h,
                    ..
                },
                End::Threw {
                    class: b,
                    message: n,
                    jvm_made: made_too,
                    held: i,
                    ..
                },
            ) => a == b && (m == n || *made && *made_too) && h == i,
            (a, b) => a == b,
        }
    }
}

/// What a caller can see of one run (docs/glossary.md).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Return or exception.
    pub end: End,
    /// The receiver's (for a constructor that returned: the new object's) final state.
    pub receiver: Option<Seen>,
    /// The arguments' final states.
    pub args: Vec<Seen>,
    /// What was printed to standard output and standard error, together, in order.
    pub printed: Vec<u16>,
    /// What lies in the working folder, by path.
    #[serde(default)]
    pub files: Vec<Left>,
}

/// A file or folder that a run leaves in its working folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Left {
    /// From the working folder, parts separated by `/`.
    pub path: String,
    /// What is in it; `None` for a folder.
    pub content: Option<LeftContent>,
}

/// What is in a file that a run leaves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftContent {
    /// All of it, in bytes.
    pub length: u64,
    /// The first of them.
    pub bytes: Vec<u8>,
}

impl LeftContent {
    /// How many bytes of a file are compared, besides its length.
    pub const MOST: usize = 4096;
}

impl Outcome {
    /// An end of which nothing else is known.
    pub fn of(end: End) -> Outcome {
        Outcome {
            end,
            receiver: None,
            args: Vec::new(),
            printed: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Whether both leave the same behind: objects, what was printed, and files.
    pub fn leaves_the_same(&self, other: &Outcome) -> bool {
        self.receiver == other.receiver
            && self.args == other.args
            && self.printed == other.printed
            && self.files == other.files
    }

    /// Whether `self`, a prediction, says the same as `observed` by the JVM: everything equal but positions, and messages that the JVM made.
    pub fn agrees_with(&self, observed: &Outcome) -> bool {
        let mut agreement = Agreement::default();
        let ends = match (&self.end, &observed.end) {
            (End::Returned(a), End::Returned(b)) => agreement.of(a, b),
            (
                End::Threw {
                    class: a,
                    message: m,
                    jvm_made,
                    ..
                },
                End::Threw {
                    class: b,
                    message: n,
                    ..
                },
            ) => a == b && (*jvm_made || m == n),
            (End::Exited(a), End::Exited(b)) => a == b,
            _ => false,
        };
        let receivers = match (&self.receiver, &observed.receiver) {
            (Some(a), Some(b)) => agreement.of(a, b),
            (a, b) => a == b,
        };
        ends && receivers
            && agreement.of_all(&self.args, &observed.args)
            && self.printed == observed.printed
            && self.files == observed.files
    }
}
