//! Classes that give what the static fields hold that a changed class initialiser sets otherwise: such fields are seen without any
//! call, which no method of the program may show.

use super::Workspace;
use super::builds::types_of_both;
use super::stand_ins::StandIn;
use crate::bytecode::access::{ENUM, FINAL, PRIVATE, PUBLIC, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Field, Method};
use crate::bytecode::{is_numbered, same_code};
use crate::check::patch::Patch;
use crate::error::Error;
use crate::impact::StaticValues;
use crate::java_text::{source_name, type_name};
use crate::jvm::Worker;
use crate::model::{ClassName, MethodRef, Spelling};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// Compiles them into both versions' classes, and gives their sources by class.
    ///
    /// # Errors
    /// The worker fails, or classes can't be read.
    pub(super) fn add_value_readers(
        &self,
        worker: &mut Worker,
        patch: &Patch,
        (old, new): (&Path, &Path),
    ) -> Result<BTreeMap<String, String>, Error> {
        let types = types_of_both(patch, [old, new])?;
        let all = types.into_iter().filter_map(reader).collect();
        self.compile_stand_ins(worker, all, (old, new))
    }
}

/// The class for both versions of one; `None` where no such field of it can be told.
fn reader(versions: [Arc<ClassFile>; 2]) -> Option<StandIn> {
    let class = ClassName::of_internal(&versions[1].name);
    let is_open = versions.iter().all(|c| is_seen_in_package(c));
    let initialisers = versions.each_ref().map(|c| c.method("<clinit>", "()V"));
    if !is_open || same(initialisers) {
        return None;
    }
    let initialiser = MethodRef {
        class: class.clone(),
        name: "<clinit>".into(),
        descriptor: "()V".into(),
    };
    let values = StaticValues::of(&versions, &initialiser);
    let shown = STATIC | FINAL;
    let is_shown = |f: &&Field| {
        f.access & (shown | PRIVATE | SYNTHETIC | ENUM) == shown && f.constant.is_none()
    };
    let is_in_both = |f: &&Field| {
        let mut others = versions[0].fields.iter().filter(is_shown);
        others.any(|o| o.name == f.name && o.descriptor == f.descriptor)
    };
    let fields = versions[1].fields.iter().filter(is_shown);
    let fields = fields.filter(|f| {
        values.has(&f.name) && is_in_both(f) && !is_hidden(&versions[1], &f.descriptor)
    });
    let readers: Vec<(MethodRef, &Field)> = fields
        .map(|f| (MethodRef::reader(&class, &f.name, &f.descriptor), f))
        .collect();
    let made = readers.first()?.0.class.internal();
    let is_public = versions[1].is_open();
    Some(StandIn {
        source: source((&source_name(&class), is_public), &made, &readers),
        class: made,
    })
}

/// Whether code of the package can name a class: neither it nor a class around it is private, or has no name.
fn is_seen_in_package(class: &ClassFile) -> bool {
    class.access & SYNTHETIC == 0 && !is_numbered(&class.name) && !class.is_private()
}

/// Whether a type is that of a private class, or of an array of such.
fn is_hidden(class: &ClassFile, descriptor: &str) -> bool {
    let element = descriptor.trim_start_matches('[');
    let named = element.strip_prefix('L').and_then(|t| t.strip_suffix(';'));
    let mut rows = class.inner_classes.iter();
    rows.any(|row| Some(&*row.0) == named && row.3 & PRIVATE != 0)
}

/// Whether both are there, with the same code.
fn same(initialisers: [Option<&Method>; 2]) -> bool {
    matches!(initialisers, [Some(a), Some(b)] if same_code(a, b))
}

fn source((class, is_public): (&str, bool), made: &str, readers: &[(MethodRef, &Field)]) -> String {
    let (package, simple) = made.rsplit_once('/').unwrap_or(("", made));
    let mut source = match package {
        "" => String::new(),
        package => format!("package {};\n\n", package.dotted()),
    };
    source += &format!(
        "/** What the static fields of {class} hold. */\npublic final class {simple} {{\n    private {simple}() {{}}\n"
    );
    for (method, field) in readers {
        let (name, ty) = (&method.name, type_name(&field.descriptor));
        // Who sees the field sees what gives it.
        let access = match is_public && field.access & PUBLIC != 0 {
            true => "public ",
            false => "",
        };
        source += &format!(
            "\n    {access}static {ty} {name}() {{\n        return {class}.{name};\n    }}\n"
        );
    }
    source + "}\n"
}
