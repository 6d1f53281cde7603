//! Other ways to write parts of a method: most mean the same on all inputs, some only on many.

/// Texts of an expression with `{}` where its parts come, and other ways to write it, with `{0}` and `{1}` in their place.
const EXPRESSIONS: &[(&str, &[&str])] = &[
    ("({} + {})", &["({1} + {0})", "({0} - (- {1}))"]),
    ("({} - {})", &["({0} + (- {1}))", "(-({1} - {0}))"]),
    ("({} * {})", &["({1} * {0})"]),
    (
        "({} ^ {})",
        &["(({0} | {1}) & ~({0} & {1}))", "({1} ^ {0})"],
    ),
    ("({} << {})", &["({0} * (1 << {1}))", "({0} << ({1} & 31))"]),
    (
        "({} >>> {})",
        &["({0} >> {1})", "(int) ((long) {0} >>> {1})"],
    ),
    ("({} % {})", &["({0} - {0} / {1} * {1})"]),
    ("(- {})", &["(~{0} + 1)", "(0 - {0})"]),
    (
        "Math.max({}, {})",
        &[
            "({0} > {1} ? {0} : {1})",
            "({0} < {1} ? {1} : {0})",
            "Math.max({1}, {0})",
        ],
    ),
    (
        "Math.abs({})",
        &["({0} < 0 ? - {0} : {0})", "Math.max({0}, - {0})"],
    ),
    ("((int) {})", &["((int) (long) {0})"]),
    (
        "((byte) {})",
        &["(byte) ({0} & 255)", "(byte) ({0} << 24 >> 24)"],
    ),
    ("{}.indexOf({})", &["{0}.indexOf({1}, 0)"]),
    (
        "({} < {})",
        &["({1} > {0})", "(!({0} >= {1}))", "({0} - {1} < 0)"],
    ),
    ("({} > {})", &["({1} < {0})", "(!({0} <= {1}))"]),
    ("({} <= {})", &["({1} >= {0})", "(!({0} > {1}))"]),
    (
        "({} != {})",
        &["(!({0} == {1}))", "({0} < {1} || {0} > {1})"],
    ),
    ("({} == {})", &["(!({0} != {1}))", "({1} == {0})"]),
    (
        "({} && {})",
        &["({0} ? {1} : false)", "(!(!{0} || !{1}))", "({0} & {1})"],
    ),
    (
        "({} || {})",
        &["({0} ? true : {1})", "(!(!{0} && !{1}))", "({0} | {1})"],
    ),
    ("(!{})", &["({0} ? false : true)", "({0} == false)"]),
    (
        "{}.equals({})",
        &["{1}.equals({0})", "java.util.Objects.equals({0}, {1})"],
    ),
    ("{}.isEmpty()", &["({0}.length() == 0)", "{0}.equals(\"\")"]),
    (
        "{}.startsWith({})",
        &["({0}.indexOf({1}) == 0)", "{0}.startsWith({1}, 0)"],
    ),
    (
        "{}.contains({})",
        &["({0}.indexOf({1}) >= 0)", "({0}.indexOf({1}) != -1)"],
    ),
    (
        "({} == null)",
        &["(null == {0})", "java.util.Objects.isNull({0})"],
    ),
    (
        "java.util.Objects.equals({}, {})",
        &[
            "({0} == null ? {1} == null : {0}.equals({1}))",
            "({0} == {1})",
        ],
    ),
    ("Double.isNaN({})", &["({0} != {0})"]),
    (
        "Long.compare({}, {})",
        &[
            "({0} < {1} ? -1 : {0} == {1} ? 0 : 1)",
            "-Long.compare({1}, {0})",
        ],
    ),
    (
        "Double.compare({}, {})",
        &["({0} < {1} ? -1 : {0} > {1} ? 1 : 0)"],
    ),
    ("String.valueOf({})", &["(\"\" + {0})"]),
    ("{}.substring({})", &["{0}.substring({1}, {0}.length())"]),
    (
        "{}.concat({})",
        &[
            "({0} + {1})",
            "new StringBuilder({0}).append({1}).toString()",
        ],
    ),
    ("{}.clone()", &["java.util.Arrays.copyOf({0}, {0}.length)"]),
    ("((double) {})", &["({0} * 1.0)"]),
    ("((long) {})", &["(0L + (long) {0})"]),
    ("({} ? {} : {})", &["(!{0} ? {2} : {1})"]),
];

