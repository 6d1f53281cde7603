package com.shadowci.standin;

/** Stands in for java.io.Reader: it fails where it is read. */
public final class StandInForReader extends java.io.Reader {
    public StandInForReader() {}

    public int read(char[] to, int from, int length) throws java.io.IOException {
        System.out.println("read fails");
        throw new java.io.IOException("read");
    }

    public void close() {}
}
