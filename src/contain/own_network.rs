//! A network of a process's own, in which there is nothing but itself (`network_namespaces(7)`).

use nix::libc;
use nix::sched::{CloneFlags, unshare};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with,
};
use rustix::process::{getgid, getuid};

/// Who the process is in its name space if it is root outside: nobody with rights over the network.
const SOMEONE: u32 = 1000;

/// Moves this process into one, before it has a second thread. `false` if the kernel or the system's policy refuses that: it has no network
/// at all then, or still the one it had.
pub(super) fn enter() -> bool {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    if unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET).is_err() {
        return false;
    }
    let inside = |id: u32| if id == 0 { SOMEONE } else { id };
    let map = |file: &str, text: String| std::fs::write(format!("/proc/self/{file}"), text).is_ok();
    // It may do what it could outside, and is told to be the same or someone else.
    map("setgroups", "deny".into())
        && map("uid_map", format!("{} {user} 1", inside(user)))
        && map("gid_map", format!("{} {group} 1", inside(group)))
        && bring_up()
}

/// Brings up the loopback device, which is always the first one (`rtnetlink(7)`, `RTM_NEWLINK`).
fn bring_up() -> bool {
    const LENGTH: usize = 32;
    const REQUEST_AND_ANSWER: u16 = (libc::NLM_F_REQUEST | libc::NLM_F_ACK) as u16;
    const ANSWER: u16 = libc::NLMSG_ERROR as u16;
    const UP: u32 = libc::IFF_UP as u32;
    let mut message = Vec::with_capacity(LENGTH);
    message.extend((LENGTH as u32).to_ne_bytes());
    message.extend(libc::RTM_NEWLINK.to_ne_bytes());
    message.extend(REQUEST_AND_ANSWER.to_ne_bytes());
    // Sequence number, sender; then the kind of addresses, of device, and the device.
    message.extend([0; 8]);
    message.extend([0; 4]);
    message.extend(1_i32.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    message.extend(UP.to_ne_bytes());
    let asked = || -> rustix::io::Result<bool> {
        let socket = socket_with(
            AddressFamily::NETLINK,
            SocketType::RAW,
            SocketFlags::CLOEXEC,
            // `NETLINK_ROUTE` is the protocol with the number 0.
            None,
        )?;
        send(&socket, &message, SendFlags::empty())?;
        let mut answer = [0_u8; 256];
        let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
        // An answer without an error has the number 0.
        let is_answer = answer[4..6] == ANSWER.to_ne_bytes();
        Ok(length >= 20 && is_answer && answer[16..20] == [0; 4])
    };
    asked().unwrap_or(false)
}
