//! Objects of the JDK's types, by the engine's recipes, and lambdas.

use super::{
    ABSTRACT, CALLS_OF_CONTAINER, Generator, Grammar, INTERFACE, Lookup, Maker, OBJECT, STATIC,
    STRING, SYNTHETIC, class_of, platform,
};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{is_jdk, parameter_descriptors, returns_never_null};
use crate::jvm::search::Function;
use crate::model::{ClassName, Input, MethodRef, Spelling};
use crate::symex::{CLASS, Typed, recipe_texts, typed_call, typed_result};
use std::sync::Arc;

/// Implementations of the project that stand beside a lambda, at most.
const MAX_FUNCTIONS: usize = 4;

/// Abstract methods of an interface that is implemented, at most.
const MAX_ANSWERS: usize = 12;

/// Functional interfaces of the JDK, and what makes objects of them that answer by their arguments; notation of the engine's recipes.
const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        "java/util/function/Function",
        &["java/util/function/Function.identity()Ljava/util/function/Function;"],
    ),
    (
        "java/util/function/UnaryOperator",
        &["java/util/function/UnaryOperator.identity()Ljava/util/function/UnaryOperator;"],
    ),
    (
        "java/util/function/IntUnaryOperator",
        &["java/util/function/IntUnaryOperator.identity()Ljava/util/function/IntUnaryOperator;"],
    ),
    (
        "java/util/function/LongUnaryOperator",
        &["java/util/function/LongUnaryOperator.identity()Ljava/util/function/LongUnaryOperator;"],
    ),
    (
        "java/util/function/DoubleUnaryOperator",
        &[
            "java/util/function/DoubleUnaryOperator.identity()Ljava/util/function/DoubleUnaryOperator;",
        ],
    ),
    (
        "java/util/function/Predicate",
        &["java/util/function/Predicate.isEqual(Ljava/lang/Object;)Ljava/util/function/Predicate;"],
    ),
    (
        "java/util/function/BinaryOperator",
        &[
            "java/util/function/BinaryOperator.minBy(Ljava/util/Comparator;)Ljava/util/function/BinaryOperator;",
            "java/util/function/BinaryOperator.maxBy(Ljava/util/Comparator;)Ljava/util/function/BinaryOperator;",
        ],
    ),
];

/// What a search makes beside the engine's recipes: files with a text in them, locales, streams that give less than
/// they are asked for, one that skips nothing before it is read, stand-ins that fail where there are some, and long lists; notation of
/// the recipes.
const MORE: &[(&str, &[&str])] = &[
    (
        "java/nio/file/Path",
        &[
            "java/nio/file/Files.writeString(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path;",
        ],
    ),
    (
        "java/io/File",
        &[
            "java/nio/file/Files.writeString(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path; > java/nio/file/Path.toFile()Ljava/io/File;",
        ],
    ),
    (
        "java/util/Locale",
        &["java/util/Locale.<init>(Ljava/lang/String;Ljava/lang/String;)V"],
    ),
    (
        "java/util/Calendar",
        &["java/util/GregorianCalendar.<init>(IIIIII)V; set(II)V"],
    ),
    (
        "java/io/InputStream",
        &[
            "java/io/SequenceInputStream.<init>(Ljava/io/InputStream;Ljava/io/InputStream;)V",
            "javax/crypto/CipherInputStream.<init>(Ljava/io/InputStream;Ljavax/crypto/Cipher;)V",
            "com/shadowci/standin/StandInForInputStream.<init>()V",
        ],
    ),
    (
        "javax/crypto/Cipher",
        &["javax/crypto/NullCipher.<init>()V"],
    ),
    (
        "java/util/List",
        &["java/util/Collections.nCopies(ILjava/lang/Object;)Ljava/util/List;"],
    ),
    (
        "java/util/Collection",
        &["java/util/Collections.nCopies(ILjava/lang/Object;)Ljava/util/List;"],
    ),
    (
        "java/lang/Iterable",
        &["java/util/Collections.nCopies(ILjava/lang/Object;)Ljava/util/List;"],
    ),
    (
        "java/io/Reader",
        &[
            "java/io/InputStreamReader.<init>(Ljava/io/InputStream;)V",
            "java/io/PushbackReader.<init>(Ljava/io/Reader;)V",
            "com/shadowci/standin/StandInForReader.<init>()V",
        ],
    ),
    (
        "java/io/OutputStream",
        &["com/shadowci/standin/StandInForOutputStream.<init>()V"],
    ),
    (
        "java/io/Writer",
        &["com/shadowci/standin/StandInForWriter.<init>()V"],
    ),
];

