//! The virtual machine that all states of one exploration share: terms, classes, limits.

pub(in crate::symex) mod arithmetic;
pub(in crate::symex) mod array;
pub(in crate::symex) mod assemble;
pub(in crate::symex) mod box_identity;
pub(in crate::symex) mod class_caches;
pub(in crate::symex) mod content;
pub(in crate::symex) mod declared;
pub(in crate::symex) mod exception;
pub(in crate::symex) mod exit;
pub(in crate::symex) mod identity;
pub(in crate::symex) mod logged_array;
pub(in crate::symex) mod memory;
mod named_field;
pub(in crate::symex) mod proxy_types;
pub(in crate::symex) mod reruns;
pub(in crate::symex) mod side_table;
pub(in crate::symex) mod statics;
pub(in crate::symex) mod synthetic;
pub(in crate::symex) mod tables;
pub(in crate::symex) mod type_test;
pub(in crate::symex) mod view;

use crate::bytecode::class_file::{Code, Const};
use crate::expr::{Arith, Pool, Sort, Term, Valuation};
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::solver::Constraints;
use crate::symex::class::change_site::Site;
use crate::symex::class::linker::{LinkError, Linker, Program};
use crate::symex::class::{ClassId, Key, Method, Origin};
use crate::symex::state::bounds::Bounds;
use crate::symex::state::heap::{Body, Identity, Slot};
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::state::strategy::Strategy;
use crate::symex::state::{Frame, OnReturn, Singleton, State, Statics};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::value::{ObjId, Value};
use crate::symex::vm::reruns::Reruns;
use crate::symex::vm::side_table::SideTable;
use crate::symex::vm::tables::Tables;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A model: gets the receiver (if any) and the arguments as one version sees them, all alike when both versions run; leaves
/// the state as it was when it returns `Err`, because it is called again.
pub type Model = fn(&mut Vm, &mut State, &[Value]) -> Step<Option<Value>>;

/// Shared by all states of one exploration.
#[derive(Clone)]
pub struct Vm {
    /// Terms.
    pub pool: Pool,
    /// Classes.
    pub linker: Linker,
    /// Bounds.
    pub bounds: Bounds,
    /// Bounds of the input that some path depended on (`max-string`, …), with detail.
    pub touched: BTreeSet<(Reason, String)>,
    /// Static fields of the project that some path wrote outside of their class's initialiser: class, index.
    pub written_statics: BTreeSet<(ClassId, usize)>,
    /// How the exploration goes about its paths.
    pub strategy: Strategy,
    /// Arguments of the method that gets symbolic ones when it is first called.
    pub target: Option<Target>,
    /// The concrete input that a concolic run follows.
    pub seed: Option<Valuation>,
    /// Annotations that some path has run: method and instruction.
    pub visited: FxHashSet<(usize, u32)>,
    /// Ways taken where several were feasible, in the project's own code.
    pub branches: FxHashSet<Branch>,
    /// Ways that a followed input did not take at the branch at hand: the path condition there, and the way's own.
    pub turned: Vec<(Constraints, Term)>,
    /// Choices that turned out infeasible.
    pub infeasible: u64,
    /// Library methods of one character, tabulated.
    pub tables: Tables,
    /// What replaces methods' bodies, looked up when first asked for.
    pub models: SideTable<Option<Model>>,
    /// What the check of instructions that are run again saw.
    pub reruns: Reruns,
    /// The methods' `change` calls whose arguments are evaluated per version, found when first asked for.
    pub sites: SideTable<Vec<Site>>,
    /// The code of the last instruction. It is kept, since all threads count its users in one place: counting them for each instruction
    /// takes longer than the instruction.
    pub running: Option<Arc<Code>>,
}

/// A way taken: a hash of the method, the instruction, and what each version chose.
pub type Branch = (u64, u32, usize, usize);

