//! A symbolic input value, and its concrete value under a model.

use crate::expr::{Model, Pool, Term, Valuation, Value as Constant, VarId};
use crate::model::{Input, MethodRef};
use crate::symex::value::text::{Text, TextRun};
use std::sync::Arc;

/// A symbolic input value, ready to be read under a model.
#[derive(Clone, Debug)]
pub enum Symbolic {
    /// A primitive of that descriptor.
    Prim(u8, Term),
    /// A string.
    Str {
        /// Null under this condition.
        null: Term,
        /// Its content.
        text: Text,
        /// Made by `new` under this condition, else a literal.
        copied: Term,
    },
    /// A box.
    Boxed(Term, u8, Term),
    /// An array.
    Array {
        /// Null under this condition.
        null: Term,
        /// Element descriptor.
        element: Arc<str>,
        /// Length.
        len: Term,
        /// Elements.
        values: Vec<Symbolic>,
    },
    /// Always null.
    Null,
    /// An enum constant: class and name.
    Constant(String, String),
    /// What a static field holds: class and field.
    Field(String, String),
    /// An object.
    Object {
        /// What makes it.
        maker: MethodRef,
        /// Whether that is an instance method, called on the first argument.
        on_first: bool,
        /// Arguments.
        args: Vec<Symbolic>,
        /// Prior calls.
        calls: Vec<(MethodRef, Vec<Symbolic>)>,
    },
    /// One of several: null under the first condition, else the one whose condition holds.
    OneOf(Term, Vec<(Term, Symbolic)>),
    /// A `Class` object, by its class's name.
    Class(String),
    /// A lambda: the interface's method and the value it gives.
    Lambda(MethodRef, Option<Box<Symbolic>>),
}

impl Symbolic {
    /// The value under a model.
    pub(in crate::symex) fn concrete(&self, pool: &Pool, model: &Model) -> Input {
        let all = |values: &[Symbolic]| values.iter().map(|v| v.concrete(pool, model)).collect();
        match self {
            Symbolic::Prim(descriptor, term) => prim_input(*descriptor, pool, model, *term),
            Symbolic::Str { null, .. }
            | Symbolic::Boxed(null, ..)
            | Symbolic::Array { null, .. }
            | Symbolic::OneOf(null, _)
                if pool.holds(*null, model) =>
            {
                Input::Null
            }
            Symbolic::Str { text, copied, .. } => {
                let units = units(pool, &Valuation::new(model.clone()), text);
                match pool.holds(*copied, model) {
                    true => Input::copied_text(units),
                    false => Input::Str(units),
                }
            }
            Symbolic::Boxed(_, descriptor, term) => {
                Input::Boxed(Box::new(prim_input(*descriptor, pool, model, *term)))
            }
            Symbolic::Array {
                element,
                len,
                values,
                ..
            } => {
                let len = number(pool, model, *len).max(0) as usize;
                Input::Array {
                    element: element.to_string(),
                    values: all(&values[..len.min(values.len())]),
                }
            }
            Symbolic::Null => Input::Null,
            Symbolic::Constant(class, constant) => Input::Enum {
                class: class.clone(),
                constant: constant.clone(),
            },
            Symbolic::Field(class, field) => Input::Field {
                class: class.clone(),
                field: field.clone(),
            },
            Symbolic::Object {
                maker,
                on_first: true,
                args,
                calls,
            } if !args.is_empty() => Input::Result {
                receiver: Box::new(args[0].concrete(pool, model)),
                method: maker.clone(),
                args: all(&args[1..]),
                calls: calls.iter().map(|(m, a)| (m.clone(), all(a))).collect(),
            },
            Symbolic::Object {
                maker, args, calls, ..
            } => Input::Object {
                method: maker.clone(),
                args: all(args),
                calls: calls.iter().map(|(m, a)| (m.clone(), all(a))).collect(),
            },
            Symbolic::OneOf(_, of) => of
                .iter()
                .find(|(condition, _)| pool.holds(*condition, model))
                .map_or(Input::Null, |(_, value)| value.concrete(pool, model)),
            Symbolic::Class(name) => Input::Class(name.clone()),
            Symbolic::Lambda(method, result) => Input::Lambda {
                method: method.clone(),
                result: result.as_ref().map(|r| Box::new(r.concrete(pool, model))),
            },
        }
    }

    fn terms(&self, out: &mut Vec<Term>) {
        match self {
            Symbolic::Prim(_, term) => out.push(*term),
            Symbolic::Str { null, text, .. } => {
                out.push(*null);
                if let Some((len, chars)) = text.chars() {
                    out.push(len);
                    out.extend(chars.iter());
                }
            }
            Symbolic::Boxed(null, _, term) => out.extend([*null, *term]),
            Symbolic::Array {
                null, len, values, ..
            } => {
                out.extend([*null, *len]);
                values.iter().for_each(|v| v.terms(out));
            }
            Symbolic::Null | Symbolic::Constant(..) | Symbolic::Field(..) | Symbolic::Class(_) => {}
            Symbolic::Object { args, calls, .. } => {
                args.iter()
                    .chain(calls.iter().flat_map(|c| &c.1))
                    .for_each(|v| v.terms(out));
            }
            Symbolic::OneOf(null, of) => {
                out.push(*null);
                out.extend(of.iter().map(|o| o.0));
                of.iter().for_each(|o| o.1.terms(out));
            }
            Symbolic::Lambda(_, result) => result.iter().for_each(|r| r.terms(out)),
        }
    }
}

/// The variables of some inputs, in reading order.
pub(in crate::symex) fn vars<'a>(
    values: impl Iterator<Item = &'a Symbolic>,
    pool: &Pool,
) -> Vec<VarId> {
    let mut terms = Vec::new();
    for value in values {
        value.terms(&mut terms);
    }
    terms
        .iter()
        .flat_map(|t| pool.vars_of(*t).to_vec())
        .collect()
}

fn number(pool: &Pool, model: &Model, term: Term) -> i64 {
    integer(pool.eval(term, model))
}

fn integer(value: Constant) -> i64 {
    match value {
        Constant::Bv(_, n) => n,
        Constant::Bool(b) => i64::from(b),
        Constant::F32(b) => i64::from(b),
        Constant::F64(b) => b as i64,
    }
}

/// A string's units under a model: they share most of their parts.
pub(in crate::symex) fn units(pool: &Pool, values: &Valuation, text: &Text) -> Vec<u16> {
    let number = |term: Term| integer(values.value(pool, term));
    let mut out = Vec::new();
    for piece in text.pieces() {
        match piece {
            TextRun::Chars { len, chars } => {
                let len = number(*len).max(0) as usize;
                let unit = |c: &Term| number(*c) as u16;
                out.extend(chars.iter().take(len).map(unit));
            }
            TextRun::Decimal(t) => out.extend(number(*t).to_string().encode_utf16()),
        }
    }
    out
}

fn prim_input(descriptor: u8, pool: &Pool, model: &Model, term: Term) -> Input {
    let n = number(pool, model, term);
    match descriptor {
        b'Z' => Input::Boolean(n & 1 == 1),
        b'B' => Input::Byte(n as i8),
        b'S' => Input::Short(n as i16),
        b'C' => Input::Char(n as u16),
        b'J' => Input::Long(n),
        b'F' => Input::Float(n as u32),
        b'D' => Input::Double(n as u64),
        _ => Input::Int(n as i32),
    }
}
