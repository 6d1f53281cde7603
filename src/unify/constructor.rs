//! Constructor calls at the start of a constructor: calls that both versions make are unified, otherwise each version keeps its own call.

use super::insertion::{mark, one_line};
use super::writer::{Grain, Writer};
use crate::java::Node;
use crate::model::Level;

type Statements<'s, 'n> = (&'s [&'n Node], &'s [&'n Node]);

impl Writer<'_> {
    /// Unifies the explicit constructor calls that two bodies begin with; gives the statements behind them. Where no argument can be
    /// changed in place, the text keeps the new call and names the old one, which the class file gets back.
    pub(super) fn constructor_calls<'s, 'n>(
        &mut self,
        body: &Node,
        (xs, ys): Statements<'s, 'n>,
    ) -> Statements<'s, 'n> {
        let call = |nodes: &[&'n Node]| {
            let first = nodes.first().copied();
            first.filter(|n| n.kind == "explicit_constructor_invocation")
        };
        let (old, new) = (call(xs), call(ys));
        let rest = (
            &xs[usize::from(old.is_some())..],
            &ys[usize::from(new.is_some())..],
        );
        if let (Some(a), Some(b)) = (old, new)
            && (self.same(a, b)
                || self.grain != Grain::Coarse && self.attempt(|w| w.pair(a, b)).is_ok())
        {
            return rest;
        }
        if old.is_some() || new.is_some() {
            let text = old.map_or("super();".into(), |a| one_line(a.text(self.old)));
            let at = new.map_or(body.start + 1, |b| b.end);
            let literal = text.replace('\\', "\\\\").replace('"', "\\\"");
            self.level = Level::Statement;
            self.insert(
                at,
                vec![mark(format!(
                    " com.shadowci.Shadow.oldCall(\"{literal}\"); "
                ))],
            );
        }
        rest
    }
}
