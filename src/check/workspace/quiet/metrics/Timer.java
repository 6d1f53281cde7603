package com.codahale.metrics;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Times nothing, and does what it is given to time: a caller sees no more of any. */
public class Timer implements Metered, Sampling {
    /** A time that is not taken. */
    public static class Context implements java.io.Closeable {
        private Context() {}

        public long stop() {
            return 0;
        }

        @Override
        public void close() {}
    }

    public Timer() {}

    public Timer(Reservoir reservoir) {}

    public Timer(Reservoir reservoir, Clock clock) {}

    public Timer(Meter meter, Histogram histogram, Clock clock) {}

    public void update(long duration, TimeUnit unit) {}

    public void update(Duration duration) {}

    public <T> T time(Callable<T> event) throws Exception {
        return event.call();
    }

    public <T> T timeSupplier(Supplier<T> event) {
        return event.get();
    }

    public void time(Runnable event) {
        event.run();
    }

    public Context time() {
        return new Context();
    }

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

    @Override
    public Snapshot getSnapshot() {
        return new UniformSnapshot(new long[0]);
    }
}
