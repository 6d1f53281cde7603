//! Decoding of class files: the only file that knows the class-file library.

mod annotations;
mod nesting;

use super::class_file::{
    BinOp, ClassFile, Cmp, Code, Const, DynamicRef, Field, Handler, Insn, InvokeKind, LocalVar,
    MemberRef, Method, MethodHandle, Prim,
};
use super::reflection::Reflection;
use ristretto_classfile as rc;
use ristretto_classfile::attributes::{ArrayType, Attribute, BootstrapMethod, Instruction as I};
use std::cell::Cell;
use std::sync::Arc;

/// A class file that can't be read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("malformed class file: {0}")]
pub struct DecodeError(pub String);

impl From<rc::Error> for DecodeError {
    fn from(e: rc::Error) -> Self {
        DecodeError(e.to_string())
    }
}

type Decoded<T> = Result<T, DecodeError>;

struct Reader<'a> {
    pool: &'a rc::ConstantPool<'a>,
    bootstraps: &'a [BootstrapMethod],
    /// How deep in dynamic constants it is, and how many it has read there.
    dynamic: Cell<(u32, u32)>,
}

/// Constants that the arguments of one dynamic constant or call site may be made of: each can name others, also itself.
const MOST_CONSTANTS: u32 = 10_000;
/// How deep these may be nested.
const DEEPEST: u32 = 64;

/// Decodes a class file (JVMS §4).
///
/// # Errors
/// The bytes are no class file, are nested deeper than any compiler writes, or hold something that this decoder does not know.
pub fn decode(bytes: &[u8]) -> Decoded<ClassFile> {
    nesting::check(bytes)?;
    let file = rc::ClassFile::from_slice(bytes)?;
    let bootstraps = file
        .attributes
        .iter()
        .find_map(|a| match a {
            Attribute::BootstrapMethods { methods, .. } => Some(methods.as_slice()),
            _ => None,
        })
        .unwrap_or_default();
    let reader = Reader {
        pool: &file.constant_pool,
        bootstraps,
        dynamic: Cell::default(),
    };
    let mut reflection = Reflection::new(&file.constant_pool);
    let mut out = ClassFile {
        name: reader.class(file.this_class)?,
        super_name: match file.super_class {
            0 => None,
            index => Some(reader.class(index)?),
        },
        interfaces: file
            .interfaces
            .iter()
            .map(|i| reader.class(*i))
            .collect::<Decoded<_>>()?,
        access: file.access_flags.bits(),
        fields: file
            .fields
            .iter()
            .map(|f| reader.field(f, &mut reflection))
            .collect::<Decoded<_>>()?,
        methods: file
            .methods
            .iter()
            .map(|m| reader.method(m, &mut reflection))
            .collect::<Decoded<_>>()?,
        signature: None,
        source_file: None,
        inner_classes: Vec::new(),
        reflected: reflection.of_class(&file.attributes)?,
        annotations: reader.annotations(&file.attributes)?,
    };
    for attribute in &file.attributes {
        match attribute {
            Attribute::SourceFile {
                source_file_index, ..
            } => {
                out.source_file = Some(reader.utf8(*source_file_index)?);
            }
            Attribute::Signature {
                signature_index, ..
            } => {
                out.signature = Some(reader.utf8(*signature_index)?);
            }
            Attribute::InnerClasses { classes, .. } => {
                for c in classes {
                    let optional = |i: u16, f: &dyn Fn(u16) -> Decoded<Arc<str>>| {
                        if i == 0 { Ok(None) } else { f(i).map(Some) }
                    };
                    out.inner_classes.push((
                        reader.class(c.class_info_index)?,
                        optional(c.outer_class_info_index, &|i| reader.class(i))?,
                        optional(c.name_index, &|i| reader.utf8(i))?,
                        c.access_flags.bits(),
                    ));
                }
            }
            _ => {}
        }
    }
    out.reflected.pool = reflection.into_pool();
    Ok(out)
}

