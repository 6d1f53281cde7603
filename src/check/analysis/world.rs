//! The reach of a method to files, network, processes or the JVM itself, for systems that can't contain tested code.
//!
//! What runs belongs to classes that are named by classes that run, their subclasses included: a closure over names, which leaves
//! nothing out. Of the JDK, only what is known to be harmless is let through; reflection and natives are not.

use crate::bytecode::ClassPath;
use crate::bytecode::access::NATIVE;
use crate::bytecode::class_file::{ClassFile, Const, Insn};
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Packages and classes of the JDK that touch nothing but memory; what a longer name in `OPEN` begins with is none of them.
const HARMLESS: [&str; 30] = [
    "java/lang/",
    "java/util/",
    "java/math/",
    "java/text/",
    "java/time/",
    "java/nio/charset/",
    "java/nio/ByteBuffer",
    "java/nio/CharBuffer",
    "java/nio/IntBuffer",
    "java/nio/LongBuffer",
    "java/nio/ByteOrder",
    "java/nio/BufferUnderflowException",
    "java/nio/BufferOverflowException",
    "java/io/Serializable",
    "java/io/Externalizable",
    "java/io/Closeable",
    "java/io/Flushable",
    "java/io/IOException",
    "java/io/UncheckedIOException",
    "java/io/EOFException",
    "java/io/UnsupportedEncodingException",
    "java/io/StringReader",
    "java/io/StringWriter",
    "java/io/ByteArray",
    "java/io/CharArray",
    "java/io/Reader",
    "java/io/Writer",
    "java/io/BufferedReader",
    "java/io/InputStream",
    "java/io/OutputStream",
];

/// Of these, what does touch it, or can call anything.
const OPEN: [&str; 20] = [
    "java/lang/Runtime",
    "java/lang/Process",
    "java/lang/Class",
    "java/lang/Module",
    "java/lang/Thread",
    "java/lang/Shutdown",
    "java/lang/System",
    "java/lang/reflect/",
    "java/lang/invoke/",
    "java/lang/instrument/",
    "java/lang/management/",
    "java/lang/foreign/",
    "java/util/logging/",
    "java/util/prefs/",
    "java/util/jar/",
    "java/util/zip/ZipFile",
    "java/util/Scanner",
    "java/util/Formatter",
    "java/util/ServiceLoader",
    "java/util/Timer",
];

/// Members of those that are harmless all the same.
const CLOSED: [&str; 24] = [
    "java/lang/ClassCastException.",
    "java/lang/ClassNotFoundException.",
    "java/lang/ThreadLocal.",
    "java/lang/RuntimeException.",
    "java/lang/System.arraycopy",
    "java/lang/System.identityHashCode",
    "java/lang/System.nanoTime",
    "java/lang/System.currentTimeMillis",
    "java/lang/System.lineSeparator",
    "java/lang/System.out",
    "java/lang/System.err",
    "java/lang/System.getProperty",
    "java/lang/Class.getName",
    "java/lang/Class.getSimpleName",
    "java/lang/Class.desiredAssertionStatus",
    "java/lang/Class.isInstance",
    "java/lang/Class.hashCode",
    "java/lang/invoke/StringConcatFactory.",
    "java/lang/invoke/LambdaMetafactory.",
    "java/lang/runtime/ObjectMethods.",
    "java/lang/runtime/SwitchBootstraps.",
    "java/io/PrintStream.print",
    "java/lang/Thread.currentThread",
    "java/lang/Thread.interrupted",
];

/// The first member of the JDK that a method could come to and that could touch the world; `None` where there is none.
pub(super) fn reached(paths: &[&Arc<ClassPath>], entry: &MethodRef) -> Option<String> {
    let mut walk = Walk::new(paths);
    walk.class(&entry.class.internal());
    walk.descriptor(&entry.descriptor);
    while let Some(name) = walk.next.pop() {
        for path in paths {
            match path.find(&name) {
                Ok(Some(class)) if !path.jdk_has_package_of(&name) => walk.read(&class),
                Ok(_) => {}
                Err(_) => return Some(name.dotted()),
            }
        }
        if let Some(found) = walk.found {
            return Some(found.dotted());
        }
    }
    None
}

