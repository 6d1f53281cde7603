//! Members as values: a few methods, fields and constructors that a test can name, as `Foo.class.getDeclaredMethod("m", int.class)`.

use super::Built;
use super::spec::Spec;
use super::ways::{SOME, Ways};
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::is_jdk;
use crate::bytecode::is_numbered;
use crate::model::{Spelling, Version};
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{Key, Method, access, split_descriptor};
use crate::symex::value::primitive::primitive_name;
use crate::symex::value::shadow::Shadow;
use std::sync::Arc;

/// A member: the class that declares it, its name and its descriptor.
type Member = (Arc<str>, Arc<str>, Arc<str>);

/// Members of one access that are tried, of the tested class.
const EACH: usize = 2;

impl Ways<'_> {
    /// Values of the types of reflection's own objects; `None` for other types.
    pub(super) fn members(&mut self, class: &str) -> Built<Option<Vec<Spec>>> {
        let (lookup, descriptor) = match class {
            "java/lang/reflect/Method" => (
                "getDeclaredMethod",
                "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;",
            ),
            "java/lang/reflect/Constructor" => (
                "getDeclaredConstructor",
                "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;",
            ),
            "java/lang/reflect/Field" => (
                "getDeclaredField",
                "(Ljava/lang/String;)Ljava/lang/reflect/Field;",
            ),
            "java/lang/annotation/Annotation" => return self.annotations().map(Some),
            "java/lang/reflect/Executable"
            | "java/lang/reflect/AccessibleObject"
            | "java/lang/reflect/AnnotatedElement"
            | "java/lang/reflect/GenericDeclaration"
            | "java/lang/reflect/Member" => {
                let run = |ways: &mut Ways| ways.members("java/lang/reflect/Method");
                let found = self.noting(run, |_| false)?;
                self.note(SOME, class.dotted());
                return Ok(found);
            }
            _ => return Ok(None),
        };
        let owner = self.vm.library("java/lang/Class")?;
        let key: Key = (Arc::from(lookup), Arc::from(descriptor));
        let Some(maker) = self.vm.linker.select(owner, &key, Version::New) else {
            return Ok(None);
        };
        self.note(SOME, class.dotted());
        let mut found: Vec<Spec> = self
            .shown(class)
            .into_iter()
            .map(|member| Spec::Call {
                maker: maker.clone(),
                args: arguments(class, &member),
                calls: Vec::new(),
            })
            .collect();
        found.push(Spec::Null);
        Ok(Some(found))
    }

    /// Annotations that the JDK's own types have: without an element, with one, with an array.
    fn annotations(&mut self) -> Built<Vec<Spec>> {
        const KNOWN: [(&str, &str); 3] = [
            ("java/lang/annotation/Documented", "Retention"),
            ("java/lang/Override", "Target"),
            ("java/lang/annotation/Retention", "Documented"),
        ];
        let owner = self.vm.library("java/lang/Class")?;
        let descriptor = "(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;";
        let key: Key = (Arc::from("getAnnotation"), Arc::from(descriptor));
        self.note(SOME, "java.lang.annotation.Annotation");
        let maker = self.vm.linker.select(owner, &key, Version::New);
        let class = |name: &str| Spec::Class(Arc::from(name));
        let of = |maker: Arc<Method>| {
            KNOWN.map(|(on, kind)| Spec::Call {
                maker: maker.clone(),
                args: vec![class(on), class(&format!("java/lang/annotation/{kind}"))],
                calls: Vec::new(),
            })
        };
        let mut found: Vec<Spec> = maker.into_iter().flat_map(of).collect();
        found.push(Spec::Null);
        Ok(found)
    }

    /// Members of the tested class, public ones and others, and of the JDK.
    fn shown(&self, class: &str) -> Vec<Member> {
        let mut found = Vec::new();
        let tested = self.tested.as_ref();
        let declared = tested.map(|name| self.vm.linker.declaration(name));
        // What only one version declares is no input of both.
        if let Some(Ok(declared)) = declared {
            let all = match &declared {
                Shadow::Same(file) => members(file, class),
                Shadow::Split { old, new } => {
                    let known = members(old, class);
                    let both = members(new, class).into_iter();
                    both.filter(|m| known.contains(m)).collect()
                }
            };
            for public in [true, false] {
                let of = all.iter().filter(|m| (m.1 & access::PUBLIC != 0) == public);
                found.extend(of.map(|m| m.0.clone()).take(EACH));
            }
        }
        let more = match class {
            "java/lang/reflect/Method" => ("java/lang/Object", "hashCode", "()I"),
            "java/lang/reflect/Constructor" => ("java/lang/Object", "<init>", "()V"),
            _ => ("java/lang/Integer", "MAX_VALUE", "I"),
        };
        found.push((Arc::from(more.0), Arc::from(more.1), Arc::from(more.2)));
        found
    }
}

/// The members of that kind, with their access.
fn members(file: &ClassFile, class: &str) -> Vec<(Member, u16)> {
    let visible = |flags: u16| flags & access::SYNTHETIC == 0;
    let member = |name: &Arc<str>, descriptor: &Arc<str>, flags: u16| {
        ((file.name.clone(), name.clone(), descriptor.clone()), flags)
    };
    if is_jdk(&file.name) || is_numbered(&file.name) {
        return Vec::new();
    }
    if class == "java/lang/reflect/Field" {
        let fields = file.fields.iter().filter(|f| visible(f.access));
        return fields
            .map(|f| member(&f.name, &f.descriptor, f.access))
            .collect();
    }
    let constructors = class == "java/lang/reflect/Constructor";
    let wanted = |name: &str| match name {
        "<init>" => constructors,
        "<clinit>" => false,
        _ => !constructors,
    };
    // Of methods that differ in the result alone, a lookup by name and parameters finds one.
    let methods = file
        .methods
        .iter()
        .filter(|m| wanted(&m.name) && visible(m.access));
    methods
        .map(|m| member(&m.name, &m.descriptor, m.access))
        .collect()
}

/// The class, and the arguments of the lookup.
fn arguments(class: &str, (owner, name, descriptor): &Member) -> Vec<Spec> {
    let mut args = vec![Spec::Class(owner.clone())];
    if class != "java/lang/reflect/Constructor" {
        args.push(Spec::Literal(name.clone()));
    }
    if class != "java/lang/reflect/Field" {
        let params = split_descriptor(descriptor).0;
        let named = |p: &Arc<str>| match class_name_of(p) {
            Some(class) => Arc::from(class),
            None => Arc::from(primitive_name(p)),
        };
        args.push(Spec::Exactly {
            element: Arc::from("Ljava/lang/Class;"),
            values: params.iter().map(|p| Spec::Class(named(p))).collect(),
        });
    }
    args
}
