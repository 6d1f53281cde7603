//! A read position in the bytes of a class file.

use super::decode::DecodeError;

/// A place in bytes.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    /// All of them.
    pub bytes: &'a [u8],
    /// Where it is.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// So many bytes.
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.at.saturating_add(n);
        let taken = self.bytes.get(self.at..end);
        self.at = end;
        taken.ok_or_else(|| DecodeError("it ends early".into()))
    }

    /// Passes over so many.
    pub fn skip(&mut self, n: usize) -> Result<(), DecodeError> {
        self.take(n).map(|_| ())
    }

    /// One byte.
    pub fn u1(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    /// Two, big end first.
    pub fn u2(&mut self) -> Result<u16, DecodeError> {
        let b = self.take(2)?;
        Ok(u16::from_be_bytes([b[0], b[1]]))
    }

    /// A constant of the constant pool (JVMS §4.4): its tag and its content, of text without the length. How many entries it takes.
    pub fn constant(&mut self) -> Result<(u8, &'a [u8], usize), DecodeError> {
        let tag = self.u1()?;
        let length = match tag {
            1 => usize::from(self.u2()?),
            7 | 8 | 16 | 19 | 20 => 2,
            15 => 3,
            3 | 4 | 9..=12 | 17 | 18 => 4,
            5 | 6 => 8,
            _ => return Err(DecodeError(format!("constant with tag {tag}"))),
        };
        let entries = if matches!(tag, 5 | 6) { 2 } else { 1 };
        Ok((tag, self.take(length)?, entries))
    }

    /// Passes over attributes (JVMS §4.7), their number first.
    pub fn skip_attributes(&mut self) -> Result<(), DecodeError> {
        for _ in 0..self.u2()? {
            self.skip(2)?;
            let length = self.u4()?;
            self.skip(length as usize)?;
        }
        Ok(())
    }

    /// Passes from the end of a class file's constants to the number of its methods (JVMS §4.1).
    pub fn skip_to_methods(&mut self) -> Result<(), DecodeError> {
        self.skip(6)?;
        let interfaces = self.u2()?;
        self.skip(2 * usize::from(interfaces))?;
        for _ in 0..self.u2()? {
            self.skip(6)?;
            self.skip_attributes()?;
        }
        Ok(())
    }

    /// Four, big end first.
    pub fn u4(&mut self) -> Result<u32, DecodeError> {
        let b = self.take(4)?;
        Ok(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }
}
