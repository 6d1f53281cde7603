//! Messages of the search: how inputs are made, what to run, and the results.

use super::wire::{Reader, Writer};
use crate::model::{Input, Inputs, MethodRef};
use std::path::PathBuf;
use std::time::Duration;

/// A constructor, a static factory, or a method of an object of another kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Maker {
    /// The kind of the object it is called on; `None` of constructors, of factories, and of calls on what was made.
    pub receiver: Option<u32>,
    /// The method.
    pub method: MethodRef,
    /// The kinds of its arguments.
    pub args: Vec<u32>,
}

/// How values of a type are made. Kinds name each other by their numbers, in circles too.
#[derive(Clone, Debug, PartialEq)]
pub enum Generator {
    /// Nothing but `null`.
    Null,
    /// A primitive of that descriptor.
    Primitive(u8),
    /// A string.
    Text,
    /// The box of a primitive.
    Boxed(u8),
    /// An array: descriptor and kind of the elements.
    Array(String, u32),
    /// Enum constants, and what static fields hold.
    Constants(Vec<Input>),
    /// `Class` objects, by binary name.
    Classes(Vec<String>),
    /// One of several kinds.
    OneOf(Vec<u32>),
    /// A lambda.
    Lambda(Function),
    /// An object of an interface with several methods.
    StandIn(String, Vec<Function>),
    /// Objects.
    Objects {
        /// What makes them.
        makers: Vec<Maker>,
        /// What may be called on them then.
        calls: Vec<Maker>,
        /// How many calls at most.
        most_calls: u32,
    },
}

/// A method of an interface, which an input implements.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The method.
    pub method: MethodRef,
    /// The kind of its result; `None` of a void one.
    pub result: Option<u32>,
    /// Those of its parameters.
    pub parameters: Vec<u32>,
    /// Parameters that are functions themselves, which it may call: their places, and what they are.
    pub calls: Vec<(u32, Function)>,
}

/// A kind of values.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueKind {
    /// How they are made.
    pub generator: Generator,
    /// Whether they may be null.
    pub nullable: bool,
}

/// What the program's conditions compare with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// Numbers in and near the changed code.
    pub near_numbers: Vec<i64>,
    /// Numbers of the classes around.
    pub far_numbers: Vec<i64>,
    /// Numbers in and near the changed code that are not whole: bits of doubles.
    pub near_reals: Vec<i64>,
    /// Texts in and near the changed code.
    pub near_texts: Vec<Vec<u16>>,
    /// Texts of the classes around.
    pub far_texts: Vec<Vec<u16>>,
}

/// Places with probes, of one version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// Sites of changed instructions.
    pub changed: Vec<u32>,
    /// First and one-behind-last sites of changed methods, in turn.
    pub around: Vec<u32>,
}

