//! Outcomes that are a refusal by containment: what a run would have done outside of it, nobody has seen.

use crate::model::reason::Reason;
use crate::model::{End, Outcome};
use crate::replay::Observed;
use crate::symex::Stop;

/// What the kernel says of a call that the policy refuses, in the JDK's messages (errno 1 and 13).
const REFUSED: [&str; 2] = ["Operation not permitted", "Permission denied"];

/// Exceptions that say it by their class: no name can be looked up without a network.
const CLASSES: [&str; 2] = [
    "java.net.UnknownHostException",
    "java.nio.file.AccessDeniedException",
];

/// Why a difference is none that a user would see: one of the versions ended because it was refused a file, the network or a program.
pub(super) fn refusal(seen: &Observed) -> Option<Stop> {
    let what = of(&seen.old).or_else(|| of(&seen.new))?;
    Some(Stop::unsupported(Reason::Refused, what))
}

fn of(outcome: &Outcome) -> Option<String> {
    let End::Threw { class, message, .. } = &outcome.end else {
        return None;
    };
    let text = String::from_utf16_lossy(message.as_deref().unwrap_or_default());
    let says = REFUSED.iter().any(|r| text.contains(r)) && class.starts_with("java.");
    (says || CLASSES.contains(&&**class)).then(|| class.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threw(class: &str, message: &str) -> Outcome {
        Outcome::of(End::Threw {
            class: class.into(),
            message: Some(message.encode_utf16().collect()),
            jvm_made: false,
            at: None,
        })
    }

    #[test]
    fn what_the_kernel_refuses_is_told_from_what_the_program_says() {
        for (class, message, is) in [
            ("java.net.SocketException", "Operation not permitted", true),
            ("java.net.UnknownHostException", "example.org", true),
            (
                "java.io.IOException",
                "Cannot run program \"sh\": error=13, Permission denied",
                true,
            ),
            (
                "java.io.FileNotFoundException",
                "/etc/x (Permission denied)",
                true,
            ),
            (
                "java.io.FileNotFoundException",
                "a (No such file or directory)",
                false,
            ),
            ("demo.Denied", "Permission denied", false),
        ] {
            let seen = Observed {
                old: threw("java.lang.Error", ""),
                new: threw(class, message),
            };
            assert_eq!(refusal(&seen).is_some(), is, "{class}: {message}");
        }
    }
}
