//! Objects of the JDK's types, by recipe.

use super::recipes::Recipe;
use super::spec::{PriorCall, Spec};
use super::typed::{CLASS, Typed};
use super::ways::Ways;
use super::{Built, CHARS, STRING};
use crate::symex::class::Method;

impl Ways<'_> {
    /// The value that a recipe makes.
    pub(super) fn recipe(&mut self, recipe: Recipe, of: &Typed, depth: u32) -> Built<Spec> {
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
                let Some(maker) = last else {
                    return Ok(made);
                };
                let mut args = vec![made];
                args.extend(self.recipe_arguments(&maker, of, depth)?);
                Ok(Spec::Call {
                    maker,
                    args,
                    calls: Vec::new(),
                })
            }
        }
    }

    /// Arguments of a recipe's member: objects are of the type arguments, in order.
    fn recipe_arguments(&mut self, method: &Method, of: &Typed, depth: u32) -> Built<Vec<Spec>> {
        let (mut args, mut n) = (Vec::new(), 0);
        for param in &method.params {
            let spec = match &**param {
                CLASS => self.element(&of.class_of_argument(), depth + 1)?,
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
}
