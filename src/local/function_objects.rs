//! Anonymous classes that stand for a function, as a lambda does: one method of one interface, over the values that it captures.

use super::body::Body;
use super::executor::Executor;
use super::lambdas::Closure;
use super::state::State;
use crate::bytecode::access::{ABSTRACT, FINAL, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Code, Insn, InvokeKind, MemberRef, Method, Prim};
use crate::bytecode::parameter_descriptors;
use crate::expr::Term;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The position of a captured value among the constructor's arguments (the object is at 0), and its slot, by the field that keeps it.
type Captured = BTreeMap<Arc<str>, (usize, u16)>;

impl Executor<'_> {
    /// Records the closure of an object of an anonymous class whose constructor is called, if the class stands for a function.
    pub(super) fn record_function_object(
        &mut self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) {
        let is_made = self.context.symbols.class_of(args[0]) == Some(&member.class);
        if &*member.name != "<init>" || !is_made || !state.heap.is_allocated(args[0]) {
            return;
        }
        let Some(class) = self.version.class(&member.class) else {
            return;
        };
        let Some((closure, captured)) = self.function_of(&class, &member.descriptor) else {
            return;
        };
        let captures = captured.iter().filter_map(|at| args.get(*at).copied());
        let closure = closure.with(captures.collect());
        self.context.lambdas.insert((args[0], self.is_old), closure);
    }

    /// The closure of such a class without its captured values, and the positions of these.
    fn function_of(
        &self,
        class: &Arc<ClassFile>,
        constructor: &str,
    ) -> Option<(Closure, Vec<usize>)> {
        let number = class.name.rsplit_once('$')?.1;
        let is_anonymous = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        let [interface] = &class.interfaces[..] else {
            return None;
        };
        let plain = class.super_name.as_deref() == Some("java/lang/Object");
        let keeps = |f: u16| f & (FINAL | SYNTHETIC | STATIC) == FINAL | SYNTHETIC;
        if !is_anonymous || !plain || !class.fields.iter().all(|f| keeps(f.access)) {
            return None;
        }
        let (wanted, erased) = self.function_type(interface)?;
        let named = |m: &&Method| &*m.name != "<init>";
        let (bridges, own): (Vec<&Method>, Vec<&Method>) = (class.methods.iter())
            .filter(named)
            .partition(|m| m.access & SYNTHETIC != 0);
        let [method] = own[..] else { return None };
        let erasure: Vec<&str> = bridges.iter().map(|b| &*b.descriptor).collect();
        let fits = match &erasure[..] {
            [] => *method.descriptor == *erased,
            [one] => **one == *erased,
            _ => false,
        };
        let same_name = class
            .methods
            .iter()
            .filter(named)
            .all(|m| *m.name == *wanted);
        if !fits || !same_name || method.access & STATIC != 0 {
            return None;
        }
        let made = class.method("<init>", constructor)?;
        let captured = captured(class, made)?;
        let body = over_captured_values(class, method, &captured)?;
        let shape = (
            wanted,
            format!("L{interface};"),
            format!("{erased} {}", method.descriptor),
        );
        let positions = captured.values().map(|c| c.0).collect();
        Some((Closure::of_class(shape, body), positions))
    }

    /// The name and descriptor of the only abstract method of an interface.
    fn function_type(&self, interface: &str) -> Option<(Arc<str>, Arc<str>)> {
        let of_object = self.version.class("java/lang/Object")?;
        let (all, whole) = self.version.ancestors(interface);
        let methods = all.iter().flat_map(|c| &c.methods);
        let mut open = methods.filter(|m| {
            m.access & ABSTRACT != 0 && of_object.method(&m.name, &m.descriptor).is_none()
        });
        let only = open.next()?;
        (whole && open.next().is_none()).then(|| (only.name.clone(), only.descriptor.clone()))
    }
}

