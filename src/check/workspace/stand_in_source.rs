//! The source of a class that stands in for a type.

use super::stand_ins::{FAILS, HAS_FAILED, Key, PACKAGE, StandIn, key};
use crate::bytecode::access::{INTERFACE, PRIVATE, PROTECTED, PUBLIC, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Method};
use crate::bytecode::parameter_descriptors;
use crate::model::{ANSWERS, Spelling, type_name};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The constructor that a subclass outside calls: the one with the fewest parameters, public or protected ones first. `None` for inner
/// classes, whose objects need an outer one.
pub(super) fn constructor(class: &ClassFile) -> Option<&Method> {
    let own = class.inner_classes.iter().find(|row| row.0 == class.name);
    if own.is_some_and(|row| row.3 & STATIC == 0) {
        return None;
    }
    let constructors = class.methods.iter().filter(|m| &*m.name == "<init>");
    let open = constructors.filter(|m| m.access & (PRIVATE | SYNTHETIC) == 0);
    open.min_by_key(|m| {
        let count = parameter_descriptors(&m.descriptor).len();
        (
            m.access & (PUBLIC | PROTECTED) == 0,
            count,
            m.descriptor.clone(),
        )
    })
}

/// What a method answers.
struct Field {
    kind: String,
    name: String,
    /// Whether it is how often the method answers true.
    is_step: bool,
    /// Whether annotations say that it is never null.
    is_never_null: bool,
}

/// How often a step of an iteration succeeds at most.
const MOST_STEPS: u32 = 3;

/// Whether a method is a step of an iteration, as that of a result set: always the same answer would end no loop, or enter none.
fn is_step(method: &Method) -> bool {
    let steps = ["next", "hasNext", "hasMore", "moveToNext"];
    &*method.descriptor == "()Z" && steps.iter().any(|s| method.name.starts_with(s))
}

/// What a stand-in keeps, and its methods.
#[derive(Default)]
struct Members {
    fields: Vec<Field>,
    methods: String,
    /// Whether an answer may be an argument.
    echoes: bool,
    /// Whether annotations say that the method that is added gives no null.
    is_never_null: bool,
}

impl Members {
    /// Those of a class that is told so many answers, and which of the failures happens.
    fn of(told: Told, most: usize) -> Members {
        let failures = told.failures;
        let mut members = Members::default();
        for method in told.methods {
            let own = failures.iter().position(|(of, _)| *of == key(method));
            let failure = own.map(|at| (at + 1, failures[at].1.as_str()));
            members.is_never_null = told.never_null.contains(&key(method));
            members.add(method, failure, most);
        }
        if !failures.is_empty() {
            members.fields.push(Field {
                kind: "int".into(),
                name: FAILS.into(),
                is_step: false,
                is_never_null: false,
            });
        }
        members
    }

    /// Adds a method, with the number that makes it throw, and what it throws.
    fn add(&mut self, method: &Method, failure: Option<(usize, &str)>, most: usize) {
        let answer = self.answer(method, most);
        let name = &method.name;
        let fails = failure.map_or_else(String::new, |(number, made)| {
            let told = format!("System.out.println(\"{name}{HAS_FAILED}\");");
            format!("if ({FAILS} == {number}) {{ {told} throw {made}; }} ")
        });
        // Only what is thrown has to be declared.
        let throws = failure.map_or_else(String::new, |(_, made)| {
            let class = made.trim_start_matches("new ");
            format!(" throws {}", class.split('(').next().unwrap_or(class))
        });
        let parameters = parameter_descriptors(&method.descriptor);
        let parameters = parameters.iter().enumerate();
        let parameters: Vec<String> = parameters
            .map(|(i, p)| format!("{} a{}", type_name(p), i + 1))
            .collect();
        let _ = writeln!(
            self.methods,
            "    public {} {name}({}){throws} {{ {fails}{answer} }}",
            type_name(result_of(method)),
            parameters.join(", ")
        );
    }

