//! The expected costs of methods, and the part of them that one shard takes.

use super::Analysis;
use crate::check::changed_method::Changed;
use crate::check::shard::{Shard, share_out};
use crate::error::Error;
use crate::model::{MethodRef, Spelling};

/// Cost of a method of which nothing is explored.
const NOTHING: u64 = 1;

impl Analysis<'_> {
    /// Each changed method, and the instructions of both versions of its code.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn costs(&self, changed: &Changed) -> Result<Vec<(MethodRef, u64)>, Error> {
        let mut costs = Vec::new();
        for method in &changed.methods {
            let mut cost = NOTHING;
            if method.is_analysed() {
                for classes in [&self.old, &self.new] {
                    let class = classes.find(&method.id.class.internal())?;
                    let class = class.as_deref();
                    let same = class.and_then(|c| c.method(&method.id.name, &method.id.descriptor));
                    let code = same.and_then(|m| m.code.as_ref());
                    cost += code.map_or(0, |c| c.insns.len() as u64);
                }
            }
            costs.push((method.id.clone(), cost));
        }
        Ok(costs)
    }

    /// Leaves what a shard takes. What only one version has is told by the first.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn keep_shard(&self, changed: &mut Changed, shard: Shard) -> Result<(), Error> {
        let costs = self.costs(changed)?;
        let mut shards = share_out(&costs, shard.of).into_iter();
        changed
            .methods
            .retain(|_| shards.next() == Some(shard.index));
        if shard.index != 1 {
            changed.added.clear();
            changed.removed.clear();
        }
        Ok(())
    }
}
