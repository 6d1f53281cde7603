//! A thread with a large stack, for deep terms.

use crate::error::Error;

/// Bytes of stack that deep terms need; a thread's default is too small.
pub const STACK: usize = 256 << 20;

/// Runs the work on a thread with 256 MiB of stack: deep terms need more room than a thread's default.
///
/// # Errors
/// Those of the work; the thread can't be started or ended unexpectedly.
pub fn on_a_deep_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        let broken = |why: String| Error::Io {
            what: "cannot run the exploration".into(),
            why,
        };
        match spawned.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(broken("it ended unexpectedly".into())),
            Err(e) => Err(broken(e.to_string())),
        }
    })
}