    /// The statement of a method that does not throw. What it gives is kept, as long as there are not too many of such.
    fn answer(&mut self, method: &Method, most: usize) -> String {
        let result = result_of(method);
        let generic = method.signature.as_deref().map(result_of_signature);
        let typed = match generic {
            // What a type variable stands for is not known here.
            Some(None) => None,
            Some(Some(text)) => Some(text),
            None => Some(type_name(result)),
        };
        let last = parameter_descriptors(&method.descriptor).len();
        let traced = method.descriptor.ends_with(&format!("{result}){result}"));
        match (result, typed) {
            ("V", _) if most == 0 => String::new(),
            ("V", _) => printed(method),
            _ if most == 0 && traced => format!("return a{last};"),
            (_, Some(text)) if self.fields.len() < most => self.kept(method, text),
            (_, None)
                if self.fields.len() < most
                    && let Some(asked) =
                        asked_class(&method.descriptor, method.signature.as_deref()) =>
            {
                self.kept_for_class(method, asked + 1)
            }
            _ if most == 0 => format!("return {};", default_of(result)),
            _ => format!("return {};", empty(result).unwrap_or(default_of(result))),
        }
    }

    /// The statement that gives what is kept, where it is of the class that an argument names: `<T> T get(Class<T> type)`.
    fn kept_for_class(&mut self, method: &Method, asked: usize) -> String {
        let name = format!("{}{}", method.name, self.fields.len() + 1);
        let result = result_of(method);
        let fits = format!("a{asked} != null && a{asked}.isInstance({name})");
        let statement = match empty(result) {
            None => format!("return ({}) ({fits} ? {name} : null);", type_name(result)),
            Some(empty) => format!(
                "if ({fits}) return {}; return {empty};",
                holding(result, &name)
            ),
        };
        self.fields.push(Field {
            kind: "Object".into(),
            name,
            is_step: false,
            is_never_null: false,
        });
        statement
    }

    /// The statement that gives what is kept for a method.
    fn kept(&mut self, method: &Method, kind: String) -> String {
        let name = format!("{}{}", method.name, self.fields.len() + 1);
        let is_step = is_step(method);
        let answer = match is_step {
            true => format!("return {name}-- > 0;"),
            false => format!("return {};", told(method, &name, self.is_never_null)),
        };
        self.echoes |= told(method, &name, self.is_never_null) != name;
        self.fields.push(Field {
            kind: if is_step { "int".into() } else { kind },
            name,
            is_step,
            is_never_null: self.is_never_null,
        });
        answer
    }

    /// The fields, and the constructor that takes them behind what the class above takes.
    fn beginning(&self, name: &str, passed: &[String]) -> String {
        let mut text = String::new();
        for field in &self.fields {
            let kept = if field.is_step { "" } else { "final " };
            let _ = writeln!(text, "    private {kept}{} {};", field.kind, field.name);
        }
        let to_super = passed.iter().enumerate();
        let mut parameters: Vec<String> =
            to_super.map(|(i, k)| format!("{k} a{}", i + 1)).collect();
        let arguments: Vec<String> = (1..=passed.len()).map(|i| format!("a{i}")).collect();
        let own = self.fields.iter();
        let mark = |f: &Field| if f.is_never_null { "@NotNull " } else { "" };
        parameters.extend(own.map(|f| format!("{}{} {}", mark(f), f.kind, f.name)));
        let _ = writeln!(text, "    public {name}({}) {{", parameters.join(", "));
        if !arguments.is_empty() {
            let _ = writeln!(text, "        super({});", arguments.join(", "));
        }
        for Field { name, is_step, .. } in &self.fields {
            let given = match is_step {
                true => format!("Math.min({name}, {MOST_STEPS})"),
                false => name.clone(),
            };
            let _ = writeln!(text, "        this.{name} = {given};");
        }
        text += "    }\n";
        if self.fields.iter().any(|f| f.is_never_null) {
            text += "    private @interface NotNull {}\n";
        }
        text
    }
}

fn result_of(method: &Method) -> &str {
    method.descriptor.rsplit(')').next().unwrap_or("V")
}

