//! Libraries of metrics and tracing are no part of an outcome: what they do is not executed.

use crate::support;
use crate::support::{fixture, git};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// As much of Dropwizard's classes as the stand-ins name; whatever would count fails.
const METRICS: [(&str, &str); 14] = [
    ("Metric", "public interface Metric {}"),
    ("Counting", "public interface Counting { long getCount(); }"),
    (
        "Sampling",
        "public interface Sampling { Snapshot getSnapshot(); }",
    ),
    (
        "Metered",
        "public interface Metered extends Metric, Counting { double getFifteenMinuteRate(); double getFiveMinuteRate(); double getMeanRate(); double getOneMinuteRate(); }",
    ),
    (
        "Reservoir",
        "public interface Reservoir { int size(); void update(long v); Snapshot getSnapshot(); }",
    ),
    ("Snapshot", "public abstract class Snapshot {}"),
    (
        "UniformSnapshot",
        "public class UniformSnapshot extends Snapshot { public UniformSnapshot(long[] v) {} }",
    ),
    ("MovingAverages", "public interface MovingAverages {}"),
    ("Clock", "public abstract class Clock {}"),
    (
        "Counter",
        "public class Counter { public void inc() { throw new Error(); } public void inc(long n) { throw new Error(); } }",
    ),
    (
        "Meter",
        "public class Meter { public Meter() { throw new Error(); } public void mark() {} }",
    ),
    (
        "Histogram",
        "public class Histogram { public Histogram(Reservoir r) { throw new Error(); } public void update(long v) {} }",
    ),
    (
        "ExponentiallyDecayingReservoir",
        "public abstract class ExponentiallyDecayingReservoir implements Reservoir {}",
    ),
    (
        "Timer",
        "public class Timer { public static class Context implements AutoCloseable { public void close() {} } public Context time() { throw new Error(); } }",
    ),
];

/// Compiles sources, each with its package's folder, into a folder of classes.
fn library(dir: &Path, sources: &[(String, String)]) -> PathBuf {
    let classes = dir.join("classes");
    let mut compile = support::javac();
    compile.arg("-d").arg(&classes);
    for (path, text) in sources {
        let file = dir.join(format!("{path}.java"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let package = path.rsplit_once('/').unwrap().0.replace('/', ".");
        std::fs::write(&file, format!("package {package}; {text}\n")).unwrap();
        compile.arg(file);
    }
    assert!(compile.status().unwrap().success());
    classes
}

/// The only method's result of a check of a class whose `> 9` becomes `> 10`, with that class path.
fn checked(shop: &str, class_path: &Path) -> Value {
    let versions = [shop, &shop.replace("> 9", "> 10")];
    let method = only_method(versions, class_path, "off");
    assert_eq!(method["verdict"], "diverges", "{method:#}");
    let finding = &method["findings"][0];
    let arguments = finding["inputs"].as_array().unwrap();
    let x = arguments.iter().find(|i| i["name"] == "x").unwrap();
    assert_eq!(x["java"], "10", "{method:#}");
    assert_eq!(finding["old"]["value"], "20", "{method:#}");
    method
}

/// The only method's result of a check of two versions of a class, with that class path.
fn only_method(versions: [&str; 2], class_path: &Path, proofs: &str) -> Value {
    let dir = fixture("foo");
    let repo = dir.path();
    let file = repo.join(Path::new("src/main/java/demo/Shop.java"));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for text in versions {
        std::fs::write(&file, text).unwrap();
        git(repo, &["add", "-A"]);
        git(repo, &["commit", "-q", "-m", "next"]);
    }
    let output = Command::new(env!("CARGO_BIN_EXE_shadow-ci"))
        .args(["HEAD~1", "HEAD", "--json", "-", "--search-runs", "0"])
        .args(["--proofs", proofs, "--repo"])
        .arg(repo)
        .arg("--classpath")
        .arg(class_path)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["methods"], 1, "{report:#}");
    report["methods"][0].clone()
}

fn follows_all(method: &Value) {
    assert_eq!(method["paths"]["gave_up"], 0, "{method:#}");
}

const METERED: &str = "package demo; import com.codahale.metrics.*; public class Shop {
    private static final Counter COUNTER = new Counter();
    private static final Timer TIMER = new Timer();
    public static int price(int x) {
        try (Timer.Context time = TIMER.time()) { new Meter().mark(); COUNTER.inc(x); return x > 9 ? x * 2 : x; }
    } }";

