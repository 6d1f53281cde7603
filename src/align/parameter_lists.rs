//! Methods whose parameters were only added or dropped: the version with the shorter list gets an overload with the longer one, so that
//! both versions can be called alike.

use super::implicit;
use crate::java::{Method, SourceFile, Type, class_named, erased};
use crate::model::{Version, primitive_descriptor};

/// A method with a list of parameters for each version, of which one is the other with further ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongerList {
    /// Binary name of the type.
    pub class: String,
    /// Name; `<init>` for constructors.
    pub name: String,
    /// The version that has the shorter list.
    pub shorter: Version,
    /// Types of the shorter list, erased, as the source names them.
    pub short: Vec<String>,
    /// Types of the longer list.
    pub long: Vec<String>,
    /// Places of the further parameters in the longer list.
    pub further: Vec<usize>,
    /// The overload's source.
    pub source: String,
}

/// The methods whose list of parameters in one version is that of the other version with further ones. `exists` tells whether a version has a class, by its
/// qualified name, as far as sources tell it; `None` where it is no class of the sources.
pub fn longer_lists(
    old: &SourceFile,
    new: &SourceFile,
    exists: &dyn Fn(Version, &str) -> Option<bool>,
) -> Vec<LongerList> {
    let mut all = Vec::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        // javac adds to the lists of enums and inner classes.
        if a.hidden_parameters + b.hidden_parameters > 0 {
            continue;
        }
        let (before, after) = (Callable::all(old, a), Callable::all(new, b));
        for (m, n) in relisted(&before, &after) {
            all.extend(match m.types.len() < n.types.len() {
                true => overload(Version::Old, (old, a, &before, m), (new, n), exists),
                false => overload(Version::New, (new, b, &after, n), (old, m), exists),
            });
        }
    }
    all
}

/// A method or constructor, also one that the source does not show.
struct Callable<'a> {
    name: &'a str,
    types: Vec<String>,
    erased: Vec<String>,
    names: Vec<String>,
    method: Option<&'a Method>,
}

impl<'a> Callable<'a> {
    /// Those of a type.
    fn all(file: &SourceFile, of: &'a Type) -> Vec<Callable<'a>> {
        let declared = of.methods.iter().filter(|m| !m.is_compact());
        let mut all: Vec<Callable> = declared
            .map(|m| Callable {
                name: &m.name,
                types: m.params.clone(),
                erased: m.erased.clone(),
                names: m.param_names.clone(),
                method: Some(m),
            })
            .collect();
        if let Some(implicit) = implicit::constructor(file, of) {
            all.push(Callable {
                name: "<init>",
                erased: implicit.types.iter().map(|t| erased(t)).collect(),
                types: implicit.types,
                names: implicit.names,
                method: None,
            });
        }
        all
    }

    fn is_same(&self, other: &Callable) -> bool {
        self.name == other.name && self.erased == other.erased
    }

    fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }

    /// Whether code outside of its package can come to its body; of constructors, whether code outside of its class can.
    fn is_open(&self, of: &Type) -> bool {
        let Some(method) = self.method else {
            return true;
        };
        let has = |word: &str| method.head.split(' ').any(|w| w == word);
        let is_callable = match self.is_constructor() {
            true => !has("private"),
            // What is called inside of a package only is compared through its callers.
            false => of.is_interface || has("public") || has("protected"),
        };
        method.body.is_some() && is_callable && !method.is_unknown
    }
}

/// Ways to place the parameters of a list that are looked at.
const MOST_WAYS: usize = 64;

/// The text with overloads put before the closing brace of their types: no line moves.
pub fn with_overloads(file: &SourceFile, lists: &[&LongerList]) -> String {
    let mut text = file.text.clone();
    let mut types: Vec<&Type> = file.types.iter().collect();
    types.sort_by_key(|t| std::cmp::Reverse(t.end));
    for of in types {
        for list in lists.iter().filter(|l| l.class == of.name) {
            text.insert_str(of.end, &format!(" {} ", list.source));
        }
    }
    text
}

