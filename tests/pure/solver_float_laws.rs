//! Laws of floating-point terms and the solver: against Rust's IEEE arithmetic, which is Java's.

use proptest::prelude::*;
use shadow_ci::expr::{Arith, CmpOp, FCmp, FOp, Model, Pool, Sort, Term, Value, VarId};
use shadow_ci::solver::{Constraints, Feasible, LayeredSolver, Solver, SolverOptions};

/// A number as written; whether it is a float or a double says the place it stands in.
#[derive(Clone, Debug)]
enum Num {
    Const(f64),
    Var(usize),
    Bin(FOp, Box<Num>, Box<Num>),
    Neg(Box<Num>),
    Abs(Box<Num>),
    Sqrt(Box<Num>),
    /// Of the other sort, converted.
    Other(Box<Num>),
    Int(Box<Int>),
    FromBits(Box<Int>),
    If(Box<Truth>, Box<Num>, Box<Num>),
}

/// An int, or in a `Long` place a long.
#[derive(Clone, Debug)]
enum Int {
    Const(i64),
    Var,
    Cast(bool, Box<Num>),
    Bits(Box<Num>),
}

#[derive(Clone, Debug)]
enum Truth {
    Cmp(bool, FCmp, Num, Num),
    /// `Double.equals`
    Same(bool, Num, Num),
    Less(bool, Int, Int),
    Equal(bool, Int, Int),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
}

#[derive(Clone, Debug)]
struct Input {
    double: [f64; 2],
    float: [f32; 2],
    int: i32,
}

fn special() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => prop::sample::select(vec![
            0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 0.1, 3.0, -8.0, 1e10, 2147483647.0, 2147483648.0, -2147483648.5, 9.3e18, 1.5e-45,
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, f64::from_bits(1), 16777217.0,
        ]),
        1 => any::<f64>(),
        1 => any::<i16>().prop_map(f64::from),
    ]
}

fn int_constant() -> impl Strategy<Value = i64> {
    prop_oneof![
        prop::sample::select(vec![
            0,
            1,
            -1,
            2,
            0x7fc0_0000,
            i64::from(i32::MAX),
            i64::from(i32::MIN)
        ]),
        any::<i32>().prop_map(i64::from),
    ]
}

fn input() -> impl Strategy<Value = Input> {
    (special(), special(), special(), special(), int_constant()).prop_map(|(a, b, c, d, i)| Input {
        double: [a, b],
        float: [c as f32, d as f32],
        int: i as i32,
    })
}

fn num(all: bool) -> impl Strategy<Value = Num> {
    let leaf = prop_oneof![
        special().prop_map(Num::Const),
        (0..2usize).prop_map(Num::Var),
        (0..2usize).prop_map(Num::Var)
    ];
    let ops = if all {
        vec![FOp::Add, FOp::Sub, FOp::Mul, FOp::Div, FOp::Rem]
    } else {
        vec![FOp::Add, FOp::Sub, FOp::Add, FOp::Sub, FOp::Mul, FOp::Div]
    };
    let compare = prop::sample::select(vec![FCmp::Eq, FCmp::Lt, FCmp::Le]);
    leaf.prop_recursive(if all { 4 } else { 2 }, 10, 3, move |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let int = prop_oneof![
            Just(Int::Var),
            Just(Int::Var),
            int_constant().prop_map(Int::Const),
            (any::<bool>(), boxed.clone()).prop_map(|(s, n)| Int::Cast(s, n)),
            boxed.clone().prop_map(Int::Bits)
        ]
        .prop_map(Box::new);
        prop_oneof![
            4 => (prop::sample::select(ops.clone()), boxed.clone(), boxed.clone()).prop_map(|(op, a, b)| Num::Bin(op, a, b)),
            1 => (boxed.clone(), prop::sample::select(vec![1.0, -1.0, 2.0, 0.5, -0.0, 0.0])).prop_map(|(a, c)| {
                Num::Bin(FOp::Div, a, Box::new(Num::Const(c)))
            }),
            1 => boxed.clone().prop_map(|a| Num::Bin(FOp::Rem, a, Box::new(Num::Const(1.0)))),
            1 => boxed.clone().prop_map(|a| Num::Bin(FOp::Add, a.clone(), a)),
            1 => (boxed.clone(), prop::sample::select(vec![FOp::Add, FOp::Sub]), any::<bool>(), prop::sample::select(vec![0.0, -0.0]))
                .prop_map(|(a, op, flip, zero)| {
                    let zero = Box::new(Num::Const(zero));
                    if flip { Num::Bin(op, zero, a) } else { Num::Bin(op, a, zero) }
                }),
            1 => boxed.clone().prop_map(Num::Neg),
            1 => boxed.clone().prop_map(Num::Abs),
            1 => boxed.clone().prop_map(Num::Sqrt),
            2 => boxed.clone().prop_map(Num::Other),
            2 => int.clone().prop_map(Num::Int),
            1 => int.prop_map(Num::FromBits),
            1 => (any::<bool>(), compare.clone(), inner.clone(), inner, boxed.clone(), boxed)
                .prop_map(|(s, op, a, b, x, y)| Num::If(Box::new(Truth::Cmp(s, op, a, b)), x, y)),
        ]
    })
}

