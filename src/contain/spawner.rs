//! The thread that starts all processes: the kernel ends them when the thread that started them ends.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

type Wish = (Command, Sender<io::Result<Child>>);

/// Starts a command from a thread that lives as long as this process (prctl(2), `PR_SET_PDEATHSIG`: "parent" is a thread).
///
/// # Errors
/// It can't be started.
pub fn spawn(command: Command) -> io::Result<Child> {
    static THREAD: OnceLock<Sender<Wish>> = OnceLock::new();
    let gone = || io::Error::other("the thread that starts processes has ended");
    let thread = THREAD.get_or_init(|| {
        let (wishes, wished) = channel::<Wish>();
        std::thread::spawn(move || {
            while let Ok((mut command, started)) = wished.recv() {
                // Who asked may have gone: then so has the process, with its pipes.
                let _ = started.send(command.spawn());
            }
        });
        wishes
    });
    let (started, child) = channel();
    thread.send((command, started)).map_err(|_| gone())?;
    child.recv().map_err(|_| gone())?
}
