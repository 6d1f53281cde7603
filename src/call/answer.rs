//! Values of lambdas, and of the methods of stand-ins, that come of their arguments.

use super::CallError;
use super::expression::{Answer, Expression};
use super::fit::{literal, value};
use super::resolve::{Classes, Kind};
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::parameter_descriptors;
use crate::model::{ClassName, Input, MethodRef, Operator, Spelling, class_in};
use std::sync::Arc;

type CallResult<T> = Result<T, CallError>;

/// What a lambda gives, of its arguments' names.
pub(super) fn answer(
    classes: &Classes,
    written: &Expression,
    names: &[String],
    result: &str,
) -> CallResult<Input> {
    const TEXT: &str = "Ljava/lang/String;";
    const OBJECT: &str = "Ljava/lang/Object;";
    let of = |written: &Expression, ty: &str| answer(classes, written, names, ty);
    let operation = |operator, operands: Vec<Input>| Input::Operation { operator, operands };
    match written {
        Expression::Path(path) if path.len() == 1 && names.contains(&path[0]) => {
            let at = names.iter().position(|n| *n == path[0]);
            Ok(Input::Argument(at.unwrap_or_default() as u32))
        }
        Expression::Cast(ty, inner) if is_argument(inner, names) => {
            let class = classes.descriptor(ty)?;
            let class = class_in(&class).dotted();
            let operands = vec![Input::Class(class), of(inner, OBJECT)?];
            Ok(operation(Operator::Unbox, operands))
        }
        Expression::Operation(Operator::Choose, operands) => {
            let types = ["Z", result, result];
            let all = operands.iter().zip(types).map(|(o, ty)| of(o, ty));
            Ok(operation(Operator::Choose, all.collect::<CallResult<_>>()?))
        }
        Expression::Operation(operator, operands) => {
            // Literals have the type that they show.
            let all = operands.iter().map(|o| {
                let own = literal(o).map_or(OBJECT, |l| l.0);
                of(o, own)
            });
            Ok(operation(*operator, all.collect::<CallResult<_>>()?))
        }
        // `s.startsWith("ab")`
        Expression::Static { path, args, .. }
            if let [argument, name] = &path[..]
                && names.contains(argument)
                && let Some(operator) = Operator::of_text(name) =>
        {
            let mut operands = vec![of(&Expression::Path(vec![argument.clone()]), OBJECT)?];
            for arg in args {
                operands.push(of(arg, TEXT)?);
            }
            Ok(operation(operator, operands))
        }
        Expression::Static { path, args, .. } if path.join(".") == "System.out.append" => {
            let operands = args.iter().map(|arg| match text_of(arg) {
                Some(text) => of(text, OBJECT),
                None => of(arg, TEXT),
            });
            Ok(operation(
                Operator::Print,
                operands.collect::<CallResult<_>>()?,
            ))
        }
        Expression::Static { path, args, .. }
            if path.join(".").ends_with("Objects.equals") && args.len() == 2 =>
        {
            let all = args.iter().map(|a| of(a, OBJECT));
            Ok(operation(Operator::Equals, all.collect::<CallResult<_>>()?))
        }
        Expression::Method {
            receiver,
            name,
            args,
            ..
        } if let Some(text) = text_of(receiver)
            && let Some(operator) = Operator::of_text(name) =>
        {
            let mut operands = vec![of(text, OBJECT)?];
            for arg in args {
                operands.push(match text_of(arg) {
                    Some(text) => of(text, OBJECT)?,
                    None => of(arg, TEXT)?,
                });
            }
            Ok(operation(operator, operands))
        }
        // `((Task) a).run(b)`
        Expression::Method {
            receiver,
            name,
            args,
            ..
        } if let Expression::Cast(ty, argument) = &**receiver
            && is_argument(argument, names) =>
        {
            let class = classes.descriptor(ty)?;
            let class = class_in(&class);
            let method = taking(classes, class, name, args.len())?;
            let types = parameter_descriptors(&method.descriptor);
            let all = args.iter().zip(&types).map(|(arg, ty)| match arg {
                Expression::Cast(_, inner) if is_argument(inner, names) => of(inner, ty),
                arg => of(arg, ty),
            });
            Ok(Input::Result {
                receiver: Box::new(of(argument, OBJECT)?),
                args: all.collect::<CallResult<_>>()?,
                method,
                calls: Vec::new(),
            })
        }
        other => value(classes, other, result),
    }
}

/// The method of that name of an interface that takes so many arguments.
fn taking(classes: &Classes, class: &str, name: &str, arguments: usize) -> CallResult<MethodRef> {
    let missing = || CallError::new(format!("{} has no such method {name}", class.dotted()));
    let file = classes.find(&class.dotted()).ok_or_else(missing)?;
    let mut all = classes.candidates(&file, name, Kind::Instance).into_iter();
    let fits = |m: &MethodRef| parameter_descriptors(&m.descriptor).len() == arguments;
    all.find(fits).ok_or_else(missing)
}

fn is_argument(written: &Expression, names: &[String]) -> bool {
    matches!(written, Expression::Path(path) if path.len() == 1 && names.contains(&path[0]))
}

/// What `String.valueOf(…)` is called with.
fn text_of(written: &Expression) -> Option<&Expression> {
    match written {
        Expression::Static { path, args, .. } if path.join(".").ends_with("String.valueOf") => {
            args.first()
        }
        _ => None,
    }
}

/// An object of an interface whose methods are written out.
pub(super) fn stand_in(
    classes: &Classes,
    class: &Arc<ClassFile>,
    answers: &[Answer],
) -> CallResult<Input> {
    let mut all = Vec::new();
    for written in answers {
        let method = implemented(classes, class, written)?;
        let result = method.descriptor.rsplit(')').next().unwrap_or_default();
        let names: Vec<String> = written.parameters.iter().map(|p| p.1.clone()).collect();
        let value = written.value.iter();
        let value = value.map(|v| answer(classes, v, &names, result));
        let value = value.collect::<CallResult<_>>()?;
        all.push((method, value));
    }
    Ok(Input::StandIn {
        class: ClassName::of_internal(&class.name),
        answers: all,
    })
}

/// The method that a part of a stand-in implements.
fn implemented(
    classes: &Classes,
    class: &Arc<ClassFile>,
    written: &Answer,
) -> CallResult<MethodRef> {
    for method in classes.candidates(class, &written.name, Kind::Instance) {
        let types = parameter_descriptors(&method.descriptor);
        let mut fits = types.len() == written.parameters.len()
            && method.descriptor.ends_with(")V") == written.value.is_none();
        for (ty, (stated, _)) in types.iter().zip(&written.parameters) {
            if let Some(stated) = stated {
                fits &= classes.descriptor(stated)? == *ty;
            }
        }
        if fits {
            return Ok(method);
        }
    }
    Err(CallError::new(format!(
        "{} has no such method {}",
        class.name.dotted(),
        written.name
    )))
}
