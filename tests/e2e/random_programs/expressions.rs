//! Random Java expressions of a wanted type over the variables in scope.

use super::program::{Program, Type};

const INTS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "10",
    "31",
    "63",
    "127",
    "-128",
    "65536",
    "Integer.MAX_VALUE",
    "Integer.MIN_VALUE",
];
const LONGS: [&str; 7] = [
    "0L",
    "1L",
    "-1L",
    "5000000000L",
    "Long.MAX_VALUE",
    "Long.MIN_VALUE",
    "0xffffffffL",
];
const DOUBLES: [&str; 11] = [
    "0.0",
    "-0.0",
    "1.0",
    "0.5",
    "-2.5",
    "1e10",
    "1e-5",
    "3.0e300",
    "Double.NaN",
    "Double.NEGATIVE_INFINITY",
    "Double.MIN_VALUE",
];
const FLOATS: [&str; 7] = [
    "0f",
    "-0f",
    "1.5f",
    "-7f",
    "1e30f",
    "Float.NaN",
    "16777217f",
];
const TEXTS: [&str; 9] = [
    "\"\"",
    "\"a\"",
    "\"bc\"",
    "\" x \"",
    "\"12\"",
    "\"-7\"",
    "\"Zz\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
];
const CHARS: [&str; 6] = ["'a'", "'Z'", "'0'", "' '", "'\\u00e9'", "'\\uffff'"];

