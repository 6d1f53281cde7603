//! Fresh symbolic values: primitives, strings, boxes, and arrays of these.

use super::CHARS;
use super::STRING;
use super::driver::{Built, Driver};
use crate::expr::{Sort, Term};
use crate::model::reason::Reason;
use crate::model::{Version, integral_range};
use crate::symex::class::linker::class_name_of;
use crate::symex::class::{ClassId, FieldSlot};
use crate::symex::state::heap::{Body, Identity};
use crate::symex::state::symbolic::Symbolic;
use crate::symex::value::primitive::box_prim;
use crate::symex::value::shadow::Shadow;
use crate::symex::value::text::Text;
use crate::symex::value::{ObjId, Ref, Value};
use crate::symex::vm::Vm;
use std::sync::Arc;

impl Driver<'_> {
    pub(super) fn null(&mut self, name: &str, nullable: bool) -> Term {
        let pool = &mut self.vm.pool;
        if nullable {
            pool.var(&format!("{name} == null"), Sort::Bool, None)
        } else {
            pool.bool(false)
        }
    }

    pub(super) fn length(&mut self, name: &str, most: u32) -> Term {
        let range = Some((0, i64::from(most)));
        let name = format!("{name}.length");
        self.vm.pool.var(&name, Sort::Bv(32), range)
    }

    /// A symbolic primitive, string, box or array.
    pub(super) fn symbolic(
        &mut self,
        descriptor: &str,
        name: &str,
        nullable: bool,
        depth: u32,
    ) -> Built<(Value, Symbolic)> {
        let first = descriptor.as_bytes().first().copied().unwrap_or(b'I');
        match first {
            b'L' if descriptor == STRING || descriptor == CHARS => {
                let null = self.null(name, nullable);
                let text = self.text(name);
                let copied = format!("{name} is no literal");
                let copied = self.vm.pool.var(&copied, Sort::Bool, None);
                let class = self.vm.library("java/lang/String")?;
                let obj = self.heap.alloc(class, Body::Str(text.clone()));
                self.heap.get_mut(obj).identity = Identity::Input(copied);
                let value = self.nullable(null, obj);
                Ok((value, Symbolic::Str { null, text, copied }))
            }
            b'L' => self.boxed(descriptor, name, nullable),
            b'[' => self.array(&descriptor[1..], name, nullable, depth),
            _ => {
                let term = primitive(self.vm, first, name);
                Ok((Value::Prim(term), Symbolic::Prim(first, term)))
            }
        }
    }

    /// A reference to a new object that is null under a condition.
    fn reference(&mut self, null: Term, class: ClassId, body: Body) -> Value {
        let obj = self.heap.alloc(class, body);
        self.nullable(null, obj)
    }

    fn nullable(&self, null: Term, obj: ObjId) -> Value {
        match self.vm.pool.as_bool(null) {
            Some(false) => Value::obj(obj),
            _ => Value::Ref(Ref::Maybe { null, obj }),
        }
    }

    fn text(&mut self, name: &str) -> Text {
        let most = self.vm.bounds.max_string;
        let range = Some((0, i64::from(most)));
        let pool = &mut self.vm.pool;
        let len = pool.var(&format!("{name}.length()"), Sort::Bv(32), range);
        let unit = |i| pool.var(&format!("{name}.charAt({i})"), Sort::Bv(16), None);
        let chars: Arc<[Term]> = (0..most).map(unit).collect();
        Text::of(len, chars)
    }

    fn boxed(&mut self, descriptor: &str, name: &str, nullable: bool) -> Built<(Value, Symbolic)> {
        let class_name = class_name_of(descriptor).unwrap_or_default();
        let Some(prim) = box_prim(&class_name) else {
            return Ok((Value::NULL, Symbolic::Null));
        };
        let null = self.null(name, nullable);
        let term = primitive(self.vm, prim, name);
        let class = self.vm.library(&class_name)?;
        let layout = self.vm.linker.class(class).layout.clone();
        let slot = |f: &FieldSlot| match &*f.name {
            "value" => Value::Prim(term),
            _ => self.vm.default_value(&f.descriptor),
        };
        let slots = layout.iter().map(slot).map(Shadow::Same).collect();
        let value = self.reference(null, class, Body::Fields(slots));
        Ok((value, Symbolic::Boxed(null, prim, term)))
    }

    fn array(
        &mut self,
        element: &str,
        name: &str,
        nullable: bool,
        depth: u32,
    ) -> Built<(Value, Symbolic)> {
        let most = if depth == 0 {
            self.vm.bounds.max_array
        } else {
            self.vm.bounds.max_array.min(2)
        };
        let null = self.null(name, nullable);
        let len = self.length(name, most);
        let (mut slots, mut values) = (Vec::new(), Vec::new());
        for i in 0..most {
            let name = format!("{name}[{i}]");
            let (value, symbolic) = self.symbolic(element, &name, true, depth + 1)?;
            slots.push(Shadow::Same(value));
            values.push(symbolic);
        }
        let element: Arc<str> = Arc::from(element);
        let name = format!("[{element}");
        let class = self.vm.linker.resolve_for(&name, Version::New)?;
        let body = Body::Array {
            element: element.clone(),
            len,
            values: slots,
        };
        let symbolic = Symbolic::Array {
            null,
            element,
            len,
            values,
        };
        Ok((self.reference(null, class, body), symbolic))
    }
}

fn primitive(vm: &mut Vm, descriptor: u8, name: &str) -> Term {
    let (sort, range) = match descriptor {
        b'J' => (Sort::Bv(64), whole(vm)),
        b'F' => (Sort::F32, None),
        b'D' => (Sort::F64, None),
        b'I' => (Sort::Bv(32), whole(vm)),
        narrow => {
            let range = integral_range(&char::from(narrow).to_string());
            (Sort::Bv(32), range)
        }
    };
    vm.pool.var(name, sort, range)
}

/// The range of ints and longs.
fn whole(vm: &mut Vm) -> Option<(i64, i64)> {
    let range = vm.bounds.int_range;
    if let Some((low, high)) = range {
        vm.touched
            .insert((Reason::IntRange, format!("{low}..{high}")));
    }
    range
}
