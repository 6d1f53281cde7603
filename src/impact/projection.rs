//! The projection law (docs/unification.md), checked on bytecode: a unified method seen as one version is that version's method.

mod names;

use super::enum_switch;
use crate::bytecode::class_file::{ClassFile, Cmp, Code, Const, Insn, InvokeKind, Method};
use crate::bytecode::{ClassPath, Projected, Side};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a projection is not the real method: what differs, and the unified program's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What differs.
    pub what: String,
    /// Line in the unified source, 0 when unknown.
    pub line: u32,
}

/// Compares `unified`, seen as `side`, with `real`, instruction by instruction along all paths: equal up to line numbers, the
/// numbering of slots, lambdas and anonymous classes, jumps to jumps, branches on constants, and stores that nobody reads.
/// Bodies of lambdas and of anonymous and local classes that the methods refer to are compared too.
///
/// # Errors
/// The first difference found.
pub fn check_projection(
    real: (&ClassPath, &Arc<ClassFile>, &Method),
    unified: (&ClassPath, &Arc<ClassFile>, &Method),
    side: Side,
) -> Result<(), Mismatch> {
    let mut check = Check {
        side,
        real: real.0,
        unified: unified.0,
        names: BTreeMap::new(),
        lambdas: BTreeSet::new(),
        waiting: vec![(
            (real.1.clone(), real.2.clone()),
            (unified.1.clone(), unified.2.clone()),
        )],
    };
    while let Some(((a, m), (b, n))) = check.waiting.pop() {
        check.methods((&a, &m), (&b, &n))?;
    }
    Ok(())
}

type Located = (Arc<ClassFile>, Method);

struct Check<'a> {
    side: Side,
    real: &'a ClassPath,
    unified: &'a ClassPath,
    /// Anonymous and local classes, real by unified.
    names: BTreeMap<String, String>,
    lambdas: BTreeSet<(String, String)>,
    waiting: Vec<(Located, Located)>,
}

type Checked = Result<(), String>;

/// Which real slot each unified slot's value is in.
type Slots = BTreeMap<u16, u16>;

