//! `java.lang.String` as formulas over bounded symbolic contents.

use super::super::class::Method;
use super::super::state::State;
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::casing;
use super::index_of;
use super::prim;
use super::primitive_text;
use super::string;
use super::text;
use super::text_access;
use super::text_access::{STRING_BOUNDS, check_code_point, check_count};
use super::truth;
use super::units;
use super::{array_part, array_units, elements};
use crate::expr::{BvOp, CmpOp, Term};
use crate::model::reason::Reason;
use crate::symex::state::heap::{Body, Identity};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::surrogates::units_of;
use crate::symex::value::text::Text;
use crate::symex::value::units::Units;
use crate::symex::vm::Model;
use crate::symex::vm::arithmetic::check;
use std::sync::Arc;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    let parameters = descriptor.split(')').next().unwrap_or_default();
    // What only calls other methods runs as it is; what reads the bytes behind a string gives up there, by name.
    text_access::find(name, parameters)
        .or_else(|| index_of::find(name, parameters))
        .or_else(|| casing::find(name, parameters))
        .or_else(|| compare(name, parameters))
        .or_else(|| make(name, parameters))
        .or_else(|| construct(name, parameters))
}

fn compare(name: &str, parameters: &str) -> Option<Model> {
    Some(match (name, parameters) {
        ("equals", "(Ljava/lang/Object;") => equals,
        ("contentEquals", "(Ljava/lang/CharSequence;") => |vm, state, args| {
            let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
            same_text(vm, &a, &b)
        },
        ("hashCode", "(") => hash_code,
        ("compareTo", "(Ljava/lang/String;") => compare_to,
        ("startsWith", "(Ljava/lang/String;") => |vm, state, args| {
            let offset = vm.pool.int(0);
            stands(vm, state, args, offset)
        },
        ("startsWith", "(Ljava/lang/String;I") => |vm, state, args| {
            let offset = prim(vm, args, 2);
            stands(vm, state, args, offset)
        },
        ("endsWith", "(Ljava/lang/String;") => |vm, state, args| {
            let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
            let offset = vm.pool.bin(BvOp::Sub, a.len, b.len);
            stands(vm, state, args, offset)
        },
        ("regionMatches", "(ILjava/lang/String;II") => region_matches,
        _ => return None,
    })
}

fn make(name: &str, parameters: &str) -> Option<Model> {
    Some(match (name, parameters) {
        ("toString", "(") => |_, _, args| Ok(args.first().copied()),
        ("intern", "(") => intern,
        ("concat", "(Ljava/lang/String;") => |vm, state, args| {
            let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
            let both = a.concat(&mut vm.pool, &b);
            string(vm, state, both)
        },
        ("trim", "(") => |vm, state, args| {
            let text = units(vm, state, args, 0)?;
            let space = vm.pool.bv(16, 0x20);
            let (begin, end) =
                text.stripped(&mut vm.pool, |pool, unit| pool.cmp(CmpOp::Ule, unit, space));
            let cut = text.slice(&mut vm.pool, begin, end);
            string(vm, state, cut.text())
        },
        ("replace", "(CC") => replace_unit,
        ("replace", "(Ljava/lang/CharSequence;Ljava/lang/CharSequence;") => |vm, state, args| {
            let whole = units(vm, state, args, 0)?;
            let (target, by) = (units(vm, state, args, 1)?, units(vm, state, args, 2)?);
            let replaced = whole.replace(&mut vm.pool, &target, &by);
            string(vm, state, replaced.text())
        },
        ("repeat", "(I") => repeat,
        ("join", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;I") => {
            join
        }
        ("toCharArray", "(") => |vm, state, args| {
            let text = units(vm, state, args, 0)?;
            let class = vm.library("[C")?;
            let values = text.units.iter();
            let values = values
                .map(|u| Shadow::Same(Value::Prim(vm.pool.zext(32, *u))))
                .collect();
            let body = Body::Array {
                element: "C".into(),
                len: text.len,
                values,
            };
            Ok(Some(Value::obj(state.heap.alloc(class, body))))
        },
        ("getChars", "(II[CI") => {
            |vm, state, args| super::get_chars(vm, state, args, STRING_BOUNDS)
        }
        ("valueOf", "(I" | "(J") => |vm, state, args| value_of(vm, state, args, "I"),
        ("valueOf", "(C") => |vm, state, args| value_of(vm, state, args, "C"),
        ("valueOf", "(Z") => |vm, state, args| value_of(vm, state, args, "Z"),
        ("valueOf", "(D" | "(F") => |vm, state, args| value_of(vm, state, args, "D"),
        ("valueOfCodePoint", "(I") => |vm, state, args| {
            let code_point = prim(vm, args, 0);
            check_code_point(vm, state, 1, code_point)?;
            let text = units_of(&mut vm.pool, code_point).text();
            string(vm, state, text)
        },
        _ => return None,
    })
}

