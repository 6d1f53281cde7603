//! The policy in the language of macOS's `sandbox-exec` (Apple Sandbox Guide, version 1): everything that is not allowed is refused.
//!
//! Written from the published profiles of macOS and never run by us: nothing counts as enforced by it (docs/security.md).

use super::policy::Policy;
use std::path::Path;

/// The program that applies a profile.
pub(super) const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// What any program on macOS reads.
const SYSTEM: [&str; 5] = [
    "/System",
    "/usr/lib",
    "/usr/share",
    "/private/var/db/timezone",
    "/private/var/db/dyld",
];

/// Devices without content.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// The profile of a process that becomes `program`: no network, no other program, no signal to others.
pub(super) fn profile(policy: &Policy, program: &Path) -> String {
    let mut lines: Vec<String> = vec![
        "(version 1)".into(),
        "(deny default)".into(),
        "(allow sysctl-read)".into(),
        "(allow signal (target self))".into(),
        // That a file exists is no secret (docs/security.md).
        "(allow file-read-metadata)".into(),
        format!("(allow process-exec (literal {}))", quoted(program)),
        format!("(allow file-read* (literal {}))", quoted(program)),
        // The pipes that the process was started with.
        "(allow file-read-data file-write-data (subpath \"/dev/fd\"))".into(),
    ];
    for device in DEVICES {
        lines.push(format!(
            "(allow file-read* file-write-data (literal \"{device}\"))"
        ));
    }
    for folder in SYSTEM {
        lines.push(format!("(allow file-read* (subpath \"{folder}\"))"));
    }
    for path in policy.read.iter().chain(&policy.write) {
        lines.push(format!("(allow file-read* (subpath {}))", quoted(path)));
    }
    for path in &policy.write {
        lines.push(format!("(allow file-write* (subpath {}))", quoted(path)));
    }
    lines.join("\n") + "\n"
}

/// A string of the language: the real path, as the kernel compares it.
fn quoted(path: &Path) -> String {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let text = real.to_string_lossy();
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_policy_names_is_allowed() {
        let policy = Policy {
            read: vec!["/jdk".into()],
            write: vec!["/a \"b\\".into()],
            ..Policy::default()
        };
        let text = profile(&policy, Path::new("/jdk/bin/java"));
        assert!(text.starts_with("(version 1)\n(deny default)\n"), "{text}");
        for line in [
            "(allow process-exec (literal \"/jdk/bin/java\"))",
            "(allow file-read* (subpath \"/jdk\"))",
            "(allow file-read* (subpath \"/a \\\"b\\\\\"))",
            "(allow file-write* (subpath \"/a \\\"b\\\\\"))",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}: {text}");
        }
        for never in ["network", "process-fork", "(allow default)", "mach-lookup"] {
            assert!(!text.contains(never), "{never}: {text}");
        }
        assert!(Path::new(PROGRAM).is_absolute());
        let writes = |l: &&str| l.contains("file-write*");
        assert_eq!(text.lines().filter(writes).count(), 1);
        // Parentheses and strings are closed.
        assert_eq!(text.matches('(').count(), text.matches(')').count());
    }
}
