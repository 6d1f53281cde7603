//! Random Java statements; every one can complete normally, so that none makes another unreachable.

use super::program::{Program, Type};

impl Program {
    /// A block of a few statements, with its own scope.
    pub fn block(&mut self, depth: usize) -> String {
        let mark = self.scope.len();
        let n = 1 + self.random.below(4);
        let statements: Vec<String> = (0..n).map(|_| self.statement(depth)).collect();
        self.scope.truncate(mark);
        statements.concat()
    }

    /// One statement.
    pub fn statement(&mut self, depth: usize) -> String {
        let simple = depth == 0;
        match self.random.below(if simple { 9 } else { 22 }) {
            0 | 1 => self.declaration(),
            2 | 3 => self.assignment(),
            4 => self.compound(),
            5 => format!("System.out.println({});\n", self.printable()),
            6 => {
                let (i, v) = (self.expr(Type::Int, 1), self.expr(Type::Int, 2));
                match self.readable(Type::Ints) {
                    Some(array) => format!(
                        "{array}[{i} & 1] {} {v};\n",
                        self.random.pick(&["=", "+=", "^=", ">>>="])
                    ),
                    None => format!("tick += {v};\n"),
                }
            }
            7 => format!(
                "tick = h{}(tick, {});\n",
                self.random.below(3),
                self.expr(Type::Int, 2)
            ),
            8 | 20 | 21 => self.idiom(),
            9 => {
                let (c, yes) = (self.expr(Type::Boolean, 2), self.block(depth - 1));
                if self.random.one_in(2) {
                    return format!("if ({c}) {{\n{yes}}}\n");
                }
                let no = self.block(depth - 1);
                format!("if ({c}) {{\n{yes}}} else {{\n{no}}}\n")
            }
            10 | 11 => self.counted_loop(depth - 1),
            12 => self.while_loop(depth - 1),
            13 => self.each(depth - 1),
            14 => self.labelled(depth - 1),
            15 => self.switch(depth - 1),
            16 | 17 => self.try_statement(depth - 1),
            18 => self.local_class(depth - 1),
            _ => match self.random.below(3) {
                0 => format!("synchronized (LOCK) {{\n{}}}\n", self.block(depth - 1)),
                1 => self.collection(),
                _ => {
                    let (c, v) = (self.expr(Type::Boolean, 2), self.expr(self.result, 2));
                    format!("if ({c} && tick > 40) return {v};\n")
                }
            },
        }
    }

    fn declaration(&mut self) -> String {
        let ty = self.any_type();
        let value = self.expr(ty, 3);
        let name = self.fresh("v");
        let word = if self.random.one_in(4) {
            "var"
        } else {
            ty.name()
        };
        // `var` takes the expression's own type, which may be narrower.
        let value = if word == "var" {
            format!("({}) ({value})", ty.name())
        } else {
            value
        };
        self.scope.push((name.clone(), ty));
        format!("{word} {name} = {value};\n")
    }

    fn assignment(&mut self) -> String {
        let ty = self.any_type();
        match self.assignable(ty) {
            Some(v) if ty == Type::Text => format!("{v} = cut({});\n", self.expr(ty, 3)),
            Some(v) => format!("{v} = {};\n", self.expr(ty, 3)),
            None => self.declaration(),
        }
    }

    fn compound(&mut self) -> String {
        let ty = *self.random.pick(&[
            Type::Int,
            Type::Long,
            Type::Short,
            Type::Byte,
            Type::Char,
            Type::Double,
            Type::Float,
        ]);
        let Some(v) = self.assignable(ty) else {
            return self.declaration();
        };
        let from = *self.random.pick(&[Type::Int, Type::Long, Type::Char]);
        let value = self.expr(from, 2);
        let op = if matches!(ty, Type::Double | Type::Float) {
            *self.random.pick(&["+=", "-=", "*=", "/=", "%="])
        } else {
            *self.random.pick(&[
                "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=",
            ])
        };
        match self.random.below(4) {
            0 => format!("{v}++;\n"),
            1 => format!("--{v};\n"),
            _ => format!("{v} {op} {value};\n"),
        }
    }

    fn printable(&mut self) -> String {
        let ty = self.any_primitive();
        if self.random.one_in(2) {
            self.expr(ty, 2)
        } else {
            self.expr(Type::Text, 2)
        }
    }

    fn counted_loop(&mut self, depth: usize) -> String {
        let i = self.fresh("i");
        let bound = 1 + self.random.below(4);
        self.constants.push((i.clone(), Type::Int));
        let body = self.block(depth);
        let jump = self.jump("");
        self.constants.pop();
        format!("for (int {i} = 0; {i} < {bound}; {i}++) {{\n{jump}{body}}}\n")
    }

    fn while_loop(&mut self, depth: usize) -> String {
        let i = self.fresh("w");
        let (c, body) = (self.expr(Type::Boolean, 2), self.block(depth));
        let jump = self.jump("");
        if self.random.one_in(2) {
            return format!("int {i} = 3;\nwhile ({i}-- > 0 && {c}) {{\n{body}{jump}}}\n");
        }
        format!("int {i} = 3;\ndo {{\n{body}}} while (--{i} > 0 && {c});\n")
    }

    fn each(&mut self, depth: usize) -> String {
        let x = self.fresh("x");
        let array = self.expr(Type::Ints, 2);
        self.constants.push((x.clone(), Type::Int));
        let body = self.block(depth);
        self.constants.pop();
        format!("for (int {x} : Arrays.copyOf({array}, 2)) {{\n{body}}}\n")
    }

