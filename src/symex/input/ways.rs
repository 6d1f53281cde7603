//! The ways to build a value of a type, and the values that they leave out (docs/architecture.md).

use super::combinations::combinations;
use super::implementations::Implementations;
use super::makers::constants;
use super::recipes;
use super::spec::Spec;
use super::subtypes::as_below;
use super::trial::Trial;
use super::typed::{self, Typed};
use super::{Built, CHARS};
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::is_jdk;
use crate::model::reason::Reason;
use crate::model::{Spelling, Version};
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{ClassId, Key, Method};
use crate::symex::input::specs::symbolic_type;
use crate::symex::value::shadow::Shadow;
use crate::symex::vm::Vm;
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// Values that could not be covered: `(reason, detail)`.
pub(in crate::symex) type Missing = Vec<(Reason, String)>;

/// Not one object of the type can be built: its values are only null.
pub(super) const NONE: Reason = Reason::InputType;
/// Some objects of the type are built, of all there are.
pub(super) const SOME: Reason = Reason::InputVariety;
/// Objects are of exactly that class.
pub(super) const EXACT: Reason = Reason::InputObjects;
/// By their annotations, parameters are never null.
const ANNOTATED: Reason = Reason::NullnessAnnotations;
/// More combinations than are tried.
pub(super) const SHAPES: Reason = Reason::InputShapes;

/// Whether the reason bounds the inputs, rather than leaving a type out altogether.
pub(in crate::symex) fn is_bound(reason: Reason) -> bool {
    reason != NONE
}

/// Constructors tried per class, shapes of one constructor's arguments, prior calls, classes below an abstract one.
pub(super) const MAX_MAKERS: usize = 4;
/// Constructors, calls or classes that are looked at for so many that make something.
pub(super) const MAX_TRIED: usize = 16;
const MAX_SHAPES: usize = 4;
pub(super) const MAX_CLASSES: usize = 3;
/// How deep constructors' arguments are built by constructors.
pub(super) const MAX_DEPTH: u32 = 2;
/// Finds ways to build values, and notes what they leave out.
pub(in crate::symex) struct Ways<'a> {
    pub(super) vm: &'a mut Vm,
    pub(super) implementations: Implementations,
    pub(super) missing: Missing,
    /// Tells which of them come to nothing.
    pub(super) trial: Option<Trial>,
    /// Those that come to nothing, which stand for a type that has no others.
    pub(super) failed: Vec<Spec>,
    /// What was found for a class at some depth, and what that leaves out.
    pub(super) known: FxHashMap<(ClassId, u32), (Vec<Spec>, Missing)>,
    /// The class whose method is tested.
    pub(super) tested: Option<Arc<str>>,
}

impl<'a> Ways<'a> {
    /// With nothing left out yet.
    pub fn new(vm: &'a mut Vm, trial: Option<Trial>) -> Ways<'a> {
        Ways {
            vm,
            implementations: Implementations::default(),
            missing: Vec::new(),
            trial,
            failed: Vec::new(),
            known: FxHashMap::default(),
            tested: None,
        }
    }

    /// For a method of that class.
    pub fn testing(self, class: &Arc<str>) -> Ways<'a> {
        let tested = Some(class.clone());
        Ways { tested, ..self }
    }

    /// What was left out.
    pub fn missing(mut self) -> Missing {
        self.missing.sort();
        self.missing.dedup();
        self.missing
    }

