package com.shadowci.worker;

import java.util.*;

/**
 * What code with probes tells while it runs: branches, operands of comparisons, changed places. Sites are numbered over both versions,
 * so that one table holds both.
 */
public final class Trace {
    /** Ends a run that takes too many steps, or would end the process. */
    static final class Stop extends Error {
        private static final long serialVersionUID = 1;
        /** The exit status, of a run that would end the process. */
        final Integer status;

        Stop(String why, Integer status) {
            super(why, null, false, false);
            this.status = status;
        }
    }

    /** How many steps making the input takes: no more than a run may, more, or even more than those it gets then. */
    private enum Making { USUAL, LONG, ENDLESS }

    /** Comes to code that does not compile here. */
    private static final Stop LEFT = new Stop("comes to code that does not compile", null);
    private static final Stop TOO_LONG = new Stop("too many steps", null);
    private static final Stop TOO_LARGE = new Stop("makes something larger than a run may", null);
    /** Places for values of switches, by hash, behind those of branches. */
    private static final int SWITCHES = 1 << 14;
    /** Steps between two looks at that, less one. */
    private static final int OFTEN = 255;
    /** Steps that a class initialiser gets at once, more than a run may take, and how often. */
    private static final int GRANT = 1 << 16, MOST_GRANTS = 1 << 10;
    /** Further steps that making an input gets, once a run: some constructors fill tables. How many runs may not even end with these. */
    private static final int MORE_TO_MAKE = 2_000_000, MOST_ENDLESS = 8;
    /** Operands kept of one run. */
    private static final int MOST_OPERANDS = 400;

    /** Bytes that are large for one thing, and how many sizes above that a place may ask for. */
    private static final long LARGE = 1 << 18;
    private static final int MOST_LARGE = 4;
    /** What may be in place of a number that is no size of anything. */
    private static final int[] FITTING = {0, 3};

    /** Steps that a moment's sleep counts as. */
    private static final long STEPS_OF_A_SLEEP = 10_000;

    /** The thread of the runs. */
    private static volatile Thread run;
    private static byte[] counts = new byte[0];
    private static long[] nearest = new long[0];
    private static byte[] known = new byte[0];
    private static final int[] touched = new int[1 << 14];
    private static int size;
    private static long limit, steps, most, used;
    private static int grants, endless;
    private static Making making = Making.USUAL;
    /** Whether the run is to end as one of too many steps does. */
    private static volatile boolean stopped;
    /** Bytes that may be made at once, and whether the run was about to make more. */
    private static long room;
    private static boolean isTooLarge;
    /** Large sizes of what was made, by site. */
    private static final Map<Integer, Set<Integer>> large = new HashMap<>();
    private static boolean nearer;
    /** Whether the entry itself runs, and not what makes its input; what it alone took first, and whether that is new. */
    private static boolean entered, nearerInside, newInside;
    private static final BitSet inside = new BitSet();
    /** Whether the run came to code that does not compile, whatever it made of that. */
    private static boolean left, ranOut, paused = true;
    /** Whether operands of the runs on this input are kept, and whether they are at the moment. */
    private static boolean asked, keeps;
    private static final Compared<long[]> numbers = new Compared<>(MOST_OPERANDS, pair -> List.of(pair[0], pair[1]));
    private static final Compared<String[]> texts = new Compared<>(MOST_OPERANDS, pair -> List.of(pair[0], pair[1]));
    /** Texts that may be compared, without that any comparison told so. */
    private static final List<String[]> guesses = new ArrayList<>();
    private static final List<double[]> reals = new ArrayList<>();
    /** Texts that were equal and compared by identity, likewise. */
    private static final Set<String> identities = new LinkedHashSet<>();
    /** Numbers that may be compared, likewise. */
    private static final List<long[]> maybe = new ArrayList<>();
    /** Texts and numbers near the change. */
    private static String[] labels = {};
    private static long[] cases = {};

    private Trace() {}

    /** For that many sites, and those texts and numbers near the change. */
    static void begin(int sites, String[] nearTexts, long[] nearNumbers) {
        labels = nearTexts;
        cases = nearNumbers;
        counts = new byte[2 * sites + SWITCHES];
        known = new byte[counts.length];
        nearest = new long[counts.length];
        Arrays.fill(nearest, Long.MAX_VALUE);
        size = 0;
        endless = 0;
        large.clear();
    }

