//! The plain data of a result: inputs, outcomes, findings, limits and verdicts, shared by all stages.

mod class_name;
mod finding;
pub mod reason;
pub mod tree;
mod type_name;

pub use class_name::{ClassName, Spelling};
pub use finding::{Acceptance, Decision, Finding, Label, Shown, Situation, Telling};
pub use type_name::{
    integral_range, is_primitive, primitive_descriptor, primitive_keyword, type_name,
};

use reason::Reason;
use serde::{Deserialize, Serialize};

/// One of the two versions a run compares (*base/modified* in DiSE, *symbolic/shadow* in ShadowJPF).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// The version before the patch.
    Old,
    /// The version after the patch.
    New,
}

impl Version {
    /// Both versions, old first.
    pub const BOTH: [Version; 2] = [Version::Old, Version::New];
}

/// A method named as the class file names it: binary class name with dots (`a.b.C$D`), name (`<init>` for constructors), JVM descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MethodRef {
    /// Its class.
    pub class: ClassName,
    /// Method name; `<init>` for a constructor.
    pub name: String,
    /// JVM method descriptor (JVMS §4.3.3).
    pub descriptor: String,
}

/// How finely the two versions share a state (docs/architecture.md), finest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// `change(e1, e2)` inside shared code.
    Expression,
    /// `execute(OLD) { … }` / `execute(NEW) { … }`.
    Statement,
    /// Old body in OLD mode, new body in NEW mode, joined at the return.
    Method,
    /// The class name resolves to a different class per version.
    Class,
}

impl Level {
    /// All, finest first.
    pub const ALL: [Level; 4] = [
        Level::Expression,
        Level::Statement,
        Level::Method,
        Level::Class,
    ];

    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Expression => "expression",
            Level::Statement => "statement",
            Level::Method => "method",
            Level::Class => "class",
        }
    }
}

/// Why a method is equivalent for every input (docs/glossary.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// Every path from the entry was explored to its end, within no bound.
    Exhaustive,
    /// Both versions do the same from every state, from one cut of the method to the next.
    Local,
}

