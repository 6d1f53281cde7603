//! The class path: output folders, jars, the JDK's runtime image.

use super::class_file::{ClassFile, Const, Insn, MemberRef};
use super::constructor_call::restore;
use super::decode::{DecodeError, decode};
use ristretto_jimage::{Image, Resource};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The longest class file or resource that is read: the largest that compilers write are smaller.
const MOST_BYTES: u64 = 64 << 20;

/// A class path that can't be read.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ClassPathError {
    /// A file can't be read.
    #[error("cannot read {path}: {why}")]
    #[diagnostic(help("check --classpath and JAVA_HOME"))]
    Unreadable {
        /// Which.
        path: String,
        /// Why.
        why: String,
    },
    /// A class file can't be decoded.
    #[error("{class}: {error}")]
    Malformed {
        /// Internal name.
        class: String,
        /// What is wrong.
        error: DecodeError,
    },
}

enum Source {
    Dir(PathBuf),
    Jar {
        path: PathBuf,
        names: FxHashMap<String, ()>,
        archive: Mutex<zip::ZipArchive<std::fs::File>>,
    },
    Jdk(Box<Image>),
}

/// Classes by name, from several sources in order, each decoded once. Shared between threads.
pub struct ClassPath {
    sources: Vec<Source>,
    /// Of a unified build: the old build, whose names and constructor calls are given back.
    unified: Option<Box<ClassPath>>,
    decoded: Mutex<FxHashMap<String, Option<Arc<ClassFile>>>>,
    /// Packages of the JDK's runtime image, listed when first asked for.
    packages: OnceLock<FxHashSet<String>>,
}

impl ClassPath {
    /// No sources: nothing is found.
    pub fn empty() -> ClassPath {
        ClassPath {
            sources: Vec::new(),
            unified: None,
            decoded: Mutex::default(),
            packages: OnceLock::new(),
        }
    }

    /// Folders and jars, in order; entries that don't exist are passed over, as the JVM does.
    ///
    /// # Errors
    /// A jar can't be read.
    pub fn of(entries: &[PathBuf]) -> Result<ClassPath, ClassPathError> {
        let mut path = ClassPath::empty();
        for entry in entries {
            if entry.is_dir() {
                path.sources.push(Source::Dir(entry.clone()));
            } else if entry.is_file() {
                path.sources.push(jar(entry)?);
            }
        }
        Ok(path)
    }

