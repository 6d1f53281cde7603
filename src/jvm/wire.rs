//! The byte format between us and the worker: big-endian numbers, strings as UTF-16 units.

use crate::model::{End, Input, Left, LeftContent, Operator, Outcome, Seen};

/// What is sent.
#[derive(Default)]
pub(super) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn byte(&mut self, b: u8) {
        self.0.push(b);
    }

    pub fn int(&mut self, n: i32) {
        self.0.extend(n.to_be_bytes());
    }

    pub fn long(&mut self, n: i64) {
        self.0.extend(n.to_be_bytes());
    }

    pub fn ints(&mut self, all: &[u32]) {
        self.int(all.len() as i32);
        all.iter().for_each(|n| self.int(*n as i32));
    }

    pub fn units(&mut self, units: &[u16]) {
        self.int(units.len() as i32);
        for u in units {
            self.0.extend(u.to_be_bytes());
        }
    }

    pub fn string(&mut self, s: &str) {
        self.units(&s.encode_utf16().collect::<Vec<_>>());
    }

    pub fn strings<S: AsRef<str>>(&mut self, all: impl ExactSizeIterator<Item = S>) {
        self.int(all.len() as i32);
        all.for_each(|s| self.string(s.as_ref()));
    }

    pub fn inputs(&mut self, all: &[Input]) {
        self.int(all.len() as i32);
        all.iter().for_each(|i| self.input(i));
    }

    pub fn input(&mut self, input: &Input) {
        match input {
            Input::Null => self.byte(b'N'),
            Input::Boolean(b) => self.0.extend([b'Z', u8::from(*b)]),
            Input::Byte(b) => self.0.extend([b'B', *b as u8]),
            Input::Short(s) => self.tagged(b'S', &s.to_be_bytes()),
            Input::Char(c) => self.tagged(b'C', &c.to_be_bytes()),
            Input::Int(i) => self.tagged(b'I', &i.to_be_bytes()),
            Input::Long(l) => self.tagged(b'J', &l.to_be_bytes()),
            Input::Float(f) => self.tagged(b'F', &f.to_be_bytes()),
            Input::Double(d) => self.tagged(b'D', &d.to_be_bytes()),
            Input::Str(units) => {
                self.byte(b'T');
                self.units(units);
            }
            Input::Boxed(inner) => {
                self.byte(b'X');
                self.input(inner);
            }
            Input::Array { element, values } => {
                self.byte(b'A');
                self.string(element);
                self.inputs(values);
            }
            Input::Enum { class, constant } => {
                self.byte(b'E');
                self.string(class);
                self.string(constant);
            }
            Input::Object {
                method,
                args,
                calls,
            } => {
                self.byte(b'O');
                self.method(method);
                self.inputs(args);
                self.calls(calls);
            }
            Input::Result {
                receiver,
                method,
                args,
                calls,
            } => {
                self.byte(b'M');
                self.input(receiver);
                self.method(method);
                self.inputs(args);
                self.calls(calls);
            }
            Input::Field { class, field } => {
                self.byte(b'G');
                self.string(class);
                self.string(field);
            }
            Input::Class(name) => {
                self.byte(b'c');
                self.string(name);
            }
            Input::Shared { number, value } => {
                self.byte(b'V');
                self.int(*number as i32);
                self.input(value);
            }
            Input::Same(number) => {
                self.byte(b'R');
                self.int(*number as i32);
            }
            Input::StandIn { class, answers } => {
                self.byte(b'i');
                self.string(class);
                self.calls(answers);
            }
            Input::Argument(number) => {
                self.byte(b'a');
                self.int(*number as i32);
            }
            Input::Operation { operator, operands } => {
                self.byte(b'o');
                self.string(operator.name());
                self.inputs(operands);
            }
            Input::Lambda { method, result } => {
                self.byte(b'L');
                self.method(method);
                self.inputs(result.as_deref().map_or(&[], std::slice::from_ref));
            }
        }
    }

    fn calls(&mut self, calls: &[crate::model::PriorCall]) {
        self.int(calls.len() as i32);
        for (method, args) in calls {
            self.method(method);
            self.inputs(args);
        }
    }

    pub fn method(&mut self, method: &crate::model::MethodRef) {
        self.string(&method.class);
        self.string(&method.name);
        self.string(&method.descriptor);
    }

    fn tagged(&mut self, tag: u8, bytes: &[u8]) {
        self.byte(tag);
        self.0.extend(bytes);
    }
}

