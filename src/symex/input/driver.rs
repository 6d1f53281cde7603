//! The driver of an exploration: small bytecode that builds an input and enters the method, with the input's description.

use super::super::class::{Method, Origin};
use super::super::state::Frame;
use super::super::value::Value;
use super::super::vm::Vm;
use super::Spec;
use super::spec::PriorCall;
use crate::bytecode::class_file::{Cmp, Const, Insn, InvokeKind};
use crate::expr::Sort;
use crate::model::{MethodRef, Spelling, Version};
use crate::symex::class::linker::method_id;
use crate::symex::interp::run::driver_frame;
use crate::symex::state::assembly::Assembly;
use crate::symex::state::heap::{Heap, Slot};
use crate::symex::state::interruption::Interruption;
use crate::symex::state::shape::InputShape;
use crate::symex::state::symbolic::Symbolic;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::assemble::instructions;
use crate::symex::vm::synthetic;
use crate::symex::vm::synthetic::{kind, size};
use std::sync::Arc;

/// Building fails where a class of the JDK can't be linked.
pub(in crate::symex) type Built<T> = Result<T, Interruption>;

/// Builds the driver of one input shape.
pub(super) struct Driver<'a> {
    pub(super) vm: &'a mut Vm,
    pub(super) heap: &'a mut Heap,
    locals: Vec<Slot>,
    pub(super) insns: Vec<Insn>,
    assemblies: Vec<Assembly>,
}

