//! The papers' result tables, as CSV files with a header.

use std::collections::BTreeMap;
use std::path::Path;

/// One row: its fields by column name.
pub struct Row(BTreeMap<String, String>);

impl Row {
    /// A field as it stands; empty where there is none.
    pub fn text(&self, column: &str) -> &str {
        self.0.get(column).map_or("", String::as_str)
    }

    /// A field as a number; `None` where the paper has none.
    pub fn number(&self, column: &str) -> Option<u64> {
        self.text(column).parse().ok()
    }
}

/// All rows of a file, whose columns must include these.
pub fn read(file: &Path, columns: &[&str]) -> Result<Vec<Row>, String> {
    let broken = |e: csv::Error| format!("{}: {e}", file.display());
    let mut reader = csv::Reader::from_path(file).map_err(broken)?;
    let header = reader.headers().map_err(broken)?.clone();
    if let Some(missing) = columns.iter().find(|c| header.iter().all(|h| h != **c)) {
        return Err(format!("{} has no column {missing}", file.display()));
    }
    let row = |record: csv::StringRecord| {
        let fields = header.iter().zip(&record);
        Row(fields
            .map(|(h, f)| (h.to_string(), f.to_string()))
            .collect())
    };
    reader
        .records()
        .map(|r| r.map(row).map_err(broken))
        .collect()
}
