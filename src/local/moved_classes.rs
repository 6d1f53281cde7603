//! Classes that moved to another package: the old build is read with the new names.

use super::class_renames::{ClassRenames, Named, kind, likeness, same_parents, says};
use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::access::{PRIVATE, PROTECTED, PUBLIC, STATIC};
use crate::bytecode::class_file::{ClassFile, Insn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Least share of code, in hundredths, that a class has in common with itself in its new package.
const LEAST_ALIKE: usize = 50;

/// Flags of what code outside of the package may use, or its class alone.
const PLAIN: u16 = PUBLIC | PROTECTED | PRIVATE;

impl ClassRenames {
    /// Finds the only class of a simple name that each build has and the other lacks. What a program does may depend on a package
    /// in three ways: which methods override one without a modifier, what look-ups at run time may use, and where resources lie.
    pub(super) fn moved(&mut self, (a, b): (&Named, &Named), outside: &Identifiers) {
        let (mine, theirs) = (self.lone_by_name(a, b), self.lone_by_name(b, a));
        let mut pairs: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        for (simple, from) in &mine {
            let (Some(Some(to)), Some(from)) = (theirs.get(simple), from) else {
                continue;
            };
            let (x, y) = (a[from], b[to]);
            let alike = likeness(x, y) >= LEAST_ALIKE && same_parents(x, y) && kind(x) == kind(y);
            let mut both = a.values().chain(b.values());
            let is_said = outside.contains(simple) || both.any(|c| says(c, simple));
            if alike && !is_said {
                pairs.push((from.clone(), to.clone()));
            }
        }
        if pairs.is_empty() || [a, b].iter().any(|all| calls_for_resources(all)) {
            return;
        }
        let of_packages = |all: &Named| -> BTreeSet<Arc<str>> {
            let methods = all.values().flat_map(|c| &c.methods);
            let plain = methods.filter(|m| m.access & (PLAIN | STATIC) == 0);
            plain.map(|m| m.name.clone()).collect()
        };
        let mut hidden = of_packages(a);
        hidden.extend(of_packages(b));
        hidden.remove("<init>");
        hidden.remove("<clinit>");
        let looked_up = [a, b].iter().any(|all| uses_reflection(all));
        for (from, to) in pairs {
            let parts = [(a, &from), (b, &to)];
            let may_move = parts.iter().all(|(all, name)| {
                let inner = format!("{name}$");
                let mut own = all.iter();
                own.all(|(n, c)| {
                    *n != **name && !n.starts_with(&inner) || is_free(c, &hidden, looked_up)
                })
            });
            if may_move {
                self.names.insert(from, to);
            }
        }
    }

    /// Outermost classes that one build alone has, by simple name; nothing where several have it.
    fn lone_by_name(&self, mine: &Named, theirs: &Named) -> BTreeMap<String, Option<Arc<str>>> {
        let taken = |n: &Arc<str>| {
            let mut renamed = self.names.iter();
            renamed.any(|(from, to)| from == n || to == n)
        };
        let mut out: BTreeMap<String, Option<Arc<str>>> = BTreeMap::new();
        let lone = |n: &&Arc<str>| !n.contains('$') && !theirs.contains_key(*n) && !taken(n);
        for name in mine.keys().filter(lone) {
            let simple = simple_name(name);
            let entry = out.entry(simple.to_string());
            entry
                .and_modify(|known| *known = None)
                .or_insert_with(|| Some(name.clone()));
        }
        out.remove("package-info");
        out
    }
}

/// Whether a class does the same in every package: none of its methods overrides one without a modifier, or is overridden as one,
/// and no code that looks up members could find it in its package only.
fn is_free(class: &ClassFile, hidden: &BTreeSet<Arc<str>>, looked_up: bool) -> bool {
    let of_package = |access: u16| access & PLAIN == 0;
    let mut methods = class.methods.iter();
    let overrides = methods.any(|m| m.access & STATIC == 0 && hidden.contains(&m.name));
    let members = class.methods.iter().map(|m| m.access);
    let mut members = members.chain(class.fields.iter().map(|f| f.access));
    let is_hidden = of_package(class.access) || members.any(of_package);
    !(overrides || looked_up && is_hidden)
}

fn calls(classes: &Named, wanted: impl Fn(&str, &str) -> bool) -> bool {
    let methods = classes.values().flat_map(|c| &c.methods);
    let mut insns = methods
        .filter_map(|m| m.code.as_ref())
        .flat_map(|c| &c.insns);
    insns.any(|i| matches!(i, Insn::Invoke(_, m) if wanted(&m.class, &m.name)))
}

/// Whether code asks a class for its package, or for a resource, which is looked for there.
fn calls_for_resources(classes: &Named) -> bool {
    calls(classes, |class, name| {
        class == "java/lang/Class" && (name.starts_with("getResource") || name == "getPackage")
    })
}

fn uses_reflection(classes: &Named) -> bool {
    calls(classes, |class, name| {
        class.starts_with("java/lang/reflect/")
            || class.starts_with("java/lang/invoke/")
            || class == "java/lang/Class" && name == "newInstance"
    })
}
