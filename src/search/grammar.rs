//! The grammar of an entry method's inputs: kinds of values, from declared types, constructors, factories and recipes.

mod class_literals;
mod factories;
mod fields;
mod generic_types;
mod library;
mod members;
mod of_library;
mod platform;
mod tested_types;
mod type_arguments;

use super::kinds::EntryKinds;
use crate::bytecode::access::{ABSTRACT, ENUM, FINAL, INTERFACE, PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Field, MemberRef, Method};
use crate::bytecode::{ClassPath, ClassPathError, Giver, givers, is_jdk, is_numbered};
use crate::jvm::search::{Generator, Maker, ValueKind};
use crate::model::{ClassName, Input, MethodRef, Spelling};
use crate::symex::{Typed, typed_parameters};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Makers of one class, calls on its objects, fields of them that are set, and classes below an abstract one that are taken.
const MAX_MAKERS: usize = 12;
const MAX_CALLS: usize = 24;
const MAX_FIELDS: usize = 8;
const MAX_COPYING: usize = 12;
const MAX_PRODUCERS: usize = 4;
const MAX_CLASSES: usize = 8;
/// Kinds of kinds that are looked through for one that is made easily.
const MAX_LEVELS: u32 = 3;
/// Calls on one object, of the program's classes and of the JDK's containers.
const CALLS_OF_PROGRAM: u32 = 6;
const CALLS_OF_CONTAINER: u32 = 48;
/// Kinds of one grammar; types met beyond that have no values but null.
const MAX_KINDS: usize = 400;

const STRING: &str = "Ljava/lang/String;";
const OBJECT: &str = "Ljava/lang/Object;";
const INTS: &str = "[I";

/// Where classes come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The old build.
    pub old: &'a ClassPath,
    /// The new build.
    pub new: &'a ClassPath,
    /// Libraries and the JDK.
    pub library: &'a ClassPath,
    /// All classes of the new build.
    pub classes: &'a [Arc<ClassFile>],
    /// Whether annotations keep null from what makes inputs.
    pub heeds_nullness: bool,
}

/// The kinds of the values that inputs of an entry consist of.
pub struct Grammar<'a> {
    sources: Sources<'a>,
    kinds: Vec<ValueKind>,
    known: BTreeMap<String, u32>,
    /// The entry's class.
    entry: String,
    /// Types that code near the change asks objects for, nearest first.
    tested: Vec<Arc<str>>,
    /// Those of them that the classes of the change and of the entry ask for themselves.
    tested_near: Vec<Arc<str>>,
    /// Those that the two methods themselves cast objects to.
    cast: Vec<Arc<str>>,
    /// How often the program calls what, where that was asked for.
    called: OnceCell<FxHashMap<Arc<MemberRef>, usize>>,
    /// Which fields the program reads and writes, where that was asked for.
    uses: OnceCell<fields::Uses>,
}

type Lookup<T> = Result<T, ClassPathError>;

/// The descriptor of a class.
fn descriptor_of(class: &str) -> String {
    format!("L{class};")
}

/// The class that a descriptor names.
fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

fn id(class: &str, method: &Method) -> MethodRef {
    MethodRef {
        class: ClassName::of_internal(class),
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
    }
}

/// The primitive that a box class holds.
fn boxed(class: &str) -> Option<u8> {
    Some(match class.strip_prefix("java/lang/")? {
        "Boolean" => b'Z',
        "Byte" => b'B',
        "Character" => b'C',
        "Short" => b'S',
        "Integer" => b'I',
        "Long" => b'J',
        "Float" => b'F',
        "Double" => b'D',
        _ => return None,
    })
}

