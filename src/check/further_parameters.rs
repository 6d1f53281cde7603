//! Differences that go away with another value of a parameter that only one version has: the parameter is what the patch is about.

use crate::align::LongerList;
use crate::bytecode::parameter_descriptors;
use crate::check::overloads;
use crate::check::patch::Patch;
use crate::error::Error;
use crate::java::{Lexeme, identifiers, lexemes};
use crate::jvm::Worker;
use crate::model::{
    DivergenceClass, Finding, Input, Inputs, Label, MethodRef, MethodResult, Version,
};
use crate::replay::{ClassPaths, observe, same_outcome};
use crate::util::deadline::Deadline;

/// Most values, or combinations of them, that are tried for a finding.
const MOST: usize = 40;

/// Labels the findings with which both versions do the same if a further parameter gets another value.
///
/// # Errors
/// The process that runs them does not start.
pub(super) fn label(
    (worker, deadline): (&mut Worker, Deadline),
    builds: &ClassPaths,
    patch: &Patch,
    methods: &mut [MethodResult],
) -> Result<(), Error> {
    let lists = &patch.overloads;
    if lists.is_empty() {
        return Ok(());
    }
    let findings = methods.iter_mut().flat_map(|m| &mut m.findings);
    for f in findings.filter(|f| f.class != DivergenceClass::ControlOnly) {
        if deadline.is_over() {
            break;
        }
        let is_known = fails_on_null(f, lists) || tells_components(f, patch);
        if is_known || decides(worker, builds, patch, f)? {
            f.telling.labels.push(Label::FurtherParameter);
        }
    }
    Ok(())
}

/// Whether it is a method that the compiler or a processor makes of all components or fields, of a class that has further ones.
fn tells_components(f: &Finding, patch: &Patch) -> bool {
    let is_made = ["equals", "hashCode", "toString"].contains(&&*f.entry.name);
    let mut lists = patch.overloads.iter();
    let mut has_further = || lists.any(|l| f.entry.class == l.class && l.name == "<init>");
    let sources = patch.files.iter().flat_map(|file| [&file.old, &file.new]);
    let mut types = sources.flatten().flat_map(|s| &s.types);
    let mut is_declared = || {
        types.any(|t| f.entry.class == t.name && t.methods.iter().any(|m| m.name == f.entry.name))
    };
    is_made && has_further() && !is_declared()
}

/// Whether a version fails on `null` for a parameter that only this version has: no caller passes anything there yet.
fn fails_on_null(f: &Finding, lists: &[LongerList]) -> bool {
    let (mut inputs, mut fails) = (f.inputs.clone(), false);
    visit(&f.entry, &mut inputs, lists, &mut |list, _, value| {
        let end = match list.shorter {
            Version::Old => &f.new.end,
            Version::New => &f.old.end,
        };
        let thrown = end.thrown() == Some("java.lang.NullPointerException");
        fails |= *value == Input::Null && thrown;
    });
    fails
}

