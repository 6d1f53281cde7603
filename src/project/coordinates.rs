//! The coordinates of a dependency in Maven repositories.

/// `group:name:version`, of which the version may be left to a platform.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    /// The group.
    pub group: String,
    /// The name.
    pub name: String,
    /// The version; empty where a platform says it.
    pub version: String,
}

impl Coordinates {
    /// Reads `group:name`, with a version or without.
    pub fn read(text: &str) -> Option<Coordinates> {
        let text = text.split('@').next().unwrap_or(text);
        let mut parts = text.split(':').map(str::trim);
        let (group, name) = (parts.next()?, parts.next()?);
        let version = parts.next().unwrap_or_default();
        let is_plain = |t: &str| {
            let ok = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
            !t.is_empty() && t.chars().all(ok)
        };
        (is_plain(group) && is_plain(name)).then(|| Coordinates {
            group: group.into(),
            name: name.into(),
            version: if is_plain(version) {
                version.into()
            } else {
                String::new()
            },
        })
    }
}
