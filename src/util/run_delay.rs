//! The time that a process waited for a processor: on a loaded machine, time that it could not use.

use std::path::Path;
use std::time::Duration;

/// The time that all threads of a process waited for a processor while they could have run, as Linux counts it in
/// `/proc/PID/task/*/schedstat` (proc_pid_schedstat); nothing where that is not told, or the process is gone.
pub fn of(process: u32) -> Duration {
    let tasks = Path::new("/proc").join(process.to_string()).join("task");
    let Ok(tasks) = std::fs::read_dir(tasks) else {
        return Duration::ZERO;
    };
    let texts =
        tasks.filter_map(|t| std::fs::read_to_string(t.ok()?.path().join("schedstat")).ok());
    Duration::from_nanos(texts.filter_map(|text| waited(&text)).sum())
}

/// The second of its three numbers.
fn waited(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_time_waited() {
        assert_eq!(waited("47613 1200 12\n"), Some(1200));
        assert_eq!(waited(""), None);
    }

    #[test]
    fn a_process_that_is_gone_waited_for_nothing() {
        assert_eq!(of(u32::MAX), Duration::ZERO);
    }
}
