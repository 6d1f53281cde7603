//! Events of the process that runs tests, added to what is recorded.

use super::super::recording::{ObservedCall, RecordedInput, TestEnd};
use super::super::wire::Reader;
use super::{Listener, test};
use crate::model::{Input, Inputs, MethodRef, Spelling};

impl Listener<'_> {
    /// Takes all whole events off the bytes; how many there were.
    pub(super) fn listen(&mut self, unread: &mut Vec<u8>) -> std::io::Result<usize> {
        let (mut at, mut n) = (0, 0);
        while let Some(head) = unread.get(at..at + 4) {
            let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
            let Some(event) = unread.get(at + 4..at + 4 + length) else {
                break;
            };
            self.event(&mut Reader(event))?;
            at += 4 + length;
            n += 1;
        }
        unread.drain(..at);
        Ok(n)
    }

    fn event(&mut self, r: &mut Reader<&[u8]>) -> std::io::Result<()> {
        match r.byte()? {
            b'C' => self.begin_class(&r.string()?),
            b'B' => {
                let (class, name) = (r.string()?, r.string()?);
                self.left.remove(class.outermost());
                self.current = Some(test(class, name));
            }
            b'E' => {
                let end = match r.string()?.as_str() {
                    "passed" => TestEnd::Passed,
                    "skipped" => TestEnd::Skipped,
                    _ => TestEnd::Failed,
                };
                if r.bool()? {
                    // Its tag.
                    r.byte()?;
                    self.test().failure = Some(r.threw()?);
                }
                self.end_test(end);
            }
            b'T' => {
                let number = r.int()?;
                if let Some(method) = self.watched(number) {
                    let test = self.test();
                    if !test.touched.contains(&method) {
                        test.touched.push(method);
                    }
                }
            }
            b'R' => {
                let number = r.int()?;
                if let Some(method) = self.watched(number) {
                    let test = self.test();
                    if !test.reached.contains(&method) {
                        test.reached.push(method);
                    }
                }
            }
            b'I' => {
                let number = r.int()?;
                if let Some(entry) = self.watched(number) {
                    let input = input(r, entry)?;
                    self.test().inputs.push(input);
                }
            }
            b'O' => {
                let number = r.int()?;
                if let Some(entry) = self.watched(number) {
                    let call = observed(r, entry)?;
                    self.test().calls.push(call);
                }
            }
            b'L' => {
                let (what, why) = (r.string()?, r.string()?);
                let why = format!("not all of it was run: {why}");
                if what.is_empty() {
                    self.recorded.failed = why;
                } else {
                    self.recorded.not_run.push((what, why));
                }
            }
            b'X' => self.recorded.failed = r.string()?,
            _ => self.finished = true,
        }
        Ok(())
    }

    fn watched(&self, number: i32) -> Option<MethodRef> {
        let watch = self.request.watches.get(usize::try_from(number).ok()?)?;
        Some(watch.method.clone())
    }

    fn begin_class(&mut self, name: &str) {
        self.left.remove(name.outermost());
        self.class = Some(name.to_string());
    }

    pub(super) fn end_test(&mut self, end: TestEnd) {
        let Some(mut test) = self.current.take() else {
            return;
        };
        test.end = end;
        // They are told when they end.
        test.calls
            .sort_by(|a, b| (&a.entry, a.number).cmp(&(&b.entry, b.number)));
        let key = (test.class.clone(), test.name.clone());
        match self.numbers.get(&key) {
            Some(i) => self.recorded.tests[*i].absorb(test),
            None => {
                self.numbers.insert(key, self.recorded.tests.len());
                self.recorded.tests.push(test);
            }
        }
    }
}

fn observed(r: &mut Reader<&[u8]>, entry: MethodRef) -> std::io::Result<ObservedCall> {
    let number = u32::try_from(r.int()?).unwrap_or(0);
    let is_direct = r.bool()?;
    let digests = (r.long()?, r.long()?);
    let is_whole = r.bool()?;
    let is_first = r.bool()?;
    let is_brief = r.bool()?;
    let inputs = match r.bool()? {
        true => {
            let receiver = if r.bool()? { Some(r.input(0)?) } else { None };
            let args = r.inputs(0)?;
            Some(Inputs { receiver, args })
        }
        false => None,
    };
    Ok(ObservedCall {
        entry,
        number,
        is_direct,
        digests,
        is_whole,
        is_first,
        is_brief,
        inputs,
        outcome: r.outcome()?,
    })
}

fn input(r: &mut Reader<&[u8]>, entry: MethodRef) -> std::io::Result<RecordedInput> {
    let exact = r.bool()?;
    let reason = r.string()?;
    let inputs = if reason.is_empty() {
        let receiver: Option<Input> = if r.bool()? { Some(r.input(0)?) } else { None };
        let args = r.inputs(0)?;
        Ok(Inputs { receiver, args })
    } else {
        Err(reason)
    };
    Ok(RecordedInput {
        entry,
        inputs,
        exact,
    })
}
