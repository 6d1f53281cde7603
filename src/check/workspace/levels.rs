//! The Java level for compiling sources that state none, and the packages of the JDK that they want exported.

use crate::jvm::{CompileResult, Diagnostic};
use std::path::PathBuf;

/// What messages of sources that are older than the compiler have in common: classes that the library did not have, or no longer
/// has, and words that are keywords now.
const OF_OLD_SOURCES: [&str; 13] = [
    "is ambiguous",
    "javax.activation",
    "javax.activity",
    "javax.annotation",
    "javax.jws",
    "javax.transaction",
    "javax.xml",
    "sun.",
    "org.omg.",
    "as of release",
    "restricted identifier",
    "keyword",
    "not exported",
];

/// What javac says where classes and interfaces of the library have got methods: of newer sources it speaks of something else.
const OF_OLD_LIBRARIES: [&str; 4] = [
    "return type ",
    "does not override abstract method",
    "are incompatible",
    "name clash",
];

/// Of the messages of old sources, the ones about classes that the JDK keeps to itself: `--release` hides them at every level.
const OF_HIDDEN_CLASSES: [&str; 2] = ["sun.", "not exported"];

/// Packages of the JDK that its modules keep to themselves.
const INTERNAL: [&str; 4] = ["com.sun.", "sun.", "jdk.internal.", "jdk.tools."];

/// What javac says of syntax that is newer than the level that it was given.
const NEWER_THAN_ITS_LEVEL: &str = "supported in -source";

/// The options without a level, where sources are of a newer one than these say: tests often are of a newer level than what they test.
pub(super) fn newer(flags: &[String], result: &CompileResult) -> Option<Vec<String>> {
    let mut errors = result.diagnostics.iter().filter(|d| d.error);
    if !errors.any(|d| d.message.contains(NEWER_THAN_ITS_LEVEL)) {
        return None;
    }
    let kept = without_level(flags);
    (kept.len() < flags.len()).then_some(kept)
}

/// The options that say nothing of a level.
pub(super) fn without_level(flags: &[String]) -> Vec<String> {
    split(flags).1
}

/// The options that name a level, with their values, and the others.
fn split(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut level, mut others) = (Vec::new(), Vec::new());
    let mut words = flags.iter().cloned();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--release" | "-source" | "-target" => {
                level.extend([word].into_iter().chain(words.next()))
            }
            _ => others.push(word),
        }
    }
    (level, others)
}

/// The level that options name; `None` for the compiler's own.
fn level(flags: &[String]) -> Option<u32> {
    let is_level = |word: &String| ["--release", "-source"].contains(&word.as_str());
    let at = flags.iter().position(is_level)?;
    flags.get(at + 1)?.trim_start_matches("1.").parse().ok()
}

/// The options with the level of the other version's, where that is higher: javac writes other code at each level (lambdas' places, `+` of
/// texts, access to members of nested classes), and a method of an unchanged file would count as changed.
pub(super) fn raised(flags: &[String], other: &[String]) -> Option<Vec<String>> {
    let own = level(flags)?;
    if level(other).is_some_and(|theirs| theirs <= own) {
        return None;
    }
    let (mut raised, _) = split(other);
    raised.extend(without_level(flags));
    Some(raised)
}

/// The first level with modules: classes of a source folder can't take the place of the library's from there on.
const MODULES: u32 = 9;

/// The options with a level at which a project's own `java.lang…` does not hide the library's: stubs of newer classes, which a build
/// compiles apart from all else.
pub(super) fn above_stubs(flags: Vec<String>, roots: &[PathBuf]) -> Vec<String> {
    let has_stubs = || roots.iter().any(|root| root.join("java/lang").is_dir());
    if level(&flags).is_none_or(|level| level >= MODULES) || !has_stubs() {
        return flags;
    }
    let (mut level, others) = split(&flags);
    for word in &mut level {
        if !word.starts_with('-') {
            *word = MODULES.to_string();
        }
    }
    [level, others].concat()
}

/// Further options worth trying after sources of an unknown level did not compile, best first; all but the level stays.
pub(super) fn others(flags: &[String], result: &CompileResult) -> Vec<Vec<String>> {
    let errors = || result.diagnostics.iter().filter(|d| d.error);
    let says = |words: &[&str]| errors().any(|d| words.iter().any(|w| d.message.contains(w)));
    let kept = without_level(flags);
    let words = |level: &[&str]| {
        let level = level.iter().map(|o| o.to_string());
        level.chain(kept.iter().cloned()).collect()
    };
    let mut tries = Vec::new();
    let is_old = level(flags).is_none_or(|own| own <= 8);
    if says(&OF_OLD_SOURCES) || is_old && says(&OF_OLD_LIBRARIES) {
        // Below 8 the library is another one once more.
        if let Some(own) = level(flags).filter(|own| *own < 8) {
            tries.push(words(&["--release", &own.to_string()]));
        }
        tries.push(words(&["--release", "8"]));
    }
    if says(&OF_HIDDEN_CLASSES) {
        tries.push(words(&["-source", "8", "-target", "8"]));
    }
    tries.retain(|tried: &Vec<String>| tried != flags);
    tries
}

