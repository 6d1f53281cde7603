//! `java.lang.String` as formulas over bounded symbolic contents.

use super::super::arithmetic::{check, check_index};
use super::super::class::Method;
use super::super::effect::{Effect, Step, Stop};
use super::super::heap::Body;
use super::super::shadow::Shadow;
use super::super::state::State;
use super::super::text::{Text, select};
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::{Model, chars, prim, primitive_text, string, text};
use crate::expr::{BvOp, CmpOp, Term};
use std::rc::Rc;
use std::sync::Arc;

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    Some(match (name, descriptor) {
        ("length", "()I") => |vm, state, args| {
            let t = text(vm, state, args, 0)?;
            Ok(Some(Value::Prim(chars(&t)?.0)))
        },
        ("isEmpty", "()Z") => |vm, state, args| {
            let t = text(vm, state, args, 0)?;
            let (len, zero) = (chars(&t)?.0, vm.pool.int(0));
            let empty = vm.pool.eq(len, zero);
            Ok(Some(truth(vm, empty)))
        },
        ("charAt", "(I)C") => char_at,
        ("equals", "(Ljava/lang/Object;)Z") => equals,
        ("hashCode", "()I") => hash_code,
        ("toString", "()Ljava/lang/String;") => |_, _, args| Ok(args.first().copied()),
        ("startsWith", "(Ljava/lang/String;)Z") => starts_with,
        ("endsWith", "(Ljava/lang/String;)Z") => ends_with,
        ("indexOf", "(I)I") => index_of,
        ("concat", "(Ljava/lang/String;)Ljava/lang/String;") => |vm, state, args| {
            let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
            let both = a.concat(&mut vm.pool, &b);
            string(vm, state, both)
        },
        ("substring", "(I)Ljava/lang/String;") => |vm, state, args| {
            let t = text(vm, state, args, 0)?;
            let end = chars(&t)?.0;
            let begin = prim(vm, args, 1);
            substring(vm, state, &t, begin, end)
        },
        ("substring", "(II)Ljava/lang/String;") => |vm, state, args| {
            let t = text(vm, state, args, 0)?;
            let (begin, end) = (prim(vm, args, 1), prim(vm, args, 2));
            substring(vm, state, &t, begin, end)
        },
        ("valueOf", "(I)Ljava/lang/String;" | "(J)Ljava/lang/String;") => {
            |vm, state, args| value_of(vm, state, args, "I")
        }
        ("valueOf", "(C)Ljava/lang/String;") => |vm, state, args| value_of(vm, state, args, "C"),
        ("valueOf", "(Z)Ljava/lang/String;") => |vm, state, args| value_of(vm, state, args, "Z"),
        ("valueOf", "(D)Ljava/lang/String;" | "(F)Ljava/lang/String;") => {
            |vm, state, args| value_of(vm, state, args, "D")
        }
        ("indexOf", "(Ljava/lang/String;)I") => index_of_text,
        ("lastIndexOf", "(I)I") => last_index_of,
        ("compareTo", "(Ljava/lang/String;)I") => compare_to,
        ("toCharArray", "()[C") => to_char_array,
        ("codePointAt", "(I)I") => code_point_at,
        ("intern", _) => intern,
        ("<init>", "()V") => |_, _, _| Ok(None),
        ("<init>", "(Ljava/lang/String;)V") => |vm, state, args| {
            let t = text(vm, state, args, 1)?;
            become_text(vm, state, args, t)
        },
        ("<init>", "([C)V") => |vm, state, args| {
            let t = text_of_array(vm, state, args)?;
            become_text(vm, state, args, t)
        },
        // What only calls other methods runs as it is; what reads the bytes behind a string gives up there, by name.
        _ => return None,
    })
}

/// Whether a string method may return its receiver, a literal or a new string, and its own code can tell: all is constant.
pub(in super::super) fn may_be_itself(
    vm: &Vm,
    state: &State,
    method: &Method,
    count: usize,
) -> bool {
    &*method.class_name == "java/lang/String"
        && &*method.result == "Ljava/lang/String;"
        && !matches!(&*method.name, "toString" | "intern")
        && method.code.is_some()
        && super::view::plain(vm, state, count)
}

