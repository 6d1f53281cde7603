//! Marks: probes that tell that an instruction is about to run, and nothing else.

use super::super::decode::DecodeError;
use super::code::{Insertion, call, padded, sipush, woven};
use super::pool::Pool;
use super::{Cursor, Listener, Member, Probed, insns, rewritten};
use std::collections::BTreeSet;

/// Operand stack that a mark takes.
const STACK: u16 = 1;

/// The number of a method's marks and the instructions, as indices, that have one.
pub type Marks = (u16, BTreeSet<u32>);

/// Puts marks before instructions: `of` gives those of a method, by name and descriptor. The listener has
/// `public static void reached(int number)`.
///
/// # Errors
/// The class file is malformed, or its constant pool full.
pub fn mark(
    bytes: &[u8],
    of: &dyn Fn(&str, &str) -> Option<Marks>,
    listener: Listener,
) -> Result<Probed, DecodeError> {
    rewritten(bytes, listener, &mut |info, pool, member| {
        let Some((number, places)) = marks_of(of, member) else {
            return Ok(Ok(None));
        };
        let mut reached = sipush(number).to_vec();
        reached.extend(call(pool.method(listener.0, "reached", "(I)V")?));
        let code = marked(info, pool, (&padded(reached), &places))?;
        Ok(code.map(Some).ok_or_else(|| "it gets too long".to_string()))
    })
}

fn marks_of(of: &dyn Fn(&str, &str) -> Option<Marks>, member: &Member) -> Option<Marks> {
    of(member.name, member.descriptor).filter(|marks| !marks.1.is_empty())
}

/// The `Code` attribute with these bytes before each place.
fn marked(
    info: &[u8],
    pool: &mut Pool,
    (bytes, places): (&[u8], &BTreeSet<u32>),
) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut at = Cursor { bytes: info, at: 4 };
    let length = at.u4()?;
    let code = at.take(length as usize)?;
    let mut all = Vec::new();
    let (mut at, mut index) = (0, 0);
    while at < code.len() {
        if places.contains(&index) {
            all.push(Insertion {
                at,
                bytes: bytes.to_vec(),
                passed: false,
            });
        }
        at += insns::length(code, at)?;
        index += 1;
    }
    woven(info, pool, STACK, (code, &all))
}
