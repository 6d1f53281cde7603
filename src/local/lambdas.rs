//! Closures: lambdas and method references. Two count as equal if their bodies do the same, which becomes a proof obligation.

use super::body::Body;
use super::call::is_enterable;
use super::context::ProofContext;
use super::executor::Executor;
use super::obligation::{Obligation, parameters};
use super::state::{State, Unproved};
use crate::bytecode::access::SYNTHETIC;
use crate::bytecode::class_file::{
    ClassFile, Const, DynamicRef, Insn, InvokeKind, MemberRef, MethodHandle, Prim,
};
use crate::bytecode::{BOXES, parameter_descriptors};
use crate::expr::Term;
use crate::solver::Constraints;
use std::sync::Arc;

/// What is taken for granted where a lambda took the place of an object of an anonymous class, or the other way round.
const IDENTITY: &str =
    "the identity and the class of lambdas and of objects of anonymous classes do not matter";

/// What a functional object runs: the body of a lambda or method reference, and the captured values.
#[derive(Clone)]
pub struct Closure {
    /// Name of the interface's method, type of the object, and the method's erased and instantiated descriptors.
    shape: (Arc<str>, String, String),
    /// Its parameters are the captured values, then the method's arguments.
    body: Body,
    captures: Vec<Term>,
    /// Whether it is an object of an anonymous class.
    is_object: bool,
}

impl Closure {
    /// Of an anonymous class: name of the interface's method, type of the object, and the method's erased and own descriptors.
    pub(super) fn of_class(shape: (Arc<str>, String, String), body: Body) -> Closure {
        Closure {
            shape,
            body,
            captures: Vec::new(),
            is_object: true,
        }
    }

    /// The same with these captured values.
    pub(super) fn with(self, captures: Vec<Term>) -> Closure {
        Closure { captures, ..self }
    }
}

/// The call of a closure.
pub(super) struct ClosureCall {
    body: Body,
    /// What it captured, and the arguments.
    args: Vec<Term>,
    /// Arguments that are cast, and to which class.
    casts: Vec<(Term, Arc<str>)>,
}

impl Executor<'_> {
    /// A call of a closure that this version created, if only tests of the arguments' types may stop it.
    pub(super) fn closure_call(
        &self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) -> Option<ClosureCall> {
        let closure = self.context.lambdas.get(&(*args.first()?, self.is_old))?;
        let (name, _, types) = &closure.shape;
        let (erased, used) = types.split_once(' ')?;
        if **name != *member.name || *erased != *member.descriptor {
            return None;
        }
        let s = &self.context.symbols;
        let mut casts = Vec::new();
        let mut fits = |wanted: &str, arg: Term| match wanted.strip_prefix('L') {
            None => !wanted.starts_with('['),
            Some(class) => {
                let class = class.trim_end_matches(';');
                let of = s.class_of(arg).or_else(|| s.type_of(arg));
                let of = of.map_or("java/lang/Object", |of| of);
                if self.version.is_subclass(of, class) != Some(true) {
                    casts.push((arg, Arc::from(class)));
                }
                true
            }
        };
        let wanted = parameter_descriptors(used);
        let takes = parameters(&closure.body);
        let gives = |d: &str| d.rsplit(')').next().map(str::to_string);
        if !takes.ends_with(&wanted) || gives(&closure.body.method.descriptor) != gives(used) {
            return None;
        }
        let fits = erased == used || wanted.iter().zip(&args[1..]).all(|(w, a)| fits(w, *a));
        let mut frames = state.frames.iter();
        let again = frames.any(|f| Arc::ptr_eq(&f.body.code, &closure.body.code));
        let all = closure.captures.iter().chain(&args[1..]).copied().collect();
        (fits && !again && is_enterable(state, &closure.body)).then(|| ClosureCall {
            body: closure.body.clone(),
            args: all,
            casts,
        })
    }

    /// Enters a closure's body, behind the casts that stand between the types of its interface and its own.
    ///
    /// # Errors
    /// As `fork`.
    pub(super) fn enter_closure(
        &mut self,
        state: State,
        call: ClosureCall,
    ) -> Result<(), Unproved> {
        let mut state = state;
        for (object, class) in call.casts {
            let told = self
                .context
                .changes
                .told_by(&Insn::CheckCast(class.clone()));
            self.context.relies_on.extend(told);
            let null = self.context.symbols.is_null(object);
            let fits = self.is_instance(object, None, &class);
            let pool = &mut self.context.symbols.pool;
            let refused = [pool.not(null), pool.not(fits)];
            let refused = pool.and_all(refused);
            self.about = vec![object];
            match self.unless(state, refused, "java/lang/ClassCastException")? {
                Some(next) => state = next,
                None => return Ok(()),
            }
        }
        let state = self.enter(state, call.body, call.args);
        self.continue_with(state);
        Ok(())
    }

    /// Records the closure of a functional object, if its body is known.
    pub(super) fn record_closure(
        &mut self,
        state: &State,
        site: &DynamicRef,
        term: Term,
        captures: Vec<Term>,
    ) {
        let [
            Const::MethodType(erased),
            Const::MethodHandle(handle),
            Const::MethodType(used),
        ] = &site.args[..]
        else {
            return;
        };
        let Some(frame) = state.frames.last() else {
            return;
        };
        let body = match self.version.lambda(handle) {
            Some(body) => Some(body),
            None => reference_body(&frame.body.class, site, handle, used),
        };
        let Some(body) = body else { return };
        let result = site.descriptor.rsplit(')').next().unwrap_or_default();
        let closure = Closure {
            shape: (
                site.name.clone(),
                result.to_string(),
                format!("{erased} {used}"),
            ),
            body,
            captures,
            is_object: false,
        };
        self.context.lambdas.insert((term, self.is_old), closure);
    }
}

