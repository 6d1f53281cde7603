//! Concrete inputs for a method's parameters, from its types alone.

use crate::bytecode::access::{ABSTRACT, ENUM, INTERFACE, PUBLIC, STATIC};
use crate::bytecode::class_file::Method;
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::model::{Input, Inputs, MethodRef, Spelling};
use crate::search::{primitive, text};
use crate::util::random::Random;

/// How deep constructor arguments are built by constructors themselves.
const MAX_DEPTH: u32 = 3;

/// Draws inputs; objects of classes of the class path are made by their public constructors and factories.
pub(super) struct Inventory<'a> {
    pub classes: &'a ClassPath,
    pub random: Random,
    /// What `Object`s of this input are mostly: equal kinds compare and sort.
    flavour: usize,
}

impl<'a> Inventory<'a> {
    pub fn new(classes: &'a ClassPath, random: Random) -> Inventory<'a> {
        Inventory {
            classes,
            random,
            flavour: 0,
        }
    }

    /// One input of a method; `None` where values of a type can't be built.
    pub fn inputs(&mut self, method: &MethodRef, is_static: bool) -> Option<Inputs> {
        self.flavour = self.random.below(5);
        let receiver = if is_static || method.name == "<init>" {
            None
        } else {
            let descriptor = format!("L{};", method.class.internal());
            Some(self.object(&method.class, &descriptor, 0)?)
        };
        let parameters = parameter_descriptors(&method.descriptor);
        let args = parameters.iter().map(|p| self.value(p, 0));
        let args = args.collect::<Option<Vec<_>>>()?;
        Some(Inputs { receiver, args })
    }

    fn value(&mut self, descriptor: &str, depth: u32) -> Option<Input> {
        let first = descriptor.as_bytes().first().copied()?;
        if first != b'L' && first != b'[' {
            return Some(primitive(&mut self.random, first));
        }
        if self.random.one_in(12) {
            return Some(Input::Null);
        }
        if let Some(element) = descriptor.strip_prefix('[') {
            return self.array(element, depth);
        }
        let class = descriptor[1..].trim_end_matches(';').dotted();
        match class.as_str() {
            "java.lang.String" => Some(Input::Str(text(&mut self.random))),
            "java.lang.CharSequence" => Some(self.characters()),
            "java.lang.Object" | "java.io.Serializable" => Some(self.any()),
            "java.lang.Comparable" => Some(self.comparable()),
            "java.lang.Number" => {
                let kind = *self.random.pick(b"IJDFSB");
                Some(boxed(primitive(&mut self.random, kind)))
            }
            _ => match unboxed(&class) {
                Some(prim) => Some(boxed(primitive(&mut self.random, prim))),
                None => self
                    .library(&class, depth)
                    .or_else(|| self.object(&class, descriptor, depth)),
            },
        }
    }

    fn array(&mut self, element: &str, depth: u32) -> Option<Input> {
        let most = if element.starts_with('[') { 4 } else { 8 };
        let len = self.random.below(most);
        let values = (0..len).map(|_| self.value(element, depth + 1));
        let values = values.collect::<Option<Vec<_>>>()?;
        Some(Input::Array {
            element: element.to_string(),
            values,
        })
    }

    fn characters(&mut self) -> Input {
        let units = Input::Str(text(&mut self.random));
        if self.random.one_in(3) {
            let init = "(Ljava/lang/String;)V";
            return made("java.lang.StringBuilder", "<init>", init, vec![units]);
        }
        units
    }

    /// A value of any class: of the flavour of this input, or now and then another.
    pub(super) fn any(&mut self) -> Input {
        let flavour = if self.random.one_in(8) {
            self.random.below(7)
        } else {
            self.flavour
        };
        match flavour {
            0 | 1 => Input::Str(text(&mut self.random)),
            2 => boxed(primitive(&mut self.random, b'I')),
            3 => boxed(primitive(&mut self.random, b'D')),
            4 => boxed(primitive(&mut self.random, b'C')),
            5 => self.array("I", 1).unwrap_or(Input::Null),
            _ => self.array("Ljava/lang/String;", 1).unwrap_or(Input::Null),
        }
    }

    pub(super) fn comparable(&mut self) -> Input {
        match self.flavour {
            0 | 1 => Input::Str(text(&mut self.random)),
            2 => boxed(primitive(&mut self.random, b'I')),
            3 => boxed(primitive(&mut self.random, b'D')),
            _ => boxed(primitive(&mut self.random, b'C')),
        }
    }

    /// An enum constant, or an object through a public constructor or a static factory.
    fn object(&mut self, class: &str, descriptor: &str, depth: u32) -> Option<Input> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let file = self.classes.find(&class.internal()).ok()??;
        if file.access & PUBLIC == 0 {
            return None;
        }
        if file.access & ENUM != 0 {
            let constants = file.fields.iter().filter(|f| f.access & ENUM != 0);
            let constants: Vec<_> = constants.map(|f| f.name.clone()).collect();
            let at = self.random.below(constants.len());
            return constants.get(at).map(|name| field(class, name));
        }
        let constructor =
            |m: &&Method| &*m.name == "<init>" && file.access & (INTERFACE | ABSTRACT) == 0;
        let factory = |m: &&Method| {
            m.access & STATIC != 0 && m.descriptor.ends_with(&format!("){descriptor}"))
        };
        let public = || file.methods.iter().filter(|m| m.access & PUBLIC != 0);
        let mut makers: Vec<&Method> = public().filter(constructor).collect();
        if makers.is_empty() {
            makers = public().filter(factory).collect();
        }
        let maker = if makers.is_empty() {
            return None;
        } else {
            *self.random.pick(&makers)
        };
        let parameters = parameter_descriptors(&maker.descriptor);
        let args = parameters.iter().map(|p| self.value(p, depth + 1));
        let args = args.collect::<Option<Vec<_>>>()?;
        Some(made(class, &maker.name, &maker.descriptor, args))
    }
}

fn boxed(primitive: Input) -> Input {
    Input::Boxed(Box::new(primitive))
}

pub(super) fn field(class: &str, name: &str) -> Input {
    Input::Enum {
        class: class.into(),
        constant: name.into(),
    }
}

pub(super) fn id(class: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

pub(super) fn made(class: &str, name: &str, descriptor: &str, args: Vec<Input>) -> Input {
    Input::Object {
        method: id(class, name, descriptor),
        args,
        calls: Vec::new(),
    }
}

fn unboxed(class: &str) -> Option<u8> {
    Some(match class {
        "java.lang.Boolean" => b'Z',
        "java.lang.Byte" => b'B',
        "java.lang.Character" => b'C',
        "java.lang.Short" => b'S',
        "java.lang.Integer" => b'I',
        "java.lang.Long" => b'J',
        "java.lang.Float" => b'F',
        "java.lang.Double" => b'D',
        _ => return None,
    })
}
