//! Both builds with probes: class files in folders of their own, and which places the probes tell of.

use super::vocabulary::is_of;
use crate::bytecode::class_file::{ClassFile, Code};
use crate::bytecode::probe::{Sites, trace};
use crate::bytecode::{ClassPath, ClassPathError, parameter_descriptors, same_code};
use crate::impact::{Body, Fate, align};
use crate::jvm::search::Places;
use crate::model::{MethodRef, Spelling, Version};
use crate::util::temporary;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Changed instructions of one method that are told of.
const MOST_MARKS: usize = 200;

/// A method with probes.
struct Row {
    class: String,
    name: String,
    descriptor: String,
    sites: (u32, u32),
    changed: Vec<u32>,
}

/// Both builds with probes.
pub struct Woven {
    /// The folders of the old and the new version.
    pub folders: [PathBuf; 2],
    /// Sites in both.
    pub sites: u32,
    rows: [Vec<Row>; 2],
    _folder: tempfile::TempDir,
}

/// Why there are none.
#[derive(Debug, thiserror::Error)]
pub enum WeaveError {
    /// A file can't be written.
    #[error("cannot write classes with probes: {0}")]
    Io(#[from] std::io::Error),
    /// A class can't be read.
    #[error(transparent)]
    Class(#[from] ClassPathError),
}

impl Woven {
    /// Puts probes into all classes of both builds. A class that can't have any is copied as it is.
    ///
    /// # Errors
    /// A class file can't be read or written.
    pub fn make(
        builds: [&Path; 2],
        paths: [&ClassPath; 2],
        below: Option<&Path>,
    ) -> Result<Woven, WeaveError> {
        let folder = match below {
            Some(below) => tempfile::tempdir_in(below)?,
            None => temporary::folder("woven")?,
        };
        let folders = ["old", "new"].map(|v| folder.path().join(v));
        let mut sites = Sites::default();
        let mut rows = [Vec::new(), Vec::new()];
        for version in Version::BOTH {
            let at = version as usize;
            for name in paths[at].list_dirs() {
                let file = format!("{name}.class");
                let bytes = std::fs::read(builds[at].join(&file))?;
                let own = paths[at].find(&name)?;
                let other = paths[1 - at].find(&name)?;
                let changed = |method: &str, descriptor: &str| match (&own, &other) {
                    (Some(own), Some(other)) => changed_code(own, other, method, descriptor),
                    _ => BTreeSet::new(),
                };
                let before = sites.count;
                let woven = match trace(&bytes, &mut sites, &changed) {
                    Ok(woven) => {
                        rows[at].extend(rows_of(&name, &woven.methods, &woven.changed));
                        woven.bytes
                    }
                    Err(_) => {
                        sites.count = before;
                        bytes
                    }
                };
                let out = folders[at].join(&file);
                out.parent().map_or(Ok(()), std::fs::create_dir_all)?;
                std::fs::write(out, woven)?;
            }
            std::fs::create_dir_all(&folders[at])?;
        }
        Ok(Woven {
            folders,
            sites: sites.count,
            rows,
            _folder: folder,
        })
    }

    /// The places of a changed method and of the lambdas in it.
    pub fn places(&self, version: Version, changed: &MethodRef) -> Places {
        let class = changed.class.internal();
        let mut places = Places::default();
        for row in &self.rows[version as usize] {
            if row.class == class && is_part(&row.name, &row.descriptor, changed) {
                places.changed.extend(&row.changed);
                places.around.extend([row.sites.0, row.sites.1]);
            }
        }
        places
    }
}

fn rows_of(
    class: &str,
    methods: &[(String, String, u32, u32)],
    changed: &[(usize, u32)],
) -> Vec<Row> {
    let row = |(at, (name, descriptor, from, to)): (usize, &(String, String, u32, u32))| Row {
        class: class.to_string(),
        name: name.clone(),
        descriptor: descriptor.clone(),
        sites: (*from, *to),
        changed: changed.iter().filter(|c| c.0 == at).map(|c| c.1).collect(),
    };
    methods.iter().enumerate().map(row).collect()
}

/// Whether a method of the same class is the changed one, or a lambda in it.
fn is_part(name: &str, descriptor: &str, changed: &MethodRef) -> bool {
    match *changed.name == *name {
        true => *changed.descriptor == *descriptor,
        false => is_of(name, &changed.name),
    }
}

/// The changed instructions of a method and of the lambdas in it, as indices, by name and descriptor; those without any are left out.
pub fn changed_places(
    own: &ClassFile,
    other: &ClassFile,
    changed: &MethodRef,
) -> BTreeMap<(String, String), BTreeSet<u32>> {
    let methods = own.methods.iter();
    let parts = methods.filter(|m| is_part(&m.name, &m.descriptor, changed));
    let places = parts.map(|m| {
        let key = (m.name.to_string(), m.descriptor.to_string());
        (key, changed_code(own, other, &m.name, &m.descriptor))
    });
    places.filter(|(_, places)| !places.is_empty()).collect()
}

/// Instructions of a method that the other version does not have.
fn changed_code(own: &ClassFile, other: &ClassFile, name: &str, descriptor: &str) -> BTreeSet<u32> {
    let find = |class| ClassFile::method(class, name, descriptor);
    let (Some(a), Some(b)) = (find(own), find(other)) else {
        return BTreeSet::new();
    };
    let (Some(x), Some(y)) = (&a.code, &b.code) else {
        return BTreeSet::new();
    };
    if same_code(a, b) {
        return BTreeSet::new();
    }
    let body = |code: &Arc<Code>| Body::of(code, &|field| field.class.clone());
    let receiver = u16::from(a.access & crate::bytecode::access::STATIC == 0);
    let wide = |d: &String| if matches!(&**d, "J" | "D") { 2 } else { 1 };
    let slots = parameter_descriptors(&a.descriptor)
        .iter()
        .map(wide)
        .sum::<u16>()
        + receiver;
    let fates = align(&body(x), &body(y), slots).old;
    let changed = (0..)
        .zip(&fates)
        .filter(|(_, f)| !matches!(f, Fate::Same(_)));
    changed.map(|(at, _)| at).take(MOST_MARKS).collect()
}
