//! Outcomes with the arguments told before the receiver, as the caller who passed them sees it.

use super::{End, Outcome, Seen};
use std::collections::HashMap;

impl Outcome {
    /// The same outcome with objects written out where a caller holds them: the result, then the arguments, then the receiver.
    ///
    /// In the usual order ([`Seen`]) an argument that the receiver keeps is written out in the receiver, whose fields may be
    /// private; its argument is but a number. References are numbered anew.
    pub fn arguments_first(&self) -> Outcome {
        let mut renumbering = Renumbering::of(self);
        let end = match &self.end {
            End::Returned(value) => End::Returned(renumbering.value(value)),
            end => end.clone(),
        };
        let args = self.args.iter().map(|a| renumbering.value(a)).collect();
        let receiver = self.receiver.as_ref().map(|r| renumbering.value(r));
        Outcome {
            end,
            receiver,
            args,
            ..self.clone()
        }
    }

    /// The arguments as they are told beside another outcome: what results share with them is told of results that are alike only, for it
    /// is no further difference where the results differ or one of the two has none.
    pub fn arguments_beside(&self, other: &Outcome) -> Vec<Seen> {
        if matches!(self.end, End::Returned(_)) && self.end == other.end {
            return self.arguments_first().args;
        }
        let mut renumbering = Renumbering::of(self);
        self.args.iter().map(|a| renumbering.value(a)).collect()
    }
}

/// Whether a value has a number.
fn is_numbered(value: &Seen) -> bool {
    matches!(
        value,
        Seen::Array { .. }
            | Seen::Object { .. }
            | Seen::Throwable { .. }
            | Seen::Content { .. }
            | Seen::Opaque { .. }
    )
}

fn parts(value: &Seen) -> Vec<&Seen> {
    match value {
        Seen::Array { values, .. } | Seen::Content { values, .. } => values.iter().collect(),
        Seen::Object { fields, .. } => fields.iter().map(|f| &f.1).collect(),
        _ => Vec::new(),
    }
}

/// The numbered values, in the order of their numbers.
fn collect<'a>(value: &'a Seen, into: &mut Vec<&'a Seen>) {
    if is_numbered(value) {
        into.push(value);
    }
    for part in parts(value) {
        collect(part, into);
    }
}

/// A walk in another order.
struct Renumbering<'a> {
    /// By their old numbers.
    objects: Vec<&'a Seen>,
    /// The old numbers, by the places where the objects are written out.
    numbers: HashMap<*const Seen, usize>,
    /// The new numbers of those that were met.
    known: Vec<Option<u32>>,
    next: u32,
}

impl<'a> Renumbering<'a> {
    fn of(outcome: &'a Outcome) -> Renumbering<'a> {
        let result = match &outcome.end {
            End::Returned(value) => Some(value),
            _ => None,
        };
        let mut objects = Vec::new();
        let rest = outcome.receiver.iter().chain(&outcome.args);
        result
            .into_iter()
            .chain(rest)
            .for_each(|value| collect(value, &mut objects));
        let numbers = objects.iter().enumerate();
        Renumbering {
            numbers: numbers.map(|(n, o)| (std::ptr::from_ref(*o), n)).collect(),
            known: vec![None; objects.len()],
            objects,
            next: 0,
        }
    }

    fn value(&mut self, value: &'a Seen) -> Seen {
        let number = match value {
            Seen::Ref(number) => *number as usize,
            value => match self.numbers.get(&std::ptr::from_ref(value)) {
                Some(number) => *number,
                None => return value.clone(),
            },
        };
        match self.known.get(number) {
            Some(Some(known)) => return Seen::Ref(*known),
            Some(None) => {}
            None => return value.clone(),
        }
        self.known[number] = Some(self.next);
        self.next += 1;
        match self.objects[number] {
            Seen::Array { element, values } => Seen::Array {
                element: element.clone(),
                values: self.all(values),
            },
            Seen::Content { class, values } => Seen::Content {
                class: class.clone(),
                values: self.all(values),
            },
            Seen::Object { class, fields } => Seen::Object {
                class: class.clone(),
                fields: fields
                    .iter()
                    .map(|(name, value)| (name.clone(), self.value(value)))
                    .collect(),
            },
            other => other.clone(),
        }
    }

    fn all(&mut self, values: &'a [Seen]) -> Vec<Seen> {
        values.iter().map(|v| self.value(v)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(class: &str, value: Seen) -> Seen {
        Seen::Object {
            class: class.into(),
            fields: vec![("x".into(), value)],
        }
    }

    #[test]
    fn what_the_receiver_keeps_of_an_argument_is_told_at_the_argument() {
        let kept = object("Buffer", Seen::Int(1));
        let outcome = Outcome {
            receiver: Some(object("Printer", kept.clone())),
            args: vec![Seen::Ref(1), Seen::Ref(0)],
            ..Outcome::of(End::Returned(Seen::Void))
        };
        let told = outcome.arguments_first();
        assert_eq!(told.args[0], kept);
        assert_eq!(told.args[1], object("Printer", Seen::Ref(0)));
        assert_eq!(told.receiver, Some(Seen::Ref(1)));
    }

    #[test]
    fn beside_an_exception_an_argument_that_is_the_result_is_told_as_it_is() {
        let list = object("List", Seen::Int(1));
        let returned = Outcome {
            args: vec![Seen::Ref(0)],
            ..Outcome::of(End::Returned(list.clone()))
        };
        let ended = Outcome {
            args: vec![list],
            ..Outcome::of(End::Exited(1))
        };
        assert_eq!(returned.arguments_beside(&ended), ended.args);
        assert_eq!(ended.arguments_beside(&returned), ended.args);
        // Of two results it matters which objects they are.
        assert_eq!(returned.arguments_beside(&returned), [Seen::Ref(0)]);
    }

    #[test]
    fn what_results_that_differ_share_with_arguments_is_no_further_difference() {
        let list = object("List", Seen::Int(1));
        let kept = Outcome {
            args: vec![Seen::Ref(0)],
            ..Outcome::of(End::Returned(list.clone()))
        };
        let copied = |value: i32| Outcome {
            args: vec![list.clone()],
            ..Outcome::of(End::Returned(object("List", Seen::Int(value))))
        };
        let (same, another) = (copied(1), copied(2));
        assert_eq!(
            kept.arguments_beside(&another),
            another.arguments_beside(&kept)
        );
        assert_ne!(kept.arguments_beside(&same), same.arguments_beside(&kept));
    }

    #[test]
    fn circles_and_what_is_not_shared_stay() {
        let own = Outcome {
            receiver: Some(Seen::Ref(1)),
            args: vec![object("Other", Seen::Null), Seen::Ref(1)],
            ..Outcome::of(End::Returned(object("Made", object("Node", Seen::Ref(1)))))
        };
        assert_eq!(own.arguments_first(), own);
    }
}
