//! The identity of a finding: it stays the same as long as both texts of its method do, wherever these are in their files.

use crate::check::accepted::name;
use crate::check::patch::ChangedFile;
use crate::java::{Lexeme, SourceFile, lexemes};
use crate::model::{End, Finding, MethodRef, MethodResult};
use crate::report::{MethodText, Report};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Digits of a hash: enough that nobody has to think about two being the same.
const DIGITS: usize = 12;

/// Gives every finding its identity.
pub(super) fn give(report: &mut Report, files: &[ChangedFile]) {
    let texts: Vec<String> = (0..report.methods.len())
        .map(|i| text(report.sources.get(&i), &report.methods[i], files))
        .collect();
    for (m, text) in report.methods.iter_mut().zip(texts) {
        let mut order: Vec<usize> = (0..m.findings.len()).collect();
        // By their place in the method, for inputs may be found in another order.
        order.sort_by_key(|j| (m.findings[*j].diverges_at.clone(), *j));
        let mut given: BTreeMap<String, u32> = BTreeMap::new();
        for j in order {
            let hash = hash(&m.method, &m.findings[j], &text);
            let count = given.entry(hash.clone()).or_default();
            *count += 1;
            let more = if *count > 1 {
                format!("-{count}")
            } else {
                String::new()
            };
            m.findings[j].telling.id = format!("{}:{hash}{more}", name(&m.method));
        }
    }
}

/// Both versions' tokens: comments and layout do not count.
fn text(known: Option<&MethodText>, m: &MethodResult, files: &[ChangedFile]) -> String {
    if let Some(known) = known {
        let side = |s: &Option<crate::report::SourceText>| {
            s.as_ref().map(|s| tokens(&s.text)).unwrap_or_default()
        };
        return format!("{}\n{}", side(&known.old), side(&known.new));
    }
    // What no source declares as a method, such as a class initialiser, changes with its file.
    let side = |f: &Option<SourceFile>| f.as_ref().map(|f| tokens(&f.text)).unwrap_or_default();
    let file = files.iter().find(|f| {
        let new = f.new.as_ref().or(f.old.as_ref());
        new.is_some_and(|s| s.path == m.file)
    });
    file.map_or_else(String::new, |f| {
        format!("{}\n{}", side(&f.old), side(&f.new))
    })
}

/// The text without comments and with one space for each stretch of white space outside of literals.
fn tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for lexeme in lexemes(text) {
        match lexeme {
            Lexeme::LineComment | Lexeme::BlockComment => {}
            Lexeme::Literal(text) | Lexeme::TextBlock(text) => out.push_str(text),
            Lexeme::Space if out.ends_with(' ') => {}
            Lexeme::Space => out.push(' '),
            Lexeme::Other(c) => out.push(c),
        }
    }
    out.trim().to_string()
}

fn hash(method: &MethodRef, f: &Finding, text: &str) -> String {
    let end = |end: &End| match end {
        End::Returned(_) => "returned".to_string(),
        End::Threw { class, .. } => class.clone(),
        End::Exited(_) => "exited".to_string(),
        End::TimedOut => "timed out".to_string(),
        End::Failed(_) => "failed".to_string(),
    };
    let class = format!("{:?}", f.class);
    let (old, new) = (end(&f.old.end), end(&f.new.end));
    let parts = [
        &class,
        &method.descriptor,
        f.entry.class.as_str(),
        &f.entry.name,
        &f.entry.descriptor,
        &old,
        &new,
        text,
    ];
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let mut digits = crate::report::fingerprint::hex(&hash.finalize());
    digits.truncate(DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_layout_do_not_count_but_literals_do() {
        let a = "int f() { // one\n  return g(\"a  // b\\\"\", '\"'); /* x */ }";
        let b = "int f() {\n\n    return   g(\"a  // b\\\"\", '\"');\n}";
        assert_eq!(tokens(a), tokens(b));
        assert!(tokens(a).contains("\"a  // b\\\"\", '\"'"));
        assert_ne!(tokens(a), tokens(&b.replace("a  //", "a //")));
        assert_eq!(tokens("\"open"), "\"open");
        assert_eq!(tokens("'\\"), "'\\");
    }
}
