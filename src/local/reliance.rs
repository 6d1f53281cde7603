//! Reliance on changed methods: those that an instruction may come to, exactly where all that it may run is known; and
//! initialisers that nobody sees run.

use super::body::Body;
use super::callbacks::{Callee, jdk_callees};
use super::enum_tables::is_case_table;
use super::version::Version;
use crate::bytecode::class_file::{BinOp, ClassFile, Code, Const, Insn, InvokeKind, MemberRef};
use crate::bytecode::{LoggerCall, is_jdk, parameter_descriptors};
use crate::impact;
use bit_set::BitSet;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Most bodies that are followed from one instruction.
const MOST: usize = 3_000;

/// Deepest nesting of what an inert initialiser calls.
const DEEPEST: u32 = 4;

/// Classes of the JDK that run nothing of the project when they are given numbers, texts or arrays of numbers.
const LEAVES: [&str; 15] = [
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/lang/Math",
    "java/lang/StrictMath",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Double",
    "java/lang/Float",
    "java/util/Arrays",
    "java/util/Objects",
];

/// Methods of `Class` that run no code of the class.
const ABOUT_CLASSES: [&str; 9] = [
    "cast",
    "desiredAssertionStatus",
    "getComponentType",
    "getName",
    "getSimpleName",
    "isArray",
    "isAssignableFrom",
    "isInstance",
    "isPrimitive",
];

/// Classes of the JDK that can be constructed empty without a visible effect.
const EMPTY: [&str; 12] = [
    "java/lang/Object",
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/HashSet",
    "java/util/LinkedHashSet",
    "java/util/TreeSet",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
];

impl Version {
    /// Numbers of the changed methods that an instruction may reach by calls.
    pub fn reachable_changes(&self, insn: &Insn) -> BitSet {
        let key = match insn {
            Insn::Invoke(kind, member) => Some((*kind, member.clone())),
            _ => None,
        };
        let known = key
            .as_ref()
            .and_then(|k| self.reachable_cache.borrow().get(k).cloned());
        if let Some(known) = known {
            return known;
        }
        let asked = match insn {
            Insn::InvokeDynamic(_) => referred(insn),
            _ => Some(insn.clone()),
        };
        let exact = asked.and_then(|insn| self.contained(&insn));
        let all = exact.unwrap_or_else(|| {
            let mut all = self.reach.by_calls(insn);
            all.union_with(&self.outside.comes_to);
            all
        });
        let all = self.outside.widened(self.with_cut_code(insn, all));
        if let Some(key) = key {
            self.reachable_cache.borrow_mut().insert(key, all.clone());
        }
        all
    }

    /// A set with the number of cut code, where the instruction itself may come to it.
    fn with_cut_code(&self, insn: &Insn, mut all: BitSet) -> BitSet {
        if let Some(numbers) = &self.outside.cut {
            let starts = |class: &str| {
                let (above, _) = self.ancestors(class);
                above.iter().any(|c| self.lost_initialiser(&c.name))
            };
            let cut = &self.outside.words.cut;
            if cut.is_met_by(insn, |name| self.is_own(name), starts) {
                all.insert(numbers.met);
            }
        }
        all
    }

    /// The same if all code that the instruction may run is known, else `None`.
    pub(super) fn contained(&self, insn: &Insn) -> Option<BitSet> {
        let mut found = BitSet::new();
        let mut seen: FxHashSet<*const Code> = FxHashSet::default();
        let (mut containers, mut elements) = (false, false);
        let mut todo = self.callees(insn)?;
        while let Some(run) = todo.pop() {
            let body = match run {
                Callee::Body(body) => body,
                Callee::ContainerMethods if containers || elements => continue,
                Callee::ElementMethods if elements => continue,
                family => {
                    containers = true;
                    elements |= matches!(family, Callee::ElementMethods);
                    todo.extend(self.callbacks(elements)?);
                    continue;
                }
            };
            if !seen.insert(Arc::as_ptr(&body.code)) {
                continue;
            }
            if seen.len() > MOST {
                return None;
            }
            let marks = self.marks.get(&impact::id(&body.class, &body.method));
            found.extend(marks.into_iter().flat_map(|m| m.values().copied()));
            // The proof of a changed method relies on what that calls.
            let covers = |mark: &usize| *mark >= self.first_method;
            if !marks.and_then(|m| m.get(&0)).is_some_and(covers) {
                todo.extend(self.body_callees(&body)?);
            }
        }
        Some(found)
    }

    /// The callees of all instructions of a body; `None` if some are unknown.
    fn body_callees(&self, body: &Body) -> Option<Vec<Callee>> {
        let key = Arc::as_ptr(&body.code);
        if let Some(known) = self.callees.borrow().get(&key) {
            return known.clone();
        }
        let insns = body.code.insns.iter();
        let each: Option<Vec<Vec<Callee>>> = insns.map(|insn| self.callees(insn)).collect();
        let all = each.map(|e| e.concat());
        self.callees.borrow_mut().insert(key, all.clone());
        all
    }

