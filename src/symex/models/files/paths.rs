//! System calls of `java.nio.file` (`UnixNativeDispatcher`), below the JDK's own providers, paths and attributes.
//!
//! A call that fails ends in a `UnixException` with the number of the error. Its model leaves it to a body of our own ([`body`]),
//! which throws that.

use super::super::super::class::Method;
use super::super::super::state::State;
use super::super::super::value::{ObjId, Ref, Value};
use super::super::super::vm::{Vm, per_version};
use super::super::sequence::array_terms;
use super::super::{object, spelled};
use super::calls::{self, Attributes, Done};
use super::{channel, keep, known, names, reference, seen, unsupported};
use crate::bytecode::class_file::{Const, Insn, InvokeKind};
use crate::expr::{CmpOp, Term};
use crate::model::reason::Reason;
use crate::symex::state::files::{FileTarget, Files};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::vm::synthetic::invoke;
use crate::symex::vm::{Model, array};
use std::sync::Arc;

const KERNEL: &str = "sun/nio/fs/UnixNativeDispatcher";
const ERROR: &str = "sun/nio/fs/UnixException";

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    if let Some(call) = call(class, name, descriptor) {
        return model(call);
    }
    Some(match (class, name) {
        // Nothing is supported that needs an open folder.
        (KERNEL, "init") => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
        (KERNEL, "getcwd") => |vm, state, _| {
            let name = names::absolute(vm, "")?;
            array::of_bytes(vm, state, name.as_bytes()).map(Some)
        },
        (KERNEL, "strerror") => |vm, state, args| {
            let number = known(vm, args, 0, "an error that the input decides")?;
            let text = calls::message(number).ok_or_else(|| unsupported("a rare error"))?;
            array::of_bytes(vm, state, text.as_bytes()).map(Some)
        },
        ("sun/nio/fs/UnixFileAttributes", "size") => size,
        (
            "sun/nio/fs/UnixFileAttributes",
            "lastModifiedTime" | "lastAccessTime" | "creationTime" | "ctime" | "owner" | "group",
        ) => |_, _, _| Err(unsupported("times and owners of files")),
        ("sun/nio/fs/UnixFileKey", "toString") => |_, _, _| Err(unsupported("the key of a file")),
        ("sun/nio/fs/UnixPath", "encode") => encoded,
        ("sun/nio/fs/UnixPath", "toAbsolutePath") => |vm, state, _| {
            names::shows_folder(vm, state);
            Err(Interruption::OwnCode)
        },
        _ => return None,
    })
}

/// Calls that are named like the method.
const NAMED: [&str; 13] = [
    "open", "stat2", "fstat", "access", "exists", "mkdir", "rmdir", "unlink", "rename", "realpath",
    "opendir", "readdir", "closedir",
];

/// The system call behind a method.
fn call(class: &str, name: &str, descriptor: &str) -> Option<&'static str> {
    Some(match (class, name) {
        (KERNEL, "stat") if descriptor.ends_with(")I") => "mode",
        (KERNEL, "access") if descriptor.ends_with(")I") => "may",
        (KERNEL, "stat" | "lstat") => "stat",
        (KERNEL, "close") if descriptor == "(I)V" => "close",
        (KERNEL, name) => *NAMED.iter().find(|call| **call == name)?,
        ("sun/nio/fs/UnixCopyFile", "transfer")
        | ("sun/nio/fs/UnixFileSystem", "bufferedCopy0") => "copy",
        ("sun/nio/fs/LinuxFileSystem", "directCopy0") => "copied",
        _ => return None,
    })
}

/// The model of a call: models don't know which method they stand in for.
fn model(call: &str) -> Option<Model> {
    macro_rules! models {
        ($($name:literal)*) => {
            match call {
                $($name => Some(|vm, state, args| ask(vm, state, $name, args)),)*
                _ => None,
            }
        };
    }
    models!("open" "close" "stat" "stat2" "fstat" "mode" "access" "may" "exists" "mkdir" "rmdir" "unlink"
        "rename" "realpath" "opendir" "readdir" "closedir" "copy" "copied")
}

/// Does what a call asks for; one that fails is left to [`body`].
fn ask(vm: &mut Vm, state: &mut State, call: &str, args: &[Value]) -> Step<Option<Value>> {
    let Ok(done) = decide(vm, state, call, args)? else {
        return Err(Interruption::OwnCode);
    };
    // In an order that the system chooses.
    if call == "opendir" && done.files.longest_listing() > 1 {
        vm.by_chance(state, Reason::IterationOrder);
    }
    if call == "realpath" {
        vm.by_chance(state, Reason::ThisMachine);
    }
    let Done {
        files,
        answer,
        bytes: told,
        attributes,
    } = done;
    keep(state, files);
    if let Some((id, attributes)) = attributes {
        set_attributes(vm, state, id, &attributes);
    }
    match told {
        Some(name) => array::of_bytes(vm, state, &name).map(Some),
        None => Ok(answer),
    }
}

