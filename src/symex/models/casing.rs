//! Case: comparison that ignores it, and conversion, by the JDK's own tables.

use super::super::state::State;
use super::super::value::{ObjId, Ref, Value};
use super::super::vm::Vm;
use super::character::units_table;
use super::prim;
use super::string;
use super::truth;
use super::units;
use crate::expr::{BvOp, CmpOp, Pool, Term};
use crate::model::reason::Reason;
use crate::symex::state::heap::Body;
use crate::symex::state::interruption::{Act, Interruption, Step, Stop};
use crate::symex::value::shadow::Shadow;
use crate::symex::value::unit_table::Table;
use crate::symex::value::units::{Units, within};
use crate::symex::vm::Model;

pub(super) fn find(name: &str, parameters: &str) -> Option<Model> {
    Some(match (name, parameters) {
        ("equalsIgnoreCase", "(Ljava/lang/String;") => equals_ignore_case,
        ("compareToIgnoreCase", "(Ljava/lang/String;") => compare_ignore_case,
        ("regionMatches", "(ZILjava/lang/String;II") => region_matches,
        ("toLowerCase", "(") => |vm, state, args| convert(vm, state, args, false),
        ("toUpperCase", "(") => |vm, state, args| convert(vm, state, args, true),
        ("toLowerCase", "(Ljava/util/Locale;") => {
            |vm, state, args| convert_in(vm, state, args, false)
        }
        ("toUpperCase", "(Ljava/util/Locale;") => {
            |vm, state, args| convert_in(vm, state, args, true)
        }
        ("isBlank", "(") => |vm, state, args| {
            let text = units(vm, state, args, 0)?;
            let table = white_space(vm)?;
            let blank = text.every(&mut vm.pool, |pool, _, u| table.holds(pool, u, |w| w != 0));
            truth(vm, blank)
        },
        ("strip", "(") => |vm, state, args| strip(vm, state, args, true, true),
        ("stripLeading", "(") => |vm, state, args| strip(vm, state, args, true, false),
        ("stripTrailing", "(") => |vm, state, args| strip(vm, state, args, false, true),
        _ => return None,
    })
}

/// `regionMatches` by a comparison of units; a region of negative length matches where both its begins are in reach.
pub(super) fn regions(
    pool: &mut Pool,
    (a, a_at): (&Units, Term),
    (b, b_at): (&Units, Term),
    len: Term,
    mut same: impl FnMut(&mut Pool, Term, Term) -> Term,
) -> Term {
    let zero = pool.int(0);
    let mut all = pool.bool(true);
    let wide_len = pool.sext(64, len);
    for (units, at) in [(a, a_at), (b, b_at)] {
        let low = pool.cmp(CmpOp::Sle, zero, at);
        let (wide, total) = (pool.sext(64, at), pool.sext(64, units.len));
        let room = pool.bin(BvOp::Sub, total, wide_len);
        let high = pool.cmp(CmpOp::Sle, wide, room);
        all = pool.and_all([all, low, high]);
    }
    for i in 0..a.units.len().min(b.units.len()) {
        let i = pool.int(i as i32);
        let outside = pool.cmp(CmpOp::Sle, len, i);
        let (in_a, in_b) = (pool.bin(BvOp::Add, a_at, i), pool.bin(BvOp::Add, b_at, i));
        let (x, y) = (a.at(pool, in_a), b.at(pool, in_b));
        let same = same(pool, x, y);
        let fits = pool.or(outside, same);
        all = pool.and(all, fits);
    }
    all
}

/// The two steps by which units are compared without case: upper case, then lower case of that.
struct Folding {
    upper: std::sync::Arc<Table>,
    lower: std::sync::Arc<Table>,
}

impl Folding {
    fn of(vm: &mut Vm) -> Step<Folding> {
        Ok(Folding {
            upper: units_table(vm, "toUpperCase", "(I)I")?,
            lower: units_table(vm, "toLowerCase", "(I)I")?,
        })
    }

    fn fold(&self, pool: &mut Pool, unit: Term) -> Term {
        let upper = self.upper.apply(pool, unit);
        let upper = pool.trunc(16, upper);
        self.lower.apply(pool, upper)
    }

    fn same(&self, pool: &mut Pool, a: Term, b: Term) -> Term {
        if a == b {
            return pool.bool(true);
        }
        for (constant, other) in [(a, b), (b, a)] {
            if let Some(n) = pool.as_i64(constant) {
                return self.is_folded_to(pool, other, n as u16);
            }
        }
        let (x, y) = (self.fold(pool, a), self.fold(pool, b));
        pool.eq(x, y)
    }

