//! Parameters and results that annotations forbid to be null, of whatever package: their own annotations, else the nearest default around
//! them.

use super::class_file::{Annotation, ClassFile, Method};
use super::{ClassPath, ClassPathError, parameter_descriptors};

/// Annotations by which parameters are never null, in lower case.
const NEVER: [&str; 2] = ["nonnull", "notnull"];

/// Annotations by which they may be, in lower case.
const MAY_BE: [&str; 4] = ["nullable", "checkfornull", "nullabledecl", "possiblynull"];

/// Annotations of methods, classes and packages by which all parameters inside are never null, unless they say otherwise.
pub const SCOPES: [&str; 4] = [
    "NullMarked",
    "NonNullApi",
    "NonNullByDefault",
    "ParametersAreNonnullByDefault",
];

/// Those that end such a scope.
const ENDS: [&str; 2] = ["NullUnmarked", "ParametersAreNullableByDefault"];

/// Whether each parameter of the class's method is never null. Packages are those whose `package-info` is on the path.
///
/// # Errors
/// A class file around it can't be read.
pub fn never_null(
    path: &ClassPath,
    class: &ClassFile,
    method: &Method,
) -> Result<Vec<bool>, ClassPathError> {
    let by_default = default_of(path, (class, method), PARAMETER)?;
    let parameters = parameter_descriptors(&method.descriptor);
    let own = |at: usize| method.parameter_annotations.get(at).and_then(|a| own(a));
    let is_reference = |descriptor: &str| descriptor.starts_with(['L', '[']);
    Ok(parameters
        .iter()
        .enumerate()
        .map(|(at, p)| is_reference(p) && own(at).unwrap_or(by_default))
        .collect())
}

/// The same of the method that the first of these paths has which knows it; empty if none does.
///
/// # Errors
/// A class file can't be read.
pub fn never_null_by_first<'a>(
    paths: impl IntoIterator<Item = &'a ClassPath>,
    class: &str,
    (name, descriptor): (&str, &str),
) -> Result<Vec<bool>, ClassPathError> {
    for path in paths {
        if let Some(class) = path.find(class)?
            && let Some(method) = class.method(name, descriptor)
        {
            return never_null(path, &class, method);
        }
    }
    Ok(Vec::new())
}

/// Whether what the class's method returns is never null, in the same way.
///
/// # Errors
/// A class file around it can't be read.
pub fn returns_never_null(
    path: &ClassPath,
    class: &ClassFile,
    method: &Method,
) -> Result<bool, ClassPathError> {
    match own(&method.annotations) {
        Some(own) => Ok(own),
        None => default_of(path, (class, method), RETURN),
    }
}

fn own(annotations: &[Annotation]) -> Option<bool> {
    let names = annotations.iter().map(|a| a.name.to_lowercase());
    let mut marks = names.filter_map(|name| {
        let names_one = |all: &[&str]| all.contains(&name.as_str());
        match (names_one(&MAY_BE), names_one(&NEVER)) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        }
    });
    marks.next()
}

/// What Eclipse's annotation calls parameters and results.
const PARAMETER: &str = "PARAMETER";
const RETURN: &str = "RETURN_TYPE";

/// What holds for parameters or results without an annotation: the method's own scope, its classes' from the innermost, its package's.
fn default_of(
    path: &ClassPath,
    (class, method): (&ClassFile, &Method),
    about: &str,
) -> Result<bool, ClassPathError> {
    let scope = |all: &[Annotation]| scope(all, about);
    let mut found = scope(&method.annotations).or_else(|| scope(&class.annotations));
    let mut name = class.name.as_ref();
    while let (None, Some((outer, _))) = (found, name.rsplit_once('$')) {
        name = outer;
        found = path.find(name)?.and_then(|c| scope(&c.annotations));
    }
    if let (None, Some((package, _))) = (found, name.rsplit_once('/')) {
        let package = path.find(&format!("{package}/package-info"))?;
        found = package.and_then(|p| scope(&p.annotations));
    }
    Ok(found.unwrap_or(false))
}

fn scope(annotations: &[Annotation], about: &str) -> Option<bool> {
    let mut marks = annotations.iter().filter_map(|a| {
        // Eclipse's lists what it is about; an empty list cancels the one outside.
        let is_about = |all: &Vec<_>| all.iter().any(|c: &std::sync::Arc<str>| **c == *about);
        match &*a.name {
            "NonNullByDefault" => Some(a.constants.as_ref().is_none_or(is_about)),
            name if name.starts_with("ParametersAre") && about != PARAMETER => None,
            name if SCOPES.contains(&name) => Some(true),
            name if ENDS.contains(&name) => Some(false),
            _ => None,
        }
    });
    marks.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, constants: Option<&[&str]>) -> Vec<Annotation> {
        vec![Annotation {
            name: name.into(),
            constants: constants.map(|all| all.iter().map(|c| (*c).into()).collect()),
        }]
    }

    #[test]
    fn annotations_are_known_by_their_simple_names() {
        let known = [
            "NonNull",
            "Nonnull",
            "NotNull",
            "Nullable",
            "CheckForNull",
            "Size",
        ];
        let marks: Vec<Option<bool>> = known.iter().map(|n| own(&named(n, None))).collect();
        let (never, may_be) = (Some(true), Some(false));
        assert_eq!(marks, [never, never, never, may_be, may_be, None]);
    }

    #[test]
    fn a_default_that_is_not_about_parameters_makes_none() {
        let of =
            |constants: Option<&[&str]>| scope(&named("NonNullByDefault", constants), PARAMETER);
        assert_eq!(of(None), Some(true));
        assert_eq!(of(Some(&["RETURN_TYPE", "PARAMETER"])), Some(true));
        assert_eq!(of(Some(&[])), Some(false));
        assert_eq!(scope(&named("NullUnmarked", None), PARAMETER), Some(false));
        assert_eq!(scope(&named("Deprecated", None), PARAMETER), None);
        let parameters = named("ParametersAreNonnullByDefault", None);
        assert_eq!(scope(&parameters, PARAMETER), Some(true));
        assert_eq!(scope(&parameters, RETURN), None);
    }
}
