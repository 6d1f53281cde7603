//! Short names inside a package: without the package itself and `java.lang`.

/// The line with shorter names; literals stay as they are.
pub(super) fn names(line: &str, package: &str) -> String {
    let mut prefixes = vec!["java.lang.".to_string()];
    if !package.is_empty() {
        prefixes.push(format!("{package}."));
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if c == '"' || c == '\'' {
            let end = literal(rest, c);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let begins = !out.ends_with(inside);
        let prefix = prefixes.iter().find(|p| {
            let behind = rest.strip_prefix(p.as_str());
            begins && behind.is_some_and(|b| b.starts_with(|c: char| c.is_uppercase()))
        });
        match prefix {
            Some(prefix) => rest = &rest[prefix.len()..],
            None => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    out
}

/// Where the literal that the text begins with ends.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_package_and_java_lang_are_left_out_but_not_in_texts() {
        let line = "demo.Foo foo = new demo.Foo(\"demo.Foo \\\" java.lang.X\", x.demo.Y, demo.sub.Z.a, java.lang.Integer.valueOf(1));";
        assert_eq!(
            names(line, "demo"),
            "Foo foo = new Foo(\"demo.Foo \\\" java.lang.X\", x.demo.Y, demo.sub.Z.a, Integer.valueOf(1));"
        );
    }
}