fn truth(all: bool) -> impl Strategy<Value = Truth> {
    let compare = prop::sample::select(vec![FCmp::Eq, FCmp::Lt, FCmp::Le]);
    let int = prop_oneof![
        Just(Int::Var),
        int_constant().prop_map(Int::Const),
        (any::<bool>(), num(all)).prop_map(|(s, n)| Int::Cast(s, Box::new(n))),
        num(all).prop_map(|n| Int::Bits(Box::new(n))),
    ];
    let leaf = prop_oneof![
        4 => (any::<bool>(), compare.clone(), num(all), num(all)).prop_map(|(s, op, a, b)| Truth::Cmp(s, op, a, b)),
        1 => (any::<bool>(), compare, num(all), any::<bool>()).prop_map(|(s, op, a, flip)| {
            let zero = Num::Const(0.0);
            if flip { Truth::Cmp(s, op, zero, a) } else { Truth::Cmp(s, op, a, zero) }
        }),
        1 => (any::<bool>(), num(all), num(all)).prop_map(|(s, a, b)| Truth::Same(s, a, b)),
        1 => (any::<bool>(), int.clone(), int.clone()).prop_map(|(s, a, b)| Truth::Less(s, a, b)),
        1 => (any::<bool>(), int.clone(), int).prop_map(|(s, a, b)| Truth::Equal(s, a, b)),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| {
        let boxed = inner.prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(Truth::Not),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Truth::And(a, b)),
            (boxed.clone(), boxed).prop_map(|(a, b)| Truth::Or(a, b)),
        ]
    })
}

fn canonical(d: f64) -> u64 {
    if d.is_nan() {
        f64::NAN.to_bits()
    } else {
        d.to_bits()
    }
}

fn canonical32(f: f32) -> u32 {
    if f.is_nan() {
        f32::NAN.to_bits()
    } else {
        f.to_bits()
    }
}

impl Num {
    fn double(&self, x: &Input) -> f64 {
        match self {
            Num::Const(c) => *c,
            Num::Var(i) => x.double[*i],
            Num::Bin(op, a, b) => {
                let (a, b) = (a.double(x), b.double(x));
                match op {
                    FOp::Add => a + b,
                    FOp::Sub => a - b,
                    FOp::Mul => a * b,
                    FOp::Div => a / b,
                    FOp::Rem => a % b,
                }
            }
            Num::Neg(a) => -a.double(x),
            Num::Abs(a) => a.double(x).abs(),
            Num::Sqrt(a) => a.double(x).sqrt(),
            Num::Other(a) => f64::from(a.float(x)),
            Num::Int(i) => f64::from(i.int(x)),
            Num::FromBits(i) => f64::from_bits(i.long(x) as u64),
            Num::If(c, a, b) => {
                if c.holds(x) {
                    a.double(x)
                } else {
                    b.double(x)
                }
            }
        }
    }