/// Whether some values of further parameters make the versions do the same.
fn decides(
    worker: &mut Worker,
    builds: &ClassPaths,
    patch: &Patch,
    f: &Finding,
) -> Result<bool, Error> {
    let mut choices: Vec<Vec<Input>> = Vec::new();
    let mut inputs = f.inputs.clone();
    visit(
        &f.entry,
        &mut inputs,
        &patch.overloads,
        &mut |list, kind, value| {
            let mut all = vec![value.clone()];
            all.extend(others(kind, &literals(patch, list)));
            choices.push(all);
        },
    );
    let sizes = choices.iter().map(Vec::len);
    let combinations = sizes.fold(1, usize::saturating_mul);
    // The first combination is the finding's own.
    for number in 1..combinations.min(MOST) {
        let mut rest = number;
        let mut choice = choices.iter().map(|all| {
            let value = &all[rest % all.len()];
            rest /= all.len();
            value
        });
        let mut tried = f.inputs.clone();
        visit(
            &f.entry,
            &mut tried,
            &patch.overloads,
            &mut |_, _, value| {
                if let Some(other) = choice.next() {
                    *value = other.clone();
                }
            },
        );
        let seen = observe(worker, builds, &f.entry, f.entry_static, &tried)?;
        // Objects with further fields are never the same.
        let same = match f.old.end.same_as(&f.new.end) {
            true => same_outcome(&seen.old, &seen.new),
            false => seen.old.end.same_as(&seen.new.end) && seen.old.printed == seen.new.printed,
        };
        if same {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What is done with a further parameter's list, its descriptor, and its value.
type Visitor<'a> = &'a mut dyn FnMut(&LongerList, &str, &mut Input);

/// Visits the values of further parameters: those of the entry method and of all calls that make its input.
fn visit(entry: &MethodRef, inputs: &mut Inputs, lists: &[LongerList], with: Visitor) {
    of_call(entry, &mut inputs.args, lists, with);
    let parts = inputs.receiver.iter_mut().chain(&mut inputs.args);
    parts.for_each(|part| of_part(part, lists, with));
}

fn of_call(method: &MethodRef, args: &mut [Input], lists: &[LongerList], with: Visitor) {
    let Some(list) = overloads::of(lists, method) else {
        return;
    };
    let kinds = parameter_descriptors(&method.descriptor);
    for at in &list.further {
        if let (Some(kind), Some(value)) = (kinds.get(*at), args.get_mut(*at)) {
            with(list, kind, value);
        }
    }
}

fn of_part(part: &mut Input, lists: &[LongerList], with: Visitor) {
    if let Input::Object {
        method,
        args,
        calls,
    }
    | Input::Result {
        method,
        args,
        calls,
        ..
    } = part
    {
        of_call(method, args, lists, with);
        calls
            .iter_mut()
            .for_each(|(method, args)| of_call(method, args, lists, with));
    }
    part.parts_mut()
        .for_each(|inner| of_part(inner, lists, with));
}

/// Other values of a type: usual ones, and those that the method itself names.
fn others(kind: &str, literals: &[Input]) -> Vec<Input> {
    let numbers: Vec<i64> = literals
        .iter()
        .filter_map(|l| match l {
            Input::Long(n) => Some(*n),
            _ => None,
        })
        .collect();
    let numbers = [0, 1, -1]
        .into_iter()
        .chain(numbers)
        .chain([i64::MAX, i64::MIN]);
    let unless_wide = |n: &i64| i32::try_from(*n).is_ok();
    match kind {
        "Z" => [false, true].map(Input::Boolean).to_vec(),
        "B" => numbers
            .filter_map(|n| i8::try_from(n).ok())
            .map(Input::Byte)
            .collect(),
        "S" => numbers
            .filter_map(|n| i16::try_from(n).ok())
            .map(Input::Short)
            .collect(),
        "I" => {
            let ends = [i32::MAX, i32::MIN].map(Input::Int);
            numbers
                .filter(unless_wide)
                .map(|n| Input::Int(n as i32))
                .chain(ends)
                .collect()
        }
        "J" => numbers.map(Input::Long).collect(),
        "F" => numbers
            .map(|n| Input::Float((n as f32).to_bits()))
            .collect(),
        "D" => numbers
            .map(|n| Input::Double((n as f64).to_bits()))
            .collect(),
        "C" => {
            let own = literals.iter().filter(|l| matches!(l, Input::Char(_)));
            [32, 0]
                .map(Input::Char)
                .into_iter()
                .chain(own.cloned())
                .collect()
        }
        "Ljava/lang/String;" => {
            let own = literals.iter().filter(|l| matches!(l, Input::Str(_)));
            [Input::Null, Input::Str(Vec::new())]
                .into_iter()
                .chain(own.cloned())
                .collect()
        }
        _ => vec![Input::Null],
    }
}

/// Literals without escapes in the methods of that name, of both versions.
fn literals(patch: &Patch, list: &LongerList) -> Vec<Input> {
    let mut all = Vec::new();
    for source in patch.files.iter().flat_map(|f| [&f.old, &f.new]).flatten() {
        let Some(class) = source.find(&list.class) else {
            continue;
        };
        for method in class.methods.iter().filter(|m| m.name == list.name) {
            let text = method.node.text(&source.text);
            let numbers = identifiers(text).filter_map(|word| word.parse().ok());
            all.extend(numbers.map(Input::Long));
            let quoted = lexemes(text).filter_map(|l| match l {
                Lexeme::Literal(text) if !text.contains('\\') => Some(text),
                _ => None,
            });
            for quoted in quoted {
                let units: Vec<u16> = quoted[1..quoted.len().max(2) - 1].encode_utf16().collect();
                all.push(match (quoted.starts_with('\''), &*units) {
                    (true, [unit]) => Input::Char(*unit),
                    _ => Input::Str(units),
                });
            }
        }
    }
    all
}