/// Methods of which each version has one of that name which the other one has not.
fn relisted<'a>(
    a: &'a [Callable<'a>],
    b: &'a [Callable<'a>],
) -> Vec<(&'a Callable<'a>, &'a Callable<'a>)> {
    let own = |of: &'a [Callable<'a>], other: &[Callable], name: &str| -> Vec<&'a Callable<'a>> {
        let is_own = |m: &&Callable| m.name == name && !other.iter().any(|o| o.is_same(m));
        of.iter().filter(is_own).collect()
    };
    let mut names: Vec<&str> = b.iter().map(|m| m.name).collect();
    names.sort_unstable();
    names.dedup();
    let pair = |name: &str| match (&*own(a, b, name), &*own(b, a, name)) {
        ([m], [n]) => Some((*m, *n)),
        _ => None,
    };
    names.into_iter().filter_map(pair).collect()
}

/// The overload, if one list is the other with further parameters and no call of other code can come to it.
fn overload(
    shorter: Version,
    (file, class, all, short): (&SourceFile, &Type, &[Callable], &Callable),
    (other, long): (&SourceFile, &Callable),
    exists: &dyn Fn(Version, &str) -> Option<bool>,
) -> Option<LongerList> {
    let extends = |word: &str| class.header.split(' ').any(|w| w == word);
    // A method of a type above, or one below, might have the longer list already.
    let is_alone = short.is_constructor() || !extends("extends") && !extends("implements");
    let count = long.types.len();
    let is_rival = |m: &Callable| {
        let is_variadic = m.types.last().is_some_and(|p| p.ends_with("[]"));
        m.name == short.name && (m.types.len() == count || is_variadic)
    };
    let is_open = short.is_open(class) && long.is_open(class) && is_alone;
    if !is_open || all.iter().any(is_rival) {
        return None;
    }
    if let (Some(m), Some(n), false) = (short.method, long.method, short.is_constructor())
        && !m.same_kind(n)
    {
        return None;
    }
    let places = places(short, long)?;
    let mut parameters = Vec::new();
    for (i, name) in long.names.iter().enumerate() {
        let of = match places.iter().position(|p| *p == i) {
            Some(at) => short.types[at].clone(),
            None => written(&long.erased[i], file, (shorter, other), exists)?,
        };
        parameters.push(format!("{of} {name}"));
    }
    let passed: Vec<&str> = places.iter().map(|p| long.names[*p].as_str()).collect();
    Some(LongerList {
        class: class.name.clone(),
        name: short.name.to_string(),
        shorter,
        short: short.erased.clone(),
        long: long.erased.clone(),
        further: (0..count).filter(|i| !places.contains(i)).collect(),
        source: source(file, class, short, (&parameters, &passed)),
    })
}

/// The source of an overload with these parameters, which passes some of them on.
fn source(
    file: &SourceFile,
    class: &Type,
    of: &Callable,
    (parameters, passed): (&[String], &[&str]),
) -> String {
    let simple = class.name.rsplit(['.', '$']).next().unwrap_or(&class.name);
    let public = format!("public {simple}");
    let head = of.method.map_or(&*public, |m| &m.head);
    let (head, throws) = match head.split_once(" throws ") {
        Some((head, throws)) => (head, format!(" throws {throws}")),
        None => (head, String::new()),
    };
    const DROPPED: [&str; 5] = ["abstract", "final", "native", "strictfp", "synchronized"];
    let head: Vec<&str> = head.split(' ').filter(|w| !DROPPED.contains(w)).collect();
    let result = of.method.and_then(|m| m.node.child("type"));
    let is_void = result.is_some_and(|t| t.flat(&file.text) == "void");
    let call = match (of.is_constructor(), is_void) {
        (true, _) => "this".to_string(),
        (_, true) => of.name.to_string(),
        _ => format!("return {}", of.name),
    };
    let (head, parameters) = (head.join(" "), parameters.join(", "));
    format!(
        "{head}({parameters}){throws} {{ {call}({}); }}",
        passed.join(", ")
    )
}

/// Where the parameters of the shorter list stand in the longer one: by types and names, else by types if only one way fits.
fn places(short: &Callable, long: &Callable) -> Option<Vec<usize>> {
    if short.types.len() >= long.types.len() {
        return None;
    }
    let alike = |i: usize, j: usize| short.erased[i] == long.erased[j];
    let named = |i: usize, j: usize| alike(i, j) && short.names[i] == long.names[j];
    let only = |fits: &dyn Fn(usize, usize) -> bool| {
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for i in 0..short.types.len() {
            let mut next = Vec::new();
            for way in &ways {
                let from = way.last().map_or(0, |p| p + 1);
                let fitting = (from..long.types.len()).filter(|j| fits(i, *j));
                next.extend(fitting.map(|j| [&way[..], &[j]].concat()));
            }
            // Many parameters of one type have too many ways to say that only one fits.
            if next.len() > MOST_WAYS {
                return None;
            }
            ways = next;
        }
        (ways.len() == 1).then(|| ways.swap_remove(0))
    };
    only(&named).or_else(|| only(&alike))
}

