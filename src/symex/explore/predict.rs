//! The outcome that a finished path predicts for one version under a model, in the form the JVM's is observed in.

use crate::expr::{Model, Term, Valuation, Value as Constant};
use crate::model::{End, HIDDEN, Left, LeftContent, Outcome, Seen, Spelling, Version};
use crate::symex::class::Class;
use crate::symex::explore::difference::is_enum;
use crate::symex::state::files::Node;
use crate::symex::state::heap::{Body, Slot};
use crate::symex::state::symbolic::units;
use crate::symex::state::{Ended, State};
use crate::symex::value::primitive::box_prim;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::Vm;
use crate::symex::vm::content::{Content, content};
use crate::symex::vm::exception::message;
use crate::symex::vm::exit;
use crate::symex::vm::view::builder_text;
use rustc_hash::FxHashMap;

/// What `version` does on the input that `model` stands for.
pub(in crate::symex) fn predict(
    vm: &mut Vm,
    state: &State,
    end: &Ended,
    version: Version,
    model: &Model,
) -> Outcome {
    let mut walk = Walk {
        vm,
        state,
        version,
        values: Valuation::new(model.clone()),
        numbers: FxHashMap::default(),
    };
    let value = end.value.map(|s| s.get(version));
    if let (Some(Value::Ref(Ref::Obj(id))), true) = (&value, end.threw)
        && let Some(code) = exit::code(walk.vm, state, *id)
    {
        return walk.exited(&code.get(version));
    }
    let constructor = state.shape.constructor;
    let mut receiver = None;
    let entry = state.shape.entry.descriptor.clone();
    let result = entry.rsplit(')').next().unwrap_or("V");
    let ended = match (&value, end.threw) {
        (Some(Value::Ref(Ref::Obj(id))), true) => walk.exception(*id),
        (Some(value), false) if constructor => {
            receiver = Some(walk.value(value, "L"));
            End::Returned(Seen::Void)
        }
        (Some(value), false) => End::Returned(walk.value(value, result)),
        _ => End::Returned(Seen::Void),
    };
    let local = |i: usize| {
        end.locals
            .get(i)
            .map(|s: &Slot| s.get(version))
            .unwrap_or(Value::Undef)
    };
    if let Some(at) = state.shape.receiver_local {
        receiver = Some(walk.value(&local(at), "L"));
    }
    let params = crate::symex::input::specs::parameters(&state.shape.entry);
    let args = state
        .shape
        .arg_locals
        .iter()
        .zip(&params)
        .map(|(at, d)| walk.value(&local(*at), d))
        .collect();
    Outcome {
        end: ended,
        receiver,
        args,
        printed: walk.printed(),
        files: walk.files(),
    }
}

/// What is left of a text behind a stream that encodes it: an unpaired surrogate becomes a question mark.
fn encoded(units: Vec<u16>) -> Vec<u16> {
    let question_mark = |decoded: Result<char, _>| decoded.unwrap_or('?');
    let text: String = char::decode_utf16(units).map(question_mark).collect();
    text.encode_utf16().collect()
}

/// The JDK's paths, whose content is told as their name.
const PATH: &str = "sun.nio.fs.UnixPath";

struct Walk<'a> {
    vm: &'a mut Vm,
    state: &'a State,
    version: Version,
    /// Texts and arrays have many terms, which share most of their parts.
    values: Valuation,
    numbers: FxHashMap<ObjId, u32>,
}

