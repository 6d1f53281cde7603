package io.opentelemetry.context;

/** The storage of contexts that is there without a search for another. */
final class LazyStorage {
    private LazyStorage() {}

    static ContextStorage get() {
        return ContextStorage.defaultStorage();
    }
}