    fn labelled(&mut self, depth: usize) -> String {
        let (label, i, j) = (self.fresh("l"), self.fresh("i"), self.fresh("j"));
        let jump = self.jump(&label);
        let body = self.block(depth);
        format!(
            "{label}:\nfor (int {i} = 0; {i} < 3; {i}++) {{\nfor (int {j} = 2; {j} > 0; {j}--) {{\n{jump}{body}}}\ntick++;\n}}\n"
        )
    }

    /// `break` or `continue` under a condition.
    fn jump(&mut self, label: &str) -> String {
        let c = self.expr(Type::Boolean, 1);
        let word = self.random.pick(&["break", "continue"]);
        format!("if ({c}) {{ tick += 2; {word} {label}; }}\n")
    }

    fn switch(&mut self, depth: usize) -> String {
        let bodies: Vec<String> = (0..3).map(|_| self.block(depth)).collect();
        let ends: Vec<&str> = (0..3)
            .map(|_| *self.random.pick(&["break;\n", ""]))
            .collect();
        match self.random.below(3) {
            0 => {
                let on = self.expr(Type::Int, 2);
                format!(
                    "switch ({on} % 5) {{\ncase 0: {{\n{}}}\n{}case -1: case 100: {{\n{}}}\n{}default: {{\n{}}}\n}}\n",
                    bodies[0], ends[0], bodies[1], ends[1], bodies[2]
                )
            }
            1 => {
                let on = self.expr(Type::Text, 2);
                format!(
                    "switch ({on}) {{\ncase \"a\": {{\n{}}}\n{}case \"12\": {{\n{}}}\n{}case \"Aa\": case \"BB\": {{\n{}}}\n}}\n",
                    bodies[0], ends[0], bodies[1], ends[1], bodies[2]
                )
            }
            _ => {
                let on = self.expr(Type::Int, 2);
                format!(
                    "switch (E.values()[{on} & 1]) {{\ncase B -> {{\n{}}}\ncase A -> {{\n{}}}\ndefault -> {{\n{}}}\n}}\n",
                    bodies[0], bodies[1], bodies[2]
                )
            }
        }
    }

    fn try_statement(&mut self, depth: usize) -> String {
        let (body, e) = (self.block(depth), self.fresh("e"));
        let (handler, last) = (self.block(depth), self.block(depth));
        let c = self.expr(Type::Boolean, 1);
        let number = self.expr(Type::Int, 1);
        let thrown = format!("if ({c}) throw new IllegalStateException(\"s\" + {number});\n");
        match self.random.below(4) {
            0 => format!(
                "try {{\n{body}{thrown}}} catch (RuntimeException {e}) {{\ntick += {e} instanceof ArithmeticException ? 1 : 5;\n{handler}}}\n"
            ),
            1 => format!(
                "try {{\n{thrown}{body}}} catch (IllegalStateException {e}) {{\nSystem.out.println({e}.getMessage());\n}} finally {{\n{last}}}\n"
            ),
            2 => format!(
                "try (Res {e} = new Res({number})) {{\n{body}}} catch (ArithmeticException | ArrayIndexOutOfBoundsException | IllegalStateException {e}x) {{\ntick ^= {e}x.getSuppressed().length;\n{handler}}}\n"
            ),
            _ => format!(
                "try {{\ntry {{\n{body}}} finally {{\ntick++;\n}}\n}} catch (NullPointerException | ClassCastException {e}) {{\n{handler}}}\n"
            ),
        }
    }

    fn local_class(&mut self, depth: usize) -> String {
        let (class, captured, name) = (self.fresh("L"), self.fresh("f"), self.fresh("q"));
        let (a, b) = (self.expr(Type::Int, 2), self.expr(Type::Int, 2));
        self.constants.push((captured.clone(), Type::Int));
        let used = self.expr_of_constants();
        let body = if depth > 0 {
            self.block(0)
        } else {
            String::new()
        };
        self.constants.pop();
        self.scope.retain(|(n, _)| *n != name);
        match self.random.below(2) {
            0 => format!(
                "final int {captured} = {a};\nclass {class} implements Shape {{\nint k = {captured};\npublic int area(int n) {{ return k++ * n + {used}; }}\n}}\nShape {name} = new {class}();\ntick += {name}.area({b}) + {name}.twice(2);\n"
            ),
            _ => format!(
                "final int {captured} = {a};\nRunnable {name} = new Runnable() {{\npublic void run() {{ tick += {used}; }}\n}};\n{name}.run();\nRunnable {name}l = () -> {{ tick -= {used}; }};\n{name}l.run();\n{{\n{body}}}\n"
            ),
        }
    }

    fn collection(&mut self) -> String {
        let name = self.fresh("c");
        let (a, b, t) = (
            self.expr(Type::Int, 2),
            self.expr(Type::Int, 2),
            self.expr(Type::Text, 2),
        );
        match self.random.below(3) {
            0 => format!(
                "List<Integer> {name} = new ArrayList<>(List.of({a}, {b}, 3));\n{name}.sort(Comparator.reverseOrder());\n{name}.removeIf(z -> z % 2 == 0);\nfor (Integer z : {name}) tick = 31 * tick + z;\n"
            ),
            1 => format!(
                "Map<String, Integer> {name} = new TreeMap<>();\n{name}.merge({t}, {a}, Integer::sum);\n{name}.merge(\"a\", {b}, Integer::sum);\nfor (Map.Entry<String, Integer> z : {name}.entrySet()) tick += z.getKey().length() * z.getValue();\n"
            ),
            _ => format!(
                "Deque<Object> {name} = new ArrayDeque<>();\n{name}.push({t});\n{name}.addLast({a});\nSystem.out.println({name}.size() + \" \" + {name}.peekFirst());\n"
            ),
        }
    }
}
