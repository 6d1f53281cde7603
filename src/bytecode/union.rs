//! Class files for compiling the unified program: those of the new version, plus members that only the old version has.

use super::Retired;
use super::decode::DecodeError;
use super::retired::{RetiredMember, Wider};
use ristretto_classfile::attributes::Attribute;
use ristretto_classfile::{
    ClassAccessFlags, ClassFile, Constant, ConstantPool, Field, FieldAccessFlags, Method,
    MethodAccessFlags,
};
use std::path::Path;

type Decoded<T> = Result<T, DecodeError>;

/// The class `name` of the new build with the old version's members and interfaces that it lacks; `None` when it lacks nothing, or is
/// not in both builds. Only declarations are kept: the file is for javac to read.
///
/// # Errors
/// A class file can't be decoded.
pub fn with_retired(
    name: &str,
    retired: &Retired,
    (old, new): (&Path, &Path),
) -> Decoded<Option<Vec<u8>>> {
    let read = |dir: &Path, name: &str| std::fs::read(dir.join(format!("{name}.class"))).ok();
    let Some(bytes) = read(new, name) else {
        return Ok(None);
    };
    let mut class = ClassFile::from_bytes(&bytes)?;
    class.access_flags.remove(ClassAccessFlags::FINAL);
    for method in &mut class.methods {
        method.attributes.retain(is_declaration);
        method.access_flags.remove(MethodAccessFlags::FINAL);
    }
    for wider in retired.wider_in(name) {
        widen(&mut class, wider)?;
    }
    for member in retired.methods_of(name) {
        if let Some(bytes) = read(old, &member.from) {
            add_method(&mut class, &ClassFile::from_bytes(&bytes)?, member)?;
        }
    }
    for member in retired.fields_of(name) {
        if let Some(bytes) = read(old, &member.from) {
            add_field(&mut class, &ClassFile::from_bytes(&bytes)?, member)?;
        }
    }
    for interface in retired.interfaces_of(name) {
        let index = class.constant_pool.add_class(&**interface)?;
        class.interfaces.push(index);
        let signed = class.attributes.iter_mut().find_map(|a| match a {
            Attribute::Signature {
                signature_index, ..
            } => Some(signature_index),
            _ => None,
        });
        if let Some(index) = signed {
            let text = text(&class.constant_pool, *index)?;
            *index = class
                .constant_pool
                .add_utf8(format!("{text}L{interface};"))?;
        }
    }
    if retired.is_given_up(name) {
        give_defaults(&mut class);
    }
    let mut out = Vec::new();
    class.to_bytes(&mut out)?;
    Ok(Some(out))
}

/// What javac reads of a method beside its body.
fn is_declaration(attribute: &Attribute) -> bool {
    matches!(
        attribute,
        Attribute::Signature { .. }
            | Attribute::Exceptions { .. }
            | Attribute::AnnotationDefault { .. }
            | Attribute::RuntimeVisibleAnnotations { .. }
    )
}

/// Classes that stopped to implement an interface don't have to have its methods.
fn give_defaults(class: &mut ClassFile) {
    let is_abstract = |m: &&mut Method| m.access_flags.contains(MethodAccessFlags::ABSTRACT);
    let count = class.methods.iter_mut().filter(is_abstract).count();
    if class.access_flags.contains(ClassAccessFlags::INTERFACE) && count > 1 {
        for method in class.methods.iter_mut().filter(is_abstract) {
            method.access_flags.remove(MethodAccessFlags::ABSTRACT);
        }
    }
}

fn text(pool: &ConstantPool, index: u16) -> Decoded<String> {
    Ok(pool.try_get_utf8(index)?.to_string())
}

fn names_member(
    pool: &ConstantPool,
    (name, descriptor): (u16, u16),
    member: &RetiredMember,
) -> Decoded<bool> {
    Ok(text(pool, name)? == *member.name && text(pool, descriptor)? == *member.descriptor)
}

fn name_of(member: &RetiredMember) -> String {
    let suffix = if member.clashes { super::RETIRED } else { "" };
    format!("{}{suffix}", member.name)
}

