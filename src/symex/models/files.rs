//! Files: the system calls of the JDK for `java.io` and `java.nio.file`, on the small file system of a state.
//!
//! What is asked for is the working folder and the one of temporary files; names that lead out of these give up. Names that are
//! open are taken to be one of a few.

mod calls;
mod channel;
mod names;
mod paths;
mod stream;
mod temporary;

pub(super) use paths::body;

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::{Vm, per_version};
use super::{content, object, prim};
use crate::expr::Value as Constant;
use crate::model::reason::Reason;
use crate::symex::state::files::{FileTarget, Files, Node, TEMPORARY};
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::vm::{Model, array};
use std::sync::Arc;

/// `java.io.FileSystem`'s attributes of a file.
const EXISTS: i32 = 1;
const REGULAR: i32 = 2;
const DIRECTORY: i32 = 4;

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name) {
        ("java/io/UnixFileSystem", "getBooleanAttributes0") => attributes,
        ("java/io/UnixFileSystem", "checkAccess" | "checkAccess0") => access,
        ("java/io/UnixFileSystem", "getLength" | "getLength0") if descriptor.ends_with(")J") => {
            length
        }
        ("java/io/UnixFileSystem", "createFileExclusively0") => create,
        // Java code since release 21.
        ("java/io/UnixFileSystem", "createFileExclusively") => create,
        ("java/io/UnixFileSystem", "delete0") => delete,
        ("java/io/UnixFileSystem", "list" | "list0") => list,
        ("java/io/UnixFileSystem", "createDirectory" | "createDirectory0") => create_folder,
        ("java/io/UnixFileSystem", "rename0") => rename,
        ("java/io/UnixFileSystem", "canonicalize0") => names::canonical,
        ("java/io/UnixFileSystem", "resolve") if descriptor.starts_with("(Ljava/io/File;)") => {
            |vm, state, _| {
                names::shows_folder(vm, state);
                Err(Interruption::OwnCode)
            }
        }
        // Descriptors are closed by who opened them, or with the process.
        ("java/io/FileCleanable", "register" | "unregister") => |_, _, _| Ok(None),
        ("java/io/FileDescriptor", "getHandle") => {
            |vm, _, _| Ok(Some(Value::Prim(vm.pool.long(-1))))
        }
        ("java/io/FileDescriptor", "getAppend") => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
        _ => {
            return stream::find(class, name, descriptor)
                .or_else(|| channel::find(class, name))
                .or_else(|| paths::find(class, name, descriptor))
                .or_else(|| temporary::find(class, name, descriptor));
        }
    })
}

/// The file system as the running version sees it.
fn seen(state: &State) -> Step<Files> {
    match state.version() {
        Some(version) => Ok(state.files.get(version)),
        None => state
            .files
            .same()
            .cloned()
            .ok_or_else(|| per_version(state)),
    }
}

/// What the running version has made of it.
fn keep(state: &mut State, files: Files) {
    state.files = match state.version() {
        Some(version) => state.files.with(version, files),
        None => Shadow::Same(files),
    };
    state.split_seen |= state.files.is_split();
}

/// A number that has to be known.
fn known(vm: &Vm, args: &[Value], n: usize, what: &str) -> Step<i64> {
    match args.get(n) {
        Some(Value::Prim(term)) => match vm.pool.value(*term) {
            Some(Constant::Bv(_, n)) => Ok(n),
            _ => Err(unsupported(what)),
        },
        _ => Err(unsupported(what)),
    }
}

fn unsupported(what: &str) -> Interruption {
    Stop::unsupported(Reason::UnsupportedNative, format!("files: {what}")).into()
}

/// What a field refers to; where the versions differ in it, each is asked alone.
fn reference(vm: &Vm, state: &State, id: ObjId, name: &str) -> Step<ObjId> {
    match vm.field(state, id, name) {
        Some(Shadow::Same(Value::Ref(Ref::Obj(id)))) => Ok(id),
        Some(Shadow::Split { .. }) => Err(per_version(state)),
        _ => Err(unsupported("a name or descriptor that is open")),
    }
}

/// Where the `File` that is the `n`th argument leads to.
fn file(vm: &mut Vm, state: &State, files: &Files, args: &[Value], n: usize) -> Step<FileTarget> {
    let id = object(vm, args, n)?;
    let path = reference(vm, state, id, "path")?;
    let text = content(vm, state, path)?;
    names::place(vm, state, files, &text)
}

