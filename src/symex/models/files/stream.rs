//! Streams on files: opening, reading, writing, moving and closing (the natives of JDK 17 and later).

use super::super::super::state::State;
use super::super::super::value::{ObjId, Value};
use super::super::super::vm::{Vm, per_version};
use super::super::sequence::array_terms;
use super::{keep, known, named, object, prim, reference, seen, unsupported};
use crate::expr::{Term, Value as Constant};
use crate::symex::state::files::{FileTarget, Files, Node, Open};
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Model;

/// What may be put into one file.
pub(super) const LONGEST: usize = 1 << 16;

const MISSING: Interruption = Interruption::Raise("java/io/FileNotFoundException");
const FAILED: Interruption = Interruption::Raise("java/io/IOException");

/// `RandomAccessFile`'s mode for writing.
const READ_WRITE: i64 = 2;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    const IN: &str = "java/io/FileInputStream";
    const OUT: &str = "java/io/FileOutputStream";
    const RANDOM: &str = "java/io/RandomAccessFile";
    Some(match (class, name) {
        (IN, "open0") => |vm, state, args| open(vm, state, args, How::Read),
        (OUT, "open0") => |vm, state, args| {
            let appends = known(vm, args, 2, "a mode that the input decides")? != 0;
            open(
                vm,
                state,
                args,
                if appends { How::Append } else { How::Truncate },
            )
        },
        (RANDOM, "open0") => |vm, state, args| {
            let mode = known(vm, args, 2, "a mode that the input decides")?;
            open(
                vm,
                state,
                args,
                if mode & READ_WRITE != 0 {
                    How::Update
                } else {
                    How::Read
                },
            )
        },
        (IN | RANDOM, "read0") => read,
        (IN | RANDOM, "readBytes" | "readBytes0") if descriptor == "([BII)I" => read_bytes,
        (OUT, "write") if descriptor == "(IZ)V" => write,
        (RANDOM, "write0") => write,
        (OUT | RANDOM, "writeBytes" | "writeBytes0") => write_bytes,
        (IN, "length0") | (RANDOM, "length" | "length0") => |vm, state, args| {
            let (files, _, open) = opened(vm, state, args)?;
            let length = files.bytes(&open.path).map_or(0, Vec::len);
            Ok(Some(Value::Prim(vm.pool.long(length as i64))))
        },
        (IN, "position0") | (RANDOM, "getFilePointer") => |vm, state, args| {
            let (_, _, open) = opened(vm, state, args)?;
            Ok(Some(Value::Prim(vm.pool.long(open.at as i64))))
        },
        (IN, "available0") => |vm, state, args| {
            let (files, _, open) = opened(vm, state, args)?;
            let length = files.bytes(&open.path).map_or(0, Vec::len);
            let left = length.saturating_sub(open.at) as i32;
            Ok(Some(Value::Prim(vm.pool.int(left))))
        },
        // Behind the end as well.
        (IN, "skip0") => |vm, state, args| {
            let by = known(vm, args, 1, "a place that the input decides")?;
            let (_, _, open) = opened(vm, state, args)?;
            seek(vm, state, args, open.at as i64 + by)?;
            Ok(Some(Value::Prim(vm.pool.long(by))))
        },
        (RANDOM, "seek0") => |vm, state, args| {
            let to = known(vm, args, 1, "a place that the input decides")?;
            seek(vm, state, args, to)?;
            Ok(None)
        },
        (RANDOM, "setLength" | "setLength0") => set_length,
        ("java/io/FileDescriptor", "close0") => close,
        ("java/io/FileDescriptor", "sync" | "sync0") => |_, _, _| Ok(None),
        _ => return None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Read,
    Truncate,
    Append,
    Update,
}

/// The descriptor of the stream that a native is called on.
fn descriptor(vm: &mut Vm, state: &State, args: &[Value]) -> Step<ObjId> {
    let stream = object(vm, args, 0)?;
    reference(vm, state, stream, "fd")
}

fn open(vm: &mut Vm, state: &mut State, args: &[Value], how: How) -> Step<Option<Value>> {
    let mut files = seen(state)?;
    let id = descriptor(vm, state, args)?;
    let path = match (named(vm, state, &files, args, 1)?, how) {
        (FileTarget::There(path), _) if files.bytes(&path).is_none() => return Err(MISSING),
        (FileTarget::There(path), How::Truncate) => {
            files.put(&path, Node::File(Vec::new()));
            path
        }
        (FileTarget::There(path), _) => path,
        (FileTarget::Free(_), How::Read) => return Err(MISSING),
        (FileTarget::Free(path), _) => {
            files.put(&path, Node::File(Vec::new()));
            path
        }
        _ => return Err(MISSING),
    };
    let appends = how == How::Append;
    let free = files.free_number();
    files.open(
        free,
        Open {
            path,
            at: 0,
            appends,
        },
    );
    keep(state, files);
    set_number(vm, state, id, free as i32);
    Ok(None)
}

/// Gives a descriptor its number: below zero where it is closed.
fn set_number(vm: &mut Vm, state: &mut State, id: ObjId, number: i32) {
    let number = Value::Prim(vm.pool.int(number));
    vm.write_field(state, id, "fd", number);
}

/// The number of a descriptor; `None` where it is closed.
fn number(vm: &Vm, state: &State, id: ObjId) -> Step<Option<u32>> {
    match vm.shared_field(state, id, "fd") {
        Some(Value::Prim(n)) => match vm.pool.value(n) {
            Some(Constant::Bv(32, n)) => Ok(u32::try_from(n).ok()),
            _ => Err(unsupported("a descriptor that the input decides")),
        },
        _ => Err(per_version(state)),
    }
}

/// The file that the stream has open.
fn opened(vm: &mut Vm, state: &State, args: &[Value]) -> Step<(Files, u32, Open)> {
    let id = descriptor(vm, state, args)?;
    opened_by(vm, state, id)
}

/// The file that a descriptor has open.
pub(super) fn opened_by(vm: &Vm, state: &State, id: ObjId) -> Step<(Files, u32, Open)> {
    let files = seen(state)?;
    let Some(number) = number(vm, state, id)? else {
        return Err(FAILED);
    };
    let Some(open) = files.opened(number).cloned() else {
        return Err(unsupported("a stream that is no file"));
    };
    match files.node(&open.path) {
        _ if open.path.is_empty() => Err(unsupported("a file that was deleted while it is open")),
        // Reading a folder fails; what its size is, each file system says differently.
        Some(Node::Folder) => Err(FAILED),
        _ => Ok((files, number, open)),
    }
}

fn seek(vm: &mut Vm, state: &mut State, args: &[Value], to: i64) -> Step<()> {
    let (mut files, id, open) = opened(vm, state, args)?;
    let at = usize::try_from(to).map_err(|_| FAILED)?;
    if at > LONGEST {
        return Err(unsupported("a long file"));
    }
    files.open(id, Open { at, ..open });
    keep(state, files);
    Ok(())
}

fn read(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (mut files, id, open) = opened(vm, state, args)?;
    let byte = files
        .bytes(&open.path)
        .and_then(|b| b.get(open.at))
        .copied();
    let Some(byte) = byte else {
        return Ok(Some(Value::Prim(vm.pool.int(-1))));
    };
    let at = open.at + 1;
    files.open(id, Open { at, ..open });
    keep(state, files);
    let low = vm.pool.trunc(8, byte);
    Ok(Some(Value::Prim(vm.pool.zext(32, low))))
}

/// Offset and count of a part of an array, checked as the natives do.
fn part(vm: &mut Vm, state: &State, args: &[Value]) -> Step<(usize, usize, Vec<Term>)> {
    let (len, terms) = array_terms(vm, state, args, 1)?;
    let Some(Constant::Bv(_, len)) = vm.pool.value(len) else {
        return Err(unsupported("an array of open length"));
    };
    let from = known(vm, args, 2, "a place that the input decides")?;
    let count = known(vm, args, 3, "a number of bytes that the input decides")?;
    if from < 0 || count < 0 || from + count > len {
        return Err(Interruption::Raise("java/lang/IndexOutOfBoundsException"));
    }
    Ok((from as usize, count as usize, terms))
}

fn read_bytes(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (from, count, _) = part(vm, state, args)?;
    if count == 0 {
        return Ok(Some(Value::Prim(vm.pool.int(0))));
    }
    let (mut files, id, open) = opened(vm, state, args)?;
    let bytes = files.bytes(&open.path).cloned().unwrap_or_default();
    let end = (open.at + count).min(bytes.len());
    let Some(read) = bytes.get(open.at..end).filter(|b| !b.is_empty()) else {
        return Ok(Some(Value::Prim(vm.pool.int(-1))));
    };
    let array = object(vm, args, 1)?;
    let Body::Array { values, .. } = &state.heap.get(array).body else {
        return Err(unsupported("an array of open content"));
    };
    let mut after = values.clone();
    for (i, byte) in read.iter().enumerate() {
        after[from + i] = state.merge(&after[from + i], Shadow::Same(Value::Prim(*byte)));
    }
    state.split_seen |= after.iter().any(Shadow::is_split);
    if let Body::Array { values, .. } = &mut state.heap.get_mut(array).body {
        *values = after;
    }
    let n = read.len();
    files.open(
        id,
        Open {
            at: open.at + n,
            ..open
        },
    );
    keep(state, files);
    Ok(Some(Value::Prim(vm.pool.int(n as i32))))
}

fn write(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let number = prim(vm, args, 1);
    put(vm, state, args, &[number])
}

fn write_bytes(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (from, count, terms) = part(vm, state, args)?;
    if count == 0 {
        return Ok(None);
    }
    let bytes = terms.get(from..from + count).unwrap_or_default().to_vec();
    put(vm, state, args, &bytes)
}

fn put(vm: &mut Vm, state: &mut State, args: &[Value], new: &[Term]) -> Step<Option<Value>> {
    let (mut files, id, open) = opened(vm, state, args)?;
    let mut bytes = files.bytes(&open.path).cloned().unwrap_or_default();
    let at = if open.appends { bytes.len() } else { open.at };
    if at + new.len() > LONGEST {
        return Err(unsupported("a long file"));
    }
    let zero = vm.pool.int(0);
    bytes.resize(bytes.len().max(at + new.len()), zero);
    for (i, byte) in new.iter().enumerate() {
        let low = vm.pool.trunc(8, *byte);
        bytes[at + i] = vm.pool.sext(32, low);
    }
    files.put(&open.path, Node::File(bytes));
    files.open(
        id,
        Open {
            at: at + new.len(),
            ..open
        },
    );
    keep(state, files);
    Ok(None)
}

fn set_length(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let wanted = known(vm, args, 1, "a length that the input decides")?;
    let id = descriptor(vm, state, args)?;
    truncate(vm, state, id, wanted)?;
    Ok(None)
}

/// Gives the file that a descriptor has open that length.
pub(super) fn truncate(vm: &mut Vm, state: &mut State, id: ObjId, wanted: i64) -> Step<()> {
    let (mut files, number, open) = opened_by(vm, state, id)?;
    let length = usize::try_from(wanted).map_err(|_| FAILED)?;
    if length > LONGEST {
        return Err(unsupported("a long file"));
    }
    let mut bytes = files.bytes(&open.path).cloned().unwrap_or_default();
    let zero = vm.pool.int(0);
    bytes.resize(length, zero);
    let at = open.at.min(length);
    files.put(&open.path, Node::File(bytes));
    files.open(number, Open { at, ..open });
    keep(state, files);
    Ok(())
}

fn close(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    let mut files = seen(state)?;
    let Some(open) = number(vm, state, id)? else {
        return Ok(None);
    };
    // Standard streams stay as they are.
    if files.opened(open).is_none() {
        return Err(unsupported("a stream that is no file"));
    }
    files.close(open);
    keep(state, files);
    set_number(vm, state, id, -1);
    Ok(None)
}
