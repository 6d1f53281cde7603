package com.shadowci.worker;

import java.lang.reflect.Array;

/**
 * How far two values are from a match (branch distances: Korel, TSE 1990; for texts: Alshraideh and Bottaci, STVR 2006): 0 for a match,
 * {@code Long.MAX_VALUE} where nothing can be said.
 */
final class Distance {
    /** Longer texts are not compared. */
    static final int LONGEST = 200;
    /** Elements of arrays that are compared. */
    private static final int MOST = 64;
    /** What a character costs that is not there. */
    private static final long MISSING = 1 << 16;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private Distance() {}

    /** Of two objects: to being equal, equal but for case, to one beginning or ending with the other, or holding it. */
    static long of(Object a, Object b, int kind) {
        if (a instanceof String s && b instanceof String t) {
            return s.length() < LONGEST && t.length() < LONGEST ? of(s, t, kind) : UNKNOWN;
        }
        if (kind != 0 || a == null || b == null || a == b) return UNKNOWN;
        return a.getClass().isArray() && b.getClass() == a.getClass() ? ofArrays(a, b) : UNKNOWN;
    }

    private static long of(String s, String t, int kind) {
        switch (kind) {
            case 1: return aligned(s.toLowerCase(java.util.Locale.ROOT), 0, t.toLowerCase(java.util.Locale.ROOT)) + missing(s.length() - t.length());
            case 2: return aligned(s, 0, t);
            case 3: return aligned(s, Math.max(0, s.length() - t.length()), t);
            case 4: {
                long least = UNKNOWN;
                for (int from = 0; from == 0 || from + t.length() <= s.length(); from++) least = Math.min(least, aligned(s, from, t));
                return least;
            }
            default: return aligned(s, 0, t) + missing(s.length() - t.length());
        }
    }

    private static long missing(int more) {
        return more > 0 ? more * MISSING : 0;
    }

    /** Of the part of a text that begins there to another text. */
    private static long aligned(String s, int from, String t) {
        long sum = 0;
        for (int i = 0; i < t.length(); i++) sum += from + i < s.length() ? Math.abs(s.charAt(from + i) - t.charAt(i)) : MISSING;
        return sum;
    }

    private static long ofArrays(Object a, Object b) {
        int m = Array.getLength(a), n = Array.getLength(b);
        if (m > MOST || n > MOST) return UNKNOWN;
        long sum = Math.abs(m - n) * MISSING;
        for (int i = 0; i < Math.min(m, n); i++) sum += ofElements(Array.get(a, i), Array.get(b, i));
        return sum;
    }

    private static long ofElements(Object x, Object y) {
        if (x instanceof Double p && y instanceof Double q) return Math.min(of(p, q) >>> 16, MISSING);
        if (x instanceof Number p && y instanceof Number q) return Math.min(Math.abs(p.longValue() - q.longValue()) & Long.MAX_VALUE, MISSING);
        if (x instanceof Character p && y instanceof Character q) return Math.abs(p - q);
        return x == y || x instanceof String s && s.equals(y) ? 0 : MISSING;
    }

    /** Numbers that lie between two doubles. */
    static long of(double a, double b) {
        if (a != a || b != b) return UNKNOWN;
        long distance = ordered(a) - ordered(b);
        return distance == Long.MIN_VALUE ? UNKNOWN : Math.abs(distance);
    }

    private static long ordered(double d) {
        long bits = Double.doubleToRawLongBits(d);
        return bits < 0 ? Long.MIN_VALUE - bits : bits;
    }

    /** Whether a text is the library's own, so that looking at it runs no code of the program. */
    static boolean isPlain(CharSequence s) {
        return s.getClass().getClassLoader() == null && s.length() < LONGEST;
    }
}
