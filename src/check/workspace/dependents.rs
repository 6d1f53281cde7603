//! Unchanged files whose compiled code may change with a declaration: constants are inlined, overloads chosen, and results converted
//! where they are used (JLS §13.1, §15.12).

use super::Workspace;
use super::builds::types_of_both;
use crate::bytecode::access::{PRIVATE, PROTECTED, PUBLIC, STATIC, VARARGS};
use crate::bytecode::class_file::{ClassFile, Field, Method};
use crate::check::patch::Patch;
use crate::error::Error;
use crate::jvm::Worker;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Most files compiled so.
const MOST_FILES: usize = 60;

/// Access flags that a user's code depends on.
const SEEN: u16 = PUBLIC | PROTECTED | STATIC | VARARGS;

/// Declarations that differ, by the words that a user of one writes.
#[derive(Default)]
struct Declarations {
    /// Names of fields and methods.
    members: BTreeSet<String>,
    /// Simple names of classes with other supertypes.
    classes: BTreeSet<String>,
    /// Simple names of all classes in question.
    owners: BTreeSet<String>,
}

impl Workspace {
    /// Compiles such files into both versions' classes. Where there are too many the rest is noted.
    ///
    /// # Errors
    /// The worker fails, or classes can't be read.
    pub(super) fn add_dependents(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        (old, new): (&Path, &Path),
    ) -> Result<(), Error> {
        let mut declarations = Declarations::default();
        for [a, b] in types_of_both(patch, [old, new])? {
            declarations.compare(&a, &b);
        }
        if declarations.owners.is_empty() {
            return Ok(());
        }
        let mut files = self.files_that_use(&declarations);
        let more = files.len().saturating_sub(MOST_FILES);
        if more > 0 {
            files.truncate(MOST_FILES);
            let why = format!(
                "{more} unchanged files that may use a changed declaration are not compared"
            );
            self.note(("users of changed declarations".into(), why));
        }
        self.compile_beside_both(worker, [&files, &files], [old, new])
    }

    /// Unchanged files with these words: those that name a class in question too come first.
    fn files_that_use(&self, declarations: &Declarations) -> Vec<String> {
        self.unchanged_files(|_, words| {
            let has = |names: &BTreeSet<String>| names.iter().any(|n| words.contains(n.as_str()));
            let is_user = has(&declarations.members) || has(&declarations.classes);
            is_user.then(|| has(&declarations.owners))
        })
    }
}

impl Declarations {
    fn compare(&mut self, old: &ClassFile, new: &ClassFile) {
        let simple = old.name.rsplit(['/', '$']).next().unwrap_or_default();
        let before = self.members.len();
        let (old_fields, new_fields) = (fields(old), fields(new));
        let (old_methods, new_methods) = (methods(old), methods(new));
        self.add(&old_fields, &new_fields);
        self.add(&old_methods, &new_methods);
        // What is no longer private may be overridden.
        let opened = old.methods.iter().filter(|m| {
            let twin = new.method(&m.name, &m.descriptor);
            twin.is_some_and(|twin| (twin.access ^ m.access) & PRIVATE != 0)
        });
        let names = opened.map(|m| m.name.to_string());
        self.members.extend(names.filter(|n| !n.starts_with('<')));
        let shape = |c: &ClassFile| (c.super_name.clone(), c.interfaces.clone());
        let is_reshaped = shape(old) != shape(new);
        if is_reshaped {
            self.classes.insert(simple.to_string());
        }
        if is_reshaped || self.members.len() > before {
            self.owners.insert(simple.to_string());
        }
    }

    /// Names that both versions declare, but not with the same.
    fn add<T: PartialEq>(&mut self, old: &BTreeMap<Arc<str>, T>, new: &BTreeMap<Arc<str>, T>) {
        for (name, declared) in old {
            if new.get(name).is_some_and(|other| other != declared) {
                self.members.insert(name.to_string());
            }
        }
    }
}

/// What code that reads a field is compiled with.
type FieldUse = (Arc<str>, u16, String);

fn fields(class: &ClassFile) -> BTreeMap<Arc<str>, FieldUse> {
    let open = class.fields.iter().filter(|f| f.access & PRIVATE == 0);
    let of = |f: &Field| {
        let constant = format!("{:?}", f.constant);
        (
            f.name.clone(),
            (f.descriptor.clone(), f.access & SEEN, constant),
        )
    };
    open.map(of).collect()
}

/// Descriptors and access of the methods of each name, but constructors'.
fn methods(class: &ClassFile) -> BTreeMap<Arc<str>, BTreeSet<(Arc<str>, u16)>> {
    let mut all: BTreeMap<Arc<str>, BTreeSet<(Arc<str>, u16)>> = BTreeMap::new();
    let is_open =
        |m: &&Method| m.access & PRIVATE == 0 && !m.name.starts_with('<') && !m.name.contains('$');
    for method in class.methods.iter().filter(is_open) {
        let one = (method.descriptor.clone(), method.access & SEEN);
        all.entry(method.name.clone()).or_default().insert(one);
    }
    all
}