    /// The classes of a unified build: members that only the old version has under their name carry it again, and constructors begin
    /// as each version's do.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn unified(dir: &Path, old: &Path) -> Result<ClassPath, ClassPathError> {
        let path = ClassPath::of(&[dir.to_path_buf()])?;
        Ok(ClassPath {
            unified: Some(Box::new(ClassPath::of(&[old.to_path_buf()])?)),
            ..path
        })
    }

    /// With the JDK's own classes (`lib/modules`) behind.
    ///
    /// # Errors
    /// The runtime image can't be read.
    pub fn with_jdk(mut self, modules: &Path) -> Result<ClassPath, ClassPathError> {
        let image = Image::from_file(modules).map_err(|e| unreadable(modules, &e))?;
        self.sources.push(Source::Jdk(Box::new(image)));
        Ok(self)
    }

    /// The class of that internal name.
    ///
    /// # Errors
    /// Its class file can't be read or decoded.
    pub fn find(&self, name: &str) -> Result<Option<Arc<ClassFile>>, ClassPathError> {
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = decoded.get(name) {
            return Ok(found.clone());
        }
        let mut found = None;
        for source in &self.sources {
            if let Some(bytes) = source.read(name)? {
                let mut file = decode(&bytes).map_err(|error| ClassPathError::Malformed {
                    class: name.into(),
                    error,
                })?;
                if let Some(old) = &self.unified {
                    give_back_names(&mut file);
                    restore(&mut file, old.find(name)?.as_deref());
                }
                found = Some(Arc::new(file));
                break;
            }
        }
        decoded.insert(name.to_string(), found.clone());
        Ok(found)
    }

    /// Whether both builds have a class for which `has` holds; a class of neither, or of one and of the library, counts as being in both.
    ///
    /// # Errors
    /// A class file can't be read or decoded.
    pub fn is_in_both(
        [old, new]: [&ClassPath; 2],
        library: &ClassPath,
        class: &str,
        has: impl Fn(&ClassFile) -> bool,
    ) -> Result<bool, ClassPathError> {
        Ok(match (old.find(class)?, new.find(class)?) {
            (None, None) => true,
            (Some(old), Some(new)) => has(&old) && has(&new),
            _ => library.find(class)?.is_some(),
        })
    }

    /// The bytes of the file of that name in the folders and jars; the JDK's own are not searched.
    ///
    /// # Errors
    /// The file is there and can't be read.
    pub fn resource(&self, name: &str) -> Result<Option<Vec<u8>>, ClassPathError> {
        for source in &self.sources {
            if let Some(bytes) = source.file(name)? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Whether any module of the JDK has classes in the package of that class (internal names).
    pub fn jdk_has_package_of(&self, class: &str) -> bool {
        let packages = self.packages.get_or_init(|| {
            let images = self.sources.iter().filter_map(|source| match source {
                Source::Jdk(image) => Some(image),
                _ => None,
            });
            let resources = images.flat_map(|image| image.iter().flatten());
            let package = |name: &str| {
                let (_, path) = name.strip_prefix('/')?.split_once('/')?;
                let (package, file) = path.rsplit_once('/')?;
                file.ends_with(".class").then(|| package.to_string())
            };
            resources.filter_map(|r| package(&r.full_name())).collect()
        });
        let package = class.rsplit_once('/').map_or("", |c| c.0);
        packages.contains(package)
    }

    /// The module of the JDK that has the class of that internal name.
    pub fn jdk_module_of(&self, class: &str) -> Option<&'static str> {
        self.sources.iter().find_map(|source| match source {
            Source::Jdk(image) => in_image(image, class).map(|(module, _)| module),
            _ => None,
        })
    }

    /// Internal names of all classes in the folders, sorted.
    pub fn list_dirs(&self) -> Vec<String> {
        let mut names = Vec::new();
        for source in &self.sources {
            if let Source::Dir(dir) = source {
                list(dir, "", &mut names);
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// Internal names of the classes in the jar or folder that has the class, in its package and the packages below that, in no order.
    pub fn beside(&self, class: &str) -> Vec<String> {
        let package = class.rsplit_once('/').map_or("", |c| c.0);
        let file = format!("{class}.class");
        for source in &self.sources {
            match source {
                Source::Jar { names, .. } if names.contains_key(&file) => {
                    let classes = names.keys().filter_map(|n| n.strip_suffix(".class"));
                    let inside = |n: &&str| {
                        let rest = n.strip_prefix(package);
                        rest.is_some_and(|r| r.starts_with('/') || package.is_empty())
                    };
                    return classes.filter(inside).map(String::from).collect();
                }
                Source::Dir(dir) if dir.join(&file).is_file() => {
                    let mut names = Vec::new();
                    let prefix = match package {
                        "" => String::new(),
                        package => format!("{package}/"),
                    };
                    list(&dir.join(package), &prefix, &mut names);
                    return names;
                }
                _ => {}
            }
        }
        Vec::new()
    }

    /// The names of a class and of all above it, its own first; what can't be read has none above.
    pub fn line(&self, class: &str) -> Vec<Arc<str>> {
        let mut all: Vec<Arc<str>> = vec![class.into()];
        let mut at = 0;
        while let Some(name) = all.get(at).cloned() {
            at += 1;
            let Ok(Some(class)) = self.find(&name) else {
                continue;
            };
            for above in class.super_name.iter().chain(&class.interfaces) {
                if !all.contains(above) {
                    all.push(above.clone());
                }
            }
        }
        all
    }

    /// All classes in the folders, by name.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn dir_classes(&self) -> Result<Vec<Arc<ClassFile>>, ClassPathError> {
        let mut all = Vec::new();
        for name in self.list_dirs() {
            all.extend(self.find(&name)?);
        }
        Ok(all)
    }
}

fn list(dir: &Path, prefix: &str, out: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().to_string();
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{prefix}{name}/"), out);
        } else if let Some(class) = name.strip_suffix(".class") {
            out.push(format!("{prefix}{class}"));
        }
    }
}

/// All of a file, which may be much smaller where it is packed.
fn bounded(file: impl Read, path: &Path) -> Result<Vec<u8>, ClassPathError> {
    let mut bytes = Vec::new();
    let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|e| unreadable(path, &e))?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err(unreadable(path, &"a file in it is larger than 64 MiB")),
        false => Ok(bytes),
    }
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> ClassPathError {
    ClassPathError::Unreadable {
        path: path.display().to_string(),
        why: why.to_string(),
    }
}

/// What unification puts behind the name of an old field or method whose type the new version changed.
pub const RETIRED: &str = "$OLD";

