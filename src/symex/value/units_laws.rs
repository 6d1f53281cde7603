//! The formulas over units give what the same operation gives on known text.

use crate::expr::{Arith, BvOp, Model, Pool, Sort, Term, Value, VarId};
use crate::symex::value::surrogates::units_of;
use crate::symex::value::units::Units;

const MOST: usize = 4;
/// Few enough units that searches hit, with a letter's both cases, a space and both halves of surrogate pairs.
const ALPHABET: [u16; 6] = [0x61, 0x62, 0x20, 0xd83d, 0xde00, 0x41];

struct World {
    pool: Pool,
    model: Vec<(VarId, Value)>,
    seed: u64,
}

impl World {
    fn new(seed: u64) -> World {
        World {
            pool: Pool::new(Arith::Java),
            model: Vec::new(),
            seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    fn below(&mut self, n: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed % n
    }

    fn open(&mut self, name: &str, sort: Sort, value: i64) -> Term {
        let width = if sort == Sort::Bv(16) { 16 } else { 32 };
        let term = self.pool.var(name, sort, None);
        let id = self.pool.vars_of(term)[0];
        self.model.push((id, Value::Bv(width, value)));
        term
    }

    fn int(&mut self, n: i32) -> Term {
        self.open("n", Sort::Bv(32), i64::from(n))
    }

    /// An open run with a known text.
    fn run(&mut self) -> (Units, Vec<u16>) {
        let len = self.below(MOST as u64 + 1) as usize;
        let known: Vec<u16> = (0..MOST)
            .map(|_| ALPHABET[self.below(ALPHABET.len() as u64) as usize])
            .collect();
        let units = known
            .iter()
            .map(|u| self.open("u", Sort::Bv(16), i64::from(*u as i16)))
            .collect();
        let len_term = self.int(len as i32);
        let run = Units {
            len: len_term,
            units,
        };
        (run, known[..len].to_vec())
    }

    fn number(&self, term: Term) -> i64 {
        let model = Model::default().overlaid(self.model.iter().copied());
        self.pool.eval(term, &model).as_i64().unwrap_or(i64::MIN)
    }

    fn text(&self, run: &Units) -> Vec<u16> {
        let len = self.number(run.len) as usize;
        assert!(len <= run.units.len());
        let units = run.units[..len].iter();
        units.map(|u| self.number(*u) as u16).collect()
    }
}

fn found(at: Option<usize>) -> i64 {
    at.map_or(-1, |i| i as i64)
}

fn stands(text: &[u16], wanted: &[u16], at: usize) -> bool {
    text.get(at..at + wanted.len()) == Some(wanted)
}

#[test]
fn searches_find_what_a_scan_finds() {
    for seed in 1..400 {
        let mut w = World::new(seed);
        let ((a, text), (b, wanted)) = (w.run(), w.run());
        let n = w.below(8) as i32 - 2;
        let from = w.int(n);
        let (first, last) = (
            a.index_of(&mut w.pool, &b, from),
            a.last_index_of(&mut w.pool, &b, from),
        );
        let start = (n.max(0) as usize).min(text.len());
        let expected = (start..=text.len()).find(|i| stands(&text, &wanted, *i));
        assert_eq!(
            w.number(first),
            found(expected),
            "{text:x?} {wanted:x?} {n}"
        );
        let expected = (0..=text.len())
            .rev()
            .find(|i| *i as i32 <= n && stands(&text, &wanted, *i));
        assert_eq!(w.number(last), found(expected), "{text:x?} {wanted:x?} {n}");
        let difference = a.compare(&mut w.pool, &b);
        let differ = text.iter().zip(&wanted).find(|(x, y)| x != y);
        let expected = differ.map_or(text.len() as i64 - wanted.len() as i64, |(x, y)| {
            i64::from(*x) - i64::from(*y)
        });
        assert_eq!(w.number(difference), expected, "{text:x?} {wanted:x?}");
    }
}

#[test]
fn cutting_and_splicing_move_units_as_vectors_do() {
    for seed in 1..400 {
        let mut w = World::new(seed);
        let ((a, text), (b, other)) = (w.run(), w.run());
        let end = w.below(text.len() as u64 + 1) as usize;
        let begin = w.below(end as u64 + 1) as usize;
        let (from, to) = (w.int(begin as i32), w.int(end as i32));
        let cut = a.slice(&mut w.pool, from, to);
        assert_eq!(w.text(&cut), text[begin..end]);
        let spliced = a.splice(&mut w.pool, from, to, &b);
        let mut expected = text.clone();
        expected.splice(begin..end, other);
        assert_eq!(w.text(&spliced), expected);
        let (solid_from, solid_to) = a.stripped(&mut w.pool, |pool, u| {
            let space = pool.bv(16, 0x20);
            pool.eq(u, space)
        });
        let first = text.iter().position(|u| *u != 0x20).unwrap_or(text.len());
        let last = text
            .iter()
            .rposition(|u| *u != 0x20)
            .map_or(first, |i| i + 1);
        let stripped = (w.number(solid_from), w.number(solid_to));
        assert_eq!(stripped, (first as i64, last as i64), "{text:x?}");
    }
}

fn replace_all(text: &[u16], target: &[u16], by: &[u16]) -> Vec<u16> {
    if target.is_empty() {
        let each = text.iter().flat_map(|u| std::iter::once(u).chain(by));
        return by.iter().chain(each).copied().collect();
    }
    let (mut all, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if stands(text, target, at) {
            all.extend(by);
            at += target.len();
        } else {
            all.push(text[at]);
            at += 1;
        }
    }
    all
}

#[test]
fn replacement_goes_left_to_right_without_overlap() {
    for seed in 1..300 {
        let mut w = World::new(seed);
        let ((a, text), (b, target), (c, by)) = (w.run(), w.run(), w.run());
        let replaced = a.replace(&mut w.pool, &b, &c);
        let expected = replace_all(&text, &target, &by);
        assert_eq!(w.text(&replaced), expected, "{text:x?} {target:x?} {by:x?}");
    }
}

#[test]
fn surrogate_pairs_are_one_code_point() {
    for seed in 1..400 {
        let mut w = World::new(seed);
        let (a, text) = w.run();
        let (zero, len) = (w.int(0), a.len);
        let count = a.code_points(&mut w.pool, zero, len);
        let points: Vec<u32> = char::decode_utf16(text.iter().copied())
            .map(|c| c.map_or_else(|e| u32::from(e.unpaired_surrogate()), u32::from))
            .collect();
        assert_eq!(w.number(count), points.len() as i64, "{text:x?}");
        let reversed = a.reversed(&mut w.pool);
        let mut expected = Vec::new();
        for point in points.iter().rev() {
            match char::from_u32(*point) {
                Some(c) => expected.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                None => expected.push(*point as u16),
            }
        }
        // Halves that come to stand side by side by the reversal stay as they are.
        assert_eq!(w.text(&reversed), expected, "{text:x?}");
        if let (Some(first), Some(last)) = (points.first(), points.last()) {
            let begin = a.code_point(&mut w.pool, zero, len);
            assert_eq!(w.number(begin), i64::from(*first), "{text:x?}");
            let end = a.code_point_before(&mut w.pool, len, zero);
            assert_eq!(w.number(end), i64::from(*last), "{text:x?}");
            let wanted = w.int(*first as i32);
            let spelled = units_of(&mut w.pool, wanted);
            let there = a.code_point_stands(&mut w.pool, wanted, 0);
            let one = w.pool.int(1);
            let (yes, no) = (one, zero);
            let there = w.pool.ite(there, yes, no);
            let difference = w.pool.bin(BvOp::Sub, there, one);
            assert_eq!(w.number(difference), 0, "{text:x?}");
            assert_eq!(
                w.text(&spelled),
                text[..w.text(&spelled).len()],
                "{text:x?}"
            );
        }
    }
}
