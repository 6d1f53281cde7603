//! `invokedynamic`: concatenation, and lambdas named by what their bodies do.

use super::executor::Executor;
use super::state::{State, Unproved};
use crate::bytecode::class_file::{Const, DynamicRef, Insn, MemberRef, MethodHandle};
use crate::bytecode::parameter_descriptors;
use std::rc::Rc;

impl Executor<'_> {
    pub(super) fn dynamic(
        &mut self,
        mut state: State,
        insn: &Insn,
        site: &DynamicRef,
    ) -> Result<(), Unproved> {
        let parameters = parameter_descriptors(&site.descriptor);
        let args = state.pop_all(parameters.len())?;
        let of = |class: &str| &*site.bootstrap.class == class;
        if of("java/lang/invoke/StringConcatFactory") {
            return self.concat(state, insn, site, &parameters, args);
        }
        if of("java/lang/invoke/LambdaMetafactory") {
            let name = self.lambda_name(insn, site)?;
            let result = site.descriptor.rsplit(')').next().unwrap_or("V");
            let s = &mut self.context.symbols;
            let term = s.value(&name, &args, result);
            s.set_anonymous(term);
            self.publish(&mut state, &args);
            self.record_closure(&state, site, term, args);
            Rc::make_mut(&mut state.computed).push(term);
            return self.complete(state, Some(term));
        }
        self.rely_on(insn);
        let what = format!("{site:?}");
        let result = site.descriptor.rsplit(')').next().unwrap_or("V");
        match self.event(state, (&what, args), result, true)? {
            Some((state, value)) => self.complete(state, value),
            None => Ok(()),
        }
    }

    /// A text that says what a lambda or method reference does. It is equal in both versions only if both do the same, provided
    /// that the changed methods which they reach do.
    fn lambda_name(&mut self, insn: &Insn, site: &DynamicRef) -> Result<String, Unproved> {
        let mut name = format!("lambda {} {} ", site.name, site.descriptor);
        for arg in &site.args {
            let body = match arg {
                Const::MethodHandle(h) => self.version.lambda(h).map(|b| (h, b)),
                _ => None,
            };
            match body {
                Some((handle, body)) => {
                    let text = self.version.text(&body);
                    let text =
                        text.ok_or_else(|| Unproved::Unsupported("nested lambdas".into()))?;
                    for insn in self.version.instructions(&body) {
                        self.rely_on(&insn);
                    }
                    name.push_str(&described(handle, &text));
                }
                None => name.push_str(&format!("{arg:?} ")),
            }
        }
        // A method reference comes to the method it names; lambdas are marked under their own number.
        let only_lambdas = site.args.iter().all(|a| match a {
            Const::MethodHandle(h) => self.version.lambda(h).is_some(),
            _ => true,
        });
        if !only_lambdas {
            self.rely_on(insn);
            self.named_in_both(site)?;
        }
        Ok(name)
    }

    /// Refuses references to methods that only one version has.
    fn named_in_both(&self, site: &DynamicRef) -> Result<(), Unproved> {
        for arg in &site.args {
            let Const::MethodHandle(h) = arg else {
                continue;
            };
            let member = MemberRef {
                class: h.class.clone(),
                name: h.name.clone(),
                descriptor: h.descriptor.clone(),
            };
            let mine = self.version.declaration(&member).map(|d| d.0.name.clone());
            let theirs = self.other.declaration(&member).map(|d| d.0.name.clone());
            if mine != theirs {
                return Err(Unproved::Unsupported(
                    "a reference to a changed method".into(),
                ));
            }
        }
        Ok(())
    }
}

fn described(handle: &MethodHandle, text: &str) -> String {
    format!(
        "{} {} {} {{{text}}} ",
        handle.kind, handle.class, handle.descriptor
    )
}