    fn float(&self, x: &Input) -> f32 {
        match self {
            Num::Const(c) => *c as f32,
            Num::Var(i) => x.float[*i],
            Num::Bin(op, a, b) => {
                let (a, b) = (a.float(x), b.float(x));
                match op {
                    FOp::Add => a + b,
                    FOp::Sub => a - b,
                    FOp::Mul => a * b,
                    FOp::Div => a / b,
                    FOp::Rem => a % b,
                }
            }
            Num::Neg(a) => -a.float(x),
            Num::Abs(a) => a.float(x).abs(),
            Num::Sqrt(a) => a.float(x).sqrt(),
            Num::Other(a) => a.double(x) as f32,
            Num::Int(i) => i.long(x) as f32,
            Num::FromBits(i) => f32::from_bits(i.int(x) as u32),
            Num::If(c, a, b) => {
                if c.holds(x) {
                    a.float(x)
                } else {
                    b.float(x)
                }
            }
        }
    }

    fn term(&self, p: &mut Pool, vars: &[Term], sort: Sort) -> Term {
        let single = sort == Sort::F32;
        match self {
            Num::Const(c) if single => p.f32((*c as f32).to_bits()),
            Num::Const(c) => p.f64(c.to_bits()),
            Num::Var(i) => vars[if single { 2 + i } else { *i }],
            Num::Bin(op, a, b) => {
                let (a, b) = (a.term(p, vars, sort), b.term(p, vars, sort));
                p.fbin(*op, a, b)
            }
            Num::Neg(a) => {
                let a = a.term(p, vars, sort);
                p.fneg(a)
            }
            Num::Abs(a) => {
                let a = a.term(p, vars, sort);
                p.fabs(a)
            }
            Num::Sqrt(a) => {
                let a = a.term(p, vars, sort);
                p.fsqrt(a)
            }
            Num::Other(a) => {
                let a = a.term(p, vars, if single { Sort::F64 } else { Sort::F32 });
                p.f_to_f(sort, a)
            }
            // From a long to a float and from an int to a double: one that rounds and one that doesn't.
            Num::Int(i) => {
                let i = i.term(p, vars, if single { 64 } else { 32 });
                p.i_to_f(sort, i)
            }
            Num::FromBits(i) => {
                let i = i.term(p, vars, if single { 32 } else { 64 });
                p.bits_f(sort, i)
            }
            Num::If(c, a, b) => {
                let c = c.term(p, vars);
                let (a, b) = (a.term(p, vars, sort), b.term(p, vars, sort));
                p.ite(c, a, b)
            }
        }
    }
}

fn sort(single: bool) -> Sort {
    if single { Sort::F32 } else { Sort::F64 }
}

impl Int {
    fn int(&self, x: &Input) -> i32 {
        match self {
            Int::Const(c) => *c as i32,
            Int::Var => x.int,
            Int::Cast(true, n) => n.float(x) as i32,
            Int::Cast(false, n) => n.double(x) as i32,
            Int::Bits(n) => canonical32(n.float(x)) as i32,
        }
    }

    fn long(&self, x: &Input) -> i64 {
        match self {
            Int::Const(c) => *c,
            Int::Var => i64::from(x.int),
            Int::Cast(true, n) => n.float(x) as i64,
            Int::Cast(false, n) => n.double(x) as i64,
            Int::Bits(n) => canonical(n.double(x)) as i64,
        }
    }

    fn term(&self, p: &mut Pool, vars: &[Term], width: u8) -> Term {
        match self {
            Int::Const(c) => p.bv(width, *c),
            Int::Var => p.sext(width, vars[4]),
            Int::Cast(single, n) => {
                let n = n.term(p, vars, sort(*single));
                p.f_to_i(width, n)
            }
            Int::Bits(n) => {
                let n = n.term(p, vars, sort(width == 32));
                p.f_bits(n)
            }
        }
    }
}

