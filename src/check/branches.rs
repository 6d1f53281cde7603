//! Conditions of a source line in the order in which javac's code tests them, so that a conditional jump is told in Java's words.

use crate::java::{Node, SourceFile};

/// What one conditional jump of javac's code tests (JLS 15.23, 15.24; javac evaluates operands from left to right, each with a jump
/// of its own).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    /// The condition, or the head of the loop.
    pub text: String,
    /// Whether the code jumps where it is true.
    pub jumps_if_true: bool,
    /// Whether it asks for a further element of a `for` over all.
    pub is_element: bool,
    /// Line of the condition, and of the statement around it.
    line: u32,
    statement: u32,
}

/// The test of the jump that is number `index` of `count` on that line; `None` where the code has other jumps than the source shows.
pub(super) fn test(file: &SourceFile, line: u32, (index, count): (u32, u32)) -> Option<Test> {
    let mut all = Tests {
        source: &file.text,
        statement: 0,
        out: Vec::new(),
    };
    let types = file.types.iter();
    let nodes = types.flat_map(|t| {
        let methods = t.methods.iter().map(|m| &m.node);
        methods.chain(t.fields.iter().map(|f| &f.node))
    });
    nodes.for_each(|node| all.below(node));
    let of = |line_of: &dyn Fn(&Test) -> u32| {
        let on = all.out.iter().filter(|t| line_of(t) == line);
        let on: Vec<&Test> = on.collect();
        (on.len() == count as usize)
            .then(|| on.get(index as usize).map(|t| (*t).clone()))
            .flatten()
    };
    of(&|t| t.line).or_else(|| of(&|t| t.statement))
}

/// The labels of the branch that a `switch` of that line goes to; `None` where that is not one of them, or not to be told.
pub(super) fn case(file: &SourceFile, line: u32, goes: u32) -> Option<(String, String)> {
    let types = file.types.iter();
    let mut switches: Vec<&Node> = Vec::new();
    for method in types.flat_map(|t| &t.methods) {
        find_switches(&method.node, line, &mut switches);
    }
    let [switch] = switches.as_slice() else {
        return None;
    };
    let text = &file.text;
    let value = switch.child("condition")?.text(text);
    let groups: Vec<&Node> = switch.child("body")?.named().collect();
    let holds = |group: &Node| {
        let last = text.get(group.start..group.end).unwrap_or_default();
        let last = group.line + last.matches('\n').count() as u32;
        (group.line..=last).contains(&goes)
    };
    let mut holding = (0..groups.len()).filter(|i| holds(groups[*i]));
    let (at, None) = (holding.next()?, holding.next()) else {
        return None;
    };
    // Labels without statements of their own lead to the next ones.
    let is_bare = |group: &&Node| group.named().all(|n| n.kind == "switch_label");
    let bare = groups[..at].iter().rev().take_while(|g| is_bare(g)).count();
    let labels = groups[at - bare..=at].iter().flat_map(|g| g.named());
    let labels = labels.filter(|n| n.kind == "switch_label");
    let labels: Vec<String> = labels.map(|l| one_line(l.text(text))).collect();
    let value = one_line(value);
    (!labels.is_empty()).then(|| (format!("switch {value}"), labels.join(", ")))
}

fn find_switches<'a>(node: &'a Node, line: u32, out: &mut Vec<&'a Node>) {
    if node.kind.starts_with("switch_")
        && node.child("body").is_some()
        && (node.line == line || node.child("condition").is_some_and(|c| c.line == line))
    {
        out.push(node);
    }
    node.children
        .iter()
        .for_each(|c| find_switches(c, line, out));
}

struct Tests<'a> {
    source: &'a str,
    statement: u32,
    out: Vec<Test>,
}

