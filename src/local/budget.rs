//! The budget of one local proof, counted, so that the result does not depend on the machine.

use super::unproved::Unproved;

/// Instructions, ends of paths, questions to the solver, segments.
#[derive(Clone, Debug)]
pub struct Budget {
    steps: u32,
    paths: u32,
    questions: u32,
    segments: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            steps: 150_000,
            paths: 6_000,
            questions: 8_000,
            segments: 200,
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
    /// As `step`.
    pub fn question(&mut self) -> Result<(), Unproved> {
        take(&mut self.questions, "questions")
    }

    /// One segment.
    ///
    /// # Errors
    /// As `step`.
    pub fn segment(&mut self) -> Result<(), Unproved> {
        take(&mut self.segments, "segments")
    }
}