fn construct(name: &str, parameters: &str) -> Option<Model> {
    if name != "<init>" {
        return None;
    }
    Some(match parameters {
        "(" => |_, _, _| Ok(None),
        "(Ljava/lang/String;" | "(Ljava/lang/StringBuilder;" | "(Ljava/lang/StringBuffer;" => {
            |vm, state, args| {
                let text = text(vm, state, args, 1)?;
                become_text(vm, state, args, text)
            }
        }
        "([C" => |vm, state, args| {
            let text = array_units(vm, state, args, 1)?.text();
            become_text(vm, state, args, text)
        },
        "([CII" => |vm, state, args| {
            let cut = part_of_array(vm, state, args)?;
            become_text(vm, state, args, cut.text())
        },
        "([III" => of_code_points,
        _ => return None,
    })
}

/// Whether a string method may return its receiver, a literal or a new string, and its own code can tell: all is constant.
pub(in crate::symex) fn may_be_itself(
    vm: &Vm,
    state: &State,
    method: &Method,
    count: usize,
) -> bool {
    &*method.class_name == "java/lang/String"
        && &*method.result == "Ljava/lang/String;"
        && !matches!(&*method.name, "toString" | "intern")
        && method.code.is_some()
        && crate::symex::vm::view::plain(vm, state, count)
}

/// `String.intern`: the literal of a constant text; of a symbolic one a string of which nothing is known but its content.
fn intern(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = super::object(vm, args, 0)?;
    let content = text(vm, state, args, 0)?;
    let interned = match content.units(&vm.pool) {
        Some(units) => vm.literal(state, &Arc::from(units))?,
        None => vm.new_string(state, content)?,
    };
    if interned != Value::obj(id) {
        // Nothing may have been interned before: then the JVM takes this one.
        state.heap.get_mut(id).identity = Identity::Unknown;
    }
    Ok(Some(interned))
}

/// The string object that a constructor runs on gets its content.
fn become_text(vm: &mut Vm, state: &mut State, args: &[Value], text: Text) -> Step<Option<Value>> {
    let id = crate::symex::vm::view::own_string(state, super::object(vm, args, 0)?);
    state.heap.get_mut(id).body = Body::Str(text);
    Ok(None)
}

/// The units that `(char[] value, int offset, int count)` names.
fn part_of_array(vm: &mut Vm, state: &State, args: &[Value]) -> Step<Units> {
    let len = elements(vm, state, args, 1)?.0;
    let (offset, count) = (prim(vm, args, 2), prim(vm, args, 3));
    check_count(vm, state, 1, (offset, count, len), STRING_BOUNDS)?;
    let end = vm.pool.bin(BvOp::Add, offset, count);
    array_part(vm, state, (args, 1), (offset, end))
}

/// `new String(int[], int, int)` with a range that is known.
fn of_code_points(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (len, values) = super::array_terms(vm, state, args, 1)?;
    let (offset, count) = (prim(vm, args, 2), prim(vm, args, 3));
    check_count(vm, state, 1, (offset, count, len), STRING_BOUNDS)?;
    let (Some(from), Some(count)) = (vm.pool.as_i64(offset), vm.pool.as_i64(count)) else {
        return Err(
            Stop::unsupported(Reason::SymbolicArrayCopy, "code points into a string").into(),
        );
    };
    let values: Vec<Term> = values
        .into_iter()
        .skip(from as usize)
        .take(count as usize)
        .collect();
    for (i, code_point) in values.iter().enumerate() {
        check_code_point(
            vm,
            state,
            u8::try_from(i + 2).unwrap_or(u8::MAX),
            *code_point,
        )?;
    }
    let parts: Vec<Units> = values.iter().map(|c| units_of(&mut vm.pool, *c)).collect();
    let all = Units::join(&mut vm.pool, parts);
    become_text(vm, state, args, all.text())
}

fn compare_to(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
    Ok(Some(Value::Prim(a.compare(&mut vm.pool, &b))))
}

fn value_of(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    descriptor: &str,
) -> Step<Option<Value>> {
    let term = prim(vm, args, 0);
    let text = primitive_text(vm, descriptor, term)?;
    string(vm, state, text)
}

fn same_text(vm: &mut Vm, a: &Text, b: &Text) -> Step<Option<Value>> {
    match a.equals(&mut vm.pool, b) {
        Some(equal) => truth(vm, equal),
        None => {
            Err(Stop::unsupported(Reason::SymbolicNumberText, "digits of a symbolic long").into())
        }
    }
}

