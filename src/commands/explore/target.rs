//! The method to explore, as people name it: `pkg.Class#method`, `Class#method(int, String)`, `Class#method(II)I`.

use crate::bytecode::access::{STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::error::Error;
use crate::impact::id;
use crate::java_text::type_name;
use crate::model::{MethodRef, Spelling, integral_range};
use crate::util::counted::counted;
use std::sync::Arc;

/// A method by name, with parameter types where that is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Class name, with or without its package.
    pub class: String,
    /// Method name.
    pub method: String,
    /// `(…)` with Java types, or a descriptor.
    pub parameters: Option<String>,
}

const SHAPE: &str = "write CLASS#METHOD, such as org.foo.Bar#baz or org.foo.Bar#baz(int,String)";

impl Target {
    /// Reads `CLASS#METHOD`.
    ///
    /// # Errors
    /// It has no `#`, or no method's name.
    pub fn parse(text: &str) -> Result<Target, String> {
        let wrong = || format!("'{text}' is not a method; {SHAPE}");
        let (class, rest) = text.split_once('#').ok_or_else(wrong)?;
        let (method, parameters) = match rest.find('(') {
            Some(at) => (&rest[..at], Some(rest[at..].replace(' ', ""))),
            None => (rest, None),
        };
        if class.trim().is_empty() || method.trim().is_empty() {
            return Err(wrong());
        }
        Ok(Target {
            class: class.trim().to_string(),
            method: method.trim().to_string(),
            parameters,
        })
    }

    /// The method in the compiled classes.
    ///
    /// # Errors
    /// There is no such class or method, or there are several.
    pub fn find(&self, build: &ClassPath) -> Result<MethodRef, Error> {
        let class = self.find_class(build)?;
        let named: Vec<&Method> = class
            .methods
            .iter()
            .filter(|m| *m.name == *self.method && m.access & SYNTHETIC == 0)
            .collect();
        let fits: Vec<&Method> = named.iter().copied().filter(|m| self.fits(m)).collect();
        match fits.as_slice() {
            [one] if one.code.is_some() => Ok(id(&class, one)),
            [one] => Err(Error::NoTarget(format!(
                "{} has no body to explore",
                signature(&class, one)
            ))),
            [] => Err(Error::NoTarget(format!(
                "{} has no method {}{}; it has: {}",
                class.name.dotted(),
                self.method,
                self.parameters.clone().unwrap_or_default(),
                names(&class)
            ))),
            several => {
                let all: Vec<String> = several.iter().map(|m| signature(&class, m)).collect();
                Err(Error::NoTarget(format!(
                    "{} is overloaded; name one of: {}",
                    self.method,
                    all.join(" ")
                )))
            }
        }
    }

    fn find_class(&self, build: &ClassPath) -> Result<Arc<ClassFile>, Error> {
        let all = build.list_dirs();
        let wanted = self.class.dotted();
        let exact = |n: &&String| n.dotted() == wanted || n.dotted().replace('$', ".") == wanted;
        let simple = |n: &&String| n.rsplit('/').next() == Some(wanted.as_str());
        let mut found: Vec<&String> = all.iter().filter(exact).collect();
        if found.is_empty() {
            found = all.iter().filter(simple).collect();
        }
        let file = match found.as_slice() {
            [one] => build.find(one)?,
            _ => None,
        };
        file.ok_or_else(|| {
            let shown: Vec<String> = all.iter().take(8).map(|n| n.dotted()).collect();
            Error::NoTarget(format!(
                "class {wanted} is not among the compiled classes: {}{}",
                shown.join(", "),
                if all.len() > 8 { ", …" } else { "" }
            ))
        })
    }

    fn fits(&self, method: &Method) -> bool {
        let Some(wanted) = &self.parameters else {
            return true;
        };
        let types = java_types(method);
        let simple = |t: &str| {
            let dots = t.rfind('.').map_or(0, |i| i + 1);
            t[dots..].to_string()
        };
        let short: Vec<String> = types.iter().map(|t| simple(t)).collect();
        *wanted == *method.descriptor
            || method.descriptor.split(')').next() == wanted.strip_suffix(')')
            || *wanted == format!("({})", types.join(","))
            || *wanted == format!("({})", short.join(","))
    }
}

/// The concrete caller that `--from` names: a static method of the target's class without parameters, or `main`.
pub(super) fn start(build: &ClassPath, target: &MethodRef, name: &str) -> Result<MethodRef, Error> {
    let class = build.find(&target.class.internal())?;
    let callable = |m: &&Method| {
        *m.name == *name
            && m.access & STATIC != 0
            && (m.descriptor.starts_with("()") || &*m.descriptor == "([Ljava/lang/String;)V")
    };
    class
        .as_ref()
        .and_then(|c| c.methods.iter().find(callable).map(|m| id(c, m)))
        .ok_or_else(|| {
            Error::NoTarget(format!(
                "--from {name}: {} has no static method {name}() or {name}(String[])",
                target.class
            ))
        })
}

/// Whether the values of `--input` are ones that the method's parameters can have, in number and range.
pub(super) fn check_input(method: &MethodRef, values: &[i64]) -> Result<(), Error> {
    let types = parameter_descriptors(&method.descriptor);
    let shown: Vec<String> = types.iter().map(|d| type_name(d)).collect();
    let takes = format!("{}({})", method.name, shown.join(","));
    let ranges = types.iter().zip(&shown).map(|(d, name)| {
        integral_range(d).ok_or_else(|| {
            Error::NotSupported(format!(
                "--input for {name} (only whole numbers and booleans)"
            ))
        })
    });
    let ranges = ranges.collect::<Result<Vec<_>, _>>()?;
    if values.len() != types.len() {
        return Err(Error::NoTarget(format!(
            "--input has {}; {takes} takes {}",
            counted(values.len(), "value", "values"),
            types.len()
        )));
    }
    for ((value, range), name) in values.iter().zip(ranges).zip(shown) {
        if !(range.0..=range.1).contains(value) {
            return Err(Error::NoTarget(format!("--input: {value} is no {name}")));
        }
    }
    Ok(())
}

fn java_types(method: &Method) -> Vec<String> {
    parameter_descriptors(&method.descriptor)
        .iter()
        .map(|d| type_name(d))
        .collect()
}

fn signature(class: &ClassFile, method: &Method) -> String {
    format!(
        "'{}#{}({})'",
        class.name.dotted(),
        method.name,
        java_types(method).join(",")
    )
}

fn names(class: &ClassFile) -> String {
    let mut names: Vec<&str> = class
        .methods
        .iter()
        .filter(|m| m.access & SYNTHETIC == 0 && !m.name.starts_with('<'))
        .map(|m| &*m.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn targets_are_read_with_and_without_parameters() {
        let plain = Target::parse("a.B#c").map(|t| (t.class, t.method, t.parameters));
        assert_eq!(plain, Ok(("a.B".into(), "c".into(), None)));
        let typed = Target::parse("a.B#c(int, String)").map(|t| t.parameters);
        assert_eq!(typed, Ok(Some("(int,String)".into())));
        assert!(Target::parse("a.B").is_err() && Target::parse("#c").is_err());
    }
}
