//! Stack map frames (JVMS §4.7.4), shifted to new positions.

use super::super::decode::DecodeError;
use super::Cursor;
use super::code::Moved;

const SAME: u8 = 251;
const SAME_AND_ONE: u8 = 247;
const FULL: u8 = 255;

/// A frame in the form with an explicit offset, which all kinds have.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    at: usize,
    kind: u8,
    types: Vec<u8>,
}

impl Frame {
    /// That of a handler which uses no local variable.
    pub fn of_handler(at: usize, throwable: u16) -> Frame {
        let [a, b] = throwable.to_be_bytes();
        Frame {
            at,
            kind: FULL,
            types: vec![0, 0, 0, 1, 7, a, b],
        }
    }
}

/// Reads a `StackMapTable`; the frames are where the code has moved to.
pub(super) fn read(info: &mut Cursor, moved: &Moved) -> Result<Vec<Frame>, DecodeError> {
    let rows = info.u2()?;
    let mut frames = Vec::with_capacity(usize::from(rows));
    let mut next = 0;
    for _ in 0..rows {
        let tag = info.u1()?;
        let mut types = Vec::new();
        let (kind, delta) = match tag {
            0..=63 => (SAME, u16::from(tag)),
            64..=127 => (SAME_AND_ONE, u16::from(tag) - 64),
            247..=255 => (tag, info.u2()?),
            _ => return Err(DecodeError(format!("stack map frame of type {tag}"))),
        };
        match kind {
            SAME_AND_ONE => copy(info, 1, moved, &mut types)?,
            252..=254 => copy(info, u16::from(kind) - 251, moved, &mut types)?,
            FULL => {
                for _ in 0..2 {
                    let n = info.u2()?;
                    types.extend(n.to_be_bytes());
                    copy(info, n, moved, &mut types)?;
                }
            }
            _ => {}
        }
        let at = next + usize::from(delta);
        next = at + 1;
        frames.push(Frame {
            at: moved.target(at),
            kind,
            types,
        });
    }
    Ok(frames)
}

/// Copies verification types; those of objects made but not constructed name the instruction that made them.
fn copy(info: &mut Cursor, n: u16, moved: &Moved, out: &mut Vec<u8>) -> Result<(), DecodeError> {
    for _ in 0..n {
        let tag = info.u1()?;
        out.push(tag);
        match tag {
            7 => out.extend(info.take(2)?),
            8 => {
                let at = moved.insn(usize::from(info.u2()?));
                out.extend((at as u16).to_be_bytes());
            }
            _ => {}
        }
    }
    Ok(())
}

/// The attribute's content.
pub(super) fn write(frames: &[Frame]) -> Vec<u8> {
    let mut out = (frames.len() as u16).to_be_bytes().to_vec();
    let mut next = 0;
    for frame in frames {
        out.push(frame.kind);
        // Of frames that were out of order already the JVM says what it thinks.
        out.extend((frame.at.wrapping_sub(next) as u16).to_be_bytes());
        out.extend(&frame.types);
        next = frame.at + 1;
    }
    out
}
