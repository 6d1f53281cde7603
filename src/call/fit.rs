//! Conversion of a literal or expression to an input for a parameter.

use super::CallError;
use super::answer::answer;
use super::expression::Expression;
use super::resolve::Classes;
use crate::bytecode::parameter_descriptors;
use crate::model::Input;

type CallResult<T> = Result<T, CallError>;

/// The wrapper class of a primitive descriptor.
fn box_of(primitive: &str) -> Option<&'static str> {
    Some(match primitive {
        "Z" => "Ljava/lang/Boolean;",
        "B" => "Ljava/lang/Byte;",
        "S" => "Ljava/lang/Short;",
        "C" => "Ljava/lang/Character;",
        "I" => "Ljava/lang/Integer;",
        "J" => "Ljava/lang/Long;",
        "F" => "Ljava/lang/Float;",
        "D" => "Ljava/lang/Double;",
        _ => return None,
    })
}

/// Primitive types a literal of the given type may stand for, Java's widening and the narrowing of constants together.
fn widened(literal: &str, value: i64) -> &'static [&'static str] {
    match literal {
        "I" if i8::try_from(value).is_ok() => &["B", "S", "C", "J", "F", "D"],
        "I" if i16::try_from(value).is_ok() => &["S", "C", "J", "F", "D"],
        "I" => &["C", "J", "F", "D"],
        "C" => &["I", "J", "F", "D"],
        "J" => &["F", "D"],
        "F" => &["D"],
        _ => &[],
    }
}

/// The primitive a literal is: its descriptor, and its value where that is an integer.
pub(super) fn literal(written: &Expression) -> Option<(&'static str, i64)> {
    Some(match written {
        Expression::Boolean(_) => ("Z", 0),
        Expression::Int(n) => ("I", i64::from(*n)),
        Expression::Long(n) => ("J", *n),
        Expression::Char(c) => ("C", i64::from(*c)),
        Expression::Float(_) => ("F", 0),
        Expression::Double(_) => ("D", 0),
        _ => return None,
    })
}

fn is_reference(descriptor: &str) -> bool {
    descriptor.starts_with(['L', '['])
}

/// Reference types everything boxed fits as well.
fn takes_any(descriptor: &str) -> bool {
    ["Object", "Number", "Comparable", "CharSequence"]
        .iter()
        .any(|n| descriptor == format!("Ljava/lang/{n};"))
        || descriptor == "Ljava/io/Serializable;"
}

/// The cost of passing the value: 0 where the types are the same, `None` where it does not fit.
pub(super) fn fits(
    classes: &Classes,
    written: &Expression,
    parameter: &str,
) -> CallResult<Option<u32>> {
    if let Some((own, n)) = literal(written) {
        let boxed = box_of(own);
        return Ok(if own == parameter {
            Some(0)
        } else if widened(own, n).contains(&parameter) {
            char_range(parameter, n).then_some(1)
        } else if boxed == Some(parameter) {
            Some(2)
        } else {
            takes_any(parameter).then_some(3)
        });
    }
    let own = match written {
        Expression::Null => return Ok(is_reference(parameter).then_some(1)),
        Expression::Str(_) => "Ljava/lang/String;".to_string(),
        Expression::Cast(ty, _) => {
            let cast = classes.descriptor(ty)?;
            let boxes = box_of(&cast).is_some_and(|b| b == parameter || takes_any(parameter));
            // A cast says which overload is meant.
            return Ok(if cast == parameter {
                Some(0)
            } else {
                boxes.then_some(2)
            });
        }
        Expression::Lambda(names, value) => {
            let method = classes.single_method(parameter);
            let fitting = method.filter(|m| {
                parameter_descriptors(&m.descriptor).len() == names.len()
                    && m.descriptor.ends_with(")V") == value.is_none()
            });
            return Ok(fitting.map(|_| 1));
        }
        Expression::Boxed(inner) => own_box(classes, inner)?,
        Expression::Array(element, _) => format!("[{}", classes.descriptor(element)?),
        Expression::Shared(name, inner) => {
            // It may be used within itself.
            classes
                .shared
                .put(name, &shared_type(classes, inner, parameter)?);
            return fits(classes, inner, parameter);
        }
        Expression::Path(path) if path.len() == 1 && classes.shared.get(&path[0]).is_some() => {
            classes.shared.get(&path[0]).unwrap_or_default().1
        }
        made => classes.reference(made)?.1,
    };
    Ok(if own == parameter {
        Some(0)
    } else {
        (is_reference(parameter) && compatible(&own, parameter)).then_some(1)
    })
}

/// The type of an object with a name, which a parameter takes.
fn shared_type(classes: &Classes, made: &Expression, parameter: &str) -> CallResult<String> {
    Ok(match made {
        Expression::Str(_) => "Ljava/lang/String;".to_string(),
        Expression::Cast(ty, _) => classes.descriptor(ty)?,
        Expression::Boxed(inner) => own_box(classes, inner)?,
        Expression::Array(element, _) => format!("[{}", classes.descriptor(element)?),
        Expression::Lambda(..) => parameter.to_string(),
        made if literal(made).is_some() => parameter.to_string(),
        made => classes.reference(&made.as_made())?.1,
    })
}

