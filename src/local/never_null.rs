//! Final fields that are never null: every constructor sets them to an object before any other code can see its own; so does the
//! initialiser of the class for static ones.

use super::callbacks::Callee;
use super::library_results::{CHARSET_PROVIDER, is_never_null, is_quiet};
use super::version::Version;
use crate::bytecode::access::{FINAL, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{
    ClassFile, Cmp, Code, Const, Field, Insn, InvokeKind, MemberRef,
};
use crate::bytecode::{LoggerCall, is_jdk, parameter_descriptors};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is taken for granted where a proof uses this.
pub(super) const CONSTRUCTED: &str = "objects of the project's classes are made by their constructors (not deserialised or changed by reflection)";

/// Classes whose constructors show the object to nobody.
const QUIET: [&str; 3] = ["java/lang/Object", "java/lang/Enum", "java/lang/Record"];

/// Deepest chain of superclasses whose constructors are followed.
const DEEPEST: u32 = 4;

/// Most bodies that are followed from one instruction of an initialiser.
const MOST_CODE: usize = 100;

/// A value on the operand stack of a constructor.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    /// The object itself, or what holds it.
    This,
    /// Some other object.
    Object,
    /// What a local holds, maybe null.
    Local(u16),
    /// Anything else, maybe null.
    Any,
}

/// The operands of a constructor at an instruction, and the locals that are not null there.
#[derive(Clone, Default)]
struct Way {
    stack: Vec<Value>,
    set: BTreeSet<u16>,
}

impl Way {
    fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::This)
    }

    /// Pops an object that is used, so that it is not null where the code goes on.
    fn pop_used(&mut self) -> Value {
        let value = self.pop();
        self.note_used(Some(value));
        value
    }

    fn note_used(&mut self, value: Option<Value>) {
        if let Some(Value::Local(slot)) = value {
            self.set.insert(slot);
        }
    }

    fn local(&self, slot: u16) -> Value {
        match self.set.contains(&slot) {
            true => Value::Object,
            false => Value::Local(slot),
        }
    }

    /// A local gets another value, as do both of a `long`.
    fn store(&mut self, slot: u16, is_object: bool) {
        for changed in [slot, slot.saturating_add(1)] {
            self.set.remove(&changed);
            let all = self.stack.iter_mut();
            all.filter(|v| **v == Value::Local(changed))
                .for_each(|v| *v = Value::Any);
        }
        if is_object {
            self.set.insert(slot);
        }
    }

    /// What is known of both; `None` where the object itself and another come together.
    fn merged(mut self, other: Way) -> Option<Way> {
        if self.stack.len() != other.stack.len() {
            return None;
        }
        for (mine, theirs) in self.stack.iter_mut().zip(other.stack) {
            match (*mine, theirs) {
                (a, b) if a == b => {}
                (Value::This, _) | (_, Value::This) => return None,
                _ => *mine = Value::Any,
            }
        }
        self.set.retain(|slot| other.set.contains(slot));
        Some(self)
    }
}

impl Version {
    /// Whether a field of an object that was constructed is never null, nor seen before.
    pub(super) fn is_never_null(&self, owner: &str, name: &str) -> bool {
        let key = format!("{owner}.{name}");
        if let Some(known) = self.never_null.borrow().get(&key) {
            return *known;
        }
        let answer = self.sets_everywhere(owner, name).unwrap_or(false);
        self.never_null.borrow_mut().insert(key, answer);
        answer
    }

    fn sets_everywhere(&self, owner: &str, name: &str) -> Option<bool> {
        let class = self.class(owner).filter(|_| self.is_own(owner))?;
        let field = class.fields.iter().find(|f| *f.name == *name)?;
        if field.access & FINAL == 0 {
            return None;
        }
        if field.access & STATIC != 0 {
            return self.initialiser_sets(&class, field);
        }
        let made = class.methods.iter().filter(|m| &*m.name == "<init>");
        let codes: Option<Vec<&Arc<Code>>> = made.map(|m| m.code.as_ref()).collect();
        let codes = codes.filter(|c| !c.is_empty())?;
        let sets = |code: &&Arc<Code>| self.keeps_to_itself(&class, code, Some(field), DEEPEST);
        Some(codes.iter().all(sets))
    }

    /// Whether a class's initialiser gives a static field an object before any other code can read the field.
    fn initialiser_sets(&self, class: &ClassFile, field: &Field) -> Option<bool> {
        let (above, whole) = self.ancestors(&class.name);
        // Those of the classes above run first.
        let mut others = above
            .iter()
            .filter(|c| !is_jdk(&c.name) && c.name != class.name);
        let leaves = |c: &ClassFile| {
            let runs = c.method("<clinit>", "()V").and_then(|m| m.code.as_ref());
            let mut insns = runs.iter().flat_map(|code| &code.insns);
            insns.all(|i| self.leaves_unread(class, i, field))
        };
        let lost = self.lost_initialiser(&class.name);
        if !whole || lost || !others.all(|c| leaves(c)) {
            return None;
        }
        let code = class.method("<clinit>", "()V")?.code.as_ref()?;
        let sets = |i: &Insn| matches!(i, Insn::PutStatic(m) if m.name == field.name && m.class == class.name);
        let first = code.insns.iter().take_while(|i| !sets(i));
        let unread = first
            .into_iter()
            .all(|i| self.leaves_unread(class, i, field));
        Some(unread && self.keeps_to_itself(class, code, Some(field), DEEPEST))
    }

