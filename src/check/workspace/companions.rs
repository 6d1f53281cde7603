//! Classes that the changed code is given but does not name: implementations of its parameters' types in files that did not change,
//! and stand-ins for types that nothing implements, or whose changed methods every class overrides.

use super::stand_ins::{self, Key, StandIn, key};
use super::{Workspace, io, levels, name};
use crate::bytecode::access::{ABSTRACT, FINAL, INTERFACE, PRIVATE, STATIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{ClassPath, is_jdk, is_numbered, parameter_descriptors, same_code};
use crate::check::patch::Patch;
use crate::error::Error;
use crate::jvm::{CompileRequest, Worker};
use crate::model::{Spelling, Version};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Most stand-ins.
const MOST_STAND_INS: usize = 24;

/// How often files that do not compile are left out.
const ROUNDS: usize = 4;

impl Workspace {
    /// Compiles them into both versions' classes, and gives the sources of the stand-ins by class.
    ///
    /// # Errors
    /// The worker fails, or classes can't be read.
    pub(super) fn add_companions(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        (old, new): (&Path, &Path),
    ) -> Result<BTreeMap<String, String>, Error> {
        let types = patch.files.iter().filter_map(|f| f.new.as_ref());
        let types = types.flat_map(|f| f.types.iter().map(|t| t.name.internal()));
        let changed: BTreeSet<String> = types.collect();
        let classes = self.classes_of(new)?;
        let wanted = stand_ins::abstract_parameters(&classes, &changed)?;
        let overridden = changed_methods((old, new), &changed)?;
        let beside = (&classes, &overridden);
        let wanted = unimplemented((old, new), beside, wanted)?;
        if wanted.is_empty() {
            return Ok(BTreeMap::new());
        }
        let files = self.implementing_files(&wanted);
        self.compile_beside_both(worker, [&files, &files], [old, new])?;
        // Read anew: what is compiled now was not there before.
        let classes = self.classes_of(new)?;
        let open = unimplemented((old, new), (&classes, &overridden), wanted)?;
        let called = stand_ins::called_by(&classes, &changed)?;
        let mut all = Vec::new();
        for name in open.iter().take(MOST_STAND_INS) {
            all.extend(stand_ins::for_type(&classes, name, &called)?);
        }
        self.compile_stand_ins(worker, all, (old, new))
    }

    /// Classes of a version's build, of the class path, and of the JDK.
    fn classes_of(&self, out: &Path) -> Result<ClassPath, Error> {
        let mut path = vec![out.to_path_buf()];
        path.extend(self.class_path.iter().cloned());
        Ok(ClassPath::of(&path)?.with_jdk(&self.modules)?)
    }

    /// Compiles files of a version beside what is there; those that do not compile are left out. They may be of a module with a newer
    /// level, so what does not compile at the level of the changed files is tried at the JDK's, but for what is there already: javac writes
    /// other code at each level, and the other version may have it at the first one.
    pub(super) fn compile_beside(
        &self,
        worker: &mut Worker,
        version: Version,
        files: &[String],
        out: &Path,
    ) -> Result<(), Error> {
        let own = self.flags(version);
        let newest = levels::without_level(&own);
        let has_level = newest != own;
        let is_there = |file: &&String| self.is_compiled(version, file, out);
        let there: BTreeSet<String> = files.iter().filter(is_there).cloned().collect();
        let mut rejected = self.compile_with(worker, version, (files, own), out)?;
        rejected.retain(|file| !there.contains(file));
        if has_level {
            self.compile_with(worker, version, (&rejected, newest), out)?;
        }
        Ok(())
    }

    /// Whether the class that a file is named after is there.
    fn is_compiled(&self, version: Version, file: &str, out: &Path) -> bool {
        let file = self.path(name(version)).join(file);
        let (_, roots) = self.files_and_roots(version);
        let class = |root: &PathBuf| Some(file.strip_prefix(root).ok()?.with_extension("class"));
        let mut classes = roots.iter().filter_map(class);
        classes.any(|class| out.join(class).is_file())
    }

    /// Compiles files beside what is there, and gives those that don't compile.
    fn compile_with(
        &self,
        worker: &mut Worker,
        version: Version,
        (files, flags): (&[String], Vec<String>),
        out: &Path,
    ) -> Result<Vec<String>, Error> {
        let base = self.path(name(version));
        let (mut files, mut rejected) = (files.to_vec(), Vec::new());
        let mut class_path = vec![out.to_path_buf()];
        class_path.extend(self.class_path_of(version));
        class_path.push(self.stand_in());
        let (_, roots) = self.files_and_roots(version);
        for _ in 0..ROUNDS {
            if files.is_empty() {
                break;
            }
            let mut request = CompileRequest {
                sources: files.iter().map(|f| base.join(f)).collect(),
                source_path: roots.to_vec(),
                class_path: class_path.clone(),
                out: out.to_path_buf(),
                flags: flags.clone(),
            };
            request.name_needed(&[out]);
            let result = worker.compile(&request)?;
            if result.success {
                return Ok(rejected);
            }
            let errors = result.diagnostics.iter().filter(|d| d.error);
            let wrong: BTreeSet<PathBuf> = errors.map(|d| PathBuf::from(&d.file)).collect();
            let (left_out, left) = files
                .into_iter()
                .partition(|f| wrong.contains(&base.join(f)));
            let left_out: Vec<String> = left_out;
            files = left;
            if left_out.is_empty() {
                break;
            }
            rejected.extend(left_out);
        }
        rejected.extend(files);
        Ok(rejected)
    }

    /// Compiles stand-ins one by one and puts the classes of both versions into both builds.
    pub(super) fn compile_stand_ins(
        &self,
        worker: &mut Worker,
        all: Vec<StandIn>,
        (old, new): (&Path, &Path),
    ) -> Result<BTreeMap<String, String>, Error> {
        let mut sources = BTreeMap::new();
        for one in all {
            let file = self
                .path("stand-in-sources")
                .join(format!("{}.java", one.class));
            let out = self.path("stand-ins");
            let folder = file.parent().unwrap_or(&file).to_path_buf();
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::create_dir_all(&out))
                .and_then(|()| std::fs::write(&file, &one.source))
                .map_err(|e| io("temporary folder", &e))?;
            let mut compiles = true;
            // What one version lacks can't stand in for anything there.
            for (build, version) in [(old, Version::Old), (new, Version::New)] {
                let mut class_path = vec![build.to_path_buf()];
                class_path.extend(self.class_path_of(version));
                let result = worker.compile(&CompileRequest {
                    sources: vec![file.clone()],
                    source_path: vec![self.path("none")],
                    class_path,
                    out: out.clone(),
                    flags: Vec::new(),
                })?;
                compiles &= result.success;
            }
            if !compiles {
                continue;
            }
            let class = format!("{}.class", one.class);
            for build in [old, new] {
                let to = build.join(&class);
                let parent = to.parent().unwrap_or(build).to_path_buf();
                std::fs::create_dir_all(parent)
                    .and_then(|()| std::fs::copy(out.join(&class), &to).map(|_| ()))
                    .map_err(|e| io("temporary folder", &e))?;
            }
            sources.insert(one.class.dotted(), one.source);
        }
        Ok(sources)
    }
}

