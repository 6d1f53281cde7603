package com.shadowci;

/** Marks what differs between two versions of a program; outside the engine, the property shadow.version says which one runs. */
public final class Shadow {
    public enum Version { OLD, NEW }

    public static final Version OLD = Version.OLD, NEW = Version.NEW;
    private static final Version CURRENT = "old".equals(System.getProperty("shadow.version")) ? OLD : NEW;

    private Shadow() {}

    public static boolean execute(Version version) { return version == CURRENT; }
    /** One condition for both versions: what stands inside is evaluated first. */
    public static boolean condition(boolean c) { return c; }
    /** Names the old version's this(…) or super(…) where it is another than the one before: in Java a constructor has only one. */
    public static void oldCall(String call) {
        if (CURRENT == OLD) throw new UnsupportedOperationException("only class files of shadow-ci can begin with " + call);
    }
    public static boolean change(boolean o, boolean n) { return CURRENT == OLD ? o : n; }
    public static int change(int o, int n) { return CURRENT == OLD ? o : n; }
    public static long change(long o, long n) { return CURRENT == OLD ? o : n; }
    public static float change(float o, float n) { return CURRENT == OLD ? o : n; }
    public static double change(double o, double n) { return CURRENT == OLD ? o : n; }
    public static <T> T change(T o, T n) { return CURRENT == OLD ? o : n; }
}
