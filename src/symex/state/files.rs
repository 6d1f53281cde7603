//! A small file system: the working folder of a run as one version sees it, and its open files.

use crate::expr::Term;

/// A file or folder.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A folder.
    Folder,
    /// A file: its bytes, as 32-bit numbers.
    File(Vec<Term>),
}

/// A file that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Which; empty where it was deleted.
    pub path: String,
    /// Where the next byte is read or written.
    pub at: usize,
    /// Whether all bytes are written at its end.
    pub appends: bool,
}

/// Where a name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileTarget {
    /// To a file or folder that is there; the working folder itself is empty.
    There(String),
    /// To nothing, in a folder that is there.
    Free(String),
    /// To nothing, in a folder that is not there either.
    Nowhere,
    /// To nothing, as what should be a folder is a file.
    UnderFile,
    /// Out of the working folder.
    Outside,
}

/// What a folder's listing gives: the names that were there when it began, and how many of them were told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The names.
    pub names: Vec<String>,
    /// How many were told.
    pub told: usize,
}

/// The folder of temporary files, among the paths: no name can hold this character.
pub const TEMPORARY: &str = "\0";

/// The first number of a descriptor that a program opens; those before are the standard streams and the JVM's own.
const FIRST: u32 = 100;

/// The working folder, and that of temporary files. Paths are relative to it, in plain form: parts separated by `/`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    nodes: rpds::RedBlackTreeMapSync<String, Node>,
    open: rpds::RedBlackTreeMapSync<u32, Open>,
    listings: rpds::RedBlackTreeMapSync<u32, Listing>,
}

impl Files {
    /// Follows a name from the working folder on, part by part, as the kernel does (path_resolution(7)).
    pub fn place(&self, name: &str) -> FileTarget {
        match name.is_empty() {
            true => FileTarget::Nowhere,
            false => self.place_below(None, name),
        }
    }

    /// Follows a name from the folder of temporary files on.
    pub fn temporary(&self, name: &str) -> FileTarget {
        self.place_below(Some(TEMPORARY), name)
    }

    fn place_below(&self, base: Option<&str>, name: &str) -> FileTarget {
        if name.starts_with('/') {
            return FileTarget::Outside;
        }
        let mut at: Vec<&str> = base.into_iter().collect();
        let lowest = at.len();
        let mut parts = name.split('/').filter(|p| !p.is_empty()).peekable();
        while let Some(part) = parts.next() {
            if part == "." {
                continue;
            }
            if part == ".." {
                if at.len() == lowest {
                    return FileTarget::Outside;
                }
                at.pop();
                continue;
            }
            at.push(part);
            let here = at.join("/");
            match (self.nodes.get(&here), parts.peek()) {
                (Some(Node::Folder), _) | (Some(Node::File(_)), None) => {}
                (None, None) => return FileTarget::Free(here),
                (Some(Node::File(_)), Some(_)) => return FileTarget::UnderFile,
                (None, Some(_)) => return FileTarget::Nowhere,
            }
        }
        FileTarget::There(at.join("/"))
    }

