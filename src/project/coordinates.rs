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

/// The version that Gradle would take of one that may be written as rich versions are: `[1.7,1.8[!!1.7.25`, `1.7!!`, `[1.7,1.8[`.
fn preferred(version: &str) -> &str {
    let version = match version.split_once("!!") {
        Some((strict, "")) => strict,
        Some((_, preferred)) => preferred,
        None => version,
    };
    let range = version
        .strip_prefix(['[', '('])
        .and_then(|v| v.split_once(','));
    range.map_or(version, |(least, _)| least.trim())
}

impl Coordinates {
    /// Reads `group:name`, with a version or without.
    pub fn read(text: &str) -> Option<Coordinates> {
        let text = text.split('@').next().unwrap_or(text);
        let mut parts = text.split(':').map(str::trim);
        let (group, name) = (parts.next()?, parts.next()?);
        let version = preferred(parts.next().unwrap_or_default());
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

    /// The version as Maven says it: Gradle's `4.13.+` and `latest.release` are ranges there.
    pub fn range(version: &str) -> String {
        if let "+" | "latest.release" | "latest.integration" = version {
            return "[0,)".into();
        }
        match version.strip_suffix(".+") {
            Some(begin) => format!("[{begin},{begin}.99999]"),
            None => version.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Coordinates;

    #[test]
    fn versions_that_gradle_leaves_open_are_ranges_for_maven() {
        let ranges = ["4.13.+", "+", "1.2+3"].map(Coordinates::range);
        assert_eq!(ranges, ["[4.13,4.13.99999]", "[0,)", "1.2+3"]);
    }
}
