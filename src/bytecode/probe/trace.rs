//! Probes of branches, comparisons and changed places: what a search steers by. All are calls of static methods that leave the operand
//! stack as it was, so no stack map frame changes.

use super::super::decode::DecodeError;
use super::code::{Insertion, call, padded, woven};
use super::pool::Pool;
use super::surroundings::{Instead, SURROUNDINGS, instead};
use super::{Cursor, Listener, Member, allocated, compared, insns, rewritten};
use std::collections::BTreeSet;

/// The class that is called, internal name; it is one of the worker's.
pub const TRACE: &str = "com/shadowci/worker/Trace";

const NOP: u8 = 0x00;
const DUP: u8 = 0x59;
const DUP2: u8 = 0x5c;
const LDC_W: u8 = 0x13;
const INVOKEVIRTUAL: u8 = 0xb6;
const INVOKESPECIAL: u8 = 0xb7;
const INVOKESTATIC: u8 = 0xb8;
const INVOKEINTERFACE: u8 = 0xb9;

/// Operand stack that probes take: two operands once more, and a number.
const STACK: u16 = 5;

/// Places that a probe tells of, numbered over all classes of both versions.
#[derive(Debug, Default)]
pub struct Sites {
    /// How many there are.
    pub count: u32,
}

impl Sites {
    /// The next site, with the kind of its comparison, as probes give it.
    fn next(&mut self, kind: u8) -> i32 {
        let site = self.count;
        self.count += 1;
        (site << 4) as i32 | i32::from(kind)
    }
}

/// A class file with such probes.
#[derive(Debug)]
pub struct Woven {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Name, descriptor and sites of each method with probes: the first, and the one behind the last.
    pub methods: Vec<(String, String, u32, u32)>,
    /// Sites of changed instructions, with their method's place in `methods`.
    pub changed: Vec<(usize, u32)>,
}

/// Puts probes into all methods. `changed` gives the changed instructions of a method, by name and descriptor, as indices.
///
/// # Errors
/// The class file is malformed, or its constant pool full.
pub fn trace(
    bytes: &[u8],
    sites: &mut Sites,
    changed: &dyn Fn(&str, &str) -> BTreeSet<u32>,
) -> Result<Woven, DecodeError> {
    let (mut methods, mut marked) = (Vec::new(), Vec::new());
    let probed = rewritten(bytes, Listener(TRACE), &mut |info, pool, member| {
        let first = sites.count;
        let mut weaver = Weaver {
            pool,
            sites,
            marks: Vec::new(),
        };
        let places = changed(member.name, member.descriptor);
        let code = weaver.weave(info, &places)?;
        let marks = std::mem::take(&mut weaver.marks);
        if code.is_some() {
            marked.extend(marks.into_iter().map(|site| (methods.len(), site)));
            let Member {
                name, descriptor, ..
            } = member;
            let row = (name.to_string(), descriptor.to_string());
            methods.push((row.0, row.1, first, sites.count));
        }
        Ok(Ok(code))
    })?;
    Ok(Woven {
        bytes: probed.bytes,
        methods,
        changed: marked,
    })
}

struct Weaver<'a, 'b> {
    pool: &'a mut Pool<'b>,
    sites: &'a mut Sites,
    marks: Vec<u32>,
}

impl Weaver<'_, '_> {
    /// The `Code` attribute with probes; `None` where its branches or it itself would get too long.
    fn weave(
        &mut self,
        info: &[u8],
        changed: &BTreeSet<u32>,
    ) -> Result<Option<Vec<u8>>, DecodeError> {
        let mut at = Cursor { bytes: info, at: 4 };
        let length = at.u4()?;
        let mut code = at.take(length as usize)?.to_vec();
        let insertions = self.insertions(&mut code, changed)?;
        woven(info, self.pool, STACK, (&code, &insertions))
    }

    fn insertions(
        &mut self,
        code: &mut [u8],
        changed: &BTreeSet<u32>,
    ) -> Result<Vec<Insertion>, DecodeError> {
        let enter = self.numbered("enter", "(I)V", 0, &[])?;
        let mut all = vec![Insertion {
            at: 0,
            bytes: enter,
            passed: true,
        }];
        let (mut at, mut index) = (0, 0);
        while at < code.len() {
            let mut put = |bytes: Vec<u8>| {
                all.push(Insertion {
                    at,
                    bytes,
                    passed: false,
                });
            };
            if changed.contains(&index) {
                self.marks.push(self.sites.count);
                put(self.numbered("enter", "(I)V", 0, &[])?);
            }
            // All of it is there.
            insns::length(code, at)?;
            if let Some(bytes) = self.before(code, at)? {
                put(bytes);
            }
            at += insns::length(code, at)?;
            index += 1;
        }
        Ok(all)
    }

