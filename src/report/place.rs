//! The place in the new version's tree at which a finding or a method is shown.

use super::document::{Document, Finding, Method};

/// A line of a file of the new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path in the repository.
    pub path: String,
    /// Line, from 1.
    pub line: u32,
}

impl Place {
    /// The line where the versions went apart, or where the new one threw, or the method's first one.
    pub fn of_finding(document: &Document, method: &Method, finding: &Finding) -> Option<Place> {
        let apart = finding.diverges_at.as_ref().map(|d| d.new.as_str());
        let threw = finding.new.at.as_deref();
        apart
            .into_iter()
            .chain(threw)
            .find_map(|at| resolve(document, method, at))
            .or_else(|| Place::of_method(method))
    }

    /// The method's first line.
    pub fn of_method(method: &Method) -> Option<Place> {
        (!method.file.is_empty()).then(|| Place {
            path: method.file.clone(),
            line: method.line.unwrap_or(1).max(1),
        })
    }
}

/// Class files know files without folders: the method's own file if that is its name, else the one changed file with it.
fn resolve(document: &Document, method: &Method, at: &str) -> Option<Place> {
    let (file, line) = at.rsplit_once(':')?;
    let line: u32 = line.parse().ok().filter(|l| *l > 0)?;
    let called = |path: &str| path.rsplit('/').next() == Some(file);
    let path = if called(&method.file) {
        method.file.clone()
    } else {
        let mut paths: Vec<&str> = document.methods.iter().map(|m| m.file.as_str()).collect();
        paths.retain(|p| called(p));
        paths.sort_unstable();
        paths.dedup();
        match paths.as_slice() {
            [one] => (*one).to_string(),
            _ => return None,
        }
    };
    Some(Place { path, line })
}

/// The path as a relative URI reference: nothing in it means anything but a name.
pub fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_only_a_path() {
        assert_eq!(uri("a b/#é?.java"), "a%20b/%23%C3%A9%3F.java");
    }
}
