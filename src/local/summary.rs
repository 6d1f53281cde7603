//! Summaries of JDK methods that are pure functions: the result depends on the arguments alone, and nothing is changed.

use super::executor::Executor;
use super::footprints::keeps_its_arguments;
use super::heap::HeapMap;
use super::numbers::number_method;
use super::state::{State, Unproved};
use super::strings::{equals, is_string, string_method};
use super::symbols::{Symbols, sort_of};
use super::texts::{TextPart, concatenation, type_letter};
use crate::bytecode::class_file::{Insn, InvokeKind, MemberRef};
use crate::bytecode::{BOXES, parameter_descriptors};
use crate::expr::{CmpOp, Sort, Term};
use std::sync::Arc;

/// The effect of a call of a JDK method.
pub(super) enum Summary {
    /// A method of a string builder.
    Builder,
    /// The result.
    Value(Term),
    /// The result, a newly created string or box.
    Computed(Term),
    /// The result, unless a condition holds: then an exception of that class is thrown.
    Checked(Term, Term, &'static str),
    /// The same for a newly created string or box.
    CheckedComputed(Term, Term, &'static str),
    /// An uninterpreted function of the arguments; whether it may throw.
    Function(bool),
    /// The box of the number that a method of one text reads from it, by the box's class, the method's name and its result.
    Read(&'static str, &'static str, &'static str),
}

/// Methods that read a number from a text: `valueOf` of the same class boxes what they return.
const READERS: [(&str, &str, &str); 6] = [
    ("java/lang/Byte", "parseByte", "B"),
    ("java/lang/Double", "parseDouble", "D"),
    ("java/lang/Float", "parseFloat", "F"),
    ("java/lang/Integer", "parseInt", "I"),
    ("java/lang/Long", "parseLong", "J"),
    ("java/lang/Short", "parseShort", "S"),
];

impl Executor<'_> {
    /// The summary of a call whose receiver is not null; `None` if the method has none.
    pub(super) fn summary(
        &mut self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) -> Option<Summary> {
        let (class, name, descriptor) = (&*member.class, &*member.name, &*member.descriptor);
        if self.is_builder_method(class, name, descriptor) {
            return Some(Summary::Builder);
        }
        let s = &mut self.context.symbols;
        let parameters = parameter_descriptors(descriptor);
        let result = descriptor.rsplit(')').next().unwrap_or("V");
        let plain = |p: &String| type_letter(p).is_some();
        match class {
            "java/lang/Math" | "java/lang/StrictMath" => {
                (name != "random").then(|| math_method(s, name, result, args))
            }
            "java/lang/String" => string_method(s, name, &parameters, result, args),
            "java/util/Objects" if name == "equals" && is_string(s, args[0]) => {
                let (null, other) = (s.is_null(args[0]), s.is_null(args[1]));
                let (one, zero) = (s.pool.int(1), s.pool.int(0));
                let both = s.pool.ite(other, one, zero);
                let same = equals(s, args[0], args[1]);
                Some(Summary::Value(s.pool.ite(null, both, same)))
            }
            "java/lang/reflect/Array" if name == "getLength" => {
                self.length_of_array(state, args[0])
            }
            // It is final, so it is the same through every class.
            _ if (name, descriptor) == ("getClass", "()Ljava/lang/Class;") => {
                self.notice_buffer(args[0]);
                let s = &mut self.context.symbols;
                let range = Some((1, i64::from(i32::MAX)));
                Some(Summary::Value(s.app_in(
                    "class of",
                    args,
                    Sort::Bv(32),
                    range,
                )))
            }
            _ if self.version.is_enum_function(member) => self.enum_function(name, args),
            _ => {
                let of_box = BOXES.iter().any(|b| b.1 == class);
                (of_box && parameters.iter().all(plain) && !result.starts_with('['))
                    .then(|| box_method(s, class, name, &parameters, result, args))
                    .flatten()
            }
        }
    }

    /// `Array.getLength` of what is known to be an array.
    fn length_of_array(&mut self, state: &State, array: Term) -> Option<Summary> {
        let s = &mut self.context.symbols;
        let class = s.class_of(array).or_else(|| s.type_of(array));
        if !class.is_some_and(|c| c.starts_with('[')) {
            return None;
        }
        let null = s.is_null(array);
        let length = self.length(state, array);
        let refused = "java/lang/NullPointerException";
        Some(Summary::Checked(length, null, refused))
    }

    /// Whether a call constructs an exception of the JDK, or what one of the project's own keeps of it, on an object that this
    /// version made: it keeps its message and cause, and runs nothing else.
    pub(super) fn constructs_exception(
        &self,
        state: &State,
        (kind, member): (InvokeKind, &MemberRef),
        args: &[Term],
    ) -> bool {
        let Some(object) = args.first().copied() else {
            return false;
        };
        let runs_no_more = || {
            let class = self.context.symbols.class_of(object);
            class.is_some_and(|c| !self.version.traces_itself(c))
        };
        kind == InvokeKind::Special
            && keeps_its_arguments(member)
            && state.heap.is_allocated(object)
            && runs_no_more()
            && self
                .version
                .is_subclass(&member.class, "java/lang/Throwable")
                == Some(true)
    }

    /// Constructs it: the arguments are what others can see of it. What the JVM throws itself has no text of the program.
    pub(super) fn construct_exception(
        &mut self,
        mut state: State,
        member: &MemberRef,
        args: &[Term],
    ) -> Result<(), Unproved> {
        let (zero, one) = {
            let pool = &mut self.context.symbols.pool;
            (pool.int(0), pool.int(1))
        };
        let object = args[0];
        let place = |n: usize, descriptor: &str| {
            let name = format!("{}.{n} {}", "Throwable", member.descriptor);
            HeapMap::Final(Arc::from(name), Arc::from(descriptor))
        };
        self.publish(&mut state, &args[1..]);
        state.heap.write(place(0, "I"), object, zero, one);
        let parameters = parameter_descriptors(&member.descriptor);
        for (n, (descriptor, arg)) in parameters.iter().zip(&args[1..]).enumerate() {
            let place = place(n + 1, descriptor);
            state.heap.write(place, object, zero, *arg);
        }
        self.complete(state, None)
    }

    /// Goes on behind such a call.
    pub(super) fn apply_summary(
        &mut self,
        state: State,
        insn: &Insn,
        member: &MemberRef,
        summary: Summary,
        args: Vec<Term>,
    ) -> Result<(), Unproved> {
        self.about.clone_from(&args);
        match summary {
            Summary::Builder => self.builder(state, insn, &member.name, &member.descriptor, args),
            Summary::Value(term) => self.complete(state, Some(term)),
            Summary::Computed(term) => self.computed(state, term),
            Summary::Checked(term, refused, exception) => {
                match self.unless(state, refused, exception)? {
                    Some(state) => self.complete(state, Some(term)),
                    None => Ok(()),
                }
            }
            Summary::CheckedComputed(term, refused, exception) => {
                match self.unless(state, refused, exception)? {
                    Some(state) => self.computed(state, term),
                    None => Ok(()),
                }
            }
            Summary::Function(throws) => match self.function(state, member, &args, throws)? {
                Some((state, term)) if self.context.symbols.is_anonymous(term) => {
                    self.computed(state, term)
                }
                Some((state, term)) => self.complete(state, Some(term)),
                None => Ok(()),
            },
            Summary::Read(class, name, number) => {
                let reader = MemberRef {
                    class: Arc::from(class),
                    name: Arc::from(name),
                    descriptor: Arc::from(format!("(Ljava/lang/String;){number}")),
                };
                let Some((state, read)) = self.function(state, &reader, &args, true)? else {
                    return Ok(());
                };
                let s = &mut self.context.symbols;
                let boxed = s.value(
                    &format!("{class}.valueOf({number})"),
                    &[read],
                    &format!("L{class};"),
                );
                s.set_anonymous(boxed);
                self.computed(state, boxed)
            }
        }
    }

    /// The result of an uninterpreted function; `None` if it always throws.
    fn function(
        &mut self,
        mut state: State,
        member: &MemberRef,
        args: &[Term],
        throws: bool,
    ) -> Result<Option<(State, Term)>, Unproved> {
        let short = member.class.rsplit('/').next().unwrap_or_default();
        let name = format!("{short}.{}", member.name);
        let full = format!("{name}{}", member.descriptor);
        let result = member.descriptor.rsplit(')').next().unwrap_or("V");
        if throws {
            let refused = self
                .context
                .symbols
                .app(&format!("{full} throws"), args, Sort::Bool);
            match self.unless(state, refused, &format!("what {full} throws"))? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        let s = &mut self.context.symbols;
        if !result.starts_with('L') {
            let range = (name == "String.length").then_some((0, i64::from(i32::MAX)));
            let term = match range {
                Some(range) => s.app_in(&full, args, Sort::Bv(32), Some(range)),
                None => s.value(&full, args, result),
            };
            return Ok(Some((state, term)));
        }
        let term = s.value(&full, args, result);
        s.set_anonymous(term);
        Ok(Some((state, term)))
    }
}

fn math_method(s: &mut Symbols, name: &str, result: &str, args: &[Term]) -> Summary {
    let whole = matches!(result, "I" | "J");
    match (name, args) {
        ("max", [a, b]) if whole => {
            let less = s.pool.cmp(CmpOp::Slt, *a, *b);
            Summary::Value(s.pool.ite(less, *b, *a))
        }
        ("min", [a, b]) if whole => {
            let less = s.pool.cmp(CmpOp::Slt, *b, *a);
            Summary::Value(s.pool.ite(less, *b, *a))
        }
        ("abs", [a]) if whole => {
            let sort = sort_of(result);
            let zero = super::heap::zero(s, sort);
            let negative = s.pool.cmp(CmpOp::Slt, *a, zero);
            let minus = s.pool.neg(*a);
            Summary::Value(s.pool.ite(negative, minus, *a))
        }
        ("abs", [a]) => Summary::Value(s.pool.fabs(*a)),
        ("sqrt", [a]) => Summary::Value(s.pool.fsqrt(*a)),
        // All others may throw, as far as is known here; those that don't cost an exit.
        _ => {
            let exact = ["Exact", "Div", "Mod", "clamp"];
            Summary::Function(exact.iter().any(|e| name.ends_with(e)))
        }
    }
}

/// A number or character written out.
pub(super) fn number_text(s: &mut Symbols, descriptor: &str, arg: Term) -> Option<Summary> {
    // Truth values are written as literals: those have an identity.
    let letter = type_letter(descriptor).filter(|l| !matches!(l, 'S' | 'Z'))?;
    Some(Summary::Computed(concatenation(
        s,
        &[TextPart::Value(letter, arg)],
    )))
}

fn box_method(
    s: &mut Symbols,
    class: &str,
    name: &str,
    parameters: &[String],
    result: &str,
    args: &[Term],
) -> Option<Summary> {
    let unboxes = name.ends_with("Value") && parameters.is_empty() && !result.starts_with('L');
    if unboxes {
        let made = s.parts(args[0]).map(|(n, a)| (n.to_string(), a.to_vec()));
        if let Some((from, inner)) = made
            && from.starts_with(&format!("{class}.valueOf({result})"))
        {
            return inner.first().map(|t| Summary::Value(*t));
        }
        if name == "booleanValue"
            && let Some(value) = s.truth_in(args[0])
        {
            return Some(Summary::Value(value));
        }
        return Some(Summary::Function(false));
    }
    if name == "hashCode" && parameters.is_empty() {
        let made = s.parts(args[0]).map(|(n, a)| (n.to_string(), a.to_vec()));
        let own = |k: &&str| {
            let from = format!("{class}.valueOf({k})");
            made.as_ref().is_some_and(|(n, _)| n.starts_with(&from))
        };
        if let Some(kind) = ["I", "S", "B", "C", "J", "D", "F"].into_iter().find(own) {
            let inner = made.as_ref().and_then(|(_, a)| a.first().copied())?;
            let hash = number_method(s, name, &[kind.to_string()], &[inner]);
            return hash.map(Summary::Value);
        }
    }
    if name == "valueOf" && parameters == ["Ljava/lang/String;"] {
        let reader = READERS.iter().find(|r| r.0 == class);
        if let Some((class, name, number)) = reader {
            return Some(Summary::Read(class, name, number));
        }
    }
    // What reads properties of the system is no function.
    if matches!(name, "getInteger" | "getLong" | "getBoolean" | "<init>") {
        return None;
    }
    if class == "java/lang/Boolean" && name == "valueOf" && parameters == ["Z"] {
        return Some(Summary::Value(s.truth_box(args[0])));
    }
    if name == "valueOf" && parameters.len() == 1 && !parameters[0].starts_with('L') {
        let term = s.value(&format!("{class}.valueOf({})", parameters[0]), args, result);
        s.set_anonymous(term);
        return Some(Summary::Computed(term));
    }
    let is_static = args.len() == parameters.len();
    if class == "java/lang/Character" && name == "toString" && parameters == ["I"] {
        // The text of a code point, or an exception if there is none of that number.
        return None;
    }
    if name == "toString" && is_static && parameters.len() == 1 {
        return number_text(s, &parameters[0], args[0]).or(Some(Summary::Function(false)));
    }
    if is_static && let Some(term) = number_method(s, name, parameters, args) {
        return Some(Summary::Value(term));
    }
    let texts = parameters.iter().any(|p| p.starts_with('L'));
    let never = [
        "is", "hashCode", "compare", "to", "max", "min", "sum", "bit", "number", "doubleTo",
        "floatTo",
    ];
    let total = !texts && never.iter().any(|n| name.starts_with(n));
    Some(Summary::Function(!total))
}
