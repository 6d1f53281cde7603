//! Outcomes that come from containment refusing something, so that the outcome without containment is unknown.

use crate::model::reason::Reason;
use crate::model::{End, Outcome};
use crate::replay::Observed;
use crate::symex::Stop;

/// What the kernel says of a call that the policy refuses, in the JDK's messages (errno 1, 13 and 101).
const REFUSED: [&str; 3] = [
    "Operation not permitted",
    "Permission denied",
    "Network is unreachable",
];

/// Exceptions that say it by their class: no name can be looked up without a network.
const CLASSES: [&str; 2] = [
    "java.net.UnknownHostException",
    "java.nio.file.AccessDeniedException",
];

/// Why a difference is none that a user would see: one of the versions was refused a file, the network or a program. It ended by
/// that, or it tells of it: in an exception of its own, in what it printed, or in a file that it left.
pub(super) fn refusal(seen: &Observed) -> Option<Stop> {
    let what = of(&seen.old).or_else(|| of(&seen.new))?;
    Some(Stop::unsupported(Reason::Refused, what))
}

fn of(outcome: &Outcome) -> Option<String> {
    if let End::Threw { class, message, .. } = &outcome.end {
        let text = String::from_utf16_lossy(message.as_deref().unwrap_or_default());
        let says = REFUSED.iter().any(|r| text.contains(r)) && class.starts_with("java.");
        if says || CLASSES.contains(&&**class) {
            return Some(class.to_string());
        }
        if let Some(cause) = refused_exception(&text) {
            return Some(cause);
        }
    }
    let printed = String::from_utf16_lossy(&outcome.printed);
    let left = outcome.files.iter().filter_map(|f| f.content.as_ref());
    let left = left.map(|content| String::from_utf8_lossy(&content.bytes).into_owned());
    std::iter::once(printed)
        .chain(left)
        .find_map(|text| refused_exception(&text))
}

/// The exception of the JDK that a text names as the cause, as `Throwable.toString` writes it, where a refusal made it.
fn refused_exception(text: &str) -> Option<String> {
    let words = |line: &str| {
        let named = |word: &str| {
            let name = word.trim_end_matches(':');
            (name.starts_with("java.") && name.ends_with("Exception")).then(|| name.to_string())
        };
        line.split_whitespace().find_map(named)
    };
    text.lines().find_map(|line| {
        let class = words(line)?;
        let says = REFUSED.iter().any(|r| line.contains(r));
        (says || CLASSES.contains(&&*class)).then_some(class)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Seen;

    fn threw(class: &str, message: &str) -> Outcome {
        Outcome::of(End::Threw {
            class: class.into(),
            message: Some(message.encode_utf16().collect()),
            jvm_made: false,
            at: None,
            held: Vec::new(),
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
            (
                "demo.Wrapped",
                "java.net.SocketException: Operation not permitted",
                true,
            ),
        ] {
            let seen = Observed {
                old: threw("java.lang.Error", ""),
                new: threw(class, message),
            };
            assert_eq!(refusal(&seen).is_some(), is, "{class}: {message}");
        }
    }

    #[test]
    fn what_is_printed_of_a_refusal_tells_it_too() {
        let printing = |text: &str| Observed {
            old: Outcome::of(End::Returned(Seen::Boolean(false))),
            new: Outcome {
                printed: text.encode_utf16().collect(),
                ..Outcome::of(End::Returned(Seen::Boolean(true)))
            },
        };
        let trace = "failed\njava.io.IOException: Cannot run program \"sh\": error=13, Permission denied\n\tat demo";
        assert!(refusal(&printing(trace)).is_some());
        assert!(refusal(&printing("java.nio.file.AccessDeniedException: /x")).is_some());
        assert!(refusal(&printing("Permission denied")).is_none());
    }
}