/// The same for statements.
const STATEMENTS: &[(&str, &[&str])] = &[
    (
        "if ({}) {\n{}} else {\n{}}\n",
        &[
            "if (!({0})) {\n{2}} else {\n{1}}\n",
            "boolean @c = {0};\nif (@c) {\n{1}}\nif (!@c) {\n{2}}\n",
            "if ({0}) {\n{1}}\nif (!{0}) {\n{2}}\n",
        ],
    ),
    (
        "{}[{}] += {};\n",
        &[
            "int[] @a = {0};\nint @i = {1};\n@a[@i] = @a[@i] + {2};\n",
            "{0}[{1}] = {0}[{1}] + {2};\n",
            "int @v = {2};\n{0}[{1}] += @v;\n",
        ],
    ),
    (
        "{}.x += {};\n",
        &[
            "Point @p = {0};\n@p.x = @p.x + {1};\n",
            "int @v = {1};\n{0}.x += @v;\n",
        ],
    ),
    (
        "for (int @ : {}) {\n{}}\n",
        &[
            "int[] @a = {0};\nfor (int @i = 0; @i < @a.length; @i++) {\nint @ = @a[@i];\n{1}}\n",
            "for (int @i = 0; @i < {0}.length; @i++) {\nint @ = {0}[@i];\n{1}}\n",
            "int[] @a = {0};\nint @i = 0;\nwhile (true) {\nif (@i >= @a.length) break;\nint @ = @a[@i++];\n{1}}\n",
            "int[] @a = {0};\nfor (int @i = @a.length; @i > 0; @i--) {\nint @ = @a[@a.length - @i];\n{1}}\n",
        ],
    ),
    (
        "for (char @ : {}.toCharArray()) {\n{}}\n",
        &[
            "String @s = {0};\nfor (int @i = 0; @i < @s.length(); @i++) {\nchar @ = @s.charAt(@i);\n{1}}\n",
            "for (int @i = 0; @i < {0}.length(); @i++) {\nchar @ = {0}.charAt(@i);\n{1}}\n",
        ],
    ),
    (
        "if ({}) return {};\n",
        &[
            "if (!({0})) {\n} else return {1};\n",
            "if ({0}) {\n@R @r = {1};\nreturn @r;\n}\n",
        ],
    ),
];

/// Other ways to write a text with `{}` where its parts come; `name` stands for `@` in statements.
pub fn alternatives(text: &str, name: &str) -> Vec<String> {
    let plain = |t: &str| t.to_string();
    if let Some((_, all)) = EXPRESSIONS.iter().find(|e| e.0 == text) {
        return all.iter().map(|t| plain(t)).collect();
    }
    let named = |t: &str| match name {
        "" => plain(t),
        name => t.replace('@', name),
    };
    let found = STATEMENTS.iter().find(|s| named(s.0) == text);
    let all = found.map_or(&[][..], |s| s.1);
    all.iter().map(|t| named(t)).collect()
}

/// A text with `{0}`, `{1}` and so on where parts come.
pub fn fill(text: &str, parts: &[&String]) -> String {
    let mut out = text.to_string();
    // Parts may themselves hold such marks.
    for i in 0..parts.len() {
        out = out.replace(&format!("{{{i}}}"), &format!("\u{1}{i}\u{2}"));
    }
    for (i, part) in parts.iter().enumerate() {
        out = out.replace(&format!("\u{1}{i}\u{2}"), part);
    }
    out
}
