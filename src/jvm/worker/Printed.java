package com.shadowci.worker;

import java.io.*;
import java.nio.charset.StandardCharsets;

/** What a run prints, up to a limit; behind its end nothing counts. */
final class Printed extends OutputStream {
    private static final int MOST = 1 << 20;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean over, ended;

    @Override
    public synchronized void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int n) {
        if (ended) return;
        if (kept.size() + n > MOST) {
            over = true;
            throw new Ended();
        }
        kept.write(bytes, from, n);
    }

    /** What was printed while the input was made is none of the call's. */
    synchronized void begin() {
        kept.reset();
    }

    /** Nothing more is taken. */
    synchronized void end() {
        ended = true;
    }

    /** What was printed is no outcome: why. */
    synchronized String failed() {
        return over ? "it printed more than " + MOST + " bytes" : null;
    }

    synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }
}
