//! Arguments that the project's own calls pass: inputs with another one that no call in its sources has are labelled.

use crate::bytecode::is_jdk;
use crate::check::failing_inputs::is_told_to;
use crate::check::input_calls;
use crate::check::made_nulls::MadeInputs;
use crate::check::resolved_calls::ResolvedCalls;
use crate::check::workspace::{Workspace, stand_ins};
use crate::java::{Lexeme, Node, SourceFile, is_identifier_part, lexemes};
use crate::java_text;
use crate::model::{DivergenceClass, End, Finding, Input, Label, MethodRef, Spelling, Version};
use crate::report::{MethodText, Report, SourceText};
use std::collections::BTreeMap;

/// Files read for the calls of one method: of a name that more use, nothing is said.
const MOST_FILES: usize = 200;

/// What calls pass for one parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Passed {
    /// Literals, as the source has them.
    literals: Vec<String>,
    /// Whether one passes something whose value the source does not show.
    has_others: bool,
}

impl Passed {
    fn has_null(&self) -> bool {
        self.literals.iter().any(|l| l == "null")
    }
}

/// The calls of one name with one number of arguments.
#[derive(Clone, Debug, Default)]
struct Calls {
    count: usize,
    /// Parameter by parameter.
    passed: Vec<Passed>,
    /// Whether the method is also named without arguments (`Foo::bar`).
    is_referred_to: bool,
}

/// Labels findings whose input has an argument that no call in the new version's sources passes, tests included: of the method, of
/// what makes the objects of the input, or of what is called on them before.
///
/// Of what makes objects and everybody can call, the sources have but some of the calls: other literals than theirs say nothing. A call that
/// returns `null` passes one. Of the JDK's methods only those count that put a key into a map.
pub(super) fn label(
    workspace: &Workspace,
    resolved: &ResolvedCalls,
    is_public: &dyn Fn(&MethodRef) -> bool,
    made: &MadeInputs,
    report: &mut Report,
) {
    let Report {
        methods, sources, ..
    } = report;
    let mut known: BTreeMap<MethodRef, Option<Calls>> = BTreeMap::new();
    for (number, m) in methods.iter_mut().enumerate() {
        let mut nulls = Vec::new();
        let findings = m.findings.iter_mut().enumerate();
        for (i, f) in findings.filter(|(_, f)| f.is_written()) {
            let (mut is_unpassed, mut null) = (false, None);
            let inputs = made.get(&(number, i)).unwrap_or(&f.inputs);
            for (method, args) in input_calls::of(&f.entry, inputs) {
                let unpassed: Vec<&Input> = if stand_ins::is_one(&method.class) {
                    // An answer that no version fails on may be any.
                    let fails = |end: &End| end.thrown().is_some() && !is_told_to(end);
                    let fails = fails(&f.old.end) || fails(&f.new.end);
                    let is_null = |a: &&Input| fails && **a == Input::Null;
                    args.iter().filter(is_null).collect()
                } else {
                    let calls = known
                        .entry(method.clone())
                        .or_insert_with(|| read(workspace, resolved, method, args.len()));
                    let calls = calls.as_ref();
                    let mut all = calls.map_or_else(Vec::new, |calls| unpassed(calls, args));
                    let is_of_input = *method != f.entry;
                    if is_of_input && calls.is_some_and(|calls| calls.are_none_of(method)) {
                        all = args.iter().filter(|a| **a == Input::Null).collect();
                    }
                    if is_of_input && is_public(method) {
                        all.retain(|arg| **arg == Input::Null);
                    }
                    all
                };
                is_unpassed |= !unpassed.is_empty();
                if unpassed.contains(&&Input::Null) {
                    null = null.max(Some(*method != f.entry));
                }
            }
            for (method, args) in input_calls::null_keys(&f.entry, inputs) {
                let calls = known
                    .entry(method.clone())
                    .or_insert_with(|| read(workspace, resolved, method, args.len()));
                if calls.as_ref().is_some_and(|c| c.pass_no_null_first()) {
                    (is_unpassed, null) = (true, Some(true));
                }
            }
            nulls.extend(null.map(|in_object| (i, in_object)));
            if is_unpassed {
                f.telling.labels.push(Label::Unpassed);
            }
        }
        let guards = sources.get(&number).is_some_and(guards_more);
        set_nulls_aside(&mut m.findings, &nulls, guards);
    }
}