/// What a call would do, or the number of the error that it ends in.
fn decide(vm: &mut Vm, state: &State, call: &str, args: &[Value]) -> Step<Result<Done, i32>> {
    let files = seen(state)?;
    let here = files.clone();
    let place = |vm: &mut Vm, n: usize| path(vm, state, &here, args, n);
    let number = |vm: &Vm, n: usize| known(vm, args, n, "a number that the input decides");
    Ok(match call {
        "open" => {
            let (at, flags) = (place(vm, 0)?, number(vm, 1)?);
            calls::open(vm, files, at, flags)?
        }
        "close" => calls::close(files, number(vm, 0)?),
        "stat" => {
            let (found, id) = (
                calls::attributes(&files, place(vm, 0)?),
                object(vm, args, 1)?,
            );
            found.map(|found| Done::attributes(files, id, found))
        }
        "stat2" => match calls::attributes(&files, place(vm, 0)?) {
            Ok(found) => {
                let id = object(vm, args, 1)?;
                let zero = Value::Prim(vm.pool.int(0));
                Ok(Done {
                    answer: Some(zero),
                    ..Done::attributes(files, id, found)
                })
            }
            Err(error) => Ok(Done::number(vm, files, error)),
        },
        "fstat" => {
            let open = u32::try_from(number(vm, 0)?)
                .ok()
                .and_then(|n| files.opened(n));
            let path = open
                .map(|open| open.path.clone())
                .filter(|path| !path.is_empty());
            let path = path.ok_or_else(|| unsupported("a stream that is no file"))?;
            let id = object(vm, args, 1)?;
            calls::attributes(&files, FileTarget::There(path))
                .map(|found| Done::attributes(files, id, found))
        }
        "mode" => {
            let mode = calls::attributes(&files, place(vm, 0)?).map_or(0, |found| found.mode);
            Ok(Done::number(vm, files, mode))
        }
        "access" | "may" => {
            let (at, asked) = (place(vm, 0)?, number(vm, 1)?);
            match (calls::access(&files, &at, asked), call) {
                (Err(error), "access") => Err(error),
                (result, _) => Ok(Done::number(vm, files, result.err().unwrap_or(0))),
            }
        }
        "exists" => {
            let there = matches!(place(vm, 0)?, FileTarget::There(_));
            Ok(Done::number(vm, files, i32::from(there)))
        }
        "mkdir" => calls::make_folder(files, place(vm, 0)?),
        "rmdir" => calls::remove_folder(files, place(vm, 0)?)?,
        "unlink" => calls::remove_file(files, place(vm, 0)?),
        "rename" => {
            let (from, to) = (place(vm, 0)?, place(vm, 1)?);
            calls::rename(files, from, to)?
        }
        "realpath" => match calls::there(place(vm, 0)?) {
            Ok(path) => {
                let name = names::absolute(vm, &path)?.into_bytes();
                Ok(Done {
                    bytes: Some(name),
                    ..Done::nothing(files)
                })
            }
            Err(error) => Err(error),
        },
        "opendir" => {
            let at = place(vm, 0)?;
            calls::list(vm, files, at)
        }
        "readdir" => calls::next(files, number(vm, 0)?)?,
        "closedir" => Ok(calls::end(files, number(vm, 0)?)),
        "copy" | "copied" => {
            let (to, from) = (number(vm, 0)?, number(vm, 1)?);
            let done = calls::copy(vm, files, from, to)?;
            let zero = Value::Prim(vm.pool.int(0));
            Ok(Done {
                answer: (call == "copied").then_some(zero),
                ..done
            })
        }
        _ => return Err(unsupported(call)),
    })
}

/// Where the `UnixPath` that is the `n`th argument leads to; the empty path is the working folder.
fn path(vm: &mut Vm, state: &State, files: &Files, args: &[Value], n: usize) -> Step<FileTarget> {
    let id = object(vm, args, n)?;
    let bytes = reference(vm, state, id, "path")?;
    let (len, terms) = array_terms(vm, state, &[Value::obj(bytes)], 0)?;
    let terms = match vm.pool.as_i64(len) {
        Some(0) => return Ok(FileTarget::There(String::new())),
        Some(len) => terms.get(..len as usize).unwrap_or_default().to_vec(),
        None => return Err(unsupported("a path of open length")),
    };
    let text = text(vm, &terms)?;
    names::place(vm, state, files, &text)
}

