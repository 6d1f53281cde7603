//! Resolution of a call's text to a method and an input, by the class files of both builds, as a compiler would choose.

use super::CallError;
use super::answer::stand_in;
use super::expression::{After, Expression, Step, TypeText};
use super::fit::{fits, value};
use super::shared::SharedObjects;
use crate::bytecode::access::{ENUM, STATIC};
use crate::bytecode::class_file::{ClassFile, Field};
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::java_text::type_name;
use crate::model::{
    Input, Inputs, MethodRef, PriorCall, Spelling, class_in, is_primitive, primitive_descriptor,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A call that can be replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The method called.
    pub entry: MethodRef,
    /// Whether it is static.
    pub is_static: bool,
    /// Receiver and arguments.
    pub inputs: Inputs,
}

/// Classes by the names people write.
pub struct Classes {
    pub(super) paths: Vec<Arc<ClassPath>>,
    /// Objects that have a name in the call at hand.
    pub(super) shared: SharedObjects,
}

/// What kind of method is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Constructor,
    Static,
    Instance,
}

type CallResult<T> = Result<T, CallError>;

/// The call an expression means.
///
/// # Errors
/// No class, method or constructor fits, or several do.
pub fn resolve(expression: &Expression, classes: &Classes) -> CallResult<Call> {
    classes.shared.clear();
    let call = |entry, is_static, receiver, args| Call {
        entry,
        is_static,
        inputs: Inputs { receiver, args },
    };
    match expression {
        Expression::New { class, args, after } if after.is_empty() => {
            let class = classes.need(class)?;
            let (entry, args) = classes.method(&class, "<init>", args, Kind::Constructor)?;
            Ok(call(entry, false, None, args))
        }
        Expression::Static { path, args, after } if after.is_empty() => {
            let (name, owner) = path.split_last().ok_or_else(|| CallError::new("no name"))?;
            match classes.find(&owner.join(".")) {
                Some(class) => {
                    let (entry, args) = classes.method(&class, name, args, Kind::Static)?;
                    Ok(call(entry, true, None, args))
                }
                None => instance(&Expression::Path(owner.to_vec()), name, args, classes),
            }
        }
        Expression::Path(path) if path.len() > 1 => {
            let (entry, args) = reader(path, classes)?;
            Ok(call(entry, true, None, args))
        }
        Expression::Method {
            receiver,
            name,
            args,
            after,
        } if after.is_empty() => instance(receiver, name, args, classes),
        Expression::New { .. } | Expression::Static { .. } | Expression::Method { .. } => {
            Err(CallError::new(
                "there is no call at the end; write `(new demo.Foo() after add(1)).get()`",
            ))
        }
        _ => Err(CallError::new(
            "this is a value, not a call; write a call such as `new demo.Foo(1).bar(2)` or `demo.Foo.baz(0)`",
        )),
    }
}

/// The method that gives a static field's value, where a class is made for that, and its arguments: none.
fn reader(path: &[String], classes: &Classes) -> CallResult<(MethodRef, Vec<Input>)> {
    let (name, owner) = path.split_last().ok_or_else(|| CallError::new("no name"))?;
    let class = classes.need(&owner.join("."))?;
    let made = classes.find(&MethodRef::reader(&class.name.dotted(), name, "").class);
    let found = made.and_then(|made| classes.method(&made, name, &[], Kind::Static).ok());
    found.ok_or_else(|| {
        CallError::new(format!(
            "{name} is no public static field of {} that the patch sets otherwise; write a call such as `demo.Foo.baz(0)`",
            class.name.dotted()
        ))
    })
}

fn instance(
    receiver: &Expression,
    name: &str,
    args: &[Expression],
    classes: &Classes,
) -> CallResult<Call> {
    let (receiver, class) = classes.object(receiver)?;
    let class = classes.need(&class)?;
    let (entry, args) = classes.method(&class, name, args, Kind::Instance)?;
    Ok(Call {
        entry,
        is_static: false,
        inputs: Inputs {
            receiver: Some(receiver),
            args,
        },
    })
}

impl Classes {
    /// Looks in these builds and libraries, in order.
    pub fn new(paths: Vec<Arc<ClassPath>>) -> Classes {
        Classes {
            paths,
            shared: SharedObjects::default(),
        }
    }

    /// The class of a name: binary, with dots for nested classes too, of `java.lang` or of the builds without package.
    pub(super) fn find(&self, name: &str) -> Option<Arc<ClassFile>> {
        let find = |n: &str| self.paths.iter().find_map(|p| p.find(n).ok().flatten());
        let mut internal = name.internal();
        loop {
            if let Some(class) = find(&internal) {
                return Some(class);
            }
            let Some(at) = internal.rfind('/') else { break };
            internal.replace_range(at..=at, "$");
        }
        if name.contains('.') {
            return None;
        }
        let simple = format!("/{name}");
        let known = self.paths.iter().flat_map(|p| p.list_dirs());
        let same: BTreeSet<String> = known.filter(|n| n.ends_with(&simple)).collect();
        match same.len() {
            0 => find(&format!("java/lang/{name}")),
            1 => same.first().and_then(|n| find(n)),
            _ => None,
        }
    }

