//! The code of the project that the JDK's collections and values call back: elements' comparisons and texts, and containers of
//! the project's own.

use super::body::{Body, body_of};
use super::version::{Version, simple_name};
use crate::bytecode::access::{ABSTRACT, PRIVATE, STATIC};
use crate::bytecode::class_file::{ClassFile, Insn, InvokeKind, MemberRef, Method};
use crate::bytecode::{is_jdk, parameter_descriptors};
use crate::model::class_in;
use std::sync::Arc;

/// Code that an instruction may run.
#[derive(Clone)]
pub(super) enum Callee {
    /// A method of the project.
    Body(Body),
    /// Methods of the project's own containers, as a container calls them that does not look at its elements.
    ContainerMethods,
    /// The same, and the comparisons, hash codes and texts of elements.
    ElementMethods,
}

/// Container types of the JDK.
const CONTAINERS: [&str; 43] = [
    "java/lang/Iterable",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractSet",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/BitSet",
    "java/util/Collection",
    "java/util/Collections",
    "java/util/Deque",
    "java/util/EnumMap",
    "java/util/EnumSet",
    "java/util/Enumeration",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/Iterator",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/List",
    "java/util/ListIterator",
    "java/util/Map",
    "java/util/Map$Entry",
    "java/util/NavigableMap",
    "java/util/NavigableSet",
    "java/util/Optional",
    "java/util/PriorityQueue",
    "java/util/Properties",
    "java/util/Queue",
    "java/util/Set",
    "java/util/SortedMap",
    "java/util/SortedSet",
    "java/util/Stack",
    "java/util/StringJoiner",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    "java/util/WeakHashMap",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/CopyOnWriteArrayList",
];

/// Classes of values, and of what works on values and containers.
const VALUES: [&str; 54] = [
    "java/io/BufferedInputStream",
    "java/io/BufferedOutputStream",
    "java/io/BufferedReader",
    "java/io/BufferedWriter",
    "java/io/ByteArrayInputStream",
    "java/io/ByteArrayOutputStream",
    "java/io/Closeable",
    "java/io/File",
    "java/io/Flushable",
    "java/io/InputStream",
    "java/io/InputStreamReader",
    "java/io/OutputStream",
    "java/io/OutputStreamWriter",
    "java/io/PrintStream",
    "java/io/PrintWriter",
    "java/io/Reader",
    "java/io/Serializable",
    "java/io/StringReader",
    "java/io/StringWriter",
    "java/io/Writer",
    "java/lang/Appendable",
    "java/lang/AutoCloseable",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/CharSequence",
    "java/lang/Character",
    "java/lang/Cloneable",
    "java/lang/Comparable",
    "java/lang/Double",
    "java/lang/Enum",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Math",
    "java/lang/Number",
    "java/lang/Object",
    "java/lang/Short",
    "java/lang/StrictMath",
    "java/lang/String",
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/util/Arrays",
    "java/util/Comparator",
    "java/util/Locale",
    "java/util/Objects",
    "java/util/StringTokenizer",
    "java/util/UUID",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/regex/Matcher",
    "java/util/regex/Pattern",
];

/// Whether a class of the JDK is a container or makes values.
pub(super) fn is_value_or_container(class: &str) -> bool {
    CONTAINERS.contains(&class) || VALUES.contains(&class)
}

/// Methods of containers that don't look at elements, with any arguments.
const AGNOSTIC: [&str; 15] = [
    "size",
    "isEmpty",
    "iterator",
    "listIterator",
    "hasNext",
    "next",
    "hasPrevious",
    "previous",
    "clear",
    "keySet",
    "values",
    "entrySet",
    "getKey",
    "getValue",
    "hasMoreElements",
];

/// Interfaces of lambdas that collections of the JDK keep and call later.
const KEPT: [&str; 6] = [
    "java/lang/Iterable",
    "java/util/Comparator",
    "java/util/function/Function",
    "java/util/function/ToDoubleFunction",
    "java/util/function/ToIntFunction",
    "java/util/function/ToLongFunction",
];

