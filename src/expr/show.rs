//! Terms as readable Java-like text.

use super::pool::Pool;
use super::term::{BvOp, CmpOp, FCmp, FOp, Node, Sort, Term, Value};

/// Longer texts are cut: nobody reads them.
const MAX_TEXT: usize = 2000;
/// Deeper terms are cut too.
const MAX_DEPTH: u32 = 60;

impl Pool {
    /// Infix text with as few parentheses as precedence allows.
    pub fn show(&self, term: Term) -> String {
        let mut out = String::new();
        self.write(term, 0, 0, &mut out);
        out
    }

    fn write(&self, term: Term, outer: u8, depth: u32, out: &mut String) {
        if out.len() > MAX_TEXT || depth > MAX_DEPTH {
            return out.push('…');
        }
        let node = self.node(term);
        let infix = |op: &'static str, level: u8, a: Term, b: Term| Some((op, level, a, b));
        let parts = match node {
            Node::Or(a, b) => infix(" || ", 1, a, b),
            Node::And(a, b) => infix(" && ", 2, a, b),
            Node::Eq(a, _) if self.is_float(a) => None,
            Node::Eq(a, b) => infix(" == ", 3, a, b),
            Node::Cmp(CmpOp::Slt, a, b) if self.is_const(a) => infix(" > ", 4, b, a),
            Node::Cmp(CmpOp::Sle, a, b) if self.is_const(a) => infix(" >= ", 4, b, a),
            Node::Cmp(CmpOp::Slt, a, b) | Node::FCmp(FCmp::Lt, a, b) => infix(" < ", 4, a, b),
            Node::Cmp(CmpOp::Sle, a, b) | Node::FCmp(FCmp::Le, a, b) => infix(" <= ", 4, a, b),
            Node::Cmp(CmpOp::Ult, a, b) => infix(" <u ", 4, a, b),
            Node::Cmp(CmpOp::Ule, a, b) => infix(" <=u ", 4, a, b),
            Node::FCmp(FCmp::Eq, a, b) if a == b => None,
            Node::FCmp(FCmp::Eq, a, b) => infix(" == ", 3, a, b),
            Node::Bin(op, a, b) => Some((symbol(op), level(op), a, b)),
            Node::FBin(op, a, b) => Some(match op {
                FOp::Add => (" + ", 6, a, b),
                FOp::Sub => (" - ", 6, a, b),
                FOp::Mul => (" * ", 7, a, b),
                FOp::Div => (" / ", 7, a, b),
                FOp::Rem => (" % ", 7, a, b),
            }),
            Node::Not(x) => match self.node(x) {
                Node::Eq(a, b) if !self.is_float(a) => infix(" != ", 3, a, b),
                Node::FCmp(FCmp::Eq, a, b) if a != b => infix(" != ", 3, a, b),
                Node::Var(_) if self.show(x).contains(" == ") => {
                    return out.push_str(&self.show(x).replace(" == ", " != "));
                }
                _ => None,
            },
            _ => None,
        };
        match parts {
            Some((op, level, a, b)) => {
                if level < outer {
                    out.push('(');
                }
                self.write(a, level, depth + 1, out);
                out.push_str(op);
                self.write(b, level + 1, depth + 1, out);
                if level < outer {
                    out.push(')');
                }
            }
            None => self.write_other(node, outer, depth, out),
        }
    }

    fn write_other(&self, node: Node, outer: u8, depth: u32, out: &mut String) {
        match node {
            Node::Const(v) => out.push_str(&constant(v)),
            // A variable may be named by the test that it is the truth of.
            Node::Var(id) if outer > 4 && self.var_name(id).contains(" instanceof ") => {
                out.push_str(&format!("({})", self.var_name(id)));
            }
            Node::Var(id) => out.push_str(self.var_name(id)),
            Node::Ite(c, a, b) => {
                out.push('(');
                self.write(c, 1, depth + 1, out);
                out.push_str(" ? ");
                self.write(a, 1, depth + 1, out);
                out.push_str(" : ");
                self.write(b, 0, depth + 1, out);
                out.push(')');
            }
            Node::Not(a) => match self.node(a) {
                Node::FCmp(FCmp::Eq, x, y) if x == y => self.call("isNaN", x, depth, out),
                Node::Eq(x, y) if self.is_float(x) => self.same_float(x, " != 0", y, depth, out),
                _ => self.prefix("!", a, depth, out),
            },
            Node::Eq(a, b) => self.same_float(a, " == 0", b, depth, out),
            Node::FCmp(FCmp::Eq, a, _) => self.call("!isNaN", a, depth, out),
            Node::Neg(a) | Node::FNeg(a) => self.prefix("-", a, depth, out),
            Node::Sext(w, a) => self.prefix(if w == 64 { "(long) " } else { "" }, a, depth, out),
            Node::Zext(_, a) => self.write(a, outer, depth + 1, out),
            Node::Trunc(w, a) => {
                self.prefix(
                    ["(byte) ", "(short) ", "(int) "][usize::from(w > 8) + usize::from(w > 16)],
                    a,
                    depth,
                    out,
                );
            }
            Node::FToF(s, a) | Node::IToF(s, a) => {
                self.prefix(
                    if s == Sort::F32 {
                        "(float) "
                    } else {
                        "(double) "
                    },
                    a,
                    depth,
                    out,
                );
            }
            Node::FToI(w, a) => {
                self.prefix(if w == 32 { "(int) " } else { "(long) " }, a, depth, out)
            }
            Node::FAbs(a) => self.call("abs", a, depth, out),
            Node::FSqrt(a) => self.call("sqrt", a, depth, out),
            Node::FBits(a) => self.call("bits", a, depth, out),
            Node::BitsF(_, a) => self.call("fromBits", a, depth, out),
            _ => out.push('…'),
        }
    }