fn give_back_names(file: &mut ClassFile) {
    for field in &mut file.fields {
        if let Some(name) = field.name.strip_suffix(RETIRED) {
            field.name = Arc::from(name);
        }
    }
    for method in &mut file.methods {
        if let Some(name) = method.name.strip_suffix(RETIRED) {
            method.name = Arc::from(name);
        }
        let Some(code) = &mut method.code else {
            continue;
        };
        for insn in Arc::make_mut(code).insns.iter_mut() {
            match insn {
                Insn::GetField(m)
                | Insn::PutField(m)
                | Insn::GetStatic(m)
                | Insn::PutStatic(m)
                | Insn::Invoke(_, m) => {
                    if let Some(name) = m.name.strip_suffix(RETIRED) {
                        let name = Arc::from(name);
                        *m = Arc::new(MemberRef {
                            name,
                            ..(**m).clone()
                        });
                    }
                }
                Insn::InvokeDynamic(site) if site.args.iter().any(names_retired) => {
                    for arg in &mut Arc::make_mut(site).args {
                        if let Const::MethodHandle(h) = arg
                            && let Some(name) = h.name.strip_suffix(RETIRED)
                        {
                            h.name = Arc::from(name);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn names_retired(arg: &Const) -> bool {
    matches!(arg, Const::MethodHandle(h) if h.name.ends_with(RETIRED))
}

fn jar(path: &Path) -> Result<Source, ClassPathError> {
    let file = std::fs::File::open(path).map_err(|e| unreadable(path, &e))?;
    let archive = zip::ZipArchive::new(file).map_err(|e| unreadable(path, &e))?;
    let names = archive
        .file_names()
        .flatten()
        .filter(|n| !n.ends_with('/'))
        .map(|n| (n.to_string(), ()))
        .collect();
    Ok(Source::Jar {
        path: path.to_path_buf(),
        names,
        archive: Mutex::new(archive),
    })
}

/// Modules that a program on the class path sees (java.se, and others that export packages), the commonest first.
const MODULES: [&str; 29] = [
    "java.base",
    "java.logging",
    "java.xml",
    "java.sql",
    "java.desktop",
    "java.net.http",
    "java.management",
    "java.naming",
    "java.prefs",
    "java.rmi",
    "java.scripting",
    "java.compiler",
    "java.datatransfer",
    "java.instrument",
    "jdk.unsupported",
    "java.management.rmi",
    "java.security.jgss",
    "java.security.sasl",
    "java.smartcardio",
    "java.sql.rowset",
    "java.transaction.xa",
    "java.xml.crypto",
    "jdk.compiler",
    "jdk.dynalink",
    "jdk.httpserver",
    "jdk.jfr",
    "jdk.management",
    "jdk.net",
    "jdk.xml.dom",
];

/// The module of a class, and its file.
fn in_image<'a>(image: &'a Image, class: &str) -> Option<(&'static str, Resource<'a>)> {
    MODULES.iter().find_map(|module| {
        let found = image.get_resource(&format!("/{module}/{class}.class"));
        Some((*module, found.ok()?))
    })
}

impl Source {
    /// The bytes of a class.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, ClassPathError> {
        match self {
            Source::Jdk(image) => Ok(in_image(image, name).map(|(_, file)| file.data().to_vec())),
            files => files.file(&format!("{name}.class")),
        }
    }

    /// The bytes of any file but the JDK's. Names that lead out of where the files are, by `..` or a link, name nothing: they are
    /// those of the tested code.
    fn file(&self, name: &str) -> Result<Option<Vec<u8>>, ClassPathError> {
        let is_plain = |c| matches!(c, Component::Normal(_));
        if name.contains('\0') || !Path::new(name).components().all(is_plain) {
            return Ok(None);
        }
        match self {
            Source::Dir(dir) => {
                let file = dir.join(name);
                if !file.is_file() {
                    return Ok(None);
                }
                let (Ok(real), Ok(root)) = (file.canonicalize(), dir.canonicalize()) else {
                    return Ok(None);
                };
                if !real.starts_with(root) {
                    return Ok(None);
                }
                let opened = std::fs::File::open(&file).map_err(|e| unreadable(&file, &e))?;
                bounded(opened, &file).map(Some)
            }
            Source::Jar {
                path,
                names,
                archive,
            } => {
                if !names.contains_key(name) {
                    return Ok(None);
                }
                let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                let file = archive.by_name(name).map_err(|e| unreadable(path, &e))?;
                bounded(file, path).map(Some)
            }
            Source::Jdk(_) => Ok(None),
        }
    }
}
