//! Operators of functions in inputs, which answer by their arguments.

use serde::{Deserialize, Serialize};

/// What a function does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// `a == b`, of primitives.
    Equal,
    /// `a < b`.
    Less,
    /// `Objects.equals(a, b)`.
    Equals,
    /// `String.valueOf(a).startsWith(b)`.
    StartsWith,
    /// `String.valueOf(a).endsWith(b)`.
    EndsWith,
    /// `String.valueOf(a).contains(b)`.
    Contains,
    /// `String.valueOf(a).length()`.
    Length,
    /// `String.valueOf(a).compareTo(String.valueOf(b))`.
    Compare,
    /// `a + b`, of ints or longs.
    Add,
    /// `!a`.
    Not,
    /// `a ? b : c`.
    Choose,
    /// `((Integer) a)`, the primitive in a box: its class, and the box.
    Unbox,
    /// `System.out.append(String.valueOf(a))`, of void functions: that they are called, and with what, is seen by what is printed.
    Print,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 13] = [
        Operator::Equal,
        Operator::Less,
        Operator::Equals,
        Operator::StartsWith,
        Operator::EndsWith,
        Operator::Contains,
        Operator::Length,
        Operator::Compare,
        Operator::Add,
        Operator::Not,
        Operator::Choose,
        Operator::Unbox,
        Operator::Print,
    ];

    /// Its name; of those that are methods of strings, the method's.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Equal => "equal",
            Operator::Less => "less",
            Operator::Equals => "equals",
            Operator::StartsWith => "startsWith",
            Operator::EndsWith => "endsWith",
            Operator::Contains => "contains",
            Operator::Length => "length",
            Operator::Compare => "compareTo",
            Operator::Add => "add",
            Operator::Not => "not",
            Operator::Choose => "choose",
            Operator::Unbox => "unbox",
            Operator::Print => "print",
        }
    }

    /// The operator of that name.
    pub fn of(name: &str) -> Option<Operator> {
        Operator::ALL.into_iter().find(|o| o.name() == name)
    }

    /// The operator that is a method of that name of strings.
    pub fn of_text(name: &str) -> Option<Operator> {
        use Operator::{Compare, Contains, EndsWith, Length, StartsWith};
        let all = [StartsWith, EndsWith, Contains, Length, Compare];
        all.into_iter().find(|o| o.name() == name)
    }

    /// Whether it stands between its operands.
    pub fn is_infix(self) -> bool {
        matches!(
            self,
            Operator::Equal | Operator::Less | Operator::Add | Operator::Choose
        )
    }
}
