//! The rounds of one search: it is begun anew behind an input that hung or ended the process.

use super::{Came, Entry, Scope, Searcher, out_of_time};
use crate::check::access::access;
use crate::check::collector::Collector;
use crate::error::Error;
use crate::jvm::Worker;
use crate::jvm::search::{SearchRequest, Searched, ValueKind};
use crate::model::reason::Reason;
use crate::model::{Evidence, Inputs, MethodRef};
use crate::search::EntryKinds;
use crate::symex::Stop;
use crate::util::random::Random;
use std::collections::BTreeSet;

/// Searches begun anew behind an input that hung or ended the process.
const MAX_ROUNDS: u32 = 3;
/// Further ones behind faults of the JVM: each does without the method that made a part of the input and those like it, or runs the same
/// inputs again to know the one that ran.
const MOST_CRASHES: u32 = 12;
/// Loop turns and calls of one run in one version.
const STEPS: u32 = 200_000;
/// Processes that share the search of a method that is alone.
const SIDES: u32 = 2;
/// How often inputs may break the JVM before a method is searched no more.
const MOST_BROKEN: u32 = 4;
/// How often faults may end the JVM of a method's searches: each takes seconds.
const MOST_FAULTS: u32 = 16;

/// A search as it goes from round to round.
pub(super) struct Rounds<'a> {
    searcher: &'a Searcher<'a>,
    scope: &'a Scope<'a>,
    /// Decides with the entry and the round what is drawn.
    name: &'a str,
    /// What the first round of each process begins with: its part of what is known.
    seeds: Vec<Vec<Inputs>>,
    /// Runs that may still be made.
    left: u32,
    /// The number of this round, and how many may still hang or end the process.
    round: u32,
    rounds_left: u32,
    /// Whether each input is told before it runs.
    tells: bool,
    came: Came,
}

impl<'a> Rounds<'a> {
    /// A search of that name that makes so many runs and begins with these inputs.
    pub fn new(
        searcher: &'a Searcher<'a>,
        scope: &'a Scope<'a>,
        (name, left, seeds): (&'a str, u32, &[Inputs]),
    ) -> Rounds<'a> {
        // A method alone leaves a processor idle while it is searched.
        let is_shared = name.is_empty() && searcher.analysis.open == 1;
        let sides = if is_shared { SIDES as usize } else { 1 };
        let of_side = |side: usize| seeds.iter().skip(side).step_by(sides).cloned().collect();
        Rounds {
            searcher,
            scope,
            name,
            seeds: (0..sides).map(of_side).collect(),
            left,
            round: 0,
            rounds_left: MAX_ROUNDS,
            tells: false,
            came: Came::default(),
        }
    }

    /// What they come to, with the evidence added.
    ///
    /// # Errors
    /// The worker process can't be used.
    pub fn run(
        mut self,
        collector: &mut Collector,
        worker: &mut Worker,
        evidence: &mut Evidence,
    ) -> Result<Came, Error> {
        for _ in 0..MAX_ROUNDS + MOST_CRASHES {
            if self.is_over(collector) {
                break;
            }
            let kinds = self.scope.entry.kinds.without(&collector.avoided);
            let searched = self.searched(worker, &kinds)?;
            let crashed_in = searched.crashed_in.as_ref();
            collector.faults += u32::from(crashed_in.is_some());
            if crashed_in.is_some_and(|m| self.is_entry(m)) && !self.tells {
                // The same inputs once more, to know the one that ran.
                self.tells = true;
                continue;
            }
            count(evidence, &searched);
            self.tell_limits(collector, &searched);
            let is_blamed = self.avoid(collector, &kinds, &searched);
            let is_broken = searched.broken;
            self.take(searched, is_blamed);
            if !is_broken {
                break;
            }
        }
        Ok(self.came)
    }

    fn is_over(&self, collector: &Collector) -> bool {
        let is_broken = collector.broken >= MOST_BROKEN || collector.faults >= MOST_FAULTS;
        let is_spent = self.rounds_left == 0 || self.left == 0;
        is_spent || !self.came.found.is_empty() || self.searcher.deadline.is_over() || is_broken
    }

    /// One round.
    fn searched(&self, worker: &mut Worker, kinds: &[ValueKind]) -> Result<Searched, Error> {
        let entry = self.searcher.entry;
        let name = format!(
            "{}{}{}{}",
            self.name, entry.name, entry.descriptor, self.round
        );
        let sides = 0..self.seeds.len();
        let requests: Vec<SearchRequest> =
            sides.map(|side| self.request(&name, side, kinds)).collect();
        let searched = self
            .searcher
            .analysis
            .spent
            .on("running inputs", || worker.search(&requests))?;
        tracing::debug!(
            name,
            entry = format!("{}#{}", entry.class, entry.name),
            runs = searched.runs,
            unbuilt = searched.unbuilt,
            built_at = searched.built_at,
            reached = ?searched.reached,
            kept = searched.kept,
            unsteady = searched.unsteady,
            megabytes = searched.megabytes,
            spent = searched.spent,
            computed = ?searched.computed,
            found_at = ?searched.found_at,
            endless = ?searched.endless,
            "searched"
        );
        Ok(searched)
    }

