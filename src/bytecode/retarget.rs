//! Targets of jumps, where instructions got other places.

use super::class_file::Insn;

/// Gives the targets of an instruction their new places.
pub fn retarget(insn: &mut Insn, place: impl Fn(u32) -> u32) {
    match insn {
        Insn::If(_, to)
        | Insn::IfIcmp(_, to)
        | Insn::IfAcmp(_, to)
        | Insn::IfNull(_, to)
        | Insn::Goto(to)
        | Insn::Jsr(to) => *to = place(*to),
        Insn::Switch(default, cases) => {
            *default = place(*default);
            cases.iter_mut().for_each(|case| case.1 = place(case.1));
        }
        _ => {}
    }
}
