//! Seeds from the project's tests: differences that only an object made in a test comes to.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const JARS: [&str; 2] = ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"];

fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    support::git(dir.path(), &["init", "-q"]);
    for version in ["old", "new"] {
        support::commit(
            dir.path(),
            &support::root().join("tests/seeds").join(version),
        );
    }
    dir
}

/// JUnit's class path.
fn junit() -> String {
    let jars = JARS.map(|n| support::junit_jars().join(n));
    let path = std::env::join_paths(jars).unwrap();
    path.into_string().unwrap()
}

fn check(repo: &Path, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args([
            "HEAD~1",
            "HEAD",
            "--json",
            "-",
            "--fail-on",
            "never",
            "--search-runs",
            "4000",
        ])
        .args(["--effort", "2", "--repo"])
        .arg(repo)
        .args(["--test-classpath", &junit()])
        .args(more)
        .env_remove("GITHUB_ACTIONS")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn findings<'a>(report: &'a Value, method: &str) -> Vec<&'a Value> {
    let methods = report["methods"].as_array().unwrap();
    let method = methods.iter().find(|m| m["method"] == method).unwrap();
    method["findings"].as_array().unwrap().iter().collect()
}

#[test]
fn what_only_a_tests_objects_come_to_is_found_in_its_situation() {
    let repo = project();
    let report = check(repo.path(), &[]);
    let sum = findings(&report, "sum");
    let texts = || sum.iter().map(|f| format!("{} {}", f["class"], f["call"]));
    let all: Vec<String> = texts().collect();
    // The ledger's source is a class of the test: the call can't be written.
    let call = sum
        .iter()
        .find(|f| f["class"] == "changed" && f["situation"]["test"] == "demo.LedgerTest#sums")
        .expect("a call");
    assert_eq!(call["found_by"], "tests", "{all:?}");
    assert_eq!(call["situation"]["test"], "demo.LedgerTest#sums", "{all:?}");
    assert_eq!(call["situation"]["written"], false);
    assert_eq!(call["replay_command"], Value::Null);
    // What it was called with is another thing in each version, and only its class is seen.
    assert_eq!(findings(&report, "first"), Vec::<&Value>::new());
    // A test that fails in the new version only.
    let test = sum
        .iter()
        .find(|f| f["class"] == "regression")
        .expect("a test");
    assert_eq!(test["call"], "demo.LedgerTest#sumsExactly", "{all:?}");
    assert_eq!(test["new"]["exception"], "java.lang.AssertionError");
    // One that fails in the old version only. That another one, or a part of the project, does not compile spoils none of these.
    let test = sum.iter().find(|f| f["class"] == "fix").expect("a test");
    assert_eq!(test["call"], "demo.LedgerTest#sumsAll", "{all:?}");
    assert_eq!(
        report["summary"]["predictions"],
        report["summary"]["predictions_confirmed"]
    );
    // What makes it twice makes the same.
    let again = check(repo.path(), &[]);
    assert_eq!(findings(&again, "sum"), sum);
    assert_eq!(findings(&again, "label"), findings(&report, "label"));
}

#[test]
fn without_them_nothing_is_found() {
    let repo = project();
    let report = check(repo.path(), &["--seeds-from-tests", "off"]);
    assert!(findings(&report, "sum").is_empty());
}

/// A repository with one class and one test of it; the second commit has another text of the class.
fn repository(name: &str, main: [&str; 2], test: &str) -> tempfile::TempDir {
    let dir = support::fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    support::write(repo, &format!("src/test/java/demo/{name}Test.java"), test);
    for text in main {
        support::write(repo, &format!("src/main/java/demo/{name}.java"), text);
        support::git(repo, &["add", "-A"]);
        support::git(repo, &["commit", "-q", "-m", "next"]);
    }
    dir
}

