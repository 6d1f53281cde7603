//! A finding: a divergence with its input, both outcomes, and its explanation.

use super::{
    DivergenceClass, End, FoundBy, Input, Inputs, Kind, Location, MethodRef, Outcome, Replay,
    Version,
};
use serde::{Deserialize, Serialize};

/// What a reader is told of a finding, beside what the JVM showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Telling {
    /// `class#method:hash`, by which it can be accepted: the same as long as the two texts of the method, and how they end, are;
    /// empty before it is known.
    pub id: String,
    /// The condition in the program's words, at most three lines; the whole one is the finding's `path_condition`.
    pub when: Vec<String>,
    /// What `when` is made of: kept until the sources are at hand.
    #[serde(skip)]
    pub decisions: Vec<Decision>,
    /// The changed method at which this difference is told, where it is not told by itself: its own for another path of the
    /// same difference, else another method's.
    pub told_by: Option<MethodRef>,
    /// What bears on whether it matters.
    pub labels: Vec<Label>,
    /// What a public method says of it, where nothing but private state differs.
    pub shown: Option<Shown>,
    /// Whether it counts although a label says that few would want to know.
    #[serde(default)]
    pub wanted: bool,
    /// Who said that it is intended.
    pub accepted: Option<Acceptance>,
    /// That the patch itself says so, which does not count.
    pub proposed: Option<Acceptance>,
}

/// A call after the finding's own, on the object whose private state differs, by which a caller tells the versions apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The public method.
    pub method: MethodRef,
    /// Its arguments.
    pub args: Vec<Input>,
    /// What it did in the old version; of the object itself nothing.
    pub old: Outcome,
    /// What it did in the new version.
    pub new: Outcome,
}

/// A branch that a path took where others were possible, in the project's own code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The line of the project's code.
    pub at: Location,
    /// Which version decided alone.
    pub version: Option<Version>,
    /// Whose source the line is of.
    pub lines_of: Version,
    /// The condition as a formula, where it is not too long.
    pub text: Option<String>,
    /// Whether the old and the new version jumped (`javac` jumps where a condition is false, save behind `do`), where known.
    pub jumped: [Option<bool>; 2],
    /// Whether the versions went different ways.
    pub differs: bool,
    /// Whether something that the line calls decided.
    pub is_inside: bool,
    /// Which of the conditional jumps of the method's code for that line it is, from 0, and how many there are.
    pub branch: Option<(u32, u32)>,
    /// The lines to which a `switch` went in the old and the new version.
    pub goes: [Option<u32>; 2],
    /// Whether it holds wherever the path's other decisions do.
    pub is_implied: bool,
}

impl Decision {
    /// Whether another path decided the same here.
    pub fn is_same(&self, other: &Decision) -> bool {
        let way = |d: &Decision| (d.jumped, d.goes, d.branch, d.differs, d.version);
        let known = self.jumped != [None; 2] || self.goes != [None; 2];
        self.at == other.at && way(self) == way(other) && (known || self.text == other.text)
    }
}

/// What bears on whether a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// The method called is neither public nor protected, or its class isn't.
    PackagePrivate,
    /// The method called is protected.
    Protected,
    /// The input has a `null` among its arguments.
    NullArgument,
    /// Both throw the same class with another message.
    Message,
    /// Only fields of the receiver differ.
    ReceiverState,
    /// Only the classes of objects differ, and these say nothing: lists, sets or maps of the same elements, iterators of the JDK, lambdas and
    /// anonymous classes.
    Representation,
    /// Only private fields differ, and no public method that was asked tells it.
    HiddenState,
    /// An argument, of the method or of what makes the input's objects, is one that no call in the project's sources passes.
    Unpassed,
    /// That argument is `null`, and both versions fail on it, one fails as an object is made with it, or a finding of no lesser class
    /// in the same method is without one.
    UnpassedNull,
    /// Both versions throw, and the difference matters to no caller, or another finding of the method has a version that does not throw.
    BothFail,
    /// A version throws what a stand-in in the input was told to throw, and the other one does not call that.
    FailingCall,
    /// Both versions do the same if a parameter that only one of them has gets another value.
    FurtherParameter,
    /// The old version comes to code that does not fit the libraries at hand.
    Unlinked,
    /// Only one version fails, and an outcome names the folder that its classes lie in while they are checked: nothing can be written there.
    BuildFolder,
    /// Only what `hashCode` returns differs.
    HashCode,
    /// The method called is a private class's, and code outside of it shows a difference, or a check of the JVM fails.
    PrivateClass,
    /// The new version's enum has further constants, and that is all that `values` or `valueOf` show.
    AddedConstant,
}

