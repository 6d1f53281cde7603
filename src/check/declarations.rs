//! The source declarations of changed methods. Each is looked up once, when its method is found to be changed; its range then
//! travels with the method to the report.

use crate::check::patch::ChangedFile;
use crate::java::{Method, SourceFile, Type};
use crate::model::{MethodRef, SourceRange, SourceRanges, Spelling};
use crate::unify::MethodKey;

/// Path of the file that declares a class, and the ranges of a method's declarations.
pub(super) fn declarations(files: &[ChangedFile], id: &MethodRef) -> (String, SourceRanges) {
    let ranges = files.iter().find_map(|f| ranges(f, id));
    (file_of(files, &id.class), ranges.unwrap_or_default())
}

/// Path of the file with a class: that of the class itself, else of its outermost class, which may share a file with others. In
/// the new version's tree, if the class is there.
fn file_of(files: &[ChangedFile], class: &str) -> String {
    let outer = class.outermost();
    let file_with = |name: &str| {
        let mut versions = files.iter().flat_map(|f| f.new.iter().chain(&f.old)).rev();
        versions.find(|f| match f.types.is_empty() {
            true => f.type_by_path() == name,
            false => f.find(name).is_some(),
        })
    };
    let file = file_with(class).or_else(|| file_with(outer));
    file.map(|f| f.path.clone()).unwrap_or_default()
}

fn ranges(file: &ChangedFile, id: &MethodRef) -> Option<SourceRanges> {
    let declared = |f: &Option<SourceFile>| -> Option<(SourceRange, Method)> {
        let f = f.as_ref()?;
        let method = declaration(f.find(&id.class)?, id)?;
        Some((range(f, method), method.clone()))
    };
    let (old, new) = (declared(&file.old), declared(&file.new));
    if old.is_none() && new.is_none() {
        return None;
    }
    Some(SourceRanges {
        old: old
            .map(|o| o.0)
            .or_else(|| before_renaming(file, &new.as_ref()?.1)),
        new: new.map(|n| n.0),
    })
}

/// The old declaration of a method that had another name or place.
fn before_renaming(file: &ChangedFile, method: &Method) -> Option<SourceRange> {
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
        is_moved.then(|| range(old, before))
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

fn range(file: &SourceFile, method: &Method) -> SourceRange {
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
    SourceRange {
        file: file.path.clone(),
        first_line: method.node.line,
        bytes: start..method.node.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::{FileDiff, compare};

    fn parse(text: &str) -> SourceFile {
        SourceFile::parse("a/A.java", text.as_bytes()).unwrap()
    }

    fn ranges_of(old: &str, new: &str, name: &str, descriptor: &str) -> SourceRanges {
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
        let (path, ranges) = declarations(&[file], &id);
        assert_eq!(path, "a/A.java");
        ranges
    }

    #[test]
    fn the_overload_is_told_by_its_parameter_types() {
        let source = "class A {\n  int f(long x) { return 1; }\n\n  int f(String[] x) {\n    return 2;\n  }\n}";
        let found = ranges_of(source, source, "f", "([Ljava/lang/String;)I");
        let new = found.new.unwrap();
        assert_eq!(new.first_line, 4);
        assert_eq!(
            &source[new.bytes],
            "  int f(String[] x) {\n    return 2;\n  }"
        );
    }

    #[test]
    fn a_renamed_method_has_its_old_text() {
        let old = "class A { int g() { return 1; } }";
        let new = "class A { int h() { return 1; } }";
        let found = ranges_of(old, new, "h", "()I");
        assert_eq!(&old[found.old.unwrap().bytes], "int g() { return 1; }");
    }

    #[test]
    fn a_nested_class_is_in_the_file_of_its_outermost_class() {
        let file = ChangedFile {
            old: None,
            new: Some(parse("class A { class B {} }")),
            diff: FileDiff::default(),
        };
        let files = [file];
        assert_eq!(file_of(&files, "A$B"), "a/A.java");
        assert_eq!(file_of(&files, "A$1"), "a/A.java");
        assert_eq!(file_of(&files, "C"), "");
    }
}
