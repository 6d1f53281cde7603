//! Reading what a class file says for reflection. Annotations are written anew, with a pool of their own: equal ones of two builds
//! are equal bytes.

use super::decode::DecodeError;
use super::reflected::{Component, Enclosing, Item, OfClass, OfField, OfMethod, Raw};
use ristretto_classfile::attributes::{Annotation, AnnotationElement, Attribute, Record};
use ristretto_classfile::{Constant, ConstantPool};
use std::sync::Arc;

type Decoded<T> = Result<T, DecodeError>;

const CALLER_SENSITIVE: &str = "Ljdk/internal/reflect/CallerSensitive;";

/// Reads one class.
pub(super) struct Reflection<'a> {
    from: &'a ConstantPool<'a>,
    pool: Vec<Item>,
}

impl<'a> Reflection<'a> {
    /// Of a class with that constant pool.
    pub(super) fn new(from: &'a ConstantPool<'a>) -> Reflection<'a> {
        let pool = Vec::new();
        Reflection { from, pool }
    }

    /// What the written annotations point into.
    pub(super) fn into_pool(self) -> Vec<Item> {
        self.pool
    }

    /// What the attributes of a class say, the pool left aside.
    pub(super) fn of_class(&mut self, attributes: &[Attribute]) -> Decoded<OfClass> {
        let mut out = OfClass {
            annotations: self.visible(attributes)?,
            ..OfClass::default()
        };
        for attribute in attributes {
            match attribute {
                Attribute::NestHost {
                    host_class_index, ..
                } => out.nest_host = Some(self.class(*host_class_index)?),
                Attribute::EnclosingMethod {
                    class_index,
                    method_index,
                    ..
                } => {
                    let class = self.class(*class_index)?;
                    let method = match method_index {
                        0 => None,
                        index => Some(self.name_and_type(*index)?),
                    };
                    out.enclosing = Some(Enclosing { class, method });
                }
                Attribute::Record { records, .. } => {
                    let component = |r: &Record| -> Decoded<Component> {
                        Ok(Component {
                            name: self.utf8(r.name_index)?,
                            descriptor: self.utf8(r.descriptor_index)?,
                            of: self.of_field(&r.attributes)?,
                        })
                    };
                    out.components = Some(records.iter().map(component).collect::<Decoded<_>>()?);
                }
                Attribute::PermittedSubclasses { class_indexes, .. } => {
                    let each = class_indexes.iter().map(|i| self.class(*i));
                    out.permitted = Some(each.collect::<Decoded<_>>()?);
                }
                _ => {}
            }
        }
        Ok(out)
    }

    /// What the attributes of a field or record component say.
    pub(super) fn of_field(&mut self, attributes: &[Attribute]) -> Decoded<OfField> {
        let signature = attributes.iter().find_map(|a| match a {
            Attribute::Signature {
                signature_index, ..
            } => Some(*signature_index),
            _ => None,
        });
        Ok(OfField {
            signature: signature.map(|index| self.utf8(index)).transpose()?,
            annotations: self.visible(attributes)?,
        })
    }

    /// What the attributes of a method say.
    pub(super) fn of_method(&mut self, attributes: &[Attribute]) -> Decoded<OfMethod> {
        let exceptions = attributes.iter().find_map(|a| match a {
            Attribute::Exceptions {
                exception_indexes, ..
            } => Some(exception_indexes.iter()),
            _ => None,
        });
        let exceptions = exceptions.into_iter().flatten();
        Ok(OfMethod {
            exceptions: exceptions.map(|i| self.class(*i)).collect::<Decoded<_>>()?,
            annotations: self.visible(attributes)?,
            parameter_annotations: self.of_parameters(attributes)?,
            caller_sensitive: self.has(attributes, CALLER_SENSITIVE)?,
            names_parameters: attributes
                .iter()
                .any(|a| matches!(a, Attribute::MethodParameters { .. })),
            default: self.default(attributes)?,
        })
    }

    /// Whether a member has the annotation of that descriptor.
    fn has(&self, attributes: &[Attribute], descriptor: &str) -> Decoded<bool> {
        for attribute in attributes {
            if let Attribute::RuntimeVisibleAnnotations { annotations, .. } = attribute {
                for annotation in annotations {
                    if *self.utf8(annotation.type_index)? == *descriptor {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn utf8(&self, index: u16) -> Decoded<Arc<str>> {
        Ok(Arc::from(&*self.from.try_get_utf8(index)?.to_str_lossy()))
    }

    fn class(&self, index: u16) -> Decoded<Arc<str>> {
        Ok(Arc::from(&*self.from.try_get_class(index)?.to_str_lossy()))
    }

    fn name_and_type(&self, index: u16) -> Decoded<(Arc<str>, Arc<str>)> {
        let (name, descriptor) = self.from.try_get_name_and_type(index)?;
        Ok((self.utf8(*name)?, self.utf8(*descriptor)?))
    }

    fn visible(&mut self, attributes: &[Attribute]) -> Decoded<Raw> {
        let found = attributes.iter().find_map(|a| match a {
            Attribute::RuntimeVisibleAnnotations { annotations, .. } => Some(annotations),
            _ => None,
        });
        found.map(|all| self.list(all)).transpose()
    }

    /// The annotations of a method's parameters.
    fn of_parameters(&mut self, attributes: &[Attribute]) -> Decoded<Raw> {
        let found = attributes.iter().find_map(|a| match a {
            Attribute::RuntimeVisibleParameterAnnotations {
                parameter_annotations,
                ..
            } => Some(parameter_annotations),
            _ => None,
        });
        let Some(each) = found else {
            return Ok(None);
        };
        let mut out = vec![each.len() as u8];
        for parameter in each {
            self.annotations(&parameter.annotations, &mut out)?;
        }
        Ok(Some(Arc::from(out)))
    }

    /// The default value of an annotation's element.
    fn default(&mut self, attributes: &[Attribute]) -> Decoded<Raw> {
        let found = attributes.iter().find_map(|a| match a {
            Attribute::AnnotationDefault { element, .. } => Some(element),
            _ => None,
        });
        let Some(element) = found else {
            return Ok(None);
        };
        let mut out = Vec::new();
        self.element(element, &mut out)?;
        Ok(Some(Arc::from(out)))
    }

    fn list(&mut self, all: &[Annotation]) -> Decoded<Arc<[u8]>> {
        let mut out = Vec::new();
        self.annotations(all, &mut out)?;
        Ok(Arc::from(out))
    }

    fn annotations(&mut self, all: &[Annotation], out: &mut Vec<u8>) -> Decoded<()> {
        out.extend((all.len() as u16).to_be_bytes());
        for annotation in all {
            self.annotation(annotation, out)?;
        }
        Ok(())
    }

    fn annotation(&mut self, annotation: &Annotation, out: &mut Vec<u8>) -> Decoded<()> {
        self.point(annotation.type_index, out)?;
        out.extend((annotation.elements.len() as u16).to_be_bytes());
        for pair in &annotation.elements {
            self.point(pair.name_index, out)?;
            self.element(&pair.value, out)?;
        }
        Ok(())
    }

    /// JVMS §4.7.16.1.
    fn element(&mut self, element: &AnnotationElement, out: &mut Vec<u8>) -> Decoded<()> {
        use AnnotationElement as E;
        let (tag, index) = match element {
            E::Byte { const_value_index } => (b'B', *const_value_index),
            E::Char { const_value_index } => (b'C', *const_value_index),
            E::Double { const_value_index } => (b'D', *const_value_index),
            E::Float { const_value_index } => (b'F', *const_value_index),
            E::Int { const_value_index } => (b'I', *const_value_index),
            E::Long { const_value_index } => (b'J', *const_value_index),
            E::Short { const_value_index } => (b'S', *const_value_index),
            E::Boolean { const_value_index } => (b'Z', *const_value_index),
            E::String { const_value_index } => (b's', *const_value_index),
            E::Class { class_info_index } => (b'c', *class_info_index),
            E::Enum {
                type_name_index,
                const_name_index,
            } => {
                out.push(b'e');
                self.point(*type_name_index, out)?;
                return self.point(*const_name_index, out);
            }
            E::Annotation { annotation } => {
                out.push(b'@');
                return self.annotation(annotation, out);
            }
            E::Array { values } => {
                out.push(b'[');
                out.extend((values.len() as u16).to_be_bytes());
                return values.iter().try_for_each(|v| self.element(v, out));
            }
        };
        out.push(tag);
        self.point(index, out)
    }

    /// Writes the place of a constant in the pool of its own.
    fn point(&mut self, index: u16, out: &mut Vec<u8>) -> Decoded<()> {
        let item = match self.from.try_get(index)? {
            Constant::Utf8(_) => Item::Utf8(self.utf8(index)?),
            Constant::Integer(value) => Item::Int(*value),
            Constant::Long(value) => Item::Long(*value),
            Constant::Float(value) => Item::Float(value.to_bits()),
            Constant::Double(value) => Item::Double(value.to_bits()),
            other => {
                return Err(DecodeError(format!("an annotation points at {other:?}")));
            }
        };
        if self.pool.is_empty() {
            self.pool.push(Item::Unused);
        }
        let known = self.pool.iter().position(|i| *i == item);
        let at = known.unwrap_or(self.pool.len());
        if at == self.pool.len() {
            self.pool.push(item);
        }
        out.extend((at as u16).to_be_bytes());
        Ok(())
    }
}
