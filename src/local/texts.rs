//! Strings that are put together: by `+`, by builders, and from numbers.

use super::builder_edits::length_of;
use super::executor::Executor;
use super::heap::HeapMap;
use super::state::{State, Unproved};
use super::strings::only_unit;
use super::symbols::Symbols;
use crate::bytecode::class_file::{Const, DynamicRef, Insn};
use crate::expr::{CmpOp, Term};
use std::rc::Rc;
use std::sync::Arc;

/// A part of a concatenation.
#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    /// Constant UTF-16 units.
    Literal(Vec<u16>),
    /// A value as `+` converts it to text, with the descriptor's letter (`S` for strings, `null` included).
    Value(char, Term),
}

/// The concatenation of parts, as a reference to a string. Equal parts give the same term.
pub fn concatenation(s: &mut Symbols, pieces: &[TextPart]) -> Term {
    let mut flat: Vec<TextPart> = Vec::new();
    for piece in pieces {
        for part in flattened(s, piece) {
            match (flat.last_mut(), part) {
                (_, TextPart::Literal(units)) if units.is_empty() => {}
                (Some(TextPart::Literal(before)), TextPart::Literal(more)) => before.extend(more),
                (_, part) => flat.push(part),
            }
        }
    }
    let mut name = String::from("+");
    let mut args = Vec::new();
    for piece in &flat {
        match piece {
            TextPart::Literal(units) => {
                let literal = s.literal(&Arc::from(units.as_slice()));
                name.push('L');
                args.push(literal);
            }
            TextPart::Value(letter, term) => {
                name.push(*letter);
                args.push(*term);
            }
        }
    }
    let term = s.value(&name, &args, "Ljava/lang/String;");
    s.set_anonymous(term);
    term
}

/// A part as simpler parts: a nested concatenation is flattened, a constant becomes its text, and a text of one unit that unit.
fn flattened(s: &mut Symbols, piece: &TextPart) -> Vec<TextPart> {
    let TextPart::Value(letter, term) = piece else {
        return vec![piece.clone()];
    };
    let known = |text: String| vec![TextPart::Literal(text.encode_utf16().collect())];
    if *letter == 'S' {
        if let Some(units) = s.units(*term) {
            return vec![TextPart::Literal(units.to_vec())];
        }
        if s.pool.as_i64(*term) == Some(0) {
            return known("null".into());
        }
        if let Some(unit) = only_unit(s, *term) {
            return flattened(s, &TextPart::Value('C', unit));
        }
        if let Some((name, args)) = s.parts(*term)
            && let Some(letters) = name.strip_prefix('+')
            && s.is_anonymous(*term)
        {
            let parts = letters.chars().zip(args.iter().copied());
            return parts
                .map(|(letter, arg)| match (letter, s.units(arg)) {
                    ('L', Some(units)) => TextPart::Literal(units.to_vec()),
                    _ => TextPart::Value(letter, arg),
                })
                .collect();
        }
    }
    match (letter, s.pool.as_i64(*term)) {
        ('I' | 'J', Some(n)) => known(n.to_string()),
        ('C', Some(n)) => vec![TextPart::Literal(vec![n as u16])],
        ('Z', Some(n)) => known((n != 0).to_string()),
        _ => vec![piece.clone()],
    }
}

/// The letter of a part for a value of a type; `None` for objects, whose `toString` is called.
pub fn type_letter(descriptor: &str) -> Option<char> {
    Some(match descriptor {
        "B" | "S" | "I" => 'I',
        "J" => 'J',
        "C" => 'C',
        "Z" => 'Z',
        "F" => 'F',
        "D" => 'D',
        "Ljava/lang/String;" => 'S',
        _ => return None,
    })
}

