//! Sample inputs of an exploration, a few of each shape, as seeds for trials.

use crate::model::Inputs;

/// Inputs kept of each shape, of each kind.
const MOST: usize = 8;

/// Inputs, by the number of their shape.
#[derive(Debug, Default)]
pub struct Samples {
    untried: Vec<(usize, Inputs)>,
    finished: Vec<(usize, Inputs)>,
}

impl Samples {
    /// One that comes to where a path was given up or left.
    pub(in crate::symex) fn untried(&mut self, shape: usize, inputs: Inputs) {
        keep(&mut self.untried, shape, inputs);
    }

    /// One of a finished path.
    pub(in crate::symex) fn finished(&mut self, shape: usize, inputs: Inputs) {
        keep(&mut self.finished, shape, inputs);
    }

    /// Takes in those of another part of the exploration.
    pub(in crate::symex) fn merge(&mut self, other: Samples) {
        for (shape, inputs) in other.untried {
            self.untried(shape, inputs);
        }
        for (shape, inputs) in other.finished {
            self.finished(shape, inputs);
        }
    }

    /// Those that come to where a path was given up or left.
    pub fn all_untried(&self) -> impl Iterator<Item = &Inputs> {
        self.untried.iter().map(|(_, inputs)| inputs)
    }

    /// Those of finished paths.
    pub fn all_finished(&self) -> impl Iterator<Item = &Inputs> {
        self.finished.iter().map(|(_, inputs)| inputs)
    }
}

fn keep(all: &mut Vec<(usize, Inputs)>, shape: usize, inputs: Inputs) {
    let alike = all.iter().filter(|(s, _)| *s == shape).count();
    if alike < MOST && !all.iter().any(|(_, known)| *known == inputs) {
        all.push((shape, inputs));
    }
}
