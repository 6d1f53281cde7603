package com.shadowci.tests;

import com.shadowci.worker.JvmText;
import java.io.*;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * What the process that runs a project's tests tells the one that started it: which test begins and ends how, what of the patch
 * it calls, and with what. It is written into a file event by event, so that nothing is lost when a test ends the process.
 */
final class Recording {
    /** Calls of one method that one test may make before only the fact is recorded. */
    private static final int MOST_CALLS = 1_000;
    private static final Object LOCK = new Object();

    /** A method that is watched: entered as an input, changed, or part of how an object comes to be. */
    private static final class Watch {
        final String type, name, descriptor;
        final boolean entry, changed, isPrivate;
        final String[] parameters;
        int calls, observed;
        boolean told, reached;
        final Set<Input> inputs = new HashSet<>();

        Watch(DataInputStream in) throws IOException {
            type = text(in);
            name = text(in);
            descriptor = text(in);
            entry = in.readBoolean();
            changed = in.readBoolean();
            isPrivate = in.readBoolean();
            parameters = new String[in.readInt()];
            for (int i = 0; i < parameters.length; i++) parameters[i] = text(in);
        }
    }

    /** An input as it is told; its text says why there is none. */
    private record Input(Inputs.Bytes bytes, boolean exact, String reason) {}

    /** A constructor's call: as an input, and as what made an object. */
    static final class Made {
        private final Input input;
        private final Inputs.Part part;

        private Made(Input input, Inputs.Part part) {
            this.input = input;
            this.part = part;
        }
    }

    /** What is kept of a call until it ends. */
    static final class Entered {
        static final Entered NOTHING = new Entered(null, null);
        final Made made;
        final Observation seen;

        private Entered(Made made, Observation seen) {
            this.made = made;
            this.seen = seen;
        }
    }

    private static final Input MORE = new Input(null, false, "ever more inputs");

    private static List<Watch> watches = List.of();
    private static int mostInputs;
    private static boolean observes;
    /** Whether a changed method was called since this test began, or before the tests of its class, or between two of them. */
    private static boolean changedBefore, changedOutside;
    /** Top-level classes of the tests. */
    private static final Set<String> TESTS = new HashSet<>();
    /** The only tests to run, as `class#method`; all where there is none. */
    private static final Set<String> ONLY = new HashSet<>();
    private static DataOutputStream out;
    private static boolean ended;

    private Recording() {}

    /** What runs the tests of a class. */
    interface Runs {
        void run(Class<?> type) throws Exception;
    }

    /** Runs the tests of one class after the other, and ends the process. */
    static void each(String file, Runs tests) {
        try {
            for (Class<?> type : start(file)) {
                try {
                    tests.run(type);
                } catch (Exception | LinkageError e) {
                    // Such as a class whose static part fails.
                    lost(type.getName(), e);
                }
            }
            finished();
        } catch (Throwable t) {
            failed(t);
        }
        Runtime.getRuntime().halt(0);
    }

