//! The memory of this process, and of the machine.

use std::path::Path;

/// Bytes of a page, as the kernel counts (Linux on x86-64 and AArch64).
const PAGE: u64 = 4096;

/// A method's part of a limit in eighths: what it may take although others took the rest.
const LEAST_PART: u64 = 8;

/// How much memory this process may have while something goes on.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryLimit(Option<u64>);

impl MemoryLimit {
    /// So many bytes in all; an eighth of them more than now at least, since what was freed may still count.
    pub fn begin(most: Option<u64>) -> MemoryLimit {
        let now = resident().unwrap_or_default();
        MemoryLimit(most.map(|most| most.max(now + most / LEAST_PART)))
    }

    /// Whether the process has more. Never, where the kernel does not say what it has.
    pub fn is_over(self) -> bool {
        let over = |most| resident().is_some_and(|now| now > most);
        self.0.is_some_and(over)
    }
}

/// Bytes of memory that this process has.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// A quarter of the bytes of memory that this machine, or the container, has.
pub fn quarter() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.as_deref().and_then(total);
    // Of a container: version 2 of control groups, then version 1.
    let limits = ["memory.max", "memory/memory.limit_in_bytes"];
    let container = limits.iter().find_map(|file| {
        let text = std::fs::read_to_string(Path::new("/sys/fs/cgroup").join(file)).ok()?;
        text.trim().parse().ok()
    });
    machine
        .into_iter()
        .chain(container)
        .min()
        .map(|all| all / 4)
}

/// The bytes that `/proc/meminfo` gives as the total.
fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_over_when_the_process_has_grown() {
        assert!(!MemoryLimit::begin(None).is_over());
        assert!(!MemoryLimit::begin(Some(1 << 50)).is_over());
        let limit = MemoryLimit::begin(Some(8 << 20));
        let grown = vec![1u8; 64 << 20];
        assert_eq!(limit.is_over(), cfg!(target_os = "linux"));
        drop(grown);
    }

    #[test]
    fn the_total_is_given_in_kibibytes() {
        assert_eq!(
            total("MemTotal:    2048 kB\nMemFree: 1 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(total("nothing"), None);
    }
}
