//! The part of JUnit that generated tests use, for trying them if the project's own JUnit is not on the class path.

use super::source::JUnit;
use crate::model::Spelling;
use std::fmt::Write;

/// Primitive types and their boxes.
const TYPES: [(&str, &str); 7] = [
    ("byte", "Byte"),
    ("short", "Short"),
    ("int", "Integer"),
    ("long", "Long"),
    ("char", "Character"),
    ("float", "Float"),
    ("double", "Double"),
];

/// Source files by their paths: the annotation and the assertions, overloaded as JUnit's own.
pub fn stand_in(junit: JUnit) -> Vec<(String, String)> {
    let (package, class) = match junit {
        JUnit::Four => ("org.junit", "Assert"),
        JUnit::Five => ("org.junit.jupiter.api", "Assertions"),
    };
    let folder = package.internal();
    vec![
        (
            format!("{folder}/Test.java"),
            format!("package {package};\npublic @interface Test {{ long timeout() default 0; }}\n"),
        ),
        (
            format!("{folder}/{class}.java"),
            format!(
                "package {package};\npublic final class {class} {{\n{}}}\n",
                assertions(junit)
            ),
        ),
    ]
}

fn assertions(junit: JUnit) -> String {
    let mut out = String::from(
        r#"    private static void check(boolean holds) {
        if (!holds) throw new AssertionError();
    }
    public static void assertTrue(boolean b) { check(b); }
    public static void assertFalse(boolean b) { check(!b); }
    public static void assertNull(Object o) { check(o == null); }
    public static void assertEquals(Object a, Object b) {
        if (!java.util.Objects.equals(a, b)) throw new AssertionError(a instanceof String && b instanceof String ? "expected " + a + " but was " + b : null);
    }
    public static void assertArrayEquals(Object[] a, Object[] b) { check(java.util.Arrays.deepEquals(a, b)); }
    public static void assertArrayEquals(boolean[] a, boolean[] b) { check(java.util.Arrays.equals(a, b)); }
"#,
    );
    let mut equal = |a: &str, b: &str| {
        let _ = writeln!(
            out,
            "    public static void assertEquals({a} a, {b} b) {{ assertEquals((Object) a, (Object) b); }}"
        );
    };
    if junit == JUnit::Four {
        equal("long", "long");
        equal("double", "double");
    } else {
        for (plain, boxed) in TYPES {
            for (a, b) in [
                (plain, plain),
                (plain, boxed),
                (boxed, plain),
                (boxed, boxed),
            ] {
                equal(a, b);
            }
        }
    }
    for (plain, _) in TYPES {
        let _ = writeln!(
            out,
            "    public static void assertArrayEquals({plain}[] a, {plain}[] b) {{ check(java.util.Arrays.equals(a, b)); }}"
        );
    }
    if junit == JUnit::Five {
        out.push_str(THROWS);
    }
    out
}

/// Who runs a trial stops waiting on its own.
const THROWS: &str = r#"    public interface Executable { void execute() throws Throwable; }
    public static void assertTimeoutPreemptively(java.time.Duration limit, Executable call) throws Throwable {
        call.execute();
    }
    public static <T extends Throwable> T assertThrows(Class<T> type, Executable call) {
        try {
            call.execute();
        } catch (Throwable e) {
            if (type.isInstance(e)) return type.cast(e);
            throw new AssertionError(e);
        }
        throw new AssertionError();
    }
"#;
