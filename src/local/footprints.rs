//! Footprints: fields and elements that code reads which changes nothing that other code can see.

use super::body::Body;
use super::enum_tables::is_case_table;
use super::version::Version;
use crate::bytecode::access::{
    ABSTRACT, INTERFACE, PROTECTED, PUBLIC, STATIC, SYNCHRONIZED, VOLATILE,
};
use crate::bytecode::class_file::{
    BinOp, ClassFile, Code, Const, Insn, InvokeKind, MemberRef, Prim,
};
use crate::bytecode::{BOXES, is_jdk, parameter_descriptors};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Where exceptions of the JDK are whose constructors only keep what they are given.
const JDK_EXCEPTIONS: [&str; 3] = ["java/lang/", "java/util/", "java/io/"];

/// Those that do more.
const CHECKED_CAUSES: [&str; 2] = [
    "java/io/UncheckedIOException",
    "java/lang/ExceptionInInitializerError",
];

/// Package of classes that shadow-ci adds to builds, such as the substitute for code that does not compile.
pub(super) const OWN: &str = "com/shadowci/";

/// Most bodies that a call may come to.
const MOST: usize = 60;

/// What code reads that changes nothing.
#[derive(Default)]
pub(super) struct Footprint {
    /// Fields, by owner and name.
    pub(super) fields: BTreeSet<String>,
    /// Elements of arrays, by kind; `None` for references.
    pub(super) elements: Vec<Option<Prim>>,
    /// Whether a class outside of the project could override a method on the way.
    pub(super) may_be_overridden: bool,
    /// Whether an exception may leave it.
    pub(super) may_throw: bool,
}

/// Footprints of calls, as far as they were asked for.
pub(super) type Footprints = FxHashMap<(InvokeKind, Arc<MemberRef>), Option<Rc<Footprint>>>;

impl Version {
    /// What a call reads, if all code that it may run is known, and changes nothing that other code can see.
    pub(super) fn footprint(&self, kind: InvokeKind, member: &MemberRef) -> Option<Rc<Footprint>> {
        let key = (kind, Arc::new(member.clone()));
        if let Some(known) = self.footprints.borrow().get(&key) {
            return known.clone();
        }
        let found = self.read_by(kind, member).map(Rc::new);
        self.footprints.borrow_mut().insert(key, found.clone());
        found
    }

    fn read_by(&self, kind: InvokeKind, member: &MemberRef) -> Option<Footprint> {
        let mut out = Footprint::default();
        let gives_reference = member
            .descriptor
            .rsplit(')')
            .next()?
            .starts_with(['L', '[']);
        let mut seen: FxHashSet<*const Code> = FxHashSet::default();
        let mut todo = self.run_by(kind, member, &mut out)?;
        while let Some(body) = todo.pop() {
            if !seen.insert(Arc::as_ptr(&body.code)) {
                continue;
            }
            if seen.len() > MOST || body.method.access & SYNCHRONIZED != 0 {
                return None;
            }
            for (pc, insn) in body.code.insns.iter().enumerate() {
                out.may_throw |= may_throw(&body, pc, insn);
                todo.extend(self.read_step(&body, insn, gives_reference, &mut out)?);
            }
        }
        Some(out)
    }

    /// The bodies that a call of the project's code may run; `None` if there may be others.
    fn run_by(
        &self,
        kind: InvokeKind,
        member: &MemberRef,
        out: &mut Footprint,
    ) -> Option<Vec<Body>> {
        let (class, access) = self.declaration(member)?;
        let is_substitute = member.class.starts_with(OWN);
        if is_substitute || !self.is_own(&member.class) || is_implementable_outside(&class, access)
        {
            return None;
        }
        out.may_be_overridden |= matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        let all = self.targets(kind, member)?;
        (!all.is_empty()).then_some(all)
    }

    /// What one instruction runs besides; `None` if it may change anything, or make an object that is given out.
    fn read_step(
        &self,
        body: &Body,
        insn: &Insn,
        gives_reference: bool,
        out: &mut Footprint,
    ) -> Option<Vec<Body>> {
        let none = Some(Vec::new());
        match insn {
            Insn::PutField(_)
            | Insn::PutStatic(_)
            | Insn::ArrayStore(_)
            | Insn::NewArray(_)
            | Insn::ANewArray(_)
            | Insn::MultiANewArray(..)
            | Insn::MonitorEnter
            | Insn::MonitorExit
            | Insn::Jsr(_)
            | Insn::Ret(_)
            | Insn::Const(Const::Dynamic(_)) => None,
            Insn::New(class) => {
                let thrown =
                    is_jdk(class) && self.is_subclass(class, "java/lang/Throwable") == Some(true);
                (thrown && !gives_reference).then(Vec::new)
            }
            Insn::InvokeDynamic(site) => {
                let plain = parameter_descriptors(&site.descriptor);
                let joins = &*site.bootstrap.class == "java/lang/invoke/StringConcatFactory";
                let plain = plain.iter().all(|p| is_value(p));
                (joins && plain && !gives_reference).then(Vec::new)
            }
            Insn::GetStatic(table) if is_case_table(table) => {
                self.is_begun(body, &table.class).then(Vec::new)
            }
            Insn::GetField(field) | Insn::GetStatic(field) => {
                let found = self.field(field)?;
                let of_jdk = is_jdk(&found.owner);
                if found.access & VOLATILE != 0 || of_jdk && matches!(insn, Insn::GetStatic(_)) {
                    return None;
                }
                if matches!(insn, Insn::GetStatic(_)) && !self.is_begun(body, &found.owner) {
                    return None;
                }
                out.fields.insert(format!("{}.{}", found.owner, field.name));
                none
            }
            Insn::ArrayLoad(kind) => {
                out.elements.push(*kind);
                none
            }
            Insn::Invoke(InvokeKind::Special, member)
                if keeps_its_arguments(member) && self.any_traces_itself() =>
            {
                None
            }
            Insn::Invoke(kind, member) if is_function(*kind, member, gives_reference) => none,
            Insn::Invoke(_, member) if self.is_enum_function(member) => none,
            Insn::Invoke(kind, member) => {
                let owner = self.declaration(member)?.0;
                if *kind == InvokeKind::Static && !self.is_begun(body, &owner.name) {
                    return None;
                }
                self.run_by(*kind, member, out)
            }
            _ => none,
        }
    }

