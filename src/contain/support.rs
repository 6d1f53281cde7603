//! The kernel's support for containment.

use serde::Serialize;

/// What is enforced on processes that run tested code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Enforced {
    /// Landlock's interface version; 0 where there is none.
    pub landlock: u8,
    /// Whether a filter refuses system calls.
    pub system_calls: bool,
    /// Whether macOS's `sandbox-exec` is asked to refuse files, network and processes; nothing counts as enforced by it.
    pub profile: bool,
}

impl Enforced {
    /// What the running kernel can. Nothing is restricted by asking.
    #[cfg(target_os = "linux")]
    pub fn by_this_kernel() -> Enforced {
        Enforced {
            landlock: super::rights::version(),
            // Asked of a thread, which gives up some of its rights by it.
            system_calls: std::thread::spawn(|| super::system_calls::refuse(false).is_ok())
                .join()
                .unwrap_or(false),
            profile: false,
        }
    }

    /// What macOS can, as far as it is known.
    #[cfg(target_os = "macos")]
    pub fn by_this_kernel() -> Enforced {
        Enforced {
            profile: std::path::Path::new(super::sandbox_profile::PROGRAM).is_file(),
            ..Enforced::default()
        }
    }

    /// Nothing elsewhere.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub fn by_this_kernel() -> Enforced {
        Enforced::default()
    }

    /// Whether tested code can do no harm.
    pub fn is_whole(&self) -> bool {
        self.landlock > 0 && self.system_calls
    }

    /// What is enforced, in words that reports use.
    pub fn parts(&self) -> Vec<&'static str> {
        let files = (self.landlock > 0).then_some("files");
        let calls = ["network", "processes", "signals"];
        let calls = calls.into_iter().filter(|_| self.system_calls);
        files.into_iter().chain(calls).collect()
    }

    /// What is not.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = ["files", "network", "processes", "signals"];
        let parts = self.parts();
        all.into_iter().filter(|p| !parts.contains(p)).collect()
    }
}
