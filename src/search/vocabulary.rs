//! The literals that the program's conditions compare with, and texts that its patterns match, near the change first.

use super::patterns;
use super::quoted::quoted;
use crate::bytecode::access::{ABSTRACT, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Code, Const, Insn};
use crate::bytecode::{ClassPath, ClassPathError, is_jdk};
use crate::jvm::search::Words;
use crate::model::{ANSWERS, Input, Inputs, MethodRef, Spelling};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Constants taken, of each kind and distance.
const MOST: usize = 300;
/// Classes whose methods are called that are looked at.
const MAX_CLASSES: usize = 12;
/// Numbers from here on that are characters are drawn as texts: the search makes characters of smaller ones by itself.
const FAR_CHARACTERS: u32 = 0x3000;
/// Longest text taken.
const LONGEST: usize = 120;

/// Texts that are tried where the program makes addresses of texts.
const ADDRESSES: [&str; 3] = ["http://a/b", "https://a.b:1/c?d=e#f", "file:/a"];

/// How the descriptor of a method begins that gives a text for a name.
const OF_NAME: &str = "(Ljava/lang/String;)Ljava/lang/String;";

/// Gathers words: those near the change are drawn more often.
#[derive(Debug, Default)]
pub struct Vocabulary {
    numbers: [BTreeSet<i64>; 2],
    /// Bits of doubles near the change that are not whole.
    reals: BTreeSet<i64>,
    texts: [BTreeSet<Vec<u16>>; 2],
}

impl Vocabulary {
    /// The words of a changed method (near), and of its class, the entry's and those it calls (far), in that build. Called for both
    /// builds, it has the words of both.
    ///
    /// # Errors
    /// A class file can't be read.
    pub fn add_program(
        &mut self,
        path: &ClassPath,
        changed: &MethodRef,
        entry: &MethodRef,
    ) -> Result<(), ClassPathError> {
        let internal = |id: &MethodRef| id.class.internal();
        let mut queue = VecDeque::from([internal(changed), internal(entry)]);
        let mut seen = BTreeSet::new();
        while let Some(name) = queue.pop_front() {
            if seen.len() >= MAX_CLASSES || !seen.insert(name.clone()) {
                continue;
            }
            let Some(class) = path.find(&name)? else {
                continue;
            };
            if seen.len() == 1 && loads_by_name(&class) {
                self.add_class_names(path, &class)?;
            }
            for (method, code) in codes(&class) {
                let own = name == internal(changed) && is_of(method, &changed.name);
                self.add_code(code, usize::from(!own));
                if own {
                    self.add_answers(code);
                }
                // What the changed method calls comes before what its neighbours call.
                if own || seen.len() == 1 {
                    queue.extend(code.insns.iter().filter_map(names_class));
                }
            }
            for field in &class.fields {
                if let Some(constant) = &field.constant {
                    self.add_constant(constant, 1);
                }
            }
        }
        Ok(())
    }

    /// Names by which a class that loads others may be told to load some: of the classes that its code names as such, and of one below each.
    fn add_class_names(
        &mut self,
        path: &ClassPath,
        class: &ClassFile,
    ) -> Result<(), ClassPathError> {
        let named: BTreeSet<Arc<str>> = codes(class)
            .flat_map(|(_, code)| &code.insns)
            .filter_map(told_class)
            .collect();
        let project = path.dir_classes()?;
        for name in named.into_iter().take(MAX_CLASSES) {
            let below = |c: &&Arc<ClassFile>| {
                let is_whole = c.access & (ABSTRACT | SYNTHETIC) == 0;
                let supers = c.interfaces.iter().chain(&c.super_name);
                is_whole && supers.into_iter().any(|s| *s == name)
            };
            let below = project.iter().find(below).map(|c| c.name.clone());
            for name in [Some(name.clone()), below].into_iter().flatten() {
                let dotted: Vec<u16> = name.replace('/', ".").encode_utf16().collect();
                self.texts[0].insert(dotted);
            }
        }
        Ok(())
    }

