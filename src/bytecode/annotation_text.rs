//! Annotations of a class file that programs can read, as texts: two say the same if their texts are equal.

use super::class_file::ClassFile;
use super::cursor::Cursor;
use super::decode::DecodeError;
use super::reflected::{Item, Raw};
use std::fmt::Write;

type Read = Result<(), DecodeError>;

/// What the JDK's own say, no program reads.
const OF_JDK: &str = "Ljava/lang/";

/// Names of a class's members, and of itself as an empty text, with what their annotations and default values say (JVMS §4.7.16 to
/// §4.7.22). Those without any are left out.
pub fn annotation_texts(class: &ClassFile) -> Vec<(String, String)> {
    let pool = &class.reflected.pool;
    let of_list = |raw: &Raw| text(raw, pool, |r| r.list());
    let own = (String::new(), of_list(&class.reflected.annotations));
    let fields = class.fields.iter().map(|f| {
        let name = format!("{}:{}", f.name, f.descriptor);
        (name, of_list(&f.reflected.annotations))
    });
    let methods = class.methods.iter().map(|m| {
        let says = [
            of_list(&m.reflected.annotations),
            text(&m.reflected.parameter_annotations, pool, |r| r.lists()),
            text(&m.reflected.default, pool, |r| r.element()),
        ];
        (format!("{}{}", m.name, m.descriptor), says.concat())
    });
    let all = std::iter::once(own).chain(fields).chain(methods);
    all.filter(|(_, says)| !says.is_empty()).collect()
}

fn text(raw: &Raw, pool: &[Item], read: impl Fn(&mut Reader) -> Read) -> String {
    let Some(bytes) = raw else {
        return String::new();
    };
    let mut reader = Reader {
        at: Cursor { bytes, at: 0 },
        pool,
        out: String::new(),
    };
    // What can't be read was no annotation of javac's.
    let _ = read(&mut reader);
    reader.out
}

struct Reader<'a> {
    at: Cursor<'a>,
    pool: &'a [Item],
    out: String,
}

impl Reader<'_> {
    fn lists(&mut self) -> Read {
        for number in 0..self.at.u1()? {
            let before = self.out.len();
            self.list()?;
            if self.out.len() > before {
                let _ = write!(self.out, " of parameter {number} ");
            }
        }
        Ok(())
    }

    fn list(&mut self) -> Read {
        for _ in 0..self.at.u2()? {
            let before = self.out.len();
            self.annotation()?;
            if self.out[before..].starts_with(&format!("@{OF_JDK}")) {
                self.out.truncate(before);
            }
        }
        Ok(())
    }

    fn annotation(&mut self) -> Read {
        self.out.push('@');
        self.item()?;
        for _ in 0..self.at.u2()? {
            self.out.push(' ');
            self.item()?;
            self.out.push('=');
            self.element()?;
        }
        Ok(())
    }

    fn element(&mut self) -> Read {
        match self.at.u1()? {
            b'@' => self.annotation(),
            b'[' => {
                self.out.push('[');
                for _ in 0..self.at.u2()? {
                    self.element()?;
                }
                self.out.push(']');
                Ok(())
            }
            b'e' => {
                self.item()?;
                self.out.push('.');
                self.item()
            }
            tag => {
                self.out.push(char::from(tag));
                self.item()
            }
        }
    }

    fn item(&mut self) -> Read {
        let at = usize::from(self.at.u2()?);
        match self.pool.get(at) {
            Some(Item::Utf8(text)) => self.out.push_str(text),
            Some(other) => {
                let _ = write!(self.out, "{other:?}");
            }
            None => return Err(DecodeError(format!("an annotation points at {at}"))),
        }
        self.out.push(';');
        Ok(())
    }
}
