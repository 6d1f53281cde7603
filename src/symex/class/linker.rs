//! Resolution of names to linked classes, per version (docs/architecture.md).

use crate::bytecode::class_file::{ClassFile, Field};
use crate::bytecode::{ClassPath, is_numbered, never_null_by_first};
use crate::model::{ClassName, Level, MethodRef, Spelling, Version};
use crate::symex::class::layout::same_field;
use crate::symex::class::machine::Machine;
use crate::symex::class::{Class, ClassId, Key, Method, Origin, access, enum_constants, mergeable};
use crate::symex::value::shadow::Shadow;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The program to explore: three builds and what they stand on.
pub struct Program {
    /// Classes of the old build.
    pub old: Arc<ClassPath>,
    /// Classes of the new build.
    pub new: Arc<ClassPath>,
    /// Classes of the unified build.
    pub unified: Arc<ClassPath>,
    /// Dependencies and the JDK.
    pub library: Arc<ClassPath>,
    /// Level of each changed method; those at expression or statement level take their body from the unified build.
    pub levels: BTreeMap<MethodRef, Level>,
    /// What the programs run on.
    pub machine: Machine,
    /// Top-level classes of the project that have a source, compiled or not, by internal name.
    pub sources: Arc<BTreeSet<String>>,
}

/// A class that can't be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// Internal name.
    pub class: Arc<str>,
    /// What is wrong.
    pub why: String,
}

/// Links classes when they are first named.
#[derive(Clone)]
pub struct Linker {
    program: Arc<Program>,
    classes: Vec<Arc<Class>>,
    names: FxHashMap<(Arc<str>, Origin), Shadow<ClassId>>,
    /// Classes whose superclasses are being linked.
    begun: Vec<Arc<str>>,
}

pub(in crate::symex) type Linked<T> = Result<T, LinkError>;

impl Linker {
    /// A linker with nothing linked.
    pub fn new(program: Arc<Program>) -> Linker {
        Linker {
            program,
            classes: Vec::new(),
            names: FxHashMap::default(),
            begun: Vec::new(),
        }
    }

    /// The builds.
    pub(in crate::symex) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What the program runs on.
    pub fn machine(&self) -> &Machine {
        &self.program.machine
    }