#[test]
fn tests_with_mockito_are_seeds_too() {
    let main = "package demo; public class Total {
        public interface Source { int next(); }
        public static int of(Source from, int n) { int all = 0; for (int i = 0; i < n; i++) all += from.next(); return n > 40 ? all + 0 : all; }
    }";
    let test = "package demo; import static org.junit.Assert.*; import static org.mockito.Mockito.*; import org.junit.Test;
        public class TotalTest {
            @Test public void sums() { Total.Source s = mock(Total.Source.class); when(s.next()).thenReturn(4); assertTrue(Total.of(s, 50) > 5); }
            @Test public void sumsExactly() { Total.Source s = mock(Total.Source.class); when(s.next()).thenReturn(4); assertEquals(200, Total.of(s, 50)); }
        }";
    let repo = repository("Total", [main, &main.replace("all + 0", "all + 1")], test);
    let jars = [
        JARS[0],
        JARS[1],
        "mockito-core-5.14.2.jar",
        "byte-buddy-1.15.4.jar",
        "byte-buddy-agent-1.15.4.jar",
        "objenesis-3.3.jar",
    ];
    let jars = jars.iter().map(|n| support::junit_jars().join(n));
    let path = std::env::join_paths(jars).unwrap();
    let more = ["--test-classpath", path.to_str().unwrap()];
    let report = without_search(repo.path(), &more);
    let of = findings(&report, "of");
    let test = |class: &str, name: &str| {
        let name = format!("demo.TotalTest#{name}");
        of.iter()
            .any(|f| f["class"] == class && f["situation"]["test"] == *name)
    };
    assert!(test("regression", "sumsExactly"), "{of:?}");
    // What it answers is the test's own: the same call in both versions.
    assert!(test("changed", "sums"), "{of:?}");
}

/// What `check` does, with neither the search nor much exploration.
fn without_search(repo: &Path, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["HEAD~1", "HEAD", "--json", "-", "--fail-on", "never"])
        .args(["--search-runs", "0", "--effort", "1", "--repo"])
        .arg(repo)
        .args(more)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).expect(&error)
}

/// The same where the tests have JUnit.
fn with_junit(repo: &Path) -> Value {
    without_search(repo, &["--test-classpath", &junit()])
}

