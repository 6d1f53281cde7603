package com.shadowci.worker;

import java.io.*;
import java.util.*;

/**
 * Ends a run instead of the JVM. Calls of System.exit, Runtime.exit and Runtime.halt in tested classes become calls of this class
 * when they are loaded (JVMS 4.4 and 6.5).
 */
public final class Exits {
    private static Printed printed;
    private static Integer code;

    private Exits() {}

    /** A run begins. */
    static synchronized void begin(Printed of) {
        printed = of;
        code = null;
    }

    /** The code that the run was ended with; null when it was not. */
    static synchronized Integer code() {
        return code;
    }

    /** System.exit(int). */
    public static void exit(int status) {
        synchronized (Exits.class) {
            if (code == null) code = status;
            if (printed != null) printed.end();
        }
        throw new Ended();
    }

    /** Runtime.exit(int). */
    public static void exit(Runtime runtime, int status) {
        exit(status);
    }

    /** Runtime.halt(int). */
    public static void halt(Runtime runtime, int status) {
        exit(status);
    }

    /** The class with its calls turned here; null where it has none. */
    static byte[] rewritten(byte[] bytes) {
        try {
            return new Pool(bytes).rewritten();
        } catch (RuntimeException e) {
            // No class file as we know them: the JVM will say what it thinks of it.
            return null;
        }
    }

    /** A class file's constant pool, and what comes behind it. */
    private static final class Pool {
        private final byte[] bytes;
        private final int count, end;
        private final int[] at;
        /** Entries and bytes that are added at the pool's end. */
        private int next;
        private final ByteArrayOutputStream added = new ByteArrayOutputStream();
        /** Indices of Methodrefs whose calls have a receiver now. */
        private final Set<Integer> virtual = new HashSet<>();

        Pool(byte[] bytes) {
            this.bytes = bytes.clone();
            count = u2(8);
            next = count;
            at = new int[count];
            int p = 10;
            for (int i = 1; i < count; i++) {
                at[i] = p;
                int tag = bytes[p];
                switch (tag) {
                    case 1: p += 3 + u2(p + 1); break;
                    case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: p += 5; break;
                    case 5: case 6: p += 9; i++; break;
                    case 15: p += 4; break;
                    case 7: case 8: case 16: case 19: case 20: p += 3; break;
                    default: throw new IllegalArgumentException();
                }
            }
            end = p;
        }

        byte[] rewritten() {
            boolean found = false;
            int own = 0;
            for (int i = 1; i < count; i++) {
                int p = at[i];
                if (p == 0 || bytes[p] != 10) continue;
                String type = text(u2(at[u2(p + 1)] + 1));
                int named = at[u2(p + 3)];
                String name = text(u2(named + 1)), descriptor = text(u2(named + 3));
                if (!descriptor.equals("(I)V")) continue;
                boolean system = type.equals("java/lang/System") && name.equals("exit");
                boolean runtime = type.equals("java/lang/Runtime") && (name.equals("exit") || name.equals("halt"));
                if (!system && !runtime) continue;
                if (own == 0) own = add(7, addText(Exits.class.getName().replace('.', '/')));
                put(p + 1, own);
                if (runtime) {
                    put(p + 3, add(12, u2(named + 1), addText("(Ljava/lang/Runtime;I)V")));
                    virtual.add(i);
                }
                found = true;
            }
            if (!found) return null;
            if (!virtual.isEmpty()) methods();
            return joined();
        }

        private byte[] joined() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            put(8, next);
            all.write(bytes, 0, end);
            all.writeBytes(added.toByteArray());
            all.write(bytes, end, bytes.length - end);
            return all.toByteArray();
        }

        private int add(int tag, int... values) {
            added.write(tag);
            for (int v : values) { added.write(v >> 8); added.write(v); }
            if (next > 0xfff0) throw new IllegalArgumentException();
            return next++;
        }

        private int addText(String text) {
            added.write(1);
            added.write(text.length() >> 8);
            added.write(text.length());
            for (char c : text.toCharArray()) added.write(c);
            return next++;
        }

        /** The calls of all methods' code. */
        private void methods() {
            int p = end + 6;
            p += 2 + 2 * u2(p);
            for (int kind = 0; kind < 2; kind++) {
                int n = u2(p);
                p += 2;
                for (; n > 0; n--) {
                    int attributes = u2(p + 6);
                    p += 8;
                    for (; attributes > 0; attributes--) {
                        if (kind == 1 && text(u2(p)).equals("Code")) code(p + 14, p + 14 + u4(p + 10));
                        p += 6 + u4(p + 2);
                    }
                }
            }
        }

        /** JVMS 6.5: invokevirtual (182) becomes invokestatic (184). */
        private void code(int begin, int end) {
            for (int p = begin; p < end; ) {
                int op = bytes[p] & 0xff;
                if (op == 182 && virtual.contains(u2(p + 1))) bytes[p] = (byte) 184;
                p += length(op, p, begin);
            }
        }

        private int length(int op, int p, int begin) {
            int aligned = p + 4 - (p - begin) % 4;
            if (op == 170) return aligned + 12 + 4 * (u4(aligned + 8) - u4(aligned + 4) + 1) - p;
            if (op == 171) return aligned + 8 + 8 * u4(aligned + 4) - p;
            if (op == 196) return (bytes[p + 1] & 0xff) == 132 ? 6 : 4;
            if (op == 185 || op == 186 || op == 200 || op == 201) return 5;
            if (op == 197) return 4;
            if (op == 16 || op == 18 || op >= 21 && op <= 25 || op >= 54 && op <= 58 || op == 169 || op == 188) return 2;
            if (op == 17 || op == 19 || op == 20 || op == 132 || op >= 153 && op <= 168 || op >= 178 && op <= 184 || op == 187
                    || op == 189 || op == 192 || op == 193 || op == 198 || op == 199) return 3;
            if (op > 201) throw new IllegalArgumentException();
            return 1;
        }

        private String text(int index) {
            int p = at[index];
            if (bytes[p] != 1) throw new IllegalArgumentException();
            return new String(bytes, p + 3, u2(p + 1), java.nio.charset.StandardCharsets.ISO_8859_1);
        }

        private int u2(int p) {
            return (bytes[p] & 0xff) << 8 | bytes[p + 1] & 0xff;
        }

        private int u4(int p) {
            return u2(p) << 16 | u2(p + 2);
        }

        private void put(int p, int value) {
            bytes[p] = (byte) (value >> 8);
            bytes[p + 1] = (byte) value;
        }
    }
}
