//! The four-way execution tree of a method as a picture (paper 000, figure 1), and what the picture folds as an outline.

use super::super::printable::printable;
use super::tree_layout::{GLYPH, Picture, Placed, ROW, cut, label, picture};
use super::{class_name, summary};
use crate::java_text;
use crate::model::tree::{Decision, Leaf, Node, Way};
use crate::model::{DivergenceClass, End, Finding, MethodResult, Version};
use crate::util::counted::counted;
use maud::{Markup, html};

/// Longer outcomes are cut; the title has them.
const MAX_OUTCOME: usize = 64;

/// A tree with no more ends is shown at once.
const SMALL: usize = 12;

/// The trees of the method's entries, where something was decided.
pub(super) fn section(index: usize, m: &MethodResult) -> Markup {
    html! {
        @for (entry, tree) in &m.trees {
            @if let Some(picture) = picture(tree) {
                @let ends = tree.root.as_ref().map_or(0, |r| r.leaves().len());
                details.tree open[ends <= SMALL && m.trees.len() == 1 && !m.findings.is_empty()] {
                    summary {
                        h3 { "Execution tree" }
                        @if *entry != m.method { " of " (summary::name(entry)) }
                        " " span.dim { (counted(ends as u64 + tree.left_out, "end", "ends")) }
                    }
                    p.legend.dim {
                        span.way.same { "both versions the same way" } span.way.diff { "different ways" }
                        " Branches that no input takes are folded: ×n."
                    }
                    div.scroll tabindex="0" role="region" aria-label="Execution tree" { (svg(index, m, &picture)) }
                    @if picture.nodes.iter().any(|n| n.folded) {
                        details.outline {
                            summary { "All of it as a list" }
                            ul { @if let Some(root) = &tree.root { (outline(root)) } }
                        }
                    }
                    @if tree.left_out > 0 {
                        p.dim { (counted(tree.left_out, "more end is", "more ends are")) " not in the picture." }
                    }
                }
            }
        }
    }
}

fn svg(index: usize, m: &MethodResult, picture: &Picture) -> Markup {
    let ends = picture.nodes.iter().filter(|n| is_end(n));
    let widest = ends.map(|n| n.x + width(&end(n).0));
    let (width, height) = (widest.fold(picture.right, f64::max) + 8.0, picture.height);
    html! {
        svg width=(width) height=(height) viewBox={"0 0 " (width) " " (height)} role="group" aria-label="Decisions from left to right" {
            @for node in &picture.nodes {
                @if let Some((from, way)) = node.from { (edge(&picture.nodes[from], node, way)) }
            }
            @for node in &picture.nodes {
                @if is_end(node) { (end_box(index, m, node)) }
                @else if let Node::Decision(decision) = node.node { (point(node, decision)) }
            }
        }
    }
}

fn is_end(node: &Placed) -> bool {
    node.folded || matches!(node.node, Node::Leaf(_))
}

fn edge(from: &Placed, to: &Placed, way: &Way) -> Markup {
    let (x, y) = (from.x, to.y);
    let style = if way.differs { "way diff" } else { "way same" };
    let label = label(way);
    html! {
        path class=(style) d={"M" (x) " " (from.y) "V" (y) "H" (to.x)} {}
        @if !label.is_empty() {
            text.condition x=(x + 14.0) y=(y - 5.0) {
                (label)
                @if label != printable(&way.condition) { title { (printable(&way.condition)) } }
            }
        }
    }
}

/// Where it is decided, below the way that leads there, and how many ways are infeasible.
fn point(node: &Placed, decision: &Decision) -> Markup {
    let mut text = place(decision);
    if decision.infeasible > 0 {
        text.push_str(&format!(" ×{}", decision.infeasible));
    }
    let anchor = if node.from.is_some() { "end" } else { "start" };
    let x = if node.from.is_some() {
        node.x - 8.0
    } else {
        node.x + 10.0
    };
    html! {
        circle cx=(node.x) cy=(node.y) r="4.5" {}
        text.place x=(x) y=(node.y + 14.0) text-anchor=(anchor) {
            (text)
            title { (described(decision)) }
        }
    }
}

fn place(decision: &Decision) -> String {
    let version = match decision.version {
        None => "",
        Some(Version::Old) => "old ",
        Some(Version::New) => "new ",
    };
    let at = decision.at.as_ref();
    let at = at.map(|at| cut(&printable(&format!("{}:{}", at.file, at.line)), 24));
    format!("{version}{}", at.unwrap_or_default())
}

fn described(decision: &Decision) -> String {
    let who = match decision.version {
        None => "both versions decide",
        Some(Version::Old) => "the old version decides",
        Some(Version::New) => "the new version decides",
    };
    let ways = counted(
        decision.infeasible,
        "branch that no input takes",
        "branches that no input takes",
    );
    format!("{who}; {ways}")
}

