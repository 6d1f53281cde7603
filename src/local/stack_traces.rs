//! `fillInStackTrace()`, which every constructor of `Throwable` calls: a class that overrides it runs code of its own there.

use super::version::Version;
use crate::bytecode::is_jdk;

/// The method.
const FILL: (&str, &str) = ("fillInStackTrace", "()Ljava/lang/Throwable;");

impl Version {
    /// Whether constructors of a JDK exception may run code of the project, or of a library, on an object of a class.
    pub(super) fn traces_itself(&self, class: &str) -> bool {
        let (above, whole) = self.ancestors(class);
        let mut others = above.iter().filter(|c| !is_jdk(&c.name));
        !whole || others.any(|c| c.method(FILL.0, FILL.1).is_some())
    }

    /// The same on an object of any of the project's classes.
    pub(super) fn any_traces_itself(&self) -> bool {
        *self.traces.get_or_init(|| {
            let is_thrown =
                |name: &str| self.is_subclass(name, "java/lang/Throwable") != Some(false);
            self.own_classes()
                .any(|c| is_thrown(&c.name) && self.traces_itself(&c.name))
        })
    }
}
