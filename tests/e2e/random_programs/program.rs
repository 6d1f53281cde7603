//! A random Java program: one class with nested types of every kind and a method `run`.

use super::idioms::MEMBERS;
use shadow_ci::commands::conformance::Random;

/// Types of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Long,
    Double,
    Float,
    Char,
    Short,
    Byte,
    Boolean,
    Text,
    Ints,
    Object,
}

const PRIMITIVES: [Type; 8] = [
    Type::Int,
    Type::Long,
    Type::Double,
    Type::Float,
    Type::Char,
    Type::Short,
    Type::Byte,
    Type::Boolean,
];

impl Type {
    /// Its name in Java.
    pub fn name(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Long => "long",
            Type::Double => "double",
            Type::Float => "float",
            Type::Char => "char",
            Type::Short => "short",
            Type::Byte => "byte",
            Type::Boolean => "boolean",
            Type::Text => "String",
            Type::Ints => "int[]",
            Type::Object => "Object",
        }
    }
}

/// What is being written.
pub struct Program {
    pub random: Random,
    /// Variables that can be read and written.
    pub scope: Vec<(String, Type)>,
    /// Variables that can only be read.
    pub constants: Vec<(String, Type)>,
    /// What `run` returns.
    pub result: Type,
    names: usize,
}

impl Program {
    /// The source text of class `name`.
    pub fn source(name: &str, seed: u64) -> String {
        let mut program = Program {
            random: Random::new(seed, name),
            scope: Vec::new(),
            constants: Vec::new(),
            result: Type::Int,
            names: 0,
        };
        program.class(name)
    }

    fn class(&mut self, name: &str) -> String {
        let helpers: String = (0..3).map(|n| self.helper(n)).collect();
        let (enum_a, enum_b) = (self.pure_int("x", "n"), self.pure_int("x", "n"));
        let area = self.pure_int("a", "k");
        let parameters: Vec<(String, Type)> = (0..2 + self.random.below(3))
            .map(|i| (format!("p{i}"), self.any_type()))
            .filter(|p| p.1 != Type::Object)
            .collect();
        self.result = self.any_type();
        self.scope = parameters.clone();
        let mut body = String::new();
        for _ in 0..3 + self.random.below(4) {
            body.push_str(&self.statement(3));
        }
        let result = self.result;
        let value = self.expr(result, 3);
        let list: Vec<String> = parameters
            .iter()
            .map(|(n, t)| format!("{} {n}", t.name()))
            .collect();
        format!(
            "import java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\n\npublic class {name} {{\n\
             static int tick = 1;\nstatic final Object LOCK = new Object();\nstatic final {name} sum = new {name}();\n\
             interface Shape {{ int area(int n); default int twice(int n) {{ return 2 * area(n); }} }}\n\
             record R(int a, String b) implements Shape {{ public int area(int k) {{ return {area}; }} }}\n\
             enum E {{ A, B {{ int f(int x) {{ int n = ordinal(); return {enum_b}; }} }}, C; int f(int x) {{ int n = name().length(); return {enum_a}; }} }}\n\
             static class Node {{ int v; Node next; Node(int v, Node next) {{ this.v = v; this.next = next; }} }}\n\
             record Res(int n) implements AutoCloseable {{ public void close() {{ if (n % 3 == 0) throw new IllegalStateException(\"close\"); tick += n; }} }}\n\
             class Inner {{ int own = tick; int get() {{ return own + base; }} }}\n\
             int base = 3;\n\
             int[] collect(int... xs) {{ Inner inner = new Inner(); int[] all = xs.clone(); for (int i = 0; i < all.length; i++) all[i] += inner.get(); return all; }}\n\
             static String cut(String s) {{ return s.length() > 24 ? s.substring(s.length() - 24) : s; }}\n\
             static int at(int[] xs, int i) {{ return xs[Math.floorMod(i, xs.length)]; }}\n\
             {MEMBERS}{helpers}\
             public static {} run({}) {{\n{body}return {value};\n}}\n}}\n",
            result.name(),
            list.join(", ")
        )
    }

    /// A method of two ints that may call itself a few times.
    fn helper(&mut self, n: usize) -> String {
        let value = self.pure_int("a", "b");
        let step = self.pure_int("a", "b");
        match n {
            0 => format!("static int h0(int a, int b) {{ return {value}; }}\n"),
            1 => format!(
                "private static int h1(int a, int b) {{ if ((b & 7) == 0) return {value}; return h1({step}, (b & 7) - 1) + 1; }}\n"
            ),
            _ => format!(
                "static int h2(int a, int b) {{ int n = a; for (Node x = new Node(a, new Node(b, null)); x != null; x = x.next) n = n * 7 + x.v; return n ^ {value}; }}\n"
            ),
        }
    }

    /// An int expression over two int variables, without calls.
    fn pure_int(&mut self, a: &str, b: &str) -> String {
        let op = self.random.pick(&["+", "-", "*", "^", "|", "&", ">>", "%"]);
        let n = 1 + self.random.below(9);
        match self.random.below(3) {
            0 => format!("({a} {op} ({b} | {n}))"),
            1 => format!("({a} > {b} ? {a} - {n} : {b} * {n})"),
            _ => format!("(({a} << {n}) {op} ({b} | 1))"),
        }
    }

    /// An int expression over what inner classes and lambdas may capture.
    pub fn expr_of_constants(&mut self) -> String {
        let ints = self.constants.iter().filter(|c| c.0.starts_with('f'));
        let names: Vec<String> = ints.map(|c| c.0.clone()).collect();
        let (a, b) = (
            self.random.pick(&names).clone(),
            self.random.pick(&names).clone(),
        );
        self.pure_int(&a, &b)
    }

    /// A name nothing else has.
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A variable of that type to read, if there is one.
    pub fn readable(&mut self, ty: Type) -> Option<String> {
        let all: Vec<&(String, Type)> = self
            .scope
            .iter()
            .chain(&self.constants)
            .filter(|v| v.1 == ty)
            .collect();
        if all.is_empty() {
            return None;
        }
        let at = self.random.below(all.len());
        Some(all[at].0.clone())
    }

    /// A variable of that type to write, if there is one.
    pub fn assignable(&mut self, ty: Type) -> Option<String> {
        let all: Vec<&(String, Type)> = self.scope.iter().filter(|v| v.1 == ty).collect();
        if all.is_empty() {
            return None;
        }
        let at = self.random.below(all.len());
        Some(all[at].0.clone())
    }

    /// Any primitive type.
    pub fn any_primitive(&mut self) -> Type {
        *self.random.pick(&PRIMITIVES)
    }

    /// Any type; int, String and arrays more often.
    pub fn any_type(&mut self) -> Type {
        match self.random.below(8) {
            0 | 1 => Type::Int,
            2 => Type::Text,
            3 => Type::Ints,
            4 => Type::Object,
            _ => self.any_primitive(),
        }
    }
}
