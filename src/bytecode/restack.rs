//! The instructions that only move operands, `pop` to `swap`, on any model of the operand stack.

use super::class_file::Insn;

/// Executes `pop`, `pop2`, `dup` …, `dup2_x2` or `swap` (JVMS §6.5). A `long` or `double` takes two slots; `slots` says how many
/// slots an entry of this stack stands for, so both a stack of values and a stack of slots will do. `None` for other instructions,
/// and where the stack is too small; then it is unchanged.
pub fn restack<T: Clone>(
    insn: &Insn,
    stack: &mut Vec<T>,
    slots: impl Fn(&T) -> usize,
) -> Option<()> {
    let (taken, below) = shape(insn)?;
    let top = entries(stack, taken, &slots)?;
    let at = stack.len() - entries(stack, below, &slots)?;
    let from = stack.len() - top;
    match insn {
        Insn::Pop | Insn::Pop2 => stack.truncate(from),
        Insn::Swap => stack.swap(at, from),
        _ => {
            for copied in 0..top {
                // What was inserted below has moved the entries still to be copied.
                let entry = stack[from + 2 * copied].clone();
                stack.insert(at + copied, entry);
            }
        }
    }
    Some(())
}

/// How many entries such an instruction reads or moves.
pub fn restacked<T>(insn: &Insn, stack: &[T], slots: impl Fn(&T) -> usize) -> usize {
    let below = shape(insn).map_or(0, |shape| shape.1);
    entries(stack, below, &slots).unwrap_or(stack.len())
}

/// Slots that are removed, copied or swapped, and slots from the top below which they come to stand.
fn shape(insn: &Insn) -> Option<(usize, usize)> {
    Some(match insn {
        Insn::Pop => (1, 1),
        Insn::Pop2 => (2, 2),
        Insn::Dup => (1, 1),
        Insn::DupX1 => (1, 2),
        Insn::DupX2 => (1, 3),
        Insn::Dup2 => (2, 2),
        Insn::Dup2X1 => (2, 3),
        Insn::Dup2X2 => (2, 4),
        Insn::Swap => (1, 2),
        _ => return None,
    })
}

/// The number of entries from the top that stand for so many slots.
fn entries<T>(stack: &[T], slots: usize, width: &impl Fn(&T) -> usize) -> Option<usize> {
    let mut covered = 0;
    for (count, entry) in stack.iter().rev().enumerate() {
        if covered >= slots {
            return Some(count);
        }
        covered += width(entry);
    }
    (covered >= slots).then_some(stack.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Capital letters take two slots.
    fn after(insn: Insn, stack: &str) -> Option<String> {
        let mut entries: Vec<char> = stack.chars().collect();
        restack(&insn, &mut entries, |c| 1 + usize::from(c.is_uppercase()))?;
        Some(entries.into_iter().collect())
    }

    #[test]
    fn every_form_of_the_specification_is_covered() {
        let cases = [
            (Insn::Pop, "ab", "a"),
            (Insn::Pop2, "abc", "a"),
            (Insn::Pop2, "aB", "a"),
            (Insn::Dup, "ab", "abb"),
            (Insn::DupX1, "ab", "bab"),
            (Insn::DupX2, "abc", "cabc"),
            (Insn::DupX2, "Ab", "bAb"),
            (Insn::Dup2, "ab", "abab"),
            (Insn::Dup2, "aB", "aBB"),
            (Insn::Dup2X1, "abc", "bcabc"),
            (Insn::Dup2X1, "aB", "BaB"),
            (Insn::Dup2X2, "abcd", "cdabcd"),
            (Insn::Dup2X2, "abC", "CabC"),
            (Insn::Dup2X2, "Abc", "bcAbc"),
            (Insn::Dup2X2, "AB", "BAB"),
            (Insn::Swap, "abc", "acb"),
        ];
        for (insn, before, expected) in cases {
            assert_eq!(after(insn, before).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_stack_that_is_too_small_is_left_alone() {
        assert_eq!(after(Insn::Dup2X1, "ab"), None);
        assert_eq!(after(Insn::Nop, "ab"), None);
    }
}
