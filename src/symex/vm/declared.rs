//! Each version's own declarations of a class, for reflection: without members that only the unified build has.

use crate::bytecode::ClassPath;
use crate::bytecode::class_file::ClassFile;
use crate::model::Version;
use crate::symex::class::linker::{LinkError, Linked, Linker, find};
use crate::symex::state::State;
use crate::symex::state::interruption::Step;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::{Vm, per_version};
use std::sync::Arc;

impl Linker {
    /// The class file of that name that each version loads; one where they declare the same.
    pub fn declaration(&self, name: &Arc<str>) -> Linked<Shadow<Arc<ClassFile>>> {
        let program = self.program();
        let first = |paths: &[&ClassPath]| -> Linked<Arc<ClassFile>> {
            for path in paths {
                if let Some(file) = find(path, name)? {
                    return Ok(file);
                }
            }
            Err(LinkError {
                class: name.clone(),
                why: "class not found".into(),
            })
        };
        // A class that was compiled for one version alone is in the other as it is.
        let rest = [&*program.library, &*program.unified];
        let old = first(&[&[&*program.old, &*program.new][..], &rest].concat())?;
        let new = first(&[&[&*program.new, &*program.old][..], &rest].concat())?;
        Ok(if same(&old, &new) {
            Shadow::Same(new)
        } else {
            Shadow::Split { old, new }
        })
    }

    /// Whether any module of the JDK has classes in the package of that class.
    pub fn jdk_has_package_of(&self, class: &str) -> bool {
        self.program().library.jdk_has_package_of(class)
    }

    /// The module of the JDK that has the class of that internal name.
    pub fn jdk_module_of(&self, class: &str) -> Option<&'static str> {
        self.program().library.jdk_module_of(class)
    }

    /// Whether both versions declare the same in the class and in what is above it, as far as reflection shows.
    pub fn declares_the_same(&self, name: &Arc<str>) -> Linked<bool> {
        let Shadow::Same(file) = self.declaration(name)? else {
            return Ok(false);
        };
        for parent in file.super_name.iter().chain(&file.interfaces) {
            if !self.declares_the_same(parent)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether reflection shows the same of two class files, the order of members included.
fn same(a: &Arc<ClassFile>, b: &Arc<ClassFile>) -> bool {
    if Arc::ptr_eq(a, b) {
        return true;
    }
    let methods = |x: &ClassFile, y: &ClassFile| {
        x.methods.len() == y.methods.len()
            && x.methods.iter().zip(&y.methods).all(|(m, n)| {
                m.name == n.name
                    && m.descriptor == n.descriptor
                    && m.access == n.access
                    && m.signature == n.signature
                    && m.reflected == n.reflected
            })
    };
    let fields = |x: &ClassFile, y: &ClassFile| {
        x.fields.len() == y.fields.len()
            && x.fields.iter().zip(&y.fields).all(|(f, g)| {
                f.name == g.name
                    && f.descriptor == g.descriptor
                    && f.access == g.access
                    && f.reflected == g.reflected
            })
    };
    a.access == b.access
        && a.super_name == b.super_name
        && a.interfaces == b.interfaces
        && a.signature == b.signature
        && a.inner_classes == b.inner_classes
        && a.reflected == b.reflected
        && methods(a, b)
        && fields(a, b)
}

/// What the running version declares under that name.
pub(in crate::symex) fn declared(vm: &Vm, state: &State, name: &Arc<str>) -> Step<Arc<ClassFile>> {
    match (vm.linker.declaration(name)?, state.version()) {
        (Shadow::Same(file), _) => Ok(file),
        (Shadow::Split { old, .. }, Some(Version::Old)) => Ok(old),
        (Shadow::Split { new, .. }, Some(Version::New)) => Ok(new),
        _ => Err(per_version(state)),
    }
}
