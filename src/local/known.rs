//! Methods of the JDK that are functions: what they give depends on their arguments alone, and they change nothing.

use super::heap::Place;
use super::run::Runner;
use super::state::{Gap, State};
use super::strings::{equals, is_string, string};
use super::symbols::{Symbols, sort_of};
use super::texts::{Piece, letter, text};
use crate::bytecode::class_file::{Insn, InvokeKind, MemberRef};
use crate::bytecode::parameter_descriptors;
use crate::expr::{CmpOp, Sort, Term};
use std::sync::Arc;

/// A known method.
pub(super) enum Known {
    /// Of a string builder.
    Builder,
    /// Its value.
    Value(Term),
    /// A string or box, its value, that it computes.
    Computed(Term),
    /// Its value, unless a condition holds: then it throws an exception of that class.
    Checked(Term, Term, &'static str),
    /// The same of a string or box.
    CheckedComputed(Term, Term, &'static str),
    /// A function of the arguments, as an unknown; whether it may throw.
    Function(bool),
}

const BOXES: [&str; 8] = [
    "Integer",
    "Long",
    "Short",
    "Byte",
    "Character",
    "Boolean",
    "Double",
    "Float",
];

/// Where exceptions of the JDK are whose constructors only keep what they are given.
const JDK_EXCEPTIONS: [&str; 3] = ["java/lang/", "java/util/", "java/io/"];

/// Those that do more.
const CHECKED_CAUSES: [&str; 2] = [
    "java/io/UncheckedIOException",
    "java/lang/ExceptionInInitializerError",
];

impl Runner<'_> {
    /// What a call of a known method gives; its receiver is not null. None where the method is not known.
    pub(super) fn known(
        &mut self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) -> Option<Known> {
        let (class, name, descriptor) = (&*member.class, &*member.name, &*member.descriptor);
        if self.is_builder_method(class, name, descriptor) {
            return Some(Known::Builder);
        }
        let s = &mut self.shared.symbols;
        let parameters = parameter_descriptors(descriptor);
        let result = descriptor.rsplit(')').next().unwrap_or("V");
        let plain = |p: &String| letter(p).is_some();
        match class {
            "java/lang/Math" | "java/lang/StrictMath" => {
                (name != "random").then(|| math(s, name, result, args))
            }
            "java/lang/String" => string(s, name, &parameters, result, args),
            "java/util/Objects" if name == "equals" && is_string(s, args[0]) => {
                let (null, other) = (s.is_null(args[0]), s.is_null(args[1]));
                let (one, zero) = (s.pool.int(1), s.pool.int(0));
                let both = s.pool.ite(other, one, zero);
                let same = equals(s, args[0], args[1]);
                Some(Known::Value(s.pool.ite(null, both, same)))
            }
            "java/lang/reflect/Array" if name == "getLength" => {
                self.length_of_array(state, args[0])
            }
            "java/lang/Object" if name == "getClass" => {
                let range = Some((1, i64::from(i32::MAX)));
                Some(Known::Value(s.app_in(
                    "class of",
                    args,
                    Sort::Bv(32),
                    range,
                )))
            }
            _ => {
                let of_box = class
                    .strip_prefix("java/lang/")
                    .is_some_and(|c| BOXES.contains(&c));
                (of_box && parameters.iter().all(plain) && !result.starts_with('['))
                    .then(|| boxed(s, class, name, &parameters, result, args))
                    .flatten()
            }
        }
    }

    /// `Array.getLength` of what is known to be an array.
    fn length_of_array(&mut self, state: &State, array: Term) -> Option<Known> {
        let s = &mut self.shared.symbols;
        let class = s.class_of(array).or_else(|| s.type_of(array));
        if !class.is_some_and(|c| c.starts_with('[')) {
            return None;
        }
        let null = s.is_null(array);
        let length = self.length(state, array);
        let refused = "java/lang/NullPointerException";
        Some(Known::Checked(length, null, refused))
    }

    /// Whether a call constructs an exception of the JDK that keeps its message and cause, and runs nothing else.
    pub(super) fn is_exception_made(&self, kind: InvokeKind, member: &MemberRef) -> bool {
        let forms = [
            "()V",
            "(Ljava/lang/String;)V",
            "(Ljava/lang/String;Ljava/lang/Throwable;)V",
        ];
        kind == InvokeKind::Special
            && &*member.name == "<init>"
            && forms.contains(&&*member.descriptor)
            && JDK_EXCEPTIONS.iter().any(|p| member.class.starts_with(p))
            && !CHECKED_CAUSES.contains(&&*member.class)
            && self
                .version
                .is_subclass(&member.class, "java/lang/Throwable")
                == Some(true)
    }

    /// Constructs it: the arguments are what others can see of it. What the JVM throws itself has no text of the program.
    pub(super) fn make_exception(
        &mut self,
        mut state: State,
        member: &MemberRef,
        args: &[Term],
    ) -> Result<(), Gap> {
        let (zero, one) = {
            let pool = &mut self.shared.symbols.pool;
            (pool.int(0), pool.int(1))
        };
        let object = args[0];
        let place = |n: usize, descriptor: &str| {
            let name = format!("{}.{n} {}", "Throwable", member.descriptor);
            Place::Final(Arc::from(name), Arc::from(descriptor))
        };
        state.heap.write(place(0, "I"), object, zero, one);
        let parameters = parameter_descriptors(&member.descriptor);
        for (n, (descriptor, arg)) in parameters.iter().zip(&args[1..]).enumerate() {
            let place = place(n + 1, descriptor);
            state.heap.write(place, object, zero, *arg);
        }
        self.done(state, None)
    }

    /// Goes on behind such a call.
    pub(super) fn apply(
        &mut self,
        state: State,
        insn: &Insn,
        member: &MemberRef,
        known: Known,
        args: Vec<Term>,
    ) -> Result<(), Gap> {
        match known {
            Known::Builder => self.builder(state, insn, &member.name, &member.descriptor, args),
            Known::Value(term) => self.done(state, Some(term)),
            Known::Computed(term) => self.computed(state, term),
            Known::Checked(term, refused, exception) => {
                match self.unless(state, refused, exception)? {
                    Some(state) => self.done(state, Some(term)),
                    None => Ok(()),
                }
            }
            Known::CheckedComputed(term, refused, exception) => {
                match self.unless(state, refused, exception)? {
                    Some(state) => self.computed(state, term),
                    None => Ok(()),
                }
            }
            Known::Function(throws) => self.function(state, member, &args, throws),
        }
    }

    fn function(
        &mut self,
        state: State,
        member: &MemberRef,
        args: &[Term],
        throws: bool,
    ) -> Result<(), Gap> {
        let short = member.class.rsplit('/').next().unwrap_or_default();
        let name = format!("{short}.{}", member.name);
        let full = format!("{name}{}", member.descriptor);
        let result = member.descriptor.rsplit(')').next().unwrap_or("V");
        let mut state = state;
        if throws {
            let refused = self
                .shared
                .symbols
                .app(&format!("{full} throws"), args, Sort::Bool);
            match self.unless(state, refused, &format!("what {full} throws"))? {
                Some(next) => state = next,
                None => return Ok(()),
            }
        }
        let s = &mut self.shared.symbols;
        if !result.starts_with('L') {
            let range = (name == "String.length").then_some((0, i64::from(i32::MAX)));
            let term = match range {
                Some(range) => s.app_in(&full, args, Sort::Bv(32), Some(range)),
                None => s.value(&full, args, result),
            };
            return self.done(state, Some(term));
        }
        let term = s.value(&full, args, result);
        s.set_anonymous(term);
        self.computed(state, term)
    }
}

fn math(s: &mut Symbols, name: &str, result: &str, args: &[Term]) -> Known {
    let whole = matches!(result, "I" | "J");
    match (name, args) {
        ("max", [a, b]) if whole => {
            let less = s.pool.cmp(CmpOp::Slt, *a, *b);
            Known::Value(s.pool.ite(less, *b, *a))
        }
        ("min", [a, b]) if whole => {
            let less = s.pool.cmp(CmpOp::Slt, *b, *a);
            Known::Value(s.pool.ite(less, *b, *a))
        }
        ("abs", [a]) if whole => {
            let sort = sort_of(result);
            let zero = super::heap::zero(s, sort);
            let negative = s.pool.cmp(CmpOp::Slt, *a, zero);
            let minus = s.pool.neg(*a);
            Known::Value(s.pool.ite(negative, minus, *a))
        }
        ("abs", [a]) => Known::Value(s.pool.fabs(*a)),
        ("sqrt", [a]) => Known::Value(s.pool.fsqrt(*a)),
        // All others may throw, as far as is known here; those that don't cost an exit.
        _ => {
            let exact = ["Exact", "Div", "Mod", "clamp"];
            Known::Function(exact.iter().any(|e| name.ends_with(e)))
        }
    }
}

/// A number or character written out.
pub(super) fn written(s: &mut Symbols, descriptor: &str, arg: Term) -> Option<Known> {
    // Truth values are written as literals: those have an identity.
    let letter = letter(descriptor).filter(|l| !matches!(l, 'S' | 'Z'))?;
    Some(Known::Computed(text(s, &[Piece::Value(letter, arg)])))
}

fn boxed(
    s: &mut Symbols,
    class: &str,
    name: &str,
    parameters: &[String],
    result: &str,
    args: &[Term],
) -> Option<Known> {
    let unboxes = name.ends_with("Value") && parameters.is_empty() && !result.starts_with('L');
    if unboxes {
        let made = s.parts(args[0]).map(|(n, a)| (n.to_string(), a.to_vec()));
        if let Some((from, inner)) = made
            && from.starts_with(&format!("{class}.valueOf({result})"))
        {
            return inner.first().map(|t| Known::Value(*t));
        }
        return Some(Known::Function(false));
    }
    // What reads properties of the system is no function.
    if matches!(name, "getInteger" | "getLong" | "getBoolean" | "<init>") {
        return None;
    }
    if name == "valueOf" && parameters.len() == 1 && !parameters[0].starts_with('L') {
        let term = s.value(&format!("{class}.valueOf({})", parameters[0]), args, result);
        s.set_anonymous(term);
        return Some(Known::Computed(term));
    }
    let is_static = args.len() == parameters.len();
    if name == "toString" && is_static && parameters.len() == 1 {
        return written(s, &parameters[0], args[0]).or(Some(Known::Function(false)));
    }
    let texts = parameters.iter().any(|p| p.starts_with('L'));
    let never = [
        "is", "hashCode", "compare", "to", "max", "min", "sum", "bit", "number",
    ];
    let total = !texts && never.iter().any(|n| name.starts_with(n));
    Some(Known::Function(!total))
}
