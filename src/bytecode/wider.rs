//! Methods with a wider result: what lets a method be called alike in both versions where only its result type changed.
//!
//! The version with the narrower result gets a second method of that name and these parameters, which converts what the method returns. javac never sees it,
//! since it is marked as made by a compiler. For us it takes the method's place (`take_places`).

use super::access::{STRICT, SYNTHETIC};
use super::class_file::{Code, Method as Read};
use super::cursor::Cursor;
use super::decode::DecodeError;
use super::{BOXES, parameter_descriptors};
use ristretto_classfile::attributes::{Attribute, Instruction};
use ristretto_classfile::{ClassAccessFlags, ClassFile, ConstantPool, Method, MethodAccessFlags};
use std::sync::Arc;

const MARK: MethodAccessFlags = MethodAccessFlags::SYNTHETIC.union(MethodAccessFlags::STRICT);

/// A method that gets one with a wider result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WiderResult {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The descriptor with the wider result.
    pub wide: String,
}

/// The class with such methods added, those that it lacks.
///
/// # Errors
/// The class file is malformed, or its constant pool full.
pub fn with_wider(bytes: &[u8], all: &[WiderResult]) -> Result<Vec<u8>, DecodeError> {
    let mut class = ClassFile::from_bytes(bytes)?;
    for wider in all {
        let of = |descriptor: &str| -> Result<Option<usize>, DecodeError> {
            for (at, m) in class.methods.iter().enumerate() {
                let pool = &class.constant_pool;
                if text(pool, m.name_index)? == wider.name
                    && text(pool, m.descriptor_index)? == *descriptor
                {
                    return Ok(Some(at));
                }
            }
            Ok(None)
        };
        match (of(&wider.descriptor)?, of(&wider.wide)?) {
            // javac made one: a method above has the wider result.
            (Some(_), Some(wide)) => class.methods[wide].access_flags.insert(MARK),
            (Some(own), None) => {
                let method = converting(&mut class, own, wider)?;
                class.methods.push(method);
            }
            (None, _) => {}
        }
    }
    let mut out = Vec::new();
    class.to_bytes(&mut out)?;
    with_methods_of(bytes, &out)
}

/// The class as it was written, with the methods that it had before as they were, but for their flags: the library writes a wrong stack
/// map where a method begins with a loop. Constants were only added behind the others, methods as well.
fn with_methods_of(before: &[u8], written: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let (mut old, mut new) = (methods_in(before)?, methods_in(written)?);
    let mut out = written[..new.at].to_vec();
    let count = old.u2()?;
    out.extend(new.u2()?.to_be_bytes());
    for _ in 0..count {
        let flags = new.u2()?;
        new.skip(4)?;
        new.skip_attributes()?;
        old.skip(2)?;
        let from = old.at;
        old.skip(4)?;
        old.skip_attributes()?;
        out.extend(flags.to_be_bytes());
        out.extend(&before[from..old.at]);
    }
    out.extend(&written[new.at..]);
    Ok(out)
}

/// Where the number of a class file's methods stands (JVMS §4.1).
fn methods_in(bytes: &[u8]) -> Result<Cursor<'_>, DecodeError> {
    let mut at = Cursor { bytes, at: 8 };
    let (count, mut constants) = (usize::from(at.u2()?), 1);
    while constants < count {
        constants += at.constant()?.2;
    }
    at.skip_to_methods()?;
    Ok(at)
}

fn text(pool: &ConstantPool, index: u16) -> Result<String, DecodeError> {
    Ok(pool.try_get_utf8(index)?.to_str_lossy().into_owned())
}

