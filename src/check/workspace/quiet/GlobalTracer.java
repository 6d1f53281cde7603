package io.opentracing.util;

import io.opentracing.Tracer;
import io.opentracing.noop.NoopTracerFactory;
import java.util.concurrent.Callable;

/** Gives a tracer that does nothing: a caller sees no more of any. */
public final class GlobalTracer {
    private GlobalTracer() {}

    public static Tracer get() {
        return NoopTracerFactory.create();
    }

    public static boolean isRegistered() {
        return false;
    }

    public static boolean registerIfAbsent(Callable<Tracer> provider) {
        return true;
    }

    public static boolean registerIfAbsent(Tracer tracer) {
        return true;
    }

    public static void register(Tracer tracer) {}
}
