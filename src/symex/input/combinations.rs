//! The choice of combinations to try where there are too many.

use std::collections::VecDeque;

/// Choices of one way each: the first everywhere, then those that differ from it in one place, in two, and so on. The second
/// value tells whether there are more than `most`.
pub(in crate::symex) fn combinations(counts: &[usize], most: usize) -> (Vec<Vec<usize>>, bool) {
    let mut found: Vec<Vec<usize>> = Vec::new();
    if counts.contains(&0) {
        return (found, false);
    }
    let mut todo = VecDeque::from([(0, vec![0; counts.len()])]);
    while let Some((from, picked)) = todo.pop_front() {
        if found.len() == most {
            return (found, true);
        }
        let most_choices = counts.iter().copied().max().unwrap_or(0);
        // What a place has many choices for is not to push out the other places'.
        for choice in 1..most_choices {
            for at in (from..counts.len()).filter(|at| choice < counts[*at]) {
                let mut next = picked.clone();
                next[at] = choice;
                todo.push_back((at + 1, next));
            }
        }
        found.push(picked);
    }
    (found, false)
}

#[cfg(test)]
mod tests {
    use super::combinations;

    #[test]
    fn all_are_tried_once_those_nearest_to_the_first_choices_before() {
        let (found, more) = combinations(&[2, 3], 10);
        assert_eq!(
            found,
            [[0, 0], [1, 0], [0, 1], [0, 2], [1, 1], [1, 2]].map(Vec::from)
        );
        assert!(!more);
    }

    #[test]
    fn of_too_many_no_place_is_left_out() {
        let (found, more) = combinations(&[3; 12], 25);
        assert!(more);
        assert_eq!(found.len(), 25);
        assert!((0..12).all(|at| found.iter().any(|picked| picked[at] == 2)));
    }

    #[test]
    fn a_place_without_choices_leaves_nothing_and_no_places_one() {
        assert_eq!(combinations(&[2, 0], 10), (Vec::new(), false));
        assert_eq!(combinations(&[], 10), (vec![Vec::new()], false));
    }
}
