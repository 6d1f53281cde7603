//! `shadow-ci plan`: the shards of a patch, as the matrix of a CI system.

use crate::check::plan::ShardPlan;
use serde_json::{Value, json};

/// The matrix, a line of JSON: GitHub's `matrix: ${{ fromJSON(…) }}` takes it as it is.
pub fn render(parts: &[ShardPlan]) -> String {
    let include: Vec<Value> = parts
        .iter()
        .map(|p| {
            let methods = p.methods.iter();
            let names: Vec<String> = methods.map(|m| format!("{}#{}", m.class, m.name)).collect();
            json!({ "shard": p.shard.to_string(), "cost": p.cost, "methods": names })
        })
        .collect();
    format!("{}\n", json!({ "include": include }))
}