/// The changed methods of changed abstract classes and interfaces that subclasses may override.
fn changed_methods(
    (old, new): (&Path, &Path),
    changed: &BTreeSet<String>,
) -> Result<BTreeMap<String, BTreeSet<Key>>, Error> {
    let [before, build] = [old, new].map(|out| ClassPath::of(&[out.to_path_buf()]));
    let (before, build) = (before?, build?);
    let mut all = BTreeMap::new();
    for name in changed {
        let (Some(own), Some(other)) = (build.find(name)?, before.find(name)?) else {
            continue;
        };
        let is_open = |m: &&Method| {
            &*m.name != "<init>" && m.access & (STATIC | PRIVATE | FINAL | ABSTRACT) == 0
        };
        let is_other = |m: &&Method| {
            let there = other.method(&m.name, &m.descriptor);
            there.is_none_or(|there| !same_code(m, there))
        };
        let methods = own.methods.iter().filter(is_open).filter(is_other);
        let keys: BTreeSet<Key> = methods.map(key).collect();
        if own.access & ABSTRACT != 0 && !keys.is_empty() {
            all.insert(name.clone(), keys);
        }
    }
    Ok(all)
}

/// Those that no concrete class of both builds is below. A class without a name does not count for an interface, nor does one that only puts
/// itself before another object of the type, or that overrides all that changed in it. `all` are the new build's and the libraries' classes;
/// the changed methods are given by class.
fn unimplemented(
    (old, new): (&Path, &Path),
    (all, changed): (&ClassPath, &BTreeMap<String, BTreeSet<Key>>),
    mut wanted: BTreeSet<String>,
) -> Result<BTreeSet<String>, Error> {
    let [before, build] = [old, new].map(|out| ClassPath::of(&[out.to_path_buf()]));
    let (before, build) = (before?, build?);
    let mut files = Vec::new();
    for name in build.list_dirs() {
        if before.find(&name)?.is_some() {
            files.extend(build.find(&name)?);
        }
    }
    for file in files.iter().filter(|f| f.access & ABSTRACT == 0) {
        let mut next = vec![(file.clone(), BTreeSet::new())];
        while let Some((at, mut own)) = next.pop() {
            own.extend(at.methods.iter().map(key));
            for above in at.super_name.iter().chain(&at.interfaces) {
                let changed = changed.get(&**above);
                let inherits = changed.is_none_or(|keys| !keys.is_subset(&own));
                let found = all.find(above)?;
                // No input is of a class without a name; what an abstract class asks of those below it is not known.
                let is_interface = found.as_ref().is_some_and(|c| c.access & INTERFACE != 0);
                let is_of_use = !is_interface || !is_numbered(&file.name);
                // The project's own driver or provider of the JDK's interface needs what there is none of here.
                let stands_alone = !is_jdk(above);
                if inherits && is_of_use && stands_alone && !decorates(file, above) {
                    wanted.remove(&**above);
                }
                next.extend(found.map(|class| (class, own.clone())));
            }
        }
    }
    Ok(wanted)
}

/// Whether making one takes an object of that type.
fn decorates(class: &ClassFile, of: &str) -> bool {
    let parameter = format!("L{of};");
    let mut constructors = class.methods.iter().filter(|m| &*m.name == "<init>");
    constructors.all(|c| parameter_descriptors(&c.descriptor).contains(&parameter))
}
