//! A value of both versions at once: the same, or one for each.

use crate::model::Version;

/// One `T` that both versions share, or one for each (*shadow expression* of the papers). Equal sides always collapse to `Same`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shadow<T> {
    /// Both versions have this.
    Same(T),
    /// The versions have different ones.
    Split {
        /// The old version's.
        old: T,
        /// The new version's.
        new: T,
    },
}

impl<T: Clone + PartialEq> Shadow<T> {
    /// The two sides as one value, collapsed when they are equal.
    pub fn join(old: T, new: T) -> Shadow<T> {
        if old == new {
            Shadow::Same(old)
        } else {
            Shadow::Split { old, new }
        }
    }

    /// What `version` sees.
    pub fn get(&self, version: Version) -> T {
        match (self, version) {
            (Shadow::Same(t), _) => t.clone(),
            (Shadow::Split { old, .. }, Version::Old) => old.clone(),
            (Shadow::Split { new, .. }, Version::New) => new.clone(),
        }
    }

    /// This value with `version`'s side replaced.
    pub fn with(&self, version: Version, value: T) -> Shadow<T> {
        match version {
            Version::Old => Shadow::join(value, self.get(Version::New)),
            Version::New => Shadow::join(self.get(Version::Old), value),
        }
    }

    /// Applies `f` to each side, once when they are the same.
    pub fn map<U: Clone + PartialEq>(&self, mut f: impl FnMut(&T) -> U) -> Shadow<U> {
        match self {
            Shadow::Same(t) => Shadow::Same(f(t)),
            Shadow::Split { old, new } => {
                let (old, new) = (f(old), f(new));
                Shadow::join(old, new)
            }
        }
    }

    /// Applies `f` to both values side by side.
    pub fn zip<U: Clone + PartialEq, V: Clone + PartialEq>(
        &self,
        other: &Shadow<U>,
        mut f: impl FnMut(&T, &U) -> V,
    ) -> Shadow<V> {
        match (self, other) {
            (Shadow::Same(a), Shadow::Same(b)) => Shadow::Same(f(a, b)),
            _ => {
                let old = f(&self.get(Version::Old), &other.get(Version::Old));
                let new = f(&self.get(Version::New), &other.get(Version::New));
                Shadow::join(old, new)
            }
        }
    }

    /// The shared value, if the versions agree.
    pub fn same(&self) -> Option<&T> {
        match self {
            Shadow::Same(t) => Some(t),
            Shadow::Split { .. } => None,
        }
    }

    /// Whether the versions have different ones.
    pub fn is_split(&self) -> bool {
        matches!(self, Shadow::Split { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sides_collapse() {
        assert_eq!(Shadow::join(1, 1), Shadow::Same(1));
        assert_eq!(
            Shadow::Same(1).with(Version::Old, 2),
            Shadow::Split { old: 2, new: 1 }
        );
        assert_eq!(
            Shadow::Same(1).with(Version::Old, 2).with(Version::New, 2),
            Shadow::Same(2)
        );
    }

    #[test]
    fn zip_runs_once_on_shared_values() {
        let mut runs = 0;
        let sum = Shadow::Same(1).zip(&Shadow::Same(2), |a, b| {
            runs += 1;
            a + b
        });
        assert_eq!((sum, runs), (Shadow::Same(3), 1));
    }
}
