package com.shadowci.worker;

import java.io.*;
import java.util.*;

/**
 * The process that compiles and replays for shadow-ci. Requests and answers go through two files, which the process was started
 * with and which its standard streams are not: what the code under test does to those disturbs nothing.
 */
public final class Worker {
    /** Long chains of objects are written recursively: that takes a deep stack. */
    private static final long STACK = 512L << 20;

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(null, () -> serve(args[0], args[1]), "worker", STACK);
        thread.start();
        thread.join();
    }

    private static void serve(String requests, String answers) {
        try {
            answer(new FileInputStream(requests), new FileOutputStream(answers));
        } catch (IOException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void answer(InputStream requests, OutputStream answers) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(requests, 1 << 16));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(answers, 1 << 16));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        silenceLoggers();
        Wrapped.shown = true;
        out.write('!');
        out.flush();
        while (true) {
            int kind = in.read();
            // Threads that runs left would keep the process.
            if (kind < 0) Runtime.getRuntime().halt(0);
            Wire wire = new Wire(in, out);
            if (kind == 'C') Compilation.answer(wire);
            else if (kind == 'R') Replay.run(wire);
            else if (kind == 'S') Search.answer(wire);
            else if (kind == 'P') properties(wire);
            out.flush();
        }
    }

    /** What loggers print is no part of an outcome. */
    private static void silenceLoggers() {
        try {
            java.util.logging.LogManager.getLogManager().reset();
            java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.OFF);
        } catch (LinkageError e) {
            // A JDK without java.logging has no loggers.
        }
    }

    private static void properties(Wire wire) throws IOException {
        Set<String> names = System.getProperties().stringPropertyNames();
        wire.out.write('P');
        wire.out.writeInt(names.size());
        for (String name : names) {
            wire.write(name);
            wire.write(System.getProperty(name));
        }
    }
}
