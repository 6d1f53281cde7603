//! File channels: the system calls of `FileChannelImpl`.

use super::super::super::class::Method;
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::super::vm::{Vm, per_version};
use super::super::object;
use super::stream::{opened_by, truncate};
use super::{keep, known, unsupported};
use crate::bytecode::class_file::{Cmp, Const, Insn, InvokeKind, Prim};
use crate::symex::state::files::Open;
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;
use crate::symex::vm::synthetic::invoke;
use std::sync::Arc;

pub(super) fn find(class: &str, name: &str) -> Option<Model> {
    const CHANNELS: &str = "sun/nio/ch/IOUtil";
    Some(match (class, name) {
        // What is asked of the machine when the classes are set up.
        ("jdk/internal/loader/BootLoader", "loadLibrary") => |_, _, _| Ok(None),
        (CHANNELS, "initIDs") | ("sun/nio/ch/NativeThread", "init") => |_, _, _| Ok(None),
        (CHANNELS, "iovMax") | ("sun/nio/ch/FileChannelImpl", "maxDirectTransferSize0") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(1024))))
        }
        (CHANNELS, "writevMax") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.long(i64::from(i32::MAX)))))
        }
        ("sun/nio/ch/FileChannelImpl", "initIDs") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.long(4096))))
        }
        ("sun/nio/ch/FileDispatcherImpl", "init" | "init0") => |_, _, _| Ok(None),
        ("sun/nio/ch/UnixFileDispatcherImpl", "allocationGranularity0") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.long(4096))))
        }
        ("sun/nio/ch/NativeThread", "current" | "current0") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.long(0))))
        }
        // There is one thread: nobody closes a channel that it waits for.
        ("java/nio/channels/spi/AbstractInterruptibleChannel", "blockedOn") => |_, _, _| Ok(None),
        // Nothing is collected: what is to be done then is only done by who asks for it.
        ("jdk/internal/ref/CleanerImpl", "start") => |_, _, _| Ok(None),
        ("sun/nio/ch/FileDispatcherImpl" | "sun/nio/ch/UnixFileDispatcherImpl", _) => {
            return of_descriptor(name);
        }
        _ => return None,
    })
}

fn of_descriptor(name: &str) -> Option<Model> {
    Some(match name {
        "size0" => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let (files, _, open) = opened_by(vm, state, id)?;
            let length = files.bytes(&open.path).map_or(0, Vec::len);
            Ok(Some(Value::Prim(vm.pool.long(length as i64))))
        },
        "available0" => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let (files, _, open) = opened_by(vm, state, id)?;
            let length = files.bytes(&open.path).map_or(0, Vec::len);
            let left = length.saturating_sub(open.at) as i32;
            Ok(Some(Value::Prim(vm.pool.int(left))))
        },
        "seek0" => seek,
        "truncate0" => |vm, state, args| {
            let id = object(vm, args, 0)?;
            let to = known(vm, args, 1, "a length that the input decides")?;
            truncate(vm, state, id, to)?;
            Ok(Some(Value::Prim(vm.pool.int(0))))
        },
        "force0" => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
        _ => return None,
    })
}

/// Moves to a place, and says which it is; below zero it only says.
fn seek(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let to = known(vm, args, 1, "a place that the input decides")?;
    let (mut files, number, open) = opened_by(vm, state, id)?;
    if to < 0 {
        return Ok(Some(Value::Prim(vm.pool.long(open.at as i64))));
    }
    let at = usize::try_from(to).map_err(|_| Interruption::Raise("java/io/IOException"))?;
    if at > super::stream::LONGEST {
        return Err(unsupported("a long file"));
    }
    files.open(number, Open { at, ..open });
    keep(state, files);
    Ok(Some(Value::Prim(vm.pool.long(to))))
}

const BUFFER: &str = "java/nio/ByteBuffer";
const INT: Option<Prim> = Some(Prim::Int);
const LONG: Option<Prim> = Some(Prim::Long);

