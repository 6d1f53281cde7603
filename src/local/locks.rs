//! Synchronized methods, read as methods whose whole code is a synchronized block: the JVM does the same for both (JVMS §2.11.10).

use super::body::Body;
use crate::bytecode::access::{STATIC, SYNCHRONIZED};
use crate::bytecode::class_file::{Code, Const, Handler, Insn};
use crate::bytecode::retarget;
use std::sync::Arc;

/// The instructions that take the lock.
const TAKES: u32 = 4;

/// Instructions before a return, which leave the lock.
const LEAVES: u32 = 2;

/// A body that takes and leaves the lock itself, if the method is synchronized.
pub(super) fn with_lock(body: &Body) -> Body {
    if body.method.access & SYNCHRONIZED == 0 {
        return body.clone();
    }
    let code = Arc::new(locked(body));
    let mut method = (*body.method).clone();
    method.access &= !SYNCHRONIZED;
    method.code = Some(code.clone());
    Body {
        class: body.class.clone(),
        method: Arc::new(method),
        code,
    }
}

fn locked(body: &Body) -> Code {
    let code = &body.code;
    let (lock, thrown) = (code.max_locals, code.max_locals + 1);
    let monitor = match body.method.access & STATIC {
        0 => Insn::Load(None, 0),
        _ => Insn::Const(Const::Class(body.class.name.clone())),
    };
    // Where each instruction begins, with what goes before it; and the end.
    let mut places = Vec::with_capacity(code.insns.len() + 1);
    let mut at = TAKES;
    for insn in &code.insns {
        places.push(at);
        at += match insn {
            Insn::Return(_) => 1 + LEAVES,
            _ => 1,
        };
    }
    places.push(at);
    let place = |pc: u32| places.get(pc as usize).copied().unwrap_or(at);
    let mut insns = vec![
        monitor,
        Insn::Dup,
        Insn::Store(None, lock),
        Insn::MonitorEnter,
    ];
    let leave = [Insn::Load(None, lock), Insn::MonitorExit];
    for insn in &code.insns {
        let mut insn = insn.clone();
        retarget(&mut insn, place);
        if matches!(insn, Insn::Return(_)) {
            insns.extend(leave.clone());
        }
        insns.push(insn);
    }
    insns.push(Insn::Store(None, thrown));
    insns.extend(leave);
    insns.extend([Insn::Load(None, thrown), Insn::Athrow]);
    let mut out = (**code).clone();
    for handler in &mut out.handlers {
        handler.start = place(handler.start);
        handler.end = place(handler.end);
        handler.target = place(handler.target);
    }
    out.handlers.push(Handler {
        start: TAKES,
        end: at,
        target: at,
        catch: None,
    });
    for local in &mut out.locals {
        local.start = place(local.start);
        local.end = place(local.end);
    }
    out.lines = vec![0; insns.len()];
    out.max_locals += 2;
    out.insns = insns;
    out
}
