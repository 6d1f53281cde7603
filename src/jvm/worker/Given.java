package com.shadowci.worker;

import java.lang.reflect.*;
import java.util.*;

/** What a lambda or method reference of the program gives when its caller calls it, if it holds nothing but values: for a few arguments. */
final class Given {
    /** Arguments by their types, in the order in which a parameter of an erased type is tried with them. */
    private static final List<List<?>> ARGUMENTS = List.of(
        List.of("", "a", "Ab 1", "12"), List.of(0, 1, -1, 7, 100), List.of(0L, 1L, -1L, 7L, 100L), List.of(0.0, 1.5, -2.0), List.of(true, false),
        List.of('a', 'Z', '0'));
    private static final Map<Class<?>, Class<?>> BOXES = Map.of(int.class, Integer.class, long.class, Long.class, double.class, Double.class,
        boolean.class, Boolean.class, char.class, Character.class);
    /** A lambda may give further ones, and hold objects in objects. */
    private static final int MOST = 8, DEEPEST = 3;

    private int asked;

    /** Null where there is no such function, or nobody may ask. */
    Object[] of(Object value, Class<?> type) {
        boolean isOwn = type.isHidden() && type.getClassLoader() != null && !Proxy.isProxyClass(type);
        if (!isOwn || !Getters.asked || !Wrapped.shown || asked >= MOST) return null;
        Method function = function(type);
        if (function == null || function.getReturnType() == void.class || function.getParameterCount() > 2 || !holdsValues(value, type, 0)) return null;
        asked++;
        Class<?>[] parameters = function.getParameterTypes();
        if (parameters.length == 0) return new Object[] {given(function, value)};
        for (List<?> values : ARGUMENTS) {
            if (!fits(parameters[0], values.get(0)) || !fits(parameters[parameters.length - 1], values.get(0))) continue;
            List<Object> all = new ArrayList<>();
            for (Object argument : values) {
                if (parameters.length == 1) add(all, function, value, argument);
                else for (Object other : values) add(all, function, value, argument, other);
            }
            boolean isOfOthers = true;
            for (int i = 1; i < all.size(); i += 2) isOfOthers &= WRONG.equals(all.get(i));
            if (!isOfOthers) return all.toArray();
        }
        return null;
    }

    /** What it throws that takes no such arguments. */
    private static final Class<?> WRONG = ClassCastException.class;

    /** For each call its arguments as a text, and what it gave: the class of what it threw. */
    private static void add(List<Object> all, Method function, Object value, Object... arguments) {
        List<String> texts = new ArrayList<>();
        for (Object argument : arguments) texts.add(argument instanceof String text ? '"' + text + '"' : String.valueOf(argument));
        all.add(String.join(", ", texts));
        all.add(given(function, value, arguments));
    }

    private static Object given(Method function, Object value, Object... arguments) {
        Getters.busy = true;
        try {
            return plain(function.invoke(value, arguments));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error && Getters.endsTheRun(error)) throw error;
            return e.getCause().getClass();
        } catch (IllegalAccessException | RuntimeException e) {
            return WRONG;
        } finally {
            Getters.busy = false;
        }
    }

    /** Of objects that could have further ones in them the class alone. */
    private static Object plain(Object given) {
        boolean isPlain = given == null || given instanceof String || given instanceof Boolean || given instanceof Character
                || given instanceof Number && given.getClass().getName().startsWith("java.lang.");
        if (isPlain) return given;
        Class<?> type = given.getClass();
        return type.isHidden() ? "a lambda" : given instanceof Enum<?> constant ? constant.name() : "an object of " + type.getName();
    }

    private static boolean fits(Class<?> parameter, Object value) {
        return BOXES.getOrDefault(parameter, parameter).isInstance(value);
    }

    /** The only abstract method of its interfaces; null where there are more, or nobody is let in. */
    private static Method function(Class<?> type) {
        Method found = null;
        for (Class<?> each : type.getInterfaces()) {
            for (Method method : each.getMethods()) {
                if (!Modifier.isAbstract(method.getModifiers()) || isOfObject(method)) continue;
                if (found != null && !found.getName().equals(method.getName())) return null;
                if (found == null || found.isBridge()) found = method;
            }
        }
        try {
            if (found != null) found.setAccessible(true);
        } catch (RuntimeException e) {
            return null;
        }
        return found;
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Whether calling it changes nothing that it holds: values, and functions and objects with final fields that hold such. */
    private static boolean holdsValues(Object value, Class<?> type, int depth) {
        if (depth > DEEPEST) return false;
        try {
            for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())) continue;
                    if (!Modifier.isFinal(field.getModifiers())) return false;
                    field.setAccessible(true);
                    Object held = field.get(value);
                    if (isValue(held)) continue;
                    boolean isOwn = held.getClass().getClassLoader() != null && !Proxy.isProxyClass(held.getClass());
                    if (!isOwn || !holdsValues(held, held.getClass(), depth + 1)) return false;
                }
            }
            return true;
        } catch (IllegalAccessException | RuntimeException e) {
            return false;
        }
    }

    private static boolean isValue(Object held) {
        return held == null || held instanceof String || held instanceof Number && held.getClass().getName().startsWith("java.lang.")
                || held instanceof Boolean || held instanceof Character || held instanceof Enum || held instanceof Class;
    }
}
