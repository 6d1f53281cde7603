//! Variables that anonymous and local classes capture, as outcomes tell of them.

use super::type_name::type_name;

/// What javac puts before the name of a variable that an anonymous or local class captures.
pub const CAPTURED: &str = "val$";

/// The name by which outcomes tell of a field that javac made for a captured variable: by its type, for the variable may have another name
/// in the other version. `None` of a field that javac made for something else.
pub fn captured_name(field: &str, descriptor: &str) -> Option<String> {
    let name = type_name(descriptor);
    let simple = name.rsplit('.').next().unwrap_or_default();
    field
        .starts_with(CAPTURED)
        .then(|| format!("{CAPTURED}{simple}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captured_variables_are_told_by_their_types() {
        let names = ["I", "Ljava/util/List;", "[[J", "La/Outer$Inner;", "LList;"];
        let told = names.map(|descriptor| captured_name("val$x", descriptor));
        let expected = ["int", "List", "long[][]", "Inner", "List"];
        assert_eq!(told, expected.map(|name| Some(format!("val${name}"))));
        assert_eq!(captured_name("this$0", "La/Outer;"), None);
    }
}
