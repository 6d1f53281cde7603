//! The test whether plain Java in the entry method's package can express an input, without reflection.

use crate::bytecode::access::{PRIVATE, PUBLIC, STATIC};
use crate::bytecode::class_file::ClassFile;
use crate::bytecode::{ClassPath, parameter_descriptors};
use crate::model::{Input, Inputs, MethodRef, PriorCall, Spelling, is_primitive};
use std::sync::Arc;

/// Whether the entry and everything in its input can be named. Looks in these builds and libraries.
pub fn nameable(classes: &[&ClassPath], entry: &MethodRef, inputs: &Inputs) -> bool {
    let looks = Looks {
        classes,
        home: package(&entry.class),
    };
    looks.class(&entry.class)
        && looks.types(&entry.descriptor)
        && inputs
            .receiver
            .iter()
            .chain(&inputs.args)
            .all(|input| looks.input(input))
}

fn package(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |p| p.0)
}

/// What the code of a package sees.
struct Looks<'a> {
    classes: &'a [&'a ClassPath],
    home: &'a str,
}

impl Looks<'_> {
    fn input(&self, input: &Input) -> bool {
        let all = |inputs: &[Input]| inputs.iter().all(|i| self.input(i));
        match input {
            Input::Enum {
                class,
                constant: field,
            }
            | Input::Field { class, field } => self.class(class) && self.field(class, field),
            Input::Array { element, values } => self.element(element) && all(values),
            Input::Object {
                method,
                args,
                calls,
            } => self.class(&method.class) && self.method(method) && all(args) && self.calls(calls),
            Input::Result {
                receiver,
                method,
                args,
                calls,
            } => self.input(receiver) && self.method(method) && all(args) && self.calls(calls),
            Input::Class(name) => is_primitive(name) || name.starts_with('[') || self.class(name),
            Input::Lambda { method, result } => {
                self.class(&method.class) && result.iter().all(|r| self.input(r))
            }
            Input::Shared { value, .. } => self.input(value),
            Input::StandIn { class, answers } => {
                let all_types = answers.iter().all(|(m, _)| self.types(&m.descriptor));
                self.class(class) && all_types && answers.iter().all(|(_, value)| all(value))
            }
            Input::Operation { operands, .. } => all(operands),
            _ => true,
        }
    }

    fn calls(&self, calls: &[PriorCall]) -> bool {
        let step = |m: &MethodRef| match m.is_field() {
            true => self.field(&m.class, &m.name) && self.types(&m.descriptor),
            false => self.method(m),
        };
        calls
            .iter()
            .all(|(m, args)| step(m) && args.iter().all(|a| self.input(a)))
    }

    fn element(&self, descriptor: &str) -> bool {
        let innermost = descriptor.trim_start_matches('[');
        innermost
            .strip_prefix('L')
            .is_none_or(|class| self.class(&class.trim_end_matches(';').dotted()))
    }

    fn find(&self, class: &str) -> Option<Arc<ClassFile>> {
        let name = class.internal();
        let find = |path: &&ClassPath| path.find(&name).ok().flatten();
        self.classes.iter().find_map(find)
    }

    /// A top-level class, or a static one nested in visible ones: of this package and not private, or public.
    fn class(&self, class: &str) -> bool {
        let Some(file) = self.find(class) else {
            return false;
        };
        let home = package(class) == self.home;
        let Some((outer, _)) = class.rsplit_once('$') else {
            return home || file.access & PUBLIC != 0;
        };
        let row = file.inner_classes.iter().find(|row| *row.0 == *file.name);
        row.is_some_and(|row| {
            let open = if home {
                row.3 & PRIVATE == 0
            } else {
                row.3 & PUBLIC != 0
            };
            row.1.is_some() && open && row.3 & STATIC != 0
        }) && self.class(outer)
    }

    fn field(&self, class: &str, field: &str) -> bool {
        let found = self.find(class);
        let found = found.iter().flat_map(|c| &c.fields);
        found
            .filter(|f| *f.name == *field)
            .any(|f| self.open(class, f.access))
    }

    fn method(&self, method: &MethodRef) -> bool {
        let found = self.find(&method.class);
        found
            .iter()
            .filter_map(|c| c.method(&method.name, &method.descriptor))
            .any(|m| self.open(&method.class, m.access))
            && self.types(&method.descriptor)
    }

    /// Whether all types of a descriptor can be named, as in declarations and casts.
    fn types(&self, descriptor: &str) -> bool {
        let result = descriptor.rsplit(')').next().unwrap_or_default();
        let mut all = parameter_descriptors(descriptor);
        all.push(result.to_string());
        let class = |d: &String| {
            let class = d.trim_start_matches('[').strip_prefix('L')?;
            Some(class.trim_end_matches(';').dotted())
        };
        all.iter()
            .filter_map(class)
            .all(|class| self.is_visible(&class))
    }

    /// Whether no class around a nested one, nor itself, is hidden from the package.
    fn is_visible(&self, class: &str) -> bool {
        let Some((outer, _)) = class.rsplit_once('$') else {
            return true;
        };
        let hidden = if package(class) == self.home {
            PRIVATE
        } else {
            0
        };
        let is_open = self.find(class).is_none_or(|file| {
            let mut rows = file.inner_classes.iter();
            rows.find(|row| *row.0 == *file.name)
                .is_none_or(|row| row.3 & hidden == 0 && (hidden != 0 || row.3 & PUBLIC != 0))
        });
        is_open && self.is_visible(outer)
    }

    fn open(&self, class: &str, access: u16) -> bool {
        access & PUBLIC != 0 || package(class) == self.home && access & PRIVATE == 0
    }
}
