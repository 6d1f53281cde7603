//! Line breaks at the width of a terminal, at spaces, with continuation lines indented further.

use unicode_width::UnicodeWidthChar;

/// How much further than its line the rest of it is set in.
const HANG: usize = 4;

/// Narrower terminals are left to break lines themselves.
const NARROWEST: usize = 40;

/// The text in lines no wider than `width`, as far as there are spaces. Lines to be copied stay whole.
pub(super) fn wrap(text: &str, width: usize) -> String {
    if width < NARROWEST {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if columns(line) <= width
            || ["shadow-ci replay ", "shadow-ci accept "]
                .iter()
                .any(|c| line.contains(c))
        {
            out.push_str(line);
        } else {
            broken(line, width, &mut out);
        }
        out.push('\n');
    }
    out
}

fn broken(line: &str, width: usize, out: &mut String) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let hang = (indent + HANG).min(width / 2);
    let mut at = 0;
    // Spaces stay with the word before them, so that columns keep their distance where nothing is broken.
    for word in line[indent..].split_inclusive(' ') {
        let wide = columns(word.trim_end());
        if at == 0 {
            out.push_str(&" ".repeat(indent));
            at = indent;
        } else if at + wide > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(hang));
            at = hang;
        }
        out.push_str(word);
        at += columns(word);
    }
}

/// Columns that a terminal needs; escape sequences need none.
pub(super) fn columns(text: &str) -> usize {
    let mut columns = 0;
    let mut escape = false;
    for c in text.chars() {
        match (escape, c) {
            (true, 'm') => escape = false,
            (true, _) => {}
            (false, '\u{1b}') => escape = true,
            (false, c) => columns += c.width().unwrap_or(0),
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_spaces_and_hang() {
        let line = format!("  when {}", "x > 1 && ".repeat(8));
        let text = wrap(line.trim_end(), 40);
        assert!(text.lines().all(|l| columns(l) <= 40), "{text}");
        assert!(
            text.lines().skip(1).all(|l| l.starts_with("      ")),
            "{text}"
        );
        let words = |t: &str| t.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert_eq!(words(&text), words(&line));
    }

    #[test]
    fn escapes_take_no_room_wide_characters_take_two_and_commands_stay_whole() {
        assert_eq!(columns("\u{1b}[1;31mred\u{1b}[0m 漢"), 6);
        let command = format!("    shadow-ci replay {}\n", "a ".repeat(60));
        assert_eq!(wrap(&command, 40), command);
    }
}