    fn is_float(&self, term: Term) -> bool {
        matches!(self.sort(term), Sort::F32 | Sort::F64)
    }

    /// `Node::Eq` on floats, which is not Java's `==`.
    fn same_float(&self, a: Term, is: &str, b: Term, depth: u32, out: &mut String) {
        out.push_str("compare(");
        self.write(a, 0, depth + 1, out);
        out.push_str(", ");
        self.write(b, 0, depth + 1, out);
        out.push(')');
        out.push_str(is);
    }

    fn prefix(&self, op: &str, a: Term, depth: u32, out: &mut String) {
        out.push_str(op);
        self.write(a, 8, depth + 1, out);
    }

    fn call(&self, name: &str, a: Term, depth: u32, out: &mut String) {
        out.push_str(name);
        out.push('(');
        self.write(a, 0, depth + 1, out);
        out.push(')');
    }
}

fn symbol(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => " + ",
        BvOp::Sub => " - ",
        BvOp::Mul => " * ",
        BvOp::Div => " / ",
        BvOp::Rem => " % ",
        BvOp::Shl => " << ",
        BvOp::Shr => " >> ",
        BvOp::Ushr => " >>> ",
        BvOp::And => " & ",
        BvOp::Or => " | ",
        BvOp::Xor => " ^ ",
    }
}

fn level(op: BvOp) -> u8 {
    match op {
        BvOp::Mul | BvOp::Div | BvOp::Rem => 7,
        BvOp::Add | BvOp::Sub => 6,
        BvOp::Shl | BvOp::Shr | BvOp::Ushr => 5,
        _ => 2,
    }
}

fn constant(value: Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Bv(16, n) => match char::from_u32(u32::from(n as u16)) {
            Some(c) if c.is_ascii_graphic() || c == ' ' => format!("'{c}'"),
            _ => format!("'\\u{:04x}'", n as u16),
        },
        Value::Bv(64, n) => format!("{n}L"),
        Value::Bv(_, n) => n.to_string(),
        Value::F32(b) if f32::from_bits(b).is_finite() => format!("{:?}f", f32::from_bits(b)),
        Value::F32(b) => constant(Value::F64(f64::from(f32::from_bits(b)).to_bits())),
        Value::F64(b) => match f64::from_bits(b) {
            f64::INFINITY => "Infinity".into(),
            f64::NEG_INFINITY => "-Infinity".into(),
            d => format!("{d:?}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arith, BvOp, CmpOp, Pool, Sort};

    #[test]
    fn conditions_read_like_java() {
        let mut p = Pool::new(Arith::Java);
        let x = p.var("x", Sort::Bv(32), None);
        let (zero, two, one) = (p.int(0), p.int(2), p.int(1));
        let a = p.cmp(CmpOp::Sle, zero, x);
        let double = p.bin(BvOp::Mul, x, two);
        let b = p.cmp(CmpOp::Sle, double, one);
        let both = p.and(a, b);
        assert_eq!(p.show(both), "x >= 0 && x * 2 <= 1");
    }

    #[test]
    fn shifts_and_doublings_are_one_term() {
        let mut p = Pool::new(Arith::Java);
        let x = p.var("x", Sort::Bv(32), None);
        let (one, two) = (p.int(1), p.int(2));
        let shifted = p.shift(BvOp::Shl, x, one);
        let doubled = p.bin(BvOp::Mul, x, two);
        let added = p.bin(BvOp::Add, x, x);
        assert_eq!((shifted, added), (doubled, doubled));
    }
}
