//! One version of the program as local proofs see it: classes, what a call may come to, and which changed methods that reaches.

use crate::bytecode::ClassPath;
use crate::bytecode::class_file::{
    ClassFile, Code, Const, Insn, InvokeKind, MemberRef, Method, MethodHandle,
};
use crate::impact::{self, Hierarchy, Marks, Reach};
use crate::model::MethodId;
use bit_set::BitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// `ACC_PRIVATE`, `ACC_STATIC`, `ACC_FINAL`, `ACC_SYNCHRONIZED` (JVMS table 4.6-A).
pub const PRIVATE: u16 = 0x0002;
/// Static.
pub const STATIC: u16 = 0x0008;
/// Final.
pub const FINAL: u16 = 0x0010;
/// Synchronized.
pub const SYNCHRONIZED: u16 = 0x0020;
/// `ACC_VOLATILE` (JVMS table 4.5-A).
pub const VOLATILE: u16 = 0x0040;
const SYNTHETIC: u16 = 0x1000;

/// Nested lambdas are read this deep.
const MAX_NESTED: u32 = 8;

/// A method with a body.
#[derive(Clone)]
pub struct Body {
    /// Its class.
    pub class: Arc<ClassFile>,
    /// The method.
    pub method: Arc<Method>,
    /// Its code.
    pub code: Arc<Code>,
}

/// A field as its class declares it.
pub struct FieldOf {
    /// The class that declares it.
    pub owner: Arc<str>,
    /// Access flags.
    pub access: u16,
}

/// One version.
pub struct Version {
    classes: FxHashMap<Arc<str>, Arc<ClassFile>>,
    library: Arc<ClassPath>,
    hierarchy: Hierarchy,
    reach: Reach,
    outside: Outside,
}

/// Names that stand in source files of the project which were not compiled: what code there may extend or call.
pub type Names = FxHashSet<String>;

/// What code of the project may do that was not compiled.
struct Outside {
    names: Names,
    /// Numbers of the changed methods that it may come to.
    comes_to: BitSet,
}

/// The name under which looking up members at run time is counted among what changed, where members did.
const REFLECTION: &str = "reflection";

impl Version {
    /// Of the classes of a build, over a library. `marks` are the changed methods, by number.
    pub fn new(
        classes: &[Arc<ClassFile>],
        library: Arc<ClassPath>,
        marks: &Marks,
        names: Names,
    ) -> Version {
        let reach = Reach::new(classes.to_vec(), marks);
        let mut comes_to = BitSet::new();
        if !names.is_empty() {
            for class in classes {
                for method in &class.methods {
                    let name = match &*method.name {
                        "<init>" => simple(&class.name),
                        name => name,
                    };
                    let first = method.code.as_ref().map(|c| reach.from(c));
                    if names.contains(name)
                        && let Some(first) = first.as_ref().and_then(|f| f.first())
                    {
                        comes_to.union_with(first);
                    }
                }
            }
        }
        Version {
            classes: by_name(classes),
            library,
            hierarchy: Hierarchy::of(classes.to_vec()),
            reach,
            outside: Outside { names, comes_to },
        }
    }

    /// Whether all subclasses of a class of the project are known.
    fn is_closed(&self, class: &str) -> bool {
        if self.outside.names.is_empty() {
            return true;
        }
        let below = |c: &Arc<ClassFile>| self.is_subclass(&c.name, class) != Some(false);
        let all = self.classes.values().filter(|c| below(c));
        !all.into_iter()
            .any(|c| self.outside.names.contains(simple(&c.name)))
    }

    /// The class of that internal name, of the project or not; none if it can't be read.
    pub fn class(&self, name: &str) -> Option<Arc<ClassFile>> {
        match self.classes.get(name) {
            Some(own) => Some(own.clone()),
            None => self.library.find(name).ok().flatten(),
        }
    }

    /// Whether the project has the class.
    pub fn is_own(&self, name: &str) -> bool {
        self.classes.contains_key(name)
    }

    /// The method of that id.
    pub fn method(&self, id: &MethodId) -> Option<Body> {
        let class = self.classes.get(id.class.replace('.', "/").as_str())?;
        let is = |m: &&Method| *m.name == *id.name && *m.descriptor == *id.descriptor;
        body_of(class, class.methods.iter().find(is)?)
    }

    /// Numbers of the changed methods that an instruction may come to by calls.
    pub fn comes_to(&self, insn: &Insn) -> BitSet {
        let mut all = self.reach.by_calls(insn);
        all.union_with(&self.outside.comes_to);
        all
    }

