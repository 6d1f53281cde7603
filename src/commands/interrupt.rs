//! Ctrl-C and SIGTERM end a run at once, with what it found so far and nothing left behind.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether a signal is ending the run: what fails now fails because of that, and is not told.
pub fn is_ending() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Waits for the end that a signal has begun.
pub fn wait_for_end() -> ! {
    loop {
        std::thread::park();
    }
}

/// Watches for the signals: called before any other thread is started, for threads inherit what they leave to this one. `found` is
/// asked for what to print, and for where the run is.
#[cfg(unix)]
pub fn watch(found: impl Fn() -> (String, String) + Send + 'static) {
    use nix::sys::signal::{SigSet, Signal};
    let mut set = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        set.add(signal);
    }
    if set.thread_block().is_err() {
        return;
    }
    std::thread::spawn(move || {
        let Ok(signal) = set.wait() else { return };
        INTERRUPTED.store(true, Ordering::SeqCst);
        let (text, place) = found();
        let _ = std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes());
        eprintln!("shadow-ci: ended by {}{place}", signal.as_str());
        crate::util::temporary::remove();
        std::process::exit(128 + signal as i32);
    });
}

/// Where there are no such signals, nothing is watched for.
#[cfg(not(unix))]
pub fn watch(_: impl Fn() -> (String, String) + Send + 'static) {}
