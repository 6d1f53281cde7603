//! Concrete values: contents of static fields, strings and arrays that a lookup names.

use super::driver::Driver;
use super::{Built, Spec};
use crate::bytecode::class_file::{Const, Insn, MemberRef};
use crate::model::{Spelling, Version};
use crate::symex::class::linker::class_name_of;
use crate::symex::state::symbolic::Symbolic;
use crate::symex::value::text::Text;
use std::sync::Arc;

impl Driver<'_> {
    pub(super) fn literal(&mut self, text: &str) -> (u16, Symbolic) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (no, text) = (
            self.vm.pool.bool(false),
            Text::constant(&mut self.vm.pool, &units),
        );
        self.insns.push(Insn::Const(Const::Str(Arc::from(units))));
        let symbolic = Symbolic::Str {
            null: no,
            text,
            copied: no,
        };
        (self.store("L;"), symbolic)
    }

    pub(super) fn exactly(
        &mut self,
        element: &Arc<str>,
        specs: &[Spec],
        name: &str,
    ) -> Built<(u16, Symbolic)> {
        let params = vec![element.clone(); specs.len()];
        let (locals, values) = self.build_all(&params, specs, &format!("{name}."))?;
        let class = class_name_of(element).unwrap_or_default();
        self.insns.extend([
            Insn::Const(Const::Int(specs.len() as i32)),
            Insn::ANewArray(Arc::from(class)),
        ]);
        for (i, local) in locals.iter().enumerate() {
            self.insns.extend([
                Insn::Dup,
                Insn::Const(Const::Int(i as i32)),
                Insn::Load(None, *local),
                Insn::ArrayStore(None),
            ]);
        }
        let symbolic = Symbolic::Array {
            null: self.vm.pool.bool(false),
            element: element.clone(),
            len: self.vm.pool.int(specs.len() as i32),
            values,
        };
        Ok((self.store("L;"), symbolic))
    }

    pub(super) fn constant(
        &mut self,
        class: &Arc<str>,
        name: &Arc<str>,
        descriptor: &Arc<str>,
    ) -> Built<(u16, Symbolic)> {
        let field = MemberRef {
            class: class.clone(),
            name: name.clone(),
            descriptor: descriptor.clone(),
        };
        self.insns.push(Insn::GetStatic(Arc::new(field)));
        let local = self.store(descriptor);
        let owner = self.vm.linker.resolve_for(class, Version::New)?;
        let (class_text, name_text) = (class.dotted(), name.to_string());
        let symbolic = if self.vm.linker.class(owner).constants.contains(name) {
            Symbolic::Constant(class_text, name_text)
        } else {
            Symbolic::Field(class_text, name_text)
        };
        Ok((local, symbolic))
    }
}
