//! Tables of switches over enums: javac numbers the constants in the order in which the switches of an outer class name them. Both builds
//! are read with numbers that depend on the constants' names alone.

use crate::bytecode::class_file::{ClassFile, Code, Const, Insn, MemberRef, Prim};
use crate::model::Spelling;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How the names of javac's tables begin.
const PREFIX: &str = "$SwitchMap$";

/// Name of the field that stands for a table where both builds are read.
const TABLE: &str = "$SwitchMap";

/// Constants by their numbers.
type Rows = BTreeMap<i32, Arc<str>>;

/// The tables of a build, by class and name of the field.
type Tables = BTreeMap<(Arc<str>, Arc<str>), Rows>;

/// The tables of both builds.
#[derive(Default)]
pub(super) struct EnumTables {
    old: Tables,
    new: Tables,
    /// Names of constants; a case has the number of its name, counted from 1.
    names: Vec<Arc<str>>,
}

/// A switch over the element of a table: where the table and the switch are.
struct Use<'a> {
    table: usize,
    switch: usize,
    /// The enum.
    of: &'a Arc<str>,
}

/// Whether a field stands for a table.
pub(super) fn is_case_table(field: &MemberRef) -> bool {
    &*field.name == TABLE
}

impl EnumTables {
    /// The tables of two builds; none if some table, or a use of one, is not as javac makes them.
    pub(super) fn between(old: &[Arc<ClassFile>], new: &[Arc<ClassFile>]) -> EnumTables {
        let (Some(old), Some(new)) = (tables_of(old), tables_of(new)) else {
            return EnumTables::default();
        };
        let rows = old.values().chain(new.values());
        let names: BTreeSet<Arc<str>> = rows.flat_map(|r| r.values().cloned()).collect();
        EnumTables {
            old,
            new,
            names: names.into_iter().collect(),
        }
    }

    /// Names of constants, by the numbers that they have as cases less 1.
    pub(super) fn names(&self) -> Vec<Arc<str>> {
        self.names.clone()
    }

    /// The old build.
    pub(super) fn read_old(&self, old: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        self.read(old, &self.old)
    }

    /// The new build.
    pub(super) fn read_new(&self, new: &[Arc<ClassFile>]) -> Vec<Arc<ClassFile>> {
        self.read(new, &self.new)
    }

    /// Whether the class only holds tables, and no number means one constant in the old version and another in the new one: then code
    /// that is the same instruction by instruction means the same cases.
    pub(super) fn keep_their_numbers(&self, class: &str) -> bool {
        let outer = |class: &str| class.outermost().to_string();
        let of = |all: &Tables| all.keys().any(|(owner, _)| **owner == *class);
        let agree =
            |a: &Rows, b: &Rows| a.iter().all(|(n, name)| b.get(n).is_none_or(|o| o == name));
        let known = of(&self.new) || of(&self.old);
        known
            && self.old.iter().all(|((a, field), mine)| {
                let twins = self.new.iter().filter(|((b, other), _)| {
                    other == field && outer(a) == outer(b) && outer(a) == outer(class)
                });
                twins.into_iter().all(|(_, theirs)| agree(mine, theirs))
            })
    }

    fn read(&self, build: &[Arc<ClassFile>], tables: &Tables) -> Vec<Arc<ClassFile>> {
        if self.names.is_empty() {
            return build.to_vec();
        }
        let class = |c: &Arc<ClassFile>| {
            if tables.keys().any(|(owner, _)| *owner == c.name) {
                // Nothing else uses it.
                return Arc::new(ClassFile {
                    fields: Vec::new(),
                    methods: Vec::new(),
                    ..(**c).clone()
                });
            }
            let reads = |code: &Code| code.insns.iter().any(is_table_read);
            if !c
                .methods
                .iter()
                .any(|m| m.code.as_deref().is_some_and(reads))
            {
                return c.clone();
            }
            let mut class = (**c).clone();
            for method in &mut class.methods {
                if let Some(code) = method.code.as_ref().filter(|c| reads(c)) {
                    method.code = self.code(code, tables).map(Arc::new);
                }
            }
            Arc::new(class)
        };
        build.iter().map(class).collect()
    }

    /// Code that names the enum in place of the table, and has the cases' own numbers.
    fn code(&self, code: &Code, tables: &Tables) -> Option<Code> {
        let mut out = code.clone();
        for place in uses(&code.insns)? {
            let Insn::GetStatic(table) = &code.insns[place.table] else {
                return None;
            };
            let rows = tables.get(&(table.class.clone(), table.name.clone()))?;
            let Insn::Switch(default, cases) = &code.insns[place.switch] else {
                return None;
            };
            let number = |(key, to): &(i32, u32)| {
                let at = self.names.binary_search(rows.get(key)?).ok()?;
                Some((at as i32 + 1, *to))
            };
            let mut cases: Vec<(i32, u32)> = cases.iter().map(number).collect::<Option<_>>()?;
            cases.sort_unstable();
            out.insns[place.switch] = Insn::Switch(*default, cases);
            out.insns[place.table] = Insn::GetStatic(Arc::new(MemberRef {
                class: place.of.clone(),
                name: Arc::from(TABLE),
                descriptor: table.descriptor.clone(),
            }));
        }
        Some(out)
    }
}

