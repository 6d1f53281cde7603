//! From which program points an annotation can still be reached, and how far it is (directed exploration, paper 000 §3).

use super::annotation::is_annotation;
use super::class::Method;
use super::heap::{Body, Slot};
use super::state::{Frame, Mode, OnReturn, Pending, State};
use super::vm::Vm;
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn};
use crate::impact::successors;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// No annotation can be reached.
pub(super) const NEVER: u32 = u32::MAX;

type Key = (Arc<str>, Arc<str>);

/// A method, kept alive because its address is the key, and the distance of each of its instructions.
type Distances = (Rc<Method>, Rc<[u32]>);

/// What is known of the whole project; it can't change while exploring.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Methods, by name and descriptor, whose run may reach an annotation: an invocation counts whatever class it names.
    carriers: FxHashSet<Key>,
    /// Whether library code can call a carrier (an override of a library method, a lambda, an initialiser).
    called_back: bool,
    /// Distances per method; second: without the annotations that were run already.
    distances: FxHashMap<(usize, bool), Distances>,
    /// How many annotations had been run when the second kind was computed.
    visited: usize,
}

impl Reach {
    /// Looks through all classes of the project.
    pub(super) fn of(vm: &Vm) -> Reach {
        let classes = vm.linker.project_classes();
        let mut reach = Reach::default();
        loop {
            let before = reach.carriers.len();
            for (class, method) in classes
                .iter()
                .flat_map(|c| c.methods.iter().map(move |m| (c, m)))
            {
                let key = (method.name.clone(), method.descriptor.clone());
                let Some(code) = method
                    .code
                    .as_ref()
                    .filter(|_| !reach.carriers.contains(&key))
                else {
                    continue;
                };
                if code.insns.iter().any(|i| reach.hits(vm, i)) {
                    reach.called_back |= callable_back(class, &key, method.access, &classes);
                    reach.carriers.insert(key);
                }
            }
            if reach.carriers.len() == before {
                return reach;
            }
        }
    }

    fn hits(&self, vm: &Vm, insn: &Insn) -> bool {
        match insn {
            Insn::Invoke(_, m) => {
                is_annotation(vm.strategy.annotations, m, || {
                    vm.linker.is_project(&m.class)
                }) || self
                    .carriers
                    .contains(&(m.name.clone(), m.descriptor.clone()))
                    || (self.called_back && !vm.linker.is_project(&m.class))
            }
            Insn::InvokeDynamic(site) => {
                self.called_back
                    || site.args.iter().any(|a| match a {
                        Const::MethodHandle(h) => self
                            .carriers
                            .contains(&(h.name.clone(), h.descriptor.clone())),
                        _ => false,
                    })
            }
            // May run a class initialiser.
            Insn::New(_) | Insn::GetStatic(_) | Insn::PutStatic(_) => self.called_back,
            _ => false,
        }
    }

    fn distances(&mut self, vm: &Vm, method: &Rc<Method>, unvisited: bool) -> Rc<[u32]> {
        if unvisited && self.visited != vm.visited.len() {
            self.visited = vm.visited.len();
            self.distances.retain(|(_, unvisited), _| !unvisited);
        }
        let id = Rc::as_ptr(method) as usize;
        if let Some(found) = self.distances.get(&(id, unvisited)) {
            return found.1.clone();
        }
        let seen = |pc: u32| unvisited && vm.visited.contains(&(id, pc));
        let computed: Rc<[u32]> = match &method.code {
            Some(code) => backwards(code, |pc| {
                !seen(pc) && self.hits(vm, &code.insns[pc as usize])
            })
            .into(),
            None => Rc::from([]),
        };
        let entry = (method.clone(), computed.clone());
        self.distances.insert((id, unvisited), entry);
        computed
    }

    /// Instructions to the next annotation, in the frames on the stack; `NEVER` when there is none. `unvisited`: to one that no
    /// path has run yet.
    pub(super) fn distance(&mut self, vm: &Vm, state: &State, unvisited: bool) -> u32 {
        let frames = &state.thread.frames;
        let mut left: u32 = 0;
        for (i, frame) in frames.iter().enumerate().rev() {
            let of = self.distances(vm, &frame.method, unvisited);
            let here = match frames.get(i + 1) {
                // The instruction runs again once the class is initialised.
                Some(callee) if callee.on_return != OnReturn::Push => at(&of, frame.pc),
                Some(_) => behind(&of, frame, true),
                None => match state.thread.pending {
                    Pending::None => at(&of, frame.pc),
                    Pending::Throw(_) => behind(&of, frame, false),
                    Pending::Returned(_) => NEVER,
                },
            };
            if here != NEVER {
                return here.saturating_add(left);
            }
            left = left.saturating_add(1000);
        }
        NEVER
    }
}

