//! The pool that makes each term once.

use super::eval::apply;
use super::term::{Arith, BvOp, CmpOp, Node, Sort, Term, Value, VarId};
use super::var_set::union;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

#[derive(Clone)]
struct Var {
    name: String,
    sort: Sort,
    range: Option<(i64, i64)>,
    term: Term,
}

/// Variables of a term that are as much work as a term.
const VARIABLES: u64 = 64;

/// Owner of all terms of one exploration.
#[derive(Clone)]
pub struct Pool {
    arith: Arith,
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    floats: Vec<bool>,
    free: Vec<Arc<[VarId]>>,
    ids: FxHashMap<Node, Term>,
    vars: Vec<Var>,
    /// Choices compared with constants, and what came of it: an index into a text is compared with each place, for each of the units.
    choices_compared: FxHashMap<(Term, Term), Term>,
    nothing: Arc<[VarId]>,
    work: Cell<u64>,
}

impl Pool {
    /// An empty pool.
    pub fn new(arith: Arith) -> Pool {
        Pool {
            arith,
            nodes: Vec::new(),
            sorts: Vec::new(),
            floats: Vec::new(),
            free: Vec::new(),
            ids: FxHashMap::default(),
            vars: Vec::new(),
            choices_compared: FxHashMap::default(),
            nothing: Arc::from([]),
            work: Cell::new(0),
        }
    }

    /// Terms asked for and nodes evaluated so far: what work on terms costs, whether they are new or not.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Begins to count anew.
    pub fn forget_work(&mut self) {
        self.work.set(0);
    }

    /// Counts that much work.
    pub(super) fn worked(&self, amount: u64) {
        self.work.set(self.work.get() + amount);
    }

    /// What arithmetic means here.
    pub fn arith(&self) -> Arith {
        self.arith
    }

    /// A fresh variable; `range` (inclusive, signed) is a known fact of it.
    pub fn var(&mut self, name: &str, sort: Sort, range: Option<(i64, i64)>) -> Term {
        let id = VarId(self.vars.len() as u32);
        let term = self.intern(Node::Var(id), sort);
        self.vars.push(Var {
            name: name.to_string(),
            sort,
            range,
            term,
        });
        term
    }

    /// Name of a variable.
    pub fn var_name(&self, var: VarId) -> &str {
        &self.vars[var.0 as usize].name
    }

    /// Sort of a variable.
    pub fn var_sort(&self, var: VarId) -> Sort {
        self.vars[var.0 as usize].sort
    }

    /// Known range of a variable.
    pub fn var_range(&self, var: VarId) -> Option<(i64, i64)> {
        self.vars[var.0 as usize].range
    }

    /// The variable as a term.
    pub fn var_term(&self, var: VarId) -> Term {
        self.vars[var.0 as usize].term
    }