    /// Whether all code that an instruction of an initialiser may run is known, and does not read a field of that name.
    fn leaves_unread(&self, class: &ClassFile, insn: &Insn, field: &Field) -> bool {
        let reads = |i: &Insn| matches!(i, Insn::GetStatic(m) if m.name == field.name);
        let mut todo = vec![insn.clone()];
        let mut seen: FxHashSet<*const Code> = FxHashSet::default();
        while let Some(next) = todo.pop() {
            let plain = match &next {
                Insn::Invoke(InvokeKind::Special, m) => QUIET.contains(&&*m.class),
                Insn::Invoke(InvokeKind::Static, m) => is_quiet(m) && !self.has_character_sets(),
                _ => false,
            };
            if plain {
                continue;
            }
            let Some(callees) = self.callees(&next).filter(|_| !reads(&next)) else {
                return false;
            };
            for callee in callees {
                let body = match callee {
                    Callee::Body(body) => body,
                    Callee::ContainerMethods if !self.has_collections() => continue,
                    _ => return false,
                };
                // The initialiser of the field's own class runs already, or begins when those above have ended.
                if body.class.name == class.name && &*body.method.name == "<clinit>" {
                    continue;
                }
                if seen.insert(Arc::as_ptr(&body.code)) {
                    todo.extend(body.code.insns.iter().cloned());
                }
                if seen.len() > MOST_CODE {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a constructor shows its object to nobody before it sets a field to an object, on all ways that do not throw; without a
    /// field, before it ends. Branches lead forward only.
    fn keeps_to_itself(
        &self,
        class: &ClassFile,
        code: &Code,
        field: Option<&Field>,
        depth: u32,
    ) -> bool {
        if depth == 0 {
            return false;
        }
        // What a handler catches may come from before the field is set.
        let is_caught = |pc: u32| code.handlers.iter().any(|h| h.start <= pc && pc < h.end);
        let mut ways: BTreeMap<usize, Way> = BTreeMap::from([(0, Way::default())]);
        while let Some((pc, way)) = ways.pop_first() {
            let Some(insn) = code.insns.get(pc) else {
                return false;
            };
            if is_caught(pc as u32) {
                return false;
            }
            let Some(next) = self.next_ways((class, field, depth), insn, pc, way) else {
                return false;
            };
            for (to, way) in next {
                let merged = match ways.remove(&to) {
                    Some(other) => way.merged(other),
                    None => Some(way),
                };
                match merged.filter(|_| to > pc) {
                    Some(way) => ways.insert(to, way),
                    None => return false,
                };
            }
        }
        true
    }

    /// Where a constructor goes on behind an instruction: nowhere once the field is set; `None` if its object may be shown, or the
    /// field is not set to an object.
    fn next_ways(
        &self,
        (class, field, depth): (&ClassFile, Option<&Field>, u32),
        insn: &Insn,
        pc: usize,
        mut way: Way,
    ) -> Option<Vec<(usize, Way)>> {
        let is_outer =
            field.is_some_and(|f| f.access & SYNTHETIC != 0 && f.name.starts_with("this$"));
        let done = Some(Vec::new());
        let pushed = match insn {
            Insn::Load(None, 0) => Some(Value::This),
            // Javac gives a constructor the object around its own first, and that is not null (JLS §15.9.4).
            Insn::Load(None, 1) if is_outer => Some(Value::Object),
            Insn::Load(None, slot) => Some(way.local(*slot)),
            Insn::Load(..) | Insn::AconstNull | Insn::GetStatic(_) => Some(Value::Any),
            Insn::Store(kind, slot) => {
                let value = way.pop();
                if *slot == 0 || is_outer || value == Value::This {
                    return None;
                }
                way.store(*slot, kind.is_none() && value == Value::Object);
                None
            }
            Insn::Const(Const::Str(_) | Const::Class(_)) => Some(Value::Object),
            Insn::Const(Const::Dynamic(_)) => return None,
            Insn::Const(_) => Some(Value::Any),
            Insn::New(_) => Some(Value::Object),
            Insn::NewArray(_) | Insn::ANewArray(_) => {
                way.pop();
                Some(Value::Object)
            }
            Insn::Dup => {
                let top = way.pop();
                way.stack.push(top);
                Some(top)
            }
            Insn::CheckCast(_) => Some(way.pop()),
            Insn::Nop => None,
            Insn::Pop => {
                way.pop();
                None
            }
            Insn::GetField(_) | Insn::ArrayLength => {
                way.pop_used();
                Some(Value::Any)
            }
            Insn::Convert(..) | Insn::Neg(_) | Insn::InstanceOf(_) => {
                way.pop();
                Some(Value::Any)
            }
            Insn::Bin(..) | Insn::Lcmp | Insn::Fcmp(..) => {
                way.pop();
                way.pop();
                Some(Value::Any)
            }
            Insn::PutStatic(m) => {
                let value = way.pop();
                let wanted = field.is_some_and(|f| {
                    f.access & STATIC != 0 && f.name == m.name && *m.class == *class.name
                });
                if wanted || value == Value::This {
                    return done.filter(|_| value == Value::Object);
                }
                None
            }
            Insn::PutField(m) => {
                let (value, object) = (way.pop(), way.pop());
                let wanted = field.is_some_and(|f| {
                    f.access & STATIC == 0 && f.name == m.name && *m.class == *class.name
                });
                if wanted && object == Value::This {
                    return done.filter(|_| value == Value::Object);
                }
                if value == Value::This {
                    return None;
                }
                None
            }
            Insn::Invoke(kind, m) => {
                let takes = parameter_descriptors(&m.descriptor).len();
                let args: Vec<Value> = (0..takes).map(|_| way.pop()).collect();
                let object = (*kind != InvokeKind::Static).then(|| way.pop_used());
                if args.contains(&Value::This) {
                    return None;
                }
                if object == Some(Value::This) {
                    let constructs = *kind == InvokeKind::Special && &*m.name == "<init>";
                    if constructs && *m.class == *class.name {
                        // Another constructor does it.
                        return done.filter(|_| field.is_some());
                    }
                    if !constructs || !self.constructs_quietly(m, depth) {
                        return None;
                    }
                }
                let first = args.last().copied();
                if (&*m.class, &*m.name) == ("java/util/Objects", "requireNonNull") {
                    way.note_used(first);
                }
                let is_logger = self.logger_call(m) == Some(LoggerCall::Makes);
                (!m.descriptor.ends_with(")V")).then(|| match is_logger {
                    true => Value::Object,
                    false => result(*kind, m, first),
                })
            }
            Insn::InvokeDynamic(site) => {
                let takes = parameter_descriptors(&site.descriptor).len();
                let args: Vec<Value> = (0..takes).map(|_| way.pop()).collect();
                match args.contains(&Value::This) {
                    true => Some(Value::This),
                    false => Some(Value::Object),
                }
            }
            Insn::Return(None) => return done.filter(|_| field.is_none()),
            Insn::Athrow => return done.filter(|_| way.pop() != Value::This),
            Insn::Goto(to) => return Some(vec![(*to as usize, way)]),
            Insn::If(_, to) | Insn::IfIcmp(_, to) | Insn::IfAcmp(_, to) => {
                way.pop();
                if !matches!(insn, Insn::If(..)) {
                    way.pop();
                }
                return Some(vec![(*to as usize, way.clone()), (pc + 1, way)]);
            }
            Insn::IfNull(test, to) => {
                let tested = Some(way.pop());
                let (mut there, mut here) = (way.clone(), way);
                match test {
                    Cmp::Ne => there.note_used(tested),
                    _ => here.note_used(tested),
                }
                return Some(vec![(*to as usize, there), (pc + 1, here)]);
            }
            _ => return None,
        };
        way.stack.extend(pushed);
        Some(vec![(pc + 1, way)])
    }

    /// Whether the JDK may find character sets of the project.
    fn has_character_sets(&self) -> bool {
        let may_be = |c: &ClassFile| self.is_subclass(&c.name, CHARSET_PROVIDER) != Some(false);
        *self
            .character_sets
            .get_or_init(|| self.own_classes().any(|c| may_be(c)))
    }

    fn constructs_quietly(&self, constructor: &MemberRef, depth: u32) -> bool {
        if QUIET.contains(&&*constructor.class) {
            return true;
        }
        let class = self
            .class(&constructor.class)
            .filter(|c| self.is_own(&c.name));
        let Some(class) = class else { return false };
        let made = class.method("<init>", &constructor.descriptor);
        let code = made.and_then(|m| m.code.as_ref());
        code.is_some_and(|c| self.keeps_to_itself(&class, c, None, depth - 1))
    }
}

/// What a call gives, whose first argument is known.
fn result(kind: InvokeKind, member: &MemberRef, first: Option<Value>) -> Value {
    match (&*member.class, &*member.name) {
        ("java/util/Objects", "requireNonNull") => match first {
            Some(Value::This) => Value::This,
            _ => Value::Object,
        },
        _ if is_never_null(member, kind == InvokeKind::Static) => Value::Object,
        _ => Value::Any,
    }
}