/// What a stand-in implements.
#[derive(Clone, Copy)]
pub(super) struct Told<'a> {
    /// The methods.
    pub methods: &'a [Method],
    /// What some of them throw.
    pub failures: &'a [(Key, String)],
    /// Those that never give null.
    pub never_null: &'a BTreeSet<Key>,
}

/// The class, whose constructor is told so many answers, and which of the failures happens; with no answers it prints nothing either.
pub(super) fn implementation(class: &ClassFile, told: Told, name: &str, most: usize) -> StandIn {
    let (methods, failures) = (told.methods, told.failures);
    let folder = class.name.rsplit_once('/').map_or("", |p| p.0);
    let is_interface = class.access & INTERFACE != 0;
    let above = constructor(class).filter(|_| !is_interface);
    let outside = PUBLIC | PROTECTED;
    let is_open = above.is_none_or(|m| m.access & outside != 0)
        && methods.iter().all(|m| m.access & outside != 0);
    let package = match class.access & PUBLIC != 0 && is_open {
        true => PACKAGE.to_string(),
        false => folder.dotted(),
    };
    let passed = above.map_or_else(Vec::new, |m| parameter_descriptors(&m.descriptor));
    let passed: Vec<String> = passed.iter().map(|p| type_name(p)).collect();
    let members = Members::of(told, most);
    let mut source = match package.is_empty() {
        true => String::new(),
        false => format!("package {package};\n\n"),
    };
    let of = class.name.dotted().replace('$', ".");
    let of_arguments = match members.echoes {
        true => " Where that is empty or 0, the argument tells the answer.",
        false => "",
    };
    let _ = writeln!(
        source,
        "/** Stands in for {of}: each method gives what the constructor got, or prints what it is called with.{of_arguments}{} */",
        told_failures(failures)
    );
    let relation = if is_interface {
        "implements"
    } else {
        "extends"
    };
    let _ = writeln!(
        source,
        "@SuppressWarnings({{\"rawtypes\", \"unchecked\", \"deprecation\"}})\npublic final class {name} {relation} {of} {{"
    );
    source += &members.beginning(name, &passed);
    source += &members.methods;
    if members.methods.contains("return asked(") {
        source += &asked();
    }
    let prints = most > 0 && methods.iter().any(|m| m.descriptor.ends_with(")V"));
    if prints || members.echoes {
        source += TEXT;
    }
    StandIn {
        class: format!("{package}.{name}")
            .trim_start_matches('.')
            .internal(),
        source: source + "}\n",
    }
}

/// Which number makes which method throw.
fn told_failures(failures: &[(Key, String)]) -> String {
    let numbers = (1..).zip(failures);
    let texts: Vec<String> = numbers
        .map(|(n, (of, _))| format!("{n}: {}", of.0))
        .collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!(
            " The last number tells which one throws what it declares ({}).",
            texts.join(", ")
        ),
    }
}

/// The answer of a method that got one: of a text or number, an empty one stands for the first argument that is a text or a number, so that
/// it shows which one was asked for.
fn told(method: &Method, answer: &str, is_never_null: bool) -> String {
    let parameters = parameter_descriptors(&method.descriptor);
    let is_asked = |p: &String| matches!(&**p, TEXT_TYPE | "I");
    let Some(at) = parameters.iter().position(is_asked) else {
        return answer.to_string();
    };
    let (argument, is_text) = (format!("a{}", at + 1), parameters[at] == TEXT_TYPE);
    let number = match is_text {
        true => format!("text({argument}).length()"),
        false => argument.clone(),
    };
    match method.descriptor.rsplit(')').next() {
        Some(TEXT_TYPE) if is_text => {
            let other = if is_never_null { "\"\"" } else { "null" };
            format!("asked({answer}, {argument}, {other})")
        }
        Some(TEXT_TYPE) => format!("\"\".equals({answer}) ? text({argument}) : {answer}"),
        Some("I" | "J") => format!("{answer} == 0 ? {number} : {answer}"),
        _ => answer.to_string(),
    }
}

const TEXT_TYPE: &str = "Ljava/lang/String;";

