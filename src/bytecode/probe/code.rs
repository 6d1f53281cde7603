//! Probes in one method's code (JVMS §4.7.3): the insertion, and the shift of all code after it.

use super::super::decode::DecodeError;
use super::attributes::{attributes, table};
use super::pool::{Calls, Pool};
use super::{Cursor, Member, frames, insns};
use crate::bytecode::parameter_descriptors;

const ALOAD_0: u8 = 0x2a;
const ACONST_NULL: u8 = 0x01;
const INVOKESPECIAL: u8 = 0xb7;
const INVOKESTATIC: u8 = 0xb8;
const NEW: u8 = 0xbb;
const ATHROW: u8 = 0xbf;
const SWAP: u8 = 0x5f;

/// What the code of `enter` needs of the operand stack: number, receiver, array twice, index, a long.
const STACK: u16 = 7;
/// What the code of `exit` needs beside what is there: a long once more, or its box and `null`.
const EXIT_STACK: u16 = 3;

/// Code that is put before an instruction. Its length is a multiple of four, so that switches keep their padding.
pub(super) struct Insertion {
    pub at: usize,
    pub bytes: Vec<u8>,
    /// Whether branches to the instruction go behind what is inserted: it belongs to what comes before.
    pub passed: bool,
}

/// Where code has moved to.
pub(super) struct Moved {
    /// Where something was inserted, whether branches pass it, and how much was up to there.
    rows: Vec<(usize, bool, usize)>,
}

impl Moved {
    pub fn new(insertions: &[Insertion]) -> Moved {
        let mut total = 0;
        let row = |i: &Insertion| {
            total += i.bytes.len();
            (i.at, i.passed, total)
        };
        Moved {
            rows: insertions.iter().map(row).collect(),
        }
    }

    fn by(&self, comes_before: impl Fn(&(usize, bool, usize)) -> bool) -> usize {
        let n = self.rows.partition_point(comes_before);
        n.checked_sub(1).map_or(0, |i| self.rows[i].2)
    }

    /// Where a branch to an instruction goes.
    pub fn target(&self, at: usize) -> usize {
        at + self.by(|r| r.0 < at || r.0 == at && r.1)
    }

    /// Where the instruction itself is.
    pub fn insn(&self, at: usize) -> usize {
        at + self.by(|r| r.0 <= at)
    }

    /// Where what is inserted before it begins.
    pub(super) fn before(&self, at: usize) -> usize {
        at + self.by(|r| r.0 < at)
    }
}

/// The `Code` attribute with probes; else why there are none.
pub(super) fn probe(
    info: &[u8],
    pool: &mut Pool,
    member: &Member,
    number: u16,
) -> Result<Result<Vec<u8>, String>, DecodeError> {
    let calls = pool.calls()?;
    let mut at = Cursor { bytes: info, at: 0 };
    let (max_stack, max_locals) = (at.u2()?, at.u2()?);
    let length = at.u4()?;
    let code = at.take(length as usize)?;
    let made = match super_call(code, pool, member)? {
        Some(made) => made,
        None => return Ok(Err("its constructor calls no other".into())),
    };
    let enter = enter(pool, &calls, member, number)?;
    let exit = exit(pool, &calls, member)?;
    let insertions = insertions(code, (enter, &exit), (made, number), &calls)?;
    let moved = Moved::new(&insertions);
    let Some(mut new) = relocate(code, &insertions, &moved)? else {
        return Ok(Err("its branches get too long".into()));
    };
    let handler = Handler::put(&mut new, &calls, made, &moved);
    if new.len() > usize::from(u16::MAX) {
        return Ok(Err("it gets longer than 65,535 bytes".into()));
    }
    let mut out = Vec::with_capacity(info.len() + 256);
    for n in [max_stack.saturating_add(EXIT_STACK).max(STACK), max_locals] {
        out.extend(n.to_be_bytes());
    }
    out.extend((new.len() as u32).to_be_bytes());
    out.extend(&new);
    table(&mut at, &moved, Some(&handler), &mut out)?;
    let frame = frames::Frame::of_handler(handler.end, calls.throwable);
    attributes(&mut at, pool, &moved, Some(frame), &mut out)?;
    Ok(Ok(out))
}

