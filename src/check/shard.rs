//! The division of a patch's classes among machines, by expected costs.

use crate::model::{MethodRef, Spelling};
use std::collections::BTreeMap;
use std::str::FromStr;

/// One part of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub index: usize,
    /// Of how many.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `I/N`.
    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |t: &str| t.parse::<usize>().ok();
        let parts = text.split_once('/').map(|(i, n)| (number(i), number(n)));
        match parts {
            Some((Some(index), Some(of))) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err(format!("'{text}' is not a shard; write I/N, such as 1/4")),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// The top-level class: its methods stay together, since they share a generated test class.
fn outermost(id: &MethodRef) -> &str {
    id.class.outermost()
}

/// How many shards are of use for these methods: no more than top-level classes, and one at least.
pub fn useful(methods: &[(MethodRef, u64)], of: usize) -> usize {
    let mut classes: Vec<&str> = methods.iter().map(|(id, _)| outermost(id)).collect();
    classes.sort_unstable();
    classes.dedup();
    of.min(classes.len()).max(1)
}

/// The shard of each method, from 1: the dearest class first, each to the shard that has the least so far. It depends on the
/// methods and their costs alone.
pub fn share_out(methods: &[(MethodRef, u64)], of: usize) -> Vec<usize> {
    let mut costs: BTreeMap<&str, u64> = BTreeMap::new();
    for (id, cost) in methods {
        *costs.entry(outermost(id)).or_default() += cost;
    }
    let shards = spread(costs, of);
    methods
        .iter()
        .map(|(id, _)| shards[outermost(id)])
        .collect()
}

/// The shard of each piece of work, from 1: the dearest first, each to the shard that has the least so far.
pub fn spread(costs: BTreeMap<&str, u64>, of: usize) -> BTreeMap<&str, usize> {
    let mut dearest: Vec<(&str, u64)> = costs.into_iter().collect();
    dearest.sort_by_key(|(name, cost)| (std::cmp::Reverse(*cost), *name));
    let mut loads = vec![0u64; of.max(1)];
    let mut shards = BTreeMap::new();
    for (name, cost) in dearest {
        let least = (0..loads.len()).min_by_key(|i| loads[*i]).unwrap_or(0);
        loads[least] += cost;
        shards.insert(name, least + 1);
    }
    shards
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(class: &str, cost: u64) -> (MethodRef, u64) {
        let id = MethodRef {
            class: class.into(),
            name: "f".into(),
            descriptor: "()V".into(),
        };
        (id, cost)
    }

    #[test]
    fn a_class_stays_together_and_loads_are_even() {
        let all = [
            method("A", 5),
            method("A$B", 4),
            method("C", 6),
            method("D", 4),
        ];
        assert_eq!(share_out(&all, 2), [1, 1, 2, 2]);
        assert_eq!(share_out(&all, 1), [1, 1, 1, 1]);
        assert_eq!(useful(&all, 8), 3);
        assert_eq!(useful(&[], 8), 1);
    }

    #[test]
    fn a_shard_is_one_of_so_many() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
