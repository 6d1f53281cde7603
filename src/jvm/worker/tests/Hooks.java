package com.shadowci.tests;

import java.io.*;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** What the process that runs a project's tests tells the debugger, by being called. */
final class Hooks {
    private Hooks() {}

    static void began(String type, String name) {}

    static void ended(String outcome) {}

    static void finished() {}

    /** The classes named on standard input, one a line, up to an empty line. When the other end goes away, so do we. */
    static List<Class<?>> classes() throws IOException {
        InputStream raw = System.in;
        System.setIn(new ByteArrayInputStream(new byte[0]));
        BufferedReader in = new BufferedReader(new InputStreamReader(raw, StandardCharsets.UTF_8));
        List<Class<?>> found = new ArrayList<>();
        for (String name = in.readLine(); name != null && !name.isEmpty(); name = in.readLine()) {
            try {
                Class<?> type = Class.forName(name, false, Hooks.class.getClassLoader());
                if (!Modifier.isAbstract(type.getModifiers())) found.add(type);
            } catch (ClassNotFoundException | LinkageError e) {
                // Not there, or without what it needs: it holds no tests that can run.
            }
        }
        Thread watch = new Thread(() -> {
            try {
                while (in.read() >= 0) continue;
            } catch (IOException e) {
                // Gone as well.
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
        return found;
    }
}
