//! Classes that stand in for types that nothing in the build implements, as mocks do: each method gives what the constructor got, and
//! those that give nothing print what they are called with.

use crate::bytecode::access::{ABSTRACT, INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{ClassPath, ClassPathError, is_jdk, parameter_descriptors};
use crate::model::{Spelling, type_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// The package of those that stand in for public interfaces.
pub const PACKAGE: &str = "com.shadowci.standin";

/// How the names of stand-ins begin.
const NAME: &str = "StandInFor";

/// Whether a class, by its binary name, is a stand-in, whose constructor gets what its methods answer.
pub fn is_one(class: &str) -> bool {
    class
        .rsplit('.')
        .next()
        .is_some_and(|n| n.starts_with(NAME))
}

/// Most answers that one can be told: those of further methods are null, 0 or false.
const MOST: usize = 6;

/// How many steps from the changed classes parameters are followed.
const STEPS: usize = 2;

/// A class to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandIn {
    /// Its internal name.
    pub class: String,
    /// Its source.
    pub source: String,
}

/// The types of parameters of these classes' methods, of those of the classes among them, and so on for a few steps: interfaces
/// and abstract classes only.
pub fn abstract_parameters(
    classes: &ClassPath,
    from: &BTreeSet<String>,
) -> Result<BTreeSet<String>, ClassPathError> {
    let (mut found, mut seen, mut next) = (BTreeSet::new(), BTreeSet::new(), from.clone());
    for step in 0..=STEPS {
        let mut further = BTreeSet::new();
        for name in next {
            let of_the_jdk = is_jdk(&name);
            if !seen.insert(name.clone()) || of_the_jdk && !is_provided(&name) {
                continue;
            }
            let Some(class) = classes.find(&name)? else {
                continue;
            };
            if class.access & ABSTRACT != 0 && (!of_the_jdk || class.access & INTERFACE != 0) {
                found.insert(name);
            }
            if of_the_jdk {
                continue;
            }
            // Of classes further away only the ways to make one matter.
            let matters = |m: &&Method| step == 0 || &*m.name == "<init>";
            for method in class.methods.iter().filter(matters) {
                let types = parameter_descriptors(&method.descriptor);
                let types = types.iter().map(|t| t.trim_start_matches('['));
                further.extend(
                    types.filter_map(|t| Some(t.strip_prefix('L')?.strip_suffix(';')?.to_string())),
                );
            }
        }
        next = further;
    }
    Ok(found)
}

/// Packages and types of the JDK whose interfaces programs get from somewhere else: drivers, providers, parsers. Inputs of all others are
/// made by recipe.
const PROVIDED: [&str; 9] = [
    "java/nio/channels/",
    "java/security/",
    "java/sql/",
    "java/util/concurrent/ExecutorService",
    "java/util/concurrent/ScheduledExecutorService",
    "java/util/concurrent/ScheduledFuture",
    "javax/",
    "org/w3c/dom/",
    "org/xml/sax/",
];

/// Types of metrics and tracing, and what stands in for them: their objects that do nothing are the libraries' own.
const QUIET: [(&str, &str); 2] = [
    (
        "io/micrometer/core/instrument/MeterRegistry",
        include_str!("quiet/StandInForMeterRegistry.java"),
    ),
    (
        "io/opentracing/Tracer",
        include_str!("quiet/StandInForTracer.java"),
    ),
];

fn is_provided(class: &str) -> bool {
    PROVIDED.iter().any(|p| class.starts_with(p))
}

/// What stands in for an interface or abstract class; `None` where a lambda does, or where nothing can.
pub fn for_type(classes: &ClassPath, name: &str) -> Result<Option<StandIn>, ClassPathError> {
    let Some(class) = classes.find(name)? else {
        return Ok(None);
    };
    if let Some((_, source)) = QUIET.iter().find(|(of, _)| *of == name) {
        return Ok(Some(StandIn {
            class: format!("{PACKAGE}.{NAME}{}", simple_name(&class)).internal(),
            source: (*source).to_string(),
        }));
    }
    let is_interface = class.access & INTERFACE != 0;
    if is_sealed(&class) || !is_interface && constructor(&class).is_none() {
        return Ok(None);
    }
    let Some(methods) = open_methods(classes, &class)? else {
        return Ok(None);
    };
    // Else a lambda does.
    if is_interface && methods.len() < 2 && !methods.iter().any(Method::is_generic) {
        return Ok(None);
    }
    let name = format!("{NAME}{}", simple_name(&class).replace('$', "_"));
    Ok(Some(implementation(&class, &methods, &name, MOST)))
}

/// An implementation of a public interface that does nothing, under that name: results are null, 0 or false, and of methods that
/// trace a value, the value.
pub fn quiet(
    classes: &ClassPath,
    interface: &str,
    name: &str,
) -> Result<Option<StandIn>, ClassPathError> {
    let Some(class) = classes.find(interface)? else {
        return Ok(None);
    };
    let methods = open_methods(classes, &class)?;
    Ok(methods.map(|methods| implementation(&class, &methods, name, 0)))
}

/// The constructor that a subclass outside calls: the one with the fewest parameters, public or protected ones first. `None` for inner
/// classes, whose objects need an outer one.
fn constructor(class: &ClassFile) -> Option<&Method> {
    let own = class.inner_classes.iter().find(|row| row.0 == class.name);
    if own.is_some_and(|row| row.3 & STATIC == 0) {
        return None;
    }
    let constructors = class.methods.iter().filter(|m| &*m.name == "<init>");
    let open = constructors.filter(|m| m.access & (PRIVATE | SYNTHETIC) == 0);
    open.min_by_key(|m| {
        let count = parameter_descriptors(&m.descriptor).len();
        (
            m.access & (PUBLIC | PROTECTED) == 0,
            count,
            m.descriptor.clone(),
        )
    })
}

fn simple_name(class: &ClassFile) -> &str {
    class.name.rsplit('/').next().unwrap_or(&class.name)
}

fn is_sealed(class: &ClassFile) -> bool {
    class.reflected.permitted.is_some()
}

/// The abstract methods of a type that no class or interface above it implements; `None` where one above is unknown.
fn open_methods(
    classes: &ClassPath,
    class: &ClassFile,
) -> Result<Option<Vec<Method>>, ClassPathError> {
    let (mut open, mut closed) = (BTreeMap::new(), BTreeSet::new());
    let mut next: Vec<Arc<str>> = vec![class.name.clone()];
    let mut seen = BTreeSet::new();
    while let Some(name) = next.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(at) = classes.find(&name)? else {
            return Ok(None);
        };
        next.extend(at.super_name.iter().chain(&at.interfaces).cloned());
        for method in at.methods.iter().filter(|m| m.access & STATIC == 0) {
            let key = (method.name.to_string(), method.descriptor.to_string());
            if method.access & ABSTRACT != 0 {
                open.entry(key).or_insert_with(|| method.clone());
            } else {
                closed.insert(key);
            }
        }
    }
    let of_object = ["equals", "hashCode", "toString"];
    open.retain(|key, _| !closed.contains(key) && !of_object.contains(&&*key.0));
    Ok(Some(open.into_values().collect()))
}

