//! Laws of terms and solver: simplified terms mean what was written, models satisfy, refusals are right.

use proptest::prelude::*;
use shadow_ci::expr::{Arith, BvOp, CmpOp, Model, Pool, Sort, Term, Value, VarId};
use shadow_ci::solver::{Constraints, Feasible, LayeredSolver, Solver, SolverOptions};

/// An int expression as written, with Java's meaning in `int`.
#[derive(Clone, Debug)]
enum Int {
    Const(i32),
    Var(u32),
    Neg(Box<Int>),
    Bin(BvOp, Box<Int>, Box<Int>),
    Byte(Box<Int>),
    Char(Box<Int>),
    /// `(int) ((long) a op (long) b >> 3)`
    Long(BvOp, Box<Int>, Box<Int>),
    If(Box<Bool>, Box<Int>, Box<Int>),
}

#[derive(Clone, Debug)]
enum Bool {
    Cmp(CmpOp, Int, Int),
    Eq(Int, Int),
    Not(Box<Bool>),
    And(Box<Bool>, Box<Bool>),
    Or(Box<Bool>, Box<Bool>),
}

const VARS: u32 = 3;

fn constant() -> impl Strategy<Value = i32> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(-1),
        Just(2),
        Just(i32::MIN),
        Just(i32::MAX),
        -40..40i32,
        any::<i32>()
    ]
}

fn arithmetic() -> impl Strategy<Value = BvOp> {
    use BvOp::{Add, And, Mul, Or, Shl, Shr, Sub, Ushr, Xor};
    prop::sample::select(vec![Add, Sub, Mul, And, Or, Xor, Shl, Shr, Ushr])
}

fn int() -> impl Strategy<Value = Int> {
    let leaf = prop_oneof![
        constant().prop_map(Int::Const),
        (0..VARS).prop_map(Int::Var)
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            inner.clone().prop_map(|a| Int::Neg(Box::new(a))),
            inner.clone().prop_map(|a| Int::Byte(Box::new(a))),
            inner.clone().prop_map(|a| Int::Char(Box::new(a))),
            (arithmetic(), pair.clone()).prop_map(|(op, (a, b))| Int::Bin(op, a, b)),
            (
                prop::sample::select(vec![BvOp::Add, BvOp::Sub, BvOp::Mul]),
                pair.clone()
            )
                .prop_map(|(op, (a, b))| Int::Long(op, a, b)),
            (comparison(), inner.clone(), inner.clone(), pair)
                .prop_map(|(op, x, y, (a, b))| Int::If(Box::new(Bool::Cmp(op, x, y)), a, b)),
        ]
    })
}

fn comparison() -> impl Strategy<Value = CmpOp> {
    prop::sample::select(vec![CmpOp::Slt, CmpOp::Sle, CmpOp::Ult, CmpOp::Ule])
}

fn boolean() -> impl Strategy<Value = Bool> {
    let leaf = prop_oneof![
        (comparison(), int(), int()).prop_map(|(op, a, b)| Bool::Cmp(op, a, b)),
        (int(), int()).prop_map(|(a, b)| Bool::Eq(a, b)),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Bool::Not(Box::new(a))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Bool::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Bool::Or(Box::new(a), Box::new(b))),
        ]
    })
}

impl Int {
    fn eval(&self, x: &[i32]) -> i32 {
        match self {
            Int::Const(c) => *c,
            Int::Var(v) => x[*v as usize],
            Int::Neg(a) => a.eval(x).wrapping_neg(),
            Int::Byte(a) => i32::from(a.eval(x) as i8),
            Int::Char(a) => i32::from(a.eval(x) as u16),
            Int::Bin(op, a, b) => {
                let (a, b) = (a.eval(x), b.eval(x));
                match op {
                    BvOp::Add => a.wrapping_add(b),
                    BvOp::Sub => a.wrapping_sub(b),
                    BvOp::Mul => a.wrapping_mul(b),
                    BvOp::And => a & b,
                    BvOp::Or => a | b,
                    BvOp::Xor => a ^ b,
                    BvOp::Shl => a.wrapping_shl(b as u32),
                    BvOp::Shr => a.wrapping_shr(b as u32),
                    _ => (a as u32).wrapping_shr(b as u32) as i32,
                }
            }
            Int::Long(op, a, b) => {
                let (a, b) = (i64::from(a.eval(x)), i64::from(b.eval(x)));
                let r = match op {
                    BvOp::Add => a.wrapping_add(b),
                    BvOp::Sub => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                };
                (r >> 3) as i32
            }
            Int::If(c, a, b) => {
                if c.eval(x) {
                    a.eval(x)
                } else {
                    b.eval(x)
                }
            }
        }
    }

    fn term(&self, p: &mut Pool, vars: &[Term]) -> Term {
        match self {
            Int::Const(c) => p.int(*c),
            Int::Var(v) => vars[*v as usize],
            Int::Neg(a) => {
                let a = a.term(p, vars);
                p.neg(a)
            }
            Int::Byte(a) => {
                let a = a.term(p, vars);
                let low = p.trunc(8, a);
                p.sext(32, low)
            }
            Int::Char(a) => {
                let a = a.term(p, vars);
                let low = p.trunc(16, a);
                p.zext(32, low)
            }
            Int::Bin(op, a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                if matches!(op, BvOp::Shl | BvOp::Shr | BvOp::Ushr) {
                    p.shift(*op, a, b)
                } else {
                    p.bin(*op, a, b)
                }
            }
            Int::Long(op, a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                let (a, b, three) = (p.sext(64, a), p.sext(64, b), p.int(3));
                let r = p.bin(*op, a, b);
                let r = p.shift(BvOp::Shr, r, three);
                p.trunc(32, r)
            }
            Int::If(c, a, b) => {
                let (c, a, b) = (c.term(p, vars), a.term(p, vars), b.term(p, vars));
                p.ite(c, a, b)
            }
        }
    }
}