/// The kinds for an entry method, whose parameters in `never_null` get no null. `changed` is the method that it is to reach.
///
/// # Errors
/// A class file can't be read.
pub fn entry_kinds(
    sources: Sources,
    (entry, method): (&MethodRef, &Method),
    changed: &MethodRef,
    never_null: &[bool],
) -> Lookup<EntryKinds> {
    let mut grammar = Grammar {
        sources,
        kinds: Vec::new(),
        known: BTreeMap::new(),
        entry: entry.class.internal(),
        tested: Vec::new(),
        tested_near: Vec::new(),
        cast: Vec::new(),
        called: OnceCell::new(),
        uses: OnceCell::new(),
    };
    (grammar.tested, grammar.tested_near) = grammar.find_tested([changed, entry])?;
    grammar.cast = grammar.find_cast([changed, entry])?;
    let class = entry.class.internal();
    let receiver = if method.access & STATIC != 0 || entry.name == "<init>" {
        None
    } else {
        let of = grammar.kind(&Typed::raw(&descriptor_of(&class)))?;
        Some(grammar.not_null(of))
    };
    let mut parameters = Vec::new();
    for (at, typed) in parameter_types(method).iter().enumerate() {
        let kind = grammar.kind(typed)?;
        parameters.push(match never_null.get(at) {
            Some(true) => grammar.not_null(kind),
            _ => kind,
        });
    }
    Ok(EntryKinds {
        kinds: grammar.kinds,
        receiver,
        parameters,
    })
}

fn parameter_types(method: &Method) -> Vec<Typed> {
    let params = crate::bytecode::parameter_descriptors(&method.descriptor);
    let params: Vec<Arc<str>> = params.iter().map(|p| Arc::from(p.as_str())).collect();
    typed_parameters(&params, method.signature.as_deref())
}

