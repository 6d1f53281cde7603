//! Inputs: how receivers and arguments are built symbolically, and what they are under a model (DESIGN §5, *Inputs*).

use super::class::Method;
use super::heap::{Body, Heap, Slot};
use super::linker::{class_name_of, method_id};
use super::run::driver_frame;
use super::shadow::Shadow;
use super::state::Frame;
use super::synthetic::{self, kind, size};
use super::text::Text;
use super::value::{Ref, Value};
use super::vm::Vm;
use crate::bytecode::class_file::{Insn, InvokeKind, MemberRef};
use crate::expr::{Model, Pool, Sort, Term, Value as Constant, VarId};
use crate::verdict::{Input, Inputs, MethodId, Version};
use std::rc::Rc;
use std::sync::Arc;

/// How one parameter may be built.
#[derive(Clone, Debug)]
pub enum Spec {
    /// A symbolic primitive, string, box or array: a local of the driver.
    Symbolic(Arc<str>),
    /// `null`.
    Null,
    /// An enum constant.
    Constant {
        /// Internal name of the enum.
        class: Arc<str>,
        /// Its constant.
        name: Arc<str>,
    },
    /// A constructor (or static factory) call and further calls on the object.
    Call {
        /// What makes it.
        maker: Rc<Method>,
        /// Arguments.
        args: Vec<Spec>,
        /// Prior calls.
        calls: Vec<(Rc<Method>, Vec<Spec>)>,
    },
}

/// A symbolic input value, ready to be read under a model.
#[derive(Clone, Debug)]
pub enum Symbolic {
    /// A primitive of that descriptor.
    Prim(u8, Term),
    /// A string, null under the condition.
    Str(Term, Text),
    /// A box.
    Boxed(Term, u8, Term),
    /// An array.
    Array {
        /// Null under this condition.
        null: Term,
        /// Element descriptor.
        element: Arc<str>,
        /// Length.
        len: Term,
        /// Elements.
        values: Vec<Symbolic>,
    },
    /// Always null.
    Null,
    /// An enum constant.
    Constant(String, String),
    /// An object.
    Object {
        /// What makes it.
        maker: MethodId,
        /// Arguments.
        args: Vec<Symbolic>,
        /// Prior calls.
        calls: Vec<(MethodId, Vec<Symbolic>)>,
    },
}

/// What a state's input looks like.
#[derive(Clone, Debug)]
pub struct InputShape {
    /// The entry method.
    pub entry: MethodId,
    /// Index of the driver's instruction that enters it.
    pub entry_pc: u32,
    /// The receiver.
    pub receiver: Option<Symbolic>,
    /// The arguments.
    pub args: Vec<Symbolic>,
    /// The driver's local that holds the receiver (of a constructor entry: the new object is the driver's result).
    pub receiver_local: Option<usize>,
    /// The driver's locals that hold the arguments.
    pub arg_locals: Vec<usize>,
    /// Whether the entry is a constructor.
    pub constructor: bool,
    /// The first that many objects of the heap are symbolic inputs.
    pub objects: u32,
}

/// Builds the driver of one input shape.
pub(super) struct Driver<'a> {
    pub vm: &'a mut Vm,
    pub heap: &'a mut Heap,
    pub locals: Vec<Slot>,
    pub insns: Vec<Insn>,
}

/// A wildcard of `Stop` free construction: everything the driver can't build was refused when the specs were made.
pub(super) type Built<T> = Result<T, super::effect::Effect>;