/// Addresses of files with a text in them: beside those of texts, which mostly name nothing.
const OF_FILES: &[(&str, &str)] = &[
    (
        "java/net/URI",
        "java/nio/file/Files.writeString(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path; > java/nio/file/Path.toUri()Ljava/net/URI;",
    ),
    (
        "java/net/URL",
        "java/nio/file/Files.writeString(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path; > java/nio/file/Path.toUri()Ljava/net/URI; > java/net/URI.toURL()Ljava/net/URL;",
    ),
];

fn more(class: &str) -> &'static [&'static str] {
    let found = MORE.iter().find(|(name, _)| *name == class);
    found.map_or(&[], |(_, texts)| texts)
}

/// A lambda's method: the interface that declares it, and the method.
type Abstract = (Arc<ClassFile>, Method);

impl Grammar<'_> {
    /// The values that recipes make; `None` where there are none for the class. What recipes call once can be called often.
    pub(super) fn by_recipe(&mut self, class: &str, of: &Typed) -> Lookup<Option<Generator>> {
        let mut texts = [recipe_texts(class), more(class)].concat();
        for text in std::mem::take(&mut texts) {
            let owner = text.split('.').next().filter(|c| c.starts_with(STAND_INS));
            if owner.map_or(Ok(true), |owner| self.find(owner).map(|f| f.is_some()))? {
                texts.push(text);
            }
        }
        self.by_texts(&texts, of)
    }

    /// Objects of a class of the JDK that no recipe makes.
    pub(super) fn of_platform(
        &mut self,
        file: &ClassFile,
        of: &Typed,
    ) -> Lookup<Option<Generator>> {
        let texts = platform::texts(file);
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let of_files = OF_FILES.iter().filter(|(name, _)| **name == *file.name);
        texts.extend(of_files.map(|(_, text)| *text));
        self.by_texts(&texts, of)
    }

    /// A functional interface of the JDK: its recipes, or a lambda and what answers by its arguments, and the project's own.
    pub(super) fn functions(
        &mut self,
        file: &ClassFile,
        of: &Typed,
        below: &[Typed],
    ) -> Lookup<Option<Generator>> {
        let Some(lambda) = self.lambda(file, of)? else {
            return Ok(None);
        };
        // What gives its argument is no function to another type.
        let is_same = of.arguments.first() == of.arguments.get(1) || of.arguments.len() < 2;
        let known = FUNCTIONS.iter().find(|(name, _)| **name == *file.name);
        let known = known.filter(|_| is_same);
        let made = match self.by_recipe(&file.name, of)? {
            Some(made) => vec![made],
            None => std::iter::once(lambda)
                .chain(self.by_texts(known.map_or(&[], |(_, texts)| texts), of)?)
                .collect(),
        };
        let mut kinds = Vec::new();
        for typed in below.iter().take(MAX_FUNCTIONS) {
            kinds.push(self.kind(typed)?);
        }
        for generator in made {
            kinds.push(self.put(generator, false));
        }
        Ok(Some(Generator::OneOf(kinds)))
    }

    fn by_texts(&mut self, texts: &[&str], of: &Typed) -> Lookup<Option<Generator>> {
        if texts.is_empty() {
            return Ok(None);
        }
        let (mut constants, mut groups) = (Vec::new(), Vec::<(Maker, Vec<Maker>)>::new());
        for text in texts {
            if let Some((class, field)) = text.split_once('#') {
                constants.push(Input::Field {
                    class: class.dotted(),
                    field: field.to_string(),
                });
                continue;
            }
            if let Some((maker, calls)) = self.by_steps(text, of)? {
                join(&mut groups, maker, calls);
            }
        }
        let mut kinds: Vec<u32> = Vec::new();
        for group in groups {
            kinds.push(self.group(group));
        }
        if !constants.is_empty() {
            kinds.push(self.put(Generator::Constants(constants), false));
        }
        Ok(Some(match kinds[..] {
            [one] => self.kinds[one as usize].generator.clone(),
            _ => Generator::OneOf(kinds),
        }))
    }

    /// A constructor or factory with the calls on what it makes, or what a call on that gives, and so on.
    fn by_steps(&mut self, text: &str, of: &Typed) -> Lookup<Option<(Maker, Vec<Maker>)>> {
        let mut steps = text.split(" > ");
        let mut made = self.made(steps.next().unwrap_or_default(), of)?;
        for step in steps {
            let (Some(before), Some((owner, member))) = (made, step.split_once('.')) else {
                return Ok(None);
            };
            let receiver = self.group(before);
            let last = self.member(owner, member, of)?;
            made = last.map(|last| {
                let receiver = Some(receiver);
                (Maker { receiver, ..last }, Vec::new())
            });
        }
        Ok(made)
    }

    fn group(&mut self, (maker, calls): (Maker, Vec<Maker>)) -> u32 {
        let generator = Generator::Objects {
            makers: vec![maker],
            calls,
            most_calls: CALLS_OF_CONTAINER,
        };
        self.put(generator, false)
    }

    /// A constructor or factory, and the calls on what it makes.
    fn made(&mut self, text: &str, of: &Typed) -> Lookup<Option<(Maker, Vec<Maker>)>> {
        // A descriptor may end in a semicolon itself: the blank behind it tells the separator.
        let mut members = text.split("; ");
        let Some((owner, member)) = members.next().and_then(|m| m.split_once('.')) else {
            return Ok(None);
        };
        let Some(maker) = self.member(owner, member, of)? else {
            return Ok(None);
        };
        let mut calls: Vec<Maker> = Vec::new();
        for member in members {
            if let Some(call) = self.member(owner, member, of)?
                && !calls.contains(&call)
            {
                calls.push(call);
            }
        }
        Ok(Some((maker, calls)))
    }

    /// A recipe's member; a parameter of type `Object` takes the type argument of its place.
    fn member(&mut self, owner: &str, member: &str, of: &Typed) -> Lookup<Option<Maker>> {
        let Some((name, rest)) = member.split_once('(') else {
            return Ok(None);
        };
        let descriptor = format!("({rest}");
        let (mut args, mut n) = (Vec::new(), 0);
        for param in crate::bytecode::parameter_descriptors(&descriptor) {
            args.push(match &*param {
                OBJECT => {
                    n += 1;
                    let element = of.argument(n - 1);
                    // Where nobody asks what it is, a text is as good as anything.
                    match &*element.descriptor == OBJECT && self.tested.is_empty() {
                        true => self.kind(&Typed::raw(STRING))?,
                        false => self.kind(&element)?,
                    }
                }
                // A file is written in the folder that each run has for itself.
                PATH if owner == FILES => {
                    let plain = self.by_texts(recipe_texts("java/nio/file/Path"), of)?;
                    self.put(plain.unwrap_or(Generator::Null), false)
                }
                CHARS if owner == FILES => {
                    let kind = self.kind(&Typed::raw(STRING))?;
                    self.not_null(kind)
                }
                OPTIONS => {
                    let none = self.put(Generator::Null, false);
                    self.put(Generator::Array(OPTION.to_string(), none), false)
                }
                CLASS => {
                    let kind = self.kind(&of.class_of_argument())?;
                    self.not_null(kind)
                }
                // One around another of its type has a plain one in it, and no further ones.
                own if own == &*of.descriptor
                    && let Some(class) = class_of(own).filter(|c| !more(c).is_empty()) =>
                {
                    let plain = recipe_texts(class);
                    let made = self.by_texts(plain, of)?.unwrap_or(Generator::Null);
                    self.put(made, false)
                }
                other => {
                    let kind = self.kind(&Typed::raw(other))?;
                    self.not_null(kind)
                }
            });
        }
        Ok(Some(Maker {
            receiver: None,
            method: MethodRef {
                class: ClassName::of_internal(owner),
                name: name.to_string(),
                descriptor,
            },
            args,
        }))
    }

    /// A lambda for an interface with one abstract method.
    pub(super) fn lambda(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Option<Generator>> {
        let Some((declares, method)) = self.only_method(file)? else {
            return Ok(None);
        };
        let function = self.function(file, of, &declares, &method)?;
        Ok(Some(Generator::Lambda(function)))
    }

    /// The method that a lambda implements, and the interface that declares it (JLS §9.8); generic ones have none.
    fn only_method(&self, file: &ClassFile) -> Lookup<Option<Abstract>> {
        let mut found = Vec::new();
        if file.access & INTERFACE != 0 {
            self.abstract_methods(file, &mut found, 0)?;
        }
        let only = found.pop().filter(|_| found.is_empty());
        Ok(only.filter(|(_, method)| !method.is_generic()))
    }

    /// An object of an interface of the program with several abstract methods, which both versions have.
    pub(super) fn stand_in(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Option<Generator>> {
        if file.access & INTERFACE == 0 || is_jdk(&file.name) {
            return Ok(None);
        }
        let mut found = Vec::new();
        self.abstract_methods(file, &mut found, 0)?;
        let is_any_generic = found.iter().any(|(_, method)| method.is_generic());
        if is_any_generic || !(2..=MAX_ANSWERS).contains(&found.len()) {
            return Ok(None);
        }
        let mut functions = Vec::new();
        for (declares, method) in &found {
            let has = |f: &ClassFile| f.method(&method.name, &method.descriptor).is_some();
            if !self.is_in_both(&declares.name, has)? {
                return Ok(None);
            }
            functions.push(self.function(file, of, declares, method)?);
        }
        Ok(Some(Generator::StandIn(file.name.dotted(), functions)))
    }

    /// A method as an interface has it, with the kind of its result, and those of its parameters.
    fn function(
        &mut self,
        file: &ClassFile,
        of: &Typed,
        declares: &ClassFile,
        method: &Method,
    ) -> Lookup<Function> {
        let types = parameter_types(file, of, declares, method);
        let mut function = self.signature(file, of, declares, method, false)?;
        for (at, typed) in (0..).zip(types) {
            let Some(class) = class_of(&typed.descriptor) else {
                continue;
            };
            let Some(called) = self.find(class)? else {
                continue;
            };
            let Some((above, inner)) = self.only_method(&called)? else {
                continue;
            };
            // What it throws the function has to declare, too.
            let is_declared = |e| method.reflected.exceptions.contains(e);
            if inner.reflected.exceptions.iter().all(is_declared) {
                let inner = self.signature(&called, &typed, &above, &inner, true)?;
                function.calls.push((at, inner));
            }
        }
        Ok(function)
    }

    /// The same without what it may call; `is_called`: its arguments are made, not only looked at.
    fn signature(
        &mut self,
        file: &ClassFile,
        of: &Typed,
        declares: &ClassFile,
        method: &Method,
        is_called: bool,
    ) -> Lookup<Function> {
        let named = MethodRef {
            class: ClassName::of_internal(&file.name),
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
        };
        let result = method.descriptor.rsplit(')').next().unwrap_or_default();
        let signatures = signatures(file, declares, method);
        let kind = match typed_result(of, signatures.0, signatures.1) {
            _ if result == "V" => None,
            Some(typed) if &*typed.descriptor != OBJECT => Some(self.kind(&typed)?),
            _ if result == OBJECT => Some(self.kind(&Typed::raw(STRING))?),
            _ => Some(self.kind(&Typed::raw(result))?),
        };
        let is_never_null = self.sources.heeds_nullness
            && returns_never_null(self.path_of(declares)?, declares, method)?;
        let kind = kind.map(|kind| match is_never_null {
            true => self.not_null(kind),
            false => kind,
        });
        let mut parameters = Vec::new();
        for typed in parameter_types(file, of, declares, method) {
            // Of what a void function is called with, values are told, and of objects their class.
            let is_value = typed.descriptor.len() == 1 || &*typed.descriptor == STRING;
            parameters.push(match kind.is_some() || is_called || is_value {
                true => self.kind(&typed)?,
                false => self.kind(&Typed::raw(OBJECT))?,
            });
        }
        Ok(Function {
            method: named,
            result: kind,
            parameters,
            calls: Vec::new(),
        })
    }

    /// Abstract methods of an interface and those above, but those that `Object` has (JLS §9.8) and those given a body.
    fn abstract_methods(
        &self,
        file: &ClassFile,
        out: &mut Vec<Abstract>,
        depth: u32,
    ) -> Lookup<()> {
        let of_object = ["equals", "hashCode", "toString"];
        for method in &file.methods {
            let is_abstract = method.access & (ABSTRACT | STATIC | SYNTHETIC) == ABSTRACT;
            let is = |m: &Method| m.name == method.name && m.descriptor == method.descriptor;
            let known = out.iter().any(|(_, m)| is(m));
            if is_abstract && !known && !of_object.contains(&&*method.name) {
                out.push((Arc::new(file.clone()), method.clone()));
            }
        }
        for above in file.interfaces.iter().filter(|_| depth < 8) {
            if let Some(above) = self.find(above)? {
                let given = |m: &Method| {
                    let own = file.methods.iter();
                    let mut same = own.filter(|o| o.name == m.name);
                    same.any(|o| o.access & ABSTRACT == 0)
                };
                let mut more = Vec::new();
                self.abstract_methods(&above, &mut more, depth + 1)?;
                more.retain(|(_, m)| !given(m) && !out.iter().any(|(_, o)| o.name == m.name));
                out.extend(more);
            }
        }
        // Interfaces of the JDK that hold resources or run threads are no lambdas of tests.
        if is_jdk(&file.name) && file.name.starts_with("java/lang/AutoCloseable") {
            out.clear();
        }
        Ok(())
    }
}

/// The types of a method's parameters, as an interface with these type arguments has it.
fn parameter_types(
    file: &ClassFile,
    of: &Typed,
    declares: &ClassFile,
    method: &Method,
) -> Vec<Typed> {
    let erased = parameter_descriptors(&method.descriptor);
    let erased: Vec<Arc<str>> = erased.iter().map(|p| Arc::from(p.as_str())).collect();
    let (class, own) = signatures(file, declares, method);
    typed_call(of, class, own, &erased)
}

/// Only an interface's own methods are known with its type arguments.
fn signatures<'f>(
    file: &'f ClassFile,
    declares: &ClassFile,
    method: &'f Method,
) -> (Option<&'f str>, Option<&'f str>) {
    let is_own = declares.name == file.name;
    let own = |signature: &'f Option<Arc<str>>| signature.as_deref().filter(|_| is_own);
    (own(&file.signature), own(&method.signature))
}

/// Where stand-ins lie, if the build has any.
const STAND_INS: &str = "com/shadowci/standin/";
const FILES: &str = "java/nio/file/Files";
const PATH: &str = "Ljava/nio/file/Path;";
const CHARS: &str = "Ljava/lang/CharSequence;";
const OPTION: &str = "Ljava/nio/file/OpenOption;";
const OPTIONS: &str = "[Ljava/nio/file/OpenOption;";

/// Recipes with the same maker differ in how often they call.
fn join(groups: &mut Vec<(Maker, Vec<Maker>)>, maker: Maker, calls: Vec<Maker>) {
    match groups.iter_mut().find(|g| g.0 == maker) {
        Some(group) => {
            for call in calls {
                if !group.1.contains(&call) {
                    group.1.push(call);
                }
            }
        }
        None => groups.push((maker, calls)),
    }
}
