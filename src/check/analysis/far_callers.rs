//! Far callers of a method: the front doors that are searched when nothing nearer shows a difference.

use super::Analysis;
use crate::bytecode::ClassPath;
use crate::check::changed_method::ChangedMethod;
use crate::error::Error;
use crate::impact::FrontDoors;
use crate::model::{MethodRef, Spelling};

/// Front doors searched for one method.
const MOST: usize = 2;

impl Analysis<'_> {
    /// The nearest front doors of a method, in both versions, beside its entries and callers.
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn far_callers(&self, method: &ChangedMethod) -> Result<Vec<MethodRef>, Error> {
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
