//! Interruptions: why an instruction is not done yet, and what its driver has to do (retry, fork, raise, give up).

use crate::expr::Term;
use crate::model::reason::Reason;
use crate::symex::state::JoinAt;
use crate::symex::value::shadow::Shadow;
use crate::symex::value::unit_table::Call;
use crate::symex::value::{ObjId, Value};

/// Why an instruction is not done, and what its driver has to do.
///
/// | kind | variants | the state |
/// |---|---|---|
/// | retry | `Choose` with `Pass`, `Pin` or `Settle`; `Tabulate`, `OwnCode` | is as it was before the instruction |
/// | retry later | `Initialising` | is as it was, but for the initialiser on top |
/// | fork | `Choose` with `Jump`; `Region` | is done with the instruction but for where it goes |
/// | exception | `Raise` | stands at the instruction |
/// | end of the path | `GiveUp`, `Exclude` | is not run any more |
///
/// An instruction that is run again must leave no trace of its first run but new objects that nothing refers to
/// ([`Interruption::is_retried`]); `Strategy::check_reruns` compares the states (`vm::reruns`).
#[derive(Clone, Debug)]
pub enum Interruption {
    /// A class is initialised first: its initialiser is on top of the frames.
    Initialising,
    /// One of these holds, exclusively, in each version; the instruction has not moved on.
    Choose(Vec<(Shadow<Term>, Act)>),
    /// The versions part here without a choice of the input (`Shadow.execute`, a method that exists in one version …): each
    /// goes to its instruction and both join at the given place.
    Region {
        /// Where the old version goes.
        old: u32,
        /// Where the new version goes.
        new: u32,
        /// Where they join.
        at: JoinAt,
    },
    /// The JVM raises an exception of this class (internal name).
    Raise(&'static str),
    /// The path can't be followed.
    GiveUp(Stop),
    /// The program's own assumption excludes the input.
    Exclude,
    /// A model needs the table of a library method first: make it, and try the instruction again.
    Tabulate(Call),
    /// A model leaves this call to the class file's own code.
    OwnCode,
}

impl Interruption {
    /// Whether the driver runs the same instruction again.
    pub fn is_retried(&self) -> bool {
        let retries = |act: &Act| matches!(act, Act::Pass(_) | Act::Pin(..) | Act::Settle(..));
        match self {
            Interruption::Choose(choices) => choices.iter().any(|(_, act)| retries(act)),
            Interruption::Tabulate(_) | Interruption::Initialising => true,
            _ => false,
        }
    }
}

/// What is done on one choice.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Go to that instruction.
    Jump(u32),
    /// The check of that level passes: try the instruction again.
    Pass(u8),
    /// The JVM raises an exception of this class.
    Raise(&'static str),
    /// The operand that many entries below the top has this value: try again.
    Pin(usize, Value),
    /// The choice of an input falls on that object: try again.
    Settle(ObjId, ObjId),
    /// The path can't be followed there.
    GiveUp(Stop),
    /// The program's own assumption excludes the input.
    Ignore,
}

/// Why a path can't be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Short stable name.
    pub reason: Reason,
    /// What exactly.
    pub detail: String,
    /// Whether it is a stated bound rather than something unsupported.
    pub bound: bool,
}

impl Stop {
    /// Something unsupported.
    pub fn unsupported(reason: Reason, detail: impl Into<String>) -> Stop {
        Stop {
            reason,
            detail: detail.into(),
            bound: false,
        }
    }

    /// A stated bound was reached.
    pub fn bound(reason: Reason, detail: impl Into<String>) -> Stop {
        Stop {
            reason,
            detail: detail.into(),
            bound: true,
        }
    }
}

impl From<Stop> for Interruption {
    fn from(stop: Stop) -> Interruption {
        Interruption::GiveUp(stop)
    }
}

/// What a part of an instruction computes, or the [`Interruption`] that keeps the whole instruction from being done.
///
/// `Ok` of a whole instruction: it is done, and the state has moved on. `Err`: it is *not* done, and the driver
/// (`interp::run`) retries it, forks, raises an exception or gives the path up. So `Err` is no error.
///
/// This is an alias of `Result`, not a type of its own, because every handler passes interruptions on by `?`, and in stable Rust
/// `?` works on `Option` and `Result` alone (the trait `Try` is unstable). A type of its own would need a `match` at each of some
/// thousand calls. `tests/e2e/reruns.rs` tests that a handler may be run again after an `Err`.
pub type Step<T> = Result<T, Interruption>;
