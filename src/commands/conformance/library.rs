//! Concrete inputs of well-known types of the JDK: collections, functions, numbers, locales.

use super::inputs::{Inventory, field, id, made};
use crate::model::{Input, MethodRef};
use crate::search::{primitive, text};

impl Inventory<'_> {
    /// A value of a well-known type of the JDK; `depth` as of `value`.
    pub(super) fn library(&mut self, class: &str, depth: u32) -> Option<Input> {
        self.collection(class)
            .or_else(|| self.function(class))
            .or_else(|| self.plain_value(class, depth))
    }

    fn collection(&mut self, class: &str) -> Option<Input> {
        Some(match class {
            "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => {
                match self.random.below(4) {
                    0 => self.list_of(true),
                    1 => self.copied_into("java.util.LinkedList", true),
                    _ => self.copied_into("java.util.ArrayList", true),
                }
            }
            "java.util.ArrayList" | "java.util.LinkedList" | "java.util.Vector" => {
                self.copied_into(class, true)
            }
            "java.util.Queue" | "java.util.Deque" | "java.util.ArrayDeque" => {
                self.copied_into("java.util.ArrayDeque", false)
            }
            "java.util.Set" | "java.util.HashSet" => match self.random.below(2) {
                0 => self.copied_into("java.util.HashSet", true),
                _ => self.copied_into("java.util.LinkedHashSet", true),
            },
            "java.util.SortedSet" | "java.util.NavigableSet" | "java.util.TreeSet" => {
                self.copied_into("java.util.TreeSet", false)
            }
            "java.util.Map" | "java.util.HashMap" => match self.random.below(2) {
                0 => self.map("java.util.HashMap"),
                _ => self.map("java.util.LinkedHashMap"),
            },
            "java.util.SortedMap" | "java.util.NavigableMap" | "java.util.TreeMap" => {
                self.map("java.util.TreeMap")
            }
            "java.util.Iterator" => factory(
                "java.util.Collections",
                "emptyIterator",
                "java/util/Iterator",
            ),
            "java.util.Enumeration" => factory(
                "java.util.Collections",
                "emptyEnumeration",
                "java/util/Enumeration",
            ),
            _ => return None,
        })
    }

    fn function(&mut self, class: &str) -> Option<Input> {
        Some(match class {
            "java.util.Comparator" => match self.random.below(3) {
                0 => factory(
                    "java.util.Collections",
                    "reverseOrder",
                    "java/util/Comparator",
                ),
                1 => factory(
                    "java.util.Comparator",
                    "naturalOrder",
                    "java/util/Comparator",
                ),
                _ => field("java.lang.String", "CASE_INSENSITIVE_ORDER"),
            },
            "java.util.function.Function" => factory(
                "java.util.function.Function",
                "identity",
                "java/util/function/Function",
            ),
            "java.util.function.UnaryOperator" => factory(
                "java.util.function.UnaryOperator",
                "identity",
                "java/util/function/UnaryOperator",
            ),
            "java.util.function.Predicate" => {
                let descriptor = "(Ljava/lang/Object;)Ljava/util/function/Predicate;";
                let than = self.any();
                made(
                    "java.util.function.Predicate",
                    "isEqual",
                    descriptor,
                    vec![than],
                )
            }
            _ => return None,
        })
    }

    fn plain_value(&mut self, class: &str, depth: u32) -> Option<Input> {
        Some(match class {
            "java.util.Locale" => {
                let names = ["US", "ROOT", "GERMANY", "ENGLISH"];
                field("java.util.Locale", names[self.random.below(names.len())])
            }
            "java.lang.Class" => {
                let owner = self.random.pick(&["Integer", "Boolean", "Double", "Void"]);
                field(&format!("java.lang.{owner}"), "TYPE")
            }
            "java.lang.Appendable" | "java.lang.StringBuilder" | "java.lang.StringBuffer" => {
                let class = if class.ends_with("Buffer") {
                    class
                } else {
                    "java.lang.StringBuilder"
                };
                let units = Input::Str(text(&mut self.random));
                made(class, "<init>", "(Ljava/lang/String;)V", vec![units])
            }
            "java.math.BigInteger" | "java.math.BigDecimal" => {
                let digits = match primitive(&mut self.random, b'J') {
                    Input::Long(n) => n.to_string(),
                    _ => "0".into(),
                };
                let digits = if class.ends_with("Decimal") && self.random.one_in(2) {
                    format!("{digits}.{}", self.random.below(1000))
                } else {
                    digits
                };
                let digits = Input::Str(digits.encode_utf16().collect());
                made(class, "<init>", "(Ljava/lang/String;)V", vec![digits])
            }
            "java.util.Random" if depth == 0 => {
                made(class, "<init>", "(J)V", vec![Input::Long(42)])
            }
            _ => return None,
        })
    }

    fn items(&mut self, nulls: bool) -> Input {
        let len = self.random.below(7);
        let values = (0..len).map(|_| {
            if nulls && self.random.one_in(10) {
                Input::Null
            } else {
                self.comparable()
            }
        });
        Input::Array {
            element: "Ljava/lang/Object;".into(),
            values: values.collect(),
        }
    }

    fn list_of(&mut self, nulls: bool) -> Input {
        let items = self.items(nulls);
        let descriptor = "([Ljava/lang/Object;)Ljava/util/List;";
        made("java.util.Arrays", "asList", descriptor, vec![items])
    }

    fn copied_into(&mut self, class: &str, nulls: bool) -> Input {
        let items = self.list_of(nulls);
        made(class, "<init>", "(Ljava/util/Collection;)V", vec![items])
    }

    fn map(&mut self, class: &str) -> Input {
        let put = MethodRef {
            class: class.into(),
            name: "put".into(),
            descriptor: "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;".into(),
        };
        let len = self.random.below(6);
        let calls = (0..len)
            .map(|_| (put.clone(), vec![self.comparable(), self.any()]))
            .collect();
        Input::Object {
            method: id(class, "<init>", "()V"),
            args: Vec::new(),
            calls,
        }
    }
}

/// What a static method without parameters gives, of a type by its internal name.
fn factory(owner: &str, name: &str, result: &str) -> Input {
    made(owner, name, &format!("()L{result};"), Vec::new())
}
