package com.shadowci.standin;

/** Stands in for java.io.InputStream: it fails where it is read. */
public final class StandInForInputStream extends java.io.InputStream {
    public StandInForInputStream() {}

    public int read() throws java.io.IOException {
        System.out.println("read fails");
        throw new java.io.IOException("read");
    }
}