/// The source of the class, which is told so many answers.
fn implementation(class: &ClassFile, methods: &[Method], name: &str, most: usize) -> StandIn {
    let folder = class.name.rsplit_once('/').map_or("", |p| p.0);
    let is_interface = class.access & INTERFACE != 0;
    let above = constructor(class).filter(|_| !is_interface);
    let outside = PUBLIC | PROTECTED;
    let is_open = above.is_none_or(|m| m.access & outside != 0)
        && methods.iter().all(|m| m.access & outside != 0);
    let package = match class.access & PUBLIC != 0 && is_open {
        true => PACKAGE.to_string(),
        false => folder.dotted(),
    };
    let passed = above.map_or_else(Vec::new, |m| parameter_descriptors(&m.descriptor));
    let passed: Vec<String> = passed.iter().map(|p| type_name(p)).collect();
    let mut fields: Vec<(String, String)> = Vec::new();
    let prints = most > 0 && methods.iter().any(|m| m.descriptor.ends_with(")V"));
    let mut bodies = String::new();
    for method in methods {
        let result = method.descriptor.rsplit(')').next().unwrap_or("V");
        let erased = type_name(result);
        let generic = method.signature.as_deref().map(result_of_signature);
        let typed = match generic {
            // What a type variable stands for is not known here.
            Some(None) => None,
            Some(Some(text)) => Some(text),
            None => Some(erased.clone()),
        };
        let last = parameter_descriptors(&method.descriptor).len();
        let traced = method.descriptor.ends_with(&format!("{result}){result}"));
        let answer = match (result, typed) {
            ("V", _) if most == 0 => String::new(),
            ("V", _) => printed(method),
            _ if most == 0 && traced => format!("return a{last};"),
            (_, Some(text)) if fields.len() < most => {
                let field = format!("{}{}", method.name, fields.len() + 1);
                fields.push((text, field.clone()));
                format!("return {field};")
            }
            _ => format!("return {};", default_of(result)),
        };
        let parameters = parameter_descriptors(&method.descriptor);
        let parameters = parameters.iter().enumerate();
        let parameters: Vec<String> = parameters
            .map(|(i, p)| format!("{} a{}", type_name(p), i + 1))
            .collect();
        let _ = writeln!(
            bodies,
            "    public {erased} {}({}) {{ {answer} }}",
            method.name,
            parameters.join(", ")
        );
    }
    let mut source = match package.is_empty() {
        true => String::new(),
        false => format!("package {package};\n\n"),
    };
    let _ = writeln!(
        source,
        "/** Stands in for {}, which nothing in the build implements: each method gives what the constructor got, or prints what it is called with. */",
        class.name.dotted().replace('$', ".")
    );
    let _ = writeln!(
        source,
        "@SuppressWarnings({{\"rawtypes\", \"unchecked\", \"deprecation\"}})\npublic final class {name} {} {} {{",
        if is_interface {
            "implements"
        } else {
            "extends"
        },
        class.name.dotted().replace('$', ".")
    );
    for (kind, field) in &fields {
        let _ = writeln!(source, "    private final {kind} {field};");
    }
    let to_super = passed.iter().enumerate();
    let mut parameters: Vec<String> = to_super.map(|(i, k)| format!("{k} a{}", i + 1)).collect();
    let arguments: Vec<String> = (1..=passed.len()).map(|i| format!("a{i}")).collect();
    parameters.extend(fields.iter().map(|(k, f)| format!("{k} {f}")));
    let _ = writeln!(source, "    public {name}({}) {{", parameters.join(", "));
    if !arguments.is_empty() {
        let _ = writeln!(source, "        super({});", arguments.join(", "));
    }
    for (_, field) in &fields {
        let _ = writeln!(source, "        this.{field} = {field};");
    }
    let _ = writeln!(
        source,
        "    }}\n{bodies}{}}}",
        if prints { TEXT } else { "" }
    );
    StandIn {
        class: format!("{package}.{name}")
            .trim_start_matches('.')
            .internal(),
        source,
    }
}