    /// How many terms there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many variables there are.
    pub fn vars(&self) -> usize {
        self.vars.len()
    }

    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        self.worked(1);
        if let Some(term) = self.ids.get(&node) {
            return *term;
        }
        let free = self.free_of(&node);
        self.worked(free.len() as u64 / VARIABLES);
        let floats = matches!(sort, Sort::F32 | Sort::F64)
            || node.children().any(|c| self.floats[c.0 as usize]);
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(node);
        self.sorts.push(sort);
        self.floats.push(floats);
        self.free.push(free);
        self.ids.insert(node, term);
        term
    }

    fn free_of(&self, node: &Node) -> Arc<[VarId]> {
        if let Node::Var(id) = node {
            return Arc::from([*id]);
        }
        let sets = node.children().map(|c| &self.free[c.0 as usize]);
        let all = sets.filter(|s| !s.is_empty()).cloned();
        all.reduce(|a, b| union(&a, &b))
            .unwrap_or_else(|| self.nothing.clone())
    }

    /// The node of a term.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.0 as usize]
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.0 as usize]
    }

    /// The variables a term depends on, sorted.
    pub fn vars_of(&self, term: Term) -> &[VarId] {
        &self.free[term.0 as usize]
    }

    /// The variables that any of several terms depends on, sorted.
    pub fn vars_of_all(&self, terms: &[Term]) -> Vec<VarId> {
        let mut vars: Vec<VarId> = terms
            .iter()
            .flat_map(|t| self.vars_of(*t).to_vec())
            .collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// Whether a `float` or `double` occurs in the term.
    pub fn has_floats(&self, term: Term) -> bool {
        self.floats[term.0 as usize]
    }

    /// The constant, if it is one.
    pub fn value(&self, term: Term) -> Option<Value> {
        match self.node(term) {
            Node::Const(v) => Some(v),
            _ => None,
        }
    }

    /// The constant bit-vector, sign-extended.
    pub fn as_i64(&self, term: Term) -> Option<i64> {
        self.value(term).and_then(|v| v.as_i64())
    }

    /// The constant truth value.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.value(term) {
            Some(Value::Bool(b)) => Some(b),
            _ => None,
        }
    }

    /// Whether the term is a constant.
    pub fn is_const(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Const(_))
    }

    /// A constant.
    pub fn constant(&mut self, value: Value) -> Term {
        let sort = match value {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(w, _) => Sort::Bv(w),
            Value::F32(_) => Sort::F32,
            Value::F64(_) => Sort::F64,
        };
        self.intern(Node::Const(value), sort)
    }

    /// A truth value.
    pub fn bool(&mut self, b: bool) -> Term {
        self.constant(Value::Bool(b))
    }

    /// A 32-bit constant.
    pub fn int(&mut self, i: i32) -> Term {
        self.constant(Value::Bv(32, i64::from(i)))
    }

    /// A 64-bit constant.
    pub fn long(&mut self, l: i64) -> Term {
        self.constant(Value::Bv(64, l))
    }

    /// A bit-vector constant; `v` is cut to `width` bits (not under unbounded arithmetic).
    pub fn bv(&mut self, width: u8, v: i64) -> Term {
        let v = if self.arith == Arith::Java {
            super::eval::wrap(width, v)
        } else {
            v
        };
        self.constant(Value::Bv(width, v))
    }

    /// A single, from raw bits.
    pub fn f32(&mut self, bits: u32) -> Term {
        self.constant(Value::F32(bits))
    }

    /// A double, from raw bits.
    pub fn f64(&mut self, bits: u64) -> Term {
        self.constant(Value::F64(bits))
    }

    /// Builds `node` of `sort`, folded when all operands are constants.
    pub(super) fn make(&mut self, node: Node, sort: Sort) -> Term {
        if node.children().all(|c| self.is_const(c))
            && let Some(value) = apply(&node, self.arith, |t| self.value(t))
        {
            return self.constant(value);
        }
        self.intern(node, sort)
    }

    pub(super) fn width(&self, term: Term) -> u8 {
        match self.sort(term) {
            Sort::Bv(w) => w,
            Sort::F32 => 32,
            _ => 64,
        }
    }

    /// `a op b`.
    pub fn bin(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let (op, a, b) = match self.simplify_bin(op, a, b) {
            Ok(term) => return term,
            Err(parts) => parts,
        };
        let sort = self.sort(a);
        self.make(Node::Bin(op, a, b), sort)
    }

    /// A shift with Java's masking of the 32-bit amount (JLS §15.19).
    pub fn shift(&mut self, op: BvOp, value: Term, amount: Term) -> Term {
        let width = self.width(value);
        let mask = self.int(i32::from(width) - 1);
        let masked = self.bin(BvOp::And, amount, mask);
        let amount = self.zext(width, masked);
        self.bin(op, value, amount)
    }

    /// `-a`.
    pub fn neg(&mut self, a: Term) -> Term {
        if let Node::Neg(x) = self.node(a) {
            return x;
        }
        let sort = self.sort(a);
        self.make(Node::Neg(a), sort)
    }

    /// A comparison.
    pub fn cmp(&mut self, op: CmpOp, a: Term, b: Term) -> Term {
        self.simplify_cmp(op, a, b)
            .unwrap_or_else(|| self.make(Node::Cmp(op, a, b), Sort::Bool))
    }

    /// `a == b`; see `Node::Eq` for floats.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        match self.simplify_eq(a, b) {
            Ok(term) => term,
            Err((a, b)) => self.make(Node::Eq(a, b), Sort::Bool),
        }
    }

    /// `(c ? p : q) == b` as `c ? p == b : q == b`, worked out once.
    pub(super) fn eq_of_choice(
        &mut self,
        choice: Term,
        (c, p, q): (Term, Term, Term),
        b: Term,
    ) -> Term {
        self.worked(1);
        if let Some(known) = self.choices_compared.get(&(choice, b)) {
            return *known;
        }
        let (yes, no) = (self.eq(p, b), self.eq(q, b));
        let same = self.ite(c, yes, no);
        self.choices_compared.insert((choice, b), same);
        same
    }

    /// `a != b`.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// `!a`.
    pub fn not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Not(x) => x,
            Node::Cmp(CmpOp::Slt, x, y) => self.cmp(CmpOp::Sle, y, x),
            Node::Cmp(CmpOp::Sle, x, y) => self.cmp(CmpOp::Slt, y, x),
            Node::Cmp(CmpOp::Ult, x, y) => self.cmp(CmpOp::Ule, y, x),
            Node::Cmp(CmpOp::Ule, x, y) => self.cmp(CmpOp::Ult, y, x),
            _ => self.make(Node::Not(a), Sort::Bool),
        }
    }

    /// `a && b`.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.simplify_junction(a, b, true)
    }

    /// `a || b`.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.simplify_junction(a, b, false)
    }

    /// Conjunction of all.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.bool(true);
        for t in terms {
            all = self.and(all, t);
        }
        all
    }

    /// Disjunction of all.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut any = self.bool(false);
        for t in terms {
            any = self.or(any, t);
        }
        any
    }

    /// `c ? a : b`.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        self.simplify_ite(c, a, b).unwrap_or_else(|| {
            let sort = self.sort(a);
            self.make(Node::Ite(c, a, b), sort)
        })
    }

    /// Sign extension to `width`; nothing when it has that width.
    pub fn sext(&mut self, width: u8, a: Term) -> Term {
        if self.width(a) == width {
            return a;
        }
        self.make(Node::Sext(width, a), Sort::Bv(width))
    }

    /// Zero extension to `width`.
    pub fn zext(&mut self, width: u8, a: Term) -> Term {
        if self.width(a) == width {
            return a;
        }
        self.make(Node::Zext(width, a), Sort::Bv(width))
    }

    /// The low `width` bits.
    pub fn trunc(&mut self, width: u8, a: Term) -> Term {
        if self.width(a) == width {
            return a;
        }
        if let Node::Sext(_, x) | Node::Zext(_, x) = self.node(a)
            && self.width(x) >= width
        {
            return self.trunc(width, x);
        }
        self.make(Node::Trunc(width, a), Sort::Bv(width))
    }
}
