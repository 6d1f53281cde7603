//! A constant pool that grows (JVMS §4.4).

use super::super::decode::DecodeError;
use super::{Cursor, Listener};
use std::collections::BTreeMap;

/// What probes call, as constants.
pub(super) struct Calls {
    /// `enter`.
    pub enter: u16,
    /// `made`.
    pub made: u16,
    /// `exit`.
    pub exit: u16,
    /// `java/lang/Object`.
    pub object: u16,
    /// `java/lang/Throwable`.
    pub throwable: u16,
}

/// The constants of a class file, and those added.
pub(super) struct Pool<'a> {
    listener: Listener<'a>,
    /// Where each begins, at its tag; 0 for the second half of a long or double.
    entries: Vec<usize>,
    bytes: &'a [u8],
    first: usize,
    end: usize,
    added: Vec<u8>,
    count: u16,
    known: BTreeMap<Vec<u8>, u16>,
}

impl<'a> Pool<'a> {
    /// Reads the pool that begins at the cursor.
    pub fn read(at: &mut Cursor<'a>, listener: Listener<'a>) -> Result<Pool<'a>, DecodeError> {
        let count = at.u2()?;
        let first = at.at;
        let mut entries = vec![0; usize::from(count)];
        let mut i = 1;
        while i < usize::from(count) {
            entries[i] = at.at;
            i += at.constant()?.2;
        }
        Ok(Pool {
            listener,
            entries,
            bytes: at.bytes,
            first,
            end: at.at,
            added: Vec::new(),
            count,
            known: BTreeMap::new(),
        })
    }

    /// The pool with its count, added constants last.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.count.to_be_bytes());
        out.extend(self.bytes.get(self.first..self.end).unwrap_or_default());
        out.extend(&self.added);
    }

    fn entry(&self, index: u16, tag: u8) -> Result<Cursor<'a>, DecodeError> {
        let bad = || DecodeError(format!("constant {index} is not of tag {tag}"));
        let at = *self.entries.get(usize::from(index)).ok_or_else(bad)?;
        let mut cursor = Cursor {
            bytes: self.bytes,
            at,
        };
        if at == 0 || cursor.u1()? != tag {
            return Err(bad());
        }
        Ok(cursor)
    }

    /// A name or descriptor.
    pub fn utf8(&self, index: u16) -> Result<String, DecodeError> {
        let mut at = self.entry(index, 1)?;
        let length = at.u2()?;
        // Lone surrogates and NUL are written another way; names with them are not looked for.
        Ok(String::from_utf8_lossy(at.take(usize::from(length))?).into_owned())
    }

    /// Whether a method reference is to a constructor.
    pub fn is_init(&self, index: u16) -> Result<bool, DecodeError> {
        let Ok(mut at) = self.entry(index, 10) else {
            return Ok(false);
        };
        at.skip(2)?;
        let rest = at.u2()?;
        let name = self.entry(rest, 12)?.u2()?;
        Ok(self.utf8(name)? == "<init>")
    }

    /// Class, name and descriptor of a method that is called; `None` of other constants.
    pub fn called(&self, index: u16) -> Option<(String, String, String)> {
        let mut at = self
            .entry(index, 10)
            .or_else(|_| self.entry(index, 11))
            .ok()?;
        let (class, rest) = (at.u2().ok()?, at.u2().ok()?);
        let class = self.entry(class, 7).ok()?.u2().ok()?;
        let mut rest = self.entry(rest, 12).ok()?;
        let (name, descriptor) = (rest.u2().ok()?, rest.u2().ok()?);
        let text = |index| self.utf8(index).ok();
        Some((text(class)?, text(name)?, text(descriptor)?))
    }

    /// An int.
    pub fn int(&mut self, n: i32) -> Result<u16, DecodeError> {
        let mut constant = vec![3];
        constant.extend(n.to_be_bytes());
        self.add(constant)
    }

    fn add(&mut self, constant: Vec<u8>) -> Result<u16, DecodeError> {
        if let Some(index) = self.known.get(&constant) {
            return Ok(*index);
        }
        let index = self.count;
        let more = index.checked_add(1).filter(|n| *n < u16::MAX);
        self.count = more.ok_or_else(|| DecodeError("its constant pool is full".into()))?;
        self.added.extend(&constant);
        self.known.insert(constant, index);
        Ok(index)
    }

    /// A string constant's text, added where it is new.
    pub fn text(&mut self, text: &str) -> Result<u16, DecodeError> {
        let mut constant = vec![1];
        constant.extend((text.len() as u16).to_be_bytes());
        constant.extend(text.bytes());
        self.add(constant)
    }

    fn class(&mut self, name: &str) -> Result<u16, DecodeError> {
        let name = self.text(name)?;
        self.pair(7, &[name])
    }

    fn pair(&mut self, tag: u8, parts: &[u16]) -> Result<u16, DecodeError> {
        let mut constant = vec![tag];
        constant.extend(parts.iter().flat_map(|p| p.to_be_bytes()));
        self.add(constant)
    }

    /// A static method of a class.
    pub fn method(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, DecodeError> {
        let class = self.class(class)?;
        let (name, descriptor) = (self.text(name)?, self.text(descriptor)?);
        let rest = self.pair(12, &[name, descriptor])?;
        self.pair(10, &[class, rest])
    }

    /// What probes call.
    pub fn calls(&mut self) -> Result<Calls, DecodeError> {
        let to = self.listener.0;
        let enter = "(ILjava/lang/Object;[Ljava/lang/Object;)V";
        Ok(Calls {
            enter: self.method(to, "enter", enter)?,
            made: self.method(to, "made", "(Ljava/lang/Object;I)V")?,
            exit: self.method(to, "exit", "(Ljava/lang/Object;Ljava/lang/Throwable;)V")?,
            object: self.class("java/lang/Object")?,
            throwable: self.class("java/lang/Throwable")?,
        })
    }
}
