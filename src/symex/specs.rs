//! Which ways there are to build a receiver or an argument, and what they leave out (DESIGN §5, *Inputs*).

use super::class::{Class, ClassId, Key, Method, access, split_descriptor};
use super::input::implementations::Implementations;
use super::input::recipes::{self, Recipe};
use super::input::spec::{PriorCall, Spec};
use super::input::typed::{self, Typed};
use super::input::{Built, CHARS, STRING, box_prim};
use super::linker::class_name_of;
use super::vm::Vm;
use crate::bytecode::class_file::Insn;
use crate::verdict::{MethodId, Version};
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Values that could not be covered: `(reason, detail)`.
pub(super) type Missing = Vec<(&'static str, String)>;

/// Not one object of the type can be built: its values are only null.
const NONE: &str = "input-type";
/// Some objects of the type are built, of all there are.
const SOME: &str = "input-variety";
/// Objects are of exactly that class.
const EXACT: &str = "input-objects";
/// More combinations than are tried.
const SHAPES: &str = "input-shapes";

/// Whether the reason bounds the inputs, rather than leaving a type out altogether.
pub(super) fn is_bound(reason: &str) -> bool {
    reason != NONE
}

/// Constructors tried per class, shapes of one constructor's arguments, prior calls, classes below an abstract one.
const MAX_MAKERS: usize = 4;
const MAX_SHAPES: usize = 4;
const MAX_CLASSES: usize = 3;
/// How deep constructors' arguments are built by constructors.
const MAX_DEPTH: u32 = 2;
/// Most shapes explored for one entry method.
const MAX_ENTRY_SHAPES: usize = 48;
/// Enum constants that are tried one by one.
const MAX_CONSTANTS: usize = 6;

/// One way to call an entry method: receiver and arguments.
pub(super) type EntryShape = (Option<Spec>, Vec<Spec>);

/// The key of a public method name.
pub(super) fn key_of(method: &MethodId) -> Key {
    (
        Arc::from(method.name.as_str()),
        Arc::from(method.descriptor.as_str()),
    )
}

/// Descriptors of the parameters of a public method name.
pub fn parameters(method: &MethodId) -> Vec<Arc<str>> {
    split_descriptor(&method.descriptor).0
}

/// Whether values of the type are symbolic themselves.
pub(super) fn symbolic_type(descriptor: &str) -> bool {
    descriptor.len() == 1
        || descriptor == STRING
        || descriptor == CHARS
        || class_name_of(descriptor).is_some_and(|c| box_prim(&c).is_some())
}

fn dotted(class: &str) -> String {
    class.replace('/', ".")
}

/// All ways to call the entry method on objects of `class`, and what they leave out.
pub(super) fn entry_shapes(
    vm: &mut Vm,
    entry: &Rc<Method>,
    class: ClassId,
) -> Built<(Vec<EntryShape>, Missing)> {
    let mut ways = Ways {
        vm,
        implementations: Implementations::default(),
        missing: Vec::new(),
    };
    let receivers: Vec<Option<Spec>> = if entry.is_static() || &*entry.name == "<init>" {
        vec![None]
    } else {
        let found = ways.receivers(class, entry)?;
        found.into_iter().map(Some).collect()
    };
    let mut each = Vec::new();
    for param in typed::parameters(&entry.params, entry.signature.as_deref()) {
        each.push(ways.values(&param, 0)?);
    }
    let counts: Vec<usize> = std::iter::once(receivers.len())
        .chain(each.iter().map(Vec::len))
        .collect();
    let mut shapes = Vec::new();
    for picked in ways.combinations(&counts, MAX_ENTRY_SHAPES, "combinations of arguments") {
        let args = picked[1..].iter().zip(&each);
        let args = args.map(|(i, specs)| specs[*i].clone()).collect();
        shapes.push((receivers[picked[0]].clone(), args));
    }
    let mut missing = ways.missing;
    missing.sort();
    missing.dedup();
    Ok((shapes, missing))
}

/// Finds ways to build values, and notes what they leave out.
struct Ways<'a> {
    vm: &'a mut Vm,
    implementations: Implementations,
    missing: Missing,
}

