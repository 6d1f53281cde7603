//! One way to build a receiver or an argument.

use super::super::class::Method;
use super::STRING;
use crate::symex::class::linker::class_name_of;
use crate::symex::value::primitive::primitive_name;
use std::sync::Arc;

/// A method called on an object that is being built, with its arguments.
pub(in crate::symex) type PriorCall = (Arc<Method>, Vec<Spec>);

/// A way to build a value.
#[derive(Clone, Debug)]
pub(in crate::symex) enum Spec {
    /// A symbolic primitive, string, box or array of these.
    Symbolic {
        /// Its descriptor.
        descriptor: Arc<str>,
        /// Whether a reference may be null, under a condition of its own.
        nullable: bool,
    },
    /// `null`.
    Null,
    /// An enum constant, or another object that a static field holds.
    Constant {
        /// Internal name of the class.
        class: Arc<str>,
        /// Its field.
        name: Arc<str>,
        /// The field's descriptor.
        descriptor: Arc<str>,
    },
    /// A constructor or method call and further calls on the object. An instance method's receiver is the first argument.
    Call {
        /// What makes it.
        maker: Arc<Method>,
        /// Arguments.
        args: Vec<Spec>,
        /// Prior calls.
        calls: Vec<PriorCall>,
    },
    /// An array of symbolic length whose elements are built one by one.
    Elements {
        /// Descriptor of an element.
        element: Arc<str>,
        /// As many elements as there are at most.
        values: Vec<Spec>,
        /// Whether the array may be null.
        nullable: bool,
    },
    /// One of several values, all built beforehand; which one is decided when the program looks.
    OneOf {
        /// The values, none null.
        of: Vec<Spec>,
        /// Whether it may be null.
        nullable: bool,
        /// The type that has more values than these, for the report.
        bound: Option<Arc<str>>,
    },
    /// The `Class` object of a class, by its internal name.
    Class(Arc<str>),
    /// That string.
    Literal(Arc<str>),
    /// An array of just these elements.
    Exactly {
        /// Descriptor of an element.
        element: Arc<str>,
        /// The elements.
        values: Vec<Spec>,
    },
    /// A lambda that gives the same value on every call.
    Lambda {
        /// The functional interface, which may inherit its method.
        class: Arc<str>,
        /// The interface's method.
        method: Arc<Method>,
        /// The value; `None` where the method is void.
        result: Option<Box<Spec>>,
    },
}

impl Spec {
    /// A symbolic value of that type, null too.
    pub fn symbolic(descriptor: &str) -> Spec {
        Spec::Symbolic {
            descriptor: Arc::from(descriptor),
            nullable: true,
        }
    }

    /// A symbolic string that is not null.
    pub fn text() -> Spec {
        Spec::symbolic(STRING).not_null()
    }

    /// The same without null.
    pub fn not_null(self) -> Spec {
        match self {
            Spec::Symbolic { descriptor, .. } => Spec::Symbolic {
                descriptor,
                nullable: false,
            },
            Spec::Elements {
                element, values, ..
            } => Spec::Elements {
                element,
                values,
                nullable: false,
            },
            Spec::OneOf { of, bound, .. } => Spec::OneOf {
                of,
                nullable: false,
                bound,
            },
            other => other,
        }
    }

    /// Whether it may be null.
    pub fn may_be_null(&self) -> bool {
        match self {
            Spec::Symbolic {
                nullable,
                descriptor,
            } => *nullable && descriptor.len() > 1,
            Spec::Elements { nullable, .. } | Spec::OneOf { nullable, .. } => *nullable,
            other => matches!(other, Spec::Null),
        }
    }

    /// Whether no code of a library or of the program runs when it is built.
    pub fn is_cheap(&self) -> bool {
        match self {
            Spec::Symbolic { .. }
            | Spec::Constant { .. }
            | Spec::Class(_)
            | Spec::Literal(_)
            | Spec::Null => true,
            Spec::OneOf { of, .. } => of.iter().all(Spec::is_cheap),
            Spec::Elements { values, .. } | Spec::Exactly { values, .. } => {
                values.iter().all(Spec::is_cheap)
            }
            Spec::Lambda { result, .. } => result.iter().all(|r| r.is_cheap()),
            // Made by models.
            Spec::Call { maker, .. } => matches!(
                &*maker.class_name,
                "java/lang/Object" | "java/lang/StringBuilder"
            ),
        }
    }

    /// How much there is to decide in it: numbers are less than strings, a constant is less than a call.
    pub fn weight(&self) -> u32 {
        let sum = |specs: &[Spec]| specs.iter().map(Spec::weight).sum::<u32>();
        match self {
            Spec::Null => 0,
            Spec::Constant { .. } | Spec::Class(_) | Spec::Literal(_) => 1,
            Spec::Symbolic { descriptor, .. } => match descriptor.as_bytes() {
                [b'F' | b'D'] => 6,
                [_] => 1,
                [b'[', ..] => 10,
                _ if &**descriptor == STRING || &**descriptor == super::CHARS => 8,
                _ => 2,
            },
            Spec::Call { args, calls, .. } => {
                let calls = calls.iter().map(|(_, args)| 4 + sum(args));
                3 + sum(args) + calls.sum::<u32>()
            }
            Spec::Elements { values, .. } => 4 + sum(values),
            Spec::Exactly { values, .. } => sum(values),
            Spec::OneOf { of, .. } => 1 + of.iter().map(Spec::weight).max().unwrap_or(0),
            Spec::Lambda { result, .. } => 2 + result.iter().map(|r| r.weight()).sum::<u32>(),
        }
    }

    /// Whether a constructor makes it, which never gives null.
    pub fn constructs(&self) -> bool {
        matches!(self, Spec::Call { maker, .. } if &*maker.name == "<init>")
    }

    /// What a reader of a path condition calls the value's type.
    pub fn type_name(&self) -> String {
        let simple = |class: &str| {
            let name = class.rsplit('/').next().unwrap_or(class);
            name.replace('$', ".")
        };
        match self {
            Spec::Symbolic { descriptor, .. } => match descriptor.strip_prefix('[') {
                Some(element) => match class_name_of(element) {
                    Some(class) => format!("{}[]", simple(&class)),
                    None => format!("{}[]", primitive_name(element)),
                },
                None => simple(&class_name_of(descriptor).unwrap_or_default()),
            },
            Spec::Elements { element, .. } | Spec::Exactly { element, .. } => {
                format!("{}[]", simple(&class_name_of(element).unwrap_or_default()))
            }
            Spec::Call { maker, .. } => simple(&maker.class_name),
            Spec::Constant { class, name, .. } => format!("{}.{name}", simple(class)),
            Spec::Lambda { class, .. } => simple(class),
            Spec::Class(name) => format!("{}.class", simple(name)),
            Spec::Literal(_) => "String".into(),
            Spec::Null | Spec::OneOf { .. } => String::new(),
        }
    }
}
