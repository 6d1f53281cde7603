//! Texts compared with files in `tests/golden`; `BLESS=1` writes them anew.

use std::path::Path;

/// Fails when a text is not that of its golden file; our own version is written as `VERSION`.
pub fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = text.replace(&version, "\"VERSION\"");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == expected,
        "{name} differs; BLESS=1 writes it anew:\n{text}"
    );
}