/// The options with which sources see packages of the JDK that these named in vain: each exported to them, which needs a level without
/// the signatures of `--release`. `None` where javac asks for no more.
pub(super) fn exporting(flags: &[String], result: &CompileResult) -> Option<Vec<String>> {
    let errors = || result.diagnostics.iter().filter(|d| d.error);
    let mut more: Vec<String> = Vec::new();
    for flag in errors().filter_map(|d| export(&d.message)) {
        if !flags.contains(&flag) && !more.contains(&flag) {
            more.push(flag);
        }
    }
    let internal = |d: &Diagnostic| {
        let package = d.message.strip_prefix("package ").unwrap_or_default();
        let gone = d.message.contains("does not exist");
        gone && INTERNAL.iter().any(|p| package.starts_with(p))
    };
    let hides = flags.iter().any(|f| f == "--release");
    if more.is_empty() && !(hides && errors().any(internal)) {
        return None;
    }
    let (level, others) = split(flags);
    let number = level.last().cloned();
    let plain = number.filter(|_| hides).map(|n| {
        let words = ["-source", &n, "-target", &n].map(String::from);
        words.to_vec()
    });
    Some([plain.unwrap_or(level), others, more].concat())
}

/// The option that exports a package of the JDK which javac calls invisible.
fn export(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("(package ")?;
    let (package, rest) = rest.split_once(" is declared in module ")?;
    let (module, why) = rest.split_once(',')?;
    let of_jdk = module.starts_with("java.") || module.starts_with("jdk.");
    let is_hidden = why.contains("does not export it");
    (of_jdk && is_hidden).then(|| format!("--add-exports={module}/{package}=ALL-UNNAMED"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What javac gives with that error.
    fn said(message: &str) -> CompileResult {
        CompileResult {
            diagnostics: vec![Diagnostic {
                error: true,
                message: message.into(),
                ..Diagnostic::default()
            }],
            ..CompileResult::default()
        }
    }

    #[test]
    fn tests_of_a_newer_level_are_compiled_without_one() {
        let flags: Vec<String> = ["--release", "8", "-parameters"].map(String::from).into();
        let newer_syntax = said("records are not supported in -source 8");
        assert_eq!(
            newer(&flags, &newer_syntax),
            Some(vec!["-parameters".to_string()])
        );
        assert_eq!(newer(&[], &newer_syntax), None);
        assert_eq!(newer(&flags, &said("cannot find symbol")), None);
    }

    #[test]
    fn stubs_of_the_librarys_classes_raise_the_level() {
        let dir = tempfile::tempdir().unwrap();
        let roots = [dir.path().to_path_buf()];
        let raised = |text: &str| {
            let flags = text.split(' ').map(String::from).collect();
            above_stubs(flags, &roots).join(" ")
        };
        assert_eq!(raised("--release 8 -g"), "--release 8 -g");
        std::fs::create_dir_all(dir.path().join("java/lang/invoke")).unwrap();
        assert_eq!(raised("--release 8 -g"), "--release 9 -g");
        assert_eq!(raised("-source 1.7 -target 1.7"), "-source 9 -target 9");
        assert_eq!(raised("--release 11"), "--release 11");
        assert_eq!(raised("-g"), "-g");
    }

    #[test]
    fn the_lower_level_is_raised_to_the_other_versions_level() {
        let flags = |text: &str| -> Vec<String> { text.split(' ').map(String::from).collect() };
        let old = flags("-source 8 -target 8 -parameters");
        let raised_to = |other: &str| raised(&old, &flags(other)).map(|f| f.join(" "));
        assert_eq!(
            raised_to("--release 17 -Xlint"),
            Some("--release 17 -parameters".into())
        );
        assert_eq!(raised_to("-Xlint"), Some("-parameters".into()));
        assert_eq!(raised_to("--release 8"), None);
        assert_eq!(raised_to("--release 7"), None);
        assert_eq!(raised(&flags("-Xlint"), &flags("--release 8")), None);
    }

    #[test]
    fn another_level_leaves_the_other_options_as_they_are() {
        let result = said("package javax.xml.bind does not exist");
        let flags = ["-source", "11", "-processorpath", "a.jar"].map(String::from);
        let tried = others(&flags, &result);
        assert_eq!(tried[0], ["--release", "8", "-processorpath", "a.jar"]);
        assert!(tried.iter().all(|t| t.contains(&"a.jar".to_string())));
    }

    #[test]
    fn sources_below_level_8_see_their_own_library_first() {
        let flags = ["-source", "7", "-target", "7", "-g"].map(String::from);
        let keys = "keySet() in Map cannot override keySet() in ConcurrentHashMap\n  return type Set<K> is not compatible with KeySetView<K,V>";
        let tried = others(&flags, &said(keys));
        assert_eq!(tried[0], ["--release", "7", "-g"]);
        assert_eq!(tried[1], ["--release", "8", "-g"]);
        let missing = said(
            "C is not abstract and does not override abstract method abort(Executor) in Connection",
        );
        assert_eq!(others(&flags, &missing).len(), 2);
        let gone = said("cannot find symbol\n  symbol: class Gone");
        assert!(others(&flags, &gone).is_empty());
        for level in ["8", "11"] {
            let same = ["--release", level].map(String::from);
            assert!(others(&same, &missing).is_empty());
        }
    }

    #[test]
    fn a_package_that_javac_hides_is_exported() {
        let release = ["--release", "17"].map(String::from);
        let gone = said("package com.sun.tools.javac.util does not exist");
        let plain = exporting(&release, &gone).unwrap();
        assert_eq!(plain, ["-source", "17", "-target", "17"]);
        assert_eq!(exporting(&plain, &gone), None);
        let hidden = said(
            "package com.sun.tools.javac.util is not visible\n  (package com.sun.tools.javac.util is declared in module jdk.compiler, which does not export it to the unnamed module)",
        );
        let exported = exporting(&plain, &hidden).unwrap();
        let last = "--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED";
        assert_eq!(exported.last().map(String::as_str), Some(last));
        assert_eq!(exporting(&exported, &hidden), None);
        assert_eq!(
            exporting(&release, &said("package org.x does not exist")),
            None
        );
    }
}