    /// The bytes of a resource as a version's class loader finds it, the JDK's own aside.
    pub fn resource(&self, name: &str, version: Version) -> Result<Option<Vec<u8>>, String> {
        let own = match version {
            Version::Old => &self.program.old,
            Version::New => &self.program.new,
        };
        for path in [own, &self.program.library] {
            if let Some(bytes) = path.resource(name).map_err(|e| e.to_string())? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Whether a build of the project has a class of that name.
    pub fn is_project(&self, name: &str) -> bool {
        let has = |path: &ClassPath| matches!(path.find(name), Ok(Some(_)));
        has(&self.program.new) || has(&self.program.old)
    }

    /// The only version whose build has a class of the project, where the other's has the one around it, or no source of it was left out.
    pub fn only_version(&self, name: &str) -> Option<Version> {
        let has = |path: &ClassPath, name: &str| matches!(path.find(name), Ok(Some(_)));
        let (old, new) = (&self.program.old, &self.program.new);
        let (only, other) = match (has(old, name), has(new, name)) {
            (true, false) => (Version::Old, new),
            (false, true) => (Version::New, old),
            _ => return None,
        };
        let top = name.outermost();
        let is_compiled = top != name && has(other, top);
        (is_compiled || !self.program.sources.contains(top)).then_some(only)
    }

    /// Whether the project has a source of that class, or of the one around it, that was not compiled: then the class is not
    /// missing where the program runs.
    pub fn is_uncompiled(&self, name: &str) -> bool {
        let top = name.outermost();
        let mut names = [name, top].into_iter();
        names.any(|n| self.program.sources.contains(n) && !self.is_project(n))
    }

    /// Which parameters of a method are never null, by the annotations of the newest version that has it.
    pub fn never_null(&self, method: &Method) -> Vec<bool> {
        let program = &self.program;
        let paths = [&*program.new, &*program.old, &*program.library];
        let named = (&*method.name, &*method.descriptor);
        // What can't be read says nothing.
        never_null_by_first(paths, &method.class_name, named).unwrap_or_default()
    }

    /// Whether both builds, or what they stand on, have the method: only then can an input of both versions call it.
    pub fn is_common(&self, method: &Method) -> bool {
        let has = |file: &ClassFile| file.method(&method.name, &method.descriptor).is_some();
        self.is_in_both(&method.class_name, has)
    }

    /// The same of a field.
    pub fn is_common_field(&self, class: &str, field: &Field) -> bool {
        let has = |file: &ClassFile| file.fields.iter().any(|f| same_field(f, field));
        self.is_in_both(class, has)
    }

    fn is_in_both(&self, class: &str, has: impl Fn(&ClassFile) -> bool) -> bool {
        let builds = [&*self.program.old, &*self.program.new];
        // No input is made of a class that can't be read.
        ClassPath::is_in_both(builds, &self.program.library, class, has).unwrap_or(false)
    }

    /// The enum constants of a class that both builds have, of those that are given.
    pub fn common_constants(&self, class: &str, constants: &[Arc<str>]) -> Vec<Arc<str>> {
        let of = |path: &ClassPath| path.find(class).ok().flatten();
        let [old, new] = [&self.program.old, &self.program.new].map(|path| of(path));
        let (Some(old), Some(new)) = (old, new) else {
            return constants.to_vec();
        };
        let both = [enum_constants(&old), enum_constants(&new)];
        let common = |c: &&Arc<str>| both.iter().all(|of| of.contains(c));
        constants.iter().filter(common).cloned().collect()
    }

    /// All classes of the builds.
    pub fn project_classes(&self) -> Vec<Arc<ClassFile>> {
        let mut all = Vec::new();
        for path in [&self.program.old, &self.program.new, &self.program.unified] {
            let names = path.list_dirs().into_iter();
            all.extend(names.filter_map(|n| path.find(&n).ok().flatten()));
        }
        all
    }

    /// The simple name of a class (JLS §8.1), as `Class.getSimpleName` gives it.
    pub fn simple_name(&self, name: &Arc<str>) -> Linked<String> {
        let program = self.program.clone();
        let paths = [
            &program.new,
            &program.old,
            &program.unified,
            &program.library,
        ];
        for path in paths {
            if let Some(file) = find(path, name)? {
                let row = file.inner_classes.iter().find(|row| row.0 == *name);
                let plain = || name.rsplit('/').next().map(Arc::from);
                let simple = row.map_or_else(plain, |row| row.2.clone());
                return Ok(simple.map(|s| s.to_string()).unwrap_or_default());
            }
        }
        let why = "class not found".into();
        let class = name.clone();
        Err(LinkError { class, why })
    }

    /// The linked class `id`.
    pub fn class(&self, id: ClassId) -> &Arc<Class> {
        &self.classes[id.0 as usize]
    }

    /// What `name`, written in code of `origin`, stands for in each version.
    pub fn resolve(&mut self, name: &Arc<str>, origin: Origin) -> Linked<Shadow<ClassId>> {
        // Only anonymous and local classes are numbered differently in the three builds.
        let origin = match origin {
            Origin::Unified if is_numbered(name) => Origin::Unified,
            _ => Origin::Library,
        };
        if let Some(found) = self.names.get(&(name.clone(), origin)) {
            return Ok(*found);
        }
        if self.begun.contains(name) {
            return Err(LinkError {
                class: name.clone(),
                why: "above a class in one version, below it in the other".into(),
            });
        }
        self.begun.push(name.clone());
        let found = self.link(name, origin);
        self.begun.pop();
        let found = found?;
        self.names.insert((name.clone(), origin), found);
        Ok(found)
    }

    fn link(&mut self, name: &Arc<str>, origin: Origin) -> Linked<Shadow<ClassId>> {
        if name.starts_with('[') {
            return self.link_array(name).map(Shadow::Same);
        }
        if origin == Origin::Unified
            && let Some(file) = find(&self.program.unified, name)?
        {
            return self
                .link_single(&file, Origin::Unified, None)
                .map(Shadow::Same);
        }
        self.link_named(name)
    }

    /// The class of that name for `version`.
    pub fn resolve_for(&mut self, name: &str, version: Version) -> Linked<ClassId> {
        let name: Arc<str> = Arc::from(name);
        self.resolve(&name, Origin::Library).map(|s| s.get(version))
    }

    fn link_named(&mut self, name: &Arc<str>) -> Linked<Shadow<ClassId>> {
        let old = find(&self.program.old, name)?;
        let new = find(&self.program.new, name)?;
        match (old, new) {
            (Some(old), Some(new)) => {
                if mergeable(&old, &new) {
                    return Ok(Shadow::Same(self.link_merged(&old, &new)?));
                }
                let o = self.link_single(&old, Origin::Old, Some(Version::Old))?;
                let n = self.link_single(&new, Origin::New, Some(Version::New))?;
                Ok(Shadow::Split { old: o, new: n })
            }
            (Some(old), None) => self.link_single(&old, Origin::Old, None).map(Shadow::Same),
            (None, Some(new)) => self.link_single(&new, Origin::New, None).map(Shadow::Same),
            (None, None) => {
                let file = match find(&self.program.library, name)? {
                    Some(file) => Some((file, Origin::Library)),
                    None => find(&self.program.unified, name)?.map(|f| (f, Origin::Unified)),
                };
                match file {
                    Some((file, origin)) => self.link_single(&file, origin, None).map(Shadow::Same),
                    None => Err(LinkError {
                        class: name.clone(),
                        why: "class not found".into(),
                    }),
                }
            }
        }
    }

    fn link_array(&mut self, name: &Arc<str>) -> Linked<ClassId> {
        let object = self.resolve(&Arc::from("java/lang/Object"), Origin::Library)?;
        let mut class = self.blank(name.clone(), false);
        class.superclass = Shadow::Same(Some(object.get(Version::New)));
        Ok(self.add(class))
    }

    pub(super) fn blank(&self, name: Arc<str>, project: bool) -> Class {
        Class {
            id: ClassId(self.classes.len() as u32),
            name,
            version: None,
            superclass: Shadow::Same(None),
            interfaces: Shadow::Same(Vec::new()),
            access: access::PUBLIC,
            project,
            layout: Vec::new(),
            statics: Vec::new(),
            methods: FxHashMap::default(),
            unified: FxHashMap::default(),
            signature: None,
            constants: Vec::new(),
            simple_name: None,
            outer: None,
        }
    }

    pub(super) fn add(&mut self, class: Class) -> ClassId {
        let id = class.id;
        self.classes.push(Arc::new(class));
        id
    }
}

/// The method's public name.
pub fn method_id(class: &str, key: &Key) -> MethodRef {
    MethodRef {
        class: ClassName::of_internal(class),
        name: key.0.to_string(),
        descriptor: key.1.to_string(),
    }
}

/// Internal class name of a descriptor, `None` for primitives.
pub fn class_name_of(descriptor: &str) -> Option<String> {
    match descriptor.as_bytes().first() {
        Some(b'L') => Some(descriptor[1..].trim_end_matches(';').to_string()),
        Some(b'[') => Some(descriptor.to_string()),
        _ => None,
    }
}

pub(in crate::symex) fn find(path: &ClassPath, name: &Arc<str>) -> Linked<Option<Arc<ClassFile>>> {
    path.find(name).map_err(|e| LinkError {
        class: name.clone(),
        why: e.to_string(),
    })
}