fn at(distances: &[u32], pc: u32) -> u32 {
    distances.get(pc as usize).copied().unwrap_or(NEVER)
}

/// From behind the instruction the frame stands at: its handlers, and its successors when it may end normally.
fn behind(distances: &[u32], frame: &Frame, normally: bool) -> u32 {
    let Some(code) = &frame.method.code else {
        return NEVER;
    };
    let handlers = code
        .handlers
        .iter()
        .filter(|h| (h.start..h.end).contains(&frame.pc))
        .map(|h| h.target);
    let next = if normally {
        successors(code, frame.pc)
    } else {
        Vec::new()
    };
    let all = handlers.chain(next).map(|pc| at(distances, pc));
    all.min().unwrap_or(NEVER)
}

/// Instructions to the nearest one that hits, over normal and exceptional edges.
fn backwards(code: &Code, hits: impl Fn(u32) -> bool) -> Vec<u32> {
    let n = code.insns.len() as u32;
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); n as usize];
    for pc in 0..n {
        let handlers = code
            .handlers
            .iter()
            .filter(|h| (h.start..h.end).contains(&pc))
            .map(|h| h.target);
        for next in successors(code, pc).into_iter().chain(handlers) {
            if let Some(list) = before.get_mut(next as usize) {
                list.push(pc);
            }
        }
    }
    let mut distances = vec![NEVER; n as usize];
    let mut todo: VecDeque<u32> = (0..n).filter(|pc| hits(*pc)).collect();
    for pc in &todo {
        distances[*pc as usize] = 0;
    }
    while let Some(pc) = todo.pop_front() {
        for p in std::mem::take(&mut before[pc as usize]) {
            if distances[p as usize] == NEVER {
                distances[p as usize] = distances[pc as usize] + 1;
                todo.push_back(p);
            }
        }
    }
    distances
}

/// Whether code that is not the project's may call this carrier: what overrides a library method, or is handed out as a lambda.
fn callable_back(class: &ClassFile, key: &Key, flags: u16, classes: &[Arc<ClassFile>]) -> bool {
    use super::class::access::{PRIVATE, STATIC};
    let own = |name: &Arc<str>| classes.iter().any(|c| c.name == *name);
    let of_object = matches!(
        &*key.0,
        "toString" | "equals" | "hashCode" | "clone" | "finalize" | "compareTo" | "<clinit>"
    );
    let outside = class
        .super_name
        .iter()
        .filter(|n| &***n != "java/lang/Object")
        .chain(&class.interfaces)
        .any(|n| !own(n) || of_library(n, classes));
    key.0.starts_with("lambda$")
        || of_object
        || (outside && flags & (PRIVATE | STATIC) == 0 && &*key.0 != "<init>")
}

/// Whether a class of the project has a supertype outside it other than `Object`.
fn of_library(name: &Arc<str>, classes: &[Arc<ClassFile>]) -> bool {
    let Some(class) = classes.iter().find(|c| c.name == *name) else {
        return true;
    };
    class
        .super_name
        .iter()
        .filter(|n| &***n != "java/lang/Object")
        .chain(&class.interfaces)
        .any(|n| of_library(n, classes))
}

/// Whether any value of the state differs between the versions.
pub(super) fn carries_difference(state: &State) -> bool {
    let any = |slots: &[Slot]| slots.iter().any(|s| s.is_split());
    let pending = match &state.thread.pending {
        Pending::None | Pending::Returned(None) => false,
        Pending::Throw(slot) | Pending::Returned(Some(slot)) => slot.is_split(),
    };
    pending
        || state.printed.is_split()
        || state.statics.values().any(|s| s.ready.is_split())
        || state
            .thread
            .frames
            .iter()
            .any(|f| any(&f.locals) || any(&f.stack))
        || state.heap.any(|obj| match &obj.body {
            Body::Fields(slots) => any(slots),
            Body::Array { values, .. } => any(values),
            Body::Builder(text) => text.is_split(),
            Body::Lambda(lambda) => any(&lambda.captured),
            Body::Constantly { result, .. } => result.is_some_and(|r| r.is_split()),
            Body::Str(_) | Body::Mirror(_) | Body::Stream | Body::Choice(_) => false,
        })
}

/// Whether the state can't come to a difference any more (paper 000 §3): it has none, and reaches no annotation.
pub(super) fn is_cut(vm: &Vm, reach: &mut Reach, state: &State) -> bool {
    matches!(state.mode, Mode::Both)
        && reach.distance(vm, state, false) == NEVER
        && !carries_difference(state)
}