/// What the JVM would refuse at once is left out; whether one class extends another it says itself.
fn compatible(own: &str, parameter: &str) -> bool {
    let of_references = |d: &str| d.starts_with("[L") || d.starts_with("[[");
    let is_box = |d: &str| {
        ["Z", "B", "S", "C", "I", "J", "F", "D"]
            .iter()
            .any(|p| box_of(p) == Some(d))
    };
    let is_final = |d: &str| d == "Ljava/lang/String;" || is_box(d);
    if parameter == "Ljava/lang/Object;" {
        true
    } else if own.starts_with('[') || parameter.starts_with('[') {
        of_references(own) && of_references(parameter)
    } else if is_final(own) {
        takes_any(parameter)
    } else {
        !is_final(parameter)
    }
}

fn char_range(parameter: &str, n: i64) -> bool {
    parameter != "C" || u16::try_from(n).is_ok()
}

fn own_box(classes: &Classes, inner: &Expression) -> CallResult<String> {
    let primitive = match inner {
        Expression::Cast(ty, _) => classes.descriptor(ty)?,
        other => literal(other).map(|l| l.0.to_string()).unwrap_or_default(),
    };
    box_of(&primitive)
        .map(String::from)
        .ok_or_else(|| CallError::new("valueOf takes a literal"))
}

/// The input that the value is for a parameter it fits.
pub(super) fn value(classes: &Classes, written: &Expression, parameter: &str) -> CallResult<Input> {
    if let Some((own, n)) = literal(written) {
        let target = if is_reference(parameter) {
            own
        } else {
            parameter
        };
        let input = primitive(written, n, target)?;
        return Ok(if is_reference(parameter) {
            Input::Boxed(Box::new(input))
        } else {
            input
        });
    }
    Ok(match written {
        Expression::Null if is_reference(parameter) => Input::Null,
        Expression::Null => return Err(CallError::new("null is not a value of a primitive type")),
        Expression::Str(units) => Input::Str(units.clone()),
        Expression::Cast(ty, inner) => {
            let cast = classes.descriptor(ty)?;
            let input = match narrowed(inner, &cast) {
                Some(input) => input,
                None => value(classes, inner, &cast)?,
            };
            if !is_reference(&cast) && is_reference(parameter) {
                Input::Boxed(Box::new(input))
            } else {
                input
            }
        }
        Expression::Boxed(inner) => {
            let input = match &**inner {
                cast @ Expression::Cast(ty, _) => value(classes, cast, &classes.descriptor(ty)?)?,
                other => {
                    let (own, n) =
                        literal(other).ok_or_else(|| CallError::new("valueOf takes a literal"))?;
                    primitive(other, n, own)?
                }
            };
            Input::Boxed(Box::new(input))
        }
        Expression::Lambda(names, body) => {
            let method = classes.single_method(parameter).ok_or_else(|| {
                CallError::new("a lambda needs an interface with one abstract method")
            })?;
            let result = method.descriptor.rsplit(')').next().unwrap_or_default();
            let result = match body {
                Some(body) => Some(Box::new(answer(classes, body, names, result)?)),
                None => None,
            };
            Input::Lambda { method, result }
        }
        Expression::Array(element, values) => {
            let element = classes.descriptor(element)?;
            let values: CallResult<Vec<Input>> = values
                .iter()
                .map(|v| match fits(classes, v, &element)? {
                    Some(_) => value(classes, v, &element),
                    None => Err(CallError::new("an element does not fit its array's type")),
                })
                .collect();
            Input::Array {
                element,
                values: values?,
            }
        }
        Expression::Shared(name, inner) => {
            let number = classes
                .shared
                .put(name, &shared_type(classes, inner, parameter)?);
            let value = Box::new(value(classes, inner, parameter)?);
            Input::Shared { number, value }
        }
        made => classes.object(made)?.0,
    })
}

/// What a cast to an integral type makes of an integral literal: its low bits (JLS §5.1.3).
fn narrowed(written: &Expression, cast: &str) -> Option<Input> {
    let (_, n) = literal(written).filter(|(own, _)| matches!(*own, "I" | "J" | "C"))?;
    Some(match cast {
        "B" => Input::Byte(n as i8),
        "S" => Input::Short(n as i16),
        "C" => Input::Char(n as u16),
        "I" => Input::Int(n as i32),
        _ => return None,
    })
}

/// A primitive literal as a value of the given primitive type.
fn primitive(written: &Expression, n: i64, target: &str) -> CallResult<Input> {
    let range = || CallError::new(format!("{n} is out of range for its type"));
    let number = match written {
        Expression::Float(bits) => f64::from(f32::from_bits(*bits)),
        _ => n as f64,
    };
    Ok(match (written, target) {
        (Expression::Boolean(b), "Z") => Input::Boolean(*b),
        (Expression::Double(bits), "D") => Input::Double(*bits),
        (Expression::Float(bits), "F") => Input::Float(*bits),
        (Expression::Boolean(_) | Expression::Double(_), _) => {
            return Err(CallError::new("a literal of another type is needed"));
        }
        (_, "D") => Input::Double(number.to_bits()),
        (Expression::Float(_), _) => return Err(CallError::new("a float is not an integer")),
        (_, "F") => Input::Float((n as f32).to_bits()),
        (_, "B") => Input::Byte(i8::try_from(n).map_err(|_| range())?),
        (_, "S") => Input::Short(i16::try_from(n).map_err(|_| range())?),
        (_, "C") => Input::Char(u16::try_from(n).map_err(|_| range())?),
        (_, "I") => Input::Int(i32::try_from(n).map_err(|_| range())?),
        (_, "J") => Input::Long(n),
        _ => return Err(CallError::new("a boolean is needed")),
    })
}