    /// Whether nothing runs that could be seen when code uses a class.
    fn is_begun(&self, body: &Body, class: &str) -> bool {
        *body.class.name == *class || !self.needs_initialising(class) || self.is_inert(class)
    }
}

/// Whether an instruction that only reads may throw, what it calls left aside.
fn may_throw(body: &Body, pc: usize, insn: &Insn) -> bool {
    match insn {
        Insn::GetField(_) => !is_on_this(body, pc),
        Insn::Invoke(InvokeKind::Static, m) => is_jdk(&m.class),
        Insn::Invoke(_, m) => {
            is_jdk(&m.class) || !m.descriptor.starts_with("()") || !is_on_this(body, pc)
        }
        Insn::ArrayLoad(_) | Insn::ArrayLength | Insn::CheckCast(_) | Insn::Athrow => true,
        Insn::Bin(BinOp::Div | BinOp::Rem, of) => !matches!(of, Prim::Float | Prim::Double),
        _ => false,
    }
}

/// Whether the operand of an instruction is the object whose method it is in.
pub(super) fn is_on_this(body: &Body, pc: usize) -> bool {
    let insns = &body.code.insns;
    let may_be_another = |insn: &Insn| {
        matches!(insn, Insn::Store(None, 0)) || insn.targets().any(|to| to as usize == pc)
    };
    let before = pc.checked_sub(1).and_then(|at| insns.get(at));
    body.method.access & STATIC == 0
        && matches!(before, Some(Insn::Load(None, 0)))
        && !insns.iter().any(may_be_another)
}

fn is_value(descriptor: &str) -> bool {
    descriptor.len() == 1 || descriptor == "Ljava/lang/String;"
}

/// Whether a method of the JDK depends on its arguments alone and changes nothing; what makes an object counts only where that is
/// not given out.
fn is_function(kind: InvokeKind, member: &MemberRef, gives_reference: bool) -> bool {
    let (class, name) = (&*member.class, &*member.name);
    let result = member.descriptor.rsplit(')').next().unwrap_or("V");
    let parameters = parameter_descriptors(&member.descriptor);
    let plain = parameters.iter().all(|p| is_value(p));
    let makes = result.starts_with(['L', '[']);
    if kind == InvokeKind::Special {
        return keeps_its_arguments(member) && plain && !gives_reference;
    }
    let known = match class {
        "java/lang/String" => {
            plain && !matches!(name, "getBytes" | "getChars" | "format" | "formatted")
                || name == "equals"
        }
        "java/lang/Math" | "java/lang/StrictMath" => name != "random",
        "java/lang/Object" => name == "getClass",
        _ => {
            let of_system = matches!(name, "getInteger" | "getLong" | "getBoolean");
            BOXES.iter().any(|b| b.1 == class) && plain && !of_system
        }
    };
    known && (!makes || !gives_reference || name == "getClass")
}

/// Whether code outside the project may implement an abstract method. Then the project's implementations are not all: a caller may
/// pass any object for a public interface.
pub(super) fn is_implementable_outside(class: &ClassFile, access: u16) -> bool {
    let outside = |flags: u16| flags & (PUBLIC | PROTECTED) != 0;
    let constructors = class.methods.iter().filter(|m| &*m.name == "<init>");
    let extensible = class.access & INTERFACE != 0 || constructors.map(|m| m.access).any(outside);
    access & ABSTRACT != 0
        && outside(access)
        && class.access & PUBLIC != 0
        && class.reflected.permitted.is_none()
        && extensible
}

/// Whether a method is a constructor that keeps a text and a cause, if its class is an exception of the JDK.
pub(super) fn keeps_its_arguments(member: &MemberRef) -> bool {
    let forms = [
        "()V",
        "(Ljava/lang/String;)V",
        "(Ljava/lang/String;Ljava/lang/Throwable;)V",
    ];
    &*member.name == "<init>"
        && forms.contains(&&*member.descriptor)
        && JDK_EXCEPTIONS.iter().any(|p| member.class.starts_with(p))
        && !CHECKED_CAUSES.contains(&&*member.class)
}
