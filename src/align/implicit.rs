//! Constructors that the source does not show: a record's canonical one (JLS §8.10.4), and those that Lombok's annotations ask for.

use crate::java::{Method, SourceFile, Type, erased};

/// The parameters of such a constructor.
pub(super) struct Implicit {
    /// Their types.
    pub(super) types: Vec<String>,
    /// Their names.
    pub(super) names: Vec<String>,
}

/// What Lombok's annotations before a type ask for.
struct Asked {
    /// A constructor with all fields, and not only with those that need a value.
    all: bool,
    /// Whether it is made only where none is declared.
    only_alone: bool,
    /// Whether all fields count as final.
    all_final: bool,
}

/// The one that a type has, if it has one.
pub(super) fn constructor(file: &SourceFile, of: &Type) -> Option<Implicit> {
    let is_declared = |m: &&Method| m.name == "<init>" && !m.is_compact();
    let mut declared = of.methods.iter().filter(is_declared);
    if of.is_record {
        let implicit = components(&of.header)?;
        let types: Vec<String> = implicit.types.iter().map(|t| erased(t)).collect();
        return (!declared.any(|m| m.erased == types)).then_some(implicit);
    }
    let asked = asked_for(file, of)?;
    (!asked.only_alone || declared.next().is_none()).then(|| fields(file, of, &asked))
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

/// What is asked for by annotations without options.
fn asked_for(file: &SourceFile, of: &Type) -> Option<Asked> {
    let head = file.text[of.start..of.end].split('{').next()?;
    let asks = |name: &str| {
        let mut imports = file.imports.iter();
        let is_imported =
            imports.any(|i| i.contains(&format!("lombok.{name};")) || i.contains("lombok.*;"));
        let behind = head.split_once(&format!("@{name}")).map(|h| h.1);
        let has_options = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '(');
        is_imported && behind.is_some_and(|rest| !has_options(rest))
    };
    let (all_args, value) = (asks("AllArgsConstructor"), asks("Value"));
    let required_args = asks("RequiredArgsConstructor");
    let all = all_args || value;
    (all || required_args || asks("Data")).then_some(Asked {
        all,
        only_alone: !if all { all_args } else { required_args },
        all_final: value,
    })
}

/// The fields that such a constructor sets: all, or final ones without a value.
fn fields(file: &SourceFile, of: &Type, asked: &Asked) -> Implicit {
    let (mut types, mut names) = (Vec::new(), Vec::new());
    for field in of.fields.iter().filter(|f| !f.names.is_empty()) {
        let has = |modifier: &str| field.has_modifier(modifier, &file.text);
        let is_final = asked.all_final || has("final");
        let is_set = field.tokens.contains(" = ");
        let is_required = is_final || field.node.text(&file.text).contains("@NonNull");
        if has("static") || is_set && (is_final || !asked.all) || !asked.all && !is_required {
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
        let of_spring = "import lombok.RequiredArgsConstructor; import org.spring.Value; @RequiredArgsConstructor class A { final int a; @Value String c; }";
        assert_eq!(of(of_spring).unwrap(), "int a");
        let own = "import lombok.Data; @Data class A { final int a; A() { a = 1; } }";
        assert_eq!(of(own), None);
        let hidden = "import lombok.Value; @Value(staticConstructor = \"of\") class A { int a; }";
        assert_eq!(of(hidden), None);
    }
}