    /** Before both versions run on an input, each for that many steps. */
    static void input(boolean keep) {
        Surroundings.input();
        for (int i = 0; i < size; i++) counts[touched[i]] = 0;
        size = 0;
        nearer = false;
        nearerInside = false;
        inside.clear();
        asked = keep;
        numbers.clear();
        texts.clear();
        guesses.clear();
        maybe.clear();
        reals.clear();
        identities.clear();
    }

    static void run(long allowed, long bytes) {
        run = Thread.currentThread();
        Surroundings.run();
        room = bytes;
        isTooLarge = false;
        steps = most = limit = allowed;
        making = Making.USUAL;
        used = 0;
        paused = false;
        grants = 0;
        stopped = false;
        left = false;
        entered = false;
        keeps = asked;
        numbers.begin();
        texts.begin();
    }

    /** The input is built: the entry runs now. */
    static void enter() {
        entered = true;
        if (making == Making.USUAL) return;
        // The entry has as many as ever.
        most = limit + most - steps;
        steps = limit;
    }

    /** Whether the run at work is to end. */
    static boolean isStopped() {
        return stopped;
    }

    /** Ends the run at its next steps: each does more work than it counts for. */
    static void stop() {
        stopped = true;
    }

    /** The run comes to code that does not compile: nothing can be said of it. */
    public static Error leave() {
        left = true;
        throw LEFT;
    }

    /** Whether it did. */
    static boolean hasLeft() {
        return left;
    }

    /**
     * So many places are about to be made, of a size whose binary logarithm in bytes is the site's kind. To make very many takes longer
     * than to run, and where there is no room for them the JVM looks through all of its memory, twice.
     */
    public static void room(int places, int code) {
        long bytes = (long) places << (code & 15);
        boolean fits = bytes >= 0 && bytes <= room && (bytes <= LARGE || !varies(code, places));
        int at = code >> 4 << 1;
        edge(fits ? at : at + 1);
        if (fits) return;
        if (keeps) for (int fitting : FITTING) keep(places, fitting);
        // A class whose initialiser was ended can never be used again in its loader.
        if (places < 0 || paused || Thread.currentThread() != run || setsUp()) return;
        isTooLarge = true;
        throw TOO_LARGE;
    }

    /** Whether what is made there had several large sizes: inputs ask for them, and a smaller one will do. */
    private static synchronized boolean varies(int code, int places) {
        Set<Integer> all = large.computeIfAbsent(code, c -> new HashSet<>());
        if (all.size() < MOST_LARGE) all.add(places);
        return all.size() == MOST_LARGE;
    }

    /** Whether the last run was about to make more at once than it may. */
    static boolean isTooLarge() {
        return isTooLarge;
    }

    /** Nothing more is kept: what runs now only looks at the result. */
    static void pause() {
        // Threads that an input has left count as well, here and between the runs: what they leave may be any number.
        if (!paused) {
            used = Math.max(0, most - Math.max(0, steps));
            // What fills tables makes quick steps.
            if (used > limit) used = limit + (used - limit) / 4;
            ranOut = steps <= 0;
        }
        paused = true;
        steps = Long.MAX_VALUE;
        keeps = false;
    }

    /** Whether the last run took all that it may. */
    static boolean ranOut() {
        return ranOut;
    }

    /** Steps that the last run took. */
    static long used() {
        return used;
    }

    /** Pairs that were compared, then those that may have been. */
    static List<long[]> numbers() {
        List<long[]> all = numbers.pairs();
        all.addAll(maybe);
        return all;
    }

    /** Pairs that were compared, then those that may have been. */
    static List<String[]> texts() {
        List<String[]> all = texts.pairs();
        all.addAll(guesses);
        return all;
    }

    /** Pairs that are no whole numbers. */
    static List<double[]> reals() {
        return reals;
    }

    /** Whether a branch was taken that none took before, or as often; these are known from now on. */
    static boolean isNew() {
        boolean fresh = nearer;
        newInside = nearerInside;
        for (int i = 0; i < size; i++) {
            int at = touched[i];
            byte often = often(counts[at]);
            if ((known[at] & often) == 0) {
                known[at] |= often;
                fresh = true;
                newInside |= inside.get(i);
            }
        }
        return fresh;
    }

    /** Whether any of that was taken by the entry, and by nothing that makes its input. */
    static boolean isNewInside() {
        return newInside;
    }

    /** How often, by powers of two, as a bit. */
    private static byte often(byte count) {
        return (byte) (1 << Math.min(7, 32 - Integer.numberOfLeadingZeros(count)));
    }

    /** Whether one of those sites was passed. */
    static boolean passed(int[] sites) {
        for (int site : sites) if (counts[2 * site] != 0) return true;
        return false;
    }

