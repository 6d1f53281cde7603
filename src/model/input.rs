//! Concrete inputs of an entry method, which can be written as Java source.

use super::{ClassName, MethodRef, Operator};
use serde::{Deserialize, Serialize};

/// What stands between a name and the text that a stand-in answers for that name only.
pub const ANSWERS: &str = " -> ";

/// An instance method that is called on an object before it is used, and its arguments; or an instance field that is set
/// ([`MethodRef::is_field`]), and its value.
pub type PriorCall = (MethodRef, Vec<Input>);

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
    /// A `String`, as its UTF-16 units: a literal, so one object with others of the same text (JLS §3.10.5).
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
        calls: Vec<PriorCall>,
    },
    /// What an instance method returns, e.g. an iterator, or what a builder has built.
    Result {
        /// What it is called on.
        receiver: Box<Input>,
        /// The method.
        method: MethodRef,
        /// Its arguments.
        args: Vec<Input>,
        /// Instance methods called on what it returns, as on an object.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<PriorCall>,
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
    /// An object that other parts of the input refer to by a number: they are the same object. It has its number from when it is made,
    /// before anything is called on it, so it can hold itself.
    Shared {
        /// The number, from 1 in an input.
        number: u32,
        /// How it is made.
        value: Box<Input>,
    },
    /// The shared object of that number, which was made before.
    Same(u32),
    /// Within a lambda's value: the argument of that number, from 0.
    Argument(u32),
    /// Within a lambda's value: what comes of arguments.
    Operation {
        /// The operator.
        operator: Operator,
        /// Its operands.
        operands: Vec<Input>,
    },
    /// An object of an interface with several methods: the value of each, as a lambda has one; none of those that are void.
    StandIn {
        /// The interface.
        class: ClassName,
        /// Its abstract methods and their values.
        answers: Vec<PriorCall>,
    },
    /// A lambda. Its value is the same on every call, unless it has arguments in it.
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

/// The constructor that makes a `String` of another one.
const COPYING: (&str, &str, &str) = ("java.lang.String", "<init>", "(Ljava/lang/String;)V");

fn is_copying(method: &MethodRef) -> bool {
    (&*method.class, &*method.name, &*method.descriptor) == COPYING
}

impl Inputs {
    /// Whether `null` is a part of it.
    pub fn has_null(&self) -> bool {
        let mut parts = self.receiver.iter().chain(&self.args);
        parts.any(Input::has_null)
    }
}

impl Input {
    /// Whether it is `null`, or `null` is a part of it.
    pub fn has_null(&self) -> bool {
        *self == Input::Null || self.parts().any(Input::has_null)
    }

    /// What makes the object: the part itself, unless others refer to it.
    pub fn unshared(&self) -> &Input {
        match self {
            Input::Shared { value, .. } => value.unshared(),
            other => other,
        }
    }

    /// A `String` of these units that is no literal: `new String("…")`.
    pub fn copied_text(units: Vec<u16>) -> Input {
        Input::Object {
            method: MethodRef {
                class: COPYING.0.into(),
                name: COPYING.1.into(),
                descriptor: COPYING.2.into(),
            },
            args: vec![Input::Str(units)],
            calls: Vec::new(),
        }
    }

    /// The UTF-16 units of a `String`, whether it is a literal or made of one by `new`; `None` of other inputs.
    pub fn text(&self) -> Option<&[u16]> {
        match self {
            Input::Str(units) => Some(units),
            Input::Object {
                method,
                args,
                calls,
            } => match &args[..] {
                [Input::Str(units)] if calls.is_empty() && is_copying(method) => Some(units),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it depends on the arguments of the function whose value it is.
    pub fn has_arguments(&self) -> bool {
        match self {
            Input::Argument(_) | Input::Operation { .. } => true,
            Input::Result { receiver, args, .. } => {
                receiver.has_arguments() || args.iter().any(Input::has_arguments)
            }
            _ => false,
        }
    }

    /// The parts that it consists of, in the order in which they are made.
    pub fn parts(&self) -> Box<dyn Iterator<Item = &Input> + '_> {
        fn of(calls: &[PriorCall]) -> impl Iterator<Item = &Input> {
            calls.iter().flat_map(|c| &c.1)
        }
        match self {
            Input::Boxed(part) | Input::Shared { value: part, .. } => {
                Box::new(std::iter::once(&**part))
            }
            Input::Array { values, .. }
            | Input::Operation {
                operands: values, ..
            } => Box::new(values.iter()),
            Input::Object { args, calls, .. } => Box::new(args.iter().chain(of(calls))),
            Input::Result {
                receiver,
                args,
                calls,
                ..
            } => Box::new(std::iter::once(&**receiver).chain(args).chain(of(calls))),
            Input::StandIn { answers, .. } => Box::new(of(answers)),
            Input::Lambda { result, .. } => Box::new(result.iter().map(|r| &**r)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> Box<dyn Iterator<Item = &mut Input> + '_> {
        fn of(calls: &mut [PriorCall]) -> impl Iterator<Item = &mut Input> {
            calls.iter_mut().flat_map(|c| &mut c.1)
        }
        match self {
            Input::Boxed(part) | Input::Shared { value: part, .. } => {
                Box::new(std::iter::once(&mut **part))
            }
            Input::Array { values, .. }
            | Input::Operation {
                operands: values, ..
            } => Box::new(values.iter_mut()),
            Input::Object { args, calls, .. } => Box::new(args.iter_mut().chain(of(calls))),
            Input::Result {
                receiver,
                args,
                calls,
                ..
            } => Box::new(
                std::iter::once(&mut **receiver)
                    .chain(args)
                    .chain(of(calls)),
            ),
            Input::StandIn { answers, .. } => Box::new(of(answers)),
            Input::Lambda { result, .. } => Box::new(result.iter_mut().map(|r| &mut **r)),
            _ => Box::new(std::iter::empty()),
        }
    }
}
