//! Variations of a known input: the same constructors and calls, with other numbers, strings and array elements.

use super::values::{primitive, text};
use crate::model::{Input, Inputs};
use crate::util::random::Random;

/// Longest arrays and strings that variations make.
const LONGEST_ARRAY: usize = 12;
const LONGEST_TEXT: usize = 64;
/// Parts changed at once, at most.
const MOST_CHANGES: usize = 3;

/// Constants of the program, which its conditions compare with.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    /// Whole numbers.
    pub numbers: Vec<i64>,
    /// Strings, as UTF-16 units.
    pub texts: Vec<Vec<u16>>,
}

/// Draws variations.
pub struct Variation {
    random: Random,
    dictionary: Dictionary,
}

impl Variation {
    /// Variations that draw from `random` and the program's constants.
    pub fn new(random: Random, dictionary: Dictionary) -> Variation {
        Variation { random, dictionary }
    }

    /// An input that differs from `inputs` in a few of its parts, if it has any that can differ.
    pub fn of(&mut self, inputs: &Inputs) -> Inputs {
        let mut varied = inputs.clone();
        for _ in 0..=self.random.below(MOST_CHANGES) {
            let parts = parts(&varied);
            if parts.is_empty() {
                return varied;
            }
            let others: Vec<Input> = parts.iter().map(|p| (*p).clone()).collect();
            let at = self.random.below(parts.len());
            let new = self.vary(&others[at], &others);
            replace(&mut varied, at, new);
        }
        varied
    }

    fn vary(&mut self, part: &Input, others: &[Input]) -> Input {
        match part {
            Input::Boolean(b) => Input::Boolean(!b),
            Input::Str(units) => Input::Str(self.text(units, others)),
            Input::Array { element, values } => Input::Array {
                element: element.clone(),
                values: self.elements(element, values),
            },
            number => self.number(number, others),
        }
    }

    /// Another value of the same primitive type: any, a constant of the program, the value of another part, or one next to it.
    fn number(&mut self, part: &Input, others: &[Input]) -> Input {
        let constant = |n: i64| with_number(part, n);
        match self.random.below(6) {
            0 if !self.dictionary.numbers.is_empty() => {
                let n = *self.random.pick(&self.dictionary.numbers);
                constant(n.wrapping_add(self.random.below(3) as i64 - 1))
            }
            1 | 2 => {
                let other = self.random.pick(others);
                number_of(other).map_or_else(|| part.clone(), constant)
            }
            3 => match number_of(part) {
                Some(n) => constant(n.wrapping_add(self.random.below(5) as i64 - 2)),
                None => primitive(&mut self.random, descriptor(part)),
            },
            _ => primitive(&mut self.random, descriptor(part)),
        }
    }

    fn text(&mut self, units: &[u16], others: &[Input]) -> Vec<u16> {
        let at = self.random.below(units.len() + 1);
        let (head, tail) = units.split_at(at);
        let piece: Vec<u16> = match self.random.below(5) {
            0 => return text(&mut self.random),
            1 => return tail.to_vec(),
            2 if !self.dictionary.texts.is_empty() => {
                self.random.pick(&self.dictionary.texts).clone()
            }
            3 => match self.random.pick(others) {
                Input::Str(other) => other.clone(),
                Input::Char(unit) => vec![*unit],
                _ => units.to_vec(),
            },
            _ => text(&mut self.random),
        };
        let mut made = [head, &piece, tail].concat();
        made.truncate(LONGEST_TEXT);
        made
    }

    fn elements(&mut self, element: &str, values: &[Input]) -> Vec<Input> {
        let mut made = values.to_vec();
        let at = self.random.below(made.len() + 1);
        let is_primitive = element.len() == 1;
        match self.random.below(3) {
            0 if at < made.len() => {
                made.remove(at);
            }
            1 if !values.is_empty() => made.insert(at, self.random.pick(values).clone()),
            _ if is_primitive => {
                let new = primitive(&mut self.random, element.as_bytes()[0]);
                made.insert(at, new);
            }
            _ if element == "Ljava/lang/String;" => {
                let new = text(&mut self.random);
                made.insert(at, Input::Str(new));
            }
            _ => made.insert(at, Input::Null),
        }
        made.truncate(LONGEST_ARRAY);
        made
    }
}

/// The simpler values that one part of an input may have instead, each in the whole input, the simplest first.
pub fn simpler(inputs: &Inputs) -> Vec<Inputs> {
    let mut all = Vec::new();
    for (at, part) in parts(inputs).into_iter().enumerate() {
        for simple in simpler_parts(part) {
            let mut changed = inputs.clone();
            replace(&mut changed, at, simple);
            all.push(changed);
        }
    }
    all
}

fn simpler_parts(part: &Input) -> Vec<Input> {
    match part {
        Input::Boolean(_) => Vec::new(),
        Input::Str(units) => {
            let mut shorter: Vec<Input> = vec![Vec::new(), units[..units.len() / 2].to_vec()]
                .into_iter()
                .chain((0..units.len()).map(|i| [&units[..i], &units[i + 1..]].concat()))
                .map(Input::Str)
                .collect();
            shorter.retain(|s| s != part);
            shorter
        }
        Input::Array { element, values } => (0..values.len())
            .map(|i| Input::Array {
                element: element.clone(),
                values: [&values[..i], &values[i + 1..]].concat(),
            })
            .collect(),
        number => {
            let size = |n: i64| (n.unsigned_abs(), n < 0);
            let before = number_of(number);
            let closer = before.map(|n| [n / 2, n / 10, n - n / 8, n - n.signum()]);
            [0, 1, -1, 2]
                .into_iter()
                .chain(closer.into_iter().flatten())
                .filter(|n| before.is_none_or(|b| size(*n) < size(b)))
                .map(|n| with_number(number, n))
                .filter(|new| new != number)
                .collect()
        }
    }
}

