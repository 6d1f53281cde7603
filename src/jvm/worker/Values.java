package com.shadowci.worker;

import java.io.*;
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.util.*;

/** Builds inputs by reflection; {@link Visible} writes down what a caller can see of values. */
final class Values {
    private final ClassLoader loader;
    private final Visible visible;
    /** Objects that several parts of the input are, by their numbers. */
    private final Map<Integer, Object> shared = new HashMap<>();

    Values(ClassLoader loader, Replay.Classes classes) {
        this.loader = loader;
        visible = new Visible(classes);
    }

    /** Something an input consists of, read before anything is built. */
    interface Spec {
        Object build() throws Throwable;
    }

    Spec read(Wire wire) throws IOException {
        return read(wire, wire.in.read());
    }

    /** An object of which the last call on it may throw: it is asked what became of it. */
    Spec readAsked(Wire wire) throws IOException {
        int tag = wire.in.read(), number = 0;
        if (tag == 'V') {
            number = wire.in.readInt();
            tag = wire.in.read();
            if (tag != 'O') return shared(wire, number, tag);
        }
        return tag == 'O' ? object(wire, true, number) : read(wire, tag);
    }

    private Spec read(Wire wire, int tag) throws IOException {
        switch (tag) {
            case 'N': return () -> null;
            case 'Z': { boolean v = wire.in.readBoolean(); return () -> v; }
            case 'B': { byte v = wire.in.readByte(); return () -> v; }
            case 'S': { short v = wire.in.readShort(); return () -> v; }
            case 'C': { char v = wire.in.readChar(); return () -> v; }
            case 'I': { int v = wire.in.readInt(); return () -> v; }
            case 'J': { long v = wire.in.readLong(); return () -> v; }
            case 'F': { float v = Float.intBitsToFloat(wire.in.readInt()); return () -> v; }
            case 'D': { double v = Double.longBitsToDouble(wire.in.readLong()); return () -> v; }
            case 'T': { String v = wire.string().intern(); return () -> v; }
            case 'X': return read(wire);
            case 'A': {
                String element = wire.string();
                List<Spec> values = readAll(wire);
                return () -> array(element, values);
            }
            case 'G':
            case 'E': {
                String type = wire.string();
                String constant = wire.string();
                return () -> {
                    Field field = Class.forName(type, true, loader).getDeclaredField(constant);
                    field.setAccessible(true);
                    return field.get(null);
                };
            }
            case 'V': return shared(wire, wire.in.readInt(), wire.in.read());
            case 'R': { int number = wire.in.readInt(); return () -> same(number); }
            case 'O': return object(wire, false, 0);
            case 'c': { String name = wire.string(); return () -> named(name); }
            case 'M': return result(wire, 0);
            case 'L': return lambda(wire);
            case 'a': {
                int at = wire.in.readInt();
                Answer answer = () -> arguments -> arguments[at];
                return answer;
            }
            case 'o': return operation(wire);
            case 'i': return standIn(wire);
            default: throw new IOException("bad input tag " + tag);
        }
    }

    /** An object that other parts of the input are as well: known by its number before anything is called on it. */
    private Spec shared(Wire wire, int number, int tag) throws IOException {
        if (tag == 'O') return object(wire, false, number);
        if (tag == 'M') return result(wire, number);
        Spec made = read(wire, tag);
        return () -> {
            Object value = made.build();
            shared.put(number, value);
            return value;
        };
    }

    private Object same(int number) throws IOException {
        if (!shared.containsKey(number)) throw new IOException("no object " + number + " was made before");
        return shared.get(number);
    }

    Class<?> named(String name) throws ClassNotFoundException {
        for (Class<?> type : PRIMITIVE) if (type.getName().equals(name)) return type;
        return Class.forName(name, false, loader);
    }

    private static final Class<?>[] PRIMITIVE = {
        boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class, double.class, void.class};

    List<Spec> readAll(Wire wire) throws IOException {
        List<Spec> all = new ArrayList<>();
        for (int n = wire.in.readInt(); n > 0; n--) all.add(read(wire));
        return all;
    }

    private Spec object(Wire wire, boolean lastMayThrow, int number) throws IOException {
        String type = wire.string(), name = wire.string(), descriptor = wire.string();
        List<Spec> args = readAll(wire);
        return called(wire, lastMayThrow, number, () -> {
            Executable maker = find(type, name, descriptor);
            return maker instanceof Constructor<?> c ? c.newInstance(build(args)) : ((Method) maker).invoke(null, build(args));
        });
    }

