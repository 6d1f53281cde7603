//! Instructions that read, write and make objects and arrays.

use super::enum_tables::is_case_table;
use super::executor::Executor;
use super::heap::HeapMap;
use super::never_null::CONSTRUCTED;
use super::state::{State, Unproved};
use super::symbols::element_descriptor;
use crate::bytecode::access::INTERFACE;
use crate::bytecode::access::{FINAL, VOLATILE};

use crate::bytecode::class_file::{Insn, MemberRef, Prim};
use crate::expr::{CmpOp, Sort, Term};
use std::rc::Rc;
use std::sync::Arc;

/// Final static fields that can change nevertheless, by `System.setOut` and the like.
const STREAMS: [&str; 3] = ["in", "out", "err"];

impl Executor<'_> {
    pub(super) fn heap_map(&self, field: &MemberRef) -> Result<(HeapMap, bool), Unproved> {
        let found = self.version.field(field);
        let found =
            found.ok_or_else(|| Unproved::Unsupported("a field that is not there".into()))?;
        let name: Arc<str> = Arc::from(format!("{}.{}", found.owner, field.name));
        self.context.changes.has_one_type(&name)?;
        let of_stream = &*found.owner == "java/lang/System" && STREAMS.contains(&&*field.name);
        let is_final = found.access & FINAL != 0 && !self.context.constructs && !of_stream;
        let map = match is_final {
            true => HeapMap::Final(name, field.descriptor.clone()),
            false => HeapMap::Field(name, field.descriptor.clone()),
        };
        Ok((map, found.access & VOLATILE != 0))
    }

    pub(super) fn get_field(
        &mut self,
        mut state: State,
        field: &MemberRef,
    ) -> Result<(), Unproved> {
        let object = state.pop()?;
        let (map, volatile) = self.heap_map(field)?;
        let Some(state) = self.not_null(state, object)? else {
            return Ok(());
        };
        self.load_from(state, map, object, volatile)
    }

    fn load_from(
        &mut self,
        state: State,
        map: HeapMap,
        object: Term,
        volatile: bool,
    ) -> Result<(), Unproved> {
        // What an initialiser or constructor gives a field is the same only if that does the same.
        if let HeapMap::Field(name, _) | HeapMap::Final(name, _) = &map
            && let Some(writers) = self.context.changes.writers.get(&**name)
        {
            self.context.relies_on.union_with(writers);
        }
        if let HeapMap::Final(name, _) = &map
            && self.context.changes.made_final.contains(&**name)
        {
            self.context.assumed.insert(CONSTRUCTED);
        }
        let state = match volatile {
            true => self.event(state, ("volatile read", vec![object]), "V", false)?,
            false => Some((state, None)),
        };
        let Some((mut state, _)) = state else {
            return Ok(());
        };
        let s = &mut self.context.symbols;
        let index = s.pool.int(0);
        let value = state.heap.read(s, &map, object, index);
        if let HeapMap::Final(name, descriptor) = &map
            && descriptor.starts_with(['L', '['])
            && name
                .rsplit_once('.')
                .is_some_and(|(owner, field)| self.version.is_never_null(owner, field))
        {
            let null = self.context.symbols.is_null(value);
            let set = self.context.symbols.pool.not(null);
            if self.context.symbols.pool.as_bool(set).is_none() {
                self.context.assumed.insert(CONSTRUCTED);
                match self.context.assume(&state.condition, set)? {
                    Some(condition) => state.condition = condition,
                    None => return Ok(()),
                }
            }
        }
        state.push(value);
        state.step();
        self.continue_with(state);
        Ok(())
    }

    pub(super) fn put_field(
        &mut self,
        mut state: State,
        field: &MemberRef,
    ) -> Result<(), Unproved> {
        let value = state.pop()?;
        let object = state.pop()?;
        let (map, volatile) = self.heap_map(field)?;
        let Some(state) = self.not_null(state, object)? else {
            return Ok(());
        };
        self.store_to(state, map, object, value, volatile)
    }

    fn store_to(
        &mut self,
        mut state: State,
        map: HeapMap,
        object: Term,
        value: Term,
        volatile: bool,
    ) -> Result<(), Unproved> {
        if matches!(map, HeapMap::Final(..)) && !state.heap.is_allocated(object) {
            return Err(Unproved::Unsupported("a final field written".into()));
        }
        let value = self.narrowed(value, map.descriptor());
        let index = self.context.symbols.pool.int(0);
        self.publish_stored(&mut state, object, value);
        state.heap.write(map, object, index, value);
        let state = match volatile {
            true => self.event(state, ("volatile write", vec![object]), "V", false)?,
            false => Some((state, None)),
        };
        if let Some((mut state, _)) = state {
            state.step();
            self.continue_with(state);
        }
        Ok(())
    }

    /// What is stored may be found by other code; so may an object that is one of several, of which it is not known which is
    /// written.
    fn publish_stored(&self, state: &mut State, object: Term, value: Term) {
        if !state.heap.is_private(object) {
            self.publish(state, &[object]);
        }
        self.publish(state, &[value]);
    }

    pub(super) fn static_field(
        &mut self,
        state: State,
        insn: &Insn,
        field: &MemberRef,
    ) -> Result<(), Unproved> {
        if is_case_table(field) {
            return self.case_table(state, insn, &field.class);
        }
        let found = self.version.field(field);
        let owner = found.map_or(field.class.clone(), |f| f.owner);
        let Some(mut state) = self.initialised(state, insn, &owner)? else {
            return Ok(());
        };
        let (map, volatile) = self.heap_map(field)?;
        let null = self.context.symbols.null();
        if matches!(insn, Insn::GetStatic(_)) {
            if let Some(made @ Insn::InvokeDynamic(site)) = &self.constant_function(&state, field) {
                return self.dynamic(state, made, site);
            }
            if let Some(value) = self.fixed_constant(&state, field) {
                return self.complete(state, Some(value));
            }
            if let ("java/lang/Boolean", truth @ ("TRUE" | "FALSE")) = (&*owner, &*field.name) {
                let s = &mut self.context.symbols;
                let value = s.pool.int(i32::from(truth == "TRUE"));
                let value = s.truth_box(value);
                return self.complete(state, Some(value));
            }
            if let Some(level) = self.level(&owner, field) {
                return self.complete(state, Some(level));
            }
            return self.load_from(state, map, null, volatile);
        }
        let value = state.pop()?;
        self.store_to(state, map, null, value, volatile)
    }

    /// The state after a class is initialised. It is an event if an initialiser with visible effects may run.
    ///
    /// # Errors
    /// As `fork`.
    pub(super) fn initialised(
        &mut self,
        state: State,
        insn: &Insn,
        class: &Arc<str>,
    ) -> Result<Option<State>, Unproved> {
        // A method runs only in a class whose initialisation has begun, and with it that of all classes above; not of interfaces.
        let is_interface =
            |c: std::sync::Arc<crate::bytecode::class_file::ClassFile>| c.access & INTERFACE != 0;
        let plain = !self.version.class(class).is_some_and(is_interface);
        let begun = state.frames.iter().any(|f| {
            let of = &f.body.class.name;
            of == class || plain && self.version.is_subclass(of, class) == Some(true)
        });
        if begun
            || state.initialised.contains(class)
            || !self.version.needs_initialising(class)
            || self.version.is_inert(class)
        {
            return Ok(Some(state));
        }
        self.rely_on(insn);
        let what = format!("initialise {class}");
        let after = self.event(state, (&what, Vec::new()), "V", true)?;
        Ok(after.map(|(mut state, _)| {
            Rc::make_mut(&mut state.initialised).insert(class.clone());
            state
        }))
    }

    pub(super) fn new_object(
        &mut self,
        state: State,
        insn: &Insn,
        class: &Arc<str>,
    ) -> Result<(), Unproved> {
        let of_renamed = self.context.changes.of_renamed(class);
        self.context.relies_on.union_with(&of_renamed);
        if let Some(mut state) = self.initialised(state, insn, class)? {
            let object = self.allocate(&mut state, self.class_made(class), None);
            state.push(object);
            state.step();
            self.continue_with(state);
        }
        Ok(())
    }

    pub(super) fn new_array(&mut self, mut state: State, insn: &Insn) -> Result<(), Unproved> {
        let class = match insn {
            Insn::NewArray(prim) => format!("[{}", primitive(*prim)),
            Insn::ANewArray(element) if element.starts_with('[') => format!("[{element}"),
            Insn::ANewArray(element) => format!("[L{element};"),
            _ => return Err(Unproved::Unsupported("array".into())),
        };
        let length = state.pop()?;
        let zero = self.context.symbols.pool.int(0);
        let negative = self.context.symbols.pool.cmp(CmpOp::Slt, length, zero);
        self.about = vec![length];
        let after = self.unless(state, negative, "java/lang/NegativeArraySizeException")?;
        if let Some(mut state) = after {
            let array = self.allocate(&mut state, &class, Some(length));
            state.push(array);
            state.step();
            self.continue_with(state);
        }
        Ok(())
    }

    /// Length of an array that is not null: it never changes.
    pub(super) fn length(&mut self, state: &State, array: Term) -> Term {
        match state.heap.length(array) {
            Some(length) => length,
            None => {
                let range = Some((0, i64::from(i32::MAX)));
                let s = &mut self.context.symbols;
                s.app_in("length of ", &[array], Sort::Bv(32), range)
            }
        }
    }

    fn in_bounds(
        &mut self,
        state: State,
        array: Term,
        index: Term,
    ) -> Result<Option<State>, Unproved> {
        let Some(state) = self.not_null(state, array)? else {
            return Ok(None);
        };
        let length = self.length(&state, array);
        let pool = &mut self.context.symbols.pool;
        let beyond = pool.cmp(CmpOp::Ule, length, index);
        self.about = vec![length, index];
        self.unless(state, beyond, "java/lang/ArrayIndexOutOfBoundsException")
    }

    pub(super) fn array_load(
        &mut self,
        mut state: State,
        kind: Option<Prim>,
    ) -> Result<(), Unproved> {
        let index = state.pop()?;
        let array = state.pop()?;
        if let Some(case) = self.case_in_table(array, index)? {
            return self.complete(state, Some(case));
        }
        if let Some(mut state) = self.in_bounds(state, array, index)? {
            let map = HeapMap::Elements(element_descriptor(kind));
            let s = &mut self.context.symbols;
            let value = state.heap.read(s, &map, array, index);
            state.push(value);
            state.step();
            self.continue_with(state);
        }
        Ok(())
    }

    pub(super) fn array_store(
        &mut self,
        mut state: State,
        kind: Option<Prim>,
    ) -> Result<(), Unproved> {
        let value = state.pop()?;
        let index = state.pop()?;
        let array = state.pop()?;
        let Some(mut state) = self.in_bounds(state, array, index)? else {
            return Ok(());
        };
        let mut value = value;
        match kind {
            None => {
                // Whether an element fits is a question of the two classes, which never change.
                let fits = self.surely_fits(array, value);
                let s = &mut self.context.symbols;
                let null = s.is_null(value);
                let misfit = match fits {
                    true => s.pool.bool(false),
                    false => s.app("array refuses", &[array, value], Sort::Bool),
                };
                let not_null = s.pool.not(null);
                let refused = s.pool.and(not_null, misfit);
                self.about = vec![array, value];
                let after = self.unless(state, refused, "java/lang/ArrayStoreException")?;
                let Some(next) = after else { return Ok(()) };
                state = next;
            }
            // Arrays of boolean keep the last bit, those of byte eight: which it is, is not known here.
            Some(Prim::Byte | Prim::Boolean) => {
                let s = &mut self.context.symbols;
                let class = s.class_of(array).or(s.type_of(array));
                let of_bytes = class.map(|class| &**class == "[B");
                value = match of_bytes {
                    Some(true) => self.narrowed(value, "B"),
                    Some(false) => self.narrowed(value, "Z"),
                    None => s.value("as element", &[array, value], "B"),
                };
            }
            Some(Prim::Char) => value = self.narrowed(value, "C"),
            Some(Prim::Short) => value = self.narrowed(value, "S"),
            _ => {}
        }
        let map = HeapMap::Elements(element_descriptor(kind));
        self.publish_stored(&mut state, array, value);
        state.heap.write(map, array, index, value);
        state.step();
        self.continue_with(state);
        Ok(())
    }

    pub(super) fn array_length(&mut self, mut state: State) -> Result<(), Unproved> {
        let array = state.pop()?;
        let Some(state) = self.not_null(state, array)? else {
            return Ok(());
        };
        let length = self.length(&state, array);
        self.complete(state, Some(length))
    }

    /// The creation of an array of arrays is an event, because its elements have no symbols of their own.
    pub(super) fn new_multi_array(
        &mut self,
        mut state: State,
        class: &str,
        dimensions: u8,
    ) -> Result<(), Unproved> {
        let args = state.pop_all(usize::from(dimensions))?;
        let what = format!("new {class}");
        match self.event(state, (&what, args), class, true)? {
            Some((state, array)) => self.complete(state, array),
            None => Ok(()),
        }
    }

    /// Whether an array that this version made takes a value for its type.
    fn surely_fits(&self, array: Term, value: Term) -> bool {
        let s = &self.context.symbols;
        let element = s.class_of(array).and_then(|c| c.strip_prefix("[L"));
        let of = s.class_of(value).or_else(|| s.type_of(value));
        let (Some(element), Some(of)) = (element, of) else {
            return false;
        };
        let wanted = element.trim_end_matches(';');
        self.version.is_subclass(of, wanted) == Some(true)
    }

    pub(super) fn check_cast(&mut self, mut state: State, class: &str) -> Result<(), Unproved> {
        let object = state.pop()?;
        let null = self.context.symbols.is_null(object);
        let is = self.is_instance(object, None, class);
        let pool = &mut self.context.symbols.pool;
        let (a, b) = (pool.not(null), pool.not(is));
        let wrong = pool.and(a, b);
        self.about = vec![object];
        let after = self.unless_keeping(state, wrong, object, "java/lang/ClassCastException")?;
        if let Some(mut state) = after {
            state.step();
            self.continue_with(state);
        }
        Ok(())
    }

    fn unless_keeping(
        &mut self,
        state: State,
        condition: Term,
        value: Term,
        exception: &str,
    ) -> Result<Option<State>, Unproved> {
        let after = self.unless(state, condition, exception)?;
        Ok(after.map(|mut state| {
            state.push(value);
            state
        }))
    }
}

fn primitive(prim: Prim) -> &'static str {
    match prim {
        Prim::Boolean => "Z",
        other => element_descriptor(Some(other)),
    }
}
