//! A line of a condition, and what others say of the same.

use crate::model::Location;

/// A line of a condition, and how much it says.
pub(super) struct Line {
    pub text: String,
    pub differs: bool,
    /// Whether it says no more than which line decides.
    pub is_vague: bool,
    /// Where the branch is, as far as it is known: file, line, and which of the line's.
    pub branch: (Location, Option<(u32, u32)>),
}

/// Says of what is neither less nor more that it is equal.
pub(super) fn join_bounds(all: &mut Vec<Line>) {
    let mut at = 0;
    while at < all.len() {
        let equal = |line: &Line, relation: &str| {
            let is_one = line.text.matches(relation).count() == 1;
            is_one.then(|| line.text.replacen(relation, " == ", 1))
        };
        let (least, most) = (equal(&all[at], " >= "), equal(&all[at], " <= "));
        let is_other = |line: &Line| {
            least.is_some() && least == equal(line, " <= ")
                || most.is_some() && most == equal(line, " >= ")
        };
        let other = all
            .iter()
            .skip(at + 1)
            .position(|l| !l.differs && is_other(l));
        if let (false, Some(other)) = (all[at].differs, other) {
            all.remove(at + 1 + other);
            all[at].text = least.or(most).unwrap_or_default();
        }
        at += 1;
    }
}

/// The name of which a line says no more than that it is not null.
pub(super) fn not_null(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(' ')?;
    let is = rest.starts_with("== null is false (")
        || rest.starts_with("!= null is true (")
        || rest.starts_with("!= null (");
    is.then_some(name)
}

/// Whether a line asks something of the object of that name, or takes it as the truth value that it holds.
pub(super) fn uses(line: &str, name: &str) -> bool {
    let unboxed = |value| line.starts_with(&format!("{name} is {value} "));
    if unboxed(true) || unboxed(false) {
        return true;
    }
    let at = |(i, _)| {
        let before = line[..i].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "_$.".contains(c))
            && line[i + name.len()..].starts_with('.')
    };
    line.match_indices(name).any(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bounds_that_leave_one_number_are_one_line() {
        let line = |text: &str| Line {
            text: text.into(),
            differs: false,
            is_vague: false,
            branch: (
                Location {
                    file: "A.java".into(),
                    line: 3,
                },
                None,
            ),
        };
        let mut all = ["n >= 7 (A.java:3)", "x > 1 (A.java:3)", "n <= 7 (A.java:3)"]
            .map(line)
            .into();
        join_bounds(&mut all);
        let texts = |all: &[Line]| all.iter().map(|l| l.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&all), ["n == 7 (A.java:3)", "x > 1 (A.java:3)"]);
        let mut all = ["n >= 7 (A.java:3)", "n <= 8 (A.java:3)"].map(line).into();
        join_bounds(&mut all);
        assert_eq!(all.len(), 2);
    }

    #[test]
    fn that_what_is_asked_is_not_null_goes_without_saying() {
        assert_eq!(not_null("s == null is false (A.java:3)"), Some("s"));
        assert_eq!(not_null("s != null (A.java:3)"), Some("s"));
        assert_eq!(not_null("s == null is true (A.java:3)"), None);
        assert!(uses("i < s.length() is true (A.java:3)", "s"));
        assert!(uses("s is true (A.java:4)", "s"));
        assert!(!uses("s is truer (A.java:4)", "s"));
        assert!(!uses("i < this.s.length() is true (A.java:3)", "s"));
        assert!(!uses("as.length() is true", "s"));
    }
}
