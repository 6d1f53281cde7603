//! The fields, of objects anywhere inside of a receiver or an argument, in which two versions leave them otherwise.

use crate::model::{Finding, Seen};
use std::collections::BTreeSet;

/// The class of an object, and its field.
type Field = (String, String);

/// The innermost of them, where nothing else differs and no answer shows it.
fn fields(f: &Finding) -> Option<BTreeSet<Field>> {
    let (old, new) = (f.old.arguments_first(), f.new.arguments_first());
    let is_only = f.telling.shown.is_none()
        && old.end.same_as(&new.end)
        && old.printed == new.printed
        && old.files == new.files
        && old.args.len() == new.args.len()
        && old.receiver.is_some() == new.receiver.is_some();
    let mut all = BTreeSet::new();
    let receivers = old.receiver.iter().zip(&new.receiver);
    let mut pairs = receivers.chain(old.args.iter().zip(&new.args));
    (is_only && pairs.all(|(a, b)| gather(a, b, None, &mut all)) && !all.is_empty()).then_some(all)
}

/// Adds those in which two values differ; whether each difference lies in a field.
fn gather(old: &Seen, new: &Seen, of: Option<(&str, &str)>, all: &mut BTreeSet<Field>) -> bool {
    if old == new {
        return true;
    }
    let mut each = |a: &[Seen], b: &[Seen]| {
        let mut pairs = a.iter().zip(b);
        pairs.all(|(a, b)| gather(a, b, of, all))
    };
    match (old, new) {
        (
            Seen::Object { class, fields },
            Seen::Object {
                class: other,
                fields: others,
            },
        ) if class == other && names(fields) == names(others) => {
            let mut values = fields.iter().zip(others);
            values.all(|((name, a), (_, b))| gather(a, b, Some((class, name)), all))
        }
        (
            Seen::Content { class, values },
            Seen::Content {
                class: other,
                values: others,
            },
        ) if class == other && values.len() == others.len() => each(values, others),
        (Seen::Array { values, .. }, Seen::Array { values: others, .. })
            if values.len() == others.len() =>
        {
            each(values, others)
        }
        _ => match of {
            Some((class, name)) => {
                all.insert((class.to_string(), name.to_string()));
                true
            }
            None => false,
        },
    }
}

fn names(fields: &[(String, Seen)]) -> Vec<&String> {
    fields.iter().map(|(name, _)| name).collect()
}

/// Whether nothing differs but such fields, and none of them is one of the receiver itself: whoever made those objects tells it better.
pub(super) fn is_deep(f: &Finding) -> bool {
    fields(f).is_some_and(|all| all.iter().all(|(class, _)| !is_of_receiver(f, class)))
}

fn is_of_receiver(f: &Finding, of: &str) -> bool {
    matches!(&f.old.receiver, Some(Seen::Object { class, .. }) if class == of)
}

/// Whether nothing differs in either finding but such fields, all of those of the second one in the first one, too, and none of them is one of
/// the second one's own receiver.
pub(super) fn is_told(told: &Finding, other: &Finding) -> bool {
    let within = || fields(other)?.is_subset(&fields(told)?).then_some(());
    told.class == other.class && is_deep(other) && within().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(class: &str, field: &str, value: Seen) -> Seen {
        Seen::Object {
            class: class.into(),
            fields: vec![(field.into(), value)],
        }
    }

    #[test]
    fn the_innermost_field_is_told_whatever_is_around_it() {
        let list = |class: &str| Seen::Content {
            class: "java.util.ArrayList".into(),
            values: vec![object(class, "n", Seen::Int(1))],
        };
        let holder = |class: &str| object("a.Holder", "parts", list(class));
        let mut all = BTreeSet::new();
        let (old, new) = (holder("a.Plain"), holder("a.Fancy"));
        let reader = |inner: &Seen| object("a.Reader", "holder", inner.clone());
        assert!(gather(&reader(&old), &reader(&new), None, &mut all));
        let parts = ("a.Holder".to_string(), "parts".to_string());
        assert_eq!(all, BTreeSet::from([parts]));
        assert!(!gather(&Seen::Int(1), &Seen::Int(2), None, &mut all));
    }
}
