//! Stand-ins: classes that implement a type for which the build has none of use, as mocks do. Each method gives what the constructor got,
//! or throws what it declares; those that give nothing print what they are called with.

use super::stand_in_source::{Told, constructor, implementation};
use crate::bytecode::access::{ABSTRACT, INTERFACE, PUBLIC, STATIC};
use crate::bytecode::class_file::{ClassFile, Insn, MemberRef, Method};
use crate::bytecode::{
    ClassPath, ClassPathError, is_jdk, parameter_descriptors, returns_never_null,
};
use crate::model::Spelling;
use std::collections::{BTreeMap, BTreeSet};
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

/// What a stand-in prints behind the name of a method that throws.
pub const HAS_FAILED: &str = " fails";

/// The number that tells which method throws.
pub(super) const FAILS: &str = "fails";

/// The method of a stand-in that throws where the condition with which this line of its source begins holds.
pub fn failing(line: &str) -> Option<&str> {
    let (head, body) = line.split_once('{')?;
    let begins = body.trim_start().starts_with(&format!("if ({FAILS} == "));
    head.split('(')
        .next()?
        .split_whitespace()
        .next_back()
        .filter(|_| begins)
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
            if is_wanted(&class) {
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
    add_casts(classes, from, &mut found)?;
    add_results(classes, from, &mut found)?;
    Ok(found)
}

/// Adds the types below those found that these classes cast to: no other object of the type above passes there.
fn add_casts(
    classes: &ClassPath,
    from: &BTreeSet<String>,
    found: &mut BTreeSet<String>,
) -> Result<(), ClassPathError> {
    let parameters = found.clone();
    for insn in insns(classes, from)? {
        if let Insn::CheckCast(name) = insn
            && let Some(class) = classes.find(&name)?
            && is_wanted(&class)
            && class
                .above(|name| classes.find(name))?
                .iter()
                .any(|above| parameters.contains(&**above))
        {
            found.insert(name.to_string());
        }
    }
    Ok(())
}

/// Adds the types that objects of those found give to these classes, and what these give, for a few steps.
fn add_results(
    classes: &ClassPath,
    from: &BTreeSet<String>,
    found: &mut BTreeSet<String>,
) -> Result<(), ClassPathError> {
    let mut given: BTreeSet<(String, String)> = BTreeSet::new();
    for member in calls(classes, from)? {
        let result = member.descriptor.rsplit(')').next().unwrap_or_default();
        let class = result.strip_prefix('L').and_then(|r| r.strip_suffix(';'));
        given.extend(class.map(|c| (member.class.to_string(), c.to_string())));
    }
    for _ in 0..=STEPS {
        let known = found.clone();
        for (_, result) in given.iter().filter(|(owner, _)| known.contains(owner)) {
            if let Some(class) = classes.find(result)?
                && is_wanted(&class)
            {
                found.insert(result.clone());
            }
        }
    }
    Ok(())
}

/// Whether a type may need a stand-in: an abstract one, of the JDK one that programs get from somewhere else.
fn is_wanted(class: &ClassFile) -> bool {
    let is_interface = class.access & INTERFACE != 0;
    let is_provided = is_ready_made(&class.name) || is_interface && is_provided(&class.name);
    class.access & ABSTRACT != 0 && (!is_jdk(&class.name) || is_provided)
}

/// All instructions of these classes.
fn insns(classes: &ClassPath, from: &BTreeSet<String>) -> Result<Vec<Insn>, ClassPathError> {
    let mut all = Vec::new();
    for name in from {
        let methods = classes.find(name)?.map(|c| c.methods.clone());
        let codes = methods.into_iter().flatten().filter_map(|m| m.code);
        all.extend(codes.flat_map(|code| code.insns.clone()));
    }
    Ok(all)
}

/// All calls in the code of these classes.
fn calls(
    classes: &ClassPath,
    from: &BTreeSet<String>,
) -> Result<Vec<Arc<MemberRef>>, ClassPathError> {
    let calls = insns(classes, from)?
        .into_iter()
        .filter_map(|insn| match insn {
            Insn::Invoke(_, m) => Some(m),
            _ => None,
        });
    Ok(calls.collect())
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

/// Types whose stand-ins are written by hand, with their sources: those of metrics and tracing do nothing, by objects that the libraries have
/// for that; those of the JDK fail wherever they are used.
const READY_MADE: [(&str, &str); 9] = [
    (
        "io/micrometer/core/instrument/MeterRegistry",
        include_str!("stand_ins/StandInForMeterRegistry.java"),
    ),
    (
        "io/opentracing/Tracer",
        include_str!("stand_ins/StandInForTracer.java"),
    ),
    (
        "java/io/InputStream",
        include_str!("stand_ins/StandInForInputStream.java"),
    ),
    (
        "java/io/OutputStream",
        include_str!("stand_ins/StandInForOutputStream.java"),
    ),
    (
        "java/io/Reader",
        include_str!("stand_ins/StandInForReader.java"),
    ),
    (
        "java/io/Writer",
        include_str!("stand_ins/StandInForWriter.java"),
    ),
    (
        "java/io/Closeable",
        include_str!("stand_ins/StandInForCloseable.java"),
    ),
    (
        "java/lang/AutoCloseable",
        include_str!("stand_ins/StandInForAutoCloseable.java"),
    ),
    (
        "java/util/concurrent/Callable",
        include_str!("stand_ins/StandInForCallable.java"),
    ),
];

fn is_provided(class: &str) -> bool {
    is_ready_made(class) || PROVIDED.iter().any(|p| class.starts_with(p))
}

fn is_ready_made(class: &str) -> bool {
    READY_MADE.iter().any(|(of, _)| *of == class)
}

/// A method, by name and descriptor.
pub type Key = (String, String);

/// A method's key.
pub fn key(method: &Method) -> Key {
    (method.name.to_string(), method.descriptor.to_string())
}

/// The methods that these classes call.
pub fn called_by(
    classes: &ClassPath,
    from: &BTreeSet<String>,
) -> Result<BTreeSet<Key>, ClassPathError> {
    let keys = calls(classes, from)?.into_iter();
    Ok(keys
        .map(|m| (m.name.to_string(), m.descriptor.to_string()))
        .collect())
}

/// What stands in for an interface or abstract class, with answers of called methods rather than of others; `None` where a lambda
/// does, or where nothing can.
pub fn for_type(
    classes: &ClassPath,
    name: &str,
    called: &BTreeSet<Key>,
) -> Result<Option<StandIn>, ClassPathError> {
    let Some(class) = classes.find(name)? else {
        return Ok(None);
    };
    if let Some((_, source)) = READY_MADE.iter().find(|(of, _)| *of == name) {
        return Ok(Some(StandIn {
            class: format!("{PACKAGE}.{NAME}{}", simple_name(&class)).internal(),
            source: (*source).to_string(),
        }));
    }
    let is_interface = class.access & INTERFACE != 0;
    if is_sealed(&class) || !is_interface && constructor(&class).is_none() {
        return Ok(None);
    }
    let Some(mut methods) = open_methods(classes, &class)? else {
        return Ok(None);
    };
    methods.sort_by_key(|m| !called.contains(&key(m)));
    let failures = failures(classes, &methods, called)?;
    // Else a lambda does.
    let is_plain = failures.is_empty() && !methods.iter().any(Method::is_generic);
    if is_interface && methods.len() < 2 && is_plain {
        return Ok(None);
    }
    let name = format!("{NAME}{}", simple_name(&class).replace('$', "_"));
    let mut never_null = BTreeSet::new();
    for method in &methods {
        if returns_never_null(classes, &class, method)? {
            never_null.insert(key(method));
        }
    }
    let told = Told {
        methods: &methods,
        failures: &failures,
        never_null: &never_null,
    };
    Ok(Some(implementation(&class, told, &name, MOST)))
}

/// What each of the methods that are called throws, where it declares something that can be made: the method, and its exception.
fn failures(
    classes: &ClassPath,
    methods: &[Method],
    called: &BTreeSet<Key>,
) -> Result<Vec<(Key, String)>, ClassPathError> {
    let mut all = Vec::new();
    for method in methods.iter().filter(|m| called.contains(&key(m))) {
        for exception in &method.reflected.exceptions {
            let class = classes.find(exception)?;
            if let Some(made) = class.and_then(|class| exception_of(&class, method)) {
                all.push((key(method), made));
                break;
            }
        }
    }
    all.truncate(MOST);
    Ok(all)
}

/// The expression that makes an exception: with the name of the method where it takes a text.
fn exception_of(class: &ClassFile, method: &Method) -> Option<String> {
    let is_open = class.access & (PUBLIC | ABSTRACT) == PUBLIC;
    let takes = |descriptor| class.method("<init>", descriptor);
    let is_public = |m: &&Method| m.access & PUBLIC != 0;
    let argument = match takes("(Ljava/lang/String;)V").filter(is_public) {
        Some(_) => format!("\"{}\"", method.name),
        None => takes("()V").filter(is_public).map(|_| String::new())?,
    };
    let name = class.name.dotted().replace('$', ".");
    is_open.then(|| format!("new {name}({argument})"))
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
    let never_null = BTreeSet::new();
    Ok(methods.map(|methods| {
        let told = Told {
            methods: &methods,
            failures: &[],
            never_null: &never_null,
        };
        implementation(&class, told, name, 0)
    }))
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
            let key = key(method);
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
