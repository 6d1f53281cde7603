//! The condition under which a proof fails: as few conjuncts as say it, as text, and the values of a state in which it holds.

use super::context::ProofContext;
use super::unproved::Condition;
use super::wording::INSIDE;
use crate::expr::{CmpOp, Node, Term};
use crate::solver::Constraints;

/// Longest condition that is reported.
const MAX_TEXT: usize = 200;

/// Most conjuncts that are looked at.
const MOST_CONJUNCTS: usize = 24;

impl Condition {
    /// The condition for a path condition and the two values that differ on it.
    pub(super) fn of(
        context: &mut ProofContext,
        holds: &Constraints,
        pair: Option<(Term, Term)>,
    ) -> Condition {
        let mut whole = holds.clone();
        if let Some((p, q)) = pair
            && context.symbols.pool.sort(p) == context.symbols.pool.sort(q)
        {
            let equal = context.symbols.pool.eq(p, q);
            let mut differ = context.symbols.pool.not(equal);
            let all = whole.terms().iter().copied().chain([differ]);
            if context.symbols.are_heavy(all) {
                differ = context.symbols.abstracted(differ);
            }
            if let Ok(Some(with)) = context.assume(&whole, differ) {
                whole = with;
            }
        }
        let terms = needed(context, &whole);
        let mut out = Condition::default();
        out.add_values(context, &whole, &terms);
        let says = terms.iter().filter(|t| !is_of_literals(context, **t));
        let parts = says.map(|t| text(context, *t));
        let all = telling(parts).join(" && ");
        // Unlike values of one name are locals that the versions have in common but for what they hold.
        let unlike =
            pair.is_some_and(|(p, q)| context.symbols.pool.show(p) == context.symbols.pool.show(q));
        // What speaks of things that only the proof has a name for says nothing to a reader.
        let readable = !all.is_empty()
            && !unlike
            && all.chars().count() <= MAX_TEXT
            && !all.contains(['@', '#'])
            && !all.contains("local ")
            && !all.contains("lambda ")
            && !all.contains("refuses(");
        out.text = readable.then_some(all);
        out
    }

    fn add_values(&mut self, context: &ProofContext, whole: &Constraints, terms: &[Term]) {
        let s = &context.symbols;
        for term in terms {
            for var in s.pool.vars_of(*term).iter() {
                let of = s.pool.var_term(*var);
                if let Some(units) = s.units(of) {
                    self.texts.insert(units.to_vec());
                }
                if s.is_reference(of) {
                    continue;
                }
                let value = whole.model().get(*var).and_then(|v| v.as_i64());
                self.numbers.extend(value.filter(|n| n.unsigned_abs() > 1));
            }
        }
    }
}

/// The parts of a condition that tell a reader something, each once: without one of its parts a condition still holds wherever the whole
/// one does. None where they contradict each other, as calls do that read alike without their arguments.
fn telling(parts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in parts.filter(|p| !p.contains(INSIDE)) {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    if all.iter().any(|part| all.contains(&format!("!{part}"))) {
        return Vec::new();
    }
    // That a call returns is clear where something is said of what comes behind it.
    let returns = |part: &String| part.starts_with('!') && part.ends_with(" throws");
    all.retain(|part| !returns(part) || part.contains(" && ") || part.contains(" || "));
    all
}

/// The conjuncts that the others do not imply, oldest first.
fn needed(context: &mut ProofContext, whole: &Constraints) -> Vec<Term> {
    let mut kept: Vec<Term> = whole.terms().to_vec();
    if kept.len() > MOST_CONJUNCTS {
        return kept;
    }
    let mut at = kept.len();
    while at > 0 {
        at -= 1;
        let mut others = Some(Constraints::with_model(whole.model().clone()));
        for (i, term) in kept.iter().enumerate() {
            if i != at {
                others = others.and_then(|c| context.assume(&c, *term).ok().flatten());
            }
        }
        let not = context.symbols.pool.not(kept[at]);
        let implied = others.is_some_and(|c| matches!(context.assume(&c, not), Ok(None)));
        if implied {
            kept.remove(at);
        }
    }
    kept
}

/// A conjunct as Java; an index within bounds or not by two comparisons.
fn text(context: &ProofContext, term: Term) -> String {
    let s = &context.symbols;
    let bounds = |t: Term| match s.pool.node(t) {
        Node::Cmp(CmpOp::Ule, length, index) => Some((s.pool.show(index), s.pool.show(length))),
        _ => None,
    };
    if let Some((index, length)) = bounds(term) {
        return format!("({index} < 0 || {index} >= {length})");
    }
    if let Node::Not(inner) = s.pool.node(term)
        && let Some((index, length)) = bounds(inner)
    {
        return format!("{index} >= 0 && {index} < {length}");
    }
    if let Some((one, other)) = unlike_tests(context, term) {
        return format!("({}) != ({})", s.show(one), s.show(other));
    }
    let text = s.show(term);
    match s.pool.node(term) {
        Node::Or(..) => format!("({text})"),
        _ => text,
    }
}

/// Whether a conjunct says of two literals that they are unlike, which anyone sees.
fn is_of_literals(context: &ProofContext, term: Term) -> bool {
    let s = &context.symbols;
    let Node::Not(equal) = s.pool.node(term) else {
        return false;
    };
    match s.pool.node(equal) {
        Node::Eq(one, other) => s.units(one).is_some() && s.units(other).is_some(),
        _ => false,
    }
}

/// Two tests of which a condition says no more than that they come out unlike: javac makes numbers of them by jumps.
fn unlike_tests(context: &ProofContext, term: Term) -> Option<(Term, Term)> {
    let pool = &context.symbols.pool;
    let Node::Not(equal) = pool.node(term) else {
        return None;
    };
    let Node::Eq(one, other) = pool.node(equal) else {
        return None;
    };
    let test = |t: Term| match pool.node(t) {
        Node::Ite(test, yes, no) => Some((test, [pool.as_i64(yes)?, pool.as_i64(no)?])),
        _ => None,
    };
    let ((one, ways), (other, others)) = (test(one)?, test(other)?);
    (ways == others && ways[0] != ways[1]).then_some((one, other))
}

#[cfg(test)]
mod tests {
    use super::telling;

    #[test]
    fn a_condition_says_each_part_once_and_nothing_of_calls_that_return() {
        let told = |parts: &str| telling(parts.split("; ").map(String::from)).join("; ");
        assert_eq!(
            told("s != null; !f(…) throws; n > 3; s != null"),
            "s != null; n > 3"
        );
        assert_eq!(told("!g(…) throws; f(…) throws"), "f(…) throws");
        assert_eq!(told("n > 3; !put(…) throws; put(…) throws"), "");
        assert_eq!(told("\u{1}coder == 0; n > 3"), "n > 3");
        assert_eq!(told("!a || f(…) throws"), "!a || f(…) throws");
    }
}