impl<'a> Driver<'a> {
    fn new(vm: &'a mut Vm, heap: &'a mut Heap) -> Driver<'a> {
        Driver {
            vm,
            heap,
            locals: Vec::new(),
            insns: Vec::new(),
            assemblies: Vec::new(),
        }
    }

    /// Emits code that leaves the value in a new local; returns the local and the value's description.
    fn build(&mut self, spec: &Spec, name: &str) -> Built<(u16, Symbolic)> {
        match spec {
            Spec::Symbolic {
                descriptor,
                nullable,
            } => {
                let (value, symbolic) = self.symbolic(descriptor, name, *nullable, 0)?;
                Ok((self.local(value, descriptor), symbolic))
            }
            Spec::Null => Ok((self.local(Value::NULL, "L;"), Symbolic::Null)),
            Spec::Constant {
                class,
                name,
                descriptor,
            } => self.constant(class, name, descriptor),
            Spec::Call { maker, args, calls } => self.call(maker, args, calls, name),
            Spec::Elements {
                element,
                values,
                nullable,
            } => self.elements(element, values, *nullable, name),
            Spec::OneOf {
                of,
                nullable,
                bound,
            } => self.one_of(of, *nullable, bound.clone(), name),
            Spec::Class(class) => {
                self.insns.push(Insn::Const(Const::Class(class.clone())));
                let symbolic = Symbolic::Class(class.dotted());
                Ok((self.store("L;"), symbolic))
            }
            Spec::Literal(text) => Ok(self.literal(text)),
            Spec::Exactly { element, values } => self.exactly(element, values, name),
            Spec::Lambda {
                class,
                method,
                result,
            } => self.lambda((class, method), result.as_deref(), name),
        }
    }

    fn call(
        &mut self,
        maker: &Arc<Method>,
        args: &[Spec],
        calls: &[PriorCall],
        name: &str,
    ) -> Built<(u16, Symbolic)> {
        let constructs = &*maker.name == "<init>";
        let on_first = !constructs && !maker.is_static();
        let params: Vec<Arc<str>> = on_first
            .then(|| Arc::from("L;"))
            .into_iter()
            .chain(maker.params.iter().cloned())
            .collect();
        let (locals, args) = self.build_all(&params, args, &format!("{name}."))?;
        if constructs {
            self.insns
                .extend([Insn::New(maker.class_name.clone()), Insn::Dup]);
        }
        self.load(&params, &locals);
        self.invoke(maker)?;
        let local = self.store("L;");
        let mut prior = Vec::new();
        for (i, (method, args)) in calls.iter().enumerate() {
            let prefix = format!("{name}.{}{}.", method.name, i + 1);
            let (locals, args) = self.build_all(&method.params, args, &prefix)?;
            self.insns.push(Insn::Load(None, local));
            self.load(&method.params, &locals);
            self.invoke(method)?;
            match size(&method.result) {
                _ if &*method.result == "V" => {}
                2 => self.insns.push(Insn::Pop2),
                _ => self.insns.push(Insn::Pop),
            }
            prior.push((id(method), args));
        }
        let made = Symbolic::Object {
            maker: id(maker),
            on_first,
            args,
            calls: prior,
        };
        Ok((local, made))
    }

    pub(super) fn build_all(
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

    fn invoke(&mut self, method: &Method) -> Built<()> {
        let insn = invoke(self.vm, method)?;
        self.insns.push(insn);
        Ok(())
    }

    /// A factory that gave no object made no input: the method can't be called on it.
    fn not_null(&mut self, local: u16) {
        let behind = self.insns.len() as u32 + 4;
        self.insns.extend([
            Insn::Load(None, local),
            Insn::IfNull(Cmp::Ne, behind),
            Insn::AconstNull,
            Insn::Athrow,
        ]);
    }

    fn local(&mut self, value: Value, descriptor: &str) -> u16 {
        let at = self.locals.len() as u16;
        self.locals.push(Shadow::Same(value));
        for _ in 1..size(descriptor) {
            self.locals.push(Shadow::Same(Value::Undef));
        }
        at
    }

    pub(super) fn store(&mut self, descriptor: &str) -> u16 {
        let local = self.local(Value::Undef, descriptor);
        self.insns.push(Insn::Store(kind(descriptor), local));
        local
    }

    /// Puts the values of some locals together.
    fn assemble(&mut self, parts: &[u16], assembly: Assembly) -> u16 {
        let loads = parts.iter().map(|local| Insn::Load(None, *local));
        self.insns.extend(loads);
        self.insns.extend(instructions(self.assemblies.len()));
        self.assemblies.push(assembly);
        self.store("L;")
    }

    fn elements(
        &mut self,
        element: &Arc<str>,
        specs: &[Spec],
        nullable: bool,
        name: &str,
    ) -> Built<(u16, Symbolic)> {
        let (mut parts, mut values) = (Vec::new(), Vec::new());
        for (i, spec) in specs.iter().enumerate() {
            let (local, value) = self.build(spec, &format!("{name}[{i}]"))?;
            parts.push(local);
            values.push(value);
        }
        let null = self.null(name, nullable);
        let len = self.length(name, specs.len() as u32);
        let assembly = Assembly::Array {
            null,
            element: element.clone(),
            len,
            capacity: specs.len(),
        };
        let symbolic = Symbolic::Array {
            null,
            element: element.clone(),
            len,
            values,
        };
        Ok((self.assemble(&parts, assembly), symbolic))
    }

    fn one_of(
        &mut self,
        specs: &[Spec],
        nullable: bool,
        bound: Option<Arc<str>>,
        name: &str,
    ) -> Built<(u16, Symbolic)> {
        let null = self.null(name, nullable);
        let (mut parts, mut of) = (Vec::new(), Vec::new());
        let (mut rest, mut conditions) = (self.vm.pool.bool(true), Vec::new());
        for (i, spec) in specs.iter().enumerate() {
            let ty = spec.type_name();
            let (test, part) = match spec {
                Spec::Constant { .. } | Spec::Class(_) => {
                    (format!("{name} == {ty}"), name.to_string())
                }
                Spec::Call { .. } if ty == "Object" => (
                    format!("{name}.getClass() == Object.class"),
                    name.to_string(),
                ),
                _ => (
                    format!("{name} instanceof {ty}"),
                    format!("(({ty}) {name})"),
                ),
            };
            let (local, value) = self.build(spec, &part)?;
            let condition = if i + 1 == specs.len() {
                rest
            } else {
                let is = self.vm.pool.var(&test, Sort::Bool, None);
                let is_not = self.vm.pool.not(is);
                let condition = self.vm.pool.and(rest, is);
                rest = self.vm.pool.and(rest, is_not);
                condition
            };
            parts.push(local);
            conditions.push(condition);
            of.push((condition, value));
        }
        let assembly = Assembly::Choice {
            null,
            conditions,
            bound,
        };
        Ok((self.assemble(&parts, assembly), Symbolic::OneOf(null, of)))
    }

    fn lambda(
        &mut self,
        (class, method): (&Arc<str>, &Arc<Method>),
        result: Option<&Spec>,
        name: &str,
    ) -> Built<(u16, Symbolic)> {
        let mut given = None;
        if let Some(spec) = result {
            let (local, value) = self.build(spec, &format!("{name}.{}()", method.name))?;
            self.insns.push(Insn::Load(kind(&method.result), local));
            given = Some(Box::new(value));
        }
        let assembly = Assembly::Lambda {
            class: class.clone(),
            method: method.clone(),
            has_result: result.is_some(),
        };
        let local = self.assemble(&[], assembly);
        let of = method_id(class, &(method.name.clone(), method.descriptor.clone()));
        Ok((local, Symbolic::Lambda(of, given)))
    }

    /// The call of the entry method and the return of its result; returns the call's place.
    fn enter(&mut self, entry: &Arc<Method>, receiver: Option<u16>, locals: &[u16]) -> Built<u32> {
        let constructor = &*entry.name == "<init>";
        if let Some(local) = receiver {
            self.insns.push(Insn::Load(None, local));
        }
        // A constructor's entry begins with its new object.
        let begin = self.insns.len();
        if constructor {
            self.insns
                .extend([Insn::New(entry.class_name.clone()), Insn::Dup]);
        }
        self.load(&entry.params, locals);
        let entry_pc = if constructor { begin } else { self.insns.len() } as u32;
        self.invoke(entry)?;
        let result = if constructor { "L;" } else { &*entry.result };
        let kind = (result != "V").then(|| kind(result));
        self.insns.push(Insn::Return(kind));
        Ok(entry_pc)
    }
}

