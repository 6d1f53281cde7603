package com.shadowci.worker;

import java.lang.reflect.*;
import java.util.*;

/** Numbers and texts in two objects that a method of the library compares, or of which one holds the other: kept as compared ones. */
final class Pairs {
    /** Elements of one container that are looked at. */
    static final int MOST = 40;

    private Pairs() {}

    static void of(Object a, Object b) {
        if (a instanceof CharSequence s && b instanceof CharSequence t) {
            if (Distance.isPlain(s) && Distance.isPlain(t)) Trace.keep(s.toString(), t.toString());
        } else if (a instanceof Number || a instanceof Character) {
            simple(a, b);
        } else if (a != null && b != null && a.getClass().isArray() && b.getClass().isArray()) {
            arrays(a, b);
        } else if (a instanceof Map<?, ?> map && a.getClass().getClassLoader() == null) {
            members(b, steady(a, map.keySet()));
        } else if (a instanceof Collection<?> all && a.getClass().getClassLoader() == null) {
            members(b, steady(a, all));
        }
    }

    /** What a container holds, in an order that is the same in each process: texts and numbers first, by what they are written as. */
    private static Collection<?> steady(Object container, Collection<?> all) {
        if (!Contents.isSalted(container.getClass().getName())) return all;
        List<Object> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparing(each -> each instanceof String || each instanceof Number || each instanceof Character ? each.toString() : "\uffff"));
        return sorted;
    }

    /** What a container of the library holds, of which it is asked for something. */
    private static void members(Object wanted, Collection<?> all) {
        int most = MOST;
        try {
            for (Object each : all) {
                if (most-- == 0) return;
                simple(wanted, each);
                if (wanted != null && each != null && wanted.getClass() == each.getClass()) fields(wanted, each);
            }
        } catch (RuntimeException e) {
            // Changed meanwhile.
        }
    }

    private static void simple(Object a, Object b) {
        if (a instanceof String s && b instanceof String t) Trace.keep(s, t);
        else if (a instanceof Number m && b instanceof Number n) Trace.keep(m.longValue(), n.longValue());
        else if (a instanceof Character c && b instanceof Character d) Trace.keep(c, d);
    }

    /** Two objects of one class of the program: a container compares their hash codes before any code of the program does. */
    private static void fields(Object a, Object b) {
        for (Class<?> type = a.getClass(); type != null && type.getClassLoader() instanceof java.net.URLClassLoader; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                boolean isSimple = field.getType().isPrimitive() || field.getType() == String.class;
                if (!isSimple || Modifier.isStatic(field.getModifiers())) continue;
                try {
                    field.setAccessible(true);
                    simple(field.get(a), field.get(b));
                } catch (ReflectiveOperationException e) {
                    return;
                }
            }
        }
    }

    private static void arrays(Object a, Object b) {
        int m = Array.getLength(a), n = Array.getLength(b);
        Trace.keep(m, n);
        for (int i = 0; i < Math.min(Math.min(m, n), MOST); i++) {
            simple(Array.get(a, i), Array.get(b, i));
        }
    }
}
