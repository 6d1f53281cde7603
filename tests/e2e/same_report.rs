//! One commit, one report: whatever the number of threads and the load of the machine.

use crate::support;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Methods that end by their own, and ones that effort ends.
fn source(limit: &str, word: &str) -> String {
    format!(
        "package demo;
public class Parts {{
    public static int count(String text) {{
        int n = 0;
        for (int i = 0; i < text.length(); i++) {{
            char c = text.charAt(i);
            if (c == ',' || c == ';' && n > 1 || Character.isWhitespace(c) && i % 2 == 1) n += c % 3;
            if (n > {limit} && text.endsWith(\"{word}\")) n = -n;
        }}
        return n;
    }}
    public static int gcd(int a, int b) {{
        while (b != 0) {{
            int r = a % b;
            a = b;
            b = r;
        }}
        return a < {limit} ? a : -a;
    }}
    public static boolean small(int n) {{
        return n < {limit};
    }}
    /** Both parts are reached through it, so it is explored once for them. */
    public static int both(String text) {{
        return head(text) * tail(text);
    }}
    private static int head(String text) {{
        int n = 1;
        for (int i = 0; i < text.length() && text.charAt(i) != ':'; i++) n = n * 31 + text.charAt(i) % {limit};
        return n;
    }}
    private static int tail(String text) {{
        int at = text.indexOf(\"{word}:\");
        return at < 0 ? text.length() : text.length() - at;
    }}
}}
"
    )
}

fn without_seconds(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("seconds");
            map.values_mut().for_each(without_seconds);
        }
        Value::Array(all) => all.iter_mut().for_each(without_seconds),
        _ => {}
    }
}

fn report(repo: &std::path::Path, threads: &str) -> Value {
    let output = support::shadow_ci(repo)
        .args(["HEAD~1", "HEAD", "--json", "-", "--effort", "1"])
        .args(["--threads", threads, "--search-runs", "6000"])
        .output()
        .unwrap();
    let mut report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    without_seconds(&mut report);
    report
}

#[test]
fn threads_and_load_change_nothing_in_a_report() {
    let dir = tempfile::tempdir().unwrap();
    support::git(dir.path(), &["init", "-q"]);
    let file = dir.path().join("src/demo/Parts.java");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for text in [source("3", "a"), source("4", "b")] {
        std::fs::write(&file, text).unwrap();
        support::git(dir.path(), &["add", "-A"]);
        support::git(dir.path(), &["commit", "-q", "-m", "version"]);
    }
    let one = report(dir.path(), "1");
    let of = |name: &str| {
        let mut methods = one["methods"].as_array().unwrap().iter();
        methods.find(|m| m["method"] == name).unwrap()
    };
    assert_eq!(of("head")["states"], of("tail")["states"]);
    assert!(of("head")["states"].as_u64() > Some(10));
    let reasons: Vec<&str> = one["methods"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|m| m["limits"].as_array().unwrap())
        .map(|l| l["reason"].as_str().unwrap())
        .collect();
    assert!(reasons.contains(&"effort-budget"), "{reasons:?}");
    assert!(!reasons.contains(&"method-timeout"), "{reasons:?}");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Half of one core is enough: other tests are a load too, and wait for what it takes.
        scope.spawn(|| {
            // A failure leaves it alone: it ends all the same.
            let begun = Instant::now();
            while !done.load(Ordering::SeqCst) && begun.elapsed().as_secs() < 300 {
                let turn = Instant::now();
                while turn.elapsed().as_millis() < 2 {
                    std::hint::spin_loop();
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let loaded = report(dir.path(), "8");
        done.store(true, Ordering::SeqCst);
        assert_eq!(one, loaded);
    });
}

#[test]
fn sets_that_have_another_order_in_each_process_change_nothing_in_a_report() {
    let dir = tempfile::tempdir().unwrap();
    support::git(dir.path(), &["init", "-q"]);
    let file = dir.path().join("src/demo/Ranks.java");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for limit in ["700", "701"] {
        let text = format!(
            "package demo;
import java.util.Set;
public class Ranks {{
    private static final Set<String> KNOWN = Set.of(names().split(\" \"));
    private static String names() {{
        return \"alpha beta gamma delta epsilon zeta eta theta iota kappa\";
    }}
    public static int rank(String name, long n) {{
        return KNOWN.contains(name) && Math.sqrt(n) > {limit} ? name.length() : 0;
    }}
}}
"
        );
        std::fs::write(&file, text).unwrap();
        support::git(dir.path(), &["add", "-A"]);
        support::git(dir.path(), &["commit", "-q", "-m", limit]);
    }
    let first = report(dir.path(), "1");
    assert_eq!(first["methods"][0]["verdict"], "diverges");
    assert_eq!(report(dir.path(), "1"), first);
}
