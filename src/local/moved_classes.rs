//! Classes that moved to another package: the old build is read with the new names.

use super::class_renames::{ClassRenames, Named, kind, likeness, same_parents, says};
use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::access::{PRIVATE, PROTECTED, PUBLIC, STATIC};
use crate::bytecode::class_file::{ClassFile, Insn};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Least share of code, in hundredths, that a class has in common with itself in its new package.
const LEAST_ALIKE: usize = 50;

/// Most classes of one build that are compared with those of the other.
const MOST: usize = 200;

/// Flags of what code outside of the package may use, or its class alone.
const PLAIN: u16 = PUBLIC | PROTECTED | PRIVATE;

impl ClassRenames {
    /// Finds classes that each build has and the other lacks, of the same name first. What a program does may depend on a package
    /// in three ways: which methods override one without a modifier, what look-ups at run time may use, and where resources lie.
    pub(super) fn moved(&mut self, (a, b): (&Named, &Named), quoted: &Identifiers) {
        let (mine, theirs) = (self.lone_outermost(a, b), self.lone_outermost(b, a));
        let is_said = |simple: &str| {
            let mut both = a.values().chain(b.values());
            quoted.contains(simple) || both.any(|c| says(c, simple))
        };
        let mut likely = Vec::new();
        for (from, to) in mine.iter().flat_map(|x| theirs.iter().map(move |y| (x, y))) {
            let (x, y) = (a[from], b[to]);
            if kind(x) != kind(y) || !same_parents(x, y) {
                continue;
            }
            let score = likeness(x, y);
            let same = simple_name(from) == simple_name(to);
            if score >= LEAST_ALIKE {
                likely.push((Reverse((same, score)), from.clone(), to.clone()));
            }
        }
        likely.sort();
        let mut pairs: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        for (_, from, to) in likely {
            let is_new = pairs.iter().all(|(x, y)| *x != from && *y != to);
            if is_new && !is_said(simple_name(&from)) && !is_said(simple_name(&to)) {
                pairs.push((from, to));
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

    /// Outermost classes that one build alone has; none where there are too many to compare.
    fn lone_outermost(&self, mine: &Named, theirs: &Named) -> Vec<Arc<str>> {
        let taken = |n: &Arc<str>| {
            let mut renamed = self.names.iter();
            renamed.any(|(from, to)| from == n || to == n)
        };
        let lone = |n: &&Arc<str>| {
            let is_one = !n.contains('$') && simple_name(n) != "package-info";
            is_one && !theirs.contains_key(*n) && !taken(n)
        };
        let all: Vec<Arc<str>> = mine.keys().filter(lone).cloned().collect();
        if all.len() > MOST { Vec::new() } else { all }
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
