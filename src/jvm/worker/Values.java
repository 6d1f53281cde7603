package com.shadowci.worker;

import java.io.*;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.*;
import java.util.*;

/** Builds inputs by reflection, and writes down what a caller can see of values. */
final class Values {
    private final ClassLoader loader;
    private final Replay.Classes classes;
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();

    Values(ClassLoader loader, Replay.Classes classes) {
        this.loader = loader;
        this.classes = classes;
    }

    /** Something an input consists of, read before anything is built. */
    interface Spec {
        Object build() throws Throwable;
    }

    Spec read(Wire wire) throws IOException {
        int tag = wire.in.read();
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
            case 'T': { String v = wire.string(); return () -> new String(v); }
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
            case 'O': return object(wire);
            case 'c': { String name = wire.string(); return () -> named(name); }
            case 'M': return result(wire);
            case 'L': return lambda(wire);
            default: throw new IOException("bad input tag " + tag);
        }
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

    private Spec object(Wire wire) throws IOException {
        String type = wire.string(), name = wire.string(), descriptor = wire.string();
        List<Spec> args = readAll(wire);
        int n = wire.in.readInt();
        List<String[]> methods = new ArrayList<>();
        List<List<Spec>> callArgs = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            methods.add(new String[] {wire.string(), wire.string(), wire.string()});
            callArgs.add(readAll(wire));
        }
        return () -> {
            Executable maker = find(type, name, descriptor);
            Object made = maker instanceof Constructor<?> c ? c.newInstance(build(args)) : ((Method) maker).invoke(null, build(args));
            for (int i = 0; i < n; i++) {
                String[] m = methods.get(i);
                ((Method) find(m[0], m[1], m[2])).invoke(made, build(callArgs.get(i)));
            }
            return made;
        };
    }

    /** What an instance method returns. */
    private Spec result(Wire wire) throws IOException {
        Spec receiver = read(wire);
        String type = wire.string(), name = wire.string(), descriptor = wire.string();
        List<Spec> args = readAll(wire);
        return () -> ((Method) find(type, name, descriptor)).invoke(receiver.build(), build(args));
    }

    /** A lambda that gives the same value on every call; what it inherits works as inherited. */
    private Spec lambda(Wire wire) throws IOException {
        String type = wire.string();
        wire.string();
        wire.string();
        List<Spec> results = readAll(wire);
        return () -> lambda(type, results.isEmpty() ? null : results.get(0).build());
    }

    Object lambda(String type, Object result) throws ClassNotFoundException {
        Class<?> of = Class.forName(type, true, loader);
        return Proxy.newProxyInstance(loader, new Class<?>[] {of}, (self, method, args) -> {
            if (method.getDeclaringClass() == Object.class) {
                switch (method.getName()) {
                    case "equals": return self == args[0];
                    case "hashCode": return System.identityHashCode(self);
                    default: return "a lambda";
                }
            }
            if (!method.isDefault()) return result;
            Class<?> declares = method.getDeclaringClass();
            return MethodHandles.privateLookupIn(declares, MethodHandles.lookup())
                    .unreflectSpecial(method, declares).bindTo(self).invokeWithArguments(args == null ? new Object[0] : args);
        });
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

    void write(Wire wire, Object value, Class<?> declared) throws IOException, IllegalAccessException {
        DataOutputStream out = wire.out;
        if (declared == void.class) { out.write('V'); return; }
        if (value == null) { out.write('N'); return; }
        boolean box = !declared.isPrimitive();
        if (value instanceof Boolean v) { tag(out, box, 'Z'); out.writeBoolean(v); }
        else if (value instanceof Byte v) { tag(out, box, 'B'); out.writeByte(v); }
        else if (value instanceof Short v) { tag(out, box, 'S'); out.writeShort(v); }
        else if (value instanceof Character v) { tag(out, box, 'C'); out.writeChar(v); }
        else if (value instanceof Integer v) { tag(out, box, 'I'); out.writeInt(v); }
        else if (value instanceof Long v) { tag(out, box, 'J'); out.writeLong(v); }
        else if (value instanceof Float v) { tag(out, box, 'F'); out.writeInt(Float.floatToIntBits(v)); }
        else if (value instanceof Double v) { tag(out, box, 'D'); out.writeLong(Double.doubleToLongBits(v)); }
        else if (value instanceof String v) { out.write('T'); wire.write(v); }
        else if (value instanceof Enum<?> v) { out.write('E'); wire.write(v.getDeclaringClass().getName()); wire.write(v.name()); }
        else if (value instanceof Class<?> v) {
            out.write('E');
            wire.write("java.lang.Class");
            wire.write(v.getName());
        }
        else object(wire, value);
    }

    private static void tag(DataOutputStream out, boolean box, char tag) throws IOException {
        if (box) out.write('X');
        out.write(tag);
    }

    private void object(Wire wire, Object value) throws IOException, IllegalAccessException {
        DataOutputStream out = wire.out;
        Integer seen = numbers.putIfAbsent(value, numbers.size());
        if (seen != null) { out.write('#'); out.writeInt(seen); return; }
        Class<?> type = value.getClass();
        if (type.isArray()) {
            out.write('A');
            wire.write(type.getComponentType().descriptorString());
            int n = Array.getLength(value);
            out.writeInt(n);
            for (int i = 0; i < n; i++) write(wire, Array.get(value, i), type.getComponentType());
        } else if (value instanceof Throwable) {
            out.write('W');
            wire.write(type.getName());
        } else if (type.isHidden() || type.isSynthetic() || Proxy.isProxyClass(type)) {
            out.write('Q');
            wire.write("<hidden>");
        } else if (content(value) != null) {
            Object[] content = content(value);
            out.write('K');
            wire.write(type.getName());
            out.writeInt(content.length);
            for (Object part : content) write(wire, part, Object.class);
        } else if (!classes.isProject(type)) {
            out.write('Q');
            wire.write(type.getName());
        } else {
            out.write('O');
            wire.write(type.getName());
            List<Field> fields = fields(type);
            out.writeInt(fields.size());
            for (Field field : fields) {
                wire.write(field.getDeclaringClass().getName() + "." + field.getName());
                write(wire, field.get(value), field.getType());
            }
        }
    }

    /** What a caller sees of the JDK's own containers; null for other classes. */
    private static Object[] content(Object value) {
        switch (value.getClass().getName()) {
            case "java.lang.StringBuilder":
            case "java.lang.StringBuffer": return new Object[] {value.toString()};
            case "java.io.StringWriter": return new Object[] {((StringWriter) value).getBuffer()};
            case "java.lang.reflect.Method": {
                Method m = (Method) value;
                return types(m.getParameterTypes(), m.getDeclaringClass(), m.getName(), m.getReturnType());
            }
            case "java.lang.reflect.Constructor": {
                Constructor<?> c = (Constructor<?>) value;
                return types(c.getParameterTypes(), c.getDeclaringClass());
            }
            case "java.lang.reflect.Field": {
                Field f = (Field) value;
                return new Object[] {f.getDeclaringClass(), f.getName(), f.getType()};
            }
            case "java.util.ArrayList":
            case "java.util.Arrays$ArrayList":
            case "java.util.LinkedList":
            case "java.util.ArrayDeque":
            case "java.util.HashSet":
            case "java.util.LinkedHashSet":
            case "java.util.TreeSet":
            case "java.util.Collections$SingletonList":
            case "java.util.Collections$SingletonSet":
            case "java.util.Collections$EmptyList":
            case "java.util.Collections$EmptySet": return ((Collection<?>) value).toArray();
            case "java.util.HashMap":
            case "java.util.LinkedHashMap":
            case "java.util.TreeMap":
            case "java.util.Collections$SingletonMap":
            case "java.util.Collections$EmptyMap": {
                List<Object> all = new ArrayList<>();
                ((Map<?, ?>) value).forEach((k, v) -> { all.add(k); all.add(v); });
                return all.toArray();
            }
            case "java.util.Optional": return ((Optional<?>) value).stream().toArray();
            case "java.util.concurrent.atomic.AtomicInteger":
            case "java.util.concurrent.atomic.AtomicLong": return new Object[] {
                value instanceof java.util.concurrent.atomic.AtomicInteger i ? (Object) i.get() : ((java.util.concurrent.atomic.AtomicLong) value).get()};
            case "java.util.concurrent.atomic.AtomicReference": return new Object[] {
                ((java.util.concurrent.atomic.AtomicReference<?>) value).get()};
            default: return null;
        }
    }

    private static Object[] types(Class<?>[] parameters, Object... first) {
        List<Object> all = new ArrayList<>(Arrays.asList(first));
        all.addAll(Arrays.asList(parameters));
        return all.toArray();
    }

    private List<Field> fields(Class<?> type) {
        List<Field> known = classes.fields.get(type);
        if (known != null) return known;
        List<Field> all = new ArrayList<>();
        classes.fields.put(type, all);
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (!classes.isProject(c)) continue;
            List<Field> own = new ArrayList<>();
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers()) && !f.isSynthetic()) { f.setAccessible(true); own.add(f); }
            }
            own.sort(Comparator.comparing(Field::getName));
            all.addAll(0, own);
        }
        return all;
    }
}