    /// The class and its ancestors that can be read, superclasses first; whether all of them can.
    fn ancestors(&self, name: &str) -> (Vec<Arc<ClassFile>>, bool) {
        let (mut found, mut whole) = (Vec::new(), true);
        let mut todo: Vec<Arc<str>> = vec![Arc::from(name)];
        let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
        while let Some(next) = todo.pop() {
            if !seen.insert(next.clone()) {
                continue;
            }
            match self.class(&next) {
                Some(class) => {
                    todo.extend(class.interfaces.iter().cloned());
                    todo.extend(class.super_name.clone());
                    found.push(class);
                }
                None => whole = false,
            }
        }
        (found, whole)
    }

    /// Whether one class is another or below it; `None` where that can't be read.
    pub fn is_subclass(&self, class: &str, of: &str) -> Option<bool> {
        if class == of || of == "java/lang/Object" {
            return Some(true);
        }
        if class.starts_with('[') || of.starts_with('[') {
            return None;
        }
        let (all, whole) = self.ancestors(class);
        let found = all.iter().any(|c| *c.name == *of);
        (found || whole).then_some(found)
    }

    /// Where a field is declared (JVMS §5.4.3.2).
    pub fn field(&self, member: &MemberRef) -> Option<FieldOf> {
        let (all, _) = self.ancestors(&member.class);
        all.iter().find_map(|class| {
            let fields = class.fields.iter();
            let mut named =
                fields.filter(|f| f.name == member.name && f.descriptor == member.descriptor);
            named.next().map(|f| FieldOf {
                owner: class.name.clone(),
                access: f.access,
            })
        })
    }

    /// Where the method that a call names is declared, with a body or without.
    pub fn declaration(&self, member: &MemberRef) -> Option<(Arc<ClassFile>, u16)> {
        let (mut all, _) = self.ancestors(&member.class);
        // Superclasses go before interfaces.
        all.sort_by_key(|c| c.access & 0x0200 != 0);
        all.iter().find_map(|class| {
            let is = |m: &&Method| m.name == member.name && m.descriptor == member.descriptor;
            let found = class.methods.iter().find(is)?;
            Some((class.clone(), found.access))
        })
    }

    /// The classes whose initialisers run when that class is first used, itself or above it, unless they do nothing: those of
    /// the JDK are taken to have no effect that can be seen.
    pub fn needs_initialising(&self, name: &str) -> bool {
        let (all, whole) = self.ancestors(name);
        let runs = |c: &&Arc<ClassFile>| {
            !is_jdk(&c.name) && c.methods.iter().any(|m| &*m.name == "<clinit>")
        };
        !whole || all.iter().any(|c| runs(&c))
    }

    /// The only body that a call can come to, where there is one in the project.
    pub fn only_target(&self, kind: InvokeKind, member: &MemberRef) -> Option<Body> {
        let insn = Insn::Invoke(kind, Arc::new(member.clone()));
        if kind == InvokeKind::Static {
            return self.declared(member);
        }
        if kind == InvokeKind::Special {
            return self.declared(member);
        }
        let targets = self.hierarchy.targets(&insn);
        let [only] = targets.known[..] else {
            return None;
        };
        if targets.unknown || !self.is_own(&member.class) {
            return None;
        }
        let (class, method) = self.hierarchy.method(only)?;
        let class = self.classes.get(&class.name)?;
        let is_final = (method.access & (PRIVATE | FINAL)) | (class.access & FINAL) != 0;
        if !is_final && !self.is_closed(&member.class) {
            return None;
        }
        body_of(class, method)
    }

    /// The method of the superclass chain that a static or special call names.
    fn declared(&self, member: &MemberRef) -> Option<Body> {
        let mut at = Some(member.class.clone());
        while let Some(name) = at {
            let class = self.classes.get(&name)?;
            let is = |m: &&Method| m.name == member.name && m.descriptor == member.descriptor;
            if let Some(method) = class.methods.iter().find(is) {
                return body_of(class, method);
            }
            at = class.super_name.clone();
        }
        None
    }

    /// Code of a lambda's body, where a handle is to one.
    pub fn lambda(&self, handle: &MethodHandle) -> Option<Body> {
        let class = self.classes.get(&handle.class)?;
        let is = |m: &&Method| {
            m.name == handle.name && m.descriptor == handle.descriptor && m.access & SYNTHETIC != 0
        };
        body_of(class, class.methods.iter().find(is)?)
    }

