package com.shadowci.worker;

import java.io.*;
import java.lang.reflect.*;
import java.nio.ByteBuffer;
import java.util.*;

/** Writes down what a caller can see of values, objects by their numbers where they come again. */
public final class Visible {
    /** Whose objects are written with their fields. */
    public interface Scope {
        /** Whether a class is the project's own. */
        boolean isProject(Class<?> type);

        /** Instance fields in the order in which they are written, of classes met before. */
        Map<Class<?>, List<Shown>> fields();

        /** Whether an instance field of the project counts. */
        default boolean counts(Field field) {
            return true;
        }

        /** Whether it is code that both versions have alike: a lambda of it that holds nothing is told by being there. */
        default boolean isOfTests(Class<?> type) {
            return false;
        }
    }

    /** An instance field, and its name as it is written. */
    public record Shown(Field field, byte[] name) {}

    /** Elements that are written at once, at most. */
    private static final int MOST_AT_ONCE = 1 << 16;
    /** The class of lambdas, whose own names are others in each run. */
    private static final String HIDDEN = "<hidden>";
    /** What Mockito calls the classes of its objects, behind the name of the type. */
    private static final String MOCK = "$MockitoMock$";

    /** Objects of libraries that are asked what they hold, and how deep inside others they may be. */
    private static final int MOST_ASKED = 40, DEEPEST = 2;

    /** Digits of a hash code that is looked for in texts: fewer may be anything. */
    private static final int FEWEST_DIGITS = 5;

    /** Parts of an array or list whose hash codes are hidden, and how deep they may lie. */
    private static final int PARTS = 8, PARTS_DEEP = 2;

    private final Scope scope;
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private boolean whole = true;
    /** Hash codes that texts do not tell. */
    private final List<Integer> hashes = new ArrayList<>();
    /** Objects of libraries that were asked what they hold, and how deep the one at hand is in others. */
    private int asked, depth;
    private final Given functions = new Given();

    public Visible(Scope scope) {
        this.scope = scope;
    }

    /** Whether what was written tells all that the objects hold: of some only the class is told, of others it changes by itself. */
    public boolean isWhole() {
        return whole;
    }

    /**
     * Texts may hold identity hash codes of these objects, in hexadecimal, as those of `Object.toString` do. They are others in each run, so
     * a sign stands for them, and for some of what arrays and lists among them hold.
     */
    public void hideHashes(Object... objects) {
        for (Object object : objects) hideHash(object);
        for (Object object : objects) hideHashesIn(object, PARTS_DEEP);
    }

    private void hideHash(Object object) {
        int hash = System.identityHashCode(object);
        if (hash >= 1 << 4 * (FEWEST_DIGITS - 1)) hashes.add(hash);
    }

    private void hideHashesIn(Object object, int deep) {
        Iterable<?> parts;
        if (object instanceof Object[] array) parts = Arrays.asList(array);
        else if (object instanceof List<?> list && list.getClass().getClassLoader() == null && list instanceof RandomAccess) parts = list;
        else return;
        int left = PARTS;
        for (Object part : parts) {
            if (left-- == 0) return;
            if (part == null || isSimple(part)) continue;
            hideHash(part);
            if (deep > 1) hideHashesIn(part, deep - 1);
        }
    }

    private String steady(String told) {
        if (told.length() < FEWEST_DIGITS) return told;
        String text = TraceText.steady(told);
        for (int hash : hashes) {
            String digits = Integer.toHexString(hash);
            if (!text.contains(digits)) continue;
            // Some write all eight of them.
            text = text.replace("0".repeat(8 - digits.length()) + digits, "#").replace(digits, "#");
        }
        return text;
    }

    private static void text(DataOutputStream out, String s) throws IOException {
        out.write(text(s));
    }

    /** A text as it is written: its length, and its units. */
    static byte[] text(String s) {
        ByteBuffer all = ByteBuffer.allocate(4 + 2 * s.length()).putInt(s.length());
        for (int i = 0; i < s.length(); i++) all.putChar(s.charAt(i));
        return all.array();
    }

    public void write(DataOutputStream out, Object value, Class<?> declared) throws IOException, IllegalAccessException {
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
        else if (value instanceof String v) { out.write('T'); text(out, steady(v)); }
        else if (value instanceof Enum<?> v) { out.write('E'); text(out, v.getDeclaringClass().getName()); text(out, v.name()); }
        else if (value instanceof Class<?> v) {
            out.write('E');
            text(out, "java.lang.Class");
            text(out, v.getName());
        }
        else object(out, value);
    }

    private static void tag(DataOutputStream out, boolean box, char tag) throws IOException {
        if (box) out.write('X');
        out.write(tag);
    }

