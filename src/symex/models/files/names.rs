//! Names of files and their targets, also of symbolic names.

use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::super::vm::Vm;
use super::super::{content, object, spelled};
use super::unsupported;
use crate::expr::{Pool, Term};
use crate::model::reason::Reason;
use crate::symex::state::files::{FileTarget, Files, TEMPORARY};
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::{Text, TextRun};

/// What the open part of a name may be, besides what makes it a file that is there.
const PARTS: [&str; 3] = ["a", "b", ""];

/// How many files that are there it may be.
const MOST_THERE: usize = 4;

/// Where a name leads to. A name that the input decides is one of those that are there, or one of a few others.
pub(super) fn place(vm: &mut Vm, state: &State, files: &Files, text: &Text) -> Step<FileTarget> {
    let units = match text.units(&vm.pool) {
        Some(units) => units,
        None => chosen(vm, state, files, text)?,
    };
    let name =
        String::from_utf16(&units).map_err(|_| unsupported("a name with half a character"))?;
    if name.split('/').any(|part| part.len() > 255) || name.len() > 4000 {
        return Err(unsupported("a long name"));
    }
    let place = match (
        below(vm, "user.dir", &name),
        below(vm, "java.io.tmpdir", &name),
    ) {
        (Some(rest), _) => files.place(rest),
        (None, Some(rest)) => files.temporary(rest),
        (None, None) => files.place(&name),
    };
    match place {
        FileTarget::Outside => Err(unsupported("outside of the working folder")),
        place => Ok(place),
    }
}

/// What of an absolute name is below the folder that a property of the JVM that is asked names; the folder itself is `.`.
fn below<'a>(vm: &Vm, property: &str, name: &'a str) -> Option<&'a str> {
    if !name.starts_with('/') {
        return None;
    }
    match name.strip_prefix(&*folder(vm, property)?)? {
        "" => Some("."),
        rest => rest
            .strip_prefix('/')
            .map(|rest| match rest.trim_start_matches('/') {
                "" => ".",
                rest => rest,
            }),
    }
}

/// The folder that a property of the JVM that is asked names.
pub(super) fn folder(vm: &Vm, property: &str) -> Option<String> {
    let folder = vm.linker.machine().property(property)??;
    Some(folder.trim_end_matches('/').to_string())
}

/// The absolute name of a path.
pub(super) fn absolute(vm: &Vm, path: &str) -> Step<String> {
    let (property, rest) = match path.strip_prefix(TEMPORARY) {
        Some(rest) => ("java.io.tmpdir", rest.trim_start_matches('/')),
        None => ("user.dir", path),
    };
    let folder = folder(vm, property).ok_or_else(|| unsupported("the working folder's name"))?;
    Ok(match rest {
        "" => folder,
        rest => format!("{folder}/{rest}"),
    })
}

/// The working folder is another in each process.
pub(super) fn shows_folder(vm: &mut Vm, state: &mut State) {
    const OWN: [&str; 2] = ["java/nio/file/", "sun/nio/fs/"];
    let asking = state.frame().map(|f| f.method.class_name.clone());
    if !asking.is_some_and(|class| OWN.iter().any(|own| class.starts_with(own))) {
        vm.by_chance(state, Reason::ThisMachine);
    }
}

/// Names without `.` and `..`: there are no links.
pub(super) fn canonical(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let id = object(vm, args, 1)?;
    let units = content(vm, state, id)?.units(&vm.pool);
    let units = units.ok_or_else(|| unsupported("the canonical form of an open name"))?;
    let name = String::from_utf16_lossy(&units);
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/').filter(|p| !p.is_empty() && *p != ".") {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let plain = format!("/{}", parts.join("/"));
    if below(vm, "user.dir", &plain)
        .or_else(|| below(vm, "java.io.tmpdir", &plain))
        .is_none()
    {
        return Err(unsupported("outside of the working folder"));
    }
    shows_folder(vm, state);
    let text = Text::constant(&mut vm.pool, &plain.encode_utf16().collect::<Vec<_>>());
    vm.new_string(state, text).map(Some)
}

/// The name that an open one is taken to be: as often as the instruction was tried.
fn chosen(vm: &mut Vm, state: &State, files: &Files, text: &Text) -> Step<Vec<u16>> {
    let names = candidates(vm, files, text);
    let passed = usize::from(state.frame().map_or(0, |f| f.passed));
    if let Some(name) = passed.checked_sub(1).and_then(|i| names.get(i)) {
        return Ok(name.encode_utf16().collect());
    }
    let mut choices = Vec::new();
    let mut other = vm.pool.bool(true);
    spelled(vm, text)?;
    for (i, name) in names.iter().enumerate() {
        let units: Vec<u16> = name.encode_utf16().collect();
        let constant = Text::constant(&mut vm.pool, &units);
        let Some(is) = text.equals(&mut vm.pool, &constant) else {
            return Err(unsupported("a name with the digits of a number"));
        };
        choices.push((Shadow::Same(is), Act::Pass(i as u8 + 1)));
        let not = vm.pool.not(is);
        other = vm.pool.and(other, not);
    }
    let stop = Stop::bound(Reason::FileNames, "names that the input decides");
    choices.push((Shadow::Same(other), Act::GiveUp(stop)));
    Err(Interruption::Choose(choices))
}

/// What an open name may be: files that are there, and a few others between the parts of it that are known.
fn candidates(vm: &Vm, files: &Files, text: &Text) -> Vec<String> {
    let there = files.all().map(|(path, _)| path.clone()).take(MOST_THERE);
    let mut names: Vec<String> = there.collect();
    let (before, after) = known_parts(&vm.pool, text);
    for part in PARTS {
        let name = format!("{before}{part}{after}");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The known beginning of an open name, up to its last `/`, and its known end, from its first `.` on.
fn known_parts(pool: &Pool, text: &Text) -> (String, String) {
    let begin = match text.pieces().first() {
        Some(TextRun::Chars { chars, .. }) => constants(pool, chars.iter()),
        _ => Vec::new(),
    };
    let mut end = match text.pieces().last() {
        Some(TextRun::Chars { len, chars }) if pool.as_i64(*len) == Some(chars.len() as i64) => {
            constants(pool, chars.iter().rev())
        }
        _ => Vec::new(),
    };
    end.reverse();
    let (begin, end) = (
        String::from_utf16_lossy(&begin),
        String::from_utf16_lossy(&end),
    );
    let before = begin.rfind('/').map_or("", |at| &begin[..=at]);
    let after = end.find('.').map_or("", |at| &end[at..]);
    (before.to_string(), after.to_string())
}

fn constants<'a>(pool: &Pool, units: impl Iterator<Item = &'a Term>) -> Vec<u16> {
    units
        .map_while(|t| pool.as_i64(*t))
        .map(|n| n as u16)
        .collect()
}