impl Reader<'_> {
    fn utf8(&self, index: u16) -> Decoded<Arc<str>> {
        Ok(Arc::from(&*self.pool.try_get_utf8(index)?.to_str_lossy()))
    }

    fn class(&self, index: u16) -> Decoded<Arc<str>> {
        Ok(Arc::from(&*self.pool.try_get_class(index)?.to_str_lossy()))
    }

    fn name_and_type(&self, index: u16) -> Decoded<(Arc<str>, Arc<str>)> {
        let (name, descriptor) = self.pool.try_get_name_and_type(index)?;
        Ok((self.utf8(*name)?, self.utf8(*descriptor)?))
    }

    fn member(&self, index: u16) -> Decoded<(MemberRef, bool)> {
        let (class, rest, interface) = match self.pool.try_get(index)? {
            rc::Constant::FieldRef {
                class_index,
                name_and_type_index,
            }
            | rc::Constant::MethodRef {
                class_index,
                name_and_type_index,
            } => (class_index, name_and_type_index, false),
            rc::Constant::InterfaceMethodRef {
                class_index,
                name_and_type_index,
            } => (class_index, name_and_type_index, true),
            other => {
                return Err(DecodeError(format!(
                    "constant {index} is no member: {other:?}"
                )));
            }
        };
        let (name, descriptor) = self.name_and_type(*rest)?;
        Ok((
            MemberRef {
                class: self.class(*class)?,
                name,
                descriptor,
            },
            interface,
        ))
    }

    fn handle(&self, index: u16) -> Decoded<MethodHandle> {
        let (kind, reference) = self.pool.try_get_method_handle(index)?;
        let (member, interface) = self.member(*reference)?;
        let MemberRef {
            class,
            name,
            descriptor,
        } = member;
        Ok(MethodHandle {
            kind: kind.kind(),
            class,
            name,
            descriptor,
            interface,
        })
    }

    fn dynamic(&self, bootstrap: u16, name_and_type: u16) -> Decoded<Arc<DynamicRef>> {
        let method = self
            .bootstraps
            .get(usize::from(bootstrap))
            .ok_or_else(|| DecodeError(format!("no bootstrap method {bootstrap}")))?;
        let (depth, made) = self.dynamic.get();
        let made = made + method.arguments.len() as u32;
        if depth == DEEPEST || made > MOST_CONSTANTS {
            return Err(DecodeError("a dynamic constant has no end".into()));
        }
        self.dynamic.set((depth + 1, made));
        let args = method
            .arguments
            .iter()
            .map(|a| self.constant(*a))
            .collect::<Decoded<_>>()?;
        let made = self.dynamic.get().1;
        self.dynamic.set((depth, if depth == 0 { 0 } else { made }));
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(Arc::new(DynamicRef {
            bootstrap: self.handle(method.bootstrap_method_ref)?,
            args,
            name,
            descriptor,
        }))
    }

    fn constant(&self, index: u16) -> Decoded<Const> {
        Ok(match self.pool.try_get(index)? {
            rc::Constant::Integer(i) => Const::Int(*i),
            rc::Constant::Float(f) => Const::Float(f.to_bits()),
            rc::Constant::Long(l) => Const::Long(*l),
            rc::Constant::Double(d) => Const::Double(d.to_bits()),
            rc::Constant::Class(_) => Const::Class(self.class(index)?),
            rc::Constant::String(utf8) => {
                Const::Str(Arc::from(self.pool.try_get_utf8(*utf8)?.to_utf16()?))
            }
            rc::Constant::MethodHandle { .. } => Const::MethodHandle(self.handle(index)?),
            rc::Constant::MethodType(descriptor) => Const::MethodType(self.utf8(*descriptor)?),
            rc::Constant::Dynamic {
                bootstrap_method_attr_index,
                name_and_type_index,
            } => Const::Dynamic(self.dynamic(*bootstrap_method_attr_index, *name_and_type_index)?),
            other => {
                return Err(DecodeError(format!(
                    "constant {index} is not loadable: {other:?}"
                )));
            }
        })
    }

    fn field(&self, field: &rc::Field, reflection: &mut Reflection) -> Decoded<Field> {
        let constant = field.attributes.iter().find_map(|a| match a {
            Attribute::ConstantValue {
                constant_value_index,
                ..
            } => Some(*constant_value_index),
            _ => None,
        });
        Ok(Field {
            name: self.utf8(field.name_index)?,
            descriptor: self.utf8(field.descriptor_index)?,
            access: field.access_flags.bits(),
            constant: constant.map(|c| self.constant(c)).transpose()?,
            reflected: reflection.of_field(&field.attributes)?,
        })
    }

    fn method(&self, method: &rc::Method, reflection: &mut Reflection) -> Decoded<Method> {
        let mut out = Method {
            name: self.utf8(method.name_index)?,
            descriptor: self.utf8(method.descriptor_index)?,
            access: method.access_flags.bits(),
            code: None,
            signature: None,
            parameter_names: Vec::new(),
            reflected: reflection.of_method(&method.attributes)?,
            annotations: self.annotations(&method.attributes)?,
            parameter_annotations: Vec::new(),
        };
        for attribute in &method.attributes {
            if let Attribute::Code {
                max_locals,
                code,
                exception_table,
                attributes,
                ..
            } = attribute
            {
                let code = self.code(*max_locals, code, exception_table, attributes)?;
                out.parameter_names = parameter_names(&out, &code);
                out.code = Some(Arc::new(code));
            }
            if let Attribute::Signature {
                signature_index, ..
            } = attribute
            {
                out.signature = Some(self.utf8(*signature_index)?);
            }
        }
        let count = super::parameter_descriptors(&out.descriptor).len();
        let added = out
            .parameter_names
            .iter()
            .take_while(|n| n.starts_with("this$"));
        let places = (count, added.count());
        out.parameter_annotations = self.parameter_annotations(&method.attributes, places)?;
        Ok(out)
    }

    fn code(
        &self,
        max_locals: u16,
        code: &[I],
        table: &[ristretto_classfile::attributes::ExceptionTableEntry],
        attributes: &[Attribute],
    ) -> Decoded<Code> {
        let insns = code
            .iter()
            .enumerate()
            .map(|(at, i)| self.insn(at, i))
            .collect::<Decoded<Vec<_>>>()?;
        let mut handlers = Vec::with_capacity(table.len());
        for row in table {
            handlers.push(Handler {
                start: u32::from(row.range_pc.start),
                end: u32::from(row.range_pc.end),
                target: u32::from(row.handler_pc),
                catch: if row.catch_type == 0 {
                    None
                } else {
                    Some(self.class(row.catch_type)?)
                },
            });
        }
        let mut out = Code {
            max_locals,
            lines: vec![0; insns.len()],
            insns,
            handlers,
            locals: Vec::new(),
        };
        let mut starts: Vec<(usize, u32)> = Vec::new();
        for attribute in attributes {
            match attribute {
                Attribute::LineNumberTable { line_numbers, .. } => {
                    starts.extend(
                        line_numbers
                            .iter()
                            .map(|l| (usize::from(l.start_pc), u32::from(l.line_number))),
                    );
                }
                Attribute::LocalVariableTable { variables, .. } => {
                    // The library leaves these, unlike all other positions, as byte offsets.
                    let offsets = byte_offsets(code);
                    let index = |byte: u32| offsets.partition_point(|o| *o < byte) as u32;
                    for v in variables {
                        let start = u32::from(v.start_pc);
                        out.locals.push(LocalVar {
                            start: index(start),
                            end: index(start + u32::from(v.length)),
                            name: self.utf8(v.name_index)?,
                            descriptor: self.utf8(v.descriptor_index)?,
                            slot: v.index,
                        });
                    }
                }
                _ => {}
            }
        }
        starts.sort_by_key(|s| s.0);
        for (i, (start, line)) in starts.iter().enumerate() {
            let end = starts.get(i + 1).map_or(out.lines.len(), |n| n.0);
            if let Some(lines) = out.lines.get_mut(*start..end.max(*start)) {
                lines.fill(*line);
            }
        }
        Ok(out)
    }

    fn insn(&self, at: usize, insn: &I) -> Decoded<Insn> {
        use Prim::{Byte, Char, Double, Float, Int, Long, Short};
        let relative = |offset: i32| (at as i64 + i64::from(offset)).max(0) as u32;
        let target = |t: &u16| u32::from(*t);
        let int = |i: i32| Insn::Const(Const::Int(i));
        let field = |i: &u16| self.member(*i).map(|m| Arc::new(m.0));
        let load = |p, slot: u16| Insn::Load(p, slot);
        let store = |p, slot: u16| Insn::Store(p, slot);
        Ok(match insn {
            I::Nop | I::Wide | I::Breakpoint | I::Impdep1 | I::Impdep2 => Insn::Nop,
            I::Aconst_null => Insn::AconstNull,
            I::Iconst_m1 => int(-1),
            I::Iconst_0 => int(0),
            I::Iconst_1 => int(1),
            I::Iconst_2 => int(2),
            I::Iconst_3 => int(3),
            I::Iconst_4 => int(4),
            I::Iconst_5 => int(5),
            I::Lconst_0 => Insn::Const(Const::Long(0)),
            I::Lconst_1 => Insn::Const(Const::Long(1)),
            I::Fconst_0 => Insn::Const(Const::Float(0f32.to_bits())),
            I::Fconst_1 => Insn::Const(Const::Float(1f32.to_bits())),
            I::Fconst_2 => Insn::Const(Const::Float(2f32.to_bits())),
            I::Dconst_0 => Insn::Const(Const::Double(0f64.to_bits())),
            I::Dconst_1 => Insn::Const(Const::Double(1f64.to_bits())),
            I::Bipush(b) => int(i32::from(*b)),
            I::Sipush(s) => int(i32::from(*s)),
            I::Ldc(i) => Insn::Const(self.constant(u16::from(*i))?),
            I::Ldc_w(i) | I::Ldc2_w(i) => Insn::Const(self.constant(*i)?),
            I::Iload(s) => load(Some(Int), u16::from(*s)),
            I::Lload(s) => load(Some(Long), u16::from(*s)),
            I::Fload(s) => load(Some(Float), u16::from(*s)),
            I::Dload(s) => load(Some(Double), u16::from(*s)),
            I::Aload(s) => load(None, u16::from(*s)),
            I::Iload_w(s) => load(Some(Int), *s),
            I::Lload_w(s) => load(Some(Long), *s),
            I::Fload_w(s) => load(Some(Float), *s),
            I::Dload_w(s) => load(Some(Double), *s),
            I::Aload_w(s) => load(None, *s),
            I::Iload_0 => load(Some(Int), 0),
            I::Iload_1 => load(Some(Int), 1),
            I::Iload_2 => load(Some(Int), 2),
            I::Iload_3 => load(Some(Int), 3),
            I::Lload_0 => load(Some(Long), 0),
            I::Lload_1 => load(Some(Long), 1),
            I::Lload_2 => load(Some(Long), 2),
            I::Lload_3 => load(Some(Long), 3),
            I::Fload_0 => load(Some(Float), 0),
            I::Fload_1 => load(Some(Float), 1),
            I::Fload_2 => load(Some(Float), 2),
            I::Fload_3 => load(Some(Float), 3),
            I::Dload_0 => load(Some(Double), 0),
            I::Dload_1 => load(Some(Double), 1),
            I::Dload_2 => load(Some(Double), 2),
            I::Dload_3 => load(Some(Double), 3),
            I::Aload_0 => load(None, 0),
            I::Aload_1 => load(None, 1),
            I::Aload_2 => load(None, 2),
            I::Aload_3 => load(None, 3),
            I::Iaload => Insn::ArrayLoad(Some(Int)),
            I::Laload => Insn::ArrayLoad(Some(Long)),
            I::Faload => Insn::ArrayLoad(Some(Float)),
            I::Daload => Insn::ArrayLoad(Some(Double)),
            I::Aaload => Insn::ArrayLoad(None),
            I::Baload => Insn::ArrayLoad(Some(Byte)),
            I::Caload => Insn::ArrayLoad(Some(Char)),
            I::Saload => Insn::ArrayLoad(Some(Short)),
            I::Istore(s) => store(Some(Int), u16::from(*s)),
            I::Lstore(s) => store(Some(Long), u16::from(*s)),
            I::Fstore(s) => store(Some(Float), u16::from(*s)),
            I::Dstore(s) => store(Some(Double), u16::from(*s)),
            I::Astore(s) => store(None, u16::from(*s)),
            I::Istore_w(s) => store(Some(Int), *s),
            I::Lstore_w(s) => store(Some(Long), *s),
            I::Fstore_w(s) => store(Some(Float), *s),
            I::Dstore_w(s) => store(Some(Double), *s),
            I::Astore_w(s) => store(None, *s),
            I::Istore_0 => store(Some(Int), 0),
            I::Istore_1 => store(Some(Int), 1),
            I::Istore_2 => store(Some(Int), 2),
            I::Istore_3 => store(Some(Int), 3),
            I::Lstore_0 => store(Some(Long), 0),
            I::Lstore_1 => store(Some(Long), 1),
            I::Lstore_2 => store(Some(Long), 2),
            I::Lstore_3 => store(Some(Long), 3),
            I::Fstore_0 => store(Some(Float), 0),
            I::Fstore_1 => store(Some(Float), 1),
            I::Fstore_2 => store(Some(Float), 2),
            I::Fstore_3 => store(Some(Float), 3),
            I::Dstore_0 => store(Some(Double), 0),
            I::Dstore_1 => store(Some(Double), 1),
            I::Dstore_2 => store(Some(Double), 2),
            I::Dstore_3 => store(Some(Double), 3),
            I::Astore_0 => store(None, 0),
            I::Astore_1 => store(None, 1),
            I::Astore_2 => store(None, 2),
            I::Astore_3 => store(None, 3),
            I::Iastore => Insn::ArrayStore(Some(Int)),
            I::Lastore => Insn::ArrayStore(Some(Long)),
            I::Fastore => Insn::ArrayStore(Some(Float)),
            I::Dastore => Insn::ArrayStore(Some(Double)),
            I::Aastore => Insn::ArrayStore(None),
            I::Bastore => Insn::ArrayStore(Some(Byte)),
            I::Castore => Insn::ArrayStore(Some(Char)),
            I::Sastore => Insn::ArrayStore(Some(Short)),
            I::Pop => Insn::Pop,
            I::Pop2 => Insn::Pop2,
            I::Dup => Insn::Dup,
            I::Dup_x1 => Insn::DupX1,
            I::Dup_x2 => Insn::DupX2,
            I::Dup2 => Insn::Dup2,
            I::Dup2_x1 => Insn::Dup2X1,
            I::Dup2_x2 => Insn::Dup2X2,
            I::Swap => Insn::Swap,
            I::Iadd => Insn::Bin(BinOp::Add, Int),
            I::Ladd => Insn::Bin(BinOp::Add, Long),
            I::Fadd => Insn::Bin(BinOp::Add, Float),
            I::Dadd => Insn::Bin(BinOp::Add, Double),
            I::Isub => Insn::Bin(BinOp::Sub, Int),
            I::Lsub => Insn::Bin(BinOp::Sub, Long),
            I::Fsub => Insn::Bin(BinOp::Sub, Float),
            I::Dsub => Insn::Bin(BinOp::Sub, Double),
            I::Imul => Insn::Bin(BinOp::Mul, Int),
            I::Lmul => Insn::Bin(BinOp::Mul, Long),
            I::Fmul => Insn::Bin(BinOp::Mul, Float),
            I::Dmul => Insn::Bin(BinOp::Mul, Double),
            I::Idiv => Insn::Bin(BinOp::Div, Int),
            I::Ldiv => Insn::Bin(BinOp::Div, Long),
            I::Fdiv => Insn::Bin(BinOp::Div, Float),
            I::Ddiv => Insn::Bin(BinOp::Div, Double),
            I::Irem => Insn::Bin(BinOp::Rem, Int),
            I::Lrem => Insn::Bin(BinOp::Rem, Long),
            I::Frem => Insn::Bin(BinOp::Rem, Float),
            I::Drem => Insn::Bin(BinOp::Rem, Double),
            I::Ineg => Insn::Neg(Int),
            I::Lneg => Insn::Neg(Long),
            I::Fneg => Insn::Neg(Float),
            I::Dneg => Insn::Neg(Double),
            I::Ishl => Insn::Bin(BinOp::Shl, Int),
            I::Lshl => Insn::Bin(BinOp::Shl, Long),
            I::Ishr => Insn::Bin(BinOp::Shr, Int),
            I::Lshr => Insn::Bin(BinOp::Shr, Long),
            I::Iushr => Insn::Bin(BinOp::Ushr, Int),
            I::Lushr => Insn::Bin(BinOp::Ushr, Long),
            I::Iand => Insn::Bin(BinOp::And, Int),
            I::Land => Insn::Bin(BinOp::And, Long),
            I::Ior => Insn::Bin(BinOp::Or, Int),
            I::Lor => Insn::Bin(BinOp::Or, Long),
            I::Ixor => Insn::Bin(BinOp::Xor, Int),
            I::Lxor => Insn::Bin(BinOp::Xor, Long),
            I::Iinc(slot, by) => Insn::Iinc(u16::from(*slot), i32::from(*by)),
            I::Iinc_w(slot, by) => Insn::Iinc(*slot, i32::from(*by)),
            I::I2l => Insn::Convert(Int, Long),
            I::I2f => Insn::Convert(Int, Float),
            I::I2d => Insn::Convert(Int, Double),
            I::L2i => Insn::Convert(Long, Int),
            I::L2f => Insn::Convert(Long, Float),
            I::L2d => Insn::Convert(Long, Double),
            I::F2i => Insn::Convert(Float, Int),
            I::F2l => Insn::Convert(Float, Long),
            I::F2d => Insn::Convert(Float, Double),
            I::D2i => Insn::Convert(Double, Int),
            I::D2l => Insn::Convert(Double, Long),
            I::D2f => Insn::Convert(Double, Float),
            I::I2b => Insn::Convert(Int, Byte),
            I::I2c => Insn::Convert(Int, Char),
            I::I2s => Insn::Convert(Int, Short),
            I::Lcmp => Insn::Lcmp,
            I::Fcmpl => Insn::Fcmp(Float, -1),
            I::Fcmpg => Insn::Fcmp(Float, 1),
            I::Dcmpl => Insn::Fcmp(Double, -1),
            I::Dcmpg => Insn::Fcmp(Double, 1),
            I::Ifeq(t) => Insn::If(Cmp::Eq, target(t)),
            I::Ifne(t) => Insn::If(Cmp::Ne, target(t)),
            I::Iflt(t) => Insn::If(Cmp::Lt, target(t)),
            I::Ifge(t) => Insn::If(Cmp::Ge, target(t)),
            I::Ifgt(t) => Insn::If(Cmp::Gt, target(t)),
            I::Ifle(t) => Insn::If(Cmp::Le, target(t)),
            I::If_icmpeq(t) => Insn::IfIcmp(Cmp::Eq, target(t)),
            I::If_icmpne(t) => Insn::IfIcmp(Cmp::Ne, target(t)),
            I::If_icmplt(t) => Insn::IfIcmp(Cmp::Lt, target(t)),
            I::If_icmpge(t) => Insn::IfIcmp(Cmp::Ge, target(t)),
            I::If_icmpgt(t) => Insn::IfIcmp(Cmp::Gt, target(t)),
            I::If_icmple(t) => Insn::IfIcmp(Cmp::Le, target(t)),
            I::If_acmpeq(t) => Insn::IfAcmp(Cmp::Eq, target(t)),
            I::If_acmpne(t) => Insn::IfAcmp(Cmp::Ne, target(t)),
            I::Ifnull(t) => Insn::IfNull(Cmp::Eq, target(t)),
            I::Ifnonnull(t) => Insn::IfNull(Cmp::Ne, target(t)),
            I::Goto(t) => Insn::Goto(target(t)),
            I::Goto_w(t) => Insn::Goto((*t).max(0) as u32),
            I::Jsr(t) => Insn::Jsr(target(t)),
            I::Jsr_w(t) => Insn::Jsr((*t).max(0) as u32),
            I::Ret(s) => Insn::Ret(u16::from(*s)),
            I::Ret_w(s) => Insn::Ret(*s),
            I::Tableswitch(s) => {
                let cases = s
                    .offsets
                    .iter()
                    .enumerate()
                    .map(|(i, o)| (s.low.wrapping_add(i as i32), relative(*o)));
                Insn::Switch(relative(s.default), cases.collect())
            }
            I::Lookupswitch(s) => Insn::Switch(
                relative(s.default),
                s.pairs.iter().map(|(k, o)| (*k, relative(*o))).collect(),
            ),
            I::Ireturn => Insn::Return(Some(Some(Int))),
            I::Lreturn => Insn::Return(Some(Some(Long))),
            I::Freturn => Insn::Return(Some(Some(Float))),
            I::Dreturn => Insn::Return(Some(Some(Double))),
            I::Areturn => Insn::Return(Some(None)),
            I::Return => Insn::Return(None),
            I::Getstatic(i) => Insn::GetStatic(field(i)?),
            I::Putstatic(i) => Insn::PutStatic(field(i)?),
            I::Getfield(i) => Insn::GetField(field(i)?),
            I::Putfield(i) => Insn::PutField(field(i)?),
            I::Invokevirtual(i) => Insn::Invoke(InvokeKind::Virtual, field(i)?),
            I::Invokespecial(i) => Insn::Invoke(InvokeKind::Special, field(i)?),
            I::Invokestatic(i) => Insn::Invoke(InvokeKind::Static, field(i)?),
            I::Invokeinterface(i, _) => Insn::Invoke(InvokeKind::Interface, field(i)?),
            I::Invokedynamic(i) => {
                let (bootstrap, name_and_type) = self.pool.try_get_invoke_dynamic(*i)?;
                Insn::InvokeDynamic(self.dynamic(*bootstrap, *name_and_type)?)
            }
            I::New(i) => Insn::New(self.class(*i)?),
            I::Newarray(kind) => Insn::NewArray(match kind {
                ArrayType::Boolean => Prim::Boolean,
                ArrayType::Char => Char,
                ArrayType::Float => Float,
                ArrayType::Double => Double,
                ArrayType::Byte => Byte,
                ArrayType::Short => Short,
                ArrayType::Int => Int,
                ArrayType::Long => Long,
            }),
            I::Anewarray(i) => Insn::ANewArray(self.class(*i)?),
            I::Multianewarray(i, n) => Insn::MultiANewArray(self.class(*i)?, *n),
            I::Arraylength => Insn::ArrayLength,
            I::Athrow => Insn::Athrow,
            I::Checkcast(i) => Insn::CheckCast(self.class(*i)?),
            I::Instanceof(i) => Insn::InstanceOf(self.class(*i)?),
            I::Monitorenter => Insn::MonitorEnter,
            I::Monitorexit => Insn::MonitorExit,
        })
    }
}

