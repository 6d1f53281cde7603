//! Calls of the JDK's factories with constants: what they make is the same value wherever and whenever it is made.

use super::callbacks::is_value_or_container;
use crate::bytecode::class_file::{ClassFile, Const, Insn, InvokeKind, MemberRef};
use crate::bytecode::{is_jdk, parameter_descriptors};
use crate::model::{ClassName, Input, MethodRef, Spelling, class_in};

/// Static methods whose results never change, say nothing by their identity, and depend on the arguments alone.
const FACTORIES: [(&str, &[&str]); 18] = [
    ("java/lang/invoke/MethodType", &["methodType"]),
    ("java/math/BigDecimal", &["valueOf"]),
    ("java/math/BigInteger", &["valueOf"]),
    ("java/net/URI", &["create"]),
    (
        "java/time/Duration",
        &[
            "of",
            "ofDays",
            "ofHours",
            "ofMillis",
            "ofMinutes",
            "ofNanos",
            "ofSeconds",
            "parse",
        ],
    ),
    (
        "java/time/Instant",
        &["ofEpochMilli", "ofEpochSecond", "parse"],
    ),
    ("java/time/LocalDate", &["of", "ofEpochDay"]),
    ("java/time/LocalDateTime", &["of"]),
    ("java/time/LocalTime", &["of", "ofSecondOfDay"]),
    (
        "java/time/Period",
        &["of", "ofDays", "ofMonths", "ofWeeks", "ofYears", "parse"],
    ),
    ("java/time/Year", &["of"]),
    ("java/time/ZoneOffset", &["of", "ofHours", "ofTotalSeconds"]),
    ("java/util/List", &["of"]),
    ("java/util/Locale", &["forLanguageTag"]),
    ("java/util/Map", &["of"]),
    ("java/util/Set", &["of"]),
    ("java/util/UUID", &["fromString"]),
    ("java/util/regex/Pattern", &["compile"]),
];

/// A call of such a factory with constants.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedCall {
    /// The factory.
    pub method: MethodRef,
    /// The constants.
    pub args: Vec<Input>,
}

/// The calls of factories with constants in the code of a class. Whether they end with a value is for the JVM to say.
pub fn fixed_calls(class: &ClassFile) -> Vec<FixedCall> {
    let mut all = Vec::new();
    for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
        for at in 0..code.insns.len() {
            let found = call_at(&code.insns, at).map(|(call, _)| call);
            all.extend(found.filter(|call| !all.contains(call)));
        }
    }
    all
}

/// The call at an instruction, and the first of its arguments' instructions; `None` where it is no factory or has others than constants.
pub(super) fn call_at(insns: &[Insn], at: usize) -> Option<(FixedCall, usize)> {
    let Insn::Invoke(InvokeKind::Static, member) = insns.get(at)? else {
        return None;
    };
    let types = parameter_descriptors(&member.descriptor);
    let first = at.checked_sub(types.len())?;
    if !is_factory(member) {
        return None;
    }
    let given = insns[first..at].iter().zip(&types);
    let args: Option<Vec<Input>> = given
        .map(|(insn, of)| match insn {
            Insn::Const(constant) => input(constant, of),
            _ => None,
        })
        .collect();
    Some((call(member, args?), first))
}

pub(super) fn is_factory(member: &MemberRef) -> bool {
    let (class, name) = (&*member.class, &*member.name);
    let is_listed = |f: &(&str, &[&str])| f.0 == class && f.1.contains(&name);
    FACTORIES.iter().any(is_listed)
}

pub(super) fn call(member: &MemberRef, args: Vec<Input>) -> FixedCall {
    let method = MethodRef {
        class: ClassName::of_internal(&member.class),
        name: member.name.to_string(),
        descriptor: member.descriptor.to_string(),
    };
    FixedCall { method, args }
}

/// A constant as an argument of that type.
fn input(constant: &Const, of: &str) -> Option<Input> {
    Some(match (constant, of) {
        (Const::Int(n), "I") => Input::Int(*n),
        (Const::Long(n), "J") => Input::Long(*n),
        (Const::Double(bits), "D") => Input::Double(*bits),
        (Const::Str(units), _) => Input::Str(units.to_vec()),
        (Const::Class(name), _) if !name.starts_with('[') => Input::Class(name.dotted()),
        _ => return None,
    })
}

/// Whether the beginning of a class's initialiser goes straight on, and runs no code of the program: the JDK's own, which gets
/// nothing that it could call.
pub(super) fn runs_no_own_code(insns: &[Insn], class: &str) -> bool {
    let is_plain = |of: &&str| match of.trim_start_matches('[').strip_prefix('L') {
        Some(name) => is_jdk(name),
        None => true,
    };
    insns.iter().all(|insn| match insn {
        Insn::Const(constant) => !matches!(constant, Const::Dynamic(_)),
        Insn::PutStatic(m) => *m.class == *class,
        Insn::GetStatic(m) => *m.class == *class || is_jdk(&m.class),
        Insn::Invoke(InvokeKind::Static | InvokeKind::Special, m) => {
            let types = parameter_descriptors(&m.descriptor);
            is_value(&m.class) && types.iter().all(|t| is_plain(&&**t))
        }
        Insn::New(of) => is_jdk(of),
        Insn::AconstNull | Insn::Dup | Insn::Pop | Insn::NewArray(_) | Insn::ArrayStore(_) => true,
        Insn::ANewArray(of) => is_jdk(class_in(of.trim_start_matches('['))),
        _ => false,
    })
}

/// Whether a class of the JDK makes values and containers, and calls nothing but what it is given.
fn is_value(class: &str) -> bool {
    FACTORIES.iter().any(|f| f.0 == class) || is_value_or_container(class)
}