#[test]
fn of_large_objects_the_results_of_calls_are_compared() {
    let main = "package demo; public class Index { private final java.util.List<String> all = new java.util.ArrayList<>();
        public void add(String text) { all.add(text); }
        public boolean isFull() { return all.size() >= 2500; }
    }";
    // A class that only a text of the test names is compiled, too; resources are found where Maven puts them.
    let size = "package demo; public class Size implements java.util.function.IntSupplier { public int getAsInt() { return 2600; } }";
    let test = "package demo; public class IndexTest {
        @org.junit.Test public void fills() throws Exception {
            Index index = new Index();
            Object size = Class.forName(\"demo.Size\").getDeclaredConstructor().newInstance();
            int most = ((java.util.function.IntSupplier) size).getAsInt();
            most += new java.util.Scanner(new java.io.File(\"target/test-classes/more.txt\")).nextInt();
            for (int i = 0; i < most; i++) index.add(\"x\".repeat(100) + i);
            index.isFull();
        }
    }";
    let repo = repository("Index", [main, &main.replace("2500", "2501")], test);
    support::write(repo.path(), "src/main/java/demo/Size.java", size);
    support::write(repo.path(), "src/test/resources/more.txt", "400");
    support::git(repo.path(), &["add", "-A"]);
    support::git(repo.path(), &["commit", "-q", "-m", "size"]);
    support::write(
        repo.path(),
        "src/main/java/demo/Index.java",
        &main.replace("2500", "3500"),
    );
    support::git(repo.path(), &["commit", "-q", "-a", "-m", "next"]);
    let report = with_junit(repo.path());
    let found = findings(&report, "isFull");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["situation"]["test"], "demo.IndexTest#fills");
    assert_eq!(found[0]["new"]["value"], "false", "{found:?}");
}

/// Debian's packages of Gradle bring it.
#[test]
fn tests_of_testng_are_seeds_too() {
    let jars = ["testng", "jcommander", "bsh"].map(|n| format!("/usr/share/java/{n}.jar"));
    if !jars.iter().all(|jar| Path::new(jar).exists()) {
        eprintln!("no TestNG here: not run");
        return;
    }
    let main = "package demo; public class Sum {
        public interface Source { int next(); }
        public static int of(Source from, int n) { int all = 0; while (n-- > 0) all += from.next(); return all; }
    }";
    let test = "package demo; import org.testng.Assert; import org.testng.annotations.*;
        public class SumTest {
            @DataProvider(name = \"counts\") public Object[][] counts() { return new Object[][] {{3}, {4}}; }
            @Test(dataProvider = \"counts\") public void sums(int n) { int[] at = {0}; Assert.assertTrue(Sum.of(() -> ++at[0], n) > 5); }
            @Test public void sumsExactly() { int[] at = {0}; Assert.assertEquals(Sum.of(() -> ++at[0], 3), 6); }
            @Test(enabled = false) public void never() { Assert.fail(); }
        }";
    let repo = repository("Sum", [main, &main.replace("all = 0", "all = 1")], test);
    let report = without_search(repo.path(), &["--test-classpath", &jars.join(":")]);
    let of = findings(&report, "of");
    let in_test = |f: &&&Value| f["situation"]["test"] == "demo.SumTest#sumsExactly";
    let found = of.iter().find(in_test).expect("a finding");
    assert_eq!(found["class"], "regression");
    assert_eq!(found["new"]["exception"], "java.lang.AssertionError");
}

/// Its key is a class of the test: no input holds one, and the guard is met by no other.
#[test]
fn changed_code_that_tests_run_is_reached() {
    let main = "package demo; public class Gate {
        public interface Key { String secret(); }
        public static int open(Key key) {
            String secret = key.secret();
            if (secret.length() != 30 || secret.hashCode() != HASH) return -1;
            SUM
        }
    }";
    let secret = "please/".repeat(5);
    let hash = secret[..30]
        .bytes()
        .fold(0i32, |h, b| h.wrapping_mul(31).wrapping_add(i32::from(b)));
    let main = main.replace("HASH", &hash.to_string());
    let old = "int sum = 0; for (char c : secret.toCharArray()) sum += c; return sum;";
    let new = "return secret.chars().sum();";
    let test = "package demo; import static org.junit.Assert.*; import org.junit.Test;
        public class GateTest {
            static class Real implements Gate.Key {
                public String secret() { return new StringBuilder(\"/esaelp\").reverse().toString().repeat(5).substring(0, 30); }
            }
            static class Short implements Gate.Key { public String secret() { return \"no\"; } }
            @Test public void opens() { assertTrue(Gate.open(new Real()) > 0); }
            @Test public void opensTwice() { Gate.open(new Real()); Gate.open(new Real()); }
            @Test public void staysClosed() { assertEquals(-1, Gate.open(new Short())); }
        }";
    let texts = [old, new].map(|sum| main.replace("SUM", sum));
    let repo = repository("Gate", [&texts[0], &texts[1]], test);
    let report = check(repo.path(), &[]);
    let open = &report["methods"][0];
    assert_eq!(open["findings"].as_array().map(Vec::len), Some(0));
    let evidence = &open["evidence"];
    assert_eq!(evidence["runs_reached"], 0, "{evidence}");
    assert_eq!(evidence["reached"], true, "{evidence}");
    assert_eq!(evidence["tests"], 2, "{evidence}");
    assert_eq!(evidence["calls_compared"], 3, "{evidence}");
    let limits = open["limits"].as_array().unwrap();
    assert!(
        limits.iter().all(|l| l["reason"] != "not-reached"),
        "{limits:?}"
    );
    let without = check(repo.path(), &["--seeds-from-tests", "off"]);
    let limits = without["methods"][0]["limits"].as_array().unwrap();
    assert!(
        limits.iter().any(|l| l["reason"] == "not-reached"),
        "{limits:?}"
    );
}

/// What is in a tokenizer nobody sees. Before any changed code has run it is the same in both versions all the same.
#[test]
fn the_first_call_that_comes_to_the_patch_is_compared_whatever_it_is_called_with() {
    let main = "package demo; import java.util.StringTokenizer; public class Words {
        public static int count(StringTokenizer of) { int n = 0; while (of.hasMoreTokens()) { of.nextToken(); n++; } return n > 5 ? n + 0 : n; }
        public static void skip(StringTokenizer of) { for (int i = 0; i < 2; i++) of.nextToken(); }
        public static int rest(StringTokenizer of) { int n = 0; while (of.hasMoreTokens()) { of.nextToken(); n++; } return n; }
    }";
    let new = main
        .replace("n + 0", "n + 1")
        .replace("i < 2", "i < 3")
        .replace(
            "n++; } return n; }",
            "n++; } return Integer.parseInt(\"\" + n); }",
        );
    let test = "package demo; import java.util.StringTokenizer; public class WordsTest {
            @org.junit.Test public void counts() { Words.count(new StringTokenizer(\"a b c d e f g\")); }
            @org.junit.Test public void skips() { StringTokenizer of = new StringTokenizer(\"a b c d e f g\"); Words.skip(of); Words.rest(of); }
        }";
    let repo = repository("Words", [main, &new], test);
    let report = with_junit(repo.path());
    let found = findings(&report, "count");
    let of_test = |f: &&&Value| f["situation"]["test"] == "demo.WordsTest#counts";
    let shown = found.iter().find(of_test).expect("a finding");
    assert_eq!(shown["old"]["value"], "7", "{found:?}");
    assert_eq!(shown["new"]["value"], "8", "{found:?}");
    // It differs by what `skip` left, which is not its own matter.
    let rest = findings(&report, "rest");
    assert!(rest.iter().all(|f| f["found_by"] != "tests"), "{rest:?}");
}

/// Another module has a test that uses the changed class, and main code that does not compile: its class path is not known.
#[test]
fn tests_of_another_module_that_do_not_compile_spoil_none_of_the_changed_one() {
    let main = "package demo; public class Sums {
        public static int of(int[] all) { int n = 0; for (int i : all) n += i; return all.length > 40 ? n + 0 : n; }
    }";
    let dir = support::fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    let test = |class: &str, call: &str| {
        format!(
            "package demo; public class {class} {{ @org.junit.Test public void sums() {{ {call}; }} }}"
        )
    };
    let own = test("SumsTest", "Sums.of(new int[50])");
    support::write(repo, "core/src/test/java/demo/SumsTest.java", &own);
    let other = test("UsersTest", "Sums.of(new int[50]); new Users().all()");
    support::write(repo, "users/src/test/java/demo/UsersTest.java", &other);
    let users = "package demo; public class Users extends Known { public int all() { return 1; } }";
    support::write(repo, "users/src/main/java/demo/Users.java", users);
    for text in [main, &main.replace("n + 0", "n + 1")] {
        support::write(repo, "core/src/main/java/demo/Sums.java", text);
        support::git(repo, &["add", "-A"]);
        support::git(repo, &["commit", "-q", "-m", "next"]);
    }
    let report = with_junit(repo);
    let found = findings(&report, "of");
    let is_shown = found
        .iter()
        .any(|f| f["situation"]["test"] == "demo.SumsTest#sums");
    assert!(is_shown, "{report}");
}

/// What a test expects stands in a class above it or beside it, which the patch changes, too. Its tests lie beside the sources, `core/test`.
#[test]
fn a_test_whose_helpers_the_patch_changes_is_no_judge() {
    let failing = |changes: &[&str]| -> usize {
        let dir = support::fixture("foo");
        let repo = dir.path();
        std::fs::remove_dir_all(repo.join("src")).unwrap();
        let write = |file: &str, text: &str| support::write(repo, file, text);
        let test = "package org.demo; public class SumsTest extends Base {
            @org.junit.Test public void sums() { expect(Sums.of(new int[50]), Wanted.sum()); }
        }";
        write("core/test/org/demo/SumsTest.java", test);
        for n in [0, 1] {
            let main = format!(
                "package org.demo; public class Sums {{
                    public static int of(int[] all) {{ return all.length == 50 ? {n} : 7; }}
                }}"
            );
            write("core/src/org/demo/Sums.java", &main);
            let number = |name: &str| if changes.contains(&name) { n } else { 0 };
            let wanted = format!(
                "package org.demo; class Wanted {{ static int sum() {{ return 0; }} int n = {}; }}",
                number("Wanted")
            );
            write("core/test/org/demo/Wanted.java", &wanted);
            let base = format!(
                "package org.demo; public abstract class Base {{ int n = {};
                    void expect(int a, int b) {{ org.junit.Assert.assertEquals(a, b); }}
                }}",
                number("Base")
            );
            write("core/test/org/demo/Base.java", &base);
            support::git(repo, &["add", "-A"]);
            support::git(repo, &["commit", "-q", "-m", "next"]);
        }
        let report = with_junit(repo);
        let fails = |f: &&&Value| f["new_only_assertion"] == true;
        findings(&report, "of").iter().filter(fails).count()
    };
    assert_eq!(failing(&[]), 1);
    assert_eq!(failing(&["Base"]), 0);
    assert_eq!(failing(&["Wanted"]), 0);
}

/// The compiler puts a constant into the test's own code (JLS 13.1): compiled with the new version, the test would expect the new one.
#[test]
fn a_test_with_a_constant_that_the_patch_changes_is_no_judge() {
    let failing = |expected: &str| -> usize {
        let main = "package demo; public class Agent { public static final String VERSION = \"1.0\";
            public static String text(int[] all) { return all.length == 50 ? \"agent/\" + VERSION : \"none\"; }
        }";
        let test = format!(
            "package demo; public class AgentTest {{
                @org.junit.Test public void tells() {{ org.junit.Assert.assertEquals({expected}, Agent.text(new int[50])); }}
            }}"
        );
        let repo = repository("Agent", [main, &main.replace("1.0", "1.1")], &test);
        let report = with_junit(repo.path());
        let fails = |f: &&&Value| f["new_only_assertion"] == true;
        findings(&report, "text").iter().filter(fails).count()
    };
    assert_eq!(failing("\"agent/1.0\""), 1);
    assert_eq!(failing("\"agent/\" + Agent.VERSION"), 0);
}

