//! Constructors that the source does not show: a record's canonical one (JLS §8.10.4), and those that Lombok's annotations ask for.

use crate::java::{SourceFile, Type, erased};

/// The parameters of such a constructor.
pub(super) struct Implicit {
    /// Their types.
    pub(super) types: Vec<String>,
    /// Their names.
    pub(super) names: Vec<String>,
}

/// The one that a type has, if it has one.
pub(super) fn constructor(file: &SourceFile, of: &Type) -> Option<Implicit> {
    let compact = |m: &crate::java::Method| m.node.kind == "compact_constructor_declaration";
    let declared = of.methods.iter().filter(|m| m.name == "<init>");
    let is_declared = declared.clone().any(|m| !compact(m));
    if of.is_record {
        let implicit = components(&of.header)?;
        let types: Vec<String> = implicit.types.iter().map(|t| erased(t)).collect();
        let own = |m: &&crate::java::Method| !compact(m) && m.erased == types;
        return declared.clone().find(own).is_none().then_some(implicit);
    }
    let (all, is_exclusive) = asked_for(file, of)?;
    (!is_exclusive || !is_declared).then(|| fields(file, of, all))
}

/// The components in a record's header, given as tokens.
fn components(header: &str) -> Option<Implicit> {
    let (mut types, mut names) = (Vec::new(), Vec::new());
    let (mut depth, mut nested, mut begun) = (0, 0, false);
    let mut part: Vec<&str> = Vec::new();
    for token in header.split(' ') {
        match token {
            "(" if depth == 0 && !begun => {
                depth = 1;
                begun = true;
                continue;
            }
            "(" => depth += 1,
            ")" => depth -= 1,
            "<" => nested += 1,
            ">" => nested -= 1,
            ">>" => nested -= 2,
            _ => {}
        }
        if !begun {
            continue;
        }
        if depth == 0 || token == "," && depth == 1 && nested == 0 {
            if let Some(name) = part.pop() {
                names.push(name.to_string());
                types.push(part.concat().replace("...", "[]"));
            }
            part.clear();
        } else {
            part.push(token);
        }
        if depth == 0 {
            return Some(Implicit { types, names });
        }
    }
    None
}

/// What Lombok's annotations before a type ask for: whether a constructor with all fields, and whether only where none is declared.
fn asked_for(file: &SourceFile, of: &Type) -> Option<(bool, bool)> {
    let head = file.text[of.start..of.end].split('{').next()?;
    let has = |name: &str| {
        let at = head.find(&format!("@{name}"))?;
        let rest = &head[at + name.len() + 1..];
        let is_whole = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '(');
        is_whole.then_some(())
    };
    let imports = |name: &str| {
        let mut all = file.imports.iter();
        all.any(|i| i.contains(&format!("lombok.{name};")) || i.contains("lombok.*;"))
    };
    let asks = |name: &str| imports(name) && has(name).is_some();
    match () {
        () if asks("AllArgsConstructor") || asks("Value") => {
            Some((true, !asks("AllArgsConstructor")))
        }
        () if asks("RequiredArgsConstructor") || asks("Data") => {
            Some((false, !asks("RequiredArgsConstructor")))
        }
        () => None,
    }
}

/// The fields that such a constructor sets: all, or final ones without a value.
fn fields(file: &SourceFile, of: &Type, all: bool) -> Implicit {
    let (mut types, mut names) = (Vec::new(), Vec::new());
    for field in of.fields.iter().filter(|f| !f.names.is_empty()) {
        let has = |modifier: &str| field.has_modifier(modifier, &file.text);
        let is_final = has("final") || file.text[of.start..of.end].contains("@Value");
        let is_set = field.tokens.contains(" = ");
        let is_required = is_final || field.node.text(&file.text).contains("@NonNull");
        if has("static") || is_set && (is_final || !all) || !all && !is_required {
            continue;
        }
        let declared = field.node.child("type").map(|t| t.flat(&file.text));
        for name in &field.names {
            types.push(declared.clone().unwrap_or_default().replace(' ', ""));
            names.push(name.clone());
        }
    }
    Implicit { types, names }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        let file = SourceFile::parse("A.java", text.as_bytes()).unwrap();
        let found = constructor(&file, &file.types[0])?;
        let all = found.types.iter().zip(&found.names);
        let all: Vec<String> = all.map(|(t, n)| format!("{t} {n}")).collect();
        Some(all.join(", "))
    }

    #[test]
    fn a_record_has_one_with_its_components() {
        let record =
            "record A<T>(int a, @X(1) Map<String, List<T>> b, T... c) implements I { A { } }";
        assert_eq!(of(record).unwrap(), "int a, Map<String,List<T>> b, T[] c");
        assert_eq!(of("record A(int a) { A(int a) { this.a = a; } }"), None);
    }

    #[test]
    fn lombok_makes_them_of_fields() {
        let body = "{ static int s; final int a; final int b = 1; String c; int d = 2; }";
        let with = |name: &str| of(&format!("import lombok.{name}; @{name} class A {body}"));
        assert_eq!(with("RequiredArgsConstructor").unwrap(), "int a");
        assert_eq!(
            with("AllArgsConstructor").unwrap(),
            "int a, String c, int d"
        );
        assert_eq!(of("@AllArgsConstructor class A { int a; }"), None);
        let own = "import lombok.Data; @Data class A { final int a; A() { a = 1; } }";
        assert_eq!(of(own), None);
        let hidden = "import lombok.Value; @Value(staticConstructor = \"of\") class A { int a; }";
        assert_eq!(of(hidden), None);
    }
}
