//! The agreement of predicted values with observed ones.

use super::Seen;

/// The comparison of predicted values with observed ones, in the order of their numbers. Of an object of which a prediction knows
/// nothing but the class, the JVM may show the content.
#[derive(Default)]
pub(super) struct Agreement {
    /// Whether there was such a content with objects in it: from there on the numbers are not the same.
    shifted: bool,
}

impl Agreement {
    pub(super) fn of(&mut self, predicted: &Seen, observed: &Seen) -> bool {
        match (predicted, observed) {
            (Seen::Opaque { class }, Seen::Content { class: of, values }) => {
                let is_text = |v: &Seen| matches!(v, Seen::Str(_) | Seen::Null | Seen::Boxed(_));
                self.shifted |= !values.iter().all(is_text);
                class == of
            }
            (Seen::Opaque { class }, Seen::Object { class: of, .. }) => {
                self.shifted = true;
                class == of
            }
            (Seen::Opaque { class }, Seen::Throwable { class: of, .. }) => class == of,
            // What the JDK's index checks say, they say themselves.
            (
                Seen::Throwable { class, .. },
                Seen::Throwable {
                    class: of,
                    message: None,
                },
            ) if class.ends_with("IndexOutOfBoundsException") => class == of,
            (Seen::Ref(a), Seen::Ref(b)) => a == b || self.shifted,
            (_, Seen::Ref(_)) => self.shifted,
            (Seen::Boxed(a), Seen::Boxed(b)) => self.of(a, b),
            (
                Seen::Array { element, values },
                Seen::Array {
                    element: of,
                    values: others,
                },
            ) => element == of && self.of_all(values, others),
            (
                Seen::Content { class, values },
                Seen::Content {
                    class: of,
                    values: others,
                },
            ) => class == of && self.of_all(values, others),
            (
                Seen::Object { class, fields },
                Seen::Object {
                    class: of,
                    fields: others,
                },
            ) => {
                // What it holds as the JDK's container that it extends is not predicted.
                let others = match others.split_last() {
                    Some(((name, _), rest)) if name.starts_with("java.") => {
                        self.shifted = true;
                        rest
                    }
                    _ => &others[..],
                };
                let both = || fields.iter().zip(others);
                class == of
                    && fields.len() == others.len()
                    && both().all(|(a, b)| a.0 == b.0)
                    && both().all(|(a, b)| self.of(&a.1, &b.1))
            }
            (a, b) => a == b,
        }
    }

    pub(super) fn of_all(&mut self, predicted: &[Seen], observed: &[Seen]) -> bool {
        let mut both = predicted.iter().zip(observed);
        predicted.len() == observed.len() && both.all(|(a, b)| self.of(a, b))
    }
}