/// The `Code` attribute with code inserted, which takes so much more of the operand stack; `None` where it gets too long.
pub(super) fn woven(
    info: &[u8],
    pool: &mut Pool,
    stack: u16,
    (code, insertions): (&[u8], &[Insertion]),
) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut at = Cursor { bytes: info, at: 0 };
    let (max_stack, max_locals) = (at.u2()?, at.u2()?);
    let length = at.u4()?;
    at.skip(length as usize)?;
    let moved = Moved::new(insertions);
    let Some(new) = relocate(code, insertions, &moved)? else {
        return Ok(None);
    };
    if new.len() >= usize::from(u16::MAX) {
        return Ok(None);
    }
    let mut out = Vec::with_capacity(2 * info.len());
    for n in [max_stack.saturating_add(stack), max_locals] {
        out.extend(n.to_be_bytes());
    }
    out.extend((new.len() as u32).to_be_bytes());
    out.extend(&new);
    table(&mut at, &moved, None, &mut out)?;
    attributes(&mut at, pool, &moved, None, &mut out)?;
    Ok(Some(out))
}

/// Behind which instruction a constructor's object is one; 0 in other methods. Each `new` before it has a constructor call of
/// its own, so the first without is the one.
fn super_call(code: &[u8], pool: &Pool, member: &Member) -> Result<Option<usize>, DecodeError> {
    if member.name != "<init>" {
        return Ok(Some(0));
    }
    let (mut at, mut open) = (0, 0);
    while at < code.len() {
        let next = at + insns::length(code, at)?;
        match code[at] {
            NEW => open += 1,
            INVOKESPECIAL if pool.is_init(u16::from_be_bytes([code[at + 1], code[at + 2]]))? => {
                if open == 0 {
                    return Ok(Some(next));
                }
                open -= 1;
            }
            _ => {}
        }
        at = next;
    }
    Ok(None)
}

pub(super) fn call(method: u16) -> [u8; 3] {
    let [a, b] = method.to_be_bytes();
    [INVOKESTATIC, a, b]
}

pub(super) fn sipush(n: u16) -> [u8; 3] {
    let [a, b] = n.to_be_bytes();
    [0x11, a, b]
}

/// Padded to a multiple of four by `nop`.
pub(super) fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// `enter(number, this, new Object[] {arguments})`.
fn enter(
    pool: &mut Pool,
    calls: &Calls,
    member: &Member,
    number: u16,
) -> Result<Vec<u8>, DecodeError> {
    let params = parameter_descriptors(member.descriptor);
    let mut out = sipush(number).to_vec();
    let has_object = !member.is_static && member.name != "<init>";
    out.push(if has_object { ALOAD_0 } else { ACONST_NULL });
    out.extend(sipush(params.len() as u16));
    out.push(0xbd);
    out.extend(calls.object.to_be_bytes());
    let mut slot = u16::from(!member.is_static);
    for (i, param) in (0..).zip(&params) {
        out.push(0x59);
        out.extend(sipush(i));
        let (load, boxed, size) = match param.as_bytes().first() {
            Some(b'Z') => (0x15, "Boolean", 1),
            Some(b'B') => (0x15, "Byte", 1),
            Some(b'S') => (0x15, "Short", 1),
            Some(b'C') => (0x15, "Character", 1),
            Some(b'I') => (0x15, "Integer", 1),
            Some(b'J') => (0x16, "Long", 2),
            Some(b'F') => (0x17, "Float", 1),
            Some(b'D') => (0x18, "Double", 2),
            _ => (0x19, "", 1),
        };
        // `wide` holds for any slot.
        out.extend([0xc4, load]);
        out.extend(slot.to_be_bytes());
        if !boxed.is_empty() {
            let class = format!("java/lang/{boxed}");
            let descriptor = format!("({param})L{class};");
            out.extend(call(pool.method(&class, "valueOf", &descriptor)?));
        }
        out.push(0x53);
        slot += size;
    }
    out.extend(call(calls.enter));
    Ok(padded(out))
}

