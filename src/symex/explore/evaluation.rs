//! Evaluation of an input on a finished path: whether it takes the path, and whether the outcomes differ on it.

use crate::expr::{Model, Term};
use crate::model::Inputs;
use crate::symex::explore::{Explorer, FinishedPath};
use crate::symex::input::seed;
use crate::symex::state::shape::assignment;

impl Explorer {
    /// Whether whole-number arguments take the path, and if so, whether the outcomes differ on them (unknown when the old
    /// version was not run). Whatever else the input consists of is zero.
    pub fn evaluate(&self, path: &FinishedPath, args: &[i64]) -> Option<Option<bool>> {
        self.evaluated(path, &assignment(&self.vm.pool, &path.terms.args, args))
    }

    /// Whether an input takes the path. An input that is made another way than the path's (by another constructor, after
    /// other calls) does not.
    pub fn takes(&self, path: &FinishedPath, inputs: &Inputs) -> bool {
        self.differs_on(path, inputs).is_some()
    }

    /// Whether an input takes the path, and if so, whether the outcomes differ on it (unknown when the old version was not
    /// run).
    pub fn differs_on(&self, path: &FinishedPath, inputs: &Inputs) -> Option<Option<bool>> {
        let mut begun = self.begun.iter();
        let (_, shape) = begun.find(|(number, _)| *number == path.terms.shape)?;
        self.evaluated(path, &seed::model(&self.vm.pool, shape, inputs)?)
    }

    fn evaluated(&self, path: &FinishedPath, model: &Model) -> Option<Option<bool>> {
        let holds = |t: &Term| self.vm.pool.holds(*t, model);
        let taken = path.terms.condition.iter().all(holds);
        taken.then(|| path.terms.differs.as_ref().map(holds))
    }
}
