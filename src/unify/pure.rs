//! Expressions that may be arguments of `change`: primitive, without side effects, and unable to throw.

use crate::java::{Method, Node};
use std::collections::BTreeMap;

/// Static type of an expression, as far as `change` needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Boolean,
    Int,
    Long,
    Float,
    Double,
    /// byte, short or char: int as soon as it is computed with, but a type of its own to overloads and `+`.
    Small,
}

/// Types of parameters and locals that have the same primitive type wherever their name is declared.
pub(super) struct Scope(BTreeMap<String, Option<Type>>);

impl Scope {
    /// No variables.
    pub(super) fn empty() -> Scope {
        Scope(BTreeMap::new())
    }

    pub(super) fn of(old: &str, a: &Method, new: &str, b: &Method) -> Scope {
        let mut scope = Scope(BTreeMap::new());
        for (source, method) in [(old, a), (new, b)] {
            for (name, ty) in method.param_names.iter().zip(&method.params) {
                scope.declare(name, primitive(ty));
            }
            if let Some(body) = &method.body {
                body.walk(&mut |node| scope.declared_by(node, source));
            }
        }
        scope
    }

    fn declared_by(&mut self, node: &Node, source: &str) {
        match node.kind {
            "local_variable_declaration" => {
                let ty = node.child("type").and_then(|t| primitive(t.text(source)));
                for d in node.named().filter(|c| c.kind == "variable_declarator") {
                    let array = d.child("dimensions").is_some();
                    let name = d.child("name").map(|n| n.text(source)).unwrap_or_default();
                    self.declare(name, if array { None } else { ty });
                }
            }
            // Whatever else introduces a name: no type is known of it.
            "formal_parameter"
            | "catch_formal_parameter"
            | "enhanced_for_statement"
            | "resource"
            | "type_pattern"
            | "inferred_parameters"
            | "lambda_expression" => {
                for c in node.children.iter().filter(|c| c.kind == "identifier") {
                    self.declare(c.text(source), None);
                }
            }
            _ => {}
        }
    }

    fn declare(&mut self, name: &str, ty: Option<Type>) {
        let known = self.0.entry(name.to_string()).or_insert(ty);
        if *known != ty {
            *known = None;
        }
    }

    /// The type of a pure expression; `None` when it is not pure or its type is not known.
    pub(super) fn pure(&self, node: &Node, source: &str) -> Option<Type> {
        match node.kind {
            "decimal_integer_literal"
            | "hex_integer_literal"
            | "octal_integer_literal"
            | "binary_integer_literal" => {
                let long = node.text(source).ends_with(['l', 'L']);
                Some(if long { Type::Long } else { Type::Int })
            }
            "decimal_floating_point_literal" | "hex_floating_point_literal" => {
                let float = node.text(source).ends_with(['f', 'F']);
                Some(if float { Type::Float } else { Type::Double })
            }
            "true" | "false" => Some(Type::Boolean),
            "identifier" => self.0.get(node.text(source)).copied().flatten(),
            "parenthesized_expression" => self.pure(node.named().next()?, source),
            "unary_expression" => {
                let operand = self.pure(node.named().last()?, source)?;
                let not = node.child("operator")?.text(source) == "!";
                match (not, operand) {
                    (true, Type::Boolean) => Some(Type::Boolean),
                    (false, Type::Boolean) | (true, _) => None,
                    (false, Type::Float | Type::Double)
                        if node.child("operator")?.text(source) == "~" =>
                    {
                        None
                    }
                    (false, ty) => Some(promoted(ty)),
                }
            }
            "binary_expression" => self.binary(node, source),
            _ => None,
        }
    }

    fn binary(&self, node: &Node, source: &str) -> Option<Type> {
        let (left, right) = (node.child("left")?, node.child("right")?);
        let (a, b) = (self.pure(left, source)?, self.pure(right, source)?);
        let numeric = a != Type::Boolean && b != Type::Boolean;
        let floating = |t: Type| matches!(t, Type::Float | Type::Double);
        let integral = numeric && !floating(a) && !floating(b);
        let wider = [Type::Double, Type::Float, Type::Long]
            .into_iter()
            .find(|t| a == *t || b == *t)
            .unwrap_or(Type::Int);
        match node.child("operator")?.text(source) {
            "&&" | "||" if !numeric && a == b => Some(Type::Boolean),
            "&" | "|" | "^" if a == Type::Boolean && b == Type::Boolean => Some(Type::Boolean),
            "==" | "!=" if numeric || a == b => Some(Type::Boolean),
            "<" | ">" | "<=" | ">=" if numeric => Some(Type::Boolean),
            "+" | "-" | "*" if numeric => Some(wider),
            "/" | "%" if numeric && floating(wider) => Some(wider),
            "&" | "|" | "^" if integral => Some(wider),
            "<<" | ">>" | ">>>" if integral => Some(promoted(a)),
            // A divisor that is a literal other than zero cannot throw.
            "/" | "%"
                if numeric
                    && right.kind == "decimal_integer_literal"
                    && !is_zero(right.text(source)) =>
            {
                Some(wider)
            }
            _ => None,
        }
    }
}

fn is_zero(literal: &str) -> bool {
    literal.chars().all(|c| matches!(c, '0' | '_' | 'l' | 'L'))
}

fn promoted(ty: Type) -> Type {
    if ty == Type::Small { Type::Int } else { ty }
}

fn primitive(text: &str) -> Option<Type> {
    Some(match text {
        "boolean" => Type::Boolean,
        "int" => Type::Int,
        "long" => Type::Long,
        "float" => Type::Float,
        "double" => Type::Double,
        "byte" | "short" | "char" => Type::Small,
        _ => return None,
    })
}
