//! The system call filter: no socket outside of a network of its own, no program, no signal or look at another process, no new rights, no change of a file's
//! attributes.
//!
//! What it refuses fails as without permission (`EPERM`), which Java tells as an exception.

use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, apply_filter, sock_filter,
};
use std::collections::BTreeMap;

/// Refuses them to this thread, and to what it becomes. In a network of its own, sockets of the internet's kinds are there.
pub(super) fn refuse(has_network: bool) -> Result<(), String> {
    let message = |e: &dyn std::fmt::Display| format!("system call filter: {e}");
    // The last one that is added is asked first, and the strictest answer counts.
    for filter in [refused(has_network), Ok(not_there())] {
        apply_filter(&filter.map_err(|e| message(&e))?).map_err(|e| message(&e))?;
    }
    Ok(())
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn refused(has_network: bool) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut all = always();
    if !has_network {
        all.extend(NETWORK);
    }
    let mut rules: Rules = all.into_iter().map(|call| (call, Vec::new())).collect();
    if has_network {
        other_sockets(&mut rules)?;
    }
    clones(&mut rules)?;
    other_processes(&mut rules)?;
    device_requests(&mut rules, has_network)?;
    SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM as u32),
        std::env::consts::ARCH.try_into()?,
    )?
    .try_into()
}

/// Calls that reach others by a network.
const NETWORK: [i64; 6] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
];

/// Sockets of other kinds than the internet's: those of files, of the kernel, of devices.
fn other_sockets(rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
    let of = |family: i32| condition(0, Is::Ne, u64::from(family.unsigned_abs()));
    let other = vec![of(libc::AF_INET)?, of(libc::AF_INET6)?];
    rules.insert(libc::SYS_socket, vec![SeccompRule::new(other)?]);
    Ok(())
}

/// Calls that are refused whatever their arguments are.
fn always() -> Vec<i64> {
    let processes = [
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_send_signal,
        libc::SYS_pidfd_open,
        libc::SYS_pidfd_getfd,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_kcmp,
        libc::SYS_process_madvise,
        libc::SYS_process_mrelease,
        libc::SYS_setpriority,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setattr,
        libc::SYS_ioprio_set,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
        libc::SYS_setsid,
        libc::SYS_setpgid,
        libc::SYS_execveat,
    ];
    // Landlock does not know attributes, of whatever file.
    let attributes = [
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
        libc::SYS_truncate,
        FCHMODAT2,
        SETXATTRAT,
        REMOVEXATTRAT,
        FILE_SETATTR,
        libc::SYS_inotify_init1,
        libc::SYS_inotify_add_watch,
        libc::SYS_fanotify_init,
        libc::SYS_fanotify_mark,
        libc::SYS_name_to_handle_at,
        libc::SYS_open_by_handle_at,
        libc::SYS_mknodat,
    ];
    let system = [
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_open_tree,
        libc::SYS_move_mount,
        libc::SYS_fsopen,
        libc::SYS_fsconfig,
        libc::SYS_fsmount,
        libc::SYS_fspick,
        libc::SYS_mount_setattr,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_reboot,
        libc::SYS_kexec_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_adjtimex,
        libc::SYS_clock_adjtime,
        libc::SYS_quotactl,
        libc::SYS_quotactl_fd,
        libc::SYS_acct,
        libc::SYS_syslog,
        libc::SYS_vhangup,
        libc::SYS_personality,
        libc::SYS_shmget,
        libc::SYS_shmat,
        libc::SYS_shmctl,
        libc::SYS_msgget,
        libc::SYS_msgsnd,
        libc::SYS_msgrcv,
        libc::SYS_msgctl,
        libc::SYS_semget,
        libc::SYS_semop,
        libc::SYS_semctl,
        libc::SYS_semtimedop,
        libc::SYS_mq_open,
        libc::SYS_mq_unlink,
    ];
    let all = [&processes[..], &attributes, &system, &older()];
    all.concat()
}

const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// Calls that newer architectures leave out.
#[cfg(target_arch = "x86_64")]
fn older() -> Vec<i64> {
    vec![
        libc::SYS_fork,
        libc::SYS_vfork,
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
        libc::SYS_inotify_init,
        libc::SYS_mknod,
        libc::SYS_iopl,
        libc::SYS_ioperm,
        libc::SYS_modify_ldt,
        libc::SYS_kexec_file_load,
        libc::SYS_uselib,
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn older() -> Vec<i64> {
    Vec::new()
}

fn condition(
    argument: u8,
    is: Is,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, Length::Dword, is, value)
}

/// Threads can be made, processes and name spaces can't.
fn clones(rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
    let thread = libc::CLONE_THREAD as u64;
    let mut all = vec![SeccompRule::new(vec![condition(
        0,
        Is::MaskedEq(thread),
        0,
    )?])?];
    for space in [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ] {
        let space = space as u32 as u64;
        all.push(SeccompRule::new(vec![condition(
            0,
            Is::MaskedEq(space),
            space,
        )?])?);
    }
    rules.insert(libc::SYS_clone, all);
    Ok(())
}

/// Signals go to threads of this process, limits are those of this process. Its number stays what it is when it becomes another
/// program.
fn other_processes(rules: &mut Rules) -> Result<(), seccompiler::BackendError> {
    let own = u64::from(std::process::id());
    let not_own = SeccompRule::new(vec![condition(0, Is::Ne, own)?])?;
    rules.insert(libc::SYS_tgkill, vec![not_own]);
    let not_own = SeccompRule::new(vec![condition(0, Is::Ne, own)?, condition(0, Is::Ne, 0)?])?;
    rules.insert(libc::SYS_prlimit64, vec![not_own]);
    Ok(())
}

/// What a program asks of the devices of a network: names, numbers, addresses and flags.
const ABOUT_NETWORK: [u64; 10] = [
    libc::SIOCGIFNAME,
    libc::SIOCGIFCONF,
    libc::SIOCGIFFLAGS,
    libc::SIOCGIFADDR,
    libc::SIOCGIFDSTADDR,
    libc::SIOCGIFBRDADDR,
    libc::SIOCGIFNETMASK,
    libc::SIOCGIFMTU,
    libc::SIOCGIFHWADDR,
    libc::SIOCGIFINDEX,
];

/// Of requests to devices and files, those that ask what they are, and how much there is to read.
fn device_requests(rules: &mut Rules, has_network: bool) -> Result<(), seccompiler::BackendError> {
    let asked = [
        libc::TCGETS,
        libc::FIONREAD,
        libc::FIONBIO,
        libc::FIOCLEX,
        libc::TIOCGWINSZ,
    ];
    let about = ABOUT_NETWORK.into_iter().filter(|_| has_network);
    let asked = asked.into_iter().chain(about);
    let other = asked.map(|request| condition(1, Is::Ne, request));
    rules.insert(
        libc::SYS_ioctl,
        vec![SeccompRule::new(other.collect::<Result<_, _>>()?)?],
    );
    Ok(())
}

/// Calls that a kernel need not have: `clone3`, whose arguments no filter sees (the C library then takes `clone`), and those of
/// the x32 interface, which is a second set of numbers for all of them.
fn not_there() -> BpfProgram {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    const X32: u32 = 0x4000_0000;
    let op = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        op(LOAD, 0, 0, 0),
        op(IF_EQUAL, 1, 0, libc::SYS_clone3 as u32),
        op(IF_AT_LEAST, 0, 1, X32),
        op(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        op(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
