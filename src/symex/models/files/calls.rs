//! System calls on the small file system, as Linux answers them (their pages in section 2 of its manual).

use super::super::super::value::{ObjId, Value};
use super::super::super::vm::Vm;
use super::stream::LONGEST;
use super::unsupported;
use crate::symex::state::files::{FileTarget, Files, Listing, Node, Open, TEMPORARY};
use crate::symex::state::interruption::Step;

const NO_ENTRY: i32 = 2;
const DENIED: i32 = 13;
const EXISTS: i32 = 17;
const NO_FOLDER: i32 = 20;
const IS_FOLDER: i32 = 21;
const INVALID: i32 = 22;
const NOT_EMPTY: i32 = 39;

/// What a call does when it succeeds.
pub(super) struct Done {
    /// The files behind it.
    pub files: Files,
    /// Its result.
    pub answer: Option<Value>,
    /// Its result, where that is a name.
    pub bytes: Option<Vec<u8>>,
    /// The object that gets attributes of a file.
    pub attributes: Option<(ObjId, Attributes)>,
}

/// What `stat` says of a file or folder.
pub(super) struct Attributes {
    /// Kind and rights.
    pub mode: i32,
    /// A number of its own.
    pub node: i64,
    /// The length of a file.
    pub size: Option<i64>,
}

impl Done {
    pub(super) fn nothing(files: Files) -> Done {
        Done {
            files,
            answer: None,
            bytes: None,
            attributes: None,
        }
    }

    pub(super) fn number(vm: &mut Vm, files: Files, number: i32) -> Done {
        Done {
            answer: Some(Value::Prim(vm.pool.int(number))),
            ..Done::nothing(files)
        }
    }

    pub(super) fn attributes(files: Files, of: ObjId, found: Attributes) -> Done {
        Done {
            attributes: Some((of, found)),
            ..Done::nothing(files)
        }
    }
}

/// What the C library says of an error.
pub(super) fn message(error: i64) -> Option<&'static str> {
    Some(match i32::try_from(error).ok()? {
        NO_ENTRY => "No such file or directory",
        DENIED => "Permission denied",
        EXISTS => "File exists",
        NO_FOLDER => "Not a directory",
        IS_FOLDER => "Is a directory",
        INVALID => "Invalid argument",
        NOT_EMPTY => "Directory not empty",
        _ => return None,
    })
}

/// What is there, or the error that says that nothing is.
pub(super) fn there(place: FileTarget) -> Result<String, i32> {
    match place {
        FileTarget::There(path) => Ok(path),
        FileTarget::UnderFile => Err(NO_FOLDER),
        _ => Err(NO_ENTRY),
    }
}

pub(super) fn attributes(files: &Files, place: FileTarget) -> Result<Attributes, i32> {
    const FILE: i32 = 0o100_644;
    const FOLDER: i32 = 0o040_755;
    let path = there(place)?;
    let numbered = |all: i64, b: u8| all.wrapping_mul(31).wrapping_add(i64::from(b) + 1);
    let node = path.bytes().fold(1, numbered);
    let bytes = files.bytes(&path);
    Ok(Attributes {
        mode: if bytes.is_some() { FILE } else { FOLDER },
        node,
        size: bytes.map(|b| b.len() as i64),
    })
}

/// What a run makes it may read and write, and enter where it is a folder.
pub(super) fn access(files: &Files, place: &FileTarget, asked: i64) -> Result<(), i32> {
    const EXECUTE: i64 = 1;
    let path = there(place.clone())?;
    match files.bytes(&path) {
        Some(_) if asked & EXECUTE != 0 => Err(DENIED),
        _ => Ok(()),
    }
}

pub(super) fn open(
    vm: &mut Vm,
    mut files: Files,
    place: FileTarget,
    flags: i64,
) -> Step<Result<Done, i32>> {
    const ACCESS: i64 = 0o3;
    const CREATE: i64 = 0o100;
    const EXCLUSIVE: i64 = 0o200;
    const TRUNCATE: i64 = 0o1000;
    const APPEND: i64 = 0o2000;
    const DIRECT: i64 = 0o40_000;
    if flags & DIRECT != 0 {
        return Err(unsupported("direct access"));
    }
    let path = match place {
        FileTarget::There(_) if flags & CREATE != 0 && flags & EXCLUSIVE != 0 => {
            return Ok(Err(EXISTS));
        }
        FileTarget::There(path) => path,
        FileTarget::Free(path) if flags & CREATE != 0 => {
            files.put(&path, Node::File(Vec::new()));
            path
        }
        place => match there(place) {
            Ok(path) => path,
            Err(error) => return Ok(Err(error)),
        },
    };
    if files.bytes(&path).is_none() {
        if flags & ACCESS != 0 || flags & CREATE != 0 {
            return Ok(Err(IS_FOLDER));
        }
        if path.is_empty() {
            return Err(unsupported("the working folder itself is opened"));
        }
    }
    if flags & TRUNCATE != 0 {
        files.put(&path, Node::File(Vec::new()));
    }
    let number = files.free_number();
    let appends = flags & APPEND != 0;
    files.open(
        number,
        Open {
            path,
            at: 0,
            appends,
        },
    );
    Ok(Ok(Done::number(vm, files, number as i32)))
}

