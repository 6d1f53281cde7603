package com.shadowci.tests;

import com.shadowci.worker.Bounded;
import com.shadowci.worker.Visible;
import java.io.*;
import java.lang.reflect.*;
import java.net.URL;
import java.security.CodeSource;
import java.util.*;

/** One call of an entry method in a test: what it was called with, as a digest, and what a caller sees when it ends. */
final class Observation {
    /** Calls of one method that are observed in one test. */
    private static final int MOST_CALLS = 60;
    /** Longest outcome that is told, longest input that is looked at, and all that one test and all tests may take; in bytes. */
    private static final int LONGEST = 1 << 15, LONGEST_INPUT = 1 << 18, MOST_OF_TEST = 1 << 22, MOST_OF_ALL = 1 << 26;

    /** What part of an input counts that is larger than that. */
    private static final int OF_LARGE = 8;

    /** Classes of folders are the project's and its tests'; those of jars are not. */
    private static final Visible.Scope SCOPE = new Visible.Scope() {
        private final Map<Class<?>, Boolean> known = new HashMap<>();
        private final Map<Class<?>, List<Visible.Shown>> fields = new HashMap<>();

        @Override
        public boolean isProject(Class<?> type) {
            Boolean is = known.get(type);
            if (is == null) known.put(type, is = isOfFolder(type));
            return is;
        }

        private boolean isOfFolder(Class<?> type) {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            URL at = source == null ? null : source.getLocation();
            return at != null && at.getPath().endsWith("/");
        }

        @Override
        public boolean isOfTests(Class<?> type) {
            return Recording.isOfTests(type.getName());
        }

        @Override
        public Map<Class<?>, List<Visible.Shown>> fields() {
            return fields;
        }
    };

    private static int ofTest, ofAll;

    private final int watch, number;
    private final boolean direct;
    /** Whether no changed method was called before in this test: all that it is called with is the same in both versions. */
    private final boolean first;
    private final Object[] args;
    private final long argsDigest, selfDigest;
    private final boolean whole;
    /** Whether it holds more than is looked at: then only the result counts. */
    private final boolean large;
    /** The input as it can be written; null where it can't. */
    private final Inputs.Bytes input;

    /** What is seen of some values: a digest, whether nothing in them could not be looked at, and whether they were too long for that. */
    private record Digest(long hash, boolean whole, boolean large) {}

    private Observation(int watch, int number, boolean direct, boolean first, Object[] args, Digest with, Digest on, Inputs.Bytes input) {
        this.watch = watch;
        this.number = number;
        this.direct = direct;
        this.first = first;
        this.args = args;
        this.argsDigest = with.hash;
        this.selfDigest = on.hash;
        this.whole = with.whole && on.whole;
        this.large = with.large || on.large;
        this.input = input;
    }

    /** A test begins, or ends. */
    static void forget() {
        ofTest = 0;
    }

    /** An entry is called, for the so manyth time in this test; null where that is not observed. */
    static Observation begin(int watch, int number, boolean first, Object self, Object[] args, String[] parameters, Inputs.Bytes input) {
        if (number >= MOST_CALLS || ofTest > MOST_OF_TEST || ofAll > MOST_OF_ALL) return null;
        try {
            Digest with = digest(new Object[] {args});
            Digest on = self == null ? new Digest(0, true, false) : digest(new Object[] {self});
            return new Observation(watch, number, isCalledByTest(), first, args, with, on, input);
        } catch (IOException | IllegalAccessException | RuntimeException e) {
            return null;
        }
    }

    private static Digest digest(Object[] values) throws IOException, IllegalAccessException {
        Bounded bytes = new Bounded(LONGEST_INPUT);
        Visible visible = new Visible(SCOPE);
        boolean large = false;
        try {
            for (Object value : values) visible.write(new DataOutputStream(bytes), value, Object.class);
        } catch (Bounded.Full e) {
            large = true;
        }
        // Nothing is told of it but the digest: a few large objects leave room for the calls of other tests.
        spend(large ? bytes.size() / OF_LARGE : bytes.size());
        return new Digest(bytes.digest(), visible.isWhole(), large);
    }

    private static void spend(int bytes) {
        ofTest += bytes;
        ofAll += bytes;
    }

    /** Whether the caller is a class of the tests: what it passes does not come from the project's own code. */
    private static boolean isCalledByTest() {
        // The watched method is the first that is not ours.
        return StackWalker.getInstance().walk(frames -> frames
                .filter(f -> !f.getClassName().startsWith("com.shadowci."))
                .skip(1).findFirst().map(f -> Recording.isOfTests(f.getClassName())).orElse(false));
    }

    /** It ended; self is the new object where it is a constructor. */
    void end(Object self, Object value, Throwable thrown, String descriptor, boolean constructor, String[] parameters) {
        try {
            if (thrown instanceof StackOverflowError || thrown instanceof OutOfMemoryError) return;
            boolean seen = self != null && !(constructor && thrown != null);
            Object shown = seen ? self : null;
            Bounded bytes = large ? null : outcome(shown, args, value, thrown, descriptor, parameters);
            boolean brief = bytes == null;
            if (brief) bytes = outcome(null, new Object[0], value, thrown, descriptor, parameters);
            if (bytes == null) return;
            Bounded told = bytes;
            Recording.tell('O', data -> {
                data.writeInt(watch);
                data.writeInt(number);
                data.writeBoolean(direct);
                data.writeLong(argsDigest);
                data.writeLong(selfDigest);
                data.writeBoolean(whole);
                data.writeBoolean(first);
                data.writeBoolean(brief);
                data.writeBoolean(input != null);
                if (input != null) data.write(input.array());
                told.writeTo(data);
            });
        } catch (IOException | IllegalAccessException | RuntimeException e) {
            // An outcome that can't be written is not compared.
        }
    }

    /** An outcome as it is told; null where it is too long. Self is null where nobody has it. */
    private static Bounded outcome(Object self, Object[] args, Object value, Throwable thrown, String descriptor, String[] parameters)
            throws IOException, IllegalAccessException {
        Bounded bytes = new Bounded(LONGEST);
        DataOutputStream out = new DataOutputStream(bytes);
        Visible visible = new Visible(SCOPE);
        try {
            if (thrown != null) {
                Recording.thrown(out, thrown);
                visible.held(out, thrown);
            } else {
                out.write('R');
                visible.write(out, value, declared(descriptor.substring(descriptor.indexOf(')') + 1)));
            }
            out.writeBoolean(self != null);
            if (self != null) visible.write(out, self, Object.class);
            out.writeInt(args.length);
            for (int i = 0; i < args.length; i++) visible.write(out, args[i], declared(parameters[i]));
            Recording.text(out, "");
            // What is printed, and files that are left, belong to the whole test.
            out.writeInt(0);
        } catch (Bounded.Full e) {
            return null;
        } finally {
            spend(bytes.size());
        }
        return bytes;
    }

    /** A type as far as writing depends on it: primitive, void, or any other. */
    private static Class<?> declared(String descriptor) {
        switch (descriptor.charAt(0)) {
            case 'V': return void.class;
            case 'L': case '[': return Object.class;
            default: return int.class;
        }
    }
}