    /// What comes before an instruction; some are replaced.
    fn before(&mut self, code: &mut [u8], at: usize) -> Result<Option<Vec<u8>>, DecodeError> {
        const OBJECTS: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        Ok(Some(match code[at] {
            op @ 0x99..=0x9e => self.numbered("zero", "(II)V", op - 0x99, &[DUP])?,
            op @ 0x9f..=0xa4 => self.numbered("both", "(III)V", op - 0x9f, &[DUP2])?,
            0xa5 | 0xa6 => self.numbered("same", OBJECTS, 0, &[DUP2])?,
            0xc6 | 0xc7 => self.numbered("isNull", "(Ljava/lang/Object;I)V", 0, &[DUP])?,
            0xaa | 0xab => self.numbered("value", "(II)V", 0, &[DUP])?,
            // A loop's turn.
            0xa7 if code.get(at + 1).is_some_and(|b| *b >= 0x80) => {
                padded(call(self.pool.method(TRACE, "step", "()V")?).to_vec())
            }
            op @ 0x94..=0x98 => {
                let (name, descriptor) = match op {
                    0x94 => ("longs", "(JJI)I"),
                    0x95 | 0x96 => ("floats", "(FFI)I"),
                    _ => ("doubles", "(DDI)I"),
                };
                code[at] = NOP;
                let greater = u8::from(matches!(op, 0x96 | 0x98));
                self.numbered(name, descriptor, greater, &[])?
            }
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE => {
                return self.invocation(code, at);
            }
            _ => match allocated::of_array(code, at) {
                Some(size) => self.size(size)?,
                None => return Ok(None),
            },
        }))
    }

    /// Calls that compare, or whose last argument is a size, are told of; those of the surroundings are replaced.
    fn invocation(&mut self, code: &mut [u8], at: usize) -> Result<Option<Vec<u8>>, DecodeError> {
        let index = u16::from_be_bytes([code[at + 1], code[at + 2]]);
        let Some((class, name, descriptor)) = self.pool.called(index) else {
            return Ok(None);
        };
        if let Some(instead) = instead(&class, &name, &descriptor) {
            return self.replaced(code, at, (&class, &name), instead);
        }
        if code[at] == INVOKEVIRTUAL && class == "java/lang/String" {
            if compared::IN_PLACE.contains(&(&*name, &*descriptor)) {
                let descriptor = descriptor.replacen('(', "(Ljava/lang/String;", 1);
                let descriptor = descriptor.replacen(')', "I)", 1);
                let number = self.pool.int(self.sites.next(0))?.to_be_bytes();
                let call = call(self.pool.method(TRACE, &name, &descriptor)?);
                code[at..at + 3].copy_from_slice(&call);
                return Ok(Some(padded(vec![LDC_W, number[0], number[1]])));
            }
            // The labels of a switch on strings are compared behind their hash codes only.
            if (&*name, &*descriptor) == ("hashCode", "()I") {
                let method = self.pool.method(TRACE, "hashed", "(Ljava/lang/Object;)V")?;
                return Ok(Some(padded([&[DUP][..], &call(method)].concat())));
            }
        }
        let inside = descriptor.split(')').next().unwrap_or_default();
        let kind = match code[at] {
            INVOKESTATIC => compared::of_two(&class, &name, inside),
            INVOKESPECIAL => None,
            _ => compared::with_one(&name, inside),
        };
        let Some(kind) = kind else {
            let size = allocated::of_call(&class, &name, &descriptor);
            return size.map(|size| self.size(size)).transpose();
        };
        const OBJECTS: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        Ok(Some(self.numbered("objects", OBJECTS, kind, &[DUP2])?))
    }

    /// Puts what comes instead in a call's place; gives what comes before.
    fn replaced(
        &mut self,
        code: &mut [u8],
        at: usize,
        (class, name): (&str, &str),
        instead: Instead,
    ) -> Result<Option<Vec<u8>>, DecodeError> {
        match instead {
            Instead::Call(descriptor) => {
                let method = self.pool.method(SURROUNDINGS, name, &descriptor)?;
                code[at..at + 3].copy_from_slice(&call(method));
                Ok(None)
            }
            Instead::Given {
                giver,
                gives,
                descriptor,
            } => {
                let method = self.pool.method(class, name, &descriptor)?;
                code[at + 1..at + 3].copy_from_slice(&method.to_be_bytes());
                let giver = self.pool.method(SURROUNDINGS, giver, gives)?;
                Ok(Some(padded(call(giver).to_vec())))
            }
        }
    }

    /// Tells of the number on top of the operand stack: so many places of that size are about to be made.
    fn size(&mut self, size: u8) -> Result<Vec<u8>, DecodeError> {
        self.numbered("room", "(II)V", size, &[DUP])
    }

    /// A call with the number of a new site.
    fn numbered(
        &mut self,
        name: &str,
        descriptor: &str,
        kind: u8,
        first: &[u8],
    ) -> Result<Vec<u8>, DecodeError> {
        let number = self.pool.int(self.sites.next(kind))?.to_be_bytes();
        let method = self.pool.method(TRACE, name, descriptor)?;
        let load = [LDC_W, number[0], number[1]];
        Ok(padded([first, &load, &call(method)].concat()))
    }
}
