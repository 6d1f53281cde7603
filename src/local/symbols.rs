//! Terms of a local proof: variables for what both versions share, uninterpreted functions as variables by their arguments.

use super::wording::expression;
use crate::bytecode::class_file::Prim;
use crate::expr::{Arith, Node, Pool, Sort, Term};
use crate::model::integral_range;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Sort of references: numbers, 0 being `null`.
pub const REF: Sort = Sort::Bv(32);

/// Objects that exist when a proof begins have numbers up to this; objects that the code creates have larger ones.
const EARLY: i64 = 0x3fff_ffff;

/// Longest text of a symbol.
const MAX_NAME: usize = 80;

/// The terms of one proof. Symbols with the same key are the same variable, so both versions refer to the same value. Different
/// symbols may or may not be equal.
pub struct Symbols {
    /// Makes the terms.
    pub pool: Pool,
    apps: FxHashMap<(String, Vec<Term>), Term>,
    parts: FxHashMap<Term, (String, Vec<Term>)>,
    made: FxHashMap<Term, Arc<str>>,
    types: FxHashMap<Term, Arc<str>>,
    early: FxHashSet<Term>,
    anonymous: FxHashSet<Term>,
    truths: FxHashMap<Term, bool>,
    literals: FxHashMap<Term, Arc<[u16]>>,
    pub(super) abstracted: FxHashMap<Term, Term>,
    objects: i64,
    /// Hash codes of strings that were asked for.
    pub(super) hashes: FxHashMap<Term, Term>,
    /// Types that were asked of objects, with the terms that say whether they are of them.
    pub(super) tested: FxHashMap<Term, Vec<(Arc<str>, Term)>>,
    /// Comparisons of strings with literals, in order, and the literals' hash codes.
    pub(super) compared: FxHashMap<Term, Vec<(Term, i32)>>,
}

impl Symbols {
    /// None yet.
    pub fn new() -> Symbols {
        Symbols {
            pool: Pool::new(Arith::Java),
            apps: FxHashMap::default(),
            parts: FxHashMap::default(),
            made: FxHashMap::default(),
            types: FxHashMap::default(),
            early: FxHashSet::default(),
            anonymous: FxHashSet::default(),
            truths: FxHashMap::default(),
            literals: FxHashMap::default(),
            abstracted: FxHashMap::default(),
            objects: EARLY,
            hashes: FxHashMap::default(),
            tested: FxHashMap::default(),
            compared: FxHashMap::default(),
        }
    }

    /// The value of an uninterpreted function, of a sort and in a range.
    pub fn app_in(
        &mut self,
        name: &str,
        args: &[Term],
        sort: Sort,
        range: Option<(i64, i64)>,
    ) -> Term {
        let key = (format!("{name} {sort:?}"), args.to_vec());
        if let Some(term) = self.apps.get(&key) {
            return *term;
        }
        let shown = self.text(name, args);
        self.shown_as(&shown, (name, args), sort, range)
    }

    fn shown_as(
        &mut self,
        shown: &str,
        (name, args): (&str, &[Term]),
        sort: Sort,
        range: Option<(i64, i64)>,
    ) -> Term {
        let key = (format!("{name} {sort:?}"), args.to_vec());
        let term = self.pool.var(shown, sort, range);
        self.parts.insert(term, (name.to_string(), args.to_vec()));
        self.apps.insert(key, term);
        term
    }

    /// The value of an uninterpreted function.
    pub fn app(&mut self, name: &str, args: &[Term], sort: Sort) -> Term {
        self.app_in(name, args, sort, None)
    }

    /// A value of a field descriptor's type, in the range that the type has.
    pub fn value(&mut self, name: &str, args: &[Term], descriptor: &str) -> Term {
        let term = self.app_in(name, args, sort_of(descriptor), range_of(descriptor));
        self.give_type(term, descriptor);
        term
    }

    /// A reference to an object that exists when the proof begins, or possibly `null`.
    pub fn preexisting(&mut self, name: &str, descriptor: &str, nullable: bool) -> Term {
        self.early_reference(name, &[], (nullable, descriptor))
    }

    /// An object that a library gives for arguments, whenever it is asked: never `null`.
    pub fn given(&mut self, name: &str, args: &[Term], descriptor: &str) -> Term {
        self.early_reference(name, args, (false, descriptor))
    }

