//! Numbers and lists as people write them: `1 fix`, `2 fixes`; `a, b and 3 more`.

use std::fmt::Display;

/// The number and its noun, in the singular where it is one.
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let noun = if n == N::from(1) { one } else { many };
    format!("{n} {noun}")
}

/// The first names, with that text between them, and how many more there are.
pub fn first<T: AsRef<str>>(names: &[T], most: usize, between: &str) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{}{more}", shown.join(between))
}

#[cfg(test)]
mod tests {
    use super::{counted, first};

    #[test]
    fn names_beyond_the_first_are_counted() {
        let all: Vec<String> = (0..4)
            .map(|n| first(&["a", "b", "c"][..n.min(3)], 2, ", "))
            .collect();
        assert_eq!(all, ["", "a", "a, b", "a, b and 1 more"]);
    }

    #[test]
    fn only_one_is_singular() {
        let all: Vec<String> = (0..3u64).map(|n| counted(n, "fix", "fixes")).collect();
        assert_eq!(all, ["0 fixes", "1 fix", "2 fixes"]);
    }
}