impl Driver<'_> {
    /// Emits code that leaves the value in a new local; returns the local and the value's description.
    fn build(&mut self, spec: &Spec, name: &str) -> Built<(u16, Symbolic)> {
        match spec {
            Spec::Symbolic(descriptor) => {
                let (value, symbolic) = self.symbolic(descriptor, name, 0)?;
                Ok((self.local(value, descriptor), symbolic))
            }
            Spec::Null => Ok((self.local(Value::NULL, "L;"), Symbolic::Null)),
            Spec::Constant { class, name } => {
                let descriptor = format!("L{class};");
                let field = MemberRef {
                    class: class.clone(),
                    name: name.clone(),
                    descriptor: Arc::from(descriptor.as_str()),
                };
                self.insns.push(Insn::GetStatic(Arc::new(field)));
                let local = self.store(&descriptor);
                Ok((
                    local,
                    Symbolic::Constant(class.replace('/', "."), name.to_string()),
                ))
            }
            Spec::Call { maker, args, calls } => self.call(maker, args, calls, name),
        }
    }

    fn call(
        &mut self,
        maker: &Rc<Method>,
        args: &[Spec],
        calls: &[(Rc<Method>, Vec<Spec>)],
        name: &str,
    ) -> Built<(u16, Symbolic)> {
        let (locals, args) = self.build_all(&maker.params, args, &format!("{name}."))?;
        let constructs = &*maker.name == "<init>";
        if constructs {
            self.insns
                .extend([Insn::New(maker.class_name.clone()), Insn::Dup]);
        }
        self.load(&maker.params, &locals);
        self.insns.push(invoke(maker));
        let local = self.store("L;");
        let mut prior = Vec::new();
        for (i, (method, args)) in calls.iter().enumerate() {
            let prefix = format!("{name}.{}{}.", method.name, i + 1);
            let (locals, args) = self.build_all(&method.params, args, &prefix)?;
            self.insns.push(Insn::Load(None, local));
            self.load(&method.params, &locals);
            self.insns.push(invoke(method));
            match size(&method.result) {
                _ if &*method.result == "V" => {}
                2 => self.insns.push(Insn::Pop2),
                _ => self.insns.push(Insn::Pop),
            }
            prior.push((id(method), args));
        }
        Ok((
            local,
            Symbolic::Object {
                maker: id(maker),
                args,
                calls: prior,
            },
        ))
    }

    fn build_all(
        &mut self,
        params: &[Arc<str>],
        specs: &[Spec],
        prefix: &str,
    ) -> Built<(Vec<u16>, Vec<Symbolic>)> {
        let (mut locals, mut symbolic) = (Vec::new(), Vec::new());
        for (i, spec) in specs.iter().enumerate().take(params.len()) {
            let (local, value) = self.build(spec, &format!("{prefix}arg{i}"))?;
            locals.push(local);
            symbolic.push(value);
        }
        Ok((locals, symbolic))
    }

    fn load(&mut self, params: &[Arc<str>], locals: &[u16]) {
        for (param, local) in params.iter().zip(locals) {
            self.insns.push(Insn::Load(kind(param), *local));
        }
    }

    fn local(&mut self, value: Value, descriptor: &str) -> u16 {
        let at = self.locals.len() as u16;
        self.locals.push(Shadow::Same(value));
        for _ in 1..size(descriptor) {
            self.locals.push(Shadow::Same(Value::Undef));
        }
        at
    }

    fn store(&mut self, descriptor: &str) -> u16 {
        let local = self.local(Value::Undef, descriptor);
        self.insns.push(Insn::Store(kind(descriptor), local));
        local
    }

    /// A symbolic primitive, string, box or array.
    fn symbolic(&mut self, descriptor: &str, name: &str, depth: u32) -> Built<(Value, Symbolic)> {
        let first = descriptor.as_bytes().first().copied().unwrap_or(b'I');
        match first {
            b'L' if descriptor == STRING || descriptor == "Ljava/lang/CharSequence;" => {
                let text = self.text(name);
                let null = self
                    .vm
                    .pool
                    .var(&format!("{name} == null"), Sort::Bool, None);
                let class = self.vm.library("java/lang/String")?;
                let obj = self.heap.alloc(class, Body::Str(text.clone()));
                Ok((
                    Value::Ref(Ref::Maybe { null, obj }),
                    Symbolic::Str(null, text),
                ))
            }
            b'L' => self.boxed(descriptor, name),
            b'[' => self.array(&descriptor[1..], name, depth),
            _ => {
                let term = primitive(&mut self.vm.pool, first, name, self.vm.bounds.int_range);
                Ok((Value::Prim(term), Symbolic::Prim(first, term)))
            }
        }
    }

    fn text(&mut self, name: &str) -> Text {
        let most = self.vm.bounds.max_string;
        let range = Some((0, i64::from(most)));
        let len = self
            .vm
            .pool
            .var(&format!("{name}.length()"), Sort::Bv(32), range);
        let chars: Rc<[Term]> = (0..most)
            .map(|i| {
                self.vm
                    .pool
                    .var(&format!("{name}.charAt({i})"), Sort::Bv(16), None)
            })
            .collect();
        Text::of(len, chars)
    }

    fn boxed(&mut self, descriptor: &str, name: &str) -> Built<(Value, Symbolic)> {
        let class_name = class_name_of(descriptor).unwrap_or_default();
        let Some(prim) = box_prim(&class_name) else {
            return Ok((Value::NULL, Symbolic::Null));
        };
        let null = self
            .vm
            .pool
            .var(&format!("{name} == null"), Sort::Bool, None);
        let term = primitive(&mut self.vm.pool, prim, name, self.vm.bounds.int_range);
        let class = self.vm.library(&class_name)?;
        let linked = self.vm.linker.class(class).clone();
        let slots = linked
            .layout
            .iter()
            .map(|f| {
                let value = if &*f.name == "value" {
                    Value::Prim(term)
                } else {
                    self.vm.default_value(&f.descriptor)
                };
                Shadow::Same(value)
            })
            .collect();
        let obj = self.heap.alloc(class, Body::Fields(slots));
        Ok((
            Value::Ref(Ref::Maybe { null, obj }),
            Symbolic::Boxed(null, prim, term),
        ))
    }

    fn array(&mut self, element: &str, name: &str, depth: u32) -> Built<(Value, Symbolic)> {
        let most = if depth == 0 {
            self.vm.bounds.max_array
        } else {
            self.vm.bounds.max_array.min(2)
        };
        let null = self
            .vm
            .pool
            .var(&format!("{name} == null"), Sort::Bool, None);
        let len = self.vm.pool.var(
            &format!("{name}.length"),
            Sort::Bv(32),
            Some((0, i64::from(most))),
        );
        let (mut slots, mut values) = (Vec::new(), Vec::new());
        for i in 0..most {
            let (value, symbolic) = self.symbolic(element, &format!("{name}[{i}]"), depth + 1)?;
            slots.push(Shadow::Same(value));
            values.push(symbolic);
        }
        let element: Arc<str> = Arc::from(element);
        let class = self
            .vm
            .linker
            .resolve_for(&format!("[{element}"), Version::New)?;
        let body = Body::Array {
            element: element.clone(),
            len,
            values: slots,
        };
        let obj = self.heap.alloc(class, body);
        Ok((
            Value::Ref(Ref::Maybe { null, obj }),
            Symbolic::Array {
                null,
                element,
                len,
                values,
            },
        ))
    }
}

