//! The nesting depth of a class file, checked before any recursive reader: deeper nesting than a compiler writes is rejected.

use super::{DecodeError, Decoded};
use crate::bytecode::cursor::Cursor;

/// Attributes in attributes, and annotations in annotations, deeper than this are no compiler's.
const DEEPEST: u32 = 64;

/// Checks a class file (JVMS §4.1).
///
/// # Errors
/// It nests too deeply, or its attributes are not as long as they say.
pub(super) fn check(bytes: &[u8]) -> Decoded<()> {
    let mut at = Cursor { bytes, at: 8 };
    let kinds = pool(&mut at)?;
    at.skip(6)?;
    let interfaces = at.u2()?;
    at.skip(2 * usize::from(interfaces))?;
    for _ in 0..2 {
        for _ in 0..at.u2()? {
            at.skip(6)?;
            attributes(&mut at, &kinds, 0)?;
        }
    }
    attributes(&mut at, &kinds, 0)
}

/// What an attribute of some name holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Other,
    Code,
    Record,
    Annotations,
    OfParameters,
    OfTypes,
    Default,
}

/// By each constant, what an attribute of that name is.
fn pool(at: &mut Cursor) -> Decoded<Vec<Kind>> {
    let count = usize::from(at.u2()?);
    let mut kinds = vec![Kind::Other; count];
    let mut i = 1;
    while i < count {
        let (tag, text, entries) = at.constant()?;
        if tag == 1 {
            kinds[i] = kind(text);
        }
        i += entries;
    }
    Ok(kinds)
}

fn kind(name: &[u8]) -> Kind {
    match name {
        b"Code" => Kind::Code,
        b"Record" => Kind::Record,
        b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => Kind::Annotations,
        b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => {
            Kind::OfParameters
        }
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => Kind::OfTypes,
        b"AnnotationDefault" => Kind::Default,
        _ => Kind::Other,
    }
}

fn deeper(depth: u32) -> Decoded<u32> {
    match depth < DEEPEST {
        true => Ok(depth + 1),
        false => Err(DecodeError("it is nested too deeply".into())),
    }
}

fn attributes(at: &mut Cursor, kinds: &[Kind], depth: u32) -> Decoded<()> {
    let depth = deeper(depth)?;
    for _ in 0..at.u2()? {
        let name = usize::from(at.u2()?);
        let length = at.u4()? as usize;
        let end = at.at.saturating_add(length);
        match kinds.get(name).copied().unwrap_or(Kind::Other) {
            Kind::Other => at.skip(length)?,
            Kind::Code => {
                at.skip(4)?;
                let code = at.u4()? as usize;
                at.skip(code)?;
                let handlers = usize::from(at.u2()?);
                at.skip(8 * handlers)?;
                attributes(at, kinds, depth)?;
            }
            Kind::Record => {
                for _ in 0..at.u2()? {
                    at.skip(4)?;
                    attributes(at, kinds, depth)?;
                }
            }
            Kind::Annotations => annotations(at)?,
            Kind::OfParameters => {
                for _ in 0..at.u1()? {
                    annotations(at)?;
                }
            }
            Kind::OfTypes => {
                for _ in 0..at.u2()? {
                    target(at)?;
                    annotation(at, 0)?;
                }
            }
            Kind::Default => element(at, 0)?,
        }
        if at.at != end {
            return Err(DecodeError("an attribute is not as long as it says".into()));
        }
    }
    Ok(())
}

fn annotations(at: &mut Cursor) -> Decoded<()> {
    for _ in 0..at.u2()? {
        annotation(at, 0)?;
    }
    Ok(())
}

/// JVMS §4.7.16.
fn annotation(at: &mut Cursor, depth: u32) -> Decoded<()> {
    at.skip(2)?;
    for _ in 0..at.u2()? {
        at.skip(2)?;
        element(at, depth)?;
    }
    Ok(())
}

/// JVMS §4.7.16.1.
fn element(at: &mut Cursor, depth: u32) -> Decoded<()> {
    let depth = deeper(depth)?;
    match at.u1()? {
        b'e' => at.skip(4),
        b'@' => annotation(at, depth),
        b'[' => {
            for _ in 0..at.u2()? {
                element(at, depth)?;
            }
            Ok(())
        }
        _ => at.skip(2),
    }
}

/// Where a type annotation stands (JVMS §4.7.20.1 and §4.7.20.2).
fn target(at: &mut Cursor) -> Decoded<()> {
    let length = match at.u1()? {
        0x00 | 0x01 | 0x16 => 1,
        0x10..=0x12 | 0x17 | 0x42..=0x46 => 2,
        0x13..=0x15 => 0,
        0x47..=0x4b => 3,
        0x40 | 0x41 => 6 * usize::from(at.u2()?),
        tag => return Err(DecodeError(format!("type annotation of target {tag}"))),
    };
    at.skip(length)?;
    let path = usize::from(at.u1()?);
    at.skip(2 * path)
}
