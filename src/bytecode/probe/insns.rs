//! Instructions as bytes: lengths and branch targets (JVMS §6.5), as far as shifting code needs them.

use super::super::decode::DecodeError;

const TABLESWITCH: u8 = 0xaa;
const LOOKUPSWITCH: u8 = 0xab;

fn word(code: &[u8], at: usize) -> Result<i32, DecodeError> {
    let bytes = code.get(at..at + 4).and_then(|b| b.try_into().ok());
    let bytes = bytes.ok_or_else(|| DecodeError("code ends early".into()))?;
    Ok(i32::from_be_bytes(bytes))
}

/// Where a switch's offsets begin, behind its padding.
fn operands(at: usize) -> usize {
    (at / 4 + 1) * 4
}

fn backwards() -> DecodeError {
    DecodeError("a switch has fewer than no cases".into())
}

/// The length of the instruction at `at`.
pub(super) fn length(code: &[u8], at: usize) -> Result<usize, DecodeError> {
    let n = match code[at] {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
        0x11
        | 0x13
        | 0x14
        | 0x84
        | 0x99..=0xa8
        | 0xb2..=0xb8
        | 0xbb
        | 0xbd
        | 0xc0
        | 0xc1
        | 0xc6
        | 0xc7 => 3,
        0xc5 => 4,
        0xb9 | 0xba | 0xc8 | 0xc9 => 5,
        0xc4 if code.get(at + 1) == Some(&0x84) => 6,
        0xc4 => 4,
        TABLESWITCH => {
            let from = operands(at);
            let (low, high) = (word(code, from + 4)?, word(code, from + 8)?);
            let rows = usize::try_from(i64::from(high) - i64::from(low) + 1);
            from + 12 + 4 * rows.map_err(|_| backwards())? - at
        }
        LOOKUPSWITCH => {
            let from = operands(at);
            let rows = usize::try_from(word(code, from + 4)?);
            from + 8 + 8 * rows.map_err(|_| backwards())? - at
        }
        _ => 1,
    };
    if at + n > code.len() {
        return Err(DecodeError("code ends early".into()));
    }
    Ok(n)
}

/// Places, in the code, of the branch offsets of the instruction at `at`, and whether they have four bytes.
pub(super) fn branches(code: &[u8], at: usize) -> Result<(Vec<usize>, bool), DecodeError> {
    Ok(match code[at] {
        0x99..=0xa8 | 0xc6 | 0xc7 => (vec![at + 1], false),
        0xc8 | 0xc9 => (vec![at + 1], true),
        TABLESWITCH => {
            let (from, end) = (operands(at), at + length(code, at)?);
            let rows = (from + 12..end).step_by(4);
            (std::iter::once(from).chain(rows).collect(), true)
        }
        LOOKUPSWITCH => {
            let (from, end) = (operands(at), at + length(code, at)?);
            let rows = (from + 12..end).step_by(8);
            (std::iter::once(from).chain(rows).collect(), true)
        }
        _ => (Vec::new(), false),
    })
}

/// Whether an instruction ends the method.
pub(super) fn returns(opcode: u8) -> bool {
    matches!(opcode, 0xac..=0xb1)
}
