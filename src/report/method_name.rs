//! Readable names of methods.

use crate::bytecode::parameter_descriptors;
use crate::java_text::type_name;
use crate::model::MethodRef;

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
    }
}
