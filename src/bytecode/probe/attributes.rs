//! The exception table and the attributes of a body whose instructions moved.

use super::super::decode::DecodeError;
use super::code::{Handler, Moved};
use super::pool::Pool;
use super::{Cursor, frames};

/// The exception table; the method's own handlers come first.
pub(super) fn table(
    at: &mut Cursor,
    moved: &Moved,
    handler: Option<&Handler>,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    let rows = at.u2()?;
    let mut put = |n: usize| out.extend((n as u16).to_be_bytes());
    put(usize::from(rows) + usize::from(handler.is_some()));
    for _ in 0..rows {
        for _ in 0..3 {
            put(moved.target(usize::from(at.u2()?)));
        }
        put(usize::from(at.u2()?));
    }
    for n in handler.iter().flat_map(|h| [h.start, h.end, h.end, 0]) {
        put(n);
    }
    Ok(())
}

/// The code's attributes, moved. Type annotations of instructions, which nothing reads at run time, are left out.
pub(super) fn attributes(
    at: &mut Cursor,
    pool: &mut Pool,
    moved: &Moved,
    handler: Option<frames::Frame>,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    let mut all: Vec<(u16, Vec<u8>)> = Vec::new();
    let mut own_frames = None;
    for _ in 0..at.u2()? {
        let name = at.u2()?;
        let length = at.u4()?;
        let mut info = Cursor {
            bytes: at.take(length as usize)?,
            at: 0,
        };
        match pool.utf8(name)?.as_str() {
            "LineNumberTable" => all.push((name, lines(&mut info, moved)?)),
            "LocalVariableTable" | "LocalVariableTypeTable" => {
                all.push((name, locals(&mut info, moved)?));
            }
            "StackMapTable" => own_frames = Some((name, frames::read(&mut info, moved)?)),
            _ => {}
        }
    }
    let (name, mut frames) = match own_frames {
        Some(own) => own,
        None => (pool.text("StackMapTable")?, Vec::new()),
    };
    frames.extend(handler);
    if !frames.is_empty() {
        all.push((name, frames::write(&frames)));
    }
    out.extend((all.len() as u16).to_be_bytes());
    for (name, info) in all {
        out.extend(name.to_be_bytes());
        out.extend((info.len() as u32).to_be_bytes());
        out.extend(info);
    }
    Ok(())
}

fn lines(info: &mut Cursor, moved: &Moved) -> Result<Vec<u8>, DecodeError> {
    let rows = info.u2()?;
    let mut out = rows.to_be_bytes().to_vec();
    for _ in 0..rows {
        let at = moved.before(usize::from(info.u2()?));
        out.extend((at as u16).to_be_bytes());
        out.extend(info.take(2)?);
    }
    Ok(out)
}

fn locals(info: &mut Cursor, moved: &Moved) -> Result<Vec<u8>, DecodeError> {
    let rows = info.u2()?;
    let mut out = rows.to_be_bytes().to_vec();
    for _ in 0..rows {
        let (start, length) = (usize::from(info.u2()?), usize::from(info.u2()?));
        let (new, end) = (moved.before(start), moved.before(start + length));
        out.extend((new as u16).to_be_bytes());
        out.extend(((end - new) as u16).to_be_bytes());
        out.extend(info.take(6)?);
    }
    Ok(out)
}