    /// What one of the processes is asked.
    fn request<'b>(&'b self, name: &str, side: usize, kinds: &'b [ValueKind]) -> SearchRequest<'b> {
        let (scope, analysis) = (self.scope, self.searcher.analysis);
        let sides = u32::try_from(self.seeds.len()).unwrap_or(SIDES);
        let drawn = format!("{name}{}", "beside".repeat(side));
        let range = analysis.options.bounds.int_range;
        let seeds: &[Inputs] = if self.round == 0 {
            &self.seeds[side]
        } else {
            &[]
        };
        SearchRequest {
            old: &scope.paths[0],
            new: &scope.paths[1],
            entry: self.searcher.entry,
            is_static: scope.entry.is_static,
            runs: self.left / sides,
            steps: STEPS,
            time: self.searcher.deadline.left(),
            seed: Random::new(analysis.options.exploration.seed, &drawn).bits(),
            sites: scope.sites,
            places: [&scope.places[0], &scope.places[1]],
            kinds,
            libraries: &scope.entry.libraries,
            receiver: scope.entry.kinds.receiver,
            parameters: &scope.entry.kinds.parameters,
            words: &scope.words,
            range: range.unwrap_or((i64::MIN, i64::MAX)),
            asks: !self.came.is_unasked,
            counts_state: self.searcher.counts_state,
            tells: self.tells,
            sides,
            seeds,
        }
    }

    /// Takes what a round came to; `is_blamed`: a fault of the JVM in it named something new, which the next ones go without.
    fn take(&mut self, searched: Searched, is_blamed: bool) {
        self.came.crashing.extend(searched.running);
        self.came.is_unasked |= searched.is_unasked;
        self.came.found.extend(searched.found);
        self.came.farthest = searched.farthest;
        self.left = self.left.saturating_sub(searched.spent.max(searched.runs));
        self.rounds_left -= u32::from(!is_blamed);
        self.round += 1;
        self.tells = false;
    }

    /// Whether a method of a report is the entry, which may be declared by a class above.
    fn is_entry(&self, method: &MethodRef) -> bool {
        let entry = self.searcher.entry;
        let is_alike = method.name == entry.name && method.descriptor == entry.descriptor;
        is_alike && (method.class == entry.class || method.name != "<init>")
    }

    /// Notes what searches to come go without: what did not end, or ended the JVM. Whether a fault of the JVM named something new.
    fn avoid(&self, collector: &mut Collector, kinds: &[ValueKind], searched: &Searched) -> bool {
        let entry: &Entry = self.scope.entry;
        collector.avoided.extend(searched.endless.clone());
        let crashed_in = searched.crashed_in.iter();
        let mut blamed: BTreeSet<MethodRef> =
            crashed_in.flat_map(|m| entry.kinds.like(m)).collect();
        blamed.retain(|m| !collector.avoided.contains(m));
        let is_blamed = !blamed.is_empty();
        collector.avoided.extend(blamed);
        if searched.broken && searched.runs == 0 && !is_blamed {
            collector.broken += 1;
            let new = &self.searcher.analysis.new;
            let risks = EntryKinds::risks(kinds, |m| access(new, m));
            collector.avoided.extend(risks);
        }
        is_blamed
    }

    fn tell_limits(&self, collector: &mut Collector, searched: &Searched) {
        let bound = |detail: &str| Stop::bound(Reason::SearchInput, detail);
        if searched.broken {
            let detail =
                "an input of the search hung or ended the process, or inputs left many threads";
            collector.limit(bound(detail), None);
        }
        if self.searcher.deadline.is_over() {
            collector.limit(out_of_time(), None);
        } else if searched.is_late {
            let detail = "its runs take long: fewer inputs ran than were allowed";
            collector.limit(bound(detail), None);
        }
    }
}

fn count(evidence: &mut Evidence, searched: &Searched) {
    let [_, _, both] = searched.reached;
    evidence.runs += u64::from(searched.runs);
    evidence.runs_reached += u64::from(both);
    evidence.reached |= both > 0;
    let is_hard = searched.unbuilt > searched.runs / 2 && !searched.obstacle.is_empty();
    evidence.obstacle = is_hard.then(|| searched.obstacle.clone());
}
