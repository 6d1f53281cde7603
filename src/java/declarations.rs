//! The declarations of a compilation unit: types by binary name, their methods and fields.

use super::erasure::{Variables, erased_in, variables};
use super::source_file::{Field, Method, SourceFile, Type};
use super::tree::{JavaError, Node, UNKNOWN, parse};

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
                    file.package = root.package(&text);
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
