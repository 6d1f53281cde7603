//! Names of character sets in calls: they stand for constants of `StandardCharsets`.

use super::executor::Executor;
use super::heap::HeapMap;
use super::state::State;
use crate::bytecode::class_file::MemberRef;
use crate::expr::Term;
use std::sync::Arc;

/// Character sets of which the JDK has one object, by name and constant.
const CONSTANTS: [(&str, &str); 3] = [
    ("ISO-8859-1", "ISO_8859_1"),
    ("US-ASCII", "US_ASCII"),
    ("UTF-8", "UTF_8"),
];

/// Methods whose last argument is the name of a character set; each has a twin that takes the set itself and does the same.
const BY_NAME: [(&str, &str, &str); 5] = [
    ("java/lang/String", "<init>", "([BLjava/lang/String;)V"),
    ("java/lang/String", "<init>", "([BIILjava/lang/String;)V"),
    ("java/lang/String", "getBytes", "(Ljava/lang/String;)[B"),
    (
        "java/io/InputStreamReader",
        "<init>",
        "(Ljava/io/InputStream;Ljava/lang/String;)V",
    ),
    (
        "java/io/OutputStreamWriter",
        "<init>",
        "(Ljava/io/OutputStream;Ljava/lang/String;)V",
    ),
];

const CHARSET: &str = "Ljava/nio/charset/Charset;";

impl Executor<'_> {
    /// What `Charset.forName` gives, where its argument is such a name.
    pub(super) fn named_charset(
        &mut self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) -> Option<Term> {
        let is_it = &*member.class == "java/nio/charset/Charset" && &*member.name == "forName";
        let last = args.last().filter(|_| is_it && args.len() == 1)?;
        self.charset(state, *last)
    }

    /// The twin of a call that names such a set, and its arguments.
    pub(super) fn with_charset(
        &mut self,
        state: &State,
        member: &MemberRef,
        args: &[Term],
    ) -> Option<(MemberRef, Vec<Term>)> {
        let key = (&*member.class, &*member.name, &*member.descriptor);
        if !BY_NAME.contains(&key) {
            return None;
        }
        let (last, others) = args.split_last()?;
        let charset = self.charset(state, *last)?;
        let (before, behind) = member.descriptor.rsplit_once("Ljava/lang/String;)")?;
        let twin = MemberRef {
            descriptor: Arc::from(format!("{before}{CHARSET}){behind}")),
            ..member.clone()
        };
        Some((twin, [others, &[charset]].concat()))
    }

    fn charset(&mut self, state: &State, name: Term) -> Option<Term> {
        let units = self.context.symbols.units(name)?;
        let text = String::from_utf16_lossy(units);
        let mut all = CONSTANTS.iter();
        let (_, constant) = all.find(|(known, _)| known.eq_ignore_ascii_case(&text))?;
        let field = format!("java/nio/charset/StandardCharsets.{constant}");
        let map = HeapMap::Final(Arc::from(field), Arc::from(CHARSET));
        let s = &mut self.context.symbols;
        let (null, index) = (s.null(), s.pool.int(0));
        Some(state.heap.read(s, &map, null, index))
    }
}
