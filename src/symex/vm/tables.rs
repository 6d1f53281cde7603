//! The tables of library methods that one exploration has used so far.

use crate::symex::state::interruption::{Interruption, Step};
use crate::symex::value::unit_table::{Call, Table};
use crate::symex::vm::Vm;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The tables of one exploration.
#[derive(Clone, Default)]
pub struct Tables(pub(in crate::symex) FxHashMap<Call, Arc<Table>>);

/// The table of a static library method of an int, or of an int and a constant; interrupts the instruction if the table is still to be made.
pub(in crate::symex) fn table(
    vm: &Vm,
    class: &str,
    name: &str,
    descriptor: &str,
    second: Option<i32>,
) -> Step<Arc<Table>> {
    let call: Call = (class.into(), name.into(), descriptor.into(), second);
    match vm.tables.0.get(&call) {
        Some(known) => Ok(known.clone()),
        None => Err(Interruption::Tabulate(call)),
    }
}
