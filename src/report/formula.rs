//! The path condition where it stands in for one in the program's words.

/// The longest formula that is read, in characters.
const LONGEST: usize = 240;

/// The formula, unless it says nothing, is too long, or speaks of arguments by which an object in the input was made.
pub fn stand_in(condition: &str) -> Option<&str> {
    let says_something = !matches!(condition, "" | "true");
    let is_of_makers = condition.contains(".arg");
    let is_short = condition.chars().count() <= LONGEST;
    (says_something && is_short && !is_of_makers).then_some(condition)
}

#[cfg(test)]
mod tests {
    use super::stand_in;

    #[test]
    fn formulas_about_how_an_input_is_made_are_left_to_the_full_report() {
        assert_eq!(stand_in("x > 3"), Some("x > 3"));
        assert_eq!(stand_in("true"), None);
        assert_eq!(stand_in("this.arg0.length() > 0"), None);
        assert_eq!(stand_in(&"x != y && ".repeat(40)), None);
    }
}
