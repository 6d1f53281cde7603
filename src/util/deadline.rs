//! The moment by which a whole run has to be over, where there is one.

use std::time::{Duration, Instant};

/// A safety net by the clock; the default is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// That long from now. A limit beyond what a clock can tell is none.
    pub fn after(limit: Option<Duration>) -> Deadline {
        Deadline(limit.and_then(|limit| Instant::now().checked_add(limit)))
    }

    /// That moment.
    pub fn at(moment: Option<Instant>) -> Deadline {
        Deadline(moment)
    }

    /// The moment.
    pub fn moment(self) -> Option<Instant> {
        self.0
    }

    /// Whether it is over.
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// What is left; none where nothing limits it.
    pub fn left(self) -> Option<Duration> {
        self.0
            .map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// That much, or what is left where that is less.
    pub fn cut(self, limit: Duration) -> Duration {
        self.left().map_or(limit, |left| left.min(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_cut_to_what_is_left_and_none_is_where_there_is_no_deadline() {
        let hour = Duration::from_secs(3600);
        let none = Deadline::after(None);
        assert!(!none.is_over() && none.left().is_none() && none.cut(hour) == hour);
        let past = Deadline::after(Some(Duration::ZERO));
        assert!(past.is_over() && past.cut(hour) == Duration::ZERO);
        let soon = Deadline::after(Some(Duration::from_secs(60)));
        assert!(!soon.is_over() && soon.cut(hour) <= Duration::from_secs(60));
        assert!(!Deadline::after(Some(Duration::MAX)).is_over());
    }
}