/// `String.intern`: the literal, if there is one.
fn intern(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = super::object(vm, args, 0)?;
    let Some(units) = text(vm, state, args, 0)?.units(&vm.pool) else {
        return Err(
            Stop::unsupported("string-identity", "String.intern of a symbolic string").into(),
        );
    };
    let literal = vm.literal(state, &Arc::from(units))?;
    if literal != Value::obj(id) {
        // Nothing may have been interned before: then the JVM takes this one.
        state.heap.get_mut(id).distinct = false;
    }
    Ok(Some(literal))
}

/// The string object that a constructor runs on gets its content.
fn become_text(vm: &mut Vm, state: &mut State, args: &[Value], text: Text) -> Step<Option<Value>> {
    let id = super::object(vm, args, 0)?;
    state.heap.get_mut(id).body = Body::Str(text);
    Ok(None)
}

fn text_of_array(vm: &mut Vm, state: &State, args: &[Value]) -> Step<Text> {
    let id = super::object(vm, args, 1)?;
    let Body::Array { len, values, .. } = &state.heap.get(id).body else {
        return Err(Stop::unsupported("malformed-code", "not an array").into());
    };
    let mut units = Vec::with_capacity(values.len());
    for slot in values {
        match state.view(slot) {
            Shadow::Same(Value::Prim(t)) => units.push(vm.pool.trunc(16, t)),
            _ => return Err(super::super::vm::per_version(state)),
        }
    }
    Ok(Text::of(*len, units.into()))
}

fn to_char_array(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let t = text(vm, state, args, 0)?;
    let (len, units) = chars(&t)?;
    let class = vm.library("[C")?;
    let values = units
        .iter()
        .map(|u| Shadow::Same(Value::Prim(vm.pool.zext(32, *u))))
        .collect();
    let body = Body::Array {
        element: "C".into(),
        len,
        values,
    };
    Ok(Some(Value::obj(state.heap.alloc(class, body))))
}

fn index_of_text(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
    let ((a_len, a), (b_len, b)) = (chars(&a)?, chars(&b)?);
    let mut result = vm.pool.int(-1);
    for i in (0..=a.len()).rev() {
        let at = vm.pool.int(i as i32);
        let end = vm.pool.bin(BvOp::Add, at, b_len);
        let room = vm.pool.cmp(CmpOp::Sle, end, a_len);
        let same = stands_at(vm, &a, b_len, &b, at);
        let here = vm.pool.and(room, same);
        result = vm.pool.ite(here, at, result);
    }
    Ok(Some(Value::Prim(result)))
}

fn last_index_of(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let t = text(vm, state, args, 0)?;
    let (len, units) = chars(&t)?;
    let wanted = basic_code_point(vm, args)?;
    let mut result = vm.pool.int(-1);
    for (i, unit) in units.iter().enumerate() {
        let i = vm.pool.int(i as i32);
        let inside = vm.pool.cmp(CmpOp::Slt, i, len);
        let unit = vm.pool.zext(32, *unit);
        let same = vm.pool.eq(unit, wanted);
        let here = vm.pool.and(inside, same);
        result = vm.pool.ite(here, i, result);
    }
    Ok(Some(Value::Prim(result)))
}

fn compare_to(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
    let ((a_len, a), (b_len, b)) = (chars(&a)?, chars(&b)?);
    let mut result = vm.pool.bin(BvOp::Sub, a_len, b_len);
    for i in (0..a.len().min(b.len())).rev() {
        let at = vm.pool.int(i as i32);
        let in_a = vm.pool.cmp(CmpOp::Slt, at, a_len);
        let in_b = vm.pool.cmp(CmpOp::Slt, at, b_len);
        let both = vm.pool.and(in_a, in_b);
        let differ = vm.pool.ne(a[i], b[i]);
        let here = vm.pool.and(both, differ);
        let (x, y) = (vm.pool.zext(32, a[i]), vm.pool.zext(32, b[i]));
        let difference = vm.pool.bin(BvOp::Sub, x, y);
        result = vm.pool.ite(here, difference, result);
    }
    Ok(Some(Value::Prim(result)))
}