impl Grammar<'_> {
    fn find(&self, class: &str) -> Lookup<Option<Arc<ClassFile>>> {
        match self.sources.new.find(class)? {
            Some(found) => Ok(Some(found)),
            None => self.sources.library.find(class),
        }
    }

    /// Where a class comes from.
    fn path_of(&self, file: &ClassFile) -> Lookup<&ClassPath> {
        Ok(match self.sources.new.find(&file.name)? {
            Some(_) => self.sources.new,
            None => self.sources.library,
        })
    }

    fn put(&mut self, generator: Generator, nullable: bool) -> u32 {
        self.kinds.push(ValueKind {
            generator,
            nullable,
        });
        (self.kinds.len() - 1) as u32
    }

    /// The same kind without null.
    fn not_null(&mut self, of: u32) -> u32 {
        let ValueKind {
            generator,
            nullable,
        } = self.kinds[of as usize].clone();
        // A kind that is still being made has no generator yet: it stays as it is, null and all.
        if nullable && generator != Generator::Null {
            self.put(generator, false)
        } else {
            of
        }
    }

    /// The kind of a type's values, null too.
    fn kind(&mut self, of: &Typed) -> Lookup<u32> {
        let key = format!("{of:?}");
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let reference = of.descriptor.len() > 1;
        // Types name themselves: what is made for one is known by its number before it is there.
        let number = self.put(Generator::Null, reference);
        self.known.insert(key, number);
        if self.kinds.len() < MAX_KINDS {
            self.kinds[number as usize].generator = self.generator(of)?;
        }
        Ok(number)
    }

    fn generator(&mut self, of: &Typed) -> Lookup<Generator> {
        let descriptor = &*of.descriptor;
        if descriptor.len() == 1 {
            return Ok(Generator::Primitive(descriptor.as_bytes()[0]));
        }
        if descriptor.starts_with('[') {
            let element = of.element();
            let kind = self.kind(&element)?;
            return Ok(Generator::Array(element.descriptor.to_string(), kind));
        }
        if descriptor == STRING {
            return Ok(Generator::Text);
        }
        let class = class_of(descriptor).unwrap_or_default().to_string();
        if let Some(primitive) = boxed(&class) {
            return Ok(Generator::Boxed(primitive));
        }
        if let Some(generator) = self.well_known(&class, of)? {
            return Ok(generator);
        }
        let Some(file) = self.find(&class)? else {
            return Ok(Generator::Null);
        };
        self.objects(&file, of)
    }

    /// Types whose values are of a few well-known classes.
    fn well_known(&mut self, class: &str, of: &Typed) -> Lookup<Option<Generator>> {
        let names: &[&str] = match class {
            "java/lang/Object" => &[STRING, "Ljava/lang/Integer;", "Ljava/lang/Double;", INTS],
            "java/lang/Number" => &[
                "Ljava/lang/Integer;",
                "Ljava/lang/Double;",
                "Ljava/lang/Long;",
                "Ljava/lang/Short;",
                "Ljava/lang/Float;",
            ],
            "java/lang/Comparable" | "java/io/Serializable" => &[STRING, "Ljava/lang/Integer;"],
            "java/lang/CharSequence" => &[STRING, STRING, "Ljava/lang/StringBuilder;"],
            "java/lang/Class" => return Ok(Some(self.class_literals(of)?)),
            "java/lang/reflect/Type" => {
                let classes = self.class_literals(of)?;
                return Ok(Some(Generator::OneOf(vec![
                    self.put(classes, false),
                    self.parameterized_types()?,
                    self.type_variables()?,
                ])));
            }
            "java/lang/reflect/ParameterizedType" => {
                return Ok(Some(Generator::OneOf(vec![self.parameterized_types()?])));
            }
            "java/lang/reflect/TypeVariable" => {
                return Ok(Some(Generator::OneOf(vec![self.type_variables()?])));
            }
            _ => return Ok(None),
        };
        let mut kinds = Vec::new();
        for name in names {
            let kind = self.kind(&Typed::raw(name))?;
            kinds.push(self.not_null(kind));
        }
        // Objects that are hard to make would be most of what is made; those that the change itself wants begin with easy ones.
        for name in self.tested_below(class)? {
            let is_array = name.starts_with('[');
            let descriptor = match is_array {
                true => name.to_string(),
                false => descriptor_of(&name),
            };
            let kind = self.kind(&Typed::raw(&descriptor))?;
            let is_wanted = self.tested_near.contains(&name) && self.has_easy(kind, MAX_LEVELS);
            if is_array || is_jdk(&name) || is_wanted || self.is_light(kind, MAX_LEVELS) {
                kinds.push(self.not_null(kind));
            }
        }
        if class == "java/lang/Object" {
            let object = Maker {
                receiver: None,
                method: MethodRef {
                    class: "java.lang.Object".into(),
                    name: "<init>".into(),
                    descriptor: "()V".into(),
                },
                args: Vec::new(),
            };
            let generator = Generator::Objects {
                makers: vec![object],
                calls: Vec::new(),
                most_calls: 0,
            };
            kinds.push(self.put(generator, false));
        }
        Ok(Some(Generator::OneOf(kinds)))
    }

    /// Kinds of the types below a class that the classes of the change and of the entry ask such an object for, where they are easily
    /// made, as a stand-in is not, or the two methods cast to them.
    fn asked_for(&mut self, class: &str) -> Lookup<Vec<u32>> {
        let mut kinds = Vec::new();
        for name in self.tested_below(class)? {
            if self.tested_near.contains(&name) {
                let kind = self.kind(&Typed::raw(&descriptor_of(&name)))?;
                let is_made = self.cast.contains(&name) || self.has_easy(kind, MAX_LEVELS);
                kinds.extend(Some(kind).filter(|_| is_made));
            }
        }
        Ok(kinds)
    }

    fn objects(&mut self, file: &ClassFile, of: &Typed) -> Lookup<Generator> {
        // The body of an enum constant has the flag of an enum, too.
        if is_numbered(&file.name) {
            return self.given(file);
        }
        if file.access & ENUM != 0 {
            return self.enum_constants(file).map(Generator::Constants);
        }
        let below = self.below(&file.name, of)?;
        if is_jdk(&file.name)
            && let Some(functions) = self.functions(file, of, &below)?
        {
            return Ok(functions);
        }
        if let Some(generator) = self.by_recipe(&file.name, of)? {
            return Ok(generator);
        }
        let lambda = match self.lambda(file, of)? {
            Some(lambda) => Some(lambda),
            None => self.stand_in(file, of)?,
        };
        let provided = file.access & INTERFACE != 0 && !below.is_empty();
        if is_jdk(&file.name) && !provided {
            return Ok(self.of_platform(file, of)?.unwrap_or(Generator::Null));
        }
        let mut kinds = Vec::new();
        if file.access & (ABSTRACT | INTERFACE) != 0 {
            for typed in below {
                kinds.push(self.kind(&typed)?);
            }
        }
        let own = self.own(file, of)?;
        let is_begun = own.as_ref().is_some_and(|o| self.begins(o, (file, of)));
        if kinds.is_empty() && lambda.is_none() && !is_begun && self.is_of_library(&file.name)? {
            kinds.extend(self.of_library(file, of)?);
        }
        if !own.as_ref().is_some_and(|o| self.is_easily_made(o)) {
            for generator in self.factories(file)? {
                kinds.push(self.put(generator, false));
            }
        }
        for kind in self.asked_for(&file.name)? {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let held = self.held_constants(file)?;
        if kinds.is_empty() && lambda.is_none() && (held.is_empty() || own.is_none()) {
            return Ok(own.unwrap_or(if held.is_empty() {
                Generator::Null
            } else {
                Generator::Constants(held)
            }));
        }
        let held =
            Some(Generator::Constants(held)).filter(|m| *m != Generator::Constants(Vec::new()));
        for generator in own.into_iter().chain(lambda).chain(held) {
            kinds.push(self.put(generator, false));
        }
        Ok(Generator::OneOf(kinds))
    }

    /// Whether values of a kind are made of little: of nothing, or of primitives and texts, and changed with no more.
    fn is_light(&self, kind: u32, levels: u32) -> bool {
        let Some(levels) = levels.checked_sub(1) else {
            return false;
        };
        match &self.kinds[kind as usize].generator {
            Generator::Null => false,
            Generator::OneOf(kinds) => kinds.iter().all(|k| self.is_light(*k, levels)),
            objects @ Generator::Objects { calls, .. } => {
                let is_plain = |call: &Maker| call.args.iter().all(|k| self.is_plain(k));
                self.is_easily_made(objects) && calls.iter().all(is_plain)
            }
            _ => true,
        }
    }

    /// Whether some values of a kind are made of nothing, or of primitives, texts and other such values, however they are changed.
    fn has_easy(&self, kind: u32, levels: u32) -> bool {
        let Some(levels) = levels.checked_sub(1) else {
            return false;
        };
        match &self.kinds[kind as usize].generator {
            Generator::OneOf(kinds) => kinds.iter().any(|k| self.has_easy(*k, levels)),
            Generator::Objects { makers, .. } => makers.iter().any(|maker| {
                let is_easy = |k: &u32| self.is_plain(k) || self.has_easy(*k, levels);
                maker.receiver.is_none() && maker.args.iter().all(is_easy)
            }),
            _ => false,
        }
    }

    fn is_plain(&self, kind: &u32) -> bool {
        matches!(
            self.kinds[*kind as usize].generator,
            Generator::Primitive(_) | Generator::Text | Generator::Boxed(_)
        )
    }

    /// Whether anything makes such objects of nothing, or of primitives and texts.
    fn is_easily_made(&self, generator: &Generator) -> bool {
        match generator {
            Generator::Objects { makers, .. } => makers
                .iter()
                .any(|m| m.receiver.is_none() && m.args.iter().all(|k| self.is_plain(k))),
            _ => false,
        }
    }

    /// Whether the class itself makes such objects without having one. What other classes make them of may be hard to get.
    fn begins(&self, generator: &Generator, (file, of): (&ClassFile, &Typed)) -> bool {
        let own = self.known.get(&format!("{of:?}"));
        let needs = |m: &Maker| m.args.iter().chain(&m.receiver).any(|k| Some(k) == own);
        let is_own = |m: &Maker| m.method.class.internal() == *file.name;
        let begins = |m: &Maker| is_own(m) && !needs(m);
        matches!(generator, Generator::Objects { makers, .. } if makers.iter().any(begins))
    }

    /// The constants of an enum that both versions have.
    fn enum_constants(&self, file: &ClassFile) -> Lookup<Vec<Input>> {
        let constants = file.fields.iter().filter(|f| f.access & ENUM != 0);
        let mut found = Vec::new();
        for field in constants {
            found.extend(self.constant(file, field)?);
        }
        Ok(found)
    }

    /// Objects that these make, with calls of what a class of the program or of a library has.
    fn made_by(
        &mut self,
        makers: Vec<Maker>,
        (file, of): (&ClassFile, &Typed),
    ) -> Lookup<Generator> {
        Ok(Generator::Objects {
            makers,
            calls: self.calls(file, of)?,
            most_calls: CALLS_OF_PROGRAM,
        })
    }

    /// Objects of a class without a name, as fields hold them and methods give them to others.
    fn given(&mut self, file: &ClassFile) -> Lookup<Generator> {
        let (mut constants, mut makers) = (Vec::new(), Vec::new());
        for giver in givers(self.sources.classes, &file.name)
            .into_iter()
            .take(MAX_MAKERS)
        {
            match giver {
                Giver::Field(holder, field) => constants.extend(self.constant(holder, field)?),
                Giver::Method(owner, method) => makers.extend(self.producer(owner, method)?),
            }
        }
        let mut kinds = Vec::new();
        if !constants.is_empty() {
            kinds.push(self.put(Generator::Constants(constants), false));
        }
        if !makers.is_empty() {
            let made = self.made_by(makers, (file, &Typed::raw(&descriptor_of(&file.name))))?;
            kinds.push(self.put(made, false));
        }
        Ok(match kinds[..] {
            [] => Generator::Null,
            [one] => self.kinds[one as usize].generator.clone(),
            _ => Generator::OneOf(kinds),
        })
    }

    /// What a static field holds, where both versions have it.
    fn constant(&self, holder: &ClassFile, field: &Field) -> Lookup<Option<Input>> {
        let same = |g: &Field| g.name == field.name && g.descriptor == field.descriptor;
        if !self.is_in_both(&holder.name, |f| f.fields.iter().any(same))? {
            return Ok(None);
        }
        let (class, name) = (holder.name.dotted(), field.name.to_string());
        Ok(Some(match field.access & ENUM {
            0 => Input::Field { class, field: name },
            _ => Input::Enum {
                class,
                constant: name,
            },
        }))
    }

    /// Objects of the class that its own static final fields hold in both versions.
    fn held_constants(&self, file: &ClassFile) -> Lookup<Vec<Input>> {
        const CONSTANT: u16 = STATIC | FINAL;
        let own = descriptor_of(&file.name);
        let is_one =
            |f: &&Field| f.access & (CONSTANT | PRIVATE) == CONSTANT && *f.descriptor == *own;
        let mut found = Vec::new();
        for field in file.fields.iter().filter(is_one) {
            found.extend(self.constant(file, field)?);
        }
        found.truncate(MAX_CLASSES);
        Ok(found)
    }

    /// Named concrete classes of the build below an abstract type, those first that code near the change asks for.
    fn below(&self, class: &str, of: &Typed) -> Lookup<Vec<Typed>> {
        let mut found = vec![class.to_string()];
        let mut at = 0;
        while at < found.len() {
            let parent = found[at].clone();
            for file in self.sources.classes {
                let mut parents = file.super_name.iter().chain(&file.interfaces);
                if parents.any(|p| **p == *parent) && !found.iter().any(|f| **f == *file.name) {
                    found.push(file.name.to_string());
                }
            }
            at += 1;
        }
        let concrete = |name: &String| {
            let files = self.sources.classes.iter();
            let mut same = files.filter(|f| *f.name == **name);
            same.any(|f| f.access & (ABSTRACT | INTERFACE | SYNTHETIC) == 0 && !is_numbered(name))
        };
        let mut below: Vec<String> = found.into_iter().skip(1).filter(concrete).collect();
        let is_tested = |name: &String| self.tested.iter().any(|t| **t == **name);
        below.sort_by_key(|name| (!is_tested(name), name.clone()));
        let mut all = Vec::new();
        for name in below {
            if all.len() < MAX_CLASSES {
                all.extend(self.as_below(&name, of)?);
            }
        }
        Ok(all)
    }
}
