//! Reasons for limits and for paths that gave up: their names and their weight for the verdict.
//!
//! What each one means stands in docs/limits.md, whose tables have exactly these rows (tests/module_graph.rs compares them).

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What a reason does to the verdict of a method without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// A stated bound of the input space: `bounded`.
    Bound,
    /// A path that could not be followed: `incomplete`.
    GaveUp,
    /// Either, by how it was met: named as a bound, or a path gave up by it.
    Either,
}

macro_rules! reasons {
    ($($variant:ident $name:literal $weight:ident;)*) => {
        /// A reason, by its stable name in reports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Reason {
            $($variant,)*
        }

        impl Reason {
            /// All of them, by name.
            pub const ALL: &[Reason] = &[$(Reason::$variant,)*];

            /// Its name in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Reason::$variant => $name,)*
                }
            }

            /// What it does to a verdict.
            pub fn weight(self) -> Weight {
                match self {
                    $(Reason::$variant => Weight::$weight,)*
                }
            }
        }
    };
}

reasons! {
    AbstractMethod "abstract-method" GaveUp;
    Aliasing "aliasing" Bound;
    ArrayLength "array-length" Bound;
    ClassFile "class-file" GaveUp;
    ClassNotFound "class-not-found" GaveUp;
    Concolic "concolic" GaveUp;
    ConcolicInput "concolic-input" GaveUp;
    DoesNotCompile "does-not-compile" GaveUp;
    EffortBudget "effort-budget" GaveUp;
    Entries "entries" Bound;
    Environment "environment" Either;
    FieldNotFound "field-not-found" GaveUp;
    FieldTypeChanged "field-type-changed" Bound;
    FileNames "file-names" Bound;
    GeneratedCode "generated-code" GaveUp;
    IdentityHash "identity-hash" Either;
    InputMaking "input-making" Bound;
    InputObjects "input-objects" Bound;
    InputShapes "input-shapes" Bound;
    InputType "input-type" GaveUp;
    InputVariety "input-variety" Bound;
    InstructionBudget "instruction-budget" GaveUp;
    IntRange "int-range" Bound;
    Internal "internal" GaveUp;
    IterationOrder "iteration-order" Either;
    JvmMadeMessage "jvm-made-message" GaveUp;
    Logger "logger" GaveUp;
    LoopBound "loop-bound" Bound;
    MalformedCode "malformed-code" GaveUp;
    MathIntrinsic "math-intrinsic" Either;
    MaxArray "max-array" Bound;
    MaxString "max-string" Bound;
    MemberOrder "member-order" Either;
    MemoryLimit "memory-limit" GaveUp;
    MethodNotFound "method-not-found" GaveUp;
    MethodTimeout "method-timeout" GaveUp;
    NanBits "nan-bits" GaveUp;
    Narrowed "narrowed" Bound;
    NoEntry "no-entry" GaveUp;
    NoInput "no-input" GaveUp;
    NotCalled "not-called" GaveUp;
    NotReached "not-reached" Bound;
    NullnessAnnotations "nullness-annotations" Bound;
    OpaqueOutcome "opaque-outcome" GaveUp;
    OracleNew "oracle-new" GaveUp;
    PathBudget "path-budget" GaveUp;
    PredictionMismatch "prediction-mismatch" GaveUp;
    PruneDise "prune-dise" Bound;
    ReceiverAsConstructed "receiver-as-constructed" Bound;
    RecursionBound "recursion-bound" Bound;
    Reflection "reflection" GaveUp;
    Refused "refused" GaveUp;
    Repeats "repeats" GaveUp;
    RestsOn "rests-on" Bound;
    SearchInput "search-input" Bound;
    SignatureChanged "signature-changed" GaveUp;
    SolverBudget "solver-budget" GaveUp;
    SolverUnknown "solver-unknown" GaveUp;
    SpecialCaseMapping "special-case-mapping" Bound;
    StackTrace "stack-trace" GaveUp;
    StandardInput "standard-input" Bound;
    StaticStateAsInitialised "static-state-as-initialised" Bound;
    StaticStateDiffers "static-state-differs" Bound;
    StringIdentity "string-identity" GaveUp;
    SupplementaryCharacters "supplementary-characters" Bound;
    SymbolicArrayCopy "symbolic-array-copy" GaveUp;
    SymbolicIndex "symbolic-index" GaveUp;
    SymbolicNumberText "symbolic-number-text" GaveUp;
    ThisMachine "this-machine" Bound;
    Threads "threads" GaveUp;
    Uncontained "uncontained" GaveUp;
    UnsupportedAnnotation "unsupported-annotation" GaveUp;
    UnsupportedCharSequence "unsupported-char-sequence" GaveUp;
    UnsupportedConstant "unsupported-constant" GaveUp;
    UnsupportedInstruction "unsupported-instruction" GaveUp;
    UnsupportedInvokedynamic "unsupported-invokedynamic" GaveUp;
    UnsupportedNative "unsupported-native" GaveUp;
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Reason, D::Error> {
        let name = String::deserialize(from)?;
        Reason::named(&name).ok_or_else(|| D::Error::custom(format!("unknown reason {name}")))
    }
}

impl Reason {
    /// The reason of that name.
    pub fn named(name: &str) -> Option<Reason> {
        Reason::ALL.iter().copied().find(|r| r.name() == name)
    }

    /// Whether it says how much was tried, not what can't be done: within narrower bounds it may not arise.
    pub fn is_of_effort(self) -> bool {
        matches!(
            self,
            Reason::SolverBudget
                | Reason::InstructionBudget
                | Reason::PathBudget
                | Reason::EffortBudget
                | Reason::MethodTimeout
                | Reason::SolverUnknown
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Reason, Weight};

    #[test]
    fn names_are_sorted_and_lead_back() {
        let names: Vec<&str> = Reason::ALL.iter().map(|r| r.name()).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for reason in Reason::ALL {
            assert_eq!(Reason::named(reason.name()), Some(*reason));
            assert!(!reason.is_of_effort() || reason.weight() == Weight::GaveUp);
        }
    }
}