/// An end's text and style.
fn end(node: &Placed) -> (String, &'static str) {
    match node.node {
        Node::Leaf(leaf) => (cut(&leaf_text(leaf), MAX_OUTCOME), style(leaf)),
        Node::Decision(_) => folded(node.node),
    }
}

fn folded(node: &Node) -> (String, &'static str) {
    let leaves = node.leaves();
    let mut text = format!("… {}", counted(leaves.len(), "end", "ends"));
    let mut worst = "plain";
    for class in [
        DivergenceClass::ControlOnly,
        DivergenceClass::Fix,
        DivergenceClass::Changed,
        DivergenceClass::Regression,
    ] {
        let of = |l: &&&Leaf| matches!(l, Leaf::Finished { class: Some(c), .. } if *c == class);
        let n = leaves.iter().filter(of).count();
        if n > 0 {
            let (word, style) = class_name(class);
            text.push_str(&format!(", {n} {word}"));
            worst = style;
        }
    }
    (text, worst)
}

fn leaf_text(leaf: &Leaf) -> String {
    let short = |end: &End| {
        let text = match end {
            End::Threw { class, .. } => {
                format!(
                    "throws {}",
                    class.rsplit(['.', '$']).next().unwrap_or(class)
                )
            }
            other => java_text::end(other),
        };
        printable(&text)
    };
    match leaf {
        Leaf::Finished {
            class: Some(DivergenceClass::ControlOnly),
            new,
            ..
        } => short(new),
        Leaf::Finished {
            class: Some(class),
            old: Some(old),
            new,
        } => {
            format!(
                "{}: {} → {}",
                class_name(*class).0,
                cut(&short(old), 24),
                short(new)
            )
        }
        Leaf::Finished { new, .. } => short(new),
        Leaf::Pruned => "cut: it can't diverge".into(),
        Leaf::GaveUp(why) => format!("gave up: {}", printable(why)),
    }
}

fn style(leaf: &Leaf) -> &'static str {
    match leaf {
        Leaf::Finished {
            class: Some(class), ..
        } => class_name(*class).1,
        Leaf::Finished { .. } | Leaf::Pruned => "plain",
        Leaf::GaveUp(_) => "gave-up",
    }
}

fn width(text: &str) -> f64 {
    (text.chars().count() as f64 * GLYPH).round() + 16.0
}

fn end_box(index: usize, m: &MethodResult, node: &Placed) -> Markup {
    let (text, style) = end(node);
    let full = match node.node {
        Node::Leaf(leaf) => leaf_text(leaf),
        Node::Decision(_) => text.clone(),
    };
    let high = ROW - 14.0;
    let shape = html! {
        g class={"end " (style)} {
            rect x=(node.x) y=(node.y - high / 2.0) width=(width(&text)) height=(high) rx="6" {}
            text x=(node.x + 8.0) y=(node.y + 4.0) { (text) @if full != text { title { (full) } } }
        }
    };
    match node.node {
        Node::Leaf(leaf) => match finding(m, leaf) {
            Some(j) => html! { a href={"#m" (index) "f" (j)} { (shape) } },
            None => shape,
        },
        Node::Decision(_) => shape,
    }
}

/// The finding that shows an end of that kind.
fn finding(m: &MethodResult, leaf: &Leaf) -> Option<usize> {
    let Leaf::Finished {
        class: Some(class),
        old: Some(old),
        new,
    } = leaf
    else {
        return None;
    };
    let alike = |a: &End, b: &End| match (a, b) {
        (End::Threw { class: a, .. }, End::Threw { class: b, .. }) => a == b,
        _ => a == b,
    };
    let shows = |f: &Finding| f.class == *class && alike(&f.old.end, old) && alike(&f.new.end, new);
    m.findings.iter().position(shows)
}

fn outline(node: &Node) -> Markup {
    match node {
        Node::Leaf(leaf) => html! { li class=(style(leaf)) { (leaf_text(leaf)) } },
        Node::Decision(decision) => html! {
            @for way in &decision.ways {
                @match &way.to {
                    Node::Leaf(leaf) => {
                        li class=(style(leaf)) { (condition(decision, way)) " " (leaf_text(leaf)) }
                    }
                    to => {
                        li { details {
                            summary { (condition(decision, way)) " " span.dim { (folded(to).0) } }
                            ul { (outline(to)) }
                        } }
                    }
                }
            }
        },
    }
}

fn condition(decision: &Decision, way: &Way) -> Markup {
    html! {
        span.dim { (place(decision)) } " "
        @if way.differs { b { "different ways " } }
        code { (printable(&way.condition)) }
    }
}
