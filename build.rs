//! Lets the binary, its tests and benches find libz3 at run time without environment variables.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=.z3");
    if std::env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return;
    }
    let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    match std::fs::canonicalize(Path::new(&root).join(".z3")) {
        Ok(dir) if dir.join("libz3.so").is_file() => {
            // Beside the binary first, as a release is laid out; then where scripts/setup put it.
            println!(
                "cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN:$ORIGIN/../lib:{}",
                dir.display()
            );
        }
        _ => {
            println!(
                "cargo:warning=libz3 is not set up: run scripts/setup first, or build with --features vendored"
            );
            std::process::exit(1);
        }
    }
}
