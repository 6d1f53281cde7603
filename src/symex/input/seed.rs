//! Concrete inputs as the engine takes them: the way they are built, and the model under which the symbolic values are theirs
//! (papers 002 and 003: a concolic run follows one).

use crate::expr::{Arith, Model, Pool, Term, Value as Constant, VarId};
use crate::model::reason::Reason;
use crate::model::{Input, Inputs, MethodRef, PriorCall, Spelling, Version};
use crate::symex::class::Method;
use crate::symex::class::linker::class_name_of;
use crate::symex::input::specs::{EntryShape, key_of, symbolic_type};
use crate::symex::input::{Built, STRING, Spec};
use crate::symex::state::interruption::{Interruption, Stop};
use crate::symex::state::shape::InputShape;
use crate::symex::state::symbolic::Symbolic;
use crate::symex::value::primitive::box_prim;
use crate::symex::vm::Vm;
use std::sync::Arc;

/// An input that can't be followed.
pub(in crate::symex) fn refused(why: &str) -> Interruption {
    Stop::unsupported(Reason::ConcolicInput, why).into()
}

/// How the entry method is called to get that input. Strings and arrays longer than the bounds raise them.
pub(in crate::symex) fn shape(
    vm: &mut Vm,
    entry: &Arc<Method>,
    inputs: &Inputs,
) -> Built<EntryShape> {
    if inputs.args.len() != entry.params.len() {
        return Err(refused("it has another number of arguments"));
    }
    for input in inputs.receiver.iter().chain(&inputs.args) {
        make_room(vm, input);
    }
    let owner = format!("L{};", entry.class_name);
    let receiver = match &inputs.receiver {
        Some(Input::Null) => return Err(refused("its receiver is null")),
        Some(receiver) => Some(spec(vm, &owner, receiver)?),
        None => None,
    };
    Ok((receiver, specs(vm, &entry.params, &inputs.args)?))
}

fn make_room(vm: &mut Vm, input: &Input) {
    let length = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    if let Some(units) = input.text() {
        vm.bounds.max_string = vm.bounds.max_string.max(length(units.len()));
        return;
    }
    match input {
        Input::Array { values, .. } => {
            vm.bounds.max_array = vm.bounds.max_array.max(length(values.len()));
            values.iter().for_each(|v| make_room(vm, v));
        }
        made => made.parts().for_each(|part| make_room(vm, part)),
    }
}

fn specs(vm: &mut Vm, params: &[Arc<str>], args: &[Input]) -> Built<Vec<Spec>> {
    let both = params.iter().zip(args);
    both.map(|(param, arg)| spec(vm, param, arg)).collect()
}

fn spec(vm: &mut Vm, descriptor: &str, input: &Input) -> Built<Spec> {
    let symbolic = |d: &str| Ok(Spec::symbolic(d));
    let boxed = class_name_of(descriptor).is_some_and(|c| box_prim(&c).is_some());
    if input.text().is_some() {
        return symbolic(STRING);
    }
    match input {
        Input::Null if symbolic_type(descriptor) || descriptor.starts_with('[') => {
            symbolic(descriptor)
        }
        Input::Null => Ok(Spec::Null),
        Input::Boxed(_) if boxed => symbolic(descriptor),
        Input::Boxed(inner) => symbolic(box_of(inner)),
        Input::Array { element, .. } if symbolic_type(element.trim_start_matches('[')) => {
            symbolic(&format!("[{element}"))
        }
        Input::Array { element, values } => {
            let values = values.iter().map(|v| spec(vm, element, v));
            Ok(Spec::Elements {
                element: Arc::from(element.as_str()),
                values: values.collect::<Built<_>>()?,
                nullable: true,
            })
        }
        Input::Enum {
            class,
            constant: field,
        }
        | Input::Field { class, field } => constant(vm, class, field),
        Input::Class(name) => Ok(Spec::Class(Arc::from(name.internal()))),
        Input::Object {
            method,
            args,
            calls,
        } => {
            let maker = find(vm, method)?;
            let args = specs(vm, &maker.params, args)?;
            let calls = prior(vm, calls)?;
            Ok(Spec::Call { maker, args, calls })
        }
        Input::Result {
            receiver,
            method,
            args,
            calls,
        } => {
            let maker = find(vm, method)?;
            let mut all = vec![spec(vm, &format!("L{};", maker.class_name), receiver)?];
            if method.class == "java.lang.Class" {
                all.extend(args.iter().map(named).collect::<Built<Vec<_>>>()?);
            } else {
                all.extend(specs(vm, &maker.params, args)?);
            }
            Ok(Spec::Call {
                maker,
                args: all,
                calls: prior(vm, calls)?,
            })
        }
        Input::Shared { .. } | Input::Same(_) => Err(refused("one object is used twice")),
        Input::StandIn { .. } => Err(refused("an interface with several methods is implemented")),
        Input::Argument(_) | Input::Operation { .. } => {
            Err(refused("a function answers by its arguments"))
        }
        Input::Lambda { method, result } => {
            let class = Arc::from(method.class.internal());
            let method = find(vm, method)?;
            let result = match result {
                Some(result) => Some(Box::new(spec(vm, &method.result.clone(), result)?)),
                None => None,
            };
            Ok(Spec::Lambda {
                class,
                method,
                result,
            })
        }
        _ => symbolic(descriptor),
    }
}