impl Label {
    /// Whether a finding with it is left out where only relevant ones are shown.
    pub fn is_minor(self) -> bool {
        matches!(
            self,
            Label::Message
                | Label::Representation
                | Label::HiddenState
                | Label::UnpassedNull
                | Label::BothFail
                | Label::FailingCall
                | Label::FurtherParameter
                | Label::Unlinked
                | Label::BuildFolder
                | Label::HashCode
                | Label::AddedConstant
                | Label::PrivateClass
        )
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Label::PackagePrivate => "package-private code",
            Label::Protected => "protected code",
            Label::NullArgument => "a null argument",
            Label::Message => "only the exception's message differs",
            Label::ReceiverState => "only fields of the receiver differ",
            Label::Representation => "only the class of an object differs",
            Label::Unpassed => "no call in the project passes that",
            Label::UnpassedNull => {
                "that null: a version fails on it, or the method differs without it too"
            }
            Label::BothFail => "both versions throw",
            Label::FailingCall => "only one version calls what fails there",
            Label::FurtherParameter => "only one version has the parameter that decides",
            Label::Unlinked => "the old version does not fit the libraries at hand",
            Label::BuildFolder => "a version fails on the folder that its classes lie in here",
            Label::HashCode => "only a hash code differs",
            Label::AddedConstant => "the enum has a further constant",
            Label::PrivateClass => "only the code around that private class calls it",
            Label::HiddenState => "only private state differs, which no public method asked shows",
        }
    }
}

/// A finding that the team has said is intended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Why.
    pub reason: String,
}

/// A test in which a difference shows: one of the old version, or one that the patch adds or changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Situation {
    /// The test, `demo.FooTest#bar`.
    pub test: String,
    /// Which of its calls of the entry, from 1; `None` where the test itself passes in one version only.
    pub call: Option<u32>,
    /// Whether the finding's input is that call's, written as Java code; else the test has to be run for it.
    #[serde(alias = "written")]
    pub is_written: bool,
    /// Whether the patch adds or changes the test.
    #[serde(alias = "of_patch", default)]
    pub is_of_patch: bool,
}

impl Situation {
    /// Whether the test itself passes in one version only, and no call in it is told, nor its input.
    pub fn is_whole_test(&self) -> bool {
        self.call.is_none() && !self.is_written
    }
}

/// `AssertionError`, and its subclasses by which libraries for tests say that an assertion failed.
const ASSERTIONS: [&str; 7] = [
    "java.lang.AssertionError",
    "junit.framework.AssertionFailedError",
    "junit.framework.ComparisonFailure",
    "org.assertj.core.error.AssertJMultipleFailuresError",
    "org.junit.ComparisonFailure",
    "org.opentest4j.AssertionFailedError",
    "org.opentest4j.MultipleFailuresError",
];

/// A divergence with its concrete input and both outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// regression, fix, changed, control-only.
    pub class: DivergenceClass,
    /// control or data.
    pub kind: Kind,
    /// The entry method that was called (differs from the changed method when that one is private).
    pub entry: MethodRef,
    /// Whether the entry is static.
    pub entry_static: bool,
    /// Whether a test in the entry's package can name all that the input consists of.
    pub direct: bool,
    /// The input.
    pub inputs: Inputs,
    /// Parameter names of the entry, in order.
    pub parameter_names: Vec<String>,
    /// Observed outcome in the old version.
    pub old: Outcome,
    /// Observed outcome in the new version.
    pub new: Outcome,
    /// The path condition as readable text over the parameter names.
    pub path_condition: String,
    /// Where the versions went apart, when they did.
    pub diverges_at: Option<(Location, Location)>,
    /// What replay said.
    pub replay: Replay,
    /// How many paths show this difference: never a number of differences.
    pub represents: u64,
    /// What found it.
    #[serde(default)]
    pub found_by: FoundBy,
    /// The test in which it was seen, where one showed it.
    #[serde(default)]
    pub situation: Option<Situation>,
    /// What a reader is told of it, and where.
    pub telling: Telling,
}

impl Finding {
    /// Whether only the new version ends in an `AssertionError`, or one of a library for tests: what `--fail-on assertion` names.
    pub fn new_only_assertion(&self) -> bool {
        let fails = |o: &Outcome| matches!(&o.end, End::Threw { class, .. } if ASSERTIONS.contains(&&**class));
        fails(&self.new) && !fails(&self.old)
    }

    /// Whether a test that the patch adds or changes shows it.
    pub fn is_of_patch(&self) -> bool {
        self.situation.as_ref().is_some_and(|s| s.is_of_patch)
    }

    /// Whether its input can be written as a call. What can't, shows in the test that its situation names.
    pub fn is_written(&self) -> bool {
        self.situation.as_ref().is_none_or(|s| s.is_written)
    }

    /// Whether it is told by itself, and not with another one that is the same difference.
    pub fn is_told(&self) -> bool {
        self.class != DivergenceClass::ControlOnly && self.telling.told_by.is_none()
    }

    /// Whether both versions throw.
    pub fn both_throw(&self) -> bool {
        self.old.end.thrown().is_some() && self.new.end.thrown().is_some()
    }

    /// Whether it counts: told by itself, relevant, and not accepted.
    pub fn is_open(&self) -> bool {
        self.is_told() && self.is_relevant() && self.telling.accepted.is_none()
    }

    /// Whether no label says that few would want to know, or minor ones are wanted too.
    pub fn is_relevant(&self) -> bool {
        let labels = &self.telling.labels;
        // Of code that only the project calls, its own calls say what happens; that only the new version fails is told anyway.
        let is_internal =
            labels.contains(&Label::PackagePrivate) || labels.contains(&Label::Protected);
        let is_unpassed = labels.contains(&Label::Unpassed) && is_internal;
        let is_minor = labels.iter().any(|l| l.is_minor())
            || is_unpassed && self.class != DivergenceClass::Regression;
        self.telling.wanted || !is_minor
    }
}