pub(super) fn close(mut files: Files, number: i64) -> Result<Done, i32> {
    if let Ok(number) = u32::try_from(number) {
        files.close(number);
    }
    Ok(Done::nothing(files))
}

pub(super) fn make_folder(mut files: Files, place: FileTarget) -> Result<Done, i32> {
    match place {
        FileTarget::There(_) => Err(EXISTS),
        FileTarget::Free(path) => {
            files.put(&path, Node::Folder);
            Ok(Done::nothing(files))
        }
        place => Err(there(place).err().unwrap_or(NO_ENTRY)),
    }
}

pub(super) fn remove_folder(mut files: Files, place: FileTarget) -> Step<Result<Done, i32>> {
    let path = match there(place) {
        Ok(path) => path,
        Err(error) => return Ok(Err(error)),
    };
    if path.is_empty() || path == TEMPORARY {
        return Err(unsupported("the working folder itself is deleted"));
    }
    Ok(if files.bytes(&path).is_some() {
        Err(NO_FOLDER)
    } else if files.remove(&path) {
        Ok(Done::nothing(files))
    } else {
        Err(NOT_EMPTY)
    })
}

pub(super) fn remove_file(mut files: Files, place: FileTarget) -> Result<Done, i32> {
    let path = there(place)?;
    if files.bytes(&path).is_none() {
        return Err(IS_FOLDER);
    }
    files.remove(&path);
    Ok(Done::nothing(files))
}

pub(super) fn rename(
    mut files: Files,
    from: FileTarget,
    to: FileTarget,
) -> Step<Result<Done, i32>> {
    let from = match there(from) {
        Ok(path) => path,
        Err(error) => return Ok(Err(error)),
    };
    let is_root = |path: &str| path.is_empty() || path == TEMPORARY;
    if is_root(&from) || matches!(&to, FileTarget::There(to) if is_root(to)) {
        return Err(unsupported("the working folder itself is moved"));
    }
    let moves_folder = files.bytes(&from).is_none();
    let to = match to {
        FileTarget::Free(path) => path,
        FileTarget::There(path) if path == from => return Ok(Ok(Done::nothing(files))),
        FileTarget::There(path) => {
            let error = match (moves_folder, files.bytes(&path).is_some()) {
                (true, true) => Some(NO_FOLDER),
                (false, false) => Some(IS_FOLDER),
                (true, false) if !files.names(&path).is_empty() => Some(NOT_EMPTY),
                _ => None,
            };
            if let Some(error) = error {
                return Ok(Err(error));
            }
            path
        }
        place => return Ok(Err(there(place).err().unwrap_or(NO_ENTRY))),
    };
    if to.starts_with(&format!("{from}/")) {
        return Ok(Err(INVALID));
    }
    files.rename(&from, &to);
    Ok(Ok(Done::nothing(files)))
}

/// Begins to tell what is in a folder, in an order that the system chooses.
pub(super) fn list(vm: &mut Vm, mut files: Files, place: FileTarget) -> Result<Done, i32> {
    let path = there(place)?;
    if files.bytes(&path).is_some() {
        return Err(NO_FOLDER);
    }
    let names = files.names(&path);
    let number = files.free_number();
    files.list(number, Listing { names, told: 0 });
    let answer = Value::Prim(vm.pool.long(i64::from(number)));
    Ok(Done {
        answer: Some(answer),
        ..Done::nothing(files)
    })
}

/// The next name of a listing; null behind the last.
pub(super) fn next(mut files: Files, number: i64) -> Step<Result<Done, i32>> {
    let number = u32::try_from(number).unwrap_or(0);
    let Some(listing) = files.listing(number).cloned() else {
        return Err(unsupported("a listing that was ended"));
    };
    let Some(name) = listing.names.get(listing.told).cloned() else {
        return Ok(Ok(Done {
            answer: Some(Value::NULL),
            ..Done::nothing(files)
        }));
    };
    let told = listing.told + 1;
    files.list(number, Listing { told, ..listing });
    Ok(Ok(Done {
        bytes: Some(name.into_bytes()),
        ..Done::nothing(files)
    }))
}

pub(super) fn end(mut files: Files, number: i64) -> Done {
    files.end_listing(u32::try_from(number).unwrap_or(0));
    Done::nothing(files)
}

/// Writes what is left of one open file into another.
pub(super) fn copy(vm: &mut Vm, mut files: Files, from: i64, to: i64) -> Step<Done> {
    let opened = |files: &Files, n: i64| {
        let open = u32::try_from(n).ok().and_then(|n| files.opened(n)).cloned();
        let open = open.filter(|open| files.bytes(&open.path).is_some());
        open.ok_or_else(|| unsupported("a copy of what is no file"))
    };
    let (source, target) = (opened(&files, from)?, opened(&files, to)?);
    let bytes = files.bytes(&source.path).cloned().unwrap_or_default();
    let left = bytes.get(source.at..).unwrap_or_default().to_vec();
    let mut written = files.bytes(&target.path).cloned().unwrap_or_default();
    let end = target.at + left.len();
    if end > LONGEST {
        return Err(unsupported("a long file"));
    }
    let zero = vm.pool.int(0);
    written.resize(written.len().max(end), zero);
    written.splice(target.at..end, left);
    files.put(&target.path, Node::File(written));
    Ok(Done::nothing(files))
}
