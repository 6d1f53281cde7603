//! Code for the call sites of records' methods (`ObjectMethods`) and of pattern switches (`SwitchBootstraps`), as their
//! specifications in `java.lang.runtime` say.

use crate::bytecode::BOXES;
use crate::bytecode::class_file::{
    BinOp, Cmp, Const, DynamicRef, Insn, InvokeKind, MemberRef, MethodHandle, Prim,
};
use crate::model::Spelling;
use crate::model::reason::Reason;
use crate::symex::class::linker::class_name_of;
use crate::symex::class::split_descriptor;
use crate::symex::state::interruption::{Interruption, Step, Stop};
use crate::symex::vm::synthetic::{invoke, kind, size};
use std::sync::Arc;

/// Locals and instructions of a synthetic method.
pub(in crate::symex) type Body = (u16, Vec<Insn>);

fn unsupported(what: &str) -> Interruption {
    Stop::unsupported(Reason::UnsupportedInvokedynamic, what).into()
}

/// A record component: its field, read through a handle of the call site.
fn getters(site: &DynamicRef) -> Step<Vec<Arc<MemberRef>>> {
    let handles = site.args.iter().skip(2).map(|arg| match arg {
        Const::MethodHandle(MethodHandle {
            kind: 1,
            class,
            name,
            descriptor,
            ..
        }) => Ok(Arc::new(MemberRef {
            class: class.clone(),
            name: name.clone(),
            descriptor: descriptor.clone(),
        })),
        _ => Err(unsupported("record component without a field")),
    });
    handles.collect()
}

/// `ObjectMethods.bootstrap`: `simple` is the record's simple name.
pub(in crate::symex) fn record_method(site: &DynamicRef, simple: &str) -> Step<Body> {
    let Some(Const::Class(record)) = site.args.first() else {
        return Err(unsupported("record methods without a record"));
    };
    let fields = getters(site)?;
    match &*site.name {
        "equals" => Ok(equals(record, &fields)),
        "hashCode" => Ok(hash_code(&fields)),
        "toString" => {
            let names = match site.args.get(1) {
                Some(Const::Str(units)) => String::from_utf16_lossy(units),
                _ => String::new(),
            };
            Ok(to_string(simple, &fields, &names))
        }
        other => Err(unsupported(other)),
    }
}

/// The same object, or a record of the same class whose components are equal; components are compared last one first.
fn equals(record: &Arc<str>, fields: &[Arc<MemberRef>]) -> Body {
    let mut code = Listing::default();
    let (other, unequal) = (code.label(), code.label());
    code.push([Insn::Load(None, 0), Insn::Load(None, 1)]);
    code.jump(|to| Insn::IfAcmp(Cmp::Ne, to), other);
    code.give(1);
    code.place(other);
    code.push([Insn::Load(None, 1), Insn::InstanceOf(record.clone())]);
    code.jump(|to| Insn::If(Cmp::Eq, to), unequal);
    code.push([
        Insn::Load(None, 1),
        Insn::CheckCast(record.clone()),
        Insn::Store(None, 2),
    ]);
    for field in fields.iter().rev() {
        for record in [0, 2] {
            code.push([Insn::Load(None, record), Insn::GetField(field.clone())]);
        }
        let compare = |class, descriptor| invoke(InvokeKind::Static, class, "compare", descriptor);
        match &*field.descriptor {
            "J" => code.push([Insn::Lcmp]),
            "F" => code.push([compare("java/lang/Float", "(FF)I")]),
            "D" => code.push([compare("java/lang/Double", "(DD)I")]),
            reference if kind(reference).is_none() => {
                let both = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                code.push([invoke(
                    InvokeKind::Static,
                    "java/util/Objects",
                    "equals",
                    both,
                )]);
                code.jump(|to| Insn::If(Cmp::Eq, to), unequal);
                continue;
            }
            _ => {
                code.jump(|to| Insn::IfIcmp(Cmp::Ne, to), unequal);
                continue;
            }
        }
        code.jump(|to| Insn::If(Cmp::Ne, to), unequal);
    }
    code.give(1);
    code.place(unequal);
    code.give(0);
    (3, code.finish())
}

