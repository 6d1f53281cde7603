//! Methods of the JDK that never return `null`, by their documentation, and those among them that run no other code.

use crate::bytecode::class_file::MemberRef;
use crate::bytecode::{BOXES, parameter_descriptors};

/// Classes and interfaces of which no static method returns `null`, unless it is given what it returns; and whether these run no code of the
/// program where they get texts, numbers and the like only.
const FACTORIES: [(&str, bool); 18] = [
    ("java/math/BigDecimal", false),
    ("java/math/BigInteger", false),
    ("java/nio/charset/Charset", true),
    ("java/nio/file/Paths", false),
    ("java/text/DateFormat", true),
    ("java/text/NumberFormat", true),
    ("java/time/Duration", true),
    ("java/time/Instant", true),
    ("java/time/LocalDate", true),
    ("java/time/LocalDateTime", true),
    ("java/time/LocalTime", true),
    ("java/time/ZoneId", true),
    ("java/time/format/DateTimeFormatter", true),
    ("java/util/Arrays", false),
    ("java/util/EnumSet", false),
    ("java/util/UUID", true),
    ("java/util/concurrent/Executors", true),
    ("java/util/regex/Pattern", false),
];

/// Whose subclasses the JDK asks for a character set.
pub(super) const CHARSET_PROVIDER: &str = "java/nio/charset/spi/CharsetProvider";

/// Single static methods of others.
const STATIC: [(&str, &[&str]); 7] = [
    ("java/lang/ThreadLocal", &["withInitial"]),
    ("java/security/MessageDigest", &["getInstance"]),
    ("java/util/List", &["copyOf", "of"]),
    ("java/util/Map", &["copyOf", "entry", "of", "ofEntries"]),
    ("java/util/Optional", &["empty", "of", "ofNullable"]),
    ("java/util/Set", &["copyOf", "of"]),
    ("java/util/stream/Stream", &["concat", "empty", "of"]),
];

/// How the names of methods of `Collections` begin that wrap or make one.
const COLLECTIONS: [&str; 8] = [
    "checked",
    "empty",
    "nCopies",
    "newSetFromMap",
    "reverseOrder",
    "singleton",
    "synchronized",
    "unmodifiable",
];

/// Of a method that gives its second argument where it has nothing better (`Charset.forName`, since Java 18).
const FALLING_BACK: &str =
    "(Ljava/lang/String;Ljava/nio/charset/Charset;)Ljava/nio/charset/Charset;";

/// Classes of which no method of an object returns `null`.
const VALUES: [&str; 5] = [
    "java/lang/String",
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
    "java/math/BigDecimal",
    "java/math/BigInteger",
];

/// Whether a call of that method returns an object wherever it returns; `is_static`: it is called without one.
pub(super) fn is_never_null(member: &MemberRef, is_static: bool) -> bool {
    let (class, name) = (&*member.class, &*member.name);
    if !is_static {
        // What a text is transformed to may be anything.
        return VALUES.contains(&class) && name != "transform"
            || name == "getClass" && &*member.descriptor == "()Ljava/lang/Class;";
    }
    // Charset.forName(name, fallback) gives what it is given.
    let class = match &*member.descriptor {
        FALLING_BACK => "",
        _ => class,
    };
    let of_box = name == "valueOf" && BOXES.iter().any(|b| b.1 == class);
    let is_one = |(of, names): &(&str, &[&str])| *of == class && names.contains(&name);
    of_box
        || is_wrapper(member)
        || FACTORIES.iter().any(|f| f.0 == class)
        || STATIC.iter().any(is_one)
}

/// Whether a static method runs no code of a program, if that has no character sets of its own.
pub(super) fn is_quiet(member: &MemberRef) -> bool {
    let is_plain = |d: &String| {
        let class = d.trim_start_matches('[');
        class.len() == 1
            || matches!(class, "Ljava/lang/String;" | "Ljava/util/Locale;")
            || class.starts_with("Ljava/time/")
    };
    let parameters = parameter_descriptors(&member.descriptor);
    let is_quiet = FACTORIES.contains(&(&member.class, true)) && parameters.iter().all(is_plain);
    // A set made of a map asks it whether it is empty.
    is_quiet || is_wrapper(member) && &*member.name != "newSetFromMap"
}

/// Whether a method makes a collection of what it gets, and looks at none of it.
fn is_wrapper(member: &MemberRef) -> bool {
    let begins = || COLLECTIONS.iter().any(|c| member.name.starts_with(c));
    match &*member.class {
        "java/util/Arrays" => &*member.name == "asList",
        "java/util/Collections" => begins(),
        _ => false,
    }
}
