//! The beginning of an exploration: the entry method, the ways to call it, and the first state.

use crate::expr::Valuation;
use crate::model::reason::Reason;
use crate::model::{MethodRef, Spelling, Version};
use crate::solver::Constraints;
use crate::symex::class::{Class, Key, Method, access};
use crate::symex::explore::{Explorer, PathEnd};
use crate::symex::input::specs::{EntryShape, entry_shapes, is_bound, key_of};
use crate::symex::input::trial::Trial;
use crate::symex::input::{Spec, drive, seed, symbolic_arguments};
use crate::symex::state::interruption::{Interruption, Stop};
use crate::symex::state::shape::{InputShape, assignment};
use crate::symex::state::strategy::Annotations;
use crate::symex::state::{Mode, State, Thread, strategy};
use crate::symex::vm::Target;
use std::sync::Arc;

impl Explorer {
    pub(in crate::symex) fn find_entry(&mut self, entry: &MethodRef) -> Result<(), Interruption> {
        let class = self
            .vm
            .linker
            .resolve_for(&entry.class.internal(), Version::New)?;
        let linked = self.vm.linker.class(class).clone();
        let key = key_of(entry);
        let found = self
            .vm
            .linker
            .select(class, &key, Version::New)
            .or_else(|| self.vm.linker.select(class, &key, Version::Old));
        let Some(method) = found else {
            return Err(Stop::unsupported(Reason::MethodNotFound, entry.name.clone()).into());
        };
        self.names = names(&linked, &key, &method);
        self.entry = method.clone();
        if let Some(inputs) = self.vm.strategy.mode.input().cloned() {
            let shape = seed::shape(&mut self.vm, &method, &inputs)?;
            self.shapes.push_back((0, shape));
            return Ok(());
        }
        if linked.is_abstract() && &*method.name == "<init>" {
            let detail = format!("{} is abstract", entry.class);
            return Err(Stop::unsupported(Reason::InputType, detail).into());
        }
        if self.vm.strategy.symbolic_call.is_some() {
            let nothing = method.params.iter().map(|_| Spec::Null).collect();
            self.shapes.push_back((0, (None, nothing)));
            return Ok(());
        }
        let ground = self.grounded()?;
        let trial = ground.map(|g| Trial::new(method.clone(), g));
        let (shapes, missing) = entry_shapes(&mut self.vm, &method, &self.names, class, trial)?;
        for (reason, detail) in missing {
            self.ready.push_back(PathEnd::GaveUp {
                stop: Stop {
                    reason,
                    detail,
                    bound: is_bound(reason),
                },
                at: None,
            });
        }
        self.shapes = (0..).zip(shapes).collect();
        Ok(())
    }

    /// The state that ways to build inputs are tried from; not for the papers' programs, of which every state counts.
    fn grounded(&mut self) -> Result<Option<State>, Interruption> {
        let strategy = &self.vm.strategy;
        if strategy.annotations != Annotations::Unified
            || !matches!(strategy.mode, strategy::ExploreMode::Complete)
        {
            return Ok(None);
        }
        let ground = self.ground(Mode::Both)?;
        Ok(Some(self.ground.insert(ground).clone()))
    }

    /// The state before the first instruction, for one way to call the entry method.
    pub(in crate::symex) fn begin(
        &mut self,
        number: usize,
        shape: &EntryShape,
    ) -> Result<State, Interruption> {
        let mode = match self.vm.strategy.mode {
            strategy::ExploreMode::NewOnly => Mode::Diverged(Version::New),
            _ => Mode::Both,
        };
        let ground = match self.ground.clone() {
            Some(ground) => ground,
            None => {
                let ground = self.ground(mode)?;
                self.ground.insert(ground).clone()
            }
        };
        let mut heap = ground.heap.clone();
        let (receiver, args) = shape;
        let (frame, mut shape) = drive(
            &mut self.vm,
            &mut heap,
            &self.entry,
            &self.names,
            receiver.as_ref(),
            args,
        )?;
        if let Some(callee) = self.vm.strategy.symbolic_call.clone() {
            let (method, names) = self.callee(&callee)?;
            let (values, symbolic) =
                symbolic_arguments(&mut self.vm, &mut heap, &method.params, &names)?;
            shape.args = symbolic;
            shape.objects = ground.heap.len()..heap.len();
            let args = values;
            self.names = names;
            self.vm.target = Some(Target { method, args });
        }
        let vars = shape.arg_vars(&self.vm.pool);
        let mode = &self.vm.strategy.mode;
        self.vm.seed = match (mode, mode.input()) {
            (strategy::ExploreMode::Concolic(values), _) if !values.is_empty() => {
                Some(Valuation::new(assignment(&self.vm.pool, &vars, values)))
            }
            (_, Some(inputs)) => {
                let model = seed::model(&self.vm.pool, &shape, inputs);
                let model = model.ok_or_else(|| seed::refused("it is outside of the bounds"))?;
                Some(Valuation::new(model))
            }
            _ => None,
        };
        let shape = Arc::new(shape);
        self.begun.push((number, shape.clone()));
        Ok(State {
            thread: Thread::new(frame),
            heap,
            constraints: match (self.vm.strategy.mode.single_input(), &self.vm.seed) {
                (Some(_), Some(seed)) => Constraints::with_model(seed.model().clone()),
                _ => Constraints::initial(&self.vm.pool),
            },
            shape,
            concrete: self.vm.seed.is_some(),
            ..ground
        })
    }

    /// The number of a shape that was begun.
    pub(in crate::symex) fn number_of(&self, shape: &Arc<InputShape>) -> usize {
        let mut begun = self.begun.iter();
        let found = begun.find(|(_, other)| Arc::ptr_eq(shape, other));
        found.map_or(usize::MAX, |(number, _)| *number)
    }

    fn callee(&mut self, id: &MethodRef) -> Result<(Arc<Method>, Vec<String>), Interruption> {
        let name = id.class.internal();
        let class = self.vm.linker.resolve_for(&name, Version::New)?;
        let linked = self.vm.linker.class(class).clone();
        let key = key_of(id);
        let found = self.vm.linker.select(class, &key, Version::New);
        let method =
            found.ok_or_else(|| Stop::unsupported(Reason::MethodNotFound, id.name.clone()))?;
        let names = names(&linked, &key, &method);
        Ok((method, names))
    }
}

pub(in crate::symex) fn placeholder() -> Arc<Method> {
    let class = (crate::symex::class::ClassId(0), std::sync::Arc::from(""));
    crate::symex::vm::synthetic::method(
        "",
        class,
        crate::symex::class::Origin::Library,
        0,
        Vec::new(),
    )
}

/// Names of the parameters from the class file, `arg0` … where it has none.
fn names(class: &Class, key: &Key, method: &Method) -> Vec<String> {
    let code = method
        .code
        .as_ref()
        .or_else(|| class.unified.get(key).and_then(|m| m.code.as_ref()));
    let mut slot = u16::from(method.access & access::STATIC == 0);
    let mut names = Vec::new();
    for (i, param) in method.params.iter().enumerate() {
        let named = code.and_then(|c| c.locals.iter().find(|v| v.slot == slot && v.start == 0));
        names.push(named.map_or_else(|| format!("arg{i}"), |v| v.name.to_string()));
        slot += crate::symex::vm::synthetic::size(param);
    }
    names
}