/// What is searched for, and how.
#[derive(Clone, Debug)]
pub struct SearchRequest<'a> {
    /// Class path of the old version, the classes with probes first.
    pub old: &'a [PathBuf],
    /// Class path of the new version.
    pub new: &'a [PathBuf],
    /// What is called.
    pub entry: &'a MethodRef,
    /// Whether it is static.
    pub is_static: bool,
    /// Runs of both versions, at most.
    pub runs: u32,
    /// Loop turns and calls of one run, at most.
    pub steps: u32,
    /// How long all runs may take by the clock, where a safety net limits that.
    pub time: Option<Duration>,
    /// What inputs are drawn from.
    pub seed: u64,
    /// How many sites there are in both versions.
    pub sites: u32,
    /// Places of both versions.
    pub places: [&'a Places; 2],
    /// All kinds.
    pub kinds: &'a [ValueKind],
    /// Classes of libraries among those that make inputs: with large numbers they may run for very long, and no probe stops them.
    pub libraries: &'a [String],
    /// The kind of the receiver, where there is one.
    pub receiver: Option<u32>,
    /// The kinds of the arguments.
    pub parameters: &'a [u32],
    /// Words of the program.
    pub words: &'a Words,
    /// Range of ints and longs.
    pub range: (i64, i64),
    /// How many processes share the search, each with its part of the runs: they tell each other now and then what they kept.
    pub sides: u32,
    /// Whether objects of libraries are asked what they hold.
    pub asks: bool,
    /// Whether another state of receiver or arguments is a difference.
    pub counts_state: bool,
    /// Whether each input is told before it runs: a fault of the JVM leaves no other trace of it.
    pub tells: bool,
    /// Inputs to begin with.
    pub seeds: &'a [Inputs],
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Searched {
    /// Whether it ended early: an input hung or ended the process.
    pub broken: bool,
    /// Runs of both versions.
    pub runs: u32,
    /// Inputs that could not be built in a version.
    pub unbuilt: u32,
    /// How much was spent when the first input was built; `None` where none was.
    pub built_at: Option<u32>,
    /// Runs in which the old version, the new one, and both came to the changed code.
    pub reached: [u32; 3],
    /// Inputs kept since they came farther.
    pub kept: u32,
    /// Differences that did not show again in fresh class loaders.
    pub unsteady: u32,
    /// Megabytes that were allocated, the making of inputs included.
    pub megabytes: u32,
    /// Whether the runs together took so long that the rest of them was left out.
    pub is_late: bool,
    /// Whether it left nothing in its process that runs: another search may follow there.
    pub is_clean: bool,
    /// What the runs, and the making of their inputs, count as together: the number of runs that the request allows.
    pub spent: u32,
    /// How long they computed; none where the search was ended.
    pub computed: Duration,
    /// Whether an object of a library, asked what it holds, did not end: none is asked any more then.
    pub is_unasked: bool,
    /// The member that threw most often while inputs were built, and what; empty where none did.
    pub obstacle: String,
    /// What made a part of an input as that hung.
    pub endless: Option<MethodRef>,
    /// What had been called, for an input or with it, when a fault ended the JVM.
    pub crashed_in: Option<MethodRef>,
    /// The input that ran then, where they were told.
    pub running: Option<Inputs>,
    /// Inputs on which the versions differ.
    pub found: Vec<Inputs>,
    /// What was spent when each of them was seen.
    pub found_at: Vec<u32>,
    /// A few of the inputs that were kept: the last ones, and where any come to the change, those.
    pub farthest: Vec<Inputs>,
}

impl SearchRequest<'_> {
    /// As the worker reads it.
    pub(super) fn encoded(&self) -> Vec<u8> {
        let mut w = Writer::default();
        w.byte(b'S');
        for path in [self.old, self.new] {
            w.strings(path.iter().map(|p| p.to_string_lossy().to_string()));
        }
        w.method(self.entry);
        w.byte(u8::from(self.is_static));
        w.int(self.runs.try_into().unwrap_or(i32::MAX));
        w.int(self.steps.try_into().unwrap_or(i32::MAX));
        let time = self.time.map(|t| i64::try_from(t.as_millis()));
        w.long(time.map_or(i64::MAX, |t| t.unwrap_or(i64::MAX)));
        w.long(self.seed as i64);
        w.int(self.sites as i32);
        for numbers in [
            &self.places[0].changed,
            &self.places[1].changed,
            &self.places[0].around,
            &self.places[1].around,
        ] {
            w.ints(numbers);
        }
        w.strings(self.libraries.iter());
        w.int(self.kinds.len() as i32);
        self.kinds.iter().for_each(|k| kind(&mut w, k));
        w.byte(u8::from(self.receiver.is_some()));
        let all: Vec<u32> = self
            .receiver
            .iter()
            .chain(self.parameters)
            .copied()
            .collect();
        w.ints(&all);
        let words = &self.words;
        for numbers in [&words.near_numbers, &words.far_numbers, &words.near_reals] {
            w.int(numbers.len() as i32);
            numbers.iter().for_each(|n| w.long(*n));
        }
        for texts in [&words.near_texts, &words.far_texts] {
            w.int(texts.len() as i32);
            texts.iter().for_each(|t| w.units(t));
        }
        w.long(self.range.0);
        w.long(self.range.1);
        w.int(self.seeds.len() as i32);
        for seed in self.seeds {
            w.inputs(&parts(seed));
        }
        w.byte(u8::from(self.asks));
        w.byte(u8::from(self.counts_state));
        w.byte(u8::from(self.tells));
        w.int(self.sides as i32);
        w.0
    }
}