impl Ways<'_> {
    fn note(&mut self, reason: &'static str, detail: impl Into<String>) {
        self.missing.push((reason, detail.into()));
    }

    /// The ways to build an argument of that type, the most telling first.
    fn values(&mut self, of: &Typed, depth: u32) -> Built<Vec<Spec>> {
        let descriptor = &*of.descriptor;
        let Some(name) = class_name_of(descriptor) else {
            return Ok(vec![Spec::symbolic(descriptor)]);
        };
        if descriptor.starts_with('[') {
            return Ok(vec![self.array(of, depth)?]);
        }
        if let Some(spec) = self.one_of_many(&name)? {
            return Ok(vec![spec]);
        }
        if symbolic_type(descriptor) {
            return Ok(vec![Spec::symbolic(descriptor)]);
        }
        let mut found = match self.vm.linker.resolve_for(&name, Version::New) {
            Ok(class) => self.objects(class, of, depth)?,
            Err(_) => Vec::new(),
        };
        if found.is_empty() && name != "java/lang/Void" {
            // An object that takes it was built all the same: what is left out is the variety of that one.
            self.note(if depth == 0 { NONE } else { SOME }, dotted(&name));
        }
        found.push(Spec::Null);
        Ok(found)
    }

    /// Types whose values are of a few well-known classes: which one is decided when the program looks.
    fn one_of_many(&mut self, class: &str) -> Built<Option<Spec>> {
        let boxes: &[&str] = match class {
            "java/lang/Object" => &["Integer"],
            "java/lang/Number" => &["Integer", "Double", "Long"],
            "java/lang/Comparable" | "java/io/Serializable" => &["Integer"],
            "java/lang/CharSequence" => &[],
            _ => return Ok(None),
        };
        let boxed = |name: &&str| Spec::symbolic(&format!("Ljava/lang/{name};")).not_null();
        let mut of: Vec<Spec> = boxes.iter().map(boxed).collect();
        if class != "java/lang/Number" {
            of.push(Spec::text());
        }
        match class {
            "java/lang/Object" => {
                of.insert(0, Spec::symbolic("[I").not_null());
                of.insert(0, self.make("java/lang/Object", "()V", Vec::new())?);
            }
            "java/lang/CharSequence" => {
                let builder = "java/lang/StringBuilder";
                of.insert(
                    0,
                    self.make(builder, "(Ljava/lang/String;)V", vec![Spec::text()])?,
                );
            }
            _ => {}
        }
        Ok(Some(Spec::OneOf {
            of,
            nullable: true,
            bound: Some(Arc::from(class)),
        }))
    }

    /// A constructor call.
    fn make(&mut self, class: &str, descriptor: &str, args: Vec<Spec>) -> Built<Spec> {
        let id = self.vm.library(class)?;
        let key: Key = (Arc::from("<init>"), Arc::from(descriptor));
        let maker = self.vm.linker.select(id, &key, Version::New);
        Ok(maker.map_or(Spec::Null, |maker| Spec::Call {
            maker,
            args,
            calls: Vec::new(),
        }))
    }

    fn array(&mut self, of: &Typed, depth: u32) -> Built<Spec> {
        let element = of.element();
        let innermost = element.descriptor.trim_start_matches('[');
        if symbolic_type(innermost) && innermost != CHARS {
            return Ok(Spec::symbolic(&of.descriptor));
        }
        let spec = self.element(&element, depth + 1)?;
        let most = self.vm.bounds.max_array;
        // Every element that is built by running code multiplies the paths.
        let most = match spec.is_cheap() {
            true if depth == 0 => most,
            _ => most.min(2),
        };
        Ok(Spec::Elements {
            element: element.descriptor.clone(),
            values: vec![spec; most as usize],
            nullable: true,
        })
    }

    /// The one way to build the elements of an array or a collection.
    fn element(&mut self, of: &Typed, depth: u32) -> Built<Spec> {
        let mut specs = self.values(of, depth)?;
        specs.retain(|s| !matches!(s, Spec::Null));
        if specs.len() > 1 && specs.iter().all(|s| matches!(s, Spec::Constant { .. })) {
            return Ok(Spec::OneOf {
                of: specs,
                nullable: true,
                bound: None,
            });
        }
        Ok(match specs.into_iter().next() {
            Some(spec) if spec.constructs() => Spec::OneOf {
                of: vec![spec],
                nullable: true,
                bound: None,
            },
            Some(Spec::OneOf { of, bound, .. }) => Spec::OneOf {
                of,
                nullable: true,
                bound,
            },
            found => found.unwrap_or(Spec::Null),
        })
    }

    /// The ways to build an object that is assignable to the class.
    fn objects(&mut self, id: ClassId, of: &Typed, depth: u32) -> Built<Vec<Spec>> {
        let class = self.vm.linker.class(id).clone();
        if class.is_enum() {
            return Ok(constants(&class, depth));
        }
        let recipes = recipes::of(self.vm, &class.name);
        if !recipes.is_empty() {
            self.note(SOME, dotted(&class.name));
            let each = recipes.into_iter().map(|r| self.recipe(r, of, depth));
            return each.collect();
        }
        let mut found = Vec::new();
        if !is_jdk(&class.name) && depth < MAX_DEPTH {
            found = self.own(&class, depth)?;
        }
        if let Some(lambda) = self.lambda(&class, of, depth)? {
            self.note(SOME, dotted(&class.name));
            found.push(lambda);
        }
        Ok(found)
    }

    /// Objects of the project's and its libraries' classes.
    fn own(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let mut found = self.made(class, depth)?;
        let exact = !found.is_empty() && !class.is_abstract();
        if found.is_empty() {
            let held = self.implementations.held_constants(self.vm, class);
            found.extend(held.into_iter().take(MAX_CLASSES));
        }
        if found.is_empty() && class.is_abstract() {
            let below = self.implementations.below(self.vm, &class.name)?;
            for id in below.into_iter().take(MAX_CLASSES) {
                let class = self.vm.linker.class(id).clone();
                let made = self.made(&class, depth)?;
                found.extend(made.into_iter().take(1));
            }
        }
        if !found.is_empty() {
            self.note(if exact { EXACT } else { SOME }, dotted(&class.name));
        }
        Ok(found)
    }

    /// Objects that the class's constructors make, else its static factories.
    fn made(&mut self, class: &Class, depth: u32) -> Built<Vec<Spec>> {
        let makers = makers(class);
        if makers.len() > MAX_MAKERS {
            let detail = format!("constructors of {}", dotted(&class.name));
            self.note(SHAPES, detail);
        }
        let mut found = Vec::new();
        for maker in makers.into_iter().take(MAX_MAKERS) {
            for args in self.arguments(&maker, depth + 1)? {
                found.push(Spec::Call {
                    maker: maker.clone(),
                    args,
                    calls: Vec::new(),
                });
            }
        }
        Ok(found)
    }

    /// Shapes of a method's argument list.
    fn arguments(&mut self, method: &Method, depth: u32) -> Built<Vec<Vec<Spec>>> {
        let mut each = Vec::new();
        for param in typed::parameters(&method.params, method.signature.as_deref()) {
            each.push(self.values(&param, depth)?);
        }
        let counts: Vec<usize> = each.iter().map(Vec::len).collect();
        let picked = self.combinations(&counts, MAX_SHAPES, "argument combinations");
        let shape = |picked: Vec<usize>| {
            let args = picked.iter().zip(&each);
            args.map(|(i, specs)| specs[*i].clone()).collect()
        };
        Ok(picked.into_iter().map(shape).collect())
    }

    /// Choices of one way each: the first everywhere, then those that differ from it in one place, in two, and so on.
    fn combinations(&mut self, counts: &[usize], most: usize, detail: &str) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        if counts.contains(&0) {
            return found;
        }
        let mut todo = VecDeque::from([(0, vec![0; counts.len()])]);
        while let Some((from, picked)) = todo.pop_front() {
            if found.len() == most {
                self.note(SHAPES, detail);
                break;
            }
            for at in from..counts.len() {
                for choice in 1..counts[at] {
                    let mut next = picked.clone();
                    next[at] = choice;
                    todo.push_back((at + 1, next));
                }
            }
            found.push(picked);
        }
        found
    }

    fn recipe(&mut self, recipe: Recipe, of: &Typed, depth: u32) -> Built<Spec> {
        match recipe {
            Recipe::Constant(class, name, descriptor) => Ok(Spec::Constant {
                class,
                name,
                descriptor,
            }),
            Recipe::Made { maker, calls, last } => {
                let args = self.recipe_arguments(&maker, of, depth)?;
                let mut prior: Vec<PriorCall> = Vec::new();
                for method in calls {
                    let args = self.recipe_arguments(&method, of, depth)?;
                    prior.push((method, args));
                }
                let made = Spec::Call {
                    maker,
                    args,
                    calls: prior,
                };
                Ok(match last {
                    Some(maker) => Spec::Call {
                        maker,
                        args: vec![made],
                        calls: Vec::new(),
                    },
                    None => made,
                })
            }
        }
    }

    /// Arguments of a recipe's member: objects are of the type arguments, in order.
    fn recipe_arguments(&mut self, method: &Method, of: &Typed, depth: u32) -> Built<Vec<Spec>> {
        let (mut args, mut n) = (Vec::new(), 0);
        for param in &method.params {
            let spec = match &**param {
                "Ljava/lang/Object;" => {
                    n += 1;
                    let element = of.argument(n - 1);
                    // Of no particular type: texts, which are ordered, hashed and printed like most values.
                    let any = &*element.descriptor == "Ljava/lang/Object;";
                    if any {
                        Spec::symbolic(STRING)
                    } else {
                        self.element(&element, depth + 1)?
                    }
                }
                STRING | CHARS => Spec::text(),
                other => self.element(&Typed::raw(other), depth + 1)?,
            };
            args.push(spec);
        }
        Ok(args)
    }

    /// A lambda for an interface with one abstract method.
    fn lambda(&mut self, class: &Class, of: &Typed, depth: u32) -> Built<Option<Spec>> {
        let Some(method) = single_method(self.vm, class) else {
            return Ok(None);
        };
        if &*method.result == "V" {
            return Ok(Some(Spec::Lambda {
                method,
                result: None,
            }));
        }
        let declared = self.vm.linker.class(method.class).clone();
        let own = declared.id == class.id;
        let given = own.then(|| {
            let class = declared.signature.as_deref();
            typed::result(of, class, method.signature.as_deref())
        });
        let result = match given.flatten() {
            Some(typed) if &*typed.descriptor != "Ljava/lang/Object;" => typed,
            _ if &*method.result == "Ljava/lang/Object;" => Typed::raw(STRING),
            _ => Typed::raw(&method.result),
        };
        let spec = self.element(&result, depth + 1)?;
        Ok(Some(Spec::Lambda {
            method,
            result: Some(Box::new(spec)),
        }))
    }

    /// The ways to build a receiver on which the call runs `entry`.
    fn receivers(&mut self, id: ClassId, entry: &Rc<Method>) -> Built<Vec<Spec>> {
        let class = self.vm.linker.class(id).clone();
        let of = Typed::raw(&format!("L{};", class.name));
        let known = self.missing.len();
        let mut found = if class.is_abstract() && makers(&class).is_empty() {
            self.receivers_below(&class, entry)?
        } else {
            self.objects(id, &of, 0)?
        };
        // Whether it matters how a receiver was made is seen when one of its fields is read.
        let exact = (EXACT, dotted(&class.name));
        let fresh = self.missing.split_off(known);
        self.missing
            .extend(fresh.into_iter().filter(|m| *m != exact));
        if found.is_empty() {
            let why = if class.is_abstract() {
                "is abstract"
            } else {
                "has no accessible constructor"
            };
            self.note(NONE, format!("{} {why}", dotted(&class.name)));
        }
        if self.vm.bounds.prior_calls > 0 {
            self.add_prior_calls(&class, &mut found)?;
        }
        Ok(found)
    }

    /// Objects of classes below an abstract one that do not override the entry method.
    fn receivers_below(&mut self, class: &Class, entry: &Rc<Method>) -> Built<Vec<Spec>> {
        let key: Key = (entry.name.clone(), entry.descriptor.clone());
        let mut found = Vec::new();
        for id in self.implementations.below(self.vm, &class.name)? {
            let runs = self.vm.linker.select(id, &key, Version::New);
            if found.len() < MAX_CLASSES && runs.is_some_and(|m| m == *entry) {
                let below = self.vm.linker.class(id).clone();
                let made = self.made(&below, 0)?;
                found.extend(made.into_iter().take(1));
            }
        }
        if found.is_empty() {
            found.extend(
                self.implementations
                    .held_constants(self.vm, class)
                    .into_iter()
                    .take(1),
            );
        }
        let of = Typed::raw(&format!("L{};", class.name));
        if entry.code.is_some()
            && let Some(lambda) = self.lambda(class, &of, 0)?
        {
            found.push(lambda);
        }
        if !found.is_empty() {
            self.note(SOME, dotted(&class.name));
        }
        Ok(found)
    }

    /// Receivers after a call of one of their mutating methods too.
    fn add_prior_calls(&mut self, class: &Class, found: &mut Vec<Spec>) -> Built<()> {
        let mut mutators: Vec<Rc<Method>> = class
            .methods
            .values()
            .filter_map(|m| m.get(Version::New))
            .filter(mutates)
            .collect();
        mutators.sort_by(|a, b| (&a.name, &a.descriptor).cmp(&(&b.name, &b.descriptor)));
        for spec in found.clone() {
            let Spec::Call { maker, args, .. } = spec else {
                continue;
            };
            for method in mutators.iter().take(MAX_MAKERS) {
                let known = self.missing.len();
                let shapes = self.arguments(method, 1)?;
                self.missing.truncate(known);
                found.extend(shapes.into_iter().take(1).map(|shape| Spec::Call {
                    maker: maker.clone(),
                    args: args.clone(),
                    calls: vec![(method.clone(), shape)],
                }));
            }
        }
        Ok(())
    }
}