struct Walk {
    seen: BTreeSet<Arc<str>>,
    next: Vec<Arc<str>>,
    /// Direct subclasses and implementations among the project's own classes.
    below: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    found: Option<String>,
}

impl Walk {
    fn new(paths: &[&Arc<ClassPath>]) -> Walk {
        let mut below: BTreeMap<Arc<str>, Vec<Arc<str>>> = BTreeMap::new();
        for path in paths {
            for name in path.list_dirs() {
                if let Ok(Some(class)) = path.find(&name) {
                    for above in class.super_name.iter().chain(&class.interfaces) {
                        below
                            .entry(above.clone())
                            .or_default()
                            .push(class.name.clone());
                    }
                }
            }
        }
        Walk {
            seen: BTreeSet::new(),
            next: Vec::new(),
            below,
            found: None,
        }
    }

    /// A class that may be loaded, by internal name or array descriptor.
    fn class(&mut self, name: &str) {
        if name.starts_with('[') {
            return self.descriptor(name);
        }
        let name: Arc<str> = Arc::from(name);
        // What is below a class of the JDK is named where it is made.
        if self.seen.insert(name.clone()) {
            if !name.starts_with("java/") {
                self.next
                    .extend(self.below.get(&name).into_iter().flatten().cloned());
            }
            self.next.push(name);
        }
    }

    fn descriptor(&mut self, descriptor: &str) {
        for part in descriptor.split(';') {
            if let Some((_, name)) = part.split_once('L') {
                self.class(name);
            }
        }
    }

    fn member(&mut self, class: &str, name: &str, descriptor: &str) {
        self.class(class);
        self.descriptor(descriptor);
        let member = format!("{class}.{name}");
        let begins = |all: &[&str], what: &str| all.iter().any(|a| what.starts_with(a));
        let harmless = begins(&CLOSED, &member)
            || begins(&HARMLESS, class) && !begins(&OPEN, class)
            || class.starts_with('[');
        let of_the_jdk = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];
        if begins(&of_the_jdk, class) && !harmless {
            self.found.get_or_insert(member);
        }
    }

    fn read(&mut self, class: &ClassFile) {
        for above in class.super_name.iter().chain(&class.interfaces) {
            self.member(above, "<init>", "()V");
        }
        for method in &class.methods {
            self.descriptor(&method.descriptor);
            if method.access & NATIVE != 0 {
                let native = format!("{}.{}", class.name, method.name);
                self.found.get_or_insert(native);
            }
            for insn in method.code.iter().flat_map(|code| &code.insns) {
                self.insn(insn);
            }
        }
    }

    fn insn(&mut self, insn: &Insn) {
        match insn {
            Insn::GetStatic(m)
            | Insn::PutStatic(m)
            | Insn::GetField(m)
            | Insn::PutField(m)
            | Insn::Invoke(_, m) => {
                self.member(&m.class, &m.name, &m.descriptor);
            }
            Insn::New(class) => self.member(class, "<init>", "()V"),
            Insn::ANewArray(class)
            | Insn::MultiANewArray(class, _)
            | Insn::CheckCast(class)
            | Insn::InstanceOf(class) => {
                self.class(class);
            }
            Insn::Const(constant) => self.constant(constant),
            Insn::InvokeDynamic(site) => {
                let bootstrap = &site.bootstrap;
                self.member(&bootstrap.class, &bootstrap.name, "()V");
                self.descriptor(&site.descriptor);
                site.args.iter().for_each(|a| self.constant(a));
            }
            _ => {}
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Class(name) => self.class(name),
            Const::MethodType(descriptor) => self.descriptor(descriptor),
            Const::MethodHandle(m) => self.member(&m.class, &m.name, &m.descriptor),
            Const::Dynamic(site) => {
                self.member(&site.bootstrap.class, &site.bootstrap.name, "()V");
                site.args.iter().for_each(|a| self.constant(a));
            }
            _ => {}
        }
    }
}
