//! `java.util.logging.Logger` and `System.Logger` as what they are to a caller: they return, and nothing is logged. Their set-up, which reads files and
//! resources, is not executed; in replays all loggers are off.

use super::Model;
use crate::bytecode::{LoggerCall, logger_method};
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Interruption, Stop};
use crate::symex::state::{Singleton, State};
use crate::symex::value::Value;
use crate::symex::vm::Vm;

pub(super) fn find(name: &str) -> Option<Model> {
    Some(
        match (logger_method("java/util/logging/Logger", name), name) {
            (Some(LoggerCall::Makes), _) => {
                |vm, state, _| quiet(vm, state, "logger", "java/util/logging/Logger")
            }
            (Some(LoggerCall::Logs), _) => |_, _, _| Ok(None),
            (Some(LoggerCall::Asks), _) => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
            // Needed by the class's own initialiser; nobody sees what it makes.
            (None, "<init>" | "<clinit>") => return None,
            _ => {
                |_, _, _| Err(Stop::unsupported(Reason::Logger, "java.util.logging.Logger").into())
            }
        },
    )
}

/// The class that the JDK itself gives before logging is set up.
pub(super) const OF_SYSTEM: &str = "jdk/internal/logger/BootstrapLogger";

/// `System.getLogger`.
pub(super) const OF_NAME: Model = |vm, state, _| quiet(vm, state, "system logger", OF_SYSTEM);

/// Methods of `System.Logger`.
pub(super) fn find_of_system(name: &str) -> Option<Model> {
    Some(
        match (logger_method("java/lang/System$Logger", name), name) {
            (Some(LoggerCall::Logs), _) => |_, _, _| Ok(None),
            (Some(LoggerCall::Asks), _) => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
            (None, "<init>" | "<clinit>") => return None,
            _ => |_, _, _| Err(Stop::unsupported(Reason::Logger, "System.Logger").into()),
        },
    )
}

/// The one logger of a kind.
fn quiet(
    vm: &mut Vm,
    state: &mut State,
    kind: &'static str,
    class: &str,
) -> Result<Option<Value>, Interruption> {
    let kind = Singleton::Named(kind);
    if let Some(id) = state.singletons.get(&kind) {
        return Ok(Some(Value::obj(*id)));
    }
    let class = vm.library(class)?;
    let id = vm.instantiate(state, class);
    state.singletons.insert_mut(kind, id);
    Ok(Some(Value::obj(id)))
}
