//! The methods that a patch changes, by comparison of the two builds.

use super::flags::redispatched;
use super::inherited::{Build, inherited_anew};
use super::{Analysis, wanted};
use crate::bytecode::access::{BRIDGE, ENUM, PRIVATE, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::{is_marked, is_within, same_code};
use crate::check::changed_method::{Changed, ChangedMethod, MAX_ENTRIES, MAX_ENTRIES_OF_ENUM};
use crate::check::patch::ChangedFile;
use crate::error::Error;
use crate::impact::{self, Mentions, is_lambda, method_around};
use crate::local::{Renames, is_accessor};
use crate::model::{Level, MethodRef, Spelling};
use crate::options::Selection;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Public callers of a changed method that are searched too.
const MAX_CALLERS: usize = 2;

/// Methods that are searched for what a changed one leaves in its object, where nothing else shows it.
const MAX_READERS: usize = 3;

/// Why nothing is known of a method whose class neither build has.
const NOT_BUILT: &str =
    "the build does not compile its class (`shadow-ci project` shows its source roots)";

/// Compares the two builds: what changed in bytecode counts, wherever in the source it came from.
///
/// # Errors
/// A class file can't be read.
pub fn changed_methods(
    analysis: &Analysis,
    files: &[ChangedFile],
    selection: &Selection,
) -> Result<Changed, Error> {
    let (old, new) = (analysis.old.dir_classes()?, analysis.new.dir_classes()?);
    // An accessor is no code of its own: who calls another one has changed. A lambda's body is part of the method it stands in.
    let renumbered = Renames::of_numbers(&old, &new).apply(&old);
    // The new version's classes come first.
    let both: Vec<Arc<ClassFile>> = new.iter().chain(&old).cloned().collect();
    let found = Comparison::of(analysis, &renumbered, &new, &both)?;
    let by_syntax: BTreeSet<MethodRef> = analysis.levels.keys().cloned().collect();
    let bodies: BTreeSet<MethodRef> = found.changed.union(&by_syntax).cloned().collect();
    let is_one_sided = |m: &MethodRef| found.added.contains(m) || found.removed.contains(m);
    let mut methods = Vec::new();
    let mentions = Mentions::of(&both);
    for id in bodies.into_iter().filter(|id| wanted(selection, id)) {
        let (level, reason) = match (is_reshaped(&old, &new, &id), analysis.levels.get(&id)) {
            (true, _) => (Level::Class, "the class's shape changed".into()),
            // The classes can share a state all the same: only the bodies are per version.
            (false, Some((Level::Class, reason))) => (Level::Method, reason.clone()),
            (false, Some(found)) => found.clone(),
            (false, None) => (
                Level::Method,
                "the change shows in its bytecode only".into(),
            ),
        };
        let same_code = !found.changed.contains(&id);
        // Nothing is known of code that the build does not compile.
        let is_compiled = found.changed.contains(&id) || holds(&old, &id) || holds(&new, &id);
        let uncompiled = (!is_compiled).then(|| NOT_BUILT.to_string());
        let one_sided = match (declared(&old, &id), declared(&new, &id)) {
            (Some(a), Some(b)) if a & !b & STATIC != 0 => Some("it is not static any more"),
            (Some(a), Some(b)) if b & !a & STATIC != 0 => Some("it became static"),
            (Some(_), Some(_)) => None,
            _ => same_code.then_some("its result type changed"),
        };
        let is_set_up = matches!(&*id.name, "<init>" | "<clinit>");
        let most_entries = match is_set_up && is_enum(&new, &id) {
            true => MAX_ENTRIES_OF_ENUM,
            false => MAX_ENTRIES,
        };
        methods.push(ChangedMethod {
            level,
            reason,
            callers: impact::public_callers(&mentions, &id, is_one_sided, MAX_CALLERS),
            keeps_objects: impact::keeps_objects(&both, &id),
            readers: impact::state_readers(&both, &id, is_one_sided, MAX_READERS),
            entries: impact::entries(&mentions, &id, is_one_sided, most_entries + 1),
            most_entries,
            is_called_back: is_called_back(analysis, &id)?,
            same_code,
            one_sided,
            uncompiled,
            redispatched: found.redispatched.get(&id).cloned(),
            ..ChangedMethod::new(id, files, Some(&analysis.new))
        });
    }
    let inherited = found.inherited.into_iter();
    methods.extend(
        inherited
            .filter(|(id, _)| wanted(selection, id))
            .map(|(id, is_callable)| ChangedMethod {
                reason: "the class inherits another one".into(),
                entries: is_callable.then(|| id.clone()).into_iter().collect(),
                ..ChangedMethod::new(id, files, Some(&analysis.new))
            }),
    );
    methods.sort_by(|a, b| a.id.cmp(&b.id));
    let of_patch = |ids: Vec<MethodRef>| ids.into_iter().filter(|id| is_in(files, id)).collect();
    Ok(Changed {
        methods,
        added: of_patch(found.added),
        removed: of_patch(found.removed),
    })
}

/// Whether the patch changes the file of a method's class. Of another file's class, one version alone may have compiled it.
fn is_in(files: &[ChangedFile], id: &MethodRef) -> bool {
    let class = id.class.to_string();
    let sides = files.iter().flat_map(|f| [&f.old, &f.new]).flatten();
    let mut types = sides.flat_map(|side| &side.types);
    types.any(|t| is_within(&class, &t.name))
}

/// What differs between the classes of two builds.
#[derive(Default)]
struct Comparison {
    /// Methods with another body.
    changed: BTreeSet<MethodRef>,
    /// Methods that a class has from elsewhere now, and whether a test can call them.
    inherited: BTreeMap<MethodRef, bool>,
    /// Methods with the same body whose calls may do something else, and why.
    redispatched: BTreeMap<MethodRef, String>,
    added: Vec<MethodRef>,
    removed: Vec<MethodRef>,
}

impl Comparison {
    fn of(
        analysis: &Analysis,
        old: &[Arc<ClassFile>],
        new: &[Arc<ClassFile>],
        both: &[Arc<ClassFile>],
    ) -> Result<Comparison, Error> {
        let build = |classes| Build {
            classes,
            library: &analysis.library,
        };
        let (before, after) = (build(&*analysis.old), build(&*analysis.new));
        let mut out = Comparison::default();
        for b in new {
            match old.iter().find(|a| a.name == b.name) {
                Some(a) => out.pair((&before, a), (&after, b), both)?,
                None => out.added.extend(source_methods(b)),
            }
        }
        let is_gone = |a: &&Arc<ClassFile>| new.iter().all(|b| b.name != a.name);
        out.removed
            .extend(old.iter().filter(is_gone).flat_map(|a| source_methods(a)));
        Ok(out)
    }

    fn pair(
        &mut self,
        (before, a): (&Build, &ClassFile),
        (after, b): (&Build, &ClassFile),
        both: &[Arc<ClassFile>],
    ) -> Result<(), Error> {
        // Nor has an enum's array a difference that its initialiser has not.
        // What has a wider result in the other version is called as that.
        let is_made = |m: &&Method| is_accessor(m) || &*m.name == "$values" || is_marked(m);
        for method in b.methods.iter().filter(|m| !is_made(m)) {
            match find(a, method) {
                Some(twin)
                    if same_code(twin, method) && (twin.access ^ method.access) & STATIC == 0 =>
                {
                    if let Some(why) = redispatched(b, (twin, method), both) {
                        self.changed.insert(impact::id(b, method));
                        self.redispatched.insert(impact::id(b, method), why);
                    }
                }
                Some(_) => self.change_around(a, (b, method)),
                // Nobody could call the old class so, and what it calls is compared by itself.
                None if is_bridge(method) && !before.inherits(a, method)? => {}
                None if method.access & SYNTHETIC != 0 => self.change_around(a, (b, method)),
                None if before.inherits(a, method)? => {
                    self.changed.insert(impact::id(b, method));
                }
                None => self.added.push(impact::id(b, method)),
            }
        }
        let is_gone = |m: &&Method| find(b, m).is_none() && m.access & SYNTHETIC == 0;
        for method in a.methods.iter().filter(is_gone) {
            if after.inherits(b, method)? {
                self.changed.insert(impact::id(a, method));
            } else {
                self.removed.push(impact::id(a, method));
            }
        }
        for method in inherited_anew((before, a), (after, b))? {
            let is_callable = impact::accessible(b, &method);
            self.inherited.insert(impact::id(b, &method), is_callable);
        }
        Ok(())
    }

    /// A method of the new class has another body, or is the body of a lambda that the old one has not: then that is part of the method
    /// it stands in, unless that is new itself.
    fn change_around(&mut self, old: &ClassFile, (class, method): (&ClassFile, &Method)) {
        let around = method_around(class, method).filter(|_| is_lambda(method));
        if around.is_none_or(|outer| find(old, outer).is_some()) {
            let changed = around.unwrap_or(method);
            self.changed.insert(impact::id(class, changed));
        }
    }
}

/// The methods of a class that its source has.
fn source_methods(class: &ClassFile) -> impl Iterator<Item = MethodRef> {
    let methods = class.methods.iter();
    methods
        .filter(|m| m.access & SYNTHETIC == 0)
        .map(|m| impact::id(class, m))
}

/// Whether javac made a method so that callers find one with another descriptor by this one (JVMS §4.6).
fn is_bridge(method: &Method) -> bool {
    method.access & SYNTHETIC != 0 && method.access & BRIDGE != 0
}

fn find<'a>(class: &'a ClassFile, method: &Method) -> Option<&'a Method> {
    class.method(&method.name, &method.descriptor)
}

