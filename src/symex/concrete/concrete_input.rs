//! The driver of a concrete run: instructions that build the input as the replaying worker does by reflection, and enter the method.

use crate::bytecode::class_file::{Const, Insn, InvokeKind, MemberRef};
use crate::model::reason::Reason;
use crate::model::{Input, Inputs, MethodRef, PriorCall, Spelling, Version};
use crate::symex::class::{Method, Origin, split_descriptor};
use crate::symex::input::Built;
use crate::symex::input::seed::refused;
use crate::symex::input::specs::key_of;
use crate::symex::interp::run::driver_frame;
use crate::symex::state::Frame;
use crate::symex::state::assembly::Assembly;
use crate::symex::state::interruption::Stop;
use crate::symex::state::shape::InputShape;
use crate::symex::value::Value;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::assemble::instructions;
use crate::symex::vm::synthetic::{invoke, kind, size};
use crate::symex::vm::{Vm, synthetic};
use std::sync::Arc;

/// The frame that builds the input and enters the method, and where it keeps what a caller can see.
pub(in crate::symex) fn drive(
    vm: &mut Vm,
    entry: &MethodRef,
    inputs: &Inputs,
) -> Built<(Frame, InputShape)> {
    let key = key_of(entry);
    let class: Arc<str> = Arc::from(entry.class.internal());
    let id = vm.library(&class)?;
    let found = vm.linker.select(id, &key, Version::New);
    let method =
        found.ok_or_else(|| Stop::unsupported(Reason::MethodNotFound, entry.name.clone()))?;
    let constructor = entry.name == "<init>";
    let mut code = Driver {
        vm,
        insns: Vec::new(),
        assemblies: Vec::new(),
    };
    let (mut slot, mut locals) = (0, Vec::new());
    let receiver = inputs.receiver.iter().map(|r| (r, "L;"));
    let args = inputs.args.iter().zip(method.params.iter().map(|p| &**p));
    for (input, descriptor) in receiver.chain(args) {
        code.value(input)?;
        code.insns.push(Insn::Store(kind(descriptor), slot));
        locals.push((usize::from(slot), kind(descriptor)));
        slot += size(descriptor);
    }
    let entry_pc = code.insns.len() as u32;
    if constructor {
        code.insns.extend([Insn::New(class.clone()), Insn::Dup]);
    }
    let loads = locals.iter().map(|(at, k)| Insn::Load(*k, *at as u16));
    code.insns.extend(loads);
    code.insns.push(invoke(
        call_kind(method.is_static(), constructor),
        &class,
        &entry.name,
        &entry.descriptor,
    ));
    let result = if constructor { "L;" } else { &*method.result };
    let result = (result != "V").then(|| kind(result));
    code.insns.push(Insn::Return(result));
    let (insns, assemblies) = (code.insns, code.assemblies);
    let driver = driver(vm, insns, slot)?;
    let has_receiver = inputs.receiver.is_some();
    let shape = InputShape {
        entry: entry.clone(),
        entry_pc,
        receiver_local: locals.first().filter(|_| has_receiver).map(|l| l.0),
        arg_locals: locals
            .iter()
            .skip(usize::from(has_receiver))
            .map(|l| l.0)
            .collect(),
        constructor,
        assemblies,
        ..InputShape::nothing()
    };
    let locals = vec![Shadow::Same(Value::Undef); usize::from(slot)];
    Ok((driver_frame(driver, locals), shape))
}

/// A driver of these instructions.
pub(in crate::symex) fn driver(
    vm: &mut Vm,
    insns: Vec<Insn>,
    max_locals: u16,
) -> Built<Arc<Method>> {
    const OBJECT: &str = "java/lang/Object";
    let class = (vm.library(OBJECT)?, Arc::from(OBJECT));
    let origin = Origin::Library;
    Ok(synthetic::method(
        "driver", class, origin, max_locals, insns,
    ))
}

fn call_kind(is_static: bool, constructor: bool) -> InvokeKind {
    match (is_static, constructor) {
        (true, _) => InvokeKind::Static,
        (_, true) => InvokeKind::Special,
        _ => InvokeKind::Virtual,
    }
}

/// Instructions that leave concrete values on the operand stack, as the replaying worker builds them by reflection.
struct Driver<'a> {
    vm: &'a mut Vm,
    insns: Vec<Insn>,
    assemblies: Vec<Assembly>,
}

