//! Differences that a method shows only through another changed method that it calls, such as overloads: told at the called one.

use crate::model::{DivergenceClass, End, Finding, MethodRef, MethodResult};

/// What is known of the changed methods' calls.
pub(super) struct Calls<'a> {
    /// The changed methods without a proof but for whose differences this one does the same in both versions.
    pub rests_on: &'a dyn Fn(&MethodRef) -> Vec<MethodRef>,
    /// Whether the code of the first calls the second.
    pub has: &'a dyn Fn(&MethodRef, &MethodRef) -> bool,
}

/// Leaves findings to the called method that shows the same difference.
pub(super) fn fold(methods: &mut [MethodResult], calls: &Calls) {
    for i in 0..methods.len() {
        let rests_on = (calls.rests_on)(&methods[i].method);
        for j in 0..methods[i].findings.len() {
            let (of, finding) = (&methods[i].method, &methods[i].findings[j]);
            if !finding.is_told() {
                continue;
            }
            let others = methods.iter().filter(|m| m.method != *of);
            let teller = others
                .filter(|m| rests_on.contains(&m.method) && tells(m, finding.class))
                .map(|m| m.method.clone())
                .next()
                .or_else(|| passes_on(methods, (of, finding), calls));
            methods[i].findings[j].telling.told_by = teller;
        }
    }
}

/// Whether a method tells a difference of that class.
fn tells(m: &MethodResult, class: DivergenceClass) -> bool {
    m.findings.iter().any(|f| f.is_told() && f.class == class)
}

/// The called method that ends the same with what this one may have passed on to it.
fn passes_on(
    methods: &[MethodResult],
    (of, f): (&MethodRef, &Finding),
    calls: &Calls,
) -> Option<MethodRef> {
    let others = methods.iter().filter(|m| m.method != *of);
    let called = others.filter(|m| f.entry == *of && (calls.has)(of, &m.method));
    let shows = |m: &&MethodResult| {
        let mut told = m.findings.iter().filter(|g| g.is_told());
        told.any(|g| g.entry == m.method && is_passed_on(f, g))
    };
    called.filter(shows).map(|m| m.method.clone()).next()
}

/// Whether a call of the caller can have led to a call with that outcome: the same receiver, its arguments among the callee's, and the
/// same result or exception in each version.
fn is_passed_on(caller: &Finding, callee: &Finding) -> bool {
    let is_same = |a: &End, b: &End| a.same_as(b);
    let args = &callee.inputs.args;
    caller.class == callee.class
        && !is_same(&caller.old.end, &caller.new.end)
        && is_same(&caller.old.end, &callee.old.end)
        && is_same(&caller.new.end, &callee.new.end)
        && (caller.inputs.receiver == callee.inputs.receiver)
        && caller.inputs.args.iter().all(|a| args.contains(a))
}
