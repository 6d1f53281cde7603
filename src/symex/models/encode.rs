//! The bytes of symbolic strings: the JDK's own encoders, called by a generated writer.

use super::super::class::Method;
use super::super::state::State;
use super::super::vm::Vm;
use crate::bytecode::class_file::{Cmp, Const, Insn, InvokeKind};
use crate::symex::vm::synthetic::invoke;
use crate::symex::vm::view::plain;
use std::sync::Arc;

const STRING: &str = "java/lang/String";
const CHARSET: &str = "java/nio/charset/Charset";

/// What runs instead of a method that reads the bytes behind a string, which an open one does not have.
pub(super) fn body(vm: &Vm, state: &State, method: &Method, count: usize) -> Option<Vec<Insn>> {
    if &*method.class_name != STRING || plain(vm, state, count) {
        return None;
    }
    let by_charset = |charset: Insn| {
        vec![
            Insn::Load(None, 0),
            charset,
            invoke(
                InvokeKind::Virtual,
                STRING,
                "getBytes",
                "(Ljava/nio/charset/Charset;)[B",
            ),
            Insn::Return(Some(None)),
        ]
    };
    Some(match (&*method.name, &*method.descriptor) {
        ("getBytes", "()[B") => {
            let descriptor = "()Ljava/nio/charset/Charset;";
            by_charset(invoke(
                InvokeKind::Static,
                CHARSET,
                "defaultCharset",
                descriptor,
            ))
        }
        ("getBytes", "(Ljava/lang/String;)[B") => {
            let descriptor = "(Ljava/lang/String;)Ljava/nio/charset/Charset;";
            let mut insns = by_charset(invoke(
                InvokeKind::Static,
                STRING,
                "lookupCharset",
                descriptor,
            ));
            insns.insert(1, Insn::Load(None, 1));
            insns
        }
        ("getBytes", "(Ljava/nio/charset/Charset;)[B") => through_writer(),
        ("getBytesNoRepl", "(Ljava/lang/String;Ljava/nio/charset/Charset;)[B") => unreplaced(),
        _ => return None,
    })
}

/// Bytes that decode to the same string; where some stand for what can't be encoded, that is an exception.
fn unreplaced() -> Vec<Insn> {
    const ERROR: &str = "java/nio/charset/UnmappableCharacterException";
    let equals = "(Ljava/lang/Object;)Z";
    let (encode, decode) = (
        "(Ljava/nio/charset/Charset;)[B",
        "([BLjava/nio/charset/Charset;)V",
    );
    vec![
        Insn::Load(None, 0),
        Insn::Load(None, 1),
        invoke(InvokeKind::Virtual, STRING, "getBytes", encode),
        Insn::Store(None, 2),
        Insn::New(Arc::from(STRING)),
        Insn::Dup,
        Insn::Load(None, 2),
        Insn::Load(None, 1),
        invoke(InvokeKind::Special, STRING, "<init>", decode),
        Insn::Load(None, 0),
        invoke(InvokeKind::Virtual, STRING, "equals", equals),
        Insn::If(Cmp::Eq, 14),
        Insn::Load(None, 2),
        Insn::Return(Some(None)),
        Insn::New(Arc::from(ERROR)),
        Insn::Dup,
        Insn::Const(Const::Int(1)),
        invoke(InvokeKind::Special, ERROR, "<init>", "(I)V"),
        Insn::Athrow,
    ]
}

/// The string in local 0, through a writer that encodes by the charset in local 1.
fn through_writer() -> Vec<Insn> {
    const BYTES: &str = "java/io/ByteArrayOutputStream";
    const WRITER: &str = "java/io/OutputStreamWriter";
    let mut insns = vec![
        Insn::New(Arc::from(BYTES)),
        Insn::Dup,
        invoke(InvokeKind::Special, BYTES, "<init>", "()V"),
        Insn::Store(None, 2),
        Insn::New(Arc::from(WRITER)),
        Insn::Dup,
        Insn::Load(None, 2),
        Insn::Load(None, 1),
    ];
    let constructor = "(Ljava/io/OutputStream;Ljava/nio/charset/Charset;)V";
    insns.extend([
        invoke(InvokeKind::Special, WRITER, "<init>", constructor),
        Insn::Store(None, 3),
        Insn::Load(None, 3),
        Insn::Load(None, 0),
        invoke(
            InvokeKind::Virtual,
            WRITER,
            "write",
            "(Ljava/lang/String;)V",
        ),
        Insn::Load(None, 3),
        invoke(InvokeKind::Virtual, WRITER, "close", "()V"),
        Insn::Load(None, 2),
        invoke(InvokeKind::Virtual, BYTES, "toByteArray", "()[B"),
        Insn::Return(Some(None)),
    ]);
    insns
}
