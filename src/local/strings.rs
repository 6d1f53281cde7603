//! Methods of strings: what they give of their receiver's and arguments' contents, and laws between them.

use super::summary::{Summary, number_text};
use super::symbols::Symbols;
use super::texts::type_letter;
use crate::expr::{BvOp, CmpOp, Sort, Term};

const STRING: &str = "java/lang/String";
const BOUNDS: &str = "java/lang/StringIndexOutOfBoundsException";
const NULL: &str = "java/lang/NullPointerException";

/// Methods that never throw, whatever they are given.
const TOTAL: [&str; 5] = ["hashCode", "equalsIgnoreCase", "isBlank", "trim", "strip"];

/// Methods that throw for `null` only.
const OF_TEXTS: [&str; 8] = [
    "startsWith",
    "endsWith",
    "compareTo",
    "compareToIgnoreCase",
    "concat",
    "indexOf",
    "lastIndexOf",
    "replace",
];

/// Methods that throw for some arguments.
const CHECKED: [&str; 7] = [
    "codePointAt",
    "repeat",
    "matches",
    "replaceAll",
    "replaceFirst",
    "stripLeading",
    "stripTrailing",
];

/// Most other literals that a string is said not to equal.
const MOST_LITERALS: usize = 16;

/// Longest literal for which `startsWith` and `endsWith` become tests of single characters.
const SHORT: usize = 4;

/// The summary of a method of `String` whose receiver is not null; `None` if it has none.
pub(super) fn string_method(
    s: &mut Symbols,
    name: &str,
    parameters: &[String],
    result: &str,
    args: &[Term],
) -> Option<Summary> {
    if name == "valueOf" && parameters.len() == 1 {
        return number_text(s, &parameters[0], args[0]);
    }
    // A sequence of characters may be any object; one that is a string is its own text.
    let is_text = |(p, a): (&String, &Term)| match p.as_str() {
        "Ljava/lang/CharSequence;" => is_string(s, *a),
        p => type_letter(p).is_some(),
    };
    // A static method has no receiver, and `equals` takes anything.
    let of_receiver = args.get(args.len().checked_sub(parameters.len())?..)?;
    let plain = parameters.iter().zip(of_receiver).all(is_text);
    match name {
        "toString" => return Some(Summary::Value(args[0])),
        "charAt" => {
            let beyond = out_of_bounds(s, args[0], args[1]);
            let unit = char_at(s, args[0], args[1]);
            return Some(Summary::Checked(unit, beyond, BOUNDS));
        }
        "isEmpty" => {
            let length = length(s, args[0]);
            let zero = s.pool.int(0);
            let empty = s.pool.eq(length, zero);
            return Some(Summary::Value(int_of_bool(s, empty)));
        }
        "length" => {
            let length = length(s, args[0]);
            return Some(Summary::Value(length));
        }
        "substring" if plain => {
            let end = match args.get(2) {
                Some(end) => *end,
                None => length(s, args[0]),
            };
            let refused = range_out_of_bounds(s, args[0], args[1], end);
            let part = [args[0], args[1], end];
            let term = s.value("String.substring", &part, "Ljava/lang/String;");
            s.set_anonymous(term);
            return Some(Summary::CheckedComputed(term, refused, BOUNDS));
        }
        "hashCode" if parameters.is_empty() => {
            return Some(Summary::Value(hash(s, args[0])));
        }
        "equals" if parameters.len() == 1 => {
            return Some(Summary::Value(equals(s, args[0], args[1])));
        }
        _ => {}
    }
    if !plain || result.starts_with('[') || args.len() == parameters.len() {
        return None;
    }
    if TOTAL.contains(&name) {
        return Some(Summary::Function(false));
    }
    // A search between two places refuses some of them.
    let between = parameters.len() > 2;
    if !between && (OF_TEXTS.contains(&name) || name == "contains") {
        return Some(of_texts(s, name, parameters, args));
    }
    CHECKED.contains(&name).then_some(Summary::Function(true))
}

/// The unit of a part of a text that is one unit long.
pub(super) fn only_unit(s: &mut Symbols, text: Term) -> Option<Term> {
    let (whole, begin, end) = match s.parts(text)? {
        ("String.substring", [whole, begin, end]) => (*whole, *begin, *end),
        _ => return None,
    };
    let one = s.pool.int(1);
    let next = s.pool.bin(BvOp::Add, begin, one);
    (next == end).then(|| char_at(s, whole, begin))
}

