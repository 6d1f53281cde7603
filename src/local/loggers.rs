//! Calls of loggers in a proof: they return, what they log is no part of an outcome, and their levels don't change.

use super::executor::Executor;
use super::state::{State, Unproved};
use super::version::{Version, simple_name};
use crate::bytecode::class_file::{ClassFile, MemberRef, Method};
use crate::bytecode::{
    LOGGERS, LoggerCall, gives_mojo_log, is_jdk, is_level, logger_call, parameter_descriptors,
};
use crate::expr::Term;
use std::sync::Arc;

/// What is taken for granted where a proof uses this.
const SILENT: &str =
    "loggers do nothing but log, what they log does not matter, and their levels stay";

impl Executor<'_> {
    /// What a call of a logger does; `None` also where it may be made with less than it wants.
    pub(super) fn logs(&mut self, member: &MemberRef, args: &[Term]) -> Option<LoggerCall> {
        let call = self.version.logger_call(member)?;
        let symbols = &mut self.context.symbols;
        let never = symbols.pool.bool(false);
        let is_there = |arg: &Term| symbols.is_null(*arg) == never;
        (call != LoggerCall::Makes || args.iter().all(is_there)).then_some(call)
    }

    /// The constant of a level that a static field is.
    pub(super) fn level(&mut self, owner: &str, field: &MemberRef) -> Option<Term> {
        let is_it = is_level(owner) && *field.descriptor == *format!("L{owner};");
        let constant = is_it && !self.version.is_own(owner);
        let name = format!("{owner}.{}", field.name);
        constant.then(|| self.context.symbols.given(&name, &[], &field.descriptor))
    }

    /// Goes on behind a call of a logger, whose receiver is not null.
    pub(super) fn log(
        &mut self,
        state: State,
        member: &MemberRef,
        call: LoggerCall,
        args: &[Term],
    ) -> Result<(), Unproved> {
        self.context.assumed.insert(SILENT);
        let Some(state) = self.with_level(state, member, args)? else {
            return Ok(());
        };
        let MemberRef {
            class,
            name,
            descriptor,
        } = member;
        let result = descriptor.rsplit(')').next().unwrap_or("V");
        // A logger is the same by whatever class a goal of Maven is called.
        let class: &str = match call {
            LoggerCall::Makes if self.version.is_own(class) => "",
            _ => class,
        };
        let what = format!("Logger {class}#{name}{descriptor}");
        let symbols = &mut self.context.symbols;
        let value = match call {
            LoggerCall::Logs => None,
            LoggerCall::Asks => Some(symbols.value(&what, args, result)),
            LoggerCall::Makes => Some(symbols.given(&what, args, result)),
        };
        self.complete(state, value)
    }

    /// The state in which the levels that a call is given are there. Without one those of the JDK throw; of others that is not known.
    fn with_level(
        &mut self,
        state: State,
        member: &MemberRef,
        args: &[Term],
    ) -> Result<Option<State>, Unproved> {
        let parameters = parameter_descriptors(&member.descriptor);
        let first = args.len() - parameters.len();
        let mut state = state;
        for (arg, of) in args[first..].iter().zip(&parameters) {
            let class = of.strip_prefix('L').map(|c| c.trim_end_matches(';'));
            if !class.is_some_and(is_level) {
                continue;
            }
            let next = if is_jdk(&member.class) {
                self.not_null(state, *arg)?
            } else {
                let none = self.context.symbols.is_null(*arg);
                let (without, with) = self.fork(state, none)?;
                if without.is_some() {
                    return Err(Unproved::Unsupported("a logger without a level".into()));
                }
                with
            };
            match next {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }
}

impl Version {
    /// What a call of a logger does; `None` also where the project has loggers of its own to which the call may come.
    pub(super) fn logger_call(&self, member: &MemberRef) -> Option<LoggerCall> {
        if self.is_mojo_log(member) {
            return Some(LoggerCall::Makes);
        }
        let call = logger_call(member).filter(|_| !self.is_own(&member.class))?;
        let own = || self.own_loggers.get_or_init(|| self.implemented_loggers());
        (call == LoggerCall::Makes || !own().contains(&&*member.class)).then_some(call)
    }

    /// Whether a call gives a goal of Maven its logger, in a project whose goals leave that to Maven.
    fn is_mojo_log(&self, member: &MemberRef) -> bool {
        let declared = || self.declaration(member).map(|(class, _)| class);
        let is_it = |class: &ClassFile| gives_mojo_log(&class.name, member);
        let overrides = |c: &ClassFile| c.method(&member.name, &member.descriptor).is_some();
        &*member.name == "getLog"
            && declared().is_some_and(|class| is_it(&class))
            && !self.own_classes().any(|c| overrides(c))
    }

    /// The types of loggers of which code of the project may be.
    fn implemented_loggers(&self) -> Vec<&'static str> {
        let extended = &self.outside.words.extended;
        let may_be = |class: &ClassFile, of: &str| match self.is_subclass(&class.name, of) {
            Some(known) => known,
            // Its supertypes are not known.
            None => class.methods.iter().any(logs),
        };
        let is_own = |of: &str| {
            extended.contains(simple_name(of)) || self.own_classes().any(|c| may_be(c, of))
        };
        LOGGERS.into_iter().filter(|of| is_own(of)).collect()
    }
}

/// Whether a method could be one of a logger.
fn logs(method: &Method) -> bool {
    LOGGERS.iter().any(|of| {
        let member = MemberRef {
            class: Arc::from(*of),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        };
        logger_call(&member).is_some()
    })
}