/// `IOUtil.read` and `write` of one buffer, by a stream on the same descriptor instead of memory outside of the heap.
///
/// Locals: 0 descriptor, 1 buffer, 2 place, 5 bytes, 6 count, 7 the place before.
pub(super) fn body(
    vm: &mut Vm,
    state: &State,
    method: &Method,
    count: usize,
    reads: bool,
) -> Step<Option<Vec<Insn>>> {
    if !method
        .descriptor
        .starts_with("(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;J")
    {
        return Err(unsupported("several buffers at once"));
    }
    let moves = match state.peek(count - 3) {
        Shadow::Same(Value::Prim(at)) => vm.pool.as_i64(at) != Some(-1),
        _ => return Err(per_version(state)),
    };
    let mut insns = vec![
        Insn::Load(None, 1),
        invoke(InvokeKind::Virtual, BUFFER, "remaining", "()I"),
        Insn::NewArray(Prim::Byte),
        Insn::Store(None, 5),
    ];
    // Since release 21.
    let dispatcher = "sun/nio/ch/UnixFileDispatcherImpl";
    let dispatcher = match vm.library(dispatcher) {
        Ok(_) => dispatcher,
        Err(_) => "sun/nio/ch/FileDispatcherImpl",
    };
    let seek = |to: Insn| {
        let descriptor = "(Ljava/io/FileDescriptor;J)J";
        let seek = invoke(InvokeKind::Static, dispatcher, "seek0", descriptor);
        [Insn::Load(None, 0), to, seek]
    };
    if moves {
        insns.extend(seek(Insn::Const(Const::Long(-1))));
        insns.push(Insn::Store(LONG, 7));
        insns.extend(seek(Insn::Load(LONG, 2)));
        insns.push(Insn::Pop2);
    }
    match reads {
        true => insns.extend(read()),
        false => insns.extend(write()),
    }
    if moves {
        insns.extend(seek(Insn::Load(LONG, 7)));
        insns.push(Insn::Pop2);
    }
    if reads {
        let end = insns.len() as u32 + 9;
        insns.extend([
            Insn::Load(INT, 6),
            Insn::If(Cmp::Le, end),
            Insn::Load(None, 1),
            Insn::Load(None, 5),
            Insn::Const(Const::Int(0)),
            Insn::Load(INT, 6),
            invoke(
                InvokeKind::Virtual,
                BUFFER,
                "put",
                "([BII)Ljava/nio/ByteBuffer;",
            ),
            Insn::Pop,
            Insn::Nop,
        ]);
    }
    insns.extend([Insn::Load(INT, 6), Insn::Return(Some(INT))]);
    Ok(Some(insns))
}

/// A stream on the descriptor, and the bytes, on the operand stack.
fn stream(class: &str) -> [Insn; 5] {
    [
        Insn::New(Arc::from(class)),
        Insn::Dup,
        Insn::Load(None, 0),
        invoke(
            InvokeKind::Special,
            class,
            "<init>",
            "(Ljava/io/FileDescriptor;)V",
        ),
        Insn::Load(None, 5),
    ]
}

fn read() -> Vec<Insn> {
    const STREAM: &str = "java/io/FileInputStream";
    let read = invoke(InvokeKind::Virtual, STREAM, "read", "([B)I");
    stream(STREAM)
        .into_iter()
        .chain([read, Insn::Store(INT, 6)])
        .collect()
}

fn write() -> Vec<Insn> {
    const STREAM: &str = "java/io/FileOutputStream";
    let get = invoke(
        InvokeKind::Virtual,
        BUFFER,
        "get",
        "([B)Ljava/nio/ByteBuffer;",
    );
    let mut insns = vec![Insn::Load(None, 1), Insn::Load(None, 5), get, Insn::Pop];
    insns.extend(stream(STREAM));
    insns.extend([
        invoke(InvokeKind::Virtual, STREAM, "write", "([B)V"),
        Insn::Load(None, 5),
        Insn::ArrayLength,
        Insn::Store(INT, 6),
    ]);
    insns
}
