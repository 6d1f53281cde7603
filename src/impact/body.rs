//! A method body as the impact rules see it: statements, and what each of them depends on.

use super::cfg::edges;
use super::control::{control_dependents, reversed};
use super::stack::OperandStack;
use super::statement::statements;
use super::variable::{DefUse, FieldOwner, Flow, Variable};
use crate::bytecode::class_file::{Code, Insn};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Statements of a body with their control and data dependences.
#[derive(Debug, Clone)]
pub struct Body {
    /// The code.
    pub code: Arc<Code>,
    /// The operand stack.
    pub stack: OperandStack,
    /// Instructions of each statement.
    pub statements: Vec<Range<u32>>,
    /// Statements that may come next, exceptional edges included.
    pub next: Vec<Vec<u32>>,
    /// Statements that are control dependent on each.
    pub controls: Vec<Vec<u32>>,
    /// The same the other way round.
    pub controlled_by: Vec<Vec<u32>>,
    /// Definitions and uses per instruction.
    pub def_use: DefUse,
    edges: Vec<Vec<u32>>,
    statement_of: Vec<u32>,
}

/// What carries a value from its definition to its use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// A variable, a field or array elements.
    Variable(Variable),
    /// The operand stack, as in a conditional expression.
    Stack,
}

impl Body {
    /// Of a method's code.
    pub fn of(code: &Arc<Code>, owner: FieldOwner) -> Body {
        let edges = edges(code);
        let stack = OperandStack::of(code, &edges);
        let statements = statements(code, &stack);
        let mut statement_of = vec![0; code.insns.len()];
        for (i, range) in statements.iter().enumerate() {
            for pc in range.clone() {
                statement_of[pc as usize] = i as u32;
            }
        }
        let next: Vec<Vec<u32>> = statements
            .iter()
            .map(|range| {
                let mut all: Vec<u32> = range
                    .clone()
                    .flat_map(|pc| {
                        edges[pc as usize]
                            .iter()
                            .filter(move |t| **t != pc + 1 || pc + 1 == range.end)
                    })
                    .map(|t| statement_of[*t as usize])
                    .collect();
                all.sort_unstable();
                all.dedup();
                all
            })
            .collect();
        let controls = control_dependents(&next);
        Body {
            controlled_by: reversed(&controls),
            controls,
            next,
            def_use: DefUse::of(code, owner),
            code: code.clone(),
            stack,
            statements,
            edges,
            statement_of,
        }
    }

    /// The statement an instruction belongs to.
    pub fn statement_of(&self, pc: u32) -> Option<u32> {
        self.statement_of.get(pc as usize).copied()
    }

    /// Whether control may go more than one way behind a statement: *Cond* in DiSE's first version, all others being *Write*.
    pub fn is_branch(&self, statement: u32) -> bool {
        self.next
            .get(statement as usize)
            .is_some_and(|n| n.len() > 1)
    }

    /// Instructions of a statement.
    pub fn instructions(&self, statement: u32) -> Range<u32> {
        self.statements
            .get(statement as usize)
            .cloned()
            .unwrap_or(0..0)
    }

    /// Source line of a statement: of its first instruction that has one.
    pub fn line(&self, statement: u32) -> u32 {
        self.instructions(statement)
            .map(|pc| self.code.lines.get(pc as usize).copied().unwrap_or(0))
            .find(|l| *l > 0)
            .unwrap_or(0)
    }

    /// Statements that use what a statement defines (rule 2), in ascending order.
    pub fn users_of(&self, statement: u32, flow: Flow) -> Vec<(u32, Carrier)> {
        let mut found: BTreeMap<u32, Carrier> = BTreeMap::new();
        let range = self.instructions(statement);
        for pc in range.clone() {
            if let Some(variable) = &self.def_use.defines[pc as usize] {
                for user in self
                    .def_use
                    .uses_from(&self.edges, Some(pc), variable, flow)
                {
                    found
                        .entry(self.statement_of[user as usize])
                        .or_insert_with(|| Carrier::Variable(variable.clone()));
                }
            }
        }
        for user in self.stack_users(&range) {
            found.entry(user).or_insert(Carrier::Stack);
        }
        found.remove(&statement);
        found.into_iter().collect()
    }

    fn stack_users(&self, range: &Range<u32>) -> Vec<u32> {
        // Only a statement that leaves something on the stack can be used through it.
        let leaves = self.next_instructions(range.end.saturating_sub(1));
        if leaves.iter().all(|pc| self.stack.depth(*pc) == Some(0)) {
            return Vec::new();
        }
        let all = 0..self.code.insns.len() as u32;
        all.filter(|pc| !range.contains(pc))
            .filter(|pc| {
                let mut producers = self.stack.consumed(*pc).iter().flatten();
                producers.any(|p| range.contains(p))
            })
            .map(|pc| self.statement_of[pc as usize])
            .collect()
    }

    fn next_instructions(&self, pc: u32) -> &[u32] {
        self.edges.get(pc as usize).map_or(&[], Vec::as_slice)
    }

    /// Statements that define what a statement uses (rule 4), in ascending order.
    pub fn definers_for(&self, statement: u32, flow: Flow) -> Vec<(u32, Carrier)> {
        let mut found: BTreeMap<u32, Carrier> = BTreeMap::new();
        let range = self.instructions(statement);
        for pc in range.clone() {
            for producer in self.stack.consumed(pc).iter().flatten() {
                found
                    .entry(self.statement_of[*producer as usize])
                    .or_insert(Carrier::Stack);
            }
            let Some(variable) = &self.def_use.uses[pc as usize] else {
                continue;
            };
            for (definer, defined) in self.def_use.defines.iter().enumerate() {
                let definer = definer as u32;
                if defined.as_ref() == Some(variable)
                    && self
                        .def_use
                        .uses_from(&self.edges, Some(definer), variable, flow)
                        .binary_search(&pc)
                        .is_ok()
                {
                    found
                        .entry(self.statement_of[definer as usize])
                        .or_insert_with(|| Carrier::Variable(variable.clone()));
                }
            }
        }
        found.remove(&statement);
        found.into_iter().collect()
    }

    /// Statements that use the parameter in a slot, in ascending order.
    pub fn users_of_parameter(&self, slot: u16, flow: Flow) -> Vec<u32> {
        let variable = Variable::local(&self.code, slot, 0);
        let mut found: Vec<u32> = self
            .def_use
            .uses_from(&self.edges, None, &variable, flow)
            .into_iter()
            .map(|pc| self.statement_of[pc as usize])
            .collect();
        found.dedup();
        found
    }

    /// Whether an instruction only hands on the value that the method was called with in a slot: which slot.
    pub fn handed_on(&self, pc: u32) -> Option<u16> {
        let Insn::Load(_, slot) = self.code.insns.get(pc as usize)? else {
            return None;
        };
        let writes = |i: &Insn| matches!(i, Insn::Store(_, s) | Insn::Iinc(s, _) if s == slot);
        (!self.code.insns.iter().any(writes)).then_some(*slot)
    }
}
