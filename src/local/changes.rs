//! The differences between two builds: methods that a proof may not take for common code.

use super::body::code_text;
use super::cut_code::{CutNumbers, DIFFERING_CUT, met_cut_code};
use super::fixed_calls::FixedCall;
use super::lookups::{OtherMembers, lookups};
use super::moved_fields::MovedFields;
use super::supertypes::{OtherSupertypes, SUPERTYPES};
use super::uncompiled::UncompiledSources;
use super::version::{by_name, simple_name};
use super::widened::retyped_fields;
use super::writers::writers;
use crate::bytecode::ClassPath;
use crate::bytecode::access::{ABSTRACT, ANNOTATION, ENUM, INTERFACE, PRIVATE, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Const, Field, Insn, Method};
use crate::impact::{self, Marks, is_lambda};
use crate::model::{MethodRef, Spelling};
use bit_set::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Name of the pseudo-method that stands for looking up members at run time. It counts as changed if members were added, removed or
/// renamed.
const REFLECTION: &str = "reflection";

/// Name of the pseudo-method that stands for code that was cut out.
const CUT: &str = "cut code";

/// Names that code of the same text may mean differently in two builds: of members that differ, of constants, and of classes that
/// only one build has.
pub(super) fn differing_names(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>]) -> BTreeSet<String> {
    let (a, b) = (by_name(old), by_name(new));
    let mut members = OtherMembers::default();
    let mut names = BTreeSet::new();
    for (mine, theirs) in [(&a, &b), (&b, &a)] {
        for (name, class) in mine {
            let Some(twin) = theirs.get(name) else {
                names.insert(simple_name(name).to_string());
                continue;
            };
            members.compare(class, twin);
            let has = |f: &Field| {
                let mut fields = twin.fields.iter();
                fields.any(|o| o.name == f.name && o.constant == f.constant)
            };
            let others = class.fields.iter().filter(|f| !has(f));
            names.extend(others.map(|f| f.name.to_string()));
        }
    }
    names.extend(members.names);
    names
}

/// The changed methods of two builds, numbered in order.
pub struct Changes {
    /// Methods whose code differs, and methods that only one version has if unchanged code may reach them.
    pub numbers: Vec<MethodRef>,
    /// Names of the constants that are cases of switches over enums, by the cases' numbers less 1.
    pub(super) case_names: Vec<Arc<str>>,
    /// Fields that count as final although only one version declares them so, by class and name.
    pub(super) made_final: BTreeSet<String>,
    /// Calls of the JDK's factories with constants that end with a value.
    pub(super) fixed: Vec<FixedCall>,
    /// Classes that had another name. No one else may tell of their methods, so what makes their objects relies on these.
    pub(super) renamed_classes: BTreeSet<Arc<str>>,
    /// Why no proof can be given at all.
    pub blocked: Option<String>,
    /// Interfaces that classes gained or lost.
    pub(super) supertypes: OtherSupertypes,
    /// Whether code that is in neither build may differ between the versions.
    pub cut_code_differs: bool,
    /// Members that only one version has.
    pub members: OtherMembers,
    /// Fields that only one version has, by class and name. Common code can't see them.
    pub one_sided_fields: BTreeSet<String>,
    /// Fields that have another type in each version, by class and name: the versions have no state of them in common.
    pub retyped_fields: BTreeSet<String>,
    /// Numbers of the changed initialisers and constructors that write a field of their class, by class and name of the field.
    pub writers: BTreeMap<String, BitSet>,
    /// Fields of the old and of the new version that moved up or down.
    pub(super) moved_fields: [MovedFields; 2],
    old: MarkedInstructions,
    new: MarkedInstructions,
}

/// Marked instructions by method: the first of a changed method, and those that look up members.
pub(super) type MarkedInstructions = BTreeMap<MethodRef, BTreeMap<u32, MethodRef>>;

pub(super) fn pseudo_method(name: &str) -> MethodRef {
    MethodRef {
        class: "".into(),
        name: name.into(),
        descriptor: String::new(),
    }
}

pub(super) fn reflection() -> MethodRef {
    pseudo_method(REFLECTION)
}

