//! Matching of the old and new syntax trees: changed methods and, inside them, an edit mapping.
