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
            out.push_str(&format!("{insn:?};"));
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
