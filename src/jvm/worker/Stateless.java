package com.shadowci.worker;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Classes of libraries whose objects are told by their class alone. */
final class Stateless {
    /** What holds something, but nothing that a caller's result depends on: loggers are silent, and one thread waits for no lock. */
    private static final String[] SILENT = {
        "org.slf4j.", "ch.qos.logback.", "org.apache.logging.log4j.", "org.apache.log4j.", "org.apache.commons.logging.",
        "java.util.logging.", "java.util.concurrent.locks."};

    private static final ClassValue<Boolean> KNOWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return of(type);
        }
    };

    private Stateless() {}

    static boolean is(Class<?> type) {
        return KNOWN.get(type);
    }

    private static boolean of(Class<?> type) {
        for (String start : SILENT) if (type.getName().startsWith(start)) return true;
        try {
            for (Class<?> c = type; c != Object.class && c != null; c = c.getSuperclass()) {
                // Reflection hides fields of some of its classes.
                if (c.getName().startsWith("java.lang.")) return false;
                for (Field field : c.getDeclaredFields()) if (!Modifier.isStatic(field.getModifiers())) return false;
            }
        } catch (LinkageError e) {
            return false;
        }
        return true;
    }
}
