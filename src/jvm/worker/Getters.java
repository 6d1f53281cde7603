package com.shadowci.worker;

import java.lang.reflect.*;
import java.util.*;

/** What the public methods of a library's object tell that only read: getters, the parts of records, and texts. */
final class Getters {
    /** One of them: its name as it is written, its type, and what it told. */
    record Told(String name, Class<?> type, Object value) {}

    /** Whether libraries' objects are asked at all: not where what they tell is another thing in each run. */
    static volatile boolean asked = true;
    /** Whether one did not end. */
    static volatile boolean endless;
    /** Whether one of them is at work. */
    static volatile boolean busy;

    /** Methods asked of one object. */
    private static final int MOST = 40;
    /** Longer texts are left out. */
    private static final int LONGEST = 10_000;
    /** What the names of methods begin with that read, and other names of such methods. */
    private static final List<String> STARTS = List.of("get", "is", "has");
    private static final Set<String> NAMES = Set.of("size", "length", "name", "value", "key", "count", "text", "toString");
    /** What else begins like a getter: it changes something, opens something, or tells of the process. */
    private static final List<String> OTHERS = List.of("getClass", "getAnd", "getNext", "getOr", "getConnection", "getSession", "getInstance",
        "getLock", "getThread", "getContext", "getDeclaring", "hasNext", "hasMore", "getCurrent", "getUptime", "getStack");
    /** Types of the JDK whose values are written; of other types nothing is opened. */
    private static final List<Class<?>> VALUES = List.of(String.class, Number.class, Boolean.class, Character.class, Enum.class, Collection.class, Map.class,
        CharSequence.class, Optional.class, Date.class, Locale.class, java.net.URI.class, java.time.temporal.TemporalAccessor.class,
        java.time.temporal.TemporalAmount.class);

    private static final ClassValue<List<Method>> METHODS = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            return methods(type);
        }
    };

    private Getters() {}

    /** What they tell, in the order of their names; null where there are none, or nobody may ask. */
    static List<Told> of(Object value) {
        if (!asked || !Wrapped.shown || value.getClass().getName().startsWith("com.shadowci.")) return null;
        List<Method> methods = METHODS.get(value.getClass());
        if (methods.isEmpty()) return null;
        List<Told> all = new ArrayList<>();
        for (Method method : methods) {
            Object told;
            busy = true;
            try {
                told = method.invoke(value);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Error error && endsTheRun(error)) throw error;
                told = "throws " + e.getCause().getClass().getName();
            } catch (IllegalAccessException | RuntimeException e) {
                continue;
            } finally {
                busy = false;
            }
            if (told instanceof String text && (text.length() > LONGEST || method.getName().equals("toString") && namesAnAddress(text))) continue;
            all.add(new Told(method.getDeclaringClass().getName() + "." + method.getName() + "()", method.getReturnType(), told));
        }
        return all;
    }

    /** Whether it is no error of the object asked: one of ours that takes a run out of its code, or memory is short. */
    static boolean endsTheRun(Error error) {
        return error instanceof OutOfMemoryError || error.getClass().getName().startsWith("com.shadowci.");
    }

    private static List<Method> methods(Class<?> type) {
        // What can be closed holds connections, threads or files: its getters may wait for them.
        if (AutoCloseable.class.isAssignableFrom(type)) return List.of();
        Map<String, Method> all = new TreeMap<>();
        Set<String> parts = new HashSet<>();
        if (type.isRecord()) for (Field part : type.getDeclaredFields()) parts.add(part.getName());
        for (Method method : type.getMethods()) {
            String name = method.getName();
            boolean reads = NAMES.contains(name) || parts.contains(name) || STARTS.stream().anyMatch(start -> isGetter(name, start));
            boolean isPlain = method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers()) && !method.isBridge();
            if (!reads || !isPlain || method.getDeclaringClass() == Object.class || !isShown(method.getReturnType())) continue;
            try {
                method.setAccessible(true);
                all.put(name, method);
            } catch (RuntimeException e) {
                // Its module does not let anyone in.
            }
        }
        List<Method> found = new ArrayList<>(all.values());
        return found.subList(0, Math.min(MOST, found.size()));
    }

    private static boolean isGetter(String name, String start) {
        boolean begins = name.startsWith(start) && name.length() > start.length() && Character.isUpperCase(name.charAt(start.length()));
        return begins && OTHERS.stream().noneMatch(name::startsWith);
    }

    private static boolean isShown(Class<?> type) {
        if (type.isPrimitive()) return type != void.class;
        if (type.isArray() || type.getClassLoader() != null || type == Object.class) return true;
        return VALUES.stream().anyMatch(value -> value.isAssignableFrom(type));
    }

    /** Whether a text is one with an object's hash in it, as `Object.toString` writes. */
    private static boolean namesAnAddress(String text) {
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            if (at + 1 < text.length() && Character.digit(text.charAt(at + 1), 16) >= 0) return true;
        }
        return false;
    }
}