impl Changes {
    /// Compares two builds. `renamed` are names of members that were already made equal, `outside` is the code that is in neither
    /// build.
    pub fn of(
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        library: &ClassPath,
        renamed: BTreeSet<String>,
        outside: &UncompiledSources,
    ) -> Changes {
        let (a, b) = (by_name(old), by_name(new));
        let (mut blocked, mut in_old, mut in_new) = (None, BTreeMap::new(), BTreeMap::new());
        let mut members = OtherMembers::default();
        members.add(renamed);
        let mut reshaped = BTreeSet::new();
        let mut supertypes = OtherSupertypes::default();
        let cut = &outside.cut;
        if cut.generated {
            blocked = Some("code that an annotation processor adds is not there".into());
        }
        for (name, class) in &a {
            // What only one version has is made by changed code alone.
            let Some(twin) = b.get(name) else {
                continue;
            };
            let kind = |c: &ClassFile| c.access & (INTERFACE | SYNTHETIC | ANNOTATION | ENUM);
            let parents = |c: &ClassFile| (c.super_name.clone(), c.interfaces.clone());
            let known = parents(class) == parents(twin)
                || supertypes.add([&a, &b], class, library, &outside.names);
            if (class.access ^ twin.access) & ABSTRACT != 0 {
                supertypes.add_abstract();
            }
            if kind(class) != kind(twin) || !known {
                blocked = Some(format!("{} has other supertypes", name.dotted()));
            }
            if members.compare(class, twin) || class.super_name != twin.super_name {
                reshaped.insert(name.clone());
            }
            let (mine, theirs) = ((&a, &**class), (&b, &**twin));
            let changed: BTreeSet<MethodRef> = changed(mine, theirs, library)
                .chain(changed(theirs, mine, library))
                .collect();
            for marks in [&mut in_old, &mut in_new] {
                marks.extend(changed.iter().map(|id| (id.clone(), id.clone())));
            }
            in_old.extend(changed_lambdas(mine, theirs));
            in_new.extend(changed_lambdas(theirs, mine));
        }
        supertypes.complete([&a, &b], library);
        let mut all: BTreeSet<MethodRef> =
            in_old.values().chain(in_new.values()).cloned().collect();
        all.extend([REFLECTION, CUT, DIFFERING_CUT].map(pseudo_method));
        if cut.initialisers.keys().any(|c| supertypes.has(c)) {
            blocked = Some("a class has another superclass".into());
        }
        members.add(supertypes.members());
        let told = pseudo_method(SUPERTYPES);
        all.extend((!supertypes.is_empty()).then(|| told.clone()));
        let places = |ids: BTreeMap<MethodRef, MethodRef>, classes: &[Arc<ClassFile>]| {
            let mut out = lookups(classes, &members, &reshaped);
            for (place, pc) in met_cut_code(classes, &outside.cut) {
                out.entry(place).or_default().insert(pc, pseudo_method(CUT));
            }
            for (place, id) in ids {
                out.entry(place).or_default().insert(0, id);
            }
            // Of these nothing is proved, so they may take another's place.
            for (place, marks) in supertypes.places(classes, &told) {
                out.entry(place).or_default().extend(marks);
            }
            out
        };
        let numbers: Vec<MethodRef> = all.into_iter().collect();
        let moved_fields = [(&a, &b), (&b, &a)]
            .map(|(mine, theirs)| MovedFields::of(mine, theirs, &outside.names));
        let others = differing_names(old, new);
        let differs = cut.differs || cut.words.iter().any(|w| others.contains(w));
        Changes {
            old: places(in_old, old),
            new: places(in_new, new),
            writers: writers(&numbers, [&a, &b], (cut, &moved_fields)),
            moved_fields,
            fixed: Vec::new(),
            one_sided_fields: one_sided_fields([&a, &b], library, outside),
            retyped_fields: retyped_fields([&a, &b]),
            cut_code_differs: differs,
            numbers,
            blocked,
            supertypes,
            members,
            case_names: Vec::new(),
            made_final: BTreeSet::new(),
            renamed_classes: BTreeSet::new(),
        }
    }

    /// The marks for reachability, in the old version and in the new.
    pub fn marks(&self) -> [Marks; 2] {
        [&self.old, &self.new].map(|places| {
            let numbered = |marks: &BTreeMap<u32, MethodRef>| {
                let all = marks
                    .iter()
                    .filter_map(|(pc, id)| Some((*pc, self.number(id)?)));
                all.collect()
            };
            let all = places.iter().map(|(id, m)| (id.clone(), numbered(m)));
            all.collect()
        })
    }

