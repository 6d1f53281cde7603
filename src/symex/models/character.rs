//! `java.lang.Character` on symbolic characters: tables over all UTF-16 units, found by running the JDK's own code.

use super::super::class::Method;
use super::super::state::State;
use super::super::value::Value;
use super::super::vm::Vm;
use super::prim;
use crate::expr::Term;
use crate::model::reason::Reason;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::unit_table::Table;
use crate::symex::value::units::{as_unit, within};
use crate::symex::vm::Model;
use crate::symex::vm::tables::table;
use std::sync::Arc;

const CHARACTER: &str = "java/lang/Character";

/// Models for arguments that are not constant: constants run the class file.
pub(super) fn find(name: &str, descriptor: &str) -> Option<Model> {
    macro_rules! tables {
        ($($by:ident $descriptor:literal: $($name:literal)*;)*) => {
            match (name, descriptor) {
                $($(($name, $descriptor) => {
                    Some(|vm, state, args| $by(vm, state, args, $name, $descriptor))
                })*)*
                _ => None,
            }
        };
    }
    tables! {
        classify "(I)Z": "isLowerCase" "isUpperCase" "isTitleCase" "isDigit" "isDefined" "isLetter"
            "isLetterOrDigit" "isAlphabetic" "isIdeographic" "isJavaIdentifierStart"
            "isJavaIdentifierPart" "isUnicodeIdentifierStart" "isUnicodeIdentifierPart"
            "isIdentifierIgnorable" "isSpaceChar" "isWhitespace" "isMirrored";
        map "(I)I": "toLowerCase" "toUpperCase" "toTitleCase" "toUpperCaseEx" "getNumericValue" "getType";
        map "(I)B": "getDirectionality";
        map "(II)I": "digit";
    }
}

/// Whether the method's model is a table: not for constants, which run the class file.
pub(super) fn tabulates(method: &Method) -> bool {
    &*method.class_name == CHARACTER && find(&method.name, &method.descriptor).is_some()
}

/// The table of a method of one unit.
pub(super) fn units_table(vm: &mut Vm, name: &str, descriptor: &str) -> Step<Arc<Table>> {
    table(vm, CHARACTER, name, descriptor, None)
}

/// The first argument as a unit; a supplementary code point is not followed.
fn unit(vm: &mut Vm, state: &State, args: &[Value]) -> Step<Term> {
    let code_point = prim(vm, args, 0);
    if let Some(unit) = as_unit(&mut vm.pool, code_point) {
        return Ok(unit);
    }
    let basic = within(&mut vm.pool, code_point, 0, 0xffff);
    let passed = state.frame().is_some_and(|f| f.passed >= 1);
    if !passed && vm.pool.as_bool(basic) != Some(true) {
        let other = vm.pool.not(basic);
        let stop = Stop::bound(Reason::SupplementaryCharacters, String::new());
        return Err(Interruption::Choose(vec![
            (Shadow::Same(basic), Act::Pass(1)),
            (Shadow::Same(other), Act::GiveUp(stop)),
        ]));
    }
    Ok(vm.pool.trunc(16, code_point))
}

fn classify(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    name: &str,
    descriptor: &str,
) -> Step<Option<Value>> {
    let unit = unit(vm, state, args)?;
    let table = units_table(vm, name, descriptor)?;
    let holds = table.holds(&mut vm.pool, unit, |image| image != 0);
    super::truth(vm, holds)
}

fn map(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    name: &str,
    descriptor: &str,
) -> Step<Option<Value>> {
    let second = match args.get(1) {
        Some(Value::Prim(t)) => match vm.pool.as_i64(*t) {
            Some(n) => Some(n as i32),
            None => {
                let what = format!("Character.{name} with a symbolic second argument");
                return Err(Stop::unsupported(Reason::SymbolicIndex, what).into());
            }
        },
        _ => None,
    };
    let unit = unit(vm, state, args)?;
    let table = table(vm, CHARACTER, name, descriptor, second)?;
    Ok(Some(Value::Prim(table.apply(&mut vm.pool, unit))))
}
