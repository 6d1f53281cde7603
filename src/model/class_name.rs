//! The name of a class, and the only conversion between its two spellings.

use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The binary name of a class with dots, `a.b.C$D` (JLS §13.1). Class files spell it `a/b/C$D` (JVMS §4.2.1).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct ClassName(Arc<str>);

impl ClassName {
    /// The class that class files name so: `a/b/C$D`.
    pub fn of_internal(internal: &str) -> ClassName {
        ClassName(internal.replace('/', ".").into())
    }

    /// The simple names of the class and of those around it, outermost first; none of anonymous ones.
    pub fn simple_names(&self) -> impl Iterator<Item = &str> {
        let name = self.0.rsplit('.').next().unwrap_or_default();
        let is_named =
            |part: &&str| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit());
        name.split('$').filter(is_named)
    }

    /// As it stands: `a.b.C$D`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for ClassName {
    fn from(dotted: String) -> ClassName {
        ClassName(dotted.into())
    }
}

impl From<&str> for ClassName {
    fn from(dotted: &str) -> ClassName {
        ClassName(dotted.into())
    }
}

impl From<&String> for ClassName {
    fn from(dotted: &String) -> ClassName {
        ClassName(dotted.as_str().into())
    }
}

impl From<ClassName> for String {
    fn from(name: ClassName) -> String {
        name.0.to_string()
    }
}

impl From<&ClassName> for String {
    fn from(name: &ClassName) -> String {
        name.0.to_string()
    }
}

impl Deref for ClassName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for ClassName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for ClassName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for ClassName {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for ClassName {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl PartialEq<String> for ClassName {
    fn eq(&self, other: &String) -> bool {
        *self.0 == **other
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// What is told from names of classes and packages, for texts that are no [`ClassName`] (yet): their two spellings, and the top-level class.
pub trait Spelling {
    /// With dots, as in reports and in Java's reflection: `a.b.C$D`.
    fn dotted(&self) -> String;
    /// With slashes, as in class files and folders: `a/b/C$D`.
    fn internal(&self) -> String;
    /// The top-level class around a nested one, in the same spelling: `a/b/C` of `a/b/C$D`; of others the name itself.
    fn outermost(&self) -> &str;
}

impl Spelling for str {
    fn dotted(&self) -> String {
        self.replace('/', ".")
    }

    fn internal(&self) -> String {
        self.replace('.', "/")
    }

    fn outermost(&self) -> &str {
        self.split('$').next().unwrap_or(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{ClassName, Spelling};

    #[test]
    fn both_spellings_lead_to_each_other() {
        let name = ClassName::of_internal("a/b/C$D");
        assert_eq!(name, "a.b.C$D");
        assert_eq!(name.internal(), "a/b/C$D");
        assert_eq!((name.outermost(), "C".outermost()), ("a.b.C", "C"));
        assert_eq!(name, ClassName::from("a.b.C$D"));
        assert_eq!("a/b".dotted(), "a.b");
    }

    #[test]
    fn it_is_text_in_json() {
        let name = ClassName::from("a.B");
        let json = serde_json::to_string(&name).unwrap_or_default();
        assert_eq!(json, "\"a.B\"");
        assert_eq!(serde_json::from_str::<ClassName>(&json).ok(), Some(name));
    }
}
