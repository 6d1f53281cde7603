//! A build file of Maven, Ant or Ivy as a tree of elements.

use super::coordinates::Coordinates;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;

/// Deeper or larger than this is no project.
const MOST_DEPTH: usize = 64;
const MOST_BYTES: usize = 8 << 20;

/// An element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// Its name, without a namespace.
    pub name: String,
    /// Its attributes, without namespaces.
    pub attributes: BTreeMap<String, String>,
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
                    open.push(Element::named(&tag));
                }
                Event::Start(_) => return None,
                Event::Empty(tag) => {
                    open.last_mut()?.children.push(Element::named(&tag));
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

    fn named(tag: &BytesStart) -> Element {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let attributes = tag.attributes().filter_map(Result::ok).map(|a| {
            let value = text(&a.value);
            let value = quick_xml::escape::unescape(&value).map(|v| v.into_owned());
            (text(a.key.local_name().as_ref()), value.unwrap_or_default())
        });
        Element {
            name: text(tag.local_name().as_ref()),
            attributes: attributes.collect(),
            ..Element::default()
        }
    }

    /// An attribute; `None` where it has no such.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
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

    /// The artifact that it names, such as a parent, as it stands there.
    pub fn coordinates(&self) -> Option<Coordinates> {
        let text = |name: &str| self.text_at(&[name]).unwrap_or_default();
        let all = ["groupId", "artifactId", "version"].map(text);
        Coordinates::read(&all.join(":"))
    }

    /// The elements in the element at the end of a way of names.
    pub fn all(&self, way: &[&str]) -> &[Element] {
        self.at(way).map_or(&[], |e| &e.children)
    }

    /// The plugins of that artifact that a project, or a profile of it, declares: those that run before those that are managed.
    pub fn plugins<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        let declared = self.all(&["build", "plugins"]).iter();
        let managed = self.all(&["build", "pluginManagement", "plugins"]);
        let all = declared.chain(managed);
        all.filter(move |plugin| plugin.text_at(&["artifactId"]) == Some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_and_what_is_no_xml_is_none() {
        let text = "<?xml version='1.0'?><!-- c --><project xmlns='x'><a> b &amp; c </a><d v='1 &lt; 2'/><e><f>1</f></e></project>";
        let found = Element::read(text).unwrap();
        assert_eq!(found.text_at(&["a"]), Some("b & c"));
        assert_eq!(found.text_at(&["e", "f"]), Some("1"));
        assert!(found.child("d").is_some() && found.text_at(&["d"]).is_none());
        let attribute = |name| found.child("d").unwrap().attribute(name);
        assert_eq!((attribute("v"), attribute("w")), (Some("1 < 2"), None));
        for wrong in ["<project>", "", "{}", "<a></b>"] {
            assert_eq!(Element::read(wrong), None, "{wrong}");
        }
    }
}