    /// What is there; the working folder itself is a folder.
    pub fn node(&self, path: &str) -> Option<&Node> {
        match path {
            "" | TEMPORARY => Some(&Node::Folder),
            _ => self.nodes.get(path),
        }
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &str) -> Option<&Vec<Term>> {
        match self.nodes.get(path) {
            Some(Node::File(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Puts a file or folder there, in place of what was.
    pub fn put(&mut self, path: &str, node: Node) {
        self.nodes.insert_mut(path.to_string(), node);
    }

    /// All files and folders in the working folder, by path.
    pub fn all(&self) -> impl Iterator<Item = (&String, &Node)> {
        let own = |(path, _): &(&String, &Node)| !path.starts_with(TEMPORARY);
        self.nodes.iter().filter(own)
    }

    /// How many temporary files and folders there are.
    pub fn count_temporary(&self) -> usize {
        let temporary = |path: &&String| path.starts_with(TEMPORARY);
        self.nodes.keys().filter(temporary).count()
    }

    /// Names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let prefix = match folder {
            "" => String::new(),
            _ => format!("{folder}/"),
        };
        let below = self.nodes.keys().filter_map(|p| p.strip_prefix(&prefix));
        let direct = below.filter(|rest| !rest.contains('/') && !rest.starts_with(TEMPORARY));
        direct.map(str::to_string).collect()
    }

    /// Removes a file, or a folder that is empty; whether it did.
    pub fn remove(&mut self, path: &str) -> bool {
        let full = self.node(path) == Some(&Node::Folder) && !self.names(path).is_empty();
        if path.is_empty() || path == TEMPORARY || full || !self.nodes.remove_mut(path) {
            return false;
        }
        self.reopen(path, "");
        true
    }

    /// Moves a file, or a folder with all in it.
    pub fn rename(&mut self, from: &str, to: &str) {
        let below = format!("{from}/");
        let moving = |p: &&String| **p == *from || p.starts_with(&below);
        let all: Vec<String> = self.nodes.keys().filter(moving).cloned().collect();
        for old in all {
            let new = format!("{to}{}", &old[from.len()..]);
            if let Some(node) = self.nodes.get(&old).cloned() {
                self.nodes.remove_mut(&old);
                self.nodes.insert_mut(new.clone(), node);
                self.reopen(&old, &new);
            }
        }
    }

    fn reopen(&mut self, from: &str, to: &str) {
        let of_it = |(id, open): (&u32, &Open)| (open.path == from).then(|| (*id, open.clone()));
        let all: Vec<(u32, Open)> = self.open.iter().filter_map(of_it).collect();
        for (id, open) in all {
            let path = to.to_string();
            self.open.insert_mut(id, Open { path, ..open });
        }
    }

    /// The lowest number that no descriptor or listing has.
    pub fn free_number(&self) -> u32 {
        let taken = |n: &u32| self.open.contains_key(n) || self.listings.contains_key(n);
        (FIRST..).find(|n| !taken(n)).unwrap_or(u32::MAX)
    }

    /// The file that a descriptor has open, by its number.
    pub fn opened(&self, number: u32) -> Option<&Open> {
        self.open.get(&number)
    }

    /// Opens a file, or moves in it.
    pub fn open(&mut self, number: u32, open: Open) {
        self.open.insert_mut(number, open);
    }

    /// Closes what a descriptor has open.
    pub fn close(&mut self, number: u32) {
        self.open.remove_mut(&number);
    }

    /// The listing of that number.
    pub fn listing(&self, number: u32) -> Option<&Listing> {
        self.listings.get(&number)
    }

    /// How many names the longest listing that goes on has.
    pub fn longest_listing(&self) -> usize {
        self.listings
            .values()
            .map(|l| l.names.len())
            .max()
            .unwrap_or(0)
    }

    /// Begins a listing, or keeps how far it is.
    pub fn list(&mut self, number: u32, listing: Listing) {
        self.listings.insert_mut(number, listing);
    }

    /// Ends a listing.
    pub fn end_listing(&mut self, number: u32) {
        self.listings.remove_mut(&number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_followed_part_by_part() {
        let mut files = Files::default();
        files.put("a", Node::Folder);
        files.put("a/f", Node::File(Vec::new()));
        let there = |p: &str| FileTarget::There(p.into());
        for (name, place) in [
            ("a", there("a")),
            ("./a//f", there("a/f")),
            ("a/../a/f", there("a/f")),
            (".", there("")),
            ("a/..", there("")),
            ("b", FileTarget::Free("b".into())),
            ("a/b/", FileTarget::Free("a/b".into())),
            ("b/c", FileTarget::Nowhere),
            ("b/../a", FileTarget::Nowhere),
            ("a/f/x", FileTarget::UnderFile),
            ("", FileTarget::Nowhere),
            ("..", FileTarget::Outside),
            ("/a", FileTarget::Outside),
        ] {
            assert_eq!(files.place(name), place, "{name}");
        }
        assert_eq!(files.names(""), ["a"]);
        assert!(!files.remove("a"));
        files.rename("a", "c");
        assert_eq!(files.names("c"), ["f"]);
        assert!(files.remove("c/f") && files.remove("c"));
        assert_eq!(files, Files::default());
        assert_eq!(files.temporary(".."), FileTarget::Outside);
        let FileTarget::Free(path) = files.temporary("t") else {
            panic!("a temporary file is there");
        };
        files.put(&path, Node::Folder);
        assert_eq!(files.names(TEMPORARY), ["t"]);
        assert_eq!((files.all().count(), files.count_temporary()), (0, 1));
        assert!(files.names("").is_empty());
    }
}
