//! Definitions and uses of an instruction besides the operand stack (paper 004, definitions 4.3-4.5).

use crate::bytecode::class_file::{Code, Insn, MemberRef, Prim};
use std::sync::Arc;

/// A place that can be written and read. Equal places may be the same memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A local variable: its slot, and its name and descriptor where the class file has them, since scopes share slots.
    Local(u16, Option<(Arc<str>, Arc<str>)>),
    /// A static field: declaring class and name.
    Static(Arc<str>, Arc<str>),
    /// An instance field of whatever object: declaring class and name.
    Field(Arc<str>, Arc<str>),
    /// Elements of whatever array of that element type (JVMS: one instruction serves boolean and byte).
    Elements(ElementType),
}

/// Type of array elements as the instructions tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ElementType {
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl ElementType {
    fn of(kind: Option<Prim>) -> ElementType {
        match kind {
            None => ElementType::Reference,
            Some(Prim::Boolean | Prim::Byte) => ElementType::Byte,
            Some(Prim::Char) => ElementType::Char,
            Some(Prim::Short) => ElementType::Short,
            Some(Prim::Int) => ElementType::Int,
            Some(Prim::Long) => ElementType::Long,
            Some(Prim::Float) => ElementType::Float,
            Some(Prim::Double) => ElementType::Double,
        }
    }
}

impl Variable {
    /// The local in a slot around an instruction. A variable's range begins behind the store that initialises it.
    pub fn local(code: &Code, slot: u16, pc: u32) -> Variable {
        let of_slot = || code.locals.iter().filter(|v| v.slot == slot);
        let named = of_slot()
            .find(|v| v.start <= pc && pc < v.end)
            .or_else(|| of_slot().find(|v| v.start == pc + 1));
        Variable::Local(slot, named.map(|v| (v.name.clone(), v.descriptor.clone())))
    }

    /// Whether a write leaves nothing of an earlier value: not so for fields and elements, whose object may be another one.
    pub fn is_overwritten_whole(&self) -> bool {
        matches!(self, Variable::Local(..) | Variable::Static(..))
    }

    /// Whether other methods can see it.
    pub fn is_field(&self) -> bool {
        matches!(self, Variable::Static(..) | Variable::Field(..))
    }
}

impl std::fmt::Display for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Variable::Local(_, Some((name, _))) => write!(f, "{name}"),
            Variable::Local(slot, None) => write!(f, "local {slot}"),
            Variable::Static(class, name) | Variable::Field(class, name) => {
                let simple = class.rsplit('/').next().unwrap_or(class);
                write!(f, "{simple}.{name}")
            }
            Variable::Elements(kind) => {
                write!(f, "elements of {}[]", format!("{kind:?}").to_lowercase())
            }
        }
    }
}

/// Finds the class that declares a field which is written with another owner.
pub type FieldOwner<'a> = &'a dyn Fn(&MemberRef) -> Arc<str>;

/// The place an instruction defines.
pub fn definition(code: &Code, pc: u32, owner: FieldOwner) -> Option<Variable> {
    match code.insns.get(pc as usize)? {
        Insn::Store(_, slot) | Insn::Iinc(slot, _) => Some(Variable::local(code, *slot, pc)),
        Insn::PutStatic(f) => Some(Variable::Static(owner(f), f.name.clone())),
        Insn::PutField(f) => Some(Variable::Field(owner(f), f.name.clone())),
        Insn::ArrayStore(kind) => Some(Variable::Elements(ElementType::of(*kind))),
        _ => None,
    }
}

/// The place an instruction reads.
pub fn usage(code: &Code, pc: u32, owner: FieldOwner) -> Option<Variable> {
    match code.insns.get(pc as usize)? {
        Insn::Load(_, slot) | Insn::Iinc(slot, _) | Insn::Ret(slot) => {
            Some(Variable::local(code, *slot, pc))
        }
        Insn::GetStatic(f) => Some(Variable::Static(owner(f), f.name.clone())),
        Insn::GetField(f) => Some(Variable::Field(owner(f), f.name.clone())),
        Insn::ArrayLoad(kind) => Some(Variable::Elements(ElementType::of(*kind))),
        _ => None,
    }
}

/// How far a definition goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flow {
    /// To every use on a control-flow path, as rules (2) and (4) of paper 004 are written.
    #[default]
    Paths,
    /// To the uses that it reaches without being overwritten: fewer, and no effect of a change is lost.
    Reaching,
}

/// Definitions and uses of a body.
#[derive(Debug, Clone)]
pub struct DefUse {
    /// What each instruction defines.
    pub defines: Vec<Option<Variable>>,
    /// What each instruction uses.
    pub uses: Vec<Option<Variable>>,
}

