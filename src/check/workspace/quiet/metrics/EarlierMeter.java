package com.codahale.metrics;

/** Measures nothing: a caller sees no more of any. */
public class Meter implements Metered {
    public Meter() {}

    public Meter(Clock clock) {}

    public void mark() {}

    public void mark(long n) {}

    @Override
    public long getCount() {
        return 0;
    }

    @Override
    public double getFifteenMinuteRate() {
        return 0;
    }

    @Override
    public double getFiveMinuteRate() {
        return 0;
    }

    @Override
    public double getMeanRate() {
        return 0;
    }

    @Override
    public double getOneMinuteRate() {
        return 0;
    }
}
