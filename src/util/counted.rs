//! A number with the noun it counts, as people write it: `1 fix`, `2 fixes`.

use std::fmt::Display;

/// The number and its noun, in the singular where it is one.
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, one: &str, many: &str) -> String {
    let noun = if n == N::from(1) { one } else { many };
    format!("{n} {noun}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn only_one_is_singular() {
        let all: Vec<String> = (0..3u64).map(|n| counted(n, "fix", "fixes")).collect();
        assert_eq!(all, ["0 fixes", "1 fix", "2 fixes"]);
    }
}