fn truth(vm: &mut Vm, cond: Term) -> Value {
    let (one, zero) = (vm.pool.int(1), vm.pool.int(0));
    Value::Prim(vm.pool.ite(cond, one, zero))
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

fn char_at(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let t = text(vm, state, args, 0)?;
    let (len, units) = chars(&t)?;
    let index = prim(vm, args, 1);
    check_index(
        vm,
        state,
        index,
        len,
        "java/lang/StringIndexOutOfBoundsException",
    )?;
    let unit = select(&mut vm.pool, &units, index);
    Ok(Some(Value::Prim(vm.pool.zext(32, unit))))
}

/// `codePointAt`: a surrogate pair counts as one (JLS §3.1).
fn code_point_at(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let t = text(vm, state, args, 0)?;
    let (len, units) = chars(&t)?;
    let (index, one) = (prim(vm, args, 1), vm.pool.int(1));
    check_index(
        vm,
        state,
        index,
        len,
        "java/lang/StringIndexOutOfBoundsException",
    )?;
    let next = vm.pool.bin(BvOp::Add, index, one);
    let has_next = vm.pool.cmp(CmpOp::Slt, next, len);
    let (first, second) = (
        select(&mut vm.pool, &units, index),
        select(&mut vm.pool, &units, next),
    );
    let (first, second) = (vm.pool.zext(32, first), vm.pool.zext(32, second));
    let mut within = |t: Term, lo: i32, hi: i32| {
        let (lo, hi) = (vm.pool.int(lo), vm.pool.int(hi));
        let (a, b) = (
            vm.pool.cmp(CmpOp::Sle, lo, t),
            vm.pool.cmp(CmpOp::Sle, t, hi),
        );
        vm.pool.and(a, b)
    };
    let (is_high, is_low) = (
        within(first, 0xd800, 0xdbff),
        within(second, 0xdc00, 0xdfff),
    );
    let pair = vm.pool.and_all([has_next, is_high, is_low]);
    let (ten, offset) = (
        vm.pool.int(10),
        vm.pool.int(0x1_0000 - (0xd800 << 10) - 0xdc00),
    );
    let shifted = vm.pool.shift(BvOp::Shl, first, ten);
    let sum = vm.pool.bin(BvOp::Add, shifted, second);
    let both = vm.pool.bin(BvOp::Add, sum, offset);
    Ok(Some(Value::Prim(vm.pool.ite(pair, both, first))))
}

fn equals(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    if matches!(args.get(1), Some(Value::Ref(Ref::Null))) {
        return Ok(Some(Value::Prim(vm.pool.int(0))));
    }
    let a = text(vm, state, args, 0)?;
    let other = super::object(vm, args, 1)?;
    let Body::Str(b) = state.heap.get(other).body.clone() else {
        return Ok(Some(Value::Prim(vm.pool.int(0))));
    };
    match a.equals(&mut vm.pool, &b) {
        Some(cond) => Ok(Some(truth(vm, cond))),
        None => {
            Err(Stop::unsupported("symbolic-number-text", "digits of a symbolic number").into())
        }
    }
}

fn hash_code(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let t = text(vm, state, args, 0)?;
    let (len, units) = chars(&t)?;
    let (mut hash, thirty_one) = (vm.pool.int(0), vm.pool.int(31));
    for (i, unit) in units.iter().enumerate() {
        let i = vm.pool.int(i as i32);
        let inside = vm.pool.cmp(CmpOp::Slt, i, len);
        let product = vm.pool.bin(BvOp::Mul, hash, thirty_one);
        let unit = vm.pool.zext(32, *unit);
        let next = vm.pool.bin(BvOp::Add, product, unit);
        hash = vm.pool.ite(inside, next, hash);
    }
    Ok(Some(Value::Prim(hash)))
}

/// Whether `b` stands in `a` at `offset`, which leaves room for it.
fn stands_at(vm: &mut Vm, a: &[Term], b_len: Term, b: &[Term], offset: Term) -> Term {
    let mut all = vm.pool.bool(true);
    for (i, unit) in b.iter().enumerate() {
        let i = vm.pool.int(i as i32);
        let outside = vm.pool.cmp(CmpOp::Sle, b_len, i);
        let at = vm.pool.bin(BvOp::Add, offset, i);
        let here = select(&mut vm.pool, a, at);
        let same = vm.pool.eq(here, *unit);
        let fits = vm.pool.or(outside, same);
        all = vm.pool.and(all, fits);
    }
    all
}

fn starts_with(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
    let ((a_len, a), (b_len, b)) = (chars(&a)?, chars(&b)?);
    let zero = vm.pool.int(0);
    let room = vm.pool.cmp(CmpOp::Sle, b_len, a_len);
    let same = stands_at(vm, &a, b_len, &b, zero);
    let both = vm.pool.and(room, same);
    Ok(Some(truth(vm, both)))
}

fn ends_with(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (text(vm, state, args, 0)?, text(vm, state, args, 1)?);
    let ((a_len, a), (b_len, b)) = (chars(&a)?, chars(&b)?);
    let offset = vm.pool.bin(BvOp::Sub, a_len, b_len);
    let room = vm.pool.cmp(CmpOp::Sle, b_len, a_len);
    let same = stands_at(vm, &a, b_len, &b, offset);
    let both = vm.pool.and(room, same);
    Ok(Some(truth(vm, both)))
}

/// The second argument, a code point that is known to be one unit.
fn basic_code_point(vm: &mut Vm, args: &[Value]) -> Step<Term> {
    let wanted = prim(vm, args, 1);
    let limit = vm.pool.int(0xffff);
    let supplementary = vm.pool.cmp(CmpOp::Slt, limit, wanted);
    match vm.pool.as_bool(supplementary) {
        Some(false) => Ok(wanted),
        Some(true) => Err(Effect::OwnCode),
        None => Err(Stop::unsupported(
            "unsupported-native",
            "search for a supplementary code point",
        )
        .into()),
    }
}

fn index_of(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let t = text(vm, state, args, 0)?;
    let (len, units) = chars(&t)?;
    let wanted = basic_code_point(vm, args)?;
    let mut result = vm.pool.int(-1);
    for (i, unit) in units.iter().enumerate().rev() {
        let i = vm.pool.int(i as i32);
        let inside = vm.pool.cmp(CmpOp::Slt, i, len);
        let unit = vm.pool.zext(32, *unit);
        let same = vm.pool.eq(unit, wanted);
        let here = vm.pool.and(inside, same);
        result = vm.pool.ite(here, i, result);
    }
    Ok(Some(Value::Prim(result)))
}

fn substring(
    vm: &mut Vm,
    state: &mut State,
    t: &Text,
    begin: Term,
    end: Term,
) -> Step<Option<Value>> {
    let (len, units) = chars(t)?;
    let zero = vm.pool.int(0);
    let parts = [
        vm.pool.cmp(CmpOp::Sle, zero, begin),
        vm.pool.cmp(CmpOp::Sle, begin, end),
        vm.pool.cmp(CmpOp::Sle, end, len),
    ];
    let inside = vm.pool.and_all(parts);
    check(
        vm,
        state,
        1,
        Shadow::Same(inside),
        "java/lang/StringIndexOutOfBoundsException",
    )?;
    let new_len = vm.pool.bin(BvOp::Sub, end, begin);
    let cut: Rc<[Term]> = (0..units.len())
        .map(|i| {
            let i = vm.pool.int(i as i32);
            let at = vm.pool.bin(BvOp::Add, begin, i);
            select(&mut vm.pool, &units, at)
        })
        .collect();
    string(vm, state, Text::of(new_len, cut))
}