    fn need(&self, name: &str) -> CallResult<Arc<ClassFile>> {
        self.find(name).ok_or_else(|| {
            CallError::new(format!(
                "class {name} was not found in the changed files, in the files that they use, or on the class path; write its full name"
            ))
        })
    }

    /// Descriptor of a type as written.
    pub(super) fn descriptor(&self, ty: &TypeText) -> CallResult<String> {
        // A parameter's type is never `void`.
        let primitive = primitive_descriptor(&ty.name).filter(|d| *d != "V");
        let element = match primitive {
            Some(primitive) => primitive.to_string(),
            None => format!("L{};", self.need(&ty.name)?.name),
        };
        Ok(format!("{}{element}", "[".repeat(ty.dimensions)))
    }

    /// An object or enum constant, with its class (for a factory's result, the declared one).
    pub(super) fn object(&self, made: &Expression) -> CallResult<(Input, String)> {
        let (method, args, after) = match made {
            Expression::New { class, args, after } => {
                let class = self.need(class)?;
                let (method, args) = self.method(&class, "<init>", args, Kind::Constructor)?;
                (method, args, after)
            }
            Expression::Static { path, args, after } => {
                let (name, owner) = path.split_last().ok_or_else(|| CallError::new("no name"))?;
                // `demo.Foo.class.getDeclaredMethod(…)`, `demo.Format.DEFAULT.with("a")`
                let class = owner.join(".");
                let is_held = owner.last().is_some_and(|o| o == "class")
                    || self.find(&class).is_none() && self.constant(owner).is_ok();
                if is_held {
                    return self.result(&Expression::Path(owner.to_vec()), name, args, after);
                }
                let class = self.need(&class)?;
                let (method, args) = self.method(&class, name, args, Kind::Static)?;
                (method, args, after)
            }
            Expression::Path(path) => return self.constant(path),
            Expression::StandIn(name, answers) => {
                let class = self.need(name)?;
                return Ok((stand_in(self, &class, answers)?, class.name.dotted()));
            }
            Expression::Shared(name, inner) => {
                let (_, class) = self.object(&inner.as_made())?;
                let number = self.shared.put(name, &format!("L{};", class.internal()));
                let value = Box::new(self.object(inner)?.0);
                return Ok((Input::Shared { number, value }, class));
            }
            Expression::Method {
                receiver,
                name,
                args,
                after,
            } => return self.result(receiver, name, args, after),
            Expression::Cast(ty, inner) if is_lambda(inner) => {
                let object = value(self, inner, &self.descriptor(ty)?)?;
                return Ok((object, self.need(&ty.name)?.name.dotted()));
            }
            // What a method gives may be of a class below the declared one.
            Expression::Cast(ty, inner) if ty.dimensions == 0 => {
                let (object, _) = self.object(inner)?;
                return Ok((object, self.need(&ty.name)?.name.dotted()));
            }
            _ => {
                return Err(CallError::new(
                    "a receiver must be made by a constructor or a static factory, or be an enum constant",
                ));
            }
        };
        let class = match method.name.as_str() {
            "<init>" => method.class.to_string(),
            _ => type_name_of_result(&method),
        };
        let calls = self.calls(&class, after)?;
        let object = Input::Object {
            method,
            args,
            calls,
        };
        Ok((object, class))
    }

    /// What an instance method returns, with its declared class.
    fn result(
        &self,
        on: &Expression,
        name: &str,
        args: &[Expression],
        after: &After,
    ) -> CallResult<(Input, String)> {
        let (receiver, class) = self.object(on)?;
        let class = self.need(&class)?;
        let (method, args) = self.method(&class, name, args, Kind::Instance)?;
        let class = type_name_of_result(&method);
        let receiver = Box::new(receiver);
        let calls = self.calls(&class, after)?;
        let made = Input::Result {
            receiver,
            method,
            args,
            calls,
        };
        Ok((made, class))
    }

    fn calls(&self, class: &str, after: &After) -> CallResult<Vec<PriorCall>> {
        let mut calls = Vec::new();
        for step in after {
            let class = self.need(class)?;
            calls.push(match step {
                Step::Call(name, args) => self.method(&class, name, args, Kind::Instance)?,
                Step::Set(name, set) => self.set(&class, name, set)?,
            });
        }
        Ok(calls)
    }

