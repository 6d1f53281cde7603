//! Subclasses of an abstract class in the builds, and the objects that their static fields hold.

use super::super::class::{Class, ClassId, Method, access};
use super::super::vm::Vm;
use super::driver::Built;
use super::spec::Spec;
use crate::bytecode::class_file::{ClassFile, Field};
use crate::bytecode::{Giver, givers, is_numbered};
use crate::model::Version;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The classes of the builds, read when first asked for.
#[derive(Default)]
pub(in crate::symex) struct Implementations {
    files: Option<Vec<Arc<ClassFile>>>,
}

impl Implementations {
    fn files(&mut self, vm: &Vm) -> &[Arc<ClassFile>] {
        self.files.get_or_insert_with(|| {
            let mut files = vm.linker.project_classes();
            let mut seen = BTreeSet::new();
            files.retain(|f| seen.insert(f.name.clone()));
            files.sort_by(|a, b| a.name.cmp(&b.name));
            files
        })
    }

    /// Named concrete classes below `class`, by name.
    pub fn below(&mut self, vm: &mut Vm, class: &str) -> Built<Vec<ClassId>> {
        let files = self.files(vm);
        let mut found: BTreeSet<Arc<str>> = BTreeSet::from([Arc::from(class)]);
        loop {
            let is_below = |f: &&Arc<ClassFile>| {
                let mut parents = f.super_name.iter().chain(&f.interfaces);
                parents.any(|p| found.contains(p)) && !found.contains(&f.name)
            };
            let more: Vec<Arc<str>> = files
                .iter()
                .filter(is_below)
                .map(|f| f.name.clone())
                .collect();
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        let concrete = files.iter().filter(|f| {
            found.contains(&f.name)
                && f.access & (access::ABSTRACT | access::INTERFACE | access::SYNTHETIC) == 0
                && !is_numbered(&f.name)
        });
        let names: Vec<Arc<str>> = concrete.map(|f| f.name.clone()).collect();
        let mut ids = Vec::new();
        for name in names {
            ids.push(vm.linker.resolve_for(&name, Version::New)?);
        }
        Ok(ids)
    }

    /// Whether the class is nested in another and private there.
    pub fn is_private(&mut self, vm: &Vm, class: &str) -> bool {
        let file = self.files(vm).iter().find(|f| *f.name == *class);
        let mut rows = file.iter().flat_map(|f| &f.inner_classes);
        rows.any(|row| *row.0 == *class && row.3 & access::PRIVATE != 0)
    }

    /// Methods without parameters of builder classes whose result is of that class.
    pub fn builds(&mut self, vm: &mut Vm, class: &str) -> Built<Vec<Arc<Method>>> {
        let result = format!("()L{class};");
        let builders = self
            .files(vm)
            .iter()
            .filter(|f| f.name.ends_with("Builder"));
        let mut found = Vec::new();
        for file in builders {
            let closed = access::PRIVATE | access::STATIC | access::SYNTHETIC;
            let builds = |m: &&crate::bytecode::class_file::Method| {
                *m.descriptor == *result && m.access & closed == 0
            };
            let methods = file.methods.iter().filter(builds);
            found.extend(methods.map(|m| (file.name.clone(), m.name.clone())));
        }
        let mut methods = Vec::new();
        for (owner, name) in found {
            let id = vm.linker.resolve_for(&owner, Version::New)?;
            let key = (name, Arc::from(result.as_str()));
            methods.extend(vm.linker.select(id, &key, Version::New));
        }
        Ok(methods)
    }

    /// What gives objects of a class without a name: static fields, and static methods.
    pub fn given(&mut self, vm: &mut Vm, class: &str) -> Built<(Vec<Spec>, Vec<Arc<Method>>)> {
        let (mut held, mut named) = (Vec::new(), Vec::new());
        for giver in givers(self.files(vm), class) {
            match giver {
                Giver::Field(holder, field) if vm.linker.is_common_field(&holder.name, field) => {
                    held.push(constant(&holder.name, field));
                }
                Giver::Method(owner, m) if m.access & access::STATIC != 0 => {
                    named.push((owner.name.clone(), (m.name.clone(), m.descriptor.clone())));
                }
                _ => {}
            }
        }
        let mut methods = Vec::new();
        for (owner, key) in named {
            let id = vm.linker.resolve_for(&owner, Version::New)?;
            methods.extend(vm.linker.select(id, &key, Version::New));
        }
        Ok((held, methods))
    }

    /// Objects of the class that its own static final fields hold.
    pub fn held_constants(&mut self, vm: &Vm, class: &Class) -> Vec<Spec> {
        const CONSTANT: u16 = access::STATIC | access::FINAL;
        let own = format!("L{};", class.name);
        let file = self.files(vm).iter().find(|f| f.name == class.name);
        let fields = file.iter().flat_map(|f| &f.fields).filter(|f| {
            f.access & (CONSTANT | access::PRIVATE) == CONSTANT
                && *f.descriptor == *own
                && vm.linker.is_common_field(&class.name, f)
        });
        fields.map(|f| constant(&class.name, f)).collect()
    }
}

/// What a static field of a class holds.
fn constant(class: &Arc<str>, field: &Field) -> Spec {
    Spec::Constant {
        class: class.clone(),
        name: field.name.clone(),
        descriptor: field.descriptor.clone(),
    }
}
