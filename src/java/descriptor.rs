//! The descriptor of a method as far as its source shows it: types come from the imports, otherwise from the same package.

use super::source_file::{Method, SourceFile};
use crate::model::{Spelling, primitive_descriptor};

/// Types of `java.lang` that signatures are full of.
const LANG: [&str; 22] = [
    "Boolean",
    "Byte",
    "CharSequence",
    "Character",
    "Class",
    "Comparable",
    "Double",
    "Enum",
    "Error",
    "Exception",
    "Float",
    "Integer",
    "Iterable",
    "Long",
    "Number",
    "Object",
    "Runnable",
    "RuntimeException",
    "Short",
    "String",
    "StringBuilder",
    "Throwable",
];

/// The descriptor (JVMS §4.3.3) of a method declared in the file.
pub fn descriptor(file: &SourceFile, method: &Method) -> String {
    let params: String = method.erased.iter().map(|p| of_type(file, p)).collect();
    let result = method.node.child("type");
    let result = result.map_or("void".into(), |t| super::erased(&t.flat(&file.text)));
    format!("({params}){}", of_type(file, &result))
}

/// The binary name, with dots, of a class that the file names.
pub fn class_named(file: &SourceFile, name: &str) -> String {
    binary(file, name).dotted()
}

fn of_type(file: &SourceFile, written: &str) -> String {
    let bare = super::erased(written).replace(' ', "");
    let dimensions = bare.matches("[]").count() + bare.matches("...").count();
    let bare = bare.replace("[]", "").replace("...", "");
    let element = match primitive_descriptor(&bare) {
        Some(primitive) => primitive.to_string(),
        None => format!("L{};", binary(file, &bare)),
    };
    format!("{}{element}", "[".repeat(dimensions))
}

fn binary(file: &SourceFile, name: &str) -> String {
    let nested = format!("${name}");
    if let Some(own) = file.types.iter().find(|t| t.name.ends_with(&nested)) {
        return own.name.internal();
    }
    let imported = file.imports.iter().find_map(|import| {
        let import = import
            .trim_start_matches("import")
            .trim()
            .trim_end_matches(';')
            .trim();
        import
            .strip_suffix(name)
            .filter(|p| p.ends_with('.'))
            .map(|_| import.internal())
    });
    let package = file.package.internal();
    match imported {
        Some(found) => found,
        None if name.contains('.') => name.internal(),
        None if LANG.contains(&name) => format!("java/lang/{name}"),
        None if package.is_empty() => name.to_string(),
        None => format!("{package}/{name}"),
    }
}
