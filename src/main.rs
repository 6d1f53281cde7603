//! The thin binary over the library.

fn main() {}