pub(super) const STRING: &str = "Ljava/lang/String;";

fn id(method: &Method) -> MethodId {
    method_id(
        &method.class_name,
        &(method.name.clone(), method.descriptor.clone()),
    )
}

fn invoke(method: &Method) -> Insn {
    let kind = if method.is_static() {
        InvokeKind::Static
    } else if &*method.name == "<init>" {
        InvokeKind::Special
    } else {
        InvokeKind::Virtual
    };
    synthetic::invoke(kind, &method.class_name, &method.name, &method.descriptor)
}

fn primitive(pool: &mut Pool, descriptor: u8, name: &str, int_range: Option<(i64, i64)>) -> Term {
    let (sort, range) = match descriptor {
        b'J' => (Sort::Bv(64), int_range),
        b'F' => (Sort::F32, None),
        b'D' => (Sort::F64, None),
        b'Z' => (Sort::Bv(32), Some((0, 1))),
        b'B' => (Sort::Bv(32), Some((-128, 127))),
        b'S' => (Sort::Bv(32), Some((-32768, 32767))),
        b'C' => (Sort::Bv(32), Some((0, 65535))),
        _ => (Sort::Bv(32), int_range),
    };
    pool.var(name, sort, range)
}

/// The primitive that a box class holds.
pub(super) fn box_prim(class: &str) -> Option<u8> {
    Some(match class {
        "java/lang/Boolean" => b'Z',
        "java/lang/Byte" => b'B',
        "java/lang/Character" => b'C',
        "java/lang/Short" => b'S',
        "java/lang/Integer" => b'I',
        "java/lang/Long" => b'J',
        "java/lang/Float" => b'F',
        "java/lang/Double" => b'D',
        _ => return None,
    })
}

