//! Models that replace natives and hot library code: strings, builders, boxes, printing, `Class`, `Unsafe`, `System`, a few of `Math`.

mod array_copy;
mod array_mismatch;
pub(super) mod boxing;
mod builder;
mod casing;
mod character;
mod class_loader;
mod edit;
mod encode;
mod exact;
mod files;
mod index_of;
mod lang;
mod logger;
mod map_lookup;
mod math;
mod mirror;
mod print;
mod properties;
mod reflect_array;
mod reflection;
mod sequence;
pub(super) mod string;
mod substitute;
pub(super) mod system;
mod text_access;
mod unsafe_memory;
pub(super) mod var_handle;

pub(super) use reflection::{by_handle, method_object, shows_members};
pub(super) use substitute::substitute;

use super::class::Method;
use super::state::State;
use super::value::{ObjId, Ref, Value};
pub(super) use super::vm::Model;
use super::vm::Vm;
use crate::expr::{Pool, Term};
use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::state::heap::{Body, Identity, Slot};
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::value::text::Text;
use crate::symex::value::units::Units;
use sequence::{array_part, array_terms, array_units, elements, get_chars, text_or_null, units};

/// What stands in a build for code that does not compile: bodies call its `reached`.
const NOT_COMPILED: &str = "com/shadowci/NotCompiled";

/// The model of a method, if there is one.
pub(super) fn find(method: &Method) -> Option<Model> {
    if &*method.class_name == NOT_COMPILED {
        return Some(|_, _, _| {
            let detail = "code that does not compile in one of the versions is called";
            Err(Stop::unsupported(Reason::DoesNotCompile, detail).into())
        });
    }
    if method.project {
        return None;
    }
    let (class, name, descriptor) = (&*method.class_name, &*method.name, &*method.descriptor);
    match class {
        "java/lang/String" => string::find(name, descriptor),
        "java/lang/StringBuilder"
        | "java/lang/StringBuffer"
        | "java/lang/AbstractStringBuilder" => builder::find(name, descriptor),
        "java/util/logging/Logger" => logger::find(name),
        logger::OF_SYSTEM => logger::find_of_system(name),
        "java/io/PrintStream" => print::find(name, descriptor),
        _ if files::find(class, name, descriptor).is_some() => files::find(class, name, descriptor),
        "java/lang/Character" => {
            character::find(name, descriptor).or_else(|| boxing::find(class, name, descriptor))
        }
        "java/util/HashMap" | "java/util/concurrent/ConcurrentHashMap"
            if map_lookup::find(class, name).is_some() =>
        {
            map_lookup::find(class, name)
        }
        // Java code since release 21.
        "java/lang/StrictMath" if method.code.is_some() && name != "getExponent" => None,
        _ => boxing::find(class, name, descriptor).or_else(|| lang::find(class, name, descriptor)),
    }
}

/// Whether a model stands in for a call with these arguments: of a character's properties only where the character is open,
/// of a string's methods only where the class file's own code can't tell which object the result is.
pub(super) fn applies(vm: &Vm, state: &State, method: &Method, count: usize) -> bool {
    let open = |v: Value| matches!(v, Value::Prim(t) if !vm.pool.is_const(t));
    let open = |slot: Slot| open(slot.get(Version::Old)) || open(slot.get(Version::New));
    let constant = character::tabulates(method) && !(0..count).any(|i| open(state.peek(i)));
    !constant
        && !string::may_be_itself(vm, state, method, count)
        && map_lookup::applies(vm, state, method)
}

/// The `n`th argument as a term.
fn prim(vm: &mut Vm, args: &[Value], n: usize) -> Term {
    match args.get(n) {
        Some(Value::Prim(t)) => *t,
        _ => vm.pool.int(0),
    }
}

/// The `n`th argument as an object; a null raises `NullPointerException`, an open null is settled first.
fn object(vm: &mut Vm, args: &[Value], n: usize) -> Step<ObjId> {
    match args.get(n) {
        Some(Value::Ref(Ref::Obj(id))) => Ok(*id),
        Some(Value::Ref(Ref::Maybe { null, obj })) => {
            let depth = args.len() - 1 - n;
            Err(crate::symex::vm::memory::null_or_object(
                &mut vm.pool,
                depth,
                *null,
                *obj,
            ))
        }
        _ => Err(crate::symex::state::interruption::Interruption::Raise(
            "java/lang/NullPointerException",
        )),
    }
}

/// The content of the `n`th argument, a string.
fn text(vm: &mut Vm, state: &State, args: &[Value], n: usize) -> Step<Text> {
    let id = object(vm, args, n)?;
    content(vm, state, id)
}

