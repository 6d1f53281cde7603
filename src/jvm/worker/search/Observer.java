package com.shadowci.worker;

import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Runs one input in one version and writes down what a caller sees, as replays do. */
final class Observer {
    /** More than that is not compared: of a method with inputs, and of one that has but one. */
    private static final int LONGEST = 1 << 18, LONGEST_OF_ONE = 1 << 22;
    /** So often the temporary folder is emptied at least. */
    private static final int OFTEN = 64;

    /** What a caller sees of a run beside its result, and what may be another in each run: a text with a hash, a time that an object holds. */
    enum Part { PRINTED, STATE, MESSAGE }

    /** How a run ended; of runs that say nothing there is no outcome. */
    static final class Outcome {
        /** Class of what was thrown, or "". */
        String thrown = "";
        String message;
        /** Whether the message is the JVM's or the JDK's. */
        boolean madeByJvm;
        /** Returned value, files. */
        byte[] seen;
        /** Receiver, arguments. */
        byte[] state = {};
        byte[] printed = {};
        /** Whether it took too many steps. */
        boolean hung;
        /** Steps it took. */
        long steps;

        /** One that only its end tells of. */
        static Outcome ended(String how) {
            Outcome outcome = new Outcome();
            outcome.thrown = how;
            outcome.seen = new byte[0];
            return outcome;
        }

        /** One that does not seem to end. */
        static Outcome hung() {
            Outcome outcome = ended("hangs");
            outcome.hung = true;
            return outcome;
        }

        /** Whether both ended alike, whatever differs beside. */
        boolean ends(Outcome other) {
            return thrown.equals(other.thrown) && Arrays.equals(seen, other.seen);
        }

        /** In which parts they differ. */
        Set<Part> differing(Outcome other) {
            Set<Part> parts = EnumSet.noneOf(Part.class);
            if (!Arrays.equals(printed, other.printed)) parts.add(Part.PRINTED);
            if (!Arrays.equals(state, other.state)) parts.add(Part.STATE);
            if (!Objects.equals(message, other.message) && !(madeByJvm && other.madeByJvm)) parts.add(Part.MESSAGE);
            return parts;
        }

        /** Whether a caller sees the same of both, as far as these parts count. */
        boolean is(Outcome other, Set<Part> counting) {
            return ends(other) && Collections.disjoint(differing(other), counting);
        }
    }

    private static final class Full extends IOException {
        private static final long serialVersionUID = 1;

        Full() {
            super("too long");
        }
    }

    private static final class Bounded extends ByteArrayOutputStream {
        private final int longest;

        Bounded(int longest) {
            this.longest = longest;
        }

        @Override
        public synchronized void write(int b) {
            if (count > longest) throw new UncheckedIOException(new Full());
            super.write(b);
        }

        @Override
        public synchronized void write(byte[] b, int from, int length) {
            if (count > longest) throw new UncheckedIOException(new Full());
            super.write(b, from, length);
        }
    }

    private final Node.Member entry;
    private final boolean isStatic;
    private final int longest;
    private final Bounded printed;
    private final PrintStream capture;
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    /** Whether any run left a file in its working folder; runs since all folders were emptied. */
    private boolean touched;
    private int since;
    /** Inputs that could not be built, of those run. */
    int unbuilt;
    /** Runs of one version that left files, and those for which the memory was too small. */
    int withFiles, withoutMemory;
    /** How often a member threw while an input was built, by the member and the exception. */
    private final Map<String, Integer> obstacles = new TreeMap<>();

