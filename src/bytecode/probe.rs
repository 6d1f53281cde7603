//! Probes: calls inserted into compiled methods that report the arguments of each call.
//!
//! Class files are rewritten as they are, byte by byte: code is only added, at a method's start, behind the `super(…)` or `this(…)`
//! of a constructor, before returns and in handlers at the end. So line numbers, annotations and debugging tables stay.

mod allocated;
mod attributes;
mod code;
mod compared;
mod frames;
mod insns;
mod marks;
mod pool;
mod surroundings;
mod trace;

use super::cursor::Cursor;
use super::decode::DecodeError;
pub use marks::{Marks, mark};
use pool::Pool;
pub use trace::{Sites, TRACE, Woven, trace};

/// The class that is called, internal name. It has
///
/// - `public static void enter(int method, Object self, Object[] args)`: a method begins; `self` is null in static methods and
///   constructors, primitive arguments are boxed;
/// - `public static void made(Object self, int method)`: the constructor that began last in this thread now has an object;
/// - `public static void exit(Object value, Throwable thrown)`: the method that began last in this thread ends, with that value
///   (boxed; null where it is void) or thrown exception. Constructors do only once `made` was called.
#[derive(Clone, Copy, Debug)]
pub struct Listener<'a>(pub &'a str);

/// A class file with probes.
#[derive(Debug)]
pub struct Probed {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Methods (name, descriptor) that have none, and why.
    pub left_out: Vec<(String, String, String)>,
}

/// A method as a class file has it (JVMS §4.6).
struct Member<'a> {
    name: &'a str,
    descriptor: &'a str,
    is_static: bool,
}

/// Puts probes into the methods that `number` numbers, by name and descriptor. Abstract and native methods have none.
///
/// # Errors
/// The class file is malformed, or its constant pool full.
pub fn probe(
    bytes: &[u8],
    number: &dyn Fn(&str, &str) -> Option<u16>,
    listener: Listener,
) -> Result<Probed, DecodeError> {
    rewritten(bytes, listener, &mut |info, pool, member| match number(
        member.name,
        member.descriptor,
    ) {
        Some(number) => code::probe(info, pool, member, number).map(|done| done.map(Some)),
        None => Ok(Ok(None)),
    })
}

/// What becomes of a method's code: other code, the same (`None`), or the same and why.
type Change = Result<Option<Vec<u8>>, String>;

/// What changes the code of a method.
type Changing<'a> = dyn FnMut(&[u8], &mut Pool, &Member) -> Result<Change, DecodeError> + 'a;

/// A class file whose methods' code is changed.
fn rewritten(
    bytes: &[u8],
    listener: Listener,
    change: &mut Changing,
) -> Result<Probed, DecodeError> {
    let mut at = Cursor { bytes, at: 8 };
    let mut pool = Pool::read(&mut at, listener)?;
    let pool_end = at.at;
    at.skip_to_methods()?;
    let mut body = bytes.get(pool_end..at.at).unwrap_or_default().to_vec();
    let methods = at.u2()?;
    body.extend(methods.to_be_bytes());
    let mut left_out = Vec::new();
    for _ in 0..methods {
        let access = at.u2()?;
        let (name, descriptor) = (at.u2()?, at.u2()?);
        body.extend(
            [access, name, descriptor]
                .iter()
                .flat_map(|n| n.to_be_bytes()),
        );
        let (name, descriptor) = (pool.utf8(name)?, pool.utf8(descriptor)?);
        let member = Member {
            name: &name,
            descriptor: &descriptor,
            is_static: access & super::access::STATIC != 0,
        };
        if let Err(why) = method(&mut at, &mut pool, &member, change, &mut body)? {
            left_out.push((name.clone(), descriptor.clone(), why));
        }
    }
    body.extend(bytes.get(at.at..).unwrap_or_default());
    let mut out = bytes.get(..8).unwrap_or_default().to_vec();
    pool.write(&mut out);
    out.extend(body);
    Ok(Probed {
        bytes: out,
        left_out,
    })
}

/// Copies a method's attributes, the code with probes; else why it has none.
fn method(
    at: &mut Cursor,
    pool: &mut Pool,
    member: &Member,
    change: &mut Changing,
    out: &mut Vec<u8>,
) -> Result<Result<(), String>, DecodeError> {
    let count = at.u2()?;
    out.extend(count.to_be_bytes());
    let mut done = Ok(());
    for _ in 0..count {
        let name = at.u2()?;
        let length = at.u4()?;
        let info = at.take(length as usize)?;
        let mut changed = None;
        if pool.utf8(name)? == "Code" {
            match change(info, pool, member)? {
                Ok(code) => changed = code,
                Err(why) => done = Err(why),
            }
        }
        let info = changed.as_deref().unwrap_or(info);
        out.extend(name.to_be_bytes());
        out.extend((info.len() as u32).to_be_bytes());
        out.extend(info);
    }
    Ok(done)
}