/// `exit(value, null)`, by what is returned.
fn exit(pool: &mut Pool, calls: &Calls, member: &Member) -> Result<Vec<u8>, DecodeError> {
    const DUP: u8 = 0x59;
    const DUP2: u8 = 0x5c;
    let returned = member.descriptor.rsplit(')').next().unwrap_or_default();
    let (again, boxed) = match returned.as_bytes().first() {
        Some(b'Z') => (DUP, "Boolean"),
        Some(b'B') => (DUP, "Byte"),
        Some(b'S') => (DUP, "Short"),
        Some(b'C') => (DUP, "Character"),
        Some(b'I') => (DUP, "Integer"),
        Some(b'J') => (DUP2, "Long"),
        Some(b'F') => (DUP, "Float"),
        Some(b'D') => (DUP2, "Double"),
        Some(b'V') | None => (ACONST_NULL, ""),
        _ => (DUP, ""),
    };
    let mut out = vec![again];
    if !boxed.is_empty() {
        let class = format!("java/lang/{boxed}");
        let descriptor = format!("({returned})L{class};");
        out.extend(call(pool.method(&class, "valueOf", &descriptor)?));
    }
    out.push(ACONST_NULL);
    out.extend(call(calls.exit));
    Ok(padded(out))
}

/// In order of place; at one place, what belongs to before comes first.
fn insertions(
    code: &[u8],
    (enter, exit): (Vec<u8>, &[u8]),
    (made, number): (usize, u16),
    calls: &Calls,
) -> Result<Vec<Insertion>, DecodeError> {
    let mut all = vec![Insertion {
        at: 0,
        bytes: enter,
        passed: true,
    }];
    let mut at = 0;
    while at < code.len() {
        if at == made && made > 0 {
            let bytes = [&[ALOAD_0][..], &sipush(number), &call(calls.made)].concat();
            all.push(Insertion {
                at,
                bytes: padded(bytes),
                passed: true,
            });
        }
        if insns::returns(code[at]) {
            all.push(Insertion {
                at,
                bytes: exit.to_vec(),
                passed: false,
            });
        }
        at += insns::length(code, at)?;
    }
    Ok(all)
}

/// The code with everything inserted; `None` where a branch does not reach its target any more.
pub(super) fn relocate(
    code: &[u8],
    insertions: &[Insertion],
    moved: &Moved,
) -> Result<Option<Vec<u8>>, DecodeError> {
    let mut out = Vec::with_capacity(code.len() + 256);
    let mut insertions = insertions.iter().peekable();
    let mut at = 0;
    while at < code.len() {
        while let Some(insertion) = insertions.next_if(|i| i.at == at) {
            out.extend(&insertion.bytes);
        }
        let length = insns::length(code, at)?;
        let start = out.len();
        out.extend(&code[at..at + length]);
        let (places, wide) = insns::branches(code, at)?;
        for place in places {
            let old = if wide {
                let bytes = [
                    code[place],
                    code[place + 1],
                    code[place + 2],
                    code[place + 3],
                ];
                i32::from_be_bytes(bytes)
            } else {
                i32::from(i16::from_be_bytes([code[place], code[place + 1]]))
            };
            let target = usize::try_from(at as i64 + i64::from(old));
            let target = target.map_err(|_| DecodeError("a branch leaves the code".into()))?;
            let new = moved.target(target) as i64 - moved.insn(at) as i64;
            let place = start + place - at;
            if wide {
                out[place..place + 4].copy_from_slice(&(new as i32).to_be_bytes());
            } else if let Ok(new) = i16::try_from(new) {
                out[place..place + 2].copy_from_slice(&new.to_be_bytes());
            } else {
                return Ok(None);
            }
        }
        at += length;
    }
    Ok(Some(out))
}

/// A handler for whatever leaves the method: it tells, and throws it again.
pub(super) struct Handler {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Handler {
    /// Puts it behind the code. It covers what comes behind `enter`, in constructors behind `made`: the verifier allows none around
    /// the call that makes the object one (JVMS §4.10.1.4: its frame is another before and after).
    fn put(code: &mut Vec<u8>, calls: &Calls, made: usize, moved: &Moved) -> Handler {
        let handler = Handler {
            start: moved.target(made),
            end: code.len(),
        };
        // `exit(null, thrown)`.
        code.extend([0x59, ACONST_NULL, SWAP]);
        code.extend(call(calls.exit));
        code.push(ATHROW);
        handler
    }
}
