//! String buffers that took the place of string builders, or the other way round: one that no other code knows does the same.

use super::body::Body;
use super::context::ProofContext;
use super::executor::Executor;
use crate::bytecode::class_file::Insn;
use crate::expr::Term;

const BUFFER: &str = "java/lang/StringBuffer";
const BUILDER: &str = "java/lang/StringBuilder";

/// Whether one version makes buffers where the other makes builders.
pub(super) fn swaps_buffers(bodies: &[Body; 2]) -> bool {
    let [old, new] = bodies;
    let makes = |body: &Body, class: &str| {
        let mut insns = body.code.insns.iter();
        insns.any(|i| matches!(i, Insn::New(c) if **c == *class))
    };
    let swaps = |a, b| makes(a, BUFFER) && !makes(b, BUFFER) && makes(b, BUILDER);
    swaps(old, new) || swaps(new, old)
}

impl Executor<'_> {
    /// The class of an object that the code makes, as far as this attempt tells.
    pub(super) fn class_made<'a>(&self, class: &'a str) -> &'a str {
        match class == BUFFER && self.context.buffers {
            true => BUILDER,
            false => class,
        }
    }

    /// Notices that other code may see of which class an object is.
    pub(super) fn notice_buffer(&self, object: Term) {
        self.context.notice_buffer(object);
    }
}

impl ProofContext {
    /// Notices that the attempt may not tell any longer of which class an object is.
    pub(super) fn notice_buffer(&self, object: Term) {
        if self.is_buffer(object) {
            self.leaked.set(true);
        }
    }

    /// Whether an object may be one whose class is not told.
    pub(super) fn is_buffer(&self, object: Term) -> bool {
        let is_one = |t: &Term| {
            let class = self.symbols.class_of(*t);
            class.is_some_and(|c| &**c == BUILDER)
        };
        self.buffers && self.symbols.choices(object).iter().any(is_one)
    }
}
