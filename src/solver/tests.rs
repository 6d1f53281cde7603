//! Tests of each layer alone, and of which layer of the chain answers.

use super::constraints::Constraints;
use super::enumerate::enumerate;
use super::repair::repair;
use super::z3::Answer;
use super::{Feasible, LayeredSolver, Solver, SolverOptions, Stats, minimise, satisfied};
use crate::expr::{Arith, BvOp, CmpOp, Model, Pool, Sort, Term, Value, VarId};

const INT: Sort = Sort::Bv(32);

fn pool() -> Pool {
    Pool::new(Arith::Java)
}

fn id(pool: &Pool, var: Term) -> VarId {
    pool.vars_of(var)[0]
}

fn less(pool: &mut Pool, a: Term, n: i32) -> Term {
    let n = pool.int(n);
    pool.cmp(CmpOp::Slt, a, n)
}

fn more(pool: &mut Pool, a: Term, n: i32) -> Term {
    let n = pool.int(n);
    pool.cmp(CmpOp::Slt, n, a)
}

fn is(pool: &mut Pool, a: Term, n: i32) -> Term {
    let n = pool.int(n);
    pool.eq(a, n)
}

fn chain() -> LayeredSolver {
    LayeredSolver::new(&SolverOptions::default())
}

/// The path condition with one more conjunct, which has to be feasible.
fn with(solver: &mut LayeredSolver, pool: &mut Pool, c: &Constraints, cond: Term) -> Constraints {
    match solver.assume(pool, c, cond) {
        Feasible::Yes(c) => c,
        other => panic!("{other:?}"),
    }
}

fn number(pool: &Pool, c: &Constraints, term: Term) -> Option<i64> {
    pool.eval(term, c.model()).as_i64()
}

#[test]
fn intervals_narrow_and_decide() {
    let mut pool = pool();
    let x = pool.var("x", INT, None);
    let (low, high) = (more(&mut pool, x, 3), less(&mut pool, x, 10));
    let c = Constraints::initial(&pool).extended(&pool, &[low, high], Model::default());
    let var = id(&pool, x);
    assert_eq!(c.domain(&pool, var), (4, 9));
    let mut decide = |f: fn(&mut Pool, Term, i32) -> Term, n| {
        let term = f(&mut pool, x, n);
        c.decide(&pool, term)
    };
    assert_eq!(decide(less, 20), Some(true));
    assert_eq!(decide(is, 50), Some(false));
    assert_eq!(decide(more, 3), Some(true));
    assert_eq!(decide(less, 7), None);
}

#[test]
fn the_first_model_lies_in_the_ranges() {
    let mut pool = pool();
    let (x, y) = (
        pool.var("x", INT, Some((5, 9))),
        pool.var("y", INT, Some((-9, -5))),
    );
    let c = Constraints::initial(&pool);
    assert_eq!(number(&pool, &c, x), Some(5));
    assert_eq!(number(&pool, &c, y), Some(-5));
}

#[test]
fn few_values_are_all_tried() {
    let mut pool = pool();
    let x = pool.var("x", INT, Some((-10, 10)));
    let y = pool.var("y", INT, Some((-10, 10)));
    let product = pool.bin(BvOp::Mul, x, y);
    let c = Constraints::initial(&pool);
    let (some, none) = (is(&mut pool, product, 35), is(&mut pool, product, 37));
    match enumerate(&pool, &c, &[some]) {
        Some((Answer::Sat(values), nodes)) => {
            let model = Model::default().overlaid(values);
            assert!(pool.holds(some, &model));
            assert!(nodes > 0);
        }
        other => panic!("{:?}", other.is_some()),
    }
    let none = enumerate(&pool, &c, &[none]);
    assert!(matches!(none, Some((Answer::Unsat, _))));
}

#[test]
fn many_values_and_unbounded_numbers_are_left_to_z3() {
    let mut pool = pool();
    let x = pool.var("x", INT, None);
    let cond = is(&mut pool, x, 35);
    assert!(enumerate(&pool, &Constraints::initial(&pool), &[cond]).is_none());
    let mut pool = Pool::new(Arith::Unbounded);
    let x = pool.var("x", INT, Some((0, 3)));
    let cond = is(&mut pool, x, 2);
    assert!(enumerate(&pool, &Constraints::initial(&pool), &[cond]).is_none());
}

#[test]
fn a_model_is_repaired_within_the_path_condition() {
    let mut pool = pool();
    let x = pool.var("x", INT, None);
    let y = pool.var("y", INT, None);
    let below = pool.cmp(CmpOp::Sle, x, y);
    let c = Constraints::initial(&pool).extended(&pool, &[below], Model::default());
    // Only `y` can grow alone: `x` may not pass it.
    let wanted = is(&mut pool, y, 1000);
    let model = repair(&pool, &c, &[wanted]).unwrap();
    assert!(pool.holds(wanted, &model) && pool.holds(below, &model));
    let refused = is(&mut pool, x, 1000);
    assert!(repair(&pool, &c, &[refused]).is_none());
}

