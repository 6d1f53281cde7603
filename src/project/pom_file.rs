//! A `pom.xml` as a tree of elements, of which only names and texts matter.

use quick_xml::Reader;
use quick_xml::events::Event;

/// Deeper or larger than this is no project.
const MOST_DEPTH: usize = 64;
const MOST_BYTES: usize = 8 << 20;

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Its name, without a namespace.
    pub name: String,
    /// The text directly in it, trimmed.
    pub text: String,
    /// The elements in it.
    pub children: Vec<Element>,
}

impl Element {
    /// Reads a file's text; `None` where it is no XML.
    pub fn read(text: &str) -> Option<Element> {
        if text.len() > MOST_BYTES {
            return None;
        }
        let mut reader = Reader::from_str(text);
        let mut open = vec![Element::default()];
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) if open.len() < MOST_DEPTH => {
                    open.push(Element::named(tag.local_name().as_ref()));
                }
                Event::Start(_) => return None,
                Event::Empty(tag) => {
                    let made = Element::named(tag.local_name().as_ref());
                    open.last_mut()?.children.push(made);
                }
                Event::End(_) => {
                    let mut done = open.pop()?;
                    done.text = done.text.trim().to_string();
                    open.last_mut()?.children.push(done);
                }
                Event::Text(text) => open.last_mut()?.text.push_str(&text.decode().ok()?),
                Event::CData(text) => open.last_mut()?.text.push_str(&text.decode().ok()?),
                Event::GeneralRef(name) => match name.decode().ok()?.as_ref() {
                    "amp" => open.last_mut()?.text.push('&'),
                    "lt" => open.last_mut()?.text.push('<'),
                    "gt" => open.last_mut()?.text.push('>'),
                    _ => {}
                },
                Event::Eof => break,
                _ => {}
            }
        }
        match open.as_mut_slice() {
            [all] => all.children.pop(),
            _ => None,
        }
    }

    fn named(name: &[u8]) -> Element {
        Element {
            name: String::from_utf8_lossy(name).into_owned(),
            ..Element::default()
        }
    }

    /// The first element in it of that name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    /// The element at the end of a way of names.
    pub fn at(&self, way: &[&str]) -> Option<&Element> {
        way.iter()
            .try_fold(self, |element, name| element.child(name))
    }

    /// The text at the end of a way of names; `None` where there is none.
    pub fn text_at(&self, way: &[&str]) -> Option<&str> {
        let text = self.at(way)?.text.as_str();
        (!text.is_empty()).then_some(text)
    }

    /// The elements in the element at the end of a way of names.
    pub fn all(&self, way: &[&str]) -> &[Element] {
        self.at(way).map_or(&[], |e| &e.children)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_and_what_is_no_xml_is_none() {
        let text = "<?xml version='1.0'?><!-- c --><project xmlns='x'><a> b &amp; c </a><d/><e><f>1</f></e></project>";
        let found = Element::read(text).unwrap();
        assert_eq!(found.text_at(&["a"]), Some("b & c"));
        assert_eq!(found.text_at(&["e", "f"]), Some("1"));
        assert!(found.child("d").is_some() && found.text_at(&["d"]).is_none());
        for wrong in ["<project>", "", "{}", "<a></b>"] {
            assert_eq!(Element::read(wrong), None, "{wrong}");
        }
    }
}