fn kind(w: &mut Writer, kind: &ValueKind) {
    let tag = match &kind.generator {
        Generator::Null => b'N',
        Generator::Primitive(_) => b'P',
        Generator::Text => b'T',
        Generator::Boxed(_) => b'X',
        Generator::Array(..) => b'A',
        Generator::Constants(_) => b'E',
        Generator::Classes(_) => b'c',
        Generator::OneOf(_) => b'U',
        Generator::Lambda(..) => b'L',
        Generator::StandIn(..) => b'i',
        Generator::Objects { .. } => b'O',
    };
    w.byte(tag);
    w.byte(u8::from(kind.nullable));
    match &kind.generator {
        Generator::Null | Generator::Text => {}
        Generator::Primitive(of) | Generator::Boxed(of) => w.byte(*of),
        Generator::Array(element, of) => {
            w.string(element);
            w.int(*of as i32);
        }
        Generator::Constants(all) => {
            w.int(all.len() as i32);
            all.iter().for_each(|constant| w.input(constant));
        }
        Generator::Classes(names) => w.strings(names.iter()),
        Generator::OneOf(kinds) => w.ints(kinds),
        Generator::StandIn(class, functions) => {
            w.string(class);
            w.int(functions.len() as i32);
            functions.iter().for_each(|f| function(w, f));
        }
        Generator::Lambda(of) => function(w, of),
        Generator::Objects {
            makers,
            calls,
            most_calls,
        } => {
            for all in [makers, calls] {
                w.int(all.len() as i32);
                for maker in all {
                    w.int(maker.receiver.map_or(-1, |r| r as i32));
                    w.method(&maker.method);
                    w.ints(&maker.args);
                }
            }
            w.int(*most_calls as i32);
        }
    }
}

fn function(w: &mut Writer, of: &Function) {
    w.method(&of.method);
    w.int(of.result.map_or(-1, |r| r as i32));
    w.ints(&of.parameters);
    w.int(of.calls.len() as i32);
    for (at, called) in &of.calls {
        w.int(*at as i32);
        function(w, called);
    }
}

/// Reads what the worker answers, behind its first byte.
pub(super) fn searched<R: std::io::Read>(reader: &mut Reader<R>) -> std::io::Result<Searched> {
    let number = |r: &mut Reader<R>| r.int().map(|n| u32::try_from(n).unwrap_or(0));
    let mut out = Searched {
        broken: reader.bool()?,
        runs: number(reader)?,
        unbuilt: number(reader)?,
        built_at: u32::try_from(reader.int()?).ok(),
        reached: [number(reader)?, number(reader)?, number(reader)?],
        kept: number(reader)?,
        unsteady: number(reader)?,
        megabytes: number(reader)?,
        is_late: reader.bool()?,
        is_clean: reader.bool()?,
        spent: number(reader)?,
        computed: Duration::from_millis(number(reader)?.into()),
        is_unasked: reader.bool()?,
        obstacle: reader.string()?,
        endless: match reader.bool()? {
            true => Some(reader.method()?),
            false => None,
        },
        crashed_in: None,
        running: None,
        found: Vec::new(),
        found_at: Vec::new(),
        farthest: Vec::new(),
    };
    out.found = inputs(reader)?;
    let numbers = (0..out.found.len()).map(|_| number(reader));
    out.found_at = numbers.collect::<std::io::Result<_>>()?;
    out.farthest = inputs(reader)?;
    Ok(out)
}

