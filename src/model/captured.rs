//! Variables that anonymous and local classes capture, as outcomes tell of them.

use super::type_name::type_name;

/// What javac puts before the name of a variable that an anonymous or local class captures.
pub const CAPTURED: &str = "val$";

/// The name by which outcomes tell of a captured variable: by its type, for the variable may have another name in the other version.
pub fn captured_name(descriptor: &str) -> String {
    let name = type_name(descriptor);
    let simple = name.rsplit('.').next().unwrap_or_default();
    format!("{CAPTURED}{simple}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captured_variables_are_told_by_their_types() {
        let names = ["I", "Ljava/util/List;", "[[J", "La/Outer$Inner;", "LList;"];
        let told = names.map(captured_name);
        let expected = ["int", "List", "long[][]", "Inner", "List"];
        assert_eq!(told, expected.map(|name| format!("val${name}")));
    }
}
