//! The dependences of a whole program: within methods, and between them by a class-hierarchy call graph (iDiSE, paper 004 §6.1).

use super::body::{Body, Carrier};
use super::hierarchy::Hierarchy;
use super::rules::{Dependences, Rule};
use super::stack::slots;
use super::variable::{Flow, Variable, usage};
use crate::bytecode::class_file::{ClassFile, Insn, InvokeKind, Method};
use crate::bytecode::parameter_descriptors;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;

/// What a node of the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// The parameter in a slot, as the callers set it; 0 is the receiver of an instance method.
    Parameter(u16),
    /// A statement.
    Statement(u32),
}

/// A node of the program: a place in a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// The method's number in the hierarchy.
    pub method: u32,
    /// Where in it.
    pub place: NodeKind,
}

/// What carries a dependence from node to node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// A branch.
    Control,
    /// A value within a method.
    Carried(Carrier),
    /// A field, between methods.
    Field(Variable),
    /// An argument of a call.
    Argument,
    /// What a call returns.
    Returned,
    /// An exception that a call throws.
    Thrown,
}

/// All methods of one version.
pub struct DependenceGraph {
    hierarchy: Hierarchy,
    bodies: Vec<OnceCell<Option<Body>>>,
    /// Call sites by method called.
    callers: Vec<Vec<(u32, u32)>>,
    /// Instructions that read a field, by field.
    readers: FxHashMap<Variable, Vec<(u32, u32)>>,
    flow: Flow,
}

impl DependenceGraph {
    /// Of these classes.
    pub fn of(classes: Vec<Arc<ClassFile>>, flow: Flow) -> DependenceGraph {
        let hierarchy = Hierarchy::of(classes);
        let mut out = DependenceGraph {
            bodies: (0..hierarchy.len()).map(|_| OnceCell::new()).collect(),
            callers: vec![Vec::new(); hierarchy.len() as usize],
            readers: FxHashMap::default(),
            hierarchy,
            flow,
        };
        for caller in 0..out.hierarchy.len() {
            let Some(code) = out
                .hierarchy
                .method(caller)
                .and_then(|(_, m)| m.code.as_ref())
            else {
                continue;
            };
            for (pc, insn) in code.insns.iter().enumerate() {
                let pc = pc as u32;
                for callee in out.hierarchy.targets(insn).known {
                    if let Some(list) = out.callers.get_mut(callee as usize) {
                        list.push((caller, pc));
                    }
                }
                if matches!(insn, Insn::GetField(_) | Insn::GetStatic(_))
                    && let Some(field) = usage(code, pc, &|f| out.hierarchy.field_owner(f))
                {
                    out.readers.entry(field).or_default().push((caller, pc));
                }
            }
        }
        out
    }

    /// The classes and methods.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// A method's body; `None` for abstract and native methods.
    pub fn body(&self, method: u32) -> Option<&Body> {
        let find = || {
            let (_, found) = self.hierarchy.method(method)?;
            let owner = |f: &_| self.hierarchy.field_owner(f);
            found.code.as_ref().map(|code| Body::of(code, &owner))
        };
        self.bodies.get(method as usize)?.get_or_init(find).as_ref()
    }

    /// Where a method is called: callers and instructions, in ascending order.
    pub fn callers(&self, method: u32) -> &[(u32, u32)] {
        self.callers.get(method as usize).map_or(&[], Vec::as_slice)
    }

    /// The statement of an instruction.
    pub fn node_at(&self, method: u32, pc: u32) -> Option<Node> {
        let statement = self.body(method)?.statement_of(pc)?;
        Some(Node {
            method,
            place: NodeKind::Statement(statement),
        })
    }

    fn out_of_statement(&self, method: u32, statement: u32) -> Vec<(Node, Rule, Link)> {
        let Some(body) = self.body(method) else {
            return Vec::new();
        };
        let here = |statement| Node {
            method,
            place: NodeKind::Statement(statement),
        };
        let mut out: Vec<(Node, Rule, Link)> = body.controls[statement as usize]
            .iter()
            .map(|s| (here(*s), Rule::ControlForward, Link::Control))
            .collect();
        for (user, carrier) in body.users_of(statement, self.flow) {
            out.push((here(user), Rule::DataForward, Link::Carried(carrier)));
        }
        for pc in body.instructions(statement) {
            self.to_readers(method, body, pc, &mut out);
            self.to_parameters(body, pc, &mut out);
            self.to_callers(method, body, pc, &mut out);
        }
        out
    }

    /// Any method may read a field once it was written.
    fn to_readers(&self, method: u32, body: &Body, pc: u32, out: &mut Vec<(Node, Rule, Link)>) {
        let Some(field) = body.def_use.defines[pc as usize]
            .as_ref()
            .filter(|v| v.is_field())
        else {
            return;
        };
        for (reader, at) in self.readers.get(field).into_iter().flatten() {
            // Within the method, the control-flow graph says which reads may follow.
            if *reader != method
                && let Some(node) = self.node_at(*reader, *at)
            {
                out.push((node, Rule::DataForward, Link::Field(field.clone())));
            }
        }
    }

