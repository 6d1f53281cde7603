//! Instructions that ask to be run again leave the state as it was: both versions of Java code of many kinds are explored
//! with every such instruction run twice.

use shadow_ci::bytecode::ClassPath;
use shadow_ci::bytecode::class_file::Method;
use shadow_ci::contain::Containment;
use shadow_ci::expr::Arith;
use shadow_ci::jvm::{CompileRequest, Jdk, Worker};
use shadow_ci::model::MethodRef;
use shadow_ci::solver::SolverOptions;
use shadow_ci::symex::{Bounds, Explorer, Program, Strategy};
use shadow_ci::util::deep_stack::on_a_deep_stack;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Methods that come to the models, to lazily built inputs, to arrays, casts, maps, boxes and exceptions.
pub const KINDS: &str = r#"package kinds;
import java.util.*;
public class Kinds {
    interface Shape { int area(int scale); }
    record Square(int side) implements Shape { public int area(int scale) { return side * side * scale; } }
    record Line(int length) implements Shape { public int area(int scale) { return OFFSET; } }
    enum Color { RED, GREEN, BLUE }

    static int text(String s, char c) {
        int at = s.indexOf(c);
        String up = s.trim().toUpperCase() + (s.isEmpty() ? "-" : s.substring(0, 1));
        return at < 0 ? up.length() : s.charAt(at) + up.lastIndexOf("A") + OFFSET;
    }
    static String built(int n, String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < n && i < 3; i++) b.append(s).append(i).append(',');
        if (b.length() > 2) b.setLength(b.length() - 1);
        return b.reverse().toString() + OFFSET;
    }
    static int arrays(int[] a, int i, Object[] objects, Object o) {
        int[] copy = Arrays.copyOf(a, a.length);
        copy[i] = a[i] / (a.length - 1) + OFFSET;
        objects[0] = o;
        System.arraycopy(a, 0, copy, 0, i);
        return copy[0] + (o instanceof String t ? t.length() : 7);
    }
    static int shapes(Shape shape, Color color, int scale) {
        int area = shape.area(scale);
        switch (color) {
            case RED: return area + OFFSET;
            case GREEN: return ((Square) shape).side();
            default: return -area;
        }
    }
    static int collections(List<Integer> list, Map<String, Integer> map, String key) {
        Integer found = map.get(key);
        int sum = found == null ? OFFSET : found;
        for (Integer i : list) sum += i;
        map.put(key + "x", sum);
        return sum + map.size() + Character.getNumericValue(key.charAt(0));
    }
    static long numbers(long x, double y, Integer boxed) {
        if (Character.isLetter((char) x) && Double.compare(y, 0.5) > 0) return Math.abs(x) + OFFSET;
        return Long.numberOfTrailingZeros(x) + boxed % Integer.valueOf(OFFSET);
    }
    static String thrown(String s, int n) {
        try {
            return Integer.parseInt(s) > n ? Objects.requireNonNull(s) : s.repeat(n);
        } catch (NumberFormatException e) {
            return e.getMessage() + OFFSET;
        } finally {
            System.out.println(n);
        }
    }
}
"#;

fn compile(worker: &mut Worker, dir: &Path, version: &str, offset: &str) -> Arc<ClassPath> {
    let (source, out) = (dir.join(version).join("Kinds.java"), dir.join(version));
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(&source, KINDS.replace("OFFSET", offset)).unwrap();
    let request = CompileRequest {
        sources: vec![source],
        out: out.clone(),
        ..CompileRequest::default()
    };
    let result = worker.compile(&request).unwrap();
    assert!(result.success, "{:#?}", result.diagnostics);
    Arc::new(ClassPath::of(&[out]).unwrap())
}

fn bounds() -> Bounds {
    Bounds {
        max_string: 2,
        max_array: 2,
        loop_bound: 4,
        max_depth: 200,
        max_paths: 5,
        max_instructions: 1_500,
        int_range: None,
        prior_calls: 0,
        max_queries: 40,
        max_effort: u64::MAX,
        deadline: None,
        memory: None,
    }
}

/// How many instructions of the method were run again, and what was wrong with them.
fn explore(program: &Arc<Program>, method: &Method) -> (u64, Vec<String>) {
    let id = MethodRef {
        class: "kinds.Kinds".into(),
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
    };
    let strategy = Strategy {
        check_reruns: true,
        ..Strategy::default()
    };
    let solver = SolverOptions::default();
    let program = program.clone();
    let mut explorer =
        Explorer::new(program, &id, bounds(), Arith::Java, &solver, strategy).unwrap();
    while explorer.next().is_some() {}
    let seen = explorer.reruns();
    (seen.asked, seen.broken.clone())
}

#[test]
fn instructions_that_are_run_again_leave_no_trace() {
    let path = std::env::var_os("PATH");
    let jdk = Jdk::find(None, path.as_deref()).unwrap();
    let mut worker = Worker::start(&jdk, None, &Containment::none()).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (
        compile(&mut worker, dir.path(), "old", "3"),
        compile(&mut worker, dir.path(), "new", "4"),
    );
    let methods = old.find("kinds/Kinds").unwrap().unwrap().methods.clone();
    let modules = jdk.modules();
    let (asked, broken) = on_a_deep_stack(move || {
        let program = Arc::new(Program {
            old,
            new,
            unified: Arc::new(ClassPath::empty()),
            library: Arc::new(ClassPath::empty().with_jdk(&modules).unwrap()),
            levels: BTreeMap::new(),
            machine: Default::default(),
            sources: Default::default(),
        });
        let own = methods.iter().filter(|m| m.access & 0x0008 != 0);
        let (mut asked, mut broken) = (BTreeMap::new(), Vec::new());
        for method in own {
            let (count, wrong) = explore(&program, method);
            asked.insert(method.name.to_string(), count);
            broken.extend(wrong);
        }
        Ok((asked, broken))
    })
    .unwrap();
    println!("run again: {asked:?}");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert_eq!(asked.len(), 7);
    assert!(asked.values().all(|count| *count > 0), "{asked:?}");
    assert!(asked.values().sum::<u64>() > 50, "{asked:?}");
}
