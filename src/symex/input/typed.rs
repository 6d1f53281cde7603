//! The declared types of parameters with their type arguments, as the `Signature` attribute gives them (JVMS §4.7.9.1).

use std::sync::Arc;

const OBJECT: &str = "Ljava/lang/Object;";

/// Descriptor of class objects.
pub const CLASS: &str = "Ljava/lang/Class;";

/// A type: its erasure and its type arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// Erased descriptor.
    pub descriptor: Arc<str>,
    /// Type arguments; empty for raw types. Wildcards and variables stand for their bounds.
    pub arguments: Vec<Typed>,
}

impl Typed {
    /// A type without type arguments.
    pub fn raw(descriptor: &str) -> Typed {
        Typed {
            descriptor: Arc::from(descriptor),
            arguments: Vec::new(),
        }
    }

    /// The `n`th type argument; `Object` where there is none.
    pub fn argument(&self, n: usize) -> Typed {
        let found = self.arguments.get(n).or(self.arguments.last());
        found.cloned().unwrap_or_else(|| Typed::raw(OBJECT))
    }

    /// The type of the class object of its first type argument: that of an enum's constants, of a set of them.
    pub fn class_of_argument(&self) -> Typed {
        Typed {
            arguments: vec![self.argument(0)],
            ..Typed::raw(CLASS)
        }
    }

    /// The type of an array's elements: type arguments are those of the elements.
    pub fn element(&self) -> Typed {
        Typed {
            descriptor: Arc::from(self.descriptor.strip_prefix('[').unwrap_or(OBJECT)),
            arguments: self.arguments.clone(),
        }
    }
}

/// The types of a method's parameters. A signature that does not fit the descriptor (those of inner classes' and enums'
/// constructors leave parameters out) is not used.
pub fn parameters(params: &[Arc<str>], signature: Option<&str>) -> Vec<Typed> {
    let generic = signature.and_then(|s| Parser::new(s).parameters());
    match generic {
        Some(generic) if generic.len() == params.len() => params
            .iter()
            .zip(generic)
            .map(|(erased, typed)| Typed {
                descriptor: erased.clone(),
                arguments: typed.arguments,
            })
            .collect(),
        _ => params.iter().map(|p| Typed::raw(p)).collect(),
    }
}

/// The declared result of a method of `of`'s class, where that is one of the class's type variables: its type argument.
pub fn result(of: &Typed, class: Option<&str>, method: Option<&str>) -> Option<Typed> {
    let result = method?.rsplit_once(')')?.1;
    let variable = result.strip_prefix('T')?.split(';').next()?;
    let names = Parser::new(class?).formals()?;
    let at = names.iter().position(|n| *n == variable)?;
    of.arguments.get(at).cloned()
}

/// The declared parameters of a method of `of`'s class, with `of`'s type arguments for the class's type variables.
pub fn called_with(
    of: &Typed,
    class: Option<&str>,
    method: Option<&str>,
    params: &[Arc<str>],
) -> Vec<Typed> {
    let generic = class.zip(method).and_then(|(class, method)| {
        let mut parser = Parser::new(class);
        parser.formals()?;
        let given = of.arguments.iter().cloned();
        for (variable, argument) in parser.variables.iter_mut().zip(given) {
            variable.1 = argument;
        }
        parser.text = method;
        parser.parameters()
    });
    match generic {
        Some(generic) if generic.len() == params.len() => generic,
        _ => params.iter().map(|p| Typed::raw(p)).collect(),
    }
}

/// The direct supertype of that descriptor as `of`, whose class has that signature, extends it.
pub fn supertype(of: &Typed, class: Option<&str>, above: &str) -> Option<Typed> {
    let mut parser = Parser::new(class?);
    parser.formals()?;
    let given = of.arguments.iter().cloned();
    for (variable, argument) in parser.variables.iter_mut().zip(given) {
        variable.1 = argument;
    }
    while !parser.text.is_empty() {
        let found = parser.typed()?;
        if &*found.descriptor == above {
            return Some(found);
        }
    }
    None
}