fn equals(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let a = text(vm, state, args, 0)?;
    let (null, other) = match args.get(1) {
        Some(Value::Ref(Ref::Obj(id))) => (vm.pool.bool(false), *id),
        Some(Value::Ref(Ref::Maybe { null, obj })) => (*null, *obj),
        _ => return Ok(Some(Value::Prim(vm.pool.int(0)))),
    };
    let Body::Str(b) = state.heap.get(other).body.clone() else {
        return Ok(Some(Value::Prim(vm.pool.int(0))));
    };
    let Some(equal) = a.equals(&mut vm.pool, &b) else {
        return same_text(vm, &a, &b);
    };
    let some = vm.pool.not(null);
    let both = vm.pool.and(some, equal);
    truth(vm, both)
}

fn hash_code(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let (mut hash, thirty_one) = (vm.pool.int(0), vm.pool.int(31));
    for (i, unit) in text.units.iter().enumerate() {
        let inside = text.has(&mut vm.pool, i);
        let product = vm.pool.bin(BvOp::Mul, hash, thirty_one);
        let unit = vm.pool.zext(32, *unit);
        let next = vm.pool.bin(BvOp::Add, product, unit);
        hash = vm.pool.ite(inside, next, hash);
    }
    Ok(Some(Value::Prim(hash)))
}

fn stands(vm: &mut Vm, state: &State, args: &[Value], offset: Term) -> Step<Option<Value>> {
    let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
    let stands = a.stands(&mut vm.pool, &b, offset);
    truth(vm, stands)
}

/// `regionMatches(int, String, int, int)`; a region of negative length matches where its begin lies in both strings' reach.
fn region_matches(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 2)?);
    let (a_at, b_at, len) = (prim(vm, args, 1), prim(vm, args, 3), prim(vm, args, 4));
    let same = casing::regions(&mut vm.pool, (&a, a_at), (&b, b_at), len, |pool, x, y| {
        pool.eq(x, y)
    });
    truth(vm, same)
}

fn replace_unit(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let (from, to) = (prim(vm, args, 1), prim(vm, args, 2));
    let (from, to) = (vm.pool.trunc(16, from), vm.pool.trunc(16, to));
    let replaced = text.map(&mut vm.pool, |pool, _, unit| {
        let hit = pool.eq(unit, from);
        pool.ite(hit, to, unit)
    });
    string(vm, state, replaced.text())
}

/// `repeat`: a count that is open is decided first, up to the longest string.
fn repeat(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let whole = text(vm, state, args, 0)?;
    let (count, zero) = (prim(vm, args, 1), vm.pool.int(0));
    let positive = vm.pool.cmp(CmpOp::Sle, zero, count);
    check(
        vm,
        state,
        1,
        Shadow::Same(positive),
        "java/lang/IllegalArgumentException",
    )?;
    let Some(count) = vm.pool.as_i64(count) else {
        return Err(decide_count(vm, count));
    };
    if count > MOST_REPEATED {
        return Err(Stop::bound(Reason::MaxString, format!("repeated {count} times")).into());
    }
    let mut all = Text::constant(&mut vm.pool, &[]);
    for _ in 0..count {
        all = all.concat(&mut vm.pool, &whole);
    }
    string(vm, state, all)
}

/// Most copies that `repeat` makes.
const MOST_REPEATED: i64 = 4096;

fn decide_count(vm: &mut Vm, count: Term) -> Interruption {
    let most = vm.bounds.max_string as i32;
    let mut choices: Vec<_> = (0..=most)
        .map(|n| {
            let n = vm.pool.int(n);
            let pinned = Act::Pin(0, Value::Prim(n));
            (Shadow::Same(vm.pool.eq(count, n)), pinned)
        })
        .collect();
    let most = vm.pool.int(most);
    let more = vm.pool.cmp(CmpOp::Slt, most, count);
    let stop = Stop::bound(Reason::MaxString, "a string repeated more often");
    choices.push((Shadow::Same(more), Act::GiveUp(stop)));
    Interruption::Choose(choices)
}

/// `String.join(prefix, suffix, delimiter, elements, size)`, which the public `join`s and `StringJoiner` end in.
fn join(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (prefix, suffix) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
    let delimiter = text(vm, state, args, 2)?;
    let id = super::object(vm, args, 3)?;
    let size = prim(vm, args, 4);
    let (Some(size), Body::Array { values, .. }) = (vm.pool.as_i64(size), &state.heap.get(id).body)
    else {
        return Err(Stop::unsupported(Reason::SymbolicArrayCopy, "join of an open number").into());
    };
    let slots: Vec<_> = values
        .iter()
        .take(size as usize)
        .map(|s| state.view(s))
        .collect();
    let mut all = prefix;
    for (i, slot) in slots.into_iter().enumerate() {
        let Shadow::Same(element) = slot else {
            return Err(super::super::vm::per_version(state));
        };
        if i > 0 {
            all = all.concat(&mut vm.pool, &delimiter);
        }
        let part = super::text_or_null(vm, state, &element)?;
        all = all.concat(&mut vm.pool, &part);
    }
    let all = all.concat(&mut vm.pool, &suffix);
    string(vm, state, all)
}
