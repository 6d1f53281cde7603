//! The values that single options take.

use crate::model::Level;
use crate::symex::{self, Order};
use serde::{Deserialize, Serialize};

/// What makes the build fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// An assertion error that only the new version has.
    Assertion,
    /// Any failure that only the new version has.
    Exception,
    /// Any difference.
    Changed,
    /// A method that could not be analysed to the end.
    Incomplete,
    /// Nothing.
    Never,
}

/// Semantics of integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// Java's, wrapping.
    Java,
    /// Mathematical integers, as in the papers; predictions are then not checked on the JVM.
    Unbounded,
}

/// Whose `.shadow-ci/accepted.toml` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum AcceptedFrom {
    /// The file as it is checked out, committed or not.
    #[default]
    Checkout,
    /// The old version's: a patch can't accept its own differences. What it would accept is shown.
    Old,
    /// The old and the new version's.
    New,
}

/// Whose `shadow-ci.toml` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ConfigFrom {
    /// The file as it is checked out, committed or not.
    #[default]
    Checkout,
    /// The old version's: a patch can't change how it is checked.
    Old,
}

/// Which findings are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Show {
    /// Those that no label says few would want to know.
    #[default]
    Relevant,
    /// All.
    All,
}

/// Which arguments of the tested methods may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum NullArguments {
    /// Those that no annotation such as `@NonNull` or `@NullMarked` forbids.
    Annotated,
    /// All.
    Always,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// Which version decides a divergent path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Oracle {
    /// Both are run to their end.
    Both,
    /// The new one only, as in the papers.
    New,
}

/// Which states are cut because they cannot diverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Prune {
    /// None.
    None,
    /// Those that carry no difference and reach no change.
    Reach,
    /// Also those whose sequence of impacted statements was seen before.
    Dise,
}

impl Prune {
    /// The engine's word for it.
    pub fn engine(self) -> symex::Prune {
        match self {
            Prune::None => symex::Prune::None,
            Prune::Reach => symex::Prune::Reach,
            Prune::Dise => symex::Prune::Dise,
        }
    }
}

/// The order in which paths are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// Depth first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Random, from a seed.
    Random,
    /// The state nearest to a change that no path has run yet.
    Greedy,
}

impl Search {
    /// The engine's order.
    pub fn order(self, seed: u64) -> Order {
        match self {
            Search::Dfs => Order::Dfs,
            Search::Bfs => Order::Bfs,
            Search::Random => Order::Random(seed),
            Search::Greedy => Order::Greedy,
        }
    }
}

/// How `impact` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ImpactFormat {
    /// For a terminal, per method and line.
    Text,
    /// For programs.
    Json,
    /// For Graphviz.
    Dot,
}

/// How far `impact` follows a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DataFlow {
    /// To every use on a control-flow path, as the rules of the literature are written.
    Paths,
    /// To the uses it reaches without being overwritten: fewer.
    Reaching,
}

/// The finest level asked for (docs/architecture.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Finest {
    /// Inside expressions.
    Expression,
    /// Around statements.
    Statement,
    /// A body per version.
    Method,
}

impl From<Finest> for Level {
    fn from(finest: Finest) -> Level {
        match finest {
            Finest::Expression => Level::Expression,
            Finest::Statement => Level::Statement,
            Finest::Method => Level::Method,
        }
    }
}

/// The inclusive range `LO..HI`.
///
/// # Errors
/// The text is no such range.
pub fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let parsed = text
        .split_once("..")
        .and_then(|(lo, hi)| Some((lo.trim().parse().ok()?, hi.trim().parse().ok()?)));
    match parsed {
        Some((lo, hi)) if lo <= hi => Ok((lo, hi)),
        _ => Err(format!(
            "'{text}' is not a range; write LO..HI, such as -100..100"
        )),
    }
}
