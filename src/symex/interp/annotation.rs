//! `change(old, new)` and `execute(version)`: ours, and those that a program declares itself (docs/unification.md; paper 000 §3).

use crate::bytecode::class_file::{
    BinOp, Cmp, Code, Const, Insn, InvokeKind, MemberRef, MethodHandle,
};
use crate::model::Version;
use crate::model::reason::Reason;
use crate::symex::class::change_site::Site;
use crate::symex::class::{Method, split_descriptor};
use crate::symex::interp::depth::depths;
use crate::symex::interp::invoke::join_of;
use crate::symex::interp::run::enter_region;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::state::strategy::Annotations;
use crate::symex::state::{JoinAt, State};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::{Ref, Value};
use crate::symex::vm::Vm;
use std::collections::BTreeSet;
use std::sync::Arc;

const OURS: &str = "com/shadowci/Shadow";

/// Whether a call is an annotation by its owner, name and shape; `project` tells whether a class is the project's own.
pub(in crate::symex) fn is_annotation(
    annotations: Annotations,
    target: &MemberRef,
    project: impl FnOnce() -> bool,
) -> bool {
    if &*target.class == OURS {
        return true;
    }
    annotations == Annotations::Declared && shape(target).is_some() && project()
}

/// Whether a lambda's body, or one of a lambda in it, has code for one version only.
pub(in crate::symex) fn has_changes(vm: &mut Vm, body: &MethodHandle) -> bool {
    let mut todo = vec![body.clone()];
    let mut seen = BTreeSet::new();
    while let Some(next) = todo.pop() {
        if !seen.insert((
            next.class.clone(),
            next.name.clone(),
            next.descriptor.clone(),
        )) {
            continue;
        }
        let Ok(class) = vm.linker.resolve_for(&next.class, Version::New) else {
            continue;
        };
        let class = vm.linker.class(class).clone();
        if !class.project {
            continue;
        }
        let code = match class
            .methods
            .get(&(next.name.clone(), next.descriptor.clone()))
        {
            Some(Shadow::Same(Some(method))) => method.code.clone(),
            // Each version has its own.
            Some(Shadow::Split { .. }) => return true,
            _ => None,
        };
        let Some(code) = code else { continue };
        for insn in &code.insns {
            match insn {
                Insn::Invoke(_, m) if is_annotation(vm.strategy.annotations, m, || true) => {
                    return true;
                }
                Insn::InvokeDynamic(made) => {
                    todo.extend(made.args.iter().filter_map(|arg| match arg {
                        Const::MethodHandle(inner) if inner.name.starts_with("lambda$") => {
                            Some(MethodHandle::clone(inner))
                        }
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
    }
    false
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Change,
    Execute,
}

/// `change(T, T)` that returns `T`, `execute(X)` that returns boolean.
fn shape(target: &MemberRef) -> Option<Shape> {
    let (params, result) = split_descriptor(&target.descriptor);
    match (&*target.name, params.as_slice()) {
        ("change", [a, b]) if a == b && *a == result => Some(Shape::Change),
        ("execute", [_]) if &*result == "Z" => Some(Shape::Execute),
        _ => None,
    }
}

/// Runs an annotation.
pub(in crate::symex) fn annotate(
    vm: &mut Vm,
    state: &mut State,
    kind: InvokeKind,
    target: &MemberRef,
) -> Step<()> {
    if let Some(frame) = state.frame() {
        let site = (Arc::as_ptr(&frame.method) as usize, frame.pc);
        vm.visited.insert(site);
    }
    match &*target.name {
        "change" => {
            let (new, old) = (state.pop(), state.pop());
            if kind != InvokeKind::Static {
                state.pop();
            }
            let value = match state.version() {
                Some(Version::Old) => old,
                Some(Version::New) => new,
                None => Shadow::join(old.get(Version::Old), new.get(Version::New)),
            };
            if is_off_input(vm, state) && !value.is_split() {
                return Err(Interruption::Exclude);
            }
            state.push(value);
            state.advance();
            Ok(())
        }
        "execute" => execute(vm, state, kind, target),
        "condition" => {
            state.advance();
            Ok(())
        }
        name => Err(Stop::unsupported(Reason::UnsupportedAnnotation, name).into()),
    }
}

/// Whether a concolic run tried this state's choices only to see whether they lead to a divergence.
pub(in crate::symex) fn is_off_input(vm: &Vm, state: &State) -> bool {
    vm.seed.is_some() && !state.concrete && state.version().is_none()
}

fn execute(vm: &mut Vm, state: &mut State, kind: InvokeKind, target: &MemberRef) -> Step<()> {
    let marker = state.pop();
    let Some(of) = marked(vm, state, target, &marker) else {
        let detail = "execute of something that is neither OLD nor NEW";
        return Err(Stop::unsupported(Reason::UnsupportedAnnotation, detail).into());
    };
    if kind != InvokeKind::Static {
        state.pop();
    }
    state.advance();
    if vm.strategy.annotations == Annotations::Declared
        && state.version().is_none()
        && let Some(region) = guarded(state, of)
    {
        return Err(region);
    }
    let (no, yes) = (Value::Prim(vm.pool.int(0)), Value::Prim(vm.pool.int(1)));
    let value = if of == Version::Old {
        Shadow::join(yes, no)
    } else {
        Shadow::join(no, yes)
    };
    let value = state.view(&value);
    state.push(value);
    Ok(())
}

/// `if (execute(V)) { … }`: a region that only one version runs, not a divergence. The state stands at the `if`.
fn guarded(state: &State, of: Version) -> Option<Interruption> {
    let frame = state.frame()?;
    let (method, pc) = (frame.method.clone(), frame.pc);
    let Insn::If(cmp, target) = method.code.as_ref()?.insns.get(pc as usize)? else {
        return None;
    };
    let goes = |true_here: bool| match (cmp, true_here) {
        (Cmp::Eq, false) | (Cmp::Ne, true) => *target,
        _ => pc + 1,
    };
    let at = match join_of(&method, pc) {
        // A `return` in the block is a divergence, not a way to the end that both versions come to (paper 000 §3).
        JoinAt::Return => JoinAt::Pc(behind_block(method.code.as_ref()?, pc, *target)),
        at => at,
    };
    Some(Interruption::Region {
        old: goes(of == Version::Old),
        new: goes(of == Version::New),
        at,
    })
}

/// The end of the `if` statement at `pc`, whose block ends before `target`, where javac's code says so: behind the `else`
/// block if there is one.
fn behind_block(code: &Code, pc: u32, target: u32) -> u32 {
    match code.insns.get(target.saturating_sub(1) as usize) {
        Some(Insn::Goto(end)) if *end > target && target > pc => *end,
        _ => target,
    }
}

/// Which version the argument of `execute` names: for ours OLD is 0; a declared `boolean OLD` is true, as in the research
/// subjects; an enum constant says it by its name.
fn marked(vm: &Vm, state: &State, target: &MemberRef, marker: &Slot) -> Option<Version> {
    match marker.same()? {
        Value::Prim(term) => {
            let old = if target.descriptor.starts_with("(Z)") {
                1
            } else {
                0
            };
            let is = vm.pool.as_i64(*term)?;
            Some(if is == old {
                Version::Old
            } else {
                Version::New
            })
        }
        Value::Ref(Ref::Obj(id)) => {
            let obj = state.heap.get(*id);
            let class = vm.linker.class(obj.class);
            let at = class.field("ordinal", "I")?;
            let Body::Fields(slots) = &obj.body else {
                return None;
            };
            let Some(Value::Prim(ordinal)) = slots.get(at)?.same() else {
                return None;
            };
            let name = class
                .constants
                .get(usize::try_from(vm.pool.as_i64(*ordinal)?).ok()?)?;
            match &**name {
                "OLD" | "BEFORE" => Some(Version::Old),
                "NEW" | "AFTER" => Some(Version::New),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Before an instruction: at an argument of `change` that not every running version evaluates, goes the way of the papers (the
/// old argument for the old version only, the new one for the new one). Says whether the state moved.
pub(in crate::symex) fn at_argument(vm: &mut Vm, state: &mut State) -> bool {
    if vm.strategy.annotations == Annotations::Unified {
        return false;
    }
    let Some(frame) = state.frame().filter(|f| f.method.project && f.passed == 0) else {
        return false;
    };
    let pc = frame.pc;
    let site = site_at(vm, &frame.method, pc);
    let (Some(site), nothing) = (site, Shadow::Same(Value::Undef)) else {
        return false;
    };
    match state.version() {
        None if site.old == pc => {
            enter_region(state, site.old, site.new, JoinAt::Pc(site.call));
            if let crate::symex::state::Mode::Only(_, region) = &mut state.mode {
                let other = Arc::make_mut(&mut region.other);
                if let Some(top) = other.frames.last_mut() {
                    Arc::make_mut(top).stack.push(nothing);
                }
            }
        }
        Some(Version::New) if site.old == pc => {
            state.top().stack.push(nothing);
            state.goto(site.new);
        }
        Some(Version::Old) if site.new == pc => {
            state.top().stack.push(nothing);
            state.goto(site.call);
        }
        _ => return false,
    }
    true
}

/// The `change` call of a method of which an argument begins there.
fn site_at(vm: &mut Vm, method: &Arc<Method>, pc: u32) -> Option<Site> {
    if let Some(known) = vm.sites.get(method) {
        let begins = |s: &&Site| s.old == pc || s.new == pc;
        return known.iter().find(begins).copied();
    }
    let declared = |class: &str| vm.linker.is_project(class);
    let found = match &method.code {
        Some(code) => find_sites(code, declared),
        None => Vec::new(),
    };
    vm.sites.insert(method, found);
    site_at(vm, method, pc)
}

/// Instructions that evaluate a `change` call's old argument, where each version evaluates its own.
pub(in crate::symex) fn old_arguments(vm: &Vm, code: &Code) -> Vec<std::ops::Range<u32>> {
    if vm.strategy.annotations == Annotations::Unified {
        return Vec::new();
    }
    let sites = find_sites(code, |class| vm.linker.is_project(class));
    sites.iter().map(|s| s.old..s.new).collect()
}

fn find_sites(code: &Code, project: impl Fn(&str) -> bool) -> Vec<Site> {
    let changes = |insn: &Insn| match insn {
        Insn::Invoke(kind, m) if shape(m) == Some(Shape::Change) => {
            is_annotation(Annotations::Declared, m, || project(&m.class)).then_some(*kind)
        }
        _ => None,
    };
    if !code.insns.iter().any(|i| changes(i).is_some()) {
        return Vec::new();
    }
    let depths = depths(code);
    let mut sites = Vec::new();
    for (call, insn) in code.insns.iter().enumerate() {
        let (Some(_), Some(depth)) = (changes(insn), depths[call]) else {
            continue;
        };
        let found = depth.checked_sub(1).and_then(|at| {
            let new = begin(code, &depths, at, call as u32)?;
            let old = begin(code, &depths, at.checked_sub(1)?, new)?;
            Some((old, new))
        });
        if let Some((old, new)) = found
            && code.insns[old as usize..call].iter().any(acts)
        {
            let call = call as u32;
            sites.push(Site { old, new, call });
        }
    }
    sites
}

/// Where the expression begins whose value is operand `at` before `end`: the last instruction with so many operands before it
/// that nothing jumps past.
fn begin(code: &Code, depths: &[Option<usize>], at: usize, end: u32) -> Option<u32> {
    (0..end).rev().find(|q| {
        let inside = |t: u32| t > *q && t <= end;
        let jumped_into = (0..code.insns.len() as u32)
            .filter(|p| !(*q..end).contains(p))
            .any(|p| crate::impact::successors(code, p).into_iter().any(inside));
        depths[*q as usize] == Some(at) && !jumped_into
    })
}

/// Whether evaluating it for a version that does not want it could be seen, as a branch, an effect or an exception.
fn acts(insn: &Insn) -> bool {
    !matches!(
        insn,
        Insn::Nop
            | Insn::AconstNull
            | Insn::Const(_)
            | Insn::Load(..)
            | Insn::Neg(_)
            | Insn::Convert(..)
    ) && !matches!(insn, Insn::Bin(op, _) if !matches!(op, BinOp::Div | BinOp::Rem))
}
