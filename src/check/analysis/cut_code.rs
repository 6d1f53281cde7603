//! Code that was cut out of files so that the rest compiles, as local proofs see it: what of it is the same in both versions.

use super::elsewhere::words_of;
use crate::check::patch::{ChangedFile, Patch};
use crate::check::workspace::Uncompiled;
use crate::java::{Cut, CutScope, Lexeme, SourceFile, lexemes};
use crate::local::{CutCode, Identifiers, SameBody};
use crate::model::{Spelling, Version};
use std::collections::BTreeSet;

/// What was cut out of both versions.
#[derive(Default)]
pub(super) struct CutParts {
    /// Texts of bodies, types and files.
    pub(super) texts: Vec<String>,
    /// Texts of members.
    pub(super) members: Vec<String>,
    /// Simple names of the classes that lost members.
    pub(super) owners: Identifiers,
    /// The same for proofs.
    pub(super) code: CutCode,
}

/// The call that stands for a body, up to its number.
const STANDS_IN: &str = "NotCompiled.reached(";

/// Words by which code says that it counts on an annotation processor which adds to existing classes.
const ADDS_CODE: [&str; 1] = ["lombok"];

/// What an import gives that gives all of something.
const ALL: &str = "*";

/// One part that was cut out.
struct Part<'a> {
    cut: &'a Cut,
    /// Its text without layout, comments, and what was cut out of it before.
    text: String,
    words: Identifiers,
    /// Whether it makes lambdas or declares types: others may come to these.
    makes: bool,
    /// Whether its words may mean something else in the other version.
    moved: bool,
}

impl CutParts {
    /// The parts that a patch's builds lack.
    pub(super) fn of(uncompiled: &[Uncompiled], patch: &Patch) -> CutParts {
        let mut out = CutParts::default();
        let all = |version| {
            let of = uncompiled.iter().filter(move |u| u.version == version);
            of.filter_map(|u| Part::of(u, patch)).collect::<Vec<_>>()
        };
        let (old, mut new) = (all(Version::Old), all(Version::New));
        for one in uncompiled {
            out.take(&one.cut);
        }
        let mut differing: Vec<Part> = Vec::new();
        for part in old {
            match new.iter().position(|p| part.is_same(p)) {
                Some(at) => out.add_same(&part, &new.swap_remove(at)),
                None => differing.push(part),
            }
        }
        differing.extend(new);
        for part in differing {
            out.add_differing(&part);
        }
        out
    }

    fn take(&mut self, cut: &Cut) {
        self.code.names.extend(cut.names.iter().cloned());
        let simple = cut.class.rsplit(['.', '$']).next().unwrap_or_default();
        match cut.part {
            CutScope::Name => {
                self.code.generated |= ADDS_CODE.iter().any(|w| cut.gone.contains(w));
            }
            CutScope::Member => {
                self.members.push(cut.gone.clone());
                self.owners.insert(simple.to_string());
            }
            CutScope::Body | CutScope::Type | CutScope::File => self.texts.push(cut.gone.clone()),
        }
        if cut.initialises {
            let class = cut.class.internal();
            self.code.initialisers.entry(class).or_default();
        }
    }

    fn add_same(&mut self, old: &Part, new: &Part) {
        match (old.cut.number(), new.cut.number()) {
            (Some(a), Some(b)) => self.code.same.push(SameBody {
                numbers: [a, b],
                words: old.words.clone(),
            }),
            _ => self.code.words.extend(old.words.iter().cloned()),
        }
    }

    fn add_differing(&mut self, part: &Part) {
        if part.cut.initialises {
            let class = part.cut.class.internal();
            self.code.initialisers.insert(class, true);
        }
        match part.cut.number() {
            // A body differs in the builds, too; but not what it makes.
            Some(number) => {
                self.code.differs |= part.makes;
                self.code.same.retain(|b| !b.numbers.contains(&number));
            }
            None => self.code.differs = true,
        }
    }
}

impl<'a> Part<'a> {
    /// `None` for names: what needs them shows in another place.
    fn of(one: &'a Uncompiled, patch: &Patch) -> Option<Part<'a>> {
        if one.cut.part == CutScope::Name {
            return None;
        }
        let (words, makes) = words_of(&one.cut.gone);
        let of = |f: &&Option<SourceFile>| f.as_ref().is_some_and(|f| f.path == one.path);
        let file = patch.files.iter().find(|f| [&f.old, &f.new].iter().any(of));
        Some(Part {
            text: plain(&one.cut.gone),
            moved: file.is_some_and(|f| imports_differ(f, &words)),
            cut: &one.cut,
            words,
            makes,
        })
    }

    fn is_same(&self, other: &Part) -> bool {
        let key = |p: &Part| (p.cut.part, p.cut.class.clone(), p.text.clone());
        key(self) == key(other) && !self.moved && !other.moved
    }
}

/// Whether the versions of a file import different things by one of these words.
fn imports_differ(file: &ChangedFile, words: &Identifiers) -> bool {
    let all = |f: &Option<SourceFile>| -> BTreeSet<String> {
        let imports = f.iter().flat_map(|f| &f.imports);
        imports.map(|i| plain(i)).collect()
    };
    let (old, new) = (all(&file.old), all(&file.new));
    old.symmetric_difference(&new).any(|import| {
        let path = import.trim_end_matches([';', ' ']);
        let last = path.rsplit(['.', ' ']).next().unwrap_or_default();
        last == ALL || words.contains(last)
    })
}

/// A text without layout and comments, and without the numbers of what was cut out of it.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for lexeme in lexemes(text) {
        match lexeme {
            Lexeme::Literal(text) | Lexeme::TextBlock(text) => out.push_str(text),
            Lexeme::Other(c) => out.push(c),
            _ if out.ends_with(' ') => {}
            _ => out.push(' '),
        }
    }
    let mut rest = out.as_str();
    let mut kept = String::new();
    while let Some((before, behind)) = rest.split_once(STANDS_IN) {
        kept.push_str(before);
        rest = behind.split_once(')').map_or("", |b| b.1);
    }
    kept.push_str(rest);
    kept.trim().to_string()
}