/// Labels those of these findings, whose `null` no call passes, on which both versions fail, on which one fails as an object is made
/// with it (`true`) or by an assertion that only code of the same package can meet, or beside which another finding of no lesser class
/// has none. Where the patch `guards` the method against nulls, one that only the old version fails on is what the patch is about.
fn set_nulls_aside(findings: &mut [Finding], nulls: &[(usize, bool)], guards: bool) {
    let counts = |f: &&Finding| f.is_open() && !f.telling.labels.contains(&Label::Unpassed);
    let worst = findings.iter().filter(counts).map(|f| f.class).min();
    for (i, in_object) in nulls {
        let f = &mut findings[*i];
        let thrown = [&f.old, &f.new].map(|o| o.end.thrown());
        let is_internal = f.telling.labels.contains(&Label::PackagePrivate);
        let is_guarded = guards && f.class == DivergenceClass::Fix;
        if f.both_throw()
            || *in_object && !is_guarded && thrown.contains(&Some("java.lang.NullPointerException"))
            || is_internal && thrown.contains(&Some("java.lang.AssertionError"))
            || worst.is_some_and(|worst| worst <= f.class)
        {
            f.telling.labels.push(Label::UnpassedNull);
        }
    }
}

/// Whether a method asks more often in the new version whether something is `null`.
fn guards_more(text: &MethodText) -> bool {
    let count = |side: &Option<SourceText>| side.as_ref().map_or(0, |s| guards(&s.text));
    text.old.is_some() && count(&text.new) > count(&text.old)
}

/// How often code asks whether something is `null`.
fn guards(text: &str) -> usize {
    let code: String = lexemes(text)
        .filter_map(|lexeme| match lexeme {
            Lexeme::Other(c) => Some(c),
            _ => None,
        })
        .collect();
    let compares = |(at, word): &(usize, &str)| {
        let (before, behind) = (&code[..*at], &code[at + word.len()..]);
        let is_part =
            before.ends_with(is_identifier_part) || behind.starts_with(is_identifier_part);
        let is_left = behind.starts_with("==") || behind.starts_with("!=");
        !is_part && (is_left || before.ends_with("==") || before.ends_with("!="))
    };
    let calls = [".isNull(", ".nonNull("].map(|call| code.matches(call).count());
    code.match_indices("null").filter(compares).count() + calls.iter().sum::<usize>()
}

/// The name in calls: a constructor's is its class's.
fn name(method: &MethodRef) -> String {
    match method.name.as_str() {
        "<init>" => method
            .class
            .rsplit(['.', '$'])
            .next()
            .unwrap_or_default()
            .into(),
        name => name.into(),
    }
}

/// Those arguments that no call passes.
fn unpassed<'a>(calls: &Calls, args: &'a [Input]) -> Vec<&'a Input> {
    let is_beside = |(value, passed): &(&Input, &Passed)| match value {
        // A variable may be null, but then somebody would say so somewhere.
        Input::Null => !passed.has_null(),
        Input::Boolean(_) | Input::Int(_) | Input::Long(_) | Input::Char(_) | Input::Str(_) => {
            !passed.has_others && !passed.literals.contains(&java_text::input(value))
        }
        _ => false,
    };
    if calls.count == 0 || calls.is_referred_to {
        return Vec::new();
    }
    let beside = args.iter().zip(&calls.passed).filter(is_beside);
    beside.map(|(arg, _)| arg).collect()
}

/// The calls of a method with so many arguments; `None` where there are too many files to read.
fn read(
    workspace: &Workspace,
    resolved: &ResolvedCalls,
    method: &MethodRef,
    arity: usize,
) -> Option<Calls> {
    let name = &*name(method);
    let (paths, text) = workspace.sources(Version::New);
    let mut calls = Calls {
        passed: vec![Passed::default(); arity],
        ..Calls::default()
    };
    let mut files = 0;
    for path in paths {
        let Some(text) = text(path).filter(|t| t.contains(name)) else {
            continue;
        };
        files += 1;
        if files > MOST_FILES {
            return None;
        }
        if let Ok(file) = SourceFile::parse(path, text.as_bytes()) {
            let is_other = |line| resolved.are_others(path, line, method);
            calls.add(&file, name, &is_other);
        }
    }
    Some(calls)
}

