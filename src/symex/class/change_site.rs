//! A call of `change` in a method that the project itself annotated.

/// A `change` call whose arguments each version evaluates for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where the old argument begins.
    pub old: u32,
    /// Where the new argument begins.
    pub new: u32,
    /// The call.
    pub call: u32,
}