    /** The way taken through the sites from `from` to `to`, as a hash. */
    static long way(BitSet sites) {
        long hash = 0;
        for (int i = 0; i < size; i++) {
            if (sites.get(touched[i] / 2)) hash += (touched[i] + 1) * 0x9e3779b97f4a7c15L * often(counts[touched[i]]);
        }
        return hash;
    }

    private static void edge(int at) {
        if (at >= counts.length) return;
        byte n = counts[at];
        if (n == 0) {
            if (size == touched.length) return;
            if (entered) inside.set(size);
            touched[size++] = at;
            counts[at] = 1;
        } else if (n != 127) {
            counts[at]++;
        }
    }

    /** The branch not taken was that far away. */
    private static void missed(int at, long distance) {
        if (at < known.length && known[at] == 0 && distance >= 0 && distance < nearest[at]) {
            nearest[at] = distance;
            nearer = true;
            nearerInside |= entered;
        }
    }

    private static void count() {
        if ((--steps < 0 || (steps & OFTEN) == 0 && stopped) && !setsUp() && !makes()) throw TOO_LONG;
    }

    /** Whether an input is being made, which gets more steps once: unless making inputs did not end with these either, often before. */
    private static boolean makes() {
        if (entered || stopped || making == Making.ENDLESS || endless == MOST_ENDLESS) return false;
        if (making == Making.LONG) {
            making = Making.ENDLESS;
            endless++;
            return false;
        }
        making = Making.LONG;
        steps += MORE_TO_MAKE;
        most += MORE_TO_MAKE;
        return true;
    }

    /**
     * Whether a class is being set up, which is done once and gets more steps: a class whose initialiser was ended can never be used
     * again in its loader (JVMS §5.5).
     */
    private static boolean setsUp() {
        if (grants == MOST_GRANTS) return false;
        boolean setsUp = StackWalker.getInstance().walk(frames -> frames.anyMatch(f -> f.getMethodName().equals("<clinit>")));
        if (!setsUp) return false;
        grants++;
        steps = Math.max(steps, GRANT);
        return true;
    }

    /** A loop's turn. */
    public static void step() {
        count();
    }

    /** A method begins, or a changed place is passed. */
    public static void enter(int code) {
        edge(code >> 4 << 1);
        count();
    }

    /** A comparison with zero: the site is behind the kind, in the order of the instructions. */
    public static void zero(int a, int code) {
        both(a, 0, code);
    }

    /** A comparison of two ints. */
    public static void both(int a, int b, int code) {
        boolean taken;
        switch (code & 15) {
            case 0: taken = a == b; break;
            case 1: taken = a != b; break;
            case 2: taken = a < b; break;
            case 3: taken = a >= b; break;
            case 4: taken = a > b; break;
            default: taken = a <= b;
        }
        int at = code >> 4 << 1;
        edge(taken ? at : at + 1);
        missed(taken ? at + 1 : at, Math.abs((long) a - b));
        if (keeps) keep(a, b);
        step();
    }

    /** A comparison of references: equal or null, or not. */
    public static void same(Object a, Object b, int code) {
        int at = code >> 4 << 1;
        edge(a == b ? at : at + 1);
        if (keeps && a instanceof String s && b instanceof String t) keepIdentity(s, t);
        step();
    }

    /** Of two texts that are compared by identity: what makes them alike, or others of the same text. */
    private static void keepIdentity(String s, String t) {
        if (!s.equals(t)) Pairs.of(s, t);
        else if (identities.size() < MOST_OPERANDS) identities.add(s);
    }

    static Set<String> identities() {
        return identities;
    }

    /** A reference that may be null. */
    public static void isNull(Object a, int code) {
        same(a, null, code);
    }

    /** A switch. */
    public static void value(int a, int code) {
        int hash = (a * 31 + (code >> 4)) * 0x9e3779b9 >>> 18;
        edge(counts.length - SWITCHES + hash);
        // Its labels are among the program's numbers.
        for (int i = 0; keeps && i < Math.min(cases.length, Pairs.MOST); i++) {
            if (cases[i] != a && maybe.size() < MOST_OPERANDS) maybe.add(new long[] {a, cases[i]});
        }
        step();
    }

    /** {@code lcmp}. */
    public static int longs(long a, long b, int code) {
        if (keeps) keep(a, b);
        long distance = a - b;
        missed(2 * (code >> 4) + 1, Math.abs(distance));
        return Long.compare(a, b);
    }