impl Calls {
    /// Whether the project never calls this method, which is none of the JDK's: then no call passes `null` to it, either.
    fn are_none_of(&self, method: &MethodRef) -> bool {
        self.count == 0 && !self.is_referred_to && !is_jdk(&method.class.internal())
    }

    /// Whether no call passes `null` as the first argument, also where there is no call.
    fn pass_no_null_first(&self) -> bool {
        let passes = self.passed.first().is_some_and(Passed::has_null);
        !passes && !self.is_referred_to
    }

    /// Adds the calls in a file, without those of a line whose calls of that name all go elsewhere.
    fn add(&mut self, file: &SourceFile, name: &str, is_other: &dyn Fn(u32) -> bool) {
        for of in &file.types {
            let simple = of.name.rsplit(['.', '$']).next().unwrap_or_default();
            let methods = of.methods.iter().map(|m| &m.node);
            let nodes = methods.chain(of.fields.iter().map(|f| &f.node));
            for node in nodes {
                node.walk(&mut |n| {
                    let line = n.child("arguments").map_or(n.line, |a| a.line);
                    if n.kind != "method_invocation" || !is_other(line) {
                        self.add_node(n, &file.text, (name, simple));
                    }
                });
            }
        }
    }

    fn add_node(&mut self, node: &Node, source: &str, (name, class): (&str, &str)) {
        let of = |field: &str| node.child(field).map_or("", |n| n.text(source));
        let is_call = match node.kind {
            "method_invocation" => of("name") == name,
            "object_creation_expression" => {
                let ty = of("type").split('<').next().unwrap_or_default().trim();
                ty.rsplit('.').next() == Some(name)
            }
            // `super(…)` may be a constructor of any class.
            "explicit_constructor_invocation" => of("constructor") == "super" || class == name,
            "method_reference" => {
                let text = node.text(source);
                self.is_referred_to |= text.ends_with(&format!("::{name}"))
                    || text.ends_with("::new") && text.contains(name);
                false
            }
            _ => false,
        };
        let Some(arguments) = node.child("arguments").filter(|_| is_call) else {
            return;
        };
        let all: Vec<&Node> = arguments.named().collect();
        if all.len() != self.passed.len() {
            return;
        }
        self.count += 1;
        for (passed, argument) in self.passed.iter_mut().zip(all) {
            let text = argument.text(source);
            match is_literal(argument) {
                true if !passed.literals.iter().any(|l| l == text) => {
                    passed.literals.push(text.to_string());
                }
                true => {}
                false => passed.has_others = true,
            }
        }
    }
}

/// Whether its text is its value: no octal, hexadecimal or escaped form.
fn is_literal(node: &Node) -> bool {
    matches!(
        node.kind,
        "null_literal"
            | "true"
            | "false"
            | "decimal_integer_literal"
            | "character_literal"
            | "string_literal"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(body: &str, name: &str, arity: usize) -> Calls {
        let text = format!("class A {{ void f(String s) {{ {body} }} }}");
        let file = SourceFile::parse("a/A.java", text.as_bytes()).unwrap();
        let mut calls = Calls {
            passed: vec![Passed::default(); arity],
            ..Calls::default()
        };
        calls.add(&file, name, &|_| false);
        calls
    }

    #[test]
    fn guards_are_counted_in_code_only() {
        assert_eq!(guards("if (a  != null && null == b) // c == null"), 2);
        assert_eq!(
            guards("use(\"x == null\", Objects.nonNull(a), nullable);"),
            1
        );
        assert_eq!(guards("if (a == nullable || isnull != b) return null;"), 0);
    }

    #[test]
    fn arguments_are_seen_call_by_call() {
        let found = calls("g(s, true); g(\"a\", true); g(s); h(null, false);", "g", 2);
        assert_eq!(found.count, 2);
        assert!(found.passed[0].has_others && !found.passed[1].has_others);
        assert_eq!(found.passed[1].literals, ["true"]);
        let made = calls("new B<String>(null); new C(1);", "B", 1);
        assert_eq!((made.count, made.passed[0].literals.len()), (1, 1));
        assert!(calls("use(A::g);", "g", 0).is_referred_to);
    }
}
