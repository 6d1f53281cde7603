//! An index of the mentions of methods in the code of a build: who calls, makes or sets up what.

use crate::bytecode::class_file::{ClassFile, Const, Insn, Method};
use crate::model::{MethodRef, Spelling};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A method's place: that of its class, and its own there.
type Place = (usize, usize);

/// Class, name and descriptor of a method, as instructions name it.
type Name<'a> = (&'a str, &'a str, &'a str);

/// All mentions of methods in the code of some classes.
pub struct Mentions<'a> {
    classes: &'a [Arc<ClassFile>],
    /// Calls of a method, and lambdas made of it.
    calls: HashMap<Name<'a>, Vec<Place>>,
    /// Reads and writes of a class's static fields.
    statics: HashMap<&'a str, Vec<Place>>,
    /// Objects made of a class.
    made: HashMap<&'a str, Vec<Place>>,
}

impl<'a> Mentions<'a> {
    /// Those in the code of these classes.
    pub fn of(classes: &'a [Arc<ClassFile>]) -> Mentions<'a> {
        let mut all = Mentions {
            classes,
            calls: HashMap::new(),
            statics: HashMap::new(),
            made: HashMap::new(),
        };
        for (at, class) in classes.iter().enumerate() {
            for (number, method) in class.methods.iter().enumerate() {
                let code = method.code.as_ref();
                for insn in code.iter().flat_map(|c| &c.insns) {
                    all.add(insn, (at, number));
                }
            }
        }
        all
    }

    fn add(&mut self, insn: &'a Insn, place: Place) {
        match insn {
            Insn::GetStatic(f) | Insn::PutStatic(f) => {
                self.statics.entry(&f.class).or_default().push(place);
            }
            Insn::New(class) => self.made.entry(class).or_default().push(place),
            Insn::Invoke(_, m) => {
                let name = (&*m.class, &*m.name, &*m.descriptor);
                self.calls.entry(name).or_default().push(place);
            }
            Insn::InvokeDynamic(site) => {
                for arg in site.args.iter() {
                    if let Const::MethodHandle(h) = arg {
                        let name = (&*h.class, &*h.name, &*h.descriptor);
                        self.calls.entry(name).or_default().push(place);
                    }
                }
            }
            _ => {}
        }
    }

    /// The classes.
    pub fn classes(&self) -> &'a [Arc<ClassFile>] {
        self.classes
    }

    /// The methods whose code can bring about a call of one of these, each with its class, in the order of the classes.
    pub fn callers(&self, called: &[MethodRef]) -> Vec<(&'a ClassFile, &'a Method)> {
        let places: BTreeSet<Place> = called.iter().flat_map(|m| self.places(m)).collect();
        let method = |(class, number): Place| {
            let class: &'a ClassFile = &self.classes[class];
            (class, &class.methods[number])
        };
        places.into_iter().map(method).collect()
    }

    fn places(&self, method: &MethodRef) -> Vec<Place> {
        let class = method.class.internal();
        let of = |all: &HashMap<&'a str, Vec<Place>>| all.get(&*class).cloned().unwrap_or_default();
        let name = (&*class, &*method.name, &*method.descriptor);
        let mut places = self.calls.get(&name).cloned().unwrap_or_default();
        // A class initialiser runs, and a local class's method can be called, because of these.
        let is_set_up = method.name == "<clinit>";
        if is_set_up {
            places.extend(of(&self.statics));
        }
        if is_set_up || class.contains('$') {
            places.extend(of(&self.made));
        }
        places
    }
}
