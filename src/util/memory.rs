//! The memory of this process, and of the machine.

use std::cell::Cell;
use std::path::Path;
use std::sync::OnceLock;

/// How often the limit is looked at for each time that the kernel is asked.
const LOOKS: u32 = 64;

/// A method's part of a limit in eighths: what it may take although others took the rest.
const LEAST_PART: u64 = 8;

/// How much memory this process may have while something goes on.
#[derive(Clone, Debug, Default)]
pub struct MemoryLimit {
    most: Option<u64>,
    looks: Cell<u32>,
}

impl MemoryLimit {
    /// So many bytes in all; an eighth of them more than now at least, since what was freed may still count.
    pub fn begin(most: Option<u64>) -> MemoryLimit {
        let now = resident().unwrap_or_default();
        MemoryLimit {
            most: most.map(|most| most.max(now + most / LEAST_PART)),
            looks: Cell::new(0),
        }
    }

    /// Whether the process has more: asked for each state, so the kernel is asked at the first look and then now and again. Never,
    /// where the kernel does not say what the process has.
    pub fn is_over(&self) -> bool {
        let look = self.looks.replace(self.looks.get().wrapping_add(1));
        let over = |most| resident().is_some_and(|now| now > most);
        look.is_multiple_of(LOOKS) && self.most.is_some_and(over)
    }
}

/// Bytes of memory that this process has.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    bytes(&text, "VmRSS:")
}

/// A quarter of the bytes of memory that this machine, or the container, has; the same during a run.
pub fn quarter() -> Option<u64> {
    static QUARTER: OnceLock<Option<u64>> = OnceLock::new();
    *QUARTER.get_or_init(|| installed().map(|all| all / 4))
}

fn installed() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| bytes(&text, "MemTotal:"));
    // Of a container: version 2 of control groups, then version 1.
    let limits = ["memory.max", "memory/memory.limit_in_bytes"];
    let container = limits.iter().find_map(|file| {
        let text = std::fs::read_to_string(Path::new("/sys/fs/cgroup").join(file)).ok()?;
        text.trim().parse().ok()
    });
    machine.into_iter().chain(container).min()
}

/// The bytes that a file of `/proc` gives, in kibibytes, behind a name.
fn bytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
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
    fn the_kernel_gives_kibibytes() {
        assert_eq!(
            bytes("MemTotal:    2048 kB\nMemFree: 1 kB\n", "MemTotal:"),
            Some(2 << 20)
        );
        assert_eq!(bytes("nothing", "MemTotal:"), None);
    }
}
