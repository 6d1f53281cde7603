package com.shadowci.worker;

/** Takes a run that has ended out of the code that goes on. What that code does on the way is no part of the outcome. */
final class Ended extends Error {
    Ended() {
        super("the run has ended", null, false, false);
    }
}