fn id(method: &Method) -> MethodRef {
    method_id(
        &method.class_name,
        &(method.name.clone(), method.descriptor.clone()),
    )
}

fn invoke(vm: &mut Vm, method: &Method) -> Built<Insn> {
    let owner = vm.linker.resolve_for(&method.class_name, Version::New)?;
    let kind = if method.is_static() {
        InvokeKind::Static
    } else if &*method.name == "<init>" {
        InvokeKind::Special
    } else if vm.linker.class(owner).is_interface() {
        InvokeKind::Interface
    } else {
        InvokeKind::Virtual
    };
    let (class, name) = (&method.class_name, &method.name);
    Ok(synthetic::invoke(kind, class, name, &method.descriptor))
}

/// Symbolic values for the parameters that can have one; the others keep what the caller gives them.
pub(in crate::symex) fn symbolic_arguments(
    vm: &mut Vm,
    heap: &mut Heap,
    params: &[Arc<str>],
    names: &[String],
) -> Built<(Vec<Option<Value>>, Vec<Symbolic>)> {
    let mut driver = Driver::new(vm, heap);
    let (mut values, mut all) = (Vec::new(), Vec::new());
    for (i, param) in params.iter().enumerate() {
        let fallback = format!("arg{i}");
        if !crate::symex::input::specs::symbolic_type(param.trim_start_matches('[')) {
            values.push(None);
            all.push(Symbolic::Null);
            continue;
        }
        let name = names.get(i).unwrap_or(&fallback);
        let (value, symbolic) = driver.symbolic(param, name, true, 0)?;
        values.push(Some(value));
        all.push(symbolic);
    }
    Ok((values, all))
}

/// Makes the driver's frame and the description of its input.
pub(in crate::symex) fn drive(
    vm: &mut Vm,
    heap: &mut Heap,
    entry: &Arc<Method>,
    names: &[String],
    receiver: Option<&Spec>,
    args: &[Spec],
) -> Built<(Frame, InputShape)> {
    let first = heap.len();
    let mut driver = Driver::new(vm, heap);
    let built = match receiver {
        Some(spec) => Some(driver.build(spec, "this")?),
        None => None,
    };
    if let Some((local, Symbolic::Object { maker, .. })) = &built
        && maker.name != "<init>"
    {
        driver.not_null(*local);
    }
    let (mut locals, mut symbolic) = (Vec::new(), Vec::new());
    for (i, spec) in args.iter().enumerate() {
        let fallback = format!("arg{i}");
        let (local, value) = driver.build(spec, names.get(i).unwrap_or(&fallback))?;
        locals.push(local);
        symbolic.push(value);
    }
    let entry_pc = driver.enter(entry, built.as_ref().map(|b| b.0), &locals)?;
    let object = driver.vm.library("java/lang/Object")?;
    let method = synthetic::method(
        "driver",
        (object, Arc::from("java/lang/Object")),
        Origin::Library,
        driver.locals.len() as u16,
        driver.insns,
    );
    let shape = InputShape {
        entry: id(entry),
        entry_pc,
        receiver_local: built.as_ref().map(|b| usize::from(b.0)),
        receiver: built.map(|b| b.1),
        args: symbolic,
        arg_locals: locals.into_iter().map(usize::from).collect(),
        constructor: &*entry.name == "<init>",
        objects: first..driver.heap.len(),
        assemblies: driver.assemblies,
    };
    Ok((driver_frame(method, driver.locals), shape))
}
