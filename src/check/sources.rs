//! The text of changed methods in both versions, for people to look at.

use crate::check::patch::ChangedFile;
use crate::impact::{Impact, ImpactedMethod};
use crate::java::SourceFile;
use crate::model::{MethodResult, SourceRange};
use crate::report::{MethodText, SourceText};
use std::collections::{BTreeMap, BTreeSet};

/// The texts by the index of the method, where a source declares it (a default constructor has none).
pub fn method_texts(
    files: &[ChangedFile],
    methods: &[MethodResult],
) -> BTreeMap<usize, MethodText> {
    let text = |of: fn(&ChangedFile) -> Option<&SourceFile>, range: &Option<SourceRange>| {
        let range = range.as_ref()?;
        let file = files.iter().filter_map(of).find(|f| f.path == range.file)?;
        source_text(file, range)
    };
    let mut texts = BTreeMap::new();
    for (i, method) in methods.iter().enumerate() {
        let text = MethodText {
            old: text(|f| f.old.as_ref(), &method.source.old),
            new: text(|f| f.new.as_ref(), &method.source.new),
        };
        if text.old.is_some() || text.new.is_some() {
            texts.insert(i, text);
        }
    }
    texts
}

fn source_text(file: &SourceFile, range: &SourceRange) -> Option<SourceText> {
    Some(SourceText {
        file: range.file.clone(),
        first_line: range.first_line,
        text: file.text.get(range.bytes.clone())?.to_string(),
        impacted: BTreeSet::new(),
    })
}

/// Marks the lines that a patch changes or impacts.
pub fn mark_impacted(
    texts: &mut BTreeMap<usize, MethodText>,
    methods: &[MethodResult],
    impact: &Impact,
) {
    let sides: [(&[ImpactedMethod], Side); 2] = [
        (&impact.removed, |text| text.old.as_mut()),
        (&impact.methods, |text| text.new.as_mut()),
    ];
    for (found, side) in sides {
        for impacted in found {
            let index = methods.iter().position(|m| m.method == impacted.id);
            let text = index.and_then(|i| side(texts.get_mut(&i)?));
            if let Some(text) = text {
                let reached = impacted.statements.iter().filter(|s| s.status.is_some());
                text.impacted
                    .extend(reached.map(|s| s.line).filter(|line| *line > 0));
            }
        }
    }
}

type Side = fn(&mut MethodText) -> Option<&mut SourceText>;