    /** Reads what to watch and which classes to run; when the other end goes away, so do we. */
    static List<Class<?>> start(String file) throws IOException {
        InputStream raw = System.in;
        System.setIn(new ByteArrayInputStream(new byte[0]));
        DataInputStream in = new DataInputStream(new BufferedInputStream(raw));
        out = new DataOutputStream(new FileOutputStream(file, true));
        mostInputs = in.readInt();
        observes = in.readBoolean();
        for (int n = in.readInt(); n > 0; n--) TESTS.add(text(in));
        for (int n = in.readInt(); n > 0; n--) ONLY.add(text(in));
        List<Watch> all = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) all.add(new Watch(in));
        List<Class<?>> found = new ArrayList<>();
        for (int n = in.readInt(); n > 0; n--) {
            String name = text(in);
            try {
                Class<?> type = Class.forName(name, false, Recording.class.getClassLoader());
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
        watches = all;
        return found;
    }

    /** The tests of a class begin: what happens outside of one belongs to all of these. */
    static void type(String name) {
        changedOutside = false;
        forget();
        tell('C', data -> text(data, name));
    }

    static void began(String type, String name) {
        synchronized (LOCK) {
            changedOutside = changedBefore;
        }
        forget();
        tell('B', data -> {
            text(data, type);
            text(data, name);
        });
    }

    static void ended(String outcome, Throwable why) {
        forget();
        tell('E', data -> {
            text(data, outcome);
            data.writeBoolean(why != null);
            if (why != null) {
                thrown(data, why);
                // What it holds beside its message.
                data.writeInt(0);
            }
        });
    }

    /** An exception, as replays tell it. */
    static void thrown(DataOutputStream data, Throwable thrown) throws IOException {
        data.write('T');
        text(data, thrown.getClass().getName());
        String message = JvmText.of(thrown);
        data.writeBoolean(message != null);
        if (message != null) text(data, message);
        data.writeBoolean(JvmText.isIn(thrown, message));
        text(data, position(thrown));
    }

    private static String position(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            String name = frame.getClassName();
            boolean ours = name.startsWith("com.shadowci.") || name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
            boolean framework = name.startsWith("org.junit.") || name.startsWith("junit.") || name.startsWith("org.opentest4j.") || name.startsWith("org.testng.") || name.startsWith("org.hamcrest.");
            if (!ours && !framework) return frame.getFileName() + ":" + frame.getLineNumber();
        }
        return "";
    }

    /** Whether calls are observed to their end, and inputs are seeds. */
    static boolean observes() {
        return observes;
    }

    /** Whether all tests of a class run. */
    static boolean wantsAll() {
        return ONLY.isEmpty();
    }

    /** Whether a test is to run. */
    static boolean wants(String type, String name) {
        return ONLY.isEmpty() || ONLY.contains(type + "#" + name);
    }

    static boolean isOfTests(String type) {
        int nested = type.indexOf('$');
        return TESTS.contains(nested < 0 ? type : type.substring(0, nested));
    }

    static void finished() {
        tell('F', data -> { });
        synchronized (LOCK) {
            ended = true;
        }
    }

    /** What runs the tests failed itself. */
    static void failed(Throwable why) {
        tell('X', data -> text(data, why.toString()));
    }

    private static void forget() {
        Probe.reset();
        synchronized (LOCK) {
            changedBefore = changedOutside;
            Observation.forget();
            for (Watch watch : watches) {
                watch.calls = 0;
                watch.observed = 0;
                watch.told = false;
                watch.reached = false;
                watch.inputs.clear();
            }
        }
    }

    /** What belongs to a class could not be run. */
    static void lost(String type, Throwable why) {
        tell('L', data -> {
            text(data, type);
            text(data, why == null ? "" : why.toString().lines().findFirst().orElse(""));
        });
    }

    static boolean isConstructor(int at) {
        return at < watches.size() && watches.get(at).name.equals("<init>");
    }

    /** A watched method begins; what a constructor is called with waits for its object. */
    static Entered entered(int at, Object self, Object[] args, boolean inside) {
        synchronized (LOCK) {
            if (ended || at >= watches.size()) return Entered.NOTHING;
            Watch watch = watches.get(at);
            boolean maker = watch.name.equals("<init>");
            boolean first = !changedBefore;
            changedBefore |= watch.changed;
            if (watch.changed && !watch.told) {
                watch.told = true;
                tell('T', data -> data.writeInt(at));
            }
            if (++watch.calls > MOST_CALLS) {
                if (watch.entry) add(at, watch, MORE);
                if (self != null && !inside) Inputs.unseen(self);
                return Entered.NOTHING;
            }
            Input input = watch.entry ? input(watch, self, args, maker || !inside) : null;
            Observation seen = null;
            if (watch.entry && observes) {
                seen = Observation.begin(at, watch.observed++, first, self, args, watch.parameters, input.bytes);
            }
            if (maker) return new Entered(new Made(input, part(watch, args)), seen);
            if (watch.entry) add(at, watch, input);
            if (self != null && !inside && !watch.isPrivate) Inputs.called(self, part(watch, args));
            // As Java code, nobody can make that call.
            else if (self != null && !inside) Inputs.unseen(self);
            return seen == null ? Entered.NOTHING : new Entered(null, seen);
        }
    }