/// 31 times what was so far, plus the next component's hash code.
fn hash_code(fields: &[Arc<MemberRef>]) -> Body {
    let mut insns = vec![Insn::Const(Const::Int(0))];
    for field in fields {
        insns.extend([
            Insn::Const(Const::Int(31)),
            Insn::Bin(BinOp::Mul, Prim::Int),
            Insn::Load(None, 0),
            Insn::GetField(field.clone()),
        ]);
        let (class, given) = BOXES
            .iter()
            .find(|b| *b.0 == *field.descriptor)
            .map_or(("java/util/Objects", "Ljava/lang/Object;"), |b| (b.1, b.0));
        let descriptor = format!("({given})I");
        insns.push(invoke(InvokeKind::Static, class, "hashCode", &descriptor));
        insns.push(Insn::Bin(BinOp::Add, Prim::Int));
    }
    insns.push(Insn::Return(Some(Some(Prim::Int))));
    (1, insns)
}

/// `Name[x=1, y=2]`.
fn to_string(simple: &str, fields: &[Arc<MemberRef>], names: &str) -> Body {
    const BUILDER: &str = "java/lang/StringBuilder";
    let append = |descriptor: &str| {
        let descriptor = format!("({descriptor})L{BUILDER};");
        invoke(InvokeKind::Virtual, BUILDER, "append", &descriptor)
    };
    let text = |text: String| Insn::Const(Const::Str(text.encode_utf16().collect()));
    let mut insns = vec![
        Insn::New(Arc::from(BUILDER)),
        Insn::Dup,
        invoke(InvokeKind::Special, BUILDER, "<init>", "()V"),
    ];
    let mut before = format!("{simple}[");
    for (field, name) in fields.iter().zip(names.split(';')) {
        insns.extend([
            text(format!("{before}{name}=")),
            append("Ljava/lang/String;"),
            Insn::Load(None, 0),
            Insn::GetField(field.clone()),
            append(crate::symex::vm::synthetic::appended(&field.descriptor)),
        ]);
        before = ", ".into();
    }
    let end = if fields.is_empty() {
        format!("{before}]")
    } else {
        "]".into()
    };
    insns.extend([
        text(end),
        append("Ljava/lang/String;"),
        invoke(
            InvokeKind::Virtual,
            BUILDER,
            "toString",
            "()Ljava/lang/String;",
        ),
        Insn::Return(Some(None)),
    ]);
    (1, insns)
}

/// `SwitchBootstraps.typeSwitch` and `enumSwitch`: the index of the first label from the restart index on that fits the
/// target, -1 for null, the number of labels where none fits.
pub(in crate::symex) fn pattern_switch(site: &DynamicRef) -> Step<Body> {
    let (params, _) = split_descriptor(&site.descriptor);
    let target = params
        .first()
        .cloned()
        .unwrap_or_else(|| Arc::from("Ljava/lang/Object;"));
    let restart = size(&target);
    let mut code = Listing::default();
    if kind(&target).is_none() {
        let some = code.label();
        code.push([Insn::Load(None, 0)]);
        code.jump(|to| Insn::IfNull(Cmp::Ne, to), some);
        code.give(-1);
        code.place(some);
    }
    for (i, label) in site.args.iter().enumerate() {
        let next = code.label();
        code.push([
            Insn::Load(Some(Prim::Int), restart),
            Insn::Const(Const::Int(i as i32)),
        ]);
        code.jump(|to| Insn::IfIcmp(Cmp::Gt, to), next);
        fits(&mut code, &site.name, &target, label, next)?;
        code.give(i as i32);
        code.place(next);
    }
    code.give(site.args.len() as i32);
    Ok((restart + 1, code.finish()))
}