    Observer(Node.Member entry, boolean isStatic) {
        this.entry = entry;
        this.isStatic = isStatic;
        boolean isOne = entry.descriptor.startsWith("()") && (isStatic || entry.name.equals("<init>"));
        longest = isOne ? LONGEST_OF_ONE : LONGEST;
        printed = new Bounded(longest);
        capture = new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    /** Null where the input can't be built, or the run says nothing: one that wants to make more bytes at once than that says nothing. */
    Outcome run(Side side, Node receiver, List<Node> args, long steps, long bytes) {
        Thread.currentThread().setContextClassLoader(side.loader());
        System.setOut(capture);
        System.setErr(capture);
        System.setIn(new ByteArrayInputStream(new byte[0]));
        printed.reset();
        try {
            Trace.run(steps, bytes);
            Outcome outcome = outcome(side, receiver, args);
            if (outcome != null) outcome.steps = Trace.used();
            return outcome;
        } catch (Throwable t) {
            return null;
        } finally {
            Trace.pause();
            restore();
        }
    }

    private Outcome outcome(Side side, Node receiver, List<Node> args) throws Throwable {
        Object on = null, returned = null;
        Object[] with;
        Executable e;
        Node.failed = null;
        side.shared.clear();
        try {
            if (receiver != null) on = receiver.build(side);
            with = Node.build(side, args);
            e = (Executable) entry.in(side);
        } catch (Throwable t) {
            unbuilt++;
            stopped(t);
            return null;
        }
        if (receiver != null && on == null) return null;
        capture.flush();
        printed.reset();
        Throwable thrown = null;
        Trace.enter();
        try {
            if (e instanceof Constructor<?> c) on = c.newInstance(with);
            else returned = ((Method) e).invoke(isStatic ? null : on, with);
        } catch (InvocationTargetException t) {
            thrown = t.getCause();
        } catch (ExceptionInInitializerError t) {
            thrown = t;
        }
        Trace.pause();
        if (Trace.hasLeft() || Trace.isTooLarge()) return null;
        if (thrown instanceof Trace.Stop stop) {
            return stop.status == null ? Outcome.hung() : Outcome.ended("exits " + stop.status);
        }
        // How far it came before says nothing.
        if (thrown instanceof StackOverflowError) return Outcome.ended(thrown.getClass().getName());
        if (thrown instanceof OutOfMemoryError) {
            withoutMemory++;
            return null;
        }
        return seen(side, e, on, with, returned, thrown);
    }

    /** What a caller sees of a run that ended. */
    private Outcome seen(Side side, Executable e, Object on, Object[] with, Object returned, Throwable thrown) throws Exception {
        capture.flush();
        Bounded result = new Bounded(longest), state = new Bounded(longest);
        Wire seen = new Wire(null, new DataOutputStream(result)), around = new Wire(null, new DataOutputStream(state));
        Outcome outcome = new Outcome();
        Values values = new Values(side.loader(), side.classes);
        values.hideHashes(on, with, returned);
        if (thrown != null) {
            outcome.thrown = thrown.getClass().getName();
            outcome.message = JvmText.of(thrown);
            outcome.madeByJvm = JvmText.isIn(thrown, outcome.message);
            write(() -> values.held(seen, thrown));
        } else {
            write(() -> values.write(seen, returned, e instanceof Method m ? m.getReturnType() : void.class));
        }
        boolean isUnmade = e instanceof Constructor<?> && thrown != null;
        Class<?>[] parameters = e.getParameterTypes();
        write(() -> {
            if (on != null && !isUnmade) values.write(around, on, Object.class);
            for (int i = 0; i < with.length; i++) values.write(around, with[i], parameters[i]);
        });
        List<Left> left = Left.all();
        touched |= !left.isEmpty();
        if (!left.isEmpty()) withFiles++;
        write(() -> Left.write(left, seen));
        outcome.seen = result.toByteArray();
        outcome.state = state.toByteArray();
        // Runs of which nothing is printed are most.
        if (printed.size() > 0) outcome.printed = TraceText.steady(printed.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        return outcome;
    }

    private interface Writing {
        void run() throws Exception;
    }

    /** Writes as much as there is room for: what is beyond is not compared. */
    private static void write(Writing what) throws Exception {
        try {
            what.run();
        } catch (UncheckedIOException full) {
            if (!(full.getCause() instanceof Full)) throw full;
        }
    }

    /** Counts what an input could not be built for. */
    private void stopped(Throwable t) {
        Node.Member member = Node.underWay();
        if (member == null) return;
        Throwable why = t instanceof InvocationTargetException ? t.getCause() : t;
        if (why instanceof OutOfMemoryError) withoutMemory++;
        String what = member.name.equals("<init>") ? "new " + member.type : member.type + "." + member.name;
        String how = !(why instanceof Trace.Stop) ? "throws " + why.getClass().getName() : Trace.isTooLarge() ? "makes something very large" : "does not end";
        obstacles.merge(what + " " + how, 1, Integer::sum);
    }

    /** What most inputs could not be built for; empty where all could. */
    String obstacle() {
        String most = "";
        for (Map.Entry<String, Integer> each : obstacles.entrySet()) {
            if (most.isEmpty() || each.getValue() > obstacles.get(most)) most = each.getKey();
        }
        return most;
    }

    private void restore() {
        // The other version, and the next input, find an empty folder. Looking for files takes longer than many a run.
        if (touched || ++since == OFTEN) {
            Traces.emptied();
            since = 0;
        }
        if (System.getProperties().size() != properties.size()) System.setProperties((Properties) properties.clone());
        if (!Locale.getDefault().equals(locale)) Locale.setDefault(locale);
        if (!TimeZone.getDefault().equals(zone)) TimeZone.setDefault(zone);
    }
}
