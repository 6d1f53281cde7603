//! The effect of one instruction on one version's state (JVMS §6.5).

use super::executor::{Executor, Successor};
use super::heap::zero;
use super::state::{End, State, Unproved, is_wide};
use crate::bytecode::class_file::{BinOp, Cmp, Const, Insn, Prim};
use crate::bytecode::restack;
use crate::expr::{BvOp, Term};
use crate::semantics;

/// Most ways out of one switch.
const MAX_CASES: usize = 400;

impl Executor<'_> {
    /// Executes an instruction; the states after it are in `successors`.
    ///
    /// # Errors
    /// It is not supported, or the solver gives up.
    pub(super) fn execute(&mut self, mut state: State, insn: &Insn) -> Result<(), Unproved> {
        let cut = &self.version.outside.words.cut;
        if cut.is_ambiguous(insn, |name| self.version.is_own(name)) {
            let what = "a name that code which does not compile declares";
            return Err(Unproved::Unsupported(what.into()));
        }
        match insn {
            Insn::If(..) | Insn::IfIcmp(..) | Insn::IfNull(..) | Insn::IfAcmp(..) => {
                self.conditional(state, insn)
            }
            Insn::Goto(to) => {
                state.jump(*to);
                self.continue_with(state);
                Ok(())
            }
            Insn::Switch(default, cases) => self.switch(state, *default, cases),
            Insn::Return(kind) => self.leave(state, kind.is_some()),
            Insn::Athrow => {
                let exception = state.pop()?;
                match self.not_null(state, exception)? {
                    Some(state) => self.throw(state, exception, None),
                    None => Ok(()),
                }
            }
            Insn::Jsr(_) | Insn::Ret(_) => Err(Unproved::Unsupported("jsr".into())),
            Insn::Bin(op, prim) => self.binary(state, *op, *prim),
            Insn::GetStatic(field) | Insn::PutStatic(field) => {
                self.static_field(state, insn, field)
            }
            Insn::GetField(field) => self.get_field(state, field),
            Insn::PutField(field) => self.put_field(state, field),
            Insn::ArrayLength => self.array_length(state),
            Insn::ArrayLoad(kind) => self.array_load(state, *kind),
            Insn::ArrayStore(kind) => self.array_store(state, *kind),
            Insn::New(class) => self.new_object(state, insn, class),
            Insn::NewArray(_) | Insn::ANewArray(_) => self.new_array(state, insn),
            Insn::MultiANewArray(class, dimensions) => {
                self.new_multi_array(state, class, *dimensions)
            }
            Insn::CheckCast(class) => self.check_cast(state, class),
            Insn::MonitorEnter | Insn::MonitorExit => self.monitor(state, insn),
            Insn::Invoke(kind, member) => self.invoke(state, insn, *kind, member),
            Insn::InvokeDynamic(site) => self.dynamic(state, insn, site),
            _ => {
                self.compute(&mut state, insn)?;
                state.step();
                self.continue_with(state);
                Ok(())
            }
        }
    }

    /// Executes an instruction that neither branches nor throws nor reads the heap.
    fn compute(&mut self, state: &mut State, insn: &Insn) -> Result<(), Unproved> {
        match insn {
            Insn::AconstNull => {
                let null = self.context.symbols.null();
                state.push(null);
            }
            Insn::Const(constant) => {
                let term = self.constant(constant)?;
                state.push(term);
            }
            Insn::Load(_, slot) => {
                let term = local(state, *slot)?;
                state.push(term);
            }
            Insn::Store(_, slot) => {
                let term = state.pop()?;
                self.store(state, *slot, term);
            }
            Insn::Iinc(slot, by) => {
                let term = local(state, *slot)?;
                let by = self.context.symbols.pool.int(*by);
                let sum = self.context.symbols.pool.bin(BvOp::Add, term, by);
                self.store(state, *slot, sum);
            }
            Insn::Pop
            | Insn::Pop2
            | Insn::Dup
            | Insn::DupX1
            | Insn::DupX2
            | Insn::Dup2
            | Insn::Dup2X1
            | Insn::Dup2X2
            | Insn::Swap => self.shuffle(state, insn)?,
            Insn::Neg(prim) => {
                let a = state.pop()?;
                let term = semantics::negate(&mut self.context.symbols.pool, *prim, a);
                state.push(term);
            }
            Insn::Convert(from, to) => {
                let a = state.pop()?;
                let term = semantics::convert(&mut self.context.symbols.pool, *from, *to, a);
                state.push(term);
            }
            Insn::Lcmp => self.compare(state, None)?,
            Insn::Fcmp(_, nan) => self.compare(state, Some(*nan))?,
            Insn::InstanceOf(class) => {
                let object = state.pop()?;
                let null = self.context.symbols.is_null(object);
                let fits = self.is_instance(object, None, class);
                let pool = &mut self.context.symbols.pool;
                let not_null = pool.not(null);
                let both = pool.and(not_null, fits);
                let (one, zero) = (pool.int(1), pool.int(0));
                let term = pool.ite(both, one, zero);
                state.push(term);
            }
            _ => {}
        }
        Ok(())
    }

    /// `if<cond>`, `if_icmp<cond>`, `ifnull`, `if_acmp<cond>` and their negations.
    fn conditional(&mut self, mut state: State, insn: &Insn) -> Result<(), Unproved> {
        let pool = &mut self.context.symbols.pool;
        let (hit, to) = match insn {
            Insn::If(cmp, to) => {
                let a = state.pop()?;
                let zero = pool.int(0);
                (semantics::condition(pool, *cmp, a, zero), to)
            }
            Insn::IfIcmp(cmp, to) => {
                let (b, a) = (state.pop()?, state.pop()?);
                (semantics::condition(pool, *cmp, a, b), to)
            }
            Insn::IfNull(cmp, to) => {
                let a = state.pop()?;
                let null = self.context.symbols.is_null(a);
                (self.negated_unless_eq(*cmp, null), to)
            }
            Insn::IfAcmp(cmp, to) => {
                let (b, a) = (state.pop()?, state.pop()?);
                let same = self.same_object(a, b)?;
                (self.negated_unless_eq(*cmp, same), to)
            }
            _ => return Err(Unproved::Unsupported("a branch".into())),
        };
        self.branch(state, hit, *to)
    }

    fn negated_unless_eq(&mut self, cmp: Cmp, condition: Term) -> Term {
        match cmp {
            Cmp::Eq => condition,
            _ => self.context.symbols.pool.not(condition),
        }
    }

    /// Whether two references are to the same object.
    fn same_object(&mut self, a: Term, b: Term) -> Result<Term, Unproved> {
        let s = &mut self.context.symbols;
        let null = s.null();
        if a != null && b != null && (s.may_be_anonymous(a) || s.may_be_anonymous(b)) {
            let what = "identity of a computed string or box";
            return Err(Unproved::Unsupported(what.into()));
        }
        let test = self
            .class_literals(a, b)
            .or_else(|| self.class_test(a, b))
            .or_else(|| self.class_test(b, a));
        Ok(match test {
            Some(test) => test,
            None => self.context.symbols.same(a, b),
        })
    }

    /// Locks are events: both versions must take and leave them in the same order.
    fn monitor(&mut self, mut state: State, insn: &Insn) -> Result<(), Unproved> {
        let object = state.pop()?;
        // What is left was entered: javac keeps it in a variable of its own.
        let (what, state) = match insn {
            Insn::MonitorEnter => ("lock", self.not_null(state, object)?),
            _ => ("unlock", Some(state)),
        };
        let Some(state) = state else { return Ok(()) };
        match self.event(state, (what, vec![object]), "V", false)? {
            Some((state, _)) => self.complete(state, None),
            None => Ok(()),
        }
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
        let pool = &self.context.symbols.pool;
        let slots = |t: &Term| 1 + usize::from(is_wide(pool.sort(*t)));
        let stack = state.frame().map(|f| &mut f.stack);
        stack
            .and_then(|stack| restack(insn, stack, slots))
            .ok_or_else(|| Unproved::Unsupported("operand stack".into()))
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
        let term = semantics::binary(&mut self.context.symbols.pool, op, prim, a, b);
        state.push(term);
        state.step();
        self.continue_with(state);
        Ok(())
    }

    /// `lcmp`, or `fcmp*` with the result for NaN.
    fn compare(&mut self, state: &mut State, nan: Option<i32>) -> Result<(), Unproved> {
        let (b, a) = (state.pop()?, state.pop()?);
        let term = semantics::three_way(&mut self.context.symbols.pool, nan, a, b);
        state.push(term);
        Ok(())
    }

    fn branch(&mut self, mut state: State, hit: Term, to: u32) -> Result<(), Unproved> {
        if let Some([no, yes]) = alternatives(&state, to) {
            let no = self.operand(&state, &no)?;
            let yes = self.operand(&state, &yes)?;
            let value = self.context.symbols.pool.ite(hit, yes, no);
            state.push(value);
            state.jump(to + 1);
            self.continue_with(state);
            return Ok(());
        }
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

    /// The value that a constant or a load of a number pushes.
    fn operand(&mut self, state: &State, insn: &Insn) -> Result<Term, Unproved> {
        match insn {
            Insn::Const(constant) => self.constant(constant),
            Insn::Load(_, slot) => local(state, *slot),
            _ => Err(Unproved::Unsupported("an operand".into())),
        }
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
        let constants = self.constants_of(&state, key, cases)?;
        if !constants.is_empty() {
            match self.with_distinct(state, &constants)? {
                Some(next) => state = next,
                None => return Ok(()),
            }
        }
        for (at, (value, to)) in cases.iter().enumerate() {
            let s = &mut self.context.symbols;
            let hit = match constants.get(at) {
                Some((object, constant)) => s.same(*object, *constant),
                None => {
                    let value = s.pool.int(*value);
                    s.pool.eq(key, value)
                }
            };
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
            value.into_iter().for_each(|v| self.notice_buffer(v));
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
        let prim = match descriptor {
            "B" => Prim::Byte,
            "S" => Prim::Short,
            "C" => Prim::Char,
            "Z" => Prim::Boolean,
            _ => return value,
        };
        semantics::narrow(&mut self.context.symbols.pool, prim, value)
    }
}

/// What a branch to `to` chooses between, if it only chooses a number: what it pushes where it goes on, and at `to`.
fn alternatives(state: &State, to: u32) -> Option<[Insn; 2]> {
    let frame = state.frames.last()?;
    let insns = &frame.body.code.insns;
    let at = frame.pc as usize;
    let pushes = |insn: &&Insn| {
        matches!(
            insn,
            Insn::Const(Const::Int(_)) | Insn::Load(Some(Prim::Int), _)
        )
    };
    let no = insns.get(at + 1).filter(pushes)?;
    let yes = insns.get(to as usize).filter(pushes)?;
    let joins = matches!(insns.get(at + 2), Some(Insn::Goto(join)) if *join == to + 1);
    (joins && to as usize == at + 3).then(|| [no.clone(), yes.clone()])
}

/// The value of a local variable.
fn local(state: &State, slot: u16) -> Result<Term, Unproved> {
    let locals = state.frames.last().map(|f| &f.locals);
    let term = locals.and_then(|l| l.get(usize::from(slot)).copied().flatten());
    term.ok_or_else(|| Unproved::Unsupported("unset local".into()))
}