    /** The class loader of the tested classes is one of ours; without us it would be some other one with folders. Loggers are alike. */
    private static Class<?> seenAs(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) if (at.getName().equals("java.util.logging.Logger")) return at;
        while (type.getName().startsWith("com.shadowci.worker.")) type = type.getSuperclass();
        return type;
    }

    private static boolean isMock(Class<?> type) {
        return type.getName().contains(MOCK);
    }

    private void object(DataOutputStream out, Object value) throws IOException, IllegalAccessException {
        Integer seen = numbers.putIfAbsent(value, numbers.size());
        if (seen != null) { out.write('#'); out.writeInt(seen); return; }
        Class<?> type = value.getClass();
        Object[] content, given;
        List<Getters.Told> told;
        if (type.isArray()) {
            out.write('A');
            text(out, type.getComponentType().descriptorString());
            int n = Array.getLength(value);
            out.writeInt(n);
            if (!primitives(out, value)) for (int i = 0; i < n; i++) write(out, Array.get(value, i), type.getComponentType());
        } else if (isMock(type)) {
            // The test says what it answers, the same in both versions; the end of its name is another one in each run.
            out.write('Q');
            text(out, type.getName().substring(0, type.getName().indexOf(MOCK) + MOCK.length()));
        } else if (value instanceof Throwable) {
            exception(out, (Throwable) value);
            whole = false;
        } else if ((given = functions.of(value, type)) != null) {
            out.write('K');
            text(out, HIDDEN);
            out.writeInt(given.length);
            for (Object part : given) write(out, part, Object.class);
            whole = false;
        } else if (type.isHidden() || type.isSynthetic() || Proxy.isProxyClass(type)) {
            out.write('Q');
            text(out, HIDDEN);
            whole &= scope.isOfTests(type) && Stateless.is(type);
        } else if ((content = content(value, type)) != null) {
            out.write('K');
            text(out, type.getName());
            out.writeInt(content.length);
            for (Object part : content) write(out, part, Object.class);
            whole &= !(value instanceof java.time.Clock);
        } else if (!scope.isProject(type) && (told = told(value, type)) != null) {
            out.write('O');
            text(out, type.getName());
            out.writeInt(told.size());
            depth++;
            for (Getters.Told each : told) {
                text(out, each.name());
                write(out, each.value(), each.type());
            }
            depth--;
        } else if (!scope.isProject(type)) {
            out.write('Q');
            text(out, seenAs(type).getName());
            whole &= Stateless.is(type);
        } else {
            out.write('O');
            text(out, type.getName());
            List<Shown> fields = fields(type);
            Class<?> extended = Extended.by(value);
            out.writeInt(fields.size() + (extended == null ? 0 : 1));
            for (Shown shown : fields) {
                out.write(shown.name);
                write(out, shown.field.get(value), shown.field.getType());
            }
            if (extended != null) elements(out, extended.getName(), Extended.elements(value));
        }
    }

    /** Writes what an object holds as the JDK's collection or map that it extends, like a field that holds one. */
    private void elements(DataOutputStream out, String by, Object[] elements) throws IOException, IllegalAccessException {
        text(out, by + ".elements");
        numbers.put(new Object(), numbers.size());
        out.write('K');
        text(out, by);
        out.writeInt(elements.length);
        for (Object element : elements) write(out, element, Object.class);
    }

    /**
     * Writes what a caller who catches an exception of the project can ask it beside its message: fields of simple values that are public, or
     * have a public method of their name.
     */
    public void held(DataOutputStream out, Throwable thrown) throws IOException, IllegalAccessException {
        List<Shown> told = new ArrayList<>();
        Set<String> asked = null;
        for (Shown shown : fields(thrown.getClass())) {
            if (!isSimple(shown.field.get(thrown))) continue;
            if (asked == null) asked = ASKED.get(thrown.getClass());
            String type = shown.field.getType().getName(), name = shown.field.getName();
            String capital = Character.toUpperCase(name.charAt(0)) + name.substring(1);
            boolean isTold = Modifier.isPublic(shown.field.getModifiers());
            for (String method : List.of(name, "get" + capital, "is" + capital)) isTold |= asked.contains(type + " " + method);
            if (isTold) told.add(shown);
        }
        Throwable cause = cause(thrown);
        out.writeInt(told.size() + (cause == null ? 0 : 1));
        for (Shown shown : told) {
            out.write(shown.name);
            write(out, shown.field.get(thrown), shown.field.getType());
        }
        if (cause == null) return;
        // Neither it nor the exception has a number: those of the objects that are told next don't depend on it.
        out.write(CAUSE);
        exception(out, cause);
    }

    private void exception(DataOutputStream out, Throwable thrown) throws IOException {
        out.write('W');
        text(out, thrown.getClass().getName());
        String message = JvmText.of(thrown);
        boolean isOwn = message != null && !JvmText.isIn(thrown, message);
        out.writeBoolean(isOwn);
        if (isOwn) text(out, steady(message));
    }

    private static final byte[] CAUSE = text("java.lang.Throwable.cause");

    /** Null where there is none, or asking for it fails. */
    private static Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable t) {
            return null;
        }
    }

    /** Result and name of a class's public methods without parameters. */
    private static final ClassValue<Set<String>> ASKED = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
            Set<String> all = new HashSet<>();
            for (Method m : type.getMethods()) if (m.getParameterCount() == 0) all.add(m.getReturnType().getName() + " " + m.getName());
            return all;
        }
    };

    private static boolean isSimple(Object value) {
        return value == null || value instanceof String || value instanceof Enum || value instanceof Boolean || value instanceof Character
                || value instanceof Number && value.getClass().getName().startsWith("java.lang.");
    }

    /** What a library's object tells when it is asked; null where it is not: too many were, or it is a part of a part of one. */
    private List<Getters.Told> told(Object value, Class<?> type) {
        if (type.getClassLoader() == null || depth > DEEPEST || asked >= MOST_ASKED) return null;
        asked++;
        return Getters.of(value);
    }

    /** Writes the elements of an array of one of the frequent primitive types at once: buffers are long. */
    private static boolean primitives(DataOutputStream out, Object array) throws IOException {
        ByteBuffer all;
        if (Array.getLength(array) > MOST_AT_ONCE) return false;
        if (array instanceof char[] chars) {
            all = ByteBuffer.allocate(3 * chars.length);
            for (char c : chars) all.put((byte) 'C').putChar(c);
        } else if (array instanceof byte[] bytes) {
            all = ByteBuffer.allocate(2 * bytes.length);
            for (byte b : bytes) all.put((byte) 'B').put(b);
        } else if (array instanceof int[] ints) {
            all = ByteBuffer.allocate(5 * ints.length);
            for (int i : ints) all.put((byte) 'I').putInt(i);
        } else {
            return false;
        }
        out.write(all.array());
        return true;
    }

    /** What a caller sees of the JDK's own containers and values; null for other classes. */
    private Object[] content(Object value, Class<?> type) {
        if (scope.isProject(type)) return null;
        switch (type.getName()) {
            case "java.lang.StringBuilder":
            case "java.lang.StringBuffer": return new Object[] {value.toString()};
            case "java.io.File":
            case "sun.nio.fs.UnixPath": return new Object[] {value.toString()};
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
            case "java.util.concurrent.atomic.AtomicBoolean": return new Object[] {((java.util.concurrent.atomic.AtomicBoolean) value).get()};
            case "java.util.concurrent.atomic.AtomicReference": return new Object[] {
                ((java.util.concurrent.atomic.AtomicReference<?>) value).get()};
            default: return type.getClassLoader() == null ? Contents.of(value) : Contents.ofLibrary(value);
        }
    }

    private static Object[] types(Class<?>[] parameters, Object... first) {
        List<Object> all = new ArrayList<>(Arrays.asList(first));
        all.addAll(Arrays.asList(parameters));
        return all.toArray();
    }

    /** What javac puts before the name of a variable that a class captures. */
    private static final String CAPTURED = "val$";

    /**
     * The name by which a field of a class is told: its own, or the type's of a variable that the class has captured, for the variable may
     * have another name in the other version. Null of one of several variables of that type, and of the object around an inner one.
     */
    private static String told(Field field, Field[] all) {
        if (!field.isSynthetic()) return field.getName();
        String name = captured(field);
        int alike = 0;
        for (Field other : all) if (name != null && name.equals(captured(other))) alike++;
        return alike == 1 ? name : null;
    }

    /** Of a variable that the class has captured, the type's name behind a sign; null of other fields. */
    private static String captured(Field field) {
        String type = field.getType().getTypeName().replace('$', '.');
        boolean isCaptured = field.isSynthetic() && field.getName().startsWith(CAPTURED);
        return isCaptured ? CAPTURED + type.substring(type.lastIndexOf('.') + 1) : null;
    }

    private List<Shown> fields(Class<?> type) {
        List<Shown> known = scope.fields().get(type);
        if (known != null) return known;
        List<Shown> all = new ArrayList<>();
        scope.fields().put(type, all);
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (!scope.isProject(c)) continue;
            Map<String, Shown> own = new TreeMap<>();
            Field[] declared = c.getDeclaredFields();
            for (Field f : declared) {
                String name = told(f, declared);
                if (Modifier.isStatic(f.getModifiers()) || name == null || !scope.counts(f)) continue;
                f.setAccessible(true);
                own.put(name, new Shown(f, text(c.getName() + "." + name)));
            }
            all.addAll(0, own.values());
        }
        return all;
    }
}