/// Where each instruction begins, in bytes.
fn byte_offsets(code: &[I]) -> Vec<u32> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut offsets = Vec::with_capacity(code.len());
    for insn in code {
        let start = bytes.position();
        offsets.push(start as u32);
        // Only a jump can fail, as its target is an index by now: its length is that of opcode and offset.
        if insn.to_bytes(&mut bytes).is_err() {
            let wide = matches!(insn, I::Goto_w(_) | I::Jsr_w(_));
            bytes.set_position(start + if wide { 5 } else { 3 });
        }
    }
    offsets
}

/// Names of the parameters, from the variables live at the method's start.
fn parameter_names(method: &Method, code: &Code) -> Vec<Arc<str>> {
    let mut slot = u16::from(method.access & super::access::STATIC == 0);
    let mut names = Vec::new();
    for parameter in super::parameter_descriptors(&method.descriptor) {
        let at_start = code.locals.iter().find(|v| v.slot == slot && v.start == 0);
        match at_start {
            Some(variable) => names.push(variable.name.clone()),
            None => return Vec::new(),
        }
        slot += if matches!(&*parameter, "J" | "D") {
            2
        } else {
            1
        };
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{I, byte_offsets};

    #[test]
    fn instructions_begin_where_the_jvm_counts() {
        let code = [
            I::Iload_0,
            I::Invokestatic(7),
            I::Istore_1,
            I::Goto(0),
            I::Bipush(3),
            I::Return,
        ];
        assert_eq!(byte_offsets(&code), [0, 1, 4, 5, 8, 10]);
    }
}