/// The method that gets symbolic arguments when it is first called.
#[derive(Clone, Debug)]
pub struct Target {
    /// The method.
    pub method: Arc<Method>,
    /// Its arguments; `None` where the caller's stays.
    pub args: Vec<Option<Value>>,
}

impl From<LinkError> for Interruption {
    fn from(e: LinkError) -> Interruption {
        Interruption::GiveUp(Stop::unsupported(
            Reason::ClassNotFound,
            format!("{}: {}", e.class.dotted(), e.why),
        ))
    }
}

impl Vm {
    /// A machine for the classes of a program.
    pub fn new(arith: Arith, program: Arc<Program>, bounds: Bounds, strategy: Strategy) -> Vm {
        Vm {
            pool: Pool::new(arith),
            linker: Linker::new(program),
            bounds,
            touched: BTreeSet::new(),
            written_statics: BTreeSet::new(),
            strategy,
            target: None,
            seed: None,
            visited: FxHashSet::default(),
            branches: FxHashSet::default(),
            turned: Vec::new(),
            infeasible: 0,
            tables: Tables::default(),
            models: SideTable::default(),
            reruns: Reruns::default(),
            sites: SideTable::default(),
            running: None,
        }
    }

    /// A class name as the running version (or both) sees it; `Region` when they differ in `Both` mode.
    pub fn resolve(&mut self, state: &State, name: &Arc<str>) -> Step<ClassId> {
        let origin = state.frame().map_or(Origin::Library, |f| f.method.origin);
        let found = self.linker.resolve(name, origin)?;
        match (found, state.version()) {
            (Shadow::Same(id), _) => Ok(id),
            (split, Some(v)) => Ok(split.get(v)),
            _ => Err(per_version(state)),
        }
    }

    /// A library class that exists in every JDK.
    pub fn library(&mut self, name: &str) -> Step<ClassId> {
        Ok(self.linker.resolve_for(name, Version::New)?)
    }

    /// The value a field or array element of that type begins with (JVMS §2.3, §2.4).
    pub fn default_value(&mut self, descriptor: &str) -> Value {
        match descriptor.as_bytes().first() {
            Some(b'L' | b'[') => Value::NULL,
            Some(b'J') => Value::Prim(self.pool.long(0)),
            Some(b'F') => Value::Prim(self.pool.f32(0)),
            Some(b'D') => Value::Prim(self.pool.f64(0)),
            _ => Value::Prim(self.pool.int(0)),
        }
    }

    /// A new object with default fields.
    pub fn instantiate(&mut self, state: &mut State, class: ClassId) -> ObjId {
        let layout = self.linker.class(class).clone();
        let body = match &*layout.name {
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => {
                Body::Builder(Shadow::Same(Text::constant(&mut self.pool, &[])))
            }
            "java/lang/String" => Body::Str(Text::constant(&mut self.pool, &[])),
            _ => Body::Fields(
                layout
                    .layout
                    .iter()
                    .map(|f| Shadow::Same(self.default_value(&f.descriptor)))
                    .collect(),
            ),
        };
        state.heap.alloc(class, body)
    }

    /// An exception object as the JVM makes it.
    pub fn raise(&mut self, state: &mut State, name: &str) -> Step<Slot> {
        let class = self.library(name)?;
        let id = self.instantiate(state, class);
        // `Throwable` itself says so of a cause that is still to be given.
        self.set_field(state, id, "cause", Value::obj(id));
        if name == "java/lang/ArithmeticException" {
            let text: Vec<u16> = "/ by zero".encode_utf16().collect();
            let message = self.literal(state, &Arc::from(text))?;
            self.set_field(state, id, "detailMessage", message);
        }
        state.heap.get_mut(id).jvm_made = true;
        Ok(Shadow::Same(Value::obj(id)))
    }

    /// A new `String` object.
    pub fn new_string(&mut self, state: &mut State, text: Text) -> Step<Value> {
        let class = self.library("java/lang/String")?;
        Ok(Value::obj(state.heap.alloc(class, Body::Str(text))))
    }

