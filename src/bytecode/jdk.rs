//! Names of classes that come with the JDK, told from those of libraries below the same packages.

/// Packages of which the JDK has all.
const WHOLE: [&str; 3] = ["java/", "jdk/", "sun/"];

/// Packages below `javax` in the JDK's modules (JDK 8 to 25); libraries have others, such as `javax/servlet`.
const JAVAX: [&str; 32] = [
    "accessibility/",
    "activity/",
    "annotation/processing/",
    "crypto/",
    "imageio/",
    "lang/model/",
    "management/",
    "naming/",
    "net/",
    "print/",
    "rmi/",
    "script/",
    "security/auth/",
    "security/cert/",
    "security/sasl/",
    "smartcardio/",
    "sound/",
    "sql/",
    "swing/",
    "tools/",
    "transaction/xa/",
    "xml/XMLConstants",
    "xml/catalog/",
    "xml/crypto/",
    "xml/datatype/",
    "xml/namespace/",
    "xml/parsers/",
    "xml/stream/",
    "xml/transform/",
    "xml/validation/",
    "xml/xpath/",
    "jnlp/",
];

/// Packages below `com/sun` that are libraries'.
const LIBRARIES: [&str; 9] = [
    "codemodel/",
    "faces/",
    "istack/",
    "jersey/",
    "jna/",
    "mail/",
    "xml/bind/",
    "xml/messaging/",
    "xml/ws/",
];

/// Whether a class comes with the JDK, by its internal name.
pub fn is_jdk(class: &str) -> bool {
    let begins = |all: &[&str], name: &str| all.iter().any(|p| name.starts_with(p));
    if let Some(rest) = class.strip_prefix("javax/") {
        return begins(&JAVAX, rest);
    }
    if let Some(rest) = class.strip_prefix("com/sun/") {
        return !begins(&LIBRARIES, rest);
    }
    begins(&WHOLE, class)
}

#[cfg(test)]
mod tests {
    use super::is_jdk;

    #[test]
    fn libraries_below_the_same_packages_are_told_apart() {
        for class in [
            "java/util/List",
            "javax/crypto/Cipher",
            "javax/xml/XMLConstants",
            "javax/annotation/processing/Processor",
            "com/sun/net/httpserver/HttpServer",
            "sun/misc/Unsafe",
        ] {
            assert!(is_jdk(class), "{class}");
        }
        for class in [
            "javax/servlet/http/HttpServletResponse",
            "javax/annotation/Nonnull",
            "javax/inject/Provider",
            "javax/xml/bind/JAXB",
            "com/sun/jna/Pointer",
            "javaslang/Tuple",
            "org/xml/sax/Parser",
        ] {
            assert!(!is_jdk(class), "{class}");
        }
    }
}
