//! A method that a patch changes: its identity, its source, its level, and the methods through which it is run.

use crate::bytecode::{ClassPath, is_numbered};
use crate::check::declarations::declarations;
use crate::check::patch::ChangedFile;
use crate::model::{Level, MethodRef, SourceRanges, Spelling};

/// Entry methods tried for a method that can't be called itself.
pub const MAX_ENTRIES: usize = 3;
/// The same for one that sets up an enum: each getter shows a part of what the constants hold.
pub const MAX_ENTRIES_OF_ENUM: usize = 8;

/// A changed method.
#[derive(Clone, Debug)]
pub struct ChangedMethod {
    pub(crate) id: MethodRef,
    /// Path of its file.
    pub(crate) file: String,
    /// The first line of its code in the new version, where the compiler noted it.
    pub(crate) line: Option<u32>,
    /// Where its source is, in both versions.
    pub(crate) source: SourceRanges,
    pub(crate) level: Level,
    pub(crate) reason: String,
    pub(super) entries: Vec<MethodRef>,
    /// How many of these are tried.
    pub(super) most_entries: usize,
    /// Whether code that is not seen may call it without naming its class, as it overrides another method.
    pub(super) is_called_back: bool,
    /// Public methods that call it, directly or not, besides the entries; searches try them too.
    pub(super) callers: Vec<MethodRef>,
    /// Methods of its class that show what it leaves in an object.
    pub(super) readers: Vec<MethodRef>,
    /// Whether it leaves objects there of which not all is seen.
    pub(super) keeps_objects: bool,
    pub(crate) same_code: bool,
    /// Why there is nothing to compare it with, though the source has it in both versions.
    pub(super) one_sided: Option<&'static str>,
    /// Why calls of it may do something else, though its code is the same.
    pub(super) redispatched: Option<String>,
    /// Why it does not compile in one of the versions.
    pub(super) uncompiled: Option<String>,
    /// Why others of its class stand for it.
    pub(super) passed_over: Option<String>,
}

/// What changed.
#[derive(Debug, Default)]
pub struct Changed {
    /// Methods to analyse.
    pub methods: Vec<ChangedMethod>,
    /// Methods only the new version has.
    pub added: Vec<MethodRef>,
    /// Methods only the old version has.
    pub removed: Vec<MethodRef>,
}

impl ChangedMethod {
    /// The methods through which it is run: itself if a test can call it, else the nearest callers that a test can call.
    pub fn entries(&self) -> &[MethodRef] {
        &self.entries[..self.entries.len().min(self.most_entries)]
    }

    /// Public methods that call it, directly or not, besides the entries.
    pub(super) fn callers(&self) -> impl Iterator<Item = &MethodRef> {
        let entries = self.entries();
        self.callers.iter().filter(|c| !entries.contains(c))
    }

    /// Whether it has more callers than become entries.
    pub fn has_more_entries(&self) -> bool {
        let is_called_elsewhere = self.is_called_back && !self.is_its_own_entry();
        let are_more = self.entries.len() > self.most_entries && !self.is_inside();
        are_more || self.id.name == "<clinit>" || is_called_elsewhere
    }

    /// Whether it is a private class's method that a test can call, and code outside enters it, too. It is the first entry: followed alone, it
    /// does all that such code may let it do.
    pub(super) fn is_inside(&self) -> bool {
        self.entries.len() > 1 && self.entries[0] == self.id && !is_numbered(&self.id.class)
    }

    /// Whether a test can call it itself.
    pub(super) fn is_its_own_entry(&self) -> bool {
        self.entries.contains(&self.id)
    }

    /// Whether there is something to explore: it changed, both versions have it, and a test can come to it.
    pub fn is_analysed(&self) -> bool {
        self.is_compiled()
            && self.one_sided.is_none()
            && !self.same_code
            && self.passed_over.is_none()
            && !self.entries.is_empty()
    }

    /// Whether both versions of it compile.
    pub fn is_compiled(&self) -> bool {
        self.uncompiled.is_none()
    }

    /// A method that some version's build does not hold.
    pub(super) fn without_code(id: MethodRef, files: &[ChangedFile], why: String) -> ChangedMethod {
        let mut method = ChangedMethod::new(id, files, None);
        method.uncompiled = Some(why);
        method
    }

    /// A method with another body: nothing calls it yet. Its code is in that build, if in any.
    pub(super) fn new(
        id: MethodRef,
        files: &[ChangedFile],
        code: Option<&ClassPath>,
    ) -> ChangedMethod {
        let (file, source) = declarations(files, &id);
        ChangedMethod {
            file,
            line: code.and_then(|classes| first_line(classes, &id)),
            source,
            id,
            level: Level::Method,
            reason: String::new(),
            entries: Vec::new(),
            most_entries: MAX_ENTRIES,
            is_called_back: false,
            callers: Vec::new(),
            readers: Vec::new(),
            keeps_objects: false,
            same_code: false,
            one_sided: None,
            redispatched: None,
            uncompiled: None,
            passed_over: None,
        }
    }

    /// Calls this as well, before all others.
    pub fn add_entry(&mut self, entry: &MethodRef) {
        self.entries.insert(0, entry.clone());
    }
}

/// The first source line of a method's code.
fn first_line(classes: &ClassPath, id: &MethodRef) -> Option<u32> {
    let class = classes.find(&id.class.internal()).ok()??;
    let method = class.method(&id.name, &id.descriptor)?;
    let lines = &method.code.as_ref()?.lines;
    lines.iter().copied().filter(|l| *l > 0).min()
}
