//! Landlock: which files a process can read, write and execute; TCP, signals and abstract sockets where the kernel knows them.

use super::policy::Policy;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// The newest interface whose rights are used here.
const NEWEST: u8 = 6;

/// Landlock's interface version, as far as it is used; 0 where it is missing or switched off.
pub(super) fn version() -> u8 {
    let known = |v: &u8| {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::from(i32::from(*v))))
            .and_then(|rules| match *v {
                4.. => rules.handle_access(AccessNet::from_all(ABI::V4)),
                _ => Ok(rules),
            })
            .and_then(|rules| match *v {
                6.. => rules.scope(Scope::from_all(ABI::V6)),
                _ => Ok(rules),
            })
            .and_then(Ruleset::create)
            .is_ok()
    };
    (1..=NEWEST).rev().find(known).unwrap_or(0)
}

/// Where the C library looks up `localhost`.
const NAMES: [&str; 4] = [
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/nsswitch.conf",
    "/etc/gai.conf",
];

/// Leaves this thread, and what it becomes, the rights of the policy: all else that this version knows is refused. A process with a network
/// of its own may use that.
pub(super) fn restrict(
    version: u8,
    (policy, has_network): (&Policy, bool),
    program: &Path,
) -> Result<(), String> {
    let message = |e: RulesetError| format!("Landlock: {e}");
    let abi = ABI::from(i32::from(version));
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .map_err(message)?;
    if version >= 4 && !has_network {
        rules = rules
            .handle_access(AccessNet::from_all(abi))
            .map_err(message)?;
    }
    if version >= 6 {
        rules = rules.scope(Scope::from_all(abi)).map_err(message)?;
    }
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let not_ours = AccessFs::Execute
        | AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::IoctlDev;
    let write: BitFlags<AccessFs> = AccessFs::from_all(abi) & !not_ours;
    let devices = AccessFs::ReadFile | AccessFs::WriteFile;
    let status = rules
        .create()
        .and_then(|r| r.add_rules(path_beneath_rules(&policy.read, read)))
        .and_then(|r| r.add_rules(path_beneath_rules(system(), read)))
        .and_then(|r| {
            let named = NAMES.iter().filter(|_| has_network);
            r.add_rules(path_beneath_rules(named, read))
        })
        .and_then(|r| r.add_rules(path_beneath_rules(["/dev/null", "/dev/zero"], devices)))
        .and_then(|r| r.add_rules(path_beneath_rules(&policy.write, write)))
        .and_then(|r| {
            r.add_rules(path_beneath_rules(
                executed(program),
                read | AccessFs::Execute,
            ))
        })
        .and_then(|r| r.restrict_self())
        .map_err(message)?;
    match status.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        _ => Err("Landlock: only a part was enforced".into()),
    }
}

/// What programs read of any system: shared libraries, locales, time zones, fonts, and what the kernel tells of the machine.
fn system() -> impl Iterator<Item = &'static str> {
    let libraries = [
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/etc/ld.so.cache",
        "/etc/ld.so.preload",
        "/nix/store",
        "/gnu/store",
    ];
    let data = [
        "/usr/share/locale",
        "/usr/share/zoneinfo",
        "/etc/localtime",
        "/usr/share/fonts",
        "/etc/fonts",
        "/usr/share/fontconfig",
        "/var/cache/fontconfig",
    ];
    let kernel = [
        "/dev/random",
        "/dev/urandom",
        "/proc/self",
        "/proc/cgroups",
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/proc/stat",
        "/proc/filesystems",
        "/proc/sys/vm/overcommit_memory",
        "/proc/sys/vm/max_map_count",
        "/sys/fs/cgroup",
        "/sys/devices/system",
        "/sys/kernel/mm/transparent_hugepage",
    ];
    libraries.into_iter().chain(data).chain(kernel)
}

/// The program, and what the kernel starts it by.
fn executed(program: &Path) -> Vec<PathBuf> {
    let mut all = vec![program.to_path_buf()];
    all.extend(std::fs::read(program).ok().and_then(|elf| loader(&elf)));
    all
}

/// The program interpreter that an ELF file of 64 bits names (`PT_INTERP`, System V ABI, chapter 5).
fn loader(elf: &[u8]) -> Option<PathBuf> {
    let number = |at: usize, n: usize| -> Option<usize> {
        let bytes = elf.get(at..at.checked_add(n)?)?;
        let value = bytes
            .iter()
            .rev()
            .fold(0_u64, |v, b| v << 8 | u64::from(*b));
        usize::try_from(value).ok()
    };
    if elf.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for i in 0..count {
        let entry = table.checked_add(size.checked_mul(i)?)?;
        if number(entry, 4)? == 3 {
            let (at, length) = (
                number(entry.checked_add(8)?, 8)?,
                number(entry.checked_add(32)?, 8)?,
            );
            let text = elf.get(at..at.checked_add(length)?)?;
            let text = text.split(|b| *b == 0).next()?;
            return Some(PathBuf::from(String::from_utf8_lossy(text).into_owned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_programs_loader_is_found_and_no_bytes_are_too_odd() {
        let shell = std::fs::read("/bin/sh").unwrap();
        assert!(loader(&shell).unwrap().exists());
        for n in 0..shell.len().min(2000) {
            loader(&shell[..n]);
            let mut broken = shell[..2000.min(shell.len())].to_vec();
            broken[n] = 0xff;
            loader(&broken);
        }
    }
}
