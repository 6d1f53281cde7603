package com.codahale.metrics;

/** Keeps nothing: a caller sees no more of any. */
public class ExponentiallyDecayingReservoir implements Reservoir {
    public ExponentiallyDecayingReservoir() {}

    public ExponentiallyDecayingReservoir(int size, double alpha) {}

    public ExponentiallyDecayingReservoir(int size, double alpha, Clock clock) {}

    @Override
    public int size() {
        return 0;
    }

    @Override
    public void update(long value) {}

    public void update(long value, long timestamp) {}

    @Override
    public Snapshot getSnapshot() {
        return new UniformSnapshot(new long[0]);
    }
}