impl Truth {
    fn holds(&self, x: &Input) -> bool {
        match self {
            Truth::Cmp(single, op, a, b) => {
                let (a, b) = if *single {
                    (f64::from(a.float(x)), f64::from(b.float(x)))
                } else {
                    (a.double(x), b.double(x))
                };
                match op {
                    FCmp::Eq => a == b,
                    FCmp::Lt => a < b,
                    FCmp::Le => a <= b,
                }
            }
            Truth::Same(true, a, b) => canonical32(a.float(x)) == canonical32(b.float(x)),
            Truth::Same(false, a, b) => canonical(a.double(x)) == canonical(b.double(x)),
            Truth::Less(true, a, b) => a.int(x) < b.int(x),
            Truth::Less(false, a, b) => a.long(x) < b.long(x),
            Truth::Equal(true, a, b) => a.int(x) == b.int(x),
            Truth::Equal(false, a, b) => a.long(x) == b.long(x),
            Truth::Not(a) => !a.holds(x),
            Truth::And(a, b) => a.holds(x) && b.holds(x),
            Truth::Or(a, b) => a.holds(x) || b.holds(x),
        }
    }

    fn term(&self, p: &mut Pool, vars: &[Term]) -> Term {
        match self {
            Truth::Cmp(single, op, a, b) => {
                let (a, b) = (
                    a.term(p, vars, sort(*single)),
                    b.term(p, vars, sort(*single)),
                );
                p.fcmp(*op, a, b)
            }
            Truth::Same(single, a, b) => {
                let (a, b) = (
                    a.term(p, vars, sort(*single)),
                    b.term(p, vars, sort(*single)),
                );
                p.eq(a, b)
            }
            Truth::Less(single, a, b) => {
                let width = if *single { 32 } else { 64 };
                let (a, b) = (a.term(p, vars, width), b.term(p, vars, width));
                p.cmp(CmpOp::Slt, a, b)
            }
            Truth::Equal(single, a, b) => {
                let width = if *single { 32 } else { 64 };
                let (a, b) = (a.term(p, vars, width), b.term(p, vars, width));
                p.eq(a, b)
            }
            Truth::Not(a) => {
                let a = a.term(p, vars);
                p.not(a)
            }
            Truth::And(a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                p.and(a, b)
            }
            Truth::Or(a, b) => {
                let (a, b) = (a.term(p, vars), b.term(p, vars));
                p.or(a, b)
            }
        }
    }
}

fn pool() -> (Pool, Vec<Term>) {
    let mut pool = Pool::new(Arith::Java);
    let vars = vec![
        pool.var("x", Sort::F64, None),
        pool.var("y", Sort::F64, None),
        pool.var("f", Sort::F32, None),
        pool.var("g", Sort::F32, None),
        pool.var("i", Sort::Bv(32), None),
    ];
    (pool, vars)
}

fn model(x: &Input) -> Model {
    let [a, b] = x.double.map(|d| Value::F64(d.to_bits()));
    let [c, d] = x.float.map(|f| Value::F32(f.to_bits()));
    let values = [a, b, c, d, Value::Bv(32, i64::from(x.int))];
    Model::default().overlaid(
        values
            .into_iter()
            .enumerate()
            .map(|(i, v)| (VarId(i as u32), v)),
    )
}

