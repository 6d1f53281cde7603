//! Artifacts that Maven could not have: which are left out, and in place of which another version is asked for.

use super::coordinates::Coordinates;
use super::declared::Declared;
use super::releases::{Missing, NEWEST};
use super::substitutes::SNAPSHOT;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// How many versions are tried in place of one.
const OLDER: u32 = 3;

/// Lombok, the first version that works on a JDK whose internals are closed (JEP 396), and the one that stands for those before it.
const LOMBOK: (&str, [u32; 3], &str) = ("org.projectlombok:lombok", [1, 18, 22], "1.18.42");
/// The first such JDK.
const CLOSED_SINCE: u32 = 16;

/// Artifacts that are not to be had, as `group:name`.
#[derive(Debug, Default)]
pub struct Refused {
    /// Not at all.
    gone: BTreeSet<String>,
    /// In the version that is declared: another stands for it.
    replaced: BTreeMap<String, String>,
    /// How often the newest older version was tried.
    older: BTreeMap<String, u32>,
    /// Those of them for which the files tell no version.
    untold: BTreeSet<String>,
    /// Those of them that the JDK is too new for.
    lifted: BTreeSet<String>,
}

impl Refused {
    /// Nothing yet, but for versions that do not work on a JDK of that number.
    pub fn on(jdk: u32, projects: &BTreeMap<PathBuf, Declared>) -> Refused {
        let (name, works, instead) = LOMBOK;
        let numbers = |version: &str| -> Vec<u32> {
            let parts = version.split('.').map_while(|p| p.parse().ok());
            parts.collect()
        };
        let fails = |c: &Coordinates| {
            let version = numbers(&c.version);
            key(c) == name && !version.is_empty() && version < works.to_vec()
        };
        let mut all = projects.values().flat_map(|p| &p.dependencies);
        let mut refused = Refused::default();
        if jdk >= CLOSED_SINCE && all.any(|d| fails(&d.1)) {
            refused.replaced.insert(name.into(), instead.into());
            refused.lifted.insert(name.into());
        }
        refused
    }

    /// Those that are left out.
    pub fn gone(&self) -> &BTreeSet<String> {
        &self.gone
    }

    /// Takes what Maven could not have, and of it what no repository has: of a snapshot its release is tried first, of a release
    /// the newest one before it, and of what has no version the newest of all.
    pub fn add(
        &mut self,
        (more, missing): (BTreeSet<String>, &BTreeSet<Missing>),
        projects: &BTreeMap<PathBuf, Declared>,
        older: impl Fn(&BTreeSet<Missing>) -> BTreeMap<Missing, String>,
    ) {
        let all = projects.values().flat_map(|p| {
            let dependencies = p.dependencies.iter().map(|d| &d.1);
            let above = p.platforms.iter().chain(&p.parent);
            dependencies.chain(above).chain(&p.published)
        });
        let declared: BTreeMap<String, &Coordinates> = all.map(|c| (key(c), c)).collect();
        let mut say_versions = projects
            .values()
            .flat_map(|p| p.platforms.iter().chain(&p.parent));
        let lacks_versions = say_versions.any(|c| more.contains(&key(c)));
        let mut next = BTreeSet::new();
        for name in more {
            let one = declared.get(&name);
            let snapshot = one.and_then(|c| c.version.strip_suffix(SNAPSHOT));
            if let (Some(version), None) = (snapshot, self.replaced.get(&name)) {
                self.replaced.insert(name, version.into());
                continue;
            }
            let missing = missing.iter().find(|m| m.key() == name);
            match (one, missing) {
                // What says its version may be there in the next round.
                (Some(one), _) if lacks_versions && is_untold(one) => {}
                (Some(one), None) if is_untold(one) && self.untold.insert(name.clone()) => {
                    next.insert(Missing {
                        group: one.group.clone(),
                        name: one.name.clone(),
                        version: NEWEST.into(),
                    });
                }
                (Some(_), Some(missing)) if self.goes_back(&name) => {
                    next.insert(missing.clone());
                }
                _ => drop(self.gone.insert(name)),
            }
        }
        if next.is_empty() {
            return;
        }
        let mut found = older(&next);
        for one in next {
            match found.remove(&one) {
                Some(version) => drop(self.replaced.insert(one.key(), version)),
                None => drop(self.gone.insert(one.key())),
            }
        }
    }

    /// Whether an older version is tried once more: of some releases only a part is to be had.
    fn goes_back(&mut self, name: &str) -> bool {
        let tries = self.older.entry(name.to_string()).or_default();
        *tries += 1;
        *tries <= OLDER
    }

    /// Whether it is left out.
    pub fn has(&self, one: &Coordinates) -> bool {
        self.gone.contains(&key(one))
    }

    /// The version to ask for.
    pub fn version<'a>(&'a self, one: &'a Coordinates) -> &'a str {
        self.replaced.get(&key(one)).unwrap_or(&one.version)
    }

    /// Words for the notes.
    pub fn note(&self) -> String {
        let of = |names: Vec<String>, how: &str| match names.is_empty() {
            true => String::new(),
            false => format!("; {how}: {}", names.join(", ")),
        };
        let replaced = self.replaced.iter().filter(|r| !self.gone.contains(r.0));
        let (newest, replaced): (Vec<_>, Vec<_>) =
            replaced.partition(|r| self.untold.contains(r.0));
        let (lifted, replaced): (Vec<_>, Vec<_>) = replaced
            .into_iter()
            .partition(|r| self.lifted.contains(r.0));
        let said = |all: Vec<(&String, &String)>| {
            let each = all
                .iter()
                .map(|(name, version)| format!("{name}:{version}"));
            each.collect()
        };
        let told = of(
            said(replaced),
            "in place of versions that no repository has",
        );
        let newest = of(said(newest), "the newest where no file tells a version");
        let lifted = of(said(lifted), "in place of versions that fail on this JDK");
        told + &newest + &lifted + &of(self.gone.iter().cloned().collect(), "not to be had")
    }
}

