//! Calls of a program's surroundings, which the search answers itself: ends of the process, sleep, collection of memory, clocks, chance.

/// The class that is called, internal name; it is one of the worker's.
pub(super) const SURROUNDINGS: &str = "com/shadowci/worker/Surroundings";

/// What comes in place of such a call.
pub(super) enum Instead {
    /// The static method of the same name, with that descriptor.
    Call(String),
    /// The same member with another descriptor, behind a call of that static method: its result is the last argument, a seed or a time.
    Given {
        giver: &'static str,
        gives: &'static str,
        descriptor: String,
    },
}

/// Methods in whose place the one of the same name is called; of those of `Runtime` and `TimeUnit` it gets the receiver first.
const CALLS: [(&str, &str, &str); 14] = [
    ("java/lang/System", "exit", "(I)V"),
    ("java/lang/System", "gc", "()V"),
    ("java/lang/System", "currentTimeMillis", "()J"),
    ("java/lang/System", "nanoTime", "()J"),
    ("java/lang/Runtime", "exit", "(I)V"),
    ("java/lang/Runtime", "halt", "(I)V"),
    ("java/lang/Runtime", "gc", "()V"),
    ("java/lang/Thread", "sleep", "(J)V"),
    ("java/util/concurrent/TimeUnit", "sleep", "(J)V"),
    ("java/lang/Math", "random", "()D"),
    ("java/util/UUID", "randomUUID", "()Ljava/util/UUID;"),
    (
        "java/util/Calendar",
        "getInstance",
        "()Ljava/util/Calendar;",
    ),
    ("java/time/Clock", "systemUTC", "()Ljava/time/Clock;"),
    (
        "java/time/Clock",
        "systemDefaultZone",
        "()Ljava/time/Clock;",
    ),
];

/// What a call becomes; `None` of those that stay.
pub(super) fn instead(class: &str, name: &str, descriptor: &str) -> Option<Instead> {
    if CALLS.contains(&(class, name, descriptor)) {
        let descriptor = match class {
            "java/lang/Runtime" | "java/util/concurrent/TimeUnit" => {
                descriptor.replacen('(', &format!("(L{class};"), 1)
            }
            _ => descriptor.to_string(),
        };
        return Some(Instead::Call(descriptor));
    }
    let (inside, result) = descriptor.rsplit_once(')')?;
    const CLOCK: &str = "(Ljava/time/Clock;";
    let (giver, gives, inside) = match (class, name, inside) {
        ("java/util/Random" | "java/util/SplittableRandom", "<init>", "(") => ("seed", "()J", "(J"),
        ("java/util/Date", "<init>", "(") => ("currentTimeMillis", "()J", "(J"),
        ("java/util/Collections", "shuffle", "(Ljava/util/List;") => (
            "chance",
            "()Ljava/util/Random;",
            "(Ljava/util/List;Ljava/util/Random;",
        ),
        (_, "now", "(") if class.starts_with("java/time/") => {
            ("systemDefaultZone", "()Ljava/time/Clock;", CLOCK)
        }
        // The clock is of the zone, which it takes from the operand stack.
        (_, "now", "(Ljava/time/ZoneId;") if class.starts_with("java/time/") => {
            ("clock", "(Ljava/time/ZoneId;)Ljava/time/Clock;", CLOCK)
        }
        _ => return None,
    };
    Some(Instead::Given {
        giver,
        gives,
        descriptor: format!("{inside}){result}"),
    })
}
