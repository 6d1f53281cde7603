//! Values that factories of the JDK make of constants: the same value wherever and whenever it is made.

use super::callbacks::is_value_or_container;
use super::executor::Executor;
use super::state::{Frame, State};
use super::version::simple_name;
use crate::bytecode::access::{FINAL, STATIC};
use crate::bytecode::class_file::{ClassFile, Const, Insn, InvokeKind, MemberRef};
use crate::bytecode::{is_jdk, parameter_descriptors};
use crate::expr::Term;
use crate::model::{ClassName, Input, MethodRef, Spelling};

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
fn call_at(insns: &[Insn], at: usize) -> Option<(FixedCall, usize)> {
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

fn is_factory(member: &MemberRef) -> bool {
    let (class, name) = (&*member.class, &*member.name);
    let is_listed = |f: &(&str, &[&str])| f.0 == class && f.1.contains(&name);
    FACTORIES.iter().any(is_listed)
}

fn call(member: &MemberRef, args: Vec<Input>) -> FixedCall {
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

impl Executor<'_> {
    /// What a factory makes of constants; `None` where it is none, or is not known to end with a value.
    pub(super) fn fixed_value(&mut self, member: &MemberRef, args: &[Term]) -> Option<Term> {
        if !is_factory(member) {
            return None;
        }
        let types = parameter_descriptors(&member.descriptor);
        let args: Option<Vec<Input>> = args
            .iter()
            .zip(&types)
            .map(|(term, of)| self.constant_input(*term, of))
            .collect();
        self.value_of(&call(member, args?))
    }

    /// Whether a call only compiles a pattern and asks it, and that pattern is made elsewhere too.
    pub(super) fn compiles_pattern(&self, member: &MemberRef, args: &[Term]) -> bool {
        let pattern = match (&*member.class, &*member.name) {
            ("java/lang/String", "matches" | "replaceAll" | "replaceFirst") => args.get(1),
            ("java/util/regex/Pattern", "matches") => args.first(),
            _ => None,
        };
        let units = pattern.and_then(|term| self.context.symbols.units(*term));
        units.is_some_and(|units| {
            let is_it = |call: &FixedCall| {
                &*call.method.name == "compile"
                    && matches!(&call.args[..], [Input::Str(known)] if known[..] == units[..])
            };
            self.context.changes.fixed.iter().any(is_it)
        })
    }

    /// Whether a call gives a matcher of a pattern that a factory made.
    pub(super) fn asks_pattern(&self, member: &MemberRef, args: &[Term]) -> bool {
        let made = args.first().and_then(|t| self.context.symbols.parts(*t));
        let is_made = |name: &str| name.starts_with("Pattern.compile(");
        (&*member.class, &*member.name) == ("java/util/regex/Pattern", "matcher")
            && made.is_some_and(|(name, others)| others.is_empty() && is_made(name))
    }

    fn constant_input(&self, term: Term, of: &str) -> Option<Input> {
        let s = &self.context.symbols;
        if of.starts_with('L') {
            if let Some(units) = s.units(term) {
                return Some(Input::Str(units.to_vec()));
            }
            let (name, others) = s.parts(term)?;
            let class = name.strip_suffix(".class").filter(|_| others.is_empty())?;
            let is_class = !class.starts_with('[');
            return is_class.then(|| Input::Class(class.to_string().dotted()));
        }
        Some(match of {
            "I" => Input::Int(s.pool.as_i64(term)? as i32),
            "J" => Input::Long(s.pool.as_i64(term)?),
            _ => return None,
        })
    }

    fn value_of(&mut self, call: &FixedCall) -> Option<Term> {
        if !self.context.changes.fixed.contains(call) {
            return None;
        }
        let of = call.method.class.internal();
        let args: Vec<String> = call.args.iter().map(text).collect();
        let name = format!(
            "{}.{}({})",
            simple_name(&of),
            call.method.name,
            args.join(", ")
        );
        let result = call.method.descriptor.rsplit(')').next()?;
        let s = &mut self.context.symbols;
        let term = s.preexisting(&name, result, false);
        s.set_anonymous(term);
        Some(term)
    }

    /// What a static final field holds, if its class's initialiser gives it such a value, and no code can read it before.
    pub(super) fn fixed_constant(&mut self, state: &State, field: &MemberRef) -> Option<Term> {
        let declared = self.version.field(field)?;
        let initialises = |f: &Frame| &*f.body.method.name == "<clinit>";
        if declared.access & (STATIC | FINAL) != STATIC | FINAL
            || state.frames.iter().any(initialises)
            || self.version.lost_initialiser(&declared.owner)
        {
            return None;
        }
        let (all, whole) = self.version.ancestors(&declared.owner);
        let runs = |c: &ClassFile| c.method("<clinit>", "()V").is_some();
        let mut above = all
            .iter()
            .filter(|c| !is_jdk(&c.name) && c.name != declared.owner);
        if !whole || above.any(|c| runs(c)) {
            return None;
        }
        let class = self.version.class(&declared.owner)?;
        let code = class.method("<clinit>", "()V")?.code.clone()?;
        let sets = |i: &Insn| matches!(i, Insn::PutStatic(m) if m.class == class.name && m.name == field.name);
        let at = code.insns.iter().position(sets)?;
        let is_only = !code.insns[at + 1..].iter().any(sets);
        let (call, first) = call_at(&code.insns, at.checked_sub(1)?)?;
        let is_quiet = is_only && runs_no_own_code(&code.insns[..first], &class.name);
        is_quiet.then(|| self.value_of(&call)).flatten()
    }
}

/// Whether the beginning of a class's initialiser goes straight on, and runs no code of the program: the JDK's own, which gets
/// nothing that it could call.
fn runs_no_own_code(insns: &[Insn], class: &str) -> bool {
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
        Insn::ANewArray(of) => is_jdk(of.trim_start_matches('[').trim_start_matches('L')),
        _ => false,
    })
}

/// Whether a class of the JDK makes values and containers, and calls nothing but what it is given.
fn is_value(class: &str) -> bool {
    FACTORIES.iter().any(|f| f.0 == class) || is_value_or_container(class)
}

fn text(input: &Input) -> String {
    match input {
        Input::Int(n) => n.to_string(),
        Input::Long(n) => format!("{n}L"),
        Input::Double(bits) => f64::from_bits(*bits).to_string(),
        Input::Str(units) => format!("{:?}", String::from_utf16_lossy(units)),
        Input::Class(name) => format!("{}.class", simple_name(name)),
        other => format!("{other:?}"),
    }
}
