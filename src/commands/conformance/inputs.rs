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
    fn any(&mut self) -> Input {
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

    fn comparable(&mut self) -> Input {
        match self.flavour {
            0 | 1 => Input::Str(text(&mut self.random)),
            2 => boxed(primitive(&mut self.random, b'I')),
            3 => boxed(primitive(&mut self.random, b'D')),
            _ => boxed(primitive(&mut self.random, b'C')),
        }
    }

    fn items(&mut self, nulls: bool) -> Input {
        let len = self.random.below(7);
        let values = (0..len).map(|_| {
            if nulls && self.random.one_in(10) {
                Input::Null
            } else {
                self.comparable()
            }
        });
        Input::Array {
            element: "Ljava/lang/Object;".into(),
            values: values.collect(),
        }
    }

    fn list_of(&mut self, nulls: bool) -> Input {
        let items = self.items(nulls);
        let descriptor = "([Ljava/lang/Object;)Ljava/util/List;";
        made("java.util.Arrays", "asList", descriptor, vec![items])
    }

    fn copied_into(&mut self, class: &str, nulls: bool) -> Input {
        let items = self.list_of(nulls);
        made(class, "<init>", "(Ljava/util/Collection;)V", vec![items])
    }

    fn map(&mut self, class: &str) -> Input {
        let put = MethodRef {
            class: class.into(),
            name: "put".into(),
            descriptor: "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;".into(),
        };
        let len = self.random.below(6);
        let calls = (0..len)
            .map(|_| (put.clone(), vec![self.comparable(), self.any()]))
            .collect();
        Input::Object {
            method: id(class, "<init>", "()V"),
            args: Vec::new(),
            calls,
        }
    }

    /// A value of a well-known type of the JDK.
    fn library(&mut self, class: &str, depth: u32) -> Option<Input> {
        let factory = |owner: &str, name: &str, result: &str| {
            made(owner, name, &format!("()L{result};"), Vec::new())
        };
        Some(match class {
            "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => {
                match self.random.below(4) {
                    0 => self.list_of(true),
                    1 => self.copied_into("java.util.LinkedList", true),
                    _ => self.copied_into("java.util.ArrayList", true),
                }
            }
            "java.util.ArrayList" | "java.util.LinkedList" | "java.util.Vector" => {
                self.copied_into(class, true)
            }
            "java.util.Queue" | "java.util.Deque" | "java.util.ArrayDeque" => {
                self.copied_into("java.util.ArrayDeque", false)
            }
            "java.util.Set" | "java.util.HashSet" => match self.random.below(2) {
                0 => self.copied_into("java.util.HashSet", true),
                _ => self.copied_into("java.util.LinkedHashSet", true),
            },
            "java.util.SortedSet" | "java.util.NavigableSet" | "java.util.TreeSet" => {
                self.copied_into("java.util.TreeSet", false)
            }
            "java.util.Map" | "java.util.HashMap" => match self.random.below(2) {
                0 => self.map("java.util.HashMap"),
                _ => self.map("java.util.LinkedHashMap"),
            },
            "java.util.SortedMap" | "java.util.NavigableMap" | "java.util.TreeMap" => {
                self.map("java.util.TreeMap")
            }
            "java.util.Comparator" => match self.random.below(3) {
                0 => factory(
                    "java.util.Collections",
                    "reverseOrder",
                    "java/util/Comparator",
                ),
                1 => factory(
                    "java.util.Comparator",
                    "naturalOrder",
                    "java/util/Comparator",
                ),
                _ => field("java.lang.String", "CASE_INSENSITIVE_ORDER"),
            },
            "java.util.Locale" => {
                let names = ["US", "ROOT", "GERMANY", "ENGLISH"];
                field("java.util.Locale", names[self.random.below(names.len())])
            }
            "java.lang.Class" => {
                let owner = self.random.pick(&["Integer", "Boolean", "Double", "Void"]);
                field(&format!("java.lang.{owner}"), "TYPE")
            }
            "java.lang.Appendable" | "java.lang.StringBuilder" | "java.lang.StringBuffer" => {
                let class = if class.ends_with("Buffer") {
                    class
                } else {
                    "java.lang.StringBuilder"
                };
                let units = Input::Str(text(&mut self.random));
                made(class, "<init>", "(Ljava/lang/String;)V", vec![units])
            }
            "java.util.function.Function" => factory(
                "java.util.function.Function",
                "identity",
                "java/util/function/Function",
            ),
            "java.util.function.UnaryOperator" => factory(
                "java.util.function.UnaryOperator",
                "identity",
                "java/util/function/UnaryOperator",
            ),
            "java.util.function.Predicate" => {
                let descriptor = "(Ljava/lang/Object;)Ljava/util/function/Predicate;";
                let than = self.any();
                made(
                    "java.util.function.Predicate",
                    "isEqual",
                    descriptor,
                    vec![than],
                )
            }
            "java.util.Iterator" => factory(
                "java.util.Collections",
                "emptyIterator",
                "java/util/Iterator",
            ),
            "java.util.Enumeration" => factory(
                "java.util.Collections",
                "emptyEnumeration",
                "java/util/Enumeration",
            ),
            "java.math.BigInteger" | "java.math.BigDecimal" => {
                let digits = match primitive(&mut self.random, b'J') {
                    Input::Long(n) => n.to_string(),
                    _ => "0".into(),
                };
                let digits = if class.ends_with("Decimal") && self.random.one_in(2) {
                    format!("{digits}.{}", self.random.below(1000))
                } else {
                    digits
                };
                let digits = Input::Str(digits.encode_utf16().collect());
                made(class, "<init>", "(Ljava/lang/String;)V", vec![digits])
            }
            "java.util.Random" if depth == 0 => {
                made(class, "<init>", "(J)V", vec![Input::Long(42)])
            }
            _ => return None,
        })
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

fn field(class: &str, name: &str) -> Input {
    Input::Enum {
        class: class.into(),
        constant: name.into(),
    }
}

fn id(class: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

fn made(class: &str, name: &str, descriptor: &str, args: Vec<Input>) -> Input {
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
