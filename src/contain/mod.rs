//! Containment: processes that run tested code read, write and reach only what their policy names (docs/security.md).
//!
//! A process is started through the program itself ([`enter`]): it sets its limits, gives up its rights (Landlock, a system call
//! filter) and then becomes the program that was asked for. Nothing of that is undone by what it runs.

mod folder;
mod launcher;
#[cfg(target_os = "linux")]
mod own_network;
mod policy;
#[cfg(target_os = "linux")]
mod rights;
#[cfg(any(target_os = "macos", test))]
mod sandbox_profile;
mod spawner;
mod support;
#[cfg(target_os = "linux")]
mod system_calls;

pub use folder::Folder;
pub use launcher::enter;
pub use policy::{Limits, Policy};
pub use spawner::spawn;
pub use support::Enforced;

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How much containment is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ContainmentMode {
    /// What the kernel can; where that is not all, nothing that may touch the world is run with invented inputs.
    Auto,
    /// All, or the run ends.
    Required,
    /// None.
    Off,
}

impl std::fmt::Display for ContainmentMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ContainmentMode::Auto => "auto",
            ContainmentMode::Required => "required",
            ContainmentMode::Off => "off",
        })
    }
}

/// What was asked for can't be had here.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("tested code can't be contained here: {missing}")]
#[diagnostic(help(
    "this needs Linux 5.13 or newer with Landlock (docs/security.md); `--containment auto` runs only harmless code"
))]
pub struct ContainmentError {
    /// What the kernel lacks.
    pub missing: String,
}

/// How processes that run tested code are started.
#[derive(Clone, Debug)]
pub struct Containment {
    mode: ContainmentMode,
    launcher: Option<PathBuf>,
    enforced: Enforced,
}

impl Containment {
    /// By the program at `launcher`, which calls [`enter`] first of all: what this kernel can.
    pub fn new(mode: ContainmentMode, launcher: Option<PathBuf>) -> Containment {
        let enforced = match (mode, &launcher) {
            (ContainmentMode::Off, _) | (_, None) => Enforced::default(),
            (ContainmentMode::Auto | ContainmentMode::Required, Some(_)) => {
                Enforced::by_this_kernel()
            }
        };
        Containment {
            mode,
            launcher,
            enforced,
        }
    }

    /// The same, where it is as good as was asked for.
    ///
    /// # Errors
    /// Containment is required, and the kernel can't.
    pub fn checked(self) -> Result<Containment, ContainmentError> {
        match self.mode == ContainmentMode::Required && !self.enforced.is_whole() {
            true => Err(ContainmentError {
                missing: self.enforced.missing().join(", "),
            }),
            false => Ok(self),
        }
    }

    /// None, and no launcher: for code that is known, as in tests of our own.
    pub fn none() -> Containment {
        Containment {
            mode: ContainmentMode::Off,
            launcher: None,
            enforced: Enforced::default(),
        }
    }

    /// What was asked for.
    pub fn mode(&self) -> ContainmentMode {
        self.mode
    }

    /// What is enforced.
    pub fn enforced(&self) -> &Enforced {
        &self.enforced
    }

    /// Whether inputs that nobody wrote may be run on code that could touch the world.
    pub fn may_touch_the_world(&self) -> bool {
        self.mode == ContainmentMode::Off || self.enforced.is_whole()
    }

    /// A command that runs `program` under a policy; arguments, streams and the working folder are the caller's to add. The
    /// environment is the policy's. Start it by [`spawn`], so that it ends with this process, and with no thread of it.
    pub fn command(&self, policy: &Policy, program: &Path) -> Command {
        let mut command = match &self.launcher {
            Some(launcher) => {
                let mut command = Command::new(launcher);
                command.arg(launcher::WORD);
                command.args(policy.arguments(&self.enforced, std::process::id()));
                command.arg(program);
                command
            }
            None => policy::shell(policy, program),
        };
        // The launcher may need it to find its own libraries; the program does not get it.
        let libraries = std::env::var_os("LD_LIBRARY_PATH");
        command.env_clear();
        match (&self.launcher, libraries) {
            (Some(_), Some(libraries)) => drop(command.env("LD_LIBRARY_PATH", libraries)),
            (Some(_), None) => {}
            (None, _) => drop(command.envs(policy.environment.iter().cloned())),
        }
        command
    }
}