    /** {@code dcmpl} and {@code dcmpg}: the latter have a kind of 1. */
    public static int doubles(double a, double b, int code) {
        if (keeps && a == (long) a && b == (long) b) keep((long) a, (long) b);
        else if (keeps && a != b && a == a && b == b && reals.size() < MOST_OPERANDS) reals.add(new double[] {a, b});
        missed(2 * (code >> 4) + 1, Distance.of(a, b));
        if (a > b) return 1;
        if (a == b) return 0;
        return a < b ? -1 : (code & 15) == 1 ? 1 : -1;
    }

    /** {@code fcmpl} and {@code fcmpg}. */
    public static int floats(float a, float b, int code) {
        return doubles(a, b, code);
    }

    /** Two objects of which a method of the library tells whether they are alike, or one holds the other. */
    public static void objects(Object a, Object b, int code) {
        int at = code >> 4 << 1;
        if (at < known.length && known[at] == 0) {
            long distance = Distance.of(a, b, code & 15);
            if (distance == 0) edge(at);
            else missed(at, distance);
        }
        if (keeps) Pairs.of(a, b);
    }

    /** A text whose hash code is asked for, as a switch does: its labels are among the program's texts. */
    public static void hashed(Object a) {
        if (!keeps || !(a instanceof String s) || s.length() >= Distance.LONGEST) return;
        for (int i = 0; i < Math.min(labels.length, Pairs.MOST); i++) {
            if (!labels[i].equals(s) && guesses.size() < MOST_OPERANDS) guesses.add(new String[] {s, labels[i]});
        }
    }

    public static boolean startsWith(String s, String t, int from, int code) {
        boolean is = s.startsWith(t, from);
        region(s, from, t, 0, t.length(), is, code);
        return is;
    }

    public static boolean regionMatches(String s, int from, String t, int other, int length, int code) {
        boolean is = s.regionMatches(from, t, other, length);
        region(s, from, t, other, length, is, code);
        return is;
    }

    public static boolean regionMatches(String s, boolean ignores, int from, String t, int other, int length, int code) {
        boolean is = s.regionMatches(ignores, from, t, other, length);
        region(s, from, t, other, length, is, code);
        return is;
    }

    /** Two parts of texts; what lies outside of them matches nothing. */
    private static void region(String s, int from, String t, int other, int length, boolean is, int code) {
        int at = code >> 4 << 1;
        edge(is ? at : at + 1);
        if (is || t == null || length < 0 || from < 0 || other < 0 || other > t.length() || from > s.length()) return;
        String a = s.substring(from, Math.min(s.length(), from + Math.min(length, Distance.LONGEST)));
        String b = t.substring(other, Math.min(t.length(), other + Math.min(length, Distance.LONGEST)));
        missed(at, Distance.of(a, b, 0));
        if (keeps) keep(a, b);
    }

    public static int indexOf(String s, String t, int from, int code) {
        int found = s.indexOf(t, from);
        sought(s, t, found, code);
        return found;
    }

    public static int lastIndexOf(String s, String t, int from, int code) {
        int found = s.lastIndexOf(t, from);
        sought(s, t, found, code);
        return found;
    }

    public static int indexOf(String s, int c, int code) {
        int found = s.indexOf(c);
        sought(s, c, found, code);
        return found;
    }

    public static int indexOf(String s, int c, int from, int code) {
        int found = s.indexOf(c, from);
        sought(s, c, found, code);
        return found;
    }

    public static int lastIndexOf(String s, int c, int code) {
        int found = s.lastIndexOf(c);
        sought(s, c, found, code);
        return found;
    }

    private static void sought(String s, String t, int found, int code) {
        int at = code >> 4 << 1;
        edge(found >= 0 ? at : at + 1);
        if (found >= 0) return;
        missed(at, Distance.of(s, t, 4));
        if (keeps) keep(s, t);
    }

    private static void sought(String s, int c, int found, int code) {
        edge((code >> 4 << 1) + (found >= 0 ? 0 : 1));
        if (found < 0 && keeps && Character.isValidCodePoint(c)) keep(s, s + Character.toString(c));
    }

    static void keep(String a, String b) {
        if (texts.isFull() || a.length() >= Distance.LONGEST || b.length() >= Distance.LONGEST) return;
        if (!a.equals(b)) texts.add(new String[] {a, b});
    }

    static void keep(long a, long b) {
        if (a != b && !numbers.isFull()) numbers.add(new long[] {a, b});
    }

    /** Whether this is the thread of the runs. */
    static boolean isRun() {
        return Thread.currentThread() == run;
    }

    /** The run slept for a moment. */
    static void slept() {
        steps -= STEPS_OF_A_SLEEP;
        count();
    }
}