/// An erased type of the other version's file, as the file of this version can write it.
fn written(
    erased: &str,
    file: &SourceFile,
    (version, other): (Version, &SourceFile),
    exists: &dyn Fn(Version, &str) -> Option<bool>,
) -> Option<String> {
    let name = erased.trim_end_matches("[]");
    let dimensions = &erased[name.len()..];
    if primitive_descriptor(name).is_some() {
        return Some(erased.to_string());
    }
    let binary = class_named(other, name);
    if binary.contains('$') {
        let found = file.find(&binary)?;
        return Some(format!("{}{dimensions}", found.name.replace('$', ".")));
    }
    let is_imported = binary.rsplit_once('.').map_or("", |p| p.0) != other.package;
    match exists(version, &binary) {
        Some(false) => None,
        None if !is_imported => {
            let (own, others) = (packages(file), packages(other));
            match &*others {
                // Of `java.lang`, or of a package that both import.
                _ if others.iter().all(|p| own.contains(p)) => Some(erased.to_string()),
                [package] => Some(format!("{package}.{erased}")),
                _ => None,
            }
        }
        _ => Some(format!("{binary}{dimensions}")),
    }
}

/// The packages that a file imports as a whole.
fn packages(file: &SourceFile) -> Vec<&str> {
    let imports = file.imports.iter().filter_map(|i| {
        let name = i
            .strip_prefix("import")?
            .trim()
            .trim_end_matches(';')
            .trim();
        name.strip_suffix(".*")
            .filter(|p| !p.starts_with("static "))
    });
    imports.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        SourceFile::parse("A.java", text.as_bytes()).unwrap()
    }

    /// The overloads, for classes of which the old version has not `a.New`.
    fn overloads(old: &str, new: &str) -> Vec<String> {
        let exists = |version, class: &str| (class == "a.New").then_some(version == Version::New);
        let lists = longer_lists(&file(old), &file(new), &exists);
        lists.into_iter().map(|l| l.source).collect()
    }

    #[test]
    fn the_version_with_the_shorter_list_passes_on_what_it_knows() {
        let old = "class A<T> { public A(T t) {} public <E> void f(E e, int n) throws X {} }";
        let new = "import java.time.Clock; class A<T> { public A(Clock c, T t) {} public <E> void f(E e) throws X {} }";
        let expected = [
            "public A(java.time.Clock c, T t) { this(t); }",
            "public < E > void f(E e, int n) throws X { f(e); }",
        ];
        assert_eq!(overloads(old, new), expected);
    }

    #[test]
    fn two_parameters_of_one_type_are_told_apart_by_their_names_or_not_at_all() {
        let old = "class A { public static int f(int a) { return a; } }";
        let named = "class A { public static int f(int b, int a) { return a; } }";
        let source = "public static int f(int b, int a) { return f(a); }";
        assert_eq!(overloads(old, named), [source]);
        let unnamed = "class A { public static int f(int b, int c) { return b; } }";
        assert_eq!(overloads(old, unnamed), [""; 0]);
    }

    #[test]
    fn what_other_code_may_call_gets_none() {
        let none = |old: &str, new: &str| assert_eq!(overloads(old, new), [""; 0], "{new}");
        let new = "class A { public int f(int a, Object b) { return a; } }";
        none("class A { int f(int a) { return a; } }", new);
        let rival = "public int f(Integer a, Object b) { return 1; }";
        let with = |text: &str| text.replace("class A {", &format!("class A {{ {rival}"));
        let old = "class A { public int f(int a) { return a; } }";
        none(&with(old), &with(new));
        let below = |text: &str| text.replace("class A", "class A extends B");
        none(&below(old), &below(new));
        none(
            old,
            "package a; class A { public int f(int a, New b) { return a; } }",
        );
    }
}