/// The summary of a method that throws for `null` only.
fn of_texts(s: &mut Symbols, name: &str, parameters: &[String], args: &[Term]) -> Summary {
    let texts: Vec<Term> = parameters
        .iter()
        .zip(&args[1..])
        .filter(|(p, _)| p.starts_with('L'))
        .map(|(_, a)| *a)
        .collect();
    let nulls: Vec<Term> = texts.into_iter().map(|t| s.is_null(t)).collect();
    let refused = s.pool.or_all(nulls);
    match name {
        "contains" => {
            let at = position(s, "indexOf", parameters, args);
            let zero = s.pool.int(0);
            let before = s.pool.cmp(CmpOp::Slt, at, zero);
            let found = s.pool.not(before);
            Summary::Checked(int_of_bool(s, found), refused, NULL)
        }
        "indexOf" | "lastIndexOf" => {
            Summary::Checked(position(s, name, parameters, args), refused, NULL)
        }
        "startsWith" | "endsWith" if args.len() == 2 && is_short(s, args[1]) => {
            let same = has_at(s, name == "endsWith", args[0], args[1]);
            Summary::Checked(int_of_bool(s, same), refused, NULL)
        }
        "concat" | "replace" => {
            let (kinds, of) = single_units(s, parameters, args);
            let term = s.value(&format!("{kinds}.{name}"), &of, "Ljava/lang/String;");
            s.set_anonymous(term);
            Summary::CheckedComputed(term, refused, NULL)
        }
        _ => {
            let key = format!("String.{name}({})", parameters.concat());
            let of_truth = matches!(name, "startsWith" | "endsWith");
            let term = s.value(&key, args, if of_truth { "Z" } else { "I" });
            Summary::Checked(term, refused, NULL)
        }
    }
}

/// The kinds of the arguments, and the arguments with each literal of one unit replaced by that unit: `indexOf("a")` and
/// `indexOf('a')` are the same function of the same arguments.
fn single_units(s: &mut Symbols, parameters: &[String], args: &[Term]) -> (String, Vec<Term>) {
    let (mut kinds, mut out) = (String::from("String"), vec![args[0]]);
    for (parameter, arg) in parameters.iter().zip(&args[1..]) {
        let unit = s.units(*arg).filter(|u| u.len() == 1).map(|u| u[0]);
        let (kind, term) = match unit {
            Some(unit) => ('u', s.pool.int(i32::from(unit))),
            None if parameter.starts_with('L') => ('t', *arg),
            None => ('u', *arg),
        };
        kinds.push(kind);
        out.push(term);
    }
    (kinds, out)
}

/// The position of a text or unit, or -1; the search starts at 0 if no start is given.
fn position(s: &mut Symbols, name: &str, parameters: &[String], args: &[Term]) -> Term {
    let (mut kinds, mut of) = single_units(s, parameters, args);
    if name == "indexOf"
        && of.len() == 3
        && of.get(2).is_some_and(|at| s.pool.as_i64(*at) == Some(0))
    {
        kinds.pop();
        of.pop();
    }
    let range = Some((-1, i64::from(i32::MAX)));
    s.app_in(&format!("{kinds}.{name}"), &of, Sort::Bv(32), range)
}

fn is_short(s: &Symbols, text: Term) -> bool {
    s.units(text).is_some_and(|u| u.len() <= SHORT)
}

/// Whether a string starts or ends with a literal: it is long enough, and its units there are the literal's.
fn has_at(s: &mut Symbols, at_end: bool, string: Term, text: Term) -> Term {
    let units = s.units(text).map(|u| u.to_vec()).unwrap_or_default();
    let all = length(s, string);
    let count = s.pool.int(units.len() as i32);
    let short = s.pool.cmp(CmpOp::Slt, all, count);
    let mut same = s.pool.not(short);
    for (i, wanted) in units.into_iter().enumerate() {
        let offset = s.pool.int(i as i32);
        let index = match at_end {
            true => {
                let begin = s.pool.bin(crate::expr::BvOp::Sub, all, count);
                s.pool.bin(crate::expr::BvOp::Add, begin, offset)
            }
            false => offset,
        };
        let unit = char_at(s, string, index);
        let wanted = s.pool.int(i32::from(wanted));
        let equal = s.pool.eq(unit, wanted);
        same = s.pool.and(same, equal);
    }
    same
}

fn int_of_bool(s: &mut Symbols, condition: Term) -> Term {
    let (one, zero) = (s.pool.int(1), s.pool.int(0));
    s.pool.ite(condition, one, zero)
}

/// Whether a reference is to a string, by its type.
pub(super) fn is_string(s: &Symbols, term: Term) -> bool {
    s.type_of(term).is_some_and(|t| &**t == STRING)
}

