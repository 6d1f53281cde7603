//! The system properties of the JVM that replays, requested once and only if a program reads them.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

type Properties = Option<BTreeMap<String, String>>;
type Ask = Box<dyn FnOnce() -> Properties + Send>;

/// The machine and JDK of a run. Copies share the answer.
#[derive(Clone)]
pub struct Machine(Arc<LazyLock<Properties, Ask>>);

impl Machine {
    /// A machine whose JVM gives its system properties when asked; `None` where it can't.
    pub fn new(ask: impl FnOnce() -> Properties + Send + 'static) -> Machine {
        Machine(Arc::new(LazyLock::new(Box::new(ask))))
    }

    /// The value of a system property there, `Some(None)` where it is not set; `None` where the machine is not known.
    pub(in crate::symex) fn property(&self, name: &str) -> Option<Option<&str>> {
        let all = LazyLock::force(&self.0).as_ref()?;
        Some(all.get(name).map(String::as_str))
    }
}

impl Default for Machine {
    /// A machine of which nothing is known.
    fn default() -> Machine {
        Machine::new(|| None)
    }
}
