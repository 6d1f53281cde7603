package com.shadowci.worker;

import java.util.*;
import java.util.function.Function;

/** Pairs of operands that the runs of both versions on one input compared. */
final class Compared<T> {
    /** Pairs kept of one run. */
    private final int most;
    private final Function<T, Object> key;
    private final List<T> pairs = new ArrayList<>();
    /** Where the pairs of each run begin. */
    private final List<Integer> begun = new ArrayList<>();

    Compared(int most, Function<T, Object> key) {
        this.most = most;
        this.key = key;
    }

    void clear() {
        pairs.clear();
        begun.clear();
    }

    /** Another run begins. */
    void begin() {
        begun.add(pairs.size());
    }

    /** Whether this run has as many pairs as are kept. */
    boolean isFull() {
        return pairs.size() - (begun.isEmpty() ? 0 : begun.get(begun.size() - 1)) >= most;
    }

    void add(T pair) {
        pairs.add(pair);
    }

    /** All pairs. Those that only one of the first two runs compared come first: it is the change that makes them. */
    List<T> pairs() {
        int second = begun.size() > 1 ? begun.get(1) : pairs.size();
        Set<Object> first = keys(0, second), other = keys(second, pairs.size());
        List<T> ofOne = new ArrayList<>(), ofBoth = new ArrayList<>();
        for (T pair : pairs) {
            Object by = key.apply(pair);
            (first.contains(by) && other.contains(by) ? ofBoth : ofOne).add(pair);
        }
        ofOne.addAll(ofBoth);
        return ofOne;
    }

    private Set<Object> keys(int from, int to) {
        Set<Object> keys = new HashSet<>();
        for (T pair : pairs.subList(from, to)) keys.add(key.apply(pair));
        return keys;
    }
}
