package com.shadowci.tests;

/** Stands for the body of a test that does not compile: it fails, whatever is tested. */
public final class NotCompiled {
    private NotCompiled() {}

    public static Error reached(long what) {
        return new Error("this test does not compile");
    }
}