impl ProofContext {
    /// Whether two closures are equal provided that their bodies do the same; then that becomes an obligation.
    ///
    /// # Errors
    /// The solver gives up.
    pub fn are_equal_lambdas(
        &mut self,
        condition: &Constraints,
        old: Term,
        new: Term,
    ) -> Result<bool, Unproved> {
        let x = self.lambdas.get(&(old, true)).cloned();
        let y = self.lambdas.get(&(new, false)).cloned();
        let (Some(x), Some(y)) = (x, y) else {
            return Ok(false);
        };
        let takes = |m: &Closure| parameters(&m.body);
        let (p, q) = (takes(&x), takes(&y));
        let rest = |all: &[String], m: &Closure| all.len().checked_sub(m.captures.len());
        let (Some(m), Some(n)) = (rest(&p, &x), rest(&q, &y)) else {
            return Ok(false);
        };
        if x.shape != y.shape || m != n {
            return Ok(false);
        }
        if x.is_object || y.is_object {
            self.assumed.insert(IDENTITY);
        }
        let mut numbers = [(0..x.captures.len()).collect::<Vec<_>>(), Vec::new()];
        let mut next = x.captures.len();
        for b in &y.captures {
            let mut same = None;
            for (i, a) in x.captures.iter().enumerate() {
                if same.is_none() && self.are_equal(condition, *a, *b)? {
                    same = Some(i);
                }
            }
            numbers[1].push(same.unwrap_or(next));
            next += usize::from(same.is_none());
        }
        for side in &mut numbers {
            side.extend(next..next + m);
        }
        let obligation = Obligation {
            bodies: [x.body, y.body],
            numbers,
            is_of_methods: false,
        };
        self.obligations.insert(obligation.key(), obligation);
        self.equated.insert(new, old);
        Ok(true)
    }

    /// The old version's term for a value that was equated with it.
    pub fn canonical(&self, term: Term) -> Term {
        self.equated.get(&term).copied().unwrap_or(term)
    }
}

