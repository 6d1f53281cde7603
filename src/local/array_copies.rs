//! Copies of arrays of numbers by `System.arraycopy` and `clone`: entered as a loop where the other version has no such call.

use super::body::Body;
use super::executor::Executor;
use super::state::{State, Target, Unproved};
use super::version::Version;
use crate::bytecode::class_file::{BinOp, Cmp, Const, Insn, MemberRef, Prim};
use crate::expr::{BvOp, CmpOp, Term};
use crate::impact;
use std::sync::Arc;

/// A copy of a part of an array into another array of the same class.
pub(super) struct ArrayCopy {
    body: Body,
    /// The array that is read, and from where; the array that is written, and from where; and how many elements. For a clone, the
    /// array alone.
    args: Vec<Term>,
}

impl Executor<'_> {
    /// The copy that a call makes, if all arrays are of one known class of numbers. Of two arrays that may be one nothing is known.
    pub(super) fn array_copy(&self, member: &MemberRef, args: &[Term]) -> Option<ArrayCopy> {
        let clones = &*member.name == "clone" && member.class.starts_with('[');
        let copies = &*member.class == "java/lang/System" && &*member.name == "arraycopy";
        if !clones && !copies {
            return None;
        }
        let s = &self.context.symbols;
        let class = |t: &Term| s.class_of(*t).or_else(|| s.type_of(*t)).cloned();
        let of = class(args.first()?)?;
        if copies {
            let (from, to) = (args[0], *args.get(2)?);
            let is_new = s.class_of(to).is_some() && s.is_early(from)
                || s.class_of(to).is_some() && s.class_of(from).is_some() && from != to;
            if !is_new || class(&to)? != of {
                return None;
            }
        }
        let body = self.version.copy_body(&of, clones)?;
        Some(ArrayCopy {
            body,
            args: args.to_vec(),
        })
    }

    /// Whether an attempt failed because only one version makes such a copy.
    pub(super) fn enters_copy(&self, copy: &ArrayCopy) -> bool {
        let id = impact::id(&copy.body.class, &copy.body.method);
        self.context.inlined_common.contains(&id)
    }

    /// Notes that the next event is a copy that can be entered.
    pub(super) fn note_copy(&mut self, copy: ArrayCopy) {
        self.callee = Some(Target {
            body: copy.body,
            is_enterable: true,
            is_lone: false,
        });
    }

    /// Copies element by element, behind the checks that come before any is copied.
    ///
    /// # Errors
    /// As `fork`.
    pub(super) fn enter_copy(&mut self, state: State, copy: ArrayCopy) -> Result<(), Unproved> {
        let ArrayCopy { body, mut args } = copy;
        let Some(mut state) = self.not_null(state, args[0])? else {
            return Ok(());
        };
        if let [array] = args[..] {
            let length = self.length(&state, array);
            let class = body
                .method
                .descriptor
                .split(')')
                .next_back()
                .map(Arc::<str>::from);
            let class = class.ok_or_else(|| Unproved::Unsupported("a copy".into()))?;
            let twin = self.allocate(&mut state, &class, Some(length));
            let zero = self.context.symbols.pool.int(0);
            args = vec![array, zero, twin, zero, length];
        }
        let Some(state) = self.not_null(state, args[2])? else {
            return Ok(());
        };
        let lengths = [args[0], args[2]].map(|array| self.length(&state, array));
        let pool = &mut self.context.symbols.pool;
        let zero = pool.int(0);
        let mut wrong = Vec::new();
        for number in [args[1], args[3], args[4]] {
            wrong.push(pool.cmp(CmpOp::Slt, number, zero));
        }
        for (from, length) in [args[1], args[3]].into_iter().zip(lengths) {
            let rest = pool.bin(BvOp::Sub, length, from);
            wrong.push(pool.cmp(CmpOp::Slt, rest, args[4]));
        }
        let refused = pool.or_all(wrong);
        self.about = args.clone();
        let refused = self.unless(state, refused, "java/lang/ArrayIndexOutOfBoundsException")?;
        if let Some(state) = refused {
            let state = self.enter(state, body, args);
            self.continue_with(state);
        }
        Ok(())
    }
}

impl Version {
    /// The loop that copies elements of arrays of a class; `None` if that is not one of numbers.
    fn copy_body(&self, class: &str, returns: bool) -> Option<Body> {
        let kind = match class {
            "[Z" | "[B" => Prim::Byte,
            "[C" => Prim::Char,
            "[S" => Prim::Short,
            "[I" => Prim::Int,
            "[J" => Prim::Long,
            "[F" => Prim::Float,
            "[D" => Prim::Double,
            _ => return None,
        };
        let key = (class.to_string(), returns);
        if let Some(known) = self.copy_bodies.borrow().get(&key) {
            return Some(known.clone());
        }
        let (int, zero) = (Some(Prim::Int), Const::Int(0));
        let sum = || Insn::Bin(BinOp::Add, Prim::Int);
        let insns = vec![
            Insn::Const(zero),
            Insn::Store(int, 5),
            Insn::Load(int, 5),
            Insn::Load(int, 4),
            Insn::IfIcmp(Cmp::Ge, 17),
            Insn::Load(None, 2),
            Insn::Load(int, 3),
            Insn::Load(int, 5),
            sum(),
            Insn::Load(None, 0),
            Insn::Load(int, 1),
            Insn::Load(int, 5),
            sum(),
            Insn::ArrayLoad(Some(kind)),
            Insn::ArrayStore(Some(kind)),
            Insn::Iinc(5, 1),
            Insn::Goto(2),
            Insn::Load(None, 2),
            Insn::Return(returns.then_some(None)),
        ];
        let result = if returns { class } else { "V" };
        let descriptor = format!("({class}I{class}II){result}");
        let of = self.class("java/lang/System")?;
        let body = Body::synthetic(&of, ("arraycopy", descriptor), 0, (6, insns));
        self.copy_bodies.borrow_mut().insert(key, body.clone());
        Some(body)
    }
}