/// Types whose methods the JDK may call at any time.
const HOLDS: [&str; 16] = [
    "java/io/File",
    "java/lang/Appendable",
    "java/lang/AutoCloseable",
    "java/lang/Iterable",
    "java/lang/Readable",
    "java/net/URLStreamHandler",
    "java/util/Comparator",
    "java/util/Enumeration",
    "java/util/Formattable",
    "java/util/Iterator",
    "java/util/Map",
    "java/util/Map$Entry",
    "java/util/function/Function",
    "java/util/function/ToDoubleFunction",
    "java/util/function/ToIntFunction",
    "java/util/function/ToLongFunction",
];

/// What is called on elements.
const ASKED: [(&str, &str); 9] = [
    ("equals", "(Ljava/lang/Object;)Z"),
    ("hashCode", "()I"),
    ("compareTo", "(Ljava/lang/Object;)I"),
    ("compare", "(Ljava/lang/Object;Ljava/lang/Object;)I"),
    ("toString", "()Ljava/lang/String;"),
    ("charAt", "(I)C"),
    ("length", "()I"),
    ("subSequence", "(II)Ljava/lang/CharSequence;"),
    ("isEmpty", "()Z"),
];

/// Methods of exceptions.
const ABOUT_FAILURES: [&str; 6] = [
    "<init>",
    "addSuppressed",
    "getCause",
    "getLocalizedMessage",
    "getMessage",
    "initCause",
];

/// Methods of `Object` that a class of the JDK may override, so that they call others of its methods.
const INHERITED: [&str; 4] = ["equals", "hashCode", "toString", "compareTo"];

/// Words in code that finds its callees at run time.
const FINDS: [&str; 6] = [
    "forName",
    "getDeclaredConstructor",
    "invoke",
    "newInstance",
    "readObject",
    "ServiceLoader",
];

/// What a call of the JDK may call back, where that is known: the receiver and all arguments are values or containers.
pub(super) fn jdk_callees(member: &MemberRef) -> Option<Callee> {
    let class = &*member.class;
    let container = CONTAINERS.contains(&class);
    let throwable = is_throwable(class) && ABOUT_FAILURES.contains(&&*member.name);
    if !container && !VALUES.contains(&class) && !throwable && !class.starts_with('[') {
        return None;
    }
    let parameters = parameter_descriptors(&member.descriptor);
    let known = |d: &String| {
        let of = d.trim_start_matches('[').strip_prefix('L');
        let of = of.map(|c| c.trim_end_matches(';'));
        of.is_none_or(|c| CONTAINERS.contains(&c) || VALUES.contains(&c) || is_throwable(c))
    };
    if !parameters.iter().all(known) {
        return None;
    }
    let by_index = |d: &String| matches!(d.as_str(), "I" | "Z");
    let agnostic = AGNOSTIC.contains(&&*member.name)
        || matches!(&*member.name, "get" | "set" | "remove" | "<init>")
            && parameters.first().is_none_or(by_index);
    Some(match container && agnostic {
        true => Callee::ContainerMethods,
        false => Callee::ElementMethods,
    })
}

/// Whether a class of the JDK is an exception or error, by its name.
pub fn is_throwable(class: &str) -> bool {
    let plain = class == "java/lang/Throwable" || class.ends_with("Exception");
    class.starts_with("java/") && (plain || class.ends_with("Error"))
}

impl Version {
    /// The project's methods that such a call may run; `None` if other code may run.
    pub(super) fn callbacks(&self, elements: bool) -> Option<Vec<Callee>> {
        if FINDS.iter().any(|word| self.outside.calls_back(word)) {
            return None;
        }
        let mut all = Vec::new();
        let with_library = self.own_classes().any(|class| self.calls_library(class));
        for class in self.own_classes() {
            let holds = HOLDS
                .iter()
                .any(|t| self.is_subclass(&class.name, t) != Some(false));
            let every =
                holds || self.is_given_away(class) || elements && self.inherits_calls(class);
            for method in &class.methods {
                let is_virtual = method.access & (STATIC | PRIVATE | ABSTRACT) == 0;
                let asked = elements && ASKED.contains(&(&*method.name, &*method.descriptor));
                let named = self.outside.calls_back(match &*method.name {
                    "<init>" | "<clinit>" => simple_name(&class.name),
                    name => name,
                });
                if named || is_virtual && (every || asked) {
                    all.extend(body_of(class, method).map(Callee::Body));
                }
                all.extend(self.kept_lambdas(method, with_library)?);
            }
        }
        Some(all)
    }

