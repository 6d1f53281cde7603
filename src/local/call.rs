//! Calls: of known functions, of methods that are entered, and of code that both versions share.

use super::body::Body;
use super::executor::Executor;
use super::footprints::{OWN, is_implementable_outside, is_on_this};
use super::state::{State, Target, Unproved};
use crate::bytecode::access::{FINAL, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNCHRONIZED};
use crate::bytecode::class_file::{ClassFile, Insn, InvokeKind, MemberRef};
use crate::bytecode::parameter_descriptors;
use crate::expr::Term;
use crate::impact;
use crate::model::{ClassName, MethodRef};
use std::sync::Arc;

/// Deepest nesting of entered methods.
const MAX_DEPTH: usize = 6;

/// Largest unchanged method, in instructions, that is entered: accessors of a field are that small.
const SMALL: usize = 16;

/// Methods of `Objects` that are entered, because they only abbreviate a test.
const ENTERED: [&str; 7] = [
    "equals",
    "hashCode",
    "isNull",
    "nonNull",
    "requireNonNull",
    "requireNonNullElse",
    "toString",
];

/// Largest method that is entered at all.
const LARGEST: usize = 600;

/// How a call is handled.
enum CallHandling {
    Enter(Body),
    /// Of a method that stands for one of the other version.
    Paired(Body),
    Event,
}

/// Assumption behind entering a method that a class outside the project could override.
pub(super) const NOT_OVERRIDDEN: &str =
    "no class outside of the project overrides the methods that its classes implement";

