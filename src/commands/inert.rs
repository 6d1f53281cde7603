//! JSON on standard output where a runner logs it: `##[command]` is obeyed anywhere in a log, and in JSON it only stands in strings.

use std::io::{BufWriter, Result, Write};

/// Writes `##[` as the JSON escape of the same.
pub struct Inert<W: Write> {
    out: BufWriter<W>,
    /// Number signs that are held back, at most two.
    held: usize,
}

impl<W: Write> Inert<W> {
    /// Over that writer.
    pub fn new(out: W) -> Inert<W> {
        Inert {
            out: BufWriter::new(out),
            held: 0,
        }
    }

    fn release(&mut self) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        self.out.write_all(&b"##"[..held])
    }
}

impl<W: Write> Write for Inert<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for byte in bytes {
            match (byte, self.held) {
                (b'#', 2) => self.out.write_all(b"#")?,
                (b'#', _) => self.held += 1,
                (b'[', 2) => {
                    self.held = 0;
                    self.out.write_all(b"\\u0023#[")?;
                }
                _ => {
                    self.release()?;
                    self.out.write_all(&[*byte])?;
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.release()?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Inert<W> {
    fn drop(&mut self) {
        let _ = self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped_across_pieces_and_all_else_stays() {
        let mut seen = Vec::new();
        {
            let mut out = Inert::new(&mut seen);
            for piece in ["a#", "#[x]", "###[", "# ##", " #"] {
                out.write_all(piece.as_bytes()).unwrap();
            }
        }
        let text = String::from_utf8(seen).unwrap();
        assert_eq!(text, "a\\u0023#[x]#\\u0023#[# ## #");
    }
}
