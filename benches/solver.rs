//! Path-shaped queries: what the layers in front of Z3 save, side by side. Run with `cargo bench --bench solver`.

use divan::Bencher;
use shadow_ci::expr::{Arith, BvOp, CmpOp, Pool, Sort, Term};
use shadow_ci::solver::{Constraints, Feasible, LayeredSolver, Solver, SolverOptions};

fn main() {
    divan::main();
}

/// Conditions as a method with six int parameters and a cascade of comparisons asks them.
fn conditions(pool: &mut Pool, multiply: bool) -> Vec<Term> {
    let vars: Vec<Term> = (0..6)
        .map(|i| pool.var(&format!("x{i}"), Sort::Bv(32), None))
        .collect();
    let mut seed = 12345u32;
    let mut next = |n: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % n
    };
    (0..14)
        .map(|_| {
            let (a, b) = (vars[next(6) as usize], vars[next(6) as usize]);
            let constant = pool.int(next(200) as i32 - 100);
            let op = if multiply && next(3) == 0 {
                BvOp::Mul
            } else {
                BvOp::Add
            };
            let left = pool.bin(op, a, constant);
            let right = if next(2) == 0 { b } else { constant };
            pool.cmp(CmpOp::Slt, left, right)
        })
        .collect()
}

/// Depth-first over all feasible outcomes of the conditions; returns the number of paths.
fn paths(pool: &mut Pool, solver: &mut LayeredSolver, conditions: &[Term]) -> u64 {
    let mut stack = vec![(Constraints::initial(pool), 0)];
    let mut finished = 0;
    while let Some((constraints, at)) = stack.pop() {
        let Some(condition) = conditions.get(at) else {
            finished += 1;
            continue;
        };
        let not = pool.not(*condition);
        for side in [not, *condition] {
            if let Feasible::Yes(next) = solver.assume(pool, &constraints, side) {
                stack.push((next, at + 1));
            }
        }
    }
    finished
}

fn run(bencher: Bencher, multiply: bool, z3_only: bool) {
    bencher.bench_local(|| {
        let mut pool = Pool::new(Arith::Java);
        let conditions = conditions(&mut pool, multiply);
        let options = SolverOptions {
            z3_only,
            ..SolverOptions::default()
        };
        let mut solver = LayeredSolver::new(&options);
        paths(&mut pool, &mut solver, &conditions[..8])
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn comparisons_with_layers(bencher: Bencher) {
    run(bencher, false, false);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn comparisons_with_z3_only(bencher: Bencher) {
    run(bencher, false, true);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn products_with_layers(bencher: Bencher) {
    run(bencher, true, false);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn products_with_z3_only(bencher: Bencher) {
    run(bencher, true, true);
}
