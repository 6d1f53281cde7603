package com.shadowci.standin;

/** Stands in for java.io.OutputStream: it fails where it is written to. */
public final class StandInForOutputStream extends java.io.OutputStream {
    public StandInForOutputStream() {}

    public void write(int b) throws java.io.IOException {
        System.out.println("write fails");
        throw new java.io.IOException("write");
    }
}