fn read(model: &Model) -> Input {
    let bits = |i: u32| match model.get(VarId(i)) {
        Some(Value::F64(b)) => b,
        Some(Value::F32(b)) => u64::from(b),
        Some(Value::Bv(_, n)) => n as u64,
        _ => 0,
    };
    Input {
        double: [0, 1].map(|i| f64::from_bits(bits(i))),
        float: [2, 3].map(|i| f32::from_bits(bits(i) as u32)),
        int: bits(4) as i32,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, ..ProptestConfig::default() })]

    #[test]
    fn a_simplified_float_term_means_what_was_written(e in num(true), c in truth(true), inputs in prop::collection::vec(input(), 8)) {
        let (mut pool, vars) = pool();
        let double = e.term(&mut pool, &vars, Sort::F64);
        let float = e.term(&mut pool, &vars, Sort::F32);
        let condition = c.term(&mut pool, &vars);
        for x in &inputs {
            let m = model(x);
            let Value::F64(got) = pool.eval(double, &m) else { panic!("not a double") };
            prop_assert_eq!(canonical(f64::from_bits(got)), canonical(e.double(x)), "{:?}", x);
            let Value::F32(got) = pool.eval(float, &m) else { panic!("not a float") };
            prop_assert_eq!(canonical32(f32::from_bits(got)), canonical32(e.float(x)), "{:?}", x);
            prop_assert_eq!(pool.eval(condition, &m), Value::Bool(c.holds(x)), "{:?}", x);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_the_solver_says_of_floats_is_true(cs in prop::collection::vec(truth(false), 1..3), z3_only in any::<bool>(), tries in prop::collection::vec(input(), 300)) {
        let (mut pool, vars) = pool();
        let mut solver = LayeredSolver::new(&SolverOptions { rlimit: 300_000, z3_only, ..SolverOptions::default() });
        let mut path = Constraints::initial(&pool);
        let mut taken: Vec<Truth> = Vec::new();
        for c in cs {
            let term = c.term(&mut pool, &vars);
            match solver.assume(&mut pool, &path, term) {
                Feasible::Yes(next) => {
                    path = next;
                    taken.push(c);
                    let x = read(path.model());
                    prop_assert!(taken.iter().all(|c| c.holds(&x)), "{:?} does not satisfy the path", x);
                }
                Feasible::No => {
                    let found = tries.iter().find(|x| c.holds(x) && taken.iter().all(|t| t.holds(x)));
                    prop_assert!(found.is_none(), "refused, but {:?} takes it", found);
                }
                Feasible::Unknown(why) => prop_assert!(!why.contains("does not hold"), "{}", why),
            }
        }
    }
}

#[test]
fn unbounded_integers_and_floats_share_a_path() {
    let mut pool = Pool::new(Arith::Unbounded);
    let x = pool.var("x", Sort::F64, None);
    let i = pool.var("i", Sort::Bv(32), None);
    let mut solver = LayeredSolver::new(&SolverOptions {
        z3_only: true,
        ..SolverOptions::default()
    });
    let (tenth, big) = (pool.f64(0.1f64.to_bits()), pool.int(i32::MAX));
    let sum = pool.fbin(FOp::Add, x, tenth);
    let third = pool.f64(0.3f64.to_bits());
    let equal = pool.fcmp(FCmp::Eq, sum, third);
    let above = pool.cmp(CmpOp::Slt, big, i);
    let both = pool.and(equal, above);
    let start = Constraints::initial(&pool);
    let Feasible::Yes(path) = solver.assume(&mut pool, &start, both) else {
        panic!("0.2 and a large integer satisfy it");
    };
    assert!(pool.holds(both, path.model()));
    let converted = pool.i_to_f(Sort::F64, i);
    let more = pool.fcmp(FCmp::Lt, converted, x);
    let Feasible::Unknown(why) = solver.assume(&mut pool, &path, more) else {
        panic!("unbounded integers are not converted");
    };
    assert_eq!(why, "floating-point conversion of unbounded integers");
}

#[test]
fn a_remainder_is_decided_by_one_and_refused_by_name_otherwise() {
    let (mut pool, vars) = pool();
    let mut solver = LayeredSolver::new(&SolverOptions {
        z3_only: true,
        ..SolverOptions::default()
    });
    let start = Constraints::initial(&pool);
    let (one, three) = (pool.f64(1f64.to_bits()), pool.f64(3f64.to_bits()));
    let minus_zero = pool.f64((-0f64).to_bits());
    let whole = pool.fbin(FOp::Rem, vars[0], one);
    let is_zero = pool.eq(whole, minus_zero);
    let Feasible::Yes(path) = solver.assume(&mut pool, &start, is_zero) else {
        panic!("negative integers have it");
    };
    assert!(pool.holds(is_zero, path.model()));
    let other = pool.fbin(FOp::Rem, vars[0], three);
    let unproved = pool.fcmp(FCmp::Lt, three, other);
    let Feasible::Unknown(why) = solver.assume(&mut pool, &start, unproved) else {
        panic!("not encoded");
    };
    assert_eq!(why, "floating-point remainder");
}

/// Every operation over all variables, and what Rust computes for it.
fn operations() -> Vec<Num> {
    let var = |i| Box::new(Num::Var(i));
    let int = || Box::new(Int::Var);
    let mut all = vec![
        Num::Neg(var(0)),
        Num::Abs(var(0)),
        Num::Sqrt(var(0)),
        Num::Other(var(0)),
        Num::Int(int()),
        Num::FromBits(int()),
        Num::FromBits(Box::new(Int::Bits(var(1)))),
        Num::Int(Box::new(Int::Cast(false, var(0)))),
        Num::Int(Box::new(Int::Cast(true, var(0)))),
        Num::Bin(FOp::Rem, var(0), Box::new(Num::Const(1.0))),
    ];
    for op in [FOp::Add, FOp::Sub, FOp::Mul, FOp::Div] {
        all.push(Num::Bin(op, var(0), var(1)));
    }
    for op in [FCmp::Eq, FCmp::Lt, FCmp::Le] {
        let condition = Truth::Cmp(false, op, Num::Var(0), Num::Var(1));
        all.push(Num::If(Box::new(condition), var(0), var(1)));
    }
    all
}

#[test]
fn z3_computes_what_rust_computes() {
    let doubles = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        1e-310,
        3.7,
        -8.5,
        2147483647.5,
        -2147483649.0,
        9.3e18,
        -9.3e18,
        16777217.0,
        1e300,
        3e-46,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    let ints = [
        0,
        1,
        -1,
        16_777_217,
        i32::MAX,
        i32::MIN,
        0x7fc0_0001,
        -4_194_303,
    ];
    let mut solver = LayeredSolver::new(&SolverOptions {
        z3_only: true,
        ..SolverOptions::default()
    });
    let (mut pool, vars) = pool();
    let start = Constraints::initial(&pool);
    for (n, a) in doubles.iter().enumerate() {
        for (m, b) in doubles.iter().enumerate().skip(n % 3).step_by(3) {
            let x = Input {
                double: [*a, *b],
                float: [*b as f32, *a as f32],
                int: ints[(n + m) % ints.len()],
            };
            let mut fixed = pool.bool(true);
            for var in &vars {
                let value = pool.eval(*var, &model(&x));
                let value = pool.constant(value);
                let equal = pool.eq(*var, value);
                fixed = pool.and(fixed, equal);
            }
            let mut wrong = pool.bool(false);
            for operation in operations() {
                for sort in [Sort::F64, Sort::F32] {
                    let term = operation.term(&mut pool, &vars, sort);
                    let expected = match sort {
                        Sort::F64 => Value::F64(operation.double(&x).to_bits()),
                        _ => Value::F32(operation.float(&x).to_bits()),
                    };
                    let expected = pool.constant(expected);
                    let differs = pool.ne(term, expected);
                    wrong = pool.or(wrong, differs);
                }
            }
            let question = pool.and(fixed, wrong);
            match solver.assume(&mut pool, &start, question) {
                Feasible::No => {}
                Feasible::Unknown(why) => panic!("{x:?}: {why}"),
                Feasible::Yes(_) => panic!("{x:?}: another result"),
            }
        }
    }
}
