//! Parts of an outcome that are another in each run of one version, such as a hash, a time or the order of a set: they are masked in both versions.

use super::{Observed, same_outcome};
use crate::model::{CHANGING, End, Outcome, Seen};

/// What all runs of each version show alike, where the versions differ in that.
pub fn without_changing(seen: &Observed, again: &[Observed]) -> Option<Observed> {
    let mut kept = seen.clone();
    for one in again {
        kept.old = common(&kept.old, &one.old)?;
        kept.new = common(&kept.new, &one.new)?;
    }
    let old = masked(&kept.old, &kept.new);
    let new = masked(&kept.new, &kept.old);
    (!same_outcome(&old, &new)).then_some(Observed { old, new })
}

/// What two runs of one version show alike; `None` where they end otherwise.
fn common(a: &Outcome, b: &Outcome) -> Option<Outcome> {
    let end = match (&a.end, &b.end) {
        (End::Returned(x), End::Returned(y)) => End::Returned(alike(x, y)),
        (x, y) if x.same_as(y) => x.clone(),
        _ => return None,
    };
    let receiver = match (&a.receiver, &b.receiver) {
        (Some(x), Some(y)) => Some(alike(x, y)),
        _ => None,
    };
    let args = a.args.iter().zip(&b.args).map(|(x, y)| alike(x, y));
    let files = a.files.iter().filter(|f| b.files.contains(f));
    Some(Outcome {
        end,
        receiver,
        args: args.collect(),
        files: files.cloned().collect(),
        printed: match a.printed == b.printed {
            true => a.printed.clone(),
            false => Vec::new(),
        },
    })
}

/// A version's outcome without what changes in the other one's.
fn masked(of: &Outcome, other: &Outcome) -> Outcome {
    made_of(of, other, &without)
}

/// A version's outcome with each value made of that and the other version's.
pub(super) fn made_of(
    of: &Outcome,
    other: &Outcome,
    make: &dyn Fn(&Seen, &Seen) -> Seen,
) -> Outcome {
    let end = match (&of.end, &other.end) {
        (End::Returned(x), End::Returned(y)) => End::Returned(make(x, y)),
        (x, _) => x.clone(),
    };
    let receiver = of.receiver.as_ref();
    let receiver = receiver.map(|x| other.receiver.as_ref().map_or(x.clone(), |y| make(x, y)));
    let args = of.args.iter().enumerate();
    let args = args.map(|(i, x)| other.args.get(i).map_or(x.clone(), |y| make(x, y)));
    Outcome {
        end,
        receiver,
        args: args.collect(),
        ..of.clone()
    }
}

/// The value with all masked in which two runs differ.
fn alike(a: &Seen, b: &Seen) -> Seen {
    zipped(a, b, &|a, b| match a == b {
        true => a.clone(),
        false => changing(),
    })
}

/// The value with all masked that is in another one.
fn without(of: &Seen, other: &Seen) -> Seen {
    zipped(of, other, &|of, other| match is_changing(other) {
        true => changing(),
        false => of.clone(),
    })
}

/// Goes through two values as long as they have the same shape, and puts together what is made of their parts.
pub(super) fn zipped(a: &Seen, b: &Seen, of: &dyn Fn(&Seen, &Seen) -> Seen) -> Seen {
    let all = |v: &[Seen], w: &[Seen]| v.iter().zip(w).map(|(x, y)| zipped(x, y, of)).collect();
    match (a, b) {
        (
            Seen::Array { element, values: v },
            Seen::Array {
                element: other,
                values: w,
            },
        ) if element == other && v.len() == w.len() => Seen::Array {
            element: element.clone(),
            values: all(v, w),
        },
        (
            Seen::Content { class, values: v },
            Seen::Content {
                class: other,
                values: w,
            },
        ) if class == other && v.len() == w.len() => Seen::Content {
            class: class.clone(),
            values: all(v, w),
        },
        (
            Seen::Object { class, fields: v },
            Seen::Object {
                class: other,
                fields: w,
            },
        ) if class == other && v.len() == w.len() => {
            let fields = v.iter().zip(w);
            let fields = fields.map(|(x, y)| (x.0.clone(), zipped(&x.1, &y.1, of)));
            Seen::Object {
                class: class.clone(),
                fields: fields.collect(),
            }
        }
        _ => of(a, b),
    }
}

fn changing() -> Seen {
    Seen::Opaque {
        class: CHANGING.into(),
    }
}

fn is_changing(value: &Seen) -> bool {
    matches!(value, Seen::Opaque { class } if class == CHANGING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(hash: i32, text: &str) -> Outcome {
        let fields = vec![
            ("p.A.hash".to_string(), Seen::Int(hash)),
            (
                "p.A.text".to_string(),
                Seen::Str(text.encode_utf16().collect()),
            ),
        ];
        Outcome {
            receiver: Some(Seen::Object {
                class: "p.A".into(),
                fields,
            }),
            ..Outcome::of(End::Returned(Seen::Void))
        }
    }

    #[test]
    fn what_is_another_each_time_hides_no_other_difference() {
        let both = |hash: i32, new: &str| Observed {
            old: run(hash, "a"),
            new: run(hash * 7, new),
        };
        let again = [both(2, "b"), both(3, "b")];
        let kept = without_changing(&both(1, "b"), &again).expect("a difference");
        assert!(!same_outcome(&kept.old, &kept.new));
        let text = format!("{:?}", kept.old);
        assert!(text.contains(CHANGING), "{text}");
        // Without another difference there is none.
        let again = [both(2, "a"), both(3, "a")];
        assert!(without_changing(&both(1, "a"), &again).is_none());
        // Nor where the difference itself is another each time, in one version only.
        let steady = |new: i32| Observed {
            old: run(1, "a"),
            new: run(new, "a"),
        };
        assert!(without_changing(&steady(2), &[steady(3)]).is_none());
    }
}
