//! The style of a class's tests: framework, assertions, imports, layout; and a claim in that style.

use super::claim::Claim;
use crate::testgen::JUnit;

/// What runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// JUnit 4.
    JUnit4,
    /// JUnit 5 (Jupiter).
    JUnit5,
    /// TestNG.
    TestNg,
}

/// What says what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assertions {
    /// The framework's own.
    Own,
    /// AssertJ.
    AssertJ,
    /// Hamcrest.
    Hamcrest,
}

/// How the tests of a class are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// What runs them.
    pub framework: Framework,
    /// What says what is expected.
    pub assertions: Assertions,
    /// Whether the framework's assertions are imported statically.
    pub static_imports: bool,
    /// Whether `assertThrows` is used, which JUnit 4 has since 4.13.
    pub assert_throws: bool,
    /// Whether test methods are public.
    pub public: bool,
    /// One level of indentation.
    pub indent: String,
}

/// A claim as source.
pub(super) struct Rendered {
    pub(super) annotation: String,
    pub(super) lines: Vec<String>,
    pub(super) imports: Vec<String>,
}

impl Style {
    /// The style of a new test class.
    pub fn new(junit: JUnit) -> Style {
        Style {
            framework: match junit {
                JUnit::Four => Framework::JUnit4,
                JUnit::Five => Framework::JUnit5,
            },
            assertions: Assertions::Own,
            static_imports: true,
            assert_throws: junit == JUnit::Five,
            public: junit == JUnit::Four,
            indent: "    ".into(),
        }
    }

    /// The style of a test class as it is; nothing where its tests are not marked by annotations.
    pub fn of(source: &str) -> Option<Style> {
        let framework = if source.contains("org.junit.jupiter.") {
            Framework::JUnit5
        } else if source.contains("org.testng.") {
            Framework::TestNg
        } else if source.contains("org.junit.Test") || source.contains("org.junit.*") {
            Framework::JUnit4
        } else {
            return None;
        };
        let mut lines = source
            .lines()
            .skip_while(|l| !l.trim_start().starts_with("@Test"));
        let first = lines.next()?;
        let indent = &first[..first.len() - first.trim_start().len()];
        let method = lines.find(|l| l.contains("void "));
        let own = match framework {
            Framework::JUnit4 => "import static org.junit.Assert.",
            Framework::JUnit5 => "import static org.junit.jupiter.api.Assertions.",
            Framework::TestNg => "import static org.testng.Assert.",
        };
        let assertions = if source.contains("org.assertj.core.api.") {
            Assertions::AssertJ
        } else if source.contains("org.hamcrest.") && source.contains("assertThat(") {
            Assertions::Hamcrest
        } else {
            Assertions::Own
        };
        Some(Style {
            framework,
            assertions,
            static_imports: source.contains(own) || assertions != Assertions::Own,
            assert_throws: framework == Framework::JUnit5 || source.contains("assertThrows("),
            public: method.is_some_and(|l| l.trim_start().starts_with("public ")),
            indent: if indent.is_empty() { "    " } else { indent }.to_string(),
        })
    }

