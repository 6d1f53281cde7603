//! The package that a Java file's text declares.

/// Its folder, `a/b` for `package a.b;`; empty where none is declared at the beginning of a line.
pub fn folder(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let declared = lines.find_map(|l| l.strip_prefix("package ")?.split(';').next());
    declared.unwrap_or_default().trim().replace('.', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_package_is_that_of_its_declaration() {
        assert_eq!(folder("// package x\n package a.b ; import c.D;"), "a/b");
        assert_eq!(folder("class A {}"), "");
    }
}
