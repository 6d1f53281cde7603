//! The JVM that replays: its system properties, requested once and only if a program reads them, and the packages it opens.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

type Properties = Option<BTreeMap<String, String>>;
type Ask = Box<dyn FnOnce() -> Properties + Send>;

/// The machine and JDK of a run. Copies share the answer.
#[derive(Clone)]
pub struct Machine {
    properties: Arc<LazyLock<Properties, Ask>>,
    opened: Arc<BTreeSet<String>>,
    exported: Arc<BTreeSet<String>>,
}

impl Machine {
    /// A machine whose JVM gives its system properties when asked; `None` where it can't.
    pub fn new(ask: impl FnOnce() -> Properties + Send + 'static) -> Machine {
        Machine {
            properties: Arc::new(LazyLock::new(Box::new(ask))),
            opened: Arc::default(),
            exported: Arc::default(),
        }
    }

    /// The machine with the packages that these options of its JVM open and export to the program, such as
    /// `--add-opens=java.base/java.lang=ALL-UNNAMED`. Other options change nothing.
    pub fn with_options(self, options: &[String]) -> Machine {
        let packages = |option: &str| {
            let place = |o: &String| Some(o.strip_prefix(option)?.split_once('/')?.1.to_string());
            let package = |place: String| place.split('=').next().map(|p| p.replace('.', "/"));
            Arc::new(
                options
                    .iter()
                    .filter_map(place)
                    .filter_map(package)
                    .collect(),
            )
        };
        Machine {
            opened: packages("--add-opens="),
            exported: packages("--add-exports="),
            ..self
        }
    }

    /// Whether a package of the JDK, by its internal name, is open to the program by an option.
    pub(in crate::symex) fn opens(&self, package: &str) -> bool {
        self.opened.contains(package)
    }

    /// Whether a package of the JDK is exported to the program by an option: what is open is exported (JEP 261).
    pub(in crate::symex) fn exports(&self, package: &str) -> bool {
        self.opens(package) || self.exported.contains(package)
    }

    /// The value of a system property there, `Some(None)` where it is not set; `None` where the machine is not known.
    pub(in crate::symex) fn property(&self, name: &str) -> Option<Option<&str>> {
        let all = LazyLock::force(&self.properties).as_ref()?;
        Some(all.get(name).map(String::as_str))
    }
}

impl Default for Machine {
    /// A machine of which nothing is known.
    fn default() -> Machine {
        Machine::new(|| None)
    }
}
