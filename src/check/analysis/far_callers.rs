//! Far callers of a method: the front doors that are searched when nothing nearer comes to it, or shows a difference.

use super::Analysis;
use crate::bytecode::ClassPath;
use crate::check::changed_method::ChangedMethod;
use crate::check::collector::Collector;
use crate::error::Error;
use crate::impact::FrontDoors;
use crate::model::{MethodRef, Spelling};

/// Front doors searched for one method.
const MOST: usize = 2;

/// A method whose changed code ran this often is tried well enough from near.
const ENOUGH_RUNS: u64 = 1_000;

impl Analysis<'_> {
    /// The nearest front doors of a method, in both versions, beside its entries and callers; none where these reached it often.
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn far_callers(
        &self,
        method: &ChangedMethod,
        collector: &Collector,
    ) -> Result<Vec<MethodRef>, Error> {
        if collector.runs_reached() >= ENOUGH_RUNS {
            return Ok(Vec::new());
        }
        let doors = match self.front_doors.get() {
            Some(known) => known,
            None => {
                let classes = self.new.dir_classes()?;
                self.front_doors.get_or_init(|| FrontDoors::of(classes))
            }
        };
        let is_in = |classes: &ClassPath, m: &MethodRef| {
            let class = classes.find(&m.class.internal());
            class.is_ok_and(|c| c.is_some_and(|c| c.method(&m.name, &m.descriptor).is_some()))
        };
        let known =
            |m: &MethodRef| method.entries().contains(m) || method.callers().any(|c| c == m);
        let is_wanted = |m: &MethodRef| is_in(&self.old, m) && !known(m);
        Ok(doors.to(&method.id, is_wanted, MOST))
    }
}