    pub(super) fn access(&self) -> &'static str {
        let needed = self.framework != Framework::JUnit5;
        if self.public || needed { "public " } else { "" }
    }

    /// The claim as this style says it, within so many seconds.
    pub(super) fn render(&self, claim: &Claim, limit: Option<u32>) -> Rendered {
        let test = match self.framework {
            Framework::JUnit4 => "org.junit.Test",
            Framework::JUnit5 => "org.junit.jupiter.api.Test",
            Framework::TestNg => "org.testng.annotations.Test",
        };
        let mut out = Rendered {
            annotation: "@Test".into(),
            lines: Vec::new(),
            imports: vec![format!("import {test};")],
        };
        match (claim, self.assertions) {
            (Claim::Returns(call), _) => out.lines.push(format!("{call};")),
            (
                Claim::Throws {
                    class,
                    message,
                    call,
                },
                assertions,
            ) => {
                let throws = Throws {
                    class,
                    message: message.as_deref(),
                    call,
                };
                self.throws(&mut out, &throws, assertions);
            }
            (_, Assertions::Own) => self.own(&mut out, claim),
            (_, Assertions::AssertJ) => assertj(&mut out, claim),
            (_, Assertions::Hamcrest) => hamcrest(&mut out, claim),
        }
        if let Some(seconds) = limit {
            self.limit(&mut out, seconds);
        }
        out
    }

    /// With a time limit: a parameter of the annotation, or else an assertion of its own.
    fn limit(&self, out: &mut Rendered, seconds: u32) {
        let name = match self.framework {
            Framework::JUnit4 => "timeout",
            Framework::TestNg => "timeOut",
            Framework::JUnit5 => {
                let class = "org.junit.jupiter.api.Assertions";
                out.imports
                    .push(format!("import static {class}.assertTimeoutPreemptively;"));
                return;
            }
        };
        let limit = format!("{name} = {}", seconds * 1000);
        out.annotation = match out.annotation.strip_suffix(')') {
            Some(before) => format!("{before}, {limit})"),
            None => format!("{}({limit})", out.annotation),
        };
    }

    /// With the framework's own assertions; TestNG takes the actual value first.
    fn own(&self, out: &mut Rendered, claim: &Claim) {
        let actual_first = self.framework == Framework::TestNg;
        let pair = |expected: &str, call: &str| match actual_first {
            true => format!("{call}, {expected}"),
            false => format!("{expected}, {call}"),
        };
        let (method, args) = match claim {
            Claim::Equals { expected, call } => ("assertEquals", pair(expected, call)),
            Claim::Array { expected, call } if actual_first => {
                ("assertEquals", pair(expected, call))
            }
            Claim::Array { expected, call } => ("assertArrayEquals", pair(expected, call)),
            Claim::Is(true, call) => ("assertTrue", call.clone()),
            Claim::Is(false, call) => ("assertFalse", call.clone()),
            Claim::Null(call) => ("assertNull", call.clone()),
            Claim::Throws { .. } | Claim::Returns(_) => return,
        };
        let named = self.assertion(out, method);
        out.lines.push(format!("{named}({args});"));
    }

    /// The name by which an assertion of the framework is called, imported as the class imports them.
    fn assertion(&self, out: &mut Rendered, method: &str) -> String {
        let (package, class) = match self.framework {
            Framework::JUnit4 => ("org.junit", "Assert"),
            Framework::JUnit5 => ("org.junit.jupiter.api", "Assertions"),
            Framework::TestNg => ("org.testng", "Assert"),
        };
        if self.static_imports {
            out.imports
                .push(format!("import static {package}.{class}.{method};"));
            return method.to_string();
        }
        out.imports.push(format!("import {package}.{class};"));
        format!("{class}.{method}")
    }

    fn throws(&self, out: &mut Rendered, throws: &Throws, assertions: Assertions) {
        let Throws {
            class,
            message,
            call,
        } = throws;
        if assertions == Assertions::AssertJ {
            out.imports.push(
                "import static org.assertj.core.api.Assertions.assertThatThrownBy;".to_string(),
            );
            let said = message.map(|m| format!(".hasMessage({m})"));
            out.lines.push(format!(
                "assertThatThrownBy(() -> {call}).isExactlyInstanceOf({class}.class){};",
                said.unwrap_or_default()
            ));
            return;
        }
        match self.framework {
            Framework::TestNg => {
                out.annotation = format!("@Test(expectedExceptions = {class}.class)");
                out.lines.push(format!("{call};"));
            }
            Framework::JUnit4 if !self.assert_throws => {
                out.annotation = format!("@Test(expected = {class}.class)");
                out.lines.push(format!("{call};"));
            }
            _ => {
                let named = self.assertion(out, "assertThrows");
                let thrown = format!("{named}({class}.class, () -> {call})");
                let line = match message {
                    None => thrown,
                    Some(m) => {
                        let equals = self.assertion(out, "assertEquals");
                        format!("{equals}({m}, {thrown}.getMessage())")
                    }
                };
                out.lines.push(format!("{line};"));
            }
        }
    }
}

/// A claim that something is thrown.
struct Throws<'a> {
    class: &'a str,
    message: Option<&'a str>,
    call: &'a str,
}

