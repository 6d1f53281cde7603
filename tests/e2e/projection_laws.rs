//! The projection law on random edit scripts: whatever is inserted, deleted, updated, moved or wrapped, the unified program is
//! both versions in one. Judged twice: by `dump projection`, and by running the unified program as either version.

use crate::support;
use std::path::Path;
use std::process::Command;

/// SplitMix64: the same programs on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[derive(Clone, Debug)]
enum Expr {
    Number(i32),
    Parameter(bool),
    /// A local variable, when it is in scope where the expression stands.
    Local(usize),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Call(&'static str, Box<Expr>),
    Choice(Box<Cond>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
enum Cond {
    Compare(&'static str, Expr, Expr),
    Join(&'static str, Box<Cond>, Box<Cond>),
    Call(Expr),
}

#[derive(Clone, Debug)]
enum Stmt {
    /// Number, type, value.
    Declare(usize, &'static str, Expr),
    Assign(usize, &'static str, Expr),
    Print(Expr),
    If(Cond, Vec<Stmt>, Option<Vec<Stmt>>),
    /// Number of the loop variable, turns.
    For(usize, i32, Vec<Stmt>),
    While(usize, i32, Vec<Stmt>),
    Try(Vec<Stmt>, Vec<Stmt>),
    Switch(Expr, Vec<Vec<Stmt>>),
    Return(Cond, Expr),
    Lambda(usize, Expr),
}

const LOCALS: usize = 6;

fn expr(r: &mut Random, depth: usize) -> Expr {
    let sub = |r: &mut Random| Box::new(expr(r, depth + 1));
    match r.below(if depth > 2 { 4 } else { 9 }) {
        0 => Expr::Number(r.below(12) as i32 - 2),
        1 => Expr::Parameter(r.one_in(2)),
        2 | 3 => Expr::Local(r.below(LOCALS)),
        4 | 5 => Expr::Binary(["+", "-", "*", "&", "^"][r.below(5)], sub(r), sub(r)),
        6 => Expr::Binary(["/", "%"][r.below(2)], sub(r), sub(r)),
        7 => Expr::Call(["twice", "note"][r.below(2)], sub(r)),
        _ => Expr::Choice(Box::new(cond(r, depth + 1)), sub(r), sub(r)),
    }
}

fn cond(r: &mut Random, depth: usize) -> Cond {
    match r.below(if depth > 1 { 2 } else { 5 }) {
        3 => Cond::Join(
            ["&&", "||"][r.below(2)],
            Box::new(cond(r, depth + 1)),
            Box::new(cond(r, depth + 1)),
        ),
        4 => Cond::Call(expr(r, 2)),
        _ => Cond::Compare(
            ["<", ">", "==", "!=", "<=", ">="][r.below(6)],
            expr(r, 2),
            expr(r, 2),
        ),
    }
}

/// Each local is declared by one statement of the method at most: `next` counts them.
fn stmt(r: &mut Random, depth: usize, next: &mut usize) -> Stmt {
    let mut fresh = || {
        *next += 1;
        *next - 1
    };
    match r.below(if depth > 1 { 5 } else { 11 }) {
        0 => Stmt::Declare(
            fresh(),
            ["int", "long", "final int", "Integer"][r.below(4)],
            expr(r, 0),
        ),
        1 | 2 => Stmt::Assign(r.below(LOCALS), ["=", "+=", "-="][r.below(3)], expr(r, 0)),
        3 => Stmt::Print(expr(r, 0)),
        4 => Stmt::Return(cond(r, 0), expr(r, 1)),
        5 | 6 => {
            let other = if r.one_in(2) {
                Some(stmts(r, depth + 1, next))
            } else {
                None
            };
            Stmt::If(cond(r, 0), stmts(r, depth + 1, next), other)
        }
        7 => Stmt::For(fresh(), 1 + r.below(3) as i32, stmts(r, depth + 1, next)),
        8 => Stmt::While(fresh(), 1 + r.below(3) as i32, stmts(r, depth + 1, next)),
        9 => Stmt::Try(stmts(r, depth + 1, next), stmts(r, depth + 1, next)),
        _ if r.one_in(3) => Stmt::Lambda(fresh(), expr(r, 1)),
        _ => Stmt::Switch(
            expr(r, 1),
            (0..3).map(|_| stmts(r, depth + 1, next)).collect(),
        ),
    }
}

fn stmts(r: &mut Random, depth: usize, next: &mut usize) -> Vec<Stmt> {
    (0..1 + r.below(if depth == 0 { 6 } else { 3 }))
        .map(|_| stmt(r, depth, next))
        .collect()
}

/// One random edit somewhere in the statements.
fn edit(r: &mut Random, all: &mut Vec<Stmt>, next: &mut usize) {
    let at = r.below(all.len());
    if r.one_in(2)
        && let Some(inner) = inner(&mut all[at], r)
        && !inner.is_empty()
    {
        return edit(r, inner, next);
    }
    match r.below(7) {
        0 => all.insert(at, stmt(r, 1, next)),
        1 if all.len() > 1 => {
            all.remove(at);
        }
        2 => {
            let moved = all.remove(at);
            let to = r.below(all.len() + 1);
            all.insert(to, moved);
        }
        3 => {
            let wrapped = all.remove(at);
            all.insert(at, Stmt::If(cond(r, 0), vec![wrapped], None));
        }
        4 => {
            if let Some(body) = inner(&mut all[at], r).map(std::mem::take) {
                all.splice(at..=at, body);
            }
            if all.is_empty() {
                all.push(stmt(r, 1, next));
            }
        }
        _ => update(r, &mut all[at]),
    }
}

fn inner<'s>(s: &'s mut Stmt, r: &mut Random) -> Option<&'s mut Vec<Stmt>> {
    match s {
        Stmt::If(_, a, None) | Stmt::For(_, _, a) | Stmt::While(_, _, a) => Some(a),
        Stmt::If(_, a, Some(b)) | Stmt::Try(a, b) => Some(if r.one_in(2) { a } else { b }),
        Stmt::Switch(_, cases) => {
            let at = r.below(cases.len());
            Some(&mut cases[at])
        }
        _ => None,
    }
}

fn update(r: &mut Random, s: &mut Stmt) {
    match s {
        Stmt::Declare(_, ty, e) => match r.below(4) {
            0 => *ty = ["int", "long", "Integer"][r.below(3)],
            _ => part(r, e),
        },
        Stmt::Assign(to, _, e) => match r.below(4) {
            0 => *to = r.below(LOCALS),
            _ => part(r, e),
        },
        Stmt::Print(e) | Stmt::Lambda(_, e) | Stmt::Switch(e, _) => part(r, e),
        Stmt::If(c, _, _) | Stmt::Return(c, _) => condition(r, c),
        Stmt::For(_, turns, _) | Stmt::While(_, turns, _) => *turns = 1 + (*turns % 4),
        Stmt::Try(..) => {}
    }
}

fn condition(r: &mut Random, c: &mut Cond) {
    match r.below(4) {
        0 => {
            *c = Cond::Join(
                ["&&", "||"][r.below(2)],
                Box::new(c.clone()),
                Box::new(cond(r, 1)),
            )
        }
        1 => {
            *c = Cond::Join(
                ["&&", "||"][r.below(2)],
                Box::new(cond(r, 1)),
                Box::new(c.clone()),
            )
        }
        2 => *c = cond(r, 0),
        _ => match c {
            Cond::Join(_, a, b) => {
                *c = if r.one_in(2) {
                    (**a).clone()
                } else {
                    (**b).clone()
                }
            }
            Cond::Compare(op, _, _) => *op = ["<", ">", "==", "!=", "<=", ">="][r.below(6)],
            Cond::Call(e) => part(r, e),
        },
    }
}

fn part(r: &mut Random, e: &mut Expr) {
    match e {
        Expr::Binary(_, a, b) if !r.one_in(3) => {
            let side = if r.one_in(2) { a } else { b };
            part(r, side);
        }
        Expr::Call(_, a) if !r.one_in(3) => part(r, a),
        Expr::Choice(c, _, _) if r.one_in(2) => condition(r, c),
        _ => *e = expr(r, 1),
    }
}

/// Writes Java; names tell the two versions' renamed locals apart by `prefix`.
struct Printer {
    out: String,
    scope: Vec<(usize, &'static str)>,
    prefix: &'static str,
}

impl Printer {
    fn method(body: &[Stmt], prefix: &'static str) -> String {
        let mut p = Printer {
            out: String::new(),
            scope: Vec::new(),
            prefix,
        };
        p.block(body, 2);
        p.out
    }

    fn name(&self, n: usize) -> String {
        format!("{}{n}", self.prefix)
    }

    fn block(&mut self, body: &[Stmt], depth: usize) {
        let scope = self.scope.len();
        for s in body {
            self.out.push_str(&"    ".repeat(depth));
            self.stmt(s, depth);
            self.out.push('\n');
        }
        self.scope.truncate(scope);
    }

    fn nested(&mut self, body: &[Stmt], depth: usize) {
        self.out.push_str("{\n");
        self.block(body, depth + 1);
        self.out.push_str(&format!("{}}}", "    ".repeat(depth)));
    }

    fn stmt(&mut self, s: &Stmt, depth: usize) {
        match s {
            // Moved and copied statements must not declare a variable twice.
            Stmt::Declare(n, ..) | Stmt::For(n, ..) | Stmt::While(n, ..) | Stmt::Lambda(n, _)
                if self.scope.iter().any(|v| v.0 == *n) =>
            {
                self.out.push(';');
            }
            Stmt::Declare(n, ty, e) => {
                let bare = ty.trim_start_matches("final ");
                let cast = if bare == "long" { "" } else { "(int) " };
                let text = format!("{ty} {} = {cast}({});", self.name(*n), self.expr(e));
                self.out.push_str(&text);
                self.scope.push((*n, ty));
            }
            Stmt::Assign(n, op, e) => match self
                .scope
                .iter()
                .find(|v| v.0 % LOCALS == *n && !v.1.starts_with("final"))
            {
                Some((n, ty)) => {
                    let cast = if *ty == "long" { "" } else { "(int) " };
                    let text = format!("{} {op} {cast}({});", self.name(*n), self.expr(e));
                    self.out.push_str(&text);
                }
                None => {
                    let text = format!("total {op} {};", self.expr(e));
                    self.out.push_str(&text);
                }
            },
            Stmt::Print(e) => {
                let text = format!("log.append({}).append(\"; \" + total);", self.expr(e));
                self.out.push_str(&text);
            }
            Stmt::If(c, a, b) => {
                let text = format!("if ({}) ", self.cond(c));
                self.out.push_str(&text);
                self.nested(a, depth);
                if let Some(b) = b {
                    self.out.push_str(" else ");
                    self.nested(b, depth);
                }
            }
            Stmt::For(n, turns, body) => {
                let v = self.name(*n);
                self.out
                    .push_str(&format!("for (int {v} = 0; {v} < {turns}; {v}++) "));
                self.scope.push((*n, "final"));
                self.nested(body, depth);
                self.scope.pop();
            }
            Stmt::While(n, turns, body) => {
                let v = self.name(*n);
                self.out
                    .push_str(&format!("int {v} = 0; while ({v}++ < {turns}) "));
                self.scope.push((*n, "final"));
                self.nested(body, depth);
            }
            Stmt::Try(a, b) => {
                self.out.push_str("try ");
                self.nested(a, depth);
                self.out
                    .push_str(&format!(" catch (ArithmeticException e{depth}) "));
                self.nested(b, depth);
                self.out.push_str(" finally { total++; }");
            }
            Stmt::Switch(e, cases) => {
                let text = format!("switch ((int) ({}) & 3) {{\n", self.expr(e));
                self.out.push_str(&text);
                let indent = "    ".repeat(depth + 1);
                for (i, case) in cases.iter().enumerate() {
                    self.out.push_str(&format!("{indent}case {i}: "));
                    self.nested(case, depth + 1);
                    self.out
                        .push_str(if i % 2 == 0 { " break;\n" } else { "\n" });
                }
                self.out.push_str(&format!(
                    "{indent}default: total--;\n{}}}",
                    "    ".repeat(depth)
                ));
            }
            Stmt::Return(c, e) => {
                let text = format!("if ({}) return {};", self.cond(c), self.expr(e));
                self.out.push_str(&text);
            }
            Stmt::Lambda(n, e) => {
                // Only parameters are captured: locals may be assigned.
                let scope = std::mem::take(&mut self.scope);
                let text = format!(
                    "java.util.function.LongSupplier {} = () -> {};",
                    self.name(*n),
                    self.expr(e)
                );
                self.scope = scope;
                self.out.push_str(&text);
                let call = format!(" total += {}.getAsLong();", self.name(*n));
                self.out.push_str(&call);
                self.scope.push((*n + 1000, "final"));
            }
        }
    }

    fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Number(n) => {
                if *n < 0 {
                    format!("({n})")
                } else {
                    n.to_string()
                }
            }
            Expr::Parameter(first) => (if *first { "a" } else { "b" }).into(),
            Expr::Local(n) => match self.scope.iter().find(|v| v.0 % LOCALS == *n && v.0 < 1000) {
                Some((n, _)) => self.name(*n),
                None => "a".into(),
            },
            Expr::Binary(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            Expr::Call(f, a) => format!("{f}({})", self.expr(a)),
            Expr::Choice(c, a, b) => {
                format!("({} ? {} : {})", self.cond(c), self.expr(a), self.expr(b))
            }
        }
    }

    fn cond(&self, c: &Cond) -> String {
        match c {
            Cond::Compare(op, a, b) => format!("{} {op} {}", self.expr(a), self.expr(b)),
            Cond::Join(op, a, b) => format!("({}) {op} ({})", self.cond(a), self.cond(b)),
            Cond::Call(e) => format!("odd({})", self.expr(e)),
        }
    }
}

fn class(n: usize, body: &[Stmt], prefix: &'static str) -> String {
    format!(
        "package p;\n\nclass C{n} extends Base {{\n    long run(int a, int b) {{\n{}        return total;\n    }}\n}}\n",
        Printer::method(body, prefix)
    )
}

const BASE: &str = "package p;

abstract class Base {
    long total;
    final StringBuilder log = new StringBuilder();

    abstract long run(int a, int b);
    long twice(long x) { total++; return 2 * x; }
    int note(long x) { log.append(x).append(','); return (int) x; }
    boolean odd(long x) { log.append('?'); return x % 2 != 0; }
}
";

const MAIN: &str = "package p;

public class Main {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            for (int a = -2; a < 4; a++) {
                for (int b = -2; b < 4; b++) {
                    Base c = (Base) Class.forName(\"p.C\" + i).getDeclaredConstructor().newInstance();
                    String result;
                    try { result = \"\" + c.run(a, b); } catch (ArithmeticException e) { result = \"/ by zero\"; }
                    System.out.println(i + \" \" + a + \" \" + b + \" \" + result + \" \" + c.total + \" \" + c.log);
                }
            }
        }
    }
}
";

fn write(dir: &Path, classes: &[String]) {
    let package = dir.join("src/main/java/p");
    std::fs::create_dir_all(&package).unwrap();
    for (i, text) in classes.iter().enumerate() {
        std::fs::write(package.join(format!("C{i}.java")), text).unwrap();
    }
    std::fs::write(package.join("Base.java"), BASE).unwrap();
    std::fs::write(package.join("Main.java"), MAIN).unwrap();
}

fn java_files(dir: &Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.path().is_dir() {
            java_files(&entry.path(), out);
        } else if entry.path().extension().is_some_and(|e| e == "java") {
            out.push(entry.path());
        }
    }
}

fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
}

fn javac(sources: &Path, class_path: &Path, out: &Path) {
    let mut files = Vec::new();
    java_files(sources, &mut files);
    std::fs::create_dir_all(out).unwrap();
    let output = support::javac()
        .args(["-nowarn", "-cp"])
        .arg(class_path)
        .arg("-d")
        .arg(out)
        .args(&files)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn run(class_path: &str, version: &str, cases: usize) -> Vec<String> {
    let property = format!("-Dshadow.version={version}");
    let output = Command::new("java")
        .args([&property, "-cp", class_path, "p.Main", &cases.to_string()])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_string)
        .collect()
}

#[test]
fn random_edit_scripts_keep_the_projection_law() {
    const CASES: usize = 40;
    let mut r = Random(20_261_121);
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for n in 0..CASES {
        let mut next = 0;
        let before = stmts(&mut r, 0, &mut next);
        let mut after = before.clone();
        for _ in 0..1 + r.below(3) {
            edit(&mut r, &mut after, &mut next);
        }
        old.push(class(n, &before, "t"));
        new.push(class(n, &after, if r.one_in(4) { "u" } else { "t" }));
    }
    let dir = tempfile::tempdir().unwrap();
    let (repo, sources) = (dir.path().join("repo"), dir.path().join("sources"));
    std::fs::create_dir_all(&repo).unwrap();
    support::git(&repo, &["init", "-q"]);
    for (name, classes) in [("old", &old), ("new", &new)] {
        write(&sources.join(name), classes);
        support::commit(&repo, &sources.join(name));
        javac(
            &sources.join(name),
            dir.path(),
            &dir.path().join(format!("{name}-classes")),
        );
    }
    let projection = binary()
        .args(["dump", "projection", "HEAD~1", "HEAD", "--repo"])
        .arg(&repo)
        .output()
        .unwrap();
    assert!(
        projection.status.success(),
        "{}",
        String::from_utf8_lossy(&projection.stderr)
    );
    let projection = String::from_utf8_lossy(&projection.stdout).to_string();
    assert!(
        projection.contains("projection mismatches: 0"),
        "{projection}"
    );
    let share: f64 = ["expression", "statement"]
        .iter()
        .map(|level| share(&projection, level))
        .sum();
    assert!(
        share >= 95.0,
        "only {share} % at expression or statement level:\n{projection}"
    );

    let unified = dir.path().join("unified");
    let annotate = binary()
        .args(["annotate", "HEAD~1", "HEAD", "--repo"])
        .arg(&repo)
        .arg("--out")
        .arg(&unified)
        .output()
        .unwrap();
    assert!(
        annotate.status.success(),
        "{}",
        String::from_utf8_lossy(&annotate.stderr)
    );
    javac(
        &unified,
        &dir.path().join("new-classes"),
        &dir.path().join("unified-classes"),
    );
    for version in ["old", "new"] {
        let path = |name: &str| {
            dir.path()
                .join(format!("{name}-classes"))
                .display()
                .to_string()
        };
        let real = run(&path(version), version, CASES);
        // Methods at method level have the new body in the unified program.
        let as_unified = run(
            &format!("{}:{}", path("unified"), path("new")),
            version,
            CASES,
        );
        assert_eq!(real.len(), as_unified.len());
        let coarse: Vec<String> = (0..CASES)
            .filter(|n| projection.contains(&format!("level: p.C{n}#")))
            .map(|n| n.to_string())
            .collect();
        let compared: Vec<_> = real
            .iter()
            .zip(&as_unified)
            .filter(|(l, _)| !coarse.iter().any(|n| l.split(' ').next() == Some(n)))
            .collect();
        assert!(compared.len() > real.len() * 9 / 10);
        for (expected, seen) in compared {
            assert_eq!(expected, seen, "as the {version} version");
        }
    }
}

fn share(projection: &str, level: &str) -> f64 {
    let line = projection
        .lines()
        .find(|l| l.trim_start().starts_with(level))
        .unwrap();
    line.split_whitespace().nth(2).unwrap().parse().unwrap()
}
