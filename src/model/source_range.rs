//! The ranges of a method's declarations in the source files of both versions.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The text of one declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRange {
    /// Path of the file in its version's tree.
    pub file: String,
    /// First line of the declaration, from 1.
    pub first_line: u32,
    /// Byte offsets of the declaration in the file's text, from the beginning of its first line if only white space stands before it.
    pub bytes: Range<usize>,
}

/// The declarations of a method in both versions; `None` where no source declares it, such as a default constructor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRanges {
    /// In the old version, under its old name.
    pub old: Option<SourceRange>,
    /// In the new version.
    pub new: Option<SourceRange>,
}