    /// The callees of one instruction; `None` if they are unknown.
    pub(super) fn callees(&self, insn: &Insn) -> Option<Vec<Callee>> {
        match insn {
            Insn::Invoke(_, member) if is_leaf(member) => Some(Vec::new()),
            Insn::Invoke(_, member) if self.is_enum_function(member) => Some(Vec::new()),
            Insn::Invoke(_, member) if self.logger_call(member).is_some() => Some(Vec::new()),
            Insn::Invoke(kind, member) => {
                if !self.is_own(&member.class) {
                    let mut all = vec![jdk_callees(member)?];
                    let direct = self.hierarchy.targets(insn).known;
                    all.extend(
                        direct
                            .iter()
                            .filter_map(|n| self.method_numbered(*n))
                            .map(Callee::Body),
                    );
                    return Some(all);
                }
                let mut all: Vec<Callee> = self
                    .targets(*kind, member)?
                    .into_iter()
                    .map(Callee::Body)
                    .collect();
                if *kind == InvokeKind::Static || &*member.name == "<init>" {
                    all.extend(self.initialised_by(&member.class)?);
                }
                Some(all)
            }
            Insn::InvokeDynamic(site) => {
                let text = parameter_descriptors(&site.descriptor);
                let plain = text.iter().all(|p| is_plain(p));
                match &*site.bootstrap.class {
                    "java/lang/invoke/StringConcatFactory" if plain => Some(Vec::new()),
                    "java/lang/invoke/StringConcatFactory" => Some(vec![Callee::ElementMethods]),
                    // Who runs what it makes is another instruction.
                    "java/lang/invoke/LambdaMetafactory" => Some(Vec::new()),
                    _ => None,
                }
            }
            Insn::GetStatic(table) if is_case_table(table) => self.initialised_by(&table.class),
            Insn::GetStatic(field) | Insn::PutStatic(field) => {
                let owner = self.field(field)?.owner;
                self.initialised_by(&owner)
            }
            Insn::New(class) => self.initialised_by(class),
            Insn::Const(Const::Dynamic(_)) => None,
            _ => Some(Vec::new()),
        }
    }

    /// What runs when a lambda or method reference is called.
    pub(super) fn reference_callees(&self, insn: &Insn) -> Option<Vec<Callee>> {
        self.callees(&referred(insn)?)
    }

    fn initialised_by(&self, class: &str) -> Option<Vec<Callee>> {
        let all = self.initialisers(class)?;
        Some(all.into_iter().map(Callee::Body).collect())
    }

    /// The initialisers that may run when a class is first used. Those of the JDK are assumed to have no effect.
    fn initialisers(&self, class: &str) -> Option<Vec<Body>> {
        let (all, whole) = self.ancestors(class);
        let own = all.iter().filter(|c| !is_jdk(&c.name));
        let found = own.clone().filter_map(initialiser).collect();
        let lost = own.into_iter().any(|c| self.lost_initialiser(&c.name));
        (whole && !lost).then_some(found)
    }

    /// Whether the initialisation of a class is invisible: it only computes values for the class's own static fields, the same in
    /// both versions.
    pub fn is_inert(&self, class: &str) -> bool {
        let Some(all) = self.initialisers(class) else {
            return false;
        };
        let first = Insn::New(Arc::from(class));
        self.contained(&first).is_some_and(|marks| marks.is_empty())
            && all
                .iter()
                .all(|body| self.makes_values(body, &body.class.name, DEEPEST))
    }

