//! The program's second life: with the rights of a policy it becomes another program.

use super::policy::{Limits, Order};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// The first argument that asks for it.
pub(super) const WORD: &str = "contained-process";

/// How it ends when it can't become the other program: as a shell ends that can't.
const FAILED: u8 = 126;

/// To be called first of all in a program that is named to [`super::Containment::new`]. Where the arguments ask for it, gives up
/// all rights but the policy's and becomes the program; returns only when that failed. `None` when they don't ask for it.
pub fn enter(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    let why = match Order::read(arguments) {
        Some(order) => become_it(&order),
        None => "not a policy".into(),
    };
    eprintln!("shadow-ci: cannot start a contained process: {why}");
    Some(ExitCode::from(FAILED))
}

#[cfg(unix)]
fn become_it(order: &Order) -> String {
    use std::os::unix::process::CommandExt;
    let network = close_inherited().map(|()| own_network(order));
    let has_network = network == Ok(true);
    let prepared = network
        // A process that changes what it may do no longer ends with its parent.
        .and_then(|_| end_with(order.parent))
        .and_then(|()| limit(&order.policy.limits))
        .and_then(|()| {
            if order.policy.channel {
                move_streams()
            } else {
                Ok(())
            }
        })
        .and_then(|()| restrict(order, has_network));
    if let Err(why) = prepared {
        return why;
    }
    let words = words(order);
    let Some((program, arguments)) = words.split_first() else {
        return "no program".into();
    };
    Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(order.policy.environment.iter().cloned())
        .exec()
        .to_string()
}

#[cfg(not(unix))]
fn become_it(_: &Order) -> String {
    "not on this system".into()
}

/// The program and its arguments; on macOS behind the program that refuses the rest.
#[cfg(target_os = "macos")]
fn words(order: &Order) -> Vec<OsString> {
    use super::sandbox_profile::{PROGRAM, profile};
    match order.program.first() {
        Some(program) if order.enforced.profile => {
            let text = profile(&order.policy, program.as_ref());
            let first = [PROGRAM.into(), "-p".into(), text.into()];
            first.into_iter().chain(order.program.clone()).collect()
        }
        _ => order.program.clone(),
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn words(order: &Order) -> Vec<OsString> {
    order.program.clone()
}

/// Files that this process was started with, but for the standard streams, are none of the program's.
#[cfg(unix)]
fn close_inherited() -> Result<(), String> {
    let listed = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"));
    let listed = listed.map_err(|e| format!("open files: {e}"))?;
    let numbers: Vec<i32> = listed
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for number in numbers.into_iter().filter(|n| *n > 2) {
        // The listing's own is closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Ends with the thread that started it, which lives as long as its process.
#[cfg(target_os = "linux")]
fn end_with(parent: u32) -> Result<(), String> {
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).map_err(|e| e.to_string())?;
    let now = nix::unistd::getppid().as_raw();
    if u32::try_from(now).is_ok_and(|now| now == parent) {
        Ok(())
    } else {
        Err("its parent is gone".into())
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn end_with(_: u32) -> Result<(), String> {
    Ok(())
}

#[cfg(unix)]
fn limit(limits: &Limits) -> Result<(), String> {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let all = [
        (Resource::RLIMIT_AS, limits.address_space),
        (Resource::RLIMIT_FSIZE, limits.file_size),
        (Resource::RLIMIT_NOFILE, limits.open_files),
        (Resource::RLIMIT_CPU, limits.cpu_seconds),
        (Resource::RLIMIT_CORE, Some(0)),
    ];
    for (resource, limit) in all {
        if let Some(limit) = limit {
            // What is limited further already stays so.
            let (_, hard) = getrlimit(resource).map_err(|e| e.to_string())?;
            let limit = limit.min(hard);
            setrlimit(resource, limit, limit).map_err(|e| format!("limit: {e}"))?;
        }
    }
    Ok(())
}

/// Standard input and output become descriptors 3 and 4, the first that are free.
#[cfg(unix)]
fn move_streams() -> Result<(), String> {
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::unistd::{dup2_stdin, dup2_stdout};
    let message = |e: nix::Error| format!("streams: {e}");
    let input = fcntl(std::io::stdin(), FcntlArg::F_DUPFD(3)).map_err(message)?;
    let output = fcntl(std::io::stdout(), FcntlArg::F_DUPFD(4)).map_err(message)?;
    if (input, output) != (3, 4) {
        return Err("streams: descriptors 3 and 4 are taken".into());
    }
    let nothing = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")
        .map_err(|e| format!("/dev/null: {e}"))?;
    dup2_stdin(&nothing).map_err(message)?;
    dup2_stdout(&nothing).map_err(message)
}

/// Whether the process is in a network of its own from here on. Without a filter of system calls it would gain sockets.
#[cfg(target_os = "linux")]
fn own_network(order: &Order) -> bool {
    order.policy.loopback && order.enforced.system_calls && super::own_network::enter()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn own_network(_: &Order) -> bool {
    false
}

#[cfg(target_os = "linux")]
fn restrict(order: &Order, has_network: bool) -> Result<(), String> {
    let program = order.program.first().ok_or("no program")?;
    if order.enforced.landlock > 0 {
        let policy = (&order.policy, has_network);
        super::rights::restrict(order.enforced.landlock, policy, program.as_ref())?;
    }
    if order.enforced.system_calls {
        super::system_calls::refuse(has_network)?;
    }
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn restrict(_: &Order, _: bool) -> Result<(), String> {
    Ok(())
}
