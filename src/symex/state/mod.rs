//! A product state: both versions in one, or one of them while the other is parked.

pub(in crate::symex) mod assembly;
pub(in crate::symex) mod bounds;
pub(in crate::symex) mod decision;
pub(in crate::symex) mod files;
pub(in crate::symex) mod heap;
pub(in crate::symex) mod interruption;
pub(in crate::symex) mod passed;
pub(in crate::symex) mod shape;
pub(in crate::symex) mod store_log;
pub(in crate::symex) mod strategy;
pub(in crate::symex) mod symbolic;
pub(in crate::symex) mod tree;

use crate::expr::Pool;
use crate::model::reason::Reason;
use crate::model::{Location, Version};
use crate::solver::Constraints;
use crate::symex::class::{ClassId, Method};
use crate::symex::state::decision::Decisions;
use crate::symex::state::files::Files;
use crate::symex::state::heap::{Heap, Slot};
use crate::symex::state::shape::InputShape;
use crate::symex::state::tree::Trail;
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::value::{ObjId, Value};
use std::sync::Arc;

/// A method activation.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The method.
    pub method: Arc<Method>,
    /// Index of the next instruction.
    pub pc: u32,
    /// Local variables; the second slot of a long or double is `Undef`.
    pub locals: Vec<Slot>,
    /// Operand stack; a long or double is one entry.
    pub stack: Vec<Slot>,
    /// Which checks of the instruction at `pc` are known to pass already.
    pub passed: u8,
    /// How often each branch with two feasible sides was taken.
    pub turns: Vec<(u32, u32)>,
    /// What happens when it returns.
    pub on_return: OnReturn,
}

impl Frame {
    /// The activation of a method at its first instruction, with these arguments and local variables.
    pub fn new(method: Arc<Method>, locals: Vec<Slot>) -> Frame {
        Frame {
            method,
            pc: 0,
            locals,
            stack: Vec::new(),
            passed: 0,
            turns: Vec::new(),
            on_return: OnReturn::Push,
        }
    }
}

/// What a frame's return means besides handing over its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReturn {
    /// The value goes to the caller.
    Push,
    /// A class initialiser: the class is initialised now (for these versions).
    Initialised(ClassId),
}

/// How a version's run stands when not simply running.
#[derive(Clone, Debug, PartialEq)]
pub enum Pending {
    /// It runs.
    None,
    /// An exception looks for a handler in the top frame.
    Throw(Slot),
    /// The frame at the join returned this (`None` for void).
    Returned(Option<Slot>),
}

/// The control state of one version, or of both together.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Activations, outermost first.
    pub frames: Vec<Arc<Frame>>,
    /// Exception or return under way.
    pub pending: Pending,
    /// How the entry method ended, once it has.
    pub end: Option<Ended>,
}

/// The end of the entry method.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Whether it threw `value`.
    pub threw: bool,
    /// What it returned (`None`: void) or threw.
    pub value: Option<Slot>,
    /// The driver's locals, which hold receiver and arguments.
    pub locals: Vec<Slot>,
}

/// Where the two versions of a region meet again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinAt {
    /// At that instruction of the frame.
    Pc(u32),
    /// At the frame's return.
    Return,
}

/// An `Only(v)` region (docs/architecture.md): the old version runs it first, then the new one.
#[derive(Clone, Debug)]
pub struct Region {
    /// Number of frames at the join, the joining one included.
    pub depth: usize,
    /// Where.
    pub at: JoinAt,
    /// The other version: at the start while the old one runs, at the join while the new one does.
    pub other: Arc<Thread>,
}

/// Which versions a state runs.
#[derive(Clone, Debug)]
pub enum Mode {
    /// Both.
    Both,
    /// One, until the region joins.
    Only(Version, Region),
    /// One, for good: control flow differed.
    Diverged(Version),
}