impl Walk<'_> {
    fn printed(&self) -> Vec<u16> {
        let text = self.state.printed.get(self.version);
        encoded(units(&self.vm.pool, &self.values, &text))
    }

    /// What lies in the working folder, in the order of the paths.
    fn files(&self) -> Vec<Left> {
        let files = self.state.files.get(self.version);
        let byte = |term: &Term| match self.values.value(&self.vm.pool, *term) {
            Constant::Bv(_, n) => n as u8,
            _ => 0,
        };
        let left = files.all().map(|(path, node)| Left {
            path: path.clone(),
            content: match node {
                Node::Folder => None,
                Node::File(bytes) => Some(LeftContent {
                    length: bytes.len() as u64,
                    bytes: bytes.iter().take(LeftContent::MOST).map(byte).collect(),
                }),
            },
        });
        left.collect()
    }

    /// Nobody is left to see what objects have become.
    fn exited(&mut self, code: &Value) -> Outcome {
        let code = match self.value(code, "I") {
            Seen::Int(code) => code,
            _ => 0,
        };
        Outcome {
            printed: self.printed(),
            files: self.files(),
            ..Outcome::of(End::Exited(code))
        }
    }

    fn exception(&mut self, id: ObjId) -> End {
        let class = self
            .vm
            .linker
            .class(self.state.heap.get(id).class)
            .name
            .dotted();
        let text = message(self.vm, self.state, id, self.version);
        let jvm_made = text.is_none();
        let message = text.and_then(|value| match self.value(&value, "L") {
            Seen::Str(units) => Some(units),
            _ => None,
        });
        End::Threw {
            class,
            message,
            jvm_made,
            at: None,
            held: Vec::new(),
        }
    }

    /// An exception as a value: only its class is predicted where it words its message itself.
    fn throwable(&mut self, id: ObjId, class: String) -> Seen {
        let text = message(self.vm, self.state, id, self.version);
        match text.map(|value| self.value(&value, "L")) {
            Some(Seen::Str(units)) => Seen::Throwable {
                class,
                message: Some(units),
            },
            Some(Seen::Null) => Seen::Throwable {
                class,
                message: None,
            },
            _ => Seen::Opaque { class },
        }
    }

    fn value(&mut self, value: &Value, descriptor: &str) -> Seen {
        match value {
            Value::Undef => Seen::Void,
            Value::Prim(term) => match self.values.value(&self.vm.pool, *term) {
                Constant::Bv(_, n) => integer(descriptor, n),
                Constant::Bool(b) => Seen::Boolean(b),
                Constant::F32(b) if f32::from_bits(b).is_nan() => Seen::Float(0x7fc0_0000),
                Constant::F32(b) => Seen::Float(b),
                Constant::F64(b) if f64::from_bits(b).is_nan() => {
                    Seen::Double(0x7ff8_0000_0000_0000)
                }
                Constant::F64(b) => Seen::Double(b),
            },
            Value::Ref(Ref::Null) => Seen::Null,
            Value::Ref(Ref::Obj(id)) => self.object(*id),
            Value::Ref(Ref::Maybe { null, obj }) => {
                if self.values.holds(&self.vm.pool, *null) {
                    Seen::Null
                } else {
                    self.object(*obj)
                }
            }
        }
    }

    fn object(&mut self, id: ObjId) -> Seen {
        let id = match self.state.heap.chosen(id) {
            Ok(id) => id,
            Err(open) => {
                let holds = |o: &&(_, ObjId)| self.values.holds(&self.vm.pool, o.0);
                open.of.iter().find(holds).map_or(id, |o| o.1)
            }
        };
        let obj = self.state.heap.get(id);
        let class = self.vm.linker.class(obj.class).clone();
        match &obj.body {
            Body::Str(text) => return Seen::Str(units(&self.vm.pool, &self.values, text)),
            // Like enum constants, classes have no identity but their name.
            Body::Mirror(of) => {
                return Seen::Enum {
                    class: "java.lang.Class".into(),
                    constant: of.dotted(),
                };
            }
            Body::Fields(slots) if box_prim(&class.name).is_some() => {
                let primitive = box_prim(&class.name).unwrap_or(b'I') as char;
                let value = slots
                    .last()
                    .map(|s| s.get(self.version))
                    .unwrap_or(Value::Undef);
                return Seen::Boxed(Box::new(self.value(&value, &primitive.to_string())));
            }
            Body::Fields(slots) if is_enum(self.vm, &class) => return self.constant(&class, slots),
            _ => {}
        }
        if let Some(n) = self.numbers.get(&id) {
            return Seen::Ref(*n);
        }
        self.numbers.insert(id, self.numbers.len() as u32);
        let name = class.name.dotted();
        if let Some(text) = builder_text(self.vm, self.state, id, self.version) {
            let text = units(&self.vm.pool, &self.values, &text);
            return Seen::Content {
                class: name,
                values: vec![Seen::Str(text)],
            };
        }
        match &obj.body {
            Body::Array {
                element,
                len,
                values,
            } => {
                let len = self
                    .values
                    .value(&self.vm.pool, *len)
                    .as_i64()
                    .unwrap_or(0)
                    .max(0) as usize;
                let values: Vec<Value> = values
                    .iter()
                    .take(len)
                    .map(|s| s.get(self.version))
                    .collect();
                let values = values.iter().map(|v| self.value(v, element)).collect();
                Seen::Array {
                    element: element.to_string(),
                    values,
                }
            }
            Body::Fields(slots) => {
                let throwable = self
                    .vm
                    .linker
                    .resolve_for("java/lang/Throwable", self.version);
                if throwable.is_ok_and(|t| {
                    self.vm
                        .linker
                        .is_subclass(class.id, t, self.version)
                        .unwrap_or(false)
                }) {
                    return self.throwable(id, name);
                }
                if !class.project {
                    let found = content(
                        self.vm,
                        self.state,
                        id,
                        self.version,
                        Some(self.values.model()),
                    );
                    return match found {
                        Ok(Some(content)) => self.content(name, content),
                        _ => Seen::Opaque { class: name },
                    };
                }
                self.fields(name, &class, slots)
            }
            Body::Lambda(_) | Body::Constantly { .. } | Body::Proxy(_) => Seen::Opaque {
                class: HIDDEN.into(),
            },
            _ => Seen::Opaque { class: name },
        }
    }

    fn content(&mut self, class: String, content: Content) -> Seen {
        let len = self.values.value(&self.vm.pool, content.len).as_i64();
        let len = usize::try_from(len.unwrap_or(0)).unwrap_or(0);
        let mut values = Vec::new();
        for (value, descriptor) in content.values.iter().take(len) {
            let seen = self.value(value, descriptor);
            values.push(match value {
                Value::Prim(_) => Seen::Boxed(Box::new(seen)),
                _ => seen,
            });
        }
        if class == PATH {
            let byte = |seen: &Seen| match seen {
                Seen::Boxed(byte) => match **byte {
                    Seen::Byte(byte) => byte as u8,
                    _ => b'?',
                },
                _ => b'?',
            };
            let bytes: Vec<u8> = values.iter().map(byte).collect();
            let name = String::from_utf8_lossy(&bytes);
            values = vec![Seen::Str(name.encode_utf16().collect())];
        }
        Seen::Content { class, values }
    }

    fn constant(&mut self, class: &Class, slots: &[Slot]) -> Seen {
        // The class of a constant with a body is an enum too, by its flags: the enum itself stands right below java.lang.Enum.
        let above = class.superclass.get(self.version);
        let parent = above.map(|p| self.vm.linker.class(p).name.clone());
        let is_body = parent.is_some_and(|p| &*p != "java/lang/Enum");
        let owner = if is_body { above } else { Some(class.id) };
        let owner = owner
            .map(|o| self.vm.linker.class(o).name.dotted())
            .unwrap_or_default();
        let name = class
            .layout
            .iter()
            .position(|f| &*f.name == "name")
            .and_then(|i| slots.get(i));
        let constant = match name
            .map(|s| s.get(self.version))
            .map(|v| self.value(&v, "L"))
        {
            Some(Seen::Str(units)) => String::from_utf16_lossy(&units),
            _ => String::new(),
        };
        Seen::Enum {
            class: owner,
            constant,
        }
    }

    fn fields(&mut self, name: String, class: &Class, slots: &[Slot]) -> Seen {
        let mut order = Vec::new();
        let mut start = 0;
        while start < class.layout.len() {
            let owner = &class.layout[start].class;
            let end = (start..class.layout.len())
                .find(|i| class.layout[*i].class != *owner)
                .unwrap_or(class.layout.len());
            let told = (start..end).filter_map(|i| Some((class.told_name(i, self.version)?, i)));
            let mut part: Vec<_> = told.collect();
            part.sort();
            order.extend(part);
            start = end;
        }
        let mut fields = Vec::new();
        for (told, i) in order {
            let field = &class.layout[i];
            let owner_is_project = {
                let owner = self.vm.linker.resolve_for(&field.class, self.version);
                owner.is_ok_and(|o| self.vm.linker.class(o).project)
            };
            let absent = field.only.is_some_and(|v| v != self.version);
            if absent || !owner_is_project {
                continue;
            }
            let value = slots
                .get(i)
                .map(|s| s.get(self.version))
                .unwrap_or(Value::Undef);
            let seen = self.value(&value, &field.descriptor);
            fields.push((format!("{}.{told}", field.class.dotted()), seen));
        }
        Seen::Object {
            class: name,
            fields,
        }
    }
}

fn integer(descriptor: &str, n: i64) -> Seen {
    match descriptor.as_bytes().first() {
        Some(b'Z') => Seen::Boolean(n & 1 == 1),
        Some(b'B') => Seen::Byte(n as i8),
        Some(b'S') => Seen::Short(n as i16),
        Some(b'C') => Seen::Char(n as u16),
        Some(b'J') => Seen::Long(n),
        _ => Seen::Int(n as i32),
    }
}