fn metrics(averages: &str) -> Vec<(String, String)> {
    let place = |name: &str| {
        format!(
            "com/codahale/metrics/{}",
            name.replace("MovingAverages", averages)
        )
    };
    let text = |text: &str| text.replace("MovingAverages", averages);
    METRICS.iter().map(|(n, t)| (place(n), text(t))).collect()
}

#[test]
fn metrics_count_nothing() {
    let dir = tempfile::tempdir().unwrap();
    follows_all(&checked(
        METERED,
        &library(dir.path(), &metrics("MovingAverages")),
    ));
}

#[test]
fn metrics_of_the_third_edition_count_nothing() {
    let dir = tempfile::tempdir().unwrap();
    follows_all(&checked(METERED, &library(dir.path(), &metrics("EWMA"))));
}

/// As much of Maven's classes as the stand-in names; the log of goals that run without Maven fails.
const MAVEN: [(&str, &str); 3] = [
    (
        "logging/Log",
        "public interface Log { boolean isDebugEnabled(); void debug(CharSequence t); void info(CharSequence t); }",
    ),
    (
        "logging/SystemStreamLog",
        "public class SystemStreamLog implements Log { public SystemStreamLog() { throw new Error(); } public boolean isDebugEnabled() { return true; } public void debug(CharSequence t) {} public void info(CharSequence t) {} }",
    ),
    (
        "AbstractMojo",
        "import org.apache.maven.plugin.logging.*; public abstract class AbstractMojo { private Log log; public void setLog(Log log) { this.log = log; } public Log getLog() { if (log == null) { log = new SystemStreamLog(); } return log; } }",
    ),
];

const GOAL: &str = "package demo; import org.apache.maven.plugin.AbstractMojo; public class Shop extends AbstractMojo {
    private int total;
    public int price(int x) {
        getLog().debug(\"asked for \" + x);
        return x > 9 ? x * 2 : x;
    } }";

fn maven(dir: &Path) -> PathBuf {
    let place = |name: &str| format!("org/apache/maven/plugin/{name}");
    library(dir, &MAVEN.map(|(n, t)| (place(n), t.to_string())))
}

#[test]
fn goals_of_maven_log_to_nobody() {
    let dir = tempfile::tempdir().unwrap();
    follows_all(&checked(GOAL, &maven(dir.path())));
}

#[test]
fn what_goals_of_maven_log_is_no_difference_unless_they_have_logs_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let classes = maven(dir.path());
    let more = "getLog().info(\"found \" + x); return";
    let versions = |goal: &str| {
        [
            goal.to_string(),
            goal.replacen("return x", &format!("{more} x"), 1),
        ]
    };
    let [old, new] = versions(GOAL);
    let method = only_method([&old, &new], &classes, "on");
    assert_eq!(method["verdict"], "equivalent", "{method:#}");
    let own = "@Override public org.apache.maven.plugin.logging.Log getLog() { total++; return super.getLog(); }";
    let [old, new] =
        versions(&GOAL.replace("private int total;", &format!("public int total; {own}")));
    let method = only_method([&old, &new], &classes, "on");
    assert_eq!(method["verdict"], "diverges", "{method:#}");
}

/// As much of OpenTracing's classes as the stand-ins name.
const TRACING: [(&str, &str); 13] = [
    ("Scope", "public interface Scope { void close(); }"),
    ("ScopeManager", "public interface ScopeManager {}"),
    (
        "Span",
        "public interface Span { void finish(); Span setTag(String k, String v); }",
    ),
    ("SpanContext", "public interface SpanContext {}"),
    (
        "Tracer",
        "import io.opentracing.propagation.Format; public interface Tracer { ScopeManager scopeManager(); Span activeSpan(); SpanBuilder buildSpan(String n); <C> SpanContext extract(Format<C> f, C c); interface SpanBuilder { Span start(); } }",
    ),
    ("propagation/Format", "public interface Format<C> {}"),
    (
        "noop/NoopSpan",
        "import io.opentracing.*; public interface NoopSpan extends Span { NoopSpan INSTANCE = new NoopSpan() { public void finish() {} public Span setTag(String k, String v) { return this; } }; }",
    ),
    (
        "noop/NoopScopeManager",
        "import io.opentracing.*; public interface NoopScopeManager extends ScopeManager { NoopScopeManager INSTANCE = new NoopScopeManager() {}; interface NoopScope extends Scope { NoopScope INSTANCE = new NoopScope() { public void close() {} }; } }",
    ),
    (
        "noop/NoopSpanBuilder",
        "import io.opentracing.*; public interface NoopSpanBuilder extends Tracer.SpanBuilder { NoopSpanBuilder INSTANCE = new NoopSpanBuilder() { public Span start() { return NoopSpan.INSTANCE; } }; }",
    ),
    (
        "noop/NoopTracer",
        "public interface NoopTracer extends io.opentracing.Tracer {}",
    ),
    (
        "noop/NoopTracerFactory",
        "public class NoopTracerFactory { public static NoopTracer create() { return new Quiet(); } }",
    ),
    (
        "noop/Quiet",
        "import io.opentracing.*; import io.opentracing.propagation.Format; public class Quiet implements NoopTracer { public ScopeManager scopeManager() { return null; } public Span activeSpan() { return null; } public Tracer.SpanBuilder buildSpan(String n) { return NoopSpanBuilder.INSTANCE; } public <C> SpanContext extract(Format<C> f, C c) { return null; } }",
    ),
    (
        "util/GlobalTracer",
        "import io.opentracing.*; public class GlobalTracer { public static Tracer get() { throw new Error(); } public static boolean isRegistered() { throw new Error(); } }",
    ),
];

