//! Generic types as values of parameters of type `Type`: parameterized ones and type variables, as signatures of classes hold them.

use super::{Grammar, Lookup, Maker};
use crate::bytecode::class_file::ClassFile;
use crate::jvm::search::Generator;
use crate::model::{MethodRef, Spelling};

/// Classes of the JDK with a parameterized class above: one with types as arguments, one with its own variables.
const BELOW_PARAMETERIZED: [&str; 2] = ["java.util.Properties", "java.util.ArrayList"];
/// Classes of the JDK with type variables: one without a bound, one whose bound names itself.
const WITH_VARIABLES: [&str; 2] = ["java.util.List", "java.lang.Enum"];

impl Grammar<'_> {
    /// The kind of parameterized types: what stands above a class (`Class.getGenericSuperclass`).
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn parameterized_types(&mut self) -> Lookup<u32> {
        let is_below = |file: &ClassFile| {
            let signature = file.signature.as_deref().unwrap_or_default();
            let above = file.super_name.as_deref().unwrap_or_default();
            signature.contains(&format!("L{above}<"))
        };
        let classes = self.classes_with(&BELOW_PARAMETERIZED, &is_below)?;
        Ok(self.result(
            classes,
            (
                "java.lang.Class",
                "getGenericSuperclass()Ljava/lang/reflect/Type;",
            ),
        ))
    }

    /// The kind of type variables: the first one of a class (`Class.getTypeParameters`).
    ///
    /// # Errors
    /// A class file can't be read.
    pub(super) fn type_variables(&mut self) -> Lookup<u32> {
        let is_generic = |file: &ClassFile| {
            let signature = file.signature.as_deref().unwrap_or_default();
            signature.starts_with('<')
        };
        let classes = self.classes_with(&WITH_VARIABLES, &is_generic)?;
        let all = self.result(
            classes,
            (
                "java.lang.Class",
                "getTypeParameters()[Ljava/lang/reflect/TypeVariable;",
            ),
        );
        let list = self.given_by(
            None,
            (
                "java.util.Arrays",
                "asList([Ljava/lang/Object;)Ljava/util/List;",
            ),
            vec![all],
        );
        let iterator = self.result(list, ("java.util.List", "iterator()Ljava/util/Iterator;"));
        Ok(self.result(iterator, ("java.util.Iterator", "next()Ljava/lang/Object;")))
    }

    /// Class literals: some of the JDK, and those of the named classes that are of a sort.
    fn classes_with(&mut self, known: &[&str], is_one: &dyn Fn(&ClassFile) -> bool) -> Lookup<u32> {
        let mut names: Vec<String> = known.iter().map(|name| name.to_string()).collect();
        for name in self.named_classes()? {
            if self.find(&name.internal())?.is_some_and(|f| is_one(&f)) && !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(self.put(Generator::Classes(names), false))
    }

    /// The kind of what a method without parameters gives.
    fn result(&mut self, receiver: u32, member: (&str, &str)) -> u32 {
        self.given_by(Some(receiver), member, Vec::new())
    }

    fn given_by(
        &mut self,
        receiver: Option<u32>,
        (class, member): (&str, &str),
        args: Vec<u32>,
    ) -> u32 {
        let (name, descriptor) = member.split_at(member.find('(').unwrap_or(member.len()));
        let maker = Maker {
            receiver,
            method: MethodRef {
                class: class.into(),
                name: name.to_string(),
                descriptor: descriptor.to_string(),
            },
            args,
        };
        let generator = Generator::Objects {
            makers: vec![maker],
            calls: Vec::new(),
            most_calls: 0,
        };
        self.put(generator, false)
    }
}