    fn constant(&self, path: &[String]) -> CallResult<(Input, String)> {
        let written = path.join(".");
        if let Some((number, descriptor)) = self.shared.get(&written) {
            let class = class_in(&descriptor);
            return Ok((Input::Same(number), class.dotted()));
        }
        if let Some(class) = written.strip_suffix(".class") {
            let element = class.trim_end_matches("[]");
            let name = match (class.len() - element.len()) / 2 {
                0 if is_primitive(class) => class.to_string(),
                0 => self.need(class)?.name.dotted(),
                dimensions => {
                    let name = element.to_string();
                    self.descriptor(&TypeText { name, dimensions })?.dotted()
                }
            };
            return Ok((Input::Class(name), "java.lang.Class".into()));
        }
        let class = match path.split_last() {
            Some((_, owner)) if !owner.is_empty() => self.find(&owner.join(".")),
            _ => None,
        };
        let constant = path.last().cloned().unwrap_or_default();
        let field = class.as_ref().and_then(|c| {
            let is_named = |f: &&Field| {
                *f.name == *constant && f.access & STATIC != 0 && f.descriptor.starts_with('L')
            };
            c.fields.iter().find(is_named)
        });
        let (Some(class), Some(field)) = (&class, field) else {
            return Err(CallError::new(format!(
                "{written} is not an enum constant, a static field, a class or a literal"
            )));
        };
        let class = class.name.dotted();
        if field.access & ENUM != 0 {
            return Ok((
                Input::Enum {
                    class: class.clone(),
                    constant,
                },
                class,
            ));
        }
        let ty = class_in(&field.descriptor);
        let held = Input::Field {
            class,
            field: constant,
        };
        Ok((held, ty.dotted()))
    }

    /// The method that fits the arguments best, and the arguments as its parameters take them.
    fn method(
        &self,
        class: &Arc<ClassFile>,
        name: &str,
        args: &[Expression],
        kind: Kind,
    ) -> CallResult<(MethodRef, Vec<Input>)> {
        let candidates = self.candidates(class, name, kind);
        let mut fitting: Vec<(u32, &MethodRef)> = Vec::new();
        for id in &candidates {
            let parameters = parameter_descriptors(&id.descriptor);
            let mut cost = (parameters.len() == args.len()).then_some(0);
            for (arg, parameter) in args.iter().zip(&parameters) {
                cost = match (cost, fits(self, arg, parameter)?) {
                    (Some(a), Some(b)) => Some(a + b),
                    _ => None,
                };
            }
            fitting.extend(cost.map(|cost| (cost, id)));
        }
        fitting.sort_by_key(|f| f.0);
        let list = |ids: Vec<&MethodRef>| {
            ids.into_iter()
                .map(signature)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let shown = if name == "<init>" {
            "constructor"
        } else {
            name
        };
        match fitting[..] {
            [] if candidates.is_empty() => Err(CallError::new(format!(
                "{} has no {}{shown}",
                class.name.dotted(),
                if kind == Kind::Static {
                    "static method "
                } else {
                    ""
                }
            ))),
            [] => Err(CallError::new(format!(
                "the arguments of {shown} do not fit; there is {}",
                list(candidates.iter().collect())
            ))),
            [(first, _), (second, _), ..] if first == second => {
                let same = fitting.iter().filter(|f| f.0 == fitting[0].0);
                Err(CallError::new(format!(
                    "{} fit equally well; put casts such as `(int)` or `(java.lang.String)` before arguments",
                    list(same.map(|f| f.1).collect())
                )))
            }
            [(_, id), ..] => {
                let parameters = parameter_descriptors(&id.descriptor);
                let values = args.iter().zip(&parameters);
                let values: CallResult<Vec<Input>> =
                    values.map(|(a, p)| value(self, a, p)).collect();
                Ok((id.clone(), values?))
            }
        }
    }

    /// The input that an expression with no literal form makes for a parameter of a reference type.
    pub(super) fn reference(&self, made: &Expression) -> CallResult<(Input, String)> {
        let (input, class) = self.object(made)?;
        Ok((input, format!("L{};", class.internal())))
    }
}

/// Whether only a cast says what a value is.
fn is_lambda(made: &Expression) -> bool {
    match made {
        Expression::Shared(_, inner) => is_lambda(inner),
        other => matches!(other, Expression::Lambda(..)),
    }
}

fn type_name_of_result(method: &MethodRef) -> String {
    let result = method.descriptor.rsplit(')').next().unwrap_or_default();
    class_in(result).dotted()
}

fn signature(id: &MethodRef) -> String {
    let types: Vec<String> = parameter_descriptors(&id.descriptor)
        .iter()
        .map(|d| type_name(d))
        .collect();
    let class = id.class.rsplit(['.', '$']).next().unwrap_or_default();
    let name = if id.name == "<init>" { class } else { &id.name };
    format!("{name}({})", types.join(", "))
}
