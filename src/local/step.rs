//! The effect of one instruction on one version's state (JVMS §6.5).

use super::executor::{Executor, Successor};
use super::heap::zero;
use super::state::{End, State, Unproved, is_wide};
use crate::bytecode::class_file::{BinOp, Cmp, Const, Insn, Prim};
use crate::expr::{BvOp, CmpOp, FCmp, FOp, Sort, Term};

/// Most ways out of one switch.
const MAX_CASES: usize = 400;

impl Executor<'_> {
    /// Executes an instruction; what comes of it is in `next`.
    ///
    /// # Errors
    /// It is not supported, or the solver gives up.
    pub(super) fn execute(&mut self, mut state: State, insn: &Insn) -> Result<(), Unproved> {
        match insn {
            Insn::Nop => {}
            Insn::AconstNull => {
                let null = self.context.symbols.null();
                state.push(null);
            }
            Insn::Const(constant) => {
                let term = self.constant(constant)?;
                state.push(term);
            }
            Insn::Load(_, slot) => {
                let local = state
                    .frames
                    .last()
                    .and_then(|f| f.locals.get(usize::from(*slot)).copied().flatten());
                let term = local.ok_or_else(|| Unproved::Unsupported("unset local".into()))?;
                state.push(term);
            }
            Insn::Store(_, slot) => {
                let term = state.pop()?;
                self.store(&mut state, *slot, term);
            }
            Insn::Iinc(slot, by) => {
                let local = state
                    .frames
                    .last()
                    .and_then(|f| f.locals.get(usize::from(*slot)).copied().flatten());
                let term = local.ok_or_else(|| Unproved::Unsupported("unset local".into()))?;
                let by = self.context.symbols.pool.int(*by);
                let sum = self.context.symbols.pool.bin(BvOp::Add, term, by);
                self.store(&mut state, *slot, sum);
            }
            Insn::Pop
            | Insn::Pop2
            | Insn::Dup
            | Insn::DupX1
            | Insn::DupX2
            | Insn::Dup2
            | Insn::Dup2X1
            | Insn::Dup2X2
            | Insn::Swap => self.shuffle(&mut state, insn)?,
            Insn::Bin(op, prim) => return self.binary(state, *op, *prim),
            Insn::Neg(prim) => {
                let a = state.pop()?;
                let pool = &mut self.context.symbols.pool;
                let term = match prim {
                    Prim::Float | Prim::Double => pool.fneg(a),
                    _ => pool.neg(a),
                };
                state.push(term);
            }
            Insn::Convert(from, to) => {
                let a = state.pop()?;
                let term = self.convert(a, *from, *to);
                state.push(term);
            }
            Insn::Lcmp | Insn::Fcmp(..) => self.compare(&mut state, insn)?,
            Insn::If(cmp, to) => {
                let a = state.pop()?;
                let b = self.context.symbols.pool.int(0);
                return self.branch_on(state, *cmp, a, b, *to);
            }
            Insn::IfIcmp(cmp, to) => {
                let b = state.pop()?;
                let a = state.pop()?;
                return self.branch_on(state, *cmp, a, b, *to);
            }
            Insn::IfNull(cmp, to) => {
                let a = state.pop()?;
                let mut hit = self.context.symbols.is_null(a);
                if *cmp == Cmp::Ne {
                    hit = self.context.symbols.pool.not(hit);
                }
                return self.branch(state, hit, *to);
            }
            Insn::IfAcmp(cmp, to) => {
                let b = state.pop()?;
                let a = state.pop()?;
                let null = self.context.symbols.null();
                let unclear = |s: &super::symbols::Symbols, t: Term| s.may_be_anonymous(t);
                if a != null
                    && b != null
                    && (unclear(&self.context.symbols, a) || unclear(&self.context.symbols, b))
                {
                    return Err(Unproved::Unsupported(
                        "identity of a computed string or box".into(),
                    ));
                }
                let mut hit = match self.class_test(a, b).or_else(|| self.class_test(b, a)) {
                    Some(test) => test,
                    None => self.context.symbols.same(a, b),
                };
                if *cmp == Cmp::Ne {
                    hit = self.context.symbols.pool.not(hit);
                }
                return self.branch(state, hit, *to);
            }
            Insn::Goto(to) => {
                state.jump(*to);
                self.continue_with(state);
                return Ok(());
            }
            Insn::Switch(default, cases) => return self.switch(state, *default, cases),
            Insn::Return(kind) => return self.leave(state, kind.is_some()),
            Insn::Jsr(_) | Insn::Ret(_) => return Err(Unproved::Unsupported("jsr".into())),
            Insn::GetStatic(field) | Insn::PutStatic(field) => {
                return self.static_field(state, insn, field);
            }
            Insn::GetField(field) => return self.get_field(state, field),
            Insn::PutField(field) => return self.put_field(state, field),
            Insn::ArrayLength => {
                let array = state.pop()?;
                let Some(mut state) = self.not_null(state, array)? else {
                    return Ok(());
                };
                let length = self.length(&state, array);
                state.push(length);
                state.step();
                self.continue_with(state);
                return Ok(());
            }
            Insn::ArrayLoad(kind) => return self.array_load(state, *kind),
            Insn::ArrayStore(kind) => return self.array_store(state, *kind),
            Insn::New(class) => return self.new_object(state, insn, class),
            Insn::NewArray(_) | Insn::ANewArray(_) => return self.new_array(state, insn),
            Insn::MultiANewArray(class, dimensions) => {
                let args = state.pop_all(usize::from(*dimensions))?;
                let what = format!("new {class}");
                if let Some((mut state, Some(array))) =
                    self.event(state, (&what, args), class, true)?
                {
                    state.push(array);
                    state.step();
                    self.continue_with(state);
                }
                return Ok(());
            }
            Insn::Athrow => {
                let exception = state.pop()?;
                if let Some(state) = self.not_null(state, exception)? {
                    self.throw(state, exception, None)?;
                }
                return Ok(());
            }
            Insn::CheckCast(class) => return self.check_cast(state, class),
            Insn::InstanceOf(class) => {
                let object = state.pop()?;
                let null = self.context.symbols.is_null(object);
                let is = self.is_instance(object, None, class);
                let pool = &mut self.context.symbols.pool;
                let not_null = pool.not(null);
                let both = pool.and(not_null, is);
                let (one, zero) = (pool.int(1), pool.int(0));
                let term = pool.ite(both, one, zero);
                state.push(term);
            }
            Insn::MonitorEnter | Insn::MonitorExit => {
                let object = state.pop()?;
                let Some(state) = self.not_null(state, object)? else {
                    return Ok(());
                };
                let what = if *insn == Insn::MonitorEnter {
                    "lock"
                } else {
                    "unlock"
                };
                if let Some((mut state, _)) = self.event(state, (what, vec![object]), "V", false)? {
                    state.step();
                    self.continue_with(state);
                }
                return Ok(());
            }
            Insn::Invoke(kind, member) => return self.invoke(state, insn, *kind, member),
            Insn::InvokeDynamic(site) => return self.dynamic(state, insn, site),
        }
        state.step();
        self.continue_with(state);
        Ok(())
    }

    fn store(&self, state: &mut State, slot: u16, term: Term) {
        let wide = is_wide(self.context.symbols.pool.sort(term));
        if let Some(frame) = state.frame() {
            let slot = usize::from(slot);
            if frame.locals.len() <= slot + 1 {
                frame.locals.resize(slot + 2, None);
            }
            frame.locals[slot] = Some(term);
            if wide {
                frame.locals[slot + 1] = None;
            }
        }
    }

    fn constant(&mut self, constant: &Const) -> Result<Term, Unproved> {
        let s = &mut self.context.symbols;
        Ok(match constant {
            Const::Int(i) => s.pool.int(*i),
            Const::Long(l) => s.pool.long(*l),
            Const::Float(bits) => s.pool.f32(*bits),
            Const::Double(bits) => s.pool.f64(*bits),
            Const::Str(units) => s.literal(units),
            Const::Class(name) => {
                s.preexisting(&format!("{name}.class"), "Ljava/lang/Class;", false)
            }
            _ => return Err(Unproved::Unsupported("dynamic constant".into())),
        })
    }

    fn shuffle(&mut self, state: &mut State, insn: &Insn) -> Result<(), Unproved> {
        // How many values of which widths are taken, and in which order they come back (0 is the top).
        let wide = |t: Term| is_wide(self.context.symbols.pool.sort(t));
        let top = state.pop()?;
        let order: Vec<Term> = match insn {
            Insn::Pop => vec![],
            Insn::Pop2 if wide(top) => vec![],
            Insn::Pop2 => {
                state.pop()?;
                vec![]
            }
            Insn::Dup => vec![top, top],
            Insn::Dup2 if wide(top) => vec![top, top],
            Insn::Dup2 => {
                let b = state.pop()?;
                vec![b, top, b, top]
            }
            Insn::Swap => {
                let b = state.pop()?;
                vec![top, b]
            }
            Insn::DupX1 => {
                let b = state.pop()?;
                vec![top, b, top]
            }
            Insn::DupX2 => {
                let b = state.pop()?;
                if wide(b) {
                    vec![top, b, top]
                } else {
                    let c = state.pop()?;
                    vec![top, c, b, top]
                }
            }
            Insn::Dup2X1 => {
                let b = state.pop()?;
                if wide(top) {
                    vec![top, b, top]
                } else {
                    let c = state.pop()?;
                    vec![b, top, c, b, top]
                }
            }
            _ => {
                let b = state.pop()?;
                if wide(top) {
                    if wide(b) {
                        vec![top, b, top]
                    } else {
                        let c = state.pop()?;
                        vec![top, c, b, top]
                    }
                } else {
                    let c = state.pop()?;
                    if wide(c) {
                        vec![b, top, c, b, top]
                    } else {
                        let d = state.pop()?;
                        vec![b, top, d, c, b, top]
                    }
                }
            }
        };
        order.into_iter().for_each(|t| state.push(t));
        Ok(())
    }

    fn binary(&mut self, mut state: State, op: BinOp, prim: Prim) -> Result<(), Unproved> {
        let b = state.pop()?;
        let a = state.pop()?;
        let floats = matches!(prim, Prim::Float | Prim::Double);
        if !floats && matches!(op, BinOp::Div | BinOp::Rem) {
            let s = &mut self.context.symbols;
            let zero = {
                let sort = s.pool.sort(b);
                zero(s, sort)
            };
            let is_zero = s.pool.eq(b, zero);
            let after = self.unless(state, is_zero, "java/lang/ArithmeticException")?;
            let Some(next) = after else { return Ok(()) };
            state = next;
        }
        let pool = &mut self.context.symbols.pool;
        let term = match op {
            BinOp::Add if floats => pool.fbin(FOp::Add, a, b),
            BinOp::Sub if floats => pool.fbin(FOp::Sub, a, b),
            BinOp::Mul if floats => pool.fbin(FOp::Mul, a, b),
            BinOp::Div if floats => pool.fbin(FOp::Div, a, b),
            BinOp::Rem if floats => pool.fbin(FOp::Rem, a, b),
            BinOp::Add => pool.bin(BvOp::Add, a, b),
            BinOp::Sub => pool.bin(BvOp::Sub, a, b),
            BinOp::Mul => pool.bin(BvOp::Mul, a, b),
            BinOp::Div => pool.bin(BvOp::Div, a, b),
            BinOp::Rem => pool.bin(BvOp::Rem, a, b),
            BinOp::And => pool.bin(BvOp::And, a, b),
            BinOp::Or => pool.bin(BvOp::Or, a, b),
            BinOp::Xor => pool.bin(BvOp::Xor, a, b),
            BinOp::Shl => pool.shift(BvOp::Shl, a, b),
            BinOp::Shr => pool.shift(BvOp::Shr, a, b),
            BinOp::Ushr => pool.shift(BvOp::Ushr, a, b),
        };
        state.push(term);
        state.step();
        self.continue_with(state);
        Ok(())
    }

    fn convert(&mut self, a: Term, from: Prim, to: Prim) -> Term {
        let pool = &mut self.context.symbols.pool;
        let sort = |p: Prim| match p {
            Prim::Float => Sort::F32,
            Prim::Double => Sort::F64,
            Prim::Long => Sort::Bv(64),
            _ => Sort::Bv(32),
        };
        match (from, to) {
            (Prim::Float | Prim::Double, Prim::Float | Prim::Double) => pool.f_to_f(sort(to), a),
            (Prim::Float | Prim::Double, Prim::Long) => pool.f_to_i(64, a),
            (Prim::Float | Prim::Double, _) => pool.f_to_i(32, a),
            (_, Prim::Float | Prim::Double) => pool.i_to_f(sort(to), a),
            (_, Prim::Long) => pool.sext(64, a),
            (_, Prim::Byte) => {
                let cut = pool.trunc(8, a);
                pool.sext(32, cut)
            }
            (_, Prim::Short) => {
                let cut = pool.trunc(16, a);
                pool.sext(32, cut)
            }
            (_, Prim::Char) => {
                let cut = pool.trunc(16, a);
                pool.zext(32, cut)
            }
            _ => pool.trunc(32, a),
        }
    }

    fn compare(&mut self, state: &mut State, insn: &Insn) -> Result<(), Unproved> {
        let b = state.pop()?;
        let a = state.pop()?;
        let pool = &mut self.context.symbols.pool;
        let (minus, zero, one) = (pool.int(-1), pool.int(0), pool.int(1));
        let term = match insn {
            Insn::Fcmp(_, nan) => {
                let equal = pool.fcmp(FCmp::Eq, a, b);
                // What is left over is NaN or the other order.
                let (first, then, rest) = if *nan > 0 {
                    (pool.fcmp(FCmp::Lt, a, b), minus, one)
                } else {
                    (pool.fcmp(FCmp::Lt, b, a), one, minus)
                };
                let inner = pool.ite(equal, zero, rest);
                pool.ite(first, then, inner)
            }
            _ => {
                let (less, equal) = (pool.cmp(CmpOp::Slt, a, b), pool.eq(a, b));
                let inner = pool.ite(equal, zero, one);
                pool.ite(less, minus, inner)
            }
        };
        state.push(term);
        Ok(())
    }

    fn branch_on(
        &mut self,
        state: State,
        cmp: Cmp,
        a: Term,
        b: Term,
        to: u32,
    ) -> Result<(), Unproved> {
        let pool = &mut self.context.symbols.pool;
        let hit = match cmp {
            Cmp::Eq => pool.eq(a, b),
            Cmp::Ne => pool.ne(a, b),
            Cmp::Lt => pool.cmp(CmpOp::Slt, a, b),
            Cmp::Ge => pool.cmp(CmpOp::Sle, b, a),
            Cmp::Gt => pool.cmp(CmpOp::Slt, b, a),
            Cmp::Le => pool.cmp(CmpOp::Sle, a, b),
        };
        self.branch(state, hit, to)
    }

    fn branch(&mut self, state: State, hit: Term, to: u32) -> Result<(), Unproved> {
        let (yes, no) = self.fork(state, hit)?;
        if let Some(mut state) = no {
            state.step();
            self.continue_with(state);
        }
        if let Some(mut state) = yes {
            state.jump(to);
            self.continue_with(state);
        }
        Ok(())
    }

    fn switch(
        &mut self,
        mut state: State,
        default: u32,
        cases: &[(i32, u32)],
    ) -> Result<(), Unproved> {
        if cases.len() > MAX_CASES {
            return Err(Unproved::Budget("cases of a switch"));
        }
        let key = state.pop()?;
        for (value, to) in cases {
            let pool = &mut self.context.symbols.pool;
            let value = pool.int(*value);
            let hit = pool.eq(key, value);
            let (yes, no) = self.fork(state, hit)?;
            if let Some(mut state) = yes {
                state.jump(*to);
                self.continue_with(state);
            }
            match no {
                Some(rest) => state = rest,
                None => return Ok(()),
            }
        }
        state.jump(default);
        self.continue_with(state);
        Ok(())
    }

    fn leave(&mut self, mut state: State, has_value: bool) -> Result<(), Unproved> {
        let value = match has_value {
            true => Some(state.pop()?),
            false => None,
        };
        if state.frames.len() == 1 {
            self.successors
                .push(Successor::Ended(state, End::Returned(value)));
            return Ok(());
        }
        let narrow = state
            .frames
            .last()
            .map(|f| f.body.method.descriptor.clone());
        state.frames.pop();
        if let (Some(value), Some(descriptor)) = (value, narrow) {
            let result = descriptor.rsplit(')').next().unwrap_or_default();
            let value = self.narrowed(value, result);
            state.push(value);
        }
        state.step();
        self.continue_with(state);
        Ok(())
    }

    /// An int as a value of a narrower type keeps it (JVMS §6.5, `ireturn`, `putfield`).
    pub(super) fn narrowed(&mut self, value: Term, descriptor: &str) -> Term {
        match descriptor {
            "B" => self.convert(value, Prim::Int, Prim::Byte),
            "S" => self.convert(value, Prim::Int, Prim::Short),
            "C" => self.convert(value, Prim::Int, Prim::Char),
            "Z" => {
                let pool = &mut self.context.symbols.pool;
                let one = pool.int(1);
                pool.bin(BvOp::And, value, one)
            }
            _ => value,
        }
    }
}
