//! Decoding of class files (JVMS §4): the only place that knows the class-file library.

mod annotations;
mod code;
mod insn;
mod nesting;

use super::class_file::{
    ClassFile, Code, Const, DynamicRef, Field, MemberRef, Method, MethodHandle,
};
use super::reflection::Reflection;
use super::wider::take_places;
use ristretto_classfile as rc;
use ristretto_classfile::attributes::{Attribute, BootstrapMethod};
use std::cell::Cell;
use std::sync::Arc;

/// A class file that can't be read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("malformed class file: {0}")]
pub struct DecodeError(pub String);

impl From<rc::Error> for DecodeError {
    fn from(e: rc::Error) -> Self {
        DecodeError(e.to_string())
    }
}

type Decoded<T> = Result<T, DecodeError>;

struct Reader<'a> {
    pool: &'a rc::ConstantPool<'a>,
    bootstraps: &'a [BootstrapMethod],
    /// How deep in dynamic constants it is, and how many it has read there.
    dynamic: Cell<(u32, u32)>,
}

/// Constants that the arguments of one dynamic constant or call site may be made of: each can name others, also itself.
const MOST_CONSTANTS: u32 = 10_000;
/// How deep these may be nested.
const DEEPEST: u32 = 64;

/// Decodes a class file (JVMS §4).
///
/// # Errors
/// The bytes are no class file, are nested deeper than any compiler writes, or hold something that this decoder does not know.
pub fn decode(bytes: &[u8]) -> Decoded<ClassFile> {
    nesting::check(bytes)?;
    let file = rc::ClassFile::from_slice(bytes)?;
    let bootstraps = file
        .attributes
        .iter()
        .find_map(|a| match a {
            Attribute::BootstrapMethods { methods, .. } => Some(methods.as_slice()),
            _ => None,
        })
        .unwrap_or_default();
    let reader = Reader {
        pool: &file.constant_pool,
        bootstraps,
        dynamic: Cell::default(),
    };
    let mut reflection = Reflection::new(&file.constant_pool);
    let mut out = ClassFile {
        name: reader.class(file.this_class)?,
        super_name: match file.super_class {
            0 => None,
            index => Some(reader.class(index)?),
        },
        interfaces: file
            .interfaces
            .iter()
            .map(|i| reader.class(*i))
            .collect::<Decoded<_>>()?,
        access: file.access_flags.bits(),
        fields: file
            .fields
            .iter()
            .map(|f| reader.field(f, &mut reflection))
            .collect::<Decoded<_>>()?,
        methods: file
            .methods
            .iter()
            .map(|m| reader.method(m, &mut reflection))
            .collect::<Decoded<_>>()?,
        signature: None,
        source_file: None,
        inner_classes: Vec::new(),
        reflected: reflection.of_class(&file.attributes)?,
        annotations: reader.annotations(&file.attributes)?,
    };
    take_places(&mut out.methods);
    reader.class_attributes(&file.attributes, &mut out)?;
    out.reflected.pool = reflection.into_pool();
    Ok(out)
}

