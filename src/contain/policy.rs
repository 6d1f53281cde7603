//! The rights of one process, as plain data and as the launcher's arguments.

use super::Enforced;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a process may read, write and use. Nothing else of the file system, no network but one of its own and no other process can be
/// reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Files and folders it may read, with all below them; what does not exist is left out.
    pub read: Vec<PathBuf>,
    /// Folders it may also write in.
    pub write: Vec<PathBuf>,
    /// All of its environment.
    pub environment: Vec<(String, String)>,
    /// What it may use.
    pub limits: Limits,
    /// The folder it is started in; where none is said, its private working folder.
    pub folder: Option<PathBuf>,
    /// Whether its standard input and output are moved to descriptors 3 and 4, where what it prints disturbs nothing.
    pub channel: bool,
    /// Whether it may reach itself by sockets of the internet's kinds, if the kernel gives it a network of its own.
    pub loopback: bool,
}

/// Limits of one process; `None` is as inherited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Address space, in bytes.
    pub address_space: Option<u64>,
    /// Size of a file it writes, in bytes.
    pub file_size: Option<u64>,
    /// Open files.
    pub open_files: Option<u64>,
    /// Seconds of CPU in its whole life.
    pub cpu_seconds: Option<u64>,
}

/// The policy as the launcher reads it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    pub policy: Policy,
    pub enforced: Enforced,
    /// The process that this one ends with.
    pub parent: u32,
    /// Program and arguments.
    pub program: Vec<OsString>,
}

impl Policy {
    /// The launcher's arguments, up to the program.
    pub(super) fn arguments(&self, enforced: &Enforced, parent: u32) -> Vec<OsString> {
        let mut all: Vec<OsString> = Vec::new();
        let mut add = |key: &str, value: OsString| all.extend([OsString::from(key), value]);
        add("parent", parent.to_string().into());
        add("landlock", enforced.landlock.to_string().into());
        add("filter", u8::from(enforced.system_calls).to_string().into());
        add("profile", u8::from(enforced.profile).to_string().into());
        add("channel", u8::from(self.channel).to_string().into());
        add("loopback", u8::from(self.loopback).to_string().into());
        for path in &self.read {
            add("read", path.into());
        }
        for path in &self.write {
            add("write", path.into());
        }
        for (key, value) in &self.environment {
            add("environment", format!("{key}={value}").into());
        }
        let limits = &self.limits;
        for (key, limit) in [
            ("address-space", limits.address_space),
            ("file-size", limits.file_size),
            ("open-files", limits.open_files),
            ("cpu-seconds", limits.cpu_seconds),
        ] {
            if let Some(limit) = limit {
                add(key, limit.to_string().into());
            }
        }
        all.push("--".into());
        all
    }
}

impl Order {
    /// Reads the launcher's arguments; `None` when they are not what [`Policy::arguments`] writes.
    pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Option<Order> {
        let mut order = Order::default();
        let mut arguments = arguments.into_iter();
        loop {
            let key = arguments.next()?;
            if key == "--" {
                break;
            }
            let value = arguments.next()?;
            let number = || value.to_str()?.parse::<u64>().ok();
            let policy = &mut order.policy;
            match key.to_str()? {
                "parent" => order.parent = u32::try_from(number()?).ok()?,
                "landlock" => order.enforced.landlock = u8::try_from(number()?).ok()?,
                "filter" => order.enforced.system_calls = number()? != 0,
                "profile" => order.enforced.profile = number()? != 0,
                "channel" => policy.channel = number()? != 0,
                "loopback" => policy.loopback = number()? != 0,
                "read" => policy.read.push(value.into()),
                "write" => policy.write.push(value.into()),
                "environment" => {
                    let (key, value) = value.to_str()?.split_once('=')?;
                    policy.environment.push((key.into(), value.into()));
                }
                "address-space" => policy.limits.address_space = Some(number()?),
                "file-size" => policy.limits.file_size = Some(number()?),
                "open-files" => policy.limits.open_files = Some(number()?),
                "cpu-seconds" => policy.limits.cpu_seconds = Some(number()?),
                _ => return None,
            }
        }
        order.program = arguments.collect();
        (!order.program.is_empty()).then_some(order)
    }
}

/// Where there is no launcher: the program with its streams where the policy puts them, and no more.
pub(super) fn shell(policy: &Policy, program: &Path) -> Command {
    if !policy.channel {
        return Command::new(program);
    }
    let mut command = Command::new("/bin/sh");
    let moved = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null";
    command.args(["-c", moved]).arg(program);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_was_written_and_nothing_else_is_one() {
        let policy = Policy {
            read: vec!["/a b".into(), "--".into()],
            write: vec!["/c".into()],
            environment: vec![("LC_ALL".into(), "C=D".into())],
            limits: Limits {
                file_size: Some(5),
                ..Limits::default()
            },
            folder: None,
            channel: true,
            loopback: true,
        };
        let enforced = Enforced {
            landlock: 4,
            system_calls: true,
            profile: true,
        };
        let mut arguments = policy.arguments(&enforced, 77);
        assert_eq!(Order::read(arguments.clone()), None, "no program");
        arguments.extend(["java".into(), "--".into()]);
        let order = Order::read(arguments.clone()).unwrap();
        assert_eq!((order.policy, order.enforced), (policy, enforced));
        assert_eq!(order.parent, 77);
        assert_eq!(order.program, ["java", "--"]);
        arguments[0] = "unknown".into();
        assert_eq!(Order::read(arguments), None);
    }
}