/// An argument by which a member is looked up: a name, or types.
fn named(input: &Input) -> Built<Spec> {
    match input {
        Input::Str(units) => Ok(Spec::Literal(Arc::from(String::from_utf16_lossy(units)))),
        Input::Class(name) => Ok(Spec::Class(Arc::from(name.internal()))),
        Input::Array { element, values } => Ok(Spec::Exactly {
            element: Arc::from(element.as_str()),
            values: values.iter().map(named).collect::<Built<_>>()?,
        }),
        _ => Err(refused("a member is looked up by something else")),
    }
}

/// What a static field holds.
fn constant(vm: &mut Vm, class: &str, field: &str) -> Built<Spec> {
    let class: Arc<str> = Arc::from(class.internal());
    let owner = vm.linker.resolve_for(&class, Version::New)?;
    let mut statics = vm.linker.class(owner).statics.iter();
    let found = statics.find(|s| *s.name == *field);
    let found = found.ok_or_else(|| refused(&format!("there is no field {field}")))?;
    Ok(Spec::Constant {
        class,
        name: found.name.clone(),
        descriptor: found.descriptor.clone(),
    })
}

fn box_of(primitive: &Input) -> &'static str {
    match primitive {
        Input::Boolean(_) => "Ljava/lang/Boolean;",
        Input::Byte(_) => "Ljava/lang/Byte;",
        Input::Short(_) => "Ljava/lang/Short;",
        Input::Char(_) => "Ljava/lang/Character;",
        Input::Long(_) => "Ljava/lang/Long;",
        Input::Float(_) => "Ljava/lang/Float;",
        Input::Double(_) => "Ljava/lang/Double;",
        _ => "Ljava/lang/Integer;",
    }
}

/// Calls on an object, each with its arguments.
fn prior(vm: &mut Vm, calls: &[PriorCall]) -> Built<Vec<(Arc<Method>, Vec<Spec>)>> {
    let call = |(method, args): &PriorCall| {
        if method.is_field() {
            return Err(refused("a field is set before it is used"));
        }
        let method = find(vm, method)?;
        let args = specs(vm, &method.params, args)?;
        Ok((method, args))
    };
    calls.iter().map(call).collect()
}

fn find(vm: &mut Vm, id: &MethodRef) -> Built<Arc<Method>> {
    let name = id.class.internal();
    let class = vm.linker.resolve_for(&name, Version::New)?;
    let key = key_of(id);
    let [old, new] = Version::BOTH.map(|v| vm.linker.select(class, &key, v));
    new.or(old)
        .ok_or_else(|| Stop::unsupported(Reason::MethodNotFound, id.name.clone()).into())
}

/// The model under which the symbolic values of a shape are those of the input; `None` when they can't be: it is made another
/// way, or a value is out of range.
pub(in crate::symex) fn model(pool: &Pool, shape: &InputShape, inputs: &Inputs) -> Option<Model> {
    let mut values = Vec::new();
    match (&shape.receiver, &inputs.receiver) {
        (Some(symbolic), Some(input)) => assign(pool, symbolic, input, &mut values)?,
        (None, None) => {}
        _ => return None,
    }
    assign_all(pool, &shape.args, &inputs.args, &mut values)?;
    Some(Model::default().overlaid(values))
}

type Assigned = Vec<(VarId, Constant)>;

fn assign_all(
    pool: &Pool,
    symbolic: &[Symbolic],
    inputs: &[Input],
    out: &mut Assigned,
) -> Option<()> {
    let mut both = symbolic.iter().zip(inputs);
    (symbolic.len() == inputs.len()).then(|| both.try_for_each(|(s, i)| assign(pool, s, i, out)))?
}

