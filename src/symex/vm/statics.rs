//! Static fields: reading, writing, and the initialisation that they ask for (JVMS §6.5).

use crate::bytecode::class_file::MemberRef;
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::class::ClassId;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Step, Stop};
use crate::symex::state::{Singleton, State};
use crate::symex::value::Value;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::identity::differs_by_run;
use crate::symex::vm::memory::hidden;
use crate::symex::vm::{Vm, per_version};
use std::sync::Arc;

/// The class that declares the static field, and the field's index there (JVMS §5.4.3.2).
fn static_slot(vm: &mut Vm, state: &State, field: &MemberRef) -> Step<(ClassId, usize)> {
    let mut todo = vec![vm.resolve(state, &field.class)?];
    while let Some(id) = todo.pop() {
        let class = vm.linker.class(id);
        let found = class
            .statics
            .iter()
            .position(|s| s.name == field.name && s.descriptor == field.descriptor);
        if let Some(index) = found {
            return Ok((id, index));
        }
        let version = match state.version() {
            Some(version) => version,
            None if class.superclass.is_split() => return Err(per_version(state)),
            None => Version::New,
        };
        todo.extend(class.superclass.get(version));
        todo.extend(class.interfaces.get(version));
    }
    let name = format!("{}.{}", field.class.dotted(), field.name);
    Err(Stop::unsupported(Reason::FieldNotFound, name).into())
}

pub(in crate::symex) fn get_static(vm: &mut Vm, state: &mut State, field: &MemberRef) -> Step<()> {
    let value = match (&*field.class, &*field.name) {
        ("java/lang/System", "out" | "err") => {
            Shadow::Same(vm.stream(state, "java.lang.System.out")?)
        }
        ("java/lang/System", "in") => Shadow::Same(standard_input(vm, state)?),
        // The marker constants of `Shadow.execute`.
        ("com/shadowci/Shadow", "OLD") => Shadow::Same(Value::Prim(vm.pool.int(0))),
        ("com/shadowci/Shadow", "NEW") => Shadow::Same(Value::Prim(vm.pool.int(1))),
        _ => {
            if differs_by_run(&field.class, &field.name)
                && !initialises(state, &field.class)
                && !reads_options(state)
            {
                vm.by_chance(state, Reason::IterationOrder);
            }
            let (class, index) = static_slot(vm, state, field)?;
            unset_by_skipped_initialiser(vm, class, index, field)?;
            let linked = vm.linker.class(class);
            if linked.project && linked.statics.get(index).is_some_and(|s| !s.is_final) {
                let name = format!("{}.{}", field.class.dotted(), field.name);
                vm.touched.insert((Reason::StaticStateAsInitialised, name));
            }
            let object = vm.initialise(state, class)?;
            match &state.heap.get(object).body {
                Body::Fields(slots) => slots
                    .get(index)
                    .copied()
                    .unwrap_or(Shadow::Same(Value::Undef)),
                _ => return Err(hidden(field)),
            }
        }
    };
    let value = state.view(&value);
    state.push(value);
    state.advance();
    Ok(())
}

/// The standard input of replays: a stream of no bytes.
fn standard_input(vm: &mut Vm, state: &mut State) -> Step<Value> {
    const INPUT: Singleton = Singleton::Named("java.lang.System.in");
    vm.touched
        .insert((Reason::StandardInput, "it is empty".into()));
    if let Some(id) = state.singletons.get(&INPUT) {
        return Ok(Value::obj(*id));
    }
    let class = vm.library("java/io/ByteArrayInputStream")?;
    let id = vm.instantiate(state, class);
    let bytes = crate::symex::vm::array::allocate(vm, state, &Arc::from("B"), 0)?;
    vm.set_field(state, id, "buf", Value::obj(bytes));
    state.singletons.insert_mut(INPUT, id);
    Ok(Value::obj(id))
}

/// Whether the running method is that class's initialiser.
fn initialises(state: &State, class: &str) -> bool {
    let frame = state.frame();
    frame.is_some_and(|f| &*f.method.name == "<clinit>" && &*f.method.class_name == class)
}

/// Whether the JDK goes through the options that a file is opened with, whose order says nothing.
fn reads_options(state: &State) -> bool {
    let mut asking = state.thread.frames.iter().rev();
    let asking = asking.find(|f| !f.method.class_name.starts_with("java/util/"));
    asking.is_some_and(|f| f.method.class_name.starts_with("sun/nio/fs/"))
}

/// Classes that set up the JVM are not initialised here: what their initialisers would have set can't be read.
fn unset_by_skipped_initialiser(
    vm: &Vm,
    class: ClassId,
    index: usize,
    field: &MemberRef,
) -> Step<()> {
    let linked = vm.linker.class(class);
    let constant = linked
        .statics
        .get(index)
        .and_then(|s| s.constant.same().cloned())
        .flatten();
    if crate::symex::vm::runs_no_initialiser(&linked.name) && constant.is_none() {
        return Err(hidden(field));
    }
    Ok(())
}

pub(in crate::symex) fn put_static(vm: &mut Vm, state: &mut State, field: &MemberRef) -> Step<()> {
    let (class, index) = static_slot(vm, state, field)?;
    let object = vm.initialise(state, class)?;
    if !initialises(state, &vm.linker.class(class).name) {
        vm.written_statics.insert((class, index));
    }
    let value = state.pop();
    let before = match &state.heap.get(object).body {
        Body::Fields(slots) => slots.get(index).copied().unwrap_or(value),
        _ => return Err(hidden(field)),
    };
    let after = state.merge(&before, value);
    state.split_seen |= after.is_split();
    if let Body::Fields(slots) = &mut state.heap.get_mut(object).body
        && let Some(slot) = slots.get_mut(index)
    {
        *slot = after;
    }
    state.advance();
    Ok(())
}