/// The parts of an input that can vary, in reading order.
fn parts(inputs: &Inputs) -> Vec<&Input> {
    let mut all = Vec::new();
    for input in inputs.receiver.iter().chain(&inputs.args) {
        collect(input, &mut all);
    }
    all
}

fn collect<'a>(input: &'a Input, all: &mut Vec<&'a Input>) {
    if can_vary(input) {
        all.push(input);
    }
    input.parts().for_each(|child| collect(child, all));
}

fn can_vary(input: &Input) -> bool {
    !matches!(
        input,
        Input::Null
            | Input::Boxed(_)
            | Input::Enum { .. }
            | Input::Object { .. }
            | Input::Result { .. }
            | Input::Field { .. }
            | Input::Class(_)
            | Input::Shared { .. }
            | Input::Same(_)
            | Input::StandIn { .. }
            | Input::Argument(_)
            | Input::Operation { .. }
            | Input::Lambda { .. }
    )
}

/// Puts another value in the place of the part of that number.
fn replace(inputs: &mut Inputs, at: usize, new: Input) {
    let (mut left, mut new) = (at, Some(new));
    for input in inputs.receiver.iter_mut().chain(&mut inputs.args) {
        put(input, &mut left, &mut new);
    }
}

fn put(input: &mut Input, left: &mut usize, new: &mut Option<Input>) {
    if can_vary(input) {
        if *left == 0
            && let Some(new) = new.take()
        {
            *input = new;
            return;
        }
        *left = left.saturating_sub(1);
    }
    if new.is_none() {
        return;
    }
    input.parts_mut().for_each(|part| put(part, left, new));
}

fn descriptor(part: &Input) -> u8 {
    match part {
        Input::Byte(_) => b'B',
        Input::Short(_) => b'S',
        Input::Char(_) => b'C',
        Input::Long(_) => b'J',
        Input::Float(_) => b'F',
        Input::Double(_) => b'D',
        _ => b'I',
    }
}

/// The number a part is, where it is a whole one.
fn number_of(part: &Input) -> Option<i64> {
    let whole = |d: f64| (d.fract() == 0.0 && d.abs() < 1e18).then_some(d as i64);
    match part {
        Input::Byte(n) => Some(i64::from(*n)),
        Input::Short(n) => Some(i64::from(*n)),
        Input::Char(n) => Some(i64::from(*n)),
        Input::Int(n) => Some(i64::from(*n)),
        Input::Long(n) => Some(*n),
        Input::Float(bits) => whole(f64::from(f32::from_bits(*bits))),
        Input::Double(bits) => whole(f64::from_bits(*bits)),
        _ => None,
    }
}

/// A part of the same type with that number, cut to it as a cast does.
fn with_number(part: &Input, n: i64) -> Input {
    match part {
        Input::Byte(_) => Input::Byte(n as i8),
        Input::Short(_) => Input::Short(n as i16),
        Input::Char(_) => Input::Char(n as u16),
        Input::Int(_) => Input::Int(n as i32),
        Input::Long(_) => Input::Long(n),
        Input::Float(_) => Input::Float((n as f32).to_bits()),
        Input::Double(_) => Input::Double((n as f64).to_bits()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs() -> Inputs {
        Inputs {
            receiver: Some(Input::Boxed(Box::new(Input::Int(5)))),
            args: vec![
                Input::Str("ab".encode_utf16().collect()),
                Input::Null,
                Input::Array {
                    element: "J".into(),
                    values: vec![Input::Long(1), Input::Long(-9)],
                },
            ],
        }
    }

    fn kinds(inputs: &Inputs) -> Vec<std::mem::Discriminant<Input>> {
        let all = inputs.receiver.iter().chain(&inputs.args);
        all.map(std::mem::discriminant).collect()
    }

    #[test]
    fn variations_keep_the_types_and_differ() {
        let mut variation = Variation::new(Random::new(1, "x"), Dictionary::default());
        let known = inputs();
        let all: Vec<Inputs> = (0..200).map(|_| variation.of(&known)).collect();
        assert!(all.iter().all(|v| kinds(v) == kinds(&known)));
        assert!(all.iter().filter(|v| **v != known).count() > 150);
    }

    #[test]
    fn variations_use_the_constants_of_the_program() {
        let dictionary = Dictionary {
            numbers: vec![123_456_789],
            texts: vec!["needle".encode_utf16().collect()],
        };
        let mut variation = Variation::new(Random::new(1, "x"), dictionary);
        let all: Vec<String> = (0..300)
            .map(|_| format!("{:?}", variation.of(&inputs())))
            .collect();
        let needle: Vec<u16> = "needle".encode_utf16().collect();
        let needle = format!("{needle:?}");
        assert!(all.iter().any(|v| v.contains("Int(123456789)")));
        assert!(
            all.iter()
                .any(|v| v.contains(needle.trim_matches(['[', ']'])))
        );
    }

    #[test]
    fn simpler_inputs_change_one_part_each() {
        let all = simpler(&inputs());
        let boxed = |n| Some(Input::Boxed(Box::new(Input::Int(n))));
        assert_eq!(all[0].receiver, boxed(0));
        assert!(all.iter().all(|s| parts(s).len() <= parts(&inputs()).len()));
        assert!(
            simpler(&Inputs {
                receiver: boxed(0),
                args: Vec::new()
            })
            .is_empty()
        );
    }
}