    fn early_reference(
        &mut self,
        name: &str,
        args: &[Term],
        (nullable, descriptor): (bool, &str),
    ) -> Term {
        let range = (i64::from(!nullable), EARLY);
        let term = self.app_in(name, args, REF, Some(range));
        self.early.insert(term);
        self.give_type(term, descriptor);
        term
    }

    /// The value of a field or element when the proof begins. If it is a reference, its object exists then.
    pub fn preexisting_value(&mut self, name: &str, args: &[Term], descriptor: &str) -> Term {
        if !descriptor.starts_with(['L', '[']) {
            return self.value(name, args, descriptor);
        }
        self.early_reference(name, args, (true, descriptor))
    }

    /// An unknown by its key. The first request may give it a name to show, and a type.
    pub fn local(&mut self, key: &str, sort: Sort, named: Option<(&str, &str)>) -> Term {
        if let Some(term) = self.apps.get(&(format!("{key} {sort:?}"), Vec::new())) {
            return *term;
        }
        let Some((name, descriptor)) = named else {
            return self.app(key, &[], sort);
        };
        let term = self.shown_as(name, (key, &[]), sort, range_of(descriptor));
        self.give_type(term, descriptor);
        term
    }

    fn give_type(&mut self, term: Term, descriptor: &str) {
        let class = match descriptor.strip_prefix('L') {
            Some(rest) => rest.trim_end_matches(';'),
            None if descriptor.starts_with('[') => descriptor,
            None => return,
        };
        self.types.entry(term).or_insert_with(|| Arc::from(class));
    }

    /// The `n`th object of its class that the code creates in a segment.
    pub fn object(&mut self, class: &str, segment: u32, n: u32) -> Term {
        let key = (format!("new {class} {segment} {n}"), Vec::new());
        if let Some(term) = self.apps.get(&key) {
            return *term;
        }
        self.objects += 1;
        let term = self.pool.bv(32, self.objects);
        self.made.insert(term, Arc::from(class));
        self.apps.insert(key, term);
        term
    }

    /// A string literal.
    pub fn literal(&mut self, units: &Arc<[u16]>) -> Term {
        let text = String::from_utf16_lossy(units);
        let name = format!("\"{text}\" {units:?}");
        let key = (format!("{name} {REF:?}"), Vec::new());
        if let Some(term) = self.apps.get(&key) {
            return *term;
        }
        let term = self.pool.var(&format!("{text:?}"), REF, Some((1, EARLY)));
        self.apps.insert(key, term);
        self.early.insert(term);
        self.types.insert(term, Arc::from("java/lang/String"));
        self.literals.insert(term, units.clone());
        term
    }

    /// The units of a string literal.
    pub fn units(&self, term: Term) -> Option<&Arc<[u16]>> {
        self.literals.get(&term)
    }

    /// The class of an object that the code created.
    pub fn class_of(&self, term: Term) -> Option<&Arc<str>> {
        self.made.get(&term)
    }

    /// The static type of a reference, an internal name or an array's descriptor.
    pub fn type_of(&self, term: Term) -> Option<&Arc<str>> {
        self.types.get(&term)
    }

    /// The function and the arguments of a symbol.
    pub fn parts(&self, term: Term) -> Option<(&str, &[Term])> {
        self.parts
            .get(&term)
            .map(|(n, a)| (n.as_str(), a.as_slice()))
    }

    /// Whether a term is a reference to what exists when the proof begins, or null.
    pub fn is_early(&self, term: Term) -> bool {
        self.early.contains(&term)
    }

    /// Whether a term is known to be a reference.
    pub fn is_reference(&self, term: Term) -> bool {
        self.early.contains(&term) || self.types.contains_key(&term)
    }

    /// `Boolean.TRUE` or `Boolean.FALSE`: these exist once, and `Boolean.valueOf` returns one of them.
    pub fn truth_box(&mut self, truth: Term) -> Term {
        let zero = self.pool.int(0);
        let is_false = self.pool.eq(truth, zero);
        let [no, yes] = [false, true].map(|v| {
            let name = if v { "Boolean.TRUE" } else { "Boolean.FALSE" };
            let term = self.given(name, &[], "Ljava/lang/Boolean;");
            self.truths.insert(term, v);
            term
        });
        self.pool.ite(is_false, no, yes)
    }

