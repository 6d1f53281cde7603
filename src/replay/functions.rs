//! Lambdas in outcomes: what they give is told where it is known of both versions' ones.

use super::Observed;
use super::changing::{made_of, zipped};
use crate::model::{HIDDEN, Seen};

/// The outcomes without what a lambda gives, where something else stands in its place in the other version, or a lambda of which that is not
/// known.
pub(super) fn comparable(seen: &Observed) -> Observed {
    let plain = |a: &Seen, b: &Seen| zipped(a, b, &of_one);
    Observed {
        old: made_of(&seen.old, &seen.new, &plain),
        new: made_of(&seen.new, &seen.old, &plain),
    }
}

/// The value where the other version's has another shape.
fn of_one(value: &Seen, _: &Seen) -> Seen {
    match value {
        Seen::Content { class, .. } if class == HIDDEN => Seen::Opaque {
            class: HIDDEN.into(),
        },
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{End, Outcome};

    #[test]
    fn what_a_lambda_gives_counts_where_both_versions_tell_it() {
        let lambda = |given: i32| Seen::Content {
            class: HIDDEN.into(),
            values: vec![Seen::Int(given)],
        };
        let unknown = Seen::Opaque {
            class: HIDDEN.into(),
        };
        let of = |old: &Seen, new: &Seen| {
            let run = |value: &Seen| Outcome::of(End::Returned(value.clone()));
            comparable(&Observed {
                old: run(old),
                new: run(new),
            })
        };
        let both = of(&lambda(1), &lambda(2));
        assert_ne!(both.old, both.new);
        let one = of(&lambda(1), &unknown);
        assert_eq!(one.old, one.new);
        let other = of(&unknown, &lambda(1));
        assert_eq!(other.old, other.new);
    }
}
