//! A function of one UTF-16 unit as runs of units on which it is a constant, or the unit plus a constant.

use crate::expr::{BvOp, CmpOp, Pool, Term};
use std::sync::Arc;

/// How a table's method is called: class, name, descriptor, and the constant second argument if it has two.
pub type Call = (Arc<str>, Arc<str>, Arc<str>, Option<i32>);

/// What a method gives for every unit, as runs on which it is a constant or the unit plus a constant.
#[derive(Debug)]
pub struct Table {
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    first: u16,
    image: Image,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Image {
    Constant(i32),
    Shifted(i32),
}

impl Table {
    /// Groups the images of 0, 1, 2 …
    pub(in crate::symex) fn of(images: &[i32]) -> Table {
        let mut runs = Vec::new();
        let mut at = 0;
        while at < images.len() {
            let rest = images[at..].iter().enumerate();
            let value = images[at];
            let shift = value.wrapping_sub(at as i32);
            let constant = rest.clone().take_while(|(_, v)| **v == value).count();
            let shifted = rest
                .take_while(|(i, v)| v.wrapping_sub((at + i) as i32) == shift)
                .count();
            let image = if constant >= shifted {
                Image::Constant(value)
            } else {
                Image::Shifted(shift)
            };
            runs.push(Run {
                first: at as u16,
                image,
            });
            at += constant.max(shifted);
        }
        Table { runs }
    }

    /// The image of a known unit.
    pub(in crate::symex) fn image(&self, unit: u16) -> i32 {
        let at = self.runs.partition_point(|run| run.first <= unit);
        match at.checked_sub(1).map(|i| self.runs[i].image) {
            Some(Image::Constant(n)) => n,
            Some(Image::Shifted(by)) => i32::from(unit).wrapping_add(by),
            None => 0,
        }
    }

    /// The image of a unit (16 bits), as an int.
    pub(in crate::symex) fn apply(&self, pool: &mut Pool, unit: Term) -> Term {
        self.search(pool, unit, &self.runs, |pool, image| match image {
            Image::Constant(n) => pool.int(n),
            Image::Shifted(by) => {
                let (int, by) = (pool.zext(32, unit), pool.int(by));
                pool.bin(BvOp::Add, int, by)
            }
        })
    }

    /// Whether a unit's image is so.
    pub(in crate::symex) fn holds(
        &self,
        pool: &mut Pool,
        unit: Term,
        is: impl Fn(i32) -> bool,
    ) -> Term {
        let mut truths: Vec<Run> = Vec::new();
        for (i, run) in self.runs.iter().enumerate() {
            let end = self
                .runs
                .get(i + 1)
                .map_or(0x1_0000, |r| u32::from(r.first));
            let units = match run.image {
                Image::Constant(_) => u32::from(run.first)..u32::from(run.first) + 1,
                Image::Shifted(_) => u32::from(run.first)..end,
            };
            for at in units {
                let image = match run.image {
                    Image::Constant(n) => n,
                    Image::Shifted(by) => (at as i32).wrapping_add(by),
                };
                let image = Image::Constant(i32::from(is(image)));
                if truths.last().is_none_or(|t| t.image != image) {
                    let first = at as u16;
                    truths.push(Run { first, image });
                }
            }
        }
        self.search(pool, unit, &truths, |pool, image| {
            pool.bool(image == Image::Constant(1))
        })
    }

    /// Binary search for the unit's run, as a term.
    fn search(
        &self,
        pool: &mut Pool,
        unit: Term,
        runs: &[Run],
        leaf: impl Fn(&mut Pool, Image) -> Term + Copy,
    ) -> Term {
        match runs {
            [] => leaf(pool, Image::Constant(0)),
            [run] => leaf(pool, run.image),
            _ => {
                let (low, high) = runs.split_at(runs.len() / 2);
                let bound = pool.bv(16, i64::from(high[0].first));
                let below = pool.cmp(CmpOp::Ult, unit, bound);
                let (yes, no) = (
                    self.search(pool, unit, low, leaf),
                    self.search(pool, unit, high, leaf),
                );
                pool.ite(below, yes, no)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use crate::expr::{Arith, Model, Pool, Sort};

    #[test]
    fn a_table_gives_back_what_it_was_made_of() {
        let images: Vec<i32> = (0..0x1_0000)
            .map(|i| match i {
                0x41..=0x5a => i + 32,
                0x100..=0x17f => i | 1,
                0x200..=0x2ff => -1,
                _ => i,
            })
            .collect();
        let (table, mut pool) = (Table::of(&images), Pool::new(Arith::Java));
        let unit = pool.var("u", Sort::Bv(16), None);
        let (image, negative) = (
            table.apply(&mut pool, unit),
            table.holds(&mut pool, unit, |i| i < 0),
        );
        let id = pool.vars_of(unit)[0];
        for (i, expected) in images.iter().enumerate() {
            let value = crate::expr::Value::Bv(16, i64::from(i as u16 as i16));
            let model = Model::default().overlaid([(id, value)]);
            let found = pool.eval(image, &model).as_i64();
            assert_eq!(found, Some(i64::from(*expected)), "{i:#x}");
            assert_eq!(pool.holds(negative, &model), *expected < 0, "{i:#x}");
        }
    }
}
