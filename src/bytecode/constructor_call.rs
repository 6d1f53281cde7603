//! Constructor calls that differ between the versions: Java has no syntax for a choice between two, but class files do.

use super::SHADOW;
use super::class_file::{ClassFile, Cmp, Code, Const, Insn, InvokeKind, MemberRef};
use std::sync::Arc;

/// The method of `Shadow` that stands for the old version's `this(…)` or `super(…)`.
const MARK: &str = "oldCall";

/// Gives the constructors that `unified` marks the old version's call beside the new one's: each version begins with its own. What
/// can't be moved keeps its mark, which no projection accepts.
pub(super) fn restore(unified: &mut ClassFile, old: Option<&ClassFile>) {
    let (name, parent) = (unified.name.clone(), unified.super_name.clone());
    for method in unified.methods.iter_mut().filter(|m| &*m.name == "<init>") {
        let Some(code) = &mut method.code else {
            continue;
        };
        let Some(at) = code.insns.iter().position(is_mark) else {
            continue;
        };
        let twin = old.and_then(|c| {
            let twin = c.method(&method.name, &method.descriptor)?;
            Some((c, twin.code.as_ref()?))
        });
        let woven = twin.and_then(|(class, twin)| {
            let from = call(twin, &class.name, class.super_name.as_deref())?;
            let to = call(code, &name, parent.as_deref())?;
            let begin = &twin.insns[..=from];
            begin.iter().all(|i| can_move(i, &class.name)).then(|| {
                let mut shared = (**code).clone();
                shared.insns[at] = Insn::Nop;
                // The text that the mark was called with.
                shared.insns[at - 1] = Insn::Nop;
                (begin, shared, to)
            })
        });
        if let Some((begin, shared, to)) = woven {
            let locals = twin.map_or(0, |t| t.1.max_locals);
            *code = Arc::new(either(begin, locals, shared, to));
        }
    }
}

fn is_mark(insn: &Insn) -> bool {
    matches!(insn, Insn::Invoke(_, m) if *m.class == *SHADOW && &*m.name == MARK)
}

/// Where a constructor calls another one or the superclass's (JVMS §4.10.2.4): the first such call that is not of a new object.
fn call(code: &Code, class: &str, parent: Option<&str>) -> Option<usize> {
    let mut open = 0usize;
    code.insns.iter().position(|insn| match insn {
        Insn::New(_) => {
            open += 1;
            false
        }
        Insn::Invoke(InvokeKind::Special, m) if &*m.name == "<init>" => {
            let own = open == 0 && (*m.class == *class || Some(&*m.class) == parent);
            open = open.saturating_sub(1);
            own
        }
        _ => false,
    })
}

/// Whether the instruction means the same in the unified class: its lambdas and numbered classes are others.
fn can_move(insn: &Insn, class: &str) -> bool {
    let numbered = |name: &str| {
        let digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        name.split('$').skip(1).any(digit)
    };
    match insn {
        Insn::New(c) => !numbered(c),
        Insn::Invoke(_, m) => !numbered(&m.class) && !m.name.starts_with("access$"),
        Insn::InvokeDynamic(site) => site.args.iter().all(
            |arg| !matches!(arg, Const::MethodHandle(h) if *h.class == *class && h.name.starts_with("lambda$")),
        ),
        _ => true,
    }
}

/// `execute(OLD)` and the old beginning, else the new one up to its call; then what the versions share.
fn either(begin: &[Insn], locals: u16, shared: Code, call: usize) -> Code {
    let version = "Lcom/shadowci/Shadow$Version;";
    let member = |name: &str, descriptor: String| {
        Arc::new(MemberRef {
            class: Arc::from(SHADOW),
            name: Arc::from(name),
            descriptor: Arc::from(descriptor),
        })
    };
    const TEST: u32 = 3;
    // The test, the old beginning and the jump over the new one.
    let by = TEST + begin.len() as u32 + 1;
    let line = shared.lines.get(call).copied().unwrap_or(0);
    let mut insns = vec![
        Insn::GetStatic(member("OLD", version.into())),
        Insn::Invoke(
            InvokeKind::Static,
            member("execute", format!("({version})Z")),
        ),
        Insn::If(Cmp::Eq, by),
    ];
    insns.extend(begin.iter().map(|i| moved(i.clone(), TEST)));
    insns.push(Insn::Goto(by + call as u32 + 1));
    let mut lines = vec![line; insns.len()];
    insns.extend(shared.insns.into_iter().map(|i| moved(i, by)));
    lines.extend(shared.lines);
    let mut handlers = shared.handlers;
    for handler in &mut handlers {
        handler.start += by;
        handler.end += by;
        handler.target += by;
    }
    let mut variables = shared.locals;
    for variable in &mut variables {
        // Parameters are there from the beginning.
        variable.start = if variable.start == 0 {
            0
        } else {
            variable.start + by
        };
        variable.end += by;
    }
    Code {
        max_locals: shared.max_locals.max(locals),
        insns,
        lines,
        handlers,
        locals: variables,
    }
}

fn moved(mut insn: Insn, by: u32) -> Insn {
    match &mut insn {
        Insn::Goto(to)
        | Insn::Jsr(to)
        | Insn::If(_, to)
        | Insn::IfIcmp(_, to)
        | Insn::IfAcmp(_, to)
        | Insn::IfNull(_, to) => *to += by,
        Insn::Switch(default, cases) => {
            *default += by;
            cases.iter_mut().for_each(|c| c.1 += by);
        }
        _ => {}
    }
    insn
}
