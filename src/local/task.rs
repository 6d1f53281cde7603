//! The task of one attempt: two bodies, and the state from which both run.

use super::body::Body;
use super::context::ProofContext;
use super::executor::frame;
use super::heap::{Epoch, Heap};
use super::obligation::{Obligation, parameters};
use super::state::State;
use crate::bytecode::access::STATIC;
use crate::solver::Constraints;
use std::rc::Rc;

const ENTRY: Epoch = Epoch {
    segment: 0,
    event: 0,
};

/// Two bodies.
pub enum Task {
    /// A method's.
    Method([Body; 2]),
    /// Those of two lambdas.
    Lambda(Obligation),
    /// Those of two methods that took each other's place.
    Paired(Obligation),
}

impl Task {
    /// Whether fields that are final may be unset while it runs. A lambda may run while the object that made it is constructed.
    pub fn constructs(&self) -> bool {
        match self {
            Task::Method([body, _]) => body.method.name.starts_with('<'),
            Task::Lambda(_) => true,
            Task::Paired(o) => o.bodies[1].method.name.starts_with('<'),
        }
    }

    /// The bodies: old, new.
    pub fn bodies(&self) -> &[Body; 2] {
        match self {
            Task::Method(bodies) => bodies,
            Task::Lambda(obligation) | Task::Paired(obligation) => &obligation.bodies,
        }
    }

    /// Both versions at the begin, with the same arguments.
    pub fn initial_states(&self, context: &mut ProofContext) -> [State; 2] {
        let s = &mut context.symbols;
        let mut argument = |name: &str, descriptor: &str, nullable: bool| match descriptor {
            d if d.starts_with(['L', '[']) => s.preexisting(name, d, nullable),
            d => s.value(name, &[], d),
        };
        let (bodies, args) = match self {
            Task::Method(bodies) => {
                let [a, b] = bodies;
                let is_static = a.method.access & STATIC != 0;
                let named = |i: usize| {
                    let at = if is_static { Some(i) } else { i.checked_sub(1) };
                    match at {
                        None => "this".into(),
                        Some(i) => match b.method.parameter_names.get(i) {
                            Some(name) => name.to_string(),
                            None => format!("argument {i}"),
                        },
                    }
                };
                let types = parameters(a);
                let all = types.iter().enumerate();
                let args: Vec<_> = all
                    .map(|(i, t)| argument(&named(i), t, is_static || i > 0))
                    .collect();
                (bodies, [args.clone(), args])
            }
            Task::Lambda(o) | Task::Paired(o) => {
                let mut side = |n: usize| {
                    let (body, numbers) = (&o.bodies[n], &o.numbers[n]);
                    let is_static = body.method.access & STATIC != 0;
                    let all = parameters(body).into_iter().zip(numbers).enumerate();
                    all.map(|(i, (t, number))| {
                        argument(&format!("value {number}"), &t, is_static || i > 0)
                    })
                    .collect::<Vec<_>>()
                };
                let (a, b) = (side(0), side(1));
                (&o.bodies, [a, b])
            }
        };
        let condition = Constraints::initial(&context.symbols.pool);
        let [x, y] = args;
        [(&bodies[0], x), (&bodies[1], y)].map(|(body, args)| State {
            heap: match (&*body.method.name, args.first()) {
                ("<init>", Some(this)) => {
                    Heap::unknown(ENTRY).constructing(*this, &body.class.name)
                }
                _ => Heap::unknown(ENTRY),
            },
            frames: vec![frame(&context.symbols, body.clone(), args)],
            condition: condition.clone(),
            events: Rc::default(),
            allocated: Rc::default(),
            raised: Rc::default(),
            initialised: Rc::default(),
            computed: Rc::default(),
            moved: false,
            unrolled: 0,
        })
    }
}