/// An enum's constants, one by one while they are few.
fn constants(class: &Class, depth: u32) -> Vec<Spec> {
    let descriptor: Arc<str> = Arc::from(format!("L{};", class.name));
    let each = class.constants.iter().map(|name| Spec::Constant {
        class: class.name.clone(),
        name: name.clone(),
        descriptor: descriptor.clone(),
    });
    let all: Vec<Spec> = each.collect();
    if all.len() <= 1 || depth == 0 && all.len() <= MAX_CONSTANTS {
        return all;
    }
    vec![Spec::OneOf {
        of: all,
        nullable: false,
        bound: None,
    }]
}

fn is_jdk(class: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"]
        .iter()
        .any(|p| class.starts_with(p))
}

/// The one abstract method of a functional interface (JLS §9.8): `Object`'s own do not count.
fn single_method(vm: &Vm, class: &Class) -> Option<Rc<Method>> {
    if !class.is_interface() {
        return None;
    }
    let mut found: Option<Rc<Method>> = None;
    let mut todo = vec![class.id];
    while let Some(id) = todo.pop() {
        let at = vm.linker.class(id);
        todo.extend(at.interfaces.get(Version::New));
        let methods = at.methods.values().filter_map(|m| m.get(Version::New));
        for method in methods.filter(|m| m.code.is_none() && !m.is_static()) {
            let key: Key = (method.name.clone(), method.descriptor.clone());
            let of_object = matches!(
                (&*key.0, &*key.1),
                ("equals", "(Ljava/lang/Object;)Z")
                    | ("hashCode", "()I")
                    | ("toString", "()Ljava/lang/String;")
            );
            let implemented = vm
                .linker
                .select(class.id, &key, Version::New)
                .is_some_and(|m| m.code.is_some());
            if of_object || implemented {
                continue;
            }
            match &found {
                Some(known)
                    if known.name == method.name && known.descriptor == method.descriptor => {}
                Some(_) => return None,
                None => found = Some(method),
            }
        }
    }
    found
}

