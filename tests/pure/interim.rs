//! What a run that a signal ends knows so far.

use crate::reports::method;
use shadow_ci::commands::interim::Known;
use shadow_ci::model::{MethodRef, Verdict};

#[test]
fn findings_of_methods_that_are_not_done_are_told_with_the_place() {
    let of = |name: &str| MethodRef {
        class: "demo.Foo".into(),
        name: name.into(),
        descriptor: "()V".into(),
    };
    let mut known = Known::default();
    assert_eq!(known.place(), "");
    known.stage = Some("exploring".into());
    known.finding(&of("open"), "changed  Foo.open()".into());
    assert_eq!(known.unfinished(), "changed  Foo.open()\n");
    let done = method(of("open"), "demo/Foo.java", 1, Verdict::Diverges);
    known.methods.push(done);
    assert_eq!(known.unfinished(), "");
    known.step = Some("1 of 2 methods".into());
    assert_eq!(known.place(), " while exploring (1 of 2 methods)");
}