struct Parser<'a> {
    text: &'a str,
    /// Type variables of the method and their bounds.
    variables: Vec<(&'a str, Typed)>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser {
            text,
            variables: Vec::new(),
        }
    }

    fn eat(&mut self, c: char) -> bool {
        let rest = self.text.strip_prefix(c);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    /// The text up to one of `ends`, which stays.
    fn until(&mut self, ends: &[char]) -> Option<&'a str> {
        let at = self.text.find(ends)?;
        let (name, rest) = self.text.split_at(at);
        self.text = rest;
        Some(name)
    }

    /// Names of the type variables that are declared here; their bounds are kept.
    fn formals(&mut self) -> Option<Vec<&'a str>> {
        let mut names = Vec::new();
        if self.eat('<') {
            while !self.eat('>') {
                let name = self.until(&[':'])?;
                let mut bound = None;
                while self.eat(':') {
                    if !self.text.starts_with(':') {
                        let next = self.typed()?;
                        bound = bound.or(Some(next));
                    }
                }
                self.variables.push((name, bound?));
                names.push(name);
            }
        }
        Some(names)
    }

    fn parameters(&mut self) -> Option<Vec<Typed>> {
        self.formals()?;
        let mut all = Vec::new();
        if !self.eat('(') {
            return None;
        }
        while !self.eat(')') {
            all.push(self.typed()?);
        }
        Some(all)
    }

    fn typed(&mut self) -> Option<Typed> {
        let first = self.text.chars().next()?;
        self.text = &self.text[first.len_utf8()..];
        match first {
            '*' => Some(Typed::raw(OBJECT)),
            // A consumer of subtypes takes the bound itself.
            '+' | '-' => self.typed(),
            '[' => {
                let element = self.typed()?;
                Some(Typed {
                    descriptor: Arc::from(format!("[{}", element.descriptor)),
                    arguments: element.arguments,
                })
            }
            'T' => {
                let name = self.until(&[';'])?;
                self.eat(';');
                let known = self.variables.iter().find(|v| v.0 == name);
                Some(known.map_or_else(|| Typed::raw(OBJECT), |v| v.1.clone()))
            }
            'L' => self.class(),
            primitive => Some(Typed::raw(&primitive.to_string())),
        }
    }

    /// A class type behind its `L`; of nested generic classes the innermost type arguments count.
    fn class(&mut self) -> Option<Typed> {
        let mut name = String::from("L");
        let mut arguments = Vec::new();
        loop {
            name.push_str(self.until(&['<', ';', '.'])?);
            if self.eat('<') {
                arguments.clear();
                while !self.eat('>') {
                    arguments.push(self.typed()?);
                }
            }
            if self.eat('.') {
                name.push('$');
            } else if self.eat(';') {
                name.push(';');
                break;
            }
        }
        Some(Typed {
            descriptor: Arc::from(name),
            arguments,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(descriptors: &[&str], signature: &str) -> Vec<Typed> {
        let params: Vec<Arc<str>> = descriptors.iter().map(|d| Arc::from(*d)).collect();
        parameters(&params, Some(signature))
    }

    #[test]
    fn type_arguments_are_read_from_signatures() {
        let all = of(
            &["Ljava/util/Map;", "I", "[Ljava/lang/Object;"],
            "<T:Ljava/lang/Object;>(Ljava/util/Map<Ljava/lang/String;+Ljava/util/List<TT;>;>;I[TT;)V",
        );
        assert_eq!(&*all[0].argument(0).descriptor, "Ljava/lang/String;");
        assert_eq!(&*all[0].argument(1).descriptor, "Ljava/util/List;");
        assert_eq!(&*all[0].argument(1).argument(0).descriptor, OBJECT);
        assert_eq!(&*all[1].descriptor, "I");
        assert_eq!(&*all[2].element().descriptor, OBJECT);
    }

    #[test]
    fn variables_stand_for_their_bounds_and_nested_classes_have_their_binary_name() {
        let all = of(
            &["Ljava/util/List;", "La/Outer$Inner;"],
            "<E:Ljava/lang/Enum<TE;>;:La/Marker;>(Ljava/util/List<TE;>;La/Outer<TE;>.Inner<*>;)V",
        );
        assert_eq!(&*all[0].argument(0).descriptor, "Ljava/lang/Enum;");
        assert_eq!(&*all[1].descriptor, "La/Outer$Inner;");
    }

    #[test]
    fn a_result_that_is_a_type_variable_is_the_type_argument() {
        let function = of(
            &["La/F;"],
            "(La/F<Ljava/lang/Integer;Ljava/lang/String;Ljava/io/IOException;>;)V",
        );
        let class =
            "<T:Ljava/lang/Object;R:Ljava/lang/Object;E:Ljava/lang/Throwable;>Ljava/lang/Object;";
        let found = result(&function[0], Some(class), Some("(TT;)TR;"));
        assert_eq!(found, Some(Typed::raw("Ljava/lang/String;")));
        assert_eq!(result(&function[0], Some(class), Some("(TT;)I")), None);
    }

    #[test]
    fn type_arguments_are_passed_on_to_supertypes() {
        let of = of(&["La/Same;"], "(La/Same<Ljava/lang/Integer;>;)V");
        let class = "<T:Ljava/lang/Object;>Ljava/lang/Object;La/Marker;La/F<TT;TT;>;";
        let found = supertype(&of[0], Some(class), "La/F;").unwrap();
        assert_eq!(&*found.argument(1).descriptor, "Ljava/lang/Integer;");
        assert_eq!(supertype(&of[0], Some(class), "La/G;"), None);
    }

    #[test]
    fn a_signature_that_leaves_parameters_out_is_not_used() {
        let all = of(
            &["La/Outer;", "Ljava/util/List;"],
            "(Ljava/util/List<Ljava/lang/String;>;)V",
        );
        assert!(all.iter().all(|t| t.arguments.is_empty()));
    }
}
