//! Calls of a program's surroundings, which the search answers itself: ends of the process, sleep, collection of memory, clocks, chance.

/// The class that is called, internal name; it is one of the worker's.
pub const SURROUNDINGS: &str = "com/shadowci/worker/Surroundings";

/// What comes in place of such a call.
pub(super) enum Instead {
    /// The static method of the same name, with that descriptor.
    Call(String),
    /// The same member with the given descriptor, behind a call of that static method: its result is an argument more, a seed or a time.
    Given(&'static str, &'static str, String),
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
        let on = matches!(class, "java/lang/Runtime" | "java/util/concurrent/TimeUnit");
        let receiver = if on {
            format!("(L{class};")
        } else {
            "(".into()
        };
        return Some(Instead::Call(descriptor.replacen('(', &receiver, 1)));
    }
    let (inside, result) = descriptor.rsplit_once(')')?;
    let (giver, gives, more) = match (class, name, inside) {
        ("java/util/Random" | "java/util/SplittableRandom", "<init>", "(") => ("seed", "()J", "J"),
        ("java/util/Date", "<init>", "(") => ("currentTimeMillis", "()J", "J"),
        ("java/util/Collections", "shuffle", "(Ljava/util/List;") => {
            ("chance", "()Ljava/util/Random;", "Ljava/util/Random;")
        }
        (_, "now", "(") if class.starts_with("java/time/") => {
            ("clock", "()Ljava/time/Clock;", "Ljava/time/Clock;")
        }
        (_, "now", "(Ljava/time/ZoneId;") if class.starts_with("java/time/") => {
            let gives = "(Ljava/time/ZoneId;)Ljava/time/Clock;";
            // It takes the zone from the operand stack.
            let descriptor = format!("(Ljava/time/Clock;){result}");
            return Some(Instead::Given("clock", gives, descriptor));
        }
        _ => return None,
    };
    Some(Instead::Given(
        giver,
        gives,
        format!("{inside}{more}){result}"),
    ))
}
