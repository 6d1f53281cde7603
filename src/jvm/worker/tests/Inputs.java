package com.shadowci.tests;

import java.io.*;
import java.lang.ref.*;
import java.lang.reflect.*;
import java.util.*;

/** Writes values as inputs, in the form in which they are replayed: objects as they came to be, by constructor and calls since. */
final class Inputs {
    private static final int MOST_OBJECTS = 100_000;
    private static final int LONGEST_STRING = 256;
    private static final int LONGEST_ARRAY = 100;
    private static final int MOST_CALLS = 8;
    /** Where inputs are seeds, and not to be read. */
    private static final int MOST_CALLS_OF_SEEDS = 32;
    private static final int DEEPEST = 6;
    private static final int LARGEST = 1 << 16;

    /** A value that can't be written as an input; the message says what it is. */
    static final class Unwritable extends Exception {
        private static final long serialVersionUID = 1;

        Unwritable(String what) {
            super(what, null, false, false);
        }
    }

    /** Bytes that are equal when they hold the same. */
    record Bytes(byte[] array) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes b && Arrays.equals(array, b.array);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(array);
        }
    }

    /** A call that made or may have changed an object, as far as it can be written. */
    static final class Part {
        private final String type;
        private Bytes bytes;
        private boolean exact;
        private int depth;
        private String unwritable;

        Part(String type, String name, String descriptor, String[] parameters, Object[] args) {
            this.type = type;
            try {
                Inputs inputs = new Inputs();
                inputs.text(type);
                inputs.text(name);
                inputs.text(descriptor);
                inputs.all(args, parameters);
                bytes = inputs.bytes();
                exact = inputs.exact;
                depth = inputs.depth;
            } catch (Unwritable e) {
                unwritable = e.getMessage();
            }
        }
    }

    /** How an object came to be. */
    private static final class History {
        final List<Bytes> calls = new ArrayList<>();
        Bytes maker;
        boolean exact;
        int depth;
        String broken;

        void add(Part part) {
            if (part.unwritable != null) {
                broken = part.type + " made with " + part.unwritable;
                return;
            }
            exact &= part.exact;
            depth = Math.max(depth, part.depth);
            if (maker == null) maker = part.bytes;
            else if (calls.size() < mostCalls()) calls.add(part.bytes);
            else broken = part.type + " after more than " + mostCalls() + " calls";
        }
    }

    private static int mostCalls() {
        return Recording.observes() ? MOST_CALLS_OF_SEEDS : MOST_CALLS;
    }

    /** An object by its identity; its own methods are not called, and it is not kept alive. */
    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object of, ReferenceQueue<Object> queue) {
            super(of, queue);
            hash = System.identityHashCode(of);
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) return true;
            Object own = get();
            return own != null && other instanceof Key key && key.get() == own;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
    private static final Map<Key, History> HISTORIES = new HashMap<>();
    private static final Map<Class<?>, Boolean> HIDDEN = new WeakHashMap<>();

    /** A constructor made an object. */
    static void made(Object self, Part part) {
        for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) HISTORIES.remove(gone);
        if (HISTORIES.size() >= MOST_OBJECTS) return;
        History history = new History();
        history.exact = HIDDEN.computeIfAbsent(self.getClass(), Inputs::isHidden);
        history.add(part);
        HISTORIES.put(new Key(self, GONE), history);
    }

    /** A method is called on an object from outside. */
    static void called(Object self, Part part) {
        History history = HISTORIES.get(new Key(self, null));
        if (history != null && history.broken == null) history.add(part);
    }

    /** An object may have been changed in a way that can't be written. */
    static void unseen(Object self) {
        History history = HISTORIES.get(new Key(self, null));
        if (history != null) history.exact = false;
    }

    /** Whether nobody can write the fields from outside. */
    private static boolean isHidden(Class<?> type) {
        try {
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                for (Field f : c.getDeclaredFields()) {
                    int m = f.getModifiers();
                    if (!Modifier.isStatic(m) && !Modifier.isFinal(m) && !Modifier.isPrivate(m)) return false;
                }
            }
            return true;
        } catch (LinkageError e) {
            return false;
        }
    }

    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(buffer);
    private boolean exact = true;
    /** How deep the objects in it are nested. */
    private int depth;

    Bytes bytes() {
        return new Bytes(buffer.toByteArray());
    }

    /** Whether the input is sure to be in the state that was seen. */
    boolean isExact() {
        return exact;
    }

    private void text(String text) {
        try {
            Recording.text(out, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void receiver(Object self) throws Unwritable {
        try {
            out.writeBoolean(self != null);
            if (self != null) write(self, false, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void all(Object[] values, String[] descriptors) throws Unwritable {
        try {
            out.writeInt(values.length);
            for (int i = 0; i < values.length; i++) write(values[i], descriptors[i].length() == 1, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(Object value, boolean primitive, int depth) throws IOException, Unwritable {
        if (depth > DEEPEST || buffer.size() > LARGEST) throw new Unwritable("objects nested too deeply");
        if (value == null) out.write('N');
        else if (isBox(value)) {
            if (!primitive) out.write('X');
            primitive(value);
        } else if (value instanceof String v) string(v);
        else if (value instanceof Enum<?> v) {
            out.write('E');
            text(v.getDeclaringClass().getName());
            text(v.name());
        } else if (value.getClass().isArray()) array(value, depth);
        else if (value instanceof Class<?> v && Recording.observes() && !Recording.isOfTests(v.getName())) {
            out.write('c');
            text(v.getName());
        }
        else object(value, depth);
    }

    /** A constructor, factory or called method. */
    void member(char tag, String type, String name, String descriptor) throws IOException {
        if (tag != 0) out.write(tag);
        text(type);
        text(name);
        text(descriptor);
    }

    void count(int n) throws IOException {
        out.writeInt(n);
    }

    /** What a static final field of its class holds; it is taken to be as it was made. */
    private boolean constant(Object value) throws IOException {
        Class<?> type = value.getClass();
        if (type.getClassLoader() != Inputs.class.getClassLoader()) return false;
        try {
            for (Field f : type.getDeclaredFields()) {
                int m = f.getModifiers();
                boolean visible = Modifier.isStatic(m) && Modifier.isFinal(m) && !Modifier.isPrivate(m) && f.getType() == type;
                if (!visible) continue;
                f.setAccessible(true);
                if (f.get(null) != value) continue;
                out.write('G');
                text(type.getName());
                text(f.getName());
                return true;
            }
        } catch (IllegalAccessException | LinkageError e) {
            // It is written as it came to be.
        }
        return false;
    }

    private static boolean isBox(Object value) {
        return value instanceof Boolean || value instanceof Byte || value instanceof Short || value instanceof Character
                || value instanceof Integer || value instanceof Long || value instanceof Float || value instanceof Double;
    }

    private void primitive(Object value) throws IOException {
        if (value instanceof Boolean v) { out.write('Z'); out.writeBoolean(v); }
        else if (value instanceof Byte v) { out.write('B'); out.writeByte(v); }
        else if (value instanceof Short v) { out.write('S'); out.writeShort(v); }
        else if (value instanceof Character v) { out.write('C'); out.writeChar(v); }
        else if (value instanceof Integer v) { out.write('I'); out.writeInt(v); }
        else if (value instanceof Long v) { out.write('J'); out.writeLong(v); }
        else if (value instanceof Float v) { out.write('F'); out.writeInt(Float.floatToRawIntBits(v)); }
        else if (value instanceof Double v) { out.write('D'); out.writeLong(Double.doubleToRawLongBits(v)); }
    }

    private void string(String value) throws IOException, Unwritable {
        if (value.length() > LONGEST_STRING) throw new Unwritable("a string of " + value.length() + " characters");
        out.write('T');
        text(value);
    }

    private void array(Object value, int depth) throws IOException, Unwritable {
        int length = Array.getLength(value);
        if (length > LONGEST_ARRAY) throw new Unwritable("an array of " + length + " elements");
        Class<?> element = value.getClass().getComponentType();
        out.write('A');
        text(element.descriptorString());
        out.writeInt(length);
        for (int i = 0; i < length; i++) write(Array.get(value, i), element.isPrimitive(), depth + 1);
    }

    private void object(Object value, int at) throws IOException, Unwritable {
        Class<?> type = value.getClass();
        if (type.isHidden() || type.isSynthetic() || Proxy.isProxyClass(type)) throw new Unwritable("a lambda or proxy");
        if (Recording.observes()) {
            // Nothing that is run later has the tests' classes.
            if (Recording.isOfTests(type.getName())) throw new Unwritable("an object of a test's class");
            if (Library.write(this, value, at) || constant(value)) return;
        }
        History history = HISTORIES.get(new Key(value, null));
        if (history == null) throw new Unwritable("an object of " + type.getName());
        if (history.broken != null) throw new Unwritable("an object of " + history.broken);
        exact &= history.exact;
        depth = Math.max(depth, at + 1 + history.depth);
        if (depth > DEEPEST) throw new Unwritable("objects nested too deeply");
        out.write('O');
        out.write(history.maker.array());
        out.writeInt(history.calls.size());
        for (Bytes call : history.calls) out.write(call.array());
    }
}