impl Bool {
    fn eval(&self, x: &[i32]) -> bool {
        match self {
            Bool::Cmp(op, a, b) => {
                let (a, b) = (a.eval(x), b.eval(x));
                match op {
                    CmpOp::Slt => a < b,
                    CmpOp::Sle => a <= b,
                    CmpOp::Ult => (a as u32) < b as u32,
                    CmpOp::Ule => a as u32 <= b as u32,
                }
            }
            Bool::Eq(a, b) => a.eval(x) == b.eval(x),
            Bool::Not(a) => !a.eval(x),
            Bool::And(a, b) => a.eval(x) && b.eval(x),
            Bool::Or(a, b) => a.eval(x) || b.eval(x),
        }
    }

    fn term(&self, p: &mut Pool, vars: &[Term]) -> Term {
        match self {
            Bool::Cmp(op, a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                p.cmp(*op, a, b)
            }
            Bool::Eq(a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                p.eq(a, b)
            }
            Bool::Not(a) => {
                let a = a.term(p, vars);
                p.not(a)
            }
            Bool::And(a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                p.and(a, b)
            }
            Bool::Or(a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                p.or(a, b)
            }
        }
    }
}

fn pool() -> (Pool, Vec<Term>) {
    let mut pool = Pool::new(Arith::Java);
    let vars = (0..VARS)
        .map(|i| pool.var(&format!("x{i}"), Sort::Bv(32), None))
        .collect();
    (pool, vars)
}

fn model(values: &[i32]) -> Model {
    Model::default().overlaid(
        values
            .iter()
            .enumerate()
            .map(|(i, v)| (VarId(i as u32), Value::Bv(32, i64::from(*v)))),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_simplified_term_means_what_was_written(e in int(), c in boolean(), x in prop::array::uniform3(constant())) {
        let (mut pool, vars) = pool();
        let (term, condition) = (e.term(&mut pool, &vars), c.term(&mut pool, &vars));
        prop_assert_eq!(pool.eval(term, &model(&x)), Value::Bv(32, i64::from(e.eval(&x))));
        prop_assert_eq!(pool.eval(condition, &model(&x)), Value::Bool(c.eval(&x)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn what_the_solver_says_of_a_path_is_true(cs in prop::collection::vec(boolean(), 1..4), tries in prop::collection::vec(prop::array::uniform3(constant()), 200)) {
        let (mut pool, vars) = pool();
        let mut solver = LayeredSolver::new(&SolverOptions::default());
        let mut path = Constraints::initial(&pool);
        let mut taken: Vec<Bool> = Vec::new();
        for c in cs {
            let term = c.term(&mut pool, &vars);
            match solver.assume(&mut pool, &path, term) {
                Feasible::Yes(next) => {
                    path = next;
                    taken.push(c);
                    let x: Vec<i32> = (0..VARS).map(|i| path.model().get(VarId(i)).and_then(|v| v.as_i64()).unwrap_or(0) as i32).collect();
                    prop_assert!(taken.iter().all(|c| c.eval(&x)), "{:?} does not satisfy the path", x);
                }
                Feasible::No => {
                    let found = tries.iter().find(|x| c.eval(&x[..]) && taken.iter().all(|t| t.eval(&x[..])));
                    prop_assert!(found.is_none(), "refused, but {:?} takes it", found);
                }
                Feasible::Unknown(_) => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn over_few_values_the_solver_says_what_trying_them_all_says(cs in prop::collection::vec(boolean(), 1..4)) {
        let mut pool = Pool::new(Arith::Java);
        let vars: Vec<Term> = (0..VARS)
            .map(|i| pool.var(&format!("x{i}"), Sort::Bv(32), Some((-3, 3))))
            .collect();
        let mut solver = LayeredSolver::new(&SolverOptions::default());
        let mut path = Constraints::initial(&pool);
        let mut left: Vec<[i32; 3]> = (0..343).map(|n| [n % 7 - 3, n / 7 % 7 - 3, n / 49 - 3]).collect();
        for c in cs {
            let term = c.term(&mut pool, &vars);
            let taking: Vec<[i32; 3]> = left.iter().copied().filter(|x| c.eval(x)).collect();
            match solver.assume(&mut pool, &path, term) {
                Feasible::Yes(next) => {
                    path = next;
                    let x: Vec<i32> = (0..VARS).map(|i| path.model().get(VarId(i)).and_then(|v| v.as_i64()).unwrap_or(0) as i32).collect();
                    prop_assert!(taking.iter().any(|t| t[..] == x[..]), "{:?} does not satisfy the path", x);
                    left = taking;
                }
                Feasible::No => prop_assert!(taking.is_empty(), "refused, but {:?} takes it", taking[0]),
                Feasible::Unknown(why) => prop_assert!(false, "not decided: {}", why),
            }
        }
    }
}

#[test]
fn very_deep_terms_do_not_overflow_the_stack() {
    let (mut pool, vars) = pool();
    let mut sum = vars[0];
    for _ in 0..100_000 {
        let product = pool.bin(BvOp::Mul, sum, vars[1]);
        sum = pool.bin(BvOp::Add, product, vars[2]);
    }
    let zero = pool.int(0);
    let condition = pool.eq(sum, zero);
    assert_eq!(pool.eval(condition, &Model::default()), Value::Bool(true));
    assert!(pool.show(condition).len() < 10_000);
}
