//! The declarations of a compilation unit: types by binary name, their methods and fields.

use super::erasure::{Variables, erased, erased_in, variables};
use super::tree::{JavaError, Node, UNKNOWN, parse};

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

impl SourceFile {
    /// Parses a file; a byte-order mark is dropped.
    ///
    /// # Errors
    /// A syntax error, or one of `read`.
    pub fn parse(path: &str, bytes: &[u8]) -> Result<SourceFile, JavaError> {
        let file = SourceFile::read(path, bytes)?;
        match file.unknown {
            Some(line) => Err(JavaError::Syntax {
                file: path.to_string(),
                line,
            }),
            None => Ok(file),
        }
    }

    /// Parses a file as far as the grammar knows it: javac decides what is Java.
    ///
    /// # Errors
    /// It is nested too deeply, or the parser gives up.
    pub fn read(path: &str, bytes: &[u8]) -> Result<SourceFile, JavaError> {
        let text = crate::util::encoding::decode(bytes);
        let (root, unknown) = parse(path, &text)?;
        let mut file = SourceFile {
            path: path.to_string(),
            package: String::new(),
            imports: Vec::new(),
            imports_end: 0,
            types: Vec::new(),
            unknown,
            text: String::new(),
        };
        for node in &root.children {
            match node.kind {
                "package_declaration" => {
                    file.package = node
                        .named()
                        .last()
                        .map(|n| n.flat(&text).replace(' ', ""))
                        .unwrap_or_default();
                    file.imports_end = node.end;
                }
                "import_declaration" => {
                    file.imports.push(node.text(&text).to_string());
                    file.imports_end = node.end;
                }
                _ => {}
            }
        }
        let prefix = if file.package.is_empty() {
            String::new()
        } else {
            format!("{}.", file.package)
        };
        let understood = unknown.is_none() || is_understood(&root);
        for node in root.children.iter().filter(|_| understood) {
            declare(
                node,
                None,
                &prefix,
                &text,
                &Variables::new(),
                &mut file.types,
            );
        }
        file.text = text;
        Ok(file)
    }

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

impl Method {
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

const TYPES: [&str; 5] = [
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
];

/// Whether all that the grammar does not know is in methods, or in front of the types.
fn is_understood(root: &Node) -> bool {
    fn is_known(node: &Node) -> bool {
        METHODS.contains(&node.kind) || node.kind != UNKNOWN && node.children.iter().all(is_known)
    }
    let types = root
        .children
        .iter()
        .skip_while(|n| !TYPES.contains(&n.kind));
    let mut types = types.peekable();
    types.peek().is_some() && types.all(is_known)
}

const METHODS: [&str; 3] = [
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
];

fn hidden_parameters(node: &Node, owner: Option<&Node>, source: &str) -> usize {
    let is_static = node
        .of_kind("modifiers")
        .is_some_and(|m| m.children.iter().any(|c| c.text(source) == "static"));
    match (node.kind, owner.map(|o| o.kind)) {
        ("enum_declaration", _) => 2,
        (
            "class_declaration",
            Some("class_declaration" | "enum_declaration" | "record_declaration"),
        ) if !is_static => 1,
        _ => 0,
    }
}

/// Where a further superinterface would stand, and whether it would not be the first.
fn interfaces(node: &Node, body: &Node) -> (usize, bool) {
    let clause = |kind: &str| node.children.iter().find(|c| c.kind == kind);
    match clause("super_interfaces").or(clause("extends_interfaces")) {
        Some(found) => (found.end, true),
        None => (clause("permits").map_or(body.start, |p| p.start), false),
    }
}

fn declare(
    node: &Node,
    owner: Option<&Node>,
    prefix: &str,
    source: &str,
    outer: &Variables,
    out: &mut Vec<Type>,
) {
    if !TYPES.contains(&node.kind) {
        return;
    }
    let Some(body) = node.child("body") else {
        return;
    };
    let simple = node
        .child("name")
        .map(|n| n.text(source))
        .unwrap_or_default();
    let name = format!("{prefix}{simple}");
    let mut header = Vec::new();
    node.children
        .iter()
        .filter(|c| c.start < body.start)
        .for_each(|c| c.tokens(source, &mut header));
    let mut declared = Type {
        name: name.clone(),
        header: header.join(" "),
        constants: Vec::new(),
        methods: Vec::new(),
        fields: Vec::new(),
        is_interface: matches!(
            node.kind,
            "interface_declaration" | "annotation_type_declaration"
        ),
        is_record: node.kind == "record_declaration",
        hidden_parameters: hidden_parameters(node, owner, source),
        start: node.start,
        end: body.end.saturating_sub(1),
        interfaces: interfaces(node, body),
    };
    let nested = format!("{name}$");
    let variables = variables(node, source, outer);
    let mut inner = Vec::new();
    for member in body.children.iter().flat_map(|c| {
        if c.kind == "enum_body_declarations" {
            c.children.iter().collect()
        } else {
            vec![c]
        }
    }) {
        match member.kind {
            kind if METHODS.contains(&kind) => {
                declared
                    .methods
                    .push(method(member, node, source, &variables));
            }
            "field_declaration" | "constant_declaration" | "static_initializer" | "block" => {
                let names = member
                    .children
                    .iter()
                    .filter(|c| c.kind == "variable_declarator")
                    .filter_map(|c| c.child("name"))
                    .map(|n| n.text(source).to_string());
                declared.fields.push(Field {
                    names: names.collect(),
                    tokens: member.flat(source),
                    node: member.clone(),
                });
            }
            "enum_constant" => declared.constants.push(member.flat(source)),
            _ => declare(member, Some(node), &nested, source, &variables, &mut inner),
        }
    }
    out.push(declared);
    out.extend(inner);
}

fn method(node: &Node, owner: &Node, source: &str, outer: &Variables) -> Method {
    let variables = variables(node, source, outer);
    let constructor = node.kind != "method_declaration";
    let parameters = node.child("parameters").or_else(|| {
        // A compact constructor has the record's components.
        if node.kind == "compact_constructor_declaration" {
            owner.child("parameters")
        } else {
            None
        }
    });
    let (mut params, mut param_names) = (Vec::new(), Vec::new());
    for p in parameters
        .iter()
        .flat_map(|p| p.named())
        .filter(|p| p.kind.ends_with("_parameter") && p.kind != "receiver_parameter")
    {
        let variadic = p.kind == "spread_parameter";
        let ty = p.child("type").or_else(|| {
            p.named()
                .find(|c| c.kind.contains("type") || c.kind.ends_with("identifier"))
        });
        let declarator = p.of_kind("variable_declarator");
        let name = p
            .child("name")
            .or_else(|| declarator.and_then(|d| d.child("name")));
        let dimensions = p
            .child("dimensions")
            .map(|d| d.flat(source).replace(' ', ""))
            .unwrap_or_default();
        let ty = ty
            .map(|t| t.flat(source).replace(' ', ""))
            .unwrap_or_default();
        params.push(format!(
            "{ty}{dimensions}{}",
            if variadic { "[]" } else { "" }
        ));
        param_names.push(name.map(|n| n.text(source).to_string()).unwrap_or_default());
    }
    let body = node.child("body").cloned();
    let mut head = Vec::new();
    node.children
        .iter()
        .filter(|c| c.field != Some("body") && c.field != Some("parameters"))
        .for_each(|c| c.tokens(source, &mut head));
    Method {
        name: if constructor {
            "<init>".into()
        } else {
            node.child("name")
                .map(|n| n.text(source).to_string())
                .unwrap_or_default()
        },
        erased: params.iter().map(|p| erased_in(p, &variables)).collect(),
        params,
        param_names,
        head: head.join(" "),
        tokens: body.as_ref().map(|b| b.flat(source)).unwrap_or_default(),
        body,
        node: node.clone(),
        is_unknown: node.is_unknown(),
    }
}
