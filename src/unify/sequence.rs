//! Unified statement sequences: shared statements once, the others under `execute`, declarations where all their uses see them.

use super::statement_runs::Run;
use super::writer::{Grain, Refusal, WriteResult, Writer};
use crate::java::Node;

impl Writer<'_> {
    /// Two blocks, or constructor bodies.
    pub(super) fn blocks(&mut self, a: &Node, b: &Node) -> WriteResult {
        let (xs, ys): (Vec<&Node>, Vec<&Node>) = (a.named().collect(), b.named().collect());
        let (xs, ys) = self.constructor_calls(b, (&xs, &ys));
        self.sequences(xs, ys, b.end.saturating_sub(1))
    }

    /// Two sequences of statements; `end` is where the new one's block ends.
    pub(super) fn sequences(&mut self, xs: &[&Node], ys: &[&Node], end: usize) -> WriteResult {
        let runs = if self.grain == Grain::Coarse {
            self.ends(xs, ys)
        } else {
            self.aligned(xs, ys)
        };
        let differs =
            |w: &Self, run: &Run| !matches!(run, Run::Pair(i, j) if w.same(xs[*i], ys[*j]));
        let last = runs.iter().rposition(|r| differs(self, r));
        for (at, run) in runs.iter().enumerate() {
            let before = self.mark();
            let (i, j) = match run {
                Run::Pair(i, j) => (*i, *j),
                Run::Gap(olds, news) => (olds.start, news.start),
            };
            let written = match run {
                Run::Pair(i, j) if self.same(xs[*i], ys[*j]) => {
                    if last.is_some_and(|l| at < l) {
                        self.defined(ys[*j]);
                    }
                    Ok(())
                }
                Run::Pair(i, j) => match self.attempt(|w| w.pair(xs[*i], ys[*j])) {
                    Err(Refusal::Apart) => self.gap((xs, *i..*i + 1), (ys, *j..*j + 1), end),
                    done => done,
                },
                Run::Gap(olds, news) => {
                    let wrapped = self.grain == Grain::Deep
                        && self
                            .attempt(|w| w.made_conditional(&xs[olds.clone()], &ys[news.clone()]))
                            .is_ok();
                    if wrapped {
                        Ok(())
                    } else {
                        self.gap((xs, olds.clone()), (ys, news.clone()), end)
                    }
                }
            };
            match written {
                Ok(()) => {}
                Err(Refusal::Leaks | Refusal::Apart) => {
                    self.back_to(before);
                    return self.apart(&xs[i..], &ys[j..], end);
                }
            }
        }
        Ok(())
    }
}
