//! Differences that a method shows only through another changed method that it calls, such as overloads: told at the called one.

use crate::model::{End, Finding, MethodResult};

/// Leaves findings to the called method that shows the same difference.
pub(super) fn fold(methods: &mut [MethodResult]) {
    for i in 0..methods.len() {
        for j in 0..methods[i].findings.len() {
            let (m, finding) = (&methods[i], &methods[i].findings[j]);
            if !finding.is_told() {
                continue;
            }
            let teller = methods.iter().filter(|other| other.method != m.method);
            let teller = teller
                .filter(|other| tells(other, m, finding))
                .map(|other| other.method.clone())
                .next();
            methods[i].findings[j].telling.told_by = teller;
        }
    }
}

/// Whether a method tells, no less plainly, what a finding of another one shows: it alone makes the difference, or it is called and
/// ends the same with what may have been passed on to it.
fn tells(other: &MethodResult, m: &MethodResult, f: &Finding) -> bool {
    let rests = m.rests_on.contains(&other.method);
    let is_called = f.entry == m.method && m.calls.contains(&other.method);
    let mut told = other.findings.iter().filter(|g| g.is_told());
    told.any(|g| {
        let is_as_plain = (g.is_relevant() || !f.is_relevant())
            && (g.new_only_assertion() || !f.new_only_assertion());
        let is_it = rests && g.class == f.class
            || is_called && g.entry == other.method && is_passed_on(f, g);
        is_as_plain && is_it
    })
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
