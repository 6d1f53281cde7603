//! Printing: text on standard output and error, which is part of the outcome.

use super::super::state::State;
use super::super::value::{Ref, Value};
use super::super::vm::Vm;
use super::content;
use super::object;
use super::prim;
use super::primitive_text;
use crate::bytecode::class_file::{Insn, InvokeKind};
use crate::expr::Pool;
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::value::text::Text;
use crate::symex::vm::Model;
use crate::symex::vm::synthetic::{invoke, kind};

pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    Some(match (name, descriptor) {
        ("println", "()V") => |vm, state, _| {
            let end = newline(&mut vm.pool);
            print(vm, state, &end)
        },
        ("println", "(Ljava/lang/String;)V") => |vm, state, args| line(vm, state, args, "L"),
        ("print", "(Ljava/lang/String;)V") => |vm, state, args| part(vm, state, args, "L"),
        ("println", "(I)V" | "(J)V") => |vm, state, args| line(vm, state, args, "I"),
        ("print", "(I)V" | "(J)V") => |vm, state, args| part(vm, state, args, "I"),
        ("println", "(C)V") => |vm, state, args| line(vm, state, args, "C"),
        ("print", "(C)V") => |vm, state, args| part(vm, state, args, "C"),
        ("println", "(Z)V") => |vm, state, args| line(vm, state, args, "Z"),
        ("print", "(Z)V") => |vm, state, args| part(vm, state, args, "Z"),
        ("println", "(D)V" | "(F)V") => |vm, state, args| line(vm, state, args, "D"),
        ("print", "(D)V" | "(F)V") => |vm, state, args| part(vm, state, args, "D"),
        ("println" | "print" | "printf" | "format", _) => |_, _, _| Err(Interruption::OwnCode),
        ("flush", _) => |_, _, _| Ok(None),
        _ => |_, _, _| {
            Err(Stop::unsupported(Reason::UnsupportedNative, "java.io.PrintStream").into())
        },
    })
}

/// Printing by the text that the library makes of a value, as `PrintStream`'s own methods do, but for its buffers.
pub(super) fn by_text(name: &str, descriptor: &str) -> Option<Vec<Insn>> {
    const STREAM: &str = "java/io/PrintStream";
    const STRING: &str = "java/lang/String";
    let load = |params: &str| vec![Insn::Load(None, 0), Insn::Load(kind(params), 1)];
    let text = |maker: &str, params: &str| {
        let descriptor = format!("({params})L{STRING};");
        invoke(InvokeKind::Static, STRING, maker, &descriptor)
    };
    let print = |name: &str| {
        let descriptor = format!("(L{STRING};)V");
        invoke(InvokeKind::Virtual, STREAM, name, &descriptor)
    };
    let (params, result) = descriptor.strip_prefix('(')?.split_once(')')?;
    let mut insns = load(params);
    match (name, params, result) {
        ("println" | "print", "Ljava/lang/Object;" | "[C" | "D" | "F", _) => {
            insns.extend([text("valueOf", params), print(name), Insn::Return(None)]);
        }
        ("printf" | "format", "Ljava/lang/String;[Ljava/lang/Object;", _) => {
            let rest = [Insn::Load(None, 2), text("format", params), print("print")];
            insns.extend(rest);
            insns.extend([Insn::Load(None, 0), Insn::Return(Some(None))]);
        }
        _ => return None,
    }
    Some(insns)
}

fn newline(pool: &mut Pool) -> Text {
    Text::constant(pool, &[u16::from(b'\n')])
}

fn line(vm: &mut Vm, state: &mut State, args: &[Value], descriptor: &str) -> Step<Option<Value>> {
    let text = argument(vm, state, args, descriptor)?;
    let end = newline(&mut vm.pool);
    let text = text.concat(&mut vm.pool, &end);
    print(vm, state, &text)
}

fn part(vm: &mut Vm, state: &mut State, args: &[Value], descriptor: &str) -> Step<Option<Value>> {
    let text = argument(vm, state, args, descriptor)?;
    print(vm, state, &text)
}

fn argument(vm: &mut Vm, state: &State, args: &[Value], descriptor: &str) -> Step<Text> {
    if descriptor != "L" {
        let term = prim(vm, args, 1);
        return primitive_text(vm, descriptor, term);
    }
    if matches!(args.get(1), Some(Value::Ref(Ref::Null))) {
        return Ok(Text::constant(
            &mut vm.pool,
            &"null".encode_utf16().collect::<Vec<_>>(),
        ));
    }
    let id = object(vm, args, 1)?;
    content(vm, state, id)
}

fn print(vm: &mut Vm, state: &mut State, text: &Text) -> Step<Option<Value>> {
    if state.makes_input() {
        // A caller sees what the call prints.
        return Ok(None);
    }
    let version = state.version();
    let before = state.printed.clone();
    state.printed = match version {
        Some(v) => {
            let after = before.get(v).concat(&mut vm.pool, text);
            before.with(v, after)
        }
        None => before.map(|t| t.concat(&mut vm.pool, text)),
    };
    state.split_seen |= state.printed.is_split();
    Ok(None)
}
