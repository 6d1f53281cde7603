//! Method bodies: instructions, exception table, lines and locals (JVMS §4.7.3, §4.7.12, §4.7.13).

use super::{Decoded, Reader};
use crate::bytecode::class_file::{Code, Handler, LocalVar};
use ristretto_classfile::attributes::{
    Attribute, ExceptionTableEntry, Instruction, LocalVariableTable,
};

impl Reader<'_> {
    /// A body, with positions as instruction indices.
    pub(super) fn code(
        &self,
        max_locals: u16,
        code: &[Instruction],
        table: &[ExceptionTableEntry],
        attributes: &[Attribute],
    ) -> Decoded<Code> {
        let insns = code
            .iter()
            .enumerate()
            .map(|(at, i)| self.insn(at, i))
            .collect::<Decoded<Vec<_>>>()?;
        let mut out = Code {
            max_locals,
            lines: vec![0; insns.len()],
            insns,
            handlers: table
                .iter()
                .map(|row| self.handler(row))
                .collect::<Decoded<_>>()?,
            locals: Vec::new(),
        };
        let mut starts: Vec<(usize, u32)> = Vec::new();
        for attribute in attributes {
            match attribute {
                Attribute::LineNumberTable { line_numbers, .. } => {
                    let rows = line_numbers.iter();
                    starts
                        .extend(rows.map(|l| (usize::from(l.start_pc), u32::from(l.line_number))));
                }
                Attribute::LocalVariableTable { variables, .. } => {
                    out.locals.extend(self.locals(variables, code)?);
                }
                _ => {}
            }
        }
        starts.sort_by_key(|s| s.0);
        for (i, (start, line)) in starts.iter().enumerate() {
            let end = starts.get(i + 1).map_or(out.lines.len(), |n| n.0);
            if let Some(lines) = out.lines.get_mut(*start..end.max(*start)) {
                lines.fill(*line);
            }
        }
        Ok(out)
    }

    fn handler(&self, row: &ExceptionTableEntry) -> Decoded<Handler> {
        Ok(Handler {
            start: u32::from(row.range_pc.start),
            end: u32::from(row.range_pc.end),
            target: u32::from(row.handler_pc),
            catch: match row.catch_type {
                0 => None,
                class => Some(self.class(class)?),
            },
        })
    }

    /// Named locals; the library leaves their positions, unlike all others, as byte offsets.
    fn locals(
        &self,
        variables: &[LocalVariableTable],
        code: &[Instruction],
    ) -> Decoded<Vec<LocalVar>> {
        let offsets = byte_offsets(code);
        let index = |byte: u32| offsets.partition_point(|o| *o < byte) as u32;
        let local = |v: &LocalVariableTable| {
            let start = u32::from(v.start_pc);
            Ok(LocalVar {
                start: index(start),
                end: index(start + u32::from(v.length)),
                name: self.utf8(v.name_index)?,
                descriptor: self.utf8(v.descriptor_index)?,
                slot: v.index,
            })
        };
        variables.iter().map(local).collect()
    }
}

/// Where each instruction begins, in bytes.
fn byte_offsets(code: &[Instruction]) -> Vec<u32> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut offsets = Vec::with_capacity(code.len());
    for insn in code {
        let start = bytes.position();
        offsets.push(start as u32);
        // Only a jump can fail, as its target is an index by now: its length is that of opcode and offset.
        if insn.to_bytes(&mut bytes).is_err() {
            let wide = matches!(insn, Instruction::Goto_w(_) | Instruction::Jsr_w(_));
            bytes.set_position(start + if wide { 5 } else { 3 });
        }
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::byte_offsets;
    use ristretto_classfile::attributes::Instruction;

    #[test]
    fn instructions_begin_where_the_jvm_counts() {
        let code = [
            Instruction::Iload_0,
            Instruction::Invokestatic(7),
            Instruction::Istore_1,
            Instruction::Goto(0),
            Instruction::Bipush(3),
            Instruction::Return,
        ];
        assert_eq!(byte_offsets(&code), [0, 1, 4, 5, 8, 10]);
    }
}
