package com.shadowci.worker;

import java.io.*;
import java.lang.reflect.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Predicate;

/** Runs one input in one version, in a class loader of its own. */
final class Replay {
    /** Which classes are the project's own: those of the first folder of the class path. */
    static final class Classes implements Visible.Scope {
        private final File folder;
        private final URL url;
        private final Map<Class<?>, Boolean> known = new HashMap<>();
        private final Map<Class<?>, List<Visible.Shown>> fields = new HashMap<>();
        private Predicate<Field> counting = field -> true;

        Classes(File folder) throws MalformedURLException {
            this.folder = folder;
            this.url = folder.toURI().toURL();
        }

        @Override
        public Map<Class<?>, List<Visible.Shown>> fields() {
            return fields;
        }

        /** Leaves out the instance fields that do not count. */
        void only(Predicate<Field> counting) {
            this.counting = counting;
        }

        @Override
        public boolean counts(Field field) {
            return counting.test(field);
        }

        @Override
        public boolean isProject(Class<?> type) {
            return known.computeIfAbsent(type, t -> {
                var source = t.getProtectionDomain().getCodeSource();
                return source != null && source.getLocation() != null && source.getLocation().equals(url);
            });
        }

        boolean isProject(String name) {
            return new File(folder, name.replace('.', '/') + ".class").isFile();
        }
    }

    /** What an outcome may have in bytes, as it is written: the search compares no more. */
    private static final int LARGEST = 6 << 20;

    /** Milliseconds that getters of libraries' objects may take: usual ones take none. */
    private static final int TELLING = 500;

    private Executable entry;
    private Object receiver;
    private Object[] args;
    private Object result;
    private Throwable thrown;
    private volatile String failed;
    private volatile boolean entered;
    /** Whether what the outcome holds is still asked, and does not end. */
    private boolean stillTells;

    static void run(Wire wire) throws IOException {
        List<String> path = wire.strings();
        String type = wire.string(), name = wire.string(), descriptor = wire.string();
        int kind = wire.in.read();
        boolean isStatic = kind == 'S';
        int limit = wire.in.readInt();
        boolean asks = wire.in.readBoolean();
        Classes classes = new Classes(new File(path.get(0)));
        Traces traces = new Traces();
        try (Tested loader = new Tested(path)) {
            Values values = new Values(loader, classes);
            Values.Spec receiver = wire.in.readBoolean() ? kind == 'A' ? values.readAsked(wire) : values.read(wire) : null;
            List<Values.Spec> args = values.readAll(wire);
            Replay replay = new Replay();
            Getters.asked = asks;
            replay.run(wire, values, classes, loader, type, name, descriptor, isStatic, receiver, args, limit);
            wire.out.writeBoolean(traces.removed() && !replay.stillTells);
        }
    }

