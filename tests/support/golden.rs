//! Texts compared with the snapshots in `tests/golden` (insta): `INSTA_UPDATE=always` writes them anew, `cargo insta review` shows
//! each difference.

use std::path::Path;

/// Fails if a text is not that of its snapshot; our own version is written as `VERSION`.
pub fn compare(name: &str, text: &str) {
    let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = text.replace(&version, "\"VERSION\"");
    // A snapshot does not tell how many line ends come last.
    assert!(text.ends_with('\n') && !text.ends_with("\n\n\n"), "{name}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
