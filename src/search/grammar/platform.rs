//! Public members of the JDK's classes that no recipe names, by which the search makes their objects.

use super::{ABSTRACT, PRIVATE, STATIC, STRING, SYNTHETIC, class_of, descriptor_of};
use crate::bytecode::access::PUBLIC;
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::parameter_descriptors;
use crate::symex::recipe_texts;

/// Constructors and factories, and calls on the new object, at most.
const MAX_MAKERS: usize = 6;
const MAX_CALLS: usize = 6;
/// Parameters of such a member.
const MAX_PARAMETERS: usize = 4;

/// Packages and classes whose objects are values or hold some: others wait, watch the clock or reach out of the process.
const WITHIN: [&str; 22] = [
    "java/awt/BasicStroke",
    "java/awt/Color",
    "java/awt/Dimension",
    "java/awt/Insets",
    "java/awt/Point",
    "java/awt/Rectangle",
    "java/awt/geom/",
    "java/awt/image/BufferedImage",
    "java/io/",
    "java/lang/",
    "java/math/",
    "java/net/URI",
    "java/net/URL",
    "java/nio/",
    "java/security/MessageDigest",
    "java/sql/",
    "java/text/",
    "java/time/",
    "java/util/",
    "javax/crypto/spec/",
    "javax/xml/namespace/",
    "javax/xml/parsers/",
];

/// Those among them that do.
const OUTSIDE: [&str; 24] = [
    "java/io/Console",
    "java/io/File",
    "java/io/Piped",
    "java/io/RandomAccessFile",
    "java/lang/ClassLoader",
    "java/lang/Module",
    "java/lang/Process",
    "java/lang/Runtime",
    "java/lang/SecurityManager",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/invoke/",
    "java/lang/module/",
    "java/lang/ref/",
    "java/net/URLClassLoader",
    "java/nio/channels/",
    "java/nio/file/",
    "java/sql/Driver",
    "java/time/Clock",
    "java/util/Timer",
    "java/util/concurrent/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/zip/ZipFile",
];

/// Those of concurrent code that hold values and never wait.
const CONCURRENT: [&str; 5] = [
    "java/util/concurrent/CompletableFuture",
    "java/util/concurrent/ConcurrentLinked",
    "java/util/concurrent/ConcurrentSkip",
    "java/util/concurrent/CopyOnWrite",
    "java/util/concurrent/atomic/",
];

/// Factories that ask the clock, chance or the machine.
const CHANCE: [&str; 6] = [
    "now",
    "current",
    "random",
    "system",
    "getDefault",
    "default",
];

/// In the notation of recipes, what makes objects of a public class of the JDK: public constructors and static factories of values,
/// texts and objects that have recipes, those with few parameters first, each with calls that fill the object.
pub(super) fn texts(file: &ClassFile) -> Vec<String> {
    let begins = |all: &[&str]| all.iter().any(|p| file.name.starts_with(p));
    let is_within = begins(&WITHIN) && (!begins(&OUTSIDE) || begins(&CONCURRENT));
    if !is_within || file.access & PUBLIC == 0 {
        return Vec::new();
    }
    let calls: String = calls(file)
        .iter()
        .map(|m| format!("; {}{}", m.name, m.descriptor))
        .collect();
    let makers = makers(file).into_iter();
    let text = |m: &Method| format!("{}.{}{}{calls}", file.name, m.name, m.descriptor);
    makers.map(text).collect()
}

fn makers(file: &ClassFile) -> Vec<&Method> {
    let own = format!("){}", descriptor_of(&file.name));
    let reads_clock = ["Calendar", "Date", "Random"];
    let reads_clock = reads_clock.iter().any(|end| file.name.ends_with(end));
    let makes = |m: &&Method| match &*m.name {
        "<init>" => file.access & ABSTRACT == 0 && !(reads_clock && m.descriptor.starts_with("()")),
        name => {
            m.access & STATIC != 0
                && m.descriptor.ends_with(&own)
                && !CHANCE.iter().any(|word| name.starts_with(word))
        }
    };
    // A text is the name of a file there.
    let names_file = |m: &Method| {
        let first = parameter_descriptors(&m.descriptor).into_iter().next();
        file.name.starts_with("java/io/Print")
            && first.is_some_and(|p| p == STRING || p == "Ljava/io/File;")
    };
    let mut found: Vec<&Method> = file.methods.iter().filter(makes).collect();
    found.retain(|m| is_usable(m) && !names_file(m));
    found.sort_by_key(|m| {
        (
            parameter_descriptors(&m.descriptor).len(),
            &*m.name != "<init>",
            key(m),
        )
    });
    found.truncate(MAX_MAKERS);
    found
}

fn calls(file: &ClassFile) -> Vec<&Method> {
    let fills = |m: &&Method| {
        let names = ["add", "append", "offer", "push", "put", "set", "write"];
        let waits = file.name.starts_with("java/util/concurrent/") && m.name.starts_with("put");
        m.access & STATIC == 0
            && !waits
            && !m.descriptor.starts_with("()")
            && names.iter().any(|n| m.name.starts_with(n))
    };
    let mut found: Vec<&Method> = file.methods.iter().filter(fills).collect();
    found.retain(|m| is_usable(m));
    found.sort_by_key(|m| (parameter_descriptors(&m.descriptor).len(), key(m)));
    found.truncate(MAX_CALLS);
    found
}

fn key(method: &Method) -> (String, String) {
    (method.name.to_string(), method.descriptor.to_string())
}

/// Whether callers may use it, and have what it takes.
fn is_usable(method: &Method) -> bool {
    let parameters = parameter_descriptors(&method.descriptor);
    method.access & (PUBLIC | PRIVATE | SYNTHETIC) == PUBLIC
        && parameters.len() <= MAX_PARAMETERS
        && parameters.iter().all(|p| is_at_hand(p))
}

/// Whether a parameter is a value, a text, a few of those, any object, or has a recipe.
fn is_at_hand(descriptor: &str) -> bool {
    let element = descriptor.strip_prefix('[').unwrap_or(descriptor);
    match class_of(element) {
        None => !element.starts_with('['),
        Some(class) => {
            let is_value = [
                "String",
                "CharSequence",
                "Object",
                "Integer",
                "Long",
                "Double",
            ];
            class
                .strip_prefix("java/lang/")
                .is_some_and(|name| is_value.contains(&name))
                || element.len() == descriptor.len() && !recipe_texts(class).is_empty()
        }
    }
}
