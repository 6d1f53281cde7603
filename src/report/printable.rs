//! Text from the code under test, made harmless to look at: nothing invisible, nothing that reorders what stands around it.

use std::fmt::Write;

/// The text on one line, with control, direction and zero-width characters written as `\u202e`.
pub fn printable(text: &str) -> String {
    clean(text, &[])
}

/// As [`printable`], but tabs stay and line ends are `\n`: for source code.
pub fn printable_code(text: &str) -> String {
    clean(&text.replace("\r\n", "\n"), &['\n', '\t'])
}

fn clean(text: &str, kept: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if kept.contains(&c) || !deceives(c) {
            out.push(c);
        } else {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
    }
    out
}

/// Whether a reader would not see the character for what it is. Java allows most of these inside identifiers.
fn deceives(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0x00ad | 0x061c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f
            | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe007f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_reorders_is_written_out() {
        assert_eq!(
            printable("a\u{1b}[31m\u{202e}b\nc"),
            "a\\u001b[31m\\u202eb\\u000ac"
        );
        assert_eq!(printable_code("a\tb\r\nc\rd\0"), "a\tb\nc\\u000dd\\u0000");
        assert_eq!(printable("naïve 漢字 🙂"), "naïve 漢字 🙂");
    }
}