    /// The quoted texts of a source: near where they stand by calls of one of the methods.
    pub fn add_source(&mut self, source: &str, methods: [&MethodRef; 2]) {
        let names = methods.map(|m| match &*m.name {
            "<init>" | "<clinit>" => m.class.rsplit(['.', '$']).next().unwrap_or_default(),
            name => name,
        });
        let found = quoted(source, &names);
        for (far, texts) in [found.near, found.far].into_iter().enumerate() {
            let texts = texts.into_iter().map(|t| t.encode_utf16().collect());
            self.texts[far].extend(texts.collect::<Vec<Vec<u16>>>());
        }
    }

    /// Values that something else found, such as the model of a local condition: near ones.
    pub fn add_values(&mut self, inputs: &Inputs) {
        for input in inputs.receiver.iter().chain(&inputs.args) {
            self.add_value(input);
        }
    }

    fn add_value(&mut self, input: &Input) {
        match input {
            Input::Byte(n) => _ = self.numbers[0].insert(i64::from(*n)),
            Input::Short(n) => _ = self.numbers[0].insert(i64::from(*n)),
            Input::Char(n) => _ = self.numbers[0].insert(i64::from(*n)),
            Input::Int(n) => _ = self.numbers[0].insert(i64::from(*n)),
            Input::Long(n) => _ = self.numbers[0].insert(*n),
            Input::Str(units) => self.add_text(units, 0),
            made => made.parts().for_each(|part| self.add_value(part)),
        }
    }

    fn add_code(&mut self, code: &Code, far: usize) {
        for insn in &code.insns {
            match insn {
                Insn::Const(constant) => self.add_constant(constant, far),
                Insn::Switch(_, keys) => {
                    // Keys of a switch on strings are hash codes: the strings themselves are constants.
                    self.numbers[far].extend(keys.iter().map(|k| i64::from(k.0)).take(64));
                }
                Insn::InvokeDynamic(site) => {
                    site.args.iter().for_each(|a| self.add_constant(a, far));
                }
                Insn::Iinc(_, n) if n.abs() > 1 => _ = self.numbers[far].insert(i64::from(*n)),
                Insn::Invoke(_, m) if reads_address(&m.class, &m.descriptor) => {
                    ADDRESSES
                        .iter()
                        .for_each(|text| _ = self.texts[far].insert(text.encode_utf16().collect()));
                }
                _ => {}
            }
        }
    }

    /// What stand-ins answer for one name only (`name -> text`): of names that the code asks another object for, and its other literals.
    fn add_answers(&mut self, code: &Code) {
        let literals = code.insns.iter().filter_map(literal);
        let literals: BTreeSet<&[u16]> = literals.collect();
        let pairs = code.insns.windows(2);
        let asked = pairs.filter_map(|pair| match pair {
            [name, Insn::Invoke(_, m)] if m.descriptor.starts_with(OF_NAME) => literal(name),
            _ => None,
        });
        let asked: BTreeSet<&[u16]> = asked.filter(|a| a.len() <= LONGEST / 2).collect();
        let one: Vec<u16> = "1".encode_utf16().collect();
        let others = literals.difference(&asked).copied();
        let others = others.filter(|t| (1..=LONGEST / 2).contains(&t.len()));
        let answers: Vec<&[u16]> = std::iter::once(&one[..]).chain(others).collect();
        for name in asked.iter().take(MAX_CLASSES) {
            for answer in answers.iter().take(MAX_CLASSES) {
                let arrow: Vec<u16> = ANSWERS.encode_utf16().collect();
                self.texts[0].insert([*name, &arrow[..], *answer].concat());
            }
        }
    }

    fn add_constant(&mut self, constant: &Const, far: usize) {
        match constant {
            Const::Int(n) => _ = self.numbers[far].insert(i64::from(*n)),
            Const::Long(n) => _ = self.numbers[far].insert(*n),
            Const::Float(bits) => self.add_real(f64::from(f32::from_bits(*bits)), far),
            Const::Double(bits) => self.add_real(f64::from_bits(*bits), far),
            Const::Str(units) => {
                // The parts that a concatenation puts between its operands.
                for part in units.split(|u| *u == 1 || *u == 2) {
                    self.add_text(part, far);
                }
            }
            _ => {}
        }
    }