fn widen(class: &mut ClassFile, wider: &Wider) -> Decoded<()> {
    for method in &mut class.methods {
        let pool = &class.constant_pool;
        if text(pool, method.name_index)? == *wider.name
            && text(pool, method.descriptor_index)? == *wider.descriptor
        {
            method
                .access_flags
                .remove(MethodAccessFlags::PRIVATE | MethodAccessFlags::PROTECTED);
            method.access_flags.insert(MethodAccessFlags::PUBLIC);
        }
    }
    Ok(())
}

fn add_method(class: &mut ClassFile, from: &ClassFile, member: &RetiredMember) -> Decoded<()> {
    let old = &from.constant_pool;
    for method in &from.methods {
        if !names_member(old, (method.name_index, method.descriptor_index), member)? {
            continue;
        }
        let mut access = method.access_flags;
        access.remove(
            MethodAccessFlags::ABSTRACT
                | MethodAccessFlags::NATIVE
                | MethodAccessFlags::FINAL
                | MethodAccessFlags::SYNCHRONIZED,
        );
        if !access.contains(MethodAccessFlags::PRIVATE) {
            access.remove(MethodAccessFlags::PROTECTED);
            access.insert(MethodAccessFlags::PUBLIC);
        }
        let pool = &mut class.constant_pool;
        let mut attributes = Vec::new();
        for attribute in &method.attributes {
            match attribute {
                Attribute::Signature {
                    signature_index, ..
                } => attributes.push(Attribute::Signature {
                    name_index: pool.add_utf8("Signature")?,
                    signature_index: pool.add_utf8(text(old, *signature_index)?)?,
                }),
                Attribute::Exceptions {
                    exception_indexes, ..
                } => {
                    let mut thrown = Vec::new();
                    for index in exception_indexes {
                        let name = old.try_get_class(*index)?.to_string();
                        thrown.push(pool.add_class(name)?);
                    }
                    attributes.push(Attribute::Exceptions {
                        name_index: pool.add_utf8("Exceptions")?,
                        exception_indexes: thrown,
                    });
                }
                _ => {}
            }
        }
        class.methods.push(Method {
            access_flags: access,
            name_index: pool.add_utf8(name_of(member))?,
            descriptor_index: pool.add_utf8(&*member.descriptor)?,
            attributes,
        });
    }
    Ok(())
}

/// The value of a constant, in the other pool.
fn constant(old: &ConstantPool, index: u16, pool: &mut ConstantPool) -> Decoded<u16> {
    Ok(match old.try_get(index)? {
        Constant::Integer(value) => pool.add_integer(*value)?,
        Constant::Long(value) => pool.add_long(*value)?,
        Constant::Float(value) => pool.add_float(*value)?,
        Constant::Double(value) => pool.add_double(*value)?,
        _ => {
            let value = old.try_get_string(index)?.to_string();
            pool.add_string(value)?
        }
    })
}

fn add_field(class: &mut ClassFile, from: &ClassFile, member: &RetiredMember) -> Decoded<()> {
    let old = &from.constant_pool;
    for field in &from.fields {
        if !names_member(old, (field.name_index, field.descriptor_index), member)? {
            continue;
        }
        let pool = &mut class.constant_pool;
        let mut access = field.access_flags;
        access.remove(FieldAccessFlags::FINAL);
        let mut attributes = Vec::new();
        for attribute in &field.attributes {
            match attribute {
                Attribute::Signature {
                    signature_index, ..
                } => attributes.push(Attribute::Signature {
                    name_index: pool.add_utf8("Signature")?,
                    signature_index: pool.add_utf8(text(old, *signature_index)?)?,
                }),
                Attribute::ConstantValue {
                    constant_value_index,
                    ..
                } => {
                    access.insert(FieldAccessFlags::FINAL);
                    attributes.push(Attribute::ConstantValue {
                        name_index: pool.add_utf8("ConstantValue")?,
                        constant_value_index: constant(old, *constant_value_index, pool)?,
                    });
                }
                _ => {}
            }
        }
        class.fields.push(Field {
            access_flags: access,
            name_index: pool.add_utf8(name_of(member))?,
            descriptor_index: pool.add_utf8(&*member.descriptor)?,
            field_type: field.field_type.clone(),
            attributes,
        });
    }
    Ok(())
}