/// What a search of several processes is told: whether another one has found something, and what the others kept.
pub(super) fn told(ends: bool, kept: &[&Inputs]) -> Vec<u8> {
    let mut w = Writer::default();
    w.byte(u8::from(ends));
    w.int(kept.len() as i32);
    for one in kept {
        w.inputs(&parts(one));
    }
    w.0
}

/// Reads what a search of several processes kept, behind its first byte.
pub(super) fn kept<R: std::io::Read>(reader: &mut Reader<R>) -> std::io::Result<Vec<Inputs>> {
    inputs(reader)
}

/// The receiver, where there is one, and the arguments.
fn parts(inputs: &Inputs) -> Vec<Input> {
    inputs
        .receiver
        .iter()
        .chain(&inputs.args)
        .cloned()
        .collect()
}

impl Searched {
    /// What the processes that share a search came to together.
    pub fn together(sides: Vec<Searched>) -> Searched {
        let mut sides = sides.into_iter();
        let mut all = sides.next().unwrap_or_default();
        for side in sides {
            all.add(side);
        }
        all
    }

    fn add(&mut self, side: Searched) {
        self.broken |= side.broken;
        self.runs += side.runs;
        self.unbuilt += side.unbuilt;
        self.built_at = self.built_at.into_iter().chain(side.built_at).min();
        for (mine, other) in self.reached.iter_mut().zip(side.reached) {
            *mine += other;
        }
        self.kept += side.kept;
        self.unsteady += side.unsteady;
        self.megabytes += side.megabytes;
        self.is_late |= side.is_late;
        self.spent += side.spent;
        self.computed += side.computed;
        self.is_unasked |= side.is_unasked;
        if self.obstacle.is_empty() {
            self.obstacle = side.obstacle;
        }
        self.endless = self.endless.take().or(side.endless);
        self.crashed_in = self.crashed_in.take().or(side.crashed_in);
        self.running = self.running.take().or(side.running);
        for (found, at) in side.found.into_iter().zip(side.found_at) {
            if !self.found.contains(&found) {
                self.found.push(found);
                self.found_at.push(at);
            }
        }
        // As many of each.
        let half = |all: &[Inputs]| all[all.len() / 2..].to_vec();
        self.farthest = [half(&self.farthest), half(&side.farthest)].concat();
    }
}

fn inputs<R: std::io::Read>(reader: &mut Reader<R>) -> std::io::Result<Vec<Inputs>> {
    let mut all = Vec::new();
    for _ in 0..reader.int()? {
        let receiver = match reader.bool()? {
            true => Some(reader.input(0)?),
            false => None,
        };
        let args = reader.inputs(0)?;
        all.push(Inputs { receiver, args });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_processes_come_to_adds_up_and_what_both_found_is_told_once() {
        let input = |n: i32| Inputs {
            receiver: None,
            args: vec![Input::Int(n)],
        };
        let side = |found: &[i32], farthest: &[i32]| Searched {
            runs: 10,
            built_at: Some(found.len() as u32),
            reached: [1, 2, 3],
            spent: 20,
            found: found.iter().map(|n| input(*n)).collect(),
            found_at: found.iter().map(|n| n.unsigned_abs()).collect(),
            farthest: farthest.iter().map(|n| input(*n)).collect(),
            ..Searched::default()
        };
        let broken = Searched {
            broken: true,
            ..Searched::default()
        };
        let sides = vec![
            side(&[4, 5], &[1, 2, 3, 4]),
            side(&[5, 6, 7], &[5, 6]),
            broken,
        ];
        let all = Searched::together(sides);
        assert_eq!((all.runs, all.spent, all.reached), (20, 40, [2, 4, 6]));
        assert_eq!(all.built_at, Some(2));
        assert!(all.broken);
        assert_eq!(all.found, [4, 5, 6, 7].map(input));
        assert_eq!(all.found_at, [4, 5, 6, 7]);
        assert_eq!(all.farthest[..], [3, 4, 6].map(input)[1..]);
    }
}
