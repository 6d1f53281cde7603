//! The paths of one entry method, which several threads follow once there are many.

use crate::symex::explore::parts::Parts;
use crate::symex::explore::{Explorer, PathEnd};
use crate::util::permits::Permits;
use std::sync::Arc;

/// Steps of its own that an exploration takes before it is divided: behind them, what it costs to begin parts does not matter.
const LARGE: u64 = 200_000;

/// An iterator over the ends of all paths. They do not depend on how many permits there are.
pub struct Paths {
    explorer: Explorer,
    parts: Option<Parts>,
    permits: Option<Arc<Permits>>,
}

impl Paths {
    /// Of what the explorer is prepared for. As many threads as there are permits follow them at a time; without any, all are
    /// followed by this thread, and their terms are the explorer's.
    pub fn new(explorer: Explorer, permits: Option<Arc<Permits>>) -> Paths {
        Paths {
            explorer,
            parts: None,
            permits,
        }
    }

    /// The same as [`Explorer::branches`].
    pub fn branches(&self) -> usize {
        match &self.parts {
            Some(parts) => parts.branches(),
            None => self.explorer.branches(),
        }
    }

    /// The same as [`Explorer::begin_another`].
    pub fn begin_another(&mut self) -> bool {
        match &mut self.parts {
            Some(parts) => parts.begin_another(),
            None => self.explorer.begin_another(),
        }
    }

    /// The same as [`Explorer::charge`].
    pub fn charge(&mut self, steps: u64) {
        if let Some(parts) = &mut self.parts {
            parts.charge(steps);
        }
        self.explorer.charge(steps);
    }

    /// What was explored so far, and prepared.
    pub fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// Ends it: what all parts came to, beside the ends of paths.
    pub fn end(mut self) -> Explorer {
        if let Some(parts) = self.parts {
            parts.end(&mut self.explorer);
        }
        self.explorer
    }

    fn is_large(&self) -> bool {
        self.explorer.effort() - self.explorer.charged > LARGE
            && self.explorer.ready.is_empty()
            && self.explorer.is_divisible()
            && self
                .explorer
                .counts()
                .over(&self.explorer.vm.bounds)
                .is_none()
    }
}

impl Iterator for Paths {
    type Item = PathEnd;

    fn next(&mut self) -> Option<PathEnd> {
        if let (None, Some(permits)) = (&self.parts, &self.permits)
            && self.is_large()
        {
            match Parts::of(&mut self.explorer, permits) {
                Ok(parts) => self.parts = Some(parts),
                Err(stop) => return Some(PathEnd::GaveUp { stop, at: None }),
            }
        }
        match &mut self.parts {
            Some(parts) => parts.next(),
            None => self.explorer.next(),
        }
    }
}