    /// What the numbers say of code that was cut out: it looks up no members at run time.
    pub fn cut_code(&self) -> Option<CutNumbers> {
        let met = self.number(&pseudo_method(CUT))?;
        let differing = self.number(&pseudo_method(DIFFERING_CUT))?;
        let mut comes_to: BitSet = (0..self.numbers.len()).collect();
        comes_to.remove(met);
        comes_to.remove(self.reflection()?);
        if !self.cut_code_differs {
            comes_to.remove(differing);
        }
        Some(CutNumbers {
            met,
            comes_to,
            differing: self.cut_code_differs.then_some(differing),
        })
    }

    /// Numbers of the changed methods of a class that had another name.
    pub(super) fn of_renamed(&self, class: &Arc<str>) -> BitSet {
        if !self.renamed_classes.contains(class) {
            return BitSet::new();
        }
        let all = self.numbers.iter().enumerate();
        let own = all.filter(|(_, id)| id.class.internal() == **class);
        own.map(|(number, _)| number).collect()
    }

    /// The number of the pseudo-method for look-ups at run time.
    pub fn reflection(&self) -> Option<usize> {
        self.number(&reflection())
    }

    /// The number of the first method that is one: those that stand for instructions go before.
    pub fn first_method(&self) -> usize {
        let stands_for = |id: &&MethodRef| id.class == pseudo_method("").class;
        self.numbers.iter().take_while(stands_for).count()
    }

    /// The number of a method.
    pub fn number(&self, id: &MethodRef) -> Option<usize> {
        self.numbers.binary_search(id).ok()
    }
}

/// Classes of one version by name.
pub(super) type Classes<'a> = &'a FxHashMap<Arc<str>, Arc<ClassFile>>;

/// Methods of a class that the other version lacks or has with other code, without lambdas.
fn changed<'a>(
    (mine, class): (Classes<'a>, &'a ClassFile),
    (theirs, twin): (Classes<'a>, &'a ClassFile),
    library: &'a ClassPath,
) -> impl Iterator<Item = MethodRef> + 'a {
    let methods = class.methods.iter().filter(|m| !is_lambda(m));
    let changed =
        methods.filter(
            move |method| match twin.method(&method.name, &method.descriptor) {
                Some(m) => !is_same((mine, method), (theirs, m)),
                None => is_related([mine, theirs], library, class, method),
            },
        );
    changed.map(|m| impact::id(class, m))
}

/// Lambdas of a class that the other version lacks, while it has one of the same method and type that this one lacks; and the
/// methods that make them, whose proofs are about them too.
fn changed_lambdas(
    (mine, class): (Classes, &ClassFile),
    (theirs, twin): (Classes, &ClassFile),
) -> Vec<(MethodRef, MethodRef)> {
    type Lambda<'a> = (&'a Method, String, Option<String>);
    fn all<'a>(classes: Classes, class: &'a ClassFile) -> Vec<Lambda<'a>> {
        let lambdas = class.methods.iter().filter(|m| is_lambda(m));
        let keyed = lambdas.map(|m| {
            let outer = m.name.rsplit_once('$').map_or("", |n| n.0);
            let code = m.code.as_ref().and_then(|c| code_text(classes, c, 0));
            (m, format!("{outer}{}", m.descriptor), code)
        });
        keyed.collect()
    }
    let (a, b) = (all(mine, class), all(theirs, twin));
    let lacks = |(_, key, code): &Lambda, others: &[Lambda]| {
        !others
            .iter()
            .any(|o| o.1 == *key && o.2.is_some() && o.2 == *code)
    };
    let replaced = |l: &&Lambda| lacks(l, &b) && b.iter().any(|o| o.1 == l.1 && lacks(o, &a));
    a.iter()
        .filter(replaced)
        .map(|l| {
            (
                impact::id(class, l.0),
                impact::id(class, lambda_creator(class, l.0)),
            )
        })
        .collect()
}

/// The method, itself no lambda, whose code creates a lambda.
fn lambda_creator<'a>(class: &'a ClassFile, lambda: &'a Method) -> &'a Method {
    let makes = |m: &Method, of: &Method| {
        let mut insns = m.code.iter().flat_map(|c| &c.insns);
        insns.any(|i| match i {
            Insn::InvokeDynamic(site) => site.args.iter().any(|a| {
                matches!(a, Const::MethodHandle(h)
                    if h.class == class.name && h.name == of.name && h.descriptor == of.descriptor)
            }),
            _ => false,
        })
    };
    let mut at = lambda;
    for _ in 0..class.methods.len() {
        match class.methods.iter().find(|m| makes(m, at)) {
            Some(m) if is_lambda(m) => at = m,
            Some(m) => return m,
            None => break,
        }
    }
    at
}