impl Tests<'_> {
    /// The tests in a node whose own value no jump decides.
    fn below(&mut self, node: &Node) {
        let before = self.statement;
        if node.kind.ends_with("_statement") || node.kind.ends_with("_declaration") {
            self.statement = node.line;
        }
        match node.kind {
            // Code of other methods.
            "lambda_expression" | "class_body" => {}
            "if_statement" | "while_statement" | "for_statement" => {
                for child in &node.children {
                    match child.field {
                        Some("condition") => self.boolean(child, false),
                        // javac puts it behind the body.
                        Some("update") => {}
                        _ => self.below(child),
                    }
                }
                let updates = node.children.iter();
                updates
                    .filter(|c| c.field == Some("update"))
                    .for_each(|c| self.below(c));
            }
            "do_statement" => {
                node.children.iter().for_each(|c| match c.field {
                    Some("condition") => self.boolean(c, true),
                    _ => self.below(c),
                });
            }
            "enhanced_for_statement" => self.for_each(node),
            "assert_statement" => self.assertion(node),
            "ternary_expression" => {
                node.children.iter().for_each(|c| match c.field {
                    Some("condition") => self.boolean(c, false),
                    _ => self.below(c),
                });
            }
            "binary_expression" | "unary_expression" if self.has_jump(node) => {
                self.boolean(node, false)
            }
            _ => node.children.iter().for_each(|c| self.below(c)),
        }
        self.statement = before;
    }

    /// Whether javac makes a boolean value of it by jumps.
    fn has_jump(&self, node: &Node) -> bool {
        match self.operator(node) {
            "&&" | "||" | "!" => true,
            op => node.kind == "binary_expression" && is_comparison(op),
        }
    }

    fn operator(&self, node: &Node) -> &str {
        node.child("operator")
            .map_or("", |operator| operator.text(self.source))
    }

    /// The tests of a condition whose last jump goes where it is `jump_on`.
    fn boolean(&mut self, node: &Node, jump_on: bool) {
        let inner = (node.kind == "parenthesized_expression")
            .then(|| node.named().next())
            .flatten();
        if let Some(inner) = inner {
            return self.boolean(inner, jump_on);
        }
        let sides = (node.child("left"), node.child("right"));
        match (self.operator(node), sides, node.named().last()) {
            ("&&", (Some(left), Some(right)), _) => {
                self.boolean(left, false);
                self.boolean(right, jump_on);
            }
            ("||", (Some(left), Some(right)), _) => {
                self.boolean(left, true);
                self.boolean(right, jump_on);
            }
            ("!", _, Some(operand)) => self.boolean(operand, !jump_on),
            _ if node.kind == "ternary_expression" => {
                node.children.iter().for_each(|c| match c.field {
                    Some("condition") => self.boolean(c, false),
                    Some("consequence" | "alternative") => self.boolean(c, jump_on),
                    _ => {}
                });
            }
            // Known to javac.
            _ if matches!(node.kind, "true" | "false") => {}
            _ => {
                node.children.iter().for_each(|c| self.below(c));
                self.push(node.text(self.source), node.line, jump_on, false);
            }
        }
    }

    fn for_each(&mut self, node: &Node) {
        if let Some(value) = node.child("value") {
            self.below(value);
        }
        let body = node.child("body");
        let head = body.map_or(node.end, |b| b.start);
        let head = self.source.get(node.start..head).unwrap_or_default();
        self.push(head, node.line, false, true);
        if let Some(body) = body {
            self.below(body);
        }
    }

    /// First comes whether assertions are on, which is no condition of the program.
    fn assertion(&mut self, node: &Node) {
        self.push("", node.line, true, false);
        let mut parts = node.named();
        if let Some(condition) = parts.next() {
            self.boolean(condition, true);
        }
        parts.for_each(|p| self.below(p));
    }

    fn push(&mut self, text: &str, line: u32, jumps_if_true: bool, is_element: bool) {
        self.out.push(Test {
            text: one_line(text),
            jumps_if_true,
            is_element,
            line,
            statement: self.statement,
        });
    }
}

fn is_comparison(operator: &str) -> bool {
    matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(body: &str) -> SourceFile {
        let text = format!("class A {{ boolean f(String s, int x, int[] all) {{\n{body}\n}} }}");
        SourceFile::parse("a/A.java", text.as_bytes()).unwrap()
    }

    fn told(body: &str, line: u32, count: u32) -> Vec<String> {
        let file = file(body);
        let all = (0..count).filter_map(|i| test(&file, line, (i, count)));
        all.map(|t| format!("{} {}", t.text, t.jumps_if_true))
            .collect()
    }

    #[test]
    fn operands_are_tested_one_by_one() {
        let two = told("if (s == null || x > 1 && !s.isEmpty()) x++;", 2, 3);
        assert_eq!(two, ["s == null true", "x > 1 false", "s.isEmpty() true"]);
        assert_eq!(
            told("return (x < 3) && s.equals(\"a\");", 2, 2),
            ["x < 3 false", "s.equals(\"a\") false"]
        );
        assert_eq!(
            told("do x--; while (!(x > 1 && x < 9));", 2, 2),
            ["x > 1 false", "x < 9 false"]
        );
        assert_eq!(
            told("for (int i : all) x += i > 2 ? 1 : 0;", 2, 2),
            ["for (int i : all) false", "i > 2 false"]
        );
        // A loop that the code has, and the source does not show.
        assert!(told("if (x > 1) x++;", 2, 2).is_empty());
        assert!(told("Runnable r = () -> { if (x > 1) f(); };", 2, 1).is_empty());
    }

    #[test]
    fn a_switch_is_told_by_its_labels() {
        let file = file(
            "switch (s) {\ncase \"alpha\": return x > 1;\ncase \"b\":\ncase \"c\":\n return true;\ndefault:\n return false; }",
        );
        let case = |goes| case(&file, 2, goes).map(|c| format!("{}: {}", c.0, c.1));
        assert_eq!(case(3).unwrap(), "switch (s): case \"alpha\"");
        assert_eq!(case(6).unwrap(), "switch (s): case \"b\", case \"c\"");
        assert_eq!(case(8).unwrap(), "switch (s): default");
        assert_eq!(case(2), None);
    }
}