/// Symbolic values for the parameters that can have one; the others keep what the caller gives them.
pub(super) fn symbolic_arguments(
    vm: &mut Vm,
    heap: &mut Heap,
    params: &[Arc<str>],
    names: &[String],
) -> Built<(Vec<Option<Value>>, Vec<Symbolic>)> {
    let mut driver = Driver {
        vm,
        heap,
        locals: Vec::new(),
        insns: Vec::new(),
    };
    let (mut values, mut all) = (Vec::new(), Vec::new());
    for (i, param) in params.iter().enumerate() {
        let fallback = format!("arg{i}");
        if !super::specs::symbolic_type(param.trim_start_matches('[')) {
            values.push(None);
            all.push(Symbolic::Null);
            continue;
        }
        let (value, symbolic) = driver.symbolic(param, names.get(i).unwrap_or(&fallback), 0)?;
        values.push(Some(value));
        all.push(symbolic);
    }
    Ok((values, all))
}

/// Makes the driver's frame and the description of its input.
pub(super) fn drive(
    vm: &mut Vm,
    heap: &mut Heap,
    entry: &Rc<Method>,
    names: &[String],
    receiver: Option<&Spec>,
    args: &[Spec],
) -> Built<(Frame, InputShape)> {
    let mut driver = Driver {
        vm,
        heap,
        locals: Vec::new(),
        insns: Vec::new(),
    };
    let built = match receiver {
        Some(spec) => Some(driver.build(spec, "this")?),
        None => None,
    };
    let (mut locals, mut symbolic) = (Vec::new(), Vec::new());
    for (i, spec) in args.iter().enumerate() {
        let fallback = format!("arg{i}");
        let (local, value) = driver.build(spec, names.get(i).unwrap_or(&fallback))?;
        locals.push(local);
        symbolic.push(value);
    }
    let constructor = &*entry.name == "<init>";
    if let Some((local, _)) = &built {
        driver.insns.push(Insn::Load(None, *local));
    }
    if constructor {
        driver
            .insns
            .extend([Insn::New(entry.class_name.clone()), Insn::Dup]);
    }
    driver.load(&entry.params, &locals);
    let entry_pc = if constructor {
        driver.insns.len() - locals.len() - 2
    } else {
        driver.insns.len()
    } as u32;
    driver.insns.push(invoke(entry));
    let result = if constructor { "L;" } else { &*entry.result };
    driver.insns.push(Insn::Return(if result == "V" {
        None
    } else {
        Some(kind(result))
    }));
    let Driver {
        vm,
        heap,
        locals: slots,
        insns,
    } = driver;
    let object = vm.library("java/lang/Object")?;
    let class = (object, Arc::from("java/lang/Object"));
    let method = synthetic::method(
        "driver",
        class,
        super::class::Origin::Library,
        slots.len() as u16,
        insns,
    );
    let shape = InputShape {
        entry: id(entry),
        entry_pc,
        receiver_local: built.as_ref().map(|b| usize::from(b.0)),
        receiver: built.map(|b| b.1),
        args: symbolic,
        arg_locals: locals.into_iter().map(usize::from).collect(),
        constructor,
        objects: heap.len(),
    };
    Ok((driver_frame(method, slots), shape))
}

impl InputShape {
    /// The shape of no input at all.
    pub(super) fn nothing() -> InputShape {
        InputShape {
            entry: MethodId {
                class: String::new(),
                name: String::new(),
                descriptor: "()V".into(),
            },
            entry_pc: 0,
            receiver: None,
            args: Vec::new(),
            receiver_local: None,
            arg_locals: Vec::new(),
            constructor: false,
            objects: 0,
        }
    }

    /// The concrete input under a model.
    pub fn concrete(&self, pool: &Pool, model: &Model) -> Inputs {
        Inputs {
            receiver: self.receiver.as_ref().map(|r| r.concrete(pool, model)),
            args: self.args.iter().map(|a| a.concrete(pool, model)).collect(),
        }
    }

    /// The variables of the input, in reading order.
    pub fn vars(&self, pool: &Pool) -> Vec<VarId> {
        vars(self.receiver.iter().chain(&self.args), pool)
    }

    /// Those of the arguments.
    pub fn arg_vars(&self, pool: &Pool) -> Vec<VarId> {
        vars(self.args.iter(), pool)
    }
}