/// The content of a string or builder.
fn content(vm: &mut Vm, state: &State, id: ObjId) -> Step<Text> {
    match &state.heap.get(id).body {
        Body::Str(text) => {
            if text.chars().is_some_and(|(len, _)| !vm.pool.is_const(len)) {
                vm.touched.insert((Reason::MaxString, String::new()));
            }
            Ok(text.clone())
        }
        Body::Builder(text) => match state.version() {
            Some(v) => Ok(text.get(v)),
            None => match text.same() {
                Some(text) => Ok(text.clone()),
                None => Err(super::vm::per_version(state)),
            },
        },
        _ => Err(Stop::unsupported(
            Reason::UnsupportedCharSequence,
            "neither String nor StringBuilder",
        )
        .into()),
    }
}

/// Length and units of a text; gives up where a long's digits would be needed.
fn spelled(vm: &mut Vm, text: &Text) -> Step<Units> {
    text.spelled(&mut vm.pool).ok_or_else(|| {
        Stop::unsupported(Reason::SymbolicNumberText, "digits of a symbolic long").into()
    })
}

/// A condition as a boolean result.
fn truth(vm: &mut Vm, cond: Term) -> Step<Option<Value>> {
    let (one, zero) = (vm.pool.int(1), vm.pool.int(0));
    Ok(Some(Value::Prim(vm.pool.ite(cond, one, zero))))
}

/// A text as a new string object.
fn string(vm: &mut Vm, state: &mut State, text: Text) -> Step<Option<Value>> {
    vm.new_string(state, text).map(Some)
}

/// A text as a string object that the library makes anew for certain.
fn made(vm: &mut Vm, state: &mut State, text: Text) -> Step<Option<Value>> {
    // From release 18 on an empty result may be the literal.
    let known = text.units(&vm.pool).is_some_and(|units| !units.is_empty());
    let value = vm.new_string(state, text)?;
    if let (true, Value::Ref(Ref::Obj(id))) = (known, value) {
        state.heap.get_mut(id).identity = Identity::New;
    }
    Ok(Some(value))
}

/// The text that `String.valueOf` gives for a primitive of that descriptor.
fn primitive_text(vm: &mut Vm, descriptor: &str, term: Term) -> Step<Text> {
    Ok(match descriptor {
        "C" => {
            let unit = vm.pool.trunc(16, term);
            let one = vm.pool.int(1);
            Text::of(one, std::sync::Arc::from([unit]))
        }
        "Z" => return truth_text(vm, term),
        "F" | "D" => {
            return match vm.pool.value(term) {
                Some(value) => float_text(&mut vm.pool, value),
                None => Err(Stop::unsupported(
                    Reason::SymbolicNumberText,
                    "text of a symbolic double",
                )
                .into()),
            };
        }
        _ => Text::decimal(&mut vm.pool, term),
    })
}

/// `"true"` or `"false"`, as one text of symbolic length where that is open.
fn truth_text(vm: &mut Vm, term: Term) -> Step<Text> {
    let zero = vm.pool.int(0);
    let is_false = vm.pool.eq(term, zero);
    let unit = |p: &mut Pool, s: &str, i: usize| {
        p.bv(16, i64::from(s.as_bytes().get(i).copied().unwrap_or(0)))
    };
    let chars = (0..5)
        .map(|i| {
            let (no, yes) = (
                unit(&mut vm.pool, "false", i),
                unit(&mut vm.pool, "true", i),
            );
            vm.pool.ite(is_false, no, yes)
        })
        .collect();
    let (five, four) = (vm.pool.int(5), vm.pool.int(4));
    let len = vm.pool.ite(is_false, five, four);
    Ok(Text::of(len, chars))
}

/// `Double.toString` for the values whose text is plain: integers below 10^7 and their like; others give up.
fn float_text(pool: &mut Pool, value: crate::expr::Value) -> Step<Text> {
    let number = match value {
        crate::expr::Value::F32(b) => f64::from(f32::from_bits(b)),
        crate::expr::Value::F64(b) => f64::from_bits(b),
        _ => 0.0,
    };
    let text = if number.is_nan() {
        "NaN".to_string()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Infinity".into()
        } else {
            "-Infinity".into()
        }
    } else if number.fract() == 0.0 && number.abs() < 1e7 {
        format!("{number:.1}")
    } else {
        // The JDK's own digits, which are not always the shortest before release 19.
        return Err(crate::symex::state::interruption::Interruption::OwnCode);
    };
    Ok(Text::constant(
        pool,
        &text.encode_utf16().collect::<Vec<_>>(),
    ))
}
