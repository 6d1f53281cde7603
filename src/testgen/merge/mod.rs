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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        End, FoundBy, Input, Inputs, Kind, MethodRef, Outcome, Replay, Seen, Shown, Telling,
    };
    use crate::testgen::JUnit;

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef {
            class: "demo.Channel".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        }
    }

    #[test]
    fn after_an_exception_the_object_is_asked() {
        let threw = Outcome::of(End::Threw {
            class: "java.lang.IllegalStateException".into(),
            message: None,
            jvm_made: false,
            at: None,
            held: Vec::new(),
        });
        let counts = |n| Outcome::of(End::Returned(Seen::Int(n)));
        let receiver = Input::Object {
            method: method("<init>", "()V"),
            args: Vec::new(),
            calls: Vec::new(),
        };
        let finding = Finding {
            class: DivergenceClass::Changed,
            kind: Kind::Data,
            entry: method("retry", "()V"),
            entry_static: false,
            direct: true,
            inputs: Inputs {
                receiver: Some(receiver),
                args: Vec::new(),
            },
            parameter_names: Vec::new(),
            old: threw.clone(),
            new: threw,
            path_condition: String::new(),
            diverges_at: None,
            replay: Replay::Confirmed,
            represents: 1,
            found_by: FoundBy::Search,
            situation: None,
            telling: Telling {
                shown: Some(Shown {
                    method: method("size", "()I"),
                    args: Vec::new(),
                    old: counts(1),
                    new: counts(2),
                }),
                ..Telling::default()
            },
        };
        let text = test(&finding, Version::New, &Style::new(JUnit::Five)).unwrap();
        let body: Vec<&str> = text.text.lines().skip(2).map(str::trim_end).collect();
        assert_eq!(
            body[..6],
            [
                "        Channel receiver = new Channel();",
                "        try {",
                "            receiver.retry();",
                "        } catch (IllegalStateException expected) {",
                "            // Both versions throw this; what the object says afterwards differs.",
                "        }",
            ]
        );
        assert!(
            body[6].contains("assertEquals(2, receiver.size())"),
            "{body:?}"
        );
    }
}
