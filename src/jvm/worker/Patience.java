package com.shadowci.worker;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Waits for a run by what it has computed, not by the clock: on a loaded machine it may take longer and still does the same. */
final class Patience {
    /** How many times its limit a run may take by the clock. */
    private static final int MOST = 20;
    /**
     * Looks, one after the other, at which a thread has not computed though it could: one that waits for a processor gets a little of it
     * between two looks, and one that waits for a socket looks the same but gets none.
     */
    private static final int MOST_STILL = 2;

    /** What the JVM tells of its threads, asked for once, since a look-up takes longer than many a run; null in a JDK without it. */
    private static final ThreadMXBean THREADS = threads();

    private static ThreadMXBean threads() {
        try {
            return ManagementFactory.getThreadMXBean();
        } catch (LinkageError e) {
            // A JDK without the module java.management.
            return null;
        }
    }

    /** Whether the JVM tells what threads have computed. */
    private static final boolean MEASURES = measures();

    private static boolean measures() {
        try {
            return THREADS != null && THREADS.isThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * Milliseconds that a thread has computed, by the clock where that is not known; -1 of a thread that is about to end: the JVM tells
     * of it no more while it still counts as alive.
     */
    static long computed(Thread thread) {
        if (!MEASURES) return System.nanoTime() / 1_000_000;
        long used = THREADS.getThreadCpuTime(thread.getId());
        return used < 0 ? -1 : used / 1_000_000;
    }

    /** Bytes that a thread has allocated; none where that is not known. */
    static long allocated(Thread thread) {
        try {
            return THREADS instanceof com.sun.management.ThreadMXBean threads ? threads.getThreadAllocatedBytes(thread.getId()) : 0;
        } catch (LinkageError | UnsupportedOperationException e) {
            return 0;
        }
    }

    /** Whether the thread ends before it has computed for so many milliseconds, or has waited for as long without computing. */
    static boolean ends(Thread thread, int limit) throws InterruptedException {
        thread.join(limit);
        if (!thread.isAlive()) return true;
        if (!MEASURES) return false;
        long before = -1;
        int still = 0;
        for (int waited = limit; waited / MOST < limit; waited += limit) {
            long used = computed(thread);
            boolean isEnding = used < 0;
            still = used == before ? still + 1 : 0;
            boolean computes = isEnding || still == 0 || thread.getState() == Thread.State.RUNNABLE && still < MOST_STILL;
            if (used >= limit || !computes) return false;
            before = used;
            // It has computed for less than the limit: it can't be done sooner than after the rest.
            thread.join(isEnding ? limit : Math.max(50, limit - used));
            if (!thread.isAlive()) return true;
        }
        return false;
    }
}