/// The unit at an index; a constant for a literal at a known index.
fn char_at(s: &mut Symbols, string: Term, index: Term) -> Term {
    let at = s.pool.as_i64(index).and_then(|i| usize::try_from(i).ok());
    let known = at.and_then(|i| s.units(string).and_then(|u| u.get(i).copied()));
    match known {
        Some(unit) => s.pool.int(i32::from(unit)),
        None => s.value("String.charAt", &[string, index], "C"),
    }
}

fn length(s: &mut Symbols, string: Term) -> Term {
    if let Some(units) = s.units(string) {
        let length = units.len() as i32;
        return s.pool.int(length);
    }
    let range = Some((0, i64::from(i32::MAX)));
    s.app_in("length", &[string], Sort::Bv(32), range)
}

fn out_of_bounds(s: &mut Symbols, string: Term, index: Term) -> Term {
    let length = length(s, string);
    s.pool.cmp(CmpOp::Ule, length, index)
}

fn range_out_of_bounds(s: &mut Symbols, string: Term, begin: Term, end: Term) -> Term {
    let length = length(s, string);
    let zero = s.pool.int(0);
    let all = [
        s.pool.cmp(CmpOp::Slt, begin, zero),
        s.pool.cmp(CmpOp::Slt, end, begin),
        s.pool.cmp(CmpOp::Slt, length, end),
    ];
    s.pool.or_all(all)
}

/// The hash code of a text (`String.hashCode`).
fn hash_of_units(units: &[u16]) -> i32 {
    let next = |hash: i32, unit: &u16| hash.wrapping_mul(31).wrapping_add(i32::from(*unit));
    units.iter().fold(0, next)
}

/// The hash code of a string: a literal's if it equals one to which it was compared, else any.
fn hash(s: &mut Symbols, text: Term) -> Term {
    if let Some(units) = s.units(text).cloned() {
        return s.pool.int(hash_of_units(&units));
    }
    if let Some(known) = s.hashes.get(&text) {
        return *known;
    }
    let mut out = s.value("String.hashCode()I", &[text], "I");
    // Where several seem to be equal, the first is (`with_laws_of_literals`).
    let compared = s.compared.get(&text).cloned().unwrap_or_default();
    for (same, of_literal) in compared.into_iter().rev() {
        let of_literal = s.pool.int(of_literal);
        out = s.pool.ite(same, of_literal, out);
    }
    s.hashes.insert(text, out);
    out
}

/// Whether two strings are equal, as `same` says: if one is a literal, the other equals none of the literals to which it was compared
/// before, and has its hash code, where that is asked for.
fn with_laws_of_literals(s: &mut Symbols, a: Term, b: Term, same: Term) -> Term {
    let is_literal = |t: Term| s.units(t).is_some();
    let (text, literal) = match (is_literal(a), is_literal(b)) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return same,
    };
    let of_literal = s.units(literal).map_or(0, |units| hash_of_units(units));
    let known = s.compared.entry(text).or_default();
    let before = known.iter().position(|(other, _)| *other == same);
    if before.is_none() {
        known.push((same, of_literal));
    }
    let others = known[..before.unwrap_or(known.len() - 1)].to_vec();
    let mut out = same;
    for (other, _) in others.into_iter().take(MOST_LITERALS) {
        let not = s.pool.not(other);
        out = s.pool.and(out, not);
    }
    if let Some(hash) = s.hashes.get(&text).copied() {
        let number = s.pool.int(of_literal);
        let equal = s.pool.eq(hash, number);
        out = s.pool.and(equal, out);
    }
    out
}

/// `a.equals(b)` for a string `a`. It is symmetric if `b` is a string too.
pub(super) fn equals(s: &mut Symbols, a: Term, b: Term) -> Term {
    let (zero, one) = (s.pool.int(0), s.pool.int(1));
    if a == b {
        return one;
    }
    let null = s.is_null(b);
    let not_null = s.pool.not(null);
    let both_texts = is_string(s, b);
    let empty = |s: &Symbols, t: Term| s.units(t).is_some_and(|u| u.is_empty());
    let same = if both_texts && (empty(s, a) || empty(s, b)) {
        let other = if empty(s, a) { b } else { a };
        let length = length(s, other);
        s.pool.eq(length, zero)
    } else {
        let pair = if both_texts && b < a { [b, a] } else { [a, b] };
        let same = s.app("equals", &pair, Sort::Bool);
        match both_texts {
            true => with_laws_of_literals(s, a, b, same),
            false => same,
        }
    };
    let both = s.pool.and(not_null, same);
    s.pool.ite(both, one, zero)
}