fn is_table_read(insn: &Insn) -> bool {
    matches!(insn, Insn::GetStatic(field) if field.name.starts_with(PREFIX))
}

/// The tables of a build; `None` if one, or a use of one, is not as javac makes them.
fn tables_of(build: &[Arc<ClassFile>]) -> Option<Tables> {
    let mut out = Tables::new();
    for class in build {
        if class.fields.iter().any(|f| f.name.starts_with(PREFIX)) {
            for (field, rows) in tables_in(class)? {
                out.insert((class.name.clone(), field), rows);
            }
        }
    }
    for class in build {
        if out.keys().any(|(owner, _)| *owner == class.name) {
            continue;
        }
        for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
            if !code.insns.iter().any(is_table_read) {
                continue;
            }
            for place in uses(&code.insns)? {
                let (Insn::GetStatic(table), Insn::Switch(_, cases)) =
                    (&code.insns[place.table], &code.insns[place.switch])
                else {
                    return None;
                };
                let rows = out.get(&(table.class.clone(), table.name.clone()))?;
                if !cases.iter().all(|(key, _)| rows.contains_key(key)) {
                    return None;
                }
            }
        }
    }
    Some(out)
}

/// The tables that a class's initialiser fills, if the class has nothing else.
fn tables_in(class: &ClassFile) -> Option<BTreeMap<Arc<str>, Rows>> {
    let [initialiser] = &class.methods[..] else {
        return None;
    };
    let insns = &initialiser.code.as_ref()?.insns;
    let mut out: BTreeMap<Arc<str>, Rows> = BTreeMap::new();
    for field in &class.fields {
        out.insert(field.name.clone(), Rows::new());
    }
    let mut count = 0;
    for row in insns.windows(5) {
        if let [
            Insn::GetStatic(into),
            Insn::GetStatic(constant),
            Insn::Invoke(_, ordinal),
            Insn::Const(Const::Int(number)),
            Insn::ArrayStore(Some(Prim::Int)),
        ] = row
        {
            let fits = into.class == class.name
                && into.name.strip_prefix(PREFIX)? == flat(&constant.class)
                && &*ordinal.name == "ordinal";
            let rows = out.get_mut(&into.name).filter(|_| fits)?;
            if rows.insert(*number, constant.name.clone()).is_some() {
                return None;
            }
            count += 1;
        }
    }
    let stores = |i: &&Insn| matches!(i, Insn::ArrayStore(_));
    let sets = |i: &&Insn| matches!(i, Insn::PutStatic(_));
    let is_plain = insns.iter().filter(stores).count() == count
        && insns.iter().filter(sets).count() == class.fields.len()
        && out.len() == class.fields.len()
        && out.values().all(is_one_to_one);
    is_plain.then_some(out)
}

fn is_one_to_one(rows: &Rows) -> bool {
    rows.values().collect::<BTreeSet<_>>().len() == rows.len() && !rows.contains_key(&0)
}

/// The name of a class as the names of tables have it.
fn flat(class: &str) -> String {
    class.replace('/', "$")
}

/// All uses of tables in a method; `None` if one is not `table[selector.ordinal()]` in front of a switch.
fn uses(insns: &[Insn]) -> Option<Vec<Use<'_>>> {
    let mut out: Vec<Use> = Vec::new();
    for (switch, insn) in insns.iter().enumerate() {
        if matches!(insn, Insn::Switch(..))
            && let Some(of) = enum_read_before(insns, switch)
        {
            let table = table_before(insns, switch - 1)?;
            let Insn::GetStatic(field) = &insns[table] else {
                return None;
            };
            if field.name.strip_prefix(PREFIX)? != flat(of) {
                return None;
            }
            out.push(Use { table, switch, of });
        }
    }
    let found: BTreeSet<usize> = out.iter().map(|u| u.table).collect();
    let all = insns.iter().filter(|i| is_table_read(i)).count();
    (found.len() == out.len() && all == out.len()).then_some(out)
}

/// The enum whose table is read right before an instruction.
fn enum_read_before(insns: &[Insn], at: usize) -> Option<&Arc<str>> {
    let (load, call) = (at.checked_sub(1)?, at.checked_sub(2)?);
    match (&insns[call], &insns[load]) {
        (Insn::Invoke(_, m), Insn::ArrayLoad(Some(Prim::Int))) if &*m.name == "ordinal" => {
            Some(&m.class)
        }
        _ => None,
    }
}

/// Where the table is that an element is read from: the selector in between may hold such switches itself.
fn table_before(insns: &[Insn], load: usize) -> Option<usize> {
    let mut inner = 0;
    for at in (0..load).rev() {
        match &insns[at] {
            Insn::ArrayLoad(Some(Prim::Int)) if enum_read_before(insns, at + 1).is_some() => {
                inner += 1;
            }
            insn if is_table_read(insn) && inner == 0 => return Some(at),
            insn if is_table_read(insn) => inner -= 1,
            _ => {}
        }
    }
    None
}