/// The bytes of a name that is open: as many as it has characters, all of ASCII.
fn encoded(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let text = super::super::text(vm, state, args, 1)?;
    if text.units(&vm.pool).is_some() {
        return Err(Interruption::OwnCode);
    }
    let units = spelled(vm, &text)?;
    let passed = usize::from(state.frame().map_or(0, |f| f.passed));
    if let Some(len) = passed.checked_sub(1) {
        let units = units.units.iter().take(len);
        let bytes: Vec<Value> = units
            .map(|unit| Value::Prim(vm.pool.zext(32, *unit)))
            .collect();
        return array::filled(vm, state, "B", &bytes).map(Some);
    }
    let mut choices = Vec::new();
    let (mut ascii, mut other) = (vm.pool.bool(true), vm.pool.bool(true));
    let end = vm.pool.bv(16, 0x80);
    for len in 0..=units.units.len() {
        let number = vm.pool.int(len as i32);
        let is = vm.pool.eq(units.len, number);
        let here = vm.pool.and(is, ascii);
        choices.push((Shadow::Same(here), Act::Pass(len as u8 + 1)));
        let not = vm.pool.not(here);
        other = vm.pool.and(other, not);
        if let Some(unit) = units.units.get(len) {
            let low = vm.pool.cmp(CmpOp::Ult, *unit, end);
            ascii = vm.pool.and(ascii, low);
        }
    }
    let stop = Stop::bound(Reason::FileNames, "names outside of ASCII");
    choices.push((Shadow::Same(other), Act::GiveUp(stop)));
    Err(Interruption::Choose(choices))
}

/// The text behind bytes of UTF-8. Open bytes are only ever taken to be known names of ASCII.
fn text(vm: &mut Vm, bytes: &[Term]) -> Step<Text> {
    let constant: Option<Vec<u8>> = bytes
        .iter()
        .map(|b| vm.pool.as_i64(*b).map(|b| b as u8))
        .collect();
    if let Some(constant) = constant {
        let name = String::from_utf8(constant);
        let name = name.map_err(|_| unsupported("a name that is no UTF-8"))?;
        let units: Vec<u16> = name.encode_utf16().collect();
        return Ok(Text::constant(&mut vm.pool, &units));
    }
    let len = vm.pool.int(bytes.len() as i32);
    let units = bytes.iter().map(|b| vm.pool.trunc(16, *b)).collect();
    Ok(Text::of(len, units))
}

fn set_attributes(vm: &mut Vm, state: &mut State, id: ObjId, found: &Attributes) {
    let numbers = [
        ("st_mode", Value::Prim(vm.pool.int(found.mode))),
        ("st_nlink", Value::Prim(vm.pool.int(1))),
        ("st_ino", Value::Prim(vm.pool.long(found.node))),
        ("st_dev", Value::Prim(vm.pool.long(1))),
        (
            "st_size",
            Value::Prim(vm.pool.long(found.size.unwrap_or(-1))),
        ),
    ];
    for (name, value) in numbers {
        vm.write_field(state, id, name, value);
    }
}

/// The size of a file; what folders have as such differs between file systems.
fn size(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 0)?;
    match vm.shared_field(state, id, "st_size") {
        Some(Value::Prim(n)) if vm.pool.as_i64(n) == Some(-1) => {
            Err(unsupported("the size of a folder"))
        }
        Some(size) => Ok(Some(size)),
        None => Err(per_version(state)),
    }
}

/// The body of a call that fails, and of methods of channels and paths that run otherwise here.
pub(in crate::symex::models) fn body(
    vm: &mut Vm,
    state: &State,
    method: &Method,
    count: usize,
) -> Step<Option<Vec<Insn>>> {
    match (&*method.class_name, &*method.name) {
        ("java/nio/file/FileSystems", "getDefault") => return Ok(Some(default_file_system())),
        ("sun/nio/ch/IOUtil", "write") => return channel::body(vm, state, method, count, false),
        ("sun/nio/ch/IOUtil", "read") => return channel::body(vm, state, method, count, true),
        _ => {}
    }
    let Some(call) = call(&method.class_name, &method.name, &method.descriptor) else {
        return Ok(None);
    };
    let args = (0..count).rev().map(|depth| match state.peek(depth) {
        Shadow::Same(value) => Ok(value),
        Shadow::Split { .. } => Err(per_version(state)),
    });
    let args = args.collect::<Step<Vec<_>>>()?;
    if args.iter().any(|arg| matches!(arg, Value::Ref(Ref::Null))) {
        return Ok(None);
    }
    Ok(match decide(vm, state, call, &args)? {
        Ok(_) => None,
        Err(error) => Some(vec![
            Insn::New(Arc::from(ERROR)),
            Insn::Dup,
            Insn::Const(Const::Int(error)),
            invoke(InvokeKind::Special, ERROR, "<init>", "(I)V"),
            Insn::Athrow,
        ]),
    })
}

/// The one that the JDK brings: no property names another.
fn default_file_system() -> Vec<Insn> {
    const PROVIDER: &str = "sun/nio/fs/DefaultFileSystemProvider";
    let descriptor = "()Ljava/nio/file/FileSystem;";
    vec![
        invoke(InvokeKind::Static, PROVIDER, "theFileSystem", descriptor),
        Insn::Return(Some(None)),
    ]
}
