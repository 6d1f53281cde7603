//! Links from a comment into the repository it is about.

use super::place::{Place, uri};
use sha2::{Digest, Sha256};

/// The repository on its server, and the pull request where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    server: String,
    repository: String,
    pull: Option<u64>,
}

impl Site {
    /// `server` is e.g. `https://github.com`, `repository` is `owner/name`; nothing else becomes part of a link.
    pub fn new(server: &str, repository: &str, pull: Option<u64>) -> Option<Site> {
        let server = server.trim_end_matches('/');
        let host = server
            .strip_prefix("https://")
            .or(server.strip_prefix("http://"))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._:/".contains(c);
        let known = !host.is_empty() && host.chars().all(plain) && is_repository(repository);
        known.then(|| Site {
            server: server.to_string(),
            repository: repository.to_string(),
            pull,
        })
    }

    /// A line of the new version: in the pull request's diff, else in the commit.
    pub fn link(&self, commit: &str, place: &Place) -> Option<String> {
        let base = format!("{}/{}", self.server, self.repository);
        match self.pull {
            Some(number) => {
                let path = super::fingerprint::hex(&Sha256::digest(place.path.as_bytes()));
                Some(format!(
                    "{base}/pull/{number}/files#diff-{path}R{}",
                    place.line
                ))
            }
            None if is_commit(commit) => Some(format!(
                "{base}/blob/{commit}/{}#L{}",
                uri(&place.path),
                place.line
            )),
            None => None,
        }
    }
}

/// Whether the text is `owner/name`.
pub fn is_repository(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
    };
    matches!(text.split_once('/'), Some((owner, name)) if plain(owner) && plain(name))
}

fn is_commit(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_made_of_what_is_known_to_be_harmless() {
        let place = Place {
            path: "a/B)(.java".into(),
            line: 7,
        };
        let site = Site::new("https://ghe.example.org/", "o/n", None).unwrap();
        assert_eq!(
            site.link("0123abcd", &place).unwrap(),
            "https://ghe.example.org/o/n/blob/0123abcd/a/B%29%28.java#L7"
        );
        assert_eq!(site.link("](x)", &place), None);
        let site = Site::new("https://github.com", "o/n", Some(3)).unwrap();
        let link = site.link("", &place).unwrap();
        assert!(link.starts_with("https://github.com/o/n/pull/3/files#diff-"));
        assert!(link.ends_with("R7"));
        for repository in ["", "o", "o/n/x", "o/n)", "o/..", "o/n#1"] {
            assert_eq!(Site::new("https://github.com", repository, None), None);
        }
        assert_eq!(Site::new("javascript:x", "o/n", None), None);
        assert_eq!(Site::new("https://a.example/x)(", "o/n", None), None);
    }
}