    private void run(Wire wire, Values values, Classes classes, ClassLoader loader, String type, String name, String descriptor,
            boolean isStatic, Values.Spec receiverSpec, List<Values.Spec> argSpecs, int limit) throws IOException {
        Printed printed = new Printed();
        PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8);
        PrintStream out = System.out, err = System.err;
        Properties properties = (Properties) System.getProperties().clone();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        System.setOut(capture);
        System.setErr(capture);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Exits.begin(printed);
        Thread thread = new Thread(() -> call(values, type, name, descriptor, isStatic, receiverSpec, argSpecs, printed, capture), "replay");
        thread.setContextClassLoader(loader);
        thread.start();
        boolean hung = false;
        try {
            hung = !Patience.ends(thread, Math.max(1, limit));
        } catch (InterruptedException e) {
            failed = "interrupted";
        }
        System.setOut(out);
        System.setErr(err);
        System.setProperties(properties);
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        Integer code = Exits.code();
        if (code != null && !entered) failed = "building the input: the program exits";
        if (code != null && entered) {
            // Who calls sees nothing of the objects any more.
            wire.out.write('Z');
            wire.out.writeInt(code);
            wire.write(TraceText.steady(printed.text()));
            Left.write(Left.all(), wire);
            return;
        }
        if (hung) {
            wire.out.write('H');
            wire.out.flush();
            Runtime.getRuntime().halt(0);
        }
        if (printed.failed() != null) failed = printed.failed();
        tell(wire, values, new Values(loader, classes), classes, printed, limit);
    }

    /** Answers; where objects of libraries do not end when they are asked what they hold, without them. */
    private void tell(Wire wire, Values values, Values unused, Classes classes, Printed printed, int limit) throws IOException {
        int patient = Math.max(1, limit);
        boolean told = tells(wire, values, classes, printed, Getters.asked ? TELLING : patient);
        if (!told && Getters.asked) {
            Getters.asked = false;
            // The other ones know the objects already.
            told = tells(wire, unused, classes, printed, patient);
        }
        if (told) return;
        wire.out.write('F');
        wire.write("asking the objects of the outcome does not end");
    }

    /** Whether the answer is written; not where a getter has been at work for so many milliseconds. */
    private boolean tells(Wire wire, Values values, Classes classes, Printed printed, int limit) throws IOException {
        Bounded told = new Bounded(LARGEST);
        Wire apart = new Wire(wire.in, new DataOutputStream(told));
        FutureTask<Void> telling = new FutureTask<>(() -> {
            answer(apart, values, classes, printed);
            return null;
        });
        Thread thread = new Thread(telling, "telling");
        thread.setDaemon(true);
        thread.start();
        try {
            while (!Patience.ends(thread, limit)) {
                if (Getters.asked && !Getters.busy) continue;
                stillTells = true;
                return false;
            }
            telling.get();
        } catch (ExecutionException e) {
            boolean isLarge = e.getCause() instanceof Bounded.Full;
            // Memory was short when the objects were asked, or they tell too much.
            if (Getters.asked && (isLarge || e.getCause() instanceof Error)) return false;
            if (!isLarge) throw new IOException(e);
            told.reset();
            apart.out.write('F');
            apart.write("what it leaves takes more than " + (LARGEST >> 20) + " MB to tell");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        told.writeTo(wire.out);
        return true;
    }

    private void call(Values values, String type, String name, String descriptor, boolean isStatic, Values.Spec receiverSpec,
            List<Values.Spec> argSpecs, Printed printed, PrintStream capture) {
        try {
            if (receiverSpec != null) receiver = receiverSpec.build();
            args = Values.build(argSpecs);
            capture.flush();
            printed.begin();
            entry = values.find(type, name, descriptor);
        } catch (Throwable t) {
            failed = "building the input: " + (t instanceof InvocationTargetException i ? i.getCause() : t);
            return;
        }
        entered = true;
        try {
            if (entry instanceof Constructor<?> c) receiver = c.newInstance(args);
            else result = ((Method) entry).invoke(isStatic ? null : receiver, args);
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
        } catch (ExceptionInInitializerError e) {
            thrown = e;
        } catch (Throwable t) {
            failed = t.toString();
        }
        capture.flush();
    }

    private void answer(Wire wire, Values values, Classes classes, Printed printed) throws IOException {
        DataOutputStream out = wire.out;
        if (failed != null) {
            out.write('F');
            wire.write(failed);
            return;
        }
        try {
            boolean constructor = entry instanceof Constructor<?>;
            values.hideHashes(receiver, args, result);
            if (thrown != null) {
                out.write('T');
                wire.write(thrown.getClass().getName());
                String message = JvmText.of(thrown);
                out.writeBoolean(message != null);
                if (message != null) wire.write(message);
                out.writeBoolean(JvmText.isIn(thrown, message));
                wire.write(position(classes));
                values.held(wire, thrown);
            } else {
                out.write('R');
                values.write(wire, result, constructor ? void.class : ((Method) entry).getReturnType());
            }
            boolean seen = receiver != null && !(constructor && thrown != null);
            out.writeBoolean(seen);
            if (seen) values.write(wire, receiver, Object.class);
            out.writeInt(args.length);
            Class<?>[] parameters = entry.getParameterTypes();
            for (int i = 0; i < args.length; i++) values.write(wire, args[i], parameters[i]);
            wire.write(TraceText.steady(printed.text()));
            Left.write(Left.all(), wire);
        } catch (IllegalAccessException e) {
            throw new IOException(e);
        }
    }

    private String position(Classes classes) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (classes.isProject(frame.getClassName())) return frame.getFileName() + ":" + frame.getLineNumber();
        }
        return "";
    }
}
