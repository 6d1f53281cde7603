//! A formula's text as Java code has it: characters as literals, subtractions as such.

/// Relations of a character and a number.
const RELATIONS: [&str; 6] = [" == ", " != ", " <= ", " >= ", " < ", " > "];

/// The formula with numbers that `charAt` is compared with as characters, and without sums of negative numbers.
pub(super) fn in_java(formula: &str) -> String {
    with_characters(&formula.replace(" + -", " - "))
}

/// Behind each `charAt(…)` and a relation, a number is a character.
fn with_characters(formula: &str) -> String {
    let mut out = String::with_capacity(formula.len());
    let mut rest = formula;
    while let Some(at) = rest.find(".charAt(") {
        let Some(close) = rest[at..].find(')') else {
            break;
        };
        let (before, behind) = rest.split_at(at + close + 1);
        out.push_str(before);
        rest = behind;
        let Some(relation) = RELATIONS.iter().find(|r| rest.starts_with(**r)) else {
            continue;
        };
        let number = &rest[relation.len()..];
        let end = number
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(number.len());
        // Part of a longer term, it is no character by itself.
        let is_whole = ["", " &", " |", ")"]
            .contains(&number[end..].get(..2).unwrap_or(&number[end..]))
            || number[end..].starts_with(')');
        if let (true, Some(c)) = (is_whole, literal(&number[..end])) {
            out.push_str(relation);
            out.push_str(&c);
            rest = &number[end..];
        }
    }
    out.push_str(rest);
    out
}

/// A printable ASCII character's literal.
fn literal(number: &str) -> Option<String> {
    match number.parse::<u8>().ok()? {
        b'\'' => Some("'\\''".into()),
        b'\\' => Some("'\\\\'".into()),
        code @ b' '..=b'~' => Some(format!("'{}'", char::from(code))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::in_java;

    #[test]
    fn characters_and_subtractions_are_written_as_java_does() {
        assert_eq!(in_java("e.charAt(1) == 120"), "e.charAt(1) == 'x'");
        assert_eq!(in_java("e.length() + -2 <= 1"), "e.length() - 2 <= 1");
        assert_eq!(
            in_java("e.charAt(0) != 39 && n > 65"),
            "e.charAt(0) != '\\'' && n > 65"
        );
        // Neither what is no character, nor what is counted with.
        assert_eq!(in_java("e.charAt(0) > 7"), "e.charAt(0) > 7");
        assert_eq!(in_java("e.charAt(0) == 48 + n"), "e.charAt(0) == 48 + n");
        assert_eq!(in_java("s.length() == 65"), "s.length() == 65");
    }
}
