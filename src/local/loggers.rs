//! Calls of loggers in a proof: they return, what they log is no part of an outcome, and their levels don't change.

use super::executor::Executor;
use super::state::{State, Unproved};
use super::version::{Version, simple_name};
use crate::bytecode::class_file::{ClassFile, MemberRef, Method};
use crate::bytecode::{LOGGERS, LoggerCall, logger_call};
use crate::expr::Term;
use std::sync::Arc;

/// What is taken for granted where a proof uses this.
const SILENT: &str =
    "loggers do nothing but log, what they log does not matter, and their levels stay";

impl Executor<'_> {
    /// Goes on behind a call of a logger, whose receiver is not null.
    pub(super) fn log(
        &mut self,
        state: State,
        member: &MemberRef,
        call: LoggerCall,
        args: &[Term],
    ) -> Result<(), Unproved> {
        self.context.assumed.insert(SILENT);
        let MemberRef {
            class,
            name,
            descriptor,
        } = member;
        let result = descriptor.rsplit(')').next().unwrap_or("V");
        let what = format!("Logger {class}#{name}{descriptor}");
        let symbols = &mut self.context.symbols;
        let value = match call {
            LoggerCall::Logs => None,
            LoggerCall::Asks => Some(symbols.value(&what, args, result)),
            LoggerCall::Makes => Some(symbols.given(&what, args, result)),
        };
        self.complete(state, value)
    }
}

impl Version {
    /// What a call of a logger does; `None` also where the project has loggers of its own to which the call may come.
    pub(super) fn logger_call(&self, member: &MemberRef) -> Option<LoggerCall> {
        let call = logger_call(member)?;
        let own = || self.own_loggers.get_or_init(|| self.implemented_loggers());
        (call == LoggerCall::Makes || !own().contains(&&*member.class)).then_some(call)
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
