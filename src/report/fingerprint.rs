//! Names of results that stay the same when lines move or inputs are found differently, for tools that track results over time.

use super::document::{Finding, Method};
use super::sentence;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Gives out fingerprints; results that nothing else tells apart are numbered in the report's order.
#[derive(Debug, Default)]
pub struct Fingerprints {
    given: BTreeMap<String, u32>,
}

impl Fingerprints {
    /// Of a finding: its class, its methods, and how both versions end.
    pub fn finding(&mut self, m: &Method, f: &Finding) -> String {
        let entry = f.entry.as_ref().unwrap_or(&m.name);
        let (old, new) = (f.old.kind(), f.new.kind());
        self.unique(&[
            sentence::class(f.class),
            &m.name.class,
            &m.name.method,
            &m.name.descriptor,
            &entry.class,
            &entry.method,
            &entry.descriptor,
            &old,
            &new,
        ])
    }

    /// Of a method that was not analysed completely.
    pub fn incomplete(&mut self, m: &Method) -> String {
        let name = &m.name;
        self.unique(&["incomplete", &name.class, &name.method, &name.descriptor])
    }

    fn unique(&mut self, parts: &[&str]) -> String {
        let mut hash = Sha256::new();
        for part in parts {
            // With their lengths, so that no two lists of parts run together.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let digest = hex(&hash.finalize()[..16]);
        let count = self.given.entry(digest.clone()).or_default();
        *count += 1;
        format!("{digest}:{count}")
    }
}

/// Of a text as it is.
pub fn of_text(text: &str) -> String {
    hex(&Sha256::digest(text)[..16])
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
