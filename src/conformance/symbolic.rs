//! Calls with symbolic arguments: what the engine says of each path, the JVM does on an input that takes it.

use super::Session;
use super::tally::ClassTally;
use crate::error::Error;
use crate::expr::Arith;
use crate::solver::SolverOptions;
use crate::symex::{Bounds, ExploreMode, Explorer, PathEnd, Strategy};
use crate::verdict::{Location, MethodId};
use std::time::{Duration, Instant};

/// Safety net of one method.
const METHOD_LIMIT: Duration = Duration::from_secs(20);

impl Session<'_> {
    /// Explores a method as ordinary symbolic execution does, and runs an input of each finished path on the JVM.
    pub(super) fn paths(
        &mut self,
        id: &MethodId,
        is_static: bool,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let strategy = Strategy {
            mode: ExploreMode::NewOnly,
            ..Strategy::default()
        };
        let (program, solver) = (self.program.clone(), SolverOptions::default());
        let bounds = self.bounds_of_paths();
        let mut explorer = match Explorer::new(program, id, bounds, Arith::Java, &solver, strategy)
        {
            Ok(explorer) => explorer,
            Err(stop) => {
                tally.gave_up(&stop, || place(id, None));
                return Ok(());
            }
        };
        for end in explorer.by_ref() {
            match end {
                PathEnd::Finished(path) => {
                    self.compare(id, is_static, &path.inputs, &path.new, tally)?
                }
                PathEnd::GaveUp { stop, at } => tally.gave_up(&stop, || place(id, at.as_ref())),
                PathEnd::NoInput | PathEnd::Pruned => {}
            }
        }
        tally.instructions += explorer.instructions();
        Ok(())
    }

    fn bounds_of_paths(&self) -> Bounds {
        Bounds {
            max_string: 4,
            max_array: 3,
            loop_bound: 12,
            max_depth: 200,
            max_paths: self.options.calls as u64,
            max_instructions: self.options.max_instructions,
            max_queries: 2_000,
            int_range: None,
            prior_calls: 1,
            deadline: Some(Instant::now() + METHOD_LIMIT),
        }
    }
}

fn place(id: &MethodId, at: Option<&Location>) -> String {
    let at = at.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    format!("{}#{}{}{at}", id.class, id.name, id.descriptor)
}
