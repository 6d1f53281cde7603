//! The text of changed methods in both versions, for people to look at.

use crate::check::patch::ChangedFile;
use crate::impact::{Impact, ImpactedMethod};
use crate::java::{Method, SourceFile, Type};
use crate::model::{MethodRef, MethodResult};
use crate::report::{MethodText, SourceText};
use crate::unify::MethodKey;
use std::collections::{BTreeMap, BTreeSet};

/// The texts by the index of the method, where a source declares it (a default constructor has none).
pub fn method_sources(
    files: &[ChangedFile],
    methods: &[MethodResult],
) -> BTreeMap<usize, MethodText> {
    let mut texts = BTreeMap::new();
    for (i, result) in methods.iter().enumerate() {
        let text = files.iter().find_map(|f| method_text(f, &result.method));
        if let Some(text) = text {
            texts.insert(i, text);
        }
    }
    texts
}

fn method_text(file: &ChangedFile, id: &MethodRef) -> Option<MethodText> {
    let found = |f: &Option<SourceFile>| -> Option<(SourceText, Method)> {
        let f = f.as_ref()?;
        let method = declaration(f.find(&id.class)?, id)?;
        Some((source_text(f, method), method.clone()))
    };
    let (old, new) = (found(&file.old), found(&file.new));
    if old.is_none() && new.is_none() {
        return None;
    }
    Some(MethodText {
        old: old
            .map(|o| o.0)
            .or_else(|| before_renaming(file, &new.as_ref()?.1)),
        new: new.map(|n| n.0),
    })
}

/// The old text of a method that had another name or place.
fn before_renaming(file: &ChangedFile, method: &Method) -> Option<SourceText> {
    let (old, new) = (file.old.as_ref()?, file.new.as_ref()?);
    file.diff.moved.iter().find_map(|(from, i, to, j)| {
        let is_moved = new
            .find(to)?
            .methods
            .get(*j)?
            .node
            .start
            .eq(&method.node.start);
        let before = old.find(from)?.methods.get(*i)?;
        is_moved.then(|| source_text(old, before))
    })
}

/// The method of a class that has this name and descriptor. Where javac adds parameters that the source does not tell, as in local
/// classes, it is the only one of its name.
fn declaration<'a>(class: &'a Type, id: &MethodRef) -> Option<&'a Method> {
    let mut methods = class.methods.iter();
    let names = |m: &&Method| MethodKey::of(class, m).names(&id.name, &id.descriptor);
    methods.find(names).or_else(|| {
        let mut named = class.methods.iter().filter(|m| m.name == id.name);
        named.next().filter(|_| named.next().is_none())
    })
}

fn source_text(file: &SourceFile, method: &Method) -> SourceText {
    let start = file
        .text
        .get(..method.node.start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1);
    // Only the indentation before it, not another declaration on the same line.
    let blank = file
        .text
        .get(start..method.node.start)
        .is_some_and(|t| t.trim().is_empty());
    let start = if blank { start } else { method.node.start };
    SourceText {
        file: file.path.clone(),
        first_line: method.node.line,
        text: file
            .text
            .get(start..method.node.end)
            .unwrap_or_default()
            .to_string(),
        impacted: BTreeSet::new(),
    }
}

/// Marks the lines that a patch changes or impacts.
pub fn mark_impacted(
    texts: &mut BTreeMap<usize, MethodText>,
    methods: &[MethodResult],
    impact: &Impact,
) {
    let sides: [(&[ImpactedMethod], Side); 2] = [
        (&impact.removed, |text| text.old.as_mut()),
        (&impact.methods, |text| text.new.as_mut()),
    ];
    for (found, side) in sides {
        for impacted in found {
            let index = methods.iter().position(|m| m.method == impacted.id);
            let text = index.and_then(|i| side(texts.get_mut(&i)?));
            if let Some(text) = text {
                let reached = impacted.statements.iter().filter(|s| s.status.is_some());
                text.impacted
                    .extend(reached.map(|s| s.line).filter(|line| *line > 0));
            }
        }
    }
}

type Side = fn(&mut MethodText) -> Option<&mut SourceText>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::compare;

    fn texts(old: &str, new: &str, name: &str, descriptor: &str) -> MethodText {
        let parse = |t: &str| SourceFile::parse("a/A.java", t.as_bytes()).unwrap();
        let (old, new) = (parse(old), parse(new));
        let diff = compare(&old, &new);
        let file = ChangedFile {
            old: Some(old),
            new: Some(new),
            diff,
        };
        let id = MethodRef {
            class: "A".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        };
        method_text(&file, &id).unwrap()
    }

    #[test]
    fn the_overload_is_told_by_its_parameter_types() {
        let source = "class A {\n  int f(long x) { return 1; }\n\n  int f(String[] x) {\n    return 2;\n  }\n}";
        let found = texts(source, source, "f", "([Ljava/lang/String;)I");
        let new = found.new.unwrap();
        assert_eq!(new.first_line, 4);
        assert_eq!(new.text, "  int f(String[] x) {\n    return 2;\n  }");
    }

    #[test]
    fn a_renamed_method_has_its_old_text() {
        let old = "class A { int g() { return 1; } }";
        let new = "class A { int h() { return 1; } }";
        let found = texts(old, new, "h", "()I");
        assert_eq!(found.old.unwrap().text, "int g() { return 1; }");
    }
}