#[test]
fn tracers_tell_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let sources = TRACING.map(|(name, text)| (format!("io/opentracing/{name}"), text.to_string()));
    let classes = library(dir.path(), &sources);
    let global = "package demo; import io.opentracing.*; import io.opentracing.util.GlobalTracer; public class Shop {
        public static int price(int x) {
            Span span = GlobalTracer.get().buildSpan(\"price\").start();
            try { return x > 9 ? x * 2 : x; } finally { span.finish(); }
        } }";
    follows_all(&checked(global, &classes));
    let given = "package demo; import io.opentracing.*; public class Shop {
        public static int price(Tracer tracer, int x) {
            Span span = tracer.buildSpan(\"price\").start().setTag(\"k\", \"v\");
            try { return x > 9 ? x * 2 : x; } finally { span.finish(); }
        } }";
    let method = checked(given, &classes);
    assert!(
        method
            .to_string()
            .contains("new com.shadowci.standin.StandInForTracer()"),
        "{method:#}"
    );
}

/// As much of Micrometer's classes as the stand-in names.
const MICROMETER: [(&str, &str); 22] = [
    (
        "Clock",
        "public interface Clock { Clock SYSTEM = new Clock() {}; }",
    ),
    ("Measurement", "public class Measurement {}"),
    (
        "Meter",
        "public interface Meter { class Id { public final String name; public Id(String name) { this.name = name; } } enum Type { OTHER } }",
    ),
    (
        "Counter",
        "public interface Counter extends Meter { void increment(double by); }",
    ),
    ("Gauge", "public interface Gauge extends Meter {}"),
    (
        "Timer",
        "public interface Timer extends Meter { int record(java.util.function.IntSupplier f); }",
    ),
    (
        "LongTaskTimer",
        "public interface LongTaskTimer extends Meter {}",
    ),
    (
        "DistributionSummary",
        "public interface DistributionSummary extends Meter {}",
    ),
    (
        "FunctionCounter",
        "public interface FunctionCounter extends Meter {}",
    ),
    (
        "FunctionTimer",
        "public interface FunctionTimer extends Meter {}",
    ),
    (
        "MeterRegistry",
        "import io.micrometer.core.instrument.distribution.*; import io.micrometer.core.instrument.distribution.pause.*; import java.util.concurrent.TimeUnit; import java.util.function.*; public abstract class MeterRegistry { protected MeterRegistry(Clock c) {} protected abstract <T> Gauge newGauge(Meter.Id i, T o, ToDoubleFunction<T> f); protected abstract Counter newCounter(Meter.Id i); protected abstract Timer newTimer(Meter.Id i, DistributionStatisticConfig c, PauseDetector p); protected abstract DistributionSummary newDistributionSummary(Meter.Id i, DistributionStatisticConfig c, double s); protected abstract Meter newMeter(Meter.Id i, Meter.Type t, Iterable<Measurement> m); protected abstract <T> FunctionTimer newFunctionTimer(Meter.Id i, T o, ToLongFunction<T> c, ToDoubleFunction<T> t, TimeUnit u); protected abstract <T> FunctionCounter newFunctionCounter(Meter.Id i, T o, ToDoubleFunction<T> c); protected abstract TimeUnit getBaseTimeUnit(); protected abstract DistributionStatisticConfig defaultHistogramConfig(); public Counter counter(String n, String... tags) { return newCounter(new Meter.Id(n)); } public Timer timer(String n, String... tags) { return newTimer(new Meter.Id(n), defaultHistogramConfig(), null); } }",
    ),
    (
        "distribution/DistributionStatisticConfig",
        "public class DistributionStatisticConfig { public static final DistributionStatisticConfig NONE = new DistributionStatisticConfig(); }",
    ),
    (
        "distribution/pause/PauseDetector",
        "public interface PauseDetector {}",
    ),
    (
        "noop/NoopMeter",
        "import io.micrometer.core.instrument.*; public class NoopMeter implements Meter { public NoopMeter(Meter.Id i) { i.name.length(); } }",
    ),
    (
        "noop/NoopCounter",
        "import io.micrometer.core.instrument.*; public class NoopCounter extends NoopMeter implements Counter { public NoopCounter(Meter.Id i) { super(i); } public void increment(double by) {} }",
    ),
    (
        "noop/NoopGauge",
        "import io.micrometer.core.instrument.*; public class NoopGauge extends NoopMeter implements Gauge { public NoopGauge(Meter.Id i) { super(i); } }",
    ),
    (
        "noop/NoopTimer",
        "import io.micrometer.core.instrument.*; public class NoopTimer extends NoopMeter implements Timer { public NoopTimer(Meter.Id i) { super(i); } public int record(java.util.function.IntSupplier f) { return f.getAsInt(); } }",
    ),
    (
        "noop/NoopLongTaskTimer",
        "import io.micrometer.core.instrument.*; public class NoopLongTaskTimer extends NoopMeter implements LongTaskTimer { public NoopLongTaskTimer(Meter.Id i) { super(i); } }",
    ),
    (
        "noop/NoopDistributionSummary",
        "import io.micrometer.core.instrument.*; public class NoopDistributionSummary extends NoopMeter implements DistributionSummary { public NoopDistributionSummary(Meter.Id i) { super(i); } }",
    ),
    (
        "noop/NoopFunctionCounter",
        "import io.micrometer.core.instrument.*; public class NoopFunctionCounter extends NoopMeter implements FunctionCounter { public NoopFunctionCounter(Meter.Id i) { super(i); } }",
    ),
    (
        "noop/NoopFunctionTimer",
        "import io.micrometer.core.instrument.*; public class NoopFunctionTimer extends NoopMeter implements FunctionTimer { public NoopFunctionTimer(Meter.Id i) { super(i); } }",
    ),
    ("Tag", "public interface Tag {}"),
];

