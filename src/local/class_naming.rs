//! Anonymous classes that got a name, and classes with a name that became anonymous: the old build is read with the new names.

use super::class_renames::{ClassRenames, Named, kind, number, says};
use super::renames::alike;
use super::uncompiled::Identifiers;
use super::version::simple_name;
use crate::bytecode::class_file::{ClassFile, Method};
use crate::model::Spelling;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Least share of common code, in hundredths, of each method of an anonymous class and of one with a name.
const SAME_CODE: usize = 90;

impl ClassRenames {
    /// Finds them in the same outermost class, by what they are and hold.
    pub(super) fn named(&mut self, (a, b): (&Named, &Named), quoted: &Identifiers) {
        let lone_old = self.lone(a, b);
        let lone_new = self.lone(b, a);
        let said = |n: &Arc<str>| {
            let name = simple_name(n);
            let mut both = a.values().chain(b.values());
            quoted.contains(name) || both.any(|c| says(c, name))
        };
        let all = lone_old
            .iter()
            .flat_map(|x| lone_new.iter().map(move |y| (x, y)));
        let mut done: BTreeSet<Arc<str>> = BTreeSet::new();
        for (from, to) in all {
            let kinds = [is_anonymous(from), is_anonymous(to)];
            let named = if kinds[0] { to } else { from };
            let (x, y) = (a[from], b[to]);
            let fits = kinds[0] != kinds[1] && self.do_alike(x, y) && !said(named);
            // What is inside such a class would get another name too.
            let inside = |n: &Arc<str>| n.starts_with(&format!("{from}$"));
            if fits && !done.contains(from) && !done.contains(to) && !a.keys().any(inside) {
                done.extend([from.clone(), to.clone()]);
                self.names.insert(from.clone(), to.clone());
            }
        }
    }

    /// Classes inside others without a partner: with a name that the other build has not, or anonymous, while no anonymous class of the
    /// other build does the same.
    fn lone(&self, mine: &Named, theirs: &Named) -> Vec<Arc<str>> {
        let taken = |n: &Arc<str>| {
            let mut renamed = self.names.iter();
            renamed.any(|(from, to)| from == n || to == n)
        };
        let is_lone = |name: &&Arc<str>| match is_anonymous(name) {
            true => {
                let twins = theirs.iter().filter(|(n, _)| is_anonymous(n));
                !twins
                    .into_iter()
                    .any(|(_, c)| self.do_alike(mine[*name], c))
            }
            false => name.contains('$') && !theirs.contains_key(*name) && !taken(name),
        };
        let inner = mine.keys().filter(|n| n.contains('$'));
        inner.filter(is_lone).cloned().collect()
    }

    /// Whether two classes in the same outermost class have the same supertypes, and methods with much the same code, constructors aside.
    fn do_alike(&self, x: &ClassFile, y: &ClassFile) -> bool {
        let above = |c: &ClassFile| {
            let all = c.super_name.iter().chain(&c.interfaces);
            all.map(|n| self.name(n)).collect::<Vec<_>>()
        };
        let own = |c: &ClassFile| {
            let methods = c.methods.iter().filter(|m| !m.name.starts_with('<'));
            methods.cloned().collect::<Vec<Method>>()
        };
        let outermost = |c: &ClassFile| {
            let name = self.name(&c.name);
            name.outermost().to_string()
        };
        if outermost(x) != outermost(y) || kind(x) != kind(y) || above(x) != above(y) {
            return false;
        }
        let (mine, theirs) = (own(x), own(y));
        let has_twin = |m: &Method| {
            let mut twins = theirs.iter().filter(|o| o.name == m.name);
            twins.any(|o| m.code.is_some() == o.code.is_some() && alike(m, o) >= SAME_CODE)
        };
        mine.len() == theirs.len() && mine.iter().all(has_twin)
    }
}

fn is_anonymous(name: &str) -> bool {
    number(name) == Some("")
}