/// The method that calls another one of its class, and converts what that returns.
fn converting(class: &mut ClassFile, own: usize, of: &WiderResult) -> Result<Method, DecodeError> {
    let mut access = class.methods[own].access_flags;
    access.remove(
        MethodAccessFlags::SYNCHRONIZED | MethodAccessFlags::FINAL | MethodAccessFlags::VARARGS,
    );
    access.insert(MARK);
    let is_static = access.contains(MethodAccessFlags::STATIC);
    let is_interface = class.access_flags.contains(ClassAccessFlags::INTERFACE);
    let name = class.class_name()?.to_string();
    let this = class.constant_pool.add_class(&name)?;
    let pool = &mut class.constant_pool;
    let called = match is_interface {
        true => pool.add_interface_method_ref(this, &of.name, &of.descriptor)?,
        false => pool.add_method_ref(this, &of.name, &of.descriptor)?,
    };
    let mut code = Vec::new();
    let mut slot = 0;
    if !is_static {
        code.push(Instruction::Aload_w(slot));
        slot += 1;
    }
    for parameter in parameter_descriptors(&of.descriptor) {
        code.push(match &*parameter {
            "J" => Instruction::Lload_w(slot),
            "F" => Instruction::Fload_w(slot),
            "D" => Instruction::Dload_w(slot),
            "Z" | "B" | "S" | "C" | "I" => Instruction::Iload_w(slot),
            _ => Instruction::Aload_w(slot),
        });
        slot += size(&parameter);
    }
    code.push(match (is_static, is_interface) {
        (true, _) => Instruction::Invokestatic(called),
        (false, true) => Instruction::Invokeinterface(called, slot as u8),
        (false, false) => Instruction::Invokevirtual(called),
    });
    code.extend(conversion(pool, result(&of.descriptor), result(&of.wide))?);
    Ok(Method {
        access_flags: access,
        name_index: pool.add_utf8(&of.name)?,
        descriptor_index: pool.add_utf8(&of.wide)?,
        attributes: vec![Attribute::Code {
            name_index: pool.add_utf8("Code")?,
            max_stack: slot.max(2),
            max_locals: slot,
            code,
            exception_table: Vec::new(),
            attributes: Vec::new(),
        }],
    })
}

/// From one result to a wider one (JLS §5.1.2, §5.1.5, §5.1.7), and the return.
fn conversion(
    pool: &mut ConstantPool,
    from: &str,
    to: &str,
) -> Result<Vec<Instruction>, DecodeError> {
    use Instruction as I;
    if to == "V" {
        let dropped = match size(from) {
            2 => I::Pop2,
            _ => I::Pop,
        };
        return Ok(vec![dropped, I::Return]);
    }
    if let (1, Some(class)) = (from.len(), box_of(from))
        && to.len() > 1
    {
        let this = pool.add_class(class)?;
        let descriptor = format!("({from})L{class};");
        let value_of = pool.add_method_ref(this, "valueOf", &descriptor)?;
        return Ok(vec![I::Invokestatic(value_of), I::Areturn]);
    }
    let kind = |of: &str| match of {
        "J" | "F" | "D" => of.to_string(),
        "Z" | "B" | "S" | "C" | "I" => "I".to_string(),
        _ => "L".to_string(),
    };
    let (from, to) = (kind(from), kind(to));
    let mut code = match (&*from, &*to) {
        ("I", "J") => vec![I::I2l],
        ("I", "F") => vec![I::I2f],
        ("I", "D") => vec![I::I2d],
        ("J", "F") => vec![I::L2f],
        ("J", "D") => vec![I::L2d],
        ("F", "D") => vec![I::F2d],
        _ => Vec::new(),
    };
    code.push(match &*to {
        "J" => I::Lreturn,
        "F" => I::Freturn,
        "D" => I::Dreturn,
        "I" => I::Ireturn,
        _ => I::Areturn,
    });
    Ok(code)
}

fn size(descriptor: &str) -> u16 {
    match descriptor {
        "J" | "D" => 2,
        _ => 1,
    }
}

/// The result of a descriptor.
pub fn result(descriptor: &str) -> &str {
    descriptor.rsplit(')').next().unwrap_or_default()
}

/// The class that boxes a primitive type, by its descriptor.
fn box_of(primitive: &str) -> Option<&'static str> {
    BOXES.iter().find(|b| b.0 == primitive).map(|b| b.1)
}

