package com.shadowci.worker;

import java.io.*;
import java.util.*;
import javax.tools.*;

/** The process that compiles and replays for shadow-ci: requests on standard input, answers on standard output. */
public final class Worker {
    /** Long chains of objects are written recursively: that takes a deep stack. */
    private static final long STACK = 512L << 20;

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(null, Worker::serve, "worker", STACK);
        thread.start();
        thread.join();
    }

    private static void serve() {
        try {
            answer();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static void answer() throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        while (true) {
            int kind = in.read();
            if (kind < 0) return;
            Wire wire = new Wire(in, out);
            if (kind == 'C') compile(wire);
            else if (kind == 'R') Replay.run(wire);
            out.flush();
        }
    }

    private static void compile(Wire wire) throws IOException {
        List<String> sources = wire.strings();
        String sourcePath = String.join(File.pathSeparator, wire.strings());
        String classPath = String.join(File.pathSeparator, wire.strings());
        String target = wire.string();
        // An empty class path would mean the current folder.
        if (classPath.isEmpty()) classPath = target;
        List<String> extra = wire.strings();
        List<String> options = new ArrayList<>(List.of(
                "-g", "-proc:none", "-nowarn", "-implicit:class", "-encoding", "UTF-8", "-Xmaxerrs", "1000", "-XDshould-stop.ifError=FLOW",
                "-d", target, "-sourcepath", sourcePath, "-classpath", classPath));
        options.addAll(extra);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        boolean ok;
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            ok = compiler.getTask(Writer.nullWriter(), files, found, options, null,
                    files.getJavaFileObjectsFromStrings(sources)).call();
        }
        wire.out.writeBoolean(ok);
        wire.out.writeInt(found.getDiagnostics().size());
        for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
            wire.write(d.getSource() == null ? "" : d.getSource().getName());
            wire.out.writeInt((int) d.getLineNumber());
            wire.out.writeInt((int) d.getPosition());
            wire.write(d.getMessage(Locale.ROOT));
            wire.out.writeBoolean(d.getKind() == Diagnostic.Kind.ERROR);
        }
    }
}
