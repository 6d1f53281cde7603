//! The schedule of retried requests.

use std::time::Duration;

/// Requests made before giving up.
pub(super) const ATTEMPTS: u32 = 5;

/// The longest that a run waits in all.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);

/// What an answer says about trying again.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) retry_after: Option<u64>,
    pub(super) remaining: Option<u64>,
    /// Unix time in seconds.
    pub(super) reset: Option<u64>,
    pub(super) message: String,
}

impl Answer {
    /// Whether the request was turned down, undone, because there were too many.
    pub(super) fn is_rate_limit(&self) -> bool {
        let said = || {
            let message = self.message.to_ascii_lowercase();
            message.contains("rate limit") || message.contains("abuse detection")
        };
        self.status == 429
            || self.status == 403
                && (self.retry_after.is_some() || self.remaining == Some(0) || said())
    }

    /// How long GitHub wants us to wait after its `attempt`-th (from 1) answer; `None`: trying again is of no use.
    pub(super) fn wait(&self, attempt: u32, now: u64) -> Option<Duration> {
        let until_reset = || {
            let reset = self.reset.filter(|_| self.remaining == Some(0))?;
            // A second more, for clocks that differ.
            Some(reset.saturating_sub(now) + 1)
        };
        let seconds = if self.is_rate_limit() {
            // Without a time, GitHub's documentation asks for a minute at least.
            self.retry_after
                .or_else(until_reset)
                .unwrap_or(60 * u64::from(attempt))
        } else if matches!(self.status, 500 | 502 | 503 | 504) {
            self.retry_after.unwrap_or_else(|| backoff(attempt))
        } else {
            return None;
        };
        Some(Duration::from_secs(seconds))
    }
}

/// 1, 2, 4, 8 … seconds.
pub(super) fn backoff(attempt: u32) -> u64 {
    1 << attempt.saturating_sub(1).min(6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(answer: &Answer, attempt: u32) -> Option<u64> {
        answer.wait(attempt, 1000).map(|d| d.as_secs())
    }

    #[test]
    fn waits_as_long_as_told() {
        let limited = Answer {
            status: 403,
            remaining: Some(0),
            reset: Some(1010),
            ..Answer::default()
        };
        assert_eq!(wait(&limited, 1), Some(11));
        let past = Answer {
            reset: Some(10),
            ..limited
        };
        assert_eq!(wait(&past, 1), Some(1));
        let secondary = Answer {
            status: 403,
            message: "You have exceeded a secondary rate limit.".into(),
            ..Answer::default()
        };
        assert_eq!(wait(&secondary, 2), Some(120));
        let told = Answer {
            status: 429,
            retry_after: Some(7),
            ..Answer::default()
        };
        assert_eq!(wait(&told, 1), Some(7));
    }

    #[test]
    fn tries_again_only_where_it_helps() {
        for (status, seconds) in [
            (503, Some(4)),
            (500, Some(4)),
            (501, None),
            (403, None),
            (404, None),
            (422, None),
        ] {
            let answer = Answer {
                status,
                ..Answer::default()
            };
            assert_eq!(wait(&answer, 3), seconds, "{status}");
        }
    }
}