/// What is received; every read fails when the worker's end is gone.
pub(super) struct Reader<R>(pub R);

type Read<T> = std::io::Result<T>;

fn bad(what: &str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_string())
}

impl<R: std::io::Read> Reader<R> {
    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub fn byte(&mut self) -> Read<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub fn int(&mut self) -> Read<i32> {
        self.array().map(i32::from_be_bytes)
    }

    pub fn bool(&mut self) -> Read<bool> {
        Ok(self.byte()? != 0)
    }

    pub fn units(&mut self) -> Read<Vec<u16>> {
        let n = self.int()?;
        (0..n)
            .map(|_| self.array().map(u16::from_be_bytes))
            .collect()
    }

    pub fn string(&mut self) -> Read<String> {
        Ok(String::from_utf16_lossy(&self.units()?))
    }

    pub fn method(&mut self) -> Read<crate::model::MethodRef> {
        Ok(crate::model::MethodRef {
            class: self.string()?.into(),
            name: self.string()?,
            descriptor: self.string()?,
        })
    }

    pub fn inputs(&mut self, depth: u32) -> Read<Vec<Input>> {
        let n = self.int()?;
        (0..n).map(|_| self.input(depth)).collect()
    }

    /// What [`Writer::input`] writes.
    pub fn input(&mut self, depth: u32) -> Read<Input> {
        if depth > 100 {
            return Err(bad("input nested too deeply"));
        }
        Ok(match self.byte()? {
            b'N' => Input::Null,
            b'Z' => Input::Boolean(self.bool()?),
            b'B' => Input::Byte(self.byte()? as i8),
            b'S' => Input::Short(i16::from_be_bytes(self.array()?)),
            b'C' => Input::Char(u16::from_be_bytes(self.array()?)),
            b'I' => Input::Int(self.int()?),
            b'J' => Input::Long(i64::from_be_bytes(self.array()?)),
            b'F' => Input::Float(u32::from_be_bytes(self.array()?)),
            b'D' => Input::Double(u64::from_be_bytes(self.array()?)),
            b'T' => Input::Str(self.units()?),
            b'X' => Input::Boxed(Box::new(self.input(depth + 1)?)),
            b'A' => Input::Array {
                element: self.string()?,
                values: self.inputs(depth + 1)?,
            },
            b'E' => Input::Enum {
                class: self.string()?,
                constant: self.string()?,
            },
            b'O' => Input::Object {
                method: self.method()?,
                args: self.inputs(depth + 1)?,
                calls: self.calls(depth + 1)?,
            },
            b'M' => Input::Result {
                receiver: Box::new(self.input(depth + 1)?),
                method: self.method()?,
                args: self.inputs(depth + 1)?,
                calls: self.calls(depth + 1)?,
            },
            b'G' => Input::Field {
                class: self.string()?,
                field: self.string()?,
            },
            b'c' => Input::Class(self.string()?),
            b'V' => Input::Shared {
                number: self.int()? as u32,
                value: Box::new(self.input(depth + 1)?),
            },
            b'R' => Input::Same(self.int()? as u32),
            b'i' => Input::StandIn {
                class: self.string()?.into(),
                answers: self.calls(depth + 1)?,
            },
            b'a' => Input::Argument(self.int()? as u32),
            b'o' => Input::Operation {
                operator: Operator::of(&self.string()?).ok_or_else(|| bad("operator"))?,
                operands: self.inputs(depth + 1)?,
            },
            b'L' => Input::Lambda {
                method: self.method()?,
                result: self.inputs(depth + 1)?.pop().map(Box::new),
            },
            _ => return Err(bad("input")),
        })
    }

    fn calls(&mut self, depth: u32) -> Read<Vec<crate::model::PriorCall>> {
        let n = self.int()?;
        (0..n)
            .map(|_| Ok((self.method()?, self.inputs(depth)?)))
            .collect()
    }

    pub fn outcome(&mut self) -> Read<Outcome> {
        let end = match self.byte()? {
            b'H' => return Ok(Outcome::of(End::TimedOut)),
            b'Z' => {
                let code = self.int()?;
                let printed = self.units()?;
                return Ok(Outcome {
                    printed,
                    files: self.files()?,
                    ..Outcome::of(End::Exited(code))
                });
            }
            b'F' => return Ok(Outcome::of(End::Failed(self.string()?))),
            b'T' => self.threw()?,
            b'R' => End::Returned(self.seen(0)?),
            _ => return Err(bad("answer")),
        };
        let receiver = if self.bool()? {
            Some(self.seen(0)?)
        } else {
            None
        };
        let n = self.int()?;
        let args = (0..n).map(|_| self.seen(0)).collect::<Read<_>>()?;
        Ok(Outcome {
            end,
            receiver,
            args,
            printed: self.units()?,
            files: self.files()?,
        })
    }

