//! Final fields that are never null: every constructor sets them to an object before any other code can see its own; so does the
//! initialiser of the class for static ones.

use super::callbacks::Callee;
use super::version::Version;
use crate::bytecode::access::{FINAL, STATIC, SYNTHETIC};
use crate::bytecode::class_file::{ClassFile, Code, Const, Field, Insn, InvokeKind, MemberRef};
use crate::bytecode::{BOXES, is_jdk, parameter_descriptors};
use rustc_hash::FxHashSet;
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
    /// Anything else, maybe null.
    Any,
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
        let runs = |c: &ClassFile| c.method("<clinit>", "()V").is_some();
        let mut others = above
            .iter()
            .filter(|c| !is_jdk(&c.name) && c.name != class.name);
        if !whole || self.lost_initialiser(&class.name) || others.any(|c| runs(c)) {
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
            let plain =
                matches!(&next, Insn::Invoke(InvokeKind::Special, m) if QUIET.contains(&&*m.class));
            if plain {
                continue;
            }
            let Some(callees) = self.callees(&next).filter(|_| !reads(&next)) else {
                return false;
            };
            for callee in callees {
                let Callee::Body(body) = callee else {
                    return false;
                };
                // The initialiser of the field's own class runs already, and no second time.
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

    /// Whether a constructor shows its object to nobody before it sets a field to an object; without a field, before it ends.
    fn keeps_to_itself(
        &self,
        class: &ClassFile,
        code: &Code,
        field: Option<&Field>,
        depth: u32,
    ) -> bool {
        if !code.handlers.is_empty() || depth == 0 {
            return false;
        }
        let is_outer =
            field.is_some_and(|f| f.access & SYNTHETIC != 0 && f.name.starts_with("this$"));
        let mut stack: Vec<Value> = Vec::new();
        for insn in &code.insns {
            let mut pop = || stack.pop().unwrap_or(Value::This);
            let pushed = match insn {
                Insn::Load(None, 0) => Some(Value::This),
                // Javac gives a constructor the object around its own first, and that is not null (JLS §15.9.4).
                Insn::Load(None, 1) if is_outer => Some(Value::Object),
                Insn::Load(..) | Insn::AconstNull | Insn::GetStatic(_) => Some(Value::Any),
                Insn::Const(Const::Str(_) | Const::Class(_)) => Some(Value::Object),
                Insn::Const(Const::Dynamic(_)) => return false,
                Insn::Const(_) => Some(Value::Any),
                Insn::New(_) => Some(Value::Object),
                Insn::NewArray(_) | Insn::ANewArray(_) => {
                    pop();
                    Some(Value::Object)
                }
                Insn::Dup => {
                    let top = pop();
                    stack.push(top);
                    Some(top)
                }
                Insn::CheckCast(_) => Some(pop()),
                Insn::Nop => None,
                Insn::Pop => {
                    pop();
                    None
                }
                Insn::GetField(_) | Insn::ArrayLength | Insn::Convert(..) | Insn::Neg(_) => {
                    pop();
                    Some(Value::Any)
                }
                Insn::Bin(..) => {
                    pop();
                    pop();
                    Some(Value::Any)
                }
                Insn::PutStatic(m) => {
                    let value = pop();
                    let wanted = field.is_some_and(|f| {
                        f.access & STATIC != 0 && f.name == m.name && *m.class == *class.name
                    });
                    if wanted || value == Value::This {
                        return value == Value::Object;
                    }
                    None
                }
                Insn::PutField(m) => {
                    let (value, object) = (pop(), pop());
                    let wanted = field.is_some_and(|f| {
                        f.access & STATIC == 0 && f.name == m.name && *m.class == *class.name
                    });
                    if wanted && object == Value::This {
                        return value == Value::Object;
                    }
                    if value == Value::This {
                        return false;
                    }
                    None
                }
                Insn::Invoke(kind, m) => {
                    let takes = parameter_descriptors(&m.descriptor).len();
                    let args: Vec<Value> = (0..takes).map(|_| pop()).collect();
                    let object = (*kind != InvokeKind::Static).then(pop);
                    if args.contains(&Value::This) {
                        return false;
                    }
                    if object == Some(Value::This) {
                        let constructs = *kind == InvokeKind::Special && &*m.name == "<init>";
                        if constructs && *m.class == *class.name {
                            // Another constructor does it.
                            return field.is_some();
                        }
                        if !constructs || !self.is_quiet(m, depth) {
                            return false;
                        }
                    }
                    let first = args.last().copied();
                    (!m.descriptor.ends_with(")V")).then(|| result(m, first))
                }
                Insn::InvokeDynamic(site) => {
                    let takes = parameter_descriptors(&site.descriptor).len();
                    let args: Vec<Value> = (0..takes).map(|_| pop()).collect();
                    match args.contains(&Value::This) {
                        true => Some(Value::This),
                        false => Some(Value::Object),
                    }
                }
                Insn::Return(None) => return field.is_none(),
                _ => return false,
            };
            stack.extend(pushed);
        }
        false
    }

    fn is_quiet(&self, constructor: &MemberRef, depth: u32) -> bool {
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
fn result(member: &MemberRef, first: Option<Value>) -> Value {
    let of_box = BOXES.iter().any(|b| b.1 == &*member.class) && &*member.name == "valueOf";
    match (&*member.class, &*member.name) {
        ("java/util/Objects", "requireNonNull") => match first {
            Some(Value::This) => Value::This,
            _ => Value::Object,
        },
        ("java/util/regex/Pattern", "compile") => Value::Object,
        _ if of_box => Value::Object,
        _ => Value::Any,
    }
}