impl Executor<'_> {
    pub(super) fn invoke(
        &mut self,
        mut state: State,
        insn: &Insn,
        kind: InvokeKind,
        member: &MemberRef,
    ) -> Result<(), Unproved> {
        if member.class.starts_with(OWN) {
            return Err(Unproved::Unsupported("code that does not compile".into()));
        }
        let parameters = parameter_descriptors(&member.descriptor);
        let takes = parameters.len() + usize::from(kind != InvokeKind::Static);
        let args = state.pop_all(takes)?;
        let logs = self.logs(member, &args);
        let state = match kind {
            InvokeKind::Static if logs.is_some() => Some(state),
            InvokeKind::Static => {
                let owner = self.version.declaration(member);
                let owner = owner.map_or(member.class.clone(), |o| o.0.name.clone());
                self.initialised(state, insn, &owner)?
            }
            _ => self.not_null(state, args[0])?,
        };
        let Some(state) = state else { return Ok(()) };
        if let Some(call) = logs {
            return self.log(state, member, call, &args);
        }
        if kind == InvokeKind::Interface
            && let Some(call) = self.closure_call(&state, member, &args)
        {
            return self.enter_closure(state, call);
        }
        let known = self
            .is_open(kind, member)
            .then(|| self.exact_class(args[0]))
            .flatten();
        let exact = known.map(|class| MemberRef {
            class,
            ..member.clone()
        });
        let is_exact = exact.is_some();
        let (kind, member) = match &exact {
            Some(exact) => (InvokeKind::Virtual, exact),
            None => (kind, member),
        };
        if let Some(charset) = self.named_charset(&state, member, &args) {
            return self.complete(state, Some(charset));
        }
        if kind == InvokeKind::Static
            && let Some(value) = self.fixed_value(member, &args)
        {
            return self.complete(state, Some(value));
        }
        if self.compiles_pattern(member, &args)
            && let Some(body) = self.version.only_target(kind, member)
        {
            self.rely_on_at(&state, insn);
            let state = self.enter(state, body, args);
            self.continue_with(state);
            return Ok(());
        }
        if self.asks_pattern(member, &args) {
            // Without a text there is no matcher.
            let Some(state) = self.not_null(state, args[1])? else {
                return Ok(());
            };
            self.rely_on_at(&state, insn);
            let what = self.call_name(kind, member);
            return self.call_event(state, member, (&what, args));
        }
        let twin = self.with_charset(&state, member, &args);
        let (member, mut args) = match &twin {
            Some((twin, args)) => (twin, args.clone()),
            None => (member, args),
        };
        let Some((state, plain)) = self.without_capacity(state, (kind, member), &mut args)? else {
            return Ok(());
        };
        let member = plain.as_ref().unwrap_or(member);
        let of_math = abbreviates(member);
        let member = of_math.as_ref().unwrap_or(member);
        if kind == InvokeKind::Special {
            self.record_function_object(&state, member, &args);
        }
        if &*member.class == "java/lang/Object" && &*member.name == "<init>" {
            return self.complete(state, None);
        }
        if self.constructs_exception(&state, (kind, member), &args) {
            return self.construct_exception(state, member, &args);
        }
        if let Some(summary) = self.summary(&state, member, &args) {
            return self.apply_summary(state, insn, member, summary, args);
        }
        if let Some(query) = self.size_query(member) {
            return self.answer_size(state, insn, member, (query, args));
        }
        if let Some(reading) = self.read_element(&state, member, &args) {
            return self.apply_reading(state, insn, member, reading);
        }
        let copy = self.array_copy(member, &args);
        if let Some(copy) = copy {
            if self.enters_copy(&copy) {
                return self.enter_copy(state, copy);
            }
            self.note_copy(copy);
            self.rely_on_at(&state, insn);
            let what = self.call_name(kind, member);
            return self.call_event(state, member, (&what, args));
        }
        let receiver = args.first().copied().filter(|_| kind != InvokeKind::Static);
        match self.call_handling(&state, (kind, member), receiver, is_exact)? {
            CallHandling::Enter(body) => {
                let state = self.enter(state, body, args);
                self.continue_with(state);
                Ok(())
            }
            CallHandling::Event => {
                if let Some(reading) = self.read_call(&state, (kind, member), &args) {
                    self.callee = None;
                    return self.apply_reading(state, insn, member, reading);
                }
                self.rely_on_at(&state, insn);
                let what = self.call_name(kind, member);
                match receiver.filter(|_| self.gives_itself(kind, member, is_exact)) {
                    Some(object) => self.fluent_event(state, object, (&what, args)),
                    None => self.call_event(state, member, (&what, args)),
                }
            }
            CallHandling::Paired(body) => {
                let pairings = self.context.pairings.clone();
                let Some(pairing) = pairings.of(self.is_old, &body) else {
                    return Err(Unproved::Unsupported("a pair".into()));
                };
                // What both bodies come to is found when they are proved to do the same.
                let obligation = pairing.obligation();
                self.context
                    .obligations
                    .insert(obligation.key(), obligation);
                let mut state = state;
                self.publish(&mut state, &args);
                let args = pairing.common(self.is_old, &args);
                self.call_event(state, member, (&pairing.call_name(), args))
            }
        }
    }

    fn call_event(
        &mut self,
        state: State,
        member: &MemberRef,
        call: (&str, Vec<Term>),
    ) -> Result<(), Unproved> {
        let result = member.descriptor.rsplit(')').next().unwrap_or("V");
        match self.event(state, call, result, true)? {
            Some((state, value)) => self.complete(state, value),
            None => Ok(()),
        }
    }

    /// An event whose result is the object that it is called on.
    fn fluent_event(
        &mut self,
        state: State,
        object: Term,
        call: (&str, Vec<Term>),
    ) -> Result<(), Unproved> {
        match self.event(state, call, "V", true)? {
            Some((state, _)) => self.complete(state, Some(object)),
            None => Ok(()),
        }
    }

    /// Whether the method that a call comes to, which both versions share, returns its own object wherever it ends.
    fn gives_itself(&mut self, kind: InvokeKind, member: &MemberRef, is_exact: bool) -> bool {
        if !member.descriptor.contains(")L") {
            return false;
        }
        let callee = self.callee.as_ref().map(|c| &c.body);
        let Some(body) = callee.filter(|b| returns_itself(b)) else {
            return false;
        };
        if is_overridable((kind, is_exact), body) {
            self.context.assumed.insert(NOT_OVERRIDDEN);
        }
        true
    }

    /// Completes an instruction: pushes its result, if any, and continues at the next.
    pub(super) fn complete(
        &mut self,
        mut state: State,
        value: Option<Term>,
    ) -> Result<(), Unproved> {
        if let Some(value) = value {
            state.push(value);
        }
        state.step();
        self.continue_with(state);
        Ok(())
    }

    /// The exact class of an object, if known.
    fn exact_class(&self, object: Term) -> Option<Arc<str>> {
        let s = &self.context.symbols;
        let made = s.class_of(object).filter(|c| !c.starts_with('['));
        let of_type = || {
            let of = s.type_of(object).filter(|c| !c.starts_with('['))?;
            let class = self.version.class(of)?;
            (class.access & FINAL != 0).then(|| of.clone())
        };
        made.cloned().or_else(of_type)
    }

    /// The name of a call's event. The method that runs depends on the object alone, not on the type through which it is called, if
    /// it can be overridden from everywhere (JVMS §5.4.6).
    pub(super) fn call_name(&self, kind: InvokeKind, member: &MemberRef) -> String {
        let MemberRef {
            class,
            name,
            descriptor,
        } = member;
        let is_private = || {
            let declared = self.version.declaration(member);
            declared.is_some_and(|(_, access)| access & PRIVATE != 0)
        };
        match self.is_open(kind, member) {
            true => format!("Call #{name}{descriptor}"),
            // How a private method is called depends on javac's release and on the caller's class.
            false if kind != InvokeKind::Static && is_private() => {
                format!("Special {class}#{name}{descriptor}")
            }
            false => match self.package_of(kind, member) {
                Some(package) => format!("Call {package}/#{name}{descriptor}"),
                None => format!("{kind:?} {class}#{name}{descriptor}"),
            },
        }
    }

    /// The package whose classes alone override the method that a call names. Of two such methods in one package that an object
    /// has, the lower one overrides the other, so both calls run the same (JVMS §5.4.5).
    pub(super) fn package_of(&self, kind: InvokeKind, member: &MemberRef) -> Option<String> {
        let (class, access) = self.version.declaration(member)?;
        let is_of_package = access & (PUBLIC | PROTECTED | PRIVATE | STATIC) == 0;
        let package = class.name.rsplit_once('/').map_or("", |n| n.0);
        (kind == InvokeKind::Virtual && is_of_package && self.version.is_own(&class.name))
            .then(|| package.to_string())
    }

    /// Whether every method with that name and descriptor in a subclass overrides the one that a call names.
    pub(super) fn is_open(&self, kind: InvokeKind, member: &MemberRef) -> bool {
        let is_open = |access| access & (PUBLIC | PROTECTED) != 0 && access & STATIC == 0;
        matches!(kind, InvokeKind::Virtual | InvokeKind::Interface)
            && self
                .version
                .declaration(member)
                .is_some_and(|(_, access)| is_open(access))
    }

    fn call_handling(
        &mut self,
        state: &State,
        (kind, member): (InvokeKind, &MemberRef),
        receiver: Option<Term>,
        is_exact: bool,
    ) -> Result<CallHandling, Unproved> {
        let Some((class, access)) = self.version.declaration(member) else {
            return Ok(CallHandling::Event);
        };
        let id = MethodRef {
            class: ClassName::of_internal(&class.name),
            name: member.name.to_string(),
            descriptor: member.descriptor.to_string(),
        };
        let target = match is_exact {
            // A private method on the way up overrides nothing.
            true => self
                .version
                .declared(member)
                .filter(|b| b.method.access & PUBLIC != 0 && b.method.access & STATIC == 0),
            false => self
                .version
                .only_target(kind, member)
                .filter(|_| !is_implementable_outside(&class, access)),
        };
        let tested = match (&target, receiver.filter(|_| !is_exact)) {
            (None, Some(object)) => self.target_by_test(state, (kind, member), object)?,
            _ => None,
        };
        let is_tested = tested.is_some();
        let target = target.or(tested);
        let of_target = target.as_ref().map(|b| impact::id(&b.class, &b.method));
        let changed = self.is_entered(&id) | of_target.as_ref().is_some_and(|t| self.is_entered(t));
        let is_own = self.version.is_own(&class.name);
        let is_lone = is_own && self.is_one_sided(member, &class, access);
        self.context.met_lone |= is_lone;
        let must = is_own && (changed || is_lone);
        let refused = || {
            let name = &id.name;
            Err(Unproved::Unsupported(format!(
                "a call of the changed {name}"
            )))
        };
        let (Some(body), Some(of_target)) = (target, of_target) else {
            return if must {
                refused()
            } else {
                Ok(CallHandling::Event)
            };
        };
        let mut frames = state.frames.iter();
        let again = frames.any(|f| Arc::ptr_eq(&f.body.code, &body.code));
        let enterable = !again && is_enterable(state, &body);
        let is_overridable = is_overridable((kind, is_exact), &body);
        let entered = |executor: &mut Self, body| {
            if is_overridable {
                executor.context.assumed.insert(NOT_OVERRIDDEN);
            }
            Ok(CallHandling::Enter(body))
        };
        if self.context.pairings.of(self.is_old, &body).is_some() {
            if is_overridable {
                self.context.assumed.insert(NOT_OVERRIDDEN);
            }
            return Ok(CallHandling::Paired(body));
        }
        let is_opened = self.context.inlined_common.contains(&of_target);
        if must && !(self.context.pairs && is_lone && !is_opened) {
            return match enterable {
                true => entered(self, body),
                false => refused(),
            };
        }
        let unmarked = self.context.changes.number(&of_target).is_none();
        let small = self.version.is_own(&class.name) && unmarked && is_small(&body);
        let light = match &*of_target.class.to_string() {
            "java.util.Objects" => ENTERED.contains(&&*of_target.name),
            "java.lang.String" => &*of_target.name == "valueOf",
            _ => false,
        };
        // The other version may come here without such a test: the call stays what it was, unless an attempt failed.
        if enterable && ((small || light) && !is_tested || is_opened) {
            return entered(self, body);
        }
        self.callee = Some(Target {
            body,
            is_enterable: enterable,
            is_lone,
        });
        Ok(CallHandling::Event)
    }

    /// Whether only this version has the method that a call names.
    fn is_one_sided(&self, member: &MemberRef, class: &ClassFile, access: u16) -> bool {
        let twin = self.other.declaration(member);
        !twin.is_some_and(|(c, a)| c.name == class.name && (a ^ access) & STATIC == 0)
    }

    /// Whether a changed method is entered, not assumed equal.
    fn is_entered(&mut self, id: &MethodRef) -> bool {
        let Some(number) = self.context.changes.number(id) else {
            return false;
        };
        self.context.met.insert(number);
        self.context.inlined_changed.contains(number)
    }
}