#[test]
fn each_layer_answers_what_it_can() {
    let (mut pool, mut solver) = (pool(), chain());
    let x = pool.var("x", INT, None);
    let y = pool.var("y", INT, None);
    let c = Constraints::initial(&pool);
    let mut before = Stats::default();
    let mut step = |solver: &LayeredSolver| {
        let now = solver.stats();
        let was = std::mem::replace(&mut before, now);
        [
            now.folded - was.folded,
            now.modelled - was.modelled,
            now.cached - was.cached,
            now.queries - was.queries,
        ]
    };
    // A constant is folded; so is what intervals decide.
    let yes = pool.bool(true);
    let c = with(&mut solver, &mut pool, &c, yes);
    assert_eq!(step(&solver), [1, 0, 0, 0]);
    // The model has x = 0.
    let small = less(&mut pool, x, 100);
    let c = with(&mut solver, &mut pool, &c, small);
    assert_eq!(step(&solver), [0, 1, 0, 0]);
    let large = more(&mut pool, x, 200);
    assert!(matches!(solver.assume(&mut pool, &c, large), Feasible::No));
    assert_eq!(step(&solver), [1, 0, 0, 0]);
    // A repaired model has x = 42.
    let exact = is(&mut pool, x, 42);
    with(&mut solver, &mut pool, &c, exact);
    assert_eq!(step(&solver), [0, 1, 0, 0]);
    // A square of 3 modulo 8 is for Z3, once.
    let square = pool.bin(BvOp::Mul, y, y);
    let seven = pool.int(7);
    let low = pool.bin(BvOp::And, square, seven);
    let impossible = is(&mut pool, low, 3);
    for asked in [[0, 0, 0, 1], [0, 0, 1, 0]] {
        let answer = solver.assume(&mut pool, &c, impossible);
        assert!(matches!(answer, Feasible::No), "{answer:?}");
        assert_eq!(step(&solver), asked);
    }
}

#[test]
fn what_z3_does_not_answer_is_unknown() {
    let mut pool = pool();
    let options = SolverOptions {
        rlimit: 1,
        z3_only: true,
        ..SolverOptions::default()
    };
    let mut solver = LayeredSolver::new(&options);
    let x = pool.var("x", Sort::Bv(64), None);
    let y = pool.var("y", Sort::Bv(64), None);
    let product = pool.bin(BvOp::Mul, x, y);
    let prime = pool.long(1_000_000_007 * 998_244_353);
    let (factors, one) = (pool.eq(product, prime), pool.long(1));
    let (a, b) = (pool.cmp(CmpOp::Slt, one, x), pool.cmp(CmpOp::Slt, one, y));
    let cond = pool.and_all([factors, a, b]);
    let c = Constraints::initial(&pool);
    let answer = solver.assume(&mut pool, &c, cond);
    assert!(matches!(answer, Feasible::Unknown(_)), "{answer:?}");
    assert_eq!(solver.stats().unknown, 1);
}

#[test]
fn a_solver_is_charged_for_its_own_questions_only() {
    let ask = || {
        let mut pool = pool();
        let options = SolverOptions {
            z3_only: true,
            ..SolverOptions::default()
        };
        let mut solver = LayeredSolver::new(&options);
        let x = pool.var("x", INT, None);
        let square = pool.bin(BvOp::Mul, x, x);
        let wanted = pool.int(1_522_756);
        let cond = pool.eq(square, wanted);
        let c = Constraints::initial(&pool);
        assert!(matches!(
            solver.assume(&mut pool, &c, cond),
            Feasible::Yes(_)
        ));
        solver.stats().units
    };
    let first = ask();
    ask();
    ask();
    // What the context knows already changes a little.
    let last = ask();
    assert!(0 < first && last < 2 * first, "{first} {last}");
}

#[test]
fn a_contradiction_is_seen_without_a_question() {
    let mut pool = pool();
    let x = pool.var("x", INT, None);
    let y = pool.var("y", INT, None);
    let equal = pool.eq(x, y);
    let not = pool.not(equal);
    let c = Constraints::initial(&pool);
    let Feasible::Yes(c) = satisfied(&mut pool, &c, equal) else {
        panic!("x == y");
    };
    assert!(matches!(satisfied(&mut pool, &c, not), Feasible::No));
}

#[test]
fn values_are_told_as_readable_as_they_can_be() {
    let (mut pool, mut solver) = (pool(), chain());
    let n = pool.var("n", INT, None);
    let unit = pool.var("c", Sort::Bv(16), Some((0, 0xffff)));
    let d = pool.bv(16, i64::from(b'd'));
    let conditions = [more(&mut pool, n, 5), pool.cmp(CmpOp::Sle, d, unit)];
    let mut c = Constraints::initial(&pool);
    for cond in conditions {
        c = with(&mut solver, &mut pool, &c, cond);
    }
    let vars = [id(&pool, n), id(&pool, unit)];
    let best = minimise(&mut solver, &mut pool, &c, &vars);
    assert_eq!(number(&pool, &best, n), Some(10));
    assert_eq!(number(&pool, &best, unit), Some(i64::from(b'd')));
    assert!(conditions.iter().all(|t| pool.holds(*t, best.model())));
    assert_eq!(pool.eval(n, best.model()), Value::Bv(32, 10));
}