    /// A body as text in which lambdas stand by what they do, not by their number.
    pub fn text(&self, body: &Body) -> Option<String> {
        text(&self.classes, &body.code, 0)
    }

    /// Instructions of a lambda's body and of those in it.
    pub fn instructions(&self, body: &Body) -> Vec<Insn> {
        let mut out = Vec::new();
        let mut todo = vec![(body.clone(), 0)];
        while let Some((next, depth)) = todo.pop() {
            for insn in &next.code.insns {
                if let Insn::InvokeDynamic(site) = insn
                    && depth < MAX_NESTED
                {
                    let handles = site.args.iter().filter_map(|a| match a {
                        Const::MethodHandle(h) => self.lambda(h),
                        _ => None,
                    });
                    todo.extend(handles.map(|b| (b, depth + 1)));
                }
                out.push(insn.clone());
            }
        }
        out
    }
}

/// The simple name of a class, its outer classes left aside.
fn simple(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

/// Whether an instruction looks up members at run time, other than one whose name stands before it and did not change.
pub fn looks_up(insns: &[Insn], at: usize, changed: &BTreeSet<String>) -> bool {
    let Some(Insn::Invoke(_, member)) = insns.get(at) else {
        return false;
    };
    if &*member.class != "java/lang/Class" {
        return false;
    }
    let by_name = matches!(
        &*member.name,
        "getMethod" | "getDeclaredMethod" | "getField" | "getDeclaredField"
    );
    let listed = ["s", "Classes"].iter().any(|e| member.name.ends_with(e))
        && [
            "getMethod",
            "getDeclared",
            "getField",
            "getConstructor",
            "getInterface",
            "getClass",
        ]
        .iter()
        .any(|b| member.name.starts_with(b));
    let constructor = member.name.ends_with("Constructor") && changed.contains("<init>");
    if !by_name {
        return listed || constructor;
    }
    for insn in insns[..at].iter().rev() {
        match insn {
            Insn::Const(Const::Str(units)) => {
                return changed.contains(&String::from_utf16_lossy(units));
            }
            Insn::Const(_)
            | Insn::AconstNull
            | Insn::ANewArray(_)
            | Insn::Dup
            | Insn::ArrayStore(None)
            | Insn::GetStatic(_) => {}
            _ => return true,
        }
    }
    true
}

/// Names of the members that one of two classes has and the other has not, or otherwise.
fn other_members(a: &ClassFile, b: &ClassFile) -> BTreeSet<String> {
    let all = |c: &ClassFile| -> BTreeSet<(String, String, u16)> {
        let fields = c.fields.iter().map(|f| (&f.name, &f.descriptor, f.access));
        let methods = c.methods.iter().map(|m| (&m.name, &m.descriptor, m.access));
        fields
            .chain(methods)
            .map(|(n, d, a)| (n.to_string(), d.to_string(), a))
            .collect()
    };
    let (x, y) = (all(a), all(b));
    x.symmetric_difference(&y).map(|m| m.0.clone()).collect()
}

/// The JDK's packages.
pub fn is_jdk(class: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/"]
        .iter()
        .any(|p| class.starts_with(p))
}

fn body_of(class: &Arc<ClassFile>, method: &Method) -> Option<Body> {
    Some(Body {
        class: class.clone(),
        code: method.code.clone()?,
        method: Arc::new(method.clone()),
    })
}

fn by_name(classes: &[Arc<ClassFile>]) -> FxHashMap<Arc<str>, Arc<ClassFile>> {
    classes
        .iter()
        .map(|c| (c.name.clone(), c.clone()))
        .collect()
}

/// Instructions and handlers as text, lambdas by their own text; none where they nest too deep.
fn text(classes: &FxHashMap<Arc<str>, Arc<ClassFile>>, code: &Code, depth: u32) -> Option<String> {
    if depth > MAX_NESTED {
        return None;
    }
    let mut out = String::new();
    for insn in &code.insns {
        let Insn::InvokeDynamic(site) = insn else {
            out.push_str(&format!("{insn:?};"));
            continue;
        };
        out.push_str(&format!(
            "{} {} {:?}",
            site.name, site.descriptor, site.bootstrap
        ));
        for arg in &site.args {
            let body = match arg {
                Const::MethodHandle(h) => lambda_code(classes, h),
                _ => None,
            };
            match body {
                Some((access, code)) => {
                    out.push_str(&format!(
                        "{{{access} {}}}",
                        text(classes, &code, depth + 1)?
                    ));
                }
                None => out.push_str(&format!("{arg:?},")),
            }
        }
    }
    out.push_str(&format!("{:?}", code.handlers));
    Some(out)
}

fn lambda_code(
    classes: &FxHashMap<Arc<str>, Arc<ClassFile>>,
    handle: &MethodHandle,
) -> Option<(String, Arc<Code>)> {
    let class = classes.get(&handle.class)?;
    let method = class.methods.iter().find(|m| {
        m.name == handle.name && m.descriptor == handle.descriptor && m.access & SYNTHETIC != 0
    })?;
    handle.name.starts_with("lambda$").then_some(())?;
    let kind = format!("{} {} {}", handle.kind, handle.class, method.descriptor);
    Some((kind, method.code.clone()?))
}

/// The changed methods of two builds, numbered in order.
pub struct Changes {
    /// Methods whose code differs or that one version alone has, as far as unchanged code may come to them.
    pub numbers: Vec<MethodId>,
    /// Why no proof can be given at all.
    pub blocked: Option<String>,
    /// Names of members that one version alone has.
    pub members: BTreeSet<String>,
    old: Places,
    new: Places,
}

/// Instructions that a mark stands at: the first of a changed method, or those that look up members.
type Places = BTreeMap<MethodId, BTreeMap<u32, MethodId>>;

fn reflection() -> MethodId {
    MethodId {
        class: String::new(),
        name: REFLECTION.into(),
        descriptor: String::new(),
    }
}

/// Whether some body stands for code that did not compile: what that calls is not known.
fn has_gaps(class: &ClassFile) -> bool {
    let codes = class.methods.iter().filter_map(|m| m.code.as_ref());
    let mut insns = codes.flat_map(|c| &c.insns);
    insns.any(|i| matches!(i, Insn::Invoke(_, m) if &*m.class == "com/shadowci/NotCompiled"))
}

/// Where members are looked up.
fn lookups(classes: &[Arc<ClassFile>], members: &BTreeSet<String>) -> Places {
    let mut out = Places::new();
    if members.is_empty() {
        return out;
    }
    for class in classes {
        for method in &class.methods {
            let Some(code) = &method.code else { continue };
            for at in 0..code.insns.len() {
                if looks_up(&code.insns, at, members) {
                    let marks = out.entry(impact::id(class, method)).or_default();
                    marks.insert(at as u32, reflection());
                }
            }
        }
    }
    out
}

impl Changes {
    /// Compares two builds.
    pub fn of(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>], library: &ClassPath) -> Changes {
        let (a, b) = (by_name(old), by_name(new));
        let (mut blocked, mut in_old, mut in_new) = (None, BTreeSet::new(), BTreeSet::new());
        let mut members = BTreeSet::new();
        if old.iter().chain(new).any(|c| has_gaps(c)) {
            blocked = Some("some code does not compile".into());
        }
        for (name, class) in &a {
            // What only one version has is made by changed code alone.
            let Some(twin) = b.get(name) else {
                continue;
            };
            let shape = |c: &ClassFile| {
                let kind = c.access & 0x7600;
                (c.super_name.clone(), c.interfaces.clone(), kind)
            };
            if shape(class) != shape(twin) {
                blocked = Some(format!("{} has other supertypes", name.replace('/', ".")));
            }
            members.extend(other_members(class, twin));
            let (mine, theirs) = ((&a, &**class), (&b, &**twin));
            let changed: BTreeSet<MethodId> = changed(mine, theirs, library)
                .chain(changed(theirs, mine, library))
                .collect();
            in_old.extend(changed.iter().cloned());
            in_new.extend(changed);
            in_old.extend(changed_lambdas(mine, theirs));
            in_new.extend(changed_lambdas(theirs, mine));
        }
        let mut all: BTreeSet<MethodId> = in_old.union(&in_new).cloned().collect();
        all.insert(reflection());
        let places = |ids: BTreeSet<MethodId>, classes: &[Arc<ClassFile>]| {
            let mut out = lookups(classes, &members);
            for id in ids {
                out.entry(id.clone()).or_default().insert(0, id);
            }
            out
        };
        Changes {
            numbers: all.into_iter().collect(),
            blocked,
            old: places(in_old, old),
            new: places(in_new, new),
            members,
        }
    }

    /// For the reachability of each, in the old version and in the new one.
    pub fn marks(&self) -> [Marks; 2] {
        [&self.old, &self.new].map(|places| {
            let numbered = |marks: &BTreeMap<u32, MethodId>| {
                let all = marks
                    .iter()
                    .filter_map(|(pc, id)| Some((*pc, self.number(id)?)));
                all.collect()
            };
            let all = places.iter().map(|(id, m)| (id.clone(), numbered(m)));
            all.collect()
        })
    }

    /// The number of looking up members at run time.
    pub fn reflection(&self) -> Option<usize> {
        self.number(&reflection())
    }

    /// The number of a method.
    pub fn number(&self, id: &MethodId) -> Option<usize> {
        self.numbers.binary_search(id).ok()
    }
}