fn key(one: &Coordinates) -> String {
    format!("{}:{}", one.group, one.name)
}

/// Whether the files tell no version, or one by a property that they do not tell: a parent of another version may not know it.
fn is_untold(one: &Coordinates) -> bool {
    one.version.is_empty() || one.version.starts_with("${")
}

#[cfg(test)]
mod tests {
    use super::super::declared::Use;
    use super::*;

    #[test]
    fn of_a_snapshot_the_release_is_tried_first_and_of_a_release_an_older_one() {
        let of = |text| Coordinates::read(text).unwrap();
        let parent = of("p:p:2.1-SNAPSHOT");
        let declared = Declared {
            parent: Some(parent.clone()),
            dependencies: BTreeSet::from([(Use::Main, of("r:r:1.2"))]),
            ..Declared::default()
        };
        let projects = BTreeMap::from([(PathBuf::new(), declared)]);
        let mut refused = Refused::default();
        let one = |group: &str, version: &str| Missing {
            group: group.into(),
            name: group.into(),
            version: version.into(),
        };
        let older = |gone: &BTreeSet<Missing>| {
            let known = gone.iter().filter(|m| m.group == "r");
            known.map(|m| (m.clone(), "1.1".to_string())).collect()
        };
        let names = |all: &[&str]| all.iter().map(|n| format!("{n}:{n}")).collect();
        let gone = BTreeSet::from([one("r", "1.2"), one("q", "7")]);
        refused.add((names(&["p", "q", "r"]), &gone), &projects, older);
        assert!(!refused.has(&parent));
        assert_eq!(refused.version(&parent), "2.1");
        assert_eq!(
            refused.note(),
            "; in place of versions that no repository has: p:p:2.1, r:r:1.1; not to be had: q:q"
        );
        let gone = BTreeSet::from([one("p", "2.1")]);
        refused.add((names(&["p", "r"]), &gone), &projects, older);
        assert!(refused.has(&parent));
        assert_eq!(refused.note(), "; not to be had: p:p, q:q, r:r");
    }

    #[test]
    fn what_has_its_version_from_a_platform_waits_for_that() {
        let of = |text| Coordinates::read(text).unwrap();
        let managed = of("m:m");
        let declared = Declared {
            platforms: BTreeSet::from([of("p:p:2-SNAPSHOT")]),
            dependencies: BTreeSet::from([(Use::Main, managed.clone())]),
            ..Declared::default()
        };
        let projects = BTreeMap::from([(PathBuf::new(), declared)]);
        let mut refused = Refused::default();
        let none = |_: &BTreeSet<Missing>| BTreeMap::new();
        let both = BTreeSet::from(["m:m", "p:p"].map(String::from));
        refused.add((both, &BTreeSet::new()), &projects, none);
        assert!(!refused.has(&managed));
        let alone = BTreeSet::from(["m:m".to_string()]);
        refused.add((alone, &BTreeSet::new()), &projects, none);
        assert!(refused.has(&managed));
    }

    #[test]
    fn of_what_no_file_tells_a_version_the_newest_is_taken() {
        let newest = |asked: &BTreeSet<Missing>| {
            let all = asked.iter().filter(|m| m.version == NEWEST);
            all.map(|m| (m.clone(), "3.1".to_string())).collect()
        };
        for version in ["", "${m.version}"] {
            let one = Coordinates {
                version: version.into(),
                ..Coordinates::read("m:m").unwrap()
            };
            let declared = Declared {
                dependencies: BTreeSet::from([(Use::Main, one.clone())]),
                ..Declared::default()
            };
            let projects = BTreeMap::from([(PathBuf::new(), declared)]);
            let mut refused = Refused::default();
            let named = BTreeSet::from(["m:m".to_string()]);
            refused.add((named.clone(), &BTreeSet::new()), &projects, newest);
            assert_eq!(refused.version(&one), "3.1");
            let note = "; the newest where no file tells a version: m:m:3.1";
            assert_eq!(refused.note(), note);
            refused.add((named, &BTreeSet::new()), &projects, newest);
            assert!(refused.has(&one));
        }
    }

    #[test]
    fn a_lombok_that_fails_on_the_jdk_is_replaced_and_named() {
        let of = |version: &str, jdk: u32| {
            let lombok = Coordinates::read(&format!("org.projectlombok:lombok:{version}")).unwrap();
            let declared = Declared {
                dependencies: BTreeSet::from([(Use::Main, lombok.clone())]),
                ..Declared::default()
            };
            let refused = Refused::on(jdk, &BTreeMap::from([(PathBuf::new(), declared)]));
            (refused.version(&lombok).to_string(), refused.note())
        };
        let (version, note) = of("1.16.20", 17);
        assert_eq!(version, LOMBOK.2);
        assert!(note.contains("fail on this JDK: org.projectlombok:lombok:1.18.42"));
        assert_eq!(of("1.16.20", 11), ("1.16.20".into(), String::new()));
        assert_eq!(of("1.18.22", 21), ("1.18.22".into(), String::new()));
        assert_eq!(of("1.18.30", 21).0, "1.18.30");
    }
}
