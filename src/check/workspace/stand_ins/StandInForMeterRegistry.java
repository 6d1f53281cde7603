package com.shadowci.standin;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopCounter;
import io.micrometer.core.instrument.noop.NoopDistributionSummary;
import io.micrometer.core.instrument.noop.NoopFunctionCounter;
import io.micrometer.core.instrument.noop.NoopFunctionTimer;
import io.micrometer.core.instrument.noop.NoopGauge;
import io.micrometer.core.instrument.noop.NoopLongTaskTimer;
import io.micrometer.core.instrument.noop.NoopMeter;
import io.micrometer.core.instrument.noop.NoopTimer;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** Stands in for io.micrometer.core.instrument.MeterRegistry: its meters measure nothing. */
public final class StandInForMeterRegistry extends MeterRegistry {
    public StandInForMeterRegistry() {
        super(Clock.SYSTEM);
    }

    protected <T> Gauge newGauge(Meter.Id id, T object, ToDoubleFunction<T> value) {
        return new NoopGauge(id);
    }

    protected Counter newCounter(Meter.Id id) {
        return new NoopCounter(id);
    }

    protected LongTaskTimer newLongTaskTimer(Meter.Id id) {
        return new NoopLongTaskTimer(id);
    }

    protected LongTaskTimer newLongTaskTimer(Meter.Id id, DistributionStatisticConfig config) {
        return new NoopLongTaskTimer(id);
    }

    protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector detector) {
        return new NoopTimer(id);
    }

    protected DistributionSummary newDistributionSummary(Meter.Id id, DistributionStatisticConfig config, double scale) {
        return new NoopDistributionSummary(id);
    }

    protected Meter newMeter(Meter.Id id, Meter.Type type, Iterable<Measurement> measurements) {
        return new NoopMeter(id);
    }

    protected <T> FunctionTimer newFunctionTimer(
            Meter.Id id, T object, ToLongFunction<T> count, ToDoubleFunction<T> total, TimeUnit unit) {
        return new NoopFunctionTimer(id);
    }

    protected <T> FunctionCounter newFunctionCounter(Meter.Id id, T object, ToDoubleFunction<T> count) {
        return new NoopFunctionCounter(id);
    }

    protected TimeUnit getBaseTimeUnit() {
        return TimeUnit.SECONDS;
    }

    protected DistributionStatisticConfig defaultHistogramConfig() {
        return DistributionStatisticConfig.NONE;
    }
}