/// What a constructor that does nothing else keeps in fields, by field.
fn captured(class: &ClassFile, made: &Method) -> Option<Captured> {
    let code = made.code.as_ref().filter(|c| c.handlers.is_empty())?;
    let positions: BTreeMap<u16, usize> = slots(&made.descriptor, 1)
        .into_iter()
        .enumerate()
        .map(|(i, (slot, _))| (slot, i + 1))
        .collect();
    let mut out = Captured::new();
    let mut rest = &code.insns[..];
    loop {
        rest = match rest {
            [
                Insn::Load(None, 0),
                Insn::Load(_, slot),
                Insn::PutField(f),
                tail @ ..,
            ] if f.class == class.name => {
                out.insert(f.name.clone(), (*positions.get(slot)?, *slot));
                tail
            }
            [
                Insn::Load(None, 0),
                Insn::Invoke(InvokeKind::Special, m),
                tail @ ..,
            ] if &*m.class == "java/lang/Object" => tail,
            [Insn::Return(None)] => return Some(out),
            _ => return None,
        };
    }
}

/// A method as a static one, whose first parameters are the captured values; `None` if it uses its object for anything else.
fn over_captured_values(
    class: &Arc<ClassFile>,
    method: &Method,
    captured: &Captured,
) -> Option<Body> {
    let code = method.code.as_ref()?;
    let mut places: BTreeMap<&str, (Option<Prim>, u16)> = BTreeMap::new();
    let (mut next, mut descriptors) = (0, String::new());
    for field in captured.keys() {
        let of = class.fields.iter().find(|f| f.name == *field)?;
        places.insert(field, (kind(&of.descriptor), next));
        descriptors.push_str(&of.descriptor);
        next += width(&of.descriptor);
    }
    let shift = next;
    let moved = |slot: u16| (slot > 0).then(|| slot - 1 + shift);
    let mut insns = Vec::with_capacity(code.insns.len());
    let mut all = code.insns.iter();
    while let Some(insn) = all.next() {
        let next = match insn {
            Insn::Load(None, 0) => {
                let Some(Insn::GetField(f)) = all.next() else {
                    return None;
                };
                let (kind, slot) = *places.get(&*f.name).filter(|_| f.class == class.name)?;
                insns.push(Insn::Nop);
                Insn::Load(kind, slot)
            }
            Insn::Load(kind, slot) => Insn::Load(*kind, moved(*slot)?),
            Insn::Store(kind, slot) => Insn::Store(*kind, moved(*slot)?),
            Insn::Iinc(slot, by) => Insn::Iinc(moved(*slot)?, *by),
            Insn::Ret(_) | Insn::Jsr(_) => return None,
            other => other.clone(),
        };
        insns.push(next);
    }
    let (takes, gives) = method.descriptor.strip_prefix('(')?.split_once(')')?;
    let code = Code {
        max_locals: code.max_locals + next,
        insns,
        locals: Vec::new(),
        ..(**code).clone()
    };
    let descriptor = format!("({descriptors}{takes}){gives}");
    Some(Body::of_code(
        class,
        ("lambda$", descriptor),
        SYNTHETIC,
        code,
    ))
}

/// The first slot and the type of each parameter.
fn slots(descriptor: &str, first: u16) -> Vec<(u16, String)> {
    let mut next = first;
    let all = parameter_descriptors(descriptor).into_iter();
    all.map(|d| {
        let slot = next;
        next += width(&d);
        (slot, d)
    })
    .collect()
}

fn width(descriptor: &str) -> u16 {
    match descriptor {
        "J" | "D" => 2,
        _ => 1,
    }
}

fn kind(descriptor: &str) -> Option<Prim> {
    match descriptor {
        "J" => Some(Prim::Long),
        "F" => Some(Prim::Float),
        "D" => Some(Prim::Double),
        d if d.starts_with(['L', '[']) => None,
        _ => Some(Prim::Int),
    }
}
