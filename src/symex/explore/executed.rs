//! The program as it is executed: one class for both versions, with their bodies and the change marks in them.

use crate::bytecode::class_file::{ClassFile, Code, Field, Insn, MemberRef, Method as MethodFile};
use crate::bytecode::{is_numbered, same_code};
use crate::impact;
use crate::model::MethodRef;
use crate::symex::class::{Class, Key, Method, Origin, access};
use crate::symex::interp::annotation::{is_annotation, old_arguments};
use crate::symex::models::shows_members;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// The project's classes with the bodies that are run.
pub(in crate::symex) struct Executed {
    /// The classes.
    pub classes: Vec<Arc<ClassFile>>,
    /// Instructions at which the versions may part or come to different values: annotations, fields that only one version has,
    /// and the first one of each body that is different in the versions.
    pub changes: BTreeMap<MethodRef, BTreeSet<u32>>,
    /// Instructions that the old version alone runs.
    pub old_only: BTreeMap<MethodRef, Vec<Range<u32>>>,
    /// Whether something changed that no instruction stands for, such as a superclass.
    pub anywhere: bool,
}

/// What differs between the builds without an instruction of its own.
struct Differences {
    fields: Fields,
    /// Whether reflection shows something else of a class.
    declares: bool,
}

/// Names of fields that only one version has, or that have another constant in it.
type Fields = BTreeSet<Arc<str>>;

impl Executed {
    /// Of the builds that the linker knows.
    pub(in crate::symex) fn of(vm: &mut Vm) -> Executed {
        let files = vm.linker.project_classes();
        let mut by_name: BTreeMap<Arc<str>, Vec<&Arc<ClassFile>>> = BTreeMap::new();
        for file in &files {
            by_name.entry(file.name.clone()).or_default().push(file);
        }
        let declares = by_name.keys().any(|name| {
            let found = vm.linker.declaration(name);
            !matches!(found, Ok(Shadow::Same(_)))
        });
        let differences = Differences {
            fields: changed_fields(&by_name),
            declares,
        };
        let mut out = Executed {
            classes: Vec::new(),
            changes: BTreeMap::new(),
            old_only: BTreeMap::new(),
            anywhere: false,
        };
        for (name, files) in by_name {
            let linked = vm.linker.resolve(&name, Origin::Library);
            match (linked, files.first()) {
                (Ok(Shadow::Same(id)), Some(file)) => {
                    let class = vm.linker.class(id).clone();
                    out.anywhere |= class.interfaces.is_split() || class.superclass.is_split();
                    out.anywhere |= makes_proxies(&files);
                    out.add(vm, &class, file, &files, &differences);
                }
                _ => out.anywhere = true,
            }
        }
        out
    }

    fn add(
        &mut self,
        vm: &Vm,
        class: &Class,
        file: &ClassFile,
        files: &[&Arc<ClassFile>],
        differences: &Differences,
    ) {
        let bodies = bodies(class);
        let mut methods = Vec::with_capacity(bodies.len());
        for (method, differs) in bodies.values() {
            let method = method_file(method);
            // Numbered classes mean something else in each build.
            let mut elsewhere = files
                .iter()
                .filter_map(|f| f.method(&method.name, &method.descriptor));
            let renumbered = is_numbered(&file.name) && elsewhere.any(|m| !same_code(m, &method));
            let code = method.code.as_ref();
            let mut changes = code.map_or_else(BTreeSet::new, |c| changes(vm, c, differences));
            if *differs || renumbered {
                changes.insert(0);
            }
            let old_only = code.map_or_else(Vec::new, |c| old_arguments(vm, c));
            if !old_only.is_empty() {
                self.old_only.insert(impact::id(file, &method), old_only);
            }
            if !changes.is_empty() {
                self.changes.insert(impact::id(file, &method), changes);
            }
            methods.push(method);
        }
        self.classes.push(Arc::new(ClassFile {
            methods,
            interfaces: files
                .iter()
                .flat_map(|f| f.interfaces.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            ..file.clone()
        }));
    }
}

/// The bodies of a class that are run, and whether the versions' differ.
fn bodies(class: &Class) -> BTreeMap<Key, (Arc<Method>, bool)> {
    let mut bodies = BTreeMap::new();
    for (key, body) in &class.methods {
        let (method, differs) = match body {
            Shadow::Same(method) => (method.clone(), false),
            // Either stands for both: what counts is that they differ.
            Shadow::Split { old, new } => {
                let has_code =
                    |m: &&Option<Arc<Method>>| m.as_ref().is_some_and(|m| m.code.is_some());
                (
                    [new, old].into_iter().find(has_code).cloned().flatten(),
                    true,
                )
            }
        };
        if let Some(method) = method {
            bodies.insert(key.clone(), (method, differs));
        }
    }
    for (key, own) in class
        .unified
        .iter()
        .filter(|(_, m)| m.access & access::SYNTHETIC != 0)
    {
        match bodies.get_mut(key) {
            Some((method, differs)) => {
                *differs |= !same_code(&method_file(method), &method_file(own))
            }
            None => {
                bodies.insert(key.clone(), (own.clone(), false));
            }
        }
    }
    bodies
}

fn method_file(method: &Method) -> MethodFile {
    MethodFile {
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        access: method.access,
        code: method.code.clone(),
        parameter_names: Vec::new(),
        reflected: Default::default(),
        signature: None,
        annotations: Vec::new(),
        parameter_annotations: Vec::new(),
    }
}

fn changes(vm: &Vm, code: &Code, differences: &Differences) -> BTreeSet<u32> {
    let changes = |insn: &Insn| match insn {
        Insn::Invoke(_, m) => {
            let shows = differences.declares && shows(m);
            let project = || vm.linker.is_project(&m.class);
            shows || is_annotation(vm.strategy.annotations, m, project)
        }
        Insn::GetField(f) | Insn::PutField(f) | Insn::GetStatic(f) | Insn::PutStatic(f) => {
            differences.fields.contains(&f.name)
        }
        _ => false,
    };
    let all = code.insns.iter().enumerate();
    all.filter(|(_, insn)| changes(insn))
        .map(|(pc, _)| pc as u32)
        .collect()
}

/// Whether a call shows what classes declare.
fn shows(called: &MemberRef) -> bool {
    called.class.starts_with("java/lang/reflect/")
        || &*called.class == "java/lang/Class" && shows_members(&called.name)
}

/// Whether code of a class makes dynamic proxies, whose handlers are called from anywhere.
fn makes_proxies(files: &[&Arc<ClassFile>]) -> bool {
    let methods = files.iter().flat_map(|f| &f.methods);
    let insns = methods.flat_map(|m| m.code.iter().flat_map(|c| &c.insns));
    let makes =
        |insn: &Insn| matches!(insn, Insn::Invoke(_, m) if &*m.class == "java/lang/reflect/Proxy");
    insns.into_iter().any(makes)
}

fn changed_fields(by_name: &BTreeMap<Arc<str>, Vec<&Arc<ClassFile>>>) -> Fields {
    let same = |a: &Field, b: &Field| {
        a.name == b.name
            && a.descriptor == b.descriptor
            && a.access == b.access
            && a.constant == b.constant
    };
    let mut changed = Fields::new();
    for files in by_name.values() {
        for field in files.iter().flat_map(|f| &f.fields) {
            if !files
                .iter()
                .all(|f| f.fields.iter().any(|g| same(field, g)))
            {
                changed.insert(field.name.clone());
            }
        }
    }
    changed
}