fn assertj(out: &mut Rendered, claim: &Claim) {
    out.imports
        .push("import static org.assertj.core.api.Assertions.assertThat;".into());
    let line = match claim {
        Claim::Equals { expected, call } => format!("assertThat({call}).isEqualTo({expected});"),
        Claim::Array { expected, call } => format!("assertThat({call}).isEqualTo({expected});"),
        Claim::Is(true, call) => format!("assertThat({call}).isTrue();"),
        Claim::Is(false, call) => format!("assertThat({call}).isFalse();"),
        Claim::Null(call) => format!("assertThat((Object) {call}).isNull();"),
        Claim::Throws { .. } | Claim::Returns(_) => return,
    };
    out.lines.push(line);
}

fn hamcrest(out: &mut Rendered, claim: &Claim) {
    let mut imports = |name: &str| {
        let class = match name {
            "assertThat" => "MatcherAssert",
            _ => "CoreMatchers",
        };
        out.imports
            .push(format!("import static org.hamcrest.{class}.{name};"));
    };
    imports("assertThat");
    let line = match claim {
        Claim::Null(call) => {
            imports("nullValue");
            format!("assertThat((Object) {call}, nullValue());")
        }
        Claim::Equals { expected, call } | Claim::Array { expected, call } => {
            imports("is");
            format!("assertThat({call}, is({expected}));")
        }
        Claim::Is(value, call) => {
            imports("is");
            format!("assertThat({call}, is({value}));")
        }
        Claim::Throws { .. } | Claim::Returns(_) => return,
    };
    out.lines.push(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(source: &str, claim: &Claim) -> String {
        let rendered = Style::of(source).unwrap().render(claim, None);
        format!("{} {}", rendered.annotation, rendered.lines.join(" "))
    }

    #[test]
    fn each_style_says_it_its_own_way() {
        let one = Claim::Equals {
            expected: "1".into(),
            call: "a.f()".into(),
        };
        let test = "class T {\n  @Test\n  public void x() {";
        for (head, text) in [
            (
                "org.junit.jupiter.api.Test",
                "Assertions.assertEquals(1, a.f());",
            ),
            (
                "import static org.junit.Assert.*; org.junit.Test",
                "assertEquals(1, a.f());",
            ),
            (
                "org.testng.annotations.Test",
                "Assert.assertEquals(a.f(), 1);",
            ),
            (
                "org.junit.jupiter.api.Test org.assertj.core.api.Assertions",
                "assertThat(a.f()).isEqualTo(1);",
            ),
            (
                "org.junit.Test org.hamcrest.Matchers assertThat(",
                "assertThat(a.f(), is(1));",
            ),
        ] {
            assert_eq!(
                said(&format!("{head}\n{test}"), &one),
                format!("@Test {text}")
            );
        }
        let style = Style::of(&format!("org.junit.Test\n{test}")).unwrap();
        assert_eq!((style.indent.as_str(), style.public), ("  ", true));
        assert!(Style::of("class T extends TestCase {}").is_none());
    }

    #[test]
    fn a_time_limit_is_a_parameter_of_the_annotation() {
        let thrown = Claim::Throws {
            class: "E".into(),
            message: None,
            call: "a.f()".into(),
        };
        for (head, annotation) in [
            (
                "org.junit.Test",
                "@Test(expected = E.class, timeout = 10000)",
            ),
            (
                "org.testng.annotations.Test",
                "@Test(expectedExceptions = E.class, timeOut = 10000)",
            ),
        ] {
            let source = format!("{head}\nclass T {{\n@Test\nvoid x() {{");
            let rendered = Style::of(&source).unwrap().render(&thrown, Some(10));
            assert_eq!(rendered.annotation, annotation);
        }
        let returns = Claim::Returns("a.f()".into());
        let rendered = Style::new(JUnit::Four).render(&returns, Some(10));
        assert_eq!(rendered.annotation, "@Test(timeout = 10000)");
    }

    #[test]
    fn exceptions_are_expected_by_what_the_framework_has() {
        let thrown = Claim::Throws {
            class: "E".into(),
            message: Some("\"m\"".into()),
            call: "a.f()".into(),
        };
        let test = "\nclass T {\n@Test\nvoid x() {";
        let four = said(&format!("org.junit.Test{test}"), &thrown);
        assert_eq!(four, "@Test(expected = E.class) a.f();");
        let five = said(&format!("org.junit.jupiter.api.Test{test}"), &thrown);
        assert_eq!(
            five,
            "@Test Assertions.assertEquals(\"m\", Assertions.assertThrows(E.class, () -> a.f()).getMessage());"
        );
    }
}
