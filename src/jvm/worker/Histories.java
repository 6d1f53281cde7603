package com.shadowci.worker;

import com.sun.jdi.*;
import java.io.*;
import java.util.*;

/** How objects of the tests' process came to be: their constructor, and what was called on them since. */
final class Histories {
    private static final int MOST_OBJECTS = 100_000;
    private static final int LONGEST_STRING = 256;
    private static final int LONGEST_ARRAY = 100;
    private static final int MOST_CALLS = 8;
    private static final int DEEPEST = 6;

    /** A value that can't be written as an input; the message says what it is. */
    static final class Unwritable extends Exception {
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

    private record Call(int watch, Bytes args) {}

    private static final class Made {
        final List<Call> calls = new ArrayList<>();
        Call maker;
        boolean exact;
        String broken;
    }

    private final List<Recorder.Watch> watches;
    private final Map<ObjectReference, Made> objects = new HashMap<>();

    Histories(List<Recorder.Watch> watches) {
        this.watches = watches;
    }

    /** A constructor begins. Those of superclasses, and those that another one calls, are part of the first. */
    void made(int watch, ObjectReference self, List<Value> args) {
        if (self == null || objects.size() >= MOST_OBJECTS) return;
        if (!self.referenceType().name().equals(watches.get(watch).type()) || objects.containsKey(self)) return;
        Made made = new Made();
        made.exact = hidden((ClassType) self.referenceType());
        add(made, watch, args);
        objects.put(self, made);
    }

    /** A method is called on an object from outside. */
    void called(int watch, ObjectReference self, List<Value> args) {
        Made made = objects.get(self);
        if (made != null && made.broken == null) add(made, watch, args);
    }

    private void add(Made made, int watch, List<Value> args) {
        Writer writer = writer();
        try {
            writer.all(args);
            Call call = new Call(watch, writer.bytes());
            made.exact &= writer.exact();
            if (made.maker == null) made.maker = call;
            else if (made.calls.size() < MOST_CALLS) made.calls.add(call);
            else made.broken = self(watch) + " after more than " + MOST_CALLS + " calls";
        } catch (Unwritable e) {
            made.broken = self(watch) + " made with " + e.getMessage();
        }
    }

    private String self(int watch) {
        return watches.get(watch).type();
    }

    /** Whether nobody can write the fields from outside. */
    private static boolean hidden(ClassType type) {
        for (Field f : type.visibleFields()) {
            if (!f.isStatic() && !f.isFinal() && !f.isPrivate()) return false;
        }
        return true;
    }

    Writer writer() {
        return new Writer();
    }

    /** Writes values as inputs, in the form in which they are asked to be replayed. */
    final class Writer {
        private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(buffer);
        private final Wire wire = new Wire(null, out);
        private boolean exact = true;

        Bytes bytes() {
            return new Bytes(buffer.toByteArray());
        }

        /** Whether the input is sure to be in the state that was seen. */
        boolean exact() {
            return exact;
        }

        void receiver(ObjectReference self) throws Unwritable {
            try {
                out.writeBoolean(self != null);
                if (self != null) write(self, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void all(List<Value> values) throws Unwritable {
            try {
                out.writeInt(values.size());
                for (Value value : values) write(value, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void write(Value value, int depth) throws IOException, Unwritable {
            if (depth > DEEPEST) throw new Unwritable("objects nested too deeply");
            if (value == null) out.write('N');
            else if (value instanceof BooleanValue v) { out.write('Z'); out.writeBoolean(v.value()); }
            else if (value instanceof ByteValue v) { out.write('B'); out.writeByte(v.value()); }
            else if (value instanceof ShortValue v) { out.write('S'); out.writeShort(v.value()); }
            else if (value instanceof CharValue v) { out.write('C'); out.writeChar(v.value()); }
            else if (value instanceof IntegerValue v) { out.write('I'); out.writeInt(v.value()); }
            else if (value instanceof LongValue v) { out.write('J'); out.writeLong(v.value()); }
            else if (value instanceof FloatValue v) { out.write('F'); out.writeInt(Float.floatToRawIntBits(v.value())); }
            else if (value instanceof DoubleValue v) { out.write('D'); out.writeLong(Double.doubleToRawLongBits(v.value())); }
            else if (value instanceof StringReference v) string(v);
            else if (value instanceof ArrayReference v) array(v, depth);
            else object((ObjectReference) value, depth);
        }

        private void string(StringReference value) throws IOException, Unwritable {
            String text = value.value();
            if (text.length() > LONGEST_STRING) throw new Unwritable("a string of " + text.length() + " characters");
            out.write('T');
            wire.write(text);
        }

        private void array(ArrayReference value, int depth) throws IOException, Unwritable {
            if (value.length() > LONGEST_ARRAY) throw new Unwritable("an array of " + value.length() + " elements");
            out.write('A');
            wire.write(value.referenceType().signature().substring(1));
            List<Value> values = value.length() == 0 ? List.of() : value.getValues();
            out.writeInt(values.size());
            for (Value v : values) write(v, depth + 1);
        }

        private void object(ObjectReference value, int depth) throws IOException, Unwritable {
            ClassType type = (ClassType) value.referenceType();
            if (isBox(type.name())) {
                out.write('X');
                write(value.getValue(type.fieldByName("value")), depth + 1);
                return;
            }
            ClassType named = type.isEnum() || type.superclass() == null ? type : type.superclass();
            if (named.isEnum() && named.superclass() != null) {
                Field name = named.superclass().fieldByName("name");
                out.write('E');
                wire.write(named.name());
                wire.write(((StringReference) value.getValue(name)).value());
                return;
            }
            Made made = objects.get(value);
            if (made == null) throw new Unwritable("an object of " + type.name());
            if (made.broken != null) throw new Unwritable("an object of " + made.broken);
            exact &= made.exact;
            out.write('O');
            method(made.maker);
            out.writeInt(made.calls.size());
            for (Call call : made.calls) method(call);
        }

        private void method(Call call) throws IOException {
            Recorder.Watch watch = watches.get(call.watch);
            wire.write(watch.type());
            wire.write(watch.name());
            wire.write(watch.descriptor());
            out.write(call.args.array());
        }
    }

    private static boolean isBox(String name) {
        return switch (name) {
            case "java.lang.Boolean", "java.lang.Byte", "java.lang.Short", "java.lang.Character", "java.lang.Integer",
                    "java.lang.Long", "java.lang.Float", "java.lang.Double" -> true;
            default -> false;
        };
    }
}
