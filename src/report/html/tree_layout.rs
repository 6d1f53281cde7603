//! Places an execution tree on a page: decisions from left to right, ends below each other, what is too much folded into counts.

use super::super::printable::printable;
use crate::model::tree::{Node, Tree, Way};

/// Rows of a picture; a reader looks through that many at once.
const MAX_ROWS: usize = 40;

/// Measures in CSS pixels; texts are monospaced so that their width is known.
pub(super) const ROW: f64 = 40.0;
pub(super) const GLYPH: f64 = 6.65;
const MAX_LABEL: usize = 44;
const MIN_COLUMN: f64 = 120.0;

/// A node that is shown.
pub(super) struct Placed<'a> {
    /// The node.
    pub(super) node: &'a Node,
    /// The way that leads to it, and from where; the root has none.
    pub(super) from: Option<(usize, &'a Way)>,
    /// Whether what is behind it is left to a count.
    pub(super) folded: bool,
    /// Its place.
    pub(super) x: f64,
    /// Its place.
    pub(super) y: f64,
    depth: usize,
    ways: Vec<usize>,
}

/// A picture.
pub(super) struct Picture<'a> {
    /// Its nodes, each behind the one it comes from.
    pub(super) nodes: Vec<Placed<'a>>,
    /// Where the column of the deepest ends begins.
    pub(super) right: f64,
    /// Its height.
    pub(super) height: f64,
}

/// The picture of a tree in which there is something to choose.
pub(super) fn picture(tree: &Tree) -> Option<Picture<'_>> {
    let root = tree.root.as_ref()?;
    if matches!(root, Node::Leaf(_)) {
        return None;
    }
    let mut nodes = shown(root);
    let columns = columns(&nodes);
    // Behind its ways everywhere, so ends first.
    let mut row = 0.0;
    rows(&mut nodes, &mut row);
    for node in &mut nodes {
        node.x = columns[node.depth];
    }
    Some(Picture {
        right: nodes.iter().map(|n| n.x).fold(0.0, f64::max),
        height: row * ROW,
        nodes,
    })
}

/// Nearest decisions first, as many as there is room for.
fn shown(root: &Node) -> Vec<Placed<'_>> {
    let place = |node, from, depth| Placed {
        node,
        from,
        folded: false,
        x: 0.0,
        y: 0.0,
        depth,
        ways: Vec::new(),
    };
    let mut nodes = vec![place(root, None, 0)];
    let (mut at, mut taken) = (0, 1);
    while at < nodes.len() {
        if let Node::Decision(decision) = nodes[at].node {
            let more = decision.ways.len().saturating_sub(1);
            nodes[at].folded = taken + more > MAX_ROWS && at > 0;
            if !nodes[at].folded {
                taken += more;
                for way in decision.ways.iter().take(MAX_ROWS) {
                    let depth = nodes[at].depth + 1;
                    let new = nodes.len();
                    nodes[at].ways.push(new);
                    nodes.push(place(&way.to, Some((at, way)), depth));
                }
            }
        }
        at += 1;
    }
    nodes
}

/// Where each column begins: as wide as the longest condition that leads to the next one.
fn columns(nodes: &[Placed]) -> Vec<f64> {
    let deepest = nodes.iter().map(|n| n.depth).max().unwrap_or(0);
    let mut at = vec![24.0; deepest + 1];
    for depth in 1..=deepest {
        let labels = nodes.iter().filter(|n| n.depth == depth);
        let longest = labels.filter_map(|n| Some(label(n.from?.1).chars().count()));
        let width = longest.max().unwrap_or(0) as f64 * GLYPH + 42.0;
        at[depth] = at[depth - 1] + width.max(MIN_COLUMN).round();
    }
    at
}

/// Ends take a row each, from top to bottom; a decision is in the middle of its ways. Children come behind their parents.
fn rows(nodes: &mut [Placed], row: &mut f64) {
    let mut todo = vec![0];
    let mut order = Vec::new();
    while let Some(at) = todo.pop() {
        order.push(at);
        todo.extend(nodes[at].ways.iter().rev());
    }
    for at in &order {
        if nodes[*at].ways.is_empty() {
            nodes[*at].y = (*row + 0.5) * ROW;
            *row += 1.0;
        }
    }
    for at in order.iter().rev() {
        let ways = &nodes[*at].ways;
        if let (Some(first), Some(last)) = (ways.first(), ways.last()) {
            nodes[*at].y = (nodes[*first].y + nodes[*last].y) / 2.0;
        }
    }
}

/// A way's condition, as long as fits.
pub(super) fn label(way: &Way) -> String {
    cut(&printable(&way.condition), MAX_LABEL)
}

/// The text's beginning.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
