//! Linking of a class: from one build, or merged from both versions.

use crate::bytecode::class_file::{ClassFile, Field};
use crate::bytecode::same_code;
use crate::model::{Level, Version};
use crate::symex::class::layout::{add_fields, joined_layout, same_field};
use crate::symex::class::linker::{Linked, Linker, find, method_id};
use crate::symex::class::{Class, ClassId, Identity, Key, Method, Origin, access, enum_constants};
use crate::symex::value::shadow::Shadow;
use std::sync::Arc;

impl Linker {
    pub(super) fn link_single(
        &mut self,
        file: &ClassFile,
        origin: Origin,
        version: Option<Version>,
    ) -> Linked<ClassId> {
        // A class that only the old version has lies below that version's classes.
        let side = match origin {
            Origin::Old => Version::Old,
            _ => version.unwrap_or(Version::New),
        };
        let mut class = self.shell(file, origin != Origin::Library, side)?;
        class.version = version;
        let identity = identity(&class, file);
        add_fields(&mut class, &file.fields, None);
        for method in &file.methods {
            let key = (method.name.clone(), method.descriptor.clone());
            class.methods.insert(
                key,
                Shadow::Same(Some(Method::of(&identity, method, origin))),
            );
        }
        Ok(self.add(class))
    }

    pub(super) fn link_merged(&mut self, old: &ClassFile, new: &ClassFile) -> Linked<ClassId> {
        // Linked before the class itself gets its number.
        let interfaces = Shadow::join(
            self.interfaces(old, Version::Old)?,
            self.interfaces(new, Version::New)?,
        );
        let superclass = Shadow::join(
            self.superclass(old, Version::Old)?,
            self.superclass(new, Version::New)?,
        );
        let mut class = self.shell(new, true, Version::New)?;
        class.interfaces = interfaces;
        class.superclass = superclass;
        if let Shadow::Split { old, new } = class.superclass {
            let layout = |id: Option<ClassId>| id.map_or(&[][..], |id| &self.class(id).layout);
            class.layout = joined_layout(layout(old), layout(new));
        }
        // Inputs are objects that both versions can make.
        class.access |= old.access & access::ABSTRACT;
        let identity = identity(&class, new);
        let unified = find(&self.program().unified, &new.name)?;
        add_fields(&mut class, &new.fields, Some((Version::New, &old.fields)));
        let gone: Vec<Field> = old
            .fields
            .iter()
            .filter(|f| !new.fields.iter().any(|g| same_field(f, g)))
            .cloned()
            .collect();
        add_fields(&mut class, &gone, Some((Version::Old, &[])));
        if let Some(unified) = &unified {
            let known: Vec<Arc<str>> = old
                .fields
                .iter()
                .chain(&new.fields)
                .map(|f| f.name.clone())
                .collect();
            let extra: Vec<Field> = unified
                .fields
                .iter()
                .filter(|f| !known.contains(&f.name))
                .cloned()
                .collect();
            add_fields(&mut class, &extra, None);
            for method in &unified.methods {
                let key = (method.name.clone(), method.descriptor.clone());
                class
                    .unified
                    .insert(key, Method::of(&identity, method, Origin::Unified));
            }
        }
        for method in new.methods.iter().chain(&old.methods) {
            let key = (method.name.clone(), method.descriptor.clone());
            if !class.methods.contains_key(&key) {
                let body = self.body(&identity, &class, &key, old, new);
                class.methods.insert(key, body);
            }
        }
        Ok(self.add(class))
    }

    /// The body of a method of a merged class: shared where the builds agree, the unified one where there is one, else one per version.
    fn body(
        &self,
        identity: &Identity,
        class: &Class,
        key: &Key,
        old: &ClassFile,
        new: &ClassFile,
    ) -> Shadow<Option<Arc<Method>>> {
        let pick = |file: &ClassFile, origin| {
            file.method(&key.0, &key.1)
                .map(|m| (m.clone(), Method::of(identity, m, origin)))
        };
        let (old, new) = (pick(old, Origin::Old), pick(new, Origin::New));
        if let (Some((a, _)), Some((b, shared))) = (&old, &new) {
            if a.access & access::STATIC == b.access & access::STATIC && same_code(a, b) {
                return Shadow::Same(Some(shared.clone()));
            }
            let id = method_id(&class.name, key);
            let fine = matches!(
                self.program().levels.get(&id),
                Some(Level::Expression | Level::Statement)
            );
            if let (true, Some(unified)) = (fine, class.unified.get(key)) {
                return Shadow::Same(Some(unified.clone()));
            }
        }
        // A class initialiser that one version lacks does nothing in it.
        if &*key.0 == "<clinit>"
            && matches!(
                self.program().levels.get(&method_id(&class.name, key)),
                Some(Level::Statement | Level::Expression)
            )
            && let Some(unified) = class.unified.get(key)
        {
            return Shadow::Same(Some(unified.clone()));
        }
        Shadow::Split {
            old: old.map(|p| p.1),
            new: new.map(|p| p.1),
        }
    }

    fn shell(&mut self, file: &ClassFile, project: bool, side: Version) -> Linked<Class> {
        let superclass = self.superclass(file, side)?;
        let interfaces = Shadow::Same(self.interfaces(file, side)?);
        let mut class = self.blank(file.name.clone(), project);
        if let Some(parent) = superclass {
            class.layout = self.class(parent).layout.clone();
        }
        class.superclass = Shadow::Same(superclass);
        class.interfaces = interfaces;
        class.access = file.access;
        if let Some(row) = file.inner_classes.iter().find(|r| r.0 == file.name) {
            class.simple_name = Some(row.2.clone().unwrap_or_else(|| Arc::from("")));
            class.outer = row.1.clone();
        }
        class.constants = enum_constants(file);
        class.signature = file.signature.clone();
        Ok(class)
    }

    fn superclass(&mut self, file: &ClassFile, side: Version) -> Linked<Option<ClassId>> {
        match &file.super_name {
            Some(name) => Ok(Some(self.resolve(name, Origin::Library)?.get(side))),
            None => Ok(None),
        }
    }

    fn interfaces(&mut self, file: &ClassFile, side: Version) -> Linked<Vec<ClassId>> {
        let each = file
            .interfaces
            .iter()
            .map(|name| self.resolve(name, Origin::Library).map(|s| s.get(side)));
        each.collect()
    }
}

fn identity(class: &Class, file: &ClassFile) -> Identity {
    Identity {
        id: class.id,
        name: class.name.clone(),
        source_file: file.source_file.clone(),
        project: class.project,
    }
}
