//! Temporary files, whose names are random.

use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::super::vm::Vm;
use super::seen;
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::vm::Model;

/// Who makes names of temporary files.
const MAKERS: [&str; 2] = ["java/io/File$TempDirectory", "java/nio/file/TempFileHelper"];

pub(super) fn find(class: &str, name: &str, descriptor: &str) -> Option<Model> {
    Some(match (class, name, descriptor) {
        // Seeding it asks the system.
        ("java/security/SecureRandom", "<init>", "()V") => |_, state, _| match is_asked(state) {
            true => Ok(None),
            false => Err(Interruption::OwnCode),
        },
        ("java/util/Random", "nextLong", "()J") => number,
        _ => return None,
    })
}

fn is_asked(state: &State) -> bool {
    let class = state.frame().map(|f| f.method.class_name.clone());
    class.is_some_and(|class| MAKERS.contains(&&*class))
}

/// A number that no other temporary file has.
fn number(vm: &mut Vm, state: &mut State, _: &[Value]) -> Step<Option<Value>> {
    if !is_asked(state) {
        return Err(Interruption::OwnCode);
    }
    let there = seen(state)?.count_temporary();
    vm.by_chance(state, Reason::Environment);
    Ok(Some(Value::Prim(vm.pool.long(1_000_000 + there as i64))))
}