/// What an argument is as a text: what may be another text in each run is left out.
const TEXT: &str = "    private static String text(Object value) {
        if (value instanceof char[]) return new String((char[]) value);
        if (value instanceof byte[]) return java.util.Arrays.toString((byte[]) value);
        boolean isPlain = value == null || value instanceof String || value instanceof Number || value instanceof Boolean
                || value instanceof Character || value instanceof Enum;
        return isPlain ? String.valueOf(value) : \"an object\";
    }
";

/// The statement that prints a call, `write(a, 1)`.
fn printed(method: &Method) -> String {
    let parameters = parameter_descriptors(&method.descriptor);
    let parameters = parameters.iter().enumerate();
    let texts: Vec<String> = parameters
        .map(|(i, p)| match p.starts_with(['L', '[']) {
            true => format!("text(a{})", i + 1),
            false => format!("a{}", i + 1),
        })
        .collect();
    let name = &method.name;
    match &texts[..] {
        [] => format!("System.out.println(\"{name}()\");"),
        _ => format!(
            "System.out.println(\"{name}(\" + {} + \")\");",
            texts.join(" + \", \" + ")
        ),
    }
}

fn default_of(result: &str) -> &'static str {
    match result {
        "Z" => "false",
        "B" | "C" | "S" | "I" | "J" | "F" | "D" => "0",
        _ => "null",
    }
}

/// The result of a method signature (JVMS §4.7.9.1) as source writes it; `None` where a type variable is in it.
fn result_of_signature(signature: &str) -> Option<String> {
    let mut rest = signature.rsplit_once(')')?.1.split('^').next()?;
    let text = generic_type(&mut rest)?;
    rest.is_empty().then_some(text)
}

/// Reads one type off the text.
fn generic_type(rest: &mut &str) -> Option<String> {
    let first = rest.chars().next()?;
    *rest = &rest[first.len_utf8()..];
    match first {
        'T' => None,
        '[' => Some(format!("{}[]", generic_type(rest)?)),
        '*' => Some("?".into()),
        '+' => Some(format!("? extends {}", generic_type(rest)?)),
        '-' => Some(format!("? super {}", generic_type(rest)?)),
        'L' => {
            let mut name = String::new();
            loop {
                let at = rest.find(['<', ';', '.'])?;
                name.push_str(&rest[..at].dotted().replace('$', "."));
                let mark = rest[at..].chars().next()?;
                *rest = &rest[at + 1..];
                match mark {
                    ';' => return Some(name),
                    '.' => name.push('.'),
                    _ => {
                        let mut arguments = Vec::new();
                        while !rest.starts_with('>') {
                            arguments.push(generic_type(rest)?);
                        }
                        *rest = &rest[1..];
                        let _ = write!(name, "<{}>", arguments.join(", "));
                    }
                }
            }
        }
        primitive => Some(type_name(&primitive.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_written_with_their_type_arguments() {
        let of = |s: &str| result_of_signature(s);
        let list = "(I)Ljava/util/List<+Ljava/lang/Number;>;";
        assert_eq!(
            of(list).unwrap(),
            "java.util.List<? extends java.lang.Number>"
        );
        assert_eq!(of("()TT;"), None);
        assert_eq!(of("()Ljava/util/List<TT;>;"), None);
        assert_eq!(of("<T:Ljava/lang/Object;>(TT;)[I^TE;").unwrap(), "int[]");
        let nested = "()La/Outer<Ljava/lang/String;>.Inner;";
        assert_eq!(of(nested).unwrap(), "a.Outer<java.lang.String>.Inner");
    }
}
