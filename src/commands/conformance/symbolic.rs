//! Calls with symbolic arguments: the JVM checks the predicted outcome of each path on one input.

use super::CheckedMethod;
use super::session::Session;
use super::tally::ClassTally;
use crate::error::Error;
use crate::expr::Arith;
use crate::model::{Location, MethodRef};
use crate::solver::SolverOptions;
use crate::symex::{Bounds, ExploreMode, Explorer, PathEnd, Stop, Strategy};
use crate::util::memory;
use std::time::Instant;

impl Session<'_> {
    /// Explores a method as ordinary symbolic execution does, and runs an input of each finished path on the JVM.
    pub(super) fn paths(
        &mut self,
        wanted: &CheckedMethod,
        tally: &mut ClassTally,
    ) -> Result<(), Error> {
        let strategy = Strategy {
            mode: ExploreMode::NewOnly,
            ..Strategy::default()
        };
        let id = &wanted.id;
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
                PathEnd::Finished(path) => match path.chance {
                    Some(reason) => {
                        let stop = Stop::unsupported(reason, "differs from run to run");
                        tally.gave_up(&stop, || place(id, None));
                    }
                    None => self.compare(wanted, &path.inputs, &path.new, tally)?,
                },
                PathEnd::GaveUp { stop, at } => tally.gave_up(&stop, || place(id, at.as_ref())),
                PathEnd::NoInput | PathEnd::Pruned => {}
            }
        }
        tally.instructions += explorer.instructions();
        Ok(())
    }

    fn bounds_of_paths(&self) -> Bounds {
        let options = self.setting.options;
        Bounds {
            max_string: 4,
            max_array: 3,
            loop_bound: 12,
            max_depth: 200,
            max_paths: options.calls as u64,
            max_instructions: options.max_instructions,
            max_queries: 2_000,
            max_effort: u64::MAX,
            int_range: None,
            prior_calls: 1,
            deadline: Some(Instant::now() + options.method_timeout),
            memory: memory::quarter(),
        }
    }
}

fn place(id: &MethodRef, at: Option<&Location>) -> String {
    let at = at.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    format!("{}#{}{}{at}", id.class, id.name, id.descriptor)
}
