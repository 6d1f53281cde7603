//! Methods whose parameters were only added or dropped: the version with the shorter list gets an overload with the longer one, so that
//! both versions can be called alike.

use crate::java::{Method, SourceFile, Type, class_named};
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

/// The types that have a new list of parameters for one method of a name. `exists` tells whether a version has a class, by its
/// qualified name, as far as sources tell it; `None` where it is no class of the sources.
pub fn longer_lists(
    old: &SourceFile,
    new: &SourceFile,
    exists: &dyn Fn(Version, &str) -> Option<bool>,
) -> Vec<LongerList> {
    let mut all = Vec::new();
    for b in &new.types {
        let Some(a) = old.find(&b.name) else { continue };
        // javac adds to the lists of enums and inner classes, and to a record's components.
        let is_plain = |t: &Type| !t.is_record && t.hidden_parameters == 0;
        if !is_plain(a) || !is_plain(b) {
            continue;
        }
        for (i, j) in relisted(a, b) {
            let (m, n) = (&a.methods[i], &b.methods[j]);
            let sides = match m.params.len() < n.params.len() {
                true => (Version::Old, (old, a, m), (new, n)),
                false => (Version::New, (new, b, n), (old, m)),
            };
            all.extend(overload(sides.0, sides.1, sides.2, exists));
        }
    }
    all
}

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
fn relisted(a: &Type, b: &Type) -> Vec<(usize, usize)> {
    let own = |of: &Type, other: &Type, name: &str| -> Vec<usize> {
        let is_own = |m: &Method| m.name == name && !other.methods.iter().any(|o| o.same_signature(m));
        let all = of.methods.iter().enumerate();
        all.filter(|(_, m)| is_own(m)).map(|(i, _)| i).collect()
    };
    let mut names: Vec<&str> = b.methods.iter().map(|m| m.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let pair = |name: &str| match (&*own(a, b, name), &*own(b, a, name)) {
        ([i], [j]) => Some((*i, *j)),
        _ => None,
    };
    names.into_iter().filter_map(pair).collect()
}

/// The overload, if one list is the other with further parameters and no call of other code can come to it.
fn overload(
    shorter: Version,
    (file, class, short): (&SourceFile, &Type, &Method),
    (other, long): (&SourceFile, &Method),
    exists: &dyn Fn(Version, &str) -> Option<bool>,
) -> Option<LongerList> {
    let has = |m: &Method, word: &str| m.head.split(' ').any(|w| w == word);
    let is_constructor = short.name == "<init>";
    // What is called inside of a package only is compared through its callers.
    let is_callable = |m: &Method| match is_constructor {
        true => !has(m, "private"),
        false => class.is_interface || has(m, "public") || has(m, "protected"),
    };
    let is_open = |m: &Method| m.body.is_some() && is_callable(m) && !m.is_unknown;
    // A method of a type above, or one below, might have the longer list already.
    let is_alone = is_constructor
        || !["extends", "implements"].iter().any(|word| class.header.split(' ').any(|w| w == *word));
    let count = long.params.len();
    let same_count = |m: &&Method| {
        m.name == short.name && (m.params.len() == count || m.params.last().is_some_and(|p| p.ends_with("[]")))
    };
    let rivals = class.methods.iter().filter(same_count).count();
    if !is_open(short) || !is_open(long) || !is_alone || rivals > 0 {
        return None;
    }
    if !is_constructor && !short.same_kind(long) {
        return None;
    }
    let places = places(short, long)?;
    let mut parameters = Vec::new();
    for (i, name) in long.param_names.iter().enumerate() {
        let of = match places.iter().position(|p| *p == i) {
            Some(at) => short.params[at].clone(),
            None => written(&long.erased[i], file, (shorter, other), exists)?,
        };
        parameters.push(format!("{of} {name}"));
    }
    let passed: Vec<&str> = places.iter().map(|p| long.param_names[*p].as_str()).collect();
    let (head, throws) = match short.head.split_once(" throws ") {
        Some((head, throws)) => (head, format!(" throws {throws}")),
        None => (&*short.head, String::new()),
    };
    const DROPPED: [&str; 5] = ["abstract", "final", "native", "strictfp", "synchronized"];
    let head: Vec<&str> = head.split(' ').filter(|w| !DROPPED.contains(w)).collect();
    let is_void = short.node.child("type").is_some_and(|t| t.flat(&file.text) == "void");
    let call = match (is_constructor, is_void) {
        (true, _) => "this".to_string(),
        (_, true) => short.name.clone(),
        _ => format!("return {}", short.name),
    };
    let source = format!(
        "{}({}){throws} {{ {call}({}); }}",
        head.join(" "),
        parameters.join(", "),
        passed.join(", ")
    );
    Some(LongerList {
        class: class.name.clone(),
        name: short.name.clone(),
        shorter,
        short: short.erased.clone(),
        long: long.erased.clone(),
        further: (0..count).filter(|i| !places.contains(i)).collect(),
        source,
    })
}

/// Where the parameters of the shorter list stand in the longer one: by types and names, else by types if only one way fits.
fn places(short: &Method, long: &Method) -> Option<Vec<usize>> {
    if short.params.len() >= long.params.len() {
        return None;
    }
    let alike = |i: usize, j: usize| short.erased[i] == long.erased[j];
    let named = |i: usize, j: usize| alike(i, j) && short.param_names[i] == long.param_names[j];
    let ways = |fits: &dyn Fn(usize, usize) -> bool| {
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for i in 0..short.params.len() {
            let mut next = Vec::new();
            for way in &ways {
                let from = way.last().map_or(0, |p| p + 1);
                let fitting = (from..long.params.len()).filter(|j| fits(i, *j));
                next.extend(fitting.map(|j| [&way[..], &[j]].concat()));
            }
            ways = next;
            // Many parameters of one type have too many ways.
            ways.truncate(64);
        }
        ways
    };
    match &mut *ways(&named) {
        [only] => Some(std::mem::take(only)),
        _ => match &mut *ways(&alike) {
            [only] => Some(std::mem::take(only)),
            _ => None,
        },
    }
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
        // Of `java.lang`, or of a package that is imported as a whole.
        None if !is_imported => Some(erased.to_string()),
        _ => Some(format!("{binary}{dimensions}")),
    }
}
