//! Findings on which both versions throw, and no caller is better off with either.

use crate::model::{DivergenceClass, Finding, Label, MethodResult, Outcome};

/// Exceptions of the JVM's own checks (JVMS §2.10), and of the JDK's checks of indices.
const OF_CHECKS: [&str; 8] = [
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.StringIndexOutOfBoundsException",
];

/// Labels findings of class `changed` on which both versions throw, and
///
/// - throw the same, and nothing but what objects hold then differs,
/// - throw what the checks of the JVM and the JDK throw,
/// - another finding of the method, as relevant, has a version that does not throw; of methods that are neither public nor protected,
///   a finding of any method, since the project's own callers show what they do.
pub(super) fn label(methods: &mut [MethodResult]) {
    let others: Vec<bool> = methods.iter().map(has_other).collect();
    let any = others.contains(&true);
    for (m, has_other) in methods.iter_mut().zip(others) {
        for f in &mut m.findings {
            let internal = f.telling.labels.contains(&Label::PackagePrivate);
            let changed = f.is_told() && f.class == DivergenceClass::Changed;
            if changed && is_idle(&f.old, &f.new, has_other || internal && any) {
                f.telling.labels.push(Label::BothFail);
            }
        }
    }
}

/// Whether a finding that is shown has a version that does not throw.
fn has_other(m: &MethodResult) -> bool {
    let mut open = m.findings.iter().filter(|f| f.is_open());
    open.any(|f| !f.both_throw() && !is_unpassed(f))
}

/// Whether a class is that of an exception by which the JVM, or the JDK for indices, says that a check failed.
pub(super) fn is_of_checks(class: &str) -> bool {
    OF_CHECKS.contains(&class)
}

fn is_unpassed(f: &Finding) -> bool {
    f.telling.labels.contains(&Label::Unpassed)
}

/// Whether both throw and it matters little; `beside`: another finding or another method shows what the change does.
fn is_idle(old: &Outcome, new: &Outcome, beside: bool) -> bool {
    let (Some(a), Some(b)) = (old.end.thrown(), new.end.thrown()) else {
        return false;
    };
    let around = old.printed == new.printed && old.files == new.files;
    let same = old.end.same_as(&new.end) && around;
    beside || same || is_of_checks(a) && is_of_checks(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{End, Seen};

    fn threw(class: &str) -> Outcome {
        Outcome::of(End::Threw {
            class: format!("java.lang.{class}"),
            message: None,
            jvm_made: false,
            at: None,
            held: Vec::new(),
        })
    }

    #[test]
    fn a_wording_exception_in_place_of_a_failed_check_matters_unless_the_method_shows_more() {
        let (null, bounds) = (
            threw("NullPointerException"),
            threw("IndexOutOfBoundsException"),
        );
        let worded = threw("IllegalArgumentException");
        assert!(is_idle(&null, &bounds, false));
        assert!(!is_idle(&null, &worded, false) && !is_idle(&worded, &null, false));
        assert!(is_idle(&null, &worded, true));
        let returned = Outcome::of(End::Returned(Seen::Void));
        assert!(!is_idle(&null, &returned, true) && !is_idle(&returned, &null, true));
    }

    #[test]
    fn what_objects_hold_behind_the_same_exception_matters_little_but_printed_text_does() {
        let worded = threw("IllegalArgumentException");
        let mut other = worded.clone();
        other.args = vec![Seen::Int(1)];
        assert!(is_idle(&worded, &other, false));
        other.printed = vec![65];
        assert!(!is_idle(&worded, &other, false));
    }
}
