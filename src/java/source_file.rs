//! A Java source file: its types with their methods and fields.

use super::erasure::erased;
use super::tree::Node;

impl SourceFile {
    /// Binary name of the type that the file is named after (JLS §7.6).
    pub fn type_by_path(&self) -> String {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let simple = name.strip_suffix(".java").unwrap_or(name);
        match &*self.package {
            "" => simple.to_string(),
            package => format!("{package}.{simple}"),
        }
    }

    /// The type of that binary name.
    pub fn find(&self, name: &str) -> Option<&Type> {
        self.types.iter().find(|t| t.name == name)
    }
}

/// A parsed source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path in the repository.
    pub path: String,
    /// The text, whatever encoding it is in.
    pub text: String,
    /// Package, empty for none.
    pub package: String,
    /// Text of each import declaration.
    pub imports: Vec<String>,
    /// Byte offset behind package and imports.
    pub imports_end: usize,
    /// Types that are not local or anonymous, nested ones too; none where the grammar does not know a part outside of methods.
    pub types: Vec<Type>,
    /// The first line with something that the grammar does not know: newer Java, or no Java at all.
    pub unknown: Option<u32>,
}

/// A type declaration.
#[derive(Clone, Debug)]
pub struct Type {
    /// Binary name with dots, `a.b.C$D`.
    pub name: String,
    /// Everything before the body, as tokens (modifiers, superclass, interfaces, record components).
    pub header: String,
    /// Names of enum constants with their arguments and bodies, as tokens.
    pub constants: Vec<String>,
    /// Methods and constructors.
    pub methods: Vec<Method>,
    /// Fields and initialiser blocks.
    pub fields: Vec<Field>,
    /// Whether it is an interface or annotation type.
    pub is_interface: bool,
    /// Whether it is a record.
    pub is_record: bool,
    /// Parameters that javac puts in front of those of its constructors: the enclosing object, or a constant's name and number.
    pub hidden_parameters: usize,
    /// Byte offset of its first token.
    pub start: usize,
    /// Byte offset of the closing brace.
    pub end: usize,
    /// Byte offset behind the superinterfaces, and whether there are any.
    pub interfaces: (usize, bool),
}

/// A method or constructor.
#[derive(Clone, Debug)]
pub struct Method {
    /// Name; `<init>` for constructors.
    pub name: String,
    /// Parameter types without annotations.
    pub params: Vec<String>,
    /// The same after erasure: no type arguments, type variables as their first bound (JLS §4.6).
    pub erased: Vec<String>,
    /// Parameter names.
    pub param_names: Vec<String>,
    /// Modifiers, result type and type parameters as tokens.
    pub head: String,
    /// The body, if there is one.
    pub body: Option<Node>,
    /// The body as tokens.
    pub tokens: String,
    /// The whole declaration.
    pub node: Node,
    /// Whether the grammar does not know something in it.
    pub is_unknown: bool,
}

/// A field declaration or initialiser block.
#[derive(Clone, Debug)]
pub struct Field {
    /// Names declared; empty for an initialiser block.
    pub names: Vec<String>,
    /// All tokens.
    pub tokens: String,
    /// The whole declaration.
    pub node: Node,
}

impl Field {
    /// Whether a modifier stands before it.
    pub fn has_modifier(&self, modifier: &str, source: &str) -> bool {
        let modifiers = self.node.of_kind("modifiers");
        self.node.kind == "static_initializer" && modifier == "static"
            || modifiers.is_some_and(|m| m.children.iter().any(|c| c.text(source) == modifier))
    }

    /// The declared type without type arguments; empty for an initialiser block.
    pub fn erased_type(&self, source: &str) -> String {
        self.node
            .child("type")
            .map(|t| erased(&t.flat(source)))
            .unwrap_or_default()
    }
}

impl Method {
    /// Whether it is a record's compact constructor (JLS §8.10.4.2), which has the record's components.
    pub fn is_compact(&self) -> bool {
        self.node.kind == "compact_constructor_declaration"
    }

    /// Whether it and `other` could be the same method: name and erased parameter types.
    pub fn same_signature(&self, other: &Method) -> bool {
        self.name == other.name && self.erased == other.erased
    }

    /// Whether both are static or neither, with the same erased result type; visibility and exceptions don't count.
    pub fn same_kind(&self, other: &Method) -> bool {
        const MODIFIERS: [&str; 9] = [
            "public",
            "protected",
            "private",
            "final",
            "synchronized",
            "strictfp",
            "static",
            "abstract",
            "default",
        ];
        let parts = |head: &str, name: &str| -> (bool, String) {
            let words: Vec<&str> = head.split(' ').take_while(|w| *w != "throws").collect();
            let rest: Vec<&str> = words
                .iter()
                .filter(|w| !MODIFIERS.contains(w) && **w != name)
                .copied()
                .collect();
            (words.contains(&"static"), erased(&rest.join(" ")))
        };
        parts(&self.head, &self.name) == parts(&other.head, &other.name)
    }
}