/// The lambda that a method reference stands for (JLS §15.13.3), where types need no more than the plainest adaptation.
fn reference_body(
    class: &Arc<ClassFile>,
    site: &DynamicRef,
    handle: &MethodHandle,
    used: &str,
) -> Option<Body> {
    let mut given = parameter_descriptors(&site.descriptor);
    given.extend(parameter_descriptors(used));
    let wanted = used.rsplit(')').next()?;
    let mut takes = parameter_descriptors(&handle.descriptor);
    let kind = match handle.kind {
        5 => InvokeKind::Virtual,
        6 => InvokeKind::Static,
        7 | 8 => InvokeKind::Special,
        9 => InvokeKind::Interface,
        _ => return None,
    };
    let makes = handle.kind == 8;
    if kind != InvokeKind::Static && !makes {
        takes.insert(0, reference(&handle.class));
    }
    let mut insns = Vec::new();
    if makes {
        insns.extend([Insn::New(handle.class.clone()), Insn::Dup]);
    }
    if given.len() != takes.len() {
        return None;
    }
    let mut slot = 0;
    for (have, need) in given.iter().zip(&takes) {
        insns.push(Insn::Load(prim(have), slot));
        slot += if matches!(have.as_str(), "J" | "D") {
            2
        } else {
            1
        };
        insns.extend(conversion_insns(have, need)?);
    }
    insns.push(Insn::Invoke(
        kind,
        Arc::new(MemberRef {
            class: handle.class.clone(),
            name: handle.name.clone(),
            descriptor: handle.descriptor.clone(),
        }),
    ));
    let gives = match makes {
        true => reference(&handle.class),
        false => handle.descriptor.rsplit(')').next()?.to_string(),
    };
    match (gives.as_str(), wanted) {
        ("V", "V") => insns.push(Insn::Return(None)),
        ("V", _) => return None,
        (from, "V") => {
            let wide = matches!(from, "J" | "D");
            insns.push(if wide { Insn::Pop2 } else { Insn::Pop });
            insns.push(Insn::Return(None));
        }
        (from, to) => {
            insns.extend(conversion_insns(from, to)?);
            insns.push(Insn::Return(Some(prim(to))));
        }
    }
    let descriptor = format!("({}){wanted}", given.concat());
    Some(Body::synthetic(
        class,
        ("lambda$", descriptor),
        SYNTHETIC,
        (slot, insns),
    ))
}

fn reference(class: &str) -> String {
    match class.starts_with('[') {
        true => class.to_string(),
        false => format!("L{class};"),
    }
}

fn prim(descriptor: &str) -> Option<Prim> {
    match descriptor {
        "J" => Some(Prim::Long),
        "F" => Some(Prim::Float),
        "D" => Some(Prim::Double),
        d if d.starts_with(['L', '[']) => None,
        _ => Some(Prim::Int),
    }
}

/// The instructions that convert a value by boxing or unboxing; `None` if more is needed.
fn conversion_insns(from: &str, to: &str) -> Option<Vec<Insn>> {
    let is_reference = |d: &str| d.starts_with(['L', '[']);
    let call = |kind, class: &str, name: &str, descriptor: String| {
        let member = MemberRef {
            class: Arc::from(class),
            name: Arc::from(name),
            descriptor: Arc::from(descriptor),
        };
        vec![Insn::Invoke(kind, Arc::new(member))]
    };
    if from == to || is_reference(from) && is_reference(to) {
        return Some(Vec::new());
    }
    if is_reference(to) {
        let (of, class, _) = BOXES.iter().find(|b| b.0 == from)?;
        let boxed = format!("L{class};");
        let fits = [
            &boxed,
            "Ljava/lang/Object;",
            "Ljava/lang/Number;",
            "Ljava/lang/Comparable;",
        ];
        let descriptor = format!("({of}){boxed}");
        return fits
            .contains(&to)
            .then(|| call(InvokeKind::Static, class, "valueOf", descriptor));
    }
    let (_, class, name) = BOXES
        .iter()
        .find(|b| from == format!("L{};", b.1) && b.0 == to)?;
    Some(call(InvokeKind::Virtual, class, name, format!("(){to}")))
}