    /// Whether a class has a method of the JDK that is called on elements, or is thrown: that may call any of its methods.
    fn inherits_calls(&self, class: &ClassFile) -> bool {
        let (all, _) = self.ancestors(&class.name);
        let above = all
            .iter()
            .filter(|c| is_jdk(&c.name) && &*c.name != "java/lang/Object");
        above.into_iter().any(|c| {
            let mut methods = c.methods.iter();
            let fixed = matches!(&*c.name, "java/lang/Enum" | "java/lang/Record");
            !fixed && methods.any(|m| INHERITED.contains(&&*m.name) && m.access & ABSTRACT == 0)
        })
    }

    /// Whether a class is of a type by which a library can call it: one of the library's own, or a function of the JDK. A library's
    /// view of a collection calls such ones when it is read.
    fn is_given_away(&self, class: &ClassFile) -> bool {
        let (all, whole) = self.ancestors(&class.name);
        let by_library = |c: &str| self.is_of_library(c) || c.starts_with("java/util/function/");
        !whole || all.iter().any(|c| by_library(&c.name))
    }

    fn calls_library(&self, class: &ClassFile) -> bool {
        let code = class.methods.iter().flat_map(|m| &m.code);
        let mut insns = code.flat_map(|c| &c.insns);
        insns.any(|i| matches!(i, Insn::Invoke(_, m) if self.is_of_library(&m.class)))
    }

    fn is_of_library(&self, class: &str) -> bool {
        !is_jdk(class) && !self.is_own(class) && !class.starts_with('[')
    }

    /// What the lambdas run that a method creates and that collections, or views of a library, keep. `None` where it creates an
    /// iterator or a stream's close action, which runs other code later.
    fn kept_lambdas(&self, method: &Method, with_library: bool) -> Option<Vec<Callee>> {
        let mut all = Vec::new();
        let insns = method.code.iter().flat_map(|c| &c.insns);
        for insn in insns {
            match insn {
                Insn::Invoke(_, m) => {
                    let lazy = matches!(&*m.name, "iterator" | "spliterator" | "asIterator")
                        && !CONTAINERS.contains(&&*m.class)
                        && is_jdk(&m.class);
                    let later = matches!(&*m.name, "onClose" | "newDirectoryStream")
                        || m.class.starts_with("java/util/Spliterators");
                    if lazy || later {
                        return None;
                    }
                }
                Insn::InvokeDynamic(site) => {
                    let made = site.descriptor.rsplit(')').next().unwrap_or_default();
                    let made = class_in(made);
                    let of = &*site.bootstrap.class;
                    let is_kept = KEPT.contains(&made) || with_library || self.is_of_library(made);
                    if of == "java/lang/invoke/LambdaMetafactory" && is_kept {
                        all.extend(self.reference_callees(insn)?);
                    }
                }
                _ => {}
            }
        }
        Some(all)
    }

    /// All methods that a call of a project method can reach; `None` if there may be others.
    pub(super) fn targets(&self, kind: InvokeKind, member: &MemberRef) -> Option<Vec<Body>> {
        if let Some(only) = self.only_target(kind, member) {
            return Some(vec![only]);
        }
        let is_virtual = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
        let may_be_named = self
            .outside
            .may_implement(&self.class(&member.class), &member.name);
        if !is_virtual || may_be_named && !self.is_closed(&member.class) {
            return None;
        }
        let insn = Insn::Invoke(kind, Arc::new(member.clone()));
        let targets = self.hierarchy.targets(&insn);
        if targets.unknown {
            return None;
        }
        targets
            .known
            .iter()
            .map(|n| self.method_numbered(*n))
            .collect()
    }

    /// The body of a method of the hierarchy.
    pub(super) fn method_numbered(&self, number: u32) -> Option<Body> {
        let (class, method) = self.hierarchy.method(number)?;
        body_of(&self.class(&class.name)?, method)
    }
}
