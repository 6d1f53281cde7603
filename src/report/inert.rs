//! Text from the code under test inside Markdown: always code, so that no mention, issue number, link, tag or fence in it is obeyed.

use super::printable::{printable, printable_code};
use super::sentence::cut;

/// The text as a code span, at most `max` characters of it.
pub fn code(text: &str, max: usize) -> String {
    span(&quiet(&cut(&printable(text), max)))
}

/// The text as a code span in a table's cell. Parsers do not agree on how an escaped `|` reads behind a backslash, so it is
/// written as Java would take it.
pub fn cell(text: &str, max: usize) -> String {
    span(&quiet(&cut(&printable(text), max)).replace('|', "\\u007c"))
}

fn span(text: &str) -> String {
    if text.trim().is_empty() {
        return "(empty)".into();
    }
    let fence = "`".repeat(longest_run(text) + 1);
    // One space on each side is taken off again; without them a backtick at an edge would join the fence.
    let edge = |c: char| c == '`' || c == ' ';
    let pad = if text.starts_with(edge) || text.ends_with(edge) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Source code as a fenced block.
pub fn block(language: &str, text: &str) -> String {
    let lines = quiet(&printable_code(text));
    let text: Vec<String> = lines.lines().map(unstarted).collect();
    let text = text.join("\n");
    let fence = "`".repeat((longest_run(&text) + 1).max(3));
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}\n")
}

/// A job's log may hold the Markdown too, and its runner obeys `##[command]` anywhere in a line; Java reads this the same.
fn quiet(text: &str) -> String {
    text.replace("##[", "#\\u0023[")
}

/// The line, so that it does not start with `::`, which the runner obeys as well; Java reads this the same.
fn unstarted(line: &str) -> String {
    match line.trim_start().strip_prefix("::") {
        Some(rest) => format!("\\u003a:{rest}"),
        None => line.to_string(),
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_longer_than_what_they_hold() {
        assert_eq!(code("a``b", 9), "```a``b```");
        assert_eq!(code("`x", 9), "`` `x ``");
        assert_eq!(code(" a\u{0}", 9), "`  a\\u0000 `");
        assert_eq!(cell("a||b", 99), "`a\\u007c\\u007cb`");
        assert_eq!(
            block("java", "  ::error::x\n##[y]"),
            "```java\n\\u003a:error::x\n#\\u0023[y]\n```\n"
        );
        assert_eq!(code("", 9), "(empty)");
        assert_eq!(
            block("java", "a\n```\n@b\n"),
            "````java\na\n```\n@b\n````\n"
        );
    }
}