impl Program {
    /// An expression of that type; deeper ones have more parts.
    pub fn expr(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 || self.random.one_in(5) {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.random.one_in(8) {
            let (c, a, b) = (
                self.expr(Type::Boolean, d),
                self.expr(ty, d),
                self.expr(ty, d),
            );
            return format!("({c} ? {a} : {b})");
        }
        if self.random.one_in(10) {
            return self.switch_expression(ty, d);
        }
        if self.random.one_in(8)
            && let Some(target) = self.assignable(ty)
        {
            let value = self.expr(ty, d);
            let value = if ty == Type::Text {
                format!("cut({value})")
            } else {
                value
            };
            return format!("({target} = {value})");
        }
        match ty {
            Type::Int => self.int(d),
            Type::Long => self.long(d),
            Type::Double => self.double(d),
            Type::Float => self.float(d),
            Type::Char => self.char(d),
            Type::Short | Type::Byte => {
                let from = *self
                    .random
                    .pick(&[Type::Int, Type::Long, Type::Char, Type::Double]);
                let value = self.expr(from, d);
                format!("(({}) {value})", ty.name())
            }
            Type::Boolean => self.boolean(d),
            Type::Text => self.text(d),
            Type::Ints => self.ints(d),
            Type::Object => self.object(d),
        }
    }

    fn leaf(&mut self, ty: Type) -> String {
        if let Some(variable) = self.readable(ty)
            && !self.random.one_in(3)
        {
            return variable;
        }
        match ty {
            Type::Int => self.random.pick(&INTS).to_string(),
            Type::Long => self.random.pick(&LONGS).to_string(),
            Type::Double => self.random.pick(&DOUBLES).to_string(),
            Type::Float => self.random.pick(&FLOATS).to_string(),
            Type::Char => self.random.pick(&CHARS).to_string(),
            Type::Short => format!("((short) {})", self.random.below(40000)),
            Type::Byte => format!("((byte) {})", self.random.below(300)),
            Type::Boolean => ["true", "false"][self.random.below(2)].into(),
            Type::Text => self.random.pick(&TEXTS).to_string(),
            Type::Ints => format!("new int[] {{{}, 4}}", self.random.below(9)),
            Type::Object => self
                .random
                .pick(&["null", "\"o\"", "E.A", "7", "'c'"])
                .to_string(),
        }
    }

    fn int(&mut self, d: usize) -> String {
        let (a, b) = (self.expr(Type::Int, d), self.expr(Type::Int, d));
        match self.random.below(24) {
            0..=7 => {
                let op = self
                    .random
                    .pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>"]);
                format!("({a} {op} {b})")
            }
            8 => format!("(- {a})"),
            9 => format!("(~{a})"),
            10 => {
                let from = *self
                    .random
                    .pick(&[Type::Long, Type::Double, Type::Float, Type::Char]);
                format!("((int) {})", self.expr(from, d))
            }
            11 => format!("{}.length()", self.expr(Type::Text, d)),
            12 => {
                let (s, t) = (self.expr(Type::Text, d), self.expr(Type::Text, d));
                let call = self.random.pick(&["indexOf", "lastIndexOf", "compareTo"]);
                format!("{s}.{call}({t})")
            }
            13 => format!("{}.length", self.expr(Type::Ints, d)),
            14 => {
                let array = self.expr(Type::Ints, d);
                format!("at({array}, {a})")
            }
            15 => match self.readable(Type::Ints) {
                Some(array) => format!("{array}[{a}]"),
                None => format!("new int[] {{{a}, {b}}}[{}]", self.random.below(3)),
            },
            16 => {
                let call = self.random.pick(&[
                    "Math.max",
                    "Math.min",
                    "Integer.compare",
                    "Math.floorMod",
                    "Math.addExact",
                ]);
                format!("{call}({a}, {b})")
            }
            17 => format!("h{}({a}, {b})", self.random.below(3)),
            18 => format!("E.values()[({a} & 1)].f({b})"),
            19 => match self.assignable(Type::Int) {
                Some(v) => {
                    ["(V++)", "(++V)", "(V--)", "(--V)"][self.random.below(4)].replace('V', &v)
                }
                None => a,
            },
            20 => format!(
                "((IntBinaryOperator) (p, q) -> p {} q).applyAsInt({a}, {b})",
                self.random.pick(&["+", "*", "^", "%"])
            ),
            21 => {
                let o = self.expr(Type::Object, d);
                let name = self.fresh("t");
                format!("(((Object) ({o})) instanceof String {name} ? {name}.length() : {b})")
            }
            22 => format!("Integer.parseInt({})", self.expr(Type::Text, d)),
            _ => format!("new R({a}, \"r\").area({b})"),
        }
    }

    fn long(&mut self, d: usize) -> String {
        let (a, b) = (self.expr(Type::Long, d), self.expr(Type::Long, d));
        match self.random.below(10) {
            0..=4 => {
                let op = self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^"]);
                format!("({a} {op} {b})")
            }
            5 => {
                let by = self.expr(Type::Int, d);
                let op = self.random.pick(&["<<", ">>", ">>>"]);
                format!("({a} {op} {by})")
            }
            6 => {
                let from = *self
                    .random
                    .pick(&[Type::Int, Type::Double, Type::Float, Type::Short]);
                format!("((long) {})", self.expr(from, d))
            }
            7 => format!("Math.round({})", self.expr(Type::Double, d)),
            8 => format!("Long.rotateLeft({a}, {})", self.random.below(70)),
            _ => format!("(- {a})"),
        }
    }

    fn double(&mut self, d: usize) -> String {
        let (a, b) = (self.expr(Type::Double, d), self.expr(Type::Double, d));
        match self.random.below(8) {
            0..=3 => {
                let op = self.random.pick(&["+", "-", "*", "/", "%"]);
                format!("({a} {op} {b})")
            }
            4 => {
                let from = *self.random.pick(&[Type::Int, Type::Long, Type::Float]);
                format!("((double) {})", self.expr(from, d))
            }
            5 => format!(
                "Math.{}({a})",
                self.random.pick(&["floor", "ceil", "abs", "sqrt", "rint"])
            ),
            6 => format!("Math.{}({a}, {b})", self.random.pick(&["max", "min"])),
            _ => format!("(- {a})"),
        }
    }

    fn float(&mut self, d: usize) -> String {
        let (a, b) = (self.expr(Type::Float, d), self.expr(Type::Float, d));
        match self.random.below(5) {
            0..=2 => {
                let op = self.random.pick(&["+", "-", "*", "/", "%"]);
                format!("({a} {op} {b})")
            }
            3 => {
                let from = *self.random.pick(&[Type::Int, Type::Long, Type::Double]);
                format!("((float) {})", self.expr(from, d))
            }
            _ => format!("(- {a})"),
        }
    }

    fn char(&mut self, d: usize) -> String {
        match self.random.below(4) {
            0 => format!("((char) {})", self.expr(Type::Int, d)),
            1 => format!("Character.toUpperCase({})", self.expr(Type::Char, d)),
            2 => {
                let (s, i) = (self.expr(Type::Text, d), self.expr(Type::Int, d));
                format!("(\"q\" + {s}).charAt({i} & 1)")
            }
            _ => match self.assignable(Type::Char) {
                Some(v) => format!("({v}++)"),
                None => self.leaf(Type::Char),
            },
        }
    }

    fn boolean(&mut self, d: usize) -> String {
        match self.random.below(9) {
            0..=2 => {
                let ty = *self.random.pick(&[
                    Type::Int,
                    Type::Long,
                    Type::Double,
                    Type::Float,
                    Type::Char,
                ]);
                let (a, b) = (self.expr(ty, d), self.expr(ty, d));
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({a} {op} {b})")
            }
            3 | 4 => {
                let (a, b) = (self.expr(Type::Boolean, d), self.expr(Type::Boolean, d));
                let op = self.random.pick(&["&&", "||", "^", "&", "|"]);
                format!("({a} {op} {b})")
            }
            5 => format!("(!{})", self.expr(Type::Boolean, d)),
            6 => {
                let (s, t) = (self.expr(Type::Text, d), self.expr(Type::Text, d));
                let call =
                    self.random
                        .pick(&["equals", "startsWith", "contains", "equalsIgnoreCase"]);
                format!("{s}.{call}({t})")
            }
            7 => {
                let o = self.expr(Type::Object, d);
                format!(
                    "(((Object) ({o})) instanceof {})",
                    self.random
                        .pick(&["Integer", "String", "E", "R", "int[]", "Comparable"])
                )
            }
            _ => {
                let (a, b) = (self.expr(Type::Int, d), self.expr(Type::Int, d));
                format!("(Integer.valueOf({a}) == Integer.valueOf({b}))")
            }
        }
    }

    fn text(&mut self, d: usize) -> String {
        let s = self.expr(Type::Text, d);
        match self.random.below(12) {
            0..=3 => {
                let ty = self.any_primitive();
                let (a, t) = (self.expr(ty, d), self.expr(Type::Text, d));
                format!("({s} + {a} + {t})")
            }
            4 => format!(
                "{s}.{}()",
                self.random
                    .pick(&["trim", "toUpperCase", "toLowerCase", "strip", "intern"])
            ),
            5 => format!("{s}.substring({} & 1)", self.expr(Type::Int, d)),
            6 => format!("String.valueOf({})", self.expr(Type::Object, d)),
            7 => format!(
                "new StringBuilder({s}).{}.toString()",
                self.random.pick(&[
                    "reverse()",
                    "append(true).append(1.5f)",
                    "insert(0, 'i')",
                    "append(9L).deleteCharAt(0)"
                ])
            ),
            8 => format!(
                "{s}.replace({}, {})",
                self.expr(Type::Char, d),
                self.expr(Type::Char, d)
            ),
            9 => format!("Arrays.toString({})", self.expr(Type::Ints, d)),
            10 => format!("String.join(\"-\", {s}, E.B.name())"),
            _ => format!("\"y\".repeat({} & 3)", self.expr(Type::Int, d)),
        }
    }

    fn ints(&mut self, d: usize) -> String {
        let (a, b) = (self.expr(Type::Int, d), self.expr(Type::Int, d));
        match self.random.below(5) {
            0 => format!("new int[] {{{a}, {b}}}"),
            1 => format!("new int[{a} & 3]"),
            2 => format!("{}.clone()", self.expr(Type::Ints, d)),
            3 => format!("Arrays.copyOf({}, {b} & 3)", self.expr(Type::Ints, d)),
            _ => format!("sum.collect({a}, {b}, 3)"),
        }
    }

    fn object(&mut self, d: usize) -> String {
        match self.random.below(7) {
            0 => format!("((Object) ({}))", self.expr(Type::Text, d)),
            1 => {
                let ty = self.any_primitive();
                format!("((Object) ({}))", self.expr(ty, d))
            }
            2 => format!("((Object) E.values()[{} & 1])", self.expr(Type::Int, d)),
            3 => format!(
                "((Object) new R({}, {}))",
                self.expr(Type::Int, d),
                self.expr(Type::Text, d)
            ),
            4 => format!("((Object) new Node({}, null))", self.expr(Type::Int, d)),
            5 => format!("((Supplier<Object>) () -> {}).get()", self.constant_text()),
            _ => format!("((Object) ({}))", self.expr(Type::Ints, d)),
        }
    }

    fn constant_text(&mut self) -> String {
        self.random.pick(&TEXTS).to_string()
    }

    fn switch_expression(&mut self, ty: Type, d: usize) -> String {
        let (a, b, c) = (self.expr(ty, d), self.expr(ty, d), self.expr(ty, d));
        match self.random.below(3) {
            0 => {
                let (on, y, ty) = (self.expr(Type::Int, d), self.fresh("y"), ty.name());
                format!(
                    "(switch ({on} & 7) {{ case 0, 3 -> {a}; case 1 -> {{ tick++; {ty} {y} = {b}; yield {y}; }} default -> {c}; }})"
                )
            }
            1 => {
                let on = self.expr(Type::Text, d);
                format!(
                    "(switch ({on}) {{ case \"a\", \"bc\" -> {a}; case \"\" -> {b}; default -> {c}; }})"
                )
            }
            _ => {
                let on = self.expr(Type::Int, d);
                format!(
                    "(switch (E.values()[{on} & 1]) {{ case A -> {a}; case B -> {b}; case C -> {c}; }})"
                )
            }
        }
    }
}
