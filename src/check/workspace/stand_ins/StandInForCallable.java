package com.shadowci.standin;

/** Stands in for java.util.concurrent.Callable: it fails where it is called. */
@SuppressWarnings("rawtypes")
public final class StandInForCallable implements java.util.concurrent.Callable {
    public StandInForCallable() {}

    public Object call() throws Exception {
        System.out.println("call fails");
        throw new Exception("call");
    }
}