    /// Whether code only computes values for the static fields of the class being initialised, and for fields of objects that it
    /// constructs.
    fn makes_values(&self, body: &Body, initialised: &str, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        let own = |m: &MemberRef| m.class == body.class.name;
        let constructs = &*body.method.name == "<init>";
        // What is stored goes into arrays that are made here.
        let reads = |i: &Insn| matches!(i, Insn::GetStatic(m) | Insn::GetField(m) if m.descriptor.starts_with('['));
        let keeps_arrays = !body.code.insns.iter().any(reads);
        let fits = |(at, insn): (usize, &Insn)| match insn {
            Insn::Const(Const::Dynamic(_))
            | Insn::Athrow
            | Insn::CheckCast(_)
            | Insn::ArrayLoad(_)
            | Insn::ArrayLength
            | Insn::MultiANewArray(..)
            | Insn::MonitorEnter
            | Insn::MonitorExit
            | Insn::Switch(..)
            | Insn::Jsr(_)
            | Insn::Ret(_)
            | Insn::Bin(BinOp::Div | BinOp::Rem, _)
            | Insn::GetField(_) => false,
            Insn::ArrayStore(_) => keeps_arrays,
            Insn::PutField(m) => constructs && own(m),
            Insn::GetStatic(m) | Insn::PutStatic(m) => own(m) && *m.class == *initialised,
            Insn::Goto(to)
            | Insn::If(_, to)
            | Insn::IfIcmp(_, to)
            | Insn::IfAcmp(_, to)
            | Insn::IfNull(_, to) => *to as usize > at,
            Insn::New(class) => {
                let inert = || {
                    let all = self.initialisers(class);
                    // That of the class itself is running.
                    all.is_some_and(|all| {
                        all.iter()
                            .filter(|b| *b.class.name != *initialised)
                            .all(|b| self.makes_values(b, &b.class.name, depth))
                    })
                };
                **class == *body.class.name
                    || EMPTY.contains(&&**class)
                    || self.is_own(class) && inert()
            }
            Insn::Invoke(kind, m) => match kind {
                InvokeKind::Virtual | InvokeKind::Interface => {
                    &*m.class == "java/lang/Class"
                        && matches!(&*m.name, "desiredAssertionStatus" | "getName")
                }
                InvokeKind::Static if self.logger_call(m) == Some(LoggerCall::Makes) => true,
                InvokeKind::Special if EMPTY.contains(&&*m.class) => {
                    matches!(&*m.descriptor, "()V" | "(I)V") && is_jdk(&m.class)
                }
                InvokeKind::Special if &*m.class == "java/lang/Enum" => true,
                InvokeKind::Static if is_jdk(&m.class) => {
                    &*m.name == "valueOf"
                        && parameter_descriptors(&m.descriptor).len() == 1
                        && !m.descriptor.starts_with("(L")
                }
                _ if own(m) || *kind == InvokeKind::Special && self.is_own(&m.class) => self
                    .only_target(*kind, m)
                    .is_some_and(|b| self.makes_values(&b, initialised, depth)),
                _ => false,
            },
            Insn::InvokeDynamic(site) => {
                &*site.bootstrap.class == "java/lang/invoke/LambdaMetafactory"
                    && site.descriptor.split(')').next().unwrap_or_default() == "("
            }
            _ => true,
        };
        body.code.handlers.is_empty() && body.code.insns.iter().enumerate().all(fits)
    }
}

fn initialiser(class: &Arc<ClassFile>) -> Option<Body> {
    let mut methods = class.methods.iter();
    let method = methods.find(|m| &*m.name == "<clinit>")?;
    Some(Body {
        class: class.clone(),
        code: method.code.clone()?,
        method: Arc::new(method.clone()),
    })
}

/// The call that a method reference stands for.
fn referred(insn: &Insn) -> Option<Insn> {
    let Insn::InvokeDynamic(site) = insn else {
        return None;
    };
    let [_, Const::MethodHandle(handle), _] = &site.args[..] else {
        return None;
    };
    let kind = match handle.kind {
        5 => InvokeKind::Virtual,
        6 => InvokeKind::Static,
        // That of a constructor runs the initialiser too.
        7 | 8 => InvokeKind::Special,
        9 => InvokeKind::Interface,
        _ => return None,
    };
    let member = MemberRef {
        class: handle.class.clone(),
        name: handle.name.clone(),
        descriptor: handle.descriptor.clone(),
    };
    (&*site.bootstrap.class == "java/lang/invoke/LambdaMetafactory")
        .then(|| Insn::Invoke(kind, Arc::new(member)))
}

/// Whether no method of a value of that type runs code of the project.
pub(super) fn is_plain(descriptor: &str) -> bool {
    let element = descriptor.trim_start_matches('[');
    !element.starts_with('L') || element == "Ljava/lang/String;"
}

pub(super) fn is_leaf(member: &MemberRef) -> bool {
    let plain = parameter_descriptors(&member.descriptor);
    let plain = plain.iter().all(|p| is_plain(p));
    let empty = EMPTY.contains(&&*member.class) && &*member.name == "<init>";
    let constant = &*member.class == "java/lang/Enum" && &*member.name == "<init>";
    let copies = member.class.starts_with('[') && &*member.name == "clone";
    let clock = [
        "arraycopy",
        "nanoTime",
        "currentTimeMillis",
        "identityHashCode",
    ];
    let of_system = &*member.class == "java/lang/System" && clock.contains(&&*member.name);
    let of_class = match &*member.class {
        "java/lang/Class" => ABOUT_CLASSES.contains(&&*member.name),
        "java/lang/Object" => &*member.name == "getClass",
        class => &*member.name == "equals" && LEAVES.contains(&class) && !class.contains("util"),
    };
    let checks = &*member.class == "java/util/Objects" && &*member.name == "requireNonNull";
    of_system
        || of_class
        || constant
        || copies
        || plain && (empty || LEAVES.contains(&&*member.class))
        || checks && !member.descriptor.contains("Supplier")
}