    fn add_real(&mut self, real: f64, far: usize) {
        if real.is_finite() && real.abs() < 9e15 {
            self.numbers[far].insert(real as i64);
        }
        if far == 0 && real.is_finite() && real.fract() != 0.0 {
            self.reals.insert(real.to_bits() as i64);
        }
    }

    fn add_text(&mut self, units: &[u16], far: usize) {
        if units.is_empty() || units.len() > LONGEST {
            return;
        }
        self.texts[far].insert(units.to_vec());
        if let Ok(text) = String::from_utf16(units) {
            let made = patterns::examples(&text);
            self.texts[far].extend(made.iter().map(|t| t.encode_utf16().collect()));
        }
        self.numbers[1].insert(units.len() as i64);
    }

    /// The words, each list sorted.
    pub fn words(self) -> Words {
        let [near_numbers, mut far_numbers] = self.numbers;
        let [mut near_texts, mut far_texts] = self.texts;
        near_texts.extend(near_numbers.iter().filter_map(|n| far_character(*n)));
        far_numbers.retain(|n| !near_numbers.contains(n));
        far_texts.retain(|t| !near_texts.contains(t));
        Words {
            near_numbers: some(near_numbers),
            far_numbers: some(far_numbers),
            near_reals: some(self.reals),
            near_texts: some(near_texts),
            far_texts: some(far_texts),
        }
    }
}

/// The text of one character that a number stands for, where it is none that texts often have.
fn far_character(number: i64) -> Option<Vec<u16>> {
    let code = u32::try_from(number)
        .ok()
        .filter(|code| *code >= FAR_CHARACTERS)?;
    Some(char::from_u32(code)?.to_string().encode_utf16().collect())
}

/// Whether a method of the JDK makes an address of a text.
fn reads_address(class: &str, descriptor: &str) -> bool {
    matches!(class, "java/net/URL" | "java/net/URI")
        && descriptor.starts_with("(Ljava/lang/String;")
}

/// So many of them, from the whole range.
fn some<T>(all: BTreeSet<T>) -> Vec<T> {
    let step = all.len().div_ceil(MOST).max(1);
    all.into_iter().step_by(step).collect()
}

fn codes(class: &ClassFile) -> impl Iterator<Item = (&str, &Code)> {
    let methods = class.methods.iter();
    methods.filter_map(|m| Some((&*m.name, &**m.code.as_ref()?)))
}

fn literal(insn: &Insn) -> Option<&[u16]> {
    match insn {
        Insn::Const(Const::Str(units)) => Some(units),
        _ => None,
    }
}

/// Whether that is the method, or a lambda in it.
pub(super) fn is_of(method: &str, changed: &str) -> bool {
    let lambda = method
        .strip_prefix("lambda$")
        .and_then(|r| r.rsplit_once('$'));
    method == changed || lambda.is_some_and(|l| l.0 == changed)
}

/// Whether some method of a class loads classes by their names.
fn loads_by_name(class: &ClassFile) -> bool {
    let loads = |i: &Insn| match i {
        Insn::Invoke(_, m) => match &*m.name {
            "forName" => &*m.class == "java/lang/Class",
            "loadClass" => true,
            _ => false,
        },
        _ => false,
    };
    codes(class).any(|(_, code)| code.insns.iter().any(loads))
}

/// The class of a class literal, a cast or a type test.
fn told_class(insn: &Insn) -> Option<Arc<str>> {
    match insn {
        Insn::Const(Const::Class(name)) | Insn::CheckCast(name) | Insn::InstanceOf(name) => {
            (!name.starts_with('[')).then(|| name.clone())
        }
        _ => None,
    }
}

fn names_class(insn: &Insn) -> Option<String> {
    let class = match insn {
        Insn::Invoke(_, m) | Insn::GetStatic(m) => &m.class,
        _ => return None,
    };
    (!class.starts_with('[') && !is_jdk(class)).then(|| class.to_string())
}