fn vars<'a>(values: impl Iterator<Item = &'a Symbolic>, pool: &Pool) -> Vec<VarId> {
    let mut terms = Vec::new();
    for value in values {
        value.terms(&mut terms);
    }
    terms
        .iter()
        .flat_map(|t| pool.vars_of(*t).to_vec())
        .collect()
}

fn number(pool: &Pool, model: &Model, term: Term) -> i64 {
    match pool.eval(term, model) {
        Constant::Bv(_, n) => n,
        Constant::Bool(b) => i64::from(b),
        Constant::F32(b) => i64::from(b),
        Constant::F64(b) => b as i64,
    }
}

fn holds(pool: &Pool, model: &Model, term: Term) -> bool {
    matches!(pool.eval(term, model), Constant::Bool(true))
}

impl Symbolic {
    fn concrete(&self, pool: &Pool, model: &Model) -> Input {
        match self {
            Symbolic::Prim(descriptor, term) => prim_input(*descriptor, pool, model, *term),
            Symbolic::Str(null, _) | Symbolic::Boxed(null, ..) | Symbolic::Array { null, .. }
                if holds(pool, model, *null) =>
            {
                Input::Null
            }
            Symbolic::Str(_, text) => Input::Str(units(pool, model, text)),
            Symbolic::Boxed(_, descriptor, term) => {
                Input::Boxed(Box::new(prim_input(*descriptor, pool, model, *term)))
            }
            Symbolic::Array {
                element,
                len,
                values,
                ..
            } => {
                let len = number(pool, model, *len).max(0) as usize;
                let values = values
                    .iter()
                    .take(len)
                    .map(|v| v.concrete(pool, model))
                    .collect();
                Input::Array {
                    element: element.to_string(),
                    values,
                }
            }
            Symbolic::Null => Input::Null,
            Symbolic::Constant(class, constant) => Input::Enum {
                class: class.clone(),
                constant: constant.clone(),
            },
            Symbolic::Object { maker, args, calls } => {
                let all =
                    |values: &[Symbolic]| values.iter().map(|v| v.concrete(pool, model)).collect();
                Input::Object {
                    method: maker.clone(),
                    args: all(args),
                    calls: calls.iter().map(|(m, a)| (m.clone(), all(a))).collect(),
                }
            }
        }
    }

    fn terms(&self, out: &mut Vec<Term>) {
        match self {
            Symbolic::Prim(_, term) => out.push(*term),
            Symbolic::Str(null, text) => {
                out.push(*null);
                if let Some((len, chars)) = text.chars() {
                    out.push(len);
                    out.extend(chars.iter());
                }
            }
            Symbolic::Boxed(null, _, term) => out.extend([*null, *term]),
            Symbolic::Array {
                null, len, values, ..
            } => {
                out.extend([*null, *len]);
                values.iter().for_each(|v| v.terms(out));
            }
            Symbolic::Null | Symbolic::Constant(..) => {}
            Symbolic::Object { args, calls, .. } => {
                args.iter()
                    .chain(calls.iter().flat_map(|c| &c.1))
                    .for_each(|v| v.terms(out));
            }
        }
    }
}

/// A string's units under a model.
pub(super) fn units(pool: &Pool, model: &Model, text: &Text) -> Vec<u16> {
    let mut out = Vec::new();
    for piece in text.pieces() {
        match piece {
            super::text::Piece::Chars { len, chars } => {
                let len = number(pool, model, *len).max(0) as usize;
                out.extend(
                    chars
                        .iter()
                        .take(len)
                        .map(|c| number(pool, model, *c) as u16),
                );
            }
            super::text::Piece::Decimal(t) => {
                out.extend(number(pool, model, *t).to_string().encode_utf16())
            }
        }
    }
    out
}

fn prim_input(descriptor: u8, pool: &Pool, model: &Model, term: Term) -> Input {
    let n = number(pool, model, term);
    match descriptor {
        b'Z' => Input::Boolean(n & 1 == 1),
        b'B' => Input::Byte(n as i8),
        b'S' => Input::Short(n as i16),
        b'C' => Input::Char(n as u16),
        b'J' => Input::Long(n),
        b'F' => Input::Float(n as u32),
        b'D' => Input::Double(n as u64),
        _ => Input::Int(n as i32),
    }
}
