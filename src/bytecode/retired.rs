//! Members that the old version's code names and the new classes lack: the unified program gets them without a body.

mod search;

use super::class_file::ClassFile;
use super::{ClassPath, ClassPathError};
use search::{Call, Search, classes_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A member of the old version alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetiredMember {
    /// Its name in the old version.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// The class that declares it in the old version.
    pub from: Arc<str>,
    /// Whether it is static.
    pub is_static: bool,
    /// Whether a member of the new version could be taken for it: then it needs another name.
    pub clashes: bool,
}

/// The members that old code names and the new version lacks.
#[derive(Clone, Debug, Default)]
pub struct Retired {
    methods: BTreeMap<Arc<str>, BTreeSet<RetiredMember>>,
    fields: BTreeMap<Arc<str>, BTreeSet<RetiredMember>>,
    /// Interfaces that changed classes no longer have.
    interfaces: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Members that code of fewer classes may name now.
    wider: BTreeMap<Arc<str>, BTreeSet<Wider>>,
    /// For each source file, line and name of a call in the old version: whether each such call, in the order of the code,
    /// is of a method that gets another name.
    calls: BTreeMap<CallPosition, Vec<bool>>,
}

/// A method that the old version's code names and that the new version hides from it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wider {
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// Source file, line and name.
type CallPosition = (String, u32, Arc<str>);

/// A changed source file and its top-level classes, internal names.
pub type ClassesOfFile = (String, Vec<String>);

impl Retired {
    /// What the old classes of the files name in vain in the new build. A member is looked for as the JVM does, in supertypes too
    /// (JVMS §5.4.3), but by static binding alone.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn of(
        old: &ClassPath,
        new: &ClassPath,
        files: &[ClassesOfFile],
    ) -> Result<Retired, ClassPathError> {
        let mut found = Retired::default();
        let (olds, news) = (classes_of(old, files)?, classes_of(new, files)?);
        let near: Vec<Arc<ClassFile>> = news.into_iter().map(|c| c.1).collect();
        let search = Search {
            builds: [old, new],
            near: &near,
            gone: olds.iter().map(|c| c.1.name.clone()).collect(),
        };
        let mut calls: Vec<(CallPosition, Call)> = Vec::new();
        for (path, class) in &olds {
            search.interfaces(class, &mut found)?;
            search.constants(class, &mut found)?;
            for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
                for (insn, line) in code.insns.iter().zip(&code.lines) {
                    let place = |name: &Arc<str>| (path.clone(), *line, name.clone());
                    for (name, call) in search.instruction(insn, &mut found)? {
                        calls.push((place(&name), call));
                    }
                }
            }
        }
        for class in &near {
            search.shared(class, &mut found)?;
        }
        let other_names = found.other_names();
        for (place, call) in calls {
            let renamed = match call {
                Call::Known(renamed) => renamed,
                Call::Gone(descriptor) => other_names.contains(&(place.2.clone(), descriptor)),
            };
            found.calls.entry(place).or_default().push(renamed);
        }
        Ok(found)
    }

    /// The methods that a class lacks, by internal name.
    pub fn methods_of(&self, class: &str) -> impl Iterator<Item = &RetiredMember> {
        self.methods.get(class).into_iter().flatten()
    }

    /// Names and descriptors of methods that get another name: those of nested classes that are gone get it too, they may override.
    pub fn other_names(&self) -> BTreeSet<(Arc<str>, Arc<str>)> {
        let all = self.methods.values().flatten().filter(|m| m.clashes);
        all.map(|m| (m.name.clone(), m.descriptor.clone()))
            .collect()
    }

    /// The methods of an old class that the new version lacks, by internal name.
    pub fn declared_in(&self, class: &str) -> impl Iterator<Item = &RetiredMember> {
        let all = self.methods.values().flatten();
        all.filter(move |m| *m.from == *class)
    }

    /// The fields that a class lacks, by internal name.
    pub fn fields_of(&self, class: &str) -> impl Iterator<Item = &RetiredMember> {
        self.fields.get(class).into_iter().flatten()
    }

    /// The interfaces that a class no longer has, by internal name.
    pub fn interfaces_of(&self, class: &str) -> impl Iterator<Item = &Arc<str>> {
        self.interfaces.get(class).into_iter().flatten()
    }

    /// The methods of a class that old code could name, by internal name.
    pub fn wider_in(&self, class: &str) -> impl Iterator<Item = &Wider> {
        self.wider.get(class).into_iter().flatten()
    }

    /// Whether a class stopped to implement that interface.
    pub fn is_given_up(&self, interface: &str) -> bool {
        self.interfaces
            .values()
            .flatten()
            .any(|i| **i == *interface)
    }

    /// Names of fields that need another name.
    pub fn renamed_fields(&self) -> BTreeSet<String> {
        let all = self.fields.values().flatten().filter(|f| f.clashes);
        all.map(|f| f.name.to_string()).collect()
    }

    /// Internal names of the classes that lack something.
    pub fn classes(&self) -> BTreeSet<Arc<str>> {
        let lacking = self.methods.keys().chain(self.fields.keys());
        let given_up = self.interfaces.values().flatten();
        lacking
            .chain(self.wider.keys())
            .chain(self.interfaces.keys())
            .chain(given_up)
            .cloned()
            .collect()
    }

    /// Whether each call of that name on that line, in the order in which they run, is of a method that gets another name.
    pub fn calls(&self, path: &str, line: u32, name: &str) -> &[bool] {
        let key = (path.to_string(), line, Arc::from(name));
        self.calls.get(&key).map_or(&[], Vec::as_slice)
    }
}