/// Accessible constructors, else static factories, in class-file-independent order.
fn makers(class: &Class) -> Vec<Rc<Method>> {
    let mut all: Vec<Rc<Method>> = class
        .methods
        .values()
        .filter_map(|m| m.get(Version::New))
        .collect();
    all.sort_by(|a, b| {
        (a.params.len(), &a.name, &a.descriptor).cmp(&(b.params.len(), &b.name, &b.descriptor))
    });
    let accessible = |m: &&Rc<Method>| m.access & (access::PRIVATE | access::SYNTHETIC) == 0;
    let constructors: Vec<Rc<Method>> = all
        .iter()
        .filter(accessible)
        .filter(|m| &*m.name == "<init>" && !class.is_abstract())
        .cloned()
        .collect();
    if !constructors.is_empty() {
        return constructors;
    }
    let own = format!("L{};", class.name);
    all.iter()
        .filter(accessible)
        .filter(|m| m.is_static() && *m.result == *own)
        .cloned()
        .collect()
}

fn mutates(method: &Rc<Method>) -> bool {
    let usable = method.access & (access::PRIVATE | access::SYNTHETIC | access::STATIC) == 0;
    let writes = |code: &Arc<crate::bytecode::class_file::Code>| {
        code.insns
            .iter()
            .any(|i| matches!(i, Insn::PutField(_) | Insn::ArrayStore(_)))
    };
    usable && &*method.name != "<init>" && method.code.as_ref().is_some_and(writes)
}