    /// Whether a unit is one of the few that a constant one equals without case.
    fn is_folded_to(&self, pool: &mut Pool, unit: Term, constant: u16) -> Term {
        let wanted = self.folded(constant);
        self.upper
            .holds(pool, unit, |upper| self.lower.image(upper as u16) == wanted)
    }

    fn folded(&self, unit: u16) -> i32 {
        self.lower.image(self.upper.image(unit) as u16)
    }
}

fn is_surrogate(pool: &mut Pool, unit: Term) -> Term {
    let int = pool.zext(32, unit);
    within(pool, int, 0xd800, 0xdfff)
}

/// Where two strings' surrogates are compared as units, and not as parts of letters that have case and an order.
#[derive(Clone, Copy, PartialEq)]
enum Compared {
    /// As equal or not: a surrogate and another character differ.
    Equal,
    /// By order: a pair's place is that of its code point, where neither string is Latin-1 as a whole.
    Ordered,
}

/// Goes on unless the strings have different units at one place that are surrogates, both or (by order) one of them.
fn no_supplementary_pairs(
    vm: &mut Vm,
    state: &State,
    (a, a_at): (&Units, Term),
    (b, b_at): (&Units, Term),
    compared: Compared,
) -> Step<()> {
    let mut fine = vm.pool.bool(true);
    for i in 0..a.units.len().min(b.units.len()) {
        let pool = &mut vm.pool;
        let i = pool.int(i as i32);
        let (in_a, in_b) = (pool.bin(BvOp::Add, a_at, i), pool.bin(BvOp::Add, b_at, i));
        let (x, y) = (a.at(pool, in_a), b.at(pool, in_b));
        let (p, q) = (is_surrogate(pool, x), is_surrogate(pool, y));
        let met = match compared {
            Compared::Equal => pool.and(p, q),
            Compared::Ordered => pool.or(p, q),
        };
        let differ = pool.ne(x, y);
        let open = pool.and(met, differ);
        let not = pool.not(open);
        fine = pool.and(fine, not);
    }
    bounded(vm, state, fine, Reason::SupplementaryCharacters)
}

/// Goes on where `fine` holds; what it excludes is a stated bound.
fn bounded(vm: &mut Vm, state: &State, fine: Term, reason: Reason) -> Step<()> {
    if state.frame().is_some_and(|f| f.passed >= 1) || vm.pool.as_bool(fine) == Some(true) {
        return Ok(());
    }
    let not = vm.pool.not(fine);
    let stop = Stop::bound(reason, String::new());
    Err(Interruption::Choose(vec![
        (Shadow::Same(fine), Act::Pass(1)),
        (Shadow::Same(not), Act::GiveUp(stop)),
    ]))
}

fn equals_ignore_case(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let a = units(vm, state, args, 0)?;
    if matches!(args.get(1), Some(Value::Ref(Ref::Null)) | None) {
        return Ok(Some(Value::Prim(vm.pool.int(0))));
    }
    let b = units(vm, state, args, 1)?;
    let zero = vm.pool.int(0);
    no_supplementary_pairs(vm, state, (&a, zero), (&b, zero), Compared::Equal)?;
    let folding = Folding::of(vm)?;
    let mut all = vm.pool.eq(a.len, b.len);
    for (i, (x, y)) in a.units.iter().zip(b.units.iter()).enumerate() {
        let inside = a.has(&mut vm.pool, i);
        let outside = vm.pool.not(inside);
        let same = folding.same(&mut vm.pool, *x, *y);
        let fits = vm.pool.or(outside, same);
        all = vm.pool.and(all, fits);
    }
    truth(vm, all)
}

fn compare_ignore_case(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 1)?);
    let zero = vm.pool.int(0);
    no_supplementary_pairs(vm, state, (&a, zero), (&b, zero), Compared::Ordered)?;
    let folding = Folding::of(vm)?;
    let mut fold = |units: &Units| {
        units.map(&mut vm.pool, |pool, _, unit| {
            let folded = folding.fold(pool, unit);
            pool.trunc(16, folded)
        })
    };
    let (a, b) = (fold(&a), fold(&b));
    Ok(Some(Value::Prim(a.compare(&mut vm.pool, &b))))
}