fn assign(pool: &Pool, symbolic: &Symbolic, input: &Input, out: &mut Assigned) -> Option<()> {
    match (symbolic, input) {
        (Symbolic::Null, Input::Null) => Some(()),
        (
            Symbolic::Str { null, .. } | Symbolic::Boxed(null, ..) | Symbolic::Array { null, .. },
            Input::Null,
        ) => set_bool(pool, *null, true, out),
        (Symbolic::Prim(kind, term), input) => primitive(pool, *kind, *term, input, out),
        (Symbolic::Str { null, text, copied }, input) => {
            let units = input.text()?;
            let (len, chars) = text.chars()?;
            set_bool(pool, *null, false, out)?;
            set_bool(pool, *copied, !matches!(input, Input::Str(_)), out)?;
            set(pool, len, i64::try_from(units.len()).ok()?, out)?;
            let mut both = units.iter().zip(chars.iter());
            (units.len() <= chars.len())
                .then(|| both.try_for_each(|(u, c)| set(pool, *c, i64::from(*u), out)))?
        }
        (Symbolic::Boxed(null, kind, term), Input::Boxed(inner)) => {
            set_bool(pool, *null, false, out)?;
            primitive(pool, *kind, *term, inner, out)
        }
        (
            Symbolic::Array {
                null,
                element,
                len,
                values,
            },
            Input::Array {
                element: own,
                values: inputs,
            },
        ) if **element == **own => {
            set_bool(pool, *null, false, out)?;
            set(pool, *len, i64::try_from(inputs.len()).ok()?, out)?;
            assign_all(pool, values.get(..inputs.len())?, inputs, out)
        }
        (Symbolic::Constant(class, name), Input::Enum { class: c, constant }) => {
            (class == c && name == constant).then_some(())
        }
        (Symbolic::Field(class, name), Input::Field { class: c, field }) => {
            (class == c && name == field).then_some(())
        }
        (Symbolic::Class(name), Input::Class(own)) => (name == own).then_some(()),
        (
            Symbolic::Lambda(method, result),
            Input::Lambda {
                method: own,
                result: given,
            },
        ) if method == own => match (result, given) {
            (Some(result), Some(given)) => assign(pool, result, given, out),
            (None, None) => Some(()),
            _ => None,
        },
        (
            Symbolic::Object {
                maker,
                on_first: true,
                args,
                calls,
            },
            Input::Result {
                receiver,
                method,
                args: inputs,
                calls: called,
            },
        ) if maker == method => {
            let (first, rest) = args.split_first()?;
            assign(pool, first, receiver, out)?;
            assign_all(pool, rest, inputs, out)?;
            assign_calls(pool, calls, called, out)
        }
        (
            Symbolic::Object {
                maker,
                on_first: false,
                args,
                calls,
            },
            Input::Object {
                method,
                args: inputs,
                calls: called,
            },
        ) if maker == method => {
            assign_all(pool, args, inputs, out)?;
            assign_calls(pool, calls, called, out)
        }
        _ => None,
    }
}

/// The same calls on an object, each with its arguments.
fn assign_calls(
    pool: &Pool,
    calls: &[(MethodRef, Vec<Symbolic>)],
    called: &[PriorCall],
    out: &mut Assigned,
) -> Option<()> {
    if calls.len() != called.len() {
        return None;
    }
    let mut both = calls.iter().zip(called);
    both.try_for_each(|(a, b)| (a.0 == b.0).then(|| assign_all(pool, &a.1, &b.1, out))?)
}

fn primitive(pool: &Pool, kind: u8, term: Term, input: &Input, out: &mut Assigned) -> Option<()> {
    let (own, value) = match input {
        Input::Boolean(b) => (b'Z', i64::from(*b)),
        Input::Byte(n) => (b'B', i64::from(*n)),
        Input::Short(n) => (b'S', i64::from(*n)),
        Input::Char(n) => (b'C', i64::from(*n)),
        Input::Int(n) => (b'I', i64::from(*n)),
        Input::Long(n) => (b'J', *n),
        Input::Float(bits) => (b'F', i64::from(*bits)),
        Input::Double(bits) => (b'D', *bits as i64),
        _ => return None,
    };
    (own == kind).then(|| set(pool, term, value, out))?
}

fn set_bool(pool: &Pool, term: Term, value: bool, out: &mut Assigned) -> Option<()> {
    set(pool, term, i64::from(value), out)
}

/// Gives a variable (or a constant that has it already) its value, as the sort has it.
fn set(pool: &Pool, term: Term, value: i64, out: &mut Assigned) -> Option<()> {
    let Some(var) = pool.vars_of(term).first().copied() else {
        return (pool.value(term)?.as_i64()? == value).then_some(());
    };
    if let Some((lo, hi)) = pool.var_range(var)
        && !(lo..=hi).contains(&value)
    {
        return None;
    }
    let constant = match Constant::zero(pool.var_sort(var)) {
        // Bit-vectors are kept sign-extended.
        Constant::Bv(16, _) if pool.arith() == Arith::Java => {
            Constant::Bv(16, i64::from(value as i16))
        }
        Constant::Bv(width, _) => Constant::Bv(width, value),
        Constant::Bool(_) => Constant::Bool(value != 0),
        Constant::F32(_) => Constant::F32(value as u32),
        Constant::F64(_) => Constant::F64(value as u64),
    };
    out.push((var, constant));
    Some(())
}