/// Fields that only one version of a class has. In the other one, no class above it has one of that name, nor has any class at all; where
/// the field is private, no class below it.
fn one_sided_fields(
    both: [Classes; 2],
    library: &ClassPath,
    outside: &UncompiledSources,
) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (mine, theirs) in [(both[0], both[1]), (both[1], both[0])] {
        let names = theirs.values().flat_map(|c| &c.fields).map(|f| &f.name);
        let names: FxHashSet<&Arc<str>> = names.collect();
        let twins = mine
            .values()
            .filter_map(|c| Some((c, theirs.get(&c.name)?)));
        for (class, twin) in twins {
            for field in &class.fields {
                let has = |c: &ClassFile| c.fields.iter().any(|f| f.name == field.name);
                if has(twin) {
                    continue;
                }
                let is_it = |c: &ClassFile| c.name == class.name;
                let below = mine.values().filter(|c| {
                    outside.extended.contains(simple_name(&c.name))
                        && (is_it(c) || is_above(library, |name| mine.get(name), c, &is_it))
                });
                let is_below =
                    |c: &ClassFile| is_above(library, |name| theirs.get(name), c, &is_it);
                let is_named = match field.access & PRIVATE != 0 {
                    true => theirs.values().any(|c| has(c) && is_below(c)),
                    false => names.contains(&field.name),
                };
                let is_free = !is_named && !outside.may_name_field(field, below.map(|c| &*c.name));
                if is_free && !is_above(library, |name| theirs.get(name), class, &has) {
                    out.insert(format!("{}.{}", class.name, field.name));
                }
            }
        }
    }
    out
}

fn is_same((a, x): (Classes, &Method), (b, y): (Classes, &Method)) -> bool {
    // What a call does depends on these flags as well.
    if (x.access ^ y.access) & !SYNTHETIC != 0 {
        return false;
    }
    match (&x.code, &y.code) {
        (None, None) => true,
        (Some(p), Some(q)) => {
            matches!((code_text(a, p, 0), code_text(b, q, 0)), (Some(s), Some(t)) if s == t)
        }
        _ => false,
    }
}

/// Whether unchanged code may come to a method that the other version lacks: it overrides one, or one overrides it, the other
/// version has it in a class above or below, or it initialises the class. Others are called by their name, by changed code.
fn is_related(
    [own, theirs]: [Classes; 2],
    library: &ClassPath,
    class: &ClassFile,
    method: &Method,
) -> bool {
    if &*method.name == "<clinit>" {
        return true;
    }
    if method.access & PRIVATE != 0 || &*method.name == "<init>" {
        return false;
    }
    let declares = |c: &ClassFile| c.method(&method.name, &method.descriptor).is_some();
    // Any class that declares the same may be an ancestor, or a descendant, or both be below one type.
    if own.values().any(|c| c.name != class.name && declares(c)) {
        return true;
    }
    let is_it = |c: &ClassFile| c.name == class.name;
    let mut others = theirs.values().filter(|c| !is_it(c) && declares(c));
    let twin = theirs.get(&class.name).map_or(class, |t| &**t);
    is_above(library, |name| own.get(name), class, &declares)
        || is_above(library, |name| theirs.get(name), twin, &declares)
        || others.any(|c| is_above(library, |name| theirs.get(name), c, &is_it))
}

/// Whether a class above one has something, or can't be read. Classes are the project's own, else the library's.
pub(super) fn is_above<'a>(
    library: &ClassPath,
    own: impl Fn(&str) -> Option<&'a Arc<ClassFile>>,
    class: &ClassFile,
    has: &dyn Fn(&ClassFile) -> bool,
) -> bool {
    let mut todo: Vec<Arc<str>> = class.interfaces.clone();
    todo.extend(class.super_name.clone());
    let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let found = match own(&name) {
            Some(own) => Some(own.clone()),
            None => library.find(&name).ok().flatten(),
        };
        let Some(parent) = found else {
            return true;
        };
        if has(&parent) {
            return true;
        }
        todo.extend(parent.interfaces.iter().cloned());
        todo.extend(parent.super_name.clone());
    }
    false
}
