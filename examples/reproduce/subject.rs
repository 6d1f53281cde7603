//! A subject: the annotated class of a row, and the conditions of the papers' experiments.

use shadow_ci::commands::explore::{ExploreOptions, Target};
use shadow_ci::contain::Containment;
use shadow_ci::options::{Arithmetic, Oracle, Prune, Search};
use shadow_ci::symex::ExploreMode;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A class with `change` and `execute` calls, and the method whose parameters are symbolic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The row's name.
    pub name: String,
    /// Class name.
    pub class: String,
    /// Method name.
    pub method: &'static str,
}

impl Subject {
    /// Of a row of paper 000. `simplify` calls `gcd` on fixed fields, and it is `gcd` that gets symbolic arguments.
    pub fn complete(row: &str) -> Option<Subject> {
        let subject = |class: String, method| Subject {
            name: row.into(),
            class,
            method,
        };
        match row {
            "foo" => return Some(subject("jpf2019.foo.Foo_1c".into(), "foo")),
            "Joda-Time" => {
                let class = "jpf2019.joda.localToUTC.ZonedChronology_1c";
                return Some(subject(class.into(), "localToUTC"));
            }
            _ => {}
        }
        let (class, method, number) = parts(row)?;
        let symbolic = match method {
            "abs" => "abs",
            "gcd" | "simplify" => "gcd",
            "update" => "update",
            "launch" => "launch",
            _ => return None,
        };
        let package = class.to_lowercase();
        Some(subject(
            format!("jpf2019.{package}.{method}.{class}_{number}c"),
            symbolic,
        ))
    }

    /// Of a row of paper 002. `main` calls `test`.
    pub fn concolic(row: &str) -> Option<Subject> {
        let subject = |class: String, method| Subject {
            name: row.into(),
            class,
            method,
        };
        if row == "Foo" {
            return Some(subject("jpf2017.foo.Foo_1c".into(), "foo"));
        }
        let (class, method, number) = parts(row)?;
        let symbolic = match method {
            "deposit" => "deposit",
            "withdraw" => "withdraw",
            "main" => "test",
            _ => return None,
        };
        let package = class.to_lowercase();
        Some(subject(
            format!("jpf2017.{package}.{method}.{class}_{number}c"),
            symbolic,
        ))
    }

    /// Path of its source file below the folder its package begins in.
    pub fn file(&self) -> String {
        format!("{}.java", self.class.replace('.', "/"))
    }

    /// What the papers' experiments have in common: fields as `main` leaves them, mathematical integers from -100 to 100, and
    /// the new version alone behind a divergence.
    pub fn options(&self, root: &Path, mode: ExploreMode) -> ExploreOptions {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        ExploreOptions {
            target: Target {
                class: self.class.clone(),
                method: self.method.into(),
                parameters: None,
            },
            sources: vec![root.join(self.file())],
            base: None,
            class_path: Vec::new(),
            from: Some("main".into()),
            mode,
            arith: Arithmetic::Unbounded,
            int_range: Some((-100, 100)),
            oracle: Oracle::New,
            prune: Prune::Reach,
            search: Search::Dfs,
            seed: 0,
            loop_bound: 12,
            max_string: 0,
            max_array: 0,
            max_paths: 100_000,
            threads: 1,
            enumerate: None,
            timeout: Some(Duration::from_secs(600)),
            java_home: variable("JAVA_HOME").map(PathBuf::from),
            path: variable("PATH"),
            cache: None,
            containment: Containment::none(),
        }
    }
}

/// `Class.method_number`.
fn parts(row: &str) -> Option<(&str, &str, &str)> {
    let (class, rest) = row.split_once('.')?;
    let (method, number) = rest.split_once('_')?;
    Some((class, method, number))
}

/// The folder among the checkouts that holds a package of subjects.
pub fn root(checkouts: &[PathBuf], package: &str) -> Option<PathBuf> {
    let below = [
        "",
        "src/examples",
        "jpf-shadow-plus/src/examples",
        "jpf-shadow/src/examples",
    ];
    let all = checkouts.iter().flat_map(|c| below.map(|b| c.join(b)));
    all.into_iter().find(|d| d.join(package).is_dir())
}
