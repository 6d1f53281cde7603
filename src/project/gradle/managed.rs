//! Versions of single libraries that Spring's plugin for dependency management is told.

use super::names::Names;
use super::text::Statement;
use crate::project::coordinates::Coordinates;

/// The plugin's block.
const BLOCK: &str = "dependencyManagement";

/// The versions that blocks of the plugin say: `dependency 'g:a:1'`, and `dependencySet(group: 'g', version: '1') { entry 'a' }`.
pub fn versions(all: &[Statement], names: &Names) -> Vec<Coordinates> {
    let mut found = Vec::new();
    let mut set = Vec::new();
    for statement in all.iter().filter(|s| s.is_in(BLOCK)) {
        let parts = match statement.head() {
            "dependency" => parts(statement, &["group", "name", "version"], names),
            "dependencySet" => {
                set = parts(statement, &["group", "version"], names);
                continue;
            }
            "entry" => match (&set[..], statement.texts().next()) {
                ([group, version], Some(name)) => vec![group.clone(), name.into(), version.clone()],
                _ => continue,
            },
            _ => continue,
        };
        let whole = (parts.len() == 3).then(|| parts.join(":"));
        let one = whole.and_then(|text| Coordinates::read(&text));
        found.extend(one.filter(|c| !c.version.is_empty()));
    }
    found
}

/// The values of these parameters, or the parts of the only text: `'g:a:1'`.
fn parts(statement: &Statement, parameters: &[&str], names: &Names) -> Vec<String> {
    let named = parameters
        .iter()
        .filter_map(|p| names.parameter(statement, p));
    let named: Vec<String> = named.collect();
    if named.len() == parameters.len() {
        return named;
    }
    let only = statement.texts().next().map(|text| names.filled(text));
    let only = only.unwrap_or_default();
    only.split(':').map(String::from).collect()
}