/// Access flags of the method, where a class declares it.
fn declared(classes: &[Arc<ClassFile>], id: &MethodRef) -> Option<u16> {
    let name = id.class.internal();
    classes
        .iter()
        .filter(|c| *c.name == *name)
        .find_map(|c| c.method(&id.name, &id.descriptor))
        .map(|m| m.access)
}

/// Whether a build has the class of a method.
fn holds(classes: &[Arc<ClassFile>], id: &MethodRef) -> bool {
    let name = id.class.internal();
    classes.iter().any(|c| *c.name == *name)
}

/// Whether code that is not seen may call a method without naming its class: it overrides another one, whose callers may lie in a library
/// or in files that are not compiled, or the JDK looks for its name. Where a type above is unknown, it may.
fn is_called_back(analysis: &Analysis, id: &MethodRef) -> Result<bool, Error> {
    const BY_NAME: [&str; 6] = [
        "finalize",
        "readObject",
        "readObjectNoData",
        "readResolve",
        "writeObject",
        "writeReplace",
    ];
    let find = |name: &str| match analysis.new.find(name)? {
        Some(own) => Ok::<_, Error>(Some(own)),
        None => Ok(analysis.library.find(name)?),
    };
    let Some(own) = find(&id.class.internal())? else {
        return Ok(false);
    };
    let method = own.method(&id.name, &id.descriptor);
    if BY_NAME.contains(&id.name.as_str()) {
        return Ok(true);
    }
    if id.name.starts_with('<') || method.is_none_or(|m| m.access & (PRIVATE | STATIC) != 0) {
        return Ok(false);
    }
    let mut todo: Vec<Arc<str>> = own
        .super_name
        .iter()
        .chain(&own.interfaces)
        .cloned()
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(class) = find(&name)? else {
            return Ok(true);
        };
        if class
            .methods
            .iter()
            .any(|m| *m.name == *id.name && m.access & PRIVATE == 0)
        {
            return Ok(true);
        }
        todo.extend(class.super_name.iter().chain(&class.interfaces).cloned());
    }
    Ok(false)
}

/// Whether a method's class is an enum in that build.
fn is_enum(classes: &[Arc<ClassFile>], id: &MethodRef) -> bool {
    let name = id.class.internal();
    let mut all = classes.iter();
    all.any(|c| *c.name == *name && c.access & ENUM != 0)
}

fn is_reshaped(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>], id: &MethodRef) -> bool {
    let name = id.class.internal();
    let (a, b) = (
        old.iter().find(|c| *c.name == *name),
        new.iter().find(|c| *c.name == *name),
    );
    matches!((a, b), (Some(a), Some(b)) if !crate::symex::mergeable(a, b))
}