/// A test asks a server that it starts itself: it is alone in a network of its own, if the kernel gives it one.
#[test]
fn tests_of_a_server_are_seeds_too() {
    let allows = Command::new("unshare").args(["-rn", "true"]).status();
    if !allows.is_ok_and(|status| status.success()) {
        eprintln!("\n*** NOT TESTED: no network name space can be made here ***\n");
        return;
    }
    let main = "package demo; import java.io.*; import java.net.*; public class Echo {
        public static int ask(int port, int n) throws IOException {
            try (Socket s = new Socket(\"localhost\", port)) { s.getOutputStream().write(n); return s.getInputStream().read(); }
        }
        public static int answer(InputStream in) throws IOException { int n = in.read(); return n == 77 ? n + 0 : n; }
    }";
    let test = "package demo; import java.net.*; public class EchoTest {
            @org.junit.Test public void answers() throws Exception {
                try (ServerSocket server = new ServerSocket(0)) {
                    Thread one = new Thread(() -> {
                        try (Socket s = server.accept()) { s.getOutputStream().write(Echo.answer(s.getInputStream())); } catch (java.io.IOException e) { }
                    });
                    one.start();
                    org.junit.Assert.assertEquals(77, Echo.ask(server.getLocalPort(), 77));
                }
            }
            @org.junit.Test public void nobodyElseIsThere() throws Exception {
                try (Socket s = new Socket()) { s.connect(new InetSocketAddress(\"192.0.2.1\", 80), 500); org.junit.Assert.fail(); } catch (ConnectException e) { }
            }
        }";
    let new = main.replace("n + 0", "n + 1");
    let repo = repository("Echo", [main, &new], test);
    let report = with_junit(repo.path());
    let found = findings(&report, "answer");
    let fails = |f: &&Value| {
        f["situation"]["test"] == "demo.EchoTest#answers" && f["new_only_assertion"] == true
    };
    assert!(found.into_iter().any(|f| fails(&f)), "{report}");
}

/// What objects hold of the time is another thing in each run of either version, and hides nothing else.
#[test]
fn times_in_results_hide_no_difference_beside_them() {
    let main = |order: &str| {
        format!(
            "package demo; public class Meter {{
                private final long begun = System.nanoTime();
                private final Source source;
                public interface Source {{ int[] counts(); }}
                public static class Totals {{
                    public final long begun; public final int last; public final boolean sorted;
                    Totals(long begun, int last, boolean sorted) {{
                        if (last < 0) throw new IllegalArgumentException(\"negative\");
                        this.begun = begun; this.last = last; this.sorted = sorted;
                    }}
                }}
                public Meter(Source source) {{ this.source = source; }}
                public Totals collect() {{ return totals(source.counts()); }}
                private Totals totals(int[] counts) {{
                    int[] all = new int[counts.length];
                    {order}
                    int last = 0;
                    for (int i = 0; i < all.length; i++) last = all[i] - last;
                    return new Totals(begun, last, all.length == 1);
                }}
            }}"
        )
    };
    let old = main("java.util.Arrays.sort(all); System.arraycopy(counts, 0, all, 0, all.length);");
    let new = main("System.arraycopy(counts, 0, all, 0, all.length); java.util.Arrays.sort(all);");
    let test = "package demo; import static org.junit.Assert.*; import org.junit.Test;
        public class MeterTest {
            static int[] read() {
                java.io.InputStream in = MeterTest.class.getResourceAsStream(\"counts.txt\");
                return new java.util.Scanner(in).tokens().mapToInt(Integer::parseInt).toArray();
            }
            @Test public void one() { assertEquals(4, new Meter(() -> new int[] {4}).collect().last); }
            @Test public void more() { assertTrue(new Meter(MeterTest::read).collect().last >= 0); }
        }";
    let dir = repository(
        "Meter",
        [&format!("{old}\n"), &old],
        &test.replace("MeterTest::read", "() -> new int[] {3, 5}"),
    );
    let repo = dir.path();
    support::write(repo, "src/main/java/demo/Meter.java", &new);
    support::write(repo, "src/test/java/demo/MeterTest.java", test);
    support::write(repo, "src/test/java/demo/counts.txt", "907 64");
    support::git(repo, &["add", "-A"]);
    support::git(repo, &["commit", "-q", "-m", "next"]);
    let report = with_junit(repo);
    let found = findings(&report, "totals");
    let of_tests: Vec<&&Value> = found.iter().filter(|f| f["found_by"] == "tests").collect();
    assert_eq!(of_tests.len(), 1, "{found:?}");
    assert_eq!(of_tests[0]["class"], "fix", "{found:?}");
    assert_eq!(of_tests[0]["situation"]["test"], "demo.MeterTest#more");
    assert_eq!(of_tests[0]["situation"]["call"], 1);
}

/// A test of the patch that wants an exception says what the patch is for: that the new version throws it is no regression. Tests of two
/// methods that fail at the same line of their framework are two differences.
#[test]
fn what_a_test_of_the_patch_wants_thrown_is_no_regression() {
    let main = |check: &str| {
        format!(
            "package demo; public class Topics {{
                private final long begun = System.nanoTime();
                public String publish(String topic) {{ {check} return topic + begun % 1; }}
                public String subscribe(String topic) {{ {check} return begun % 1 + topic; }}
            }}"
        )
    };
    let (old, new) = (
        main(""),
        main("if (topic.isEmpty()) throw new IllegalStateException(topic);"),
    );
    let test = |more: &str| {
        format!(
            "package demo; import static org.junit.Assert.*; import org.junit.Test;
            public class TopicsTest {{
                @Test public void names() {{ assertEquals(\"a0\", new Topics().publish(\"a\")); }}
                {more}
            }}"
        )
    };
    let wanted = "@Test(expected = IllegalStateException.class) public void publishesNone() { new Topics().publish(\"\"); }
        @Test(expected = IllegalStateException.class) public void subscribesToNone() { new Topics().subscribe(\"\"); }";
    let dir = repository("Topics", [&format!("{old}\n"), &old], &test(""));
    let repo = dir.path();
    support::write(repo, "src/main/java/demo/Topics.java", &new);
    support::write(repo, "src/test/java/demo/TopicsTest.java", &test(wanted));
    support::git(repo, &["add", "-A"]);
    support::git(repo, &["commit", "-q", "-m", "next"]);
    let report = with_junit(repo);
    for (method, test) in [
        ("publish", "publishesNone"),
        ("subscribe", "subscribesToNone"),
    ] {
        let found = findings(&report, method);
        let told: Vec<(&Value, &Value)> = found
            .iter()
            .map(|f| (&f["class"], &f["situation"]))
            .collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(told[0].0, "fix", "{told:?}");
        assert_eq!(told[0].1["test"], format!("demo.TopicsTest#{test}"));
        assert_eq!(told[0].1["call"], Value::Null);
    }
}

#[test]
fn tests_that_the_patch_adds_show_what_it_changes() {
    let dir = support::fixture("foo");
    let repo = dir.path();
    std::fs::remove_dir_all(repo.join("src")).unwrap();
    let main = "package demo; public class Total {
        public interface Source { int next(); }
        public static int of(Source from) {
            int a = from.next(), b = from.next(), c = from.next();
            return a == 7 && b == 14 && c == 28 ? WRONG : a + b + c;
        }
        public static int twice(int n) { return n * 2 NOTHING; }
    }";
    let test = "package demo; import static org.junit.Assert.*; import org.junit.Test;
        public class TotalTest {
            static class Doubling implements Total.Source {
                int next = new java.util.Scanner(TotalTest.class.getResourceAsStream(\"start.txt\")).nextInt();
                public int next() { int now = next; next *= 2; return now; }
            }
            @Test public void addsUp() { assertEquals(49, Total.of(new Doubling())); }
            @Test public void doubles() { assertEquals(4, Total.twice(2)); }
            MORE
        }";
    let added = "@Test public void triples() {
            try { assertEquals(6, Total.thrice(2)); } catch (LinkageError e) { throw new AssertionError(e); }
        }";
    let thrice = "public static int thrice(int n) { return n * 3; } }";
    let new_main = main.replace("WRONG", "a + b + c").replace("NOTHING", "");
    let new_main = format!("{}{thrice}", new_main.trim_end().trim_end_matches('}'));
    let old_main = main.replace("WRONG", "-1").replace("NOTHING", "+ 0");
    support::write(repo, "src/main/java/demo/Total.java", &old_main);
    support::git(repo, &["add", "-A"]);
    support::git(repo, &["commit", "-q", "-m", "first"]);
    let new_test = test.replace("MORE", added);
    support::write(repo, "src/test/java/demo/TotalTest.java", &new_test);
    // As in builds that take what lies beside the tests for their resources.
    support::write(repo, "src/test/java/demo/start.txt", "7");
    support::write(repo, "src/main/java/demo/Total.java", &new_main);
    support::git(repo, &["add", "-A"]);
    support::git(repo, &["commit", "-q", "-m", "next"]);
    let report = check(repo, &[]);
    let found = findings(&report, "of");
    let of_tests: Vec<&&Value> = found.iter().filter(|f| f["found_by"] == "tests").collect();
    assert_eq!(of_tests.len(), 1, "{found:?}");
    let situation = &of_tests[0]["situation"];
    assert_eq!(situation["test"], "demo.TotalTest#addsUp");
    assert_eq!(situation["of_patch"], true, "{situation}");
    assert_eq!(of_tests[0]["old"]["value"], "-1", "{:?}", of_tests[0]);
    // What the old version lacks altogether is nothing that it does otherwise.
    let methods = report["methods"].as_array().unwrap();
    let all = methods
        .iter()
        .flat_map(|m| m["findings"].as_array().unwrap());
    let mut tests = all.map(|f| &f["situation"]["test"]);
    assert!(tests.all(|t| *t != "demo.TotalTest#triples"));
}