impl Reader<'_> {
    /// What attributes say of the class itself, but for what only reflection shows.
    fn class_attributes(&self, attributes: &[Attribute], out: &mut ClassFile) -> Decoded<()> {
        for attribute in attributes {
            match attribute {
                Attribute::SourceFile {
                    source_file_index, ..
                } => {
                    out.source_file = Some(self.utf8(*source_file_index)?);
                }
                Attribute::Signature {
                    signature_index, ..
                } => {
                    out.signature = Some(self.utf8(*signature_index)?);
                }
                Attribute::InnerClasses { classes, .. } => {
                    for c in classes {
                        let optional = |i: u16, f: &dyn Fn(u16) -> Decoded<Arc<str>>| {
                            if i == 0 { Ok(None) } else { f(i).map(Some) }
                        };
                        out.inner_classes.push((
                            self.class(c.class_info_index)?,
                            optional(c.outer_class_info_index, &|i| self.class(i))?,
                            optional(c.name_index, &|i| self.utf8(i))?,
                            c.access_flags.bits(),
                        ));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn utf8(&self, index: u16) -> Decoded<Arc<str>> {
        Ok(Arc::from(&*self.pool.try_get_utf8(index)?.to_str_lossy()))
    }

    fn class(&self, index: u16) -> Decoded<Arc<str>> {
        Ok(Arc::from(&*self.pool.try_get_class(index)?.to_str_lossy()))
    }

    fn name_and_type(&self, index: u16) -> Decoded<(Arc<str>, Arc<str>)> {
        let (name, descriptor) = self.pool.try_get_name_and_type(index)?;
        Ok((self.utf8(*name)?, self.utf8(*descriptor)?))
    }

    fn member(&self, index: u16) -> Decoded<(MemberRef, bool)> {
        let (class, rest, interface) = match self.pool.try_get(index)? {
            rc::Constant::FieldRef {
                class_index,
                name_and_type_index,
            }
            | rc::Constant::MethodRef {
                class_index,
                name_and_type_index,
            } => (class_index, name_and_type_index, false),
            rc::Constant::InterfaceMethodRef {
                class_index,
                name_and_type_index,
            } => (class_index, name_and_type_index, true),
            other => {
                return Err(DecodeError(format!(
                    "constant {index} is no member: {other:?}"
                )));
            }
        };
        let (name, descriptor) = self.name_and_type(*rest)?;
        Ok((
            MemberRef {
                class: self.class(*class)?,
                name,
                descriptor,
            },
            interface,
        ))
    }

    fn handle(&self, index: u16) -> Decoded<MethodHandle> {
        let (kind, reference) = self.pool.try_get_method_handle(index)?;
        let (member, interface) = self.member(*reference)?;
        let MemberRef {
            class,
            name,
            descriptor,
        } = member;
        Ok(MethodHandle {
            kind: kind.kind(),
            class,
            name,
            descriptor,
            interface,
        })
    }

    fn dynamic(&self, bootstrap: u16, name_and_type: u16) -> Decoded<Arc<DynamicRef>> {
        let method = self
            .bootstraps
            .get(usize::from(bootstrap))
            .ok_or_else(|| DecodeError(format!("no bootstrap method {bootstrap}")))?;
        let (depth, made) = self.dynamic.get();
        let made = made + method.arguments.len() as u32;
        if depth == DEEPEST || made > MOST_CONSTANTS {
            return Err(DecodeError("a dynamic constant has no end".into()));
        }
        self.dynamic.set((depth + 1, made));
        let args = method
            .arguments
            .iter()
            .map(|a| self.constant(*a))
            .collect::<Decoded<_>>()?;
        let made = self.dynamic.get().1;
        self.dynamic.set((depth, if depth == 0 { 0 } else { made }));
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(Arc::new(DynamicRef {
            bootstrap: self.handle(method.bootstrap_method_ref)?,
            args,
            name,
            descriptor,
        }))
    }

    fn constant(&self, index: u16) -> Decoded<Const> {
        Ok(match self.pool.try_get(index)? {
            rc::Constant::Integer(i) => Const::Int(*i),
            rc::Constant::Float(f) => Const::Float(f.to_bits()),
            rc::Constant::Long(l) => Const::Long(*l),
            rc::Constant::Double(d) => Const::Double(d.to_bits()),
            rc::Constant::Class(_) => Const::Class(self.class(index)?),
            rc::Constant::String(utf8) => {
                Const::Str(Arc::from(self.pool.try_get_utf8(*utf8)?.to_utf16()?))
            }
            rc::Constant::MethodHandle { .. } => Const::MethodHandle(self.handle(index)?),
            rc::Constant::MethodType(descriptor) => Const::MethodType(self.utf8(*descriptor)?),
            rc::Constant::Dynamic {
                bootstrap_method_attr_index,
                name_and_type_index,
            } => Const::Dynamic(self.dynamic(*bootstrap_method_attr_index, *name_and_type_index)?),
            other => {
                return Err(DecodeError(format!(
                    "constant {index} is not loadable: {other:?}"
                )));
            }
        })
    }

    fn field(&self, field: &rc::Field, reflection: &mut Reflection) -> Decoded<Field> {
        let constant = field.attributes.iter().find_map(|a| match a {
            Attribute::ConstantValue {
                constant_value_index,
                ..
            } => Some(*constant_value_index),
            _ => None,
        });
        Ok(Field {
            name: self.utf8(field.name_index)?,
            descriptor: self.utf8(field.descriptor_index)?,
            access: field.access_flags.bits(),
            constant: constant.map(|c| self.constant(c)).transpose()?,
            reflected: reflection.of_field(&field.attributes)?,
        })
    }

    fn method(&self, method: &rc::Method, reflection: &mut Reflection) -> Decoded<Method> {
        let mut out = Method {
            name: self.utf8(method.name_index)?,
            descriptor: self.utf8(method.descriptor_index)?,
            access: method.access_flags.bits(),
            code: None,
            signature: None,
            parameter_names: Vec::new(),
            reflected: reflection.of_method(&method.attributes)?,
            annotations: self.annotations(&method.attributes)?,
            parameter_annotations: Vec::new(),
        };
        for attribute in &method.attributes {
            if let Attribute::Code {
                max_locals,
                code,
                exception_table,
                attributes,
                ..
            } = attribute
            {
                let code = self.code(*max_locals, code, exception_table, attributes)?;
                out.parameter_names = parameter_names(&out, &code);
                out.code = Some(Arc::new(code));
            }
            if let Attribute::Signature {
                signature_index, ..
            } = attribute
            {
                out.signature = Some(self.utf8(*signature_index)?);
            }
        }
        let count = super::parameter_descriptors(&out.descriptor).len();
        let added = out
            .parameter_names
            .iter()
            .take_while(|n| n.starts_with("this$"));
        let places = (count, added.count());
        out.parameter_annotations = self.parameter_annotations(&method.attributes, places)?;
        Ok(out)
    }
}

/// Names of the parameters, from the variables live at the method's start.
fn parameter_names(method: &Method, code: &Code) -> Vec<Arc<str>> {
    let mut slot = u16::from(method.access & super::access::STATIC == 0);
    let mut names = Vec::new();
    for parameter in super::parameter_descriptors(&method.descriptor) {
        let at_start = code.locals.iter().find(|v| v.slot == slot && v.start == 0);
        match at_start {
            Some(variable) => names.push(variable.name.clone()),
            None => return Vec::new(),
        }
        slot += if matches!(&*parameter, "J" | "D") {
            2
        } else {
            1
        };
    }
    names
}
