//! The report that a JVM leaves in its folder when it dies of a fault: the signal, and which method our worker had called.

use crate::model::MethodRef;
use std::io::Read;
use std::path::Path;

/// The frames stand at its beginning.
const MOST_READ: u64 = 1 << 20;
/// Packages through which a worker calls what it is told to: they differ between JDKs.
const REFLECTION: [&str; 4] = [
    "java.lang.reflect.",
    "java.lang.invoke.",
    "jdk.internal.reflect.",
    "sun.reflect.",
];
const WORKER: &str = "com.shadowci.worker.";

/// The method that a worker's thread had called by reflection when its JVM died; `None` where there is no report, or another thread met
/// the fault. `folder` is where the JVM ran.
pub(super) fn called(folder: &Path) -> Option<MethodRef> {
    outermost(&report(folder)?)
}

/// The name of the signal that the JVM died of, such as `SIGSEGV`.
pub(super) fn signal(folder: &Path) -> Option<String> {
    named(&report(folder)?)
}

fn named(report: &str) -> Option<String> {
    let mut lines = report.lines();
    lines.find_map(|line| {
        let (name, _) = line.strip_prefix('#')?.trim().split_once(" (0x")?;
        name.starts_with("SIG").then(|| name.to_string())
    })
}

/// The text of the first report in a folder.
fn report(folder: &Path) -> Option<String> {
    let mut reports = std::fs::read_dir(folder).ok()?.flatten().filter(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("hs_err_pid")
            && entry.file_type().is_ok_and(|t| t.is_file())
    });
    let file = std::fs::File::open(reports.next()?.path()).ok()?;
    let mut text = Vec::new();
    file.take(MOST_READ).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The last method before the worker's own, from the innermost frame outwards.
fn outermost(report: &str) -> Option<MethodRef> {
    let frames = report.split_once("\nJava frames:")?.1;
    let mut last = None;
    let list = frames.lines().skip(1).take_while(|line| !line.is_empty());
    for method in list.filter_map(frame) {
        if method.class.starts_with(WORKER) {
            return last;
        }
        if !REFLECTION.iter().any(|p| method.class.starts_with(p)) {
            last = Some(method);
        }
    }
    None
}

/// The method of a line of the list, `j  a.B.c(J)V+26`, or `J 431 c1 a.B.c(J)V (8 bytes) @ …`; `None` for frames without one.
fn frame(line: &str) -> Option<MethodRef> {
    let frame = line.strip_prefix(['j', 'J'])?;
    let mut words = frame.split_whitespace();
    method(words.find(|word| word.contains('('))?)
}

fn method(word: &str) -> Option<MethodRef> {
    let (name, rest) = word.split_once('(')?;
    let (class, name) = name.rsplit_once('.')?;
    let (parameters, rest) = rest.split_once(')')?;
    let result = rest.split('+').next()?;
    Some(MethodRef {
        class: class.into(),
        name: name.into(),
        descriptor: format!("({parameters}){result}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "# SIGSEGV (0xb)\n\nNative frames: (J=compiled Java code)\nV  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124\n\n\
        Java frames: (J=compiled Java code, j=interpreted, Vv=VM code)\n\
        J 431  jdk.internal.misc.Unsafe.putLong(Ljava/lang/Object;JJ)V java.base@17.0.15 (0 bytes) @ 0x00007f [0x00007f+0x0] \n\
        j  sun.misc.Unsafe.putLong(Ljava/lang/Object;JJ)V+7 jdk.unsupported@17.0.15\n\
        j  demo.Memory$Direct.put(J)Ljava/lang/Object;+26\n\
        j  demo.Memory.<init>(JI)V+3\n\
        v  ~StubRoutines::call_stub\n\
        j  jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0(Ljava/lang/reflect/Constructor;)Ljava/lang/Object;+0\n\
        j  java.lang.reflect.Constructor.newInstance([Ljava/lang/Object;)Ljava/lang/Object;+59\n\
        j  com.shadowci.worker.Node.invoke(Ljava/lang/Object;)Ljava/lang/Object;+37\n\
        j  demo.Main.main([Ljava/lang/String;)V+1\n\nsiginfo: si_signo: 11 (SIGSEGV)\n";

    #[test]
    fn the_method_that_the_worker_called_is_the_last_before_its_own() {
        let called = outermost(REPORT).unwrap();
        assert_eq!(&*called.class, "demo.Memory");
        assert_eq!((&*called.name, &*called.descriptor), ("<init>", "(JI)V"));
        assert_eq!(named(REPORT).as_deref(), Some("SIGSEGV"));
    }

    #[test]
    fn of_other_threads_and_broken_reports_nothing_is_known() {
        let without = REPORT.replace("com.shadowci.worker.", "demo.");
        assert_eq!(outermost(&without), None);
        assert_eq!(outermost("Native frames:\nj  demo.T.f()V+1\n"), None);
        assert_eq!(outermost("\nJava frames: (x)\nj  (\nJ )(\nj  a(b\n"), None);
        assert_eq!(called(Path::new("/nowhere")), None);
        assert_eq!(named("# A fatal error\nSIGSEGV\n# SIGNALS are\n"), None);
    }
}
