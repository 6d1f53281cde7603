//! Unchanged files that use a changed class which tests of another package can't enter, or not at all: the ways into it lead through
//! them.

use super::Workspace;
use super::builds::types_of_both;
use crate::bytecode::access::{PRIVATE, PROTECTED, PUBLIC};
use crate::bytecode::class_file::{ClassFile, Insn, Method};
use crate::bytecode::{ClassPath, same_code};
use crate::check::patch::Patch;
use crate::error::Error;
use crate::jvm::Worker;
use crate::model::Spelling;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Most files compiled so.
const MOST_FILES: usize = 8;

impl Workspace {
    /// Compiles them into both versions' classes, where no public class that is compiled uses such a class.
    ///
    /// # Errors
    /// The worker fails, or classes can't be read.
    pub(super) fn add_users(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        (old, new): (&Path, &Path),
    ) -> Result<(), Error> {
        let types = types_of_both(patch, [old, new])?;
        let closed = types.iter().filter(|[a, b]| is_closed(a, b));
        let closed: BTreeSet<&str> = closed.map(|[_, b]| b.name.outermost()).collect();
        if closed.is_empty() {
            return Ok(());
        }
        let compiled = ClassPath::of(&[new.to_path_buf()])?.dir_classes()?;
        let from: BTreeSet<String> = closed
            .iter()
            .flat_map(|c| hidden_users(&compiled, c))
            .collect();
        let files = self.files_that_name(&from);
        self.compile_beside_both(worker, [&files, &files], [old, new])
    }

    /// Unchanged files with the simple name of one of these classes: those of its package first.
    fn files_that_name(&self, classes: &BTreeSet<String>) -> Vec<String> {
        if classes.is_empty() {
            return Vec::new();
        }
        let mut files = self.unchanged_files(|file, words| {
            let is_named = |class: &&String| {
                let simple = class.rsplit('/').next().unwrap_or(class);
                words.contains(simple) && !file.ends_with(&format!("/{class}.java"))
            };
            let named: Vec<&String> = classes.iter().filter(is_named).collect();
            let folder = file.rsplit_once('/').map_or("", |f| f.0);
            let package =
                |class: &str| class.rsplit_once('/').map_or(String::new(), |c| c.0.into());
            let is_near = named.iter().any(|class| folder.ends_with(&package(class)));
            (!named.is_empty()).then_some(is_near)
        });
        files.truncate(MOST_FILES);
        files
    }
}

/// Whether a changed method of the class is one that others than its package can't call, or none can.
fn is_closed(old: &ClassFile, new: &ClassFile) -> bool {
    let is_hidden = new.access & PUBLIC == 0;
    let is_of_package = |m: &Method| m.access & (PUBLIC | PROTECTED | PRIVATE) == 0;
    let is_changed = |m: &Method| {
        let twin = old.method(&m.name, &m.descriptor);
        twin.is_some_and(|twin| !same_code(twin, m))
    };
    let mut methods = new.methods.iter();
    methods.any(|m| (is_hidden || is_of_package(m)) && is_changed(m))
}

/// The class, and classes that are not public and come to it by using each other; none where a public class uses one of them.
fn hidden_users(compiled: &[Arc<ClassFile>], class: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([class.to_string()]);
    let mut todo = vec![class.to_string()];
    while let Some(class) = todo.pop() {
        for user in compiled.iter().filter(|user| uses(user, &class)) {
            let top = user.name.outermost();
            let is_public = |c: &Arc<ClassFile>| *c.name == *top && c.access & PUBLIC != 0;
            if compiled.iter().any(is_public) {
                return BTreeSet::new();
            }
            if found.insert(top.to_string()) {
                todo.push(top.to_string());
            }
        }
    }
    found
}

/// Whether a class of another file than that of a top-level class uses it.
fn uses(user: &Arc<ClassFile>, class: &str) -> bool {
    let is_it = |name: &str| name.outermost() == class;
    if is_it(&user.name) {
        return false;
    }
    let code = user.methods.iter().filter_map(|m| m.code.as_ref());
    let mut insns = code.flat_map(|c| c.insns.iter());
    insns.any(|insn| match insn {
        Insn::Invoke(_, m) => is_it(&m.class),
        Insn::GetStatic(f) | Insn::PutStatic(f) => is_it(&f.class),
        Insn::New(made) => is_it(made),
        _ => false,
    })
}
