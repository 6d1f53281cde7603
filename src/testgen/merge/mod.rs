//! Tests for merging: without reflection, in the style of the class's own tests, for the behaviour of either version.

mod claim;
mod home;
mod name;
mod short;
mod style;

pub use home::{Home, insert};
use style::Framework;
pub use style::Style;

use super::direct;
use super::source::{SECONDS, hangs, within_time};
use crate::model::{DivergenceClass, Finding, Version};
use claim::Claim;
use serde::{Deserialize, Serialize};

/// A test method, and what its file has to import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestMethod {
    /// Its name.
    pub name: String,
    /// The lines `import …;` that it needs.
    pub imports: Vec<String>,
    /// Its text, indented as the class has it.
    pub text: String,
}

/// The test that pins what one version does; nothing where that takes more than public methods and values that Java writes.
pub fn test(f: &Finding, pins: Version, style: &Style) -> Option<TestMethod> {
    if !f.direct || !f.is_written() || f.class == DivergenceClass::ControlOnly {
        return None;
    }
    let prepared = direct::prepare(f);
    let claim = Claim::of(f, pins, &prepared)?;
    let limit = hangs(f).then_some(SECONDS);
    let package = f.entry.class.rsplit_once('.').map_or("", |p| p.0);
    let rendered = style.render(&claim, limit);
    let name = name::of(f, pins);
    let (one, two) = (&style.indent, style.indent.repeat(2));
    let mut lines = vec![
        format!("{one}{}", rendered.annotation),
        // Constructors and calls that make an input may throw what the test does not know of.
        format!("{one}{}void {name}() throws Exception {{", style.access()),
    ];
    let body = prepared.lines.iter().chain(&rendered.lines);
    let body = body.map(|line| format!("{two}{}", short::names(line, package)));
    match (limit, style.framework) {
        // Another thread runs it, which is left alone when it does not end.
        (Some(_), Framework::JUnit5) => {
            lines.push(format!("{two}{}", within_time()));
            lines.extend(body.map(|line| format!("{one}{line}")));
            lines.push(format!("{two}}});"));
        }
        _ => lines.extend(body),
    }
    lines.push(format!("{one}}}"));
    Some(TestMethod {
        name,
        imports: rendered.imports,
        text: lines.join("\n") + "\n",
    })
}
