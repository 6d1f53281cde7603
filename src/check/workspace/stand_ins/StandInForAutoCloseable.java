package com.shadowci.standin;

/** Stands in for java.lang.AutoCloseable: it fails where it is closed. */
public final class StandInForAutoCloseable implements java.lang.AutoCloseable {
    public StandInForAutoCloseable() {}

    public void close() throws Exception {
        System.out.println("close fails");
        throw new Exception("close");
    }
}