#[test]
fn a_registry_of_meters_is_one_that_measures_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let place = |name: &str| format!("io/micrometer/core/instrument/{name}");
    let sources = MICROMETER.map(|(name, text)| (place(name), text.to_string()));
    let classes = library(dir.path(), &sources);
    let shop = "package demo; import io.micrometer.core.instrument.*; public class Shop {
        private final Counter counter;
        private final Timer timer;
        public Shop(MeterRegistry registry) { counter = registry.counter(\"c\"); timer = registry.timer(\"t\", \"k\", \"v\"); }
        public int price(int x) { counter.increment(x); return timer.record(() -> 1) + (x > 9 ? x * 2 - 1 : x); } }";
    let method = checked(shop, &classes);
    assert!(
        method
            .to_string()
            .contains("new com.shadowci.standin.StandInForMeterRegistry()"),
        "{method:#}"
    );
}

/// As much of slf4j before 1.6 as the stand-in names: without the jar of a logger its factory fails.
const EARLIER_SLF4J: [(&str, &str); 3] = [
    (
        "Logger",
        "public interface Logger { boolean isInfoEnabled(); void info(String s, Object o); }",
    ),
    (
        "ILoggerFactory",
        "public interface ILoggerFactory { Logger getLogger(String name); }",
    ),
    (
        "LoggerFactory",
        "public class LoggerFactory { public static Logger getLogger(Class of) { throw new NoClassDefFoundError(\"org/slf4j/impl/StaticLoggerBinder\"); } }",
    ),
];

/// The object that does the logging is a field of the receiver, which is compared.
#[test]
fn loggers_of_an_edition_without_silent_ones_are_silent() {
    let dir = tempfile::tempdir().unwrap();
    let classes = EARLIER_SLF4J.map(|(n, t)| (format!("org/slf4j/{n}"), t.to_string()));
    let shop = "package demo; import org.slf4j.*; public class Shop {
    private final Logger log = LoggerFactory.getLogger(Shop.class);
    private int sold;
    public int price(int x) {
        log.info(\"asked for {}\", x); sold++; return x > 9 ? x * 2 : x;
    } }";
    let method = checked(shop, &library(dir.path(), &classes));
    follows_all(&method);
    assert_eq!(method["mismatches"], serde_json::json!([]), "{method:#}");
}
