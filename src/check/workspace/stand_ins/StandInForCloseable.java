package com.shadowci.standin;

/** Stands in for java.io.Closeable: it fails where it is closed. */
public final class StandInForCloseable implements java.io.Closeable {
    public StandInForCloseable() {}

    public void close() throws java.io.IOException {
        System.out.println("close fails");
        throw new java.io.IOException("close");
    }
}
