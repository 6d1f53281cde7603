//! Loops that one version begins an iteration earlier: that one runs its first iteration alone.

use super::abstract_state::{ProductPoint, product_point};
use super::attempt::{Attempt, Configuration, Refinement, Setting};
use super::budget::Budget;
use super::cuts::CutPolicy;
use super::obligation::Obligations;
use super::product::Product;
use super::proof::Prover;
use super::state::{End, SegmentPath, State, Unproved};
use super::task::Task;

/// Most loops of which one version runs an iteration alone, one after the other.
const MOST_LEADS: usize = 3;

/// The head of a loop, and whether it is the old version that runs its first iteration alone.
pub(super) type Lead = (ProductPoint, bool);

impl Product<'_> {
    /// Whether the old version (`true`) or the new one runs an iteration alone now: neither ran ahead yet, and both come to the
    /// loop from elsewhere.
    pub(super) fn runs_ahead(&self, a: &SegmentPath, b: &SegmentPath, first: bool) -> Option<bool> {
        let (at, is_old) = self.lead.as_ref()?;
        let cuts = matches!((&a.end, &b.end), (End::Cut, End::Cut));
        let enters = first && cuts && self.current.as_ref() != Some(at);
        (enters && product_point(&a.state, &b.state) == *at).then_some(*is_old)
    }

    /// Notes a loop head that both versions reached.
    pub(super) fn note_head(&mut self, old: &State, new: &State, at: &ProductPoint) {
        let cuts = &self.context.cuts;
        if cuts.is_head(old) && cuts.is_head(new) && !self.heads.contains(at) {
            self.heads.push(at.clone());
        }
    }
}

impl Prover {
    /// Where a failed attempt met loops: one of which a version runs one iteration alone, as where it begins one earlier.
    pub(super) fn attempt_with_leads(
        &self,
        task: &Task,
        setting: Setting,
        refinement: &Refinement,
        failed: &Attempt,
    ) -> Option<(Attempt, Obligations)> {
        if !matches!(failed.result, Err(Unproved::Differs(..))) {
            return None;
        }
        let heads = failed.heads.iter().take(MOST_LEADS);
        let leads = heads.flat_map(|at| [true, false].map(|old| (at.clone(), old)));
        let mut budget = Budget::default();
        leads.into_iter().find_map(|lead| {
            let configuration = Configuration {
                task,
                setting,
                refinement,
                abstracts: true,
                lead: Some(&lead),
            };
            let (mut attempt, obligations, _) =
                self.trial(&configuration, CutPolicy::LoopHeads, &mut budget);
            attempt.met.union_with(&failed.met);
            attempt.met_reader |= failed.met_reader;
            attempt.result.is_ok().then_some((attempt, obligations))
        })
    }
}