/// An object of which there is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Singleton {
    /// The interned string of these units.
    Literal(Arc<[u16]>),
    /// The `Class` of that name or descriptor.
    Mirror(Arc<str>),
    /// What a lambda expression that captures nothing gives, by the call site.
    Lambda(String),
    /// What the `Class` of that name caches in that field, for the running version or for both.
    OfClass(Arc<str>, &'static str, Option<Version>),
    /// The module of that name; the unnamed one without.
    Module(Option<&'static str>),
    /// Something of the JVM's own.
    Named(&'static str),
}

/// A symbolic state of the product program.
#[derive(Clone, Debug)]
pub struct State {
    /// Which versions run.
    pub mode: Mode,
    /// The running control state.
    pub thread: Thread,
    /// The old version at the divergence, while the new one runs to its end; then the new one at its end.
    pub parked: Option<Arc<Thread>>,
    /// The heap.
    pub heap: Heap,
    /// Statics objects and initialisation, per class.
    pub statics: rpds::HashTrieMapSync<ClassId, Statics>,
    /// Class mirrors and interned strings made so far.
    pub singletons: rpds::HashTrieMapSync<Singleton, ObjId>,
    /// Printed text.
    pub printed: Shadow<Text>,
    /// What lies in the working folder.
    pub files: Shadow<Files>,
    /// Path condition with a model.
    pub constraints: Constraints,
    /// Whether any value ever differed between the versions.
    pub split_seen: bool,
    /// Where the versions went apart.
    pub diverged_at: Option<(Location, Location)>,
    /// The ways it took where there were several.
    pub trail: Trail,
    /// What it decided in the project's own code.
    pub decisions: Decisions,
    /// What the input looks like.
    pub shape: Arc<InputShape>,
    /// Whether the method that gets symbolic arguments when called was called.
    pub entered: bool,
    /// Whether it follows the concrete input of a concolic run.
    pub concrete: bool,
    /// What differs from run to run and was taken as one run may have it, by the reason's name.
    pub chance: Option<Reason>,
    /// When it last came to an impacted statement that was not explored before (pruning by impact).
    pub explored_at: u64,
}

/// A class's statics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statics {
    /// The object that holds them.
    pub object: ObjId,
    /// Whether the class is initialised, per version.
    pub ready: Shadow<bool>,
    /// Whether its initialiser threw, per version.
    pub failed: Shadow<bool>,
}

impl Thread {
    /// A thread about to run `frame`.
    pub fn new(frame: Frame) -> Thread {
        Thread {
            frames: vec![Arc::new(frame)],
            pending: Pending::None,
            end: None,
        }
    }
}

impl State {
    /// Before the first instruction of `thread`: nothing is initialised, nothing is known of the input.
    pub fn at_start(pool: &mut Pool, mode: Mode, thread: Thread) -> State {
        State {
            mode,
            thread,
            parked: None,
            heap: Heap::default(),
            statics: rpds::HashTrieMapSync::new_sync(),
            singletons: rpds::HashTrieMapSync::new_sync(),
            printed: Shadow::Same(Text::constant(pool, &[])),
            files: Shadow::Same(Files::default()),
            constraints: Constraints::initial(pool),
            split_seen: false,
            diverged_at: None,
            trail: Default::default(),
            decisions: Default::default(),
            shape: Arc::new(InputShape::nothing()),
            entered: false,
            concrete: false,
            explored_at: 1,
            chance: None,
        }
    }

    /// The version that runs, `None` for both.
    pub fn version(&self) -> Option<Version> {
        match self.mode {
            Mode::Both => None,
            Mode::Only(v, _) | Mode::Diverged(v) => Some(v),
        }
    }

    /// A slot as the running version sees it: in single mode always `Same`.
    pub fn view(&self, slot: &Slot) -> Slot {
        match self.version() {
            None => *slot,
            Some(v) => Shadow::Same(slot.get(v)),
        }
    }

    /// What a write of `value` makes of a heap slot that holds `before`.
    pub fn merge(&self, before: &Slot, value: Slot) -> Slot {
        match self.version() {
            None => value,
            Some(v) => before.with(v, value.get(v)),
        }
    }

    /// The running frame.
    pub fn frame(&self) -> Option<&Frame> {
        self.thread.frames.last().map(|f| &**f)
    }

    /// The running frame, to be changed. Only called by instruction handlers, which run in a frame.
    pub fn top(&mut self) -> &mut Frame {
        match self.thread.frames.last_mut() {
            Some(frame) => Arc::make_mut(frame),
            None => unreachable!("an instruction runs in a frame"),
        }
    }

    /// Pushes an operand.
    pub fn push(&mut self, value: Slot) {
        self.split_seen |= value.is_split();
        self.top().stack.push(value);
    }

    /// Pushes a value that both versions share.
    pub fn push_same(&mut self, value: Value) {
        self.push(Shadow::Same(value));
    }

    /// Pops an operand. Verified bytecode never pops from an empty stack.
    pub fn pop(&mut self) -> Slot {
        let slot = self.top().stack.pop().unwrap_or(Shadow::Same(Value::Undef));
        self.view(&slot)
    }

    /// The operand `depth` entries below the top.
    pub fn peek(&self, depth: usize) -> Slot {
        let slot = self
            .frame()
            .and_then(|f| f.stack.len().checked_sub(depth + 1).map(|i| f.stack[i]))
            .unwrap_or(Shadow::Same(Value::Undef));
        self.view(&slot)
    }

    /// Moves on to the instruction `pc`.
    pub fn goto(&mut self, pc: u32) {
        let frame = self.top();
        frame.pc = pc;
        frame.passed = 0;
    }

    /// Moves on to the next instruction.
    pub fn advance(&mut self) {
        let frame = self.top();
        frame.pc += 1;
        frame.passed = 0;
    }

    /// Whether the input is still being made.
    pub fn makes_input(&self) -> bool {
        let driver = self.thread.frames.first();
        driver.is_some_and(|f| f.pc < self.shape.entry_pc)
    }

    /// Whether `id` is the entry method's receiver, and the entry method runs.
    pub fn is_receiver(&self, id: ObjId) -> bool {
        let Some(driver) = self.thread.frames.first() else {
            return false;
        };
        let local = self.shape.receiver_local.and_then(|l| driver.locals.get(l));
        driver.pc >= self.shape.entry_pc
            && local.is_some_and(|slot| {
                [slot.get(Version::Old), slot.get(Version::New)].contains(&Value::obj(id))
            })
    }

    /// Where the running frame stands, in its class's source.
    pub fn location(&self) -> Option<Location> {
        self.frame().and_then(Frame::location)
    }
}

impl Frame {
    /// The source position of the instruction at `pc`.
    pub fn location(&self) -> Option<Location> {
        let line = *self.method.code.as_ref()?.lines.get(self.pc as usize)?;
        let file = self.method.source_file.as_ref()?.to_string();
        (line > 0).then_some(Location { file, line })
    }
}
