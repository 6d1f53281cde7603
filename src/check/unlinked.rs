//! Outcomes that come of a class or member that is not there (JVMS §5.4.3): a library is missing, or has another version than the code
//! was written for.

use crate::model::reason::Reason;
use crate::model::{End, Outcome};
use crate::symex::Stop;

const NO_CLASS: &str = "java.lang.NoClassDefFoundError";

/// Whether a class or member was missing. An initialiser that failed is the program's own matter.
pub(super) fn does_not_link(end: &End) -> bool {
    let End::Threw { class, .. } = end else {
        return false;
    };
    match class.strip_prefix("java.lang.") {
        Some("NoSuchMethodError" | "NoSuchFieldError" | "AbstractMethodError") => true,
        Some("IncompatibleClassChangeError") => true,
        _ => missing_class(end).is_some(),
    }
}

/// Why nothing can be said of a run: the JVM wants a class that the class path has not, also where it only checks the types of code that
/// does not run (JVMS §5.4.1).
pub(super) fn missing(outcome: &Outcome) -> Option<Stop> {
    let class = missing_class(&outcome.end)?.replace('/', ".");
    Some(Stop::unsupported(Reason::ClassNotFound, class))
}

/// The class that was missing where a run ended, or where its input was made.
fn missing_class(end: &End) -> Option<String> {
    let class = match end {
        End::Threw { class, message, .. } if **class == *NO_CLASS => {
            String::from_utf16_lossy(message.as_deref().unwrap_or_default())
        }
        End::Failed(why) => why.split_once(NO_CLASS)?.1.strip_prefix(": ")?.into(),
        _ => return None,
    };
    (!class.starts_with("Could not initialize")).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threw(class: &str, message: &str) -> End {
        End::Threw {
            class: class.into(),
            message: Some(message.encode_utf16().collect()),
            jvm_made: true,
            at: None,
            held: Vec::new(),
        }
    }

    #[test]
    fn a_missing_member_is_no_failed_initialiser() {
        let no_method = threw("java.lang.NoSuchMethodError", "a.B.f()");
        assert!(does_not_link(&no_method));
        assert!(missing(&Outcome::of(no_method)).is_none());
        assert!(does_not_link(&threw(NO_CLASS, "a/B")));
        let failed = threw(NO_CLASS, "Could not initialize class a.B");
        assert!(!does_not_link(&failed));
        assert!(missing(&Outcome::of(failed)).is_none());
        assert!(!does_not_link(&threw("java.lang.LinkageError", "")));
    }

    #[test]
    fn a_missing_class_is_named_where_an_input_is_made_too() {
        let named = |end: End| missing(&Outcome::of(end)).map(|stop| stop.detail);
        let thrown = named(threw(NO_CLASS, "a/b/C"));
        let made = named(End::Failed(format!(
            "building the input: {NO_CLASS}: a/b/C"
        )));
        assert_eq!(thrown.as_deref(), Some("a.b.C"));
        assert_eq!(made, thrown);
        assert_eq!(named(End::Failed("java.lang.Error: x".into())), None);
    }
}
