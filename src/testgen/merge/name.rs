//! The name of a test for merging: the method, the condition, and the result.

use crate::model::{Finding, Version};
use crate::testgen::source;

/// `foo_whenXIsLessThanZero_returnsOne`: by the source's condition where it is about parameters, else by the arguments.
pub(super) fn of(f: &Finding, pins: Version) -> String {
    let wanted = match pins {
        Version::Old => &f.old,
        Version::New => &f.new,
    };
    let whole = source::test_name(f, wanted);
    let Some(when) = when(f) else {
        return whole;
    };
    let (first, last) = (whole.split('_').next(), whole.rsplit('_').next());
    format!(
        "{}_when{when}_{}",
        first.unwrap_or_default(),
        last.unwrap_or_default()
    )
}

/// The last condition of the source that both versions decide alike and that says something of a parameter.
fn when(f: &Finding) -> Option<String> {
    let lines = f.telling.when.iter().rev();
    lines
        .filter_map(|line| {
            let condition = line.rsplit_once(" (").map_or(line.as_str(), |p| p.0);
            let (text, holds) = match condition.strip_suffix(" is true") {
                Some(text) => (text, true),
                None => (condition.strip_suffix(" is false")?, false),
            };
            words(text, holds, &f.parameter_names)
        })
        .next()
}

/// Comparisons, their words, and which one is their negation.
const COMPARISONS: [(&str, &str, &str); 6] = [
    ("==", "Is", "!="),
    ("!=", "IsNot", "=="),
    ("<=", "IsAtMost", ">"),
    (">=", "IsAtLeast", "<"),
    ("<", "IsLessThan", ">="),
    (">", "IsGreaterThan", "<="),
];

fn words(text: &str, holds: bool, parameters: &[String]) -> Option<String> {
    let about = |operand: &str| {
        let first = operand.split(['.', '(']).next().unwrap_or_default();
        parameters.iter().any(|p| p == first)
    };
    let found = COMPARISONS
        .iter()
        .find_map(|c| Some((c, text.split_once(&format!(" {} ", c.0))?)));
    if let Some(((_, yes, negated), (left, right))) = found {
        let no = COMPARISONS.iter().find(|c| c.0 == *negated)?.1;
        let verb = if holds { yes } else { no };
        let about = about(left) || about(right);
        return about
            .then(|| Some(format!("{}{verb}{}", operand(left)?, operand(right)?)))
            .flatten();
    }
    let (text, holds) = match text.strip_prefix('!') {
        Some(inner) => (inner, !holds),
        None => (text, holds),
    };
    let (object, asked) = text.rsplit_once('.')?;
    let asked = asked.strip_suffix("()")?.strip_prefix("is")?;
    let verb = if holds { "Is" } else { "IsNot" };
    about(object)
        .then(|| Some(format!("{}{verb}{asked}", operand(object)?)))
        .flatten()
}

/// `name.length()` is `NameLength`, `-1` is `NegativeOne`; nothing for what takes more words.
fn operand(text: &str) -> Option<String> {
    if let Ok(number) = text.trim_end_matches(['L', 'l']).parse::<i64>() {
        return Some(source::number(number));
    }
    let parts = text.split('.').map(|part| part.trim_end_matches("()"));
    let names: Vec<&str> = parts.collect();
    let plain = |n: &&str| !n.is_empty() && n.chars().all(|c| c.is_alphanumeric() || c == '_');
    (names.len() <= 3 && names.iter().all(plain))
        .then(|| names.iter().map(|n| source::capital(n)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_parameters_are_named_and_others_are_not() {
        let names = ["x".to_string(), "name".to_string()];
        let said = |text, holds| words(text, holds, &names);
        for (text, holds, expected) in [
            ("x < 0", true, "XIsLessThanZero"),
            ("x < 0", false, "XIsAtLeastZero"),
            ("name == null", false, "NameIsNotNull"),
            (
                "name.length() >= -1",
                true,
                "NameLengthIsAtLeastNegativeOne",
            ),
            ("!name.isEmpty()", true, "NameIsNotEmpty"),
        ] {
            assert_eq!(said(text, holds).as_deref(), Some(expected));
        }
        assert_eq!(said("y < 0", true), None);
        assert_eq!(said("x * 2 < f(x, 1)", true), None);
    }
}