/// Whether a body may be entered from a state.
pub(super) fn is_enterable(state: &State, body: &Body) -> bool {
    body.method.access & SYNCHRONIZED == 0
        && state.frames.len() <= MAX_DEPTH
        && body.code.insns.len() <= LARGEST
}

/// The method of `Math` that one of a number's class stands for.
fn abbreviates(member: &MemberRef) -> Option<MemberRef> {
    const OF: [&str; 4] = [
        "java/lang/Double",
        "java/lang/Float",
        "java/lang/Integer",
        "java/lang/Long",
    ];
    let is_one = OF.contains(&&*member.class) && matches!(&*member.name, "max" | "min");
    is_one.then(|| MemberRef {
        class: "java/lang/Math".into(),
        ..member.clone()
    })
}

/// Whether all that a method returns is `this`.
fn returns_itself(body: &Body) -> bool {
    let insns = body.code.insns.iter().enumerate();
    let mut returns = insns
        .filter(|(_, i)| matches!(i, Insn::Return(Some(_))))
        .peekable();
    // A handler could begin at a return, with the exception on the stack.
    body.code.handlers.is_empty()
        && returns.peek().is_some()
        && returns.all(|(at, _)| is_on_this(body, at))
}

/// Whether a class elsewhere could override the method that a call comes to.
fn is_overridable((kind, is_exact): (InvokeKind, bool), body: &Body) -> bool {
    !is_exact
        && matches!(kind, InvokeKind::Virtual | InvokeKind::Interface)
        && (body.method.access & (PRIVATE | FINAL)) | (body.class.access & FINAL) == 0
}

/// Whether a method is so small, without calls or loops, that entering it costs less than an event.
fn is_small(body: &Body) -> bool {
    let forward = |(at, insn): (usize, &Insn)| match insn {
        Insn::Invoke(..) | Insn::InvokeDynamic(_) | Insn::New(_) | Insn::MonitorEnter => false,
        Insn::Switch(..) | Insn::Athrow => false,
        insn => insn.targets().all(|to| to as usize > at),
    };
    body.code.insns.len() <= SMALL && body.code.insns.iter().enumerate().all(forward)
}