impl Executor<'_> {
    /// `+` on strings (JLS §15.18.1): first `toString` of all objects, in order, then the concatenation.
    pub(super) fn concat(
        &mut self,
        state: State,
        insn: &Insn,
        site: &DynamicRef,
        parameters: &[String],
        args: Vec<Term>,
    ) -> Result<(), Unproved> {
        let mut values = Vec::new();
        let mut state = state;
        for (descriptor, arg) in parameters.iter().zip(args) {
            match self.part(state, insn, descriptor, arg)? {
                Some((next, piece)) => {
                    state = next;
                    values.push(piece);
                }
                None => return Ok(()),
            }
        }
        let mut constants = site.args.iter();
        let mut pieces = Vec::new();
        match constants.next() {
            Some(Const::Str(recipe)) => {
                let mut values = values.into_iter();
                for unit in recipe.iter() {
                    match unit {
                        1 => pieces.extend(values.next()),
                        2 => match constants.next() {
                            Some(Const::Str(units)) => {
                                pieces.push(TextPart::Literal(units.to_vec()))
                            }
                            _ => return Err(Unproved::Unsupported("constant in a text".into())),
                        },
                        unit => pieces.push(TextPart::Literal(vec![*unit])),
                    }
                }
            }
            _ => pieces = values,
        }
        let term = concatenation(&mut self.context.symbols, &pieces);
        self.computed(state, term)
    }

    /// A value as a part. The `toString` of an object is an event.
    fn part(
        &mut self,
        state: State,
        insn: &Insn,
        descriptor: &str,
        arg: Term,
    ) -> Result<Option<(State, TextPart)>, Unproved> {
        if let Some(letter) = type_letter(descriptor) {
            return Ok(Some((state, TextPart::Value(letter, arg))));
        }
        let s = &self.context.symbols;
        let is_string = s.type_of(arg).is_some_and(|t| &**t == "java/lang/String");
        if is_string || s.pool.as_i64(arg) == Some(0) {
            return Ok(Some((state, TextPart::Value('S', arg))));
        }
        self.rely_on(insn);
        let after = self.event(state, ("text of", vec![arg]), "Ljava/lang/String;", true)?;
        Ok(after.and_then(|(state, text)| Some((state, TextPart::Value('S', text?)))))
    }

    /// Continues with a computed string or box.
    pub(super) fn computed(&mut self, mut state: State, term: Term) -> Result<(), Unproved> {
        Rc::make_mut(&mut state.computed).push(term);
        self.complete(state, Some(term))
    }

    /// Whether a method of a string builder has a summary.
    pub(super) fn is_builder_method(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let of = matches!(class, "java/lang/StringBuilder" | "java/lang/StringBuffer");
        let parameters = crate::bytecode::parameter_descriptors(descriptor);
        let first = parameters.first().map_or("", |p| p.as_str());
        of && match name {
            "<init>" => parameters.is_empty() || matches!(first, "Ljava/lang/String;" | "I"),
            "setLength" | "deleteCharAt" | "reverse" | "charAt" | "setCharAt" | "delete" => true,
            "insert" => parameters.len() == 2 && type_letter(&parameters[1]).is_some(),
            "append" => {
                parameters.len() == 1
                    && (type_letter(first).is_some() || first == "Ljava/lang/Object;")
            }
            "toString" | "length" => parameters.is_empty(),
            _ => false,
        }
    }

    /// Runs one of these.
    pub(super) fn builder(
        &mut self,
        mut state: State,
        insn: &Insn,
        name: &str,
        descriptor: &str,
        args: Vec<Term>,
    ) -> Result<(), Unproved> {
        let zero = self.context.symbols.pool.int(0);
        let builder = args[0];
        let parameters = crate::bytecode::parameter_descriptors(descriptor);
        match (name, args.get(1).copied()) {
            ("<init>", None) => {
                let empty = concatenation(&mut self.context.symbols, &[]);
                state.heap.write(HeapMap::Text, builder, zero, empty);
                self.complete(state, None)
            }
            ("<init>", Some(capacity)) if parameters[0] == "I" => {
                let negative = self.context.symbols.pool.cmp(CmpOp::Slt, capacity, zero);
                let refused = "java/lang/NegativeArraySizeException";
                let Some(mut state) = self.unless(state, negative, refused)? else {
                    return Ok(());
                };
                let empty = concatenation(&mut self.context.symbols, &[]);
                state.heap.write(HeapMap::Text, builder, zero, empty);
                self.complete(state, None)
            }
            ("<init>", Some(start)) => {
                let Some(mut state) = self.not_null(state, start)? else {
                    return Ok(());
                };
                let begin =
                    concatenation(&mut self.context.symbols, &[TextPart::Value('S', start)]);
                state.heap.write(HeapMap::Text, builder, zero, begin);
                self.complete(state, None)
            }
            ("append", Some(arg)) => {
                let Some((mut state, piece)) = self.part(state, insn, &parameters[0], arg)? else {
                    return Ok(());
                };
                let s = &mut self.context.symbols;
                let before = state.heap.read(s, &HeapMap::Text, builder, zero);
                s.set_anonymous(before);
                let after = concatenation(s, &[TextPart::Value('S', before), piece]);
                state.heap.write(HeapMap::Text, builder, zero, after);
                self.complete(state, Some(builder))
            }
            (
                "setLength" | "deleteCharAt" | "reverse" | "charAt" | "setCharAt" | "delete"
                | "insert",
                _,
            ) => self.edit(state, name, descriptor, args),
            _ => {
                let s = &mut self.context.symbols;
                let all = state.heap.read(s, &HeapMap::Text, builder, zero);
                s.set_anonymous(all);
                if name == "toString" {
                    let all = concatenation(s, &[TextPart::Value('S', all)]);
                    return self.computed(state, all);
                }
                let length = length_of(s, all);
                self.complete(state, Some(length))
            }
        }
    }
}