    /// The parameters that a call sets to something that the caller computes.
    fn to_parameters(&self, body: &Body, pc: u32, out: &mut Vec<(Node, Rule, Link)>) {
        for (slot, producers) in self.arguments(body, pc) {
            let computes = |p: &u32| {
                let insn = body.code.insns.get(*p as usize);
                let constant =
                    matches!(insn, Some(Insn::Const(_) | Insn::AconstNull | Insn::New(_)));
                !constant && body.handed_on(*p).is_none()
            };
            // Two constants mean a choice between them.
            if producers.len() > 1 || producers.iter().any(computes) {
                self.set_parameter(body, pc, slot, out);
            }
        }
    }

    fn set_parameter(&self, body: &Body, pc: u32, slot: u16, out: &mut Vec<(Node, Rule, Link)>) {
        for callee in self.hierarchy.targets(&body.code.insns[pc as usize]).known {
            // An instruction can also run a class's initialiser, which takes nothing.
            let takes = |(_, m): (&ClassFile, &Method)| &*m.name != "<clinit>";
            if self.hierarchy.method(callee).is_some_and(takes) {
                let place = NodeKind::Parameter(slot);
                let method = callee;
                out.push((Node { method, place }, Rule::DataForward, Link::Argument));
            }
        }
    }

    /// Slots of the callee's parameters with what produced their values. Captured variables are the first parameters of a lambda.
    fn arguments<'a>(&self, body: &'a Body, pc: u32) -> Vec<(u16, &'a [u32])> {
        let (descriptor, receiver) = match &body.code.insns[pc as usize] {
            Insn::Invoke(kind, m) => (&m.descriptor, *kind != InvokeKind::Static),
            Insn::InvokeDynamic(site) => (&site.descriptor, false),
            _ => return Vec::new(),
        };
        let mut widths: Vec<usize> = vec![1; usize::from(receiver)];
        widths.extend(parameter_descriptors(descriptor).iter().map(|d| slots(d)));
        let consumed = body.stack.consumed(pc);
        let (mut out, mut slot) = (Vec::new(), 0);
        for width in widths {
            if let Some(producers) = consumed.get(slot) {
                out.push((slot as u16, producers.as_slice()));
            }
            slot += width;
        }
        out
    }

    /// What a method returns or throws comes to its callers.
    fn to_callers(&self, method: u32, body: &Body, pc: u32, out: &mut Vec<(Node, Rule, Link)>) {
        let (rule, link) = match &body.code.insns[pc as usize] {
            Insn::Return(Some(_)) => (Rule::DataForward, Link::Returned),
            Insn::Athrow if super::cfg::handlers(&body.code, pc).is_empty() => {
                (Rule::ControlForward, Link::Thrown)
            }
            _ => return,
        };
        for (caller, at) in self.callers(method) {
            if let Some(node) = self.node_at(*caller, *at) {
                out.push((node, rule, link.clone()));
            }
        }
    }

    fn out_of_parameter(&self, method: u32, slot: u16) -> Vec<(Node, Rule, Link)> {
        let Some(body) = self.body(method) else {
            return Vec::new();
        };
        let variable = Variable::local(&body.code, slot, 0);
        let mut out = Vec::new();
        for user in body.users_of_parameter(slot, self.flow) {
            let place = NodeKind::Statement(user);
            let carried = Link::Carried(Carrier::Variable(variable.clone()));
            out.push((Node { method, place }, Rule::DataForward, carried));
        }
        for pc in 0..body.code.insns.len() as u32 {
            for (to, producers) in self.arguments(body, pc) {
                if producers.iter().any(|p| body.handed_on(*p) == Some(slot)) {
                    self.set_parameter(body, pc, to, &mut out);
                }
            }
        }
        out
    }

    fn backward(
        &self,
        node: Node,
        sources: impl Fn(&Body, u32) -> Vec<(u32, Link)>,
    ) -> Vec<(Node, Link)> {
        let NodeKind::Statement(statement) = node.place else {
            return Vec::new();
        };
        let found = self.body(node.method).map(|b| sources(b, statement));
        let here = |statement| Node {
            method: node.method,
            place: NodeKind::Statement(statement),
        };
        found
            .into_iter()
            .flatten()
            .map(|(s, link)| (here(s), link))
            .collect()
    }
}

impl Dependences for DependenceGraph {
    type Node = Node;
    type How = Link;

    fn is_branch(&self, node: Node) -> bool {
        match node.place {
            NodeKind::Statement(s) => self.body(node.method).is_some_and(|b| b.is_branch(s)),
            NodeKind::Parameter(_) => false,
        }
    }

    fn forward(&self, node: Node) -> Vec<(Node, Rule, Link)> {
        match node.place {
            NodeKind::Statement(s) => self.out_of_statement(node.method, s),
            NodeKind::Parameter(slot) => self.out_of_parameter(node.method, slot),
        }
    }

    /// Within the method, as in the paper: backward through the callers would be most of the program.
    fn controlled_by(&self, node: Node) -> Vec<(Node, Link)> {
        self.backward(node, |body, statement| {
            let all = body.controlled_by.get(statement as usize);
            all.into_iter()
                .flatten()
                .map(|s| (*s, Link::Control))
                .collect()
        })
    }

    fn definers_for(&self, node: Node) -> Vec<(Node, Link)> {
        self.backward(node, |body, statement| {
            let all = body.definers_for(statement, self.flow);
            all.into_iter()
                .map(|(s, carrier)| (s, Link::Carried(carrier)))
                .collect()
        })
    }
}
