//! Labels of findings that matter to few callers, as far as the finding itself shows it.

use super::representation::Representation;
use super::unlinked::does_not_link;
use crate::bytecode::access::{PROTECTED, PUBLIC};
use crate::model::{End, Finding, Input, Label, Seen, Spelling};
use crate::replay::names_builds;

/// The labels; `access` are the flags of the method called, where they are known.
pub(super) fn labels(
    f: &Finding,
    access: Option<u16>,
    representation: &Representation,
) -> Vec<Label> {
    let mut all = Vec::new();
    match access {
        Some(flags) if flags & PROTECTED != 0 => all.push(Label::Protected),
        Some(flags) if flags & PUBLIC == 0 => all.push(Label::PackagePrivate),
        _ => {}
    }
    if f.inputs.args.contains(&Input::Null) {
        all.push(Label::NullArgument);
    }
    if does_not_link(&f.old.end) {
        all.push(Label::Unlinked);
    }
    let fails = [&f.old, &f.new].map(|o| o.end.thrown().is_some());
    if fails[0] != fails[1] && (names_builds(&f.old) || names_builds(&f.new)) {
        all.push(Label::BuildFolder);
    }
    let (old, new) = (f.old.arguments_first(), f.new.arguments_first());
    let around = old.args == new.args && old.printed == new.printed && old.files == new.files;
    let receiver = old.receiver == new.receiver;
    let end = old.end.same_as(&new.end);
    if around
        && receiver
        && let (
            End::Threw {
                class: a, held: h, ..
            },
            End::Threw {
                class: b, held: i, ..
            },
        ) = (&old.end, &new.end)
        && (a, h) == (b, i)
    {
        all.push(Label::Message);
    }
    if representation.alone_differs(&old, &new) {
        all.push(Label::Representation);
        return all;
    }
    if around && end && !receiver {
        all.push(Label::ReceiverState);
    }
    if around && receiver && is_hash_code(f) {
        all.push(Label::HashCode);
    }
    if is_added_constant(f) {
        all.push(Label::AddedConstant);
    }
    all
}

/// Whether both versions return a hash code.
fn is_hash_code(f: &Finding) -> bool {
    let returns = |end: &End| matches!(end, End::Returned(Seen::Int(_)));
    (&*f.entry.name, &*f.entry.descriptor) == ("hashCode", "()I")
        && returns(&f.old.end)
        && returns(&f.new.end)
}

/// Whether an enum's own methods (JLS §8.9.3) show further constants, and that none is gone.
fn is_added_constant(f: &Finding) -> bool {
    let class = f.entry.class.internal();
    let is_own = |name: &str, descriptor: String| {
        f.entry_static && f.entry.name == name && f.entry.descriptor == descriptor
    };
    match (&f.old.end, &f.new.end) {
        (
            End::Returned(Seen::Array { values: old, .. }),
            End::Returned(Seen::Array { values: new, .. }),
        ) if is_own("values", format!("()[L{class};")) => {
            let is_constant = |v: &Seen| matches!(v, Seen::Enum { .. });
            new.iter().all(is_constant) && old.iter().all(|v| new.contains(v))
        }
        (End::Threw { class: thrown, .. }, End::Returned(Seen::Enum { .. })) => {
            is_own("valueOf", format!("(Ljava/lang/String;)L{class};"))
                && thrown == "java.lang.IllegalArgumentException"
        }
        _ => false,
    }
}
