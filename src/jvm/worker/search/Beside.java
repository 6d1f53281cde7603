package com.shadowci.worker;

import java.util.*;

/** The processes that share a search, each with its part of the runs: when they tell each other what they kept, and what of it. */
final class Beside {
    /** What is spent between two times, and how many inputs are told each time. */
    private static final int BETWEEN = 4_000, MOST = 100;

    /** How many there are, this one included. */
    final int sides;
    private final List<List<Node>> untold = new ArrayList<>();
    private int next = BETWEEN;

    Beside(int sides) {
        this.sides = sides;
    }

    /** Whether it is time to tell, when so much is spent. */
    boolean isDue(int spent) {
        if (sides < 2 || spent < next) return false;
        next = spent + BETWEEN;
        return true;
    }

    /** Takes an input to be told. */
    void keep(List<Node> input) {
        if (sides > 1 && untold.size() < MOST) untold.add(input);
    }

    /** What was kept since the last time. */
    List<List<Node>> untold() {
        List<List<Node>> all = new ArrayList<>(untold);
        untold.clear();
        return all;
    }
}