/// The place that the `n`th argument, a string, names.
fn named(vm: &mut Vm, state: &State, files: &Files, args: &[Value], n: usize) -> Step<FileTarget> {
    let id = object(vm, args, n)?;
    let text = content(vm, state, id)?;
    names::place(vm, state, files, &text)
}

fn truth(vm: &mut Vm, is: bool) -> Step<Option<Value>> {
    Ok(Some(Value::Prim(vm.pool.int(i32::from(is)))))
}

fn attributes(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let files = seen(state)?;
    let found = match file(vm, state, &files, args, 1)? {
        FileTarget::There(path) => files.node(&path).cloned(),
        _ => None,
    };
    let flags = match found {
        Some(Node::Folder) => EXISTS | DIRECTORY,
        Some(Node::File(_)) => EXISTS | REGULAR,
        None => 0,
    };
    Ok(Some(Value::Prim(vm.pool.int(flags))))
}

/// What a run makes it may read and write, and enter where it is a folder.
fn access(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    const EXECUTE: i64 = 1;
    let files = seen(state)?;
    let asked = known(vm, args, 2, "an access that the input decides")?;
    let may = match file(vm, state, &files, args, 1)? {
        FileTarget::There(path) => match files.node(&path) {
            Some(Node::Folder) => true,
            _ => asked & EXECUTE == 0,
        },
        _ => false,
    };
    truth(vm, may)
}

fn length(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let files = seen(state)?;
    let length = match file(vm, state, &files, args, 1)? {
        FileTarget::There(path) => match files.bytes(&path) {
            Some(bytes) => bytes.len() as i64,
            None => return Err(unsupported("the length of a folder")),
        },
        _ => 0,
    };
    Ok(Some(Value::Prim(vm.pool.long(length))))
}

fn create(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let mut files = seen(state)?;
    match named(vm, state, &files, args, 1)? {
        FileTarget::There(_) => truth(vm, false),
        FileTarget::Free(path) => {
            files.put(&path, Node::File(Vec::new()));
            keep(state, files);
            truth(vm, true)
        }
        _ => Err(Interruption::Raise("java/io/IOException")),
    }
}

fn create_folder(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let mut files = seen(state)?;
    let FileTarget::Free(path) = file(vm, state, &files, args, 1)? else {
        return truth(vm, false);
    };
    files.put(&path, Node::Folder);
    keep(state, files);
    truth(vm, true)
}

fn delete(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let mut files = seen(state)?;
    let removed = match file(vm, state, &files, args, 1)? {
        FileTarget::There(path) if path.is_empty() || path == TEMPORARY => {
            return Err(unsupported("the working folder itself is deleted"));
        }
        FileTarget::There(path) => files.remove(&path),
        _ => false,
    };
    keep(state, files);
    truth(vm, removed)
}

fn rename(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let mut files = seen(state)?;
    let from = file(vm, state, &files, args, 1)?;
    let to = file(vm, state, &files, args, 2)?;
    let (from, to) = match (from, to) {
        (FileTarget::There(from), FileTarget::Free(to)) if !from.is_empty() => (from, to),
        (FileTarget::There(from), FileTarget::There(to)) if from == to => return truth(vm, true),
        (FileTarget::There(from), FileTarget::There(to))
            if files.bytes(&from).is_some() && files.bytes(&to).is_some() =>
        {
            (from, to)
        }
        (FileTarget::There(_), FileTarget::There(_)) => {
            return Err(unsupported("a folder is replaced"));
        }
        _ => return truth(vm, false),
    };
    if to.starts_with(&format!("{from}/")) {
        return truth(vm, false);
    }
    files.rename(&from, &to);
    keep(state, files);
    truth(vm, true)
}

/// The names in a folder, in an order that the system chooses.
fn list(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let files = seen(state)?;
    let folder = match file(vm, state, &files, args, 1)? {
        FileTarget::There(path) if files.bytes(&path).is_none() => path,
        _ => return Ok(Some(Value::NULL)),
    };
    let names = files.names(&folder);
    if names.len() > 1 {
        vm.by_chance(state, Reason::IterationOrder);
    }
    let element: Arc<str> = Arc::from("Ljava/lang/String;");
    let array = array::allocate(vm, state, &element, names.len() as i64)?;
    for (i, name) in names.iter().enumerate() {
        let units: Vec<u16> = name.encode_utf16().collect();
        let text = Text::constant(&mut vm.pool, &units);
        let string = vm.new_string(state, text)?;
        if let Body::Array { values, .. } = &mut state.heap.get_mut(array).body {
            values[i] = Shadow::Same(string);
        }
    }
    Ok(Some(Value::obj(array)))
}