/// Of two results the one that holds the values of both (JLS §5.1.2, §5.1.5, §5.1.7; `void` is what all callers can do with); `None`
/// where neither does. `is_below` tells whether a class extends or implements another one.
pub fn wider_result<'a>(
    a: &'a str,
    b: &'a str,
    is_below: &dyn Fn(&str, &str) -> bool,
) -> Option<&'a str> {
    let holds = |wide: &str, narrow: &str| {
        if wide == "V" {
            return true;
        }
        match (wide.len(), narrow.len()) {
            (1, 1) => widens(narrow, wide),
            (_, 1) => box_of(narrow).is_some_and(|class| *wide == *format!("L{class};")),
            (1, _) => false,
            _ => match (class_of(wide), class_of(narrow)) {
                (Some("java/lang/Object"), _) => true,
                (Some(wide), Some(narrow)) => is_below(narrow, wide),
                _ => false,
            },
        }
    };
    match (holds(a, b), holds(b, a)) {
        (true, _) => Some(a),
        (_, true) => Some(b),
        _ => None,
    }
}

/// Whether a primitive of one descriptor converts to the other by itself (JLS §5.1.2), or is it.
pub fn widens(from: &str, to: &str) -> bool {
    let wider = match from {
        "B" => "SIJFD",
        "S" | "C" => "IJFD",
        "I" => "JFD",
        "J" => "FD",
        "F" => "D",
        _ => "",
    };
    from == to || wider.contains(to)
}

fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

/// Gives methods with a wider result the place of those they call: for us they are the source's, and the others are made by a compiler.
pub(super) fn take_places(methods: &mut [Read]) {
    for wide in 0..methods.len() {
        let method = &methods[wide];
        if !is_marked(method) {
            continue;
        }
        let parameters = |m: &Read| m.descriptor.rsplit(')').nth(1).map(str::to_string);
        let own = (0..methods.len()).find(|at| {
            let other = &methods[*at];
            other.access & SYNTHETIC == 0
                && other.name == method.name
                && parameters(other) == parameters(method)
        });
        let Some(own) = own else { continue };
        methods[own].access |= SYNTHETIC | STRICT;
        let of = methods[own].clone();
        let method = &mut methods[wide];
        if let (Some(code), Some(own)) = (&method.code, &of.code) {
            method.code = Some(Arc::new(placed(code, own)));
        }
        method.access &= !(SYNTHETIC | STRICT);
        method.parameter_names = of.parameter_names;
        method.parameter_annotations = of.parameter_annotations;
        method.annotations = of.annotations;
    }
}

/// The code where the source has that of the method it calls, with the same names for parameters.
fn placed(code: &Code, own: &Code) -> Code {
    let line = own.lines.iter().copied().find(|l| *l > 0).unwrap_or(0);
    let end = code.insns.len() as u32;
    let mut locals = own.locals.clone();
    locals.retain(|l| l.start == 0 && l.slot < code.max_locals);
    locals.iter_mut().for_each(|l| l.end = end);
    Code {
        lines: vec![line; code.insns.len()],
        locals,
        ..code.clone()
    }
}

/// Whether it is such a method, or one whose place was taken. javac marks its lambdas so, in classes of old levels: their names have a `$`.
pub fn is_marked(method: &Read) -> bool {
    let mark = MARK.bits();
    method.access & mark == mark && !method.name.contains('$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitives_widen_as_the_language_says() {
        assert!(widens("B", "S") && widens("C", "I") && widens("J", "F") && widens("Z", "Z"));
        assert!(!widens("B", "C") && !widens("I", "S") && !widens("Z", "I") && !widens("D", "F"));
    }

    #[test]
    fn the_wider_of_two_results_holds_the_values_of_both() {
        let is_below = |a: &str, b: &str| (a, b) == ("java/util/ArrayList", "java/util/List");
        let list = "Ljava/util/List;";
        let array_list = "Ljava/util/ArrayList;";
        let object = "Ljava/lang/Object;";
        let of = |a, b| wider_result(a, b, &is_below);
        for (narrow, wide) in [
            ("I", "J"),
            ("C", "I"),
            ("J", "F"),
            ("I", "Ljava/lang/Integer;"),
            (array_list, list),
            (list, object),
            ("Z", "V"),
            (list, "V"),
        ] {
            assert_eq!(of(narrow, wide), Some(wide), "{narrow} {wide}");
            assert_eq!(of(wide, narrow), Some(wide), "{narrow} {wide}");
        }
        for (a, b) in [
            ("Z", "I"),
            ("S", "C"),
            ("I", list),
            ("I", "Ljava/lang/Long;"),
            ("[I", list),
        ] {
            assert_eq!(of(a, b), None, "{a} {b}");
        }
    }
}