type Classes<'a> = &'a FxHashMap<Arc<str>, Arc<ClassFile>>;

fn is_lambda(method: &Method) -> bool {
    method.access & SYNTHETIC != 0 && method.name.starts_with("lambda$")
}

/// Methods of a class that the other version has not, or with other code; lambdas left aside.
fn changed<'a>(
    (mine, class): (Classes<'a>, &'a ClassFile),
    (theirs, twin): (Classes<'a>, &'a ClassFile),
    library: &'a ClassPath,
) -> impl Iterator<Item = MethodId> + 'a {
    let methods = class.methods.iter().filter(|m| !is_lambda(m));
    let changed = methods.filter(move |method| {
        let same = |m: &&Method| m.name == method.name && m.descriptor == method.descriptor;
        match twin.methods.iter().find(same) {
            Some(m) => !is_same((mine, method), (theirs, m)),
            None => is_related((mine, library), class, method),
        }
    });
    changed.map(|m| impact::id(class, m))
}

/// Lambdas of a class that the other version lacks, while it has one of the same method and type that this one lacks.
fn changed_lambdas(
    (mine, class): (Classes, &ClassFile),
    (theirs, twin): (Classes, &ClassFile),
) -> Vec<MethodId> {
    type Lambda<'a> = (&'a Method, String, Option<String>);
    fn all<'a>(classes: Classes, class: &'a ClassFile) -> Vec<Lambda<'a>> {
        let lambdas = class.methods.iter().filter(|m| is_lambda(m));
        let keyed = lambdas.map(|m| {
            let outer = m.name.rsplit_once('$').map_or("", |n| n.0);
            let code = m.code.as_ref().and_then(|c| text(classes, c, 0));
            (m, format!("{outer}{}", m.descriptor), code)
        });
        keyed.collect()
    }
    let (a, b) = (all(mine, class), all(theirs, twin));
    let lacks = |(_, key, code): &Lambda, others: &[Lambda]| {
        !others
            .iter()
            .any(|o| o.1 == *key && o.2.is_some() && o.2 == *code)
    };
    let replaced = |l: &&Lambda| lacks(l, &b) && b.iter().any(|o| o.1 == l.1 && lacks(o, &a));
    a.iter()
        .filter(replaced)
        .map(|l| impact::id(class, l.0))
        .collect()
}