impl Check<'_> {
    fn methods(
        &mut self,
        (a, m): (&Arc<ClassFile>, &Method),
        (b, n): (&Arc<ClassFile>, &Method),
    ) -> Result<(), Mismatch> {
        let at_start = |what: String| Mismatch { what, line: 0 };
        let (Some(x), Some(y)) = (&m.code, &n.code) else {
            return if m.code.is_none() == n.code.is_none() {
                Ok(())
            } else {
                Err(at_start(format!(
                    "{} has a body in one of the two only",
                    m.name
                )))
            };
        };
        if (m.access ^ n.access) & crate::bytecode::access::STATIC != 0 {
            return Err(at_start(format!(
                "{} is static in one of the two only",
                m.name
            )));
        }
        let unknown = || at_start("an annotation of unknown form".into());
        let p = Projected::of(x, self.side).ok_or_else(unknown)?;
        let q = Projected::of(y, self.side).ok_or_else(unknown)?;
        let entry: Slots = (0..parameter_slots(m)).map(|s| (s, s)).collect();
        let mut seen: FxHashMap<(u32, u32), Slots> = FxHashMap::default();
        let mut work = vec![(0, 0, entry)];
        while let Some((i, j, slots)) = work.pop() {
            let (i, j) = (p.at(i), q.at(j));
            let merged = match seen.get(&(i, j)) {
                None => slots,
                Some(known) => {
                    let both: Slots = known
                        .iter()
                        .filter(|(k, v)| slots.get(k) == Some(v))
                        .map(|(k, v)| (*k, *v))
                        .collect();
                    if both == *known {
                        continue;
                    }
                    both
                }
            };
            seen.insert((i, j), merged.clone());
            let mut after = merged.clone();
            let located = |what: String| Mismatch {
                what: format!("{}: {what}", m.name),
                line: y.lines.get(q.origin(j) as usize).copied().unwrap_or(0),
            };
            let next = self
                .step((&p, i, a), (&q, j, b), &mut after)
                .map_err(located)?;
            work.extend(next.into_iter().map(|(i, j)| (i, j, after.clone())));
            if q.insn(j).is_some_and(can_throw) {
                for pair in self.handlers((x, &p, i), (y, &q, j)).map_err(located)? {
                    work.push((pair.0, pair.1, merged.clone()));
                }
            }
        }
        Ok(())
    }

    /// Compares one instruction; gives the pairs of positions that follow.
    fn step(
        &mut self,
        (p, i, a): (&Projected, u32, &Arc<ClassFile>),
        (q, j, b): (&Projected, u32, &Arc<ClassFile>),
        slots: &mut Slots,
    ) -> Result<Vec<(u32, u32)>, String> {
        let differ = || format!("{} became {}", shown(p.insn(i)), shown(q.insn(j)));
        let (Some(x), Some(y)) = (p.insn(i), q.insn(j)) else {
            return if p.insn(i).is_none() && q.insn(j).is_none() {
                Ok(Vec::new())
            } else {
                Err(differ())
            };
        };
        let branch = |same: bool, crossed: bool, s: u32, t: u32| {
            if same {
                Ok(vec![(i + 1, j + 1), (s, t)])
            } else if crossed {
                Ok(vec![(i + 1, t), (s, j + 1)])
            } else {
                Err(differ())
            }
        };
        match (x, y) {
            (Insn::Load(k, s), Insn::Load(l, t)) if k == l && slots.get(t) == Some(s) => {}
            (Insn::Store(k, s), Insn::Store(l, t)) if k == l => {
                slots.retain(|_, real| real != s);
                slots.insert(*t, *s);
            }
            (Insn::IfIcmp(c, s), Insn::IfIcmp(d, t)) | (Insn::IfAcmp(c, s), Insn::IfAcmp(d, t)) => {
                return branch(c == d, negated(*c) == *d, *s, *t);
            }
            (Insn::Switch(s, cases), Insn::Switch(t, others)) => {
                let other = || "a switch has other keys".to_string();
                let cases = enum_switch::cases(self.real, p, i, cases).ok_or_else(other)?;
                let others = enum_switch::cases(self.unified, q, j, others).ok_or_else(other)?;
                if !cases.keys().eq(others.keys()) {
                    return Err(other());
                }
                let pairs = cases.into_values().zip(others.into_values());
                return Ok(pairs.chain([(*s, *t)]).collect());
            }
            (Insn::Invoke(k, m), Insn::Invoke(l, n))
                if k == l && is_of_super(x, a) && is_of_super(y, b) && m.name == n.name =>
            {
                self.text(&m.descriptor, &n.descriptor)?;
            }
            (Insn::Invoke(k, m), Insn::Invoke(l, n)) if k == l || dispatched(*k, *l) => {
                self.members(m, n, a, b)?
            }
            (Insn::GetStatic(m), Insn::GetStatic(n))
            | (Insn::PutStatic(m), Insn::PutStatic(n))
            | (Insn::GetField(m), Insn::GetField(n))
            | (Insn::PutField(m), Insn::PutField(n)) => self.members(m, n, a, b)?,
            (Insn::InvokeDynamic(m), Insn::InvokeDynamic(n)) => self.sites(m, n, a, b)?,
            (Insn::New(c), Insn::New(d))
            | (Insn::ANewArray(c), Insn::ANewArray(d))
            | (Insn::CheckCast(c), Insn::CheckCast(d))
            | (Insn::InstanceOf(c), Insn::InstanceOf(d))
            | (Insn::Const(Const::Class(c)), Insn::Const(Const::Class(d))) => self.text(c, d)?,
            (Insn::MultiANewArray(c, m), Insn::MultiANewArray(d, n)) if m == n => {
                self.text(c, d)?
            }
            (Insn::Load(..) | Insn::Store(..) | Insn::Jsr(_) | Insn::Ret(_), _) => {
                return Err(differ());
            }
            (x, y) if x == y => {}
            _ => return Err(differ()),
        }
        let ends = matches!(x, Insn::Return(_) | Insn::Athrow);
        Ok(if ends {
            Vec::new()
        } else {
            vec![(i + 1, j + 1)]
        })
    }

    /// Handlers that cover the two instructions, pair by pair.
    fn handlers(
        &mut self,
        (x, p, i): (&Code, &Projected, u32),
        (y, q, j): (&Code, &Projected, u32),
    ) -> Result<Vec<(u32, u32)>, String> {
        let covering = |code: &Code, pc: u32| -> Vec<(Option<Arc<str>>, u32)> {
            let all = code
                .handlers
                .iter()
                .filter(|h| (h.start..h.end).contains(&pc));
            all.map(|h| (h.catch.clone(), h.target)).collect()
        };
        let (s, t) = (covering(x, p.origin(i)), covering(y, q.origin(j)));
        if s.len() != t.len() {
            return Err("other handlers cover this".into());
        }
        let mut pairs = Vec::new();
        for ((c, from), (d, to)) in s.into_iter().zip(t) {
            match (c, d) {
                (None, None) => {}
                (Some(c), Some(d)) => self.text(&c, &d)?,
                _ => return Err("another exception is caught".into()),
            }
            pairs.push((p.position(from), q.position(to)));
        }
        Ok(pairs)
    }
}