    /// What lies in the folder, in the order of the paths.
    fn files(&mut self) -> Read<Vec<Left>> {
        let mut all = Vec::new();
        for _ in 0..self.int()? {
            let path = self.string()?;
            let content = match self.bool()? {
                true => None,
                false => {
                    let length = u64::from_be_bytes(self.array()?);
                    let n = u64::try_from(self.int()?).unwrap_or(0);
                    let mut bytes = Vec::new();
                    let mut part = std::io::Read::take(&mut self.0, n);
                    std::io::Read::read_to_end(&mut part, &mut bytes)?;
                    Some(LeftContent { length, bytes })
                }
            };
            all.push(Left { path, content });
        }
        all.sort();
        Ok(all)
    }

    /// An exception, behind its tag.
    pub fn threw(&mut self) -> Read<End> {
        Ok(End::Threw {
            class: self.string()?,
            message: if self.bool()? {
                Some(self.units()?)
            } else {
                None
            },
            jvm_made: self.bool()?,
            at: Some(self.string()?).filter(|at| !at.is_empty()),
            held: (0..self.int()?)
                .map(|_| Ok((self.string()?, self.seen(0)?)))
                .collect::<Read<_>>()?,
        })
    }

    pub fn long(&mut self) -> Read<i64> {
        self.array().map(i64::from_be_bytes)
    }

    fn seen(&mut self, depth: u32) -> Read<Seen> {
        if depth > 2000 {
            return Err(bad("value nested too deeply"));
        }
        Ok(match self.byte()? {
            b'V' => Seen::Void,
            b'N' => Seen::Null,
            b'Z' => Seen::Boolean(self.bool()?),
            b'B' => Seen::Byte(self.byte()? as i8),
            b'S' => Seen::Short(i16::from_be_bytes(self.array()?)),
            b'C' => Seen::Char(u16::from_be_bytes(self.array()?)),
            b'I' => Seen::Int(self.int()?),
            b'J' => Seen::Long(i64::from_be_bytes(self.array()?)),
            b'F' => Seen::Float(u32::from_be_bytes(self.array()?)),
            b'D' => Seen::Double(u64::from_be_bytes(self.array()?)),
            b'T' => Seen::Str(self.units()?),
            b'X' => Seen::Boxed(Box::new(self.seen(depth + 1)?)),
            b'E' => Seen::Enum {
                class: self.string()?,
                constant: self.string()?,
            },
            b'A' => {
                let element = self.string()?;
                let n = self.int()?;
                let values = (0..n).map(|_| self.seen(depth + 1)).collect::<Read<_>>()?;
                Seen::Array { element, values }
            }
            b'O' => {
                let class = self.string()?;
                let n = self.int()?;
                let mut fields = Vec::new();
                for _ in 0..n {
                    fields.push((self.string()?, self.seen(depth + 1)?));
                }
                Seen::Object { class, fields }
            }
            b'K' => {
                let class = self.string()?;
                let n = self.int()?;
                let values = (0..n).map(|_| self.seen(depth + 1)).collect::<Read<_>>()?;
                Seen::Content { class, values }
            }
            b'W' => Seen::Throwable {
                class: self.string()?,
                message: match self.bool()? {
                    true => Some(self.units()?),
                    false => None,
                },
            },
            b'Q' => Seen::Opaque {
                class: self.string()?,
            },
            b'#' => Seen::Ref(self.int()? as u32),
            _ => return Err(bad("value")),
        })
    }
}

/// A stream of which no more is read than was allowed: what the other end sends can't fill the memory.
pub(super) struct Limited<R> {
    stream: R,
    left: u64,
}

impl<R> Limited<R> {
    /// Nothing is allowed yet.
    pub fn new(stream: R) -> Limited<R> {
        Limited { stream, left: 0 }
    }

    /// Allows so many bytes, from here on.
    pub fn allow(&mut self, bytes: u64) {
        self.left = bytes;
    }
}

impl<R: std::io::Read> std::io::Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Read<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let most = most.min(buffer.len());
        let n = self.stream.read(&mut buffer[..most])?;
        self.left -= n as u64;
        Ok(n)
    }
}
