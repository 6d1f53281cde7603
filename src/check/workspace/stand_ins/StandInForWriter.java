package com.shadowci.standin;

/** Stands in for java.io.Writer: it fails where it is written to. */
public final class StandInForWriter extends java.io.Writer {
    public StandInForWriter() {}

    public void write(char[] text, int from, int length) throws java.io.IOException {
        System.out.println("write fails");
        throw new java.io.IOException("write");
    }

    public void flush() {}

    public void close() {}
}
