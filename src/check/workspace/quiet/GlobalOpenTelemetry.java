package io.opentelemetry.api;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerBuilder;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.util.function.Supplier;

/** Gives tracers and meters that do nothing: a caller sees no more of any. */
public final class GlobalOpenTelemetry {
    private GlobalOpenTelemetry() {}

    public static OpenTelemetry get() {
        return OpenTelemetry.noop();
    }

    public static OpenTelemetry getOrNoop() {
        return OpenTelemetry.noop();
    }

    public static boolean isSet() {
        return false;
    }

    public static void set(OpenTelemetry openTelemetry) {}

    public static void set(Supplier<OpenTelemetry> supplier) {}

    public static TracerProvider getTracerProvider() {
        return TracerProvider.noop();
    }

    public static Tracer getTracer(String name) {
        return TracerProvider.noop().get(name);
    }

    public static Tracer getTracer(String name, String version) {
        return TracerProvider.noop().get(name, version);
    }

    public static TracerBuilder tracerBuilder(String name) {
        return TracerProvider.noop().tracerBuilder(name);
    }

    public static MeterProvider getMeterProvider() {
        return MeterProvider.noop();
    }

    public static Meter getMeter(String name) {
        return MeterProvider.noop().get(name);
    }

    public static MeterBuilder meterBuilder(String name) {
        return MeterProvider.noop().meterBuilder(name);
    }

    public static ContextPropagators getPropagators() {
        return ContextPropagators.noop();
    }

    public static void resetForTest() {}
}