impl Driver<'_> {
    fn value(&mut self, input: &Input) -> Built<()> {
        let constant = match input {
            Input::Null => {
                self.insns.push(Insn::AconstNull);
                return Ok(());
            }
            Input::Boolean(b) => Const::Int(i32::from(*b)),
            Input::Byte(b) => Const::Int(i32::from(*b)),
            Input::Short(s) => Const::Int(i32::from(*s)),
            Input::Char(c) => Const::Int(i32::from(*c)),
            Input::Int(i) => Const::Int(*i),
            Input::Long(l) => Const::Long(*l),
            Input::Float(bits) => Const::Float(*bits),
            Input::Double(bits) => Const::Double(*bits),
            Input::Str(units) => Const::Str(Arc::from(units.as_slice())),
            Input::Boxed(inner) => return self.boxed(inner),
            Input::Array { element, values } => return self.array(element, values),
            Input::Enum { class, constant } => return self.constant(class, constant),
            Input::Object {
                method,
                args,
                calls,
            } => return self.object(method, args, calls),
            Input::Result {
                receiver,
                method,
                args,
                calls,
            } => {
                self.value(receiver)?;
                self.call(method, args)?;
                return self.calls(calls);
            }
            Input::Field { class, field } => return self.constant(class, field),
            Input::Class(name) => Const::Class(Arc::from(name.internal())),
            Input::Shared { .. } | Input::Same(_) => {
                return Err(refused("one object is used twice"));
            }
            Input::StandIn { .. } => {
                return Err(refused("an interface with several methods is implemented"));
            }
            Input::Argument(_) | Input::Operation { .. } => {
                return Err(refused("a function answers by its arguments"));
            }
            Input::Lambda { method, result } => return self.lambda(method, result.as_deref()),
        };
        self.insns.push(Insn::Const(constant));
        Ok(())
    }

    fn boxed(&mut self, inner: &Input) -> Built<()> {
        let (class, primitive) = match inner {
            Input::Boolean(_) => ("java/lang/Boolean", "Z"),
            Input::Byte(_) => ("java/lang/Byte", "B"),
            Input::Short(_) => ("java/lang/Short", "S"),
            Input::Char(_) => ("java/lang/Character", "C"),
            Input::Long(_) => ("java/lang/Long", "J"),
            Input::Float(_) => ("java/lang/Float", "F"),
            Input::Double(_) => ("java/lang/Double", "D"),
            _ => ("java/lang/Integer", "I"),
        };
        self.value(inner)?;
        let descriptor = format!("({primitive})L{class};");
        self.insns
            .push(invoke(InvokeKind::Static, class, "valueOf", &descriptor));
        Ok(())
    }

    fn array(&mut self, element: &str, values: &[Input]) -> Built<()> {
        let prim = crate::symex::vm::memory::prim_of(element);
        self.insns
            .push(Insn::Const(Const::Int(values.len() as i32)));
        self.insns.push(match prim {
            Some(prim) => Insn::NewArray(prim),
            None => {
                let name = crate::symex::class::linker::class_name_of(element).unwrap_or_default();
                Insn::ANewArray(Arc::from(name))
            }
        });
        for (i, value) in values.iter().enumerate() {
            self.insns
                .extend([Insn::Dup, Insn::Const(Const::Int(i as i32))]);
            self.value(value)?;
            self.insns.push(Insn::ArrayStore(prim));
        }
        Ok(())
    }

    /// A static field: an enum's constant, or a public one that holds what it is named for.
    fn constant(&mut self, class: &str, name: &str) -> Built<()> {
        let class: Arc<str> = Arc::from(class.internal());
        let id = self.vm.library(&class)?;
        let statics = &self.vm.linker.class(id).statics;
        let field = statics.iter().find(|s| &*s.name == name);
        let descriptor = field
            .ok_or_else(|| Stop::unsupported(Reason::FieldNotFound, format!("{class}.{name}")))?
            .descriptor
            .clone();
        self.insns.push(Insn::GetStatic(Arc::new(MemberRef {
            class,
            name: Arc::from(name),
            descriptor,
        })));
        Ok(())
    }

    fn object(&mut self, maker: &MethodRef, args: &[Input], calls: &[PriorCall]) -> Built<()> {
        let class = maker.class.internal();
        let constructor = maker.name == "<init>";
        if constructor {
            self.insns
                .extend([Insn::New(Arc::from(class.as_str())), Insn::Dup]);
        }
        args.iter().try_for_each(|a| self.value(a))?;
        let kind = call_kind(!constructor, constructor);
        self.insns
            .push(invoke(kind, &class, &maker.name, &maker.descriptor));
        self.calls(calls)
    }

    /// Calls on the object on top, which stays there, and fields of it that are set.
    fn calls(&mut self, calls: &[PriorCall]) -> Built<()> {
        for (method, args) in calls {
            self.insns.push(Insn::Dup);
            if method.is_field() {
                args.iter().try_for_each(|a| self.value(a))?;
                self.insns.push(Insn::PutField(Arc::new(MemberRef {
                    class: Arc::from(method.class.internal()),
                    name: Arc::from(method.name.as_str()),
                    descriptor: Arc::from(method.descriptor.as_str()),
                })));
                continue;
            }
            self.call(method, args)?;
            match &*split_descriptor(&method.descriptor).1 {
                "V" => {}
                "J" | "D" => self.insns.push(Insn::Pop2),
                _ => self.insns.push(Insn::Pop),
            }
        }
        Ok(())
    }

    /// An instance method, called on what is on top.
    fn call(&mut self, method: &MethodRef, args: &[Input]) -> Built<()> {
        args.iter().try_for_each(|a| self.value(a))?;
        let class = method.class.internal();
        let (name, descriptor) = (&method.name, &method.descriptor);
        self.insns
            .push(invoke(InvokeKind::Virtual, &class, name, descriptor));
        Ok(())
    }

    /// A lambda that gives the same value on every call.
    fn lambda(&mut self, method: &MethodRef, result: Option<&Input>) -> Built<()> {
        let name: Arc<str> = Arc::from(method.class.internal());
        let class = self.vm.library(&name)?;
        let found = self
            .vm
            .linker
            .select(class, &key_of(method), Version::New)
            .ok_or_else(|| Stop::unsupported(Reason::MethodNotFound, method.name.clone()))?;
        result.map_or(Ok(()), |r| self.value(r))?;
        self.insns.extend(instructions(self.assemblies.len()));
        self.assemblies.push(Assembly::Lambda {
            class: name,
            method: found,
            has_result: result.is_some(),
        });
        Ok(())
    }
}