/// The answer that a text is for a name: the text itself, the name if it is empty, and of `name -> answer` one for that name, and another
/// one for others.
fn asked() -> String {
    format!(
        "    private static String asked(String told, String name, String other) {{
        if (\"\".equals(told)) return text(name);
        int at = told == null ? -1 : told.indexOf(\"{ANSWERS}\");
        if (at < 0) return told;
        return told.substring(0, at).equals(name) ? told.substring(at + {}) : other;
    }}
",
        ANSWERS.len()
    )
}

/// What an argument is as a text: what may be another text in each run is left out.
const TEXT: &str = "    private static String text(Object value) {
        if (value instanceof char[]) return new String((char[]) value);
        if (value instanceof byte[]) return java.util.Arrays.toString((byte[]) value);
        boolean isPlain = value == null || value instanceof String || value instanceof Number || value instanceof Boolean
                || value instanceof Character || value instanceof Enum;
        return isPlain ? String.valueOf(value) : \"an object\";
    }
";

/// The statement that prints a call, `write(a, 1)`.
fn printed(method: &Method) -> String {
    let parameters = parameter_descriptors(&method.descriptor);
    let parameters = parameters.iter().enumerate();
    let texts: Vec<String> = parameters
        .map(|(i, p)| match p.starts_with(['L', '[']) {
            true => format!("text(a{})", i + 1),
            false => format!("a{}", i + 1),
        })
        .collect();
    let name = &method.name;
    match &texts[..] {
        [] => format!("System.out.println(\"{name}()\");"),
        _ => format!(
            "System.out.println(\"{name}(\" + {} + \")\");",
            texts.join(" + \", \" + ")
        ),
    }
}

fn default_of(result: &str) -> &'static str {
    match result {
        "Z" => "false",
        "B" | "C" | "S" | "I" | "J" | "F" | "D" => "0",
        _ => "null",
    }
}

/// Types of results that hold others, what is empty of each, and what holds one.
const HOLDERS: [(&str, &str, &str); 8] = [
    (
        "Ljava/util/Optional;",
        "java.util.Optional.empty()",
        "java.util.Optional.of",
    ),
    ("Ljava/util/List;", "new java.util.ArrayList()", LIST_OF_ONE),
    (
        "Ljava/util/Collection;",
        "new java.util.ArrayList()",
        LIST_OF_ONE,
    ),
    (
        "Ljava/lang/Iterable;",
        "new java.util.ArrayList()",
        LIST_OF_ONE,
    ),
    (
        "Ljava/util/Set;",
        "new java.util.LinkedHashSet()",
        "java.util.Collections.singleton",
    ),
    ("Ljava/util/Map;", "new java.util.LinkedHashMap()", ""),
    (
        "Ljava/util/Iterator;",
        "java.util.Collections.emptyIterator()",
        "",
    ),
    (
        "Ljava/util/stream/Stream;",
        "java.util.stream.Stream.empty()",
        "",
    ),
];
const LIST_OF_ONE: &str = "java.util.Collections.singletonList";

/// The expression of an empty result, of a type that holds others.
fn empty(result: &str) -> Option<&'static str> {
    let found = HOLDERS.iter().find(|(of, ..)| *of == result);
    found.map(|(_, empty, _)| *empty)
}

/// The expression of a result that holds a value; the value where it holds none.
fn holding(result: &str, value: &str) -> String {
    let found = HOLDERS.iter().find(|(of, ..)| *of == result);
    let holder = found.map_or("", |(.., holder)| *holder);
    format!("{holder}({value})")
}