    /// The interned string `units` (JLS §3.10.5).
    pub fn literal(&mut self, state: &mut State, units: &Arc<[u16]>) -> Step<Value> {
        let key = Singleton::Literal(units.clone());
        if let Some(id) = state.singletons.get(&key) {
            return Ok(Value::obj(*id));
        }
        let text = Text::constant(&mut self.pool, units);
        let class = self.library("java/lang/String")?;
        let id = state.heap.alloc(class, Body::Str(text));
        state.heap.get_mut(id).identity = Identity::Literal;
        state.singletons.insert_mut(key, id);
        Ok(Value::obj(id))
    }

    /// The `Class` object of an internal name or descriptor.
    pub fn mirror(&mut self, state: &mut State, name: &Arc<str>) -> Step<Value> {
        let key = Singleton::Mirror(name.clone());
        if let Some(id) = state.singletons.get(&key) {
            return Ok(Value::obj(*id));
        }
        let class = self.library("java/lang/Class")?;
        let id = state.heap.alloc(class, Body::Mirror(name.clone()));
        state.singletons.insert_mut(key, id);
        Ok(Value::obj(id))
    }

    /// `System.out` and the like.
    pub fn stream(&mut self, state: &mut State, name: &'static str) -> Step<Value> {
        let key = Singleton::Named(name);
        if let Some(id) = state.singletons.get(&key) {
            return Ok(Value::obj(*id));
        }
        let class = self.library("java/io/PrintStream")?;
        let id = state.heap.alloc(class, Body::Stream);
        state.singletons.insert_mut(key, id);
        Ok(Value::obj(id))
    }

    /// A loadable constant as a value.
    pub fn constant(&mut self, state: &mut State, constant: &Const) -> Step<Value> {
        Ok(match constant {
            Const::Int(i) => Value::Prim(self.pool.int(*i)),
            Const::Long(l) => Value::Prim(self.pool.long(*l)),
            Const::Float(b) => Value::Prim(self.pool.f32(*b)),
            Const::Double(b) => Value::Prim(self.pool.f64(*b)),
            Const::Str(units) => self.literal(state, units)?,
            Const::Class(name) => self.mirror(state, name)?,
            Const::MethodType(_) | Const::MethodHandle(_) | Const::Dynamic(_) => {
                return Err(Stop::unsupported(
                    Reason::UnsupportedConstant,
                    "method handle, type or dynamic constant",
                )
                .into());
            }
        })
    }

