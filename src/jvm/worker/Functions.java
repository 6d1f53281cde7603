package com.shadowci.worker;

import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;

/** Functions of inputs: objects of interfaces, and what operators give of their arguments. */
final class Functions {
    /** What a function gives. */
    interface Body {
        Object of(Object[] arguments) throws Throwable;
    }

    private Functions() {}

    /** An object of an interface, all of whose abstract methods give that. */
    static Object make(ClassLoader loader, String type, Body body) throws ClassNotFoundException {
        return proxy(loader, type, method -> body);
    }

    /** An object of an interface, of whose abstract methods each, by name and descriptor, gives something; nothing of others. */
    static Object make(ClassLoader loader, String type, Map<String, Body> bodies) throws ClassNotFoundException {
        return proxy(loader, type, method -> {
            Body body = bodies.get(method.getName() + MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString());
            if (body == null) throw new AbstractMethodError(method.getName());
            return body;
        });
    }

    /** What it inherits works as inherited. */
    private static Object proxy(ClassLoader loader, String type, java.util.function.Function<Method, Body> bodies) throws ClassNotFoundException {
        Class<?> of = Class.forName(type, true, loader);
        return Proxy.newProxyInstance(loader, new Class<?>[] {of}, (self, method, args) -> {
            if (method.getDeclaringClass() == Object.class) {
                switch (method.getName()) {
                    case "equals": return self == args[0];
                    case "hashCode": return System.identityHashCode(self);
                    default: return "a lambda";
                }
            }
            if (!method.isDefault()) return bodies.apply(method).of(args);
            Class<?> declares = method.getDeclaringClass();
            return MethodHandles.privateLookupIn(declares, MethodHandles.lookup())
                    .unreflectSpecial(method, declares).bindTo(self).invokeWithArguments(args == null ? new Object[0] : args);
        });
    }

    /** What a method gives that is called on the first of the bodies' values, with the others. */
    static Body call(Method method, List<Body> bodies) {
        return arguments -> {
            Object[] values = values(bodies, arguments);
            if (values[0] == null) throw new NullPointerException();
            try {
                return method.invoke(values[0], Arrays.copyOfRange(values, 1, values.length));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
    }

    private static Object[] values(List<Body> bodies, Object[] arguments) throws Throwable {
        Object[] values = new Object[bodies.size()];
        for (int i = 0; i < values.length; i++) values[i] = bodies.get(i).of(arguments);
        return values;
    }

    /** What an operator gives of the bodies' values. */
    static Body operation(String operator, List<Body> operands) {
        return arguments -> {
            if (operator.equals("choose")) return operands.get((Boolean) operands.get(0).of(arguments) ? 1 : 2).of(arguments);
            return apply(operator, values(operands, arguments));
        };
    }

    static Object apply(String operator, Object[] values) {
        Object a = values[0], b = values.length > 1 ? values[1] : null;
        switch (operator) {
            case "equal": return isReal(a) || isReal(b) ? real(a) == real(b) : whole(a) == whole(b);
            case "less": return isReal(a) || isReal(b) ? real(a) < real(b) : whole(a) < whole(b);
            case "equals": return Objects.equals(a, b);
            case "startsWith": return String.valueOf(a).startsWith((String) b);
            case "endsWith": return String.valueOf(a).endsWith((String) b);
            case "contains": return String.valueOf(a).contains((String) b);
            case "length": return String.valueOf(a).length();
            case "compareTo": return String.valueOf(a).compareTo(String.valueOf(b));
            case "not": return !(Boolean) a;
            case "print": System.out.append(printed(a)); return null;
            case "unbox": return Objects.requireNonNull(((Class<?>) a).cast(b));
            case "add":
                if (a instanceof Long || b instanceof Long) return whole(a) + whole(b);
                return (int) (whole(a) + whole(b));
            default: throw new IllegalArgumentException(operator);
        }
    }

    /** A value's text; of other objects the class, since their text may be a hash. */
    private static String printed(Object value) {
        boolean isValue = value == null || value instanceof CharSequence || value instanceof Number || value instanceof Boolean
            || value instanceof Character || value instanceof Enum;
        return isValue ? String.valueOf(value) : value.getClass().getName();
    }

    private static boolean isReal(Object value) {
        return value instanceof Double || value instanceof Float;
    }

    private static double real(Object value) {
        return value instanceof Number n ? n.doubleValue() : whole(value);
    }

    static long whole(Object value) {
        if (value instanceof Boolean b) return b ? 1 : 0;
        return value instanceof Character c ? c : ((Number) value).longValue();
    }
}