    /// Runs something; what it leaves out is what `keep` holds for.
    pub(super) fn noting<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> T,
        keep: impl Fn(&(Reason, String)) -> bool,
    ) -> T {
        let known = std::mem::take(&mut self.missing);
        let value = run(self);
        let fresh = std::mem::replace(&mut self.missing, known);
        self.missing.extend(fresh.into_iter().filter(keep));
        value
    }

    pub(super) fn note(&mut self, reason: Reason, detail: impl Into<String>) {
        self.missing.push((reason, detail.into()));
    }

    /// The ways but null, where there is another for the parameter of that name.
    pub fn without_null(&mut self, values: Vec<Spec>, name: &str) -> Vec<Spec> {
        let is_null = |value: &Spec| matches!(value, Spec::Null);
        if !values.iter().any(Spec::may_be_null) || values.iter().all(is_null) {
            return values;
        }
        self.note(ANNOTATED, name);
        let rest = values.into_iter().filter(|v| !is_null(v));
        rest.map(Spec::not_null).collect()
    }

    /// The ways to build an argument of that type, the most telling first.
    pub fn values(&mut self, of: &Typed, depth: u32) -> Built<Vec<Spec>> {
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
        if let Some(spec) = classes(&name, of) {
            return Ok(vec![spec]);
        }
        if let Some(found) = self.members(&name)? {
            return Ok(found);
        }
        let mut found = match self.vm.linker.resolve_for(&name, Version::New) {
            Ok(class) => {
                let mut found = self.objects(class, of, depth)?;
                if depth == 0 {
                    found.extend(self.arguments_after_calls(class, &found)?);
                }
                found
            }
            Err(_) => Vec::new(),
        };
        if found.is_empty() && name != "java/lang/Void" {
            // An object that takes it was built all the same: what is left out is the variety of that one.
            self.note(if depth == 0 { NONE } else { SOME }, name.dotted());
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
    pub(super) fn element(&mut self, of: &Typed, depth: u32) -> Built<Spec> {
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
    pub(super) fn objects(&mut self, id: ClassId, of: &Typed, depth: u32) -> Built<Vec<Spec>> {
        let class = self.vm.linker.class(id).clone();
        if class.is_enum() {
            let common = self
                .vm
                .linker
                .common_constants(&class.name, &class.constants);
            if common.len() < class.constants.len() {
                self.note(SOME, class.name.dotted());
            }
            return Ok(constants(&class.name, &common, depth));
        }
        let recipes = recipes::of(self.vm, &class.name);
        if !recipes.is_empty() {
            self.note(SOME, class.name.dotted());
            let each = recipes.into_iter().map(|r| self.recipe(r, of, depth));
            return each.collect();
        }
        let lambda = self.lambda(&class, of, depth)?;
        let mut found = match (is_jdk(&class.name), &lambda) {
            (false, _) => self.known_or_own(&class, depth.min(MAX_DEPTH))?,
            // Of the JDK's interfaces without a recipe those have objects that the project implements.
            (true, None) if class.is_interface() && depth < MAX_DEPTH => {
                self.implemented(&class, depth)?
            }
            (true, _) => Vec::new(),
        };
        if class.is_abstract() && !of.arguments.is_empty() {
            found.retain(|spec| self.is_of_type(spec, of));
        }
        if lambda.is_some() || is_jdk(&class.name) && !found.is_empty() {
            self.note(SOME, class.name.dotted());
        }
        found.extend(lambda);
        Ok(found)
    }

    /// Whether what a constructor makes has a type's arguments, as far as its class declares them: no code that compiles passes another one.
    fn is_of_type(&self, spec: &Spec, of: &Typed) -> bool {
        let maker = match spec {
            Spec::Call { maker, .. } if &*maker.name == "<init>" => maker,
            _ => return true,
        };
        let linker = &self.vm.linker;
        let mut find = |name: &str| -> Result<Option<Arc<ClassFile>>, Infallible> {
            let declared = linker.declaration(&Arc::from(name)).ok();
            Ok(declared.map(|d| match d {
                Shadow::Same(file) | Shadow::Split { new: file, .. } => file,
            }))
        };
        let name = &linker.class(maker.class).name;
        let Ok(typed) = as_below(name, of, &mut find);
        typed.is_some()
    }

    /// Objects of the project as arguments, after one call of their own too.
    fn arguments_after_calls(&mut self, id: ClassId, objects: &[Spec]) -> Built<Vec<Spec>> {
        let class = self.vm.linker.class(id).clone();
        if !class.project || self.vm.bounds.prior_calls == 0 {
            return Ok(Vec::new());
        }
        self.after_calls(&class, &objects[..objects.len().min(1)], 1)
    }

    /// Shapes of a method's argument list.
    pub(super) fn arguments(&mut self, method: &Method, depth: u32) -> Built<Vec<Vec<Spec>>> {
        let mut each = Vec::new();
        let never_null = match self.vm.strategy.heeds_nullness {
            true => self.vm.linker.never_null(method),
            false => Vec::new(),
        };
        let params = typed::parameters(&method.params, method.signature.as_deref());
        for (at, param) in params.iter().enumerate() {
            let values = self.values(param, depth)?;
            each.push(match never_null.get(at) {
                Some(true) => self.without_null(values, &method.display()),
                _ => values,
            });
        }
        let counts: Vec<usize> = each.iter().map(Vec::len).collect();
        let picked = self.combinations(&counts, MAX_SHAPES, "argument combinations");
        let shape = |picked: Vec<usize>| {
            let args = picked.iter().zip(&each);
            args.map(|(i, specs)| specs[*i].clone()).collect()
        };
        Ok(picked.into_iter().map(shape).collect())
    }

    /// Choices of one way each, at most so many; notes that there are more.
    pub fn combinations(&mut self, counts: &[usize], most: usize, detail: &str) -> Vec<Vec<usize>> {
        let (found, more) = combinations(counts, most);
        if more {
            self.note(SHAPES, detail);
        }
        found
    }
}

/// Classes as values: that of the type argument, where there is one, else a few well-known ones.
fn classes(class: &str, of: &Typed) -> Option<Spec> {
    if !matches!(class, "java/lang/Class" | "java/lang/reflect/Type") {
        return None;
    }
    let of_what = of.argument(0);
    let declared = class_name_of(&of_what.descriptor).filter(|c| c != "java/lang/Object");
    let known = ["java/lang/Object", "java/lang/Integer", "java/lang/String"].map(Arc::from);
    let classes = match declared {
        Some(class) => vec![Arc::from(class)],
        None => known.to_vec(),
    };
    Some(Spec::OneOf {
        of: classes.into_iter().map(Spec::Class).collect(),
        nullable: true,
        bound: Some(Arc::from(class)),
    })
}