    /** A changed instruction of a watched method is about to run. */
    static void reached(int at) {
        Watch watch = watches.get(at);
        if (watch.reached) return;
        synchronized (LOCK) {
            if (ended || watch.reached) return;
            watch.reached = true;
            tell('R', data -> data.writeInt(at));
        }
    }

    /** A call that was observed ends. */
    static void left(Observation seen, int at, Object self, Object value, Throwable thrown) {
        synchronized (LOCK) {
            if (ended) return;
            Watch watch = watches.get(at);
            seen.end(self, value, thrown, watch.descriptor, watch.name.equals("<init>"), watch.parameters);
        }
    }

    /** A constructor has an object; null where there were too many calls. */
    static void made(int at, Object self, Made made, boolean sure) {
        synchronized (LOCK) {
            if (made == null || ended) return;
            Watch watch = watches.get(at);
            // As part of making an object of a subclass it may call what that overrides.
            boolean own = self.getClass().getName().equals(watch.type);
            if (made.input != null) add(at, watch, own && sure ? made.input : inexact(made.input));
            // One that calls another one ends later: it is what made the object.
            if (own) Inputs.made(self, made.part);
            if (own && !sure) Inputs.unseen(self);
        }
    }

    /** A constructor ended without having an object. */
    static void unmade(int at, Made made) {
        synchronized (LOCK) {
            if (made != null && made.input != null && !ended) add(at, watches.get(at), inexact(made.input));
        }
    }

    private static Input inexact(Input input) {
        return new Input(input.bytes, false, input.reason);
    }

    private static Inputs.Part part(Watch watch, Object[] args) {
        return new Inputs.Part(watch.type, watch.name, watch.descriptor, watch.parameters, args);
    }

    private static Input input(Watch watch, Object self, Object[] args, boolean exact) {
        try {
            Inputs inputs = new Inputs();
            inputs.receiver(self);
            inputs.all(args, watch.parameters);
            return new Input(inputs.bytes(), inputs.isExact() && exact, "");
        } catch (Inputs.Unwritable e) {
            return new Input(null, false, e.getMessage());
        }
    }

    private static void add(int at, Watch watch, Input input) {
        // Beyond these it is only said that there are more.
        Input told = watch.inputs.size() >= mostInputs && !watch.inputs.contains(input) ? MORE : input;
        if (!watch.inputs.add(told)) return;
        tell('I', data -> {
            data.writeInt(at);
            data.writeBoolean(told.exact);
            text(data, told.reason);
            if (told.bytes != null) data.write(told.bytes.array());
        });
    }

    /** UTF-16 units, so that lone surrogates survive. */
    static void text(DataOutputStream data, String text) throws IOException {
        data.writeInt(text.length());
        data.writeChars(text);
    }

    private static String text(DataInputStream in) throws IOException {
        char[] units = new char[in.readInt()];
        for (int i = 0; i < units.length; i++) units[i] = in.readChar();
        return new String(units);
    }

    interface Event {
        void write(DataOutputStream data) throws IOException;
    }

    /** One event: its length, its letter, its content. */
    static void tell(char letter, Event event) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream data = new DataOutputStream(bytes);
            data.writeInt(0);
            data.writeByte(letter);
            event.write(data);
            byte[] all = bytes.toByteArray();
            int length = all.length - 4;
            for (int i = 0; i < 4; i++) all[i] = (byte) (length >>> 24 - 8 * i);
            synchronized (LOCK) {
                out.write(all);
            }
        } catch (IOException e) {
            // Without the file there is nobody to tell.
            Runtime.getRuntime().halt(1);
        }
    }
}
