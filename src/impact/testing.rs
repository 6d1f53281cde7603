//! Small bodies, methods and classes for the unit tests of this room.

use crate::bytecode::access::{ABSTRACT, PUBLIC, STATIC};
use crate::bytecode::class_file::{
    ClassFile, Code, Handler, Insn, InvokeKind, LocalVar, MemberRef, Method,
};
use std::sync::Arc;

/// A body without handlers; each instruction on its own line, from 1.
pub fn code(insns: Vec<Insn>) -> Code {
    Code {
        max_locals: 8,
        lines: (1..=insns.len() as u32).collect(),
        insns,
        handlers: Vec::new(),
        locals: Vec::new(),
    }
}

/// A body with one handler that catches everything.
pub fn guarded(insns: Vec<Insn>, start: u32, end: u32, target: u32) -> Code {
    let mut code = code(insns);
    code.handlers.push(Handler {
        start,
        end,
        target,
        catch: None,
    });
    code
}

/// A named local, live everywhere.
pub fn local(code: &Code, slot: u16, name: &str) -> LocalVar {
    LocalVar {
        start: 0,
        end: code.insns.len() as u32,
        name: name.into(),
        descriptor: "I".into(),
        slot,
    }
}

/// A reference to a member.
pub fn member(class: &str, name: &str, descriptor: &str) -> Arc<MemberRef> {
    Arc::new(MemberRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    })
}

/// A call.
pub fn call(kind: InvokeKind, class: &str, name: &str, descriptor: &str) -> Insn {
    Insn::Invoke(kind, member(class, name, descriptor))
}

/// A method; without a body it is abstract.
pub fn method(name: &str, descriptor: &str, is_static: bool, body: Option<Code>) -> Method {
    Method {
        name: name.into(),
        descriptor: descriptor.into(),
        access: PUBLIC
            | if is_static { STATIC } else { 0 }
            | if body.is_none() { ABSTRACT } else { 0 },
        code: body.map(Arc::new),
        signature: None,
        parameter_names: Vec::new(),
        reflected: Default::default(),
        annotations: Vec::new(),
        parameter_annotations: Vec::new(),
    }
}

/// A class.
pub fn class(
    name: &str,
    super_name: &str,
    interfaces: &[&str],
    methods: Vec<Method>,
) -> Arc<ClassFile> {
    Arc::new(ClassFile {
        name: name.into(),
        super_name: Some(super_name.into()),
        interfaces: interfaces.iter().map(|i| Arc::from(*i)).collect(),
        access: PUBLIC,
        fields: Vec::new(),
        methods,
        source_file: None,
        signature: None,
        inner_classes: Vec::new(),
        reflected: Default::default(),
        annotations: Vec::new(),
    })
}