fn region_matches(vm: &mut Vm, state: &mut State, args: &[Value]) -> Step<Option<Value>> {
    let (a, b) = (units(vm, state, args, 0)?, units(vm, state, args, 3)?);
    let (ignore, len) = (prim(vm, args, 1), prim(vm, args, 5));
    let (a_at, b_at) = (prim(vm, args, 2), prim(vm, args, 4));
    let zero = vm.pool.int(0);
    let exact = vm.pool.eq(ignore, zero);
    let plain = regions(&mut vm.pool, (&a, a_at), (&b, b_at), len, |pool, x, y| {
        pool.eq(x, y)
    });
    if vm.pool.as_bool(exact) == Some(true) {
        return truth(vm, plain);
    }
    no_supplementary_pairs(vm, state, (&a, a_at), (&b, b_at), Compared::Equal)?;
    let folding = Folding::of(vm)?;
    let folded = regions(&mut vm.pool, (&a, a_at), (&b, b_at), len, |pool, x, y| {
        folding.same(pool, x, y)
    });
    let same = vm.pool.ite(exact, plain, folded);
    truth(vm, same)
}

fn white_space(vm: &mut Vm) -> Step<std::sync::Arc<Table>> {
    units_table(vm, "isWhitespace", "(I)Z")
}

fn strip(
    vm: &mut Vm,
    state: &mut State,
    args: &[Value],
    leading: bool,
    trailing: bool,
) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let table = white_space(vm)?;
    let (begin, end) = text.stripped(&mut vm.pool, |pool, u| table.holds(pool, u, |w| w != 0));
    let zero = vm.pool.int(0);
    let cut = match (leading, trailing) {
        (true, true) => text.slice(&mut vm.pool, begin, end),
        (true, false) => text.slice(&mut vm.pool, begin, text.len),
        _ => {
            // All blank: begin and end stand at the length, and nothing is left.
            let all_blank = vm.pool.eq(begin, text.len);
            let end = vm.pool.ite(all_blank, zero, end);
            text.slice(&mut vm.pool, zero, end)
        }
    };
    string(vm, state, cut.text())
}

/// `toLowerCase(Locale)` in the locales whose rules are those of no locale at all.
fn convert_in(vm: &mut Vm, state: &mut State, args: &[Value], upper: bool) -> Step<Option<Value>> {
    let locale = super::object(vm, args, 1)?;
    let language = field(vm, state, locale, "baseLocale")
        .and_then(|base| field(vm, state, base, "language"))
        .and_then(|text| match &state.heap.get(text).body {
            Body::Str(text) => text.units(&vm.pool),
            _ => None,
        });
    let special = ["tr", "az", "lt"].map(|l| l.encode_utf16().collect::<Vec<_>>());
    if language.is_none_or(|l| special.contains(&l)) {
        return Err(Stop::unsupported(Reason::UnsupportedNative, "case of a locale").into());
    }
    convert(vm, state, args, upper)
}

/// The object in a field of that name, where both versions see the same.
fn field(vm: &Vm, state: &State, id: ObjId, name: &str) -> Option<ObjId> {
    match vm.shared_field(state, id, name)? {
        Value::Ref(Ref::Obj(id)) => Some(id),
        _ => None,
    }
}

/// Unit by unit; where a character's case takes more than one unit or depends on its neighbours is a stated bound.
fn convert(vm: &mut Vm, state: &mut State, args: &[Value], upper: bool) -> Step<Option<Value>> {
    let text = units(vm, state, args, 0)?;
    let name = if upper {
        "toUpperCaseEx"
    } else {
        "toLowerCase"
    };
    let table = units_table(vm, name, "(I)I")?;
    let fine = text.every(&mut vm.pool, |pool, _, unit| {
        let surrogate = is_surrogate(pool, unit);
        let special = if upper {
            table.holds(pool, unit, |image| !(0..=0xffff).contains(&image))
        } else {
            let (dotted, sigma) = (pool.bv(16, 0x130), pool.bv(16, 0x3a3));
            let (a, b) = (pool.eq(unit, dotted), pool.eq(unit, sigma));
            pool.or(a, b)
        };
        let not = pool.or(surrogate, special);
        pool.not(not)
    });
    bounded(vm, state, fine, Reason::SpecialCaseMapping)?;
    let converted = text.map(&mut vm.pool, |pool, _, unit| {
        let image = table.apply(pool, unit);
        pool.trunc(16, image)
    });
    string(vm, state, converted.text())
}