    /// Makes sure that `class` is initialised (JVMS §5.5). `Err(Next)` when its initialiser was entered: the instruction is
    /// tried again after it.
    pub fn initialise(&mut self, state: &mut State, class: ClassId) -> Step<ObjId> {
        let before = state.statics.get(&class).copied();
        let ready = before.map_or(Shadow::Same(false), |s| s.ready);
        let wanted = match state.version() {
            Some(v) => ready.get(v),
            None => match ready {
                Shadow::Same(r) => r,
                Shadow::Split { .. } => return Err(per_version(state)),
            },
        };
        if let (true, Some(statics)) = (wanted, before) {
            let side = state.version().unwrap_or(Version::New);
            if statics.failed.get(side) {
                return Err(Interruption::Raise("java/lang/NoClassDefFoundError"));
            }
            return Ok(statics.object);
        }
        let linked = self.linker.class(class).clone();
        let parent = match (linked.superclass, state.version()) {
            (Shadow::Same(parent), _) => parent,
            (split, Some(version)) => split.get(version),
            _ => return Err(per_version(state)),
        };
        if let Some(parent) = parent
            && !linked.is_interface()
        {
            self.initialise(state, parent)?;
        }
        if &*linked.name == "jdk/internal/reflect/ReflectionFactory" {
            // The JVM has initialised this one before any program.
            let early = self.library("java/lang/reflect/AccessibleObject")?;
            self.initialise(state, early)?;
        }
        let key: Key = (Arc::from("<clinit>"), Arc::from("()V"));
        let initialiser = if runs_no_initialiser(&linked.name) {
            Shadow::Same(None)
        } else {
            linked.declared(&key)
        };
        let initialiser = match (initialiser, state.version()) {
            (Shadow::Same(m), _) => m,
            (split, Some(v)) => split.get(v),
            _ => return Err(per_version(state)),
        };
        let object = match before {
            Some(statics) => statics.object,
            None => self.allocate_statics(state, class)?,
        };
        let ready = match state.version() {
            Some(v) => ready.with(v, true),
            None => Shadow::Same(true),
        };
        let failed = before.map_or(Shadow::Same(false), |s| s.failed);
        let statics = Statics {
            object,
            ready,
            failed,
        };
        state.statics.insert_mut(class, statics);
        match initialiser {
            None => Ok(object),
            Some(method) => {
                let frame = Frame {
                    locals: vec![
                        Shadow::Same(Value::Undef);
                        method.code.as_ref().map_or(0, |c| c.max_locals as usize)
                    ],
                    method,
                    pc: 0,
                    stack: Vec::new(),
                    passed: 0,
                    turns: Vec::new(),
                    on_return: OnReturn::Initialised(class),
                };
                state.thread.frames.push(Arc::new(frame));
                Err(Interruption::Initialising)
            }
        }
    }

    fn allocate_statics(&mut self, state: &mut State, class: ClassId) -> Step<ObjId> {
        let linked = self.linker.class(class).clone();
        let mut slots = Vec::with_capacity(linked.statics.len());
        for slot in &linked.statics {
            let mut side = |vm: &mut Vm, constant: &Option<Const>| match constant {
                Some(constant) => vm.constant(state, constant),
                None => Ok(vm.default_value(&slot.descriptor)),
            };
            slots.push(match &slot.constant {
                Shadow::Same(c) => Shadow::Same(side(self, c)?),
                Shadow::Split { old, new } => Shadow::join(side(self, old)?, side(self, new)?),
            });
        }
        state.split_seen |= slots.iter().any(Shadow::is_split);
        Ok(state.heap.alloc(class, Body::Fields(slots)))
    }

    /// Notes that the path goes on with one of the values that something has in one run or another.
    pub fn by_chance(&mut self, state: &mut State, reason: Reason) {
        state.chance = state.chance.or(Some(reason));
        self.touched
            .insert((reason, "as one run may have it".into()));
    }

    /// Whether the primitive has 64 bits on the operand stack.
    pub fn is_wide(&self, value: &Value) -> bool {
        matches!(value, Value::Prim(t) if matches!(self.pool.sort(*t), Sort::Bv(64) | Sort::F64))
    }
}

/// The instruction is to be run once per version, joining behind it.
pub fn per_version(state: &State) -> Interruption {
    let pc = state.frame().map_or(0, |f| f.pc);
    Interruption::Region {
        old: pc,
        new: pc,
        at: crate::symex::state::JoinAt::Pc(pc + 1),
    }
}

/// Core classes whose initialisers set up the JVM itself; their natives and state are modelled.
pub(in crate::symex) fn runs_no_initialiser(name: &str) -> bool {
    matches!(
        name,
        "java/lang/Object"
            | "java/lang/System"
            | "java/lang/Class"
            | "java/lang/Thread"
            | "java/lang/SecurityManager"
            | "java/lang/StringBuilder"
            | "java/lang/StringBuffer"
            | "java/lang/ref/Reference"
            | "java/util/concurrent/ForkJoinPool"
            | "jdk/internal/reflect/Reflection"
            | "java/io/PrintStream"
            | "jdk/internal/loader/BootLoader"
            | "com/shadowci/Shadow"
            | "com/shadowci/Shadow$Version"
    )
}