fn is_same((a, x): (Classes, &Method), (b, y): (Classes, &Method)) -> bool {
    // What a call does depends on these flags as well.
    if (x.access ^ y.access) & !0x1000 != 0 {
        return false;
    }
    match (&x.code, &y.code) {
        (None, None) => true,
        (Some(p), Some(q)) => {
            matches!((text(a, p, 0), text(b, q, 0)), (Some(s), Some(t)) if s == t)
        }
        _ => false,
    }
}

/// Whether unchanged code may come to a method that the other version lacks: it overrides one, or one overrides it, or it
/// initialises the class. Others are called by their name, by changed code.
fn is_related((own, library): (Classes, &ClassPath), class: &ClassFile, method: &Method) -> bool {
    if &*method.name == "<clinit>" {
        return true;
    }
    if method.access & PRIVATE != 0 || &*method.name == "<init>" {
        return false;
    }
    let is = |m: &Method| m.name == method.name && m.descriptor == method.descriptor;
    // Any class that declares the same may be an ancestor, or a descendant, or both be below one type.
    if own
        .values()
        .any(|c| c.name != class.name && c.methods.iter().any(is))
    {
        return true;
    }
    let mut todo: Vec<Arc<str>> = class.interfaces.clone();
    todo.extend(class.super_name.clone());
    let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let found = match own.get(&name) {
            Some(own) => Some(own.clone()),
            None => library.find(&name).ok().flatten(),
        };
        let Some(parent) = found else {
            return true;
        };
        if parent.methods.iter().any(is) {
            return true;
        }
        todo.extend(parent.interfaces.iter().cloned());
        todo.extend(parent.super_name.clone());
    }
    false
}
