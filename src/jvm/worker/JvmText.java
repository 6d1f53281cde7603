package com.shadowci.worker;

/** Messages of exceptions that the JVM or the JDK's index checks word: they tell indices, locals, loaders and the like. */
public final class JvmText {
    private JvmText() {}

    /** An exception's message, null where it has none or asking for it fails. */
    public static String of(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable t) {
            return null;
        }
    }

    /** Whether an exception's message, null where it has none, is worded so, and thus no part of what a caller sees. */
    public static boolean isIn(Throwable thrown, String message) {
        String text = message == null ? "" : message;
        switch (thrown.getClass().getName()) {
            case "java.lang.NullPointerException": return text.startsWith("Cannot ");
            case "java.lang.ClassCastException":
                return text.startsWith("class ") && text.contains(" cannot be cast to class ");
            case "java.lang.NegativeArraySizeException": return text.matches("-?[0-9]+");
            case "java.lang.ArrayIndexOutOfBoundsException":
                return text.contains(" out of bounds for length ") || isByJdk(thrown);
            case "java.lang.IndexOutOfBoundsException":
            case "java.lang.StringIndexOutOfBoundsException": return isByJdk(thrown);
            default: return false;
        }
    }

    /** Whether code of the JDK made it. */
    private static boolean isByJdk(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        if (frames.length == 0) return false;
        String module = frames[0].getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }
}