/// Goes to `next` unless the target fits the label.
fn fits(code: &mut Listing, kind: &str, target: &str, label: &Const, next: usize) -> Step<()> {
    match label {
        _ if self::kind(target).is_some() => {
            // Record patterns switch on components: a primitive always fits its own type.
            let own = matches!(label, Const::Dynamic(c)
                if &*c.bootstrap.name == "primitiveClass" && *c.name == *target);
            if !own {
                return Err(unsupported("conversion of a primitive in a pattern"));
            }
        }
        Const::Class(class) => {
            code.push([Insn::Load(None, 0), Insn::InstanceOf(class.clone())]);
            code.jump(|to| Insn::If(Cmp::Eq, to), next);
        }
        Const::Str(name) if kind == "enumSwitch" => {
            let class = class_name_of(target).unwrap_or_default();
            same_constant(code, &class, &String::from_utf16_lossy(name), next);
        }
        Const::Str(_) => {
            code.push([
                Insn::Const(label.clone()),
                Insn::Load(None, 0),
                invoke(
                    InvokeKind::Virtual,
                    "java/lang/String",
                    "equals",
                    "(Ljava/lang/Object;)Z",
                ),
            ]);
            code.jump(|to| Insn::If(Cmp::Eq, to), next);
        }
        Const::Int(_) => same_number(code, label, next),
        Const::Dynamic(constant) => {
            let (class, name) = enum_label(constant)?;
            code.push([Insn::Load(None, 0), Insn::InstanceOf(Arc::from(&*class))]);
            code.jump(|to| Insn::If(Cmp::Eq, to), next);
            same_constant(code, &class, &name, next);
        }
        _ => return Err(unsupported("label of a pattern switch")),
    }
    Ok(())
}

fn same_constant(code: &mut Listing, class: &str, name: &str, next: usize) {
    let field = MemberRef {
        class: Arc::from(class),
        name: Arc::from(name),
        descriptor: Arc::from(format!("L{class};")),
    };
    code.push([Insn::Load(None, 0), Insn::GetStatic(Arc::new(field))]);
    code.jump(|to| Insn::IfAcmp(Cmp::Ne, to), next);
}

/// An int label fits a number of that int value, and a character of that code.
fn same_number(code: &mut Listing, label: &Const, next: usize) {
    let (character, compared) = (code.label(), code.label());
    let unboxed = [
        ("java/lang/Number", "intValue", "()I"),
        ("java/lang/Character", "charValue", "()C"),
    ];
    for ((class, value, descriptor), otherwise) in unboxed.into_iter().zip([character, next]) {
        let class: Arc<str> = Arc::from(class);
        code.push([Insn::Load(None, 0), Insn::InstanceOf(class.clone())]);
        code.jump(|to| Insn::If(Cmp::Eq, to), otherwise);
        code.push([
            Insn::Load(None, 0),
            Insn::CheckCast(class.clone()),
            invoke(InvokeKind::Virtual, &class, value, descriptor),
        ]);
        if otherwise == character {
            code.jump(Insn::Goto, compared);
            code.place(character);
        }
    }
    code.place(compared);
    code.push([Insn::Const(label.clone())]);
    code.jump(|to| Insn::IfIcmp(Cmp::Ne, to), next);
}

/// Class and name behind a label that names an enum constant: `EnumDesc.of(ClassDesc.of("p.E"), "A")` as constants.
fn enum_label(constant: &DynamicRef) -> Step<(String, String)> {
    let text = |c: Option<&Const>| match c {
        Some(Const::Str(units)) => Some(String::from_utf16_lossy(units)),
        _ => None,
    };
    let class = match constant.args.get(1) {
        Some(Const::Dynamic(class)) => text(class.args.get(1)),
        _ => None,
    };
    match (constant.args.first(), class, text(constant.args.get(2))) {
        (Some(Const::MethodHandle(make)), Some(class), Some(name))
            if &*make.class == "java/lang/Enum$EnumDesc" =>
        {
            Ok((class.internal(), name))
        }
        _ => Err(unsupported("label of a pattern switch")),
    }
}

/// Instructions under construction, with labels for jumps ahead.
#[derive(Default)]
struct Listing {
    insns: Vec<Insn>,
    places: Vec<u32>,
    jumps: Vec<(usize, Jump, usize)>,
}

type Jump = fn(u32) -> Insn;

impl Listing {
    fn push(&mut self, insns: impl IntoIterator<Item = Insn>) {
        self.insns.extend(insns);
    }

    fn label(&mut self) -> usize {
        self.places.push(0);
        self.places.len() - 1
    }

    fn place(&mut self, label: usize) {
        self.places[label] = self.insns.len() as u32;
    }

    fn jump(&mut self, make: Jump, label: usize) {
        self.jumps.push((self.insns.len(), make, label));
        self.insns.push(Insn::Nop);
    }

    fn give(&mut self, result: i32) {
        self.push([
            Insn::Const(Const::Int(result)),
            Insn::Return(Some(Some(Prim::Int))),
        ]);
    }

    fn finish(mut self) -> Vec<Insn> {
        for (at, make, label) in self.jumps {
            self.insns[at] = make(self.places[label]);
        }
        self.insns
    }
}
