//! The budget of one local proof, counted, so that the result does not depend on the machine; a deadline is the safety net.

use super::unproved::Unproved;
use crate::util::deadline::Deadline;

/// Instructions, ends of paths, questions to the solver, segments, and the moment at which all ends.
#[derive(Clone, Debug)]
pub struct Budget {
    steps: u32,
    paths: u32,
    questions: u32,
    segments: u32,
    /// A safety net by the clock.
    deadline: Deadline,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            steps: 150_000,
            paths: 6_000,
            questions: 8_000,
            segments: 200,
            deadline: Deadline::default(),
        }
    }
}

impl Budget {
    /// Of a proof whose segments are as short as the changes are.
    pub fn of_regions() -> Budget {
        Budget {
            steps: 60_000,
            paths: 4_000,
            questions: 6_000,
            segments: 800,
            deadline: Deadline::default(),
        }
    }
}

fn take(from: &mut u32, what: &'static str) -> Result<(), Unproved> {
    *from = from.checked_sub(1).ok_or(Unproved::Budget(what))?;
    Ok(())
}

impl Budget {
    /// One instruction.
    ///
    /// # Errors
    /// There is none left.
    pub fn step(&mut self) -> Result<(), Unproved> {
        take(&mut self.steps, "instructions")
    }

    /// One end of a path.
    ///
    /// # Errors
    /// As `step`.
    pub fn path(&mut self) -> Result<(), Unproved> {
        take(&mut self.paths, "paths")
    }

    /// One question.
    ///
    /// # Errors
    /// As `step`, or the deadline is over.
    pub fn question(&mut self) -> Result<(), Unproved> {
        self.time()?;
        take(&mut self.questions, "questions")
    }

    /// One segment.
    ///
    /// # Errors
    /// As `step`, or the deadline is over.
    pub fn segment(&mut self) -> Result<(), Unproved> {
        self.time()?;
        take(&mut self.segments, "segments")
    }

    /// Ends it by then, whatever is left.
    pub fn end_by(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    fn time(&self) -> Result<(), Unproved> {
        match self.deadline.is_over() {
            true => Err(Unproved::Unsupported("the time limit ended it".into())),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_left_does_not_help_behind_the_deadline() {
        let mut budget = Budget::default();
        assert!(budget.question().is_ok() && budget.segment().is_ok());
        budget.end_by(Deadline::after(Some(Duration::ZERO)));
        assert!(matches!(budget.question(), Err(Unproved::Unsupported(_))));
        assert!(matches!(budget.segment(), Err(Unproved::Unsupported(_))));
    }
}
