//! `java.util.logging.Logger` as what it is to a caller: it returns, and nothing is logged. Its set-up, which reads files and
//! resources, is not executed; in replays all loggers are off.

use super::Model;
use crate::model::reason::Reason;
use crate::symex::state::Singleton;
use crate::symex::state::effect::Stop;
use crate::symex::value::Value;

pub(super) fn find(name: &str) -> Option<Model> {
    Some(match name {
        "getLogger" | "getAnonymousLogger" | "getGlobal" => |vm, state, _| {
            const LOGGER: Singleton = Singleton::Named("logger");
            if let Some(id) = state.singletons.get(&LOGGER) {
                return Ok(Some(Value::obj(*id)));
            }
            let class = vm.library("java/util/logging/Logger")?;
            let id = vm.instantiate(state, class);
            state.singletons.insert_mut(LOGGER, id);
            Ok(Some(Value::obj(id)))
        },
        "log" | "logp" | "logrb" | "severe" | "warning" | "info" | "config" | "fine" | "finer"
        | "finest" | "entering" | "exiting" | "throwing" => |_, _, _| Ok(None),
        "isLoggable" => |vm, _, _| Ok(Some(Value::Prim(vm.pool.int(0)))),
        // Needed by the class's own initialiser; nobody sees what it makes.
        "<init>" | "<clinit>" => return None,
        _ => |_, _, _| Err(Stop::unsupported(Reason::Logger, "java.util.logging.Logger").into()),
    })
}
