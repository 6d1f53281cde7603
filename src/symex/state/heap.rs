//! The heap of a state: objects of both versions in one persistent vector, so that a fork shares everything.

use crate::bytecode::class_file::MethodHandle;
use crate::expr::Term;
use crate::symex::class::ClassId;
use crate::symex::state::store_log::SymbolicWrites;
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::value::{ObjId, Value};
use std::sync::Arc;

/// A slot that both versions can read and write.
pub type Slot = Shadow<Value>;

/// What an object consists of.
#[derive(Clone, Debug)]
pub enum Body {
    /// Instance fields in layout order (a class's statics too).
    Fields(Vec<Slot>),
    /// An array: length (32 bits, at most `values.len()`) and elements.
    Array {
        /// Descriptor of the element type.
        element: Arc<str>,
        /// Length.
        len: Term,
        /// Elements; those from `len` on mean nothing.
        values: Vec<Slot>,
    },
    /// An array with stores at symbolic indices.
    Logged(Arc<SymbolicWrites>),
    /// A `java.lang.String`.
    Str(Text),
    /// A `StringBuilder` or `StringBuffer`.
    Builder(Shadow<Text>),
    /// A `java.lang.Class`: internal name, or a descriptor for arrays and primitives.
    Mirror(Arc<str>),
    /// What a lambda or method reference evaluates to.
    Lambda(Arc<Lambda>),
    /// A lambda of an input: gives the same value on every call.
    Constantly {
        /// Its method's name.
        method: Arc<str>,
        /// The value; `None` where the method is void.
        result: Option<Slot>,
    },
    /// A dynamic proxy.
    Proxy(Arc<Proxy>),
    /// An input of which it may be open what it is.
    Choice(Choice),
    /// An environment object without state of its own (`System.out`).
    Stream,
}

/// One of several objects; settled once a single one is left, which then stands for it everywhere.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The objects and their conditions, which exclude each other.
    pub of: Vec<(Term, ObjId)>,
    /// The type that has more values than these.
    pub bound: Option<Arc<str>>,
}

/// A lambda or method reference.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// Its method's name.
    pub method: Arc<str>,
    /// What it calls.
    pub target: MethodHandle,
    /// Descriptor of its method with type arguments put in.
    pub instantiated: Arc<str>,
    /// Interfaces it has besides its own.
    pub markers: Vec<Arc<str>>,
    /// Captured values.
    pub captured: Vec<Slot>,
    /// Which build's code made it.
    pub origin: crate::symex::class::Origin,
}

/// An object of a class that `java.lang.reflect.Proxy` makes.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// Its interfaces, in order.
    pub interfaces: Vec<Arc<str>>,
    /// What its methods call.
    pub handler: ObjId,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Obj {
    /// Its class.
    pub class: ClassId,
    /// Its content.
    pub body: Body,
    /// A throwable that the JVM itself raised: its message, unless it has one here, is not known.
    pub jvm_made: bool,
    /// Of a string: which others are the same object.
    pub identity: Identity,
    /// Of a `String`: the bytes that the JDK's own code has read or written in it.
    pub view: Option<View>,
}

/// Which other strings a string is one object with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The library decides.
    Unknown,
    /// Made by `new`: no other one.
    New,
    /// A literal: those of the same text that are literals (JLS §3.10.5).
    Literal,
    /// An input: a literal, unless this holds. Then it is made by `new`.
    Input(Term),
}

/// A string as the JDK's own code sees it (*compact strings*, JEP 254).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Its `value`, once there is one.
    pub value: Option<ObjId>,
    /// Whether its `coder` is UTF-16.
    pub utf16: bool,
}

/// All objects of a state; cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    objects: rpds::VectorSync<Arc<Obj>>,
}

impl Heap {
    /// The first object of this heap that another one, made from it, has not as it is here. New objects are no difference.
    pub fn first_difference(&self, other: &Heap) -> Option<usize> {
        let same = |(a, b): (&Arc<Obj>, &Arc<Obj>)| {
            Arc::ptr_eq(a, b) || format!("{a:?}") == format!("{b:?}")
        };
        if other.objects.len() < self.objects.len() {
            return Some(other.objects.len());
        }
        let mut pairs = self.objects.iter().zip(other.objects.iter());
        pairs.position(|pair| !same(pair))
    }

    /// Adds an object.
    pub fn alloc(&mut self, class: ClassId, body: Body) -> ObjId {
        self.push(Obj {
            class,
            body,
            jvm_made: false,
            identity: Identity::Unknown,
            view: None,
        })
    }

    /// Adds an object as it is.
    pub fn push(&mut self, obj: Obj) -> ObjId {
        let id = ObjId(self.objects.len() as u32);
        self.objects.push_back_mut(Arc::new(obj));
        id
    }

    /// The object `id`. Ids only come from `alloc` of this heap or of one it was cloned from.
    pub fn get(&self, id: ObjId) -> &Obj {
        let id = self.chosen(id).unwrap_or(id);
        &self.objects[id.0 as usize]
    }

    /// The object that `id` stands for, or the choice that is still open.
    pub fn chosen(&self, id: ObjId) -> Result<ObjId, &Choice> {
        match &self.objects[id.0 as usize].body {
            Body::Choice(choice) => match choice.of[..] {
                [(_, only)] => Ok(only),
                _ => Err(choice),
            },
            _ => Ok(id),
        }
    }

    /// Settles a choice.
    pub fn settle(&mut self, id: ObjId, to: ObjId) {
        if let Body::Choice(choice) = &mut self.get_mut(id).body {
            choice.of.retain(|(_, object)| *object == to);
        }
    }

    /// The object `id`, to be changed.
    pub fn get_mut(&mut self, id: ObjId) -> &mut Obj {
        let id = self.chosen(id).unwrap_or(id);
        let slot = self.objects.get_mut(id.0 as usize);
        match slot {
            Some(rc) => Arc::make_mut(rc),
            None => unreachable!("ids come from this heap"),
        }
    }

    /// Whether any object is like that.
    pub fn any(&self, is: impl Fn(&Obj) -> bool) -> bool {
        self.objects.iter().any(|o| is(o))
    }

    /// How many objects there are.
    pub fn len(&self) -> u32 {
        self.objects.len() as u32
    }
}
