package com.shadowci.worker;

import java.io.*;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;

/** What was written to a writer or stream of the JDK that passes it on to one in memory. */
final class Wrapped {
    /** Wrappers in wrappers that are looked into. */
    private static final int DEEPEST = 8;
    /** Whether objects are looked into that this changes: only where no code of the program runs with them any more. */
    static boolean shown;

    private Wrapped() {}

    /** Null where it ends elsewhere, or nobody may look. */
    static String text(Object value) {
        if (!shown || !(value instanceof PrintWriter || value instanceof BufferedWriter || value instanceof OutputStreamWriter
                || value instanceof FilterOutputStream)) return null;
        Object end = value;
        try {
            for (int i = 0; i < DEEPEST && end != null; i++) {
                // What a class of the program writes to is its own matter.
                if (end.getClass().getClassLoader() != null) return null;
                String text = written(end);
                if (text != null) {
                    ((Flushable) value).flush();
                    return written(end);
                }
                end = inner(end, "out", "se");
            }
        } catch (ReflectiveOperationException | IOException | RuntimeException e) {
            // Another JDK has other fields.
        }
        return null;
    }

    private static String written(Object end) {
        if (end instanceof ByteArrayOutputStream bytes) return bytes.toString(StandardCharsets.ISO_8859_1);
        if (end instanceof StringWriter || end instanceof CharArrayWriter) return end.toString();
        return null;
    }

    /** What one of these fields holds; null where there is none. */
    static Object inner(Object of, String... names) throws ReflectiveOperationException {
        for (Class<?> type = of.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (String name : names) {
                try {
                    Field field = type.getDeclaredField(name);
                    field.setAccessible(true);
                    Object found = field.get(of);
                    if (found != null) return found;
                } catch (NoSuchFieldException e) {
                    // The next one.
                }
            }
        }
        return null;
    }
}
