//! Operators of functions in inputs, as Java expressions.

use crate::model::{Input, Operator};

/// An operator with its operands, which `text` writes.
pub fn operation(
    operator: Operator,
    operands: &[Input],
    mut text: impl FnMut(&Input) -> String,
) -> String {
    let mut part = |at: usize| {
        let Some(operand) = operands.get(at) else {
            return String::new();
        };
        let written = text(operand);
        match operand {
            Input::Operation {
                operator: inner, ..
            } if inner.is_infix() => format!("({written})"),
            _ => written,
        }
    };
    let (a, b) = (part(0), part(1));
    let of_text = |name: &str| format!("String.valueOf({a}).{name}({b})");
    match operator {
        Operator::Equal => format!("{a} == {b}"),
        Operator::Less => format!("{a} < {b}"),
        Operator::Add => format!("{a} + {b}"),
        Operator::Equals => format!("java.util.Objects.equals({a}, {b})"),
        Operator::StartsWith | Operator::EndsWith | Operator::Contains | Operator::Length => {
            of_text(operator.name())
        }
        Operator::Compare => {
            format!("String.valueOf({a}).compareTo(String.valueOf({b}))")
        }
        Operator::Print => match operands.first() {
            Some(Input::Str(_)) => format!("System.out.append({a})"),
            _ => format!("System.out.append(String.valueOf({a}))"),
        },
        Operator::Not => format!("!{a}"),
        Operator::Choose => format!("{a} ? {b} : {}", part(2)),
        Operator::Unbox => {
            let class = match operands.first() {
                Some(Input::Class(name)) => name.as_str(),
                _ => "java.lang.Object",
            };
            format!("(({class}) {b})")
        }
    }
}
