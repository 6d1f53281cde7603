package com.shadowci.worker;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.*;
import java.util.*;
import javax.tools.*;

/** Compiles, and tells what the compiler said: where it crashed, in which file and of what. */
final class Compilation implements TaskListener {
    private final DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    private final StringWriter said = new StringWriter();
    /** What the compiler works on. */
    private volatile JavaFileObject file;

    static void answer(Wire wire) throws IOException {
        new Compilation().run(wire);
    }

    @Override
    public void started(TaskEvent event) {
        if (event.getSourceFile() != null) file = event.getSourceFile();
    }

    private void run(Wire wire) throws IOException {
        List<String> sources = wire.strings();
        String sourcePath = String.join(File.pathSeparator, wire.strings());
        String classPath = String.join(File.pathSeparator, wire.strings());
        String target = wire.string();
        // An empty class path would mean the current folder.
        if (classPath.isEmpty()) classPath = target;
        List<String> extra = wire.strings();
        List<String> options = new ArrayList<>(List.of(
                "-g", "-nowarn", "-implicit:class", "-encoding", "UTF-8", "-Xmaxerrs", "1000", "-XDshould-stop.ifError=FLOW",
                "-d", target, "-sourcepath", sourcePath, "-classpath", classPath));
        options.addAll(extra);
        boolean ok = compile(options, sources);
        boolean crashed = !ok && found.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR);
        wire.out.writeBoolean(ok);
        wire.out.writeInt(found.getDiagnostics().size() + (crashed ? 1 : 0));
        for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
            write(wire, d.getSource(), d.getLineNumber(), d.getPosition(), d.getMessage(Locale.ROOT), d.getKind() == Diagnostic.Kind.ERROR);
        }
        if (crashed) write(wire, file, Diagnostic.NOPOS, Diagnostic.NOPOS, "javac " + Runtime.version() + " crashed: " + exception(), true);
        wire.out.writeBoolean(crashed);
    }

    private boolean compile(List<String> options, List<String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            JavaCompiler.CompilationTask task =
                    compiler.getTask(said, files, found, options, null, files.getJavaFileObjectsFromStrings(sources));
            if (task instanceof JavacTask javac) javac.setTaskListener(this);
            return task.call();
        } catch (RuntimeException | Error e) {
            said.write("\n" + e + "\n");
            return false;
        }
    }

    /** The first line of what it said that is an exception's, else the first at all. */
    private String exception() {
        List<String> lines = said.toString().lines().filter(line -> !line.isBlank()).toList();
        for (String line : lines) {
            if (line.matches("(\\w+\\.)+\\w+(:.*)?")) return line;
        }
        return lines.isEmpty() ? "it said nothing" : lines.get(0);
    }

    private static void write(Wire wire, JavaFileObject source, long line, long position, String message, boolean error) throws IOException {
        wire.write(source == null ? "" : source.getName());
        wire.out.writeInt((int) line);
        wire.out.writeInt((int) position);
        wire.write(message);
        wire.out.writeBoolean(error);
    }
}
