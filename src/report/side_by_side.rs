//! Two texts line by line next to each other, with the parts of changed lines that differ.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Unchanged lines kept around a change; longer stretches are folded.
const CONTEXT: usize = 6;

/// Lines that are this unlike each other are not compared word by word.
const ALIKE: f32 = 0.4;

/// A line of one version: its number counted from 0, and its text in pieces, marked where it differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index of the line in its text.
    pub index: usize,
    /// Pieces in order, `true` for those the other version's line has not.
    pub pieces: Vec<(bool, String)>,
}

/// One row: the lines that stand next to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whether both are the same.
    pub same: bool,
    /// The old line.
    pub old: Option<Line>,
    /// The new line.
    pub new: Option<Line>,
}

/// Rows that are shown, or folded away because nothing in or near them changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Whether they are folded.
    pub folded: bool,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Rows of both texts in order, in sections. What is near a change or a row that `matters` is not folded.
pub fn side_by_side(old: &str, new: &str, matters: impl Fn(&Row) -> bool) -> Vec<Section> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &a, &b) {
        let (x, y) = (op.old_range(), op.new_range());
        let same = matches!(op, DiffOp::Equal { .. });
        for i in 0..x.len().max(y.len()) {
            let at = (x.start + i, y.start + i);
            rows.push(match (at.0 < x.end, at.1 < y.end) {
                (true, true) if same => row(true, Some((at.0, plain(a[at.0]))), {
                    Some((at.1, plain(b[at.1])))
                }),
                (true, true) => {
                    let (left, right) = words(a[at.0], b[at.1]);
                    row(false, Some((at.0, left)), Some((at.1, right)))
                }
                (true, false) => row(false, Some((at.0, plain(a[at.0]))), None),
                _ => row(false, None, Some((at.1, plain(b[at.1])))),
            });
        }
    }
    fold(rows, matters)
}

type Pieces = Vec<(bool, String)>;

fn row(same: bool, old: Option<(usize, Pieces)>, new: Option<(usize, Pieces)>) -> Row {
    let line = |l: (usize, Pieces)| Line {
        index: l.0,
        pieces: l.1,
    };
    Row {
        same,
        old: old.map(line),
        new: new.map(line),
    }
}

fn plain(text: &str) -> Pieces {
    vec![(false, text.to_string())]
}

/// Both lines in pieces; in one piece each when they have little in common.
fn words(old: &str, new: &str) -> (Pieces, Pieces) {
    let (a, b) = (tokens(old), tokens(new));
    let ops = capture_diff_slices(Algorithm::Myers, &a, &b);
    let shared: usize = ops
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }))
        .flat_map(|op| a[op.old_range()].iter())
        .filter(|t| !t.trim().is_empty())
        .map(|t| t.len())
        .sum();
    let all = old.trim().len().max(new.trim().len()).max(1);
    if (shared as f32) < ALIKE * all as f32 {
        return (plain(old), plain(new));
    }
    let (mut left, mut right) = (Pieces::new(), Pieces::new());
    for op in ops {
        let differs = !matches!(op, DiffOp::Equal { .. });
        for (side, text) in [
            (&mut left, a[op.old_range()].concat()),
            (&mut right, b[op.new_range()].concat()),
        ] {
            if !text.is_empty() {
                side.push((differs, text));
            }
        }
    }
    (left, right)
}

/// Words, and every other character on its own.
fn tokens(line: &str) -> Vec<&str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in line.char_indices() {
        if before.is_some_and(|b| !(word(b) && word(c))) {
            out.push(&line[start..at]);
            start = at;
        }
        before = Some(c);
    }
    out.push(&line[start..]);
    out
}

fn fold(rows: Vec<Row>, matters: impl Fn(&Row) -> bool) -> Vec<Section> {
    let shown = |i: &usize| !rows[*i].same || matters(&rows[*i]);
    let shown: Vec<usize> = (0..rows.len()).filter(shown).collect();
    let near = |i: usize| {
        let next = shown.partition_point(|c| *c < i);
        shown.get(next).is_some_and(|c| c - i <= CONTEXT)
            || next > 0 && i - shown[next - 1] <= CONTEXT
    };
    let folded: Vec<bool> = (0..rows.len()).map(|i| !near(i)).collect();
    let mut sections: Vec<Section> = Vec::new();
    for (row, folded) in rows.into_iter().zip(folded) {
        match sections.last_mut().filter(|s| s.folded == folded) {
            Some(section) => section.rows.push(row),
            None => sections.push(Section {
                folded,
                rows: vec![row],
            }),
        }
    }
    // A fold that hides less than it takes is no help.
    for section in &mut sections {
        section.folded &= section.rows.len() > 2;
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(sections: &[Section], side: impl Fn(&Row) -> Option<Line>) -> Vec<String> {
        let rows = sections.iter().flat_map(|s| &s.rows);
        rows.filter_map(side)
            .map(|l| l.pieces.into_iter().map(|p| p.1).collect())
            .collect()
    }

    #[test]
    fn a_changed_line_shows_what_changed_in_it() {
        let sections = side_by_side("a\nif (x > 10) {\nb", "a\nif (x > 20) {\nb", |_| false);
        let row = &sections[0].rows[1];
        let marked = |l: &Option<Line>| -> Vec<String> {
            let pieces = l.iter().flat_map(|l| l.pieces.clone());
            pieces.filter(|p| p.0).map(|p| p.1).collect()
        };
        assert_eq!((marked(&row.old), marked(&row.new)), {
            (vec!["10".to_string()], vec!["20".to_string()])
        });
    }

    #[test]
    fn long_unchanged_stretches_are_folded() {
        let same: String = (0..30).map(|i| format!("line {i}\n")).collect();
        let folds = |matters: fn(&Row) -> bool| -> Vec<(bool, usize)> {
            let sections = side_by_side(&format!("{same}a"), &format!("{same}b"), matters);
            sections.iter().map(|s| (s.folded, s.rows.len())).collect()
        };
        assert_eq!(folds(|_| false), [(true, 24), (false, 7)]);
        let first = |r: &Row| r.new.as_ref().is_some_and(|l| l.index == 0);
        assert_eq!(folds(first), [(false, 7), (true, 17), (false, 7)]);
    }

    proptest! {
        #[test]
        fn both_texts_are_there_in_full(old in "([ab(]{0,3}\n){0,12}", new in "([ab(é]{0,3}\n){0,12}") {
            let sections = side_by_side(&old, &new, |_| false);
            prop_assert_eq!(text(&sections, |r| r.old.clone()), old.lines().map(String::from).collect::<Vec<_>>());
            prop_assert_eq!(text(&sections, |r| r.new.clone()), new.lines().map(String::from).collect::<Vec<_>>());
        }
    }
}
