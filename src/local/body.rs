//! Method bodies, and their text for comparison, in which a lambda stands by its body and not by its number.

use crate::bytecode::access::{STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn, Method, MethodHandle};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Nested lambdas are read this deep.
pub(super) const MAX_NESTED: u32 = 8;

/// A method with a body.
#[derive(Clone)]
pub struct Body {
    /// Its class.
    pub class: Arc<ClassFile>,
    /// The method.
    pub method: Arc<Method>,
    /// Its code.
    pub code: Arc<Code>,
}

impl Body {
    /// A static method that no class file has, with instructions that need no lines.
    pub(super) fn synthetic(
        class: &Arc<ClassFile>,
        (name, descriptor): (&str, String),
        access: u16,
        (max_locals, insns): (u16, Vec<Insn>),
    ) -> Body {
        let code = Code {
            max_locals,
            lines: vec![0; insns.len()],
            insns,
            handlers: Vec::new(),
            locals: Vec::new(),
        };
        Body::of_code(class, (name, descriptor), access, code)
    }

    /// The same with code of another method.
    pub(super) fn of_code(
        class: &Arc<ClassFile>,
        (name, descriptor): (&str, String),
        access: u16,
        code: Code,
    ) -> Body {
        let code = Arc::new(code);
        let method = Method {
            name: Arc::from(name),
            descriptor: Arc::from(descriptor),
            access: STATIC | access,
            code: Some(code.clone()),
            signature: None,
            parameter_names: Vec::new(),
            reflected: Default::default(),
            annotations: Vec::new(),
            parameter_annotations: Vec::new(),
        };
        Body {
            class: class.clone(),
            method: Arc::new(method),
            code,
        }
    }
}

pub(super) fn body_of(class: &Arc<ClassFile>, method: &Method) -> Option<Body> {
    Some(Body {
        class: class.clone(),
        code: method.code.clone()?,
        method: Arc::new(method.clone()),
    })
}

/// Instructions and handlers as text, lambdas by their own text; none where they nest too deep.
pub(super) fn code_text(
    classes: &FxHashMap<Arc<str>, Arc<ClassFile>>,
    code: &Code,
    depth: u32,
) -> Option<String> {
    if depth > MAX_NESTED {
        return None;
    }
    let mut out = String::new();
    for insn in &code.insns {
        let Insn::InvokeDynamic(site) = insn else {
            out.push_str(&format!("{insn:?}{};", hiding_class(classes, insn)));
            continue;
        };
        out.push_str(&format!(
            "{} {} {:?}",
            site.name, site.descriptor, site.bootstrap
        ));
        for arg in &site.args {
            let body = match arg {
                Const::MethodHandle(h) => lambda_code(classes, h),
                _ => None,
            };
            match body {
                Some((access, code)) => {
                    out.push_str(&format!(
                        "{{{access} {}}}",
                        code_text(classes, &code, depth + 1)?
                    ));
                }
                None => out.push_str(&format!("{arg:?},")),
            }
        }
    }
    out.push_str(&format!("{:?}", code.handlers));
    Some(out)
}

/// The class that declares the field of an instruction, if a class above it may have one of the same name: where the field goes, its
/// references come to the other.
fn hiding_class(classes: &FxHashMap<Arc<str>, Arc<ClassFile>>, insn: &Insn) -> Arc<str> {
    let none = Arc::from("");
    let (Insn::GetField(m) | Insn::PutField(m) | Insn::GetStatic(m) | Insn::PutStatic(m)) = insn
    else {
        return none;
    };
    let mut found: Option<&Arc<str>> = None;
    let mut at = classes.get(&m.class);
    while let Some(class) = at {
        let has = class.field(&m.name, &m.descriptor).is_some();
        match found {
            Some(owner) if has => return owner.clone(),
            None if has => found = Some(&class.name),
            _ => {}
        }
        let above = class.super_name.as_ref();
        at = above.and_then(|name| classes.get(name));
        let is_root = above.is_none_or(|name| &**name == "java/lang/Object");
        if at.is_none() && !is_root {
            return found.cloned().unwrap_or(none);
        }
    }
    none
}

/// The body of a lambda, which javac puts into a method of its own.
pub(super) fn lambda_body<'a>(class: &'a ClassFile, handle: &MethodHandle) -> Option<&'a Method> {
    let method = class.method(&handle.name, &handle.descriptor)?;
    (method.access & SYNTHETIC != 0).then_some(method)
}

fn lambda_code(
    classes: &FxHashMap<Arc<str>, Arc<ClassFile>>,
    handle: &MethodHandle,
) -> Option<(String, Arc<Code>)> {
    let class = classes.get(&handle.class)?;
    let method = lambda_body(class, handle)?;
    handle.name.starts_with("lambda$").then_some(())?;
    let kind = format!("{} {} {}", handle.kind, handle.class, method.descriptor);
    Some((kind, method.code.clone()?))
}
