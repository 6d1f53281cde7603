//! The syntax of a call's text, before any class is looked at.

use crate::model::Operator;

/// A type as written: `int`, `demo.Outer$Inner`, with its dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeText {
    /// Name of the element type, dots between its parts.
    pub name: String,
    /// How many `[]` follow it.
    pub dimensions: usize,
}

/// What is done with an object before it is used.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `m(…)`: a method's name and arguments.
    Call(String, Vec<Expression>),
    /// `f = value`: a field's name and value.
    Set(String, Expression),
}

/// Steps in order.
pub type After = Vec<Step>;

/// A method of a stand-in.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its name.
    pub name: String,
    /// The names of its parameters, with their types if these are written.
    pub parameters: Vec<(Option<TypeText>, String)>,
    /// Its value; none for `{}`.
    pub value: Option<Expression>,
}

impl Expression {
    /// The same, before anything is called on it.
    pub(super) fn as_made(&self) -> Expression {
        let mut made = self.clone();
        match &mut made {
            Expression::New { after, .. }
            | Expression::Static { after, .. }
            | Expression::Method { after, .. } => after.clear(),
            _ => {}
        }
        made
    }
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// `null`.
    Null,
    /// `true`, `false`.
    Boolean(bool),
    /// An integer literal without suffix; `Integer.MIN_VALUE` and the like too.
    Int(i32),
    /// A literal with `L`.
    Long(i64),
    /// A char literal.
    Char(u16),
    /// A literal with `f`, by its bits.
    Float(u32),
    /// A literal with a point or exponent, by its bits.
    Double(u64),
    /// A string literal.
    Str(Vec<u16>),
    /// `Integer.valueOf(…)` and its like.
    Boxed(Box<Expression>),
    /// `(T) value`.
    Cast(TypeText, Box<Expression>),
    /// `new T[] {…}`.
    Array(TypeText, Vec<Expression>),
    /// Names with dots between: an enum constant.
    Path(Vec<String>),
    /// `new C(…) after m(…)`.
    New {
        /// The class as written.
        class: String,
        /// The constructor's arguments.
        args: Vec<Expression>,
        /// What is called on the new object.
        after: After,
    },
    /// `a.b.C.m(…) after n(…)`: a static method, or one of an enum constant.
    Static {
        /// All names, the method's last.
        path: Vec<String>,
        /// Its arguments.
        args: Vec<Expression>,
        /// What is called on the result.
        after: After,
    },
    /// `name = value`: an object that the rest of the call refers to by that name.
    Shared(String, Box<Expression>),
    /// `(a, b) -> value`: the names of the parameters, and the value; none for `{}`.
    Lambda(Vec<String>, Option<Box<Expression>>),
    /// `new I() {m(a, b) -> value; n() -> {}}`.
    StandIn(String, Vec<Answer>),
    /// `a == b`, `a < b`, `a + b`, `!a`, `a ? b : c`, within a lambda.
    Operation(Operator, Vec<Expression>),
    /// `receiver.m(…) after n(…)`.
    Method {
        /// The receiver.
        receiver: Box<Expression>,
        /// The method's name.
        name: String,
        /// Its arguments.
        args: Vec<Expression>,
        /// What is called on the result.
        after: After,
    },
}