    /** An object and the calls on it, which are read here. */
    private Spec called(Wire wire, boolean lastMayThrow, int number, Spec on) throws IOException {
        int n = wire.in.readInt();
        List<String[]> methods = new ArrayList<>();
        List<List<Spec>> callArgs = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            methods.add(new String[] {wire.string(), wire.string(), wire.string()});
            callArgs.add(readAll(wire));
        }
        return () -> {
            Object made = on.build();
            if (number > 0) shared.put(number, made);
            for (int i = 0; i < n; i++) {
                String[] m = methods.get(i);
                Object[] with = build(callArgs.get(i));
                if (isField(m[2])) {
                    field(m[0], m[1]).set(made, with[0]);
                    continue;
                }
                Method method = (Method) find(m[0], m[1], m[2]);
                try {
                    method.invoke(made, with);
                } catch (InvocationTargetException e) {
                    if (!lastMayThrow || i < n - 1) throw e;
                }
            }
            return made;
        };
    }

    /** What an instance method returns. */
    private Spec result(Wire wire, int number) throws IOException {
        Spec receiver = read(wire);
        String type = wire.string(), name = wire.string(), descriptor = wire.string();
        List<Spec> args = readAll(wire);
        List<Spec> parts = new ArrayList<>(args);
        parts.add(0, receiver);
        if (parts.stream().anyMatch(Answer.class::isInstance)) {
            if (wire.in.readInt() > 0) throw new IOException("calls on what a function gives");
            Answer answer = () -> Functions.call((Method) find(type, name, descriptor), bodies(parts));
            return answer;
        }
        return called(wire, false, number, () -> ((Method) find(type, name, descriptor)).invoke(receiver.build(), build(args)));
    }

    /** A lambda whose value is the same on every call, or comes of its arguments. */
    private Spec lambda(Wire wire) throws IOException {
        String type = wire.string();
        wire.string();
        wire.string();
        List<Spec> results = readAll(wire);
        if (results.isEmpty()) return () -> lambda(type, null);
        if (results.get(0) instanceof Answer answer) return () -> Functions.make(loader, type, answer.body());
        return () -> lambda(type, results.get(0).build());
    }

    /** A function that gives the same value on every call. */
    Object lambda(String type, Object result) throws ClassNotFoundException {
        return Functions.make(loader, type, arguments -> result);
    }

    /** What a function makes of its arguments. */
    private interface Answer extends Spec {
        Functions.Body body() throws Throwable;

        @Override
        default Object build() {
            throw new IllegalStateException("no function is around");
        }
    }

    /** An object of an interface with several methods. */
    private Spec standIn(Wire wire) throws IOException {
        String type = wire.string();
        Map<String, List<Spec>> answers = new LinkedHashMap<>();
        for (int n = wire.in.readInt(); n > 0; n--) {
            wire.string();
            String key = wire.string() + wire.string();
            answers.put(key, readAll(wire));
        }
        return () -> {
            Map<String, Functions.Body> bodies = new HashMap<>();
            for (Map.Entry<String, List<Spec>> each : answers.entrySet()) {
                Spec of = each.getValue().isEmpty() ? () -> null : each.getValue().get(0);
                Object value = of instanceof Answer ? null : of.build();
                bodies.put(each.getKey(), of instanceof Answer answer ? answer.body() : arguments -> value);
            }
            return Functions.make(loader, type, bodies);
        };
    }

    private Answer operation(Wire wire) throws IOException {
        String operator = wire.string();
        List<Spec> operands = readAll(wire);
        return () -> Functions.operation(operator, bodies(operands));
    }

    private static List<Functions.Body> bodies(List<Spec> parts) throws Throwable {
        List<Functions.Body> bodies = new ArrayList<>();
        for (Spec part : parts) {
            Object value = part instanceof Answer ? null : part.build();
            bodies.add(part instanceof Answer answer ? answer.body() : arguments -> value);
        }
        return bodies;
    }

    static Object[] build(List<Spec> specs) throws Throwable {
        Object[] all = new Object[specs.size()];
        for (int i = 0; i < all.length; i++) all[i] = specs.get(i).build();
        return all;
    }

    private Object array(String element, List<Spec> values) throws Throwable {
        Class<?> type = MethodType.fromMethodDescriptorString("()" + element, loader).returnType();
        Object array = Array.newInstance(type, values.size());
        for (int i = 0; i < values.size(); i++) Array.set(array, i, values.get(i).build());
        return array;
    }

    /** Whether a member that a step names is a field that is set: it has no parameters. */
    static boolean isField(String descriptor) {
        return !descriptor.startsWith("(");
    }

    Field field(String type, String name) throws ReflectiveOperationException {
        Field found = Class.forName(type, false, loader).getDeclaredField(name);
        found.setAccessible(true);
        return found;
    }

    Executable find(String type, String name, String descriptor) throws ReflectiveOperationException {
        Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, loader).parameterArray();
        Class<?> owner = Class.forName(type, false, loader);
        Executable found = null;
        if (name.equals("<init>")) {
            found = owner.getDeclaredConstructor(parameters);
        } else {
            Class<?> result = MethodType.fromMethodDescriptorString(descriptor, loader).returnType();
            for (Class<?> c = owner; c != null && found == null; c = c.getSuperclass()) {
                for (Method m : c.getDeclaredMethods()) {
                    if (m.getName().equals(name) && m.getReturnType() == result && Arrays.equals(m.getParameterTypes(), parameters)) found = m;
                }
            }
            if (found == null) found = owner.getMethod(name, parameters);
        }
        found.setAccessible(true);
        return found;
    }

    /** See {@link Visible#hideHashes}. */
    void hideHashes(Object receiver, Object[] args, Object result) {
        visible.hideHashes(receiver, result);
        visible.hideHashes(args);
    }

    /** See {@link Visible#held}. */
    void held(Wire wire, Throwable thrown) throws IOException, IllegalAccessException {
        visible.held(wire.out, thrown);
    }

    /** What a caller can see of a value. */
    void write(Wire wire, Object value, Class<?> declared) throws IOException, IllegalAccessException {
        visible.write(wire.out, value, declared);
    }
}
