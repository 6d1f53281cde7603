//! Readable names of methods, and the part of a method that a finding is about.

use crate::bytecode::parameter_descriptors;
use crate::java_text::type_name;
use crate::model::MethodRef;
use crate::util::counted::counted;

/// `org.foo.Bar#baz(int, String)`: simple names of types are enough to tell overloads apart; a constructor is `new org.foo.Bar(int)`.
pub fn method_name(id: &MethodRef) -> String {
    let types: Vec<String> = parameter_descriptors(&id.descriptor)
        .iter()
        .map(|d| simple(&type_name(d)))
        .collect();
    let types = types.join(", ");
    match id.name.as_str() {
        "<init>" => format!("new {}({types})", id.class),
        "<clinit>" => format!("static part of {}", id.class),
        name => format!("{}#{name}({types})", id.class),
    }
}

fn simple(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).to_string()
}

/// `on 2 of 8 paths`.
pub fn on_paths(shown: u64, all: u64) -> String {
    if shown == 0 || all == 0 || shown > all {
        return match shown {
            0 | 1 => String::new(),
            n => format!("on {}", counted(n, "path", "paths")),
        };
    }
    format!("on {shown} of {}", counted(all, "path", "paths"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overloads_are_told_apart() {
        let id = |name: &str, descriptor: &str| MethodRef {
            class: "a.B".into(),
            name: name.into(),
            descriptor: descriptor.into(),
        };
        assert_eq!(
            method_name(&id("f", "(I[Ljava/lang/String;)V")),
            "a.B#f(int, String[])"
        );
        assert_eq!(method_name(&id("<init>", "(J)V")), "new a.B(long)");
        assert_eq!(on_paths(2, 8), "on 2 of 8 paths");
        assert_eq!(on_paths(3, 0), "on 3 paths");
    }
}