/// A concrete input value that can be written as Java source and built by reflection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// `null`.
    Null,
    /// `boolean`.
    Boolean(bool),
    /// `byte`.
    Byte(i8),
    /// `short`.
    Short(i16),
    /// `char`, as its UTF-16 unit.
    Char(u16),
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float`, as its raw bits.
    Float(u32),
    /// `double`, as its raw bits.
    Double(u64),
    /// A `String`, as its UTF-16 units.
    Str(Vec<u16>),
    /// A boxed primitive, e.g. `Integer.valueOf(3)`; the inner value is the primitive.
    Boxed(Box<Input>),
    /// An array of the given element descriptor (`I`, `Ljava/lang/String;`, `[I`).
    Array {
        /// Descriptor of the elements' static type.
        element: String,
        /// The elements.
        values: Vec<Input>,
    },
    /// An enum constant.
    Enum {
        /// Binary class name with dots.
        class: String,
        /// Constant name.
        constant: String,
    },
    /// An object: a constructor call, or a static factory's when `method.name` is not `<init>`, then calls on the object (*prior calls*).
    Object {
        /// The constructor or static factory.
        method: MethodRef,
        /// Its arguments.
        args: Vec<Input>,
        /// Instance methods called on the result, in order, with their arguments; results are dropped.
        calls: Vec<(MethodRef, Vec<Input>)>,
    },
    /// What an instance method returns, e.g. an iterator, or what a builder has built.
    Result {
        /// What it is called on.
        receiver: Box<Input>,
        /// The method.
        method: MethodRef,
        /// Its arguments.
        args: Vec<Input>,
    },
    /// The object that a static field holds, e.g. `Locale.ROOT`.
    Field {
        /// Binary class name with dots.
        class: String,
        /// Field name.
        field: String,
    },
    /// A `Class` object, by the binary name of the class.
    Class(String),
    /// A lambda that gives the same value on every call.
    Lambda {
        /// The abstract method of its interface, as called on the interface, which may inherit it.
        method: MethodRef,
        /// The value; `None` where the method is void.
        result: Option<Box<Input>>,
    },
}

/// One complete input of an entry method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    /// The receiver; `None` for static methods and constructors.
    pub receiver: Option<Input>,
    /// The arguments in order.
    pub args: Vec<Input>,
}

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
    /// An object of a class of the project, numbered, with its instance fields (`Class.field`, value), synthetic ones left out.
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
    },
    /// A container of the JDK (a list, set, map, builder, `Optional`, atomic value), numbered: its texts, elements, or keys and
    /// values in turn, as its iterators go; primitives boxed.
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
        /// In a prediction: the JVM itself raised it (null, bounds, …), so the message is not compared.
        #[serde(default)]
        jvm_made: bool,
        /// `File.java:line` of the top project frame, where known. Never compared.
        #[serde(default)]
        at: Option<String>,
    },
    /// The program ended the process, as `System.exit` does, with that code.
    Exited(i32),
    /// The run did not end within the time limit. Only observed, never predicted.
    TimedOut,
    /// The program ended the process or could not be run; the text says what. Only observed, never predicted.
    Failed(String),
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
        let ends = match (&self.end, &observed.end) {
            (End::Returned(a), End::Returned(b)) => a == b,
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
        ends && self.leaves_the_same(observed)
    }
}

/// The class of an outcome divergence (docs/glossary.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DivergenceClass {
    /// Only the new version fails.
    Regression,
    /// Both return, or both fail, but differently.
    Changed,
    /// Only the old version fails.
    Fix,
    /// Control flow differed, outcomes are the same.
    ControlOnly,
}

impl DivergenceClass {
    /// The class of a divergence whose outcomes differ, or not, and end so.
    pub fn of(differs: bool, old: &End, new: &End) -> DivergenceClass {
        let fails = |end: &End| matches!(end, End::Threw { .. } | End::TimedOut);
        match (differs, fails(old), fails(new)) {
            (false, ..) => DivergenceClass::ControlOnly,
            (true, false, true) => DivergenceClass::Regression,
            (true, true, false) => DivergenceClass::Fix,
            _ => DivergenceClass::Changed,
        }
    }
}

/// How a divergence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A branch went different ways.
    Control,
    /// Same control flow, different outcome.
    Data,
}

/// What replay said of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replay {
    /// Both versions did on the JVM what was predicted.
    Confirmed,
    /// At least one version did something else: our bug, reported as such and never counted as a finding.
    Mismatch,
}

/// What found a divergence.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum FoundBy {
    /// A path of the bounded exploration.
    #[default]
    Exploration,
    /// A run of the search beyond the bounds.
    Search,
    /// A test of the old version.
    Tests,
}

/// What a search beyond the bounds came to where nothing was proved (docs/glossary.md).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Inputs run in both versions.
    pub runs: u64,
    /// Whether an input came to the changed code in both versions, as far as each has some.
    pub reached: bool,
    /// How many of the runs did.
    pub runs_reached: u64,
    /// Where inputs came from, sorted.
    pub sources: Vec<String>,
}

/// A source position, `File.java:12` when printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// File name as the class file gives it (no folders).
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// Why part of the input space or of a path was not explored (docs/architecture.md).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Limit {
    /// Its stable name, e.g. `loop-bound`, `max-string`, `unsupported-native`, `solver-unknown`.
    pub reason: Reason,
    /// What exactly, e.g. `java.lang.System.nanoTime()J`; empty when the reason says all.
    pub detail: String,
    /// Whether it only bounds the explored space (`bounded`) or made a path give up (`incomplete`).
    pub bound: bool,
    /// Where, when at one place.
    pub at: Option<Location>,
    /// How many paths met it.
    pub count: u64,
}

/// Verdict of a method (docs/glossary.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// At least one finding.
    Diverges,
    /// Some path gave up and nothing was found.
    Incomplete,
    /// Nothing found within stated bounds.
    Bounded,
    /// Proved.
    Equivalent,
}

/// How a method's paths ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathCounts {
    /// Finished paths.
    pub finished: u64,
    /// Finished paths on which the versions' control flow differed.
    pub diff: u64,
    /// Paths cut because they cannot diverge.
    pub pruned: u64,
    /// Paths that gave up.
    pub gave_up: u64,
}

/// The result for one changed method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodResult {
    /// The changed method (its new name where it was renamed).
    pub method: MethodRef,
    /// Path of its file in the new version's tree.
    pub file: String,
    /// Its first line with code in that file, where the compiler noted it.
    pub line: Option<u32>,
    /// The finest level that worked.
    pub level: Level,
    /// Why not a finer one; empty when at expression level.
    pub level_reason: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is equivalent, where it is.
    #[serde(default)]
    pub proof: Option<Proof>,
    /// What a local proof takes for granted.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// Conditions under which the versions may differ in what changed, where nothing was found.
    #[serde(default)]
    pub local_conditions: Vec<String>,
    /// Bounds and reasons, sorted.
    pub limits: Vec<Limit>,
    /// Path counts.
    pub paths: PathCounts,
    /// States made.
    pub states: u64,
    /// Queries that reached the solver.
    pub solver_queries: u64,
    /// Predictions replayed.
    pub predictions: u64,
    /// Predictions the JVM confirmed.
    pub predictions_confirmed: u64,
    /// Mismatching predictions, described for a bug report.
    pub mismatches: Vec<String>,
    /// Wall-clock seconds (not part of what determinism promises).
    pub seconds: f64,
    /// What running inputs showed, where a search was made.
    #[serde(default)]
    pub evidence: Option<Evidence>,
    /// The findings, ranked.
    pub findings: Vec<Finding>,
    /// What was explored, per entry method; for people, not part of the JSON report.
    #[serde(default)]
    pub trees: Vec<(MethodRef, tree::Tree)>,
}