/// Whether it calls what `super` means in that class, which the engine takes for each version's own superclass. (For an object
/// of the superclass that is made here, the two classes are compared where it is made.)
fn is_of_super(insn: &Insn, class: &ClassFile) -> bool {
    matches!(insn, Insn::Invoke(InvokeKind::Special, m) if class.super_name.as_ref() == Some(&m.class))
}

fn shown(insn: Option<&Insn>) -> String {
    match insn {
        None => "the end".into(),
        Some(Insn::Const(Const::Str(units))) => format!("{:?}", String::from_utf16_lossy(units)),
        Some(Insn::Invoke(_, m)) => format!("the call of {}.{}{}", m.class, m.name, m.descriptor),
        Some(other) => format!("{other:?}"),
    }
}

/// Whether both calls choose the method by the object (JVMS §5.4.6): a class may have become an interface.
fn dispatched(a: InvokeKind, b: InvokeKind) -> bool {
    let virtual_call = |k| matches!(k, InvokeKind::Virtual | InvokeKind::Interface);
    virtual_call(a) && virtual_call(b)
}

fn negated(cmp: Cmp) -> Cmp {
    match cmp {
        Cmp::Eq => Cmp::Ne,
        Cmp::Ne => Cmp::Eq,
        Cmp::Lt => Cmp::Ge,
        Cmp::Ge => Cmp::Lt,
        Cmp::Gt => Cmp::Le,
        Cmp::Le => Cmp::Gt,
    }
}

fn can_throw(insn: &Insn) -> bool {
    matches!(
        insn,
        Insn::Invoke(..)
            | Insn::InvokeDynamic(_)
            | Insn::GetField(_)
            | Insn::PutField(_)
            | Insn::GetStatic(_)
            | Insn::PutStatic(_)
            | Insn::ArrayLoad(_)
            | Insn::ArrayStore(_)
            | Insn::ArrayLength
            | Insn::Athrow
            | Insn::CheckCast(_)
            | Insn::New(_)
            | Insn::NewArray(_)
            | Insn::ANewArray(_)
            | Insn::MultiANewArray(..)
            | Insn::MonitorEnter
            | Insn::MonitorExit
            | Insn::Bin(
                crate::bytecode::class_file::BinOp::Div | crate::bytecode::class_file::BinOp::Rem,
                _
            )
    )
}

/// Slots that parameters and receiver take (JVMS §2.6.1).
fn parameter_slots(method: &Method) -> u16 {
    let wide = |d: &String| {
        if matches!(d.as_str(), "J" | "D") {
            2
        } else {
            1
        }
    };
    let receiver = u16::from(method.access & crate::bytecode::access::STATIC == 0);
    receiver
        + crate::bytecode::parameter_descriptors(&method.descriptor)
            .iter()
            .map(wide)
            .sum::<u16>()
}
