//! Annotations that class files retain, of classes, methods and parameters (JVMS §4.7.16 to §4.7.20).

use super::{Decoded, Reader};
use crate::bytecode::class_file::Annotation;
use ristretto_classfile::attributes::{
    AnnotationElement, AnnotationValuePair, Attribute, TargetType, TypeAnnotation,
};

/// A step into a nested type of a type path; others lead to elements and type arguments (JVMS table 4.7.20.2-A).
const NESTED: u8 = 1;

impl Reader<'_> {
    /// Those of a declaration.
    pub(super) fn annotations(&self, attributes: &[Attribute]) -> Decoded<Vec<Annotation>> {
        let mut all = Vec::new();
        for attribute in attributes {
            if let Attribute::RuntimeVisibleAnnotations { annotations, .. }
            | Attribute::RuntimeInvisibleAnnotations { annotations, .. } = attribute
            {
                for a in annotations {
                    all.push(self.annotation(a.type_index, &a.elements)?);
                }
            }
        }
        Ok(all)
    }

    /// Those of each parameter and of its type, of a method with `count` parameters, the first `added` of them by the compiler:
    /// empty where there are none at all.
    pub(super) fn parameter_annotations(
        &self,
        attributes: &[Attribute],
        (count, added): (usize, usize),
    ) -> Decoded<Vec<Vec<Annotation>>> {
        let mut all = Vec::new();
        let mut add = |at: usize, annotation| {
            all.resize(count, Vec::new());
            if let Some(of) = all.get_mut(at) {
                of.push(annotation);
            }
        };
        for attribute in attributes {
            match attribute {
                Attribute::RuntimeVisibleParameterAnnotations {
                    parameter_annotations: of,
                    ..
                }
                | Attribute::RuntimeInvisibleParameterAnnotations {
                    parameter_annotations: of,
                    ..
                } => {
                    // Parameters that the compiler added may have no row (JVMS §4.7.18).
                    let first = count.saturating_sub(of.len());
                    for (at, row) in of.iter().enumerate() {
                        for a in &row.annotations {
                            add(first + at, self.annotation(a.type_index, &a.elements)?);
                        }
                    }
                }
                Attribute::RuntimeVisibleTypeAnnotations {
                    type_annotations: of,
                    ..
                }
                | Attribute::RuntimeInvisibleTypeAnnotations {
                    type_annotations: of,
                    ..
                } => {
                    for a in of {
                        if let Some(at) = parameter(a) {
                            add(added + at, self.annotation(a.type_index, &a.elements)?);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(all)
    }

    fn annotation(&self, ty: u16, elements: &[AnnotationValuePair]) -> Decoded<Annotation> {
        let descriptor = self.utf8(ty)?;
        let name = descriptor.strip_prefix('L').unwrap_or(&descriptor);
        let name = name.trim_end_matches(';');
        let name = name.rsplit(['/', '$']).next().unwrap_or(name);
        let mut constants = Vec::new();
        for pair in elements {
            self.constants(&pair.value, &mut constants)?;
        }
        Ok(Annotation {
            name: name.into(),
            constants: (!elements.is_empty()).then_some(constants),
        })
    }

    fn constants(
        &self,
        value: &AnnotationElement,
        out: &mut Vec<std::sync::Arc<str>>,
    ) -> Decoded<()> {
        match value {
            AnnotationElement::Enum {
                const_name_index, ..
            } => out.push(self.utf8(*const_name_index)?),
            AnnotationElement::Array { values } => {
                for value in values {
                    self.constants(value, out)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The declared parameter whose type itself is annotated.
fn parameter(annotation: &TypeAnnotation) -> Option<usize> {
    let whole = annotation
        .type_path
        .iter()
        .all(|p| p.type_path_kind == NESTED);
    match &annotation.target_type {
        TargetType::FormalParameter {
            formal_parameter_index,
            ..
        } if whole => Some(usize::from(*formal_parameter_index)),
        _ => None,
    }
}
