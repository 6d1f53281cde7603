//! Sorted sets of variables, which terms share where one set holds the other.

use super::term::VarId;
use std::sync::Arc;

/// A set that is so many times smaller is looked up in the other one, variable by variable.
const MUCH_SMALLER: usize = 16;

/// The union of two sorted sets: one of the two where it holds the other, else a new one.
pub(super) fn union(a: &Arc<[VarId]>, b: &Arc<[VarId]>) -> Arc<[VarId]> {
    if Arc::ptr_eq(a, b) || holds(a, b) {
        return a.clone();
    }
    if holds(b, a) {
        return b.clone();
    }
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut left, mut right) = (&a[..], &b[..]);
    while let ([x, behind_x @ ..], [y, behind_y @ ..]) = (left, right) {
        all.push(*x.min(y));
        if x <= y {
            left = behind_x;
        }
        if y <= x {
            right = behind_y;
        }
    }
    all.extend(left);
    all.extend(right);
    all.into()
}

/// Whether all of `b` are in `a`.
fn holds(a: &[VarId], b: &[VarId]) -> bool {
    if b.len() > a.len() {
        return false;
    }
    if b.len() * MUCH_SMALLER < a.len() {
        return b.iter().all(|v| a.binary_search(v).is_ok());
    }
    let mut rest = a.iter();
    b.iter().all(|v| rest.find(|w| *w >= v) == Some(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(of: &[u32]) -> Arc<[VarId]> {
        let sorted: std::collections::BTreeSet<u32> = of.iter().copied().collect();
        sorted.into_iter().map(VarId).collect()
    }

    proptest! {
        #[test]
        fn a_union_has_what_either_has(a in proptest::collection::vec(0_u32..40, 0..60), b in proptest::collection::vec(0_u32..40, 0..4)) {
            let both = set(&[a.clone(), b.clone()].concat());
            prop_assert_eq!(union(&set(&a), &set(&b)), both.clone());
            prop_assert_eq!(union(&set(&b), &set(&a)), both);
        }
    }

    #[test]
    fn a_set_that_holds_the_other_is_shared() {
        let (large, small) = (set(&[1, 2, 3]), set(&[2, 3]));
        assert!(Arc::ptr_eq(&union(&large, &small), &large));
        assert!(Arc::ptr_eq(&union(&small, &large), &large));
    }
}
