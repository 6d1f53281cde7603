package com.shadowci.worker;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.*;

/**
 * What objects of the program hold as the JDK's collection or map that their class extends. Only where all that tells it is the JDK's code:
 * nothing of the program runs.
 */
final class Extended {
    /** Methods by which elements are told. */
    private static final Set<String> TELLING = Set.of("size", "iterator", "toArray", "forEach", "entrySet");

    /** The class of the JDK; `Object` where there is none. */
    private static final ClassValue<Class<?>> ABOVE = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
            Class<?> above = type;
            while (above.getClassLoader() != null) above = above.getSuperclass();
            boolean holds = Collection.class.isAssignableFrom(above) || Map.class.isAssignableFrom(above);
            // What some hold is another thing in each run.
            boolean changes = above.getName().contains("Weak") || above.getName().contains("Identity");
            if (above == type || !holds || changes || Modifier.isAbstract(above.getModifiers())) return Object.class;
            return isTold(type) ? above : Object.class;
        }
    };

    private Extended() {}

    private static boolean isTold(Class<?> type) {
        try {
            for (Method m : type.getMethods()) {
                if (TELLING.contains(m.getName()) && m.getDeclaringClass().getClassLoader() != null) return false;
            }
            return true;
        } catch (LinkageError e) {
            // A type that its methods name is not there.
            return false;
        }
    }

    /** The class of the JDK that holds an object's elements; null where there is none. */
    static Class<?> by(Object value) {
        Class<?> above = ABOVE.get(value.getClass());
        return above == Object.class ? null : above;
    }

    /** The elements, or keys and values; none where there are too many, or the object is not whole. */
    static Object[] elements(Object value) {
        Object[] held = Contents.held(value);
        return held == null ? new Object[0] : held;
    }
}
