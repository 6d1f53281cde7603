package com.shadowci.worker;

import java.io.ByteArrayOutputStream;

/** Bytes up to a length. */
public final class Bounded extends ByteArrayOutputStream {
    /** What is written is longer. */
    public static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Full() {
            super("too long", null, false, false);
        }
    }

    private final int most;

    public Bounded(int most) {
        this.most = most;
    }

    @Override
    public synchronized void write(int b) {
        if (count >= most) throw new Full();
        super.write(b);
    }

    @Override
    public synchronized void write(byte[] b, int from, int length) {
        if (count + length > most) throw new Full();
        super.write(b, from, length);
    }

    /** FNV-1a over 64 bits. */
    public long digest() {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < count; i++) hash = (hash ^ buf[i] & 255) * 0x100000001b3L;
        return hash;
    }
}
