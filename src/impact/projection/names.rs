//! Names of members and classes in a projection: synthetic ones correspond by their content.

use super::super::enum_switch;
use super::{Check, Checked};
use crate::bytecode::class_file::{ClassFile, Const, DynamicRef, MemberRef, Method};
use crate::bytecode::{ClassPath, is_numbered};
use crate::model::CAPTURED;
use std::sync::Arc;

impl Check<'_> {
    pub(super) fn members(
        &mut self,
        m: &MemberRef,
        n: &MemberRef,
        a: &Arc<ClassFile>,
        b: &Arc<ClassFile>,
    ) -> Checked {
        self.text(&m.class, &n.class)?;
        self.text(&m.descriptor, &n.descriptor)?;
        if m.name == n.name && !is_numbered_member(&m.name) {
            return Ok(());
        }
        let both = |f: fn(&str) -> bool| f(&m.name) && f(&n.name);
        if both(is_numbered_member) && m.class == a.name {
            return self.synthetic((a, &m.name, &m.descriptor), (b, &n.name, &n.descriptor));
        }
        if m.name == n.name || both(|s| s.starts_with(CAPTURED)) || both(|s| s.starts_with("this$"))
        {
            return Ok(());
        }
        Err(format!(
            "{}.{} became {}.{}",
            m.class, m.name, n.class, n.name
        ))
    }

    pub(super) fn sites(
        &mut self,
        m: &DynamicRef,
        n: &DynamicRef,
        a: &Arc<ClassFile>,
        b: &Arc<ClassFile>,
    ) -> Checked {
        let other = || format!("the call site {} became another", m.name);
        if m.name != n.name || m.bootstrap != n.bootstrap || m.args.len() != n.args.len() {
            return Err(other());
        }
        self.text(&m.descriptor, &n.descriptor)?;
        for (x, y) in m.args.iter().zip(&n.args) {
            match (x, y) {
                (Const::MethodHandle(h), Const::MethodHandle(k)) if h.kind == k.kind => {
                    let member = |h: &crate::bytecode::class_file::MethodHandle| MemberRef {
                        class: h.class.clone(),
                        name: h.name.clone(),
                        descriptor: h.descriptor.clone(),
                    };
                    self.members(&member(h), &member(k), a, b)?;
                }
                (Const::MethodType(c), Const::MethodType(d))
                | (Const::Class(c), Const::Class(d)) => self.text(c, d)?,
                (x, y) if x == y => {}
                _ => return Err(other()),
            }
        }
        Ok(())
    }

    /// Bodies of lambdas and accessors are compared under whatever number they have.
    fn synthetic(
        &mut self,
        (a, m, d): (&Arc<ClassFile>, &str, &str),
        (b, n, e): (&Arc<ClassFile>, &str, &str),
    ) -> Checked {
        if !self.lambdas.insert((m.to_string(), n.to_string())) {
            return Ok(());
        }
        let find =
            |c: &ClassFile, name: &str, descriptor: &str| c.method(name, descriptor).cloned();
        match (find(a, m, d), find(b, n, e)) {
            (Some(x), Some(y)) => self.waiting.push(((a.clone(), x), (b.clone(), y))),
            _ => return Err(format!("{m} became {n}")),
        }
        Ok(())
    }

    /// Compares class names, array types and descriptors.
    pub(super) fn text(&mut self, a: &str, b: &str) -> Checked {
        if a == b && !a.contains('$') {
            return Ok(());
        }
        let split = |s: &str| {
            s.split([';', '(', ')', '[', '<', '>'])
                .map(str::to_string)
                .collect::<Vec<_>>()
        };
        let (xs, ys) = (split(a), split(b));
        if xs.len() != ys.len() {
            return Err(format!("{a} became {b}"));
        }
        for (x, y) in xs.iter().zip(&ys) {
            // A descriptor's primitives stand before the class name.
            let (x, y) = match (a.contains(';'), x.find('L'), y.find('L')) {
                (true, Some(i), Some(j)) if i == j && x[..i] == y[..j] => {
                    (&x[i + 1..], &y[j + 1..])
                }
                _ => (x.as_str(), y.as_str()),
            };
            self.class_names(x, y)?;
        }
        Ok(())
    }

    fn class_names(&mut self, a: &str, b: &str) -> Checked {
        if !is_numbered(a) && !is_numbered(b) {
            return if a == b {
                Ok(())
            } else {
                Err(format!("{a} became {b}"))
            };
        }
        if let Some(known) = self.names.get(b) {
            return if known == a {
                Ok(())
            } else {
                Err(format!("{a} became {b}"))
            };
        }
        if self.names.values().any(|n| n == a) {
            return Err(format!("{a} became {b}"));
        }
        self.names.insert(b.to_string(), a.to_string());
        let find = |path: &ClassPath, name: &str| path.find(name).ok().flatten();
        match (find(self.real, a), find(self.unified, b)) {
            (Some(x), Some(y)) => self.classes(&x, &y),
            (None, None) if a == b => Ok(()),
            _ => Err(format!("{a} became {b}")),
        }
    }

    /// Queues all methods of two anonymous or local classes.
    fn classes(&mut self, a: &Arc<ClassFile>, b: &Arc<ClassFile>) -> Checked {
        // What tables of enum switches hold is compared where a switch reads it.
        if enum_switch::is_of_tables(a) && enum_switch::is_of_tables(b) {
            return Ok(());
        }
        match (&a.super_name, &b.super_name) {
            (Some(x), Some(y)) => self.text(x, y)?,
            _ => return Err(format!("{} has another superclass", a.name)),
        }
        if a.interfaces != b.interfaces {
            return Err(format!("{} has other interfaces", a.name));
        }
        let own = |c: &ClassFile| -> Vec<Method> {
            let is_declared = |m: &&Method| !is_numbered_member(&m.name);
            c.methods.iter().filter(is_declared).cloned().collect()
        };
        let (xs, mut ys) = (own(a), own(b));
        if xs.len() != ys.len() {
            return Err(format!("{} has other methods", a.name));
        }
        for x in xs {
            let same = ys
                .iter()
                .position(|y| y.name == x.name && self.text(&x.descriptor, &y.descriptor).is_ok());
            let Some(at) = same else {
                return Err(format!("{}.{} is missing", a.name, x.name));
            };
            self.waiting
                .push(((a.clone(), x), (b.clone(), ys.remove(at))));
        }
        Ok(())
    }
}

/// Names that javac numbers within a class.
fn is_numbered_member(name: &str) -> bool {
    name.starts_with("lambda$") || name.starts_with("access$")
}
