//! Annotations that a patch changes: what reads them at run time may do something else, which is not compared.

use crate::bytecode::annotation_texts;
use crate::bytecode::class_file::ClassFile;
use crate::model::Spelling;
use crate::util::counted::first;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Members that are named.
const MOST: usize = 3;

/// How a note about annotations begins.
pub(super) const ABOUT: &str = "annotations of ";

/// Says which classes and members that both versions have say something else in their annotations, or in an annotation's default values.
pub(super) fn told(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>]) -> Option<(String, String)> {
    let by_name: BTreeMap<&str, &Arc<ClassFile>> = old.iter().map(|c| (&*c.name, c)).collect();
    let mut names: Vec<String> = Vec::new();
    for class in new {
        let Some(before) = by_name.get(&*class.name) else {
            continue;
        };
        let texts = |c: &ClassFile| annotation_texts(c).into_iter().collect::<BTreeMap<_, _>>();
        let (a, b) = (texts(before), texts(class));
        let members = a
            .keys()
            .chain(b.keys().filter(|name| !a.contains_key(*name)));
        let differ = members.filter(|name| a.get(*name) != b.get(*name));
        let both = differ.filter(|name| has(before, name) && has(class, name));
        names.extend(both.map(|name| spelled(class, name)));
    }
    names.sort();
    names.dedup();
    let what = format!("{ABOUT}{}", first(&names, MOST, ", "));
    let why = "they changed, and what reads them at run time is not compared";
    (!names.is_empty()).then(|| (what, why.to_string()))
}

/// Whether a class has a member, as `annotation_texts` names it.
fn has(class: &ClassFile, member: &str) -> bool {
    let mut fields = class.fields.iter();
    let mut methods = class.methods.iter();
    member.is_empty()
        || fields.any(|f| format!("{}:{}", f.name, f.descriptor) == member)
        || methods.any(|m| format!("{}{}", m.name, m.descriptor) == member)
}

fn spelled(class: &ClassFile, member: &str) -> String {
    let name = member.split(['(', ':']).next().unwrap_or_default();
    let class = class.name.dotted();
    match name {
        "" => class,
        name => format!("{class}#{name}"),
    }
}
