//! The words of local conditions: what stands in a condition as its reader writes it in Java.

use super::version::simple_name;
use crate::bytecode::parameter_descriptors;

/// A field or array as it was after other code had run.
const LATER: &str = " (later)";

/// Marks what only the JDK's own code has a name for: a reader knows neither `String.coder` nor what it is for.
pub(super) const INSIDE: char = '\u{1}';

/// Packages of which a program uses no fields but constants, which javac puts in their place.
const OF_JDK: [&str; 4] = ["java/", "javax/", "jdk/", "sun/"];

/// What a function of values is, as a Java expression where it is one; by the name that proofs give it.
pub(super) fn expression(name: &str, args: &[String]) -> String {
    if let Some((place, when)) = name.rsplit_once(" @") {
        let later = if when == "0.0" { "" } else { LATER };
        return format!("{}{later}", place_in(place, args));
    }
    if let Some((call, _)) = name.split_once(" #") {
        let thrown = if name.ends_with(" throws") {
            " throws"
        } else {
            ""
        };
        // A method that is looked up in the object's class is named alone.
        return match call.strip_prefix("exception of ") {
            Some(call) => format!("the exception of {}(…)", call.trim_start_matches('.')),
            None => format!("{}(…){thrown}", call.trim_start_matches('.')),
        };
    }
    if let Some(class) = name.strip_prefix("instanceof ") {
        return format!("{} instanceof {}", first(args), simple_name(class));
    }
    match (name, args) {
        ("", [only]) => only.clone(),
        ("length of ", [array]) => format!("{array}.length"),
        ("length", [text]) => format!("{text}.length()"),
        ("equals", [a, b]) => format!("{a}.equals({b})"),
        (_, []) => match name.strip_suffix(".class") {
            Some(class) => format!("{}.class", simple_name(class)),
            None => name.to_string(),
        },
        _ => called(name, args),
    }
}

fn first(args: &[String]) -> &str {
    args.first().map_or("", String::as_str)
}

/// A field of an object, a static one, or an element.
fn place_in(place: &str, args: &[String]) -> String {
    let is_inside = OF_JDK.iter().any(|start| place.starts_with(start));
    match (place.split_once('.'), args) {
        (Some((_, field)), _) if is_inside => format!("{INSIDE}{field}"),
        (None, [array, index, ..]) if place.starts_with("elements") => format!("{array}[{index}]"),
        (Some((class, field)), [object, ..]) if object == "0" => {
            format!("{}.{field}", simple_name(class))
        }
        (Some((_, field)), [object, ..]) => format!("{object}.{field}"),
        _ => format!("{place}({})", args.join(", ")),
    }
}

/// A call of a known function, or a final field.
fn called(name: &str, args: &[String]) -> String {
    let (name, thrown) = match name.strip_suffix(" throws") {
        Some(name) => (name, " throws"),
        None => (name, ""),
    };
    let Some((member, types)) = name.split_once('(') else {
        return match (name.split_once('.'), args) {
            (Some(_), [_]) => place_in(name, args),
            (Some((_, method)), [receiver, rest @ ..]) => {
                format!("{receiver}.{method}({}){thrown}", rest.join(", "))
            }
            _ => format!("{name}({}){thrown}", args.join(", ")),
        };
    };
    let takes = parameter_descriptors(&format!("({types}")).len();
    let (class, method) = member.rsplit_once('.').unwrap_or(("", member));
    match args {
        [receiver, rest @ ..] if args.len() > takes => {
            format!("{receiver}.{method}({}){thrown}", rest.join(", "))
        }
        _ => format!(
            "{}.{method}({}){thrown}",
            simple_name(class),
            args.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn functions_are_written_as_java() {
        let all: [(&str, &[&str], &str); 13] = [
            ("demo/T.n @0.0", &["this", "0"], "this.n"),
            ("demo/T$A.n @1.2", &["0", "0"], "A.n (later)"),
            ("java/lang/String.coder @0.0", &["s", "0"], "\u{1}coder"),
            ("java/lang/String.coder", &["s"], "\u{1}coder"),
            ("elements I @0.0", &["a", "i"], "a[i]"),
            ("length of ", &["a"], "a.length"),
            ("equals", &["s", "\"x\""], "s.equals(\"x\")"),
            ("H.g #0.1", &[], "H.g(…)"),
            ("H.g #0.1 throws", &[], "H.g(…) throws"),
            (".g #0.1 throws", &[], "g(…) throws"),
            ("exception of .g #0.1", &[], "the exception of g(…)"),
            (
                "String.indexOf(I)I throws",
                &["s", "61"],
                "s.indexOf(61) throws",
            ),
            ("Math.abs(I)I", &["n"], "Math.abs(n)"),
        ];
        for (name, args, text) in all {
            let args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
            assert_eq!(expression(name, &args), text);
        }
    }
}