    /// The value of such a box, or of one that is chosen from such.
    pub fn truth_in(&mut self, term: Term) -> Option<Term> {
        if let Some(known) = self.truths.get(&term) {
            let value = i64::from(*known);
            return Some(self.pool.bv(32, value));
        }
        let Node::Ite(condition, a, b) = self.pool.node(term) else {
            return None;
        };
        let (x, y) = (self.truth_in(a)?, self.truth_in(b)?);
        Some(self.pool.ite(condition, x, y))
    }

    /// Marks a reference as a computed string or box: equal ones need not be identical.
    pub fn set_anonymous(&mut self, term: Term) {
        self.anonymous.insert(term);
    }

    /// Whether a reference is marked so.
    pub fn is_anonymous(&self, term: Term) -> bool {
        self.anonymous.contains(&term)
    }

    /// Whether a reference may be one that is marked so.
    pub fn may_be_anonymous(&self, term: Term) -> bool {
        self.choices(term).iter().any(|t| self.is_anonymous(*t))
    }

    /// The references between which a term chooses.
    pub fn choices(&self, term: Term) -> Vec<Term> {
        let (mut todo, mut out) = (vec![term], Vec::new());
        while let Some(next) = todo.pop() {
            match self.pool.node(next) {
                Node::Ite(_, a, b) => todo.extend([a, b]),
                _ => out.push(next),
            }
        }
        out
    }

    /// Whether two references are the same.
    pub fn same(&mut self, a: Term, b: Term) -> Term {
        let apart = |s: &Symbols, x: Term, y: Term| s.made.contains_key(&x) && s.early.contains(&y);
        if apart(self, a, b) || apart(self, b, a) {
            return self.pool.bool(false);
        }
        self.pool.eq(a, b)
    }

    /// `null`.
    pub fn null(&mut self) -> Term {
        self.pool.int(0)
    }

    /// Whether a reference is null.
    pub fn is_null(&mut self, term: Term) -> Term {
        if self.literals.contains_key(&term) || self.anonymous.contains(&term) {
            return self.pool.bool(false);
        }
        if let Node::Var(id) = self.pool.node(term)
            && self.pool.var_range(id).is_some_and(|(lo, _)| lo > 0)
        {
            return self.pool.bool(false);
        }
        if self.truth_in(term).is_some() {
            return self.pool.bool(false);
        }
        let null = self.null();
        self.pool.eq(term, null)
    }

    /// A condition as text; references are compared with `null`.
    pub fn show(&self, condition: Term) -> String {
        let is_ref = |t: &Term| self.is_reference(*t);
        let null = |t: Term| match self.pool.node(t) {
            Node::Eq(a, b) if is_ref(&a) && self.pool.as_i64(b) == Some(0) => {
                Some(self.pool.show(a))
            }
            _ => None,
        };
        if let Some(name) = null(condition) {
            return format!("{name} == null");
        }
        if let Node::Not(inner) = self.pool.node(condition)
            && let Some(name) = null(inner)
        {
            return format!("{name} != null");
        }
        self.pool.show(condition)
    }

    fn text(&self, name: &str, args: &[Term]) -> String {
        let shown: Vec<String> = args.iter().map(|a| self.pool.show(*a)).collect();
        let text = expression(name, &shown);
        match text.char_indices().nth(MAX_NAME) {
            Some((cut, _)) => format!("{}…", &text[..cut]),
            None => text,
        }
    }
}

/// The values of a field descriptor's type, where they are fewer than those of its sort.
fn range_of(descriptor: &str) -> Option<(i64, i64)> {
    let narrow = !matches!(descriptor, "I" | "J");
    integral_range(descriptor).filter(|_| narrow)
}

/// The sort of values of a field descriptor's type, as the JVM computes with them.
pub fn sort_of(descriptor: &str) -> Sort {
    match descriptor {
        "J" => Sort::Bv(64),
        "F" => Sort::F32,
        "D" => Sort::F64,
        _ => Sort::Bv(32),
    }
}

/// The descriptor of array elements of a kind, `None` for references. Boolean elements count as bytes, as in `baload`.
pub fn element_descriptor(kind: Option<Prim>) -> &'static str {
    match kind {
        Some(Prim::Boolean | Prim::Byte) => "B",
        Some(Prim::Char) => "C",
        Some(Prim::Short) => "S",
        Some(Prim::Int) => "I",
        Some(Prim::Long) => "J",
        Some(Prim::Float) => "F",
        Some(Prim::Double) => "D",
        None => "Ljava/lang/Object;",
    }
}