impl DefUse {
    /// Of all instructions.
    pub fn of(code: &Code, owner: FieldOwner) -> DefUse {
        let all = 0..code.insns.len() as u32;
        DefUse {
            defines: all.clone().map(|pc| definition(code, pc, owner)).collect(),
            uses: all.map(|pc| usage(code, pc, owner)).collect(),
        }
    }

    /// Instructions that may use the value which `variable` has behind `from` (`None`: at the method's entry), in ascending order.
    pub fn uses_from(
        &self,
        edges: &[Vec<u32>],
        from: Option<u32>,
        variable: &Variable,
        flow: Flow,
    ) -> Vec<u32> {
        let stops = flow == Flow::Reaching && variable.is_overwritten_whole();
        let mut work: Vec<u32> = match from {
            Some(pc) => edges.get(pc as usize).cloned().unwrap_or_default(),
            None if edges.is_empty() => Vec::new(),
            None => vec![0],
        };
        let mut seen = vec![false; edges.len()];
        let mut found = Vec::new();
        while let Some(pc) = work.pop() {
            let at = pc as usize;
            if seen.get(at).copied().unwrap_or(true) {
                continue;
            }
            seen[at] = true;
            if self.uses[at].as_ref() == Some(variable) {
                found.push(pc);
            }
            if !(stops && self.defines[at].as_ref() == Some(variable)) {
                work.extend(&edges[at]);
            }
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
fn def_use(code: &Code) -> (DefUse, Vec<Vec<u32>>) {
    (
        DefUse::of(code, &|f| f.class.clone()),
        super::cfg::edges(code),
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{code, guarded, local, member};
    use super::{Flow, Variable, def_use};
    use crate::bytecode::class_file::{Const, Insn, Prim};

    const INT: Option<Prim> = Some(Prim::Int);

    fn reached(insns: Vec<Insn>, from: Option<u32>, variable: &Variable, flow: Flow) -> Vec<u32> {
        let (facts, edges) = def_use(&code(insns));
        facts.uses_from(&edges, from, variable, flow)
    }

    fn overwritten() -> Vec<Insn> {
        vec![
            Insn::Const(Const::Int(1)),
            Insn::Store(INT, 0),
            Insn::Load(INT, 0),
            Insn::Store(INT, 0),
            Insn::Load(INT, 0),
            Insn::Return(Some(INT)),
        ]
    }

    #[test]
    fn a_definition_reaches_until_it_is_overwritten_and_a_path_goes_on() {
        let x = Variable::Local(0, None);
        assert_eq!(reached(overwritten(), Some(1), &x, Flow::Reaching), [2]);
        assert_eq!(reached(overwritten(), Some(1), &x, Flow::Paths), [2, 4]);
        assert!(reached(overwritten(), None, &x, Flow::Reaching).is_empty());
    }

    #[test]
    fn an_instance_field_may_belong_to_another_object() {
        let f = member("A", "f", "I");
        let insns = vec![
            Insn::PutField(f.clone()),
            Insn::PutField(f.clone()),
            Insn::GetField(f),
            Insn::Return(None),
        ];
        let field = Variable::Field("A".into(), "f".into());
        assert_eq!(reached(insns, Some(0), &field, Flow::Reaching), [2]);
    }

    #[test]
    fn array_elements_are_told_apart_by_their_type() {
        let insns = vec![
            Insn::ArrayStore(INT),
            Insn::ArrayLoad(Some(Prim::Long)),
            Insn::ArrayLoad(INT),
            Insn::Return(None),
        ];
        let (facts, edges) = def_use(&code(insns));
        let elements = facts.defines[0].clone().unwrap();
        let uses = facts.uses_from(&edges, Some(0), &elements, Flow::Reaching);
        assert_eq!(uses, [2]);
    }

    #[test]
    fn a_definition_reaches_the_handler() {
        let code = guarded(
            vec![
                Insn::Const(Const::Int(1)),
                Insn::Store(INT, 0),
                Insn::GetStatic(member("A", "f", "I")),
                Insn::Return(None),
                Insn::Load(INT, 0),
                Insn::Return(Some(INT)),
            ],
            0,
            3,
            4,
        );
        let (facts, edges) = def_use(&code);
        let x = Variable::Local(0, None);
        assert_eq!(facts.uses_from(&edges, Some(1), &x, Flow::Reaching), [4]);
    }

    #[test]
    fn two_variables_of_one_slot_are_two() {
        let mut code = code(overwritten());
        let mut first = local(&code, 0, "a");
        first.end = 3;
        let mut second = local(&code, 0, "b");
        second.start = 4;
        code.locals = vec![first, second];
        let (facts, _) = def_use(&code);
        assert_eq!(facts.defines[1], facts.uses[2]);
        assert_eq!(facts.defines[3], facts.uses[4]);
        assert_ne!(facts.uses[2], facts.uses[4]);
    }
}