/// The argument that names the class of the result, or of what the result holds: its number, of `<T> Optional<T> get(String, Class<T>)`
/// 1. A type variable of the method itself is in both.
fn asked_class(descriptor: &str, signature: Option<&str>) -> Option<usize> {
    let signature = signature?;
    let (parameters, result) = signature.rsplit_once(')')?;
    let (declared, parameters) = parameters.rsplit_once('(')?;
    let result = result.split('^').next()?;
    let held = |text: &str| Some(text.strip_prefix('T')?.strip_suffix(';')?.to_string());
    let variable = held(result).or_else(|| {
        let (holder, rest) = result.split_once('<')?;
        let holds = HOLDERS.iter().any(|(of, _, one)| {
            !one.is_empty() && of.strip_suffix(';').is_some_and(|of| of == holder)
        });
        held(rest.strip_suffix(">;")?).filter(|_| holds)
    })?;
    let is_own = declared.starts_with(&format!("<{variable}:"))
        || declared.contains(&format!(";{variable}:"));
    let class = format!("Ljava/lang/Class<T{variable};>;");
    let descriptors = parameter_descriptors(descriptor);
    let mut classes = descriptors
        .iter()
        .enumerate()
        .filter(|(_, d)| *d == "Ljava/lang/Class;");
    let at = classes
        .next()
        .filter(|_| is_own && parameters.contains(&class))?
        .0;
    classes.next().is_none().then_some(at)
}

/// The result of a method signature (JVMS §4.7.9.1) as source writes it; `None` where a type variable is in it.
fn result_of_signature(signature: &str) -> Option<String> {
    let mut rest = signature.rsplit_once(')')?.1.split('^').next()?;
    let text = generic_type(&mut rest)?;
    rest.is_empty().then_some(text)
}

/// Reads one type off the text.
fn generic_type(rest: &mut &str) -> Option<String> {
    let first = rest.chars().next()?;
    *rest = &rest[first.len_utf8()..];
    match first {
        'T' => None,
        '[' => Some(format!("{}[]", generic_type(rest)?)),
        '*' => Some("?".into()),
        '+' => Some(format!("? extends {}", generic_type(rest)?)),
        '-' => Some(format!("? super {}", generic_type(rest)?)),
        'L' => {
            let mut name = String::new();
            loop {
                let at = rest.find(['<', ';', '.'])?;
                name.push_str(&rest[..at].dotted().replace('$', "."));
                let mark = rest[at..].chars().next()?;
                *rest = &rest[at + 1..];
                match mark {
                    ';' => return Some(name),
                    '.' => name.push('.'),
                    _ => {
                        let mut arguments = Vec::new();
                        while !rest.starts_with('>') {
                            arguments.push(generic_type(rest)?);
                        }
                        *rest = &rest[1..];
                        let _ = write!(name, "<{}>", arguments.join(", "));
                    }
                }
            }
        }
        primitive => Some(type_name(&primitive.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_written_with_their_type_arguments() {
        let of = |s: &str| result_of_signature(s);
        let list = "(I)Ljava/util/List<+Ljava/lang/Number;>;";
        assert_eq!(
            of(list).unwrap(),
            "java.util.List<? extends java.lang.Number>"
        );
        assert_eq!(of("()TT;"), None);
        assert_eq!(of("()Ljava/util/List<TT;>;"), None);
        assert_eq!(of("<T:Ljava/lang/Object;>(TT;)[I^TE;").unwrap(), "int[]");
        let nested = "()La/Outer<Ljava/lang/String;>.Inner;";
        assert_eq!(of(nested).unwrap(), "a.Outer<java.lang.String>.Inner");
    }

    #[test]
    fn an_argument_names_the_class_of_what_a_result_is_or_holds() {
        let of = |descriptor: &str, signature: &str| asked_class(descriptor, Some(signature));
        let get = "(Ljava/lang/String;Ljava/lang/Class;)Ljava/util/Optional;";
        let signature = "<T:Ljava/lang/Object;>(Ljava/lang/String;Ljava/lang/Class<TT;>;)Ljava/util/Optional<TT;>;";
        assert_eq!(of(get, signature), Some(1));
        let one = "(Ljava/lang/Class;)Ljava/lang/Object;";
        let bounded = "<A::La/B;T::La/B;>(Ljava/lang/Class<TT;>;)TT;^Ljava/io/IOException;";
        assert_eq!(of(one, bounded), Some(0));
        // The variable is the class's, or the argument names another one.
        assert_eq!(of(one, "(Ljava/lang/Class<TT;>;)TT;"), None);
        let other = "<T:Ljava/lang/Object;A:Ljava/lang/Object;>(Ljava/lang/Class<TA;>;)TT;";
        assert_eq!(of(one, other), None);
    }
}
